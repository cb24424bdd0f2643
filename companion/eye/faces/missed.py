"""Known cards that were taken away, though not all of their places looks bare: a lamp's shine lies there as before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.eye.faces.cutting import NEAR, cut_window
from companion.eye.faces.examined import Around, has, is_under, reaches
from companion.eye.faces.flattening import Flattener, box_of, inside
from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.naming import is_like
from companion.eye.flat import Window
from companion.eye.mat import Shape
from companion.eye.places import Pose
from companion.eye.view import Frame

_BARE = 0.3
"""The share of a card's place that must look like the mat for the card to be missed there."""

_LIKE = 0.15
"""How much a missed card's place looks like it at most: in hard light cards had 0.2 and more, most gone ones under 0.1.
"""


class Missed:
    """The cards of which nothing is seen where they lay. Belongs to one eye."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes
        self._missed: set[tuple[str, Pose]] = set()

    def __contains__(self, entry: object) -> bool:
        """Return whether a piece is missed at a pose: backs lie in many places."""
        return entry in self._missed

    def look(
        self,
        frame: Frame,
        windows: Sequence[Window],
        around: Around,
        read: Collection[str],
        flattener: Flattener,
        books: Sequence[FaceBook],
    ) -> None:
        """Look for the cards that should be seen in some windows.

        `around` is what is known; `read` are pieces just read, not to be looked for; `flattener` makes flat pictures of
        the frame; a piece of which none of the `books` has a face is never missed.
        """
        missed = set()
        for piece, pose in around.lying:
            bounds = pose.bounds(self._shapes[piece])
            if any(reaches(bounds, window) for window in windows):
                gone = piece not in read and self._is_gone(frame, around, piece, pose, flattener, books)
            else:
                gone = (piece, pose) in self
            if gone:
                missed.add((piece, pose))
        self._missed = missed

    def _is_gone(
        self, frame: Frame, around: Around, piece: str, pose: Pose, flattener: Flattener, books: Sequence[FaceBook]
    ) -> bool:
        """Return whether the mat shows where a card lay, and nothing there looks like its face."""
        book = next((book for book in books if has(book, piece)), None)
        outline = pose.outline(self._shapes[piece])
        box = box_of(outline, around.bare.shape)
        if book is None or not around.bare[box].any():
            return False
        place = inside(around.bare.shape, outline)
        if around.bare[place].mean() < _BARE or is_under(around, self._shapes, piece, pose):
            return False
        cut = cut_window(flattener, frame, box, NEAR)
        return not is_like(cut.sheet(book), cut.at(pose), book.numbers[piece], _LIKE)
