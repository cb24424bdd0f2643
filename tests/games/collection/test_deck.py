"""The pieces of COLLECTION! (I1, I10, Annex 1), and a deck file that an owner of the box has edited."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.files import data
from companion.games import GameError, code_book, load, load_mat, packages
from companion.games.collection import Collection
from companion.games.collection.board import TOP_RESPONSE
from companion.games.collection.effects import (
    VERBS,
    CrisisExpansion,
    printed,
)
from companion.games.collection.state import COLLECTORS, SCENARIOS, Setup
from companion.rules.cards import Deck
from tests.games.collection.situations import COMPONENTS, COUNTRIES, GAME


def edited(piece: str, **traits: str) -> Deck:
    return replace(
        GAME.deck, cards=tuple(replace(c, traits=traits) if c.piece == piece else c for c in GAME.deck.cards)
    )


def without(kind: str, trait: str, value: str) -> Deck:
    cards = tuple(c for c in GAME.deck.cards if c.kind != kind or c.traits.get(trait) != value)
    return replace(GAME.deck, cards=cards)


def test_i10_twelve_scenarios_of_ten_reports_each() -> None:
    needs = Counter(tuple(sorted(COMPONENTS.need[piece], reverse=True)) for piece in COUNTRIES)
    assert needs == {(4, 3, 3): 3, (5, 3, 2): 6, (6, 2, 2): 3}
    assert len({COMPONENTS.need[piece] for piece in COUNTRIES}) == 12, "all orders"
    assert len({COMPONENTS.card[piece].title for piece in COUNTRIES}) == 12


def test_i10_eighty_collection_cards_of_which_44_are_red() -> None:
    assert (len(COMPONENTS.cards), len(COMPONENTS.red), len(COMPONENTS.blue)) == (80, 44, 36)
    assert len({COMPONENTS.card[piece].title for piece in COMPONENTS.cards}) == 80


def test_i10_eighteen_are_crisis_expansions_six_a_scenario() -> None:
    red = [effect for piece in COMPONENTS.red for effect in COMPONENTS.effect[piece]]
    there = Counter(effect.scenario for effect in red if isinstance(effect, CrisisExpansion))
    assert there == {"A": 6, "B": 6, "C": 6}
    assert not any(
        isinstance(effect, CrisisExpansion) for piece in COMPONENTS.blue for effect in COMPONENTS.effect[piece]
    )


def test_i10_the_whole_vocabulary_is_used() -> None:
    assert {type(effect) for effects in COMPONENTS.effect.values() for effect in effects} == set(VERBS.values())


def test_every_card_says_what_it_does() -> None:
    for piece, effect in COMPONENTS.effect.items():
        assert COMPONENTS.card[piece].text == printed(effect)


def test_a_scenario_card_says_what_it_needs() -> None:
    for piece, (political, military, economic) in COMPONENTS.need.items():
        said = f"Reports: {political} political, {military} military, {economic} economic."
        assert COMPONENTS.card[piece].text.endswith(said)


def test_i1_six_collectors_with_three_coins_each_and_three_crisis_gems() -> None:
    assert Counter(name for _, name in COMPONENTS.coin) == dict.fromkeys(COLLECTORS, 3)
    assert {letter for (letter,) in COMPONENTS.gem} == set(SCENARIOS)


def test_i2_affinities_are_shown() -> None:
    coins = {card.traits["collector"]: card.traits["affinity"] for card in GAME.deck.of_kind("coin")}
    assert coins == {
        "DH": "political, military",
        "DO": "political, economic",
        "NGA": "military, economic",
        "NSA": "political, military",
        "OSE": "political, economic",
        "STATE": "political, economic",
    }


def test_annex_1_seven_roles_three_of_them_mandatory() -> None:
    assert COMPONENTS.needed == ("political", "military", "economic")
    assert [role.half for role in COMPONENTS.roles.values()] == [False, False, False, True, False, False, True]
    assert [name for name, role in COMPONENTS.roles.items() if role.uses == ("circle",)] == ["collection"]
    assert len(COMPONENTS.pawn_of) == 7


def test_letters_and_markers_are_its_own() -> None:
    mats = {name: load_mat(name, load(name).info.seats[1]) for name in packages()}
    ours = {marker.id for marker in mats.pop("collection").markers}
    assert ours == set(range(48, 72))
    assert all(ours.isdisjoint(marker.id for marker in mat.markers) for mat in mats.values())
    assert [load(name).deck.code for name in packages()].count(GAME.deck.code) == 1
    assert len(code_book(GAME.deck, load_mat("collection", 7)).shapes) == len(GAME.deck.cards) + 1


def test_there_is_room_for_every_coin_on_a_level_and_every_pawn_on_a_space() -> None:
    mat = load_mat("collection", 7)
    token = mat.shape_of("coin")
    for zone in mat.zones:
        kind = zone.name.partition("-")[0]
        if kind in ("response", "space"):
            rows = 1 + int((zone.rect.h - 2 - token.h) // zone.row)
            assert zone.slots * rows >= (len(COLLECTORS) if kind == "response" else 7), zone.name
    assert sum(zone.name.startswith("response-a") for zone in mat.zones) == TOP_RESPONSE + 1


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (edited("101", label="red", effect="crisis Z +1"), "Troops at the Bridge (101): the effect can't be read"),
        (edited("101", label="green", effect="crisis A +1"), "the label 'green' is neither red nor blue"),
        (edited("101", label="red"), "there is no effect ''"),
        (edited("0A1", political="4", military="3"), "needs a number of political, military and economic reports"),
        (edited("0A1", political="0", military="0", economic="0"), "at least one report"),
        (edited("001", role="political", colours="blue", uses="circle"), "colours has 'blue'"),
        (edited("001", role="political", uses="circle"), "a role needs colours"),
        (edited("001", role="poet", colours="political", uses="circle"), "there is no pawn for the role 'poet'"),
        (edited("004", role="collection", colours="political", uses="circle", levels="CIA"), "levels has 'CIA'"),
        (replace(GAME.deck, numbers={}), "no number 'actions'"),
        (without("gem", "scenario", "B"), "no gem for B"),
        (without("coin", "collector", "NGA"), "no coin for A NGA"),
        (without("role", "role", "economic"), "no role economic"),
        (without("collection", "label", "red"), "no red card"),
    ],
)
def test_a_deck_that_does_not_fit_the_rules_is_refused(deck: Deck, says: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the words are what counts)
        Collection(deck)
    assert says in str(caught.value)


def test_an_effect_that_does_not_parse_is_named_with_its_card_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = data("card_codes/collection/deck.toml").read_text(encoding="utf-8")
    folder = tmp_path / "card_codes" / "collection"
    folder.mkdir(parents=True)
    (folder / "deck.toml").write_text(text.replace('"response DH all -1"', '"response DH al -1"'), encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    title = next(card.title for card in GAME.deck.cards if card.traits.get("effect") == "response DH all -1")
    piece = next(card.piece for card in GAME.deck.cards if card.title == title)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if f'"{piece}"' in row)
    with pytest.raises(GameError) as caught:
        load("collection")
    assert f"deck.toml, line {line}: {title} ({piece}): the effect can't be read" in str(caught.value)
    assert "there is no scenario 'al'" in str(caught.value)


def test_the_numbers_are_those_of_the_deck_file() -> None:
    game = Collection(replace(GAME.deck, numbers={**GAME.deck.numbers, "actions": 3, "most_dice": 4}))
    assert (game.components.actions, game.components.most_dice) == (3, 4)
    assert game.setup(3, {}, Setup()).phase == "roles"
