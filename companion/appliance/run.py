"""Tables are started here: a real one or the simulated one, with journal, camera and server, until they are stopped."""

from __future__ import annotations

import logging
import secrets
import sqlite3
import sys
from collections.abc import Callable, Mapping
from typing import Any

from companion import games
from companion.appliance import heap, network
from companion.appliance.backup import BackupError, undo_cut_restore
from companion.appliance.health import Served, kept
from companion.appliance.settings import Settings, owner_for, settings
from companion.devices.cameras import open_camera
from companion.devices.recorder import Recorder
from companion.devices.recording import RecordingError
from companion.devices.service import PermanentError
from companion.eye.view import Trouble
from companion.paths import state_dir
from companion.referee.clock import SECONDS
from companion.referee.commands import MODES
from companion.referee.journal import Header, Journal, JournalError, JournalReader, new_id, now, read_only
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Game
from companion.server.settings_api import SettingsError
from companion.sim.world import WorldError
from companion.table.camera_loop import Pictures
from companion.table.folding import TellError, folded
from companion.table.session import NoCamera, Session, any_seed, rules_of
from companion.table.table import Demo, DemoTable, Table, TableError

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
    address = (network.address() or "127.0.0.1") if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"HTTP://{address}/J" if port == 80 else f"HTTP://{address}:{port}/J"


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


def serve_table(
    game: Game[Any] | None,
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
    pin: str | None = None,
) -> None:
    """Referee a real table until stopped. Without a camera named it is the first one, or in a ledger none.

    Without a game people gather, and the host chooses one on his page. `bid_seconds` is how long a bid may take (0: no
    clock); with a `trainer` only the host takes steps back; `record` keeps so many of the last minutes of the camera's
    pictures; `pin` is the host's, a new one each time if left out. To resume "open" is to go on with the match that
    was played last, if it is not over.

    Raises:
        TableError: if there is no such mode. What turns out later (no journal, no camera, no match to resume) is said,
            and the process ends.
    """
    if mode not in MODES:
        raise TableError(f"there is no mode called {mode}; choose {', '.join(MODES)}")

    first = Header(
        id=new_id(), at=now(), game=game.info.name if game else GATHERING, seats=seats if game else MOST,
        options=dict(options), mode=mode, bid_seconds=bid_seconds, trainer=trainer,
    )  # fmt: skip
    before = _played_last()

    def make() -> Table:
        journal, recorder = _journal(), _recorder(record)
        header = first
        if (interrupted := _played_since(before, journal)) is not None:
            # This process took the place of one that died: people are in the middle of that match.
            header = interrupted
        elif resume == "open":
            header = open_match(journal) or header
        elif resume is not None:
            try:
                header = journal.header(resume)
            except JournalError as error:
                raise TableError(f"{error}") from None
        built: list[Table] = []

        def tell(trouble: Trouble | None) -> None:
            for table in built:
                table.session.camera_loop.tell_trouble(trouble)

        def look() -> Pictures:
            return open_camera("0" if camera is None else camera, tell)

        def make_session(header: Header, version: int) -> Session:
            rules, mat = rules_of(header)
            blind = camera is None and header.mode == "ledger"
            # The first camera is opened at once: who starts the program should see why it can't.
            first = None if built or blind else look()
            make_camera = NoCamera if blind else (lambda: first) if first is not None else look
            take = recorder.take if recorder is not None else None
            return Session(rules, mat, header, journal, make_camera, version=version, record=take)

        try:
            if header.game == GATHERING and camera is not None:
                # A camera that was named and isn't there is better said now than when the host begins a match.
                look().close()
            owner = owner_for(pin is not None, recorder.minutes if recorder else 0)
            built.append(Table(make_session, header, journal, join_url(host, port), recorder, owner))
        except PermanentError as error:
            raise TableError(f"{error}") from None
        return built[0]

    _serve(make, host, port, pin)


def serve_demo(
    game: Game[Any], seats: int, host: str, port: int, seed: int | None, speed: float, faults: bool,
    record: float | None = None, people: int = 0, pin: str | None = None, named: bool = True,
) -> None:  # fmt: skip
    """Let robots play on the simulated table until stopped; the first `people` seats wait for people.

    One match follows another: of the same game if it was `named`, else of each in turn.

    Raises:
        TableError: if there are fewer seats than people.
    """
    if people > seats:
        raise TableError(f"{people} people can't sit on {seats} seats; let them be --seats {people}")
    chosen = any_seed() if seed is None else seed

    def make() -> Table:
        mat = games.load_mat(game.info.name, seats)
        url = join_url(host, port)
        journal, recorder = _journal(), _recorder(record)
        owner = owner_for(pin is not None, recorder.minutes if recorder else 0)
        demo = Demo(game, mat, chosen, speed, faults, people, named)
        return DemoTable(demo, journal, url, recorder, owner)

    _serve(make, host, port, pin)


def _serve(make: Callable[[], Table], host: str, port: int, pin: str | None = None) -> None:
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

    from companion.server.app import create_app
    from companion.server.serve import run

    # Drawn here, so that it stays the same should a worker die and another take its place.
    drawn = f"{secrets.randbelow(10**6):06}"

    def make_app() -> Served:
        heap.share()
        try:
            table = make()
        except (TableError, WorldError, games.GameError) as error:
            sentence = str(error)
            print(sentence[:1].upper() + sentence[1:], file=sys.stderr, flush=True)
            # The status by which gunicorn knows that starting again would not help.
            raise SystemExit(Arbiter.WORKER_BOOT_ERROR) from None
        table.host_pin = drawn if pin is None else pin
        table.start()
        # A Wi-Fi may come after us, and the hotspot open later: the codes follow.
        here = network.AddressMonitor(lambda: join_url(host, port), table.move)
        here.start()
        trimmer = heap.Trimmer()
        trimmer.start()
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
        # A PIN that the host has chosen is for nobody's log.
        told = "the host's PIN is yours" if pin is not None else f"host PIN {table.host_pin}"
        print(f"The table is at http://{shown}:{port}/   ({told})", flush=True)
        if table.session.sandbox is not None:
            print(f"To play: sit down at http://{shown}:{port}/join, lay your cards at /simulated", flush=True)

        def close() -> None:
            here.close()
            trimmer.close()
            table.close()

        app = create_app(table, key_file=state_dir() / "seats.json", close=close)
        return Served(app, lambda patience: table.match.answers(patience), lambda: table.snapshot().title)

    run(kept(make_app, host, port), host, port)
