"""The place of a code: what shows there now beside what it looked like when it was read."""

from types import SimpleNamespace

import numpy as np
import pytest

from companion.eye import absence
from companion.eye.flat import Flat
from companion.eye.tracks import COVERED, Spot
from tests.eye.tables import Card, Session, Table, test_mat


@pytest.mark.parametrize(("share", "shows"), [(0.06, False), (0.3, True), (1.0, True)])
def test_bare_mat_whose_grain_is_a_little_like_the_card_that_lay_there_is_no_card(share: float, shows: bool) -> None:
    flat = Flat(test_mat())
    card = np.random.default_rng(3).normal(0, 25, flat.shape).astype(np.float32)
    mat = np.full(flat.shape, 90, dtype=np.float32)
    quad = np.array([[100, 100], [120, 100], [120, 120], [100, 120]], dtype=np.float64)
    spot = Spot(flat, quad, None, SimpleNamespace(frame=1, picture=mat + card))
    now = mat + share * card
    assert spot.resembles(now, spot.mask) is shows
    assert spot.traces(now, mat, spot.mask) is shows


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_mat_in_the_light_of_its_surroundings_is_not_what_has_the_pattern_of_the_card(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Session(Table(test_mat(), [Card("001", 61.0, 100.0)]))
    watched.run(20)
    memory = watched.eye._memory
    (track,) = memory.pieces
    track.state = COVERED
    mat, seen = memory.surface.scene.mat(), memory.surface.picture
    monkeypatch.setattr(absence, "bare_in_its_light", lambda picture, mat, open_: np.ones_like(open_))
    look = SimpleNamespace(
        quiet=lambda tiles: 9.0, picture=mat + share * (seen - mat), mat=mat, known=np.ones(mat.shape, np.bool_)
    )
    assert (absence.veiled(memory.pieces.layers, track, look) is None) is (share > 0)
