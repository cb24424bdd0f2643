"""Tables are started here: a real one or the simulated one, with journal, camera and server, until they are stopped."""

from __future__ import annotations

import gc
import logging
import secrets
import sqlite3
import sys
from collections.abc import Callable, Mapping

import msgspec

from companion import games
from companion.appliance import heap, network
from companion.appliance.backup import BackupError, undo_cut_restore
from companion.appliance.health import Served, kept
from companion.appliance.invitation import invitation
from companion.appliance.reporter import Reporter
from companion.appliance.settings import FIND, PHONE, Owner, Settings, owner_for, settings
from companion.devices.camera_base import Camera, Tell
from companion.devices.cameras import open_camera
from companion.devices.phone_camera import PhoneCamera
from companion.devices.recorder import Recorder
from companion.devices.recording import RecordingError
from companion.devices.service import PermanentError
from companion.eye.phone_link import PhoneLink
from companion.eye.view import Trouble
from companion.files import state_dir
from companion.referee.clock import SECONDS
from companion.referee.commands import MODES
from companion.referee.journal import Header, Journal, JournalError, new_id, now
from companion.referee.journal_reader import JournalReader, read_only
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import AnyGame, Timing
from companion.server.settings_api import SettingsError
from companion.sim.world import WorldError
from companion.table.aiming import Aiming
from companion.table.camera_loop import Pictures
from companion.table.folding import TellError, folded
from companion.table.session import NoCamera, Session, any_seed, rules_of
from companion.table.table import Demo, DemoTable, Table, TableError
from companion.text import capital_of

log = logging.getLogger(__name__)


def open_match(journal: JournalReader) -> Header | None:
    """Find the match of a journal that was played last; None if there is none, it is over, or it can't be read."""
    try:
        header = journal.header("last")
    except JournalError:
        return None
    try:
        game = games.load(header.game)
        state = folded(game, header, list(journal.lines(header.id))).state
        return header if game.standing(state).outcome is None else None
    except Exception as error:
        # Whatever is wrong with one match, the table starts.
        log.warning("match %s can't be gone on with: %s", header.id, error, exc_info=not isinstance(error, TellError))
        return None


def join_url(host: str, port: int) -> str:
    """Return the address at which phones join: short, and in capitals for a small code."""
    return f"{network.front(host, port)}j".upper()


def _journal() -> Journal:
    try:
        undo_cut_restore(state_dir())
        return Journal(state_dir())
    except (BackupError, JournalError) as error:
        raise TableError(f"{error}") from None


def _played_last() -> str:
    """Return the match that was played last, before anything is begun here; "" if there is none that can be read."""
    try:
        with read_only(state_dir()) as reader:
            return reader.header("last").id
    except (JournalError, sqlite3.Error):
        return ""


def _played_since(before: str, journal: Journal) -> Header | None:
    """Find the match that was put up since `before` was the one played last."""
    try:
        last = journal.header("last")
    except JournalError:
        return None
    return last if last.id != before else None


def _recorder(minutes: float | None) -> Recorder | None:
    """Make a recorder if one is wanted, here or in the settings, and say so: nobody is recorded without being told."""
    try:
        minutes = (settings() or Settings()).record if minutes is None else minutes
        if not minutes:
            return None
        recorder = Recorder(minutes=minutes)
    except (RecordingError, SettingsError) as error:
        raise TableError(f"{error}") from None
    print(recorder.words, file=sys.stderr, flush=True)
    return recorder


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a real table begins with.

    Without a `camera` it is the one that is there, or in a ledger none; without a `game` people gather, and the host
    chooses. `bid_seconds` 0: no clock; `trainer`: only the host takes steps back; `record`: minutes (None: as settled);
    `leads`: the terminal shows whoever started it the way to the host's page. To resume "open" is to go on with the
    last match, if it is not over.
    """

    game: AnyGame | None = None
    seats: int = 4
    options: Mapping[str, int] = {}
    camera: str | None = None
    resume: str | None = None
    mode: str = "assist"
    bid_seconds: int = SECONDS
    trainer: bool = False
    record: float | None = None
    leads: bool = False

    def header(self) -> Header:
        """Make the header of a new match."""
        return Header(
            id=new_id(),
            at=now(),
            game=self.game.info.name if self.game else GATHERING,
            seats=self.seats if self.game else MOST,
            options=dict(self.options),
            mode=self.mode,
            bid_seconds=self.bid_seconds,
            timing=self.game.info.timing if self.game else Timing(),
            trainer=self.trainer,
        )


def serve_table(plan: TablePlan, host: str, port: int, pin: str | None = None) -> None:
    """Referee a real table until stopped; the host's `pin` is a new one if left out.

    Raises:
        TableError: if there is no such mode; later faults (journal, camera, resumed match) are said, and end the
            process.
    """
    if plan.mode not in MODES:
        raise TableError(f"there is no mode called {plan.mode}; choose {', '.join(MODES)}")
    new, before = plan.header(), _played_last()

    def make() -> Table:
        journal, recorder = _journal(), _recorder(plan.record)
        header = _begun_with(plan.resume, journal, before) or new
        owner = owner_for(pin is not None, recorder.minutes if recorder else 0)
        sessions = _Sessions(plan.camera, journal, recorder)
        try:
            if header.game == GATHERING and plan.camera is not None:
                # A camera that was named and isn't there is better said now than when the host begins a match.
                sessions.open_camera().close()
            table = Table(sessions.make, header, journal, join_url(host, port), recorder, owner)
            table.phone = sessions.phone
            if header.game == GATHERING:
                table.aiming = Aiming(sessions.open_camera, sessions.tell, plan.camera not in (None, FIND))
        except PermanentError as error:
            raise TableError(f"{error}") from None
        sessions.table = table
        return table

    _serve(make, host, port, pin, plan.leads)


def _begun_with(resume: str | None, journal: Journal, before: str) -> Header | None:
    """Find the match to go on with; None if a new one is to begin. Raises TableError if there is no match to resume."""
    if (interrupted := _played_since(before, journal)) is not None:
        # This process took the place of one that died: people are in the middle of that match.
        return interrupted
    if resume is None:
        return None
    if resume == "open":
        return open_match(journal)
    try:
        return journal.header(resume)
    except JournalError as error:
        raise TableError(f"{error}") from None


class _Sessions:
    """Makes the sessions of one real table, before the camera that was named."""

    def __init__(self, camera: str | None, journal: Journal, recorder: Recorder | None) -> None:
        self._camera = camera
        self._journal = journal
        self._record = recorder.take if recorder is not None else None
        self.phone = PhoneLink(state_dir() / "phone-camera")
        self.table: Table | None = None

    def open_camera(self) -> Pictures:
        """Open the camera, which a phone may take the place of; what is wrong with it later the table is told."""
        if self._camera == PHONE:
            return PhoneCamera(self.phone, self.tell)
        spec = self._camera or FIND
        named = [open_camera(spec, self.tell)]
        if not named[0].live:
            return named[0]

        def other(tell: Tell) -> Camera:
            return named.pop() if named else open_camera(spec, tell)

        return PhoneCamera(self.phone, self.tell, other)

    def tell(self, trouble: Trouble | None) -> None:
        """Report to the table a trouble with the camera, or that it is over."""
        if self.table is not None:
            self.table.session.camera_loop.tell_trouble(trouble)

    def make(self, header: Header, version: int) -> Session:
        """Make a session for the match of a header."""
        rules, mat = rules_of(header)
        make_camera: Callable[[], Pictures] = self.open_camera
        if self._camera is None and header.mode == "ledger":
            make_camera = NoCamera
        elif self.table is None:
            # The first camera is opened at once: who starts the program should see why it can't.
            opened = self.open_camera()
            make_camera = lambda: opened  # noqa: E731
        return Session(rules, mat, header, self._journal, make_camera, version=version, record=self._record)


class DemoPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What robots play at the simulated table: matches of one `named` game, else of each in turn.

    The first `people` seats wait for people; without a `seed` runs differ, without `codes` cards are known by faces.
    """

    game: AnyGame
    seats: int = 4
    seed: int | None = None
    speed: float = 1.0
    faults: bool = False
    people: int = 0
    named: bool = True
    codes: bool = True
    record: float | None = None


def serve_demo(plan: DemoPlan, host: str, port: int, pin: str | None = None) -> None:
    """Let robots play on the simulated table until stopped; raise TableError if there are fewer seats than people."""
    if plan.people > plan.seats:
        raise TableError(f"{plan.people} people can't sit on {plan.seats} seats; let them be --seats {plan.people}")
    seed = any_seed() if plan.seed is None else plan.seed

    def make() -> Table:
        mat = games.load_mat(plan.game.info.name, plan.seats)
        journal, recorder = _journal(), _recorder(plan.record)
        owner = owner_for(pin is not None, recorder.minutes if recorder else 0)
        demo = Demo(plan.game, mat, seed, plan.speed, plan.faults, plan.people, plan.named, plan.codes)
        return DemoTable(demo, journal, join_url(host, port), recorder, owner)

    _serve(make, host, port, pin)


def _serve(make: Callable[[], Table], host: str, port: int, pin: str | None = None, leads: bool = False) -> None:
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

    from companion.server.app import create_app
    from companion.server.camera_port import CameraPort
    from companion.server.serve import run

    # Drawn here, so that it stays the same should a worker die and another take its place.
    drawn = f"{secrets.randbelow(10**6):06}"

    def make_app() -> Served:
        try:
            table = make()
        except (TableError, WorldError, games.GameError) as error:
            sentence = str(error)
            print(capital_of(sentence), file=sys.stderr, flush=True)
            # The status by which gunicorn knows that starting again would not help.
            raise SystemExit(Arbiter.WORKER_BOOT_ERROR) from None
        table.host_pin = drawn if pin is None else pin
        table.start()
        # A Wi-Fi may come after us, and the hotspot open later: the codes follow.
        here = network.AddressMonitor(lambda: join_url(host, port), table.move)
        here.start()
        reporter = Reporter(table, state_dir())
        if isinstance(table.owner, Owner):
            table.owner.tells(reporter.apply)
        trimmer = heap.Trimmer()
        trimmer.start()
        shown = network.front(host, port)
        # A PIN that the host has chosen is for nobody's log.
        told = "the host's PIN is yours" if pin is not None else f"host PIN {table.host_pin}"
        print(invitation(shown, table.host_pin) if leads else f"The table is at {shown}   ({told})", flush=True)
        if table.session.sandbox is not None:
            print(f"To play: sit down at {shown}join, lay your cards at /simulated", flush=True)

        ports: list[CameraPort] = []

        def close() -> None:
            for camera_port in ports:
                camera_port.close()
            here.close()
            reporter.close()
            trimmer.close()
            table.close()

        app = create_app(table, key_file=state_dir() / "seats.json", close=close)
        if table.phone is not None:
            camera_port = CameraPort(app, table.phone, state_dir(), lambda: network.names(host), host)
            app.extensions["companion.camera_port"] = camera_port
            ports.append(camera_port)
            if table.phone.holder:
                # It sends on as soon as there is somebody who listens.
                camera_port.open()
        return Served(app, lambda patience: table.match.answers(patience), lambda: table.snapshot().title)

    # What is loaded by now is shared with the worker as long as neither writes to it, as its collector would.
    gc.collect()
    gc.freeze()
    run(kept(make_app, host, port), host, port)
