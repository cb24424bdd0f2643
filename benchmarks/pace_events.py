"""Counts inside of qemu: `pace_events.py EVENT FOLDER FRAMES`. The last line is what was counted, as JSON."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median

from companion.untyped import Foreign

EVENT, FOLDER, FRAMES = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
_SYSCALL = ctypes.CDLL(None).syscall
with (FOLDER / "count").open("r+b") as _file:
    _TOTAL = memoryview(mmap.mmap(_file.fileno(), 4096)).cast("Q")


def total() -> float:
    """Return the million instructions so far."""
    _SYSCALL(4242)
    return _TOTAL[0] / 1e6


def load(name: str) -> Foreign:
    """Return a thing that was drawn outside."""
    return pickle.loads((FOLDER / f"{name}.pickle").read_bytes())  # noqa: S301 (written by `pace.py`)


class Looking:
    """An eye in the table's camera loop."""

    def __init__(self, high: int, small: bool) -> None:
        from companion import games
        from companion.devices.camera_base import Stillness
        from companion.eye.flat import reduced
        from companion.table import factory
        from companion.table.camera_loop import CameraLoop

        bare = load("bare")
        factory.__dict__["_bare"] = lambda *_: bare
        game = games.load("five-cards-collector")
        mat = games.load_mat("five-cards-collector", game.info.seats[1])
        self.shots = [(gray, reduced(gray)[0] if small else None) for gray in load(f"codes-{high}")]
        begin = total()
        self.eye = factory.make_eye(game, mat)
        self.made, self.seen = total() - begin, 0
        nowhere: Foreign = None
        self.loop = CameraLoop(mat, nowhere, nowhere, lambda view: None, lambda time: None)
        self.loop._stillness, self.loop._picture = Stillness(), self.shots[0][0]

    def see(self) -> float:
        """Show the next frame; return what that took."""
        from companion.eye.view import Frame

        gray, small = self.shots[self.seen % 4]
        frame = Frame(gray, 100 + self.seen / 10, self.seen, small=small)
        self.seen += 1
        begin = total()
        self.loop._look(self.eye, frame)
        return total() - begin

    def settle(self) -> float:
        """Show frames until the view has settled; return what all took, and making the eye."""
        spent = self.made
        while self.eye.view is None or not self.eye.view.settled:
            spent += self.see()
        return spent

    def idle(self) -> list[float]:
        """Show frames for 40 s, and then those that count."""
        for _ in range(400):
            self.see()
        return [self.see() for _ in range(FRAMES)]


def counted(what: Callable[[], object]) -> float:
    """Return what the third call of a function takes."""
    for _ in range(3):
        begin = total()
        what()
        spent = total() - begin
    return spent


def codes() -> dict[str, float]:
    """A new process without a kept book."""
    shutil.rmtree(FOLDER / "state", ignore_errors=True)
    return {"cold, 90 codes, no book": Looking(1296, False).settle()}


def book() -> dict[str, float]:
    """The next one, with the book; then an idle table."""
    table = Looking(1296, True)
    cold = table.settle()
    idle = table.idle()
    return {"cold, 90 codes, book on disk": cold, "idle, Pi's camera, a frame": sum(idle) / len(idle)}


def pictures() -> dict[str, float]:
    """What 1080p costs: frames, decoding, the page's picture."""
    import io
    from functools import partial

    import numpy as np

    from companion.devices.camera_base import frame_of_jpeg
    from companion.devices.web_camera import parts
    from companion.eye.pictures import jpeg
    from companion.eye.view import Frame
    from companion.table.highlights import pointed

    table = Looking(1080, False)
    table.settle()
    idle = table.idle()
    data = load("webcam")
    packed = np.frombuffer(data, np.uint8).reshape(1, -1)
    decoded = counted(lambda: frame_of_jpeg(packed, 0.0, 0))
    part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(data), data)
    response: Foreign = io.BytesIO(part * 3)
    stream = parts(response, "frame")
    split = counted(lambda: next(stream))
    coloured: Foreign = frame_of_jpeg(packed, 0.0, 0)
    table.eye.frame = Frame(table.shots[0][0], 0.0, 0, coloured.colour)
    shown: Foreign = partial(pointed, table.eye, ())
    second = 10 * (decoded + sum(idle) / len(idle))
    return {
        "plain idle frame at 1080p": median(idle),
        "idle, webcam 1080p MJPEG, a second": second,
        "idle, phone MJPEG 1080p, a second": second + 30 * split,
        "the page's picture at 1080p": counted(lambda: jpeg(shown(), 72)),
    }


def dice() -> dict[str, float]:
    """Trays of rolled dice, four frames each."""
    from benchmarks.dice_scenes import tray_mat
    from companion.eye.dice.reader import DiceReader

    spent = []
    for zone, shots in load("dice"):
        reader = DiceReader(tray_mat(zone.rect.x, zone.rect.y))
        begin = total()
        reader.read([shot.gray for shot in shots], shots[0].calibration, zone, None)
        spent.append(total() - begin)
    return {"a dice tray": median(spent[1:])}


def faces() -> dict[str, float]:
    """Cards without codes: a cold table, and changes until the view has settled."""
    from benchmarks.face_watch import Watcher, resting
    from companion.eye.view import Frame

    world, deck = load("world")

    def shown(eye: Watcher, frames: Iterable[Foreign]) -> list[float]:
        each: list[float] = []
        settled = 0
        for gray, colour in frames:
            frame = Frame(gray, eye._number / 10, eye._number, colour)
            eye._number += 1
            begin = total()
            view = eye._eye.see(frame)
            each.append(total() - begin)
            settled = settled or (len(each) if view is not None and view.settled else 0)
        return each[: settled or None]

    cold = shown(Watcher(world, deck), load("cold")[:1])[0]
    eye = Watcher(world, deck)
    shown(eye, resting(load("begin"), 30))
    spent = []
    for number in range(sum(1 for _ in FOLDER.glob("change-*.pickle"))):
        moving, still = load(f"change-{number}")
        shown(eye, moving)
        spent.append(sum(shown(eye, resting(still, 30))))
    return {
        "cold without codes, first frame": cold,
        "a change without codes, median": median(spent),
        "a change without codes, highest": max(spent),
    }


def start() -> dict[str, float]:
    """The command, in this process, until its page was read by a thread."""
    import runpy
    import threading
    import urllib.request

    os.environ["COMPANION_DEVICES"], port = "simulated", 8791
    for path in (FOLDER / "state").glob("*"):
        if path.name != "templates":  # the code of templates was kept by the run before, like Python's own
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def ask() -> None:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=500).read()
                break
            except OSError:
                time.sleep(0.5)
        print(json.dumps({"serve until the first page": total()}), flush=True)
        os._exit(0)

    threading.Thread(target=ask, daemon=True).start()
    sys.argv = ["companion", "serve", "five-cards-collector", "--port", f"{port}"]
    os.fork, os.getppid = (lambda: 0), os.getpid
    runpy.run_module("companion", run_name="__main__")
    return {}


class Shown:
    """A camera that shows pictures drawn beforehand, ten a second."""

    live, control = True, None

    def __init__(self, shots: list[Foreign]) -> None:
        from companion.eye.flat import reduced

        self._shots = [(gray, reduced(gray)[0]) for gray in shots]
        self._open = True

    def frames(self) -> Iterator[Foreign]:
        """Yield frames until it is closed; one that is late is not caught up with."""
        from companion.eye.view import Frame

        number = 0
        while self._open:
            begin = time.monotonic()
            gray, small = self._shots[number % len(self._shots)]
            yield Frame(gray, begin, number, small=small)
            number += 1
            time.sleep(max(0.0, 0.1 - (time.monotonic() - begin)))

    def close(self) -> None:
        """End."""
        self._open = False


def wall() -> dict[str, float]:
    """A match in its middle at which nothing moves: half a minute that nobody watches, then one that a wall does."""
    import threading
    import urllib.request

    from werkzeug.serving import make_server

    from companion import games
    from companion.referee.journal import Journal
    from companion.server.app import create_app
    from companion.table.table import Table, session_maker

    name, header, records, shots = load("wall")
    shutil.rmtree(FOLDER / "journal", ignore_errors=True)
    journal = Journal(FOLDER / "journal")
    journal.take(header, records)
    game, mat = games.load(name), games.load_mat(name, header.seats)
    table = Table(session_maker(game, mat, journal, lambda: Shown(shots)), header, journal, "HTTP://10.42.0.1/J")
    table.start()
    server = make_server("127.0.0.1", 0, create_app(table), threaded=True)
    server.daemon_threads = True  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    while table.snapshot().phase != "playing" or not table.session.camera_loop.resting:
        time.sleep(1)

    def second() -> float:
        time.sleep(30)  # what comes of the beginning is over
        begin, since = total(), time.monotonic()
        time.sleep(30)
        return (total() - begin) / (time.monotonic() - since)

    def watch() -> None:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60).read()
        for line in urllib.request.urlopen(f"http://127.0.0.1:{port}/events/public,pictures", timeout=60):
            if line.startswith(b"event: pictures"):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/camera.jpg?small=1", timeout=60).read()

    alone = second()
    threading.Thread(target=watch, daemon=True).start()
    return {"an idle wall that is watched, a second": second() - alone}


if __name__ == "__main__":
    if EVENT != "start":
        import cv2

        cv2.setNumThreads(1)
    events = {"start": start, "codes": codes, "book": book, "pictures": pictures, "dice": dice, "faces": faces}
    print(json.dumps((events | {"wall": wall})[EVENT]()), flush=True)
    os._exit(0)  # threads of a table may still wait
