"""Sequences of scenes: a match that goes on before the camera, which is bumped once, and a lamp that goes out."""

from __future__ import annotations

import random

from msgspec.structs import replace

from benchmarks.table_layouts import Layer, fill_up, middle_of_a_match, resting_hand, shown_pieces
from benchmarks.table_lights import LIGHTS, TABLES, Light
from benchmarks.table_scenes import Camera, Scene, draw_camera, draw_print
from benchmarks.tables import Dealt
from companion import games

STEPS = ("start", "move", "hand", "move", "bump", "move", "lamp", "move", "hand", "move")
"""What has happened since the last photograph: "hand" is a move on whose way a hand is still over the table."""
PACE = 8.0
"""Seconds from one photograph to the next."""
MOST = 4
"""Pieces that are moved at most between two photographs."""


def sequence(name: str) -> list[Scene]:
    """Return the sequence of scenes of a game."""
    rng = random.Random(f"sequence of {name}")
    game = games.load(name)
    low, high = game.info.seats
    seats = (low + high + 1) // 2
    mat = games.load_printed_mat(name, seats)
    light = LIGHTS["two lamps"](rng)
    camera = draw_camera(rng, mat, rng.uniform(1.36, 1.5), rng.uniform(2, 12), evening=False)
    base = Scene(
        seed=rng.randrange(1 << 20),
        game=name,
        seats=seats,
        print=draw_print(rng, rng.choice(("colours", "colours", "outlines")), high),
        table=TABLES[rng.choice(sorted(TABLES))],
        light=light,
        camera=replace(camera, shake=(0.0, 0.0), quality=72),
        hands=(),
        pieces=(),
    )
    coming = middle_of_a_match(game, mat, rng)
    layer = Layer(mat, rng, 1.0)
    layer.show(coming.pop(0))
    fill_up(game, mat, layer, rng)
    scenes = []
    for number, step in enumerate(STEPS):
        if step in ("move", "hand"):
            _advance_match(layer, coming)
        if step == "bump":
            base = replace(base, camera=bumped(base.camera, rng))
        if step == "lamp":
            base = replace(base, light=dimmed(light), camera=replace(base.camera, exposure=base.camera.exposure - 0.6))
        hands = (resting_hand(mat, seats, rng),) if step == "hand" else ()
        scenes.append(
            replace(
                base,
                seed=base.seed + number,
                hands=hands,
                pieces=shown_pieces(mat, layer.table.pieces()),
                time=PACE * number,
            )
        )
    return scenes


def _advance_match(layer: Layer, coming: list[Dealt]) -> None:
    """Play on until some pieces, but not too many, are moved; a great clearing of the table is all there is at last."""
    while coming:
        moved = layer.moves(coming[0])
        if moved and (moved <= MOST or len(coming) == 1):
            layer.show(coming.pop(0))
            return
        if moved > MOST:
            later = next((n for n, moment in enumerate(coming) if layer.moves(moment) <= MOST), 0)
            layer.show(coming[later])
            del coming[: later + 1]
            return
        coming.pop(0)


def bumped(camera: Camera, rng: random.Random) -> Camera:
    """Return a knocked camera: it hangs and looks a little differently, and has another name."""
    x, y, z = camera.at
    return replace(
        camera,
        name=chr(ord(camera.name) + 1),
        at=(round(x + rng.uniform(8, 20), 1), round(y - rng.uniform(6, 15), 1), round(z + rng.uniform(2, 8), 1)),
        target=(round(camera.target[0] - rng.uniform(3, 9), 1), round(camera.target[1] + rng.uniform(2, 7), 1)),
        roll=round(camera.roll + rng.uniform(0.6, 1.6), 2),
    )


def dimmed(light: Light) -> Light:
    """Return a light with its first lamp switched off."""
    red, green, blue = light.ambient
    return Light("one lamp of two", light.lamps[1:], (0.7 * red, 0.7 * green, 0.7 * blue))
