"""The process in which robots think: it decides what this one would, and never outlives the table."""

from __future__ import annotations

import random

import pytest

from companion.sim.robots import LEVELS, STRONG, think
from companion.table.thinking import Thinker
from tests.sim.test_search import Moment, moments

LEVEL = LEVELS[STRONG]._replace(playouts=12)


def decision(name: str = "karmic-collections") -> Moment:
    """Return a decision that is searched."""
    return next(one for one in moments(name, 2, "easy", 4) if len(one.actions) > 2)


@pytest.mark.parametrize("name", ["karmic-collections", "scopa"])
def test_the_process_decides_as_this_one_would_and_ends_with_the_table(name: str) -> None:
    game, world, state, actions = decision(name)
    thinker = Thinker(game)
    chosen = thinker.think(game, state, world, actions, LEVEL, random.Random(3))
    process = thinker._process
    seed = random.Random(3).getrandbits(64)
    assert chosen == think(game, state, world, actions, LEVEL, random.Random(seed))
    thinker.close()
    assert process is not None
    assert process.returncode is not None


def test_a_process_that_dies_costs_the_search_of_one_move() -> None:
    game, world, state, actions = decision()
    thinker = Thinker(game)
    thinker.think(game, state, world, actions, LEVEL, random.Random(3))
    assert thinker._process is not None
    thinker._process.kill()
    thinker._process.wait()
    assert thinker.think(game, state, world, actions, LEVEL, random.Random(3)).action in actions
    assert thinker._process is None
    assert thinker.think(game, state, world, actions, LEVEL, random.Random(3)).action in actions
    thinker.close()
