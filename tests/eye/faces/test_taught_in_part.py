"""A standard deck of which a part was taught: no frame tells its other cards."""

import numpy as np
import pytest

from benchmarks.face_decks import own_faces
from benchmarks.face_scenes import Card, Light, World, teach
from benchmarks.face_watch import Watcher, resting, stills
from benchmarks.table_watch import Noise
from companion.codes import BACK
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.watching import FaceWatch
from companion.eye.mat import Shape
from companion.eye.places import CodeBook
from companion.games import loader
from tests.printed import printed


@pytest.mark.parametrize(
    ("game", "step", "is_in_part"), [("whist", 1, False), ("whist", 2, True), ("collectible", 2, False)]
)
def test_a_deck_with_many_untaught_cards_is_taught_in_part_unless_a_frame_tells_them(game, step, is_in_part):
    deck = printed(game)[0]
    fronts = [face for face in deck.faces if not face.is_back]
    book = CodeBook("ZZ", {piece: Shape("card", deck.w, deck.h, ()) for face in fronts for piece in face.pieces})
    part = TaughtDeck(deck.name, deck.title, deck.w, deck.h, tuple(fronts[::step]))
    assert FaceWatch([part], loader.load_mat("karmic-collections", 2), book)._partly == [is_in_part]


@pytest.mark.night
def test_an_untaught_card_of_a_standard_deck_gets_no_other_ones_name():
    world = World(own_faces("standard"), loader.load_mat("karmic-collections", 2), 2.4)
    rng = np.random.default_rng(7)
    pieces = [str(piece) for piece in rng.permutation(world.faces.fronts())]
    deck, (mat, px) = teach(world, [BACK, *pieces[:24]], rng), (world.mat, world.px_per_mm)
    noise = Noise(round(mat.w * px) * round(mat.h * px))
    named, asked = [], 0
    for some in (pieces[24:36], pieces[36:48], pieces[:12]):
        at = [(100.0 + 140 * (number % 6), 145.0 + 215 * (number // 6), 1.0 * number) for number in range(12)]
        cards = [Card(piece, pose) for piece, pose in zip(some, at, strict=True)]
        shown = Watcher(world, deck).see(resting(stills(noise, world.picture(cards, Light(), rng)), 40))
        named.append({placement.piece for placement in shown.last.placements})
        asked += len(shown.doubts)
    assert named[:2] == [set(), set()]
    assert named[2] <= set(pieces[:12])
    assert len(named[2]) >= 6
    assert asked >= 6
