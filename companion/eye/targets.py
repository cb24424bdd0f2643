"""Stage 5, tiles to windows: where to read, how thoroughly, and what need not be read because it is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from companion.eye.flat import Area, Flat, Mask, TileSum, Window, boxes_of, flat_window, grown, joined
from companion.eye.memory import Memory
from companion.eye.motion import SETTLE, quiet
from companion.eye.reader import FACES
from companion.eye.tracks import HIDDEN, Spot, Track
from companion.eye.view import Frame, Sighting

_CODE = 8
"""Flat pixels (16 mm) round tiles read with them: half a 22 mm code's diagonal, so that their codes are whole."""

_GAP = 6
"""Flat pixels (12 mm) between parts that are read as one: asking a reader has a price of its own."""

_NEW = 1.0
"""Seconds for which the unread codes of a new piece, which should show, are tried again."""

_BARE = 0.85
"""The share of a code's place that must be bare mat so that no code is looked for there."""


class Part(NamedTuple):
    """A window of the flat picture that is to be read."""

    window: Window
    thorough: bool


class Known(NamedTuple):
    """What need not be read: `codes` whose pixels are unchanged since they were read."""

    codes: list[Sighting]
    again: list[Sighting]
    """Those of them that are news: a candidate's second reading, a piece that shows again."""
    same: list[tuple[Track, Spot]]
    """The spots of those that are no news."""
    explained: list[Area]
    """Places that need no reading because of them."""
    asked: list[Area]
    """Places that have to be read because their code has changed."""


class Tiles(NamedTuple):
    """The tiles of one look, masks of the flat picture's grid: those at rest that were seen anew, those of them that
    may have changed or have their turn (`core`), those that are due as something moved, those whose turn it is, and
    those of the latter of which bare mat is read too.
    """

    seen: Mask
    core: Mask
    due: Mask
    turn: Mask
    bare: Mask


def boxes(tiles: Mask) -> list[Window]:
    """Return boxes round tiles, a tile wider all round than what changed, so that no code is cut."""
    return joined([grown(box, 1, tiles.shape) for box in boxes_of(tiles)], tiles.shape)


def around(tiles: Mask, flat: Flat) -> list[Window]:
    """Return the windows of some tiles with as much round them as a code is wide."""
    return [grown(flat_window(box), _CODE, flat.shape) for box in boxes_of(tiles)]


def known_in(tiles: Tiles, frame: Frame, memory: Memory, flat: Flat) -> Known:
    """Return what need not be read in some tiles, by comparing the pixels of known codes with their readings."""
    pieces, readings = memory.pieces, memory.readings
    here, everything = TileSum(tiles.core), bool(tiles.turn.any())
    known = Known([], [], [], [], [])
    missed = []
    steady: set[int] = set()
    for track, index, spot in pieces.spots_in(TileSum(tiles.seen)):
        # Round about nothing has changed; but a hand may have gone from there that hid a card, and what lies under
        # that card must not be judged without it.
        untouched = track.plain(spot) and not here.any(spot.tiles)
        if untouched and not everything:
            continue
        still = readings.still(frame, spot.sighting)
        if still and track.state == HIDDEN and spot.sighting.reader == FACES:
            # What shows there may be a copy of it, which lies on it.
            still = not pieces.is_under(track, index, lambda _: True)
        if not still:
            if not untouched:
                missed.append((track, index, spot))
            continue
        known.codes.append(spot.sighting)
        known.explained.append((spot.window, spot.mask))
        if not untouched:
            steady.add(id(track))
            if track.plain(spot):
                known.same.append((track, spot))
            else:
                known.again.append(spot.sighting)
    for candidate in pieces.candidates_in(here):
        # What a face was taken for it would be taken for again where nothing changed: it has to be found twice.
        codes = [code for code in candidate.found.codes.values() if code.reader != FACES]
        hold = [code for code in codes if readings.still(frame, code)]
        known.again.extend(hold)
        # In little light half of a token may look like the mat under it: where it was read, it is read again.
        (known.explained if hold else known.asked).append(candidate.place.fill())
    shaky = {id(track) for track, _, _ in missed} - steady
    bare = memory.surface.bare
    known.asked.extend(
        (spot.window, spot.mask)
        for track, index, spot in missed
        if np.count_nonzero(bare[spot.window] & spot.mask) < _BARE * np.count_nonzero(spot.mask)
        and not pieces.is_under(track, index, lambda other: id(other) not in shaky)
    )
    new = -1e9 if everything else frame.time - _NEW
    known.asked.extend(flat.fill(quad) for quad in pieces.unread(here, new))
    return known


def unchanged_in(parts: list[Window], frame: Frame, memory: Memory, flat: Flat) -> list[Sighting]:
    """Return the codes in some parts whose pixels are unchanged since they were read."""
    if not parts:
        return []
    tiles = np.zeros(flat.grid, dtype=np.bool_)
    for part in parts:
        tiles[flat.tile_window_of(part)] = True
    spots = memory.pieces.spots_in(TileSum(tiles))
    return [s.sighting for track, _, s in spots if track.plain(s) and memory.readings.still(frame, s.sighting)]


def parts_in(tiles: Tiles, known: Known, time: float, memory: Memory, flat: Flat) -> list[Part]:
    """Return the parts of some tiles to read: what may have changed and is unexplained, and what has its turn."""
    moved_at, surface = memory.motion.moved_at, memory.surface
    here, unclear = TileSum(tiles.core), memory.unclear()
    fresh = tiles.core & (memory.unread > 0)
    memory.unread[fresh] -= 1
    parts = around(fresh | (tiles.bare & tiles.core), flat)
    for window in around(tiles.turn & ~tiles.bare & tiles.core, flat):
        parts += surface.not_bare(window, known.explained)
    for box in boxes(tiles.core):
        parts += surface.unexplained(box, memory.expected, known.explained, known.asked)
    # What is unclear is read when it has settled, whatever it looks like.
    for window in around(tiles.core & unclear & (time - moved_at >= SETTLE), flat):
        parts += surface.not_bare(window, known.explained)
    found = []
    for part in joined([part for part in parts if here.any(flat.tile_window_of(part))], flat.shape, _GAP):
        window = flat.tile_window_of(part)
        settled = quiet(moved_at, window, time) >= SETTLE
        # A sweep tries what is unclear as it tries the rest: more pains are taken when its own look is due.
        found.append(Part(part, settled and bool((unclear & tiles.due)[window].any())))
    return found
