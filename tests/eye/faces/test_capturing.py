"""Cards are taken from two pictures, and what is wrong with them is said."""

from functools import cache

import numpy as np
import pytest

from benchmarks.face_decks import drawn_faces
from benchmarks.face_scenes import Card, Light, World
from companion.eye.faces.capturing import double_of, measured_size, take, turned
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.eye.faces.likeness import FaceBook, corners_of, too_alike
from companion.games import loader
from tests.printed import printed

PX = 2.0


@cache
def world():
    return World(drawn_faces(6, "a test's deck"), loader.load_mat("karmic-collections", 2), PX)


def shot(cards, light=Light(), **how):  # noqa: B008
    return world().picture(cards, light, np.random.default_rng(5), **how)


@cache
def empty():
    return shot([])


def laid(*places):
    return [Card(f"00{n}", place) for n, place in enumerate(places, 1)]


def deck():
    faces = world().faces
    return TaughtDeck("test", "Test", faces.w, faces.h)


@cache
def taken():
    cards = laid((150.0, 150.0, 3.0), (300.0, 150.0, -8.0), (450.0, 150.0, 0.0), (600.0, 160.0, 30.0))
    return cards, take(empty(), shot(cards), PX, world().mat, deck())


def test_each_card_is_taken_where_it_lies():
    cards, takings = taken()
    assert len(takings.cards) == len(cards)
    assert takings.faults == ()
    for card, found in zip(cards, takings.cards, strict=True):
        truth = corners_of(card.pose, world().faces.w, world().faces.h)
        assert np.abs(found.outline - truth).max() < 1.0
        assert found.usable, found.faults


def test_the_size_of_a_deck_is_measured():
    cards, _ = taken()
    takings = take(empty(), shot(cards), PX, world().mat)
    assert measured_size(list(takings.cards)) == pytest.approx((59.0, 91.0), abs=1.5)


def test_a_second_copy_is_noticed_and_a_new_card_is_not():
    cards, takings = taken()
    known = deck()
    for card, found in list(zip(cards, takings.cards, strict=True))[:3]:
        known = known.with_face(TaughtFace(card.piece, (card.piece,), (found.picture,)))
    again = take(empty(), shot(laid((500.0, 300.0, 175.0))), PX, world().mat, deck()).cards[0]
    assert double_of(known, again.picture).pieces == ("001",)
    assert double_of(known, turned(again).picture).pieces == ("001",)
    assert double_of(known, takings.cards[3].picture) is None


def test_two_that_touch_are_no_card():
    cards = laid((300.0, 200.0, 0.0), (355.0, 220.0, 20.0))
    takings = take(empty(), shot(cards), PX, world().mat, deck())
    assert not any(card.usable for card in takings.cards)
    assert takings.faults or takings.cards[0].faults


def test_nothing_laid_is_said():
    takings = take(empty(), shot([]), PX, world().mat, deck())
    assert [fault.kind for fault in takings.faults] == ["nothing"]


def test_an_arm_is_waited_for():
    takings = take(empty(), shot([], hand=(450.0, 300.0, 90.0)), PX, world().mat, deck())
    assert not any(card.usable for card in takings.cards)
    assert "arm" in {fault.kind for fault in takings.faults}


@pytest.mark.parametrize(
    ("light", "kind"),
    [
        (Light(gain=0.3), "dim"),
        (Light(right=0.6), "slanted"),
        (Light(blur=4.0), "blurred"),
        (Light(glares=((300.0, 200.0, 14.0, 400.0),)), "glare"),
    ],
    ids=["dim", "slanted", "blurred", "glare"],
)
@pytest.mark.night
def test_bad_light_is_said(light, kind):
    cards = laid((300.0, 200.0, 0.0))
    takings = take(shot([], light), shot(cards, light), PX, world().mat, deck())
    found = {fault.kind for fault in takings.faults} | {f.kind for card in takings.cards for f in card.faults}
    assert kind in found


def test_good_light_is_not_complained_of():
    _, takings = taken()
    assert not any(card.faults for card in takings.cards)


def test_what_nobody_can_tell_apart_is_named():
    faces = world().faces
    views = {piece: face.views[0] for piece in faces.fronts() for face in [faces.taught().face_of(piece)]}
    made = TaughtDeck("pairs", "", faces.w, faces.h)
    noise = np.random.default_rng(1)
    for name, piece in enumerate(("001", "002", "001", "003")):
        picture = np.clip(views[piece] + noise.normal(0, 3, views[piece].shape), 0, 255).astype(np.uint8)
        made = made.with_face(TaughtFace(str(name), (f"00{name + 1}",), (picture,)))
    groups = too_alike(made)
    assert [group.faces for group in groups] == [(0, 2)]
    assert groups[0].same
    assert too_alike(faces.taught()) == ()
    assert too_alike(TaughtDeck("empty", "", 50.0, 80.0)) == ()


def test_a_book_of_nothing_says_nothing():
    book = FaceBook(TaughtDeck("empty", "", 50.0, 80.0))
    assert len(book) == 0
    assert double_of(book, np.zeros((160, 100, 3), np.uint8)) is None


@pytest.mark.night
def test_a_card_of_an_ordinary_deck_is_no_double_of_those_that_were_taught_before_it():
    (known,) = printed("hearts")
    spades = [face for face in known.faces if face.side == "F"][:13]
    for count in range(2, 13):
        deck = TaughtDeck("test", "Test", known.w, known.h, tuple(spades[:count]))
        assert double_of(deck, spades[count].views[0]) is None, spades[count].name
        assert double_of(deck, spades[count - 1].views[0]) == spades[count - 1]
