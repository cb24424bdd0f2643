"""The cards of Collectors carry three codes on one side, and its bottles are tokens: all of them can be read."""

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.eye.mat import CodePlace
from companion.press.collectables import skill_icon, symbol
from companion.press.faces import face_drawing, face_image, shape_faces
from companion.press.figures import PLAIN
from companion.press.job import check
from companion.rules.collectors.box import SKILLS, SYMBOLS

DECK, MAT = games.load_deck("collectors"), games.load_mat("collectors", 4)
CARD, TOKEN = MAT.shape_of("collectable"), MAT.shape_of("bottle")
SCALE = 8.0


def read(card, shape, side):
    image = np.asarray(face_image(card, DECK, shape, side, SCALE).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def test_deck_and_mat_can_be_pressed():
    check("collectors", DECK, MAT)
    assert shape_faces(CARD) == ["F"], "three faces on one side are one sheet"


@pytest.mark.parametrize("card", DECK.of_kind("collectable")[::6], ids=lambda card: card.piece)
def test_the_front_of_a_card_shows_item_skill_and_market_code(card):
    assert read(card, CARD, "F") == sorted(str(Code("CR", card.piece, face)) for face in "ISM")


def test_the_back_shows_one_code_twice_and_the_title_in_full():
    assert read(None, CARD, "B") == [str(Code("CR", BACK, "B"))] * 2
    words = [item.words for item in face_drawing(None, DECK, CARD, "B").items if hasattr(item, "words")]
    assert words == ["Collectors"]


def test_a_bottle_shows_its_code_on_a_rim_of_its_colour():
    card = DECK.of_kind("bottle")[0]
    assert read(card, TOKEN, "F") == [str(Code("CR", card.piece, "F"))]
    assert face_image(card, DECK, TOKEN, "F", SCALE).getpixel((2, 2)) == (0x2F, 0x76, 0xC4)


@pytest.mark.parametrize("skill", SKILLS)
def test_every_skill_and_every_symbol_has_an_icon_of_its_own(skill):
    others = [skill_icon(other) for other in SKILLS if other != skill]
    assert skill_icon(skill) not in others
    assert len({repr(symbol(name, PLAIN)) for name in SYMBOLS}) == len(SYMBOLS)


def test_a_face_is_a_side_of_its_own_unless_it_names_one():
    assert CodePlace("B", 1, 1, 14).on == "B"
    assert CodePlace("S", 1, 1, 14, side="F").on == "F"


def test_the_title_of_every_card_fits():
    for card in DECK.of_kind("collectable"):
        drawing = face_drawing(card, DECK, CARD, "F")
        said = " ".join(item.words for item in drawing.items if hasattr(item, "words"))
        assert all(word in said for word in card.title.split()), card.title
