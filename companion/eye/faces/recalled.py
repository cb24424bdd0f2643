"""Cards that lay on the table before an eye was opened: after a restart, or when a picture was not understood.

A half-covered card shows too little for a name, but where it lay says more; it must look like that card only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.codes import BACK
from companion.eye.faces.flattening import box_of, inside
from companion.eye.flat import Mask, Window
from companion.eye.geometry import Points
from companion.eye.mat import Shape
from companion.eye.places import Found, Pose

NEAR_MM = 6.0
"""A face found this near to where its piece lies, or was found before, is that piece."""

_LOOKS = 8
"""How often a card is looked for where it lay."""

Entry = tuple[str, Pose]


class Recalled:
    """Where cards lay, and which of them are not found yet."""

    def __init__(self, shapes: Mapping[str, Shape], lay: Iterable[Entry] = ()) -> None:
        """Create it with what lay on the table, from the bottom up."""
        self._shapes = shapes
        self._all = list(lay)
        self._orders = {entry: number for number, entry in enumerate(self._all)}
        self._looked = dict.fromkeys(self._all, 0)

    @property
    def lay(self) -> list[Entry]:
        """The cards that are still looked for, from the bottom up."""
        return [entry for entry in self._all if self._looked[entry] < _LOOKS]

    def missed(self, lying: Sequence[Entry], shape: tuple[int, ...]) -> dict[Entry, Mask]:
        """Return where each card not found yet should show, in masks of the flat `shape`: not under a higher card."""
        if not self._all:
            return {}
        there = {piece for piece, _ in lying} - {BACK}
        known = [entry for entry in self._all if self._known(entry, lying)]
        # What lies elsewhere now is no longer looked for.
        self._all = [entry for entry in self._all if entry in known or entry[0] not in there]
        missed = {}
        for entry in self.lay:
            if entry in known:
                continue
            shows = inside(shape, self._outline(entry))
            for other in known:
                if self._orders[other] > self._orders[entry]:
                    shows &= ~inside(shape, self._outline(other))
            missed[entry] = shows
        return missed

    def windows(self, missed: Iterable[Entry], shape: tuple[int, ...], found: Sequence[Found]) -> Iterator[Window]:
        """Yield windows of the flat picture round cards not `found` yet, each a few times."""
        for entry in missed:
            if self._known(entry, [(one.piece, one.pose) for one in found]):
                continue
            self._looked[entry] += 1
            rows, columns = box_of(self._outline(entry), shape)
            if rows.start < rows.stop and columns.start < columns.stop:  # a row may have been pushed off the mat
                yield rows, columns

    def _outline(self, entry: Entry) -> Points:
        return entry[1].outline(self._shapes[entry[0]])

    @staticmethod
    def _known(entry: Entry, lying: Sequence[Entry]) -> bool:
        return any(piece == entry[0] and pose.distance(entry[1]) < NEAR_MM for piece, pose in lying)
