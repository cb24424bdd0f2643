"""Known cards are examined before anything is searched: what looks as it did, or did under a hand, is left alone."""

import numpy as np
import pytest

from companion.codes import BACK
from companion.eye.faces import watching
from companion.eye.faces.examined import Around
from companion.eye.faces.flattening import inside
from companion.eye.flat import MM
from companion.eye.places import Pose
from companion.sim.table import Hand
from tests.eye.faces.test_watching import Table


@pytest.fixture(scope="module")
def leaves():
    """Return a table on which a leaf lies, known, and the piece of another leaf."""
    table = Table("five-cards-collector", 2)
    table.watch()
    blue, table.violet = (
        next(face.pieces[0] for deck in table.decks for face in deck.faces if face.name == name)
        for name in ("Blue leaf", "Violet leaf")
    )
    table.table.put(blue, "F", 300, 250)
    table.watch()
    return table


def window(x, y, wide, high):
    """Return a window of the flat picture, of a rectangle in mm."""
    return slice(round(y / MM), round((y + high) / MM)), slice(round(x / MM), round((x + wide) / MM))


def read(table, where, odd=None, lying=None):
    """Return the pieces that are read in a window while a part of the mat looks otherwise than it should."""
    eye = table.eye
    nowhere = np.zeros(eye._flat.shape, np.bool_)
    unfamiliar = nowhere.copy()
    if odd is not None:
        unfamiliar[odd] = True
    known = [(track.piece, track.pose) for track in sorted(eye.tracks, key=lambda track: track.order)]
    around = Around(eye._memory.expected.picture, unfamiliar, nowhere, nowhere, known if lying is None else lying)
    return [found.piece for found in eye.faces.read(eye.frame, [where], around, [], lambda piece, pose: 0.0)]


@pytest.mark.night
def test_a_card_that_lies_as_it_did_is_not_searched_for(leaves, monkeypatch):
    searched = []
    monkeypatch.setattr(watching, "find_cards", lambda *_, **__: searched.append(1) or [])
    (track,) = leaves.eye.tracks
    for lies in (track.piece, leaves.violet):
        read(leaves, window(260, 200, 80, 100), lying=[(lies, track.pose)])
        assert bool(searched) == (lies != track.piece)


@pytest.mark.night
def test_a_card_on_which_a_hand_rests_is_read_once(leaves):
    leaves.table.rest_hand("leaning", Hand(300, 267, 300, 520, 20.0, 1))
    leaves.watch()
    leaves.eye.faces.aim(leaves.eye.calibration)
    (track,) = leaves.eye.tracks
    looks = [read(leaves, window(260, 200, 80, 200), odd=window(280, 260, 40, 140)) for _ in range(2)]
    leaves.table.rest_hand("leaning", None)
    leaves.watch()
    assert looks == [[track.piece], []]


@pytest.mark.parametrize(("over", "anew"), [(2, True), (40, False)])
@pytest.mark.night
def test_a_look_taken_under_a_hand_is_taken_anew_also_if_another_card_lies_a_little_over_it(leaves, over, anew):
    leaves.table.put(leaves.violet, "F", 300, 250 - 88 + over)
    leaves.watch()
    (blue, _) = sorted(leaves.eye.tracks, key=lambda track: track.order)
    found = read(leaves, window(280, 230, 40, 70), odd=window(290, 270, 16, 16))
    leaves.table.lift(leaves.violet)
    leaves.watch()
    assert found == ([blue.piece] if anew else [])


@pytest.mark.night
def test_what_was_found_once_on_a_card_much_like_it_is_not_hidden_by_that_one(leaves):
    (track,) = leaves.eye.tracks
    where, faces, on = window(260, 200, 80, 100), leaves.eye.faces, [(leaves.violet, track.pose)]
    faces.aim(leaves.eye.calibration)
    read(leaves, where, odd=window(280, 230, 40, 40))
    # All of the card that lay there before seems to be seen: it looked the same.
    place = inside(leaves.eye._flat.shape, track.pose.outline(faces._book.shapes[track.piece]))
    faces._examined._found[leaves.violet] = faces._examined._found[track.piece]._replace(shows=place)
    faces._recent.clear()
    assert read(leaves, where, odd=window(270, 206, 60, 88), lying=[]) == [track.piece]
    assert read(leaves, where, lying=on) == [track.piece]


@pytest.mark.night
def test_a_back_that_was_taken_is_not_seen_because_another_one_lies_elsewhere(leaves):
    """All backs are one piece to the eye."""
    there, gone = Pose(300, 350, 0), Pose(400, 350, 0)
    leaves.table.put(leaves.violet, "B", there.x, there.y)
    leaves.watch()
    where, known = window(260, 300, 180, 100), [(BACK, gone), (BACK, there)]
    found = read(leaves, where, odd=window(380, 320, 40, 60), lying=known)
    leaves.table.lift(leaves.violet)
    leaves.watch()
    assert BACK not in found
