"""The flat picture: the table from straight above at 2 mm a pixel, whatever the camera's place and resolution."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from companion.eye.geometry import Calibration, Points
from companion.eye.mat import Mat, Rect
from companion.eye.pictures import means, smaller
from companion.eye.view import Gray

MM = 2.0
"""Millimetres a pixel of the flat picture."""

TILE = 15
"""Flat pixels along a tile's side (30 mm): the unit in which motion is noted."""

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]
Window = tuple[slice, slice]

Area = tuple[Window, Mask]
"""A window of the flat picture, and what of it is meant."""

_CELL = 2
"""Flat pixels between two points that are mapped exactly (see `mapped`)."""

_MARKED = 4
"""The mean of a tile's pixels (0 or 255) from which on it counts as marked: four pixels."""

LATTICE = 12
"""Flat pixels between two samples of the light."""


def reduced(gray: Gray, wide: int = 576) -> tuple[Gray, int]:
    """Return the picture at about `wide` pixels across, each the mean of a square, and the side of that square."""
    factor = max(1, round(gray.shape[1] / wide))
    return means(gray, factor), factor


def glimpsed(gray: Gray, wide: int = 576) -> Gray:
    """Return the picture in the size that `reduced` gives it, at the least price; it shows motion and light only."""
    factor = max(1, round(gray.shape[1] / wide))
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    return smaller(gray[: size[1] * factor, : size[0] * factor], *size)


class TileSum:
    """Counts of set tiles that answer in constant time whether a window holds any."""

    def __init__(self, tiles: Mask) -> None:
        self._array = cv2.integral(tiles.view(np.uint8))
        self._sum: list[list[int]] = self._array.tolist()

    def any(self, window: Window) -> bool:
        """Return whether any tile is set in a window, which may reach beyond the grid."""
        y, x = window
        high, wide = len(self._sum) - 1, len(self._sum[0]) - 1
        top, low = self._sum[min(y.start, high)], self._sum[min(y.stop, high)]
        left, right = min(x.start, wide), min(x.stop, wide)
        return bool(low[right] - low[left] - top[right] + top[left] > 0)

    def which(self, windows: npt.NDArray[np.integer]) -> list[int]:
        """Return the indices of the windows that hold set tiles; the rows are top, end, left, end."""
        edge = np.array(self._array.shape).repeat(2).reshape(4, 1) - 1
        top, low, left, right = np.minimum(windows, edge)
        total = self._array
        held = total[low, right] - total[low, left] - total[top, right] + total[top, left]
        return [int(number) for number in np.flatnonzero(held)]


def flat_window(tiles: Window) -> Window:
    """Return a window of tiles as a window of the flat picture."""
    y, x = tiles
    return slice(y.start * TILE, y.stop * TILE), slice(x.start * TILE, x.stop * TILE)


def grown(window: Window, by: int, shape: tuple[int, int]) -> Window:
    """Return a window with `by` pixels more all round, as far as the picture goes."""
    y, x = window
    return slice(max(0, y.start - by), min(shape[0], y.stop + by)), slice(
        max(0, x.start - by), min(shape[1], x.stop + by)
    )


def boxes_of(mask: Mask) -> list[Window]:
    """Return the windows round the connected parts of a mask."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.view(np.uint8), connectivity=8)
    return [(slice(int(y), int(y + h)), slice(int(x), int(x + w))) for x, y, w, h, _ in stats[1:count]]


def joined(windows: list[Window], shape: tuple[int, int], gap: int = 0) -> list[Window]:
    """Return windows, joined where they overlap or are nearer than a gap; one of that shape if they nearly cover it."""
    apart: list[Window] = []
    for y, x in windows:
        top, low, left, right = y.start, y.stop, x.start, x.stop
        while True:
            over = [
                w for w in apart if w[0].start < low and w[0].stop > top and w[1].start < right and w[1].stop > left
            ]
            if not over:
                break
            apart = [w for w in apart if w not in over]
            top, low = min(top, *(w[0].start for w in over)), max(low, *(w[0].stop for w in over))
            left, right = min(left, *(w[1].start for w in over)), max(right, *(w[1].stop for w in over))
        apart.append((slice(top, low), slice(left, right)))
    area = sum((y.stop - y.start) * (x.stop - x.start) for y, x in apart)
    return [(slice(0, shape[0]), slice(0, shape[1]))] if area > 0.6 * shape[0] * shape[1] else apart


def overlap(a: Window, b: Window) -> Window | None:
    """Return the window that two windows have in common, None if there is none."""
    y0, y1 = max(a[0].start, b[0].start), min(a[0].stop, b[0].stop)
    x0, x1 = max(a[1].start, b[1].start), min(a[1].stop, b[1].stop)
    return (slice(y0, y1), slice(x0, x1)) if y0 < y1 and x0 < x1 else None


def within(part: Window, window: Window) -> Window:
    """Return a window of the flat picture as the window of an array that holds another window of it."""
    y, x = window[0].start, window[1].start
    return slice(part[0].start - y, part[0].stop - y), slice(part[1].start - x, part[1].stop - x)


def mapped(calibration: Calibration, shape: tuple[int, int], px_per_mm: float, cell: int) -> Floats:
    """Return where a flat picture's pixels lie in the camera's (px), (rows, columns, 2), straight between cells."""
    high, wide = shape
    columns, rows = -(-wide // cell) + 1, -(-high // cell) + 1
    x, y = np.meshgrid(np.arange(columns) * cell, np.arange(rows) * cell)
    mm = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) / px_per_mm
    few = calibration.to_px(mm).astype(np.float32).reshape(rows, columns, 2)
    # Linear between the points; the first sample lies on a point, where resize would begin half a cell away.
    across = np.arange(wide, dtype=np.float32)[None, :].repeat(high, 0) / cell
    down = np.arange(high, dtype=np.float32)[:, None].repeat(wide, 1) / cell
    return np.asarray(cv2.remap(few, across, down, cv2.INTER_LINEAR), dtype=np.float32)


class Flat:
    """The grid of the flat picture, and how to get it from a reduced camera picture."""

    def __init__(self, mat: Mat) -> None:
        """Create the grid over a mat; its size is a whole number of tiles."""
        self.grid = (math.ceil(mat.h / MM / TILE), math.ceil(mat.w / MM / TILE))
        self.shape = (self.grid[0] * TILE, self.grid[1] * TILE)
        self.end = int(mat.h / MM) - 1, int(mat.w / MM) - 1
        """The row and the column from which on the grid shows the mat's cut edge, or what lies beyond."""
        self._maps: tuple[MatLike, MatLike] | None = None
        self._few: tuple[MatLike, MatLike] | None = None
        self._factor = 1
        self._low = self._top = np.zeros((*self.grid, 2), dtype=np.int16)
        """What part of the reduced picture each tile is made from: its least and greatest x and y."""
        ys, xs = np.mgrid[LATTICE // 2 : self.shape[0] : LATTICE, LATTICE // 2 : self.shape[1] : LATTICE]
        self.lattice: tuple[Places, Places] = (ys.ravel(), xs.ravel())
        """The flat pixels (ys, xs) at which `samples` are taken."""

    def aim(self, calibration: Calibration, factor: int) -> None:
        """Set the calibration and the factor by which pictures are reduced."""
        px = (mapped(calibration, self.shape, 1 / MM, _CELL) + np.float32(0.5)) / np.float32(factor) - np.float32(0.5)
        x, y = np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])
        self._maps = cv2.convertMaps(x, y, cv2.CV_16SC2)
        few = self.lattice[0].reshape(1, -1), self.lattice[1].reshape(1, -1)
        self._few = self._maps[0][few], self._maps[1][few]
        self._factor = factor
        high, wide = self.grid
        at = self._maps[0].reshape(high, TILE, wide, TILE, 2)
        self._low, self._top = at.min(axis=(1, 3)), at.max(axis=(1, 3)) + 2

    def pixels(self, window: Window, margin: float, size: tuple[int, int]) -> tuple[Window, float]:
        """Return a flat window, with `margin` mm round it, in a camera picture of `size`, and its pixels a mm."""
        assert self._maps is not None, "aim first"  # noqa: S101
        at = self._maps[0][window]
        (ax, ay), (bx, by), (cx, cy) = at[0, 0].tolist(), at[0, -1].tolist(), at[-1, 0].tolist()
        across = math.hypot(bx - ax, by - ay) / max(1, at.shape[1] - 1)
        down = math.hypot(cx - ax, cy - ay) / max(1, at.shape[0] - 1)
        scale = max(across, down) * self._factor / MM
        border = np.concatenate([at[0], at[-1], at[:, 0], at[:, -1]]).astype(np.int64)
        edge = 1 + math.ceil((margin + MM) * scale)
        left, top = border.min(axis=0) * self._factor - edge
        right, low = (border.max(axis=0) + 1) * self._factor + edge
        part = slice(max(0, int(top)), min(size[1], int(low))), slice(max(0, int(left)), min(size[0], int(right)))
        return part, scale

    def part(self, gray: Gray, window: Window) -> Gray:
        """Return a window flattened directly from the camera's picture; only the needed part is reduced."""
        assert self._maps is not None, "aim first"  # noqa: S101
        at, between = self._maps[0][window], self._maps[1][window]
        wide, high = gray.shape[1] // self._factor, gray.shape[0] // self._factor
        tiles = self.tile_window_of(window)
        (left, up), (right, down) = self._low[tiles].min(axis=(0, 1)), self._top[tiles].max(axis=(0, 1))
        x0, y0 = min(max(0, int(left)), wide - 1), min(max(0, int(up)), high - 1)
        x1, y1 = max(x0 + 1, min(wide, int(right))), max(y0 + 1, min(high, int(down)))
        f = self._factor
        small = means(gray[y0 * f : y1 * f, x0 * f : x1 * f], f)
        at = at - np.array([x0, y0], dtype=np.int16)
        flat = cv2.remap(small, at, between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8)

    def marks(self, small: Gray) -> tuple[Gray, Mask]:
        """Return a sparse reduced mask (0 or 255) flattened, and the tiles that it marks (see `tiles`)."""
        assert self._maps is not None, "aim first"  # noqa: S101
        flat, marked = np.zeros(self.shape, dtype=np.uint8), np.zeros(self.grid, dtype=np.bool_)
        x, y, w, h = cv2.boundingRect(small)
        low, top = self._low, self._top
        near = (low[..., 0] < x + w) & (top[..., 0] > x) & (low[..., 1] < y + h) & (top[..., 1] > y)
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        if len(rows):
            tiles = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
            window = flat_window(tiles)
            part = cv2.remap(small, self._maps[0][window], self._maps[1][window], cv2.INTER_LINEAR)
            flat[window] = part
            size = (tiles[1].stop - tiles[1].start, tiles[0].stop - tiles[0].start)
            marked[tiles] = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA)) >= _MARKED
        return flat, marked

    def flattened(self, small: Gray) -> Gray:
        """Return a reduced picture flattened."""
        assert self._maps is not None, "aim first"  # noqa: S101
        flat = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8)

    def samples(self, small: Gray) -> Floats:
        """Return the gray levels of a reduced picture at the places of `lattice`."""
        assert self._few is not None, "aim first"  # noqa: S101
        taken = cv2.remap(small, *self._few, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken, dtype=np.float32).ravel()

    def tiles(self, mask: Gray) -> Mask:
        """Return in which tiles more than a few pixels of a flat 0/255 mask are set."""
        size = (self.grid[1], self.grid[0])
        return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA)) >= _MARKED

    def tile_window(self, points: Points, margin: float = 0.0) -> Window:
        """Return the tiles that points (mm) and `margin` mm round them reach into."""
        side = TILE * MM
        low, high = (points.min(axis=0) - margin) / side, (points.max(axis=0) + margin) / side
        x0, y0 = np.maximum(np.floor(low), 0).astype(int)
        x1, y1 = np.floor(high).astype(int) + 1
        return slice(int(y0), max(int(y1), int(y0) + 1)), slice(int(x0), max(int(x1), int(x0) + 1))

    def tile_window_of(self, window: Window) -> Window:
        """Return the tiles that a window of the flat picture reaches into."""
        y, x = window
        return slice(y.start // TILE, -(-y.stop // TILE)), slice(x.start // TILE, -(-x.stop // TILE))

    def fill(self, outline: Points, grow: float = 0.0) -> tuple[Window, Mask]:
        """Return the flat window of an outline (mm), grown by `grow` mm, and the mask of pixels with centres inside.

        An outline off the mat gives an empty window.
        """
        middle = outline.mean(axis=0)
        away = outline - middle
        if grow:
            reach = np.linalg.norm(away, axis=1, keepdims=True)
            away = away * np.maximum(0.0, 1 + grow * math.sqrt(2) / np.maximum(reach, 1e-6))
        px = (middle + away) / MM - 0.5
        x0, y0 = np.maximum(np.floor(px.min(axis=0)), 0).astype(int)
        x1 = min(int(np.ceil(px[:, 0].max())) + 1, self.shape[1])
        y1 = min(int(np.ceil(px[:, 1].max())) + 1, self.shape[0])
        if x1 <= x0 or y1 <= y0:
            return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), dtype=np.bool_)
        mask = np.zeros((y1 - y0, x1 - x0), dtype=np.uint8)
        corners = np.round((px - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 1, lineType=cv2.LINE_8, shift=4)
        return (slice(int(y0), y1), slice(int(x0), x1)), mask.astype(np.bool_)

    def window(self, rect: Rect) -> Window:
        """Return the window of the flat picture that a rectangle (mm) lies in."""
        return (
            slice(max(0, round(rect.y / MM)), min(self.shape[0], round((rect.y + rect.h) / MM))),
            slice(max(0, round(rect.x / MM)), min(self.shape[1], round((rect.x + rect.w) / MM))),
        )
