"""The one place where a table is put together: journal, devices, server, and the matches that are played at it."""

from __future__ import annotations

import logging
import secrets
import sys
import threading
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import msgspec

from companion import games, whereabouts
from companion.box import open_match, wifi
from companion.devices.cameras import open_camera
from companion.devices.desk_set import Devices, build
from companion.devices.pages import Invitation
from companion.devices.pins import SimulatedBoard
from companion.devices.recorder import Recorder
from companion.devices.recording import RecordingError
from companion.devices.service import PermanentError
from companion.evening import Evening
from companion.eye.mat import Mat
from companion.eye.view import Trouble
from companion.health import Served, kept
from companion.lookout import Lookout, Pictures
from companion.paths import state_dir
from companion.press.debrief import debrief
from companion.printed import Printed
from companion.referee.clock import SECONDS
from companion.referee.commands import Command, Reply
from companion.referee.course import Course
from companion.referee.journal import Evidence, Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.referee import MODES
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card, Piece
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, Action, Game, Need, RuleError, Seat, name_seats
from companion.sandbox import Sandbox
from companion.server.desk import SittingIn
from companion.server.owner import SettingsError
from companion.server.words.tongues import HouseTongue, course_in
from companion.settings import Owner, Settings, settings
from companion.sight import CameraSight
from companion.sim.performance import Performance
from companion.sim.world import WorldError
from companion.sitting import NoCamera, Played, Sitting, any_seed, gather, rules_of
from companion.standins import StandIns

log = logging.getLogger(__name__)


class TableError(Exception):
    """A table that can't be put together; the message says why and what to do."""


Seating = Callable[[Header, int], Sitting]
"""Puts a match up at a table; snapshots count on from the number."""


def seated_at(game: Game[Any], mat: Mat, journal: Journal | None, make_camera: Callable[[], Pictures]) -> Seating:
    """Put up matches of one game only, before one camera."""
    return lambda header, version: Sitting(game, mat, header, journal, make_camera, version=version)


class Table:
    """A table: what outlives a match (devices, journal, PIN) and the sitting there is now.

    It is a `companion.server.desk.Desk`; `start` it, and `close` it.
    """

    simulated = False

    def __init__(
        self, seating: Seating, header: Header, journal: Journal | None, url: str, recorder: Recorder | None = None,
        boxed: bool = False,
    ) -> None:  # fmt: skip
        """Put the parts together, with the match of a header. A recorder is closed with the table.

        `boxed`: it was started from its settings, not from a command line.

        Raises:
            TableError: if the set-up does not fit the game.
        """
        self.join_url = url
        self.prints = Printed()
        self.host_pin = f"{secrets.randbelow(10**6):06}"
        self._seating = seating
        self._recorder = recorder
        self._journal = journal
        try:
            self.sitting = self._put_up(header, 0)
        except (RuleError, JournalError) as error:
            raise TableError(name_seats(f"{error}", {})) from None
        self.devices: Devices = build(invitation=Invitation(url, *wifi()))
        self.devices.on_button = self._on_button
        try:
            self.owner = Owner(boxed, self.mute, self.muted is not None, recorder.minutes if recorder else 0)
        except SettingsError as error:
            raise TableError(f"{error}") from None
        self._tongue = HouseTongue(lambda: self.owner.language, self.prints)
        self.devices.tongue = self._tongue.about
        self.devices.buzzer.mute(self.owner.muted)
        self.evening = Evening(
            journal, lambda: self.match, self._next, may_resume=not self.simulated, tongue=self._tongue
        )
        self._stand_ins = StandIns(lambda: self.match)
        self._closed = threading.Event()
        self._follower = threading.Thread(target=self._follow, name="devices", daemon=True)

    def move(self, url: str) -> None:
        """Have phones join at another address from now on."""
        log.info("phones join at %s", url)
        self.join_url = url
        self.devices.invite(Invitation(url, *wifi()))

    def _put_up(self, header: Header, version: int) -> Sitting:
        return gather(header, version) if header.game == GATHERING else self._seating(header, version)

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.sitting.game

    @property
    def mat(self) -> Mat:
        """The mat on the table."""
        return self.sitting.mat

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.sitting.match

    @property
    def lookout(self) -> Lookout:
        """The eye's thread."""
        return self.sitting.lookout

    @property
    def sandbox(self) -> Sandbox | None:
        """The simulated table as people's hands find it."""
        return self.sitting.sandbox

    @property
    def sight(self) -> CameraSight | None:
        """What the camera sees, if one watches over this match."""
        return self.sitting.sight

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons that the page offers where there are no real ones."""
        if not isinstance(self.devices.board, SimulatedBoard):
            return ()
        knob = ("knob:down", "knob", "knob:up", "knob:hold") if self.devices.has_knob else ()
        return ("next", "page", "undo", *knob)

    def start(self) -> None:
        """Start the match, the devices and the camera."""
        if self._recorder is not None:
            self._recorder.start()
        self.sitting.start()
        self.devices.start()
        self._follower.start()
        self._stand_ins.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._closed.set()
        self._stand_ins.close()
        self.sitting.close()
        if self._recorder is not None:
            self._recorder.stop()
        self.devices.close()
        if self._journal is not None:
            self._journal.close()

    def _next(self, header: Header) -> None:
        """Take the match down and put up another. It is put together first: if it can't be, the old one goes on."""
        old = self.sitting
        # Far enough ahead that what the old match still publishes is not newer.
        fresh = self._put_up(header, old.match.snapshot.version + 1000)
        self.sitting = fresh
        old.close()
        fresh.start()

    # ------------------------------------------------------------------------------------------------- threads

    def _follow(self) -> None:
        """Show every snapshot on the devices, and the last one again if the host has chosen another language."""
        version, language = -1, self.owner.language
        while not self._closed.is_set():
            snapshot = self.wait(version, 1.0)
            if (snapshot.version, self.owner.language) != (version, language):
                version, language = snapshot.version, self.owner.language
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
        """Sleep until there is a newer snapshot; the next match's are newer than the last one's."""
        match = self.match
        snapshot = match.wait(version, timeout)
        return snapshot if match is self.match else self.match.snapshot

    def clock(self) -> float:
        """Give the time by which bids are measured."""
        return self.match.clock()

    def command(self, command: Command) -> Reply:
        """Send a command to the match."""
        return self.sitting.command(command)

    def decode_action(self, raw: Any) -> Action:
        """Turn parsed JSON into an action of the game."""
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        """List what the table itself has to do now."""
        sitting = self.sitting
        state = sitting.match.state
        if sitting.game.actors(state) != (TABLE,):
            return ()
        # What seats may do meanwhile (Karmic: roll while cards are dealt) they are offered themselves.
        return tuple(action for action in sitting.game.legal(state) if action.seat == TABLE)

    def needs(self, action: Action) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        sitting = self.sitting
        return sitting.game.needs(sitting.match.state, action)

    def card(self, piece: Piece) -> Card:
        """Find what is printed on a piece."""
        return self.sitting.cards[piece]

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
        return self.sitting.course()

    def debrief(self) -> bytes:
        """Give the same to print, as a PDF."""
        course = self.course()
        say = self._tongue(course.names, course.game)
        return debrief(course_in(course, say), say)

    def evidence(self, n: int) -> Evidence | None:
        """Tell why a record was understood so."""
        return self.match.evidence(n)

    def press(self, button: str) -> None:
        """Press a simulated button."""
        self.devices.press(button)

    @property
    def muted(self) -> bool | None:
        """Whether the buzzer was silenced; a simulated one is not heard anyway."""
        return None if isinstance(self.devices.board, SimulatedBoard) else self.devices.muted

    def mute(self, muted: bool) -> None:
        """Silence the buzzer, or let it sound again."""
        self.devices.mute(muted)

    def ailments(self) -> tuple[str, ...]:
        """Say what is wrong with the computer itself."""
        return tuple(f"{one.words} {one.remedy}".strip() for one in self.devices.ailments)

    def speed(self) -> float | None:
        """Give how fast the robots play, if there are any."""
        return self.sitting.speed()

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast; 0 lets them wait."""
        self.sitting.set_speed(speed)

    def seated(self, seat: Seat, person: bool) -> None:
        """Hear that a person took a seat or left it."""
        if person:
            self._stand_ins.sit(seat, robot=False)
        self.sitting.seated(seat, person)

    def robots(self) -> tuple[SittingIn, ...]:
        """List the seats of a real table that robots play for people who left."""
        return self._stand_ins.there()

    def sit_in(self, seat: Seat, robot: bool) -> None:
        """Let a robot play a seat of a real table, or give the seat back."""
        self._stand_ins.sit(seat, robot)

    def another(self, seat: Seat) -> None:
        """Have a robot want something else: the hand has nothing that fits."""
        self._stand_ins.another(seat)

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Give the simulated cards that a person's seat holds."""
        return self.sitting.hand(seat)


class DemoTable(Table):
    """The simulated table: robots play on it, photographed by the simulated camera; people may take their seats."""

    simulated = True

    def __init__(
        self, game: Game[Any], mat: Mat, journal: Journal | None, url: str, seed: int, speed: float, faults: bool,
        recorder: Recorder | None = None, people: int = 0, boxed: bool = False,
    ) -> None:  # fmt: skip
        """Deal a match for the number of seats that the mat is laid for; the first `people` seats wait for people."""
        self._persons = set(range(1, people + 1))
        self._pace = speed
        seeds = chain((seed,), iter(any_seed, None))

        def seating(header: Header, version: int) -> Played:
            # A later match finds its files as they are then: its zones may have been moved meanwhile.
            rules = rules_of(header) if version else (game, mat)
            return Played(
                *rules, header, journal, seed=next(seeds), speed=self._pace, faults=faults,
                persons=frozenset(self._persons), version=version, record=recorder.take if recorder else None,
            )  # fmt: skip

        header = Header(id=new_id(), at=now(), game=game.info.name, seats=mat.seats)
        super().__init__(seating, header, journal, url, recorder, boxed)

    @property
    def performance(self) -> Performance:
        """The robots' playing."""
        sitting = self.sitting
        if not isinstance(sitting, Played):
            raise TableError("nobody plays: no match has been begun")
        return sitting.performance

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast, in the next match too."""
        super().set_speed(speed)
        self._pace = self.speed() or self._pace

    def seated(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back; in the next match too."""
        (self._persons.add if person else self._persons.discard)(seat)
        super().seated(seat, person)


def join_url(host: str, port: int) -> str:
    """Give the address at which phones join: short, and in capitals for a small code."""
    address = (whereabouts.address() or "127.0.0.1") if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"HTTP://{address}/J" if port == 80 else f"HTTP://{address}:{port}/J"


def _journal() -> Journal:
    try:
        return Journal(state_dir())
    except JournalError as error:
        raise TableError(f"{error}") from None


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
    pictures; `pin` is the host's, a new one each time if left out. To resume "open" is to go on with the newest match,
    if it is not over.

    Raises:
        TableError: if there is no such mode. What turns out later (no journal, no camera, no match to resume) is said,
            and the process ends.
    """
    if mode not in MODES:
        raise TableError(f"there is no mode called {mode}; choose {', '.join(MODES)}")

    def make() -> Table:
        journal, recorder = _journal(), _recorder(record)
        header = Header(
            id=new_id(), at=now(), game=game.info.name if game else GATHERING, seats=seats if game else MOST,
            options=dict(options), mode=mode, bid_seconds=bid_seconds, trainer=trainer,
        )  # fmt: skip
        if resume == "open":
            header = open_match(journal) or header
        elif resume is not None:
            try:
                header = journal.header(resume)
            except JournalError as error:
                raise TableError(f"{error}") from None
        built: list[Table] = []

        def tell(trouble: Trouble | None) -> None:
            for table in built:
                table.lookout.tell_trouble(trouble)

        def look() -> Pictures:
            return open_camera("0" if camera is None else camera, tell)

        def seating(header: Header, version: int) -> Sitting:
            rules, mat = rules_of(header)
            blind = camera is None and header.mode == "ledger"
            # The first camera is opened at once: who starts the program should see why it can't.
            first = None if built or blind else look()
            make_camera = NoCamera if blind else (lambda: first) if first is not None else look
            take = recorder.take if recorder is not None else None
            return Sitting(rules, mat, header, journal, make_camera, version=version, record=take)

        try:
            if header.game == GATHERING and camera is not None:
                # A camera that was named and isn't there is better said now than when the host begins a match.
                look().close()
            built.append(Table(seating, header, journal, join_url(host, port), recorder, pin is not None))
        except PermanentError as error:
            raise TableError(f"{error}") from None
        return built[0]

    _serve(make, host, port, pin)


def serve_demo(
    game: Game[Any], seats: int, host: str, port: int, seed: int | None, speed: float, faults: bool,
    record: float | None = None, people: int = 0, pin: str | None = None,
) -> None:  # fmt: skip
    """Let robots play on the simulated table until stopped; the first `people` seats wait for people.

    Raises:
        TableError: if there are fewer seats than people.
    """
    if people > seats:
        raise TableError(f"{people} people can't sit on {seats} seats; let them be --seats {people}")
    chosen = any_seed() if seed is None else seed

    def make() -> Table:
        mat = games.load_mat(game.info.name, seats)
        url = join_url(host, port)
        boxed = pin is not None
        return DemoTable(game, mat, _journal(), url, chosen, speed, faults, _recorder(record), people, boxed)

    _serve(make, host, port, pin)


def _serve(make: Callable[[], Table], host: str, port: int, pin: str | None = None) -> None:
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

    from companion.server.app import create_app
    from companion.server.serve import run

    def make_app() -> Served:
        try:
            table = make()
        except (TableError, WorldError, games.GameError) as error:
            sentence = str(error)
            print(sentence[:1].upper() + sentence[1:], file=sys.stderr, flush=True)
            # The status by which gunicorn knows that starting again would not help.
            raise SystemExit(Arbiter.WORKER_BOOT_ERROR) from None
        if pin is not None:
            table.host_pin = pin
        table.start()
        # A Wi-Fi may come after us, and the hotspot open later: the codes follow.
        here = whereabouts.Whereabouts(lambda: join_url(host, port), table.move)
        here.start()
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
        # A PIN that the host has chosen is for nobody's log.
        told = "the host's PIN is yours" if pin is not None else f"host PIN {table.host_pin}"
        print(f"The table is at http://{shown}:{port}/   ({told})", flush=True)
        if table.sandbox is not None:
            print(f"To play: sit down at http://{shown}:{port}/join, lay your cards at /simulated", flush=True)

        def close() -> None:
            here.close()
            table.close()

        app = create_app(table, key_file=state_dir() / "seats.json", close=close)
        return Served(app, lambda patience: table.match.answers(patience), lambda: table.snapshot().title)

    run(kept(make_app, host, port), host, port)
