"""Known cards in a window, examined: do they still look like their faces, and does something lie on them?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.eye.faces.flattening import inside
from companion.eye.faces.followed import Card
from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.naming import ALL_ALIKE, Sheet, aligned, is_another, share_alike
from companion.eye.faces.recalled import NEAR_MM
from companion.eye.faces.searched import Sight, same
from companion.eye.flat import MM, Floats, Mask, Window
from companion.eye.mat import Shape
from companion.eye.places import Pose

TOUCHED, _ODD, _STILL = 0.03, 0.5, 0.75
"""Share of a known card that looks otherwise from which it is examined, and from which something surely lies on it; and
share of blocks that must look like its face if nothing does."""

_ASKEW = 2.5
"""Millimetres and degrees by which the pose of a card may be off that was found by a part of it."""


class Around(NamedTuple):
    """What the eye knows round a look, as flat pictures of the whole mat at MM a pixel: what should be seen, where it
    is neither bare nor as it should be, where it is bare, where pieces lie, the poses of the pieces that are seen,
    bottom to top, those of them of which nothing is known as it was, and in which windows something moved just now.
    """

    expected: Floats
    unfamiliar: Mask
    bare: Mask
    on_piece: Mask
    lying: Sequence[tuple[str, Pose]]
    covered: Collection[str] = ()
    stirred: Callable[[Window], bool] = lambda _: False


class Anew(NamedTuple):
    """What shows of a card (mask of 1 px/mm, from `corner` on) if it shows as it should and was not known yet."""

    shows: npt.NDArray[np.uint8]
    corner: tuple[int, int]


class _Again(NamedTuple):
    """A known card that was found where it lies: what was seen, and what showed of it."""

    pose: Pose
    seen: Sight
    shows: Mask


class Examined:
    """What is found out about known cards in the windows of one look."""

    def __init__(self, shapes: Mapping[str, Shape], taught: Callable[[str], bool]) -> None:
        self._shapes, self._taught = shapes, taught
        # Of backs there are many: what is found out about one holds where it lies.
        self.anew: dict[tuple[str, Pose], Anew] = {}
        self._shares: dict[tuple[int, str, Pose], float] = {}
        self._found: dict[str, _Again] = {}

    def clear(self) -> None:
        """Forget what was found: something else may be found now."""
        self._found.clear()

    def begin(self) -> None:
        """Begin another look."""
        self.anew.clear()
        self._shares.clear()

    def masks(
        self, around: Around, window: Window, here: tuple[slice, slice], sheet: Sheet, now: Sight
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return two masks: known pieces that look as they should (over what is new, or beside), and covered ones.

        `window` limits the pieces; `here` are the rows and columns (mm) cut out round it, `sheet` the cut to read faces
        in, `now` what is seen there.
        """
        hides, touched = np.zeros_like(around.on_piece), np.zeros_like(around.on_piece)
        above = np.zeros_like(around.on_piece)
        # Of a card that is not cut out as a whole nobody can tell what it looks like.
        flat = _cut_of(here)
        wider = _grown(flat)
        for piece, pose in reversed(around.lying):
            bounds = pose.bounds(self._shapes[piece])
            if not reaches(bounds, wider):
                continue
            place = inside(hides.shape, pose.outline(self._shapes[piece]))
            if not place.any():
                continue
            odd = float(around.unfamiliar[place].mean())
            if not reaches(bounds, _grown(window)):
                if odd < _ODD:
                    hides |= place & ~around.unfamiliar & ~touched
                above |= place
                continue
            # Of what looks as it should in gray, a card on top may be another one that has much in common with it.
            cut = np.count_nonzero(place[flat]) == np.count_nonzero(place)
            share = self._alike(around, here, sheet, now, (piece, pose), odd, above, place) if cut else 1.0
            above |= place
            shows: Mask | None = place
            if odd >= _ODD or share < _STILL:
                shows = self._shows(piece, pose, around, now, enlarged(place.astype(np.uint8), here)) if cut else None
            if shows is not None:
                # Where a card above it is in doubt, what shows is not this one.
                hides |= place & shows & ~around.unfamiliar & ~touched
            if shows is not place:
                touched |= place if shows is None else place & ~shows
        return enlarged(hides.astype(np.uint8), here), enlarged(touched.astype(np.uint8), here)

    def _alike(
        self,
        around: Around,
        here: tuple[slice, slice],
        sheet: Sheet,
        now: Sight,
        card: tuple[str, Pose],
        odd: float,
        above: Mask,
        place: Mask,
    ) -> float:
        """Return how much of a known card, cut out as a whole, looks like its face; note it in `anew` if all does.

        `odd` is the share of its `place` that looks unfamiliar, `above` where other cards lie over it.
        """
        (piece, pose), hidden = card, above.astype(np.uint8)
        alone, unread = not (place & above).any(), piece in around.covered
        examined = alone or TOUCHED <= odd < _ODD
        share = self._shared(sheet, piece, pose, here) if examined else 1.0
        if alone and unread and not self._taught(piece):
            # Its code is not seen, and no face says that it still lies on top.
            share = 0.0
        if unread and not alone and odd < TOUCHED:
            # Another strip in its place, where a row was pushed along, may be as bright.
            covered = enlarged(hidden, here)
            share = self._share(Sheet(sheet.book, sheet.prepared, covered * 255), piece, pose, here)
            if share >= _STILL and has(sheet.book, piece):
                # In other light no place of it is as it was.
                self.anew[card] = Anew(1 - covered, now.corner)
        # Where another card lies a little over it, all of it shows nevertheless.
        stale = odd >= TOUCHED or (alone and unread)
        if examined and stale and share >= ALL_ALIKE and has(sheet.book, piece):
            self.anew[card] = Anew(1 - enlarged(hidden, here), now.corner)
        return share

    def is_still(self, around: Around, here: tuple[slice, slice], sheet: Sheet, piece: str, pose: Pose) -> bool:
        """Return whether nothing looks otherwise where a card lies, nor like another card if it lies on top."""
        place = inside(around.unfamiliar.shape, pose.outline(self._shapes[piece]))
        cut = np.count_nonzero(place[_cut_of(here)]) == np.count_nonzero(place)
        if not cut or not place.any() or float(around.unfamiliar[place].mean()) >= TOUCHED:
            return False
        return is_under(around, self._shapes, piece, pose) or self._shared(sheet, piece, pose, here) >= _STILL

    def found(self, around: Around, pieces: Collection[str], card: Card, now: Sight) -> None:
        """Record where one of some pieces was found: if known there it is not read again while this looks the same."""
        for piece, pose in around.lying:
            if piece in pieces and pose.distance(Pose(*card.named.pose)) < NEAR_MM:
                seen = now.around(pose.outline(self._shapes[piece]))
                self._found[piece] = _Again(pose, seen, _shown(card, around.bare.shape))

    def _shows(self, piece: str, pose: Pose, around: Around, now: Sight, place: npt.NDArray[np.uint8]) -> Mask | None:
        """Return what showed of a card when it was found where it lies, if it looks the same now."""
        again = self._found.get(piece)
        if again is None or piece in around.covered or again.pose.distance(pose) >= NEAR_MM:
            return None
        return again.shows if same(again.seen, now, place) else None

    def _shared(self, sheet: Sheet, piece: str, pose: Pose, here: tuple[slice, slice]) -> float:
        """Return `_share` of a piece that is cut out as a whole, which is the same in each window of a look."""
        key = id(sheet.book), piece, pose
        if key not in self._shares:
            self._shares[key] = self._share(sheet, piece, pose, here)
        return self._shares[key]

    def _share(self, sheet: Sheet, piece: str, pose: Pose, here: tuple[slice, slice]) -> float:
        """Return how much of a piece still looks like its face; if most does, what is new lies under it, not on it."""
        number = sheet.book.numbers.get(piece)
        if number is None:
            return 1.0
        at = (pose.x - here[1].start, pose.y - here[0].start, pose.rotation)
        show = sheet.showing(at)
        share = share_alike(sheet, at, number, show) or 0.0
        if _STILL <= share < ALL_ALIKE:
            # Its pose was taken from the part that showed then.
            better = aligned(sheet, at, int(np.flatnonzero(sheet.book.owner == number)[0]))
            if np.hypot(better[0] - at[0], better[1] - at[1]) < _ASKEW and abs(better[2] - at[2]) < _ASKEW:
                share = max(share, share_alike(sheet, better, number, show) or 0.0)
        return 0.0 if share >= _STILL and is_another(sheet, at, number, show) else share


def is_under(around: Around, shapes: Mapping[str, Shape], piece: str, pose: Pose) -> bool:
    """Return whether another known piece lies on one."""
    place = inside(around.bare.shape, pose.outline(shapes[piece]))
    above = itertools.takewhile(lambda entry: entry != (piece, pose), reversed(around.lying))
    return any((place & inside(place.shape, at.outline(shapes[one]))).any() for one, at in above)


def has(faces: FaceBook, piece: str) -> bool:
    """Return whether a piece is one of a deck's."""
    return piece in faces.numbers


def reaches(bounds: tuple[float, float, float, float], window: Window) -> bool:
    """Return whether what has some bounds (mm: left, top, right, low) reaches into a window of the flat picture."""
    left, top, right, low = (at / MM for at in bounds)
    rows, columns = window
    return bool(left < columns.stop and right > columns.start and top < rows.stop and low > rows.start)


def _shown(card: Card, shape: tuple[int, ...]) -> Mask:
    ys, xs = (
        ((np.arange(count) + 0.5) * MM).astype(int) - at for count, at in zip(shape, card.corner[::-1], strict=True)
    )
    rows, columns = ((at >= 0) & (at < most) for at, most in zip((ys, xs), card.shows.shape, strict=True))
    shown = np.zeros(shape, np.bool_)
    shown[np.ix_(rows, columns)] = card.shows[np.ix_(ys[rows], xs[columns])] > 0
    return shown


def _grown(window: Window) -> Window:
    rows, columns = (slice(part.start - 2, part.stop + 2) for part in window)
    return rows, columns


def _cut_of(here: tuple[slice, slice]) -> Window:
    """Return the window of the flat picture that lies within a part (mm) as a whole."""
    rows, columns = (slice(math.ceil(part.start / MM), math.floor(part.stop / MM)) for part in here)
    return rows, columns


def enlarged(flat: npt.NDArray[np.uint8] | Floats, here: tuple[slice, slice]) -> npt.NDArray[np.uint8]:
    """Return a part (mm) of a flat picture at 1 px/mm."""
    ys = np.minimum((np.arange(here[0].start, here[0].stop) + 0.5) / MM, flat.shape[0] - 1).astype(int)
    xs = np.minimum((np.arange(here[1].start, here[1].stop) + 0.5) / MM, flat.shape[1] - 1).astype(int)
    return np.ascontiguousarray(flat.take(ys, 0).take(xs, 1))
