"""What the eye costs: frames in which nothing or one card changed, and a table seen for the first time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion import games
from companion.bench.figures import Figure, Row, Section, Times, at_most, median, optional, percentile
from companion.bench.reading import read_zxing
from companion.bench.tables import fullest, in_sight, lay
from companion.eye.eye import Eye
from companion.eye.mat import Mat
from companion.eye.view import Frame, Gray, TableView
from companion.parts import make_eye, simulated_camera
from companion.rules.kernel import Game
from companion.sim.camera import SimulatedCamera
from companion.sim.table import SimTable

FPS = 10.0
SIZE = (2304, 1296)
PEER_EVERY = 4
"""Frames between two readings of the peer: often, so that both meet the same moods of a busy machine."""
LONGEST = 60
"""Frames after which a table that has not settled is given up."""


class Watch:
    """An eye before pictures that were taken beforehand, so that painting them is not measured."""

    def __init__(self, eye: Eye) -> None:
        """Begin at frame 0."""
        self.eye = eye
        self.number = 0

    def see(self, gray: Gray, times: Times | None = None) -> TableView | None:
        """Let the eye see a picture as the next frame; measure what that costs."""
        frame = Frame(gray, 100.0 + self.number / FPS, self.number)
        self.number += 1
        if times is None:
            return self.eye.see(frame)
        with times.measure():
            return self.eye.see(frame)

    @property
    def settled(self) -> bool:
        """Whether the last view was of a table at rest."""
        return self.eye.view is not None and self.eye.view.settled


def measure(
    game_name: str = "five-cards-collector",
    seats: int | None = None,
    size: tuple[int, int] = SIZE,
    idle: int = 300,
    changes: int = 12,
    starts: int = 3,
) -> Section:
    """Measure `idle` frames of a still table, `changes` single cards laid and taken, and `starts` cold starts."""
    game = games.load(game_name)
    mat = games.load_mat(game_name, game.info.seats[1] if seats is None else seats)
    dealt = fullest(game, mat)
    table = lay(mat, dealt)
    camera = simulated_camera(game, mat, table, size=size)
    still = _shots(camera, 12)
    pieces = in_sight(mat, dealt)
    rows = [*_idle(make_eye(game, mat), still, idle)]
    rows += _changes(game, mat, table, camera, still, changes)
    rows.append(_cold(game, mat, still, starts, pieces))
    notes = [
        f"{game.info.title}, {mat.seats} players, {pieces} pieces in sight, frames of {size[0]}×{size[1]} with noise, "
        f"{FPS:g} a second; painting them is not counted, nor is a real camera's own work."
    ]
    if optional("zxingcpp") is None:
        notes.append("zxing-cpp is not installed: nothing to compare with.")
    return Section(tuple(rows), tuple(notes))


def _shots(camera: SimulatedCamera, count: int) -> list[Gray]:
    """Take pictures of the table as it is: they differ by their noise."""
    return [camera.shoot().gray for _ in range(count)]


def _settle(watch: Watch, shots: list[Gray], times: Times | None = None) -> int:
    """Show pictures until the eye says that the table rests; give their number."""
    for count in range(1, LONGEST + 1):
        watch.see(shots[count % len(shots)], times)
        if watch.settled:
            return count
    return LONGEST


def _idle(eye: Eye, shots: list[Gray], frames: int) -> list[Row]:
    """Nothing changes. What the eye does now and then by itself (learning, sweeps) is in the mean, not the median."""
    watch, quiet, whole = Watch(eye), Times(), Times()
    zxing = optional("zxingcpp")
    for number in range(LONGEST):  # the start, and the first sweep after it, are over
        watch.see(shots[number % len(shots)])
    for number in range(frames):
        watch.see(shots[number % len(shots)], quiet)
        if zxing is not None and number % PEER_EVERY == 0:
            with whole.measure():
                read_zxing(zxing, shots[0], 1)
    share = sum(quiet.cpu) / len(quiet.cpu) * FPS / 1000
    ratio = median(quiet.cpu) / median(whole.cpu) if whole.cpu else None
    rows = [
        Row(
            "a frame in which nothing changed",
            {
                **quiet.figures(),
                "mean_cpu_ms": sum(quiet.cpu) / len(quiet.cpu),
                "p99_cpu_ms": percentile(quiet.cpu, 0.99),
                "to_zxing": ratio,
            },
            None if ratio is None else at_most("under 1/10 of a whole-frame zxing-cpp read", ratio, 0.1),
        ),
        Row(
            f"idle table at {FPS:g} frames a second",
            {"core_percent": share * 100},
            at_most("under 15 % of one core", share * 100, 15.0, " %"),
            "the eye alone, with its sweeps",
        ),
    ]
    if whole.wall:
        rows.append(Row("zxing-cpp, whole frame", {**whole.figures(), "to_zxing": 1.0}))
    return rows


def _changes(
    game: Game[Any], mat: Mat, table: SimTable, camera: SimulatedCamera, still: list[Gray], changes: int
) -> list[Row]:
    """One card that shows is not there, then there again, without a hand, until the table is settled each time."""
    top = table.pieces()[-1]
    table.lift(top.piece)
    without = _shots(camera, 6)
    table.put(top.piece, top.face, top.x, top.y, top.rotation)
    watch = Watch(make_eye(game, mat))
    _settle(watch, still)
    for number in range(LONGEST):
        watch.see(still[number % len(still)])
    all_frames: list[Times] = []
    for number in range(changes):
        for shots in (without, still):
            times = Times()
            before = watch.eye.view
            frames = 0
            while frames < LONGEST and (watch.eye.view is before or not watch.settled):
                watch.see(shots[frames % len(shots)], times)
                frames += 1
            all_frames.append(times)
            for rest in range(5):
                watch.see(shots[(number + rest) % len(shots)])
    return [
        Row("one card came or went: the dearest frame", _spread(all_frames, max)),
        Row(
            "one card came or went: all frames until settled",
            {**_spread(all_frames, sum), "frames": median(len(times.wall) for times in all_frames)},
        ),
    ]


def _spread(runs: list[Times], of: Callable[[list[float]], float]) -> dict[str, Figure]:
    """Give the median and the highest of what `of` makes of the frames of each run."""
    wall, cpu = [of(times.wall) for times in runs], [of(times.cpu) for times in runs]
    return {"median_ms": median(wall), "cpu_ms": median(cpu), "max_ms": max(wall, default=None)}


def _cold(game: Game[Any], mat: Mat, shots: list[Gray], starts: int, pieces: int) -> Row:
    """A new eye before a full table: the time of all frames until it says what lies there, at rest."""
    runs: list[Times] = []
    frames = seen = 0
    for _ in range(starts):
        watch, times = Watch(make_eye(game, mat)), Times()
        frames = _settle(watch, shots, times)
        seen = len(watch.eye.view.placements) if watch.eye.view else 0
        runs.append(times)
    return Row(
        "cold start of a full table",
        {
            **_spread(runs, sum),
            "frames": frames,
            "pieces": seen,
            "recall": seen / pieces if pieces else None,
        },
        note="from the first frame to the first settled view",
    )
