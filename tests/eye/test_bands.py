"""A lamp that flickers lays bands through the picture: they are told, and a table still settles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from companion.eye.bands import Bands
from companion.eye.view import Gray
from tests.eye.tables import Card, Session, Table, back, test_mat


@dataclass
class Flickering(Table):
    """A table under a lamp whose light goes up and down by `bands` while the camera reads out `waves` of its hum."""

    bands: float = 0.1
    waves: float = 3.3
    light: float = 0.85
    drift: float = 0.37
    """Waves by which the bands stand lower in the next picture."""

    def picture(self) -> Gray:
        rows = np.arange(self.size[1]) / self.size[1]
        light = 1 + self.bands * np.sin(2 * np.pi * (self.waves * rows + self.drift * self._number))
        return np.clip(super().picture() * light[:, None], 0, 255).astype(np.uint8)


CARDS = [Card("001", 61, 100), back(287, 100, 181)]


@pytest.mark.parametrize(
    ("waves", "drift", "bands"), [(3.3, 0.37, 0.1), (3.3, 1 / 3, 0.15), (1.7, 0.04, 0.1), (6.2, 0.5, 0.15)]
)
@pytest.mark.night
def test_a_table_settles_and_people_are_told_what_helps(waves: float, drift: float, bands: float) -> None:
    table = Flickering(test_mat(), list(CARDS), bands=bands, waves=waves, drift=drift)
    session = Session(table)
    session.run(60)
    assert session.view.settled
    assert session.kinds() == {"bands"}
    table.cards.append(Card("002", 134, 97))
    before = table._time
    session.run(20)
    assert {"000", "001", "002"} == set(session.pieces())
    first = next(view for view in session.views if view.settled and len(view.placements) == 3)
    assert first.time - before < 1.5


def test_where_no_lamp_flickers_nothing_is_told_and_no_picture_is_changed() -> None:
    table = Table(test_mat(), list(CARDS))
    bands = Bands()
    for n in range(90):
        table.light = 1.0 if n < 40 else 0.6
        table.slope = 0.0 if n < 60 else 0.3
        table.hands = [(150.0 + n % 9 * 15, 120.0, -80.0)] if n % 30 > 15 else []
        frame = table.shot()
        assert bands.even(frame, frame.gray)[0] is frame
    assert not bands.there


def test_the_words_go_with_the_bands() -> None:
    table = Flickering(test_mat(), list(CARDS))
    bands = Bands()
    for n in range(120):
        table.bands = 0.1 if n < 60 else 0.0
        frame = table.shot()
        bands.even(frame, frame.gray)
        if n == 59:
            assert bands.trouble is not None
    assert bands.trouble is None
    assert not bands.there
