"""A card that is not sure is asked about; the answer teaches another view of it."""

from dataclasses import replace

import numpy as np
import pytest

from companion import games
from companion.sim.table import SimTable
from companion.table.factory import make_eye, simulated_camera
from tests.printed import printed

GAME, AT = "collectible", (400.0, 250.0)


@pytest.fixture(scope="module")
def asked():
    """An eye that was badly taught one card: half of its picture is another card; and what that card is."""
    game, mat = games.load(GAME), games.load_mat(GAME, 2)
    (deck,) = printed(GAME)
    fronts = [face for face in deck.faces if not face.is_back and len(face.pieces) == 1]
    card, other = fronts[3], fronts[40]
    mixed = np.asarray(0.42 * card.views[0] + 0.58 * other.views[0], dtype=np.uint8)
    deck = replace(deck, faces=tuple(replace(f, views=(mixed,)) if f is card else f for f in deck.faces))
    table = SimTable(1)
    camera = simulated_camera(game, mat, table, codes=False, seed=3)
    eye = make_eye(game, mat, (deck,))

    def watch(seconds=3.0):
        for _ in range(round(seconds * camera.fps)):
            eye.see(camera.shoot())
        return [placement.piece for placement in eye.view.placements]

    watch()
    table.put(card.pieces[0], "F", *AT, 4.0)
    return eye, watch, card.pieces[0]


@pytest.mark.night
def test_what_is_not_sure_is_asked_and_known_from_then_on(asked):
    eye, watch, piece = asked
    assert watch() == []
    (doubt,) = eye.doubts
    assert piece in doubt.pieces
    assert len(doubt.pieces) == 3
    assert (doubt.pose.x, doubt.pose.y) == pytest.approx(AT, abs=3)
    answered = eye.faces.answered(eye.frame, doubt, piece)
    faces = answered.prepared()
    assert [len(face.views) for face in faces.deck.faces if piece in face.pieces] == [2]
    assert {"keypoints", "symmetric"} <= vars(faces).keys()
    # Until it is taken over nothing has changed.
    assert eye.doubts == (doubt,)
    assert eye.faces.learn(answered, faces)
    assert eye.doubts == ()
    # Who took longer, and knows less, changes nothing.
    assert not eye.faces.learn(answered, faces)
    assert watch(6.0) == [piece]
    assert eye.doubts == ()
