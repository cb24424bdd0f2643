"""Where a seat may lay a piece now: what the simulated table shows to somebody who has not read the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.rules.cards import Piece
from companion.rules.kernel import UNKNOWN, Action, AnyGame, RuleError, Seat, Shown, fill, holes
from companion.rules.layout import Area, Back, Exactly, Layout, Loose, OneOf, Pile, Slots, Strips, Zone, owner_of

Goal = tuple[Zone, str]
"""A zone that a piece may be laid in, and the face (F or B) that has to show there."""
DECK: Zone = "deck"
"""Where cards are drawn from, in every game."""


def goals(
    game: AnyGame, state: object, seat: Seat, hand: Iterable[Piece], open_: Mapping[Piece, Zone]
) -> dict[Piece, list[Goal]]:
    """Return for each card of a seat's hand, and each open piece, the zones where the rules let it go now.

    `open_` has each piece's zone ("": beside the table); DECK stands for the deck's top card. Actions name pieces, or
    change places.
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
            needs = [need for need in game.needs(state, action) if need.kind == "shown"]
            for need in needs:
                found.setdefault(DECK, {})[need.place, "F"] = None
            try:
                facts = tuple(Shown(place=need.place, piece=UNKNOWN) for need in needs)
                then = game.layout(game.play(state, action, facts))
            except RuleError:
                continue  # it waits for more than a card that comes up: a roll
            named = pieces.intersection(getattr(action, name) for name, _ in holes(template))
            changed = {
                piece: zones - before.get(piece, set())
                for piece, zones in _lying(then).items()
                if open_.get(piece, "") not in zones
            }
            for piece in (named or pieces).intersection(changed):
                found.setdefault(piece, {}).update(((zone, "F"), None) for zone in sorted(changed[piece]))
            for zone in () if any(changed.values()) or needs else _more_backs(layout, then, seat):
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


def _lying(layout: Layout) -> dict[Piece, set[Zone]]:
    found: dict[Piece, set[Zone]] = {}
    for zone, area in layout.zones.items():
        for piece in _shown(area):
            found.setdefault(piece, set()).add(zone)
    return found


def _shown(area: Area) -> Iterator[Piece]:
    if isinstance(area, Loose):
        yield from area.pieces
        return
    tops = area.places if isinstance(area, Slots | Strips) else (area.top,) if isinstance(area, Pile) else ()
    yield from area.below if isinstance(area, Pile) else ()
    for top in tops:
        if isinstance(top, Exactly):
            yield top.piece
        elif isinstance(top, OneOf):
            yield from top.pieces


def _more_backs(now: Layout, then: Layout, seat: Seat) -> Iterator[Zone]:
    """Yield the seat's own zones in which more cards lie face down then."""
    for zone, area in then.zones.items():
        if owner_of(zone) == seat and _backs(area) > _backs(now.zones.get(zone)):
            yield zone


def _backs(area: object) -> int:
    if isinstance(area, Pile):
        return int(isinstance(area.top, Back))
    return area.backs if isinstance(area, Loose) else 0
