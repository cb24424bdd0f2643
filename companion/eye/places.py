"""From codes to pieces: which pose of which piece explains the codes that were read."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import numpy as np

from companion.codes import BACK, Code, parse
from companion.eye.geometry import Calibration, Points
from companion.eye.mat import CodePlace, Mat, Rect, Shape
from companion.eye.reader import quad
from companion.eye.view import Sighting
from companion.text import t

TOGETHER_MM = 10.0
"""Codes whose poses of the piece agree to this many mm (and 15 degrees) belong to one piece."""

TOGETHER_DEG = 15.0

THICK_MM = 0.3
"""Thickness of a card; in a sleeve about 0.5."""

_OFF_MM = 0.35
"""By how much the distance between two codes of a card is read wrongly (standard deviation)."""

_SURELY = 3.0
"""Standard deviations of height from which a card is said to be raised where no pile is known."""

_LAID_MM = 12.0
"""How far from a pile's middle its top card lies (standard deviation)."""


class CodeBook(msgspec.Struct, frozen=True):
    """The codes that can exist: the deck's two letters, each piece's shape (backs: `companion.codes.BACK`) and name."""

    letters: str
    shapes: Mapping[str, Shape]
    names: Mapping[str, str] = {}

    def words(self, piece: str) -> str:
        """Return a piece's name for people."""
        return self.names.get(piece, t("a card back") if piece == BACK else t("card {piece}", piece=piece))

    def payloads_by_size(self) -> dict[float, frozenset[str]]:
        """Return every payload that this deck can show, by the side of its code (mm)."""
        found: dict[float, set[str]] = {}
        for piece, shape in self.shapes.items():
            for place in shape.codes:
                found.setdefault(place.size, set()).add(str(Code(self.letters, piece, place.face)))
        return {size: frozenset(payloads) for size, payloads in found.items()}

    def payloads(self) -> frozenset[str]:
        """Return every payload that this deck can show."""
        return frozenset(
            str(Code(self.letters, piece, place.face)) for piece, shape in self.shapes.items() for place in shape.codes
        )


class Pose(msgspec.Struct, frozen=True):
    """Pose of a piece: its centre (mm) and rotation (degrees clockwise, 0 up to 360)."""

    x: float
    y: float
    rotation: float

    def distance(self, other: Pose) -> float:
        """Return the distance of the centres (mm)."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def turned_by(self, other: Pose) -> float:
        """Return the angle between the two, 0 to 180 degrees."""
        return angle_between(self.rotation, other.rotation)

    def point(self, x: float, y: float, shape: Shape) -> tuple[float, float]:
        """Map a point of the face (mm from its top left corner) to the mat."""
        return _point(self.x, self.y, self.rotation, x - shape.w / 2, y - shape.h / 2)

    def outline(self, shape: Shape) -> Points:
        """Return the piece's four corners on the mat (mm), top left as printed first, then clockwise; read-only."""
        return _outline(self.x, self.y, self.rotation, shape.w, shape.h)

    def bounds(self, shape: Shape) -> tuple[float, float, float, float]:
        """Return the piece's bounds on the mat (mm): left, top, right, low."""
        return _bounds(self.x, self.y, self.rotation, shape.w, shape.h)

    def code_quad(self, place: CodePlace, shape: Shape) -> Points:
        """Return the four corners on the mat (mm) of a code printed on the piece."""
        a, h = math.radians(place.rotation), place.size / 2
        return np.array(
            [
                self.point(
                    place.x + u * math.cos(a) - v * math.sin(a), place.y + u * math.sin(a) + v * math.cos(a), shape
                )
                for u, v in ((-h, -h), (h, -h), (h, h), (-h, h))
            ]
        )


def _point(x: float, y: float, rotation: float, right: float, down: float) -> tuple[float, float]:
    """Return where a point lies that is so far to the right of and below a piece's centre, as printed (mm)."""
    a = math.radians(rotation)
    return x + right * math.cos(a) - down * math.sin(a), y + right * math.sin(a) + down * math.cos(a)


# A look asks for the outlines of all pieces again and again.
@functools.lru_cache(1024)
def _outline(x: float, y: float, rotation: float, w: float, h: float) -> Points:
    offsets = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    corners = np.array([_point(x, y, rotation, *offset) for offset in offsets])
    corners.flags.writeable = False
    return corners


@functools.lru_cache(1024)
def _bounds(x: float, y: float, rotation: float, w: float, h: float) -> tuple[float, float, float, float]:
    corners = _outline(x, y, rotation, w, h)
    (left, top), (right, low) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, top, right, low


class Pile(msgspec.Struct, frozen=True):
    """A pile that is known to be there: its zone's rectangle, and how high (mm) its top card lies."""

    rect: Rect
    height: float


def known_piles(mat: Mat, cards: Mapping[str, int], thick: float = THICK_MM) -> tuple[Pile, ...]:
    """Return a mat's piles from the number of cards in each zone (by name); zones of other kinds count for nothing."""
    return tuple(
        Pile(zone.rect, (cards[zone.name] - 1) * thick)
        for zone in mat.zones
        if zone.kind == "pile" and cards.get(zone.name, 0) > 1
    )


class Found(msgspec.Struct, frozen=True):
    """A piece found in one look, and its codes read, by number in its shape; `pose` is where it appears in the mat's
    plane.

    `lies` is its true place: the top of a pile, `height` mm above the mat, is nearer to the camera's foot.
    """

    piece: str
    pose: Pose
    codes: dict[int, Sighting]
    height: float
    lies: Pose


class Stray(msgspec.Struct, frozen=True):
    """A code that is none of this deck: where it is (mm), and the deck's letters if it is a code of ours at all."""

    payload: str
    x: float
    y: float
    code: Code | None


def angle_between(a: float, b: float) -> float:
    """Return the angle between two directions, 0 to 180 degrees."""
    return abs((a - b + 180) % 360 - 180)


class _Vote(msgspec.Struct, frozen=True):
    sighting: int
    place: int
    pose: Pose


def code_poses(
    sightings: Sequence[Sighting], calibration: Calibration, z: float = 0.0
) -> list[tuple[float, float, float, float]]:
    """Return codes' centres (mm), rotations (degrees) and side lengths (mm) on the mat, or `z` mm above it."""
    if not sightings:
        return []
    corners = calibration.to_mm(np.concatenate([quad(seen) for seen in sightings]), z).reshape(-1, 4, 2)
    across = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    turns = np.degrees(np.arctan2(across[:, 1], across[:, 0])) % 360
    along = corners - corners[:, (1, 2, 3, 0)]
    sides = np.hypot(along[..., 0], along[..., 1]).sum(axis=1) / 4
    x, y = (corners.sum(axis=1) / 4).T.tolist()
    return list(zip(x, y, turns.tolist(), sides.tolist(), strict=True))


def _votes(number: int, at: tuple[float, float, float, float], face: str, shape: Shape) -> list[_Vote]:
    x, y, rotation, side = at
    votes = []
    for index, place in enumerate(shape.codes):
        if place.face != face or not 0.5 < side / place.size < 1.6:
            continue
        votes.append(_Vote(number, index, _pose(x, y, rotation, place, shape)))
    return votes


def _pose(x: float, y: float, rotation: float, place: CodePlace, shape: Shape) -> Pose:
    turn = (rotation - place.rotation) % 360
    a = math.radians(turn)
    u, v = shape.w / 2 - place.x, shape.h / 2 - place.y
    return Pose(x + u * math.cos(a) - v * math.sin(a), y + u * math.sin(a) + v * math.cos(a), turn)


def _mean(poses: Sequence[Pose]) -> Pose:
    n = len(poses)
    c = sum(math.cos(math.radians(p.rotation)) for p in poses)
    s = sum(math.sin(math.radians(p.rotation)) for p in poses)
    return Pose(sum(p.x for p in poses) / n, sum(p.y for p in poses) / n, math.degrees(math.atan2(s, c)) % 360)


def _group(votes: list[_Vote], prefer: Callable[[Pose], float]) -> list[list[_Vote]]:
    """Group votes, most first; of equals nearest the rotation preferred there. Every sighting counts once."""
    groups: list[tuple[int, float, list[_Vote]]] = []
    for seed in votes:
        group = {seed.place: seed}
        for other in votes:
            if (
                other.sighting != seed.sighting
                and other.place not in group
                and abs(seed.pose.x - other.pose.x) < TOGETHER_MM
                and seed.pose.distance(other.pose) < TOGETHER_MM
                and seed.pose.turned_by(other.pose) < TOGETHER_DEG
            ):
                group[other.place] = other
        off = angle_between(seed.pose.rotation, prefer(seed.pose))
        groups.append((-len(group), off, list(group.values())))
    groups.sort(key=lambda entry: entry[:2])
    used: set[int] = set()
    chosen = []
    for _, _, group_votes in groups:
        left = [vote for vote in group_votes if vote.sighting not in used]
        if left and len(left) == len(group_votes):
            chosen.append(left)
            used |= {vote.sighting for vote in left}
    # What only agreed with sightings that another group has taken stands alone.
    for _, _, group_votes in groups:
        seed = group_votes[0]
        if seed.sighting not in used:
            chosen.append([seed])
            used.add(seed.sighting)
    return chosen


def _lies(codes: Mapping[int, Sighting], shape: Shape, calibration: Calibration, z: float) -> Pose:
    at = code_poses(tuple(codes.values()), calibration, z)
    return _mean([_pose(*corners[:3], shape.codes[index], shape) for index, corners in zip(codes, at, strict=True)])


def measured_height(
    at: Mapping[int, tuple[float, float]], shape: Shape, calibration: Calibration
) -> tuple[float, float] | None:
    """Return a piece's height (mm) and its standard deviation, from where its codes' centres appear on the mat (mm).

    None if fewer than two codes were read or the camera's place is unknown.
    """
    camera, unsure = calibration.camera_mm(), calibration.camera_error_mm()
    if len(at) < 2 or camera is None or unsure is None:
        return None
    printed = {index: (shape.codes[index].x, shape.codes[index].y) for index in at}
    true, a, b = max((math.dist(printed[a], printed[b]), a, b) for a in at for b in at if a < b)
    seen = math.dist(at[a], at[b])
    if true < 5 or seen < 5:
        return None
    high = camera[2] * (1 - true / seen)
    return high, math.hypot(camera[2] * _OFF_MM / true, high * unsure[2] / camera[2])


def _height(
    codes: Mapping[int, Sighting],
    at: Mapping[int, tuple[float, float]],
    shape: Shape,
    calibration: Calibration,
    piles: Sequence[Pile],
) -> float:
    """Return how high a piece lies (mm): on the mat, on one of the piles, or elsewhere if its codes leave no doubt."""
    if calibration.camera_mm() is None:
        return 0.0
    measured = measured_height(at, shape, calibration)

    def doubt(height: float) -> float:
        return ((measured[0] - height) / measured[1]) ** 2 if measured else 0.0

    # A card beside every pile's middle may lie anywhere: that counts as much as one that lies off by two deviations.
    options = [(doubt(0.0) + 4.0, 0.0)]
    for pile in piles:
        pose = _lies(codes, shape, calibration, pile.height)
        if pile.rect.holds(pose.x, pose.y):
            x, y = pile.rect.centre
            options.append((doubt(pile.height) + (math.hypot(pose.x - x, pose.y - y) / _LAID_MM) ** 2, pile.height))
    cost, height = min(options)
    if measured and len(options) == 1 and _SURELY * measured[1] < measured[0] < 60 and cost > _SURELY**2:
        return measured[0]
    return height


def find_pieces(
    sightings: Iterable[Sighting],
    book: CodeBook,
    calibration: Calibration,
    prefer: Callable[[str, Pose], float] = lambda piece, pose: 0.0,
    piles: Sequence[Pile] = (),
) -> tuple[list[Found], list[Stray]]:
    """Return the pieces found and the stray codes; `piles` are the known ones (see `known_piles`).

    Several codes of one card make one piece; a card's front can only be found once at one place, backs as often as they
    lie there. A card that looks the same upside down has two poses that explain it: `prefer(piece, pose)` gives the
    rotation that is likelier there.
    """
    found: list[Found] = []
    strays: list[Stray] = []
    votes: dict[str, list[_Vote]] = {}
    sightings = list(sightings)
    poses = code_poses(sightings, calibration)
    for number, (seen, at) in enumerate(zip(sightings, poses, strict=True)):
        code = parse(seen.payload)
        if code is None or code.game != book.letters or code.piece not in book.shapes:
            strays.append(Stray(seen.payload, at[0], at[1], code))
            continue
        votes.setdefault(code.piece, []).extend(_votes(number, at, code.face, book.shapes[code.piece]))
    for piece, cast in votes.items():
        for group in _group(cast, functools.partial(prefer, piece)):
            codes = {vote.place: sightings[vote.sighting] for vote in group}
            shape, pose = book.shapes[piece], _mean([vote.pose for vote in group])
            centres = {vote.place: poses[vote.sighting][:2] for vote in group}
            height = _height(codes, centres, shape, calibration, piles)
            lies = _lies(codes, shape, calibration, height) if height else pose
            found.append(Found(piece, pose, codes, height, lies))
    return found, strays
