"""The camera of a table that a phone may be: its pictures while it is, else those of the camera that is there."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from companion.devices.camera_base import Camera, CameraControl, Tell, log_trouble
from companion.devices.found_camera import control_of
from companion.eye.phone_link import PhoneLink
from companion.eye.view import Frame, Trouble
from companion.text import t

SILENT = 3.0
"""Seconds without a picture after which the phone counts as lost."""


class PhoneCamera(Camera):
    """Frames of a phone that is the camera; while none is, of the camera that is there otherwise."""

    def __init__(
        self, link: PhoneLink, tell: Tell = log_trouble, other: Callable[[Tell], Camera] | None = None
    ) -> None:
        """Create it; `other` opens the camera that is used while no phone is one."""
        self._link = link
        self._tell = tell
        self._open = other
        self._other: Camera | None = None
        self._closed = threading.Event()
        self._lost = False
        self.control: CameraControl = control_of(lambda: self._other)

    def frames(self) -> Iterator[Frame]:
        """Yield frames, numbered from 0 whatever camera they come from."""
        number = 0
        self._link.changed = self._wake
        while not self._closed.is_set():
            for frame in self._phone() if self._link.holder or self._open is None else self._others():
                frame.number = number
                number += 1
                yield frame

    def close(self) -> None:
        """End the frames."""
        self._closed.set()
        self._wake()

    def _wake(self) -> None:
        other = self._other
        if other is not None:
            other.close()

    def _phone(self) -> Iterator[Frame]:
        """Yield a phone's frames, as long as it is the camera."""
        since, resting = time.monotonic(), False
        while not self._closed.is_set() and (self._link.holder or self._open is None):
            frame = self._link.frame(0.5)
            if frame is None:
                silent = time.monotonic() - since
                if silent >= SILENT:
                    self._lose()
                if silent >= 3 * SILENT and not resting:
                    resting = True
                    self._link.rest()
                continue
            since, resting = time.monotonic(), False
            self._hear(None)
            yield frame
            # The eye has seen it by now.
            self._link.wanted = self._link.wanted or frame.wanted

    def _others(self) -> Iterator[Frame]:
        assert self._open is not None  # noqa: S101 (asked before)
        self._other = other = self._open(self._hear)
        try:
            if not self._link.holder:
                yield from other.frames()
        finally:
            self._other = None
            other.close()
            # What was wrong with that camera is no matter any more.
            self._hear(None)
        if not self._link.holder:
            self._closed.set()

    def _hear(self, trouble: Trouble | None) -> None:
        if trouble is not None or self._lost:
            self._lost = trouble is not None
            self._tell(trouble)

    def _lose(self) -> None:
        if self._lost:
            return
        words = t("No phone is the camera yet: the host's page shows a code that makes one the camera.")
        if self._link.holder:
            words = t(
                "The phone that is the camera ({holder}) sends no pictures. Is it locked, its page closed, or its "
                "Wi-Fi gone? Open its page again: it goes on by itself.",
                holder=self._link.holder,
            )
        self._hear(Trouble("camera-lost", words))
