"""Scenes of tables whose cards have no codes, each by a seed of its own family, laid as docs/decks.md tells owners."""

from __future__ import annotations

import functools
import random

from msgspec.structs import replace

from benchmarks.table_scenes import SIZES, Camera, Scene, draw_camera, drawn_game, laid_out
from benchmarks.table_watch import stickered
from companion.eye.mat import Mat
from companion.sim.rows import STRIP

SMALL = (1536, 864)
"""The smallest picture (px) that shows a mat with FEW pixels a millimetre: a Pi's camera takes it."""
FEW, ENOUGH, MANY = 1.5, 2.4, 2.7
"""Pixels a millimetre that illustrated cards need, that a standard deck needs, and that scenes have at most."""
LEAST = 0.75
"""Share of its pixels a millimetre that a picture has at least, anywhere on the mat."""


def without_codes(seed: int) -> Scene:
    """Return the scene of a seed. Games take turns, and prints and resolutions within a game; all else is random.

    Half of the scenes, all with a standard deck among them, have ENOUGH pixels a millimetre and more.
    """
    rng = random.Random(f"photograph without codes {seed}")
    game, turn, seats, mat = drawn_game(seed)
    standard = any("suit" in card.traits for card in game.deck.cards)
    fine = standard or turn % 8 in (1, 4, 6)
    coarse = rng.choice((rng.uniform(FEW, 1.7), rng.uniform(1.7, ENOUGH)))
    px_per_mm = rng.uniform(ENOUGH, MANY) if fine else coarse
    tilt = rng.choice((rng.uniform(0, 8), rng.uniform(8, 16), rng.uniform(14, 21)))
    # A standard deck wants a mat that is darker than its cards.
    version = "colours" if standard else ("colours", "outlines")[(seed + turn // 2) % 2]
    camera = functools.partial(_camera, rng, mat, px_per_mm, tilt)
    scene = laid_out(rng, seed, game, seats, mat, version, camera, (0, 0, 1, 2, 3), STRIP)
    return replace(scene, coded=False, stickers=tuple(sorted(stickered(game.info.name)[1])))


def _camera(rng: random.Random, mat: Mat, px_per_mm: float, tilt: float, evening: bool) -> Camera:
    module = px_per_mm * mat.shapes[0].codes[0].size / 21
    camera = draw_camera(rng, mat, module, tilt, evening, LEAST * module, (SMALL, *SIZES))
    return replace(camera, quality=rng.choice((78, 80, 82)))
