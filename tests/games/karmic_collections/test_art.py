"""The looks of Karmic Collections: all pieces can be read and told apart, with and without colours and codes."""

from dataclasses import replace

import numpy as np
import pytest
import zxingcpp

from companion import games
from companion.codes import BACK, Code
from companion.games.karmic_collections.art import ART
from companion.games.karmic_collections.art.signs import ORDER, sign
from companion.press.drawing import Drawing, Line, Text
from companion.press.drawing import Shape as Filled
from companion.press.faces import code_squares, face_drawing, face_image, is_token, room_of, shape_faces, shape_for
from companion.press.job import check
from companion.press.look import COVER, INSET
from companion.rules.cards import Card

DECK, MAT = games.load_deck("karmic-collections"), games.load_printed_mat("karmic-collections", 6)
CARD, PAWN, PARTNER = (MAT.shape_of(kind) for kind in ("card", "pawn", "partner"))
SCALE = 10.0


def drawn(card, face="F", *, codes=True):
    """Draw what the looks say of a piece, without the codes that are put on top."""
    shape = shape_for(MAT, card)
    sheet = Drawing(shape.w, shape.h)
    room = room_of(shape, face, coded=codes)
    if card is None:
        ART.back(sheet, DECK, room)
    else:
        ART.face(sheet, card, room)
    return sheet


def grey(items):
    """Make all colours of a drawing equal."""
    return repr([replace(item, fill="") if isinstance(item, Filled) else replace(item, colour="") for item in items])


def read(card, shape, side):
    image = np.asarray(face_image(card, DECK, shape, side, SCALE).convert("L"))
    return sorted(code.text for code in zxingcpp.read_barcodes(image))


def test_deck_and_mat_can_be_pressed():
    check("karmic-collections", DECK, MAT)


@pytest.mark.parametrize("codes", [True, False])
def test_every_piece_is_drawn_and_a_card_carries_its_title(codes):
    for card in DECK.cards:
        for side in shape_faces(shape_for(MAT, card)):
            items = drawn(card, side, codes=codes).items
            assert len(items) > 3
            assert sum(len(loop) for item in items if isinstance(item, Filled) for loop in item.loops) < 6000
            if card.kind == "card":
                words = [item for item in items if isinstance(item, Text)]
                assert {word.words for word in words} == {card.title}
                assert {word.size for word in words} == {4.0}, "capitals of 2.8 mm, on every card the same"


@pytest.mark.night
@pytest.mark.parametrize("codes", [True, False])
def test_rims_stay_white(codes):
    for card in (*DECK.cards[::7], DECK.cards[12], None):
        shape = shape_for(MAT, card)
        rim = 0.4 if is_token(shape) else INSET - 0.1
        if is_token(shape) and not codes:
            continue
        n = int(rim * SCALE)
        picture = np.asarray(face_image(card, DECK, shape, "F", SCALE, codes=codes)).astype(int)
        squares = code_squares(shape, "F" if card else "B") if codes else ()
        for s in squares:
            x0, y0 = max(0, int(s.x * SCALE)), max(0, int(s.y * SCALE))
            picture[y0 : int((s.y + s.h) * SCALE), x0 : int((s.x + s.w) * SCALE)] = 255
        for strip in (picture[:n], picture[-n:], picture[:, :n], picture[:, -n:]):
            assert strip.min() == 255, card


@pytest.mark.parametrize("card", DECK.of_kind("card")[::12], ids=lambda card: card.piece)
def test_a_card_shows_its_code_twice(card):
    assert read(card, CARD, "F") == [str(Code("KC", card.piece, "F"))] * 2


def test_all_cards_share_a_back_that_is_alike_when_turned_round():
    assert read(None, CARD, "B") == [str(Code("KC", BACK, "B"))] * 2
    bare = face_image(None, DECK, CARD, "B", 5.0, codes=False)
    turned = np.asarray(bare.rotate(180)).astype(int)
    assert np.abs(np.asarray(bare).astype(int) - turned).mean() < 4


def test_tokens_show_their_codes():
    pawn, partner = DECK.of_kind("pawn")[0], DECK.of_kind("partner")[0]
    assert read(pawn, PAWN, "F") == [str(Code("KC", pawn.piece, "F"))]
    assert shape_faces(PARTNER) == ["F", "D"]
    for side in "FD":
        assert read(partner, PARTNER, side) == [str(Code("KC", partner.piece, side))]


def test_a_partner_token_is_bright_in_front_and_grey_behind():
    card = DECK.of_kind("partner")[0]
    for item in drawn(card, "D").items:
        colour = item.fill if isinstance(item, Filled) else item.colour
        levels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert max(levels) - min(levels) < 16
    fills = {item.fill for item in drawn(card, "F").items if isinstance(item, Filled)}
    lines = {item.colour for item in drawn(card, "F").items if isinstance(item, Line)}
    assert "#2f76c4" in fills, "the colour of the player it stands for"
    assert "#d23c3c" in lines, "and its owner's"


@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize("kind", ["pawn", "partner", "card"])
def test_nothing_is_told_by_colour_alone(kind, codes):
    pieces = {card.title: card for card in DECK.of_kind(kind)}
    assert len({grey(drawn(card, codes=codes).items) for card in pieces.values()}) == len(pieces)
    if kind == "partner":
        assert len({grey(drawn(card, "D", codes=codes).items) for card in pieces.values()}) == len(pieces)


def test_every_player_has_a_sign():
    assert len({repr(sign(colour, "#000000")) for colour in (*ORDER, "no colour")}) == 7


@pytest.mark.parametrize("codes", [True, False])
@pytest.mark.parametrize(
    ("kind", "traits"),
    [
        ("card", {"suit": "stars", "rank": "14"}),
        ("card", {"suit": "", "rank": ""}),
        ("card", {}),
        ("pawn", {"colour": "pink"}),
        ("pawn", {}),
        ("partner", {}),
    ],
)
def test_unknown_traits_are_drawn_all_the_same(kind, traits, codes):
    card = Card("999", kind, "Something else", traits)
    assert face_drawing(card, DECK, MAT.shape_of(kind), "F", codes=codes).items


def test_the_cover_has_the_title():
    sheet = Drawing(COVER, COVER)
    ART.cover(sheet, DECK)
    assert " ".join(item.words for item in sheet.items if isinstance(item, Text)) == DECK.title
