"""What audits and the host's corrections (C8) have in common, whatever the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Card, Piece
from companion.rules.hands import Hand
from companion.rules.kernel import AnyEdit, Counts, Instead, Lies, Outcome, Points, RuleError, Seat, Turns
from companion.rules.layout import Zone, owner_of
from companion.text import bare, capital, t

S = TypeVar("S")

MOST = 999
"""More of a thing than any table has: a larger count is a typing error."""

ENDED_BY_HOST = Outcome((), "ended-by-host", "C8", t("The host has ended the match; nobody wins."))


def bad(reason: str, remedy: str) -> RuleError:
    """Return the error for an edit that can't be made."""
    return RuleError.inconsistent("C8", reason, remedy)


def possible(edits: Iterable[AnyEdit], rounds: bool = False) -> None:
    """Raise RuleError for counts that no table has, and for points where no `rounds` are counted."""
    for edit in edits:
        if isinstance(edit, Points) and not rounds:
            raise bad(t("this game has no rounds with points of their own"), t("Say where the pieces lie."))
        if isinstance(edit, Counts) and not 0 <= edit.count <= MOST:
            raise bad(
                t("nobody can have {count} of anything", count=edit.count), t("Count from 0 to {most}.", most=MOST)
            )


def seat_of(zone: Zone, seats: Collection[Seat], such_as: Zone) -> Seat:
    """Return the seat of a zone like "hand.2"; RuleError that names a zone `such_as` there is, if there is none."""
    owner = owner_of(zone)
    if owner not in seats:
        raise bad(
            t("there is no place {zone!r}", zone=zone),
            t("The seats are 1 to {seats}, as in {such_as}.", seats=len(seats), such_as=such_as),
        )
    return owner


def seat_there(seat: Seat, seats: Collection[Seat]) -> None:
    """Raise RuleError if the turn is given to a seat that is not there."""
    if seat not in seats:
        reason = t("there is no seat {seat}", seat=seat)
        raise bad(reason, t("The seats are 1 to {players}.", players=len(seats)))


def adds_up(wrong: tuple[str, ...]) -> None:
    """Raise RuleError if an audit finds something wrong after a correction."""
    if wrong:
        raise bad(bare(wrong[0]), t("Correct that too, in the same step."))


def sentences(wrong: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences, each with a capital at its beginning."""
    return tuple(map(capital, wrong))


def in_one_place(lying: Iterable[Piece], pieces: Collection[Piece], name: Callable[[Piece], str]) -> list[str]:
    """Return a sentence for every piece that is not in exactly one place; `lying` lists the pieces found anywhere."""
    found, known = Counter(lying), frozenset(pieces)
    wrong = [
        t("{piece} is in {count} places.", piece=name(piece), count=n) for piece, n in sorted(found.items()) if n > 1
    ]
    wrong += [t("{piece} is in play and should not be.", piece=name(piece)) for piece in sorted(found.keys() - known)]
    return wrong + [t("{piece} is nowhere.", piece=name(piece)) for piece in sorted(known - found.keys())]


def apply_edits(
    state: S,
    edits: Iterable[AnyEdit],
    *,
    instead: Callable[[S, Instead], S],
    lies: Callable[[S, Lies], S],
    counts: Callable[[S, Counts], S],
    turns: Callable[[S, Turns], S],
) -> S:
    """Return a state with all edits made: first where pieces lie, then how many there are, then whose turn it is."""
    edits = tuple(edits)
    for edit in edits:
        if isinstance(edit, Instead):
            state = instead(state, edit)
        elif isinstance(edit, Lies):
            state = lies(state, edit)
    for edit in edits:
        if isinstance(edit, Counts):
            state = counts(state, edit)
        elif isinstance(edit, Turns):
            state = turns(state, edit)
    return state


def lifted(state: S, piece: Piece, slots: Collection[str] = (), keep: Collection[str] = ()) -> S:
    """Return a state without a piece: rows named `slots` keep its place, empty; fields named `keep` are left alone."""

    def left(name: str, value: object) -> object:
        if name in keep:
            return value
        if isinstance(value, str):
            return "" if value == piece else value
        if isinstance(value, frozenset):
            return value - {piece}
        if isinstance(value, tuple):
            if name in slots:
                return tuple("" if each == piece else each for each in value)
            return tuple(left("", each) for each in value if each != piece)
        return _changed(value, left)

    return _changed(state, left)


def swapped(state: S, piece: Piece, other: Piece) -> S:
    """Return a state in which two pieces have changed places, wherever it names them."""
    taken = {piece: other, other: piece}

    def swap(name: str, value: object) -> object:
        if isinstance(value, str):
            return taken.get(value, value)
        if isinstance(value, frozenset):
            return frozenset(swap("", each) for each in value)
        if isinstance(value, tuple):
            return tuple(swap("", each) for each in value)
        return _changed(value, swap)

    return _changed(state, swap)


def copies_swapped(state: S, cards: Mapping[Piece, Card], edit: Instead) -> S:
    """Return a state in which two copies of a card have changed places; RuleError if they are no such copies."""
    pieces = {edit.piece, edit.other}
    if not cards.keys() >= pieces or len({cards[piece].title for piece in pieces}) > 1:
        reason = t("{piece} and {other} are not two copies of one card", piece=edit.piece, other=edit.other)
        raise bad(reason, t("Say which cards lie where instead."))
    return swapped(state, edit.piece, edit.other)


def _changed(value: S, change: Callable[[str, object], object]) -> S:
    if not isinstance(value, msgspec.Struct):
        return value
    return replace(value, **{name: change(name, getattr(value, name)) for name in value.__struct_fields__})


def shared_out(hands: Sequence[Hand], more: int, room: Callable[[Seat], int], refusal: RuleError) -> tuple[Hand, ...]:
    """Return hands of seats 1, 2, … that together hold `more` unseen cards (below 0: fewer); nobody saw who drew.

    The smallest hand below its `room` (the most it can hold) gets one first, the largest loses one first. Raises the
    `refusal`, a RuleError, if no hand can give or take one.
    """
    found, step = list(hands), 1 if more > 0 else -1
    for _ in range(abs(more)):
        able = [n for n, hand in enumerate(found) if (hand.size < room(n + 1) if step > 0 else hand.unknown > 0)]
        if not able:
            raise refusal
        chosen = min(able, key=lambda n: step * found[n].size)
        found[chosen] = Hand(found[chosen].known, found[chosen].unknown + step)
    return tuple(found)


def without_limit(seat: Seat) -> int:
    """Return the most cards that a hand can hold where no rule limits it."""
    return MOST
