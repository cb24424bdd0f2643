"""Cost of a frame on a full table: with nothing or one card changed, and of a table seen for the first time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from companion import games
from companion.bench.figures import Figure, Row, Section, Times, at_most, median, optional, percentile
from companion.bench.readers import read_zxing
from companion.codes import BACK
from companion.eye.eye import Eye
from companion.eye.flat import reduced
from companion.eye.mat import Mat
from companion.eye.view import Frame, Gray, TableView
from companion.rules.kernel import AnyGame
from companion.sim.camera import SimulatedCamera
from companion.sim.table import SimTable
from companion.table.factory import make_eye, simulated_camera

FPS = 10.0
SIZES = ((2304, 1296), (4608, 2592))
CARDS = 90
ACROSS = 13
"""Cards in a row when the table is full: side by side, each row over the lower part of the one before."""
PEER_EVERY = 4
"""Frames between two readings of the peer: few, so that both meet the same load of a busy machine."""
LONGEST = 60
"""Frames after which waiting for a table to settle is given up."""


class Watch:
    """An eye that sees pictures taken in advance, so that painting them is not measured."""

    def __init__(self, eye: Eye, small: bool = False) -> None:
        """Create it at frame 0; `small` if the camera makes the reduced picture itself, as the Pi's does."""
        self.eye = eye
        self.small = small
        self.number = 0

    def see(self, gray: Gray, times: Times | None = None) -> TableView | None:
        """Show the eye a picture as the next frame, and time it."""
        small = reduced(gray)[0] if self.small else None
        frame = Frame(gray, 100.0 + self.number / FPS, self.number, small=small)
        self.number += 1
        if times is None:
            return self.eye.see(frame)
        with times.measure():
            return self.eye.see(frame)

    @property
    def settled(self) -> bool:
        """Whether the last view was of a table at rest."""
        return self.eye.view is not None and self.eye.view.settled


class Peer:
    """zxing-cpp's read of the whole frame as it is, measured between our own frames."""

    def __init__(self) -> None:
        self.times = Times()
        self._library = optional("zxingcpp")
        self._turn = 0

    def read(self, gray: Gray) -> None:
        """Read every few calls, if it is there."""
        self._turn += 1
        if self._library is not None and self._turn % PEER_EVERY == 0:
            with self.times.measure():
                read_zxing(self._library, gray, 1)

    def share(self, cpu_ms: float) -> float | None:
        """Return processor time (ms) as a share of the peer's."""
        return cpu_ms / median(self.times.cpu) if self.times.cpu else None


def full_table(game: AnyGame, mat: Mat, cards: int = CARDS, seed: int = 0) -> SimTable:
    """Return a full table, rows over the lower codes of the row before: fronts, then backs; markers stay free."""
    rng = random.Random(f"full table {seed}")
    table = SimTable(seed)
    shape = mat.shapes[0]
    rows = -(-cards // ACROSS)
    wide, high = mat.w - 2 * mat.frame - shape.w - 2, mat.h - 2 * mat.frame - shape.h - 2
    fronts = [(card.piece, "F") for card in game.deck.cards[:cards]]
    for number, (piece, face) in enumerate(fronts + [(f"{BACK}{n}", "B") for n in range(cards - len(fronts))]):
        row, column = divmod(number, ACROSS)
        x = mat.frame + 1 + shape.w / 2 + wide * column / (ACROSS - 1) + rng.uniform(-1, 1)
        y = mat.frame + 1 + shape.h / 2 + high * row / max(1, rows - 1) + rng.uniform(-1, 1)
        table.put(piece, face, x, y, rng.uniform(-1.5, 1.5))
    return table


def measure(
    game_name: str = "five-cards-collector",
    sizes: Sequence[tuple[int, int]] = SIZES,
    cards: int = CARDS,
    idle: int = 300,
    changes: int = 12,
    starts: int = 3,
) -> Section:
    """For each size measure `idle` still frames, `changes` of single cards, and `starts` cold starts."""
    game = games.load(game_name)
    mat = games.load_mat(game_name, game.info.seats[1])
    rows: list[Row] = []
    for size in sizes:
        table = full_table(game, mat, cards)
        camera = simulated_camera(game, mat, table, size=size)
        still = _shots(camera, 6)
        label, peer = f"{size[0]}×{size[1]}", Peer()
        quiet = _idle(make_eye(game, mat), still, idle, peer)
        rows += _of_idle(label, quiet, peer)
        for small in (False, True):
            changed = _changes(game, mat, table, camera, still, changes, peer, small)
            rows += _of_changes(f"{label}, a small picture from the camera" if small else label, changed, peer)
        rows.append(_cold(label, game, mat, still, starts, cards, peer))
        if peer.times.wall:
            rows.append(Row(f"{label}: zxing-cpp, whole frame", {**peer.times.figures(), "to_zxing": 1.0}))
    notes = [
        f"{game.info.title}, {cards} cards on the table, rows half over each other, noise in every frame, "
        f"{FPS:g} frames a second; painting them is not counted, nor is a real camera's own work. "
        "× zxing-cpp is of the processor's time."
    ]
    if optional("zxingcpp") is None:
        notes.append("zxing-cpp is not installed: nothing to compare with.")
    return Section(tuple(rows), tuple(notes))


def _shots(camera: SimulatedCamera, count: int) -> list[Gray]:
    """Return pictures of the unchanged table, which differ by their noise."""
    return [camera.shoot().gray for _ in range(count)]


def _settle(watch: Watch, shots: list[Gray], times: Times | None = None) -> int:
    """Show pictures until the eye reports a table at rest; return their number."""
    for count in range(1, LONGEST + 1):
        watch.see(shots[count % len(shots)], times)
        if watch.settled:
            return count
    return LONGEST


def _idle(eye: Eye, shots: list[Gray], frames: int, peer: Peer) -> Times:
    """Nothing changes; the start, and the first sweep after it, are over."""
    watch, quiet = Watch(eye), Times()
    for number in range(LONGEST):
        watch.see(shots[number % len(shots)])
    for number in range(frames):
        watch.see(shots[number % len(shots)], quiet)
        peer.read(shots[0])
    return quiet


def _of_idle(label: str, quiet: Times, peer: Peer) -> list[Row]:
    """What the eye does now and then by itself (learning, sweeps) is in the mean and the highest, not in the median."""
    ratio = peer.share(median(quiet.cpu))
    mean = sum(quiet.cpu) / len(quiet.cpu)
    core = mean * FPS / 10
    return [
        Row(
            f"{label}: a frame in which nothing changed",
            {
                **quiet.figures(),
                "mean_cpu_ms": mean,
                "p99_cpu_ms": percentile(quiet.cpu, 0.99),
                "max_cpu_ms": max(quiet.cpu),
                "to_zxing": ratio,
            },
            None if ratio is None else at_most("under 1/10 of a whole-frame zxing-cpp read", ratio, 0.1),
        ),
        Row(
            f"{label}: idle table at {FPS:g} frames a second",
            {"core_percent": core},
            at_most("under 15 % of one core", core, 15.0, " %"),
            "the eye alone, with its sweeps",
        ),
    ]


def _changes(
    game: AnyGame,
    mat: Mat,
    table: SimTable,
    camera: SimulatedCamera,
    still: list[Gray],
    changes: int,
    peer: Peer,
    small: bool = False,
) -> list[Times]:
    """Take the top card and lay it again, without a hand, until the table is settled each time (`small`: see `Watch`).

    Return each change's times, from the frame in which it shows to the settled view.
    """
    watch = Watch(make_eye(game, mat), small)
    for number in range(LONGEST):
        watch.see(still[number % len(still)])
    found: list[Times] = []
    top = table.pieces()[-1]
    table.lift(top.piece)
    without = _shots(camera, 6)
    table.put(top.piece, top.face, top.x, top.y, top.rotation)
    for _ in range(changes):
        for shots in (without, still):
            times = Times()
            before = watch.eye.view
            while len(times.wall) < LONGEST and (watch.eye.view is before or not watch.settled):
                watch.see(shots[len(times.wall) % len(shots)], times)
                peer.read(still[0])
            found.append(times)
            for rest in range(15):  # learning and the sweep after a change are idle frames
                watch.see(shots[rest % len(shots)])
    return found


def _of_changes(label: str, runs: list[Times], peer: Peer) -> list[Row]:
    def spread(of: Callable[[list[float]], float]) -> dict[str, Figure]:
        figures = _spread(runs, of)
        cpu = figures["cpu_ms"]
        return {**figures, "to_zxing": None if cpu is None else peer.share(cpu)}

    dearest = spread(max)
    typical = spread(median)
    ratio, usual = dearest["to_zxing"], typical["to_zxing"]
    return [
        Row(
            f"{label}: one card came or went: the dearest frame",
            dearest,
            None if ratio is None else at_most("under 1/5 of a whole-frame zxing-cpp read", ratio, 0.2),
        ),
        Row(
            f"{label}: one card came or went: a frame, in the median",
            typical,
            None if usual is None else at_most("under 1/5 of a whole-frame zxing-cpp read", usual, 0.2),
        ),
        Row(
            f"{label}: one card came or went: all frames until settled",
            {**spread(sum), "frames": median(len(times.wall) for times in runs)},
        ),
    ]


def _spread(runs: list[Times], of: Callable[[list[float]], float]) -> dict[str, Figure]:
    wall, cpu = [of(times.wall) for times in runs], [of(times.cpu) for times in runs]
    return {"median_ms": median(wall), "cpu_ms": median(cpu), "max_cpu_ms": max(cpu, default=None)}


def _cold(label: str, game: AnyGame, mat: Mat, shots: list[Gray], starts: int, pieces: int, peer: Peer) -> Row:
    """A new eye before a full table: the time of all frames until it says what lies there, at rest."""
    runs: list[Times] = []
    frames = seen = 0
    for _ in range(starts):
        watch, times = Watch(make_eye(game, mat)), Times()
        frames = _settle(watch, shots, times)
        seen = len(watch.eye.view.placements) if watch.eye.view else 0
        runs.append(times)
    figures = _spread(runs, sum)
    cpu = figures["cpu_ms"]
    return Row(
        f"{label}: cold start of a full table",
        {
            **figures,
            "to_zxing": None if cpu is None else peer.share(cpu),
            "frames": frames,
            "pieces": seen,
            "recall": seen / pieces if pieces else None,
        },
        note="from the first frame to the first settled view",
    )
