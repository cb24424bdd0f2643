"""Asking the eye something from another thread, between two of its frames."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.devices.camera import Camera
from companion.eye.eye import Eye
from companion.eye.view import Frame
from companion.lookout import Lookout
from tests.eye.tables import Table, book, test_mat

MAT = test_mat()


class Fed(Camera):
    """Gives a frame whenever it is told to, and ends when it is told so."""

    live = False

    def __init__(self) -> None:
        self.table = Table(MAT, size=(480, 270))
        self.go = threading.Semaphore(0)
        self.over = False

    def frames(self) -> Iterator[Frame]:
        while True:
            self.go.acquire()
            if self.over:
                return
            yield self.table.shot()


@pytest.fixture
def camera() -> Fed:
    return Fed()


@pytest.fixture
def lookout(camera: Fed) -> Iterator[Lookout]:
    made = Lookout(MAT, lambda: camera, lambda: Eye(MAT, book(MAT)), lambda view: None, lambda time: None)
    made.start()
    yield made
    camera.over = True
    camera.go.release()
    made.close()


def test_it_is_answered_by_the_eyes_own_thread(camera: Fed, lookout: Lookout) -> None:
    camera.go.release(3)

    def where(eye: Eye) -> tuple[str, bool]:
        return threading.current_thread().name, eye.frame is not None

    answers: list[object] = []
    asking = threading.Thread(target=lambda: answers.append(lookout.ask(where, 60.0)))
    asking.start()
    while asking.is_alive():
        camera.go.release()
        asking.join(0.05)
    assert answers == [("eye", True)]


def test_without_frames_there_is_no_answer_and_what_was_asked_is_dropped(camera: Fed, lookout: Lookout) -> None:
    ran: list[int] = []
    assert lookout.ask(lambda eye: ran.append(1), 0.05) is None
    camera.go.release()
    assert lookout.next_frame(60.0)
    assert ran == []


def test_what_goes_wrong_is_raised_where_it_was_asked(camera: Fed, lookout: Lookout) -> None:
    camera.go.release(2)
    assert lookout.next_frame(60.0)
    camera.over = True
    camera.go.release()
    lookout._thread.join(60.0)
    # The camera has ended (a folder of photographs): the eye can be asked all the same.
    assert lookout.ask(lambda eye: eye.frame is not None) is True
    with pytest.raises(ZeroDivisionError):
        lookout.ask(lambda eye: 1 / 0)
