"""Cards as sentences name them."""

from __future__ import annotations

import pytest

from companion import games
from companion.rules.cards import Card, Deck

DECK = Deck(
    "a game",
    "XX",
    "A game",
    (
        Card("001", "symbol", "Red star"),
        Card("002", "coin", "DH coin A"),
        Card("003", "country", "Ostrovar"),
        Card("004", "symbol", "the last one"),
    ),
    quoted=("country",),
)


@pytest.mark.parametrize(
    ("piece", "words"),
    [("001", "the red star"), ("002", "the DH coin A"), ("003", '"Ostrovar"'), ("004", "the last one")],
)
def test_a_piece_is_called_as_people_would(piece: str, words: str) -> None:
    assert DECK.called()[piece] == words


@pytest.mark.parametrize("name", games.packages())
def test_kinds_whose_titles_are_names_are_kinds_of_the_deck(name: str) -> None:
    deck = games.load_deck(name)
    assert set(deck.quoted) <= {card.kind for card in deck.cards}


@pytest.mark.parametrize("name", games.packages())
def test_no_piece_gets_two_articles(name: str) -> None:
    assert not [words for words in games.load_deck(name).called().values() if words.startswith(("the a ", "the the "))]
