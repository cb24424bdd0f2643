"""Collectors: what the deck file and the mat say (rulings K1 to K5, K8)."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from companion.games import code_book, load_mat
from companion.games.collectors import Collectors
from companion.games.collectors.components import SPACES, SYMBOLS
from companion.rules.layout import Zone
from tests.games.collectors.situations import COMPONENTS, GAME, card

CARDS = GAME.deck.of_kind("collectable")


def test_k1_ninety_cards_eighteen_of_each_item_and_of_each_market_symbol() -> None:
    assert len(CARDS) == 90
    assert Counter(COMPONENTS.item.values()) == dict.fromkeys(SYMBOLS, 18)
    assert Counter(COMPONENTS.symbol.values()) == dict.fromkeys(SYMBOLS, 18)
    assert all(COMPONENTS.item[piece] != COMPONENTS.symbol[piece] for piece in COMPONENTS.pieces)


def test_k1_thirty_bottle_skills_fifteen_of_the_incomes_five_vp_all_two_of_each_category() -> None:
    skills = Counter(COMPONENTS.skill.values())
    assert skills == {
        "bottle": 30,
        "work-income": 15,
        "work-card": 15,
        "auction-income": 15,
        "vp-all": 5,
        **{f"vp-{symbol}": 2 for symbol in SYMBOLS},
    }


def test_k1_the_market_symbols_of_single_skills_as_printed() -> None:
    printed = {
        "penguin": {"vp-all": ["music"], "vp-music": ["technology"], "vp-figures": ["technology"]},
        "movie": {"vp-all": ["penguin"], "vp-music": ["technology"], "vp-penguin": ["technology"]},
        "technology": {"vp-all": ["figures"], "vp-figures": ["music"], "vp-movie": ["music"]},
        "figures": {"vp-all": ["penguin"], "vp-technology": ["movie"], "vp-penguin": ["movie"]},
        "music": {"vp-all": ["movie"], "vp-technology": ["figures"], "vp-movie": ["figures"]},
    }
    for item, skills in printed.items():
        for skill, markets in skills.items():
            found = [
                COMPONENTS.symbol[p]
                for p in sorted(COMPONENTS.pieces)
                if (COMPONENTS.item[p], COMPONENTS.skill[p]) == (item, skill)
            ]
            assert found == markets, (item, skill)


@pytest.mark.parametrize("item", SYMBOLS)
def test_k2_two_dollars_on_vp_cards_and_every_second_bottle_card(item: str) -> None:
    mine = [p for p in sorted(COMPONENTS.pieces) if COMPONENTS.item[p] == item]
    bottles = [COMPONENTS.cash[p] for p in mine if COMPONENTS.skill[p] == "bottle"]
    assert bottles == [1, 2, 1, 2, 1, 2]
    assert {COMPONENTS.cash[p] for p in mine if COMPONENTS.skill[p].startswith("vp-")} == {2}
    assert {
        COMPONENTS.cash[p] for p in mine if "income" in COMPONENTS.skill[p] or COMPONENTS.skill[p] == "work-card"
    } == {1}


def test_k3_the_seals() -> None:
    coins = {space: COMPONENTS.seal(space, 1).coins for space in SPACES}
    assert [coins[f"buy-{n}"] for n in range(1, 6)] == [-1, -1, -2, -2, -3]
    assert [coins[f"skill-{n}"] for n in range(1, 6)] == [0, 0, 0, -1, -1]
    assert [coins[f"auction-{n}"] for n in range(1, 5)] == [2, 1, 0, 0]
    assert [(COMPONENTS.seal(f"raise-{n}", 1).cards, coins[f"raise-{n}"]) for n in range(1, 4)] == [
        (2, 0),
        (2, -2),
        (1, 0),
    ]
    assert [coins[space] for space in ("recycle", "draw", "first", "income")] == [1, -1, 0, 0]


def test_k4_the_quarter_tiles_give_0_1_2_and_the_fourth_recycles_for_3() -> None:
    assert [COMPONENTS.seal("quarter", quarter).coins for quarter in (1, 2, 3, 4)] == [0, 1, 2, 3]


def test_k5_five_bottles_of_each_of_four_colours() -> None:
    assert {seat: len(tokens) for seat, tokens in COMPONENTS.bottles.items()} == {1: 5, 2: 5, 3: 5, 4: 5}
    titles = {seat: {COMPONENTS.card[p].title for p in tokens} for seat, tokens in COMPONENTS.bottles.items()}
    assert all(len(alike) == 1 for alike in titles.values()), "bottles of a colour are alike"


def test_titles_tell_all_cards_apart() -> None:
    assert len({card.title for card in CARDS}) == 90


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({"item": "stamp"}, "shows stamp"),
        ({"skill": "dance"}, "shows penguin and dance"),
        ({"cash": "3"}, "needs a cash value of 1 or 2"),
    ],
)
def test_a_card_that_the_rules_do_not_know_is_named(traits: dict[str, str], words: str) -> None:
    first = CARDS[0]
    wrong = msgspec.structs.replace(first, traits={**first.traits, **traits})
    deck = msgspec.structs.replace(GAME.deck, cards=(wrong, *GAME.deck.cards[1:]))
    with pytest.raises(ValueError, match=words):
        Collectors(deck)


def test_a_missing_number_is_named() -> None:
    numbers = {name: value for name, value in GAME.deck.numbers.items() if name != "seal_buy_3"}
    with pytest.raises(ValueError, match="seal_buy_3"):
        Collectors(msgspec.structs.replace(GAME.deck, numbers=numbers))


def test_every_card_has_three_codes_on_its_front_and_one_code_for_all_backs() -> None:
    book = code_book(GAME.deck, load_mat("collectors", 4))
    front = {place.face for place in book.shapes[card("penguin")].codes if place.on == "F"}
    assert front == {"I", "S", "M"}
    assert {f"CR{card('penguin')}{face}" for face in "ISM"} <= {payload[:6] for payload in book.payloads()}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_mat_has_exactly_the_zones_of_the_layout_and_every_card_fits(seats: int) -> None:
    mat = load_mat("collectors", seats)
    state = GAME.setup(seats, {}, GAME.setup_type())
    zones: set[Zone] = set(GAME.layout(state).zones)
    assert {zone.name for zone in mat.zones} == zones
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        wide, high = (shape.w, shape.h) if zone.rotation % 180 == 0 else (shape.h, shape.w)
        assert zone.rect.w >= wide, zone.name
        assert zone.rect.h >= high, zone.name
        for index in range(zone.slots if zone.kind == "loose" else 1):
            x, y = zone.spot(index, shape.w, shape.h)
            assert zone.rect.x <= x - wide / 2 + 1e-6, (zone.name, index)
            assert x + wide / 2 <= zone.rect.x + zone.rect.w + 1e-6, (zone.name, index)
            assert zone.rect.y <= y - high / 2 + 1e-6, (zone.name, index)
            assert y + high / 2 <= zone.rect.y + zone.rect.h + 1e-6, (zone.name, index)


def test_no_two_zones_of_the_mat_overlap() -> None:
    zones = load_mat("collectors", 4).zones
    for n, zone in enumerate(zones):
        for other in zones[n + 1 :]:
            a, b = zone.rect, other.rect
            apart = a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y
            assert apart, (zone.name, other.name)
