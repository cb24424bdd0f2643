"""The one place where a table is put together: journal, devices, server, and the matches that are played at it."""

from __future__ import annotations

import gc
import logging
import secrets
import threading
from collections.abc import Callable
from itertools import chain

import msgspec

from companion.devices.device_manager import Devices, build
from companion.devices.display_pages import Invitation
from companion.devices.recorder import Recorder
from companion.devices.voice import Voice
from companion.eye.mat import Mat
from companion.eye.phone_link import PhoneLink
from companion.kept import forget
from companion.press.debrief import debrief
from companion.referee.journal import Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.publishing import rewritten
from companion.referee.snapshot import Snapshot
from companion.referee.steady import Steady
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, AnyGame, RuleError, Seat, name_seats
from companion.server.hall_api import HallDesk
from companion.server.settings_api import Owner, SettingsError
from companion.server.words.voice import say_in
from companion.sim.performance import Performance
from companion.table.aiming import Aiming
from companion.table.camera_loop import Pictures
from companion.table.factory import wifi
from companion.table.made_games import MadeGames
from companion.table.matches import Matches
from companion.table.next_match import NextMatch
from companion.table.print_queue import Printed
from companion.table.session import Robots, Session, SimulatedSession, any_seed, gather, rules_of
from companion.table.stand_ins import StandIns
from companion.text import said

log = logging.getLogger(__name__)


class TableError(Exception):
    """A table that can't be put together; the message says why and what to do."""


SessionMaker = Callable[[Header, int], Session]
"""Puts a match up at a table; snapshots count on from the number."""
OwnerFor = Callable[[Callable[[bool], None], bool], Owner]
"""Makes a table's settings, given what silences its buzzer and whether there is one to be heard."""


def session_maker(
    game: AnyGame, mat: Mat, journal: Journal | None, make_camera: Callable[[], Pictures]
) -> SessionMaker:
    """Put up matches of one game only, before one camera."""
    return lambda header, version: Session(game, mat, header, journal, make_camera, version=version)


class Table:
    """A table: what outlives a match (devices, journal, PIN) and the session there is now, as a `TableService`."""

    simulated = False
    phone: PhoneLink | None = None
    """The phone that may be the camera; None where none may."""
    aiming: Aiming | None = None
    """What aims the camera before the first match; None where there is nothing to aim."""
    next_match: NextMatch | None = None
    """Robots that begin the next match, at a table that has some."""

    def __init__(
        self,
        make_session: SessionMaker,
        header: Header,
        journal: Journal | None,
        url: str,
        recorder: Recorder | None = None,
        owner_for: OwnerFor | None = None,
    ) -> None:
        """Put the parts together, with a header's match and a recorder to close; without `owner_for` nothing is
        settled.

        Raises:
            TableError: if the set-up does not fit the game.
        """
        self.join_url = url
        self.prints = Printed(journal.folder / "faces" if journal else None)
        self.host_pin = f"{secrets.randbelow(10**6):06}"
        self._make_session = make_session
        self._recorder = recorder
        self._journal = journal
        try:
            self.session = self._put_up(header, 0)
        except (RuleError, JournalError) as error:
            raise TableError(name_seats(said(error), {})) from None
        self.devices: Devices = build(invitation=Invitation(url, *wifi()))
        self.devices.on_button = self.press
        try:
            self.owner = owner_for(self.devices.mute, self.devices.has_buzzer) if owner_for is not None else None
        except SettingsError as error:
            raise TableError(said(error)) from None
        self._shown = self.language
        self.devices.tongue = lambda: say_in(self._shown)
        self.hall = HallDesk()
        self.voice = Voice()
        self.devices.buzzer.mute(self.owner is not None and self.owner.now.muted)
        self.matches = Matches(
            journal, lambda: self.match, self._next, may_resume=not self.simulated, tongue=lambda: say_in(self.language)
        )
        self.maker = MadeGames(
            lambda: self.match.header.game, lambda: self.session.sight, self._made, self.matches.recorded
        )
        self.stand_ins = StandIns(lambda: self.match, file=journal.folder / "robots.json" if journal else None)
        self._closed = threading.Event()
        words = "Showing the match on display and lamps failed; it begins again by itself."
        self._follower = Steady("devices", self._follow, words=words, vital=False)

    def move(self, url: str) -> None:
        """Let phones join at another address from now on."""
        log.info("phones join at %s", url)
        self.join_url = url
        self.devices.invite(Invitation(url, *wifi()))

    def _put_up(self, header: Header, version: int) -> Session:
        return gather(header, version) if header.game == GATHERING else self._make_session(header, version)

    def _made(self, game: str) -> None:
        self.prints.forget(game)
        self.matches.look_again()

    @property
    def language(self) -> str:
        """The table's own language; empty: English."""
        return self.owner.now.language if self.owner is not None else ""

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.session.match

    def start(self) -> None:
        """Start the match, the devices and the camera."""
        if self._recorder is not None:
            self._recorder.start()
        self.session.start()
        if self.aiming is not None:
            self.aiming.start()
        self.devices.start()
        self._follower.start()
        self.stand_ins.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._closed.set()
        self.stand_ins.close()
        self._let_camera_go()
        self.session.close()
        if self._recorder is not None:
            self._recorder.stop()
        self.devices.close()
        self.voice.stop()
        if self._journal is not None:
            self._journal.close()

    def _next(self, header: Header) -> None:
        """Exchange matches; the next is put together first: if it can't be, the old one goes on."""
        old = self.session
        # Far enough ahead that what the old match still publishes is not newer.
        fresh = self._put_up(header, old.match.snapshot.version + 1000)
        self.session = fresh
        self._let_camera_go()
        old.close()
        # Its parts hold each other: by itself Python would find that out when two matches more lie in memory.
        del old
        forget()
        gc.collect()
        fresh.start()

    def _let_camera_go(self) -> None:
        """Two can't look through one camera."""
        aiming, self.aiming = self.aiming, None
        if aiming is not None:
            aiming.close()

    def threads(self) -> tuple[Steady, ...]:
        """List the threads that the table lives by."""
        return (*self.session.threads, self._follower, self.stand_ins.thread)

    def _follow(self) -> None:
        """Show every snapshot on the devices, and the last one again if the host has chosen another language.

        Devices use the language noticed here, so that one taken back between two looks can't stay on the display.
        """
        version, headline = -1, ""
        while not self._closed.is_set():
            snapshot, language = self.session.shown(self.wait(version, 1.0)), self.language
            self.voice.set_level(self.owner.now.voice if self.owner is not None else 0)
            now = snapshot.views[TABLE].headline
            if (snapshot.version, now, language) != (version, headline, self._shown):
                version, headline, self._shown = snapshot.version, now, language
                self.devices.show(snapshot)
                self.voice.hear(snapshot, say_in(language), language)

    def press(self, press: str) -> None:
        """Do what a press on a button of the box means now: "next", "undo", "page", or the knob's."""
        command = self.devices.command(press)
        if command is not None:
            reply = self.session.command(command)
            if not reply.ok and reply.verdict is not None:
                self.devices.sound("violation")

    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""
        return self.match.snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a newer snapshot; the next match's are newer than the last one's."""
        match = self.match
        snapshot = match.wait(version, timeout)
        return snapshot if match is self.match else self.match.snapshot

    def debrief(self) -> bytes:
        """Return the match as far as it has come, to print (PDF)."""
        course = self.session.course()
        say = say_in(self.language)
        return debrief(rewritten(course, say), say)

    def stopped(self) -> tuple[str, ...]:
        """List what does not go on at the moment, a sentence each."""
        said = [thread.words for thread in self.threads() if thread.words]
        # A voice that can't be there at all ("broken") is told with the settings: no page of a match is about it.
        passing = self.voice.level and self.voice.health.state != "broken"
        said += [self.voice.health.words] if passing and self.voice.health.words else []
        return tuple(dict.fromkeys([*said, *self.session.stopped()]))

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Record whether a person occupies a seat: a robot there steps aside, or comes back."""
        if person:
            self.stand_ins.sit(seat, robot=False)
        self.session.set_occupied(seat, person)


class Demo(msgspec.Struct, frozen=True):
    """What robots play at a simulated table: the first `people` seats wait for people.

    The next match is of another game unless it was `named`; without `codes` cards are known by their faces.
    """

    game: AnyGame
    mat: Mat
    seed: int
    speed: float = 1.0
    faults: bool = False
    people: int = 0
    named: bool = True
    codes: bool = True


class DemoTable(Table):
    """The simulated table: robots play on it, photographed by the simulated camera; people may take their seats."""

    simulated = True

    next_match: NextMatch

    def __init__(
        self,
        demo: Demo,
        journal: Journal | None,
        url: str,
        recorder: Recorder | None = None,
        owner_for: OwnerFor | None = None,
    ) -> None:
        """Deal a match for the number of seats that the mat is laid for."""
        self._persons = set(range(1, demo.people + 1))
        seeds = chain((demo.seed,), iter(any_seed, None))

        def make_session(header: Header, version: int) -> SimulatedSession:
            # A later match finds its files as they are then: its zones may have been moved meanwhile.
            game, mat = rules_of(header) if version else (demo.game, demo.mat)
            before = self.session if version else None
            speed, levels = (before.pace, before.levels()) if isinstance(before, SimulatedSession) else (demo.speed, {})
            robots = Robots(next(seeds), speed, demo.faults, demo.codes, frozenset(self._persons), levels)
            take = recorder.take if recorder is not None else None
            return SimulatedSession(game, mat, header, journal, robots, version=version, record=take)

        info = demo.game.info
        header = Header(id=new_id(), at=now(), game=info.name, seats=demo.mat.seats, timing=info.timing)
        super().__init__(make_session, header, journal, url, recorder, owner_for)
        self.next_match = NextMatch(lambda: self.match, self.matches, lambda: frozenset(self._persons), demo.named)

    def start(self) -> None:
        """Start all, and have robots begin one match after another."""
        super().start()
        self.next_match.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self.next_match.close()
        super().close()

    def threads(self) -> tuple[Steady, ...]:
        """List the threads that the table lives by."""
        return (*super().threads(), self.next_match.thread)

    @property
    def performance(self) -> Performance:
        """The robots' playing."""
        session = self.session
        if not isinstance(session, SimulatedSession):
            raise TableError("nobody plays: no match has been begun")
        return session.performance

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back; in the next match too."""
        (self._persons.add if person else self._persons.discard)(seat)
        super().set_occupied(seat, person)
