"""A deck file that an owner of the box has edited: what fits is used, what does not is said in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.files import data
from companion.games import GameError, load
from companion.games.five_cards_collector import FiveCardsCollector
from companion.games.five_cards_collector.state import Setup
from companion.rules.cards import Card, Deck
from tests.games.five_cards_collector.situations import GAME, card


def edited(piece: str, **traits: str) -> Deck:
    """Return a deck in which something else is printed on one card."""
    cards: list[Card] = [replace(card, traits=traits) if card.piece == piece else card for card in GAME.deck.cards]
    return replace(GAME.deck, cards=tuple(cards))


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (replace(GAME.deck, numbers={}), "has no number 'hand_limit'"),
        (edited(card("draw-three"), effect="draw-four"), "the effect 'draw-four'"),
        (edited(card("Collection 2"), symbols="red star, pink moon"), r"Collection 2 \(.*\): it shows 'pink moon'"),
        (edited(card("Collection 2"), symbols="draw-three"), r"Collection 2 \(.*\): it shows 'draw-three'"),
    ],
)
def test_a_deck_that_does_not_fit_the_rules_is_refused(deck: Deck, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        FiveCardsCollector(deck)


def test_an_owners_deck_file_that_does_not_fit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "card_codes" / "five-cards-collector"
    folder.mkdir(parents=True)
    text = data("card_codes/five-cards-collector/deck.toml").read_text(encoding="utf-8")
    (folder / "deck.toml").write_text(text.replace("red star, blue moon", "pink star, blue moon"), encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with pytest.raises(GameError, match=r"five-cards-collector/deck\.toml, line \d+: .* 'pink star'"):
        load("five-cards-collector")


def test_the_limits_are_numbers_of_the_deck_file() -> None:
    numbers: dict[str, Any] = {"hand_limit": 5, "hand_limit_two_players": 6, "two_player_passes": 1}
    game = FiveCardsCollector(replace(GAME.deck, numbers=numbers))
    assert (game.setup(3, {}, Setup()).limit, game.setup(2, {}, Setup()).limit) == (5, 6)
    assert (game.info.options[0].default, game.info.options[0].low) == (6, 5)


def test_an_owner_may_change_what_a_collection_card_shows() -> None:
    five = "red star, red moon, red leaf, red key, red shell"
    game = FiveCardsCollector(edited(card("Collection 1"), symbols=five))
    shown = [game.components.name(piece) for piece in game.components.shows[card("Collection 1")]]
    assert shown == [f"the {symbol}" for symbol in five.split(", ")]
