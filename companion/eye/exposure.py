"""How long to expose: paper white light but neither it nor what lies on the mat burnt out, hands and cards not smeared.

Pure functions of a picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.view import Gray

WHITE = (200.0, 235.0)
"""Where paper white should lie, in gray levels of 255."""

_AIM = 218.0
BURNT = 250
"""The level from which on a pixel is burnt out."""

_MOST_BURNT = 0.02
"""The share of burnt-out pixels above which it is the paper that burns, and no longer a lamp's reflection."""

_PAPER = 0.98
"""Share of the pixels that are darker than paper white, burnt-out ones aside: rims of markers, codes and cards."""

_TOP, _LEAST_WHITE = 240.0, 170.0
"""Where the brightest of what lies on the mat should be at most, as long as paper white is not darker than this."""

_GAMMA = 2.2
_STEP = (0.25, 4.0)
_SAME = 1.08
"""Exposures that differ by less than this factor are the same: a camera rounds to its own steps."""


class Exposure(msgspec.Struct, frozen=True):
    """How a picture is taken: the shutter's seconds, and the gain that follows (1 is none)."""

    seconds: float
    gain: float = 1.0

    @property
    def light(self) -> float:
        """How light the picture gets, for one light on the table: seconds times gain."""
        return self.seconds * self.gain


class Limits(msgspec.Struct, frozen=True):
    """What a camera can do: shutter seconds from `shortest` to `longest`, gain from `least_gain` to `most_gain`.

    `blur` is the shutter (seconds) above which a moving hand or card smears: gain comes first. Beyond the most gain the
    shutter opens further, up to `longest`.
    """

    shortest: float = 1e-4
    longest: float = 1 / 12
    least_gain: float = 1.0
    most_gain: float = 8.0
    blur: float = 1 / 60


class Part(NamedTuple):
    """What should not burn out: its pixels, and the share of them that are darker than its own white."""

    pixels: npt.NDArray[np.uint8]
    share: float


class ExposureAdvice(msgspec.Struct, frozen=True):
    """The `exposure` to use next; `done` if the picture was taken (nearly) with it.

    `white` is where paper white lies now, `burnt` the share of burnt-out pixels; `words` say it in short.
    """

    exposure: Exposure
    done: bool
    white: float
    burnt: float
    words: str


def mat_only(gray: Gray, corners: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Return the pixels inside the mat's corners, (4, 2) in order: every fourth row and column, shape (n,)."""
    every = 4 if gray.shape[1] > 800 else 1
    small = gray[::every, ::every]
    inside = np.zeros(small.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(np.asarray(corners, dtype=np.float64) / every).astype(np.int32), 1)
    return small[inside > 0]


def next_exposure(
    pixels: npt.NDArray[np.uint8],
    current: Exposure,
    limits: Limits | None = None,
    mains: float | None = None,
    parts: Sequence[Part] = (),
) -> ExposureAdvice:
    """Return the advice for the next picture from `pixels` inside the mat, of any shape, and how they were taken.

    `parts` of the mat may be brighter than its paper: white dice in a tray, cards under a lamp.

    A tone curve of gamma 2.2 is assumed, so ask again after a step. The shutter stays under `limits.blur`, and with
    lamps on the `mains` (hertz; None by daylight) is a multiple of half their period, or bands would run through the
    picture; shorter only where so much light must be daylight.

    Raises:
        ValueError: without pixels.
    """
    limits = limits or Limits()
    counts = np.bincount(pixels.reshape(-1), minlength=256)
    total = int(counts.sum())
    if not total:
        raise ValueError("no pixels to judge by")
    burnt = float(counts[BURNT:].sum()) / total
    below = np.cumsum(counts[:BURNT])
    white = float(np.searchsorted(below, _PAPER * below[-1])) if below[-1] else 255.0
    if burnt > _MOST_BURNT:
        # How far over white it is can't be seen; the more of the picture burns, the larger the step.
        factor = 0.5 if burnt > 0.15 else 0.7
        words = f"{burnt:.0%} of the picture is burnt out: darker"
    elif WHITE[0] <= white <= WHITE[1]:
        factor, words = 1.0, f"paper white is {white:.0f}: good"
    else:
        factor = (_AIM / max(white, 1.0)) ** _GAMMA
        words = f"paper white is {white:.0f}: {'lighter' if factor > 1 else 'darker'}"
    top = max((float(np.quantile(part.pixels, part.share)) for part in parts if part.pixels.size), default=0.0)
    darker = (_TOP / max(top, 1.0)) ** _GAMMA if top < BURNT else 0.7
    bearable = max(darker, (_LEAST_WHITE / max(white, 1.0)) ** _GAMMA)
    if bearable < factor:
        factor = bearable
        words = f"what lies on the mat is {top:.0f}: {'lighter' if factor > 1 else 'darker'}"
    wanted = current.light * min(max(factor, _STEP[0]), _STEP[1])
    exposure = shared_out(wanted, limits, mains)
    done = _near(exposure.seconds, current.seconds) and _near(exposure.gain, current.gain)
    if not _near(exposure.light, wanted):
        words += ", as far as the camera can"
    return ExposureAdvice(exposure, done, white, burnt, words)


def shared_out(light: float, limits: Limits | None = None, mains: float | None = None) -> Exposure:
    """Return the exposure that gives this light (seconds times gain), or the nearest within the limits."""
    limits = limits or Limits()
    seconds = _flickerless(min(light / limits.least_gain, limits.blur), mains)
    if light / seconds > limits.most_gain:
        seconds = _longer(light, limits, mains)
    seconds = min(max(seconds, limits.shortest), limits.longest)
    return Exposure(seconds, min(max(light / seconds, limits.least_gain), limits.most_gain))


def _longer(light: float, limits: Limits, mains: float | None) -> float:
    """Return the shutter for more light than the longest sharp shutter gives at the most gain."""
    wanted = min(light / limits.most_gain, limits.longest)
    below = _flickerless(wanted, mains)
    above = below + 1 / (2 * mains) if mains else wanted
    if above > limits.longest or _near(below, wanted):
        return below
    # With a little more shutter and less gain it comes out exactly; without gain to take back, the nearer one.
    exact = light / above >= limits.least_gain
    return above if exact or above / wanted <= wanted / below else below


def _flickerless(seconds: float, mains: float | None) -> float:
    """Return the whole number of half periods of the mains below a shutter; shorter ones than a half period stay."""
    if not mains:
        return seconds
    half = 1 / (2 * mains)
    # With a tolerance: 1/60 s is two half periods of 60 Hz.
    return math.floor(seconds / half + 1e-6) * half or seconds


def _near(value: float, other: float) -> bool:
    return max(value, other) <= _SAME * min(value, other)
