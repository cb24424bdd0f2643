"""How each game goes, told in short: with its own numbers, and with every word that its cards abbreviate."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.collection.state import COLLECTORS
from companion.games.collectors.components import SKILLS
from companion.games.from_file import FromFile
from companion.games.karmic_collections.spaces import SPACES
from companion.games.loader import mat_places

SHORT = re.compile(r"\b[A-Z]{2,}\b")


@pytest.mark.parametrize("name", games.names())
def test_every_game_tells_how_it_goes(name: str) -> None:
    guide = games.load(name).info.guide
    assert guide is not None
    told = [guide.aim, *guide.turn, *guide.end, *guide.points]
    assert guide.turn
    assert guide.end
    assert guide.points
    for term in (*guide.choices, *guide.terms):
        assert term.word
        if not term.printed:
            told.append(term.meaning)
    assert [words for words in told if not words.endswith((".", "”."))] == []
    assert len({term.word for term in guide.terms}) == len(guide.terms)


@pytest.mark.parametrize("name", games.packages())
def test_whatever_the_cards_of_a_game_abbreviate_is_explained(name: str) -> None:
    game = games.load(name)
    guide = game.info.guide
    assert guide is not None
    said = {word for card in game.deck.cards for word in SHORT.findall(card.text)}
    known = {term.word.upper() for term in (*guide.terms, *guide.choices)}
    assert {word for word in said if word not in known} == set()


def test_every_collector_is_explained_where_its_abbreviation_leads() -> None:
    guide = games.load("collection").info.guide
    assert guide is not None
    assert guide.abbreviations == COLLECTORS


def test_every_action_of_karmic_collections_is_told_in_full() -> None:
    guide = games.load("karmic-collections").info.guide
    assert guide is not None
    assert [term.word.partition(",")[0] for term in guide.choices] == [space.title for space in SPACES.values()]
    assert guide.choices[0].meaning == "Draw 2 cards, give 1 die."


def test_every_skill_of_collectors_is_told_as_the_pages_write_it() -> None:
    guide = games.load("collectors").info.guide
    assert guide is not None
    words = {term.word for term in guide.terms}
    for skill in SKILLS:
        shown = skill.replace("vp-all", "5 if all").replace("vp-", "+1 ").replace("-", " ")
        assert shown in words or shown.startswith("+1 "), shown


@pytest.mark.parametrize(
    ("name", "number", "says"),
    [
        ("collectors", "coins_a_point", "for every $17 that"),
        ("collection", "actions", "Take 17 actions"),
        ("collectible", "collection", "if 17 cards of your gallery"),
        ("karmic-collections", "goal", "have 17 points"),
        ("five-cards-collector", "two_player_passes", "nothing 17 times"),
    ],
)
def test_the_numbers_are_those_of_the_owners_deck(name: str, number: str, says: str) -> None:
    game = games.load(name)
    changed = type(game)(replace(game.deck, numbers={**game.deck.numbers, number: 17}))  # type: ignore[call-arg]
    guide = changed.info.guide
    assert guide is not None
    assert says in " ".join((guide.aim, *guide.turn, *guide.end, *guide.points))


def test_a_game_from_a_file_tells_what_its_file_says() -> None:
    text = """
title = "Mine"
players = { seats = [2, 4] }
round = { hand = [3, 2], ends = "hands" }
tricks = { trump = "hearts", follow = false }
entry = [ { name = "bid", words = "My bid", low = 0, high = 3, due = "before" } ]
worth = { mine = { 12 = 9, other = 1 } }
option = [ { name = "end", words = "Points that end it", default = 40, low = 5, high = 50 } ]
score = [
  { name = "taken", op = "tricks", says = "Tricks", times = 2 },
  { name = "kept", op = "bid", says = "Bid", bid = "bid", of = ["taken"], bonus = 5, lost = -5 },
  { name = "cards", op = "sum", says = "Cards", cards = ["taken"], worth = "mine" },
  { name = "more", op = "add", says = "More", of = ["taken"], minus = "bid", when = { bid = { at_least = 2 } } },
  { name = "tens", op = "carry", says = "Tens", of = ["more"], every = 10, times = -3 },
]
match = { wins = "low", points = "end", ties = "on" }
"""
    deck = games.load_deck("whist")
    guide = FromFile(replace(deck, game="mine"), text, mat_places({"neutral": "tricks"})).info.guide
    assert guide is not None
    assert guide.aim == "The fewest points win."
    assert "Everybody gets cards, round by round: 3, 2." in guide.turn
    assert "Before a card is played, everybody says in turn: My bid." in guide.turn
    assert "In turn everybody lays a card." in guide.turn
    assert "Trumps are hearts." in guide.turn
    assert "The match is over when somebody has 40 points at the end of a round." in guide.end
    assert "If points are equal, another round is played." in guide.end
    assert guide.points == (
        "Tricks: 2 points for each trick.",
        "Bid: 5 points if it was made, -5 points if it was missed.",
        "Cards: what they are worth together.",
        "More: Tricks beyond My bid, if My bid is at least 2.",
        "Tens: -3 points for every 10 of More.",
    )
    assert ("what cards are worth", "queen: 9, all others: 1.") in [(one.word, one.meaning) for one in guide.terms]
