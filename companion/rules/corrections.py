"""What audits and the host's corrections (C8) have in common, whatever the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from companion.rules.cards import Piece
from companion.rules.kernel import AnyEdit, Counts, Outcome, RuleError, Seat, inconsistent
from companion.rules.layout import Zone, owner_of

MOST = 999
"""More of a thing than any table has: a count that is larger is a slip of the finger."""

ENDED_BY_HOST = Outcome((), "ended-by-host", "C8", "The host has ended the match; nobody wins.")


def bad(reason: str, remedy: str) -> RuleError:
    """Say why an edit can't be made."""
    return RuleError(inconsistent("C8", reason, remedy))


def possible(edits: Iterable[AnyEdit]) -> None:
    """Refuse counts that no table has, before anybody counts up to them.

    Raises:
        RuleError: if there is one.
    """
    for edit in edits:
        if isinstance(edit, Counts) and not 0 <= edit.count <= MOST:
            raise bad(f"nobody can have {edit.count} of anything", f"Count from 0 to {MOST}.")


def seat_of(zone: Zone, seats: Collection[Seat], such_as: Zone) -> Seat:
    """Get the seat of a zone like "hand.2".

    Raises:
        RuleError: if there is none; it names a zone `such_as` there is.
    """
    owner = owner_of(zone)
    if owner not in seats:
        raise bad(f"there is no place {zone!r}", f"The seats are 1 to {len(seats)}, as in {such_as}.")
    return owner


def adds_up(wrong: tuple[str, ...]) -> None:
    """Refuse a correction after which an audit finds something wrong.

    Raises:
        RuleError: if it does.
    """
    if wrong:
        raise bad(wrong[0].rstrip("."), "Correct that too, in the same step.")


def sentences(wrong: Iterable[str]) -> tuple[str, ...]:
    """Begin each with a capital."""
    return tuple(sentence[:1].upper() + sentence[1:] for sentence in wrong)


def in_one_place(lying: Iterable[Piece], pieces: Collection[Piece], name: Callable[[Piece], str]) -> list[str]:
    """Say which pieces are not in exactly one of the places where something is `lying`."""
    found, known = Counter(lying), frozenset(pieces)
    wrong = [f"{name(piece)} is in {n} places." for piece, n in sorted(found.items()) if n > 1]
    wrong += [f"{name(piece)} is in play and should not be." for piece in sorted(found.keys() - known)]
    return wrong + [f"{name(piece)} is nowhere." for piece in sorted(known - found.keys())]
