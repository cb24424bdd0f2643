"""`companion simulate`: robots play before the referee; what it understood is compared with what they did."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.progress import Progress

from companion import games
from companion.eye.mat import Mat
from companion.parts import make_eye, simulated_camera
from companion.referee.referee import Referee
from companion.rules.kernel import Game
from companion.sim.camera_stage import CameraStage
from companion.sim.faults import NAMES, NONE, RESTLESS
from companion.sim.rehearsal import Report, StageMaker, rehearse
from companion.sim.stage import Stage, ViewStage
from companion.sim.table import SimTable


def camera_stages(game: Game[Any], mat: Mat, faults: bool) -> StageMaker:
    """Make stages with a camera and an eye of their own."""

    def make(referee: Referee, rng: random.Random) -> Stage:
        seed = rng.randrange(1 << 30)
        table = SimTable(seed)
        camera = simulated_camera(game, mat, table, faults=RESTLESS if faults else NONE, seed=seed)
        eye = make_eye(game, mat)
        return CameraStage(camera, eye, referee.on_view, referee.on_tick)

    return make


def view_stages(mat: Mat) -> StageMaker:
    """Make stages without a camera."""
    return lambda referee, rng: ViewStage(mat, referee.on_view, rng)


def simulate(
    game: Game[Any],
    seats: int | None,
    options: Mapping[str, int],
    matches: int,
    seed: int,
    through_camera: bool,
    faults: bool,
    judge: Game[Any] | None = None,
    console: Console | None = None,
) -> bool:
    """Rehearse matches and print what came of it; without a number of seats, every number takes its turn.

    Returns whether there was no divergence.
    """
    console = console or Console()
    low, high = game.info.seats
    report = Report()
    began = time.perf_counter()
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(f"{game.info.title}", total=matches)
        for i in range(matches):
            players = seats if seats is not None else low + (i + 2) % (high - low + 1)
            mat = games.load_mat(game.info.name, players)
            stages = camera_stages(game, mat, faults) if through_camera else view_stages(mat)
            rehearse(game, mat, players, options, f"{seed}/{i}", stages, report, judge)
            bar.advance(task)
    tell(console, game, report, time.perf_counter() - began, faults)
    return not report.divergences


def tell(console: Console, game: Game[Any], report: Report, seconds: float, faults: bool) -> None:
    """Print a report: speed, endings, how often everything occurred, and every divergence."""
    moves = f"{report.moves} moves in {seconds:.1f} s: {report.moves / seconds:.0f} moves a second"
    console.print(f"{report.matches} matches, {moves}", highlight=False)
    console.print("Endings: " + _counts(report.endings), highlight=False)
    kinds = {kind.type: kind.evidence for kind in game.info.kinds}
    for evidence in "ABC":
        of_class = {name: report.actions[name] for name, given in kinds.items() if given == evidence}
        share = 100 * sum(of_class.values()) / max(1, report.moves)
        tapped = sum(report.tapped[name] for name in of_class)
        asked = sum(report.asked[name] for name in of_class)
        words = f"Class {evidence}: {share:.0f} % of the moves, {tapped} taps, {asked} questions: {_counts(of_class)}"
        console.print(words, highlight=False)
    console.print(f"Assumed: {report.assumed}; asked whether finished: {report.asked['finished']}", highlight=False)
    if faults:
        console.print("Faults: " + _counts({name: report.faults[name] for name in NAMES}), highlight=False)
        never = [name for name in NAMES if not report.faults[name]]
        if never:
            console.print("Faults that never occurred: " + ", ".join(never), highlight=False)
    if report.missing(game):
        console.print("Actions that never occurred: " + ", ".join(report.missing(game)), highlight=False)
    for divergence in report.divergences:
        console.print(f"Divergence in {divergence}", style="red", highlight=False, soft_wrap=True)
    console.print(f"Divergences: {len(report.divergences)}", highlight=False)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
