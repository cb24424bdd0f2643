"""What differs too little where a card shows is not told apart."""

from dataclasses import replace

import numpy as np
import pytest

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


@pytest.mark.night
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
    assert FaceBook(replace(deck, faces=backs)).complete().distinctive


@pytest.mark.night
def test_what_comparing_leaves_out_makes_no_difference():
    """A third of the blocks is spoilt, and a third hidden."""
    (deck,) = printed("collectors")
    book = FaceBook(deck)
    rng = np.random.default_rng(1)
    count = book.grid[0] * book.grid[1]
    for view in range(0, len(book.owner), 7):
        seen = book.refs[view] + rng.normal(0, 0.03, book.refs[view].shape).astype(np.float32)
        show = rng.permutation(count) < 2 * count // 3
        seen[np.flatnonzero(show)[: count // 5]] *= -1
        like = np.einsum("bi,vbi->bv", seen, book.refs)[show] - book.power[show] / 2
        exact = np.sort(like, axis=0)[len(like) // 3 :].mean(0)
        (told,) = book.coarse([seen], show[None])
        assert told.argmax() == exact.argmax() == view
        assert abs(told[view] - exact[view]) < 0.01


def test_a_card_taught_beside_its_middle_looks_the_same_upside_down():
    (deck,) = printed("karmic-collections")
    beside = [
        replace(face, views=tuple(np.roll(view, (1, 1), axis=(0, 1)) for view in face.views)) for face in deck.faces
    ]
    book = FaceBook(replace(deck, faces=tuple(beside)))
    four, ace = (book.numbers[piece] for piece in ("204", "301"))
    assert book.symmetric[four]
    assert not book.symmetric[ace]


def test_what_was_taught_in_gray_is_compared_in_gray_by_a_camera_with_colour():
    (deck,) = printed("karmic-collections")
    gray = replace(
        deck,
        faces=tuple(
            replace(face, views=tuple(np.repeat(view[..., 1:2], 3, axis=2) for view in face.views))
            for face in deck.faces[:6]
        ),
    )
    assert not gray.coloured
    in_colour, in_gray = FaceBook(gray, colour=True), FaceBook(gray, colour=False)
    seen = FaceBook(deck).canvases[0]
    assert np.array_equal(in_colour.blocks(seen), in_gray.blocks(seen))
