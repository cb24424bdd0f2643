"""The looks of Collectors: every item has a picture of its own, every strip says what it is, and all codes are read."""

from dataclasses import replace

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.eye.mat import CodePlace
from companion.games.collectors.art import ART, ITEM, NAMES, SKILL, coin, skill_icon, symbol
from companion.games.collectors.art.finds import chosen, find, shelves
from companion.games.collectors.art.grounds import ground
from companion.games.collectors.components import SKILLS, SYMBOLS
from companion.press.drawing import CAP, Drawing, Line, Text
from companion.press.drawing import Shape as Filled
from companion.press.faces import face_drawing, face_image, room_of, shape_faces
from companion.press.figures import PLAIN
from companion.press.job import check
from companion.press.look import COVER, INSET, art_of
from companion.press.pictures import pictures
from companion.press.raster import render
from companion.rules.cards import Card

DECK, MAT = games.load_deck("collectors"), games.load_mat("collectors", 4)
CARDS, BOTTLES = DECK.of_kind("collectable"), DECK.of_kind("bottle")
CARD, TOKEN = MAT.shape_of("collectable"), MAT.shape_of("bottle")
FALLBACKS = {f"{category}/{next(iter(finds))}" for category, finds in shelves().items()}
BOTH = pytest.mark.parametrize("coded", [True, False], ids=["coded", "plain"])


def drawn(card, shape, coded):
    """Draw a face without what stands in its codes."""
    sheet = Drawing(shape.w, shape.h)
    ART.face(sheet, card, room_of(shape, "F", coded=coded))
    return sheet


def said(sheet):
    return " ".join(item.words for item in sheet.items if isinstance(item, Text))


def points(item):
    if isinstance(item, Filled):
        return sum(len(loop) for loop in item.loops)
    return len(item.points) if isinstance(item, Line) else 0


def colourless(items):
    return [replace(item, fill="") if isinstance(item, Filled) else replace(item, colour="") for item in items]


def read(card, shape, side):
    image = np.asarray(face_image(card, DECK, shape, side, 10.0).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def test_the_game_has_these_looks_and_can_be_pressed():
    assert art_of("collectors") is ART
    check("collectors", DECK, MAT)
    assert shape_faces(CARD) == ["F"], "three faces on one side are one sheet"


@pytest.mark.night
@BOTH
def test_every_card_carries_its_title_and_text_in_readable_sizes(coded):
    for card in CARDS:
        sheet = drawn(card, CARD, coded)
        words = said(sheet)
        assert card.title in words, card.title
        assert card.text in words, card.title
        texts = [item for item in sheet.items if isinstance(item, Text)]
        title = [item for item in texts if item.words in card.title and item.colour == ITEM.dark]
        assert min(item.size for item in title) * CAP >= 2.1, card.title
        skill = [item for item in texts if len(item.words) > 2 and item.words in card.text]
        assert min(item.size for item in skill) * CAP >= 1.7, card.title


@pytest.mark.night
@BOTH
def test_faces_are_of_few_points(coded):
    counts = [sum(points(item) for item in drawn(card, CARD, coded).items) for card in CARDS]
    assert max(counts) <= 6000
    assert sum(counts) / len(counts) <= 2500


@pytest.mark.night
@BOTH
def test_the_rim_stays_white_and_words_stay_inside(coded):
    edge = int(INSET * 6)
    for card in CARDS[::9]:
        sheet = drawn(card, CARD, coded)
        image = np.asarray(render(sheet, 6)).copy()
        image[edge:-edge, edge:-edge] = 255
        assert image.min() > 200, card.title


@pytest.mark.night
def test_every_item_has_a_picture_of_its_own():
    names = {card.title: chosen(card.title, card.traits["item"]) for card in CARDS}
    assert len(set(names.values())) == len(CARDS)
    for title, name in names.items():
        assert name not in FALLBACKS, title
    assert len({repr(colourless(find(card.title, card.traits["item"]).items)) for card in CARDS}) == len(CARDS)


def test_pictures_are_found_by_words_and_every_drawing_is_asked_for():
    assert chosen("An umbrella for two", "movie") == "movie/film-camera"
    assert chosen("Penguin with an umbrella", "penguin") == "penguin/penguin"
    assert chosen("Tambourine, rusty", "music") == chosen("Tambourine of the opener", "music")
    assert chosen("Umbrella", "stamps") == "figures/robot"
    used = {chosen(card.title, card.traits["item"]) for card in CARDS} | FALLBACKS
    assert {f"{category}/{name}" for category, finds in shelves().items() for name in finds} == used
    assert {name for category in shelves() for name in pictures("collectors", category)} == used


@BOTH
def test_cards_that_nobody_has_drawn_yet_have_a_face(coded):
    traits = {"item": "stamps", "skill": "vp-stamps", "market": "postcards", "cash": "7"}
    long = Card(
        "0ZZ", "collectable", "The extraordinarily long-winded description of a stamp " * 3, traits, "Skill: all. " * 20
    )
    bare = Card("0ZY", "collectable", "Umbrella", {"item": "movie", "skill": "", "market": "music"}, "")
    other = Card("0ZX", "collectable", "Umbrella", {}, "")
    for card in (long, bare, other):
        drawn(card, CARD, coded)
    drawn(Card("9ZZ", "bottle", "Bottle", {"owner": "nobody"}, ""), TOKEN, coded)


@pytest.mark.parametrize("card", CARDS[::11], ids=lambda card: card.piece)
def test_the_front_of_a_card_shows_item_skill_and_market_code(card):
    assert read(card, CARD, "F") == sorted(str(Code("CR", card.piece, face)) for face in "ISM")


def test_the_back_shows_one_code_twice_and_is_alike_upside_down():
    assert read(None, CARD, "B") == [str(Code("CR", BACK, "B"))] * 2
    for coded in (True, False):
        sheet = Drawing(CARD.w, CARD.h)
        ART.back(sheet, DECK, room_of(CARD, "B", coded=coded))
        assert said(sheet) == f"{DECK.title} {DECK.title}"
        image = np.asarray(render(sheet, 4).convert("L")).astype(int)
        assert np.abs(image - image[::-1, ::-1]).mean() < 6


def test_a_bottle_shows_its_code_on_a_band_of_its_colour():
    card = BOTTLES[0]
    assert read(card, TOKEN, "F") == [str(Code("CR", card.piece, "F"))]
    image = face_image(card, DECK, TOKEN, "F", 20.0)
    assert image.getpixel((int(0.45 * 20) - 2, 220)) == (255, 255, 255)
    assert image.getpixel((int(0.45 * 20) + 4, 220)) == (0x2F, 0x76, 0xC4)


@BOTH
def test_bottles_of_two_owners_differ_in_more_than_colour(coded):
    owners = {card.traits["owner"]: card for card in BOTTLES}
    assert len({repr(colourless(drawn(card, TOKEN, coded).items)) for card in owners.values()}) == len(owners) == 4


def test_every_skill_symbol_ground_and_coin_differs_in_more_than_colour():
    assert len({repr(colourless(skill_icon(skill))) for skill in SKILLS}) == len(SKILLS)
    assert len({repr(colourless(symbol(name, PLAIN))) for name in SYMBOLS}) == len(SYMBOLS)
    assert repr(colourless(coin("1"))) != repr(colourless(coin("2")))
    grounds = set()
    for name in (*SYMBOLS, "stamps"):
        sheet = Drawing(22, 20)
        ground(sheet, name, 0, 0, 22, 20)
        grounds.add(repr(colourless(sheet.items)))
    assert len(grounds) == len(SYMBOLS) + 1


def test_icons_are_of_radius_one_and_take_the_tone_given():
    for items in (*(symbol(name, SKILL) for name in SYMBOLS), *(skill_icon(skill) for skill in SKILLS)):
        spots = [p for i in items if not isinstance(i, Text) for p in (i.points if isinstance(i, Line) else i.loops[0])]
        assert max(abs(v) for spot in spots for v in spot) <= 1.15
    assert symbol("movie", SKILL) != symbol("movie", PLAIN)


def test_without_codes_the_strips_name_their_categories():
    for card in CARDS[::13]:
        words = said(drawn(card, CARD, False))
        assert NAMES[card.traits["item"]] in words
        assert NAMES[card.traits["market"]] in words


def test_the_cover_bears_the_title():
    sheet = Drawing(COVER, COVER)
    ART.cover(sheet, DECK)
    assert DECK.title in said(sheet)


def test_a_face_is_a_side_of_its_own_unless_it_names_one():
    assert CodePlace("B", 1, 1, 14).on == "B"
    assert CodePlace("S", 1, 1, 14, side="F").on == "F"


def test_the_printed_face_has_all_that_is_drawn_below_its_codes():
    card = CARDS[0]
    below, whole = drawn(card, CARD, True).items, face_drawing(card, DECK, CARD, "F").items
    assert whole[: len(below)] == below
