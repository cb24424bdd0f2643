"""Stage 7, readings to pieces: what lies on the mat; each piece seen, covered by something, or hidden under a card.

A piece goes only when its place is seen without it: each code ever read there is bare mat, or under a later card.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

import cv2
import numpy as np

from companion.codes import BACK
from companion.eye import absence
from companion.eye.absence import is_seen
from companion.eye.flat import MM, Area, Flat, Floats, Mask, TileSum, Window, overlap, within
from companion.eye.geometry import Points
from companion.eye.layers import Layers
from companion.eye.mat import Mat
from companion.eye.motion import Times
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
    Spot,
    Track,
    inside,
)
from companion.eye.view import Placement, Sighting

_BACKS_REMEMBERED = 24
_GONE_AFTER = 0.3
"""Seconds that a place must have been at rest before its piece counts as gone."""

_ON_PIECES = 0.95
"""The share of something strange that must lie on pieces: a hand reaches further, over the mat."""
_AT_REST = 0.9
"""Seconds that it must have been at rest before it counts as what the pieces look like."""
_HAND_STAYS = 3.0
"""Seconds after the reading of a piece in which the hand that laid it may still draw back."""


class _Gone(NamedTuple):
    """A piece that is gone: the seconds of rest that it takes to believe it, and where light veils the bare mat."""

    after: float
    veiled: Area | None = None


class Pieces:
    """All pieces on the mat."""

    def __init__(self, mat: Mat, book: CodeBook, flat: Flat) -> None:
        self._mat = mat
        self._book = book
        self._flat = flat
        self.layers = Layers(flat)
        self._order = 0
        self._placements: tuple[Placement, ...] = ()
        self._under: tuple[Placement, ...] = ()
        self._wake: list[Window] = []
        self._missed: Container[tuple[str, Pose]] = ()
        self.veiled: list[Area] = []
        """Where the last look found bare mat in a light of its own, and no piece any more."""
        self.strays: dict[str, Stray] = {}
        self.twice: dict[str, Pose] = {}
        self.beside: dict[str, Pose] = {}

    def __iter__(self) -> Iterator[Track]:
        return iter(self.layers.tracks)

    def placements(self) -> tuple[Placement, ...]:
        """Return every piece that is seen or known to lie under a hand, in the order of arrival."""
        return self._placements

    def under(self) -> tuple[Placement, ...]:
        """Return every piece that was seen face up until others were laid over it, in the order of arrival."""
        return self._under

    def prefer(self, piece: str, pose: Pose) -> float:
        """Return the rotation that a piece most likely has at a place: the one it had, else the one its zone means."""
        for track in self.layers.tracks:
            if track.piece == piece and track.pose.distance(pose) < MOVE_MM:
                return track.pose.rotation
        zone = self._mat.zone_at(pose.x, pose.y)
        return zone.rotation if zone else 0.0

    def spots_in(self, tiles: TileSum) -> list[tuple[Track, int, Spot]]:
        """Return the places of codes that reach into some tiles: the piece, the code's number, and the place."""
        return [
            (track, index, spot)
            for track in self.layers.reaching(tiles)
            if isinstance(track, Track)
            for index, spot in track.spots.items()
            if tiles.any(spot.tiles)
        ]

    def candidates_in(self, tiles: TileSum) -> list[Candidate]:
        """Return the pieces that were read once, in some tiles, and wait for their second reading."""
        return [reached for reached in self.layers.reaching(tiles) if isinstance(reached, Candidate)]

    def unread(self, tiles: TileSum, since: float) -> list[Points]:
        """Return the places (mm) of codes that should show but were never read, of pieces that arrived after a time."""
        found = []
        for track in self.layers.reaching(tiles):
            if not isinstance(track, Track) or track.since < since or track.state != SEEN:
                continue
            sides = {track.shape.codes[index].on for index in track.spots}
            for index, place in enumerate(track.shape.codes):
                if place.on in sides and index not in track.spots:
                    quad = track.quad(index)
                    over = (other for other in self.layers.tracks if other.order > track.order and other.state == SEEN)
                    if not any(other.holds(x, y, 1.0) for other in over for x, y in quad):
                        found.append(quad)
        return found

    def is_under(self, track: Track, index: int, sure: Callable[[Track], bool]) -> bool:
        """Return whether a code's place lies under a later piece of which it is sure that it is there."""
        x, y = track.quad(index).mean(axis=0)
        return any(
            other.order > track.order and other.holds(x, y, -1.0) and other.still_there() and sure(other)
            for other in self.layers.tracks_near(track.window)
        )

    def lost_codes(self, window: Window) -> list[tuple[Sighting, Points]]:
        """Return the readings of codes of covered pieces in a window, and where they should show (mm, shape (4, 2))."""
        rows, columns = window
        found = []
        for track in self.layers.tracks:
            for index, spot in track.spots.items() if track.state == COVERED else ():
                quad = track.quad(index)
                x, y = quad.mean(axis=0) / MM
                if rows.start <= y <= rows.stop and columns.start <= x <= columns.stop:
                    found.append((spot.sighting, quad))
        return found

    def sightings(self) -> list[Sighting]:
        """Return the readings that the known pieces rest on."""
        known = [spot.sighting for track in self.layers.tracks for spot in track.spots.values()]
        return known + [code for candidate in self.layers.candidates for code in candidate.found.codes.values()]

    def update(
        self,
        look: Look,
        found: Iterable[Found],
        strays: Iterable[Stray],
        same: Iterable[tuple[Track, Spot]] = (),
        missed: Container[tuple[str, Pose]] = (),
    ) -> list[Window]:
        """Process the readings of a look, then judge unread places; return the tiles that have to be looked at again.

        At `same` spots the code is exactly as it was. Of `missed` pieces nothing is seen where they lay, though a lamp
        makes places look as before.
        """
        self._wake, self.veiled, self._missed = [], [], missed
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
        lying = sorted(self.layers.tracks, key=lambda track: track.order)
        self._placements = tuple(track.placement() for track in lying if track.state != HIDDEN)
        self._under = tuple(track.placement() for track in lying if track.state == HIDDEN and track.piece != BACK)
        return self._wake

    def _match(self, piece: str, pose: Pose, taken: set[int]) -> Track | None:
        near = [t for t in self.layers.tracks if t.piece == piece and id(t) not in taken and t.near(pose)]
        return min(near, key=lambda track: track.pose.distance(pose), default=None)

    def _confirm(self, track: Track, found: Found, look: Look) -> None:
        track.state, track.doubt = SEEN, 0
        self._lift(track, found)
        if track.piece == BACK and track.pose.distance(found.pose) > SAME_MM:
            # A deck's top sinks with every card that is drawn; seen aslant, its back wanders over the mat.
            self.layers.touch(track.place)
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
        track.patch, track.taken = look.picture[track.window].copy(), look.time
        self.layers.redraw(track.window)

    def _lift(self, track: Track, found: Found) -> bool:
        """Put a piece on top of all others where one of its codes was read; return whether it was under one."""
        before = track.order
        for index in found.codes:
            x, y = track.quad(index).mean(axis=0)
            for other in self.layers.tracks:
                if other.order > track.order and other.state != HIDDEN and other.holds(x, y, -3.0):
                    self._order += 1
                    track.order = self._order
        return track.order != before

    def _arrivals(self, fresh: list[tuple[Found, Track | None]], look: Look) -> None:
        sure: list[tuple[Found, Track | None]] = []
        kept: list[Candidate] = []
        for seen, mover in fresh:
            candidate = next((c for c in self.layers.candidates if c.fits(seen)), None)
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
            elif mover is not None and mover.still_there() and not self._misses(mover):
                self.twice[seen.piece] = seen.pose
                kept.append(candidate)
            else:
                sure.append((seen, mover))
        gone = {id(candidate) for candidate in kept}
        for candidate in self.layers.candidates:
            again = id(candidate) in gone or any(candidate.fits(seen) for seen, _ in fresh)
            if not again and not look.covers(candidate.place.tiles) and look.time - candidate.time < 2.0:
                kept.append(candidate)
        if self.layers.candidates or kept:
            for candidate in (*self.layers.candidates, *kept):
                self.layers.touch(candidate.place)
        self.layers.candidates = kept
        for seen, mover in sorted(sure, key=lambda entry: -self._overlaid(entry[0], sure)):
            self._settle_down(seen, mover, look)
        # Which of several new pieces lies on which shows when all of them are there.
        tracks = [
            (track, seen) for seen, _ in sure for track in self if track.piece == seen.piece and track.near(seen.pose)
        ]
        for _ in tracks:
            lifted = [self._lift(track, seen) for track, seen in tracks]
            if not any(lifted):
                break

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
                self.layers.remove(mover)
            return
        self._order += 1
        if mover is None:
            track = Track(self._flat, seen.piece, self._book.shapes[seen.piece], seen.pose, self._order, look.time)
            self.layers.tracks.append(track)
        else:
            track = mover
            track.order = self._order
            self.layers.touch(track.place)
            track.lie(seen.pose, look.time)
        self.twice.pop(seen.piece, None)
        self.beside.pop(seen.piece, None)
        self._place(track, seen.lies)
        self._confirm(track, seen, look)

    def _place(self, track: Track, lies: Pose) -> None:
        self.layers.touch(track.place)
        track.lies = lies
        zone = self._mat.zone_at(lies.x, lies.y)
        track.zone = zone.name if zone else None
        if zone is not None and zone.kind in ("slots", "strips"):
            spots = [zone.spot(i, track.shape.w, track.shape.h) for i in range(zone.places(track.shape))]
            track.slot = int(np.argmin([np.hypot(x - lies.x, y - lies.y) for x, y in spots]))

    def _judge(self, look: Look) -> None:
        moving = TileSum(look.moving)
        for track in self.layers.reaching(TileSum(look.core | look.moving)):
            if not isinstance(track, Track):
                continue
            fresh = False
            for spot in track.spots.values():
                if moving.any(spot.tiles):
                    spot.status = ELSE
                elif spot.frame != look.frame and look.covers(spot.tiles):
                    spot.status = absence.status(self.layers, track, spot, look, self._piled(track))
                    fresh = True
            self._conclude(track, look, fresh)
        for piece in [p for p, pose in self.twice.items() if self._disproved(p, pose, look)]:
            del self.twice[piece]
        for piece in [p for p, pose in self.beside.items() if self._disproved(p, pose, look)]:
            del self.beside[piece]

    def _misses(self, track: Track) -> bool:
        return (track.piece, track.pose) in self._missed

    def _piled(self, track: Track) -> bool:
        return track.zone is not None and self._mat.zone(track.zone).kind == "pile"

    def _conclude(self, track: Track, look: Look, fresh: bool) -> None:
        statuses = {spot.status for spot in track.spots.values()}
        missing = self._misses(track) and BARE in statuses and READ not in statuses
        if statuses & {READ, SAME} and not missing:
            if track.state != HIDDEN:
                track.state, track.doubt = SEEN, 0
            return
        gone = self._gone(track, look, statuses, missing)
        if not statuses or not (gone or statuses <= {UNDER}):
            if track.state != HIDDEN:
                track.state = COVERED
            track.doubt = 0
            return
        if not fresh:
            return
        track.doubt += 1
        if track.doubt < 2 or look.quiet(track.tiles) < (gone.after if gone else _GONE_AFTER):
            if track.doubt == 1:
                # A sweep may have found it: the next one is too far off to be asked.
                self._wake.append(track.tiles)
            return
        if gone:
            self.layers.remove(track)
            if gone.veiled is not None:
                self.veiled.append(gone.veiled)
        else:
            # It is remembered: what peeps out of a pile must not look like a hand.
            track.state = HIDDEN
            self._forget_backs()

    def _gone(self, track: Track, look: Look, statuses: set[str], missing: bool) -> _Gone | None:
        """Return how a piece that is not read is seen to be gone; None if it may still be there."""
        # A shadow, or chance, may leave traces of a code on the bare mat: then all of its place has to be bare.
        least = absence.ALL_BARE if ELSE in statuses else absence.BARE_ENOUGH
        if missing or (BARE in statuses and absence.outline_bare(self.layers, track, look, least)):
            return _Gone(_GONE_AFTER)
        if ELSE not in statuses:
            beside = BESIDE in statuses and absence.unaltered_round(self.layers, track, look)
            return _Gone(absence.UNALTERED_FOR) if beside else None
        veiled = absence.veiled(self.layers, track, look)
        return _Gone(absence.UNALTERED_FOR, veiled) if veiled is not None else None

    def look_anew(self, strange: Mask, picture: Floats, moved_at: Times, time: float) -> bool:
        """Take anew pieces' looks that include the hand that laid them; return whether there were any.

        There something strange without a hand's end lies on pieces alone, moved last when they were read, and rests.
        """
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange.view(np.uint8), connectivity=8)
        found = False
        for number, (x, y, wide, high, area) in enumerate(stats[1:count].tolist(), start=1):
            window = (slice(y, y + high), slice(x, x + wide))
            part = labels[window] == number
            on_pieces = self.layers.outlines(window, RING_MM, is_seen)
            if np.count_nonzero(part & on_pieces) < _ON_PIECES * area:
                continue
            tiles = self._flat.tile_window_of(window)
            moved = float(moved_at[tiles].max())
            for track in self.layers.tracks_near(window):
                common = overlap(window, track.window)
                if common is None or track.state != SEEN or not track.patch.size:
                    continue
                if time - moved >= _AT_REST and track.taken <= moved + 1e-9 and moved - track.taken <= _HAND_STAYS:
                    own = within(common, track.window)
                    np.copyto(track.patch[own], picture[common], where=part[within(common, window)])
                    self.layers.redraw(window)
                    found = True
        return found

    def _forget_backs(self) -> None:
        hidden = [track for track in self.layers.tracks if track.state == HIDDEN and track.piece == BACK]
        for track in hidden[:-_BACKS_REMEMBERED]:
            self.layers.remove(track)

    def _disproved(self, piece: str, pose: Pose, look: Look) -> bool:
        window = self._flat.tile_window(pose.outline(self._book.shapes[piece]))
        here = any(c.found.piece == piece and c.found.pose.distance(pose) < MOVE_MM for c in self.layers.candidates)
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
            time - candidate.time < 0.5 and candidate.found.piece not in self.twice
            for candidate in self.layers.candidates
        )

    def unclear(self) -> Mask:
        """Return in which tiles something should be read that was not."""
        result = np.zeros(self._flat.grid, dtype=np.bool_)
        for track in self.layers.tracks:
            if track.state == COVERED or (track.state == SEEN and track.doubt):
                result[track.tiles] = True
        for candidate in self.layers.candidates:
            result[candidate.place.tiles] = True
        return result
