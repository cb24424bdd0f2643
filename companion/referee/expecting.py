"""Which pieces the rules think plausible in each zone: for an eye that knows cards by their faces."""

from __future__ import annotations

from collections.abc import Iterator

from companion.codes import BACK
from companion.referee.difference import pieces_of
from companion.rules.cards import Piece
from companion.rules.kernel import Action, AnyGame, Hole
from companion.rules.layout import Anything, Area, Back, Empty, Loose, Pile, Slots, Strips, Zone

MOST = 20
"""More pieces than these are no expectation: anything could come."""


def plausible(game: AnyGame, state: object) -> dict[Zone, frozenset[Piece]]:
    """Return, zone by zone, what lies there by the rules and what could come there next (on an empty pile, backs)."""
    coming = frozenset(movable(game, state))
    if len(coming) > MOST:
        coming = frozenset()
    expected = {zone: _lying(area) | coming for zone, area in game.layout(state).zones.items() if not _ignored(area)}
    return {zone: pieces for zone, pieces in expected.items() if pieces}


def movable(game: AnyGame, state: object) -> Iterator[Piece]:
    """Yield every piece that a legal action names, that may fill one of its holes, or that it may turn up."""
    for action in game.legal(state):
        named = list(_named(game, action))
        yield from named
        if not any(isinstance(getattr(action, field), Hole) for field in action.__struct_fields__):
            for need in game.needs(state, action):
                yield from need.pieces


def _named(game: AnyGame, action: Action) -> Iterator[Piece]:
    cards = game.deck.by_piece()
    for field in action.__struct_fields__:
        value = getattr(action, field)
        if isinstance(value, Hole):
            yield from value.pieces
        elif isinstance(value, str | tuple | frozenset):
            yield from (one for one in ((value,) if isinstance(value, str) else value) if one in cards)


def _lying(area: Area) -> frozenset[Piece]:
    places = area.places if isinstance(area, Slots | Strips) else (area.top,) if isinstance(area, Pile) else ()
    # A pile that is empty is filled again with cards face down.
    hidden = Back | Empty if isinstance(area, Pile) else Back
    backs = any(isinstance(place, hidden) for place in places) or (isinstance(area, Loose) and area.backs > 0)
    return pieces_of(area) | (frozenset((BACK,)) if backs else frozenset())


def _ignored(area: Area) -> bool:
    return isinstance(area, Pile) and isinstance(area.top, Anything)
