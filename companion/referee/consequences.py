"""What a record did to those who sit at the table: what each got or lost, and who won the auction that it ended."""

from __future__ import annotations

import msgspec

from companion.referee.history import Past
from companion.referee.snapshot import Change, LogLine
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, AnyGame, Part, Seat, View, spoken_of


def with_consequences(game: AnyGame, line: LogLine, past: Past, called: dict[Piece, str]) -> LogLine:
    """Return the line of a record with what came of it, and the cards that its sentence speaks of."""
    before, after, action = past.before, past.state, past.record.action
    if action is None:
        return line
    return msgspec.structs.replace(
        line,
        turn=game.turn(before),
        cards=spoken_of(line.words, action, past.record.facts, called),
        bid=game.timed(before) is not None,
        sale=game.sale(before, action, after),
        events=game.events(before, action, past.record.facts, after),
        changes=changes(game.view(before, TABLE), game.view(after, TABLE)),
    )


def changes(before: View, after: View) -> tuple[Change, ...]:
    """List what each seat has more or less of, as everybody may see it: what is counted, and cards that lie open."""
    was, then = _numbers(before), _numbers(after)
    had, has = _cards(before), _cards(after)
    parts: dict[Seat, list[Part]] = {}
    for (seat, name), part in {**was, **then}.items():
        value = _value(then, seat, name) - _value(was, seat, name)
        if value:
            parts.setdefault(seat, []).append(msgspec.structs.replace(part, value=value))
    nothing = frozenset[Piece]()
    found = []
    for seat in sorted({*parts, *had, *has}):
        old, new = had.get(seat, nothing), has.get(seat, nothing)
        if seat in parts or old != new:
            found.append(Change(seat, tuple(parts.get(seat, ())), tuple(sorted(new - old)), tuple(sorted(old - new))))
    return tuple(found)


_Numbers = dict[tuple[Seat, str], Part]


def _value(numbers: _Numbers, seat: Seat, name: str) -> int:
    part = numbers.get((seat, name))
    return part.value if part is not None else 0


def _numbers(view: View) -> _Numbers:
    return {(part.seat, str(part.name)): part for part in view.numbers if part.seat != TABLE}


def _cards(view: View) -> dict[Seat, frozenset[Piece]]:
    found: dict[Seat, frozenset[Piece]] = {}
    for shelf in view.shelves:
        if shelf.seat != TABLE and not shelf.known:
            found[shelf.seat] = found.get(shelf.seat, frozenset()).union(shelf.pieces)
    return found
