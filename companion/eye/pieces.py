"""The pieces on the mat, and what the eye knows about each: seen, covered by something, or hidden under a card.

A piece is only taken away when its place is seen without it: each of its codes that was ever read is now bare mat, or
part of a card that was laid on it later. A code that is merely not read (glare, blur, a hand) removes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from companion.codes import BACK
from companion.eye.geometry import Points
from companion.eye.mat import Mat, Shape
from companion.eye.motion import Motion
from companion.eye.places import CodeBook, Found, Pose, Stray
from companion.eye.scene import Flat, Floats, Mask, Window
from companion.eye.view import Placement, Sighting

MOVE_MM = 6.0
"""A piece that is found this far from where it lay (or turned by MOVE_DEG) was moved; less is jitter."""

MOVE_DEG = 12.0

_SAME_MM = 3.0
"""Two readings of a piece in a row must agree to this many mm before it counts: it lies still."""

_BACK_MM = 12.0
_BACKS_REMEMBERED = 24
_FEW = 20
"""Flat pixels (80 mm²) of a code's place that must show to judge it by its look."""

_GONE_AFTER = 0.3
"""Seconds that a place must have been at rest before a piece is said to be gone from it."""

SEEN, COVERED, HIDDEN = "seen", "covered", "hidden"
READ, SAME, BARE, UNDER, BESIDE, ELSE = "read", "same", "bare", "under", "beside", "else"


class Spot:
    """One code of a piece where it was read: its place in the flat picture, and what it looked like there."""

    __slots__ = ("frame", "look", "mask", "sighting", "status", "tiles", "window")

    def __init__(self, flat: Flat, quad: Points, sighting: Sighting, look: Look) -> None:
        self.window, self.mask = flat.fill(quad)
        self.tiles = flat.tile_window(quad)
        self.read(sighting, look)

    def read(self, sighting: Sighting, look: Look) -> None:
        """Note that the code was read."""
        self.status, self.sighting, self.frame = READ, sighting, look.frame
        self.look = look.picture[self.window].copy()

    def resembles(self, picture: Floats, part: Mask) -> bool:
        """Tell whether a part of the place looks as it did when the code was last read (by correlation)."""
        now, then = picture[self.window][part], self.look[part]
        return _alike(now, then) > 0.8 and abs(float(now.mean() - then.mean())) < 40

    def traces(self, picture: Floats, mat: Floats, part: Mask) -> bool:
        """Tell whether what is left of a place when the bare mat is taken away still has the code's pattern."""
        left = (picture[self.window] - mat[self.window])[part]
        return _alike(left, self.look[part]) > 0.45


class Track:
    """A piece that was found and is followed."""

    def __init__(self, piece: str, shape: Shape, pose: Pose, order: int, time: float) -> None:
        self.piece = piece
        self.shape = shape
        self.order = order
        self.state = SEEN
        self.spots: dict[int, Spot] = {}
        self.doubt = 0
        self.lie(pose, time)

    def lie(self, pose: Pose, time: float) -> None:
        """Put the piece somewhere; what was known of its codes is forgotten."""
        self.pose = pose
        self.since = time
        self.spots = {}
        self.outline = pose.outline(self.shape)
        self.zone: str | None = None
        self.slot: int | None = None
        self.window: Window = (slice(0, 0), slice(0, 0))
        self.mask: Mask = np.zeros((0, 0), dtype=np.bool_)
        self.patch: Floats = np.zeros((0, 0), dtype=np.float32)
        self.tiles: Window = (slice(0, 0), slice(0, 0))

    @property
    def faces(self) -> frozenset[str]:
        """The faces that show."""
        return frozenset(self.shape.codes[index].face for index in self.spots)

    def placement(self) -> Placement:
        """Give what the table view says about the piece."""
        x, y, rotation = round(self.pose.x, 1), round(self.pose.y, 1), round(self.pose.rotation, 1) % 360
        return Placement(self.piece, self.faces, self.zone, self.slot, x, y, rotation, self.order)

    def near(self, pose: Pose) -> bool:
        """Tell whether a pose is this piece's own, but for jitter."""
        if self.piece == BACK:
            return self.pose.distance(pose) < _BACK_MM and self.pose.turned_by(pose) < 2 * MOVE_DEG
        return self.pose.distance(pose) < MOVE_MM and self.pose.turned_by(pose) < MOVE_DEG


class _Candidate:
    """A piece that was read once; a second reading at the same place makes it count."""

    def __init__(self, found: Found, frame: int, time: float) -> None:
        self.found = found
        self.first = frame
        self.time = time

    def fits(self, found: Found) -> bool:
        pose = self.found.pose
        return (
            found.piece == self.found.piece
            and pose.distance(found.pose) < _SAME_MM
            and pose.turned_by(found.pose) < MOVE_DEG
        )


class Look:
    """What one look at the table gave: which tiles it covered, and the flat picture in the old light."""

    def __init__(
        self, frame: int, time: float, tiles: Mask, picture: Floats, bare: Mask, mat: Floats, known: Mask
    ) -> None:
        self.frame = frame
        self.time = time
        self.tiles = tiles
        self.picture = picture
        self.bare = bare
        self.mat = mat
        self.known = known

    def covers(self, window: Window) -> bool:
        """Tell whether all of a window of tiles was looked at, at rest."""
        part = self.tiles[window]
        return bool(part.size) and bool(part.all())


class Pieces:
    """All pieces on the mat."""

    def __init__(self, mat: Mat, book: CodeBook, flat: Flat, motion: Motion) -> None:
        self._mat = mat
        self._book = book
        self._flat = flat
        self._motion = motion
        self._tracks: list[Track] = []
        self._candidates: list[_Candidate] = []
        self._order = 0
        self.strays: dict[str, Stray] = {}
        self.twice: dict[str, Pose] = {}
        self.beside: dict[str, Pose] = {}

    def __iter__(self) -> Iterator[Track]:
        return iter(self._tracks)

    def placements(self) -> tuple[Placement, ...]:
        """Give every piece that is seen or known to lie under a hand, in the order of arrival."""
        shown = [track for track in self._tracks if track.state != HIDDEN]
        return tuple(track.placement() for track in sorted(shown, key=lambda track: track.order))

    def prefer(self, piece: str, pose: Pose) -> float:
        """Give the rotation that a piece most likely has at a place: the one it had, else the one its zone means."""
        for track in self._tracks:
            if track.piece == piece and track.pose.distance(pose) < MOVE_MM:
                return track.pose.rotation
        zone = self._mat.zone_at(pose.x, pose.y)
        return zone.rotation if zone else 0.0

    # -- one look --------------------------------------------------------------------------------------------------

    def update(self, look: Look, found: Iterable[Found], strays: Iterable[Stray]) -> None:
        """Take in what was read in a look, then judge the places where nothing was read."""
        fresh: list[tuple[Found, Track | None]] = []
        read: set[int] = set()
        ordered = sorted(found, key=lambda one: -len(one.codes))
        for one in ordered:
            track = self._match(one.piece, one.pose, read)
            if track is not None:
                self._confirm(track, one, look)
                read.add(id(track))
        for one in ordered:
            if not any(id(track) in read and track.piece == one.piece and track.near(one.pose) for track in self):
                mover = None if one.piece == BACK else next((t for t in self if t.piece == one.piece), None)
                fresh.append((one, mover))
        self._arrivals(fresh, look)
        self._judge(look)
        self._strays(look, strays)

    def _match(self, piece: str, pose: Pose, taken: set[int]) -> Track | None:
        near = [t for t in self._tracks if t.piece == piece and id(t) not in taken and t.near(pose)]
        return min(near, key=lambda track: track.pose.distance(pose), default=None)

    def _confirm(self, track: Track, found: Found, look: Look) -> None:
        track.state, track.doubt = SEEN, 0
        self._lift(track, found)
        for index, sighting in found.codes.items():
            quad = track.pose.code_quad(track.shape.codes[index], track.shape)
            # A card turned over in place shows another code at the same spot: the old one no longer shows.
            centre = quad.mean(axis=0)
            for other in [i for i in track.spots if i != index]:
                was = track.pose.code_quad(track.shape.codes[other], track.shape).mean(axis=0)
                if np.linalg.norm(was - centre) < track.shape.codes[index].size / 2:
                    del track.spots[other]
            spot = track.spots.get(index)
            if spot is None:
                track.spots[index] = Spot(self._flat, quad, sighting, look)
            else:
                spot.read(sighting, look)
        track.patch = look.picture[track.window].copy()

    def _lift(self, track: Track, found: Found) -> None:
        """Put a piece on top of every other that lies where one of its codes was read: it can't be under that one."""
        for index in found.codes:
            x, y = track.pose.code_quad(track.shape.codes[index], track.shape).mean(axis=0)
            for other in self._tracks:
                if other.order > track.order and other.state != HIDDEN and _inside(x, y, other.pose, other.shape, -3.0):
                    self._order += 1
                    track.order = self._order

    def _arrivals(self, fresh: list[tuple[Found, Track | None]], look: Look) -> None:
        sure: list[tuple[Found, Track | None]] = []
        kept: list[_Candidate] = []
        for one, mover in fresh:
            candidate = next((c for c in self._candidates if c.fits(one)), None)
            if candidate is None:
                candidate = _Candidate(one, look.frame, look.time)
                self._motion.wake(self._flat.tile_window(one.pose.outline(self._book.shapes[one.piece])))
                if mover is not None:
                    # It may have moved, or there are two of them: its old place has to be looked at again.
                    for spot in mover.spots.values():
                        self._motion.wake(spot.tiles)
                kept.append(candidate)
            elif candidate.first == look.frame:
                continue
            elif mover is not None and _still_there(mover):
                self.twice[one.piece] = one.pose
                kept.append(candidate)
            else:
                sure.append((one, mover))
        gone = {id(candidate) for candidate in kept}
        for candidate in self._candidates:
            if id(candidate) not in gone and not any(candidate.fits(one) for one, _ in fresh):
                window = self._flat.tile_window(candidate.found.pose.outline(self._book.shapes[candidate.found.piece]))
                if not look.covers(window) and look.time - candidate.time < 2.0:
                    kept.append(candidate)
        self._candidates = kept
        for one, mover in sorted(sure, key=lambda entry: -self._overlaid(entry[0], sure)):
            self._settle_down(one, mover, look)

    def _overlaid(self, one: Found, others: list[tuple[Found, Track | None]]) -> int:
        """Count the codes of a piece that were not read and lie where another new piece lies: that one is on top."""
        shape = self._book.shapes[one.piece]
        faces = {shape.codes[index].face for index in one.codes}
        count = 0
        for index, place in enumerate(shape.codes):
            if index in one.codes or place.face not in faces:
                continue
            x, y = one.pose.code_quad(place, shape).mean(axis=0)
            count += any(
                _inside(x, y, other.pose, self._book.shapes[other.piece]) for other, _ in others if other is not one
            )
        return count

    def _settle_down(self, one: Found, mover: Track | None, look: Look) -> None:
        if not (0 <= one.pose.x < self._mat.w and 0 <= one.pose.y < self._mat.h):
            # Beside the mat a piece is away; only one that reaches onto it may be there by mistake.
            quad = next(iter(one.codes))
            x, y = one.pose.code_quad(self._book.shapes[one.piece].codes[quad], self._book.shapes[one.piece]).mean(0)
            if 0 <= x < self._mat.w and 0 <= y < self._mat.h:
                self.beside[one.piece] = one.pose
            if mover is not None:
                self._tracks.remove(mover)
            return
        self._order += 1
        if mover is None:
            track = Track(one.piece, self._book.shapes[one.piece], one.pose, self._order, look.time)
            self._tracks.append(track)
        else:
            track = mover
            track.order = self._order
            track.lie(one.pose, look.time)
        self.twice.pop(one.piece, None)
        self.beside.pop(one.piece, None)
        track.window, track.mask = self._flat.fill(track.outline)
        track.tiles = self._flat.tile_window(track.outline)
        zone = self._mat.zone_at(one.pose.x, one.pose.y)
        track.zone = zone.name if zone else None
        if zone is not None and zone.kind in ("slots", "strips"):
            deep = zone.rect.h if round(zone.rotation / 90) % 2 == 0 else zone.rect.w
            spots = [
                zone.spot(i, track.shape.w, track.shape.h)
                for i in range(zone.slots * max(1, int((deep + 1) // zone.row)))
            ]
            track.slot = int(np.argmin([np.hypot(x - one.pose.x, y - one.pose.y) for x, y in spots]))
        self._confirm(track, one, look)

    # -- places where nothing was read -------------------------------------------------------------------------------

    def _judge(self, look: Look) -> None:
        for track in list(self._tracks):
            fresh = False
            for spot in track.spots.values():
                resting = bool((self._motion.rest[spot.tiles] >= 1).all())
                if not resting:
                    spot.status = ELSE
                elif look.covers(spot.tiles) and spot.frame != look.frame:
                    spot.status = self._status(track, spot, look)
                    fresh = True
            self._conclude(track, look, fresh)
        for piece in [p for p, pose in self.twice.items() if self._no_longer(p, pose, look)]:
            del self.twice[piece]
        for piece in [p for p, pose in self.beside.items() if self._no_longer(p, pose, look)]:
            del self.beside[piece]

    def _status(self, track: Track, spot: Spot, look: Look) -> str:
        """Judge the place of a code that was not read, apart from what of it lies under a later piece."""
        under, near = np.zeros_like(spot.mask), np.zeros_like(spot.mask)
        for other in self._tracks:
            if other is not track and other.state == SEEN:
                near |= _of(other, spot.window)
                if other.order > track.order:
                    under |= _of(other, spot.window, look.picture)
        shows = spot.mask & ~under
        total = int(shows.sum())
        if total < max(_FEW, 0.2 * int(spot.mask.sum())):
            return UNDER if under.any() else ELSE
        if spot.resembles(look.picture, shows):
            return SAME
        bare = look.bare[spot.window]
        # A mat that nobody has seen here yet is guessed from its surroundings: its print may differ in parts.
        guessed = not bool(look.known[spot.window][shows].all())
        if int((bare & shows).sum()) >= (0.5 if guessed else 0.85) * total:
            # A sleeve's shine can make a card as bright as the mat; traces of its code stay.
            return ELSE if spot.traces(look.picture, look.mat, shows) else BARE
        # What a piece has uncovered of one that lay under it has never been seen: it could be a hand as well, so this
        # proves something only together with another code's place that is bare.
        return BESIDE if int(((bare | near) & shows).sum()) >= 0.85 * total else ELSE

    def _conclude(self, track: Track, look: Look, fresh: bool) -> None:
        statuses = {spot.status for spot in track.spots.values()}
        if statuses & {READ, SAME}:
            if track.state != HIDDEN:
                track.state, track.doubt = SEEN, 0
            return
        proven = statuses <= {UNDER} or (BARE in statuses and ELSE not in statuses and self._outline_bare(track, look))
        if not statuses or not proven:
            if track.state != HIDDEN:
                track.state = COVERED
            track.doubt = 0
            return
        if not fresh:
            return
        track.doubt += 1
        if track.doubt < 2 or self._motion.quiet(track.tiles, look.time) < _GONE_AFTER:
            return
        if BARE in statuses:
            self._tracks.remove(track)
        else:
            # It is remembered: what peeps out of a pile must not look like a hand.
            track.state = HIDDEN
            self._forget_backs()

    def _forget_backs(self) -> None:
        hidden = [track for track in self._tracks if track.state == HIDDEN and track.piece == BACK]
        for track in hidden[:-_BACKS_REMEMBERED]:
            self._tracks.remove(track)

    def _outline_bare(self, track: Track, look: Look) -> bool:
        """Tell whether what shows of a piece's place, apart from other pieces, is mostly bare mat."""
        left = track.mask.copy()
        for other in self._tracks:
            if other is not track and other.state == SEEN:
                left &= ~_of(other, track.window)
        total = int(left.sum())
        return total < 0.1 * track.mask.sum() or int((left & look.bare[track.window]).sum()) >= 0.7 * total

    def _no_longer(self, piece: str, pose: Pose, look: Look) -> bool:
        window = self._flat.tile_window(pose.outline(self._book.shapes[piece]))
        here = any(c.found.piece == piece and c.found.pose.distance(pose) < MOVE_MM for c in self._candidates)
        return look.covers(window) and not here

    def _strays(self, look: Look, strays: Iterable[Stray]) -> None:
        for payload, stray in list(self.strays.items()):
            if look.covers(self._flat.tile_window(np.array([[stray.x, stray.y]]), 8.0)):
                del self.strays[payload]
        for stray in strays:
            self.strays[stray.payload] = stray

    def pending(self, time: float) -> bool:
        """Tell whether a piece was read once just now and waits for its second reading."""
        return any(
            time - candidate.time < 0.5 and candidate.found.piece not in self.twice for candidate in self._candidates
        )

    def unclear(self) -> Mask:
        """Tell in which tiles something should be read that was not."""
        result = np.zeros(self._flat.grid, dtype=np.bool_)
        for track in self._tracks:
            if track.state == COVERED:
                result[track.tiles] = True
        for candidate in self._candidates:
            pose = candidate.found.pose
            result[self._flat.tile_window(pose.outline(self._book.shapes[candidate.found.piece]))] = True
        return result

    def expected(self, base: Floats, known: Mask) -> tuple[Floats, Mask]:
        """Give the flat picture that should be seen: the mat with the pieces on it, and where it is known."""
        picture, sure = base.copy(), known.copy()
        for track in sorted(self._tracks, key=lambda track: track.order):
            if track.patch.size:
                picture[track.window][track.mask] = track.patch[track.mask]
                sure[track.window] |= track.mask
        return picture, sure

    def outlines(self, grow: float) -> Mask:
        """Give the flat pixels on which a piece lies or may lie, with `grow` mm round it."""
        result = np.zeros(self._flat.shape, dtype=np.bool_)
        for track in self._tracks:
            window, mask = self._flat.fill(track.outline, grow)
            result[window] |= mask
        for candidate in self._candidates:
            outline = candidate.found.pose.outline(self._book.shapes[candidate.found.piece])
            window, mask = self._flat.fill(outline, grow)
            result[window] |= mask
        return result


def _alike(a: Floats, b: Floats) -> float:
    """Give the correlation of two lists of gray levels, 0 if one of them is even."""
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 0 else 0.0


def _still_there(track: Track) -> bool:
    """Tell whether a piece that is read somewhere else is seen at its old place too."""
    return track.state == SEEN and any(spot.status in (READ, SAME) for spot in track.spots.values())


def _inside(x: float, y: float, pose: Pose, shape: Shape, grow: float = 0.0) -> bool:
    a = np.radians(pose.rotation)
    dx, dy = x - pose.x, y - pose.y
    u, v = dx * np.cos(a) + dy * np.sin(a), dy * np.cos(a) - dx * np.sin(a)
    return bool(abs(u) < shape.w / 2 + grow and abs(v) < shape.h / 2 + grow)


def _of(track: Track, window: Window, picture: Floats | None = None) -> Mask:
    """Give the part of a window that a piece lies on; with a picture, only where it looks as the piece does."""
    y, x = window
    result = np.zeros((y.stop - y.start, x.stop - x.start), dtype=np.bool_)
    ty, tx = track.window
    y0, y1 = max(y.start, ty.start), min(y.stop, ty.stop)
    x0, x1 = max(x.start, tx.start), min(x.stop, tx.stop)
    if y0 < y1 and x0 < x1:
        own = (slice(y0 - ty.start, y1 - ty.start), slice(x0 - tx.start, x1 - tx.start))
        part = track.mask[own]
        if picture is not None:
            part = part & (np.abs(picture[y0:y1, x0:x1] - track.patch[own]) < 30)
        result[y0 - y.start : y1 - y.start, x0 - x.start : x1 - x.start] = part
    return result
