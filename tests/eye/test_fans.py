"""What the eye makes of cards that lie on each other in rows, each with the corner that has its code free."""

from __future__ import annotations

import numpy as np
import pytest

from tests.eye.tables import Card, Session, Table, test_mat
from tests.nights import at_night

MIDDLE = "002"
CODE = -16.0, -28.5
"""Where a card's upper code is, seen from its middle (mm)."""


def fan(*, one_by_one: bool = True) -> Session:
    """Two rows of four cards; of the middle one nothing shows but the corner with its code."""
    watched = Session(Table(test_mat()), reference=True)
    watched.run(6)
    for card in [Card(f"0{row}{n}", 60 + 33 * n, 75 + 38 * row) for row in range(2) for n in range(1, 5)]:
        watched.table.cards.append(card)
        watched.run(7 if one_by_one else 0)
    watched.run(14)
    assert len(watched.pieces()) == 8
    assert not watched.view.covered
    return watched


def corner(watched: Session, piece: str) -> tuple[float, float]:
    card = next(card for card in watched.table.cards if card.piece == piece)
    return card.x + CODE[0], card.y + CODE[1]


@pytest.mark.night
@pytest.mark.parametrize("one_by_one", [True, *at_night(False)])
def test_a_card_taken_from_the_middle_of_a_fan_is_gone(one_by_one: bool) -> None:
    watched = fan(one_by_one=one_by_one)
    taken = {MIDDLE, "003"}
    watched.table.cards = [card for card in watched.table.cards if card.piece not in taken]
    watched.reach(*corner(watched, "012"))
    watched.run(30)
    assert len(watched.pieces()) == 6
    assert not taken & watched.pieces().keys()
    assert watched.view.settled
    assert not watched.view.covered


@pytest.mark.night
def test_a_card_that_the_hand_over_a_fan_may_have_taken_is_not_gone_before_the_hand_is() -> None:
    watched = fan()
    x, y = corner(watched, MIDDLE)
    watched.table.hands = [(x, y + 5, -80)]
    watched.run(40)
    assert len(watched.pieces()) == 8
    assert "row" in watched.view.covered


@pytest.mark.night
def test_something_that_lies_across_a_fan_takes_nothing_away() -> None:
    watched = fan()
    x, y = corner(watched, MIDDLE)
    watched.table.covers = [(x - 12, y - 12, 90, 24)]
    watched.run(40)
    assert len(watched.pieces()) == 8
    assert "row" in watched.view.covered


@pytest.mark.night
def test_a_card_of_a_fan_that_shines_is_not_gone() -> None:
    watched = fan()
    clear = watched.table._pictures[("FC", MIDDLE, "F")]
    watched.table._pictures[("FC", MIDDLE, "F")] = np.clip(205 + clear * 0.05, 0, 255).astype(np.uint8)
    watched.table.noise = 1.9  # a new picture
    watched.run(40)
    assert len(watched.pieces()) == 8


def test_what_peeps_out_of_a_pile_and_looks_otherwise_does_not_cover_the_pile() -> None:
    watched = Session(Table(test_mat(), [Card("001", 61, 100)]), reference=True)
    watched.run(14)
    # The next card pushes it a little, and leaves a third of its lower code free: too little to be read.
    watched.table.cards = [Card("001", 63.5, 102.5, 2), Card("002", 51.5, 98)]
    watched.run(20)
    assert watched.pieces().keys() == {"002"}
    assert watched.view.settled
    assert not watched.view.covered


def test_fingers_that_lay_on_a_card_when_it_was_read_cover_nothing_once_they_have_gone() -> None:
    watched = Session(Table(test_mat()), reference=True)
    watched.run(6)
    watched.table.cards = [Card("001", 150, 95)]
    watched.run(14)
    watched.table.cards.append(Card("002", 182, 95))
    for y, frames in ((120, 4), (160, 1), (200, 1)):
        watched.table.hands = [(140, y, -90)]
        watched.run(frames)
    watched.table.hands = []
    watched.run(20)
    assert set(watched.pieces()) == {"001", "002"}
    assert watched.view.settled
    assert not watched.view.covered
