"""The ten games' score files against scorers that were written from the rules by other means."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.files import data
from companion.games import loader
from companion.games.from_file.checking import load
from companion.games.from_file.score_file import Score
from companion.games.from_file.scoring import Scored, Table, faces_of, scored
from tests.games.from_file.more_scorers import TWENTY as SCORERS
from tests.games.from_file.scorers import BOXES

ROUNDS = 500


def score_of(name: str) -> Score:
    text = data(f"card_codes/{name}/score.toml").read_text(encoding="utf-8")
    return load(text, games.load_deck(name), loader.places(name))


def counted(name: str, score: Score, table: Table) -> Scored:
    return scored(score, faces_of(games.load_deck(name)), table, {})


def points(name: str, score: Score, table: Table) -> list[int]:
    """Return what a score file makes of a round: of dice, what they are worth in each box."""
    result = counted(name, score, table)
    return [result.blocks[box][0] for box in BOXES] if name == "yacht" else list(result.points)


def agree(name: str, rounds: int, seed: str) -> None:
    rng, score = random.Random(f"{name} {seed}"), score_of(name)
    faces = faces_of(games.load_deck(name))
    for _ in range(rounds):
        table = SCORERS[name].table(rng)
        result = scored(score, faces, table, {})
        mine = [result.blocks[box][0] for box in BOXES] if name == "yacht" else list(result.points)
        assert mine == SCORERS[name].points(table), table


@pytest.mark.parametrize("name", sorted(SCORERS))
def test_a_score_file_counts_as_the_rules_do(name: str) -> None:
    agree(name, ROUNDS, "gate")


@pytest.mark.night
@pytest.mark.parametrize("name", sorted(SCORERS))
def test_a_score_file_counts_as_the_rules_do_all_night(name: str) -> None:
    agree(name, 10_000, "night")


@pytest.mark.parametrize("name", sorted(SCORERS))
def test_a_score_file_is_short(name: str) -> None:
    assert len(data(f"card_codes/{name}/score.toml").read_text(encoding="utf-8").splitlines()) <= 60
