"""Answers say what a file says: every game that comes with Companion, from its kind to the same score."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.from_file import FromFile, flow
from companion.games.from_file.checking import check, load
from companion.games.from_file.laying import TurnUp
from companion.games.from_file.scoring import Table, faces_of, scored
from companion.games.from_file.state import Setup
from companion.games.from_file.writing import written
from companion.server import maker_answers, maker_steps, maker_tables
from companion.server.maker_api import Draft, Tried
from companion.table.made_games import MadeGames
from tests.games.from_file.more_scorers import TWENTY as SCORERS
from tests.games.from_file.scorers import BOXES
from tests.games.from_file.test_talon import led

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
    "big-two": (
        "climb",
        {"low": "4", "high": "4", "early": "left", "first": "left", "end": "101", "wins": "low", "ties": "on"},
    ),
    "bezique": (
        "tricks",
        {
            "low": "2",
            "high": "2",
            "deck": "32",
            "packs": "2",
            "hand": "8",
            "draws": "yes",
            "order": "ten",
            "trump": "shown",
            "follow": "late",
            "beat": "yes",
            "counts": "cards last melds",
            "values": "1=10 2=0 3=0 4=0 5=0 6=0 7=0 8=0 9=0 10=10 11=0 12=0 13=0",
            "melds": "marriage sequence low",
            "sequence": "250",
            "end": "1000",
            "ties": "on",
        },
    ),
    "briscola": (
        "tricks",
        {
            "low": "2",
            "deck": "40",
            "hand": "3",
            "draws": "yes",
            "order": "three",
            "trump": "shown",
            "follow": "no",
            "counts": "most",
            "values": "1=11 2=0 3=10 4=0 5=0 6=0 7=0 8=0 9=0 10=0 11=2 12=3 13=4",
            "end": "3",
        },
    ),
    "canasta": (
        "melds",
        {
            "low": "4",
            "high": "4",
            "pairs": "yes",
            "packs": "2",
            "jokers": "2",
            "hand": "11",
            "left": "minus",
            "out": "yes",
            "bonus": "100",
            "values": "1=20 2=20 3=5 4=5 5=5 6=5 7=5 8=10 9=10 10=10 11=10 12=10 13=10 joker=50",
            "by": "rounds",
            "end": "4",
        },
    ),
    "casino": (
        "row",
        {
            "several": "yes",
            "alike": "yes",
            "values": "1=1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=11 12=12 13=13",
            "counts": "cards suit sweeps",
            "cards": "3",
            "suit": "spades",
            "special": "10:diamonds:2 2:spades:1 1:*:1",
            "end": "21",
        },
    ),
    "pinochle": (
        "tricks",
        {
            "low": "2",
            "high": "2",
            "deck": "24",
            "packs": "2",
            "hand": "12",
            "draws": "yes",
            "order": "ten",
            "trump": "shown",
            "follow": "no",
            "counts": "cards melds",
            "values": "1=11 2=0 3=0 4=0 5=0 6=0 7=0 8=0 9=0 10=10 11=2 12=3 13=4",
            "melds": "marriage sequence low pinochle four",
            "by": "rounds",
            "end": "4",
        },
    ),
    "rum-500": (
        "melds",
        {
            "high": "6",
            "hand": "7",
            "left": "minus",
            "values": "1=15 2=5 3=5 4=5 5=5 6=5 7=5 8=5 9=5 10=10 11=10 12=10 13=10",
            "end": "500",
            "ties": "on",
        },
    ),
    "schnapsen": (
        "tricks",
        {
            "low": "2",
            "high": "2",
            "deck": "20",
            "hand": "5",
            "draws": "yes",
            "order": "ten",
            "trump": "shown",
            "follow": "late",
            "beat": "yes",
            "counts": "cards melds",
            "melds": "marriage",
            "end": "66",
            "ties": "at_once",
        },
    ),
    "skat": (
        "tricks",
        {
            "low": "3",
            "high": "3",
            "deck": "32",
            "hand": "10",
            "order": "ten",
            "counts": "cards",
            "by": "rounds",
            "end": "12",
        },
    ),
    "thirty-one": (
        "melds",
        {
            "high": "6",
            "hand": "3",
            "left": "suit",
            "values": "1=11 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=10 12=10 13=10",
            "by": "rounds",
            "end": "10",
        },
    ),
}
"""What somebody answers who makes a game that exists: the kind, and what is not chosen already."""
UNSAID: dict[str, tuple[str, ...]] = {
    "gin-rummy": ("bonus",),
    "oh-hell": ("uneven",),
    "spades": ("own",),
}
"""What answers can't say of a file: numbers that the host may choose before a match, beside the one that ends it."""
OTHERWISE: dict[str, tuple[str, ...]] = {
    # The seven turned up, bezique and double bezique, four of a rank whatever their suits.
    "bezique": ("turned", "double", "bezique", "aces", "kings", "queens", "jacks"),
    # Canastas, going out concealed, red threes.
    "canasta": ("natural", "mixed", "out", "apart", "red", "four", "against", "naturals", "mixes", "first"),
    # Closing the talon, saying sixty-six, and that a deal is worth one to three points.
    "schnapsen": (
        *("tricks", "worth", "closed", "out"),
        *("points", "won", "schneider", "schwarz", "gift", "bare", "last"),
    ),
    # What is typed of a game, and what that is worth.
    "skat": ("game", "matadors", "steps", "won", "win", "loss"),
}
"""Of these games answers make another score; what they can't say of the files: parts, entries and blocks."""


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> MadeGames:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return MadeGames(lambda: "", lambda: None, lambda name: None)


def answered(name: str) -> tuple[Draft, int]:
    """Return a game as it is answered, screen by screen, and how many answers that took, with its name and "Begin"."""
    kind, said = SAID[name]
    draft, screens, left = maker_answers.declared({"kind": kind}), 1, dict(said)
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


def test_the_twenty_are_answered_and_sixteen_of_them_as_their_files_count() -> None:
    assert sorted(SAID) == sorted(SCORERS)
    assert len(SAID) == 20
    assert len(SAID.keys() - OTHERWISE.keys()) == 16


@pytest.mark.parametrize("name", sorted(SAID.keys() - OTHERWISE.keys()))
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
def test_the_rule_is_said_in_words_of_people_who_play_cards(name: str, maker: MadeGames) -> None:
    """Neither the sentences of a screen nor "How it goes" work anything out, or name a place as its file does."""
    odd = re.compile(r"as the table works it out|, times -?\d|: discard\.|\bis (0|13)\b(?!\.)")
    for draft in (answered(name)[0], maker.draft(name)):
        told = maker.guide(draft)
        assert told is not None
        assert [line for line in (*told.turn, *told.points, *told.end) if odd.search(line)] == []


def test_a_suit_an_order_and_what_comes_to_a_card_are_said(maker: MadeGames) -> None:
    def told(name: str) -> tuple[str, ...]:
        found = maker.guide(answered(name)[0])
        assert found is not None
        return (*found.turn, *found.points)

    assert "From the highest: ace, 3, king, queen, jack, 7, 6, 5, 4, 2." in told("briscola")
    assert "Most of the suit: 1 point for whoever has the most spades." in told("casino")
    assert "What is taken comes to the card that was laid." in told("casino")
    assert "Going out: 100 points." in told("canasta")
    assert "Many left: as many again, if Cards left is at least 5." in told("big-two")


def test_what_is_left_in_hands_can_be_all_that_counts(maker: MadeGames) -> None:
    """Rummy as most people play it: the melds are worth nothing, and the fewest points win."""
    draft = maker_answers.changed(maker_answers.declared({"kind": "melds"}), {"left": "hand", "wins": "low"})
    assert maker_answers.asked(draft)["left"] == "hand"
    assert "worth" not in [step.name for step in maker_steps.steps(maker_answers.asked(draft))]
    cards = {"melds.1": ("105", "205", "305")}
    worth = maker.worth(draft, Tried(seats=2, cards=cards, entered={"left": (0, 23)}))
    assert worth is not None
    assert worth.points == (0, 23)


def test_of_german_whist_only_tricks_after_the_last_card_was_drawn_count(maker: MadeGames) -> None:
    """Thirteen tricks are played for better cards, and thirteen for points."""
    said = {"low": "2", "high": "2", "draws": "yes", "late": "yes", "trump": "shown", "counts": "odd"}
    draft = maker_answers.changed(maker_answers.declared({"kind": "tricks"}), said)
    assert maker_answers.asked(draft) | said == maker_answers.asked(draft)
    text = written({**draft.score, "title": "Ours"})
    game = FromFile(games.load_deck("hearts"), text, games.mat_places({"neutral": draft.mat}))
    state = game.play(game.setup(2, {}, Setup()), TurnUp(card="40D"))
    cards = sorted(game.components.pieces)
    state = led(game, state, *cards[:26])
    assert len(state.now.tricks) == 13
    assert flow.worth(game.components, state).points == (0, 0)
    state = led(game, state, *cards[26:50])
    took = [trick.winner for trick in state.now.tricks[13:]]
    assert flow.worth(game.components, state).points == (took.count(1), took.count(2))
    (first,) = led(game, state, *cards[50:]).past
    assert sum(first.points) == 13


def test_who_begins_a_climbing_game_may_be_who_holds_a_card(maker: MadeGames) -> None:
    (step,) = (one for one in maker_steps.STEPS["climb"] if one.name == "points")
    assert {"first", "card"} <= {field.name for field in step.fields}
    draft = maker_answers.changed(maker_answers.declared({"kind": "climb"}), {"first": "holder", "card": "403"})
    guide = maker.guide(replace(draft, title="Ours"))
    assert guide is not None
    assert "Whoever has the three of spades begins." in guide.turn


@pytest.mark.parametrize("name", sorted(OTHERWISE))
def test_a_game_that_answers_say_in_part_is_played_in_twelve_answers_too(name: str, maker: MadeGames) -> None:
    draft, answers = answered(name)
    assert answers <= 12
    assert maker.troubles(draft) == ()
    seats, deck = maker_tables.seats(draft.score)[1], [card.piece for card in maker.cards(draft)]
    zone = "melds" if draft.mat == "melds" else "taken"
    cards = {f"{zone}.{seat}": tuple(deck[seat - 1 :: seats]) for seat in range(1, seats + 1)}
    worth = maker.worth(draft, Tried(seats=seats, cards=cards))
    assert worth is not None
    assert any(worth.points)


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_game_that_exists_opens_as_answers_and_keeps_what_they_can_not_say(name: str, maker: MadeGames) -> None:
    draft = maker.draft(name)
    assert maker_answers.changed(draft, {}) == draft
    assert maker_answers.beside(draft) == (UNSAID | OTHERWISE).get(name, ())
    kind, said = SAID[name]
    asked = maker_answers.shown(draft, maker_answers.asked(draft))
    assert asked["kind"] == kind
    for field, value in said.items() if name not in OTHERWISE else ():
        assert sorted(asked[field].replace(",", "").split()) == sorted(value.split()), field


@pytest.mark.parametrize("name", sorted(SAID))
def test_an_answer_of_a_game_that_exists_can_be_changed(name: str, maker: MadeGames) -> None:
    draft = maker.draft(name)
    high = "3" if name == "skat" else "4"  # thirty-two cards are not enough for four hands of ten
    other = maker_answers.changed(draft, {"end": "7", "wins": "low", "high": high})
    asked = maker_answers.asked(other)
    assert (asked["end"], asked["wins"], asked["high"]) == ("7", "low", high)
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


@pytest.mark.parametrize(("given", "hand"), [({"high": "6"}, 8), ({"deck": "32"}, 8), ({"low": "3"}, 13)])
def test_a_hand_that_does_not_fit_any_more_becomes_as_large_as_the_deck_allows(given: Any, hand: int) -> None:
    draft = maker_answers.changed(maker_answers.declared({"kind": "tricks"}), given)
    assert draft.score["round"]["hand"] == hand


@pytest.mark.parametrize("score", [{"score": 3, "option": [4]}, {"tricks": {"order": 5}, "match": {"points": []}}])
def test_a_draft_of_any_form_is_asked_about(score: dict[str, Any]) -> None:
    draft = Draft(score=score)
    assert maker_answers.changed(draft, {"high": "3"}).mat
