"""The camera before the first match: its live picture and what would help, for whoever hangs it up."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion import games
from companion.devices.service import PermanentError
from companion.eye.aiming import Aim, Aimer
from companion.eye.mat import Mat
from companion.eye.pictures import jpeg
from companion.eye.view import Gray, Trouble
from companion.referee.steady import Steady
from companion.table.bare import BareTable
from companion.table.camera_loop import Pictures
from companion.text import said

EVERY = 0.35
"""Seconds between two pictures that are looked at: more than two a second."""
WATCHED, TRIED = 15.0, 20.0
"""Seconds for which the camera stays open after somebody looked, and for which one that was named is tried first."""

log = logging.getLogger(__name__)


def mats() -> list[Mat]:
    """Return the mats that may lie there: each game's, for all its seats, one of those that are alike."""
    found: dict[tuple[int, ...], Mat] = {}
    for name in games.names():
        try:
            mat = games.load_mat(name, games.load(name).info.seats[1])
        except games.GameError as error:
            log.warning("the mat of %s is not looked for: %s", name, error)
            continue
        if mat.markers:
            found.setdefault(tuple(marker.id for marker in mat.markers), mat)
    return list(found.values())


class Aiming:
    """Looks through a table's camera while people gather, and lets it go before a match begins."""

    def __init__(
        self, open_camera: Callable[[], Pictures], tell: Callable[[Trouble | None], None], named: bool
    ) -> None:
        """`open_camera` opens it; `tell` hears of a camera that can't be, or need not be, opened.

        One that was `named` is tried at once, so that everybody is told if it doesn't answer.
        """
        self._open = open_camera
        self._tell = tell
        self._named = named
        self._camera: Pictures | None = None
        self._asked = -WATCHED
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._fresh = threading.Condition()
        self._aim: Aim | None = None
        self._gray: Gray | None = None
        self.bare = BareTable(self.gray)
        self._thread = Steady("aiming", self._run, vital=False)

    def start(self) -> None:
        """Start; a camera that nobody named is opened when somebody looks."""
        if self._named:
            self._wake.set()
        self._thread.start()

    def close(self) -> None:
        """Let the camera go for good."""
        self._closed.set()
        self._wake.set()
        if (camera := self._camera) is not None:
            camera.close()
        self._thread.end()

    def aim(self, timeout: float = 4.0) -> Aim | None:
        """Return what the camera sees; wait for its first picture, and have more looked at for a while."""
        self._asked = time.monotonic()
        self._wake.set()
        with self._fresh:
            self._fresh.wait_for(lambda: self._aim is not None or self._closed.is_set(), timeout)
            return self._aim

    def gray(self) -> Gray | None:
        """Return the last whole picture; None while there is none."""
        return None if self.aim() is None else self._gray

    def picture(self) -> bytes | None:
        """Return the picture (JPEG), with the outline of the mat or the markers."""
        aim = self.aim()
        return None if aim is None else jpeg(aim.picture, 76)

    def _run(self) -> None:
        aimer: Aimer | None = None
        while not self._closed.is_set():
            self._wake.wait()
            self._wake.clear()
            if self._closed.is_set():
                return
            aimer = aimer or Aimer(mats())
            try:
                camera = self._camera = self._open()
                self._look_through(camera, aimer)
            except PermanentError as error:
                self._tell(Trouble("camera-lost", said(error)))
            finally:
                self._aim = self._gray = None
                if (camera_now := self._camera) is not None:
                    camera_now.close()
                self._camera = None
            if not self._named and not self._closed.is_set():
                # Nobody asked for this camera, and nobody looks: that there is none is no trouble.
                self._tell(None)

    def _look_through(self, camera: Pictures, aimer: Aimer) -> None:
        begun, last = time.monotonic(), -EVERY
        for frame in camera.frames():
            now = time.monotonic()
            if self._closed.is_set() or now - max(self._asked, begun + TRIED - WATCHED) > WATCHED:
                return
            frame.wanted = now - last >= EVERY
            if frame.whole and frame.wanted:
                last = now
                aim = aimer.look(frame.gray, frame.colour)
                with self._fresh:
                    self._aim, self._gray = aim, frame.gray
                    self._fresh.notify_all()
