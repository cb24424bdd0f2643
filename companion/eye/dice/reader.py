"""Reads the dice in a tray by what their tops show. What is not clear is declined, never guessed.

The tray is pulled straight in the plane of the dice's tops, where a top is a square whatever the camera's tilt. Two
small networks look at it: one finds tops, the other reads them in four turns. A value counts only if it is sure in
every turn, and nothing else seems to be in the same place. A tray has dice of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.dice.nets import FOUND, Floats, Found, Pose
from companion.eye.dice.sets import DiceSet, Look
from companion.eye.dice.six_sided import SixSidedKind
from companion.eye.dice.straight import AROUND, FINE, TOP, straightened
from companion.eye.dice.ten_sided import TenSidedKind
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.view import DiceSeen, DieSeen, Gray, ThingSeen, Unread

Points = npt.NDArray[np.floating]

NO_DIE = 0.25
"""How surely nothing can be read of what is no die, at least: it counts among the things that lie in the tray."""

THERE = 0.5
"""How surely a top must be found for the die to count as one that can't be read."""

NEAR = 0.3
"""How far (sizes) a top may be from where it was seen at first."""

MOST_LOOKS = 8
"""How often a tray is looked at once more for dice of a known look, at most: the surest places first."""

OFF = 0.06
"""How much (logarithm) a top may seem larger or smaller than a known size that was held."""

SAME = 0.2
"""Two looks that show the same value are at one die if their middles are not further apart, in sides."""

OVERLAP = 0.2
"""Two dice may seem to share so much of the smaller one's top; more, and only one of them can be there."""

RIVAL = 0.8
"""A die is doubted if another, found with so much of its sureness, seems to lie in the same place."""

SURELY_FOUND = 0.6
"""What is found so surely is one die; what is found less surely may be made up of the halves of two that touch."""

ASTRIDE = 0.35
"""How far (sides) the middle of such a half's die is from what it makes up, at least: nearer, and both are one die."""

SLANTED = 0.6
"""Dice that are seen further aslant than this show sides that look like tops."""

FAR_ASLANT, TOO_FAR = 0.85, 1.0
"""Beyond the first slant a die's sides seem as wide as its top; beyond the second they seem larger: none is read."""

SIDE_OFF = 0.14
"""How far (sides) a side that looks like a top may be measured too far from its die's top."""

BESIDE = 0.95
"""Sides by which the middles of two dice beside each other are apart at least; less than 1, as they are measured."""

THING = 12.0
"""How much paler than the bare tray something must be, or how steep (gray levels, gray levels a mm)."""

_EDGE = 3.0
"""Millimetres from a tray's limit within which its edge may be printed."""

_THIN = 8.0
"""Millimetres that each side of a die is wider than; a printed line, or a small word, is thinner."""

_LEAST, _MOST = 55.0, 6000.0
"""Square mm of a thing that can't be read: at least, and at most; more is light and no thing."""


class _Die(NamedTuple):
    """A die: its outline and its sides' in the straightened tray (mm), how surely it is there, its place on the mat."""

    top: Points
    whole: Points
    surely: float
    slant: float
    """How far its foot appears from its top, in sides: the tangent of the angle at which it is seen."""
    size: float
    """Its top's size (mm)."""
    seen: DieSeen


class Kind(Protocol):
    """A kind of die, as the reader needs it: how its tops are found and read, and its shape.

    Tops that are found with `faint` or more are looked at for a die of a known size. `turns` are the degrees after
    which it looks the same; two middles nearer than `apart` sides are the same die's.
    """

    smallest: float
    largest: float
    faint: float
    turns: float
    apart: float

    def find(self, flat: Floats, least: float) -> list[tuple[Pose, float]]:
        """Return where tops may be, and how surely, at least `least`."""

    def look(self, flat: Floats, poses: list[Pose], feet: list[tuple[float, float]], held: bool = False) -> list[Found]:
        """Return what tops show; `feet` says where their feet are seen, in sizes; sizes may be `held`."""

    def side(self, pose: Pose) -> float:
        """Return a die's side (mm)."""

    def top(self, pose: Pose) -> Points:
        """Return a top's corners, in the straightened tray (mm)."""

    def stands(self, top: Points) -> tuple[Points, Points]:
        """Return where the face that a die rests on is, and its widest part, from its top's corners on the mat (mm)."""

    def absent(self, found: Found) -> float:
        """Return how surely nothing can be read there."""

    def is_part(self, flat: Floats, found: Found, there: float, foot: Callable[[Pose], tuple[float, float]]) -> bool:
        """Return whether something is part of a larger die, found `there` so surely; `foot` gives a pose's foot."""

    def says(self, found: Found, there: float, px_per_mm: float, slant: float) -> tuple[int | None, Unread | None]:
        """Return the value of a top, or None and why not; `slant` is the tangent of the angle at which it is seen."""

    def says_of_known(self, found: Found, first: Found | None, px_per_mm: float) -> int | None:
        """Return the value of a top whose look is known; `first` is what was seen there before its size was held."""


KINDS: dict[int, Kind] = {6: SixSidedKind(), 10: TenSidedKind()}
"""The kinds of dice that are read, by their sides."""


class DiceReader:
    """Reads the dice in trays. The mat's markers are never taken for dice."""

    def __init__(self, mat: Mat | None = None) -> None:
        """Create it for a mat whose markers may be near a tray; None if there is none."""
        self._markers = () if mat is None else mat.markers

    def read(
        self, gray: Gray | Sequence[Gray], calibration: Calibration, zone: ZonePlace, known: DiceSet | None = None
    ) -> DiceSeen:
        """Return the dice in and round a tray, `zone`, at rest, in a picture, shape (h, w), or the mean of several of
        it.

        `calibration` says how the camera saw the mat; `known` dice, if given, learn from what is read.
        """
        r = zone.rect
        rect = Rect(r.x - AROUND, r.y - AROUND, r.w + 2 * AROUND, r.h + 2 * AROUND)
        kind = KINDS[zone.sides]
        grays = [gray] if isinstance(gray, np.ndarray) else gray
        flat = straightened(grays[0], calibration, rect)
        for other in grays[1:]:
            flat += straightened(other, calibration, rect)
        flat /= len(grays)
        return self._judged(flat, _Tray(calibration, zone, rect, kind), self._marked(calibration, rect), known)

    def _judged(self, flat: Floats, tray: _Tray, marked: Sequence[Rect], known: DiceSet | None = None) -> DiceSeen:
        """Return the dice in a straightened tray; what lies on markers is left out."""
        kind, small = tray.kind, _coarse(flat)
        bare = _bare(small)
        sizes = [] if known is None else known.sizes()
        peaks = kind.find(flat, kind.faint if sizes else FOUND)
        peaks = [(pose, there) for pose, there in peaks if not any(r.holds(*pose[:2]) for r in marked)]
        found = [(pose, there) for pose, there in peaks if there >= FOUND]
        looked = kind.look(flat, [pose for pose, _ in found], [tray.foot(pose) for pose, _ in found])
        each = [tray.read(flat, one, there) for one, (_, there) in zip(looked, found, strict=True)]
        dice = _compatible([die for die in each if die is not None], kind.apart)
        dim = [tray.dim(one) for one, die in zip(looked, each, strict=True) if die is None]
        may_be = [*dice, *(die for die in dim if die is not None)]
        dice = [_doubted(die) if _on_a_side(die, may_be) or _astride(die, may_be) else die for die in dice]
        dice = [die for die in dice if not _is_a_side(die, dice)]
        if known is not None:
            seen = _Seen(peaks, looked, [die for die in dice if die.seen.value is not None], sizes)
            tone = partial(_tone, small, bare)
            dice = _with(dice, _of_known(flat, tray, seen, tone, known), kind.apart)
            known.learn(_look(die, tone(die)) for die in seen.sure)
        read = tuple(sorted((die.seen for die in dice), key=lambda die: (die.x, die.y)))
        things = tuple(tray.thing(*one) for one in _unread(flat, small - bare, dice, tray.bare()))
        return DiceSeen(tray.zone.name, read, things, tray.zone.sides)

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
    rough = flat - cv2.GaussianBlur(flat, (0, 0), 0.6 * FINE)
    return float(np.median(np.abs(rough))) * 1.48


def _coarse(fine: Floats) -> Floats:
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


def _unread(flat: Floats, differs: Floats, dice: list[_Die], within: Points) -> Iterator[tuple[Rect, float]]:
    """Yield the other things in the tray, `within` which its printed edge isn't seen: areas rough or paler than the
    bare tray. Each is the rectangle round it (mm in the straightened tray) and its area (mm²).
    """
    soft = cv2.GaussianBlur(flat, (0, 0), 0.28 * FINE)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, x, 1 - x, scale=FINE / 8) for x in (1, 0)]
    steep = _coarse(np.asarray(cv2.magnitude(*slopes), np.float32))
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
    for x, y, wide, high, area in stats[1:].tolist():
        if _LEAST <= area <= _MOST and min(wide, high) >= _THIN:
            yield Rect(x, y, wide, high), area


def _compatible(dice: list[_Die], apart: float) -> list[_Die]:
    """Return the dice that can lie there together, the surest first.

    One that overlaps a surer one, or whose middle is nearer than `apart` sides, spoils it if it is nearly as sure.
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


class _Seen(NamedTuple):
    """What was seen of a tray at first: where tops may be, what they show, and the dice that were read."""

    peaks: list[tuple[Pose, float]]
    looked: list[Found]
    sure: list[_Die]
    sizes: list[float]
    """The tops' sizes that are known."""


def _of_known(flat: Floats, tray: _Tray, seen: _Seen, tone: Callable[[_Die], float], known: DiceSet) -> list[_Die]:
    """Return dice of a known look where none was read: known sizes are looked at again, and known tones need less."""
    kind = tray.kind
    tried = [
        ((x, y, size, turn), surely)
        for (x, y, _, turn), surely in seen.peaks
        for size in seen.sizes
        if all(_clear((x, y), size, die) for die in seen.sure)
    ][:MOST_LOOKS]
    poses = [pose for pose, _ in tried]
    looked = kind.look(flat, poses, [tray.foot(pose) for pose in poses], held=True)
    dice: list[_Die] = []
    for found, (_, surely) in zip(looked, tried, strict=True):
        first = min(seen.looked, key=lambda one: math.dist(one.pose[:2], found.pose[:2]), default=None)
        if first is not None and math.dist(first.pose[:2], found.pose[:2]) > NEAR * found.pose[2]:
            first = None
        value = None if abs(found.larger) > OFF else tray.says_of_known(found, first)
        die = None if value is None else tray.die(found, surely, value)
        if die is not None and known.knows(found.pose[2], tone(die)) and not any(_same(die, other) for other in dice):
            dice.append(die)
    dice = [die for die in dice if die.slant < TOO_FAR]
    return [die for die in _compatible(dice, kind.apart) if not _on_a_side(die, [*seen.sure, *dice])]


def _same(one: _Die, other: _Die) -> bool:
    return one.seen.value == other.seen.value and _away(one, other) < SAME


def _clear(at: tuple[float, float], size: float, die: _Die) -> bool:
    """Return whether the middle of a top of a size is off a die's top."""
    x, y = die.top.mean(axis=0).tolist()
    return math.dist(at, (x, y)) > 0.45 * size


def _with(dice: list[_Die], more: list[_Die], apart: float) -> list[_Die]:
    """Return dice, and more of them in the place of those that couldn't be read; none where one was."""
    for one in more:
        over = [_overlap(one, die) > OVERLAP or _away(one, die) < apart for die in dice]
        taken = any(hides and die.seen.value is not None for hides, die in zip(over, dice, strict=True))
        if one.seen.value is not None and not taken:
            dice = [one, *(die for hides, die in zip(over, dice, strict=True) if not hides)]
    return dice


def _tone(small: Floats, bare: Floats, die: _Die) -> float:
    """Return how much brighter (logarithm) a die's top is than the tray."""
    middle = die.top.mean(axis=0)
    inner = np.round((middle + (die.top - middle) * 0.8) * 16).astype(np.int32)
    mask: npt.NDArray[np.uint8] = np.zeros(small.shape, np.uint8)
    cv2.fillConvexPoly(mask, inner, 255, cv2.LINE_8, 4)
    here = mask > 0
    return math.log((float(np.median(small[here])) + 8) / (float(bare[here].mean()) + 8)) if here.any() else 0.0


def _away(one: _Die, other: _Die) -> float:
    return math.hypot(one.seen.x - other.seen.x, one.seen.y - other.seen.y) / min(one.seen.side, other.seen.side)


def _look(die: _Die, tone: float) -> Look:
    return Look(die.size, tone, die.seen.x, die.seen.y, die.seen.value or 0)


def _doubted(die: _Die) -> _Die:
    return die._replace(seen=msgspec.structs.replace(die.seen, value=None, why=die.seen.why or Unread.UNCLEAR))


def _is_a_side(die: _Die, dice: Sequence[_Die]) -> bool:
    """Return whether what can't be read is the side of a die that is read: no other die could stand so near to that."""
    x, y = die.top.mean(axis=0).tolist()
    return die.seen.value is None and any(
        other.seen.value is not None
        and math.dist((die.seen.x, die.seen.y), (other.seen.x, other.seen.y)) < BESIDE * other.seen.side
        and cv2.pointPolygonTest(other.whole.astype(np.float32), (x, y), False) > 0
        for other in dice
    )


def _on_a_side(die: _Die, dice: Sequence[_Die]) -> bool:
    """Return whether a die may be only the pips on another die's side: its middle is where that one shows its sides."""
    x, y = die.top.mean(axis=0).tolist()
    return die.slant >= SLANTED and any(
        other is not die
        and (die.slant >= FAR_ASLANT or _away(die, other) < (1 + die.slant) / 2 + SIDE_OFF)
        and cv2.pointPolygonTest(other.whole.astype(np.float32), (x, y), False) > 0
        for other in dice
    )


def _astride(die: _Die, dice: Sequence[_Die]) -> bool:
    """Return whether a die may be made up of the halves of two, one of which is among `dice`."""
    return die.surely < SURELY_FOUND and any(
        _away(die, other) > ASTRIDE and _overlap(die, other) > OVERLAP for other in dice
    )


def _overlap(one: _Die, other: _Die) -> float:
    shared, _ = cv2.intersectConvexConvex(one.top.astype(np.float32), other.top.astype(np.float32))
    return float(shared) / min(abs(cv2.contourArea(die.top.astype(np.float32))) for die in (one, other))


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

    def says_of_known(self, found: Found, first: Found | None) -> int | None:
        """Return the value of a top whose look is known; `first` is what was seen there before its size was held."""
        return self.kind.says_of_known(found, first, self._px_per_mm)

    def read(self, flat: Floats, found: Found, there: float) -> _Die | None:
        """Return the die of a top, in doubt if it may be part of a larger one; None if it is none."""
        die = self.die(found, there)
        if die is None or die.seen.value is None:
            return die
        return _doubted(die) if self.kind.is_part(flat, found, there, self.foot) else die

    def die(self, found: Found, there: float, known: int | None = None) -> _Die | None:
        """Return the die that something is the top of; None if it is none. Its value may be `known`."""
        kind, side = self.kind, self.kind.side(found.pose)
        slant = math.hypot(*self.foot(found.pose))
        value, why = kind.says(found, there, self._px_per_mm, slant) if known is None else (known, None)
        if known is None and slant >= TOO_FAR:
            value, why = None, why or Unread.UNCLEAR
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
        return _Die(top, whole, surely, slant, found.pose[2], seen)

    def dim(self, found: Found) -> _Die | None:
        """Return the die that would be read there, surely found, from above and in even light; None if none would."""
        value, _ = self.kind.says(found._replace(wiped=0.0), 1.0, math.inf, 0.0)
        return None if value is None else self.die(found, 0.0, value)

    def thing(self, around: Rect, area: float) -> ThingSeen:
        """Return what can't be read, from the rectangle round it (mm in the straightened tray) and its area (mm²)."""
        corners = np.array([(around.x, around.y), (around.x + around.w, around.y + around.h)])
        seen = self._calibration.to_px(corners + (self._rect.x, self._rect.y), TOP)
        (left, up), (right, down) = np.round(self._calibration.to_mm(seen, 0.0), 1).tolist()
        return ThingSeen(left, up, round(right - left, 1), round(down - up, 1), area)

    def _flat(self, at: Points, z: float) -> Points:
        """Return where points over the mat, at a height, appear in the straightened plane."""
        return self._calibration.to_mm(self._calibration.to_px(at, z), TOP)
