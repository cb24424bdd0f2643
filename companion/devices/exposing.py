"""Finds an exposure at which paper is white, then holds it: automatic ones change with every sleeve and card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from companion.devices.camera_base import CameraControl
from companion.eye.exposure import BURNT, WHITE, Exposure, ExposureAdvice, Part, mat_only, next_exposure
from companion.eye.view import Frame

WARM = 2.0
"""Seconds in which a newly opened camera finds an exposure by itself, which is the starting point."""

PAUSE = 0.8
"""Seconds after which a new exposure shows in the pictures: some frames are under way with the old one."""

EVERY = 4.0
"""Seconds between checks of an exposure that is held."""

_STEADY = 3
"""Checks in a row that must find paper too dark or too light before a held exposure changes: a sleeve is no lamp."""

_SLACK = 20.0
"""Gray levels beyond where white should lie before a held exposure is given up."""

_BURNT = 0.03

_TRIES = 8
"""Steps after which an exposure is held as it is: a camera that rounds too coarsely would never be done."""


class Exposing:
    """Checks frames now and then, and sets the camera. For one thread."""

    def __init__(self, control: CameraControl) -> None:
        self._control = control
        self._due: float | None = None
        self._off = self._tries = 0
        self._white, self._burns = 0.0, False
        self._focused = False
        self.held = False
        """Whether an exposure is found and held."""
        self.advice: ExposureAdvice | None = None
        """The last advice."""

    def see(
        self,
        frame: Frame,
        corners: npt.ArrayLike | None,
        on_mat: Callable[[], Iterable[tuple[Sequence[npt.ArrayLike], float]]] = tuple,
    ) -> None:
        """Process a frame; `corners` are the mat's in pixels (see `mat_only`), None while the mat is not found.

        `on_mat` gives outlines of what lies there, in pixels, with the shares of `Part`.
        """
        if self._due is None:
            self._due = frame.time + WARM
        if frame.time < self._due or corners is None:
            return
        current = self._control.current()
        if current is None:
            # The camera exposes as it likes; where the mat is found, there is enough light to focus in.
            self._focus()
            return
        pixels = mat_only(frame.gray, corners)
        if not pixels.size:
            return
        parts = [
            Part(np.concatenate([mat_only(frame.gray, outline) for outline in outlines]), share)
            for outlines, share in on_mat()
            if outlines
        ]
        advice = self.advice = next_exposure(pixels, current, self._control.limits, self._control.mains, parts)
        burns = advice.burnt > _BURNT or any(np.quantile(part.pixels, part.share) >= BURNT for part in parts)
        if not self.held:
            self._tries += 1
            self.held = advice.done or self._tries >= _TRIES
            self._white, self._burns = advice.white, burns
            self._expose(frame, current if self.held else advice.exposure)
            if self.held:
                # Only now: in the dark, or burnt out, there is nothing to focus on.
                self._focus()
            return
        self._due = frame.time + EVERY
        good = WHITE[0] - _SLACK <= advice.white <= WHITE[1] + _SLACK and not burns
        # What was as good as this camera can, and looks as it did then, is not tried again.
        as_found = abs(advice.white - self._white) <= _SLACK and burns <= self._burns
        self._off = 0 if good or as_found or advice.done else self._off + 1
        if self._off >= _STEADY:
            self._off, self._tries, self.held = 0, 0, False
            self._expose(frame, advice.exposure)

    def _focus(self) -> None:
        if not self._focused:
            self._focused = True
            self._control.focus(None)

    def _expose(self, frame: Frame, exposure: Exposure) -> None:
        self._due = frame.time + PAUSE
        self._control.expose(exposure)
