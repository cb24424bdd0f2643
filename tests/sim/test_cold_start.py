"""An eye that is opened on a laid table, before prints, light and a camera as people have them."""

import random

import pytest

from companion import games
from companion.eye.view import TableView
from companion.sim.optics import draw_lamp, draw_print, draw_rig
from companion.sim.table import SimTable
from companion.table.factory import make_eye, simulated_camera

GAME, SEATS, FRAMES, TABLES = "collectors", 3, 40, 6


def opened_on_a_laid_table(seed: int) -> tuple[set[str], TableView]:
    """Return what lies on a table, a piece in seven of ten places of all zones, and how an eye sees it after 4 s."""
    game, mat, rng = games.load(GAME), games.load_mat(GAME, SEATS), random.Random(f"{GAME}/{seed}")
    table = SimTable(seed)
    left: dict[str, list[str]] = {}
    for card in rng.sample(game.deck.cards, len(game.deck.cards)):
        left.setdefault(mat.shape_of(card.kind).name, []).append(card.piece)
    for zone in mat.zones:
        shape = mat.shape_in(zone)
        if zone.kind not in ("slots", "pile"):
            continue
        for spot in range(1 if zone.kind == "pile" else zone.slots):
            if left.get(shape.name) and rng.random() < 0.7:
                x, y = zone.spot(spot, shape.w, shape.h)
                turn = zone.rotation + rng.uniform(-6, 6)
                table.put(
                    left[shape.name].pop(), shape.codes[0].on, x + rng.uniform(-4, 4), y + rng.uniform(-4, 4), turn
                )
    rig, printed, lamp = draw_rig(mat, rng), draw_print(rng), draw_lamp(rng)
    camera = simulated_camera(game, mat, table, printed=printed, lamp=lamp, seed=seed, **rig.options())
    eye = make_eye(game, mat)
    for _ in range(FRAMES):
        eye.see(camera.shoot())
    assert eye.view is not None
    return {lying.piece for lying in table.pieces()}, eye.view


@pytest.mark.night
def test_every_piece_of_a_laid_table_is_seen_and_hardly_a_zone_is_said_to_be_covered() -> None:
    covered = 0
    for seed in range(TABLES):
        lying, view = opened_on_a_laid_table(seed)
        assert {placement.piece for placement in view.placements} == lying
        covered += len(view.covered)
    assert covered <= 0.01 * TABLES * len(games.load_mat(GAME, SEATS).zones)
