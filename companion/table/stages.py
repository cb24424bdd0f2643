"""The stages on which robots rehearse: before a simulated camera and the real eye, or before views of what happens."""

from __future__ import annotations

import random

from companion.eye.eye import Eye
from companion.eye.faces.likeness import FaceBook
from companion.eye.mat import Mat
from companion.rules.kernel import AnyGame
from companion.sim.camera import SimulatedCamera
from companion.sim.camera_stage import CameraStage
from companion.sim.faults import RESTLESS
from companion.sim.interruptions import InterruptedStage
from companion.sim.optics import Lamp, Print, Rig
from companion.sim.rehearsal import StageMaker
from companion.sim.resumable import Resumable
from companion.sim.rows import STRIP
from companion.sim.stage import Stage, ViewStage
from companion.sim.table import SimTable
from companion.table.factory import (
    alike_in,
    face_pictures,
    hints,
    make_eye,
    printed_faces,
    simulated_camera,
    with_stickers,
)

FINE_PX_PER_MM = 2.4
"""Pixels a millimetre that a camera needs where faces differ in little, as a standard deck's (docs/decks.md)."""


def camera_stages(game: AnyGame, mat: Mat, faults: bool, codes: bool = True) -> StageMaker:
    """Make stages with a camera and an eye of their own; with `faults` prints, light and cameras vary, and things fail.

    Without `codes` faces are taught from the print, and those alike carry stickers.
    """
    decks, stickers = with_stickers(() if codes else printed_faces(game, mat), face_pictures(game.deck, mat))
    px_per_mm = max((FINE_PX_PER_MM for deck in decks if FaceBook(deck).fine), default=0.0)

    def eye() -> Eye:
        return make_eye(game, mat, decks)

    def hang(table: SimTable, printed: Print, lamp: Lamp, rig: Rig, seed: int) -> SimulatedCamera:
        return simulated_camera(
            game,
            mat,
            table,
            codes=codes,
            stickers=stickers,
            faults=RESTLESS,
            printed=printed,
            lamp=lamp,
            seed=seed,
            **rig.options(),
        )

    def make(referee: Resumable, rng: random.Random) -> Stage:
        seed = rng.randrange(1 << 30)
        stage: CameraStage
        if faults:
            stage = InterruptedStage(mat, hang, eye, referee, random.Random(seed), px_per_mm)
        else:
            camera = simulated_camera(game, mat, SimTable(seed), codes=codes, stickers=stickers, seed=seed)
            stage = CameraStage(camera, eye(), referee.on_view, referee.on_tick)
        if not codes:
            stage.lay_apart(STRIP)
            stage.alike = alike_in(decks)
            stage.hint = lambda eye: hints(game, referee.state).give(eye)
        return stage

    return make


def view_stages(mat: Mat, restless: bool = False) -> StageMaker:
    """Make stages without a camera; restless ones are disturbed as tables are."""
    return lambda referee, rng: ViewStage(mat, referee.on_view, rng, restless)
