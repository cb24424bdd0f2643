"""The state of one piece: where it lies, where its codes were read, and what those places looked like."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import cv2
import numpy as np

from companion.codes import BACK
from companion.eye.flat import Flat, Floats, Mask, TileSum, Window, overlap, within
from companion.eye.geometry import Points
from companion.eye.mat import Shape
from companion.eye.motion import Times, quiet
from companion.eye.places import Found, Pose
from companion.eye.view import Placement, Sighting

MOVE_MM = 6.0
"""A piece that is found this far from where it lay (or turned by MOVE_DEG) was moved; less is jitter."""

MOVE_DEG = 12.0

SAME_MM = 3.0
"""Two readings of a piece in a row must agree to this many mm before it counts: it lies still."""

RING_MM = 4.0
"""How far round a piece's outline its edge and its thin shadow reach: nothing there is strange."""

_BACK_MM = 12.0

_FAINT = 0.1
"""The share of its contrast that a code still has through the shine of a sleeve, at least."""

SEEN, COVERED, HIDDEN = "seen", "covered", "hidden"
READ, SAME, BARE, UNDER, BESIDE, ELSE = "read", "same", "bare", "under", "beside", "else"


class Look:
    """The result of one look: the flat picture in the old light, and the tiles looked at, at rest.

    `core` tiles could have changed; others are as they were, but for the `moving`. `moved_at` is by tile.
    """

    def __init__(
        self,
        frame: int,
        time: float,
        tiles: Mask,
        core: Mask,
        moving: Mask,
        moved_at: Times,
        picture: Floats,
        bare: Mask,
        mat: Floats,
        known: Mask,
    ) -> None:
        self.frame = frame
        self.time = time
        self.moving = moving
        self.moved_at = moved_at
        self.picture = picture
        self.bare = bare
        self.mat = mat
        self.known = known
        self.core = core
        self._missed = TileSum(~tiles)
        self._core = TileSum(core)

    def quiet(self, window: Window) -> float:
        """Return the seconds since anything moved in a window of tiles."""
        return quiet(self.moved_at, window, self.time)

    def covers(self, window: Window) -> bool:
        """Return whether all of a window of tiles was looked at, at rest, and something may have changed there."""
        return self._core.any(window) and not self._missed.any(window)


class Spot:
    """One code of a piece where it was read: its place in the flat picture, and what it looked like there."""

    __slots__ = ("frame", "look", "mask", "sighting", "status", "tiles", "window")

    def __init__(self, flat: Flat, quad: Points, sighting: Sighting, look: Look) -> None:
        self.window, self.mask = flat.fill(quad)
        self.tiles = flat.tile_window(quad)
        self.read(sighting, look)

    def read(self, sighting: Sighting, look: Look) -> None:
        """Record that the code was read."""
        self.status, self.sighting, self.frame = READ, sighting, look.frame
        self.look = look.picture[self.window].copy()

    def resembles(self, picture: Floats, part: Mask) -> bool:
        """Return whether a part of the place looks as it did when the code was last read (by correlation)."""
        now, then = picture[self.window][part], self.look[part]
        return _alike(now, then) > 0.8 and abs(float(now.mean() - then.mean())) < 40 and not _faint(now, then)

    def recalls(self, picture: Floats, part: Mask) -> bool:
        """Return whether a part of the place still has something of the code's pattern, in whatever light."""
        now, then = picture[self.window][part], self.look[part]
        return _alike(now, then) > 0.45 and not _faint(now, then)

    def traces(self, picture: Floats, mat: Floats, part: Mask) -> bool:
        """Return whether what is left of a place when the bare mat is taken away still has the code's pattern."""
        left = (picture[self.window] - mat[self.window])[part]
        return _alike(left, self.look[part]) > 0.45 and not _faint(left, self.look[part])


class Lying:
    """A place on which a piece lies: which flat pixels it takes up, with more or less room round it."""

    def __init__(self, flat: Flat, outline: Points) -> None:
        self._flat = flat
        self.outline = outline
        self.tiles: Window = flat.tile_window(outline)
        self._fills: dict[float, tuple[Window, Mask]] = {}

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The window that it lies in, and the window of tiles: top, end, left, end of each."""
        return tuple(at for window in (self.fill()[0], self.tiles) for part in window for at in (part.start, part.stop))

    def fill(self, grow: float = 0.0) -> tuple[Window, Mask]:
        """Return the window of the flat picture that it lies in, and the mask of what it takes up there."""
        if grow not in self._fills:
            self._fills[grow] = self._flat.fill(self.outline, grow)
        return self._fills[grow]


class Track:
    """A piece that was found and is followed."""

    def __init__(self, flat: Flat, piece: str, shape: Shape, pose: Pose, order: int, time: float) -> None:
        self._flat = flat
        self.piece = piece
        self.shape = shape
        self.order = order
        self.state = SEEN
        self.doubt = 0
        self.lie(pose, time)

    def lie(self, pose: Pose, time: float) -> None:
        """Set the piece's pose and forget what was known of its codes."""
        self.pose = pose
        self.lies = pose
        """Where it is on the mat: nearer to the camera's foot than it seems if it lies on a pile."""
        self.since = time
        self.spots: dict[int, Spot] = {}
        self.outline = pose.outline(self.shape)
        self.zone: str | None = None
        self.slot: int | None = None
        self.place = Lying(self._flat, self.outline)
        self.window, self.mask = self.place.fill()
        self.tiles = self.place.tiles
        self.patch: Floats = np.zeros((0, 0), dtype=np.float32)
        self.taken = time
        """When what it looks like was taken (seconds)."""
        self._quads: dict[int, Points] = {}
        self._told: Placement | None = None

    def quad(self, index: int) -> Points:
        """Return the corners on the mat (mm) of one of its codes."""
        if index not in self._quads:
            self._quads[index] = self.pose.code_quad(self.shape.codes[index], self.shape)
        return self._quads[index]

    def show(self, index: int, spot: Spot | None) -> None:
        """Record that a code shows at a spot, or (None) that it no longer does."""
        self._told = None
        if spot is None:
            del self.spots[index]
        else:
            self.spots[index] = spot

    @property
    def faces(self) -> frozenset[str]:
        """The faces that show."""
        return frozenset(self.shape.codes[index].face for index in self.spots)

    def placement(self) -> Placement:
        """Return what the table view says about the piece."""
        told = self._told
        if told is None or told.order != self.order:
            x, y, rotation = round(self.lies.x, 1), round(self.lies.y, 1), round(self.lies.rotation, 1) % 360
            told = Placement(self.piece, self.faces, self.zone, self.slot, x, y, rotation, self.order)
            self._told = told
        return told

    def near(self, pose: Pose) -> bool:
        """Return whether a pose is this piece's own, but for jitter."""
        if self.piece == BACK:
            return self.pose.distance(pose) < _BACK_MM and self.pose.turned_by(pose) < 2 * MOVE_DEG
        return self.pose.distance(pose) < MOVE_MM and self.pose.turned_by(pose) < MOVE_DEG

    def holds(self, x: float, y: float, grow: float = 0.0) -> bool:
        """Return whether a point (mm) lies on the piece, made larger by `grow` mm all round."""
        reach = self.shape.w + self.shape.h + 2 * grow
        if abs(x - self.pose.x) > reach or abs(y - self.pose.y) > reach:
            return False
        return inside(x, y, self.pose, self.shape, grow)

    @property
    def may_be_gone(self) -> bool:
        """Whether it is not seen, and nothing that is strange lies where its codes were."""
        return self.state != SEEN and all(spot.status != ELSE for spot in self.spots.values())

    def plain(self, spot: Spot) -> bool:
        """Return whether it is seen by the code at a spot, so that another reading there would say nothing new."""
        return self.state == SEEN and spot.status in (READ, SAME)

    def still_there(self) -> bool:
        """Return whether a piece that is read somewhere else is seen at its old place too."""
        return self.state == SEEN and any(spot.status in (READ, SAME) for spot in self.spots.values())


class Candidate:
    """A piece that was read once; a second reading at the same place makes it count."""

    def __init__(self, flat: Flat, found: Found, shape: Shape, frame: int, time: float) -> None:
        self.found = found
        self.shape = shape
        self.first = frame
        self.time = time
        self._flat = flat

    @cached_property
    def place(self) -> Lying:
        """Where it lies."""
        return Lying(self._flat, self.found.pose.outline(self.shape))

    def fits(self, found: Found) -> bool:
        """Return whether another reading is of the same piece at the same place."""
        pose = self.found.pose
        return (
            found.piece == self.found.piece
            and pose.distance(found.pose) < SAME_MM
            and pose.turned_by(found.pose) < MOVE_DEG
        )


class Near:
    """Index of the pieces by where they lie in the flat picture."""

    REACH = 14
    """Flat pixels that what lies there may be grown by; a fill with more room round it may be missed."""

    def __init__(self, entries: Iterable[Track | Candidate]) -> None:
        self._entries = list(entries)
        every = np.array([entry.place.sides for entry in self._entries], dtype=np.int32).reshape(-1, 8).T
        self._sides, self._tiles = every[:4], every[4:]
        self._sides[0::2] -= self.REACH
        self._sides[1::2] += self.REACH

    def reaching(self, tiles: TileSum) -> list[Track | Candidate]:
        """Return the pieces that reach into some tiles."""
        return [self._entries[number] for number in tiles.which(self._tiles)]

    def to(self, window: Window) -> list[Track | Candidate]:
        """Return the pieces that reach into a window."""
        y, x = window
        top, low, left, right = self._sides
        near = (top < y.stop) & (low > y.start) & (left < x.stop) & (right > x.start)
        return [self._entries[number] for number in np.flatnonzero(near).tolist()]


def _alike(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 0 else 0.0


def _faint(now: Floats, then: Floats) -> bool:
    """Return whether so little contrast is left that a likeness is chance: bare mat is never quite even."""
    return bool(now.std() < _FAINT * then.std())


def inside(x: float, y: float, pose: Pose, shape: Shape, grow: float = 0.0) -> bool:
    """Return whether a point (mm) lies on a piece at a pose, made larger by `grow` mm all round."""
    a = np.radians(pose.rotation)
    dx, dy = x - pose.x, y - pose.y
    u, v = dx * np.cos(a) + dy * np.sin(a), dy * np.cos(a) - dx * np.sin(a)
    return bool(abs(u) < shape.w / 2 + grow and abs(v) < shape.h / 2 + grow)


def add_part(track: Track, window: Window, to: Mask, picture: Floats | None = None) -> None:
    """Set in the mask of a window where a piece lies; with a picture, only where it looks as the piece does."""
    common = overlap(window, track.window)
    if common is None:
        return
    own = within(common, track.window)
    part = track.mask[own]
    if picture is not None:
        part = part & (cv2.absdiff(picture[common], track.patch[own]) < 30)
    to[within(common, window)] |= part
