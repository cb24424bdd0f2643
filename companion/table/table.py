"""The one place where a table is put together: journal, devices, server, and the matches that are played at it."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from itertools import chain
from typing import Any

import msgspec

from companion.devices.device_manager import Devices, build
from companion.devices.display_pages import Invitation
from companion.devices.pins import SimulatedBoard
from companion.devices.recorder import Recorder
from companion.eye.mat import Mat
from companion.press.debrief import debrief
from companion.referee.commands import Command, Reply
from companion.referee.course import Course
from companion.referee.journal import Evidence, Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card, Piece
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, Action, Game, Need, RuleError, Seat, name_seats
from companion.server.settings_api import Owner, SettingsError
from companion.server.table_api import StandIn
from companion.server.words.tongues import HouseTongue, course_in
from companion.sim.performance import Performance
from companion.steady import Steady
from companion.table.camera_loop import CameraLoop, Pictures
from companion.table.camera_view import CameraSight
from companion.table.encore import Encore
from companion.table.factory import wifi
from companion.table.matches import Matches
from companion.table.print_queue import Printed
from companion.table.session import Played, Session, any_seed, gather, rules_of
from companion.table.stand_ins import StandIns
from companion.table.virtual_hands import Sandbox

log = logging.getLogger(__name__)


class TableError(Exception):
    """A table that can't be put together; the message says why and what to do."""


SessionMaker = Callable[[Header, int], Session]
"""Puts a match up at a table; snapshots count on from the number."""
OwnerFor = Callable[[Callable[[bool], None], bool], Owner]
"""Makes a table's settings, given what silences its buzzer and whether there is one to be heard."""


def session_maker(
    game: Game[Any], mat: Mat, journal: Journal | None, make_camera: Callable[[], Pictures]
) -> SessionMaker:
    """Put up matches of one game only, before one camera."""
    return lambda header, version: Session(game, mat, header, journal, make_camera, version=version)


class Table:
    """A table: what outlives a match (devices, journal, PIN) and the session there is now.

    It is a `companion.server.table_api.TableService`; `start` it, and `close` it.
    """

    simulated = False

    def __init__(
        self,
        make_session: SessionMaker,
        header: Header,
        journal: Journal | None,
        url: str,
        recorder: Recorder | None = None,
        owner_for: OwnerFor | None = None,
    ) -> None:
        """Put the parts together, with the match of a header. A recorder is closed with the table.

        Without `owner_for` nothing is settled, and nothing can be.

        Raises:
            TableError: if the set-up does not fit the game.
        """
        self.join_url = url
        self.prints = Printed()
        self.host_pin = f"{secrets.randbelow(10**6):06}"
        self._make_session = make_session
        self._recorder = recorder
        self._journal = journal
        try:
            self.session = self._put_up(header, 0)
        except (RuleError, JournalError) as error:
            raise TableError(name_seats(f"{error}", {})) from None
        self.devices: Devices = build(invitation=Invitation(url, *wifi()))
        self.devices.on_button = self._on_button
        try:
            self.owner = owner_for(self.mute, self.muted is not None) if owner_for is not None else None
        except SettingsError as error:
            raise TableError(f"{error}") from None
        self._tongue = HouseTongue(lambda: self.language, self.prints)
        self.devices.tongue = self._tongue.about
        self.devices.buzzer.mute(self.owner is not None and self.owner.muted)
        self.matches = Matches(
            journal, lambda: self.match, self._next, may_resume=not self.simulated, tongue=self._tongue
        )
        self._stand_ins = StandIns(lambda: self.match, file=journal.folder / "robots.json" if journal else None)
        self._closed = threading.Event()
        words = "Showing the match on display and lamps failed; it begins again by itself."
        self._follower = Steady("devices", self._follow, words=words, vital=False)

    def move(self, url: str) -> None:
        """Have phones join at another address from now on."""
        log.info("phones join at %s", url)
        self.join_url = url
        self.devices.invite(Invitation(url, *wifi()))

    def _put_up(self, header: Header, version: int) -> Session:
        return gather(header, version) if header.game == GATHERING else self._make_session(header, version)

    @property
    def language(self) -> str:
        """The table's own language; empty: English."""
        return self.owner.language if self.owner is not None else ""

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.session.game

    @property
    def mat(self) -> Mat:
        """The mat on the table."""
        return self.session.mat

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.session.match

    @property
    def camera_loop(self) -> CameraLoop:
        """The eye's thread."""
        return self.session.camera_loop

    @property
    def sandbox(self) -> Sandbox | None:
        """The simulated table as people's hands find it."""
        return self.session.sandbox

    @property
    def sight(self) -> CameraSight | None:
        """What the camera sees, if one watches over this match."""
        return self.session.sight

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
        self.session.start()
        self.devices.start()
        self._follower.start()
        self._stand_ins.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._closed.set()
        self._stand_ins.close()
        self.session.close()
        if self._recorder is not None:
            self._recorder.stop()
        self.devices.close()
        if self._journal is not None:
            self._journal.close()

    def _next(self, header: Header) -> None:
        """Take the match down and put up another. It is put together first: if it can't be, the old one goes on."""
        old = self.session
        # Far enough ahead that what the old match still publishes is not newer.
        fresh = self._put_up(header, old.match.snapshot.version + 1000)
        self.session = fresh
        old.close()
        fresh.start()

    # ------------------------------------------------------------------------------------------------- threads

    def threads(self) -> tuple[Steady, ...]:
        """List the threads that the table lives by."""
        return (*self.session.threads, self._follower, self._stand_ins.thread)

    def _follow(self) -> None:
        """Show every snapshot on the devices, and the last one again if the host has chosen another language."""
        version, language = -1, self.language
        while not self._closed.is_set():
            snapshot = self.wait(version, 1.0)
            if (snapshot.version, self.language) != (version, language):
                version, language = snapshot.version, self.language
                self.devices.show(snapshot)

    def _on_button(self, press: str) -> None:
        command = self.devices.command(press)
        if command is not None:
            reply = self.command(command)
            if not reply.ok and reply.verdict is not None:
                self.devices.sound("violation")

    # ---------------------------------------------------------------------------------------------------- the pages

    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""
        return self.match.snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a newer snapshot; the next match's are newer than the last one's."""
        match = self.match
        snapshot = match.wait(version, timeout)
        return snapshot if match is self.match else self.match.snapshot

    def clock(self) -> float:
        """Return the time by which bids are measured."""
        return self.match.clock()

    def command(self, command: Command) -> Reply:
        """Send a command to the match."""
        return self.session.command(command)

    def decode_action(self, raw: Any) -> Action:
        """Turn parsed JSON into an action of the game."""
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        """List what the table itself has to do now."""
        session = self.session
        state = session.match.state
        if session.game.actors(state) != (TABLE,):
            return ()
        # What seats may do meanwhile (Karmic: roll while cards are dealt) they are offered themselves.
        return tuple(action for action in session.game.legal(state) if action.seat == TABLE)

    def needs(self, action: Action) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        session = self.session
        return session.game.needs(session.match.state, action)

    def card(self, piece: Piece) -> Card:
        """Find what is printed on a piece."""
        return self.session.cards[piece]

    def picture(self) -> bytes | None:
        """Return the last picture, and have more drawn for a while."""
        return self.camera_loop.picture()

    def picture_version(self) -> int:
        """Return the last picture's number."""
        return self.camera_loop.picture_version

    def oled_png(self) -> bytes | None:
        """Return what the OLED shows."""
        return self.devices.oled_png()

    def course(self) -> Course:
        """Look back on the match."""
        return self.session.course()

    def debrief(self) -> bytes:
        """Return the same to print, as a PDF."""
        course = self.course()
        say = self._tongue(course.names, course.game)
        return debrief(course_in(course, say), say)

    def evidence(self, n: int) -> Evidence | None:
        """Return why a record was understood so."""
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

    def health_issues(self) -> tuple[str, ...]:
        """Say what is wrong with the computer itself."""
        return tuple(f"{one.words} {one.remedy}".strip() for one in self.devices.health_issues)

    def stopped(self) -> tuple[str, ...]:
        """List what does not go on at the moment, a sentence each."""
        said = [thread.words for thread in self.threads() if thread.words]
        return tuple(dict.fromkeys([*said, *self.session.stopped()]))

    def speed(self) -> float | None:
        """Return how fast the robots play, if there are any."""
        return self.session.speed()

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast; 0 lets them wait."""
        self.session.set_speed(speed)

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Hear that a person took a seat or left it."""
        if person:
            self._stand_ins.sit(seat, robot=False)
        self.session.set_occupied(seat, person)

    def robots(self) -> tuple[StandIn, ...]:
        """List the seats of a real table that robots play for people who left."""
        return self._stand_ins.there()

    def sit_in(self, seat: Seat, robot: bool) -> None:
        """Let a robot play a seat of a real table, or give the seat back."""
        self._stand_ins.sit(seat, robot)

    def reject_suggestion(self, seat: Seat) -> None:
        """Have a robot want something else: the hand has nothing that fits."""
        self._stand_ins.reject_suggestion(seat)

    def coming(self) -> str:
        """Nobody but people begins a match here."""
        return ""

    def stay(self) -> None:
        """Nobody but people begins a match here."""

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Return the simulated cards that a person's seat holds."""
        return self.session.hand(seat)


class DemoTable(Table):
    """The simulated table: robots play on it, photographed by the simulated camera; people may take their seats."""

    simulated = True

    def __init__(
        self, game: Game[Any], mat: Mat, journal: Journal | None, url: str, seed: int, speed: float, faults: bool,
        recorder: Recorder | None = None, people: int = 0, owner_for: OwnerFor | None = None, named: bool = True,
    ) -> None:  # fmt: skip
        """Deal a match for the number of seats that the mat is laid for; the first `people` seats wait for people.

        Where the game was not `named` the match after it is of another.
        """
        self._persons = set(range(1, people + 1))
        self._pace = speed
        seeds = chain((seed,), iter(any_seed, None))

        def make_session(header: Header, version: int) -> Played:
            # A later match finds its files as they are then: its zones may have been moved meanwhile.
            rules = rules_of(header) if version else (game, mat)
            return Played(
                *rules, header, journal, seed=next(seeds), speed=self._pace, faults=faults,
                persons=frozenset(self._persons), version=version, record=recorder.take if recorder else None,
            )  # fmt: skip

        header = Header(id=new_id(), at=now(), game=game.info.name, seats=mat.seats)
        super().__init__(make_session, header, journal, url, recorder, owner_for)
        self._encore = Encore(lambda: self.match, self.matches, named)

    def start(self) -> None:
        """Start all, and have robots begin one match after another."""
        super().start()
        self._encore.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._encore.close()
        super().close()

    def threads(self) -> tuple[Steady, ...]:
        """List the threads that the table lives by."""
        return (*super().threads(), self._encore.thread)

    def coming(self) -> str:
        """Return the title of the game that robots begin soon, for their match is over; "" if none."""
        return self._encore.coming()

    def stay(self) -> None:
        """Have the robots stay with the match that is over."""
        self._encore.stay()

    @property
    def performance(self) -> Performance:
        """The robots' playing."""
        session = self.session
        if not isinstance(session, Played):
            raise TableError("nobody plays: no match has been begun")
        return session.performance

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast, in the next match too."""
        super().set_speed(speed)
        self._pace = self.speed() or self._pace

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back; in the next match too."""
        (self._persons.add if person else self._persons.discard)(seat)
        super().set_occupied(seat, person)
