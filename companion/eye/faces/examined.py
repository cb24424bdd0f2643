"""Known cards in a window, examined: do they still look like their faces, and does something lie on them?"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.eye.faces.flattening import inside
from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.naming import Sheet, aligned, is_another, share_alike
from companion.eye.flat import MM, Floats, Mask, Window
from companion.eye.geometry import Points
from companion.eye.mat import Shape
from companion.eye.places import Pose

TOUCHED, _ODD, _STILL, _WHOLE = 0.03, 0.5, 0.75, 0.9
"""The share of a known card that looks otherwise from which on it is examined, from which on something lies on it
without examination, the share of its blocks that must look like its face if nothing does, and if all of it shows.
"""

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
    """A card that shows as it should, though nothing of it is known as it was: its pose, and a mask (1 px/mm, from
    `corner` on) of what shows.
    """

    pose: Pose
    shows: npt.NDArray[np.uint8]
    corner: tuple[int, int]


class Examined:
    """What is found out about known cards in the windows of one look."""

    def __init__(self, shapes: Mapping[str, Shape], taught: Callable[[str], bool]) -> None:
        """Create it for pieces of some shapes; `taught` tells whether the face of one is."""
        self._shapes, self._taught = shapes, taught
        self.anew: dict[str, Anew] = {}

    def masks(
        self, around: Around, here: tuple[slice, slice], sheet: Sheet
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return where known pieces lie that are seen as they should be: what is new lies under them, or beside; and
        where those lie on which something lies now.
        """
        hides, touched = np.zeros_like(around.on_piece), np.zeros_like(around.on_piece)
        above = np.zeros_like(around.on_piece)
        # Of a card that is not cut out as a whole nobody can tell what it looks like.
        flat = tuple(slice(math.ceil(part.start / MM), math.floor(part.stop / MM)) for part in here)
        wider = slice(flat[0].start - 2, flat[0].stop + 2), slice(flat[1].start - 2, flat[1].stop + 2)
        for piece, pose in reversed(around.lying):
            outline = pose.outline(self._shapes[piece])
            if not reaches(outline, wider):
                continue
            place = inside(hides.shape, outline)
            if not place.any():
                continue
            odd = float(around.unfamiliar[place].mean())
            # Of what looks as it should in gray, a card on top may be another one that has much in common with it.
            cut = np.count_nonzero(place[flat]) == np.count_nonzero(place)
            alone = cut and not (place & above).any()
            share = self._share(sheet, piece, pose, here) if alone or (cut and TOUCHED <= odd < _ODD) else 1.0
            if alone and piece in around.covered and not self._taught(piece):
                # Its code is not seen, and no face says that it still lies on top.
                share = 0.0
            if cut and piece in around.covered and not alone and odd < TOUCHED:
                # Another strip in its place, where a row was pushed along, may be as bright.
                hidden = enlarged(above.astype(np.uint8), here)
                strip = Sheet(sheet.book, sheet.prepared, hidden * 255)
                share = self._share(strip, piece, pose, here)
                if share >= _STILL and has(sheet.book, piece):
                    # In other light no place of it is as it was.
                    self.anew[piece] = Anew(pose, 1 - hidden, (here[1].start, here[0].start))
            above |= place
            if alone and (odd >= TOUCHED or piece in around.covered) and share >= _WHOLE and has(sheet.book, piece):
                self.anew[piece] = Anew(pose, np.ones(_size(hides), np.uint8), (0, 0))
            if odd < _ODD and share >= _STILL:
                # Where a card above it is in doubt, what shows is not this one.
                hides |= place & ~around.unfamiliar & ~touched
            else:
                touched |= place
        return enlarged(hides.astype(np.uint8), here), enlarged(touched.astype(np.uint8), here)

    def _share(self, sheet: Sheet, piece: str, pose: Pose, here: tuple[slice, slice]) -> float:
        """Return how much of a piece still looks like its face; if most does, what is new lies under it, not on it."""
        number = next((n for n, face in enumerate(sheet.book.deck.faces) if piece in face.pieces), None)
        if number is None:
            return 1.0
        at = (pose.x - here[1].start, pose.y - here[0].start, pose.rotation)
        show = sheet.showing(at)
        share = share_alike(sheet, at, number, show) or 0.0
        if _STILL <= share < _WHOLE:
            # Its pose was taken from the part that showed then.
            better = aligned(sheet, at, int(np.flatnonzero(sheet.book.owner == number)[0]))
            if np.hypot(better[0] - at[0], better[1] - at[1]) < _ASKEW and abs(better[2] - at[2]) < _ASKEW:
                share = max(share, share_alike(sheet, better, number, show) or 0.0)
        return 0.0 if share >= _STILL and is_another(sheet, at, number, show) else share


def has(faces: FaceBook, piece: str) -> bool:
    """Return whether a piece is one of a deck's."""
    return any(piece in face.pieces for face in faces.deck.faces)


def reaches(outline: Points, window: Window) -> bool:
    """Return whether an outline (mm) reaches into a window of the flat picture."""
    (x0, y0), (x1, y1) = outline.min(axis=0) / MM, outline.max(axis=0) / MM
    return bool(x0 < window[1].stop and x1 > window[1].start and y0 < window[0].stop and y1 > window[0].start)


def enlarged(flat: npt.NDArray[np.uint8] | Floats, here: tuple[slice, slice]) -> npt.NDArray[np.uint8]:
    """Return a part (mm) of a flat picture at 1 px/mm."""
    ys = np.minimum((np.arange(here[0].start, here[0].stop) + 0.5) / MM, flat.shape[0] - 1).astype(int)
    xs = np.minimum((np.arange(here[1].start, here[1].stop) + 0.5) / MM, flat.shape[1] - 1).astype(int)
    return np.ascontiguousarray(flat[np.ix_(ys, xs)])


def _size(flat: Mask) -> tuple[int, int]:
    """Return the shape of a flat picture at 1 px/mm."""
    return round(flat.shape[0] * MM), round(flat.shape[1] * MM)
