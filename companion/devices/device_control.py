"""Exposure and focus of a webcam, through OpenCV and Video4Linux; settings that a webcam refuses are skipped."""

from __future__ import annotations

import logging
import threading

import cv2

from companion.eye.exposure import Exposure, Limits, shared_out

log = logging.getLogger(__name__)

_UNIT = 1e-4
"""Video4Linux counts exposure in units of 100 µs (V4L2_CID_EXPOSURE_ABSOLUTE)."""

_MANUAL, _AUTOMATIC = 1, 3
"""V4L2_EXPOSURE_MANUAL, and V4L2_EXPOSURE_APERTURE_PRIORITY: what webcams call automatic."""


class DeviceControl:
    """A `CameraControl` for a webcam's shutter; gain has no common unit. `apply` is called between two pictures."""

    def __init__(self, mains: float | None = 50.0, held: bool = True) -> None:
        """Create it with a shutter of 1/60 s or, under lamps, the nearest one without flicker.

        Without `held` the webcam exposes as it did, and only its focus is locked.
        """
        self.limits = Limits(longest=1 / 15, most_gain=1.0)
        self.mains = mains
        self._lock = threading.Lock()
        self._wish: Exposure | None = shared_out(self.limits.blur, self.limits, mains) if held else None
        self._untouched = not held
        self._focus = False
        self._todo = True
        self._now: Exposure | None = None
        self._told = False

    def current(self) -> Exposure | None:
        """Return the exposure; None while the webcam decides, or if it can't be set."""
        with self._lock:
            return self._now

    def auto(self) -> None:
        """Leave exposure to the webcam."""
        with self._lock:
            self._wish, self._todo = None, True

    def expose(self, exposure: Exposure) -> None:
        """Hold the shutter."""
        with self._lock:
            if exposure != self._wish:
                self._wish, self._todo, self._untouched = exposure, True, False

    def focus(self, metres: float | None) -> None:
        """Keep the lens where its own focus has brought it: nobody knows a webcam's numbers in metres."""
        with self._lock:
            self._focus = self._todo = True

    def opened(self) -> None:
        """Schedule all settings again because the device was (re)opened."""
        with self._lock:
            self._todo = True

    def apply(self, capture: cv2.VideoCapture) -> None:
        """Apply the settings requested since the last call."""
        with self._lock:
            if not self._todo:
                return
            self._todo = False
            wish, focus, untouched = self._wish, self._focus, self._untouched
        if focus:
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        now = None
        if untouched:
            return
        if wish is None:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        elif capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL):
            capture.set(cv2.CAP_PROP_EXPOSURE, max(1, round(wish.seconds / _UNIT)))
            taken = float(capture.get(cv2.CAP_PROP_EXPOSURE))
            now = Exposure(taken * _UNIT) if taken > 0 else None
        if wish is not None and now is None:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
            if not self._told:
                self._told = True
                log.info("camera: this one doesn't let its exposure be set; it goes on by itself")
        with self._lock:
            self._now = now
