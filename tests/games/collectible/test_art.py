"""The looks of Collectible: every picture says what its card is."""

import functools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.games.collectible.art import ART, TITLE, titles
from companion.games.collectible.art.icons import sign
from companion.press.drawing import CAP, Drawing, Line, Shape, Text
from companion.press.faces import face_drawing, room_of, shape_for
from companion.press.look import COVER, INSET
from companion.press.raster import render
from companion.rules.cards import Card
from tests.nights import at_night

DECK = games.load_deck("collectible")
MAT = games.load_printed_mat("collectible", 6)
SHAPE = shape_for(MAT, DECK.cards[0])
PICTURES = [card for card in DECK.cards if card.kind == "art"]


def drawn(card, coded):
    known = card and card in DECK.cards
    return _drawn(DECK.cards.index(card), coded) if known else _draw(card, coded)


@functools.cache
def _drawn(index, coded):
    return _draw(DECK.cards[index], coded)


def _draw(card, coded):
    sheet = Drawing(SHAPE.w, SHAPE.h)
    room = room_of(SHAPE, "B" if card is None else "F", coded=coded)
    if card is None:
        ART.back(sheet, DECK, room)
    else:
        ART.face(sheet, card, room)
    return sheet


def words(sheet):
    return " ".join(item.words for item in sheet.items if isinstance(item, Text))


def points(sheet):
    return [
        point
        for item in sheet.items
        if not isinstance(item, Text)
        for loop in (item.loops if isinstance(item, Shape) else (item.points,))
        for point in loop
    ]


def uncoloured(sheet):
    """What is drawn, with all colours made equal."""
    return tuple(
        replace(item, fill="") if isinstance(item, Shape) else replace(item, colour="")
        for item in sheet.items
        if not isinstance(item, Text)
    )


@pytest.mark.parametrize("coded", [True, *at_night(False)])
@pytest.mark.night
def test_every_card_carries_its_title_and_text_inside_the_rim(coded):
    counts = []
    for card in (*DECK.cards, None):
        sheet = drawn(card, coded)
        shown = points(sheet)
        counts.append(len(shown))
        assert min(x for x, _ in shown) >= INSET - 0.01, card
        assert max(x for x, _ in shown) <= SHAPE.w - INSET + 0.01, card
        assert min(y for _, y in shown) >= INSET - 0.01, card
        assert max(y for _, y in shown) <= SHAPE.h - INSET + 0.01, card
        if card is None:
            assert DECK.title in words(sheet)
            continue
        assert not Counter(card.title.split()) - Counter(words(sheet).split()), card
        told = card.text.replace("·", "").replace(".", "") if card.kind == "art" else card.text
        assert not Counter(told.split()) - Counter(words(sheet).split()), card
    assert max(counts) <= 6000
    assert sum(counts) / len(counts) <= 2500


@pytest.mark.night
def test_titles_have_one_size_and_capitals_of_nearly_three_millimetres():
    assert TITLE * CAP >= 2.8
    for card in PICTURES:
        first = next(item for item in drawn(card, True).items if isinstance(item, Text))
        assert first.size == TITLE, card


@pytest.mark.night
def test_no_two_pictures_are_alike_even_without_colours():
    assert len({uncoloured(drawn(card, True)) for card in PICTURES}) == len(PICTURES) == 96


def test_every_title_names_a_motif_for_each_of_its_themes():
    for card in PICTURES:
        themes = titles.themes_of(card.traits["themes"])
        said = titles.phrases(card.title, themes)
        assert sorted(phrase.theme for phrase in said) == sorted(themes)
        unsaid = {phrase.theme for phrase in said if phrase.at >= 900}
        assert unsaid <= {"Night", "Star"}, card.title  # "at Night" and "beneath the Stars" are their themes' own form


def test_themes_differ_in_their_signs_and_not_in_colour_alone():
    signs = {uncoloured(Drawing(1, 1, list(sign(theme, 0)))) for theme in titles.themes()}
    assert len(signs) == len(titles.themes())


def test_an_owners_points_are_shown():
    card = Card("001", "art", "Fox", {"themes": "Animal"}, "Animal 7. Value 42.")
    assert {"7", "42"} <= set(words(drawn(card, True)).split())


@pytest.mark.parametrize("coded", [True, False])
@pytest.mark.parametrize(
    "card",
    [
        Card("001", "art", "Nothing anybody knows", {"themes": "Opera, Cheese"}, "Opera 3. Value 3."),
        Card("001", "art", "Untitled", {"themes": ", ".join(titles.themes())}),
        Card("001", "art", "A hat of nobody", {"themes": "Hat"}, "Hat 3. Value 3."),
        Card("001", "art", "Night", {"themes": "Night, Water, Star"}, "Night 1. Value 1."),
        Card("001", "art", "No themes", {}, "Value 0."),
        Card("001", "art", "", {}, ""),
        Card("001", "character", "Somebody", {"effect": "unheard of"}, "Does something."),
        Card("001", "token", "Neither", {}, "What is this?"),
    ],
)
def test_an_unknown_card_gets_a_face(card, coded):
    assert points(drawn(card, coded))


@pytest.mark.parametrize("theme", titles.themes())
def test_every_theme_has_a_form_of_its_own(theme):
    card = Card("001", "art", "Untitled", {"themes": theme}, f"{theme} 1. Value 1.")
    bare = Card("001", "art", "Untitled", {"themes": "Opera"}, "Opera 1. Value 1.")
    assert uncoloured(drawn(card, True)) != uncoloured(drawn(bare, True))


@pytest.mark.night
def test_codes_are_read_on_a_sample_of_faces():
    for card in (*DECK.cards[::24], None):
        image = render(face_drawing(card, DECK, SHAPE, "F" if card else "B"), 10.0)
        wanted = str(Code(DECK.code, card.piece if card else BACK, "F" if card else "B"))
        assert [code.text for code in zxingcpp.read_barcodes(np.asarray(image.convert("L")))] == [wanted] * 2


def test_the_back_is_alike_when_turned():
    for coded in (True, False):
        sheet = drawn(None, coded)
        w, h = SHAPE.w, SHAPE.h
        turned = [
            replace(item, points=tuple((w - x, h - y) for x, y in item.points))
            if isinstance(item, Line)
            else replace(item, loops=tuple(tuple((w - x, h - y) for x, y in loop) for loop in item.loops))
            for item in sheet.items
            if not isinstance(item, Text)
        ]
        plain = [item for item in sheet.items if not isinstance(item, Text)]
        # the plate's words apart: they are read one way up
        one, other = (
            np.asarray(render(Drawing(w, h, items), 3.0).convert("L")).astype(int) for items in (plain, turned)
        )
        assert (abs(one - other) > 60).mean() < 0.02


def test_the_cover_bears_the_title():
    sheet = Drawing(COVER, COVER)
    ART.cover(sheet, DECK)
    assert DECK.title in words(sheet)
