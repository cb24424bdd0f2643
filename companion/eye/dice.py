"""Reads the dice in a tray by what their tops show. What is not clear is declined, never guessed.

The tray is pulled straight in the plane of the dice's tops: there a top is a square and its pips are round, whatever
the camera's tilt, while the sides that show are squeezed. Two small networks look at it (`die_nets.py`): one finds
tops, the other reads them, in four turns, and says how surely. It knows a die that leans, and a top that can't be
read. A value counts only if it is sure of it in every turn, and if nothing else seems to be in the same place.
Ten-sided dice are read likewise, by networks of their own (`ten_sided.py`). A tray has dice of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.die_nets import (
    AROUND,
    FINE,
    LEANS,
    NOTHING,
    TOP,
    Found,
    find,
    look,
    straightened,
)
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.small_nets import Floats, Pose
from companion.eye.ten_sided import TenSidedKind
from companion.eye.view import DiceSeen, DieSeen, Gray

Points = npt.NDArray[np.floating]

SMALLEST, LARGEST = 11.0, 20.5
"""Sides of six-sided dice (mm)."""

SURE = 0.995
"""How surely it must be this value and no other, in each of four turns."""

HIDDEN, TIPPED = 0.08, 0.25
"""How surely, at most, in the mean of the turns, nothing can be read there, and the die leans."""

HIDDEN_ONE, TIPPED_ONE = 0.05, 0.2
"""The same of a 1: any dot looks like one, a pip on a side among them."""

NO_DIE = 0.25
"""How surely nothing can be read of what is no die, at least: it counts among the things that lie in the tray."""

THERE, DIM = 0.5, 0.2
"""How surely a top must be found for the die to count as one that can't be read, and to be read."""

COARSE = 1.9
"""Pixels a millimetre of the camera's picture below which more is asked: `SURE_COARSE` and `DIM_COARSE`."""

SURE_COARSE, DIM_COARSE = 0.998, 0.4
"""`SURE` and `DIM` in a coarse picture."""

OVERLAP = 0.2
"""Two dice may seem to share so much of the smaller one's top; more, and only one of them can be there."""

RIVAL = 0.8
"""A die is doubted if another, found with so much of its sureness, seems to lie in the same place."""

SLANTED = 0.6
"""Dice that are seen further aslant than this show sides that look like tops."""

THING = 12.0
"""What something must differ by from the bare tray, or how steep it must be (gray levels, gray levels a mm)."""

_EDGE = 3.0
"""Millimetres from a tray's limit within which its edge may be printed."""

_LEAST, _USUAL, _MOST = 55.0, 300.0, 6000.0
"""Square mm of a thing that can't be read: at least, of a usual die with its sides, and what is light and no thing."""


class _Die(NamedTuple):
    """A die: its outline and its sides' in the straightened tray (mm), how surely it is there, its place on the mat."""

    top: Points
    whole: Points
    surely: float
    slant: float
    """How far its foot appears from its top, in sides: the tangent of the angle at which it is seen."""
    seen: DieSeen


class Kind(Protocol):
    """A kind of die, as the reader needs it: how its tops are found and read, and its shape.

    `turns` are the degrees after which it looks the same; two middles nearer than `apart` sides are the same die's.
    """

    smallest: float
    largest: float
    turns: float
    apart: float

    def find(self, flat: Floats) -> list[tuple[Pose, float]]:
        """Return where tops may be, and how surely."""

    def look(self, flat: Floats, poses: list[Pose], feet: list[tuple[float, float]]) -> list[Found]:
        """Return what tops show; `feet` says where their feet are seen, in sizes."""

    def side(self, pose: Pose) -> float:
        """Return a die's side (mm)."""

    def top(self, pose: Pose) -> Points:
        """Return a top's corners, in the straightened tray (mm)."""

    def stands(self, top: Points) -> tuple[Points, Points]:
        """Return where the face that a die rests on is, and its widest part, from its top's corners on the mat (mm)."""

    def absent(self, found: Found) -> float:
        """Return how surely nothing can be read there."""

    def says(self, found: Found, there: float, px_per_mm: float) -> tuple[int | None, str]:
        """Return the value that a top shows, None if it isn't clear, and then why not."""


class SixSidedKind:
    """Six-sided dice: cubes with pips."""

    smallest, largest = SMALLEST, LARGEST
    turns = 90.0
    apart = 0.0

    def find(self, flat: Floats) -> list[tuple[Pose, float]]:
        """Return where tops may be, and how surely."""
        return find(flat)

    def look(self, flat: Floats, poses: list[Pose], feet: list[tuple[float, float]]) -> list[Found]:
        """Return what tops show; `feet` says where their feet are seen, in sides."""
        return look(flat, poses, feet)

    def side(self, pose: Pose) -> float:
        """Return a die's side (mm)."""
        return pose[2]

    def top(self, pose: Pose) -> Points:
        """Return a top's corners, in the straightened tray (mm)."""
        x, y, side, turn = pose
        c, s = math.cos(turn) * side / 2, math.sin(turn) * side / 2
        return np.array([(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)]) + (x, y)

    def stands(self, top: Points) -> tuple[Points, Points]:
        """Return the face that it rests on, which is just below its top, and no wider part."""
        return top, top[:0]

    def absent(self, found: Found) -> float:
        """Return how surely nothing can be read there."""
        return float(found.shares[:, NOTHING].mean())

    def says(self, found: Found, there: float, px_per_mm: float) -> tuple[int | None, str]:
        """Return the value that a top shows, None if it isn't clear, and then why not."""
        return _says(found, there, px_per_mm < COARSE)


KINDS: dict[int, Kind] = {6: SixSidedKind(), 10: TenSidedKind()}
"""The kinds of dice that are read, by their sides."""


class DiceReader:
    """Reads the dice in trays. The mat's markers are never taken for dice."""

    def __init__(self, mat: Mat | None = None) -> None:
        """Create it for a mat whose markers may be near a tray; None if there is none."""
        self._markers = () if mat is None else mat.markers

    def read(self, gray: Gray | Sequence[Gray], calibration: Calibration, zone: ZonePlace) -> DiceSeen:
        """Return the dice in and round a tray at rest.

        Args:
            gray: the whole picture, shape (height, width); or several of the same still tray, whose noise is averaged.
            calibration: how the camera sees the mat, in these pictures.
            zone: the tray.
        """
        r = zone.rect
        rect = Rect(r.x - AROUND, r.y - AROUND, r.w + 2 * AROUND, r.h + 2 * AROUND)
        kind = KINDS[zone.sides]
        grays = [gray] if isinstance(gray, np.ndarray) else gray
        flat = straightened(grays[0], calibration, rect)
        for other in grays[1:]:
            flat += straightened(other, calibration, rect)
        flat /= len(grays)
        return self._judged(flat, _Tray(calibration, zone, rect, kind), self._marked(calibration, rect))

    def _judged(self, flat: Floats, tray: _Tray, marked: Sequence[Rect]) -> DiceSeen:
        """Return the dice in a straightened tray; what lies on markers is left out."""
        kind = tray.kind
        found = [(pose, there) for pose, there in kind.find(flat) if not any(r.holds(*pose[:2]) for r in marked)]
        looked = kind.look(flat, [pose for pose, _ in found], [tray.foot(pose) for pose, _ in found])
        each = [tray.die(one, there) for one, (_, there) in zip(looked, found, strict=True)]
        dice = _compatible([die for die in each if die is not None], kind.apart)
        dice = [_doubted(die) if _on_a_side(die, dice) else die for die in dice]
        seen = sorted((die.seen for die in dice), key=lambda die: (die.x, die.y))
        return DiceSeen(tray.zone.name, tuple(seen), _unread(flat, dice, tray.bare()), tray.zone.sides)

    def _marked(self, calibration: Calibration, rect: Rect) -> tuple[Rect, ...]:
        """Return where the markers, which lie on the mat, appear in the plane of tops."""
        if not self._markers:
            return ()
        middles = calibration.to_px([(marker.x, marker.y) for marker in self._markers])
        seen = calibration.to_mm(middles, TOP) - (rect.x, rect.y)
        reach = [marker.size * 0.75 for marker in self._markers]
        return tuple(
            Rect(float(x) - r, float(y) - r, 2 * r, 2 * r) for (x, y), r in zip(seen.tolist(), reach, strict=True)
        )


def _noise(flat: Floats) -> float:
    """Return how much the felt varies from place to place (gray levels)."""
    rough = flat - cv2.GaussianBlur(flat, (0, 0), 0.6 * FINE)
    return float(np.median(np.abs(rough))) * 1.48


def _coarse(fine: Floats) -> Floats:
    """Reduce a straightened picture to a pixel a millimetre."""
    size = (round(fine.shape[1] / FINE), round(fine.shape[0] / FINE))
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)


def _bare(small: Floats) -> Floats:
    """Return how the empty tray would look: its middle's usual tone in smooth light."""
    high, wide = small.shape
    inset = round(AROUND) + 2
    v, u = (grid.ravel().astype(np.float64) for grid in np.mgrid[inset : high - inset : 2, inset : wide - inset : 2])
    levels = small[inset : high - inset : 2, inset : wide - inset : 2].ravel().astype(np.float64)
    columns = _shapes(u / wide * 2 - 1, v / high * 2 - 1)
    found: npt.NDArray[np.float64] = np.zeros(6)
    found[0] = np.median(levels)
    for _ in range(8):
        left = levels - columns @ found
        reach = max(4.0, 2.0 * float(np.median(np.abs(left))))
        weight = 1 / (1 + (left / reach) ** 2) ** 2
        normal = columns.T @ (columns * weight[:, None]) + np.diag([1e-6, 1, 1, 3, 3, 3]) * len(levels) * 0.02
        found = np.asarray(
            np.linalg.solve(normal, columns.T @ (weight * levels) + np.array([1e-6, 0, 0, 0, 0, 0]) * found)
        )
    y, x = np.mgrid[0:high, 0:wide]
    bare = _shapes(x.ravel() / wide * 2 - 1, y.ravel() / high * 2 - 1) @ found
    return np.asarray(bare.reshape(high, wide), np.float32)


def _shapes(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)


def _unread(flat: Floats, dice: list[_Die], within: Points) -> int:
    """Return how many other things lie in the tray, `within` which no printed line is seen: rough areas, or areas
    brighter or darker than the tray.
    """
    small = _coarse(flat)
    soft = cv2.GaussianBlur(flat, (0, 0), 0.28 * FINE)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, x, 1 - x, scale=FINE / 8) for x in (1, 0)]
    steep = _coarse(np.asarray(cv2.magnitude(*slopes), np.float32))
    differs = small - _bare(small)
    there = (differs > max(THING, 6 * _noise(flat))) | (steep > max(THING, 5 * float(np.median(steep))))
    mask = np.where(there, 255, 0).astype(np.uint8)
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, np.round(within * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    mask &= inside
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    for die in dice:
        # Its shadow's rim, and what its edges add, are no thing by themselves.
        outline = np.round(die.whole * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, 0, cv2.LINE_8, 4)
        cv2.polylines(mask, [outline], True, 0, 7, cv2.LINE_8, 4)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    areas = [float(area) for area in stats[1:, cv2.CC_STAT_AREA]]
    return sum(max(1, round(area / _USUAL)) for area in areas if _LEAST <= area <= _MOST)


def _compatible(dice: list[_Die], apart: float) -> list[_Die]:
    """Return the dice that can lie there together, the surest first; one that overlaps a surer one spoils it if it is
    nearly as sure. So does one whose middle is nearer than `apart` sides: it is a part of the same die.
    """
    kept: list[_Die] = []
    for die in sorted(dice, key=lambda die: -die.surely):
        over = [i for i, other in enumerate(kept) if _overlap(die, other) > OVERLAP or _away(die, other) < apart]
        for i in over:
            if die.seen.value is not None and die.surely > RIVAL * kept[i].surely:
                kept[i] = _doubted(kept[i])
        if not over:
            kept.append(die)
    return kept


def _away(one: _Die, other: _Die) -> float:
    """Return how far the middles of two dice are apart, in sides of the smaller one."""
    return math.hypot(one.seen.x - other.seen.x, one.seen.y - other.seen.y) / min(one.seen.side, other.seen.side)


def _doubted(die: _Die) -> _Die:
    """Return a die without the value that it seemed to show."""
    return die._replace(seen=msgspec.structs.replace(die.seen, value=None, why=die.seen.why or "unclear"))


def _on_a_side(die: _Die, dice: Sequence[_Die]) -> bool:
    """Return whether a die may be only the pips on another die's side: its middle is where that one shows its sides.

    Seen from well above, a side is too narrow to look like a top.
    """
    x, y = die.top.mean(axis=0).tolist()
    return die.slant >= SLANTED and any(
        other is not die and cv2.pointPolygonTest(other.whole.astype(np.float32), (x, y), False) > 0 for other in dice
    )


def _overlap(one: _Die, other: _Die) -> float:
    """Return how much of the smaller one's top two dice share."""
    shared, _ = cv2.intersectConvexConvex(one.top.astype(np.float32), other.top.astype(np.float32))
    return float(shared) / min(abs(cv2.contourArea(die.top.astype(np.float32))) for die in (one, other))


def _says(found: Found, there: float, coarse: bool) -> tuple[int | None, str]:
    """Return the value that a top shows, None if it isn't clear, and then why not; `coarse`: in a coarse picture."""
    mean = found.shares.mean(axis=0)
    value = 1 + int(mean[1:LEANS].argmax())
    alone = float((found.shares[:, value] / found.shares[:, 1:LEANS].sum(axis=1)).min())
    hidden, tipped = (HIDDEN_ONE, TIPPED_ONE) if value == 1 else (HIDDEN, TIPPED)
    sure, dim = (SURE_COARSE, DIM_COARSE) if coarse else (SURE, DIM)
    if alone >= sure and mean[NOTHING] <= hidden and mean[LEANS] <= tipped and there >= dim:
        return value, ""
    return None, "leans" if mean[LEANS] > 0.5 else "unclear"


class _Tray:
    """Maps the straightened tray to the mat."""

    def __init__(self, calibration: Calibration, zone: ZonePlace, rect: Rect, kind: Kind) -> None:
        self._calibration, self.zone, self._rect, self.kind = calibration, zone, rect, kind
        self._px_per_mm = calibration.px_per_mm(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def bare(self) -> Points:
        """Return the corners within which the bare tray is seen, clear of its printed edge: it lies lower than tops."""
        r = self.zone.rect
        left, up, right, down = r.x + _EDGE, r.y + _EDGE, r.x + r.w - _EDGE, r.y + r.h - _EDGE
        corners = np.array([(left, up), (right, up), (right, down), (left, down)])
        return self._flat(corners, 0.0) - (self._rect.x, self._rect.y)

    def foot(self, pose: Pose) -> tuple[float, float]:
        """Return where the foot of a die appears from its top's middle, in sizes."""
        corner = np.array([self._rect.x, self._rect.y])
        side = self.kind.side(pose)
        at = self._calibration.to_mm(self._calibration.to_px([np.array(pose[:2]) + corner], TOP), side)
        away = (self._flat(at, 0.0)[0] - corner - pose[:2]) / pose[2]
        return float(away[0]), float(away[1])

    def die(self, found: Found, there: float) -> _Die | None:
        """Return the die that something is the top of; None if it is none."""
        kind, side = self.kind, self.kind.side(found.pose)
        slant = math.hypot(*self.foot(found.pose))
        value, why = kind.says(found, there, self._px_per_mm)
        no_die = there < THERE or kind.absent(found) >= NO_DIE
        if (value is None and no_die) or not kind.smallest <= side <= kind.largest:
            return None
        corner = np.array([self._rect.x, self._rect.y])
        top = kind.top(found.pose)
        rests, widest = kind.stands(self._calibration.to_mm(self._calibration.to_px(top + corner, TOP), side))
        parts = [top, self._flat(rests, 0.0) - corner]
        parts += [self._flat(widest, side / 2) - corner] if len(widest) else []
        whole = np.asarray(cv2.convexHull(np.concatenate(parts).astype(np.float32))[:, 0], np.float64)
        middle = (widest if len(widest) else rests).mean(axis=0)
        r = self.zone.rect
        # An outline may be off by a millimetre.
        inside = [r.x - 1 <= x <= r.x + r.w + 1 and r.y - 1 <= y <= r.y + r.h + 1 for x, y in rests]
        place = "in" if all(inside) else "edge" if any(inside) or r.holds(float(middle[0]), float(middle[1])) else "out"
        seen = DieSeen(
            round(float(middle[0]), 1),
            round(float(middle[1]), 1),
            round(math.degrees(found.pose[3]) % kind.turns, 1),
            round(side, 1),
            value,
            place,
            why,
        )
        surely = there * float(found.shares.mean(axis=0).max())
        return _Die(top, whole, surely, slant, seen)

    def _flat(self, at: Points, z: float) -> Points:
        """Return where points over the mat, at a height, appear in the straightened plane."""
        return self._calibration.to_mm(self._calibration.to_px(at, z), TOP)
