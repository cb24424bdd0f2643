"""`companion simulate`: robots play before the referee; what it understood is compared with what they did."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import msgspec
from rich.console import Console
from rich.progress import Progress

from companion import games
from companion.rules.kernel import AnyGame
from companion.sim.faults import NAMES
from companion.sim.interruptions import INTERRUPTIONS
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.sim.stage import VIEW_FAULTS
from companion.table.stages import camera_stages, view_stages


class Order(msgspec.Struct, frozen=True):
    """The wanted matches, each number of `seats` in turn if none is given; `jobs` processes play at once."""

    seats: int | None = None
    options: Mapping[str, int] = {}
    matches: int = 1
    seed: int = 1
    through_camera: bool = False
    faults: bool = False
    jobs: int = 1
    codes: bool = True


def simulate(game: AnyGame, order: Order, judge: AnyGame | None = None, console: Console | None = None) -> bool:
    """Rehearse matches, by `judge`'s rules if given, and print the results; return whether there was no divergence."""
    console = console or Console()
    low, high = game.info.seats
    report = Report()
    began = time.perf_counter()
    plans = [
        Plan(
            game.info.name,
            order.seats or low + (i + 2) % (high - low + 1),
            dict(order.options),
            f"{order.seed}/{i}",
            order.through_camera or not order.codes,
            order.faults,
            order.codes,
        )
        for i in range(order.matches)
    ]
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(f"{game.info.title}", total=order.matches)
        for part in _played(plans, game, judge, order.jobs):
            report.add(part)
            bar.advance(task)
    tell(console, game, report, time.perf_counter() - began, order.faults, order.through_camera or not order.codes)
    return not report.divergences


class Plan(msgspec.Struct, frozen=True):
    """One match to be rehearsed, in whatever process."""

    game: str
    seats: int
    options: dict[str, int]
    seed: str
    through_camera: bool
    faults: bool
    codes: bool


def _played(plans: list[Plan], game: AnyGame, judge: AnyGame | None, jobs: int) -> Iterator[Report]:
    if jobs == 1 or len(plans) == 1 or judge is not None:
        for plan in plans:
            yield _rehearse(plan, game, judge)
        return
    with ProcessPoolExecutor(min(jobs, len(plans)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_rehearse, plans)


def _rehearse(plan: Plan, game: AnyGame | None = None, judge: AnyGame | None = None) -> Report:
    """Play one match; in a process of its own the game is loaded there."""
    if game is None:
        game = games.load(plan.game)
        cv2.setNumThreads(1)  # a process of its own, which no command line has begun
    mat = games.load_mat(plan.game, plan.seats)
    camera = plan.through_camera
    stages = camera_stages(game, mat, plan.faults, plan.codes) if camera else view_stages(mat, plan.faults)
    report = Report()
    rehearse(game, mat, plan.seats, plan.options, plan.seed, stages, report, judge)
    return report


def tell(console: Console, game: AnyGame, report: Report, seconds: float, faults: bool, through_camera: bool) -> None:
    """Print a report: speed, endings, how often everything occurred, and every divergence."""
    moves = f"{report.moves} moves in {seconds:.1f} s: {report.moves / seconds:.0f} moves a second"
    played = f"{report.matches} matches, {report.seconds / 60:.0f} simulated minutes"
    console.print(f"{played}, {moves}", highlight=False)
    console.print("Endings: " + _counts(report.endings), highlight=False)
    kinds = {kind.type: kind.evidence for kind in game.info.kinds}
    for evidence in "ABC":
        of_class = {name: report.actions[name] for name, given in kinds.items() if given == evidence}
        share = 100 * sum(of_class.values()) / max(1, report.moves)
        tapped = sum(report.tapped[name] for name in of_class)
        asked = sum(report.asked[name] for name in of_class)
        words = f"Class {evidence}: {share:.0f} % of the moves, {tapped} taps, {asked} questions: {_counts(of_class)}"
        console.print(words, highlight=False)
    if report.rolls:
        console.print("Dice thrown into the tray: " + _counts(report.rolls), highlight=False)
    console.print(f"Assumed: {report.assumed}; asked whether finished: {report.asked['finished']}", highlight=False)
    if report.faces:
        again = report.asked["laid again"]
        console.print(f"Asked which card it is: {report.asked['face']}; to lay it again: {again}", highlight=False)
        for evidence, times in sorted(report.faces.items()):
            done = sum(count for name, count in report.actions.items() if kinds.get(name, "A") == evidence)
            console.print(f"Class {evidence}: {times} of these in {done} moves", highlight=False)
    if faults:
        names = NAMES if through_camera else VIEW_FAULTS
        console.print("Faults: " + _counts({name: report.faults[name] for name in names}), highlight=False)
        if through_camera:
            interrupted = {name: report.interruptions[name] for name in INTERRUPTIONS}
            console.print("Interruptions: " + _counts(interrupted), highlight=False)
        never = [name for name in names if not report.faults[name]]
        if never:
            console.print("Faults that never occurred: " + ", ".join(never), highlight=False)
    if report.missing(game):
        console.print("Actions that never occurred: " + ", ".join(report.missing(game)), highlight=False)
    for divergence in report.divergences:
        console.print(f"Divergence in {divergence}", style="red", highlight=False, soft_wrap=True)
    flawless = report.matches - len(report.divergences)
    sure = f"with 95 % confidence at least {100 * at_least(flawless, report.matches):.0f} % of all"
    console.print(f"Flawless matches: {flawless} of {report.matches}; {sure}", highlight=False)
    console.print(f"Divergences: {len(report.divergences)}", highlight=False)


def at_least(successes: int, tries: int) -> float:
    """Return the lower end of the one-sided 95 % interval of a share (Clopper and Pearson): .95 for 60 of 60."""
    low, high = 0.0, 1.0
    for _ in range(40):
        share = (low + high) / 2
        counts = range(successes, tries + 1)
        chance = sum(math.comb(tries, n) * share**n * (1 - share) ** (tries - n) for n in counts)
        low, high = (share, high) if chance < 0.05 else (low, share)
    return low


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
