"""From a card on the table to the journal, and back from it: the eye and the referee together."""

from __future__ import annotations

import operator
import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import fmean

import msgspec

from companion import games
from companion.bench.figures import Figure, Row, Section, Times, at_most, median, percentile
from companion.bench.laying import Delay, EnoughError, TimedStage
from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.difference import Seen
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.matching import explain
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.rules.kernel import AnyGame
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import DivergenceError, Report
from companion.sim.stage import ViewStage
from companion.sim.table import SimTable
from companion.sim.world import AnyWorld, Saved, world_of
from companion.table.factory import make_eye, simulated_camera

FPS = 10.0
SHOWN_BY = 3
"""design.md, "Budgets": the camera frame, from the one in which its code is last uncovered, that shows the action."""
RESUME_S = 1.0
MOST_MATCHES = 20
"""Matches that are played at most to see as many cards laid as were asked for."""


def measure(
    game_name: str = "five-cards-collector",
    seats: int = 4,
    laid: int = 60,
    matches: int = 6,
    records: int = 2000,
    resumes: int = 5,
) -> Section:
    """Measure `laid` cards being laid, `matches` matches through table views, and `resumes` of a match of `records`."""
    game = games.load(game_name)
    mat = games.load_mat(game_name, seats)
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        rows = [
            *_laying(game, mat, laid, Path(folder) / "laying"),
            *_views(game, mat, matches),
            _resume(game, mat, records, resumes, Path(folder) / "resume"),
        ]
    note = (
        f"{game.info.title}, {seats} players. A frame's 100 ms are those of the camera at {FPS:g} frames a second; "
        "painting the frames is not counted."
    )
    return Section(tuple(rows), (note,))


def _header(game: AnyGame, world: AnyWorld) -> Header:
    setup = msgspec.to_builtins(world.setup())
    return Header(id=new_id(), at=now(), game=game.info.name, seats=world.seats, setup=setup)


def _laying(game: AnyGame, mat: Mat, wanted: int, folder: Path) -> list[Row]:
    """Robots play before the simulated camera; every card that they lay is timed from when its code can be seen."""
    delays: list[Delay] = []
    cost = Times()
    journal = Journal(folder)
    try:
        for number in range(MOST_MATCHES):
            rng = random.Random(f"laying {number}")
            world = world_of(game, mat.seats, {}, rng)
            header = _header(game, world)
            journal.begin(header)
            referee = Referee(game, mat, header, sink=_sink_into(journal, header))
            camera = simulated_camera(game, mat, SimTable(number), seed=number, fps=FPS)
            left = wanted - len(delays)
            stage = TimedStage(camera, make_eye(game, mat), referee, cost, partial(operator.le, left))
            # A divergence ends a match early; finding them is `companion simulate`'s business.
            with suppress(EnoughError, DivergenceError):
                Rehearsal(game, world, referee, stage, rng, Report()).play()
            delays += stage.delays
            if len(delays) >= wanted:
                break
    finally:
        journal.close()
    shown = [delay.shown for delay in delays]
    budget = at_most("shown by the 3rd frame (p99)", percentile(shown, 0.99), SHOWN_BY, " frames")
    return [
        Row(
            "a card laid: in the eye's view",
            _delays([max(1, delay.seen) for delay in delays]),
            note="frames count from the first in which a code of the card is free for good",
        ),
        Row("a card laid: no hand over it", _delays([delay.away for delay in delays])),
        Row("a card laid: shown, provisionally", _delays(shown, [delay.shown_ms for delay in delays]), budget),
        Row(
            "a card laid: in the journal",
            _delays([delay.kept for delay in delays], [delay.kept_ms for delay in delays]),
            note="after half a second at rest; fsync included",
        ),
        Row(
            "eye and referee: a frame of a match",
            {
                "p50_ms": percentile(cost.wall, 0.5),
                "p99_ms": percentile(cost.wall, 0.99),
                "cpu_ms": median(cost.cpu),
                "cpu_mean_ms": fmean(cost.cpu),
                "count": len(cost.wall),
            },
            note="the mean is what a match costs; searching bare mat is spread over the frames, so that none is dear",
        ),
    ]


def _sink_into(journal: Journal, header: Header) -> Callable[..., None]:
    return lambda record, *_: journal.append(header.id, record)


def _delays(frames: list[int], took: list[float] | None = None) -> dict[str, Figure]:
    """Return the delays in frames, and in ms from the picture in which the code came free."""
    if took is None:
        return {"p50_frames": percentile(frames, 0.5), "p99_frames": percentile(frames, 0.99), "count": len(frames)}
    ms = [(number - 1) / FPS * 1000 + extra for number, extra in zip(frames, took, strict=True)]
    return {
        "p50_frames": percentile(frames, 0.5),
        "p99_frames": percentile(frames, 0.99),
        "p50_ms": percentile(ms, 0.5),
        "p99_ms": percentile(ms, 0.99),
        "count": len(frames),
    }


def _views(game: AnyGame, mat: Mat, matches: int) -> list[Row]:
    """Whole matches through table views without a camera: what the referee takes for a view, and matching alone."""
    views, matching = Times(), Times()
    actions = 0
    for number in range(matches):
        rng = random.Random(f"views {number}")
        world = world_of(game, mat.seats, {}, rng)
        referee = Referee(game, mat, _header(game, world))

        def watch(view: TableView, referee: Referee = referee) -> None:
            snapshot = referee.snapshot
            if view.settled and snapshot.phase == "playing" and not snapshot.owed:
                with matching.measure():
                    explain(game, referee.state, Seen(view))
            with views.measure():
                referee.on_view(view)

        with suppress(DivergenceError):
            Rehearsal(game, world, referee, ViewStage(mat, watch, rng), rng, Report()).play()
        actions += len(referee.records())
    return [
        Row(
            "referee, through table views",
            {
                "actions_per_s": actions / (sum(views.wall) / 1000),
                "p50_ms": percentile(views.wall, 0.5),
                "p99_ms": percentile(views.wall, 0.99),
                "cpu_ms": median(views.cpu),
                "count": len(views.wall),
            },
            note="p50, p99: one view, its snapshot included",
        ),
        Row(
            "explain(): what happened?",
            {
                "p50_ms": percentile(matching.wall, 0.5),
                "p99_ms": percentile(matching.wall, 0.99),
                "cpu_ms": median(matching.cpu),
                "count": len(matching.wall),
            },
            note="settled views only",
        ),
    ]


def long_match(game: AnyGame, seats: int, count: int) -> tuple[Header, list[Record]]:
    """Return a randomly played match of so many records; where every action would end it ten are taken back."""
    rng = random.Random("long")
    world = world_of(game, seats, {}, rng)
    header = _header(game, world)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    records: list[Record] = []
    past: list[tuple[object, Saved]] = []
    while len(records) < count:
        n = len(records) + 1
        actions = world.choices(state)
        rng.shuffle(actions)
        for action in actions:
            facts = world.facts(state, action)
            after = game.play(state, action, facts)
            if game.actors(after):
                past.append((state, world.save()))
                world.apply(state, action, after)
                records.append(
                    Record(n=n, id=new_id(), at=now(), seat=action.seat, action=action, facts=facts, by="table")
                )
                state = after
                break
        else:
            steps = min(10, len(past))
            state, hidden = past[-steps]
            world.restore(hidden)
            del past[-steps:]
            records.append(Record(n=n, id=new_id(), at=now(), kind="undo", steps=steps, by="host"))
    return header, records


def _resume(game: AnyGame, mat: Mat, count: int, resumes: int, folder: Path) -> Row:
    """Open the journal and have the match as it was: what `companion serve --resume` does before the camera starts."""
    header, records = long_match(game, mat.seats, count)
    journal = Journal(folder)
    journal.take(header, records)
    journal.close()
    times = Times()
    for _ in range(resumes):
        with times.measure():
            journal = Journal(folder)
            match = Match(game, mat, journal.header(header.id), journal)
        assert match.snapshot.record == count  # noqa: S101 (else something else was measured)
        journal.close()
    return Row(
        f"resume of a match of {count} records",
        {
            "p50_ms": median(times.wall),
            "p99_ms": percentile(times.wall, 0.99),
            "cpu_ms": median(times.cpu),
            "count": len(times.wall),
        },
        at_most("under 1 s", median(times.wall) / 1000, RESUME_S, " s"),
    )
