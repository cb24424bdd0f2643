"""Playing cards and the standard deck: every card is drawn, carries its name, and differs from all others."""

from dataclasses import replace

import numpy as np
import pytest
import zxingcpp

from companion.codes import BACK, Code
from companion.games import load_printed_mat
from companion.games.loader import load_deck
from companion.press import faces
from companion.press.courts import FIGURES, JESTERS
from companion.press.drawing import Drawing, Line, Text, cut
from companion.press.drawing import Shape as Filled
from companion.press.look import COVER, INSET
from companion.press.pictures import pictures
from companion.press.playing_cards import ART, corner, letter_of, ranked
from companion.press.suits import SUITS, pip
from companion.rules.cards import Card

DECK = load_deck("standard")
SHAPE = load_printed_mat("karmic-collections", 6).shape_of("card")


@pytest.fixture(autouse=True)
def _looks(monkeypatch):
    monkeypatch.setattr(faces, "art_of", lambda game: ART)


def drawn(card, *, codes=True):
    return faces.face_drawing(card, DECK, SHAPE, "F" if card else "B", codes=codes).items


def points(item):
    return [at for loop in item.loops for at in loop] if isinstance(item, Filled) else item.points


def grey(items):
    return repr([replace(item, fill="") if isinstance(item, Filled) else replace(item, colour="") for item in items])


def test_the_deck_is_complete():
    assert (DECK.game, DECK.code, DECK.title, len(DECK.cards)) == ("standard", "SD", "Standard deck", 54)
    suited = [card for card in DECK.cards if "suit" in card.traits]
    assert {(card.traits["suit"], card.traits["rank"]) for card in suited} == {
        (suit, str(rank)) for suit in SUITS for rank in range(1, 14)
    }
    ours = {(card.piece, card.title) for card in load_deck("karmic-collections").of_kind("card")}
    assert {(card.piece, card.title) for card in suited} == ours
    assert [(card.piece, card.traits) for card in DECK.cards if card not in suited] == [
        ("501", {"joker": "red"}),
        ("502", {"joker": "black"}),
    ]


@pytest.mark.parametrize("codes", [True, False])
def test_every_card_is_drawn_with_its_name_inside_its_white_rim(codes):
    for card in DECK.cards:
        items = drawn(card, codes=codes)
        words = [item for item in items if isinstance(item, Text)]
        assert {(word.words, word.size) for word in words} == {(card.title, 4.0)}
        for item in items:
            if isinstance(item, Text) or (isinstance(item, Filled) and item.fill in ("#ffffff", "#000000")):
                continue
            half = item.width / 2 if isinstance(item, Line) else 0.0
            for x, y in points(item):
                assert x - half >= INSET - 0.01, card
                assert x + half <= SHAPE.w - INSET + 0.01, card
                assert y - half >= INSET - 0.01, card
                assert y + half <= SHAPE.h - INSET + 0.01, card
        assert sum(len(points(item)) for item in items if not isinstance(item, Text)) < 6000


@pytest.mark.parametrize("codes", [True, False])
def test_cards_differ_by_more_than_their_colours(codes):
    assert len({grey(drawn(card, codes=codes)) for card in DECK.cards}) == 54


@pytest.mark.parametrize(
    "card", [*DECK.cards[::11], DECK.cards[-1], None], ids=lambda card: card.piece if card else BACK
)
def test_a_card_shows_its_code_twice(card):
    side = "F" if card else "B"
    image = np.asarray(faces.face_image(card, DECK, SHAPE, side, 10.0).convert("L"))
    found = sorted(code.text for code in zxingcpp.read_barcodes(image))
    assert found == [str(Code("SD", card.piece if card else BACK, side))] * 2


def test_the_back_is_alike_when_turned_round():
    bare = faces.face_image(None, DECK, SHAPE, "B", 5.0, codes=False)
    assert np.abs(np.asarray(bare).astype(int) - np.asarray(bare.rotate(180)).astype(int)).mean() < 4


def test_rank_and_suit_show_in_a_fanned_hand():
    hand = load_printed_mat("karmic-collections", 6).zone("hand.1")
    x, y, wide, high = corner(faces.room_of(SHAPE, "F"))
    assert x + wide / 2 <= hand.step, "the next card in the row leaves it free"
    assert y + high + 1.6 + wide <= hand.row, "so does the card in the next row"
    assert min(high, corner(faces.room_of(SHAPE, "F", coded=False))[3]) >= 7.0


@pytest.mark.parametrize("rank", [str(rank) for rank in range(1, 15)])
def test_a_rank_is_as_tall_as_asked_and_not_wider(rank):
    places = [at for item in ranked(rank, "#000000", 9.0, 8.0) if isinstance(item, Filled) for at in points(item)]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    assert max(xs) - min(xs) < 8.0
    assert 7.0 < max(ys) - min(ys) < 11.5, "the J and the Q go below the line"
    assert letter_of(rank)


def test_every_suit_has_a_sign_and_a_colour_of_its_own():
    assert len({repr(pip(suit, "#000000")) for suit in (*SUITS, "stars")}) == 5
    assert len(set(SUITS.values())) == 4


def test_every_court_is_a_figure_of_its_own():
    assert len(FIGURES) == len(set(FIGURES.values())) == 12
    hats = [parts[-2:] for parts in FIGURES.values()]
    assert len(set(hats)) == 12


def test_every_part_of_a_figure_is_a_picture_and_every_picture_is_a_part():
    parts = {part for figure in (*FIGURES.values(), *JESTERS.values()) for part in figure}
    assert parts == set(pictures("standard"))


def test_what_lies_outside_is_cut_off():
    square = Filled((((-5, -5), (15, -5), (15, 15), (-5, 15)),), "#000000")
    kept = cut(
        [square, Line(((-5, 2), (15, 2)), 0.2, "#000000"), Line(((-5, -5), (-1, -5)), 1, "#000000")], 0, 0, 10, 10
    )
    assert len(kept) == 2
    assert {(round(x), round(y)) for x, y in kept[0].loops[0]} == {(0, 0), (10, 10), (10, 0), (0, 10)}
    (x0, _), (x1, _) = kept[1].points
    assert (x0, x1) == pytest.approx((0.1, 9.9))


@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize(
    "traits",
    [{"suit": "stars", "rank": "12"}, {"suit": "hearts", "rank": "14"}, {"suit": "hearts"}, {"joker": "blue"}, {}],
)
def test_unknown_traits_are_drawn_all_the_same(traits, codes):
    assert drawn(Card("999", "card", "Something else", traits), codes=codes)


def test_the_cover_has_the_title():
    sheet = Drawing(COVER, COVER)
    ART.cover(sheet, DECK)
    assert sheet.items[-1].words == "Standard deck"
