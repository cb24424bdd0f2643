"""A camera that makes a small picture itself: the eye takes it for its cheap look, and sees the same."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eye import eye as eyes
from companion.eye.eye import Eye
from companion.eye.flat import reduced
from companion.eye.view import Frame, Gray, TableView
from companion.games import code_book
from companion.sim.table import elbow, spot_in
from tests.sim.laying import DECK, camera, laid_table, the_mat


@pytest.fixture(scope="module")
def pictures() -> list[Gray]:
    """A card is carried to another place."""
    table, mat = laid_table(2, seed=3), the_mat(2)
    cam = camera(table, 2, seed=3)
    piece = next(lying.piece for lying in reversed(table.look().laid) if lying.face == "F")
    frames = [cam.shoot().gray for _ in range(8)]
    table.carry(piece, spot_in(mat.zone("collection.1"), 6), elbow(mat, 1), face="F", who=1)
    return frames + [cam.shoot().gray for _ in range(30)]


def views(pictures: list[Gray], small: bool) -> list[TableView]:
    eye = Eye(the_mat(2), code_book(DECK, the_mat(2)))
    frames = (
        Frame(picture, n / 10, n, small=reduced(picture)[0] if small else None) for n, picture in enumerate(pictures)
    )
    return [view for frame in frames if (view := eye.see(frame)) is not None]


@pytest.mark.night
def test_what_is_seen_is_the_same_and_no_frame_is_reduced_twice(
    pictures: list[Gray], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = views(pictures, small=False)
    monkeypatch.setattr(eyes, "glimpsed", lambda gray: pytest.fail("the small picture was made again"))
    given = views(pictures, small=True)
    mine, other = own[-1], given[-1]
    assert mine.settled
    assert other.settled
    assert {(p.piece, p.zone) for p in mine.placements} == {(p.piece, p.zone) for p in other.placements}
    ours = {p.piece: (p.x, p.y) for p in mine.placements}
    for p in other.placements:
        assert np.hypot(p.x - ours[p.piece][0], p.y - ours[p.piece][1]) < 1
    assert len({frozenset((p.piece, p.zone) for p in view.placements) for view in given}) >= 2
