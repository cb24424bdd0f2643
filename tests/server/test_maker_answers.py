"""Answers say what a file says: every game that comes with Companion, from its kind to the same score."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.from_file.checking import check, load
from companion.games.from_file.scoring import Table, faces_of, scored
from companion.games.from_file.writing import written
from companion.server import maker_answers, maker_steps
from companion.server.maker_api import Draft
from companion.table.made_games import MadeGames
from tests.games.from_file.scorers import BOXES, SCORERS

SAID: dict[str, tuple[str, dict[str, str]]] = {
    "cribbage": (
        "laid",
        {
            "high": "3",
            "starter": "yes",
            "crib": "yes",
            "pegs": "yes",
            "counts": "fifteens pairs runs flush nobs",
            "end": "121",
            "ties": "at_once",
        },
    ),
    "gin-rummy": ("melds", {}),
    "golf": (
        "laid",
        {
            "high": "6",
            "lie": "grid",
            "values": "1=1 2=-2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=10 12=10 13=0",
            "by": "rounds",
            "end": "9",
            "wins": "low",
        },
    ),
    "hearts": ("tricks", {"first": "holder", "special": "*:hearts:1 12:spades:13", "moon": "yes", "wins": "low"}),
    "oh-hell": (
        "tricks",
        {
            "low": "3",
            "high": "6",
            "hand": "7 6 5 4 3 2 1 2 3 4 5 6 7",
            "trump": "shown",
            "bid": "exact",
            "bonus": "10",
            "each": "1",
            "by": "rounds",
            "end": "13",
            "free": "",
        },
    ),
    "president": ("climb", {}),
    "scopa": (
        "row",
        {
            "deck": "40",
            "values": "1=1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=8 12=9 13=10",
            "counts": "cards suit prime sweeps",
            "special": "7:diamonds:1",
        },
    ),
    "spades": ("tricks", {"pairs": "yes", "trump": "spades", "bid": "least", "missed": "-10", "more": "bags nil"}),
    "whist": ("tricks", {"pairs": "yes", "trump": "shown", "counts": "odd", "beyond": "6", "end": "5"}),
    "yacht": ("dice", {}),
}
"""What somebody answers who makes a game that exists: the kind, and what is not chosen already."""
UNSAID: dict[str, tuple[str, ...]] = {
    "cribbage": (),
    "gin-rummy": ("bonus",),
    "oh-hell": ("uneven",),
    "spades": ("own",),
}
"""What answers can't say of a file: numbers that the host may choose before a match, beside the one that ends it."""


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> MadeGames:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return MadeGames(lambda: "", lambda: None, lambda name: None)


def answered(name: str) -> tuple[Draft, int]:
    """Return a game as it is answered, screen by screen, and how many answers that took, with its name and "Begin"."""
    kind, said = SAID[name]
    draft, screens, left = maker_answers.begun(kind), 1, dict(said)
    seen: list[str] = []
    while True:
        asked = maker_steps.steps(maker_answers.asked(draft))
        step = next((one for one in asked if one.name not in seen), None)
        if step is None:
            break
        seen.append(step.name)
        mine = {field.name: left.pop(field.name) for field in step.fields if field.name in left}
        draft, screens = maker_answers.changed(draft, mine), screens + 1
    assert not left, "no screen asks this"
    return replace(draft, title="Ours"), screens + 2


@pytest.mark.parametrize("name", sorted(SAID))
def test_at_most_twelve_answers_make_a_file_that_scores_as_the_shipped_one(name: str, maker: MadeGames) -> None:
    draft, answers = answered(name)
    assert answers <= 12
    assert maker.troubles(draft) == ()
    text = written({**draft.score, "title": "Ours"})
    score, rng = load(text, games.load_deck(name), games.mat_places({"neutral": draft.mat})), random.Random(name)
    for _ in range(500):
        table: Table = SCORERS[name].table(rng)
        result = scored(score, faces_of(games.load_deck(name)), table, {})
        mine = [result.blocks[box][0] for box in BOXES] if name == "yacht" else list(result.points)
        assert mine == SCORERS[name].points(table), table


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_game_that_exists_opens_as_answers_and_keeps_what_they_can_not_say(name: str, maker: MadeGames) -> None:
    draft = maker.draft(name)
    assert maker_answers.changed(draft, {}) == draft
    assert maker_answers.beside(draft) == UNSAID.get(name, ())
    kind, said = SAID[name]
    asked = maker_answers.shown(draft, maker_answers.asked(draft))
    assert asked["kind"] == kind
    for field, value in said.items():
        assert sorted(asked[field].replace(",", "").split()) == sorted(value.split()), field


@pytest.mark.parametrize("name", sorted(SAID))
def test_an_answer_of_a_game_that_exists_can_be_changed(name: str, maker: MadeGames) -> None:
    draft = maker.draft(name)
    other = maker_answers.changed(draft, {"end": "7", "wins": "low", "high": "4"})
    asked = maker_answers.asked(other)
    assert (asked["end"], asked["wins"], asked["high"]) == ("7", "low", "4")
    assert not check(
        written({**other.score, "title": "A"}), games.load_deck(name), games.mat_places({"neutral": draft.mat})
    )
    back = {field: maker_answers.asked(draft)[field] for field in ("end", "wins", "high")}
    assert maker_answers.asked(maker_answers.changed(other, back)) | {"least": "", "limit": ""} == (
        maker_answers.asked(draft) | {"least": "", "limit": ""}
    )


def test_a_number_that_the_host_may_choose_stays_one(maker: MadeGames) -> None:
    draft = maker_answers.changed(maker.draft("gin-rummy"), {"bonus": "60"})
    (bonus,) = (option for option in draft.score["option"] if option["name"] == "bonus")
    assert (bonus["default"], bonus["low"], bonus["high"]) == (60, 10, 60)
    assert maker_answers.shown(draft, maker_answers.asked(draft))["bonus"] == "60"


@pytest.mark.parametrize("score", [{"score": 3, "option": [4]}, {"tricks": {"order": 5}, "match": {"points": []}}])
def test_a_draft_of_any_form_is_asked_about(score: dict[str, Any]) -> None:
    draft = Draft(score=score)
    assert maker_answers.changed(draft, {"high": "3"}).mat
