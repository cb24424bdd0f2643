"""A card is missed where the mat shows and nothing looks like its face, whatever a lamp leaves of it."""

import numpy as np
import pytest

from companion.eye.faces.examined import Around
from companion.eye.faces.missed import Missed
from companion.eye.flat import MM
from tests.eye.faces.test_watching import Table
from tests.nights import at_night

WINDOW = (slice(round(180 / MM), round(320 / MM)), slice(round(240 / MM), round(360 / MM)))


@pytest.fixture(scope="module")
def frames():
    """Return a table, a card on it, and a frame with the card and one without it."""
    table = Table("five-cards-collector", 2)
    table.watch()
    card, other = (face.pieces[0] for face in table.decks[0].faces[1:3])
    table.table.put(card, "F", 300, 250)
    table.watch(3.0)
    (track,) = table.eye.tracks
    there = table.eye.frame
    table.table.lift(card)
    table.watch()
    return table, track, {True: there, False: table.eye.frame}, other


def missed(frames, there, bare=1.0, read=(), above=(), windows=(WINDOW,)):
    table, track, pictures, _ = frames
    eye, known = table.eye, Missed(table.eye.faces._book.shapes)
    nowhere, mat = np.zeros(eye._flat.shape, np.bool_), np.zeros(eye._flat.shape, np.bool_)
    rows, columns = WINDOW
    mat[rows.start : rows.start + round(bare * (rows.stop - rows.start)), columns] = True
    lying = [(track.piece, track.pose), *((piece, track.pose) for piece in above)]
    around = Around(eye._memory.expected.picture, nowhere, mat, nowhere, lying)
    known.look(pictures[there], windows, around, read, eye.faces._flattener, eye.faces._faces)
    return (track.piece, track.pose) in known


@pytest.mark.night
def test_a_card_that_was_taken_is_missed_and_one_that_lies_there_is_not(frames):
    assert [missed(frames, there) for there in (True, False)] == [False, True]


@pytest.mark.night
def test_no_card_is_missed_of_whose_place_too_little_looks_like_the_mat(frames):
    """A hand or a card may lie there."""
    assert [missed(frames, False, bare) for bare in (0.0, 0.3, 0.7)] == [False, False, True]


@pytest.mark.night
def test_no_card_is_missed_that_was_just_read_nor_one_under_another_nor_where_nobody_looks(frames):
    piece, other = frames[1].piece, frames[3]
    assert not missed(frames, False, read=[piece])
    assert not missed(frames, False, above=[other])
    assert not missed(frames, False, windows=())


@pytest.mark.parametrize("gone", [True, *at_night(False)])
@pytest.mark.night
def test_a_card_that_is_missed_is_taken_away_though_places_of_it_look_as_before(frames, monkeypatch, gone):
    table, _, _, other = frames
    table.table.put(other, "F", 300, 250)
    table.watch(3.0)
    eye = table.eye
    (track,) = eye.tracks
    before = eye.frame
    quads = [np.array(spot.sighting.corners) for spot in list(track.spots.values())[:2]]
    table.table.lift(other)
    monkeypatch.setattr(Missed, "look", lambda *_: None)
    monkeypatch.setattr(Missed, "__contains__", lambda *_: gone)
    for _ in range(16):
        frame = table.camera.shoot()
        for quad in quads:
            (x0, y0), (x1, y1) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
            frame.gray[y0:y1, x0:x1] = before.gray[y0:y1, x0:x1]
        eye.see(frame)
    assert [placement.piece for placement in eye.view.placements] == ([] if gone else [other])
    table.table.clear()
    table.watch(3.0)
