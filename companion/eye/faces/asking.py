"""Cards that show and are not sure: what has to be asked of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.codes import BACK
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.flattening import inside
from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.naming import Named
from companion.eye.flat import Mask
from companion.eye.mat import Shape
from companion.eye.places import Pose

_OPEN, _SAME_PLACE, _MOST = 0.1, 25.0, 6
"""Share of a place that must look strange to be asked about, distance (mm) of two such places, and how many."""


class Doubt(NamedTuple):
    """A card that shows and is not sure: where it lies, and the pieces that it most likely is, the likeliest first."""

    pose: Pose
    pieces: tuple[str, ...]


class Answered(NamedTuple):
    """A card that was asked about and is known now: the deck that it is of, and the same with another view of it."""

    doubt: Doubt
    deck: TaughtDeck
    taught: TaughtDeck
    colour: bool

    def prepared(self) -> FaceBook:
        """Prepare the deck for comparing. That takes long, and no eye."""
        return FaceBook(self.taught, self.colour).complete()


class Doubts:
    """What one eye is not sure of."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes
        self._all: list[Doubt] = []

    def add(self, faces: FaceBook, unsure: Iterable[Named], left: int, top: int) -> None:
        """Take what was found in a part of the mat (its corner in mm) and is not sure."""
        for named in unsure:
            copies = [faces.deck.faces[face].pieces for face in dict.fromkeys((named.face, *named.rivals))]
            # What looks like a face without pieces is none of the others.
            known = tuple(p[0] for p in copies if p and p[0] in self._shapes and p[0] != BACK) if copies[0] else ()
            pose = Pose(named.pose[0] + left, named.pose[1] + top, named.pose[2] % 360)
            self.forget(pose)
            if known:
                self._all = [*self._all, Doubt(pose, known[:3])][-_MOST:]

    def forget(self, pose: Pose) -> None:
        """Forget what was not sure at a place: it is known now."""
        self._all = [one for one in self._all if one.pose.distance(pose) > _SAME_PLACE]

    def clear(self) -> None:
        """Forget everything."""
        self._all.clear()

    def open(self, strange: Mask) -> tuple[Doubt, ...]:
        """Return what still has to be asked: where it looks `strange` (the flat picture)."""
        return tuple(
            one
            for one in self._all
            if strange[inside(strange.shape, one.pose.outline(self._shapes[one.pieces[0]]))].mean() > _OPEN
        )
