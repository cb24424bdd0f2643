"""A webcam of the kernel's in the virtual Pi: it shows a simulated table, on which robots play before the service.

v4l2loopback makes /dev/video0; what a writer puts in, OpenCV reads as from any webcam.
"""

from __future__ import annotations

import fcntl
import http.cookiejar
import json
import os
import random
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from companion import games
from companion.eye.mat import Mat
from companion.referee.commands import Answer, Command, Play, Reply
from companion.referee.journal import Header, Journal, new_id, now, read_only
from companion.referee.record import Record
from companion.referee.written import decode_record
from companion.rules.kernel import TABLE, Seat
from companion.sim.camera import SimulatedCamera
from companion.sim.camera_stage import TableStage
from companion.sim.rehearsal import Rehearsal, Report
from companion.sim.stage import Move
from companion.sim.table import SimTable
from companion.sim.world import world_of
from companion.table.factory import simulated_camera
from tests.deploy.virtual_pi.program import SLOW, Served, WrongError, serving, until

GAME, SEATS, SEED = "five-cards-collector", 2, "1/0"
SIZE = (1920, 1080)
STATE = Path("/run/table")
PICTURES_A_SECOND = 2.0
TURNS = int(os.environ.get("COMPANION_VIRTUAL_PI_TURNS", "6"))
SET_FORMAT = 0xC0D05605
"""VIDIOC_S_FMT."""


class Webcam:
    """The kernel's webcam, fed with pictures of a table twice a second. It can be unplugged and plugged in again."""

    def __init__(self, camera: SimulatedCamera) -> None:
        """Create it; it is not plugged in yet."""
        self._camera = camera
        self._unplugged = threading.Event()
        self._thread: threading.Thread | None = None

    def plug_in(self) -> None:
        """Load the kernel's module and show the table."""
        module = Path(os.environ["KEPT"]) / "modules" / "v4l2loopback.ko"
        subprocess.run(["insmod", module, "video_nr=0", "card_label=USB webcam", "exclusive_caps=1"], check=True)
        device = os.open("/dev/video0", os.O_RDWR)
        wide, high = SIZE
        # struct v4l2_format of an output: width, height, fourcc, field, bytes a line, bytes a picture, colour space.
        code = int.from_bytes(b"GREY", "little")
        wish = struct.pack("<I4xIIIIIII", 2, wide, high, code, 1, wide, wide * high, 8).ljust(208, b"\0")
        fcntl.ioctl(device, SET_FORMAT, bytearray(wish))
        self._unplugged.clear()
        self._thread = threading.Thread(target=self._feed, args=(device,), daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Give no more pictures; as soon as nobody has the device open it is gone."""
        assert self._thread is not None
        self._unplugged.set()
        self._thread.join()
        remove = ["rmmod", "v4l2loopback"]
        until("nobody has the webcam open", lambda: subprocess.run(remove, check=False).returncode == 0, 3 * SLOW)

    def _feed(self, device: int) -> None:
        try:
            while not self._unplugged.wait(1 / PICTURES_A_SECOND):
                os.write(device, self._camera.shoot().gray.tobytes())
        finally:
            os.close(device)


class Phones:
    """The service as robots know it: what a page shows, what the journal has, and a phone for every seat."""

    def __init__(self, served: Served, match: str, action_type: Any) -> None:
        """Sit down at every seat."""
        self._served, self._match, self._action_type = served, match, action_type
        self._web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        for seat in range(1, SEATS + 1):
            form = urllib.parse.urlencode({"name": f"Robot {seat}", "seat": seat})
            self._web.open("http://127.0.0.1:8080/join", form.encode(), timeout=60).close()

    @property
    def snapshot(self) -> Any:
        """What the table's page knows."""
        document = self._served.state()
        asked = document.pop("question", None)
        return SimpleNamespace(**document, question=SimpleNamespace(**asked) if isinstance(asked, dict) else None)

    def records(self) -> list[Record]:
        """Return the records of the journal."""
        with read_only(STATE) as journal:
            return [decode_record(line, self._action_type) for line in journal.lines(self._match)]

    def command(self, command: Command) -> Reply:
        """Tap it on the seat's phone."""
        wish: dict[str, object]
        if isinstance(command, Play):
            seat = command.seat
            wish = {"do": "play", "seat": seat, "action": command.action, "facts": command.facts}
        elif isinstance(command, Answer):
            wish = {"do": "answer", "question": command.question, "choice": command.choice, "seat": command.seat or 1}
        else:
            raise WrongError(f"robots never say {command}")
        ask = urllib.request.Request("http://127.0.0.1:8080/command", msgspec.json.encode(wish))
        ask.add_header("Content-Type", "application/json")
        ask.add_header("X-Companion", "1")
        try:
            with self._web.open(ask, timeout=60) as answer:
                return Reply(ok=True, record=json.load(answer).get("record", 0))
        except urllib.error.HTTPError as error:
            raise WrongError(f"{command} was refused: {error.read().decode(errors='replace')[:300]}") from None


class BeforeTheWebcam(TableStage):
    """The simulated table that the webcam looks at: pieces lie there at once, until the service has understood."""

    def __init__(self, table: SimTable, mat: Mat) -> None:
        """Create it with a bare mat."""
        super().__init__(table, mat, lambda view: None)
        self.understood: Callable[[], bool] = lambda: True

    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Lay the pieces."""
        self._carrier.make_room(moves)
        for move in moves:
            self.apply(move)
            self._carrier.at_once(move)

    def rest(self) -> None:
        """Wait until the service has understood what lies there, or a while."""
        end = time.monotonic() + SLOW
        while time.monotonic() < end:
            self._step()
            if self._resting():
                return

    def _step(self) -> None:
        time.sleep(1 / PICTURES_A_SECOND)

    def _resting(self) -> bool:
        return self.understood()


def robots_play() -> str:
    """Robots play some turns before the webcam that is found, unplug it and play on: the journal has what they did."""
    game, mat, rng = games.load(GAME), games.load_mat(GAME, SEATS), random.Random(SEED)
    world = world_of(game, SEATS, {}, rng)
    header = Header(
        id=new_id(), at=now(), game=GAME, seats=SEATS, setup=msgspec.to_builtins(world.setup()), mode="assist"
    )
    journal = Journal(STATE)
    journal.begin(header)
    journal.close()
    table = SimTable(1)
    stage = BeforeTheWebcam(table, mat)
    webcam = Webcam(simulated_camera(game, mat, table, size=SIZE, noise=1.0, seed=1))
    webcam.plug_in()
    report = Report()
    with serving("--resume", "last", "--camera", "find", state=STATE) as served:
        phones = Phones(served, header.id, game.action_type)
        robots = Rehearsal(game, world, phones, stage, rng, report)

        def understood() -> bool:
            shown = phones.snapshot
            if shown.phase in ("setting-up", "restoring") or shown.owed or shown.provisional:
                return False
            return shown.question is not None or len(phones.records()) >= len(robots.done)

        stage.understood = understood
        until("its picture is on the page", lambda: len(served.ask("/camera.jpg")) > 1000, 4 * SLOW)
        robots.play(TURNS // 2)
        print(f"-- {len(robots.done)} actions understood", flush=True)
        webcam.unplug()
        until("it is told that the camera is gone", lambda: "camera-lost" in served.ask("/state/public").decode(), SLOW)
        webcam.plug_in()
        until("the camera is back", lambda: "camera-lost" not in served.ask("/state/public").decode(), 4 * SLOW)
        robots.play(TURNS, go_on=True)
        records = phones.records()
    webcam.unplug()
    by = sum(record.seat != TABLE for record in records)
    return f"{len(records)} records, {by} of them of seats, {sum(report.tapped.values())} taps, equal one by one"
