"""Section `pace`: how many instructions of a Pi an event takes, counted, however busy the computer is that counts.

A Debian arm64 Python runs the program in qemu-user with a plugin that counts (`pace_setup.sh` gets what that needs into
`COMPANION_PACE`, a minute). Pictures are drawn here: drawing them there would drown what is counted. The kernel, the
camera's own process and waiting for memory are not counted.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from itertools import islice
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks import dice_scenes, face_scenes, face_watch
from benchmarks.faces import ninety
from benchmarks.middle import lay, play_to
from companion import games
from companion.bench.conditions import HELD_OUT
from companion.bench.figures import BenchError, Row, Section, at_most
from companion.bench.frames import _shots, full_table
from companion.eye.faces.likeness import moved
from companion.table import factory

HERE = Path(__file__).resolve().parent
PER_SECOND = 1.9
"""Billions of instructions of this code that a Pi 4 does a second: 1.5 to 2.3. No published figure was found for it."""
NOTE = (
    "Instructions (million) of aarch64; a Pi 4 does 1.9 billion a second, give or take a third (a Pi 5 4.8, a Zero 2 W "
    "0.7), ratios are far better. Equal events repeat within 1 %, cold starts within 4 %. The kernel, the "
    "camera's own process and memory are not counted. Pictures are drawn, by us."
)
MOST = {
    "idle, webcam 1080p MJPEG, a second": 500,
    "idle, phone MJPEG 1080p, a second": 700,
    "idle, Pi's camera, a frame": 4,
    "plain idle frame at 1080p": 2.5,
    "cold, 90 codes, book on disk": 4000,
    "cold, 90 codes, no book": 8000,
    "a change without codes, median": 450,
    "a change without codes, highest": 900,
    "cold without codes, first frame": 3000,
    "a dice tray": 450,
    "the page's picture at 1080p": 25,
    "serve until the first page": 2300,
    "an idle wall that is watched, a second": 57,
}
"""What each may take at most."""


def measure(readings: int = 14, frames: int = 300) -> Section:
    """Count `readings` changes without codes, `frames` idle frames of each size, and the rest."""
    folder = Path(os.environ.get("COMPANION_PACE", Path.home() / ".cache" / "companion-pace"))
    if not (folder / "ready").exists():
        done = subprocess.run(["sh", HERE / "pace_setup.sh", folder, HERE.parent], check=False)  # noqa: S603, S607
        if done.returncode:
            raise BenchError("Setting up failed, see above: it needs Debian, gcc and python3-pip.")
    draw(folder, readings)
    found: dict[str, float] = {}
    # Twice: the first run of the command compiles its modules.
    for event in ("start", "start", "codes", "book", "pictures", "dice", "faces", "wall"):
        found |= count(folder, event, frames)
    rows = [
        Row(
            what,
            {"million": found[what], "pi_4_ms": found[what] / PER_SECOND},
            at_most(f"at most {most} million", found[what], most, " million"),
        )
        for what, most in MOST.items()
    ]
    return Section(tuple(rows), (NOTE,))


def count(folder: Path, event: str, frames: int) -> dict[str, float]:
    """Return what was counted of an event, million instructions by row."""
    python = "root/usr/bin/python3.13"
    inside = {"LD_LIBRARY_PATH": "", "PYTHONHOME": "/usr", "PYTHONPATH": f"{HERE.parent}:{folder}/pylib"}
    inside |= {"PYTHONDONTWRITEBYTECODE": ""}
    inside |= {
        "OPENBLAS_NUM_THREADS": "1",
        "COMPANION_STATE": f"{folder}/state",
        "PYTHONPYCACHEPREFIX": f"{folder}/pyc",
    }
    command = [f"{folder}/host/usr/bin/qemu-aarch64", "-cpu", "cortex-a72", "-L", f"{folder}/root"]
    command += [part for name, value in inside.items() for part in ("-E", f"{name}={value}")]
    command += ["-plugin", f"{folder}/count.so", f"{folder}/{python}"]
    command += [f"{HERE}/pace_events.py", event, f"{folder}", f"{frames}"]
    around = {"COUNT_FILE": f"{folder}/count", "LD_LIBRARY_PATH": f"{folder}/host/usr/lib/x86_64-linux-gnu"}
    print(f"counting: {event}", file=sys.stderr, flush=True)
    done = subprocess.run(command, env=os.environ | around, stdout=subprocess.PIPE, check=False)  # noqa: S603
    if done.returncode:
        raise BenchError(f"What counts {event} ended with {done.returncode}, see above.")
    counted: dict[str, float] = msgspec.json.decode(done.stdout.splitlines()[-1])
    return counted


def draw(folder: Path, changes: int) -> None:
    """Draw what is shown there: a table of 90 codes in two sizes, a webcam's JPEG of it, trays of dice, changes."""

    def keep(name: str, what: object) -> None:
        with (folder / f"{name}.pickle").open("wb") as file:
            pickle.dump(what, file, protocol=5)

    cv2.setNumThreads(1)
    game = games.load("five-cards-collector")
    mat = games.load_mat("five-cards-collector", game.info.seats[1])
    keep("bare", factory._bare(factory._whole_mat(mat.game), mat.print == "outlines"))
    for size in ((2304, 1296), (1920, 1080)):
        table = full_table(game, mat, 90)
        keep(f"codes-{size[1]}", _shots(factory.simulated_camera(game, mat, table, size=size), 4))
    camera = factory.simulated_camera(game, mat, table, size=size, colour_width=size[0])
    camera.show_colour = True
    colour = camera.shoot().colour
    assert colour is not None  # noqa: S101
    how = [cv2.IMWRITE_JPEG_QUALITY, 75, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422]
    keep("webcam", cv2.imencode(".jpg", cv2.cvtColor(colour, cv2.COLOR_RGB2BGR), how)[1].tobytes())
    found = play_to("collectors", 4, lambda game, state, n: n >= 40 and not game.timed(state), seed=7)
    above = factory.simulated_camera(found.game, found.mat, lay(found.mat, found.dealt), size=(2304, 1296))
    keep("wall", ("collectors", found.header, found.records, _shots(above, 4)))
    trays = [tray for tray in dice_scenes.trays(HELD_OUT, 80, 44400) if dice_scenes.decent(tray)][:9]
    keep("dice", [(tray.zone, [*islice(dice_scenes.photographs_of(tray), 4)]) for tray in trays])
    bench = ninety(2.4, "usual", None)
    world, rng = bench.world, np.random.default_rng([7, *b"pace"])
    light = face_scenes.some_light(rng, world.mat, "usual")
    for count_, name in ((40, "cold"), (18, "begin")):
        cards = face_scenes.layout(rng, world, bench._pieces, count_, 28.0)
        keep(name, face_watch.stills(bench._noise, world.picture(cards, light, rng)))
    keep("world", (world, bench._taught))
    for number in range(changes):
        done = face_scenes.event(rng, world, cards, bench._pieces, bench._foreign)
        then = msgspec.structs.replace(light, gain=light.gain * float(rng.uniform(0.96, 1.04)))
        reach = [world.picture(done.before, then, rng, hand=moved(done.place, away, 0)) for away in (240.0, 120.0, 0.0)]
        after = face_watch.stills(bench._noise, world.picture(done.after, then, rng, hand=done.hand))
        keep(f"change-{number}", ([face_watch.stills(bench._noise, one, 1)[0] for one in reach], after))
        cards = list(done.after)
