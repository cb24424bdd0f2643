"""The deck of Karmic Collections, its pawns and its partner tokens: all can be read and told apart."""

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.press.faces import face_drawing, face_image, shape_faces
from companion.press.job import check
from companion.press.karmic_cards import LETTERS, SUITS, pip

DECK, MAT = games.load_deck("karmic-collections"), games.load_mat("karmic-collections", 6)
CARD, PAWN, PARTNER = (MAT.shape_of(kind) for kind in ("card", "pawn", "partner"))
SCALE = 8.0


def read(card, shape, side):
    image = np.asarray(face_image(card, DECK, shape, side, SCALE).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def test_deck_and_mat_can_be_pressed():
    check("karmic-collections", DECK, MAT)


@pytest.mark.parametrize("card", DECK.of_kind("card")[::9], ids=lambda card: card.piece)
def test_a_card_shows_its_code_twice_and_its_rank_four_times(card):
    assert read(card, CARD, "F") == [str(Code("KC", card.piece, "F"))] * 2
    rank = LETTERS.get(card.traits["rank"], card.traits["rank"])
    words = [item.words for item in face_drawing(card, DECK, CARD, "F").items if hasattr(item, "words")]
    assert words == [rank] * 4


def test_the_small_rank_shows_beside_the_code_of_a_fanned_card():
    hand = MAT.zone("hand.1")
    texts = [item for item in face_drawing(DECK.cards[9], DECK, CARD, "F").items if hasattr(item, "words")]
    small = min(texts, key=lambda item: (item.size, item.y))
    assert small.y < hand.row, "the card in the next row leaves it free"
    assert small.x < hand.step, "so does the next card in the row"


def test_all_cards_share_a_back():
    assert read(None, CARD, "B") == [str(Code("KC", BACK, "B"))] * 2


def test_every_suit_has_a_sign_and_a_colour_of_its_own():
    assert len({repr(pip(suit, "#000000")) for suit in SUITS}) == 4
    assert len(set(SUITS.values())) == 4


def test_a_pawn_shows_its_code_on_a_rim_of_its_colour():
    card = DECK.of_kind("pawn")[0]
    assert read(card, PAWN, "F") == [str(Code("KC", card.piece, "F"))]
    assert face_image(card, DECK, PAWN, "F", SCALE).getpixel((1, 120)) == (0xD2, 0x3C, 0x3C)


def test_a_partner_token_is_bright_in_front_and_grey_behind_and_read_from_both_sides():
    card = DECK.of_kind("partner")[0]
    assert shape_faces(PARTNER) == ["F", "D"]
    for side in "FD":
        assert read(card, PARTNER, side) == [str(Code("KC", card.piece, side))]
    front, behind = (face_image(card, DECK, PARTNER, side, SCALE).getpixel((12, 96)) for side in "FD")
    assert front == (0x2F, 0x76, 0xC4), "the colour of the player it stands for"
    assert max(behind) - min(behind) < 16
