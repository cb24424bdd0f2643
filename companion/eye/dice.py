"""Reads six-sided dice in a tray by the pips on their tops. What does not fit clearly is declined, never guessed.

The tray is pulled straight in the plane of the dice's tops: there a top is a square and its pips are round, whatever
the camera's tilt, while the sides that show are squeezed. Round spots are looked for; what makes a pattern of pips
gives a pose; and then each of the nine places of a face is asked whether there is a pip, and each of the four sides
whether there is an edge. A die counts only if all of that agrees, and if no pip near it is left over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.die_faces import Face, Faces
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.pips import FINE, TOP, Floats, Points, Spot, find_poses, find_spots, flattened
from companion.eye.view import DiceSeen, DieSeen, Gray

AROUND = 28.0
"""Millimetres round the tray in which fallen dice are looked for."""

FIT = {1: 0.82, 2: 0.86, 3: 0.85, 4: 0.85, 5: 0.85, 6: 0.85}
WEAKEST, WEAKEST_BRIGHT, STRAY = 0.6, 0.76, 0.3
"""What a face must have: pips and light explain so much of it, no pip is fainter, nothing else is more like a pip.
A mirrored lamp makes a bright pip sooner than a dark one.
"""

CONTRAST, NOISE = 12.0, 4.0
"""Least contrast of a pip with its face: in gray levels, and as a multiple of the felt's noise."""

EDGES = {1: (0.05, 0.16), 2: (0.06, 0.16), 3: (0.02, 0.10), 4: (0.04, 0.14), 5: (0.0, 0.06), 6: (0.0, 0.06)}
"""How strong the second faintest edge and the mean of all four must be, of a pip's contrast, a millimetre. The fewer
pips, the sooner others, of two dice or of a side, make the same pattern by chance; then the outline has to tell.
"""

OVERLAP = 0.12
"""Two dice may seem to share so much of the smaller one's top; more, and only one of them can be there."""

BARE, BARE_NOISE = 6.0, 1.5
"""A face that differs from the tray by less (gray levels; a multiple of the felt's noise) may be none."""

THING = 12.0
"""What something must differ by from the bare tray, or how steep it must be (gray levels, gray levels a mm)."""

_LEAST, _USUAL, _MOST = 55.0, 300.0, 6000.0
"""Square mm of a thing that can't be read: at least, of a usual die with its sides, and what is light and no thing."""

STOUT = 0.53
"""A pip's radius, in distances of a corner pip along the sides, is less: a row of three on a side makes a thick 3."""

BESIDE = (0.1, 0.2)
"""How strong the edges must be of what lies where another die shows its sides."""

SLANTED, FIT_SLANTED = 0.4, 0.9
"""Dice that lean further than this show sides that look like tops; one with few pips has to fit so well then."""

ASKEW = {1: 0.35, 2: 1.0, 3: 1.0, 4: 0.25, 5: 0.25, 6: 0.25}
"""What may be gained by taking a face as squeezed: more, and its die leans. Two pips, or three in a row, look the same
from the side but for being less round, which is too little to tell.
"""

ALIKE = 0.12
"""Tops of one colour differ in contrast by no more than this share."""

RIVAL, RIVAL_OF_ONE, OUTDONE = 0.75, 0.7, 0.5
"""A face with more pips that explains so much, and overlaps so much of a die's top, makes the die doubtful."""

LEFT = 0.5
"""A spot beside a die, with at least so much of its pips' contrast, must be the pip of another or lie on a side."""


class _Die(NamedTuple):
    """An accepted face: its outline and its sides' in the straightened tray (mm), and its true place on the mat."""

    face: Face
    top: Points
    whole: Points
    seen: DieSeen
    lean: float
    """How far its foot appears from its top, in sides: the tangent of the angle at which it is seen."""


class _Looked(NamedTuple):
    """What was found in a straightened tray: round spots, the possible faces examined, and the noise."""

    spots: tuple[Spot, ...]
    faces: tuple[Face, ...]
    noise: float
    differs: Floats
    """Brightness of every square millimetre above that of the bare tray (gray levels)."""
    steep: Floats
    """Gradient there (gray levels a mm)."""


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
        grays = [gray] if isinstance(gray, np.ndarray) else gray
        return judged(self.look(grays, calibration, rect), _Tray(calibration, zone, rect))

    def look(self, grays: Sequence[Gray], calibration: Calibration, rect: Rect) -> _Looked:
        """Find round spots in a part of the mat, and examine every face that they may belong to."""
        flat = flattened(grays[0], calibration, rect)
        for gray in grays[1:]:
            flat += flattened(gray, calibration, rect)
        flat /= len(grays)
        noise = _noise(flat)
        spots = self._off_markers(find_spots(flat, noise), calibration, rect)
        faces = Faces(flat)
        looked = [faces.look(pose) for pose in find_poses(list(spots))]
        looked += [faces.single(spot) for spot in spots if _isolated(spot, spots)]
        looked = [face._replace(askew=faces.askew(face)) if convincing(face, noise) else face for face in looked]
        return _Looked(spots, tuple(looked), noise, _coarse(flat - _bare(flat)), _coarse(faces.steep()))

    def _off_markers(self, spots: Sequence[Spot], calibration: Calibration, rect: Rect) -> tuple[Spot, ...]:
        """Leave out the spots on markers, which lie on the mat and so appear elsewhere in the plane of tops."""
        if not self._markers:
            return tuple(spots)
        middles = calibration.to_px([(marker.x, marker.y) for marker in self._markers])
        seen = calibration.to_mm(middles, TOP) - (rect.x, rect.y)
        reach = [marker.size * 0.75 for marker in self._markers]
        return tuple(
            spot
            for spot in spots
            if not any(max(abs(spot.x - x), abs(spot.y - y)) < r for (x, y), r in zip(seen, reach, strict=True))
        )


def _noise(flat: Floats) -> float:
    """Return how much the felt varies from place to place (gray levels)."""
    rough = flat - cv2.GaussianBlur(flat, (0, 0), 0.6 * FINE)
    return float(np.median(np.abs(rough))) * 1.48


def _coarse(fine: Floats) -> Floats:
    """Reduce a straightened picture to a pixel a millimetre."""
    size = (round(fine.shape[1] / FINE), round(fine.shape[0] / FINE))
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)


def _bare(flat: Floats) -> Floats:
    """Return how the empty tray would look: its middle's usual tone in smooth light."""
    small = _coarse(flat)
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
    grown = cv2.resize(bare.reshape(high, wide).astype(np.float32), (flat.shape[1], flat.shape[0]))
    return np.asarray(grown, np.float32)


def _shapes(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)


def judged(looked: _Looked, tray: _Tray) -> DiceSeen:
    """Return the dice in a tray: the examined faces that are tops of dice."""
    chosen = _compatible([face for face in looked.faces if convincing(face, looked.noise)])
    dice = [tray.die(face) for face in chosen]
    seen = [
        msgspec.structs.replace(die.seen, value=None, why=_why(die)) if _doubtful(die, dice, looked) else die.seen
        for die in dice
    ]
    return DiceSeen(tray.zone.name, tuple(sorted(seen, key=lambda die: (die.x, die.y))), _unread(looked, tray, dice))


def _unread(looked: _Looked, tray: _Tray, dice: list[_Die]) -> int:
    """Return how many other things lie in the tray: rough areas, or areas brighter than the tray."""
    high, wide = looked.differs.shape
    step = max(THING, 6 * looked.noise)
    rough = max(THING, 5 * float(np.median(looked.steep)))
    there = (looked.differs > step) | (looked.steep > rough)
    mask = np.where(there, 255, 0).astype(np.uint8)
    inside = np.zeros_like(mask)
    inset = round(AROUND) + 3
    inside[inset : high - inset, inset : wide - inset] = 255
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


def convincing(face: Face, noise: float) -> bool:
    """Return whether a face is certain on its own."""
    contrast = abs(face.contrast)
    if face.value != face.pose.value or face.fit < FIT[face.pose.value]:
        return False
    if face.weakest < (WEAKEST if face.contrast < 0 else WEAKEST_BRIGHT) or face.stray > STRAY or face.burnt:
        return False
    if face.pose.value > 1 and face.radius > STOUT * face.pose.apart:
        return False
    second, mean = EDGES[face.pose.value]
    return (
        contrast >= max(CONTRAST, NOISE * noise)
        and sorted(face.edges)[1] >= second * contrast
        and sum(face.edges) / 4 >= mean * contrast
    )


def _isolated(spot: Spot, spots: Sequence[Spot]) -> bool:
    """Return whether a spot may be a one: nothing round it looks like a pip."""
    return not any(
        other is not spot
        and 1.0 < math.hypot(other.x - spot.x, other.y - spot.y) < 5.0
        and abs(other.contrast) > LEFT * abs(spot.contrast)
        for other in spots
    )


def _square(face: Face) -> npt.NDArray[np.float32]:
    c, s = math.cos(face.pose.turn) * face.side / 2, math.sin(face.pose.turn) * face.side / 2
    return np.array([(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)], np.float32) + np.array(
        [face.pose.x, face.pose.y], np.float32
    )


def _compatible(faces: list[Face]) -> list[Face]:
    """Return the compatible faces that explain most: the best of those that overlap."""
    faces = sorted(faces, key=_weight, reverse=True)
    kept: list[Face] = []
    for face in faces:  # the same pattern, found from other spots
        if not any(
            other.value == face.value and math.hypot(other.pose.x - face.pose.x, other.pose.y - face.pose.y) < 2.0
            for other in kept
        ):
            kept.append(face)
    squares = [_square(face) for face in kept]
    against: list[set[int]] = [set() for _ in kept]
    for i, a in enumerate(kept):
        for j in range(i):
            shared, _ = cv2.intersectConvexConvex(squares[i], squares[j])
            if shared > OVERLAP * min(a.side, kept[j].side) ** 2:
                against[i].add(j)
                against[j].add(i)
    chosen: list[int] = []
    left = set(range(len(kept)))
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = set().union(*(against[i] for i in edge)) - group
        left -= group
        chosen += _best(sorted(group), against, kept)
    return [kept[i] for i in chosen]


def _weight(face: Face) -> float:
    """Return the weight of a face: its pips, and its outline as one more."""
    return face.fit * (face.pose.value + min(1.0, sum(face.edges) / 4 / (0.3 * abs(face.contrast))))


def _best(group: list[int], against: list[set[int]], faces: list[Face]) -> list[int]:
    """Return the heaviest set of a group without overlaps; chosen greedily if the group is too large."""
    if not group:
        return []
    first, rest = group[0], group[1:]
    with_it = [first, *_best([i for i in rest if i not in against[first]], against, faces)]
    if len(group) > _MANY or not against[first] & set(rest):
        return with_it
    without = _best(rest, against, faces)
    return max(with_it, without, key=lambda some: sum(_weight(faces[i]) for i in some))


_MANY = 14


class _Tray:
    """Maps the straightened tray to the mat."""

    def __init__(self, calibration: Calibration, zone: ZonePlace, rect: Rect) -> None:
        self._calibration, self.zone, self._rect = calibration, zone, rect

    def die(self, face: Face) -> _Die:
        """Return the die that a face is the top of."""
        corner = np.array([self._rect.x, self._rect.y])
        top = _square(face).astype(np.float64)
        at = self._calibration.to_mm(self._calibration.to_px(top + corner, TOP), face.side)
        base = self._flat(at) - corner
        whole = np.asarray(cv2.convexHull(np.concatenate([top, base]).astype(np.float32))[:, 0], np.float64)
        middle = at.mean(axis=0)
        r = self.zone.rect
        # An outline may be off by a millimetre.
        inside = [r.x - 1 <= x <= r.x + r.w + 1 and r.y - 1 <= y <= r.y + r.h + 1 for x, y in at]
        place = "in" if all(inside) else "edge" if any(inside) or r.holds(float(middle[0]), float(middle[1])) else "out"
        turn = math.degrees(face.pose.turn) % 90
        seen = DieSeen(
            round(float(middle[0]), 1),
            round(float(middle[1]), 1),
            round(turn, 1),
            round(face.side, 1),
            face.value,
            place,
        )
        lean = float(np.linalg.norm(base.mean(axis=0) - top.mean(axis=0))) / face.side
        return _Die(face, top, whole, seen, lean)

    def _flat(self, at: Points) -> Points:
        """Return where points on the mat appear in the straightened plane."""
        return self._calibration.to_mm(self._calibration.to_px(at, 0.0), TOP)


def _why(die: _Die) -> str:
    """Return why a die can't be read: it leans, or something contradicts its value."""
    return "leans" if die.face.askew > ASKEW[die.face.pose.value] else "unclear"


def _doubtful(die: _Die, dice: list[_Die], looked: _Looked) -> bool:
    """Return whether anything contradicts the value that a die seems to show."""
    return (
        die.face.askew > ASKEW[die.face.pose.value]
        or _has_unused_spot(die, dice, looked.spots)
        or _has_rival(die, looked.faces)
        or _on_a_side(die, dice)
        or _is_bare(die, looked)
    )


def _is_bare(die: _Die, looked: _Looked) -> bool:
    """Return whether a face with few pips is no lighter or darker than the tray: a dot of print has no die round it."""
    if die.face.pose.value > 3:
        return False
    mask = np.zeros(looked.differs.shape, np.uint8)
    middle = die.top.mean(axis=0)
    cv2.fillConvexPoly(
        mask, np.round(((die.top - middle) * 0.8 + middle - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4
    )
    levels = looked.differs[mask > 0]
    return len(levels) == 0 or abs(float(np.median(levels))) < max(BARE, BARE_NOISE * looked.noise)


def _on_a_side(die: _Die, dice: list[_Die]) -> bool:
    """Return whether a die may be only the pips on another die's side: it lies where that one shows its sides.

    Seen from well above, a side is too narrow to look like a top, and strong edges are proof enough.
    """
    edges, contrast = die.face.edges, abs(die.face.contrast)
    strong = sorted(edges)[1] >= BESIDE[0] * contrast and sum(edges) / 4 >= BESIDE[1] * contrast
    if strong and die.lean < SLANTED:
        return False
    if die.lean >= SLANTED and die.face.pose.value < 5 and (not strong or die.face.fit < FIT_SLANTED):
        return True
    middle = die.face.pose.x, die.face.pose.y
    reach = -2.0 if die.lean < SLANTED else -4.0
    for other in dice:
        if other is die or cv2.pointPolygonTest(other.whole.astype(np.float32), middle, True) <= reach:
            continue
        # Tops of one colour are alike; a side has another light than the top.
        if not strong or abs(die.face.contrast / other.face.contrast - 1) > ALIKE:
            return True
    return False


def _has_rival(die: _Die, faces: Sequence[Face]) -> bool:
    """Return whether a face with more pips, including these, may lie there, though it is not convincing."""
    square = _square(die.face)
    for face in faces:
        if face.pose.value <= die.face.pose.value or face.fit < (RIVAL_OF_ONE if die.face.pose.value == 1 else RIVAL):
            continue
        if not 0.5 < face.contrast / die.face.contrast < 2:
            continue
        shared, _ = cv2.intersectConvexConvex(square, _square(face))
        if shared > OUTDONE * die.face.side**2:
            return True
    return False


def _has_unused_spot(die: _Die, dice: list[_Die], spots: Sequence[Spot]) -> bool:
    """Return whether an unused spot by a die may be a pip of it, and belongs to no other's top or side."""
    pose, contrast = die.face.pose, die.face.contrast
    for spot in spots:
        away = math.hypot(spot.x - pose.x, spot.y - pose.y)
        if away > die.face.side or spot.contrast / contrast < LEFT or not 0.5 < spot.radius / pose.radius < 2:
            continue
        if not any(cv2.pointPolygonTest(each.whole.astype(np.float32), (spot.x, spot.y), True) > -1.0 for each in dice):
            return True
    return False
