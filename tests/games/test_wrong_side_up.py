"""A card that lies face down where an action lays one that lies open: it has to be turned over, in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion import games
from companion.codes import BACK
from companion.referee.difference import Mismatch, Seen, mismatches
from companion.referee.violations import violation
from companion.referee.words import Words
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.games.collection.test_table import view_of

GAMES = ["collection", "collectors", "collectible", "five-cards-collector", "karmic-collections"]


@pytest.mark.parametrize("name", GAMES)
def test_a_card_laid_face_down_that_should_lie_open_is_turned_over(name: str) -> None:
    game, rng = games.load(name), random.Random(3)
    words, world = Words(game.deck, games.load_mat(name, 3)), world_of(game, 3, {}, rng)
    state: Any = game.setup(3, dict(world.options), world.setup())
    world.deal(state)
    said = 0
    for _ in range(50):
        if not game.actors(state):
            break
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        came = {getattr(action, "card", ""), *(getattr(fact, "piece", "") for fact in facts)}
        view = view_of(game.layout(state))
        for item in mismatches(game.layout(state), Seen(view_of(game.layout(after)))):
            back = Mismatch(item.zone, BACK, True)
            if item.extra and item.piece in came and item.piece not in {one.piece for one in view.placements}:
                told, mend = violation(game, state, Seen(view), frozenset({back}), words)
                assert back in mend
                assert BACK not in told.reason
                said += told.remedy.startswith("Turn a face-down card over on ")
        world.apply(state, action, after)
        state = after
    assert said
