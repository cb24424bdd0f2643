"""Where a seat may lay a piece now: what the simulated table shows to somebody who has not read the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.rules.cards import Piece
from companion.rules.kernel import UNKNOWN, Action, Facts, Game, RuleError, Seat, Shown, fill, holes
from companion.rules.layout import Back, Exactly, Layout, Loose, OneOf, Pile, Slots, Strips, Zone, owner_of

Goal = tuple[Zone, str]
"""A zone that a piece may be laid in, and the face (F or B) that has to show there."""


def goals(
    game: Game[Any], state: Any, seat: Seat, hand: Iterable[Piece], open_: Iterable[Piece]
) -> dict[Piece, list[Goal]]:
    """Return for each card of a seat's hand, and each piece that lies open, the zones where the rules let it go now.

    What an action itself names is moved by hand; where it names no piece, whatever changes its place.
    """
    if seat not in game.actors(state):
        return {}
    held = frozenset(hand)
    pieces, found = held.union(open_), dict[Piece, dict[Goal, None]]()
    layout = game.layout(state)
    before = _lying(layout)
    for template in game.legal(state):
        if template.seat != seat:
            continue
        for action in _ground(template, pieces):
            try:
                then = game.layout(game.play(state, action, _facts(game, state, action)))
            except RuleError:
                continue  # it waits for more than a card that comes up: a roll
            named = pieces.intersection(getattr(action, name) for name, _ in holes(template))
            changed = {piece: zone for piece, zone in _lying(then).items() if before.get(piece) != zone}
            for piece in (named or pieces).intersection(changed):
                found.setdefault(piece, {})[changed[piece], "F"] = None
            for zone in () if changed else _more_backs(layout, then, seat):
                for piece in held:
                    found.setdefault(piece, {})[zone, "B"] = None
    return {piece: list(some) for piece, some in found.items()}


def _ground(template: Action, able: frozenset[Piece]) -> Iterator[Action]:
    open_ = holes(template)
    if not open_:
        yield template
    elif len(open_) == 1:
        name, hole = open_[0]
        for piece in sorted(hole.pieces & able):
            yield fill(template, **{name: piece})


def _facts(game: Game[Any], state: Any, action: Action) -> Facts:
    return tuple(Shown(place=need.place, piece=UNKNOWN) for need in game.needs(state, action) if need.kind == "shown")


def _lying(layout: Layout) -> dict[Piece, Zone]:
    """Return the zone of every piece that should be seen."""
    found: dict[Piece, Zone] = {}
    for zone, area in layout.zones.items():
        if isinstance(area, Loose):
            found |= dict.fromkeys(area.pieces, zone)
            continue
        tops = area.places if isinstance(area, Slots | Strips) else (area.top,) if isinstance(area, Pile) else ()
        found |= dict.fromkeys(area.below if isinstance(area, Pile) else (), zone)
        for top in tops:
            if isinstance(top, Exactly):
                found[top.piece] = zone
            elif isinstance(top, OneOf):
                found |= dict.fromkeys(top.pieces, zone)
    return found


def _more_backs(now: Layout, then: Layout, seat: Seat) -> Iterator[Zone]:
    """Yield the seat's own zones in which more cards lie face down then."""
    for zone, area in then.zones.items():
        if owner_of(zone) == seat and _backs(area) > _backs(now.zones.get(zone)):
            yield zone


def _backs(area: object) -> int:
    if isinstance(area, Pile):
        return int(isinstance(area.top, Back))
    return area.backs if isinstance(area, Loose) else 0
