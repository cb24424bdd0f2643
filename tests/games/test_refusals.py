"""What no game has, in any field of any action: it is refused in whole sentences, and told in one, without a hole."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.rules.kernel import Action, AnyGame
from tests.games.always import match

HOLE = re.compile(r"  |@0|@-|''|\"\"|\(\)| [,.:;]|^$|^\s|\s$|None")
"""An empty name, in quotation marks or without; the table, or nobody, where a player is named."""


@lru_cache
def moments(name: str, seats: int) -> tuple[AnyGame, tuple[Any, ...]]:
    """Return a game, and a state out of the beginning of a match for everything that was due in it."""
    game = games.load(name)
    found: dict[str, Any] = {}
    for _, (_, step) in zip(range(120), match(game, seats, seats, {}), strict=False):
        found.setdefault(" ".join(sorted({type(action).__name__ for action in game.legal(step[0])})), step[0])
    return game, tuple(found.values())


def value(hint: Any, words: str, number: int) -> Any:
    """Return a value for a field of an action: these words, this number, several of them, or a legal word."""
    if get_origin(hint) is Literal:
        return get_args(hint)[number % len(get_args(hint))]
    if get_origin(hint) is tuple:
        return (value(get_args(hint)[0], words, number),) * (number % 3)
    return number if hint is int else words


@pytest.mark.parametrize("name", games.names())
def test_what_no_game_has_is_refused_and_told_without_a_hole(name: str) -> None:
    lowest, highest = games.load(name).info.seats

    @settings(max_examples=12)
    @given(st.sampled_from((lowest, highest)), st.data())
    def whole(seats: int, data: st.DataObject) -> None:
        game, states = moments(name, seats)
        state = data.draw(st.sampled_from(states))
        pieces, zones = [card.piece for card in game.deck.cards], list(game.layout(state).zones)
        words = data.draw(st.sampled_from(("", "", "ZZZ", "?")) | st.sampled_from(pieces) | st.sampled_from(zones))
        number = data.draw(st.sampled_from((-1, 0, 1, 2, 99)))
        kinds: tuple[type[Action], ...] = get_args(game.action_type) or (game.action_type,)  # type: ignore[assignment]
        for kind in kinds:
            hints = {field: hint for field, hint in get_type_hints(kind).items() if field in kind.__struct_fields__}
            for seat in (0, 1, 2, 99):
                fields = {field: value(hint, words, number) for field, hint in hints.items() if field != "seat"}
                action = kind(seat=seat, **fields)
                verdict = game.judge(state, action)
                said = [game.describe(state, action)]
                said += [] if verdict.ok else [verdict.rule, verdict.reason, verdict.remedy]
                assert [each for each in said if HOLE.search(each)] == [], action

    whole()
