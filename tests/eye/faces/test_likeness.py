"""What differs too little where a card shows is not told apart."""

from dataclasses import replace

import numpy as np

from companion.eye.faces.likeness import FaceBook
from companion.eye.faces.naming import EXPECTED
from tests.printed import printed


def hazy_ace(show):
    """Return how surely an ace of diamonds is named whose print is pale, in a hazy picture."""
    (deck,) = printed("karmic-collections")
    book = FaceBook(deck)
    ace = next(n for n, face in enumerate(deck.faces) if "201" in face.pieces)
    canvas = book.canvases[int(np.flatnonzero(book.owner == ace)[0])]
    hazy = (0.4 * canvas + 130).astype(np.uint8)
    rows, columns = book.grid
    shows = np.zeros((rows, columns), dtype=np.bool_)
    shows[: round(show * rows)] = True
    surest = book.judge([book.blocks(hazy)], shows.ravel())[0]
    assert surest.face == ace
    return surest.margin


def test_pale_ink_does_not_speak_for_plainer_cards():
    assert hazy_ace(1.0) > 0.7


def test_of_a_part_of_a_card_nothing_is_known_of_its_paleness():
    assert hazy_ace(0.75) < 0.6


def test_of_a_strip_on_which_two_cards_differ_in_a_coin_two_blocks_of_its_neighbour_say_nothing():
    (deck,) = printed("collectors")
    book = FaceBook(deck)
    there, other = (next(n for n, face in enumerate(deck.faces) if piece in face.pieces) for piece in ("01M", "01L"))
    view, like = (int(np.flatnonzero(book.owner == face)[0]) for face in (there, other))
    rows, columns = book.grid
    strip = np.zeros((rows, columns), dtype=np.bool_)
    strip[:, :3] = True
    blocks = book.refs[view].copy()
    surest = book.judge([blocks], strip.ravel(), top=1)[0]
    assert surest.face == there
    for row in range(2):  # the coins look the same in little light
        dull = slice(row * columns, row * columns + 2)
        blocks[dull] = (book.refs[view][dull] + book.refs[like][dull]) / 2
    for row in (5, 6):
        rim = row * columns + 2
        blocks[rim] = 0.8 * book.refs[like][rim] + 0.2 * book.refs[view][rim]
    mistaken = book.judge([blocks], strip.ravel(), top=3)[0]
    assert mistaken.face == other
    assert mistaken.margin < EXPECTED


def test_a_deck_of_which_only_a_back_was_taught_is_no_error():
    (deck,) = printed("collectible")
    backs = tuple(face for face in deck.faces if face.is_back)
    assert FaceBook(replace(deck, faces=backs)).complete().telling
