"""Stage 7, readings to pieces: what lies on the mat; each piece seen, covered by something, or hidden under a card.

A piece is only taken away when its place is seen without it: each of its codes that was ever read is now bare mat, or
part of a card that was laid on it later. A code that is merely not read (glare, blur, a hand) removes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from companion.codes import BACK
from companion.eye.expected import SHADOW, Drawing
from companion.eye.flat import MM, Area, Flat, Floats, Mask, TileSum, Window, grown, overlap, within
from companion.eye.geometry import Points
from companion.eye.light import bare_in_its_light
from companion.eye.mat import Mat
from companion.eye.places import CodeBook, Found, Pose, Stray
from companion.eye.tracks import (
    BARE,
    BESIDE,
    COVERED,
    ELSE,
    HIDDEN,
    MOVE_MM,
    READ,
    RING_MM,
    SAME,
    SAME_MM,
    SEEN,
    UNDER,
    Candidate,
    Look,
    Lying,
    Near,
    Spot,
    Track,
    add_part,
    inside,
)
from companion.eye.view import Placement, Sighting

_BACKS_REMEMBERED = 24
_FEW = 20
"""Flat pixels (80 mm²) of a code's place that must show to judge it by its look."""

_BARE_ENOUGH = 0.8
"""The share of the visible part of a place that must be bare mat before its piece is gone: the back of a hand in the
mat's own tone is bare but for its edges and the gaps between its fingers.
"""

_GONE_AFTER = 0.3
"""Seconds that a place must have been at rest before its piece counts as gone."""

_ROUND = 10
"""Flat pixels (20 mm) round a piece that show whether a hand lies on it."""

_UNALTERED_FOR = 2.0
"""Seconds of rest, unaltered all round, until what shows counts as what lay under a piece: no hand is so still."""

_ALTERED = 40.0
"""Gray levels by which a piece looks different where something lies on it."""


class Pieces:
    """All pieces on the mat."""

    def __init__(self, mat: Mat, book: CodeBook, flat: Flat) -> None:
        self._mat = mat
        self._book = book
        self._flat = flat
        self._tracks: list[Track] = []
        self._candidates: list[Candidate] = []
        self._order = 0
        self._placements: tuple[Placement, ...] = ()
        self._under: tuple[Placement, ...] = ()
        self._changed: list[Window] = []
        self._wake: list[Window] = []
        self._near: Near | None = None
        self.veiled: list[Area] = []
        """Where the last look found bare mat in a light of its own, and no piece any more."""
        self.strays: dict[str, Stray] = {}
        self.twice: dict[str, Pose] = {}
        self.beside: dict[str, Pose] = {}

    def __iter__(self) -> Iterator[Track]:
        return iter(self._tracks)

    def placements(self) -> tuple[Placement, ...]:
        """Return every piece that is seen or known to lie under a hand, in the order of arrival."""
        return self._placements

    def under(self) -> tuple[Placement, ...]:
        """Return every piece that was seen face up until others were laid over it, in the order of arrival."""
        return self._under

    def prefer(self, piece: str, pose: Pose) -> float:
        """Return the rotation that a piece most likely has at a place: the one it had, else the one its zone means."""
        for track in self._tracks:
            if track.piece == piece and track.pose.distance(pose) < MOVE_MM:
                return track.pose.rotation
        zone = self._mat.zone_at(pose.x, pose.y)
        return zone.rotation if zone else 0.0

    def spots_in(self, tiles: TileSum) -> list[tuple[Track, int, Spot]]:
        """Return the places of codes that reach into some tiles: the piece, the code's number, and the place."""
        return [
            (track, index, spot)
            for track in self._reaching(tiles)
            if isinstance(track, Track)
            for index, spot in track.spots.items()
            if tiles.any(spot.tiles)
        ]

    def candidates_in(self, tiles: TileSum) -> list[Candidate]:
        """Return the pieces that were read once, in some tiles, and wait for their second reading."""
        return [reached for reached in self._reaching(tiles) if isinstance(reached, Candidate)]

    def unread(self, tiles: TileSum, since: float) -> list[Points]:
        """Return the places (mm) of codes that should show but were never read, of pieces that arrived after a time."""
        found = []
        for track in self._reaching(tiles):
            if not isinstance(track, Track) or track.since < since or track.state != SEEN:
                continue
            sides = {track.shape.codes[index].on for index in track.spots}
            for index, place in enumerate(track.shape.codes):
                if place.on in sides and index not in track.spots:
                    quad = track.quad(index)
                    over = (other for other in self._tracks if other.order > track.order and other.state == SEEN)
                    if not any(other.holds(x, y, 1.0) for other in over for x, y in quad):
                        found.append(quad)
        return found

    def is_under(self, track: Track, index: int, sure: Callable[[Track], bool]) -> bool:
        """Return whether a code's place lies under a later piece of which it is sure that it is there."""
        x, y = track.quad(index).mean(axis=0)
        return any(
            other.order > track.order and other.holds(x, y, -1.0) and other.still_there() and sure(other)
            for other in self._tracks
        )

    def lost_codes(self, window: Window) -> list[tuple[Sighting, Points]]:
        """Return the readings of codes of covered pieces in a window, and where they should show (mm, shape (4, 2))."""
        rows, columns = window
        found = []
        for track in self._tracks:
            for index, spot in track.spots.items() if track.state == COVERED else ():
                quad = track.quad(index)
                x, y = quad.mean(axis=0) / MM
                if rows.start <= y <= rows.stop and columns.start <= x <= columns.stop:
                    found.append((spot.sighting, quad))
        return found

    def sightings(self) -> list[Sighting]:
        """Return the readings that the known pieces rest on."""
        known = [spot.sighting for track in self._tracks for spot in track.spots.values()]
        return known + [code for candidate in self._candidates for code in candidate.found.codes.values()]

    # -- one look --------------------------------------------------------------------------------------------------

    def update(
        self, look: Look, found: Iterable[Found], strays: Iterable[Stray], same: Iterable[tuple[Track, Spot]] = ()
    ) -> list[Window]:
        """Process the readings of a look, then judge the places where nothing was read.

        At the spots that are the `same` the code is exactly as it was, so that another reading would say nothing new.
        Return the tiles that have to be looked at again.
        """
        self._wake, self.veiled = [], []
        for unchanged, spot in same:
            spot.status, spot.frame, unchanged.doubt = READ, look.frame, 0
        fresh: list[tuple[Found, Track | None]] = []
        read: set[int] = set()
        ordered = sorted(found, key=lambda seen: -len(seen.codes))
        for seen in ordered:
            track = self._match(seen.piece, seen.pose, read)
            if track is not None:
                self._confirm(track, seen, look)
                read.add(id(track))
        for seen in ordered:
            if not any(track.piece == seen.piece and id(track) in read and track.near(seen.pose) for track in self):
                mover = None if seen.piece == BACK else next((t for t in self if t.piece == seen.piece), None)
                fresh.append((seen, mover))
        self._arrivals(fresh, look)
        self._judge(look)
        self._strays(look, strays)
        lying = sorted(self._tracks, key=lambda track: track.order)
        self._placements = tuple(track.placement() for track in lying if track.state != HIDDEN)
        self._under = tuple(track.placement() for track in lying if track.state == HIDDEN and track.piece != BACK)
        return self._wake

    def _match(self, piece: str, pose: Pose, taken: set[int]) -> Track | None:
        near = [t for t in self._tracks if t.piece == piece and id(t) not in taken and t.near(pose)]
        return min(near, key=lambda track: track.pose.distance(pose), default=None)

    def _confirm(self, track: Track, found: Found, look: Look) -> None:
        track.state, track.doubt = SEEN, 0
        self._lift(track, found)
        if track.piece == BACK and track.pose.distance(found.pose) > SAME_MM:
            # A deck's top sinks with every card that is drawn; seen aslant, its back wanders over the mat.
            self._touch(track.place)
            track.lie(found.pose, look.time)
            self._place(track, found.lies)
        for index, sighting in found.codes.items():
            quad = track.quad(index)
            # A card turned over in place shows another code at the same spot: the old one no longer shows.
            centre = quad.mean(axis=0)
            for other in [i for i in track.spots if i != index]:
                was = track.quad(other).mean(axis=0)
                if np.linalg.norm(was - centre) < track.shape.codes[index].size / 2:
                    track.show(other, None)
            spot = track.spots.get(index)
            if spot is None:
                track.show(index, Spot(self._flat, quad, sighting, look))
            else:
                spot.read(sighting, look)
        track.patch = look.picture[track.window].copy()
        self._changed.append(track.window)

    def _lift(self, track: Track, found: Found) -> None:
        """Put a piece on top of every other that lies where one of its codes was read: it can't be under that one."""
        for index in found.codes:
            x, y = track.quad(index).mean(axis=0)
            for other in self._tracks:
                if other.order > track.order and other.state != HIDDEN and other.holds(x, y, -3.0):
                    self._order += 1
                    track.order = self._order

    def _arrivals(self, fresh: list[tuple[Found, Track | None]], look: Look) -> None:
        sure: list[tuple[Found, Track | None]] = []
        kept: list[Candidate] = []
        for seen, mover in fresh:
            candidate = next((c for c in self._candidates if c.fits(seen)), None)
            if candidate is None:
                candidate = Candidate(self._flat, seen, self._book.shapes[seen.piece], look.frame, look.time)
                self._wake.append(candidate.place.tiles)
                if mover is not None:
                    # It may have moved, or there are two of them: its old place has to be looked at again.
                    for spot in mover.spots.values():
                        self._wake.append(spot.tiles)
                kept.append(candidate)
            elif candidate.first == look.frame:
                continue
            elif mover is not None and mover.still_there():
                self.twice[seen.piece] = seen.pose
                kept.append(candidate)
            else:
                sure.append((seen, mover))
        gone = {id(candidate) for candidate in kept}
        for candidate in self._candidates:
            again = id(candidate) in gone or any(candidate.fits(seen) for seen, _ in fresh)
            if not again and not look.covers(candidate.place.tiles) and look.time - candidate.time < 2.0:
                kept.append(candidate)
        if self._candidates or kept:
            for candidate in (*self._candidates, *kept):
                self._touch(candidate.place)
        self._candidates = kept
        for seen, mover in sorted(sure, key=lambda entry: -self._overlaid(entry[0], sure)):
            self._settle_down(seen, mover, look)

    def _overlaid(self, seen: Found, others: list[tuple[Found, Track | None]]) -> int:
        """Count the codes of a piece that were not read and lie where another new piece lies: that one is on top."""
        shape = self._book.shapes[seen.piece]
        sides = {shape.codes[index].on for index in seen.codes}
        count = 0
        for index, place in enumerate(shape.codes):
            if index in seen.codes or place.on not in sides:
                continue
            x, y = seen.pose.code_quad(place, shape).mean(axis=0)
            count += any(
                inside(x, y, other.pose, self._book.shapes[other.piece]) for other, _ in others if other is not seen
            )
        return count

    def _settle_down(self, seen: Found, mover: Track | None, look: Look) -> None:
        if not (0 <= seen.lies.x < self._mat.w and 0 <= seen.lies.y < self._mat.h):
            # Beside the mat a piece is away; only one that reaches onto it may be there by mistake.
            quad = next(iter(seen.codes))
            x, y = seen.pose.code_quad(self._book.shapes[seen.piece].codes[quad], self._book.shapes[seen.piece]).mean(0)
            if 0 <= x < self._mat.w and 0 <= y < self._mat.h:
                self.beside[seen.piece] = seen.pose
            if mover is not None:
                self._remove(mover)
            return
        self._order += 1
        if mover is None:
            track = Track(self._flat, seen.piece, self._book.shapes[seen.piece], seen.pose, self._order, look.time)
            self._tracks.append(track)
        else:
            track = mover
            track.order = self._order
            self._touch(track.place)
            track.lie(seen.pose, look.time)
        self.twice.pop(seen.piece, None)
        self.beside.pop(seen.piece, None)
        self._place(track, seen.lies)
        self._confirm(track, seen, look)

    def _place(self, track: Track, lies: Pose) -> None:
        """Set where a piece at a place is on the mat, and in which zone."""
        self._touch(track.place)
        track.lies = lies
        zone = self._mat.zone_at(lies.x, lies.y)
        track.zone = zone.name if zone else None
        if zone is not None and zone.kind in ("slots", "strips"):
            deep = zone.rect.h if round(zone.rotation / 90) % 2 == 0 else zone.rect.w
            spots = [
                zone.spot(i, track.shape.w, track.shape.h)
                for i in range(zone.slots * max(1, int((deep + 1) // zone.row)))
            ]
            track.slot = int(np.argmin([np.hypot(x - lies.x, y - lies.y) for x, y in spots]))

    # -- places where nothing was read -------------------------------------------------------------------------------

    def _judge(self, look: Look) -> None:
        moving = TileSum(look.moving)
        for track in self._reaching(TileSum(look.core | look.moving)):
            if not isinstance(track, Track):
                continue
            fresh = False
            for spot in track.spots.values():
                if moving.any(spot.tiles):
                    spot.status = ELSE
                elif spot.frame != look.frame and look.covers(spot.tiles):
                    spot.status = self._status(track, spot, look)
                    fresh = True
            self._conclude(track, look, fresh)
        for piece in [p for p, pose in self.twice.items() if self._disproved(p, pose, look)]:
            del self.twice[piece]
        for piece in [p for p, pose in self.beside.items() if self._disproved(p, pose, look)]:
            del self.beside[piece]

    def _status(self, track: Track, spot: Spot, look: Look) -> str:
        """Judge the place of a code that was not read, apart from what of it lies under a later piece."""
        under, near = np.zeros_like(spot.mask), np.zeros_like(spot.mask)
        for other in self._tracks_near(spot.window):
            if other is not track and other.state == SEEN:
                add_part(other, spot.window, near)
                if other.order > track.order:
                    add_part(other, spot.window, under, look.picture)
        shows = spot.mask & ~under
        total = int(shows.sum())
        if total < max(_FEW, 0.2 * int(spot.mask.sum())):
            return UNDER if under.any() else ELSE
        if spot.resembles(look.picture, shows):
            return SAME
        piled = track.zone is not None and self._mat.zone(track.zone).kind == "pile"
        if piled and total <= 0.6 * int(spot.mask.sum()):
            return UNDER  # what peeps out of a pile was nudged, or is seen from elsewhere since the camera was moved
        bare = look.bare[spot.window]
        # A mat that nobody has seen here yet is guessed from its surroundings: its print may differ in parts.
        guessed = not bool(look.known[spot.window][shows].all())
        if int((bare & shows).sum()) >= (0.5 if guessed else 0.85) * total:
            # A sleeve's shine can make a card as bright as the mat; traces of its code stay.
            return ELSE if spot.traces(look.picture, look.mat, shows) else BARE
        # What a piece has uncovered of one that lay under it may never have been seen: it could be a hand as well, so
        # this proves something only together with what lies round about.
        beside = int(((bare | near) & shows).sum()) >= 0.85 * total and not spot.recalls(look.picture, shows)
        return BESIDE if beside else ELSE

    def _conclude(self, track: Track, look: Look, fresh: bool) -> None:
        statuses = {spot.status for spot in track.spots.values()}
        if statuses & {READ, SAME}:
            if track.state != HIDDEN:
                track.state, track.doubt = SEEN, 0
            return
        bare = BARE in statuses and ELSE not in statuses and self._outline_bare(track, look)
        gone = bare or (BESIDE in statuses and ELSE not in statuses and self._unaltered_round(track, look))
        veiled = None if gone or ELSE not in statuses else self._veiled(track, look)
        gone = gone or veiled is not None
        if not statuses or not (gone or statuses <= {UNDER}):
            if track.state != HIDDEN:
                track.state = COVERED
            track.doubt = 0
            return
        if not fresh:
            return
        track.doubt += 1
        after = _UNALTERED_FOR if gone and not bare else _GONE_AFTER
        if track.doubt < 2 or look.quiet(track.tiles) < after:
            if track.doubt == 1:
                # A sweep may have found it: the next one is too far off to be asked.
                self._wake.append(track.tiles)
            return
        if gone:
            self._remove(track)
            if veiled is not None:
                self.veiled.append(veiled)
        else:
            # It is remembered: what peeps out of a pile must not look like a hand.
            track.state = HIDDEN
            self._forget_backs()

    def _forget_backs(self) -> None:
        hidden = [track for track in self._tracks if track.state == HIDDEN and track.piece == BACK]
        for track in hidden[:-_BACKS_REMEMBERED]:
            self._remove(track)

    def _remove(self, track: Track) -> None:
        self._tracks.remove(track)
        self._touch(track.place)

    def _touch(self, place: Lying) -> None:
        """Record that something came to a place, or left it."""
        self._changed.append(place.fill(RING_MM)[0])
        self._near = None

    def _outline_bare(self, track: Track, look: Look) -> bool:
        """Return whether what shows of a piece's place, apart from other pieces, is mostly bare mat."""
        taken = np.zeros_like(track.mask)
        for other in self._tracks_near(track.window):
            if other is not track and other.state == SEEN:
                add_part(other, track.window, taken)
        left = track.mask & ~taken
        total = int(left.sum())
        return total < 0.1 * track.mask.sum() or int((left & look.bare[track.window]).sum()) >= _BARE_ENOUGH * total

    def _veiled(self, track: Track, look: Look) -> Area | None:
        """Return where a piece's place looks like bare mat in the light that lies on the mat round about; None if not.

        A lamp mirrored on the mat is brighter there than the table's light tells; what is printed shows through it, and
        it changes as evenly on the place as beside it. A hand would reach further, and have an edge.
        """
        if look.quiet(track.tiles) < _UNALTERED_FOR:
            return None
        window = grown(track.window, _ROUND, self._flat.shape)
        picture, mat, known = look.picture[window], look.mat[window].copy(), look.known[window].copy()
        bare = bare_in_its_light(picture, mat, ~self.outlines(window, RING_MM))
        if not bare.any():
            return None
        self.paint(window, mat, known)
        lying, beside = self.outlines(window, 0.0, _is_seen), ~self.outlines(window, RING_MM, _is_seen)
        odd = ((lying & (np.abs(picture - mat) > _ALTERED)) | (beside & ~bare)) & known
        return None if _massive(odd) else (window, bare & beside)

    def _unaltered_round(self, track: Track, look: Look) -> bool:
        """Return whether all is as it was round a piece whose codes are no longer seen: a hand would reach further.

        Other pieces that may be gone are left out.
        """
        window = grown(track.window, _ROUND, self._flat.shape)
        expected, known = look.mat[window].copy(), look.known[window].copy()
        self.paint(window, expected, known)
        pieces, open_ = self.outlines(window, 0.0), ~self.outlines(window, RING_MM)
        off = np.abs(look.picture[window] - expected) > _ALTERED
        own = self.outlines(window, RING_MM, lambda shown: isinstance(shown, Track) and shown.may_be_gone)
        odd = ((pieces & off) | (open_ & ~look.bare[window])) & known & ~own
        return not _massive(odd)

    def _disproved(self, piece: str, pose: Pose, look: Look) -> bool:
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
        """Return whether a piece was read once just now and waits for its second reading."""
        return any(
            time - candidate.time < 0.5 and candidate.found.piece not in self.twice for candidate in self._candidates
        )

    def unclear(self) -> Mask:
        """Return in which tiles something should be read that was not."""
        result = np.zeros(self._flat.grid, dtype=np.bool_)
        for track in self._tracks:
            if track.state == COVERED or (track.state == SEEN and track.doubt):
                result[track.tiles] = True
        for candidate in self._candidates:
            result[candidate.place.tiles] = True
        return result

    # -- what should be seen -----------------------------------------------------------------------------------------

    def changed(self) -> list[Window]:
        """Return the windows of the flat picture whose expected look changed since the last call."""
        windows, self._changed = self._changed, []
        return windows

    def drawing(self, window: Window) -> Drawing:
        """Return the expected look of the pieces in a window."""
        shape = (window[0].stop - window[0].start, window[1].stop - window[1].start)
        picture, painted = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.bool_)
        self.paint(window, picture, painted)
        on_piece = self.outlines(window, 0.0)
        wide = grown(window, SHADOW, self._flat.shape)
        ring = self.outlines(window, RING_MM) & ~on_piece
        return Drawing(picture, painted, on_piece, ring, wide, self.outlines(wide, MM * SHADOW))

    def paint(self, window: Window, picture: Floats, sure: Mask) -> None:
        """Draw the pieces over a window of the mat: the expected picture, and where it is known."""
        here = [(track, overlap(window, track.window)) for track in self._tracks_near(window) if track.patch.size]
        for track, common in sorted(here, key=lambda entry: entry[0].order):
            if common is not None:
                own, to = within(common, track.window), within(common, window)
                np.copyto(picture[to], track.patch[own], where=track.mask[own])
                sure[to] |= track.mask[own]

    def outlines(self, window: Window, grow: float, of: Callable[[Track | Candidate], bool] = lambda _: True) -> Mask:
        """Return the flat pixels of a window on which a piece (`of` them) lies or may lie, with `grow` mm round it."""
        result = np.zeros((window[0].stop - window[0].start, window[1].stop - window[1].start), dtype=np.bool_)
        for entry in filter(of, self._all_near(window)):
            own, mask = entry.place.fill(grow)
            common = overlap(window, own)
            if common is not None:
                result[within(common, window)] |= mask[within(common, own)]
        return result

    def _lying(self) -> Near:
        if self._near is None:
            self._near = Near((*self._tracks, *self._candidates))
        return self._near

    def _reaching(self, tiles: TileSum) -> list[Track | Candidate]:
        return self._lying().reaching(tiles)

    def _all_near(self, window: Window) -> list[Track | Candidate]:
        return self._lying().to(window)

    def _tracks_near(self, window: Window) -> list[Track]:
        return [entry for entry in self._all_near(window) if isinstance(entry, Track)]


def _is_seen(entry: Track | Candidate) -> bool:
    return isinstance(entry, Track) and entry.state == SEEN


def _massive(mask: Mask) -> bool:
    """Return whether a mask holds more than lines and dots."""
    return bool(cv2.erode(mask.view(np.uint8), np.ones((3, 3), dtype=np.uint8)).any())
