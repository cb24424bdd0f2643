"""The one place where a table is put together: camera, eye, match, devices and server; and, for the demo, robots."""

from __future__ import annotations

import logging
import random
import secrets
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.devices.camera import Camera
from companion.devices.cameras import open_camera
from companion.devices.desk_set import Devices, build
from companion.devices.doctor import own_address
from companion.devices.pages import Invitation
from companion.devices.pins import SimulatedBoard
from companion.devices.recorder import Recorder
from companion.devices.recording import RecordingError
from companion.devices.service import PermanentError
from companion.eye.mat import Mat
from companion.eye.view import Frame, Trouble
from companion.lookout import Lookout, Pictures
from companion.parts import make_eye, pile_sizes, simulated_camera
from companion.paths import state_dir
from companion.press.debrief import write_debrief
from companion.referee.clock import SECONDS
from companion.referee.commands import Command, Reply
from companion.referee.course import Course, course
from companion.referee.journal import Evidence, Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.referee import MODES
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card, Piece
from companion.rules.kernel import TABLE, Action, Game, Need, RuleError, Seat, name_seats
from companion.sandbox import Sandbox
from companion.sim.camera import SimulatedCamera
from companion.sim.faults import NONE, RESTLESS
from companion.sim.performance import LiveStage, Performance
from companion.sim.sandbox import SharedTable
from companion.sim.world import WorldError, world_of

log = logging.getLogger(__name__)


class TableError(Exception):
    """A table that can't be put together; the message says why and what to do."""


class NoCamera(Camera):
    """Stands in where a match is kept by phones alone."""

    live = False

    def frames(self) -> Iterator[Frame]:
        """Give none."""
        return iter(())


class Table:
    """A table with its camera. It is a `companion.server.desk.Desk`; `start` it, and `close` it."""

    simulated = False
    sandbox: Sandbox | None = None

    def __init__(
        self,
        game: Game[Any],
        mat: Mat,
        header: Header,
        journal: Journal | None,
        make_camera: Callable[[], Pictures],
        url: str,
        recorder: Recorder | None = None,
    ) -> None:
        """Put the parts together; the camera is made when the table starts. A recorder is closed with the table.

        Raises:
            TableError: if the set-up does not fit the game.
        """
        self.game = game
        self.mat = mat
        self.join_url = url
        self.host_pin = f"{secrets.randbelow(10**6):06}"
        self.match: Match
        self.lookout = Lookout(
            mat,
            make_camera,
            lambda: make_eye(game, mat),
            lambda view: self.match.see(view),
            lambda time: self.match.tick(time),
            recorder.take if recorder is not None else None,
            lambda: pile_sizes(game.layout(self.match.state)),
        )
        self._recorder = recorder
        try:
            self.match = Match(game, mat, header, journal, self.lookout.before_and_after)
        except RuleError as error:
            raise TableError(name_seats(f"{error}", {})) from None
        self.devices: Devices = build(invitation=Invitation(url))
        self.devices.on_button = self._on_button
        self._journal = journal
        self._cards = game.deck.by_piece()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._follow, name="devices", daemon=True),
        ]

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons that the page offers where there are no real ones."""
        return ("next", "page", "undo") if isinstance(self.devices.board, SimulatedBoard) else ()

    def start(self) -> None:
        """Start the match, the devices and the camera."""
        self.match.start()
        self.devices.start()
        if self._recorder is not None:
            self._recorder.start()
        self.lookout.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._closed.set()
        self.lookout.close()
        if self._recorder is not None:
            self._recorder.stop()
        self.devices.close()
        self.match.close()
        if self._journal is not None:
            self._journal.close()

    # ------------------------------------------------------------------------------------------------- threads

    def _follow(self) -> None:
        """Show every snapshot on the devices."""
        version = -1
        while not self._closed.is_set():
            snapshot = self.match.wait(version, 1.0)
            if snapshot.version != version:
                version = snapshot.version
                self.devices.show(snapshot)

    def _on_button(self, press: str) -> None:
        command = self.devices.command(press)
        if command is not None:
            reply = self.command(command)
            if not reply.ok and reply.verdict is not None:
                self.devices.sound("violation")

    # ---------------------------------------------------------------------------------------------------- desk

    def snapshot(self) -> Snapshot:
        """Give the newest snapshot."""
        return self.match.snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a newer snapshot."""
        return self.match.wait(version, timeout)

    def clock(self) -> float:
        """Give the time by which bids are measured."""
        return self.match.clock()

    def command(self, command: Command) -> Reply:
        """Send a command to the match."""
        return self.match.command(command)

    def decode_action(self, raw: Any) -> Action:
        """Turn parsed JSON into an action of the game."""
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        """List what the table itself has to do now."""
        state = self.match.state
        return tuple(self.game.legal(state)) if self.game.actors(state) == (TABLE,) else ()

    def needs(self, action: Action) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        return self.game.needs(self.match.state, action)

    def card(self, piece: Piece) -> Card:
        """Find what is printed on a piece."""
        return self._cards[piece]

    def picture(self) -> bytes | None:
        """Give the last picture, and have more drawn for a while."""
        return self.lookout.picture()

    def picture_version(self) -> int:
        """Give the last picture's number."""
        return self.lookout.picture_version

    def oled_png(self) -> bytes | None:
        """Give what the OLED shows."""
        return self.devices.oled_png()

    def course(self) -> Course:
        """Look back on the match."""
        return course(self.game, self.match.header, self.match.records(), self.match.snapshot.names)

    def debrief(self) -> bytes:
        """Give the same to print, as a PDF."""
        with tempfile.TemporaryDirectory() as folder:
            return write_debrief(Path(folder) / "debrief.pdf", self.course()).read_bytes()

    def evidence(self, n: int) -> Evidence | None:
        """Tell why a record was understood so."""
        return self.match.evidence(n)

    def press(self, button: str) -> None:
        """Press a simulated button."""
        self.devices.press(button)

    def speed(self) -> float | None:
        """Nobody plays here but people."""
        return None

    def set_speed(self, speed: float) -> None:
        """Nobody plays here but people."""

    def seated(self, seat: Seat, person: bool) -> None:
        """Nobody steps aside here."""

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """The companion does not know what people hold."""
        return None


class DemoTable(Table):
    """The simulated table: robots play on it, photographed by the simulated camera; people may take their seats."""

    simulated = True

    def __init__(
        self, game: Game[Any], mat: Mat, journal: Journal | None, url: str, seed: int, speed: float, faults: bool,
        recorder: Recorder | None = None, people: int = 0,
    ) -> None:  # fmt: skip
        """Deal a match for the number of seats that the mat is laid for; the first `people` seats wait for people."""
        self._rng = random.Random(seed)
        table = SharedTable(seed)
        self._camera: SimulatedCamera | None = None
        self._speed = speed

        def make_camera() -> SimulatedCamera:
            chances = RESTLESS if faults else NONE
            self._camera = simulated_camera(game, mat, table, faults=chances, seed=seed, speed=max(0.05, self._speed))
            self._camera.show_colour = True
            return self._camera

        world = world_of(game, mat.seats, {}, self._rng)
        header = Header(
            id=new_id(),
            at=now(),
            game=game.info.name,
            seats=mat.seats,
            setup=msgspec.to_builtins(world.setup()),
            names=dict(enumerate(ROBOTS[: mat.seats], start=1)),
        )
        super().__init__(game, mat, header, journal, make_camera, url, recorder)
        stage = LiveStage(table, mat, self.lookout.next_frame, lambda: self.lookout.resting)
        self.performance = Performance(game, world, self.match, stage, self._rng)
        self.performance.persons.update(range(1, people + 1))
        self.sandbox = Sandbox(game, mat, table, self.performance, self.command)
        self._threads.append(threading.Thread(target=self.performance.run, name="robots", daemon=True))

    def command(self, command: Command) -> Reply:
        """Send a command to the match, if a person's card is among those in the simulated hand."""
        checked = self.performance.checked(command)
        return checked if isinstance(checked, Reply) else super().command(checked)

    def speed(self) -> float | None:
        """Give how fast the robots play."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast; 0 lets them wait."""
        self._speed = min(8.0, max(0.0, speed))
        if self._camera is not None:
            self._camera.speed = self._speed or 1.0
        (self.performance.paused.clear if self._speed else self.performance.paused.set)()

    def seated(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back."""
        (self.performance.persons.add if person else self.performance.persons.discard)(seat)

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Give the simulated cards that a person's seat holds."""
        return self.performance.hand(seat) if seat in self.performance.persons else None


ROBOTS = ("Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gro", "Hal")
"""What the robots of the demo are called."""


def join_url(host: str, port: int) -> str:
    """Give the address at which phones join: short, and in capitals for a small code."""
    address = (own_address() or "127.0.0.1") if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"HTTP://{address}/J" if port == 80 else f"HTTP://{address}:{port}/J"


def _journal() -> Journal:
    try:
        return Journal(state_dir())
    except JournalError as error:
        raise TableError(f"{error}") from None


def _recorder(minutes: float | None) -> Recorder | None:
    """Make a recorder if one is wanted, and say so: nobody is recorded without being told."""
    if minutes is None:
        return None
    try:
        recorder = Recorder(minutes=minutes)
    except RecordingError as error:
        raise TableError(f"{error}") from None
    print(recorder.words, file=sys.stderr, flush=True)
    return recorder


def serve_table(
    game: Game[Any],
    seats: int,
    options: Mapping[str, int],
    camera: str | None,
    host: str,
    port: int,
    resume: str | None,
    mode: str,
    bid_seconds: int = SECONDS,
    trainer: bool = False,
    record: float | None = None,
) -> None:
    """Referee a real table until stopped. Without a camera named it is the first one, or in a ledger none.

    `bid_seconds` is how long a bid may take (0: no clock); with a `trainer` only the host takes steps back; `record`
    keeps so many of the last minutes of the camera's pictures.

    Raises:
        TableError: if there is no such mode. What turns out later (no journal, no camera, no match to resume) is said,
            and the process ends.
    """
    if mode not in MODES:
        raise TableError(f"there is no mode called {mode}; choose {', '.join(MODES)}")

    def make() -> Table:
        journal = _journal()
        header = Header(
            id=new_id(), at=now(), game=game.info.name, seats=seats, options=dict(options), mode=mode,
            bid_seconds=bid_seconds, trainer=trainer,
        )  # fmt: skip
        if resume is not None:
            try:
                header = journal.header(resume)
            except JournalError as error:
                raise TableError(f"{error}") from None
        rules = game if header.game == game.info.name else games.load(header.game)
        mat = games.load_mat(header.game, header.seats)
        built: list[Table] = []

        def tell(trouble: Trouble | None) -> None:
            for table in built:
                table.lookout.tell_trouble(trouble)

        try:
            named = "0" if camera is None else camera
            eyes = NoCamera() if camera is None and header.mode == "ledger" else open_camera(named, tell)
        except PermanentError as error:
            raise TableError(f"{error}") from None
        built.append(Table(rules, mat, header, journal, lambda: eyes, join_url(host, port), _recorder(record)))
        return built[0]

    _serve(make, host, port)


def serve_demo(
    game: Game[Any], seats: int, host: str, port: int, seed: int | None, speed: float, faults: bool,
    record: float | None = None, people: int = 0,
) -> None:  # fmt: skip
    """Let robots play on the simulated table until stopped; the first `people` seats wait for people.

    Raises:
        TableError: if there are fewer seats than people.
    """
    if people > seats:
        raise TableError(f"{people} people can't sit on {seats} seats; let them be --seats {people}")
    chosen = secrets.randbelow(10**6) if seed is None else seed

    def make() -> Table:
        mat = games.load_mat(game.info.name, seats)
        url = join_url(host, port)
        return DemoTable(game, mat, _journal(), url, chosen, speed, faults, _recorder(record), people)

    _serve(make, host, port)


def _serve(make: Callable[[], Table], host: str, port: int) -> None:
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

    from companion.server.app import create_app
    from companion.server.serve import run

    def make_app() -> Any:
        try:
            table = make()
        except (TableError, WorldError, games.GameError) as error:
            sentence = str(error)
            print(sentence[:1].upper() + sentence[1:], file=sys.stderr, flush=True)
            # The status by which gunicorn knows that starting again would not help.
            raise SystemExit(Arbiter.WORKER_BOOT_ERROR) from None
        table.start()
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
        print(f"The table is at http://{shown}:{port}/   (host PIN {table.host_pin})", flush=True)
        if table.sandbox is not None:
            print(f"To play: sit down at http://{shown}:{port}/join, lay your cards at /simulated", flush=True)
        return create_app(table, key_file=state_dir() / "seats.json", close=table.close)

    run(make_app, host, port)
