"""The cards of COLLECTION! lie wide and say all that they do; its tokens carry their name above the code."""

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.press.collection_cards import KINDS
from companion.press.drawing import Text
from companion.press.faces import face_drawing, face_image
from companion.press.job import check

DECK, MAT = games.load_deck("collection"), games.load_mat("collection", 7)
SCALE = 8.0


def shape(card):
    return MAT.shape_of(card.kind if card else "back")


def read(card, side="F"):
    image = np.asarray(face_image(card, DECK, shape(card), side, SCALE).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def words(card):
    return " ".join(item.words for item in face_drawing(card, DECK, shape(card), "F").items if isinstance(item, Text))


def test_deck_and_mat_can_be_pressed():
    check("collection", DECK, MAT)
    assert {card.kind for card in DECK.cards} == KINDS


@pytest.mark.parametrize("card", DECK.cards[::9], ids=lambda card: card.piece)
def test_every_piece_shows_its_code(card):
    copies = 1 if shape(card).name == "token" else 2
    assert read(card) == [str(Code("CO", card.piece, "F"))] * copies


def test_the_back_is_the_same_for_both_decks():
    assert read(None, "B") == [str(Code("CO", BACK, "B"))] * 2


def test_title_and_text_of_every_card_are_printed_in_full():
    for card in DECK.cards:
        if card.text:
            assert all(word in words(card) for word in f"{card.title} {card.text}".split()), card.title


def test_what_is_printed_is_large_enough_to_be_read():
    for card in DECK.cards:
        sizes = [one.size for one in face_drawing(card, DECK, shape(card), "F").items if isinstance(one, Text)]
        assert min(sizes) >= 2.2, card.title


def test_tokens_say_what_they_are():
    said = {words(card) for card in DECK.cards if shape(card).name == "token"}
    assert {"STATE C", "ST&W", "Crisis B"} <= said
    assert len(said) == 7 + 3 + 18
