"""What every camera is: something that gives frames, may be lost for a while, and tells its troubles."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Protocol

from companion.devices.service import DeviceError, PermanentError
from companion.eye.exposure import Exposure, Limits
from companion.eye.view import Frame, Trouble

log = logging.getLogger(__name__)

Tell = Callable[[Trouble | None], None]
"""Told of a trouble, and of None once it is over."""


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
        """Tell how the newest frame was taken; None if the camera doesn't say."""

    def auto(self) -> None:
        """Leave exposure to the camera."""

    def expose(self, exposure: Exposure) -> None:
        """Hold the exposure, so that the picture doesn't pump when a sleeve comes in."""

    def focus(self, metres: float | None) -> None:
        """Lock the lens at a distance; None: look once for the sharpest place, and stay there."""


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
        """Give frames until the camera is closed or has no more.

        Frames are numbered from 0 without gaps; times only grow. A camera that is lost for a while tells its trouble,
        tries again with growing pauses, and goes on.

        Raises:
            PermanentError: if a person has to do something first; the message says what.
        """

    def close(self) -> None:
        """End the frames and let the hardware go."""
        return
