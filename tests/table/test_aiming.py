"""The camera before the first match: it is opened when it was named or somebody looks, and let go before a match."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from companion.devices.camera_base import Camera, NoCameraError
from companion.eye.view import Frame, Trouble
from companion.table import aiming
from companion.table.aiming import Aiming


class Still(Camera):
    """Gives the same picture until it is closed."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        number = 0
        while not self.closed.wait(0.01):
            yield Frame(np.full((360, 640), 90, np.uint8), number / 10, number)
            number += 1

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def aimed() -> Iterator[Callable[..., tuple[Aiming, list[Still], list[Trouble | None]]]]:
    made: list[Aiming] = []

    def make(named: bool, error: Exception | None = None) -> tuple[Aiming, list[Still], list[Trouble | None]]:
        opened: list[Still] = []
        told: list[Trouble | None] = []

        def camera() -> Still:
            if error is not None:
                raise error
            opened.append(Still())
            return opened[-1]

        made.append(Aiming(camera, told.append, named))
        made[-1].start()
        return made[-1], opened, told

    yield make
    for one in made:
        one.close()


def until(so: Callable[[], object]) -> None:
    for _ in range(3000):
        if so():
            return
        threading.Event().wait(0.01)
    pytest.fail("it did not come")


Make = Callable[..., tuple[Aiming, list[Still], list[Trouble | None]]]


def test_a_camera_that_nobody_named_is_opened_when_somebody_looks(aimed: Make) -> None:
    one, opened, _ = aimed(named=False)
    assert opened == []
    aim = one.aim(30)
    assert aim is not None
    assert "No marker is seen" in aim.quality.advice[-1]
    picture = one.picture()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")
    one.close()
    assert opened[0].closed.is_set()


def test_a_camera_that_nobody_looks_through_is_let_go(aimed: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aiming, "WATCHED", 0.05)
    one, opened, told = aimed(named=False)
    assert one.aim(30) is not None
    until(lambda: opened[0].closed.is_set())
    until(lambda: told == [None])


def test_a_named_camera_that_can_not_be_is_told_at_once(aimed: Make) -> None:
    _, _, told = aimed(True, NoCameraError("it is not there"))
    until(lambda: [trouble and trouble.words for trouble in told] == ["it is not there"])
