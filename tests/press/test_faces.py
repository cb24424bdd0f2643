"""Every face as an image: its codes are exact and alone on white, its words are readable."""

import numpy as np
import pytest
import segno
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from companion.codes import BACK, Code
from companion.eye.mat import CodePlace, Shape
from companion.games.five_cards_collector.art import figures
from companion.press.drawing import Drawing, Text, text_width
from companion.press.faces import code_squares, face_drawing, face_image, free_areas
from companion.press.figures import FIGURES, ICONS, TINTS, mix, tint
from companion.press.marks import qr
from companion.press.pictures import pictures
from companion.press.raster import render
from companion.rules.cards import Card
from tests.nights import at_night

SCALE = 10.0


def modules(image, place, scale):
    """Sample the modules of a printed code near three of their corners' and at their middle: (21, 21, 9) darkness."""
    gray = np.asarray(image.convert("L"))
    parts = np.array([0.15, 0.5, 0.85])
    steps = ((np.arange(21)[:, None] + parts) / 21 - 0.5) * place.size
    u, v = np.meshgrid(steps.ravel(), steps.ravel())
    turn = np.radians(place.rotation)
    x = place.x + u * np.cos(turn) - v * np.sin(turn)
    y = place.y + u * np.sin(turn) + v * np.cos(turn)
    seen = gray[(y * scale).astype(int), (x * scale).astype(int)] < 128
    return seen.reshape(21, 3, 21, 3).transpose(0, 2, 1, 3).reshape(21, 21, 9)


def printed(payload):
    code = segno.make_qr(payload, version=1, error="h", boost_error=False)
    return np.array([[bool(cell) for cell in row] for row in code.matrix])


def faces(deck, step=1):
    return [*((card, "F") for card in deck.cards[::step]), (None, "B")]


SOME = pytest.mark.parametrize("step", [6, *at_night(1)])
"""Every sixth card; all of them at night."""


@pytest.mark.night
@SOME
def test_every_face_shows_its_codes_at_the_places_of_the_mat_file(deck, mat, step):
    shape = mat.shape_of("symbol")
    for card, face in faces(deck, step):
        image = face_image(card, deck, shape, face, SCALE)
        assert image.size == (630, 880)
        assert image.mode == "RGB"
        wanted = str(Code("FC", card.piece if card else BACK, face))
        found = zxingcpp.read_barcodes(np.asarray(image.convert("L")))
        assert [code.text for code in found] == [wanted] * 2
        centres = []
        for code in found:
            p = code.position
            corners = np.array([(q.x, q.y) for q in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)])
            centres.append((*(corners.mean(axis=0) + 0.5) / SCALE, corners[0, 1] > corners[2, 1]))
        for (x, y, upside), place in zip(
            sorted(centres), sorted((c for c in shape.codes if c.face == face), key=lambda c: c.x), strict=True
        ):
            assert abs(x - place.x) < 0.2
            assert abs(y - place.y) < 0.2
            assert upside == (place.rotation == 180)


@pytest.mark.night
def test_every_module_is_drawn_to_a_seventh_of_a_millimetre(deck, mat):
    shape = mat.shape_of("symbol")
    for card, face in faces(deck)[::9]:
        image = face_image(card, deck, shape, face, SCALE)
        wanted = printed(str(Code("FC", card.piece if card else BACK, face)))
        for place in (place for place in shape.codes if place.face == face):
            assert (modules(image, place, SCALE) == wanted[:, :, None]).all()


@pytest.mark.night
@SOME
def test_the_quiet_zone_of_every_code_is_white(deck, mat, step):
    shape = mat.shape_of("symbol")
    for card, face in faces(deck, step):
        gray = np.asarray(face_image(card, deck, shape, face, SCALE).convert("L")).copy()
        for square, place in zip(code_squares(shape, face), (c for c in shape.codes if c.face == face), strict=True):
            half = place.size / 2 + 0.06
            x, y = place.x, place.y
            gray[round((y - half) * 10) : round((y + half) * 10), round((x - half) * 10) : round((x + half) * 10)] = 255
            zone = gray[
                round(square.y * 10) : round((square.y + square.h) * 10),
                round(square.x * 10) : round((square.x + square.w) * 10),
            ]
            assert zone.min() == 255, (card, face)


@pytest.mark.parametrize("scale", [2.4, 3.0, 4.0, 6.0, 10.0, 24.0])
def test_an_image_has_the_asked_size_and_its_codes_read(deck, mat, scale):
    shape = mat.shape_of("symbol")
    image = face_image(deck.cards[30], deck, shape, "F", scale)
    assert image.size == (round(63 * scale), round(88 * scale))
    gray = np.asarray(image.convert("L"))
    big = np.kron(gray, np.ones((3, 3), np.uint8)) if scale < 4 else gray
    assert {code.text for code in zxingcpp.read_barcodes(big)} == {str(Code("FC", deck.cards[30].piece, "F"))}


@pytest.mark.night
@given(st.integers(0, 3), st.sampled_from([14.0, 18.0, 22.0]), st.text("0123456789ABC", min_size=3, max_size=3))
def test_a_code_turned_by_quarters_stays_exact(quarter, size, piece):
    place = CodePlace("F", 20.0, 20.0, size, 90.0 * quarter)
    sheet = Drawing(40, 40)
    payload = str(Code("FC", piece, "F"))
    sheet.add(qr(payload, place))
    assert (modules(render(sheet, SCALE), place, SCALE) == printed(payload)[:, :, None]).all()


def test_a_code_turned_askew_reads():
    sheet = Drawing(40, 40)
    sheet.add(qr("FC00BFQ", CodePlace("F", 20.0, 20.0, 22.0, 30.0)))
    assert [c.text for c in zxingcpp.read_barcodes(np.asarray(render(sheet, 8).convert("L")))] == ["FC00BFQ"]


@pytest.mark.night
def test_every_word_of_a_card_is_on_it_and_inside_the_frame(deck, mat):
    shape = mat.shape_of("symbol")
    areas = free_areas(shape, "F")
    for card in deck.cards:
        texts = [item for item in face_drawing(card, deck, shape, "F").items if isinstance(item, Text)]
        said = " ".join(text.words for text in texts)
        assert card.title in said
        if card.kind in ("special", "information"):
            assert card.text in said
        for symbol in filter(None, card.traits.get("symbols", "").split(", ")):
            assert symbol.capitalize() in said
        for text in texts:
            wide = text_width(text.words, text.size, text.bold)
            up = text.rotation == 180
            part = {"l": 0, "m": 0.5, "r": 1}[text.align]
            left = text.x - (1 - part if up else part) * wide
            top, bottom = (text.y, text.y + text.size * 0.7) if up else (text.y - text.size * 0.7, text.y)
            assert any(
                a.x <= left and left + wide <= a.x + a.w and a.y <= top and bottom <= a.y + a.h for a in areas
            ), (card.title, text)


def test_titles_are_tall_enough_to_read_from_a_metre(deck, mat):
    # an eye that sees well tells letters 1.5 mm tall apart at a metre; titles have about twice that
    for card in deck.cards:
        texts = [t for t in face_drawing(card, deck, mat.shape_of(card.kind), "F").items if isinstance(t, Text)]
        titles = [t for t in texts if t.bold]
        assert max(t.size for t in titles) * 0.71 >= 2.8, card.title
        assert min(t.size for t in titles) * 0.71 >= 2.1, card.title


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", TINTS)
def test_words_stand_out_from_their_panel(name):
    # contrast of WCAG 2.2, level AA
    tone = tint(name)
    assert (luminance(tone.pale) + 0.05) / (luminance(tone.dark) + 0.05) >= 4.5


def test_colours_differ_in_more_than_hue():
    hatchings = [tone.angle for tone in TINTS.values()]
    assert len(set(hatchings)) == len(hatchings)


def test_every_figure_and_effect_of_the_deck_has_a_picture(deck):
    for card in deck.cards:
        if "figure" in card.traits:
            assert card.traits["figure"] in FIGURES
            assert card.traits["figure"] in figures.NAMES
        if "effect" in card.traits:
            assert card.traits["effect"] in ICONS
            assert f"emblems/{card.traits['effect']}" in pictures("five-cards-collector", "emblems")


def test_a_card_of_a_game_that_nobody_has_drawn_yet_gets_a_decent_face(deck):
    card = Card("0ZZ", "contraption", "Überraschung × 2", {"weight": "heavy"}, "Does – what it says.")
    shape = Shape("tile", 60.0, 60.0, (CodePlace("F", 15.5, 15.5, 14.0), CodePlace("F", 44.5, 44.5, 14.0)))
    said = [item.words for item in face_drawing(card, deck, shape, "F").items if isinstance(item, Text)]
    assert "Überraschung" in " ".join(said)
    found = zxingcpp.read_barcodes(np.asarray(face_image(card, deck, shape, "F", SCALE).convert("L")))
    assert [code.text for code in found] == [str(Code("FC", "0ZZ", "F"))] * 2


def test_a_piece_that_is_almost_all_code_still_prints(deck):
    token = Shape("token", 24.0, 24.0, (CodePlace("F", 12.0, 12.0, 14.0),))
    image = face_image(Card("0AA", "token", "Coin"), deck, token, "F", SCALE)
    assert [c.text for c in zxingcpp.read_barcodes(np.asarray(image.convert("L")))] == [str(Code("FC", "0AA", "F"))]


def test_mixing_colours_goes_from_one_to_the_other():
    assert mix("#102030", "#ffffff", 0) == "#102030"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
