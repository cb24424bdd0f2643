"""Tables to read faces on: printed mats with cards composed on them, seen from straight above, spoilt as cameras do.

Nothing here knows a reader. A picture has blur, noise, an uneven light, JPEG's blocks; a hard one besides glare, a veil
as sleeves have it, shadows; some a hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import cv2
import msgspec
import numpy as np

from benchmarks.face_decks import ART_PX_PER_MM, Faces
from companion.eye.faces.deck import Picture
from companion.eye.faces.likeness import Pose, corners_of
from companion.eye.mat import Mat
from companion.press.mats import mat_image

_MAT_SCALE = 3.0
_ROUNDED = 3.0
"""Millimetres of a card's rounded corners."""


class Card(msgspec.Struct, frozen=True):
    """A card as it lies: its piece, and its pose."""

    piece: str
    pose: Pose


class Light(msgspec.Struct, frozen=True):
    """How a picture is lit and taken.

    `gain` and the slants (right, down: shares over the half table) are the lamp's; `cast` is its colour; `glares` are
    spots (x, y, radius in mm, gray levels); `shade` a large soft shadow (x, y, radius mm, share lost).
    """

    gain: float = 0.85
    right: float = 0.0
    down: float = 0.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glares: tuple[tuple[float, float, float, float], ...] = ()
    shade: tuple[float, float, float, float] | None = None
    veils: float = 0.0
    blur: float = 0.8
    noise: float = 4.0
    jpeg: int = 90


class World:
    """One mat and one deck to lay on it, pictured at so many pixels a millimetre."""

    def __init__(self, faces: Faces, mat: Mat, px_per_mm: float) -> None:
        self.faces, self.mat, self.px_per_mm = faces, mat, px_per_mm
        printed = _printed(mat)
        self.bare = np.asarray(cv2.cvtColor(printed, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
        """The mat as it is printed, in gray."""
        size = round(mat.w * px_per_mm), round(mat.h * px_per_mm)
        self._mat = np.asarray(cv2.resize(printed, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        fine = min(ART_PX_PER_MM, 1.3 * px_per_mm)
        self._fine = fine
        w, h = round(faces.w * fine), round(faces.h * fine)
        self._art = {
            piece: cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
            for piece, picture in faces.pictures.items()
        }
        mask = np.zeros((h, w), np.uint8)
        r = round(_ROUNDED * fine)
        cv2.rectangle(mask, (r, 0), (w - r - 1, h - 1), 255, -1)
        cv2.rectangle(mask, (0, r), (w - 1, h - r - 1), 255, -1)
        for x in (r, w - r - 1):
            for y in (r, h - r - 1):
                cv2.circle(mask, (x, y), r, 255, -1)
        self._mask = mask
        self._noise: np.ndarray | None = None

    def _some_noise(self, rng: np.random.Generator) -> np.ndarray:
        """Return noise with a sigma of 1, cut out of one larger piece: drawing it takes as long as all the rest."""
        high, wide = self._mat.shape[:2]
        if self._noise is None:
            self._noise = np.random.default_rng(0).standard_normal((high + 97, wide + 89, 3), dtype=np.float32)
        y, x = int(rng.integers(97)), int(rng.integers(89))
        return self._noise[y : y + high, x : x + wide]

    def matrix(self, pose: Pose) -> np.ndarray:
        """Return the matrix from a face's pixels (as they are kept) to the picture's."""
        corners = corners_of(pose, self.faces.w, self.faces.h)[[0, 1, 3]] * self.px_per_mm - 0.5
        h, w = self._mask.shape
        own = np.array([[0, 0], [w, 0], [0, h]], dtype=np.float32) - 0.5
        return np.asarray(cv2.getAffineTransform(own.astype(np.float32), corners.astype(np.float32)))

    def picture(
        self,
        cards: Sequence[Card],
        light: Light,
        rng: np.random.Generator,
        *,
        hand: Pose | None = None,
        veiled: Mapping[Card, float] | None = None,
    ) -> Picture:
        """Return a flat picture of cards (bottom to top) in a light; `hand` is a forearm's end and direction."""
        canvas = self._mat.astype(np.float32) * 0.84 + 20
        for card in cards:
            self._lay(canvas, card, (veiled or {}).get(card, 0.0))
        if hand is not None:
            _paint_hand(canvas, hand, self.px_per_mm, rng)
        canvas = self._lit(canvas, light)
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), light.blur))
        canvas += self._some_noise(rng) * np.float32(light.noise)
        flat = np.clip(canvas, 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", flat[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, light.jpeg])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR_RGB), dtype=np.uint8)

    def _lay(self, canvas: np.ndarray, card: Card, veil: float) -> None:
        r = self.px_per_mm
        corners = corners_of(card.pose, self.faces.w, self.faces.h) * r
        x0, y0 = np.maximum(np.floor(corners.min(0)) - 6, 0).astype(int)
        x1, y1 = np.minimum(np.ceil(corners.max(0)) + 6, (canvas.shape[1], canvas.shape[0])).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        matrix = self.matrix(card.pose)
        matrix[:, 2] -= (x0, y0)
        size = int(x1 - x0), int(y1 - y0)
        art = cv2.warpAffine(
            self._art[card.piece], matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = cv2.warpAffine(self._mask, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
        part = canvas[y0:y1, x0:x1]
        # A thin shadow at the edges away from the light.
        shadow = np.roll(cv2.GaussianBlur(mask, (0, 0), 0.8 * r), (round(0.5 * r), round(0.6 * r)), (0, 1))
        part *= 1 - 0.22 * (shadow[..., None] if shadow.ndim == 2 else shadow)
        shown = art.astype(np.float32) * (0.84 - veil / 300) + 20 + veil
        part += mask * (shown - part)

    def _lit(self, canvas: np.ndarray, light: Light) -> np.ndarray:
        high, wide = canvas.shape[:2]
        u, v = np.linspace(-1, 1, wide, dtype=np.float32)[None, :], np.linspace(-1, 1, high, dtype=np.float32)[:, None]
        level = light.gain * (1 + light.right * u + light.down * v)
        x, y = (u + 1) * self.mat.w / 2, (v + 1) * self.mat.h / 2
        if light.shade is not None:
            at_x, at_y, radius, lost = light.shade
            level = level * (1 - lost * np.exp(-((((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2) ** 1.5)))
        canvas = canvas * level[..., None] * np.array(light.cast, dtype=np.float32)
        for at_x, at_y, radius, strength in light.glares:
            canvas += (strength * np.exp(-((((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2) ** 2)))[..., None]
        return canvas


@cache
def _printed(mat: Mat) -> Picture:
    return np.asarray(mat_image(mat, _MAT_SCALE).convert("RGB"), dtype=np.uint8)


def some_light(rng: np.random.Generator, mat: Mat, hard: bool) -> Light:
    """Return a light by chance: an evening's, or (`hard`) one with glare, sleeves, a shadow, an old camera's noise."""
    cast = tuple(float(c) for c in (rng.uniform(0.95, 1.05), rng.uniform(0.95, 1.02), rng.uniform(0.8, 1.05)))
    if not hard:
        right, down = (float(s) for s in rng.uniform(-0.15, 0.15, 2))
        return Light(float(rng.uniform(0.7, 1.0)), right, down, cast)  # type: ignore[arg-type]
    right, down = (float(s) for s in rng.uniform(-0.22, 0.22, 2))
    glares = tuple(tuple(rng.uniform((0, 0, 8, 60), (mat.w, mat.h, 26, 220)).tolist()) for _ in range(10))
    shade = tuple(rng.uniform((0, 0, 120, 0.15), (mat.w, mat.h, 260, 0.4)).tolist())
    gain = float(rng.uniform(0.5, 1.0))
    return Light(gain, right, down, cast, glares, shade, 30.0, 1.05, 7.0, 82)  # type: ignore[arg-type]


def _paint_hand(canvas: np.ndarray, at: Pose, r: float, rng: np.random.Generator) -> None:
    """Paint a hand and its forearm: its middle (mm), and where the arm goes (degrees clockwise from the right)."""
    x, y, turn = at
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    side = np.array([-way[1], way[0]])
    skin = np.array([rng.uniform(150, 225), rng.uniform(105, 165), rng.uniform(85, 135)])
    sleeve = rng.uniform(25, 200, 3)
    wrist = np.array([x, y]) + 60 * way
    end = wrist + 600 * way

    def strip(a: np.ndarray, b: np.ndarray, thick: float, fill: np.ndarray) -> None:
        points = np.array([a + side * thick, b + side * thick, b - side * thick, a - side * thick]) * r
        cv2.fillPoly(canvas, [np.round(points * 8).astype(np.int32)], [float(c) for c in fill], cv2.LINE_AA, 3)

    strip(wrist + 45 * way, end, 40, sleeve)
    strip(np.array([x, y]), wrist + 60 * way, 27, skin)
    cv2.circle(
        canvas, tuple(int(v) for v in (np.array([x, y]) + 12 * way) * r), int(42 * r), [float(c) for c in skin], -1
    )
    for finger in range(4):
        root = np.array([x, y]) + side * (finger - 1.5) * 19
        tip = root - way * (46 + 9 * (finger in (1, 2)))
        fill = [float(c) for c in skin * rng.uniform(0.93, 1.02)]
        ends = [[int(v) for v in p * r] for p in (root, tip)]
        cv2.line(canvas, ends[0], ends[1], fill, int(17 * r), cv2.LINE_AA)
