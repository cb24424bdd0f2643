"""What every camera is: something that gives frames, may be lost for a while, and tells its troubles."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from companion.devices.service import DeviceError, PermanentError
from companion.eye.exposure import Exposure, Limits
from companion.eye.view import Frame, Gray, Trouble

log = logging.getLogger(__name__)

Tell = Callable[[Trouble | None], None]
"""Told of a trouble, and of None once it is over."""


HANGS = 30.0
"""Seconds of the very same picture after which a camera hangs: a sensor's noise makes no two pictures alike."""
HUNG = f"it has shown the very same one for {HANGS:.0f} seconds. Unplug it and plug it in again."
_ROWS = 32
"""Every so many-th row of a picture is compared with the last one's: thousands of pixels, and hardly any time."""


class CameraLostError(DeviceError):
    """The camera doesn't answer now, but may again: a cable, a Wi-Fi."""


class NoCameraError(PermanentError):
    """There is no such camera, or it may not be used; the message says what to do."""


def log_trouble(trouble: Trouble | None) -> None:
    """Write troubles to the log: what cameras do if nobody else wants to know."""
    if trouble is None:
        log.info("camera: works again")
    else:
        log.warning("camera: %s", trouble.words)


class CameraControl(Protocol):
    """How a camera takes its pictures, where it lets itself be told. Any thread may call it; it takes a few frames.

    What a camera doesn't have, it passes over: nothing here fails.
    """

    @property
    def limits(self) -> Limits:
        """What the camera can do."""

    @property
    def mains(self) -> float | None:
        """The frequency of the mains that the lamps hang on, in hertz; None if there are none."""

    def current(self) -> Exposure | None:
        """Return how the newest frame was taken; None if the camera doesn't say."""

    def auto(self) -> None:
        """Leave exposure to the camera."""

    def expose(self, exposure: Exposure) -> None:
        """Hold the exposure, so that the picture doesn't pump when a sleeve comes in."""

    def focus(self, metres: float | None) -> None:
        """Lock the lens at a distance; None: look once for the sharpest place, and stay there."""


class Stillness:
    """Tells a camera that gives one picture again and again from a table at which nobody moves."""

    def __init__(self) -> None:
        """Begin before the first frame."""
        self._rows: Gray | None = None
        self._since = 0.0

    def hangs(self, frame: Frame) -> bool:
        """Take the next frame; return whether no bit has changed for so long that no sensor can have seen it."""
        rows = frame.gray[::_ROWS]
        if self._rows is None or not np.array_equal(self._rows, rows):
            # A camera may use a picture's memory again.
            self._rows, self._since = rows.copy(), frame.time
        return frame.time - self._since >= HANGS


class Camera(ABC):
    """Gives frames.

    Descendants *must* override `frames` and *may* override `close` (called once from any thread; `frames` ends soon
    after), `live` and `control`.
    """

    control: CameraControl | None = None
    """How exposure and focus are set, if they can be and somebody is to."""

    live = True
    """Whether time runs by itself; a folder or a file gives every frame, as fast as they are asked for."""

    @abstractmethod
    def frames(self) -> Iterator[Frame]:
        """Return frames until the camera is closed or has no more.

        Frames are numbered from 0 without gaps; times only grow. A camera that is lost for a while tells its trouble,
        tries again with growing pauses, and goes on.

        Raises:
            PermanentError: if a person has to do something first; the message says what.
        """

    def close(self) -> None:
        """End the frames and let the hardware go."""
        return
