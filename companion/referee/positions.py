"""What lies where, in words: for packing a table away, laying it out again, and for seeing what a step back moves."""

from __future__ import annotations

import msgspec

from companion.codes import BACK
from companion.referee.difference import FACE, Seen, mismatches
from companion.referee.history import History, HistoryError
from companion.referee.words import Words, describe_record
from companion.rules.cards import Piece
from companion.rules.kernel import AnyGame
from companion.rules.layout import (
    Anything,
    Area,
    Back,
    Empty,
    Exactly,
    Expect,
    Layout,
    Loose,
    OneOf,
    Pile,
    Slots,
    Strips,
    Zone,
)
from companion.text import t


class Laid(Seen):
    """A table on which everything lies as a layout says; of what it leaves open nothing is seen."""

    __slots__ = ()

    def __init__(self, layout: Layout) -> None:
        """Lay everything out."""
        self.faces: dict[Zone, list[tuple[Piece, int]]] = {}
        self.backs: dict[Zone, int] = {}
        self.covered = frozenset()
        for zone, area in layout.zones.items():
            if isinstance(area, Loose):
                places: tuple[Expect, ...] = tuple(Exactly(piece) for piece in sorted(area.pieces))
                self.backs[zone] = area.backs
            else:
                places = (area.top,) if isinstance(area, Pile) else area.places  # type: ignore[attr-defined]
            for slot, place in enumerate(places):
                if isinstance(place, Back):
                    self.backs[zone] = self.backs.get(zone, 0) + 1
                elif isinstance(place, Exactly | OneOf):
                    piece = place.piece if isinstance(place, Exactly) else min(place.pieces)
                    self.faces.setdefault(zone, []).append((piece, slot))
        self.zones = self.faces.keys() | self.backs.keys()


class Step(msgspec.Struct, frozen=True):
    """A step back: how many records it takes back, what they were (newest first), and what has to be moved then."""

    n: int
    steps: int
    goes: tuple[str, ...]
    moves: tuple[str, ...]


def back(game: AnyGame, words: Words, history: History, n: int) -> Step:
    """Return what going back to just after record `n` means; 0 is the beginning.

    Raises:
        HistoryError: if there is no such record, or it does not count any more.
    """
    active = list(history.active)
    kept = 0 if n == 0 else next((i for i, past in enumerate(active, 1) if past.record.n == n), -1)
    if kept < 0:
        there = t("was taken back already") if n in history.dead else t("can't be gone back to")
        raise HistoryError(t("record {count} {there}", count=n, there=there))
    states = [history.first, *(past.state for past in active)]
    going = [describe_record(game, states[i], active[i].record) for i in range(kept, len(active))]
    wrong = mismatches(game.layout(states[kept]), Laid(game.layout(states[-1])))
    return Step(n, len(active) - kept, tuple(reversed(going)), words.moves(wrong))


def lies(words: Words, layout: Layout) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List zone by zone what should lie there, from the first slot on or from the bottom of a pile's open cards up."""
    found = ((words.zone(zone), _area(words, area)) for zone, area in layout.zones.items())
    return tuple((zone, things) for zone, things in found if things)


def _area(words: Words, area: Area) -> tuple[str, ...]:
    if isinstance(area, Pile):
        below = tuple(words.piece(piece) for piece in sorted(area.below))
        top = _place(words, area.top)
        if isinstance(area.top, Back):
            return (*below, t("a pile, face down"))
        return (*below, t("{top}, on top", top=top[0]) if below else top[0]) if top else below
    if isinstance(area, Loose):
        named = [words.piece(piece) for piece in sorted(area.pieces)]
        return tuple(_many(named) + _count(area.backs, BACK, words) + _count(area.unknown, FACE, words))
    if isinstance(area, Slots | Strips):
        shown = [(slot, thing) for slot, place in enumerate(area.places, 1) for thing in _place(words, place)]
        if len(area.places) == 1 or len({thing for _, thing in shown}) == 1:
            return tuple(_many([thing for _, thing in shown]))
        return tuple(t("{slot}: {thing}", slot=slot, thing=thing) for slot, thing in shown)
    return ()


def _place(words: Words, place: Expect) -> tuple[str, ...]:
    if isinstance(place, Exactly):
        return (words.piece(place.piece),)
    if isinstance(place, OneOf):
        return (words.piece(min(place.pieces)),)
    if isinstance(place, Empty | Anything):
        return ()
    return (words.piece(BACK if isinstance(place, Back) else FACE),)


def _many(things: list[str]) -> list[str]:
    """Name alike things once, with their number."""
    return [
        thing if (n := things.count(thing)) == 1 else t("{count} × {thing}", count=n, thing=thing)
        for thing in dict.fromkeys(things)
    ]


def _count(n: int, piece: Piece, words: Words) -> list[str]:
    return _many([words.piece(piece)] * n)
