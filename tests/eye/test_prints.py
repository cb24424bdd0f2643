"""The eye manages both prints of a mat: opened on a table that is laid, also where outlines are taken for colours."""

import random

import msgspec
import pytest

from companion import games
from companion.eye.print_scale import scaled
from companion.sim.camera import SimulatedCamera
from companion.sim.table import SimTable
from companion.table.factory import CARD_SCALE, face_pictures, make_eye, printed_mat

SIZE = (1920, 1080)
"""What a camera needs at least to see the whole mat: 1.55 px a module of 16 mm, 1.36 of 14 mm."""


def laid(game, mat, seed=3):
    """Lay pieces into all zones, as people would, each row from its beginning."""
    rng, table = random.Random(seed), SimTable(seed)
    left = {}
    for card in rng.sample(game.deck.cards, len(game.deck.cards)):
        left.setdefault(mat.shape_of(card.kind).name, []).append(card)
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        for index in range(1 if zone.kind == "pile" else min(zone.slots, 3)):
            if zone.kind != "tray" and left.get(shape.name):
                x, y = zone.spot(index, shape.w, shape.h)
                x, y = x + rng.uniform(-2, 2), y + rng.uniform(-2, 2)
                turn = zone.rotation + rng.uniform(-4, 4)
                table.put(left[shape.name].pop().piece, shape.codes[0].on, x, y, turn)
    return table


@pytest.mark.night
@pytest.mark.parametrize(
    ("name", "lies", "known"),
    [
        ("collectors", "outlines", "colours"),
        ("five-cards-collector", "outlines", "outlines"),
    ],
)
def test_a_laid_table_is_seen_whole_on_every_print(name, lies, known):
    game = games.load(name)
    mat = msgspec.structs.replace(games.load_mat(name, game.info.seats[1]), print=known)
    table = laid(game, mat)
    print_ = printed_mat(name, spare=lies == "outlines")
    camera = SimulatedCamera(table, mat, face_pictures(game.deck, mat), print_, CARD_SCALE, size=SIZE)
    eye = make_eye(game, mat)
    for _ in range(25):
        eye.see(camera.shoot())
    assert {one.piece for one in eye.view.placements} == {one.piece for one in table.pieces()}


GAMES = ["collectible", "collection", "collectors", "five-cards-collector", "karmic-collections"]


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("collection", 0.85),
        *[
            pytest.param(name, share, marks=pytest.mark.night)
            for name in GAMES
            for share in (0.85, 0.88, 0.9, 0.94, 0.97, 1.0, 1.11)
            if (name, share) != ("collection", 0.85)
        ],
    ],
)
def test_cards_that_were_printed_with_scaling_are_told_and_lie_where_they_lie(name, share):
    """A mat that was printed at 90 % makes its cards appear 11 % too large."""
    game = games.load(name)
    mat = games.load_mat(name, game.info.seats[0])
    table = laid(game, mat)
    codes = scaled(games.code_book(game.deck, mat), share).shapes.values()
    printed = msgspec.structs.replace(mat, shapes=tuple(dict.fromkeys(codes)))
    faces, ground = face_pictures(game.deck, mat), printed_mat(name)
    camera = SimulatedCamera(table, printed, faces, ground, CARD_SCALE / share, size=(2304, 1296))
    eye = make_eye(game, mat)
    told = set()
    for _ in range(20):
        view = eye.see(camera.shoot())
        told |= {trouble.kind for trouble in view.troubles} if view else set()
    lying = {one.piece: (one.x, one.y) for one in table.pieces()}
    assert told == (set() if share == 1.0 else {"print-scale"})
    assert {one.piece: pytest.approx((one.x, one.y), abs=0.5) for one in eye.view.placements} == lying
