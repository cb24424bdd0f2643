"""Draws hands: a sleeve, a forearm, a palm and five fingers, lit softly from above."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.eye.view import Gray
from companion.sim.lens import Lens
from companion.sim.table import Hand

SKIN = ((226, 178, 150), (190, 136, 104), (146, 98, 70), (92, 62, 46))
"""Skin tones (red, green, blue)."""

SLEEVE = ((58, 74, 110), (122, 48, 52), (196, 190, 176), (52, 84, 66))
"""Sleeves (red, green, blue)."""

_CUFF = 175.0
"""Distance (mm) of the sleeve's cuff from the fingertips."""

_FINGERS = ((-26.0, -11.0), (-9.0, 0.0), (9.0, 1.0), (26.0, -9.0))
"""Each finger: how far to the side, and how much further than the middle one (mm)."""


_End = tuple[float, float, float]
"""Where a part of a hand ends: mm behind the middle fingertip, to the side of it, and above it."""

_SKIN_PARTS: tuple[tuple[_End, _End, float], ...] = (
    *(((-further, across * 1.15, 0.0), (78.0, across, 15.0), 7.6) for across, further in _FINGERS),
    ((56.0, -48.0, 0.0), (112.0, -26.0, 15.0), 9.0),
    ((88.0, -14.0, 15.0), (88.0, 14.0, 15.0), 20.0),
    ((108.0, -9.0, 15.0), (110.0, 9.0, 15.0), 26.0),
    ((118.0, 0.0, 15.0), (_CUFF + 10, 0.0, 20.0), 25.0),
)
"""Fingers, thumb, palm and forearm: each from one end to the other, and its radius (mm)."""

_FAR = 9000.0
"""Pixels beyond which nothing is drawn: an elbow below the camera has no place in the picture."""


def reach_box(hand: Hand, lens: Lens) -> tuple[float, float, float, float]:
    """Return the smallest upright box of pixels (x0, y0, x1, y1) that holds a hand, its arm and its shadow."""
    ends = lens.to_px([(hand.x, hand.y), (hand.from_x, hand.from_y)], hand.z)
    near = max(lens.scale_at(hand.x, hand.y, hand.z), lens.scale_at(hand.from_x, hand.from_y, hand.z + 40))
    pad = 75.0 * near + hand.z * lens.scale_at(hand.x, hand.y) * 0.5
    low, high = np.maximum(ends.min(axis=0) - pad, -_FAR), np.minimum(ends.max(axis=0) + pad, _FAR)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def masks(hand: Hand, lens: Lens, x0: int, y0: int, shape: tuple[int, int]) -> tuple[Gray, Gray]:
    """Draw skin and sleeve as 0/255 masks of `shape` (height, width), whose top left pixel is (x0, y0)."""
    dx, dy = hand.x - hand.from_x, hand.y - hand.from_y
    long = math.hypot(dx, dy) or 1.0
    dx, dy = dx / long, dy / long

    parts = [*_SKIN_PARTS, ((_CUFF + 34, 0, 20), (max(_CUFF + 35, long), 0, 40), 34.0)]
    ends = np.array([end for a, b, _ in parts for end in (a, b)])
    behind, across, z = ends[:, 0], ends[:, 1], ends[:, 2] + hand.z
    points = np.stack([hand.x - dx * behind - dy * across, hand.y - dy * behind + dx * across], axis=1)
    px = np.rint(np.clip(lens.to_px(points, z), -_FAR, _FAR)).astype(int) - (x0, y0)
    scales = lens.scales_of(points, z)
    skin, sleeve = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for i, (_, _, radius) in enumerate(parts):
        wide = min(2 * radius * math.sqrt(scales[2 * i] * scales[2 * i + 1]), 2000.0)
        mask = skin if i < len(_SKIN_PARTS) else sleeve
        cv2.line(mask, px[2 * i].tolist(), px[2 * i + 1].tolist(), 255, max(1, round(wide)), cv2.LINE_8)
    return skin, sleeve


def paint(patch: Gray, hand: Hand, lens: Lens, x0: int, y0: int) -> None:
    """Draw a hand into a patch (contiguous; height, width and perhaps 3) of the picture, its shadow first."""
    skin, sleeve = masks(hand, lens, x0, y0, (patch.shape[0], patch.shape[1]))
    whole = cv2.bitwise_or(skin, sleeve)
    shadow = np.zeros_like(whole)
    scale = lens.scale_at(hand.x, hand.y)
    shift = max(2, round(hand.z * scale * 0.22))
    shadow[shift:, shift:] = whole[:-shift, :-shift]
    soft = shift | 1
    shadow = cv2.blur(shadow, (soft, soft))
    darken(patch, np.asarray(shadow, np.uint8), 0.42)
    # Rounded limbs: the rim of the mask is darker than its middle.
    wide = round(16 * scale) | 1
    depth = cv2.blur(whole, (wide, wide))
    for mask, tones in ((sleeve, SLEEVE), (skin, SKIN)):
        red, green, blue = tones[hand.tone % len(tones)]
        values = (red, green, blue) if patch.ndim == 3 else (round(0.299 * red + 0.587 * green + 0.114 * blue),)
        lit = [cv2.convertScaleAbs(depth, alpha=0.55 * value / 255, beta=0.45 * value) for value in values]
        cv2.copyTo(cv2.merge(lit), mask, patch)


def darken(patch: Gray, mask: Gray, strength: float) -> None:
    """Darken a patch in place where the mask is bright, by at most `strength` (0 to 1)."""
    keep = cv2.convertScaleAbs(cv2.bitwise_not(mask), alpha=strength, beta=255 * (1 - strength))
    whole = keep if patch.ndim == 2 else cv2.merge([keep] * 3)
    cv2.multiply(patch, whole, dst=patch, scale=1 / 255)
