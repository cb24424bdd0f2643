"""Where cards may lie: rectangles of a card's size by new edges round what is not explained."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.deck import Picture
from companion.eye.faces.likeness import Pose, corners_of

Mask = npt.NDArray[np.uint8]
"""0 or 1, 1 px/mm."""

_PAD = 12
"""Millimetres round what is not explained in which a card's edges are looked for."""

_SPILT = 4.0
"""Millimetres by which such a part may be larger than a card all the same: a shadow belongs to it."""

_STEEP = 14.0
"""Gray levels a pixel from which on an edge is as good as any."""

_GLEAMS = 1.75
"""How many times as steep as half of a gleam its steepest tenth is, at most; of noise on a plain card it is 1.8."""

_APART_DEG, _APART_MM = 1.2, 8
"""Angles nearer than this are one; of rectangles nearer than this the best counts."""


class Region(NamedTuple):
    """A connected part of a mask: its box (x, y, width, height), its area, and itself (True inside)."""

    box: tuple[int, int, int, int]
    area: int
    mask: npt.NDArray[np.bool_]


def regions(mask: Mask, least: int, join: int) -> list[Region]:
    """Return the parts of a mask of at least so many mm², the largest first; parts nearer than `join` mm are one."""
    x, y, wide, high = cv2.boundingRect(mask)
    if not wide:
        return []
    left, top = max(0, x - 2 * join), max(0, y - 2 * join)
    rows, columns = slice(top, y + high + 2 * join), slice(left, x + wide + 2 * join)
    closed = cv2.morphologyEx(mask[rows, columns], cv2.MORPH_CLOSE, np.ones((2 * join + 1,) * 2, np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    found = []
    for number, (x, y, w, h, area) in enumerate(stats[1:].tolist(), 1):
        if area >= least:
            region = Region((left + x, top + y, w, h), area, np.zeros(mask.shape, np.bool_))
            region.mask[rows, columns] = labels == number
            found.append(region)
    return sorted(found, key=lambda region: -region.area)


def rectangles(
    behind: Picture,
    now: Picture,
    mask: Mask,
    size: tuple[float, float],
    box: tuple[int, int, int, int],
    axes: Iterable[float] = (0.0,),
    top: int = 6,
) -> list[Pose]:
    """Return the `top` likeliest poses of a card in a box, the best first; the other way up is as likely.

    `behind` is what was there before, or the empty mat, `now` what is there (both 1 px/mm), `mask` what is not
    explained; `size` (w, h) and `box` are mm, `axes` angles (degrees) at which cards lie here.
    """
    w, h = size
    x, y, bw, bh = box
    x0, y0 = max(x - _PAD, 0), max(y - _PAD, 0)
    x1, y1 = min(x + bw + _PAD, now.shape[1]), min(y + bh + _PAD, now.shape[0])
    gx, gy, news = _new_edges(behind[y0:y1, x0:x1], now[y0:y1, x0:x1])
    part = mask[y0:y1, x0:x1].astype(np.float32)
    steep = np.asarray(news * cv2.dilate(part, np.ones((7, 7), np.uint8)), dtype=np.float32)
    area = float(part.sum())
    side = max(int(np.hypot(x1 - x0, y1 - y0)) + 4, int(np.hypot(w, h)) + 10)
    middle = ((x1 - x0) / 2, (y1 - y0) / 2)
    found: list[tuple[float, Pose]] = []
    stack = np.dstack([gx, gy, steep, part])
    for angle in _angles(gx, gy, steep, part, axes):
        turn = np.asarray(cv2.getRotationMatrix2D(middle, angle, 1), dtype=np.float64)
        turn[:, 2] += side / 2 - np.array(middle)
        turned = np.asarray(cv2.warpAffine(stack, turn, (side, side)), dtype=np.float32)
        upright, level = _straight(turned, angle)
        back = cv2.invertAffineTransform(turn)
        for wide, high, more in ((w, h, 0.0), (h, w, 90.0)) if abs(w - h) > 2 else ((w, h, 0.0),):
            score = _scores(upright, level, np.ascontiguousarray(turned[..., 3]), (wide, high), (area, w * h))
            for _ in range(2):
                row, column = np.unravel_index(int(score.argmax()), score.shape)
                if score[row, column] <= 0:
                    break
                px, py = back @ np.array([column, row, 1.0])
                pose = (float(px) + x0 + 0.5, float(py) + y0 + 0.5, angle + more)
                found.append((float(score[row, column]), pose))
                reach = _APART_MM
                score[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = 0
    found.sort(key=lambda entry: -entry[0])
    return [pose for _, pose in found[:top]]


def containing(mask: Mask, size: tuple[float, float], angle: float, step: float) -> list[Pose]:
    """Return poses at an angle (degrees) of a card that holds all of an unexplained part, `step` mm apart at most."""
    ys, xs = np.nonzero(mask)
    if not len(xs):
        return []
    turn = np.radians(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    # Single pixels at the rim are noise.
    low, high = np.percentile(axes @ np.stack([xs + 0.5, ys + 0.5]), (1, 99), axis=1)
    room = np.asarray(size) - (high - low)
    if room.min() < -_SPILT:
        return []
    middles = [np.linspace(-r / 2, r / 2, int(np.ceil(r / step)) + 1) if r > 0 else np.zeros(1) for r in room]
    found = [((low + high) / 2 + (dx, dy)) @ axes for dx in middles[0] for dy in middles[1]]
    return [(float(x), float(y), angle) for x, y in found]


def likely_angles(behind: Picture, now: Picture, mask: Mask, box: tuple[int, int, int, int]) -> list[float]:
    """Return angles (0 to 90 degrees) at which a card may lie of which a part in a box is not explained."""
    x, y, w, h = box
    here = (slice(max(y - _PAD, 0), y + h + _PAD), slice(max(x - _PAD, 0), x + w + _PAD))
    gx, gy, news = _new_edges(behind[here], now[here])
    return _angles(gx, gy, news, mask[here].astype(np.float32), ())


def is_gleam(now: Picture, mask: Mask, box: tuple[int, int, int, int]) -> bool:
    """Return whether a part in a box slopes alike all over, as a lamp's gleam does: print is steep in places."""
    x, y, w, h = box
    here = slice(y, y + h), slice(x, x + w)
    steep = np.hypot(*_slopes(now[here]))[mask[here] > 0]
    middle, most = np.percentile(steep, (50, 90))
    return bool(most < _GLEAMS * middle)


def _slopes(picture: Picture) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    gray = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 0.7)
    x, y = cv2.Sobel(gray, cv2.CV_32F, 1, 0) / 4, cv2.Sobel(gray, cv2.CV_32F, 0, 1) / 4
    return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=np.float32)


def _new_edges(
    behind: Picture, now: Picture
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the slopes (right, down) of what is there now, and how steep they are where nothing was as steep."""
    gx, gy = _slopes(now)
    ax, ay = _slopes(behind)
    before = cv2.dilate(np.hypot(ax, ay), np.ones((3, 3), np.uint8))
    return gx, gy, np.maximum(np.hypot(gx, gy) - 1.2 * before, 0).astype(np.float32)


def _angles(
    gx: npt.NDArray[np.float32],
    gy: npt.NDArray[np.float32],
    steep: npt.NDArray[np.float32],
    part: npt.NDArray[np.float32],
    axes: Iterable[float],
) -> list[float]:
    """Return angles (0 to 90 degrees) at which cards may lie: of the edges, of the region's outline, of the places."""
    directions = (np.degrees(np.arctan2(gy, gx)) % 90).astype(np.int32).ravel() % 90
    counts = np.bincount(directions, weights=np.minimum(steep, 25).ravel(), minlength=90)
    smooth = np.convolve(np.r_[counts[-3:], counts, counts[:3]], [0.25, 0.5, 1, 0.5, 0.25], "same")[3:-3]
    angles = []
    for _ in range(2):
        most = int(smooth.argmax())
        angles.append(most + 0.5)
        smooth[(most + np.arange(-5, 6)) % 90] = 0
    points = np.argwhere(part > 0)[:, ::-1]
    if len(points) > 20:
        angles.append(float(cv2.minAreaRect(points.astype(np.float32))[2]) % 90)
    apart: list[float] = []
    for angle in (*angles, *(axis % 90 for axis in axes)):
        if all(min(abs(angle - other), 90 - abs(angle - other)) > _APART_DEG for other in apart):
            apart.append(angle)
    return apart


def _straight(turned: npt.NDArray[np.float32], angle: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return how much of an upright and of a level edge there is at each pixel of a turned picture, 0 to 1."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    gx, gy, steep = turned[..., 0], turned[..., 1], turned[..., 2]
    along, across = np.abs(gx * c + gy * s), np.abs(gy * c - gx * s)
    total = np.hypot(gx, gy) + 1e-3
    upright = np.minimum(steep * (along / total > 0.9), _STEEP) / _STEEP
    level = np.minimum(steep * (across / total > 0.9), _STEEP) / _STEEP
    return (
        np.asarray(cv2.dilate(upright.astype(np.float32), np.ones((1, 3), np.uint8)), dtype=np.float32),
        np.asarray(cv2.dilate(level.astype(np.float32), np.ones((3, 1), np.uint8)), dtype=np.float32),
    )


def _scores(
    upright: npt.NDArray[np.float32],
    level: npt.NDArray[np.float32],
    part: npt.NDArray[np.float32],
    size: tuple[float, float],
    areas: tuple[float, float],
) -> npt.NDArray[np.float32]:
    """Return how well a card with its middle at each pixel is bounded by edges and filled by what is not explained."""
    w, h = size
    area, card = areas
    wide, high = round(w), round(h)
    shape = upright.shape[1], upright.shape[0]

    def shifted(picture: npt.NDArray[np.float32], dx: float, dy: float) -> npt.NDArray[np.float32]:
        matrix = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
        return np.asarray(cv2.warpAffine(picture, matrix, shape), dtype=np.float32)

    tall = cv2.boxFilter(upright, -1, (1, high | 1), borderType=cv2.BORDER_CONSTANT)
    broad = cv2.boxFilter(level, -1, (wide | 1, 1), borderType=cv2.BORDER_CONSTANT)
    sides, ends = np.asarray(tall, dtype=np.float32), np.asarray(broad, dtype=np.float32)
    bounded = np.sum([shifted(sides, s * w / 2, 0) + shifted(ends, 0, s * h / 2) for s in (1, -1)], axis=0)
    inside = cv2.boxFilter(part, -1, (wide, high), normalize=False, borderType=cv2.BORDER_CONSTANT)
    filled = np.asarray(inside, dtype=np.float32)
    return np.asarray(0.25 * bounded + 0.6 * filled / max(min(area, card), 1) + 0.25 * filled / card, dtype=np.float32)


def filled(pose: Pose, size: tuple[float, float], shape: tuple[int, int]) -> Mask:
    """Return a mask of the mat (mm) with a card of a size at a pose."""
    mask = np.zeros(shape, np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, np.round(corners_of(pose, *size) * 16 - 8).astype(np.int32), 1, shift=4)
    return mask
