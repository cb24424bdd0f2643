"""What no robot does, at no level, in matches of all three: what looks stupid to whoever sits beside it."""

from __future__ import annotations

import os
from typing import Any

import pytest

from companion.games.collection.cards import Choose, PlayCard
from companion.games.collection.state import SCENARIOS
from companion.games.collectors.auctions import MakeBid
from companion.games.collectors.components import AREA
from companion.games.collectors.spaces import Place
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.specials import Retrieve
from companion.games.five_cards_collector.steps import wanted
from companion.rules.kernel import Action
from companion.sim.robots import LEVELS, STRONG
from companion.sim.world import Level
from tests.sim.test_search import moments


def five_cards(game: Any, state: Any, own: list[Action], done: Any, hand: list[str]) -> str:
    """Return what was stupid in Five Cards Collector; "" if nothing."""
    mine = wanted(game.components, state.players[done.seat - 1]).pieces
    if not isinstance(done, Add) and any(isinstance(action, Add) for action in own):
        return "an add is left"
    if isinstance(done, Discard) and done.card in mine and len(game.components.copies[done.card] & {*hand}) == 1:
        return "the last card that is wanted is discarded"
    if isinstance(done, Retrieve) and done.card not in mine and mine & {*state.discard}:
        return "another's card is retrieved"
    return ""


def collectors(game: Any, state: Any, own: list[Action], done: Any, hand: list[str]) -> str:
    """Return what was stupid in Collectors; "" if nothing."""
    cash = game.components.cash
    if isinstance(done, MakeBid):
        means = state.players[done.seat - 1].coins + sum(cash[card] for card in hand)
        return "a bid is above the means" if done.amount > means else ""
    if isinstance(done, Place) and AREA[done.space] != "work":
        seal = game.components.seal(done.space, state.quarter)
        for action in own:
            other = game.components.seal(action.space, state.quarter) if isinstance(action, Place) else seal
            alike = isinstance(action, Place) and AREA[action.space] == AREA[done.space]
            if alike and other.cards >= seal.cards and other.coins > seal.coins:
                return "a dearer space for the same thing"
    return ""


def collection(game: Any, state: Any, own: list[Action], done: Any, hand: list[str]) -> str:
    """Return what was stupid in COLLECTION!; "" if nothing."""

    def closed(action: Any) -> bool:
        effects = game.components.effect[action.card] if isinstance(action, PlayCard) else [action.filled(state.effect)]
        letters = [one.scenario for one in effects if one.scenario in SCENARIOS]
        return bool(letters) and not any(state.scenarios[SCENARIOS.index(letter)].active for letter in letters)

    others = [action for action in own if isinstance(action, Choose)] if isinstance(done, Choose) else []
    if isinstance(done, PlayCard) or not all(map(closed, others)):
        return "a card goes into a closed scenario" if closed(done) else ""
    return ""


MATCHES = int(os.environ.get("COMPANION_MATCHES", "4"))
"""How many matches of each level the night plays: a hundred take an hour."""
STUPID = {"five-cards-collector": (five_cards, 2), "collectors": (collectors, 2), "collection": (collection, 3)}


def stupid(name: str, level: str | Level, seed: int) -> list[str]:
    """List what was stupid in a match that robots of a level play."""
    judge, seats = STUPID[name]
    done: list[Action] = []
    asked = [(one, list(one.world.hands[one.seat])) for one in moments(name, seats, level, seed, done)]
    found = (judge(one.game, one.state, one.actions, did, hand) for (one, hand), did in zip(asked, done, strict=True))
    return [words for words in found if words]


@pytest.mark.parametrize("level", ["easy", "normal"])
@pytest.mark.parametrize("name", STUPID)
def test_no_level_does_what_looks_stupid(name: str, level: str) -> None:
    assert [words for seed in range(4) for words in stupid(name, level, seed)] == []


@pytest.mark.parametrize("name", STUPID)
@pytest.mark.night
def test_nor_does_the_search(name: str) -> None:
    assert stupid(name, LEVELS[STRONG]._replace(playouts=12), 1) == []


@pytest.mark.night
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", STUPID)
def test_nor_in_more_matches(name: str, level: str) -> None:
    assert [words for seed in range(100, 100 + MATCHES) for words in stupid(name, level, seed)] == []
