"""Whether cards were printed smaller or larger than goes with the mat, by the sides of their codes."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

import msgspec

from companion.eye.geometry import Calibration
from companion.eye.places import CodeBook, Found, code_poses
from companion.eye.view import Trouble
from companion.text import t

SHOWN = 30.0
"""Seconds for which it is said."""
_FEWEST, _ENOUGH = 3, 12
"""Codes that have to agree, and after how many that don't the cards are taken as they should be."""
_SPREAD, _MOST = 0.015, 0.8
"""How far (a share of the size) codes of one print are measured from their median, and how many of them at least."""
_GROWN = 1.008
"""A code's side appears a little longer than it is, as its edge is blurred (measured in rendered pictures)."""
_MEANT = (0.975, 1.05)
"""What is no scaling: measuring errs, paper shrinks, and the top of a high pile is nearer to the camera."""


class PrintScale:
    """Learns from the first codes that are read what size the cards have, as a share of the size that they should."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], float] = {}
        self._decided = False
        self._share = 1.0
        self._since = -1e9
        self._shown = False

    @property
    def open(self) -> bool:
        """Whether the scale is still to be found."""
        return not self._decided and len(self._seen) < _ENOUGH

    def learn(self, pieces: Iterable[Found], book: CodeBook, calibration: Calibration, time: float) -> float | None:
        """Return the cards' scale once it is found not to be 1; None before, and ever after."""
        if not self.open:
            return None
        for found in pieces:
            at = code_poses(tuple(found.codes.values()), calibration)
            for (index, _), (*_, side) in zip(found.codes.items(), at, strict=True):
                self._seen.setdefault((found.piece, index), side / book.shapes[found.piece].codes[index].size / _GROWN)
        share = statistics.median(self._seen.values()) if self._seen else 1.0
        agree = sum(abs(one - share) < _SPREAD for one in self._seen.values())
        if agree < max(_FEWEST, _MOST * len(self._seen)):
            return None
        self._decided = True
        if _MEANT[0] < share < _MEANT[1]:
            return None
        self._share, self._since = round(share, 2), time
        return self._share

    def trouble(self, time: float) -> Trouble | None:
        """Return the notice to show at a time; None if there is none (any more)."""
        self._shown = time - self._since < SHOWN
        if not self._shown:
            return None
        words = t(
            "The cards have {percent} % of the size that goes with this mat: one of the two was printed with scaling. "
            "They are read all the same. Next time print at 100 % (“actual size”).",
            percent=round(self._share * 100),
        )
        return Trouble("print-scale", words)

    def over(self, time: float) -> bool:
        """Return whether the notice was shown for long enough."""
        return self._shown and time - self._since >= SHOWN


def scaled(book: CodeBook, share: float) -> CodeBook:
    """Return a book whose pieces are so many times as large, with all that is printed on them."""
    grown = {
        shape: msgspec.structs.replace(
            shape,
            w=shape.w * share,
            h=shape.h * share,
            codes=tuple(
                msgspec.structs.replace(code, x=code.x * share, y=code.y * share, size=code.size * share)
                for code in shape.codes
            ),
        )
        for shape in set(book.shapes.values())
    }
    return msgspec.structs.replace(book, shapes={piece: grown[shape] for piece, shape in book.shapes.items()})
