"""The base of all cameras: they yield frames, may be lost for a while, and report their troubles."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

import cv2
import numpy as np

from companion.devices.service import DeviceError, PermanentError
from companion.eye.exposure import Exposure, Limits
from companion.eye.view import Frame, Gray, Trouble
from companion.text import t

log = logging.getLogger(__name__)

Tell = Callable[[Trouble | None], None]
"""Callback for a trouble, and for None once it is over."""


HANGS = 30.0
"""Seconds of the very same picture after which a camera hangs: a sensor's noise makes no two pictures alike."""
HUNG = t("it has shown the very same one for {hangs:.0f} seconds. Unplug it and plug it in again.", hangs=HANGS)
_ROWS = 32
"""Every so many-th row of a picture is compared with the last one's: thousands of pixels, and hardly any time."""


class CameraLostError(DeviceError):
    """The camera doesn't answer now, but may again: a loose cable, a lost Wi-Fi."""


class NoCameraError(PermanentError):
    """There is no such camera, or it may not be used; the message says what to do."""


def log_trouble(trouble: Trouble | None) -> None:
    """Log a trouble: the default callback of cameras."""
    if trouble is None:
        log.info("camera: works again")
    else:
        log.warning("camera: %s", trouble.words)


def is_jpeg(picture: Gray) -> bool:
    """Return whether a picture is still packed: bytes in a row."""
    return picture.ndim == 2 and picture.shape[0] == 1 and picture[0, :2].tobytes() == b"\xff\xd8"


def frame_of_jpeg(jpeg: Gray, at: float, number: int, exposure: float | None = None) -> Frame | None:
    """Return a frame whose colour is decoded when it is wanted; None if the picture is not whole."""
    gray = cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE)
    if gray is None:
        return None
    # The number of components follows the size in the frame's header (ITU-T T.81, B.2.2).
    head = jpeg.reshape(-1)[:4096].tobytes()
    begins = max(head.find(b"\xff\xc0"), head.find(b"\xff\xc2"))
    colour = None if head[begins + 9 : begins + 10] == b"\x01" else partial(_in_colour, jpeg)
    return Frame(np.asarray(gray, dtype=np.uint8), at, number, colour, exposure=exposure)


def _in_colour(jpeg: Gray) -> Gray:
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB), dtype=np.uint8)


class CameraControl(Protocol):
    """Sets a camera's exposure and focus where it can, after a few frames, from any thread. Nothing here fails."""

    @property
    def limits(self) -> Limits:
        """The limits of the camera's exposure."""

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
    """Distinguishes a camera that repeats one picture from a table at which nobody moves."""

    def __init__(self) -> None:
        self._rows: Gray | None = None
        self._since = 0.0

    def hangs(self, frame: Frame) -> bool:
        """Process the next frame; return whether no bit has changed for longer than any true sensor's noise allows."""
        rows = frame.gray[::_ROWS]
        if self._rows is None or not np.array_equal(self._rows, rows):
            # A camera may use a picture's memory again.
            self._rows, self._since = rows.copy(), frame.time
        return frame.time - self._since >= HANGS


class Camera(ABC):
    """A source of frames.

    Descendants *must* override `frames` and *may* override `close` (called once, from any thread), `live` and
    `control`.
    """

    control: CameraControl | None = None
    """Control of exposure and focus; None if there is none."""

    live = True
    """Whether frames come in real time; a folder or a file yields every frame as fast as they are consumed."""

    @abstractmethod
    def frames(self) -> Iterator[Frame]:
        """Return frames until the camera is closed or has no more, numbered from 0 without gaps; times only grow.

        A camera that is lost for a while reports its trouble, tries again with growing pauses, and goes on.

        Raises:
            PermanentError: if a person has to do something first; the message says what.
        """

    def close(self) -> None:
        """End the frames and release the hardware."""
        return
