"""The camera that a phone may be: another one's pictures until a phone is it, and again when it is let go."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import cv2
import numpy as np

from companion.devices.camera_base import Camera, Tell
from companion.devices.phone_camera import PhoneCamera
from companion.eye.phone_link import PhoneLink
from companion.eye.view import Frame, Trouble

SMALL, WHOLE = (
    cv2.imencode(".jpg", np.full((high, wide), 90, np.uint8))[1].tobytes() for high, wide in ((36, 64), (72, 128))
)


class Plugged(Camera):
    """Gives pictures until it is closed; with `tell` it says first that something is wrong with it."""

    def __init__(self, tell: Tell | None = None) -> None:
        self.closed = threading.Event()
        if tell is not None:
            tell(Trouble("camera-lost", "There is no camera."))

    def frames(self) -> Iterator[Frame]:
        while not self.closed.wait(0.005):
            yield Frame(np.zeros((10, 20), np.uint8), 0.0, 7)

    def close(self) -> None:
        self.closed.set()


def test_a_phone_takes_the_place_of_the_camera_that_is_there_and_gives_it_back() -> None:
    link, opened = PhoneLink(), list[Plugged]()

    def other(_tell: Tell) -> Camera:
        opened.append(Plugged())
        return opened[-1]

    camera = PhoneCamera(link, other=other)
    frames = camera.frames()
    numbers = [next(frames).number for _ in range(3)]
    secret = link.join(link.key, "A phone")
    assert opened[0].closed.is_set()
    link.take(secret, "a", 1, SMALL, WHOLE)
    filmed = next(frames)
    assert filmed.gray.shape == (72, 128)
    filmed.wanted = True
    link.take(secret, "a", 2, SMALL, b"")
    small = next(frames)
    assert (small.whole, link.wanted) == (False, True)
    link.release()
    numbers += [filmed.number, small.number, next(frames).number]
    assert numbers == [0, 1, 2, 3, 4, 5]
    assert len(opened) == 2
    camera.close()
    assert list(frames) == []
    link.rest()


def test_a_phone_that_falls_silent_is_told_by_its_name_and_taken_back() -> None:
    told: list[Trouble | None] = []
    link = PhoneLink()
    camera = PhoneCamera(link, told.append)
    secret = link.join(link.key, "Pixel 7")
    camera._lose()
    camera._lose()
    assert [one and "(Pixel 7) sends no pictures" in one.words for one in told] == [True]
    link.take(secret, "a", 1, SMALL, WHOLE)
    next(camera.frames())
    assert told[-1] is None
    camera.close()
    link.rest()


def test_what_was_wrong_with_the_other_camera_is_over_once_a_phone_is_the_camera() -> None:
    told: list[str] = []
    link = PhoneLink()
    camera = PhoneCamera(link, lambda trouble: told.append(trouble.words if trouble else ""), other=Plugged)
    frames = camera.frames()
    next(frames)
    secret = link.join(link.key, "A phone")
    link.take(secret, "a", 1, SMALL, WHOLE)
    next(frames)
    assert told == ["There is no camera.", ""]
    camera.close()
    link.rest()
