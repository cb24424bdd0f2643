"""The cards of Collectible (A2, A7), and a deck file that an owner of the box has edited."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.games import code_book, load, load_mat
from companion.games.collectible import Collectible
from companion.games.collectible.state import Setup
from companion.rules.cards import Deck
from tests.games.collectible.situations import ART, COMPONENTS, GAME


def edited(piece: str, **traits: str) -> Deck:
    return replace(
        GAME.deck, cards=tuple(replace(c, traits=traits) if c.piece == piece else c for c in GAME.deck.cards)
    )


def test_a2_twelve_themes_of_rarity_two_to_twelve() -> None:
    assert COMPONENTS.points == {
        "Animal": 2,
        "Hat": 3,
        "Flower": 3,
        "Water": 4,
        "Music": 5,
        "Food": 5,
        "Night": 6,
        "Book": 7,
        "Monster": 8,
        "Machine": 9,
        "Star": 10,
        "Skeleton": 12,
    }


def test_a2_each_theme_is_on_so_many_cards() -> None:
    counts = [len(COMPONENTS.showing[theme]) for theme in COMPONENTS.points]
    assert counts == [40, 34, 34, 30, 26, 26, 22, 20, 18, 15, 13, 10]


def test_a2_ninety_six_art_cards_no_two_alike() -> None:
    assert len(COMPONENTS.art) == 96
    assert len({frozenset(three) for three in COMPONENTS.themes.values()}) == 96
    assert len({card.title for card in GAME.deck.of_kind("art")}) == 96


def test_a7_twelve_characters_two_each() -> None:
    assert Counter(COMPONENTS.effect.values()) == dict.fromkeys(("coins", "draw", "swap", "look", "close", "rebate"), 2)


def test_the_value_on_a_card_is_the_sum_of_its_themes() -> None:
    for card in GAME.deck.of_kind("art"):
        assert card.text.endswith(f"Value {COMPONENTS.value[card.piece]}.")
        assert all(f"{theme} {COMPONENTS.points[theme]}" in card.text for theme in COMPONENTS.themes[card.piece])


def test_letters_and_markers_are_its_own() -> None:
    ours, theirs = load_mat("collectible", 2), load_mat("five-cards-collector", 2)
    assert {marker.id for marker in ours.markers}.isdisjoint(marker.id for marker in theirs.markers)
    assert GAME.deck.code != load("five-cards-collector").deck.code
    assert len(code_book(GAME.deck, ours).shapes) == 109


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (replace(GAME.deck, numbers={}), "which has no points"),
        (edited(ART[0], themes="Animal, Hat"), "needs three different themes"),
        (edited(ART[0], themes="Animal, Hat, Hat"), "needs three different themes"),
        (edited(ART[0], themes="Animal, Hat, Robot"), "'Robot', which has no points"),
        (edited(min(COMPONENTS.characters), effect="steal"), "the effect 'steal'"),
        (replace(GAME.deck, numbers={k: v for k, v in GAME.deck.numbers.items() if k != "dice"}), "no number 'dice'"),
    ],
)
def test_a_deck_that_does_not_fit_the_rules_is_refused(deck: Deck, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Collectible(deck)


def test_the_numbers_are_those_of_the_deck_file() -> None:
    numbers = {**GAME.deck.numbers, "start_coins": 9, "start_gallery": 4, "points_hat": 30, "phantom_cards": 2}
    game = Collectible(replace(GAME.deck, numbers=numbers))
    state = game.setup(2, {}, Setup())
    assert (state.players[0].coins, state.players[0].gallery.size) == (9, 4)
    assert game.components.value[ART[0]] == COMPONENTS.value[ART[0]] + 27
