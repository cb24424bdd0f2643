"""Matches of all games, told in other languages: nothing stays English but names, codes and what is printed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion import games
from companion.games.from_file.laying import Lay
from companion.rules.kernel import Verdict, holes, name_seats
from companion.server.words.voice import voice_of
from companion.sim.robots import choose
from companion.sim.world import world_of
from companion.text import Text
from tests.nights import at_night
from tests.server.played import GAMES

NAMES = {1: "Ada", 2: "Bo Ek", 3: "Cleo", 4: "Dan"}
STEPS = 25
FEW = 10


def viewed(game: Any, state: Any, seats: int) -> Iterator[str]:
    """Yield what pages show of a state, to everybody and to each seat."""
    for seat in range(seats + 1):
        view = game.view(state, seat)
        yield from (view.headline, view.coach)
        for may in view.may:
            yield from (may.words, *may.labels, *refused(may.verdict))
            yield from (hole.words for action in may.actions for _, hole in holes(action))
        yield from (words for shelf in view.shelves for words in (shelf.title, shelf.words))
        yield from (part.name for part in view.numbers)
        yield from (words for ladder in view.ladders for words in (ladder.title, ladder.words))
    standing = game.standing(state)
    yield standing.outcome.words if standing.outcome else ""
    for one in standing.seats:
        yield from (one.words, *(part.name for part in one.parts))
    timed = game.timed(state)
    yield timed.words if timed else ""


def refused(verdict: Verdict) -> Iterator[str]:
    yield from () if verdict.ok else (verdict.reason, verdict.remedy)


def tried(game: Any, state: Any, past: list[Any], rng: random.Random) -> Iterator[str]:
    """Yield what is told of things that could be done, and what is said to others who try them, or do so too late."""
    for action in list(game.legal(state))[:12]:
        yield game.describe(state, action)
        if not holes(action):
            yield from (need.words for need in game.needs(state, action))
            other = 1 if action.seat != 1 else 2
            yield from refused(game.judge(state, msgspec.structs.replace(action, seat=other)))
    for action in rng.sample(past, min(3, len(past))):
        yield from refused(game.judge(state, action))


def played(name: str, seats: int, seed: int, steps: int = STEPS) -> Iterator[str]:
    game, rng = games.load(name), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    past: list[Any] = []
    for n in range(steps * 3):
        if n < steps or n % 5 == 0:
            yield from viewed(game, state, seats)
            yield from tried(game, state, past, rng)
        if not game.actors(state):
            return
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        yield game.describe(state, action, facts)
        yield from (words for one in game.remarks(state, action, facts) for words in (one.words, one.kind))
        past.append(action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after


@pytest.mark.parametrize(
    ("language", "name", "steps"),
    [
        *(("sv", name, STEPS) for name in GAMES),
        *(("de", name, FEW) for name in GAMES),
        *at_night(*(("de", name, STEPS) for name in GAMES)),
    ],
)
def test_a_match_is_told_in_another_language(language: str, name: str, steps: int) -> None:
    voice, said = voice_of(language), {}
    voice.missed.clear()
    stays = {*NAMES.values(), *(card.title for card in games.load_deck(name).cards), ""}
    for words in played(name, 3, 5, steps):
        spoken = name_seats(words, NAMES)
        if spoken not in said:
            assert isinstance(spoken, Text) or spoken.lstrip("-").isdigit() or spoken in stays, spoken
            said[spoken] = voice(spoken)
    assert dict(voice.missed) == {}
    assert len(said) > 5 * steps
    changed = sum(english != other for english, other in said.items())
    assert changed > 0.9 * len(said)


FROM_FILES = tuple(games.from_files())


@pytest.mark.parametrize(
    ("language", "name", "steps"),
    [
        *(("sv" if number % 2 else "de", name, FEW) for number, name in enumerate(FROM_FILES)),
        *at_night(*((language, name, 100) for language in ("sv", "de") for name in FROM_FILES)),
    ],
)
def test_a_game_from_a_file_speaks_in_templates_that_are_all_translated(language: str, name: str, steps: int) -> None:
    voice, least, said = voice_of(language), games.load(name).info.seats[0], {}
    voice.missed.clear()
    for words in played(name, max(2, least), 5, steps):
        if words and not words.lstrip("-").isdigit():
            assert isinstance(words, Text), words
            said[words] = voice(name_seats(words, NAMES))
    assert dict(voice.missed) == {}
    # Some words are the same everywhere: "Yacht", "Primiera".
    assert sum(name_seats(words, NAMES) != other for words, other in said.items()) > 0.9 * len(said) > 10


@pytest.mark.parametrize(
    ("language", "lays", "block"),
    [
        ("de", "Ada legt Queen of spades.", "Pikdame"),
        ("sv", "Ada lägger Queen of spades.", "Spader dam"),
    ],
)
def test_a_card_is_called_as_it_is_printed_though_a_block_has_its_name(language: str, lays: str, block: str) -> None:
    voice, game = voice_of(language), games.load("hearts")
    queen = next(card.piece for card in game.deck.cards if card.title == "Queen of spades")
    state = game.setup(4, {}, msgspec.convert({}, game.setup_type))
    said = game.describe(state, Lay(seat=1, card=queen))
    assert said == "@1 lays the queen of spades."
    assert voice(name_seats(said, NAMES)) == lays
    assert voice(next(one.says for one in game.components.score.score if one.name == "queen")) == block
