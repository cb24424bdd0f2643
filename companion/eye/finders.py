"""Where codes may lie: finder patterns of a known size, and the squares that three of them span.

A matched filter: a finder pattern averaged over all directions is a dark disc in a light and a dark ring; correlation
divided by contrast does not depend on light or turn. Points are pixels, a pixel's centre at whole numbers.
"""

from __future__ import annotations

import functools
import math
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.symbol import FINDER, SIDE
from companion.eye.view import Gray

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.floating]
"""Points of shape (n, 2)."""
Poses = npt.NDArray[np.float64]
"""Shape (n, 2, 3): maps (u, v, 1), u and v in modules from a code's top left corner as printed, to pixels."""

STRONG = 0.45
"""Correlation from which a place counts as a finder pattern: true ones reach 0.6 in a dark room, 0.75 in good light."""

WEAK = 0.25
"""The same for the third of a square of which two are strong: a shine or a finger may lie over it."""

_APART = SIDE - FINDER
"""Modules between the centres of two finder patterns along a side."""

_SHORT, _LONG = 0.9, 1.1
"""How much shorter or longer a side may seem than it should: cards lie on others, patterns are found to 1/3 px."""

_SKEW = 0.16
"""Cosine of the angle between two sides on the table, at most: 0 but for errors."""

_EVEN = 0.1
"""By what share the size of modules may differ in a part of the picture that is searched for one size."""

_STEP = 1.02
"""Between two sizes of modules for which the pattern is drawn."""

_TERMS = 4
_LARGE = 300_000
"""Pixels from which a picture is worth being searched by two threads."""

_MOST = 1600
"""Finder patterns that are looked at; of more only the strongest. 90 codes have 270."""


class Plane:
    """Projection between picture and table, in units of a module: `matrix`, shape (3, 3), maps pixels to the table."""

    def __init__(self, matrix: npt.NDArray[np.float64]) -> None:
        """Create it from the homography, shape (3, 3)."""
        self.matrix = matrix

    @functools.cached_property
    def _inverse(self) -> npt.NDArray[np.float64]:
        return np.linalg.inv(self.matrix).astype(np.float64)

    @functools.cached_property
    def _area(self) -> float:
        (a, b, c), (d, e, f), (g, h, i) = self.matrix.tolist()
        return float(abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)))

    @classmethod
    def above(cls, module: float) -> Plane:
        """Return the plane of a camera straight above, with this many pixels a module."""
        return cls(np.diag([1 / module, 1 / module, 1.0]))

    def in_part(self, left: float, top: float, factor: float = 1.0) -> Plane:
        """Return the plane for a part of the picture that begins at a pixel, reduced by a factor."""
        return Plane(
            self.matrix
            @ np.array([[factor, 0, left + (factor - 1) / 2], [0, factor, top + (factor - 1) / 2], [0, 0, 1]])
        )

    def to_table(self, points: Points) -> Points:
        """Map pixels to the table."""
        return _mapped(self.matrix, points)

    def to_picture(self, points: Points) -> Points:
        """Map places on the table to pixels."""
        return _mapped(self._inverse, points)

    def modules(self, size: tuple[int, int], across: int = 1, down: int = 1) -> Points:
        """Return the pixels a module (root of its area) in parts of a picture of `size`, shape (down, across)."""
        x = (np.arange(across) + 0.5) * size[0] / across - 0.5
        y = ((np.arange(down) + 0.5) * size[1] / down - 0.5)[:, None]
        # A homography makes an area larger by its determinant over the cube of the distance that it divides by.
        far = self.matrix[2, 0] * x + self.matrix[2, 1] * y + self.matrix[2, 2]
        return np.asarray(np.sqrt(np.abs(far**3 / self._area)))

    def module(self, size: tuple[int, int]) -> float:
        """Return the pixels a module in the middle of a picture of `size`."""
        return self._module((size[0] - 1) / 2, (size[1] - 1) / 2)

    def smallest_and_largest(self, size: tuple[int, int], parts: int) -> tuple[float, float]:
        """Return the least and the greatest of `modules` in so many parts across and down: they are at the corners."""
        x, y = ((0.5 * side / parts - 0.5, (parts - 0.5) * side / parts - 0.5) for side in size)
        every = [self._module(u, v) for u in x for v in y]
        return min(every), max(every)

    def _module(self, x: float, y: float) -> float:
        a, b, c = self._far
        return math.sqrt(abs((a * x + b * y + c) ** 3 / self._area))

    @functools.cached_property
    def _far(self) -> list[float]:
        return [float(entry) for entry in self.matrix[2]]


def _mapped(matrix: npt.NDArray[np.float64], points: Points) -> Points:
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:])


@functools.lru_cache(maxsize=128)
def _kernel(module: float) -> tuple[tuple[tuple[Floats, Floats], ...], float]:
    """Return the averaged finder pattern for a module of so many pixels, and the number of pixels it weighs.

    Its mean is 0 and its length 1. It ends 4.5 modules from the middle, half a module into the light round it; half a
    module of blur stands for lens and pixels. As the sum of four products of a row and a column (singular vectors; the
    fifth value is 1/17 of the first), separable filters take half the time.
    """
    fine = 4
    reach = math.ceil(4.5 * module)
    line = np.arange(-reach * fine - 1.5, (reach + 1) * fine - 2, 1.0) / fine / module
    x, y = np.meshgrid(line, line)
    value, weight = np.zeros_like(x), np.zeros_like(x)
    for degrees in range(0, 90, 5):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        ring = np.maximum(np.abs(x * c + y * s), np.abs(y * c - x * s))
        inside = ring < 4.5
        dark = (ring < 1.5) | ((ring >= 2.5) & (ring < 3.5))
        value += np.where(dark, -1.0, 1.0) * inside
        weight += inside
    size = (2 * reach + 1, 2 * reach + 1)
    blur = 0.5 * module * fine
    pattern = cv2.resize(cv2.GaussianBlur(value / 18, (0, 0), blur), size, interpolation=cv2.INTER_AREA)
    part = cv2.resize(cv2.GaussianBlur(weight / 18, (0, 0), blur), size, interpolation=cv2.INTER_AREA)
    pattern = pattern - part * (pattern.sum() / part.sum())
    left, strengths, right = np.linalg.svd(pattern / np.linalg.norm(pattern))
    terms = tuple(
        ((right[i] * strengths[i]).astype(np.float32), np.ascontiguousarray(left[:, i], dtype=np.float32))
        for i in range(_TERMS)
    )
    return terms, float((part > 0.3).sum())


def likeness(gray: Gray, plane: Plane) -> Floats:
    """Return how likely a finder pattern is centred at each pixel, about -1 to 1; in parts if modules differ."""
    high, wide = gray.shape
    least, most = plane.smallest_and_largest((wide, high), 5)
    parts = max(1, math.ceil(math.log(most / least) / math.log(1 + _EVEN)))
    if parts == 1:
        return _in_halves(gray, plane.module((wide, high)))
    sizes = plane.modules((wide, high), parts, parts)
    reach = math.ceil(6 * most)
    found = np.empty(gray.shape, dtype=np.float32)
    xs, ys = (np.linspace(0, side, parts + 1).astype(int) for side in (wide, high))

    def fill(row: int, column: int) -> None:
        left, top = max(0, xs[column] - reach), max(0, ys[row] - reach)
        part = gray[top : ys[row + 1] + reach, left : xs[column + 1] + reach]
        like = _likeness(part, float(sizes[row, column]))
        found[ys[row] : ys[row + 1], xs[column] : xs[column + 1]] = like[
            ys[row] - top : ys[row + 1] - top, xs[column] - left : xs[column + 1] - left
        ]

    # The filters run on one core each and let go of Python's lock.
    list(_pool().map(fill, *zip(*((row, column) for row in range(parts) for column in range(parts)), strict=True)))
    return found


def _in_halves(gray: Gray, module: float) -> Floats:
    if gray.size < _LARGE:
        return _likeness(gray, module)
    # The filters run on one core each and let go of Python's lock: two halves take little more than half the time.
    middle, reach = gray.shape[0] // 2, math.ceil(6 * module)
    upper, lower = _pool().map(_likeness, (gray[: middle + reach], gray[middle - reach :]), (module, module))
    return np.concatenate([upper[:middle], lower[reach:]])


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, thread_name_prefix="finders")


def _likeness(gray: Gray, module: float) -> Floats:
    # In steps of a fiftieth of its size: drawing a pattern takes longer than searching for it.
    (first, *others), pixels = _kernel(_STEP ** round(math.log(module, _STEP)))
    picture = gray.astype(np.float32)
    found = cv2.sepFilter2D(picture, cv2.CV_32F, *first, borderType=cv2.BORDER_REPLICATE)
    for term in others:
        cv2.add(found, cv2.sepFilter2D(picture, cv2.CV_32F, *term, borderType=cv2.BORDER_REPLICATE), found)
    side = round(8 * module) | 1
    mean = cv2.boxFilter(gray, cv2.CV_32F, (side, side))
    spread = cv2.sqrBoxFilter(gray, cv2.CV_32F, (side, side))
    cv2.multiply(mean, mean, mean)
    cv2.subtract(spread, mean, spread)
    np.maximum(spread, 0.0, out=spread)
    cv2.sqrt(spread, spread)
    # Three gray levels more: what is no stronger is noise, whatever its pattern.
    np.add(spread, 3.0, out=spread)
    cv2.divide(found, spread, found, 1 / math.sqrt(pixels))
    return np.asarray(found)


def peaks(like: Floats, module: float, least: float = STRONG) -> tuple[Points, Floats]:
    """Return the likeliest places within 1.2 modules, the best first: points (n, 2) in px, and values (n)."""
    side = 2 * round(1.2 * module) + 1
    highest = cv2.dilate(like, np.ones((side, side), dtype=np.uint8))
    top = cv2.bitwise_and(cv2.compare(like, highest, cv2.CMP_GE), cv2.inRange(like, least, 9.0))
    spots = cv2.findNonZero(top)
    if spots is None:
        return np.zeros((0, 2)), np.zeros(0, dtype=np.float32)
    places = spots.reshape(-1, 2)
    high, wide = like.shape
    every = like.reshape(-1)
    values = every[places[:, 1] * wide + places[:, 0]]
    order = np.argsort(-values)[:_MOST]
    places, values = places[order], values[order]
    inner = np.minimum(np.maximum(places, 1), (wide - 2, high - 2))
    at = inner[:, 1] * wide + inner[:, 0]
    off = _vertex(every[[at - 1, at - wide]], every[at], every[[at + 1, at + wide]])
    return inner + off.T, values


def _vertex(before: Floats, at: Floats, after: Floats) -> Floats:
    """Return how far from the middle of three values the parabola through them has its top, at most half a step."""
    bend = before - 2 * at + after
    bend[np.abs(bend) < 1e-6] = np.inf
    return np.asarray(np.minimum(np.maximum((before - after) / (2 * bend), -0.5), 0.5))


def poses_of(corner: Points, right: Points, low: Points) -> Poses:
    """Return the poses of codes by the centres of their three finder patterns, each of shape (n, 2)."""
    across, down = (right - corner) / _APART, (low - corner) / _APART
    start = corner - FINDER / 2 * (across + down)
    return np.stack([across, down, start], axis=2)


def _sides(places: Points, side: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the pairs of places that are a side apart: in both orders, sorted by the first."""
    if not len(places):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    near, far = side * _SHORT, side * _LONG
    # Squared distances by one product of matrices: many times faster than a table of differences.
    flat = (places - places[0]).astype(np.float32)
    product = flat @ flat.T
    square = product.diagonal()
    away = square[:, None] + square - 2 * product
    pairs = cv2.findNonZero(cv2.inRange(away, near * near, far * far))
    if pairs is None:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    second, first = pairs.reshape(-1, 2).T
    return first.astype(np.intp), second.astype(np.intp)


def squares(points: Points, values: Floats, plane: Plane) -> tuple[Poses, Floats]:
    """Return the poses that three finder patterns each span, and how alike the three are on the mean, best first."""
    none = np.zeros((0, 2, 3)), np.zeros(0, dtype=np.float32)
    if len(points) < 3:
        return none
    places = plane.to_table(points)
    corner, other = _sides(places, _APART)
    # All pairs of sides that start at the same corner: `corner` is sorted, so its runs are the corners' sides.
    count = np.bincount(corner, minlength=len(points))
    partners = count[corner]
    first = np.repeat(np.arange(len(corner)), partners)
    start = np.repeat(np.cumsum(count)[corner] - partners, partners)
    two = start + np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners)
    tip, right, low = corner[first], other[first], other[two]
    a, b = places[right] - places[tip], places[low] - places[tip]
    across, down = np.hypot(a[:, 0], a[:, 1]), np.hypot(b[:, 0], b[:, 1])
    turn = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]  # more than 0: clockwise, as codes are printed
    lean = np.abs((a * b).sum(axis=1))
    good = (turn > 0) & (lean <= _SKEW * across * down)
    if not good.any():
        return none
    strength = ((values[tip] + values[right] + values[low]) / 3)[good]
    order = np.argsort(-strength)
    return poses_of(points[tip[good]], points[right[good]], points[low[good]])[order], strength[order]


def incomplete(points: Points, values: Floats, plane: Plane) -> tuple[Poses, Floats]:
    """Return the poses spanned by two finder patterns whose third can't be seen; `alike` is the mean of the two.

    Every pair is tried as the top side, the left side and the diagonal of a square.
    """
    places = plane.to_table(points)
    trios: list[tuple[Points, Points, Points]] = []
    strengths: list[Floats] = [np.zeros(0, dtype=np.float32)]
    for diagonal in (False, True):
        first, second = _sides(places, _APART * (math.sqrt(2) if diagonal else 1.0))
        if not len(first):
            continue
        a, b = places[first], places[second]
        along = b - a
        clockwise = np.stack([-along[:, 1], along[:, 0]], axis=1)
        # The pair comes both ways round, so each trio needs to be named in one direction only.
        trios += [((a + b + clockwise) / 2, a, b)] if diagonal else [(a, b, a + clockwise), (a, a - clockwise, b)]
        strengths += [np.asarray((values[first] + values[second]) / 2, dtype=np.float32)] * (1 if diagonal else 2)
    if not trios:
        return np.zeros((0, 2, 3)), strengths[0]
    corner, right, low = (np.concatenate([trio[place] for trio in trios]) for place in range(3))
    strength = np.concatenate(strengths)
    order = np.argsort(-strength)
    poses = poses_of(plane.to_picture(corner), plane.to_picture(right), plane.to_picture(low))
    return poses[order], strength[order]


def partly_seen(points: Points, values: Floats, plane: Plane) -> Poses:
    """Return the poses of codes of which one finder pattern is hardly to be seen or not at all, the likeliest first."""
    strong = values >= STRONG
    if np.count_nonzero(strong) < 2:
        return np.zeros((0, 2, 3))
    weak, likely = squares(points, values, plane)
    enough = likely >= (2 * STRONG + WEAK) / 3
    weak, likely = weak[enough], likely[enough]
    half, half_likely = incomplete(points[strong], values[strong], plane)
    order = np.argsort(-np.concatenate([likely, half_likely * 2 / 3]))
    return np.concatenate([weak, half])[order]
