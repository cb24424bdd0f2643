"""The looks of Five Cards Collector: every card says what it is, in words and in more than colour."""

from itertools import combinations

import numpy as np
import pytest
import zxingcpp

from companion.codes import Code
from companion.eye.mat import CodePlace, Shape
from companion.games import load_deck, load_mat
from companion.games.five_cards_collector.art import ART, goals
from companion.games.five_cards_collector.art.figures import LARGE, NAMES, SMALL, figure
from companion.games.five_cards_collector.art.grounds import TONES
from companion.games.five_cards_collector.art.specials import PAPER, PLAIN, SPECIAL
from companion.press.drawing import Drawing, Line, Text, circle, lean, lean_loop
from companion.press.drawing import Shape as Filled
from companion.press.faces import face_drawing, face_image, room_of
from companion.press.figures import TINTS, mix
from companion.press.look import COVER, INSET, art_of
from companion.press.raster import render
from companion.rules.cards import Card

GAME = "five-cards-collector"
BOTH = pytest.mark.parametrize("codes", [True, False], ids=["coded", "plain"])


@pytest.fixture(scope="module")
def deck():
    return load_deck(GAME)


@pytest.fixture(scope="module")
def shape():
    return load_mat(GAME, 8).shape_of("symbol")


@pytest.fixture(scope="module")
def kinds(deck):
    """One card of each sort."""
    return list({card.title: card for card in deck.cards}.values())


def said(sheet):
    return " ".join(item.words for item in sheet.items if isinstance(item, Text))


def drawn(card, shape, coded):
    """Draw a card without what stands in its codes."""
    sheet = Drawing(shape.w, shape.h)
    ART.face(sheet, card, room_of(shape, "F", coded=coded))
    return sheet


def points(item):
    if isinstance(item, Filled):
        return sum(len(loop) for loop in item.loops)
    return len(item.points) if isinstance(item, Line) else 0


def test_the_game_has_these_looks():
    assert art_of(GAME) is ART


@pytest.mark.night
@BOTH
def test_every_card_says_its_title_and_its_text(deck, shape, codes):
    for card in deck.cards:
        words = said(face_drawing(card, deck, shape, "F", codes=codes))
        assert card.title in words
        assert card.text in words
        for symbol in filter(None, card.traits.get("symbols", "").split(", ")):
            assert symbol.capitalize() in words


@pytest.mark.night
@BOTH
def test_the_rim_of_every_face_stays_white(deck, kinds, shape, codes):
    for card in [*kinds[::3], None]:
        image = face_image(card, deck, shape, "F" if card else "B", 3.0, codes=codes)
        gray = np.asarray(image.convert("L")).copy()
        edge = int(INSET * 3.0)
        gray[edge:-edge, edge:-edge] = 255
        assert gray.min() == 255, card


@BOTH
def test_nothing_is_drawn_beyond_the_white_rim(kinds, shape, codes):
    # cards lie side by side on a printed sheet: what reaches over an edge would stand on the neighbour
    for card in kinds:
        for item in drawn(card, shape, codes).items:
            if isinstance(item, Text):
                continue
            half = item.width / 2 if isinstance(item, Line) else 0.0
            spots = np.array([p for loop in ([item.points] if half else item.loops) for p in loop])
            assert spots.min() - half >= INSET - 0.101, card.title
            assert spots[:, 0].max() + half <= shape.w - INSET + 0.101, card.title
            assert spots[:, 1].max() + half <= shape.h - INSET + 0.101, card.title


def test_codes_still_read(deck, kinds, shape):
    for card in [*kinds[::6], deck.cards[-1]]:
        image = face_image(card, deck, shape, "F", 10.0)
        found = zxingcpp.read_barcodes(np.asarray(image.convert("L")))
        assert [code.text for code in found] == [str(Code("FC", card.piece, "F"))] * 2


def test_colours_differ_in_drawing_too():
    for name in NAMES:
        for grain in (LARGE, SMALL):
            forms = {colour: [points(i) and i for i in figure(name, TINTS[colour], grain)] for colour in TINTS}
            bare = {
                colour: [item.loops if isinstance(item, Filled) else item.points for item in items]
                for colour, items in forms.items()
            }
            for one, other in combinations(bare, 2):
                assert bare[one] != bare[other], (name, one, other)


@pytest.mark.night
def test_the_left_strip_of_a_card_without_codes_tells_what_it_is(deck, kinds, shape):
    strips = {}
    for card in (card for card in kinds if card.kind == "symbol"):
        image = face_image(card, deck, shape, "F", 3.0, codes=False).crop((0, 0, 75, 264))
        strips[card.title] = np.asarray(image.convert("L")).astype(float)
    for one, other in combinations(strips, 2):
        assert (abs(strips[one] - strips[other]) > 30).mean() > 0.01, (one, other)


def test_the_figure_of_a_symbol_card_stands_whole_in_the_left_strip_of_a_row(kinds, shape):
    # each card of a row lies on the one before, 36 mm to its right
    for card in (card for card in kinds if card.kind == "symbol"):
        tone = TINTS[card.traits["colour"]]
        index = [
            [x for x, _ in item.loops[0]]
            for item in drawn(card, shape, True).items
            if isinstance(item, Filled) and item.fill == tone.main and min(y for _, y in item.loops[0]) < 20
        ]
        assert any(min(xs) > 23 and max(xs) < 36 for xs in index), card.title


@BOTH
def test_faces_are_cheap_to_print(kinds, deck, shape, codes):
    counts = [sum(points(item) for item in drawn(card, shape, codes).items) for card in deck.cards]
    assert sum(counts) / len(counts) <= 2500
    assert max(counts) <= 6000


@pytest.mark.night
@BOTH
def test_a_card_with_unknown_traits_gets_a_decent_face(deck, shape, codes):
    cards = [
        Card("0ZA", "symbol", "Pink boat", {"figure": "boat", "colour": "pink"}),
        Card("0ZB", "symbol", "", {"figure": "star"}),
        Card("0ZC", "symbol", "A surprisingly extraordinary title for a card", {"figure": "key", "colour": "black"}),
        Card(
            "0ZD", "goal", "All", {"symbols": "pink boat, red star, blue, dark red moon, green leaf, red key, red key"}
        ),
        Card("0ZE", "goal", "Collection 7", {"symbols": "red star"}, "Collect this one."),
        Card("0ZF", "special", "Überraschung", {"effect": "surprise"}, "Does what it says. " * 6),
        Card("0ZG", "contraption", "Thing", {"weight": "heavy"}),
    ]
    square = Shape("tile", 60.0, 60.0, (CodePlace("F", 15.5, 15.5, 14.0), CodePlace("F", 44.5, 44.5, 14.0)))
    token = Shape("token", 24.0, 24.0, (CodePlace("F", 12.0, 12.0, 14.0),))
    for card in cards:
        for place in (shape, square, token):
            assert face_image(card, deck, place, "F", 3.0, codes=codes).size == (place.w * 3, place.h * 3)
        for word in card.title.split():
            assert word in said(face_drawing(card, deck, shape, "F", codes=codes))


@BOTH
def test_the_back_is_alike_when_turned(deck, shape, codes):
    sheet = Drawing(shape.w, shape.h)
    ART.back(sheet, deck, room_of(shape, "B", coded=codes))
    picture = Drawing(sheet.w, sheet.h, [item for item in sheet.items if not isinstance(item, Text)])
    gray = np.asarray(render(picture, 4.0).convert("L")).astype(int)
    assert (abs(gray - gray[::-1, ::-1]) > 60).mean() < 0.03
    assert deck.title in said(sheet)


def test_the_cover_shows_the_title(deck):
    sheet = Drawing(COVER, COVER)
    ART.cover(sheet, deck)
    assert deck.title in said(sheet).replace("5 ", "", 1)
    assert sum(points(item) for item in sheet.items) < 6000
    assert render(sheet, 1.0).size == (120, 120)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("name", TINTS)
def test_words_stand_out_from_the_ground(name):
    # contrast of WCAG 2.2, level AA; large text may have less, and only dots are of the strong tone
    tone = TINTS[name]
    for part in (TONES["faint"], TONES["soft"]):
        assert contrast(tone.dark, mix(tone.pale, tone.main, part)) >= 4.5
    assert contrast(tone.dark, mix(tone.pale, tone.main, TONES["strong"])) >= 3.5
    assert contrast(tone.dark, "#ffffff") >= 4.5
    assert contrast(tone.dark, goals.PAPER) >= 4.5


def test_words_stand_out_on_brass():
    assert contrast(goals.INK, goals.BRASS) >= 4.5


def test_words_stand_out_on_special_cards():
    for style in (SPECIAL, PLAIN):
        assert min(contrast(style.title, ground) for ground in (style.field, style.ray)) >= 4.5
        assert contrast(style.edge, PAPER) >= 4.5


def test_leaving_out_points_keeps_the_picture():
    loop = circle(0, 0, 10)
    fewer = lean_loop(loop, 0.1)
    assert 10 < len(fewer) < len(loop)
    assert set(fewer) <= set(loop)
    items = [Filled((loop,), "#123456"), Line((*loop, loop[0]), 1.0, "#123456"), Text(0, 0, "a", 1.0)]
    kept = lean(items, 0.1)
    assert kept[1].points[0] == kept[1].points[-1]
    assert kept[2] is items[2]
