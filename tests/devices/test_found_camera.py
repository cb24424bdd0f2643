"""The camera that is there: which one it is, and that it is looked for at every attempt."""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.devices import v4l2
from companion.devices.camera_base import Camera, NoCameraError, Tell
from companion.devices.cameras import open_camera
from companion.devices.found_camera import FoundCamera, find_camera, takes_pictures
from companion.devices.service import Backoff
from companion.eye.exposure import Exposure
from companion.eye.view import Frame, Trouble


@pytest.mark.parametrize(
    ("known", "camera"),
    [
        ({}, None),
        ({"video10": "bcm2835-codec-decode", "video13": "bcm2835-isp-output0"}, None),
        ({"video0": "unicam-image", "video10": "bcm2835-codec-decode"}, "picamera"),
        ({"video0": "rp1-cfe-csi2_ch0", "video20": "pispbe-input"}, "picamera"),
        ({"video0": "bcm2835-codec-decode", "video1": "usb:HD Webcam", "video2": "usb:HD Webcam"}, "1"),
        ({"video2": "usb:HD Webcam", "video10": "usb:Other"}, "2"),
        ({"video0": "A loopback", "video4": "usb:HD Webcam"}, "4"),
        ({"video7": "A loopback"}, "7"),
    ],
)
def test_the_camera_that_is_there_is_found(tmp_path: Path, known: dict[str, str], camera: str | None) -> None:
    for video, name in known.items():
        usb, _, words = name.rpartition(":")
        device = tmp_path / "devices" / (usb or "platform") / video
        device.mkdir(parents=True)
        (tmp_path / "class" / video).mkdir(parents=True)
        (tmp_path / "class" / video / "name").write_text(words + "\n")
        (tmp_path / "class" / video / "device").symlink_to(device)
    assert find_camera(tmp_path / "class") == camera


@pytest.mark.parametrize(
    ("able", "camera"),
    [(0x04200001, True), (0x00001000, True), (0x04204000, False), (0x00008000, False), (0x00800000, False)],
)
def test_a_device_is_asked_what_it_can(monkeypatch: pytest.MonkeyPatch, able: int, camera: bool) -> None:
    def ask(device: Path, question: int, room: bytearray) -> int:
        struct.pack_into("II", room, 84, 0x80000001, able)
        return 0

    monkeypatch.setattr(v4l2, "_ask", ask)
    assert takes_pictures("video9", "Something new") is camera
    assert not takes_pictures("video9", "rpivid")


def test_a_device_that_gives_back_no_buffers_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    assert not v4l2.is_taken(device), "it is no video device at all"

    def busy(handle: int, question: int, room: bytearray) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(v4l2.fcntl, "ioctl", busy)
    assert v4l2.is_taken(device)


def test_a_path_names_the_device_it_leads_to(tmp_path: Path) -> None:
    assert v4l2.number_of(f"{tmp_path}/usb-A") is None


def test_where_nothing_tells_of_cameras_it_is_the_first(tmp_path: Path) -> None:
    assert find_camera(tmp_path / "nowhere" / "video4linux") == "0"


class Control:
    """Remembers what was asked of it."""

    limits, mains = None, 50.0

    def __init__(self) -> None:
        self.asked: list[object] = []

    def current(self) -> Exposure:
        return Exposure(0.01, 1.0)

    def auto(self) -> None:
        self.asked.append("auto")

    def expose(self, exposure: Exposure) -> None:
        self.asked.append(exposure)

    def focus(self, metres: float | None) -> None:
        self.asked.append(metres)


class Brief(Camera):
    """Gives two frames, then is lost; waits for its end as a real one that tries again does."""

    def __init__(self, tell: Tell) -> None:
        self.control = Control()  # type: ignore[assignment]
        self.closed = False
        self._tell = tell

    def frames(self) -> Iterator[Frame]:
        for number in range(2):
            yield Frame(np.zeros((2, 2), np.uint8), float(number), number)
        self._tell(Trouble("camera-lost", "unplugged"))
        assert self.closed, "it would be tried again for ever"

    def close(self) -> None:
        self.closed = True


def watched(names: list[str | None], told: list[str], opened: list[tuple[str, Brief]]) -> FoundCamera:
    """Return a camera that finds `names` one after another."""

    def open_it(name: str, tell: Tell) -> Camera:
        opened.append((name, Brief(tell)))
        return opened[-1][1]

    return FoundCamera(
        open_it,
        lambda trouble: told.append(trouble.words if trouble else "back"),
        lambda: names.pop(0),
        Backoff(0.001, 0.001),
    )


def test_a_camera_that_is_lost_is_looked_for_anew_and_may_be_another() -> None:
    told: list[str] = []
    opened: list[tuple[str, Brief]] = []
    camera = watched([None, None, "0", None, "picamera", "1"], told, opened)
    frames = camera.frames()
    assert [next(frames).number for _ in range(5)] == [0, 1, 2, 3, 4]
    assert [name for name, _ in opened] == ["0", "picamera", "1"]
    assert told == ["There is no camera. Plug one in; it is looked for by itself.", "back", "unplugged", "back"] + [
        "unplugged",
        "back",
    ]
    camera.close()
    assert next(frames, None) is None
    assert all(made.closed for _, made in opened)


def test_its_exposure_is_that_of_the_camera_that_is_there() -> None:
    opened: list[tuple[str, Brief]] = []
    camera = watched(["0", "picamera"], [], opened)
    assert camera.control.current() is None
    camera.control.auto()
    frames = camera.frames()
    next(frames)
    assert (camera.control.current(), camera.control.mains) == (Exposure(0.01, 1.0), 50.0)
    camera.control.expose(Exposure(0.02, 2.0))
    next(frames)
    next(frames)
    camera.control.focus(1.5)
    asked = [control.asked for _, made in opened if isinstance(control := made.control, Control)]
    assert asked == [[Exposure(0.02, 2.0)], [1.5]]
    camera.close()


def test_what_a_person_has_to_do_first_is_told() -> None:
    def refuse(name: str, tell: Tell) -> Camera:
        raise NoCameraError("add the user to the group video")

    with pytest.raises(NoCameraError, match="group video"):
        next(FoundCamera(refuse, find=lambda: "0").frames())


def test_it_is_opened_by_name_with_the_options_that_were_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    camera = open_camera("find?mains=60&width=1280")
    assert isinstance(camera, FoundCamera)
    monkeypatch.setattr("companion.devices.cameras.open_camera", lambda name, tell: asked.append(name) or Brief(tell))
    monkeypatch.setattr(camera, "_find", lambda: "picamera")
    next(camera.frames())
    assert asked == ["picamera?mains=60&width=1280"]
