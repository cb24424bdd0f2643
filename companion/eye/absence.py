"""Whether a piece is still there whose codes were not read, by what shows at its place and round about."""

from __future__ import annotations

import cv2
import numpy as np

from companion.eye.flat import Area, Mask, grown
from companion.eye.layers import Layers
from companion.eye.light import bare_in_its_light
from companion.eye.tracks import BARE, BESIDE, ELSE, RING_MM, SAME, SEEN, UNDER, Candidate, Look, Spot, Track, add_part

_FEW = 20
"""Flat pixels (80 mm²) of a code's place that must show to judge it by its look."""

BARE_ENOUGH = 0.8
"""Share of a place's visible part that must be bare mat before its piece is gone; a hand in the mat's tone has gaps."""

ALL_BARE = 0.98
"""The same where the mat bears traces of its codes."""

_SLIVER, _BY_FAR = 0.3, 6
"""Share of a code's place so small that a likeness may be chance, if this many times as much shows, all bare."""

_ROUND = 10
"""Flat pixels (20 mm) round a piece that show whether a hand lies on it."""

UNALTERED_FOR = 2.0
"""Seconds of rest, unaltered all round, until what shows counts as what lay under a piece: no hand is so still."""

_ALTERED = 40.0
"""Gray levels by which a piece looks different where something lies on it."""


def status(layers: Layers, track: Track, spot: Spot, look: Look, piled: bool) -> str:
    """Judge the place of a code that was not read, later pieces over it aside; `piled` if its zone is a pile."""
    under, near = np.zeros_like(spot.mask), np.zeros_like(spot.mask)
    for other in layers.tracks_near(spot.window):
        if other is not track and other.state == SEEN:
            add_part(other, spot.window, near)
            if other.order > track.order:
                add_part(other, spot.window, under, look.picture)
    shows = spot.mask & ~under
    total = int(shows.sum())
    if total < max(_FEW, 0.2 * int(spot.mask.sum())):
        return UNDER if under.any() else ELSE
    if spot.resembles(look.picture, shows):
        sliver = total < _SLIVER * int(spot.mask.sum())
        return BARE if sliver and outline_bare(layers, track, look, ALL_BARE, _BY_FAR * total) else SAME
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


def outline_bare(layers: Layers, track: Track, look: Look, least: float, showing: int = 0) -> bool:
    """Return whether a share `least` of what shows of a piece's place is bare mat, and `showing` flat pixels show."""
    taken = np.zeros_like(track.mask)
    for other in layers.tracks_near(track.window):
        if other is not track and other.state == SEEN:
            add_part(other, track.window, taken)
    left = track.mask & ~taken
    total = int(left.sum())
    if total < showing:
        return False
    few = 0.1 * track.mask.sum()
    if total < few:
        return True
    beside = layers.outlines(track.window, RING_MM, lambda shown: shown is not track and is_seen(shown))
    clear = left & ~beside
    judged = clear if clear.sum() >= few else left
    return int((judged & look.bare[track.window]).sum()) >= least * int(judged.sum())


def veiled(layers: Layers, track: Track, look: Look) -> Area | None:
    """Return where a piece's place looks like bare mat in the light that lies on the mat round about; None if not.

    A mirrored lamp is brighter than the table's light, but print shows through it and it has no edge; a hand has one.
    """
    if look.quiet(track.tiles) < UNALTERED_FOR:
        return None
    if any(spot.recalls(look.picture, spot.mask) for spot in track.spots.values()):
        return None  # in little light a card may be hardly brighter than the mat
    window = grown(track.window, _ROUND, layers.flat.shape)
    picture, mat, known = look.picture[window], look.mat[window].copy(), look.known[window].copy()
    bare = bare_in_its_light(picture, mat, ~layers.outlines(window, RING_MM))
    if not bare.any():
        return None
    layers.paint(window, mat, known)
    lying, beside = layers.outlines(window, 0.0, is_seen), ~layers.outlines(window, RING_MM, is_seen)
    odd = ((lying & (np.abs(picture - mat) > _ALTERED)) | (beside & ~bare)) & known
    return None if _massive(odd) else (window, bare & beside)


def unaltered_round(layers: Layers, track: Track, look: Look) -> bool:
    """Return whether all is as it was round a piece whose codes are no longer seen, other missing pieces aside."""
    window = grown(track.window, _ROUND, layers.flat.shape)
    expected, known = look.mat[window].copy(), look.known[window].copy()
    layers.paint(window, expected, known)
    pieces, open_ = layers.outlines(window, 0.0), ~layers.outlines(window, RING_MM)
    off = np.abs(look.picture[window] - expected) > _ALTERED
    own = layers.outlines(window, RING_MM, lambda shown: isinstance(shown, Track) and shown.may_be_gone)
    odd = ((pieces & off) | (open_ & ~look.bare[window])) & known & ~own
    return not _massive(odd)


def is_seen(entry: Track | Candidate) -> bool:
    """Return whether a piece is seen, neither covered nor read once only."""
    return isinstance(entry, Track) and entry.state == SEEN


def _massive(mask: Mask) -> bool:
    """Return whether a mask holds more than lines and dots."""
    return bool(cv2.erode(mask.view(np.uint8), np.ones((3, 3), dtype=np.uint8)).any())
