"""Every piece of every deck: its codes, and the white round them, lie on top of whatever the game's looks draw."""

import numpy as np
import pytest

from companion.codes import BACK, Code
from companion.games import (
    STANDARD,
    load,
    load_deck,
    load_neutral_mat,
    load_printed_mat,
    neutral_mats,
    packages,
)
from companion.press.drawing import Shape as Filled
from companion.press.faces import code_squares, face_drawing, face_image, is_token, shape_faces, shape_for
from companion.press.look import art_of
from companion.press.marks import face_codes
from tests.nights import at_night

DECKS = [*packages(), STANDARD]
SOME = [*((game, 6) for game in DECKS), *at_night(*((game, 1) for game in DECKS))]
"""Of each deck every sixth piece; all of them at night."""


def printed(game):
    """Return a deck, and the mat that its pieces' shapes come from."""
    if game == STANDARD:
        return load_deck(game), load_neutral_mat(neutral_mats()[0], 2)
    return load_deck(game), load_printed_mat(game, load(game).info.seats[1])


def sides(game, step=1):
    """List every side of every piece, or of every so-many-th: card (None for the back), shape, side."""
    deck, mat = printed(game)
    for card in (*deck.cards[::step], None):
        shape = shape_for(mat, card)
        for side in shape_faces(shape) if card else ("B",):
            yield card, shape, side


@pytest.mark.parametrize(("game", "step"), SOME)
def test_nothing_is_drawn_on_a_code_or_its_quiet_zone(game, step):
    deck, _ = printed(game)
    for card, shape, side in sides(game, step):
        items = face_drawing(card, deck, shape, side).items
        codes = face_codes(deck.code, card.piece if card else BACK, side, shape)
        assert items[-len(codes) :] == codes, (card, side)
        papers = [item for item in codes if isinstance(item, Filled) and item.fill == "#ffffff"]
        squares = code_squares(shape, side)
        assert len(papers) == len(squares) > 0
        for number, square in enumerate(squares):
            for other in squares[number + 1 :]:
                apart = max(abs(square.centre[0] - other.centre[0]), abs(square.centre[1] - other.centre[1]))
                assert apart >= (square.w + other.w) / 2 - 1e-6, "a quiet zone may not cover another code"


@pytest.mark.parametrize(("game", "step"), [*((game, 35) for game in DECKS), *at_night(*((game, 7) for game in DECKS))])
def test_quiet_zones_are_white_in_the_picture(game, step):
    deck, _ = printed(game)
    for card, shape, side in list(sides(game))[::step]:
        gray = np.asarray(face_image(card, deck, shape, side, 6.0).convert("L")).copy()
        places = [place for place in shape.codes if place.on == side]
        for square, place in zip(code_squares(shape, side), places, strict=True):
            half = place.size / 2 + 0.1
            code = np.s_[
                round((place.y - half) * 6) : round((place.y + half) * 6),
                round((place.x - half) * 6) : round((place.x + half) * 6),
            ]
            gray[code] = 255
            zone = np.s_[
                round(square.y * 6) + 1 : round((square.y + square.h) * 6) - 1,
                round(square.x * 6) + 1 : round((square.x + square.w) * 6) - 1,
            ]
            assert gray[zone].min() == 255, (card, side)


@pytest.mark.parametrize(("game", "step"), SOME)
def test_cards_without_codes_have_nothing_of_them(game, step):
    deck, _ = printed(game)
    for card, shape, side in sides(game, step):
        if is_token(shape):
            continue
        bare = face_drawing(card, deck, shape, side, codes=False).items
        for code in face_codes(deck.code, card.piece if card else BACK, side, shape):
            assert code not in bare


@pytest.mark.parametrize("game", DECKS)
@pytest.mark.night
def test_every_face_without_codes_differs_from_every_other_card_that_is_not_its_copy(game):
    deck, _ = printed(game)
    seen = {}
    for card, shape, side in sides(game):
        if card is None or side != shape_faces(shape)[0]:
            continue
        drawn = tuple(face_drawing(card, deck, shape, side, codes=False).items)
        key = hash(drawn)
        if key in seen:
            other = seen[key]
            same = (card.kind, card.title, card.traits, card.text) == (
                other.kind,
                other.title,
                other.traits,
                other.text,
            )
            assert same, (card.title, other.title)
        seen[key] = card


def test_every_deck_has_looks_of_its_own():
    looks = {game: art_of(game) for game in DECKS}
    assert len({type(look) for look in looks.values()}) == len(DECKS)
    assert len({look.palette for look in looks.values()}) == len(DECKS)
    assert type(art_of("no-such-game")) not in {type(look) for look in looks.values()}


def test_codes_of_the_standard_deck_are_its_own():
    letters = {load_deck(game).code for game in packages()}
    assert load_deck(STANDARD).code not in letters
    assert str(Code("SD", "101", "F")).startswith("SD101F")
