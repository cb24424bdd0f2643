"""One match at a table, from the camera to the snapshot: put up when the match begins, taken down after it."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import msgspec

from companion import games
from companion.devices.camera_base import Camera
from companion.eye.eye import Eye
from companion.eye.faces.deck import TaughtDeck
from companion.eye.mat import Mat
from companion.eye.view import Frame, TableView
from companion.referee.chain import short
from companion.referee.choosing import with_choices
from companion.referee.commands import Command, Name, Reply
from companion.referee.course import Course, course
from companion.referee.journal import Header, Journal
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot
from companion.referee.steady import Steady
from companion.rules.cards import Piece
from companion.rules.gathering import Gathering
from companion.rules.kernel import AnyGame, Seat, any_game
from companion.server.table_api import ServedError
from companion.sim.camera import SimulatedCamera
from companion.sim.faults import NONE, RESTLESS
from companion.sim.performance import LiveStage, Performance, UnfinishedError
from companion.sim.rows import STRIP
from companion.sim.sandbox import SharedTable
from companion.sim.world import world_of
from companion.table.camera_loop import CameraLoop, Hints, Pictures
from companion.table.camera_view import CameraSight
from companion.table.factory import (
    alike_in,
    face_pictures,
    hints,
    make_eye,
    printed_faces,
    simulated_camera,
    taught_decks,
    with_stickers,
)
from companion.table.last_seen import LastSeen
from companion.table.loan import Loan
from companion.table.overrides import Overrides
from companion.table.thinking import Thinker
from companion.table.virtual_hands import Sandbox
from companion.text import said, t

ROBOTS = ("Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gro", "Hal")
"""What the robots are called."""
LOST = t("The robots can't follow that correction: take it back, or begin another match.")


class NoCamera(Camera):
    """Stands in where a match is kept by phones alone."""

    live = False

    def frames(self) -> Iterator[Frame]:
        """Return none."""
        return iter(())


class Session:
    """A match with its eye and camera. `start` it, and `close` it."""

    sandbox: Sandbox | None = None

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        header: Header,
        journal: Journal | None,
        make_camera: Callable[[], Pictures],
        *,
        version: int = 0,
        record: Callable[[Frame], None] | None = None,
    ) -> None:
        """Put the parts together; the camera is made at the start. `record` gets every frame; snapshots follow
        `version`.

        Raises:
            RuleError: if the set-up does not fit the game.
            JournalError: if the match can't be written down.
        """
        self.game = game
        self.mat = mat
        self.match: Match
        self._hinted: tuple[object, Hints] = None, Hints()
        self._overrides = overrides = Overrides(lambda view: self.match.see(view))
        self._last_seen = LastSeen(journal.folder if journal is not None else None, header.id)
        self._keeps = False
        self.camera_loop = CameraLoop(
            mat,
            make_camera,
            self._open_eye,
            self._see,
            lambda time: self.match.tick(time),
            record,
            self._hints,
            lambda: self.match.snapshot.pointers,
        )
        self.match = Match(game, mat, header, journal, self.camera_loop.before_and_after, version)
        self.sight = CameraSight(game, mat, self.camera_loop, overrides) if header.mode != "ledger" else None
        self.cards = game.deck.by_piece()
        self.preparing = game.info.preparing
        self.lays = game.info.lays
        self.guide = game.info.guide
        self.threads = [self.match.thread, self.camera_loop.thread]
        """All are started with the match."""

    def _decks(self) -> tuple[TaughtDeck, ...]:
        return taught_decks(self.game.info.name)

    def _open_eye(self) -> Eye:
        """Make an eye; one that knows faces begins with what lay there when the table rested last."""
        decks = self._decks()
        self._keeps = bool(decks)
        eye = make_eye(self.game, self.mat, decks)
        eye.recall(self._last_seen.placements)
        return eye

    def _see(self, view: TableView) -> None:
        if self._keeps:
            self._last_seen.see(view)
        self._overrides.see(view)

    def _hints(self) -> Hints:
        state = self.match.state
        if self._hinted[0] is not state:
            self._hinted = state, hints(self.game, state)
        return self._hinted[1]

    def shown(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of the match as everybody is to see it."""
        return snapshot

    def start(self) -> None:
        """Start the match and the camera."""
        self.match.start()
        self.camera_loop.start()
        for thread in self.threads[2:]:
            thread.start()

    def close(self) -> None:
        """Stop both, in reverse order, and whoever plays: a thread that goes on holds all of the match."""
        self.camera_loop.close()
        self.match.close()
        for thread in self.threads[2:]:
            thread.end()

    def command(self, command: Command) -> Reply:
        """Send a command to the match."""
        return self.match.command(command)

    def course(self) -> Course:
        """Look back on the match."""
        records, head = self.match.head()
        now = self.match.snapshot
        told = course(self.game, self.match.header, self.match.records(), now.names)
        return msgspec.structs.replace(told, records=records, head=short(head), colours=now.colours)

    def stopped(self) -> tuple[str, ...]:
        """List what does not go on though all threads run, a sentence each."""
        return ()

    def speed(self) -> float | None:
        """Nobody plays here but people."""
        return None

    def set_speed(self, speed: float) -> None:
        """Nobody plays here but people."""

    def levels(self) -> dict[Seat, str]:
        """Nobody plays here but people."""
        return {}

    def reason(self, n: int) -> str:
        """Nobody plays here but people."""
        return ""

    def advice(self, seat: Seat) -> str:
        """Refuse: hands are hidden at a real table."""
        raise ServedError(t("Robots give advice at a simulated table only: here nobody knows the hands."))

    def set_level(self, seat: Seat, level: str) -> None:
        """Nobody plays here but people."""

    def awaited(self) -> frozenset[Seat]:
        """Nobody plays here but people."""
        return frozenset()

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Nobody steps aside here."""

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """The companion does not know what people hold."""
        return None


class Robots(msgspec.Struct, frozen=True):
    """How robots play: at `speed` 1 as people do, with `faults` and without `codes` or not; `persons` sit elsewhere."""

    seed: int
    speed: float = 1.0
    faults: bool = False
    codes: bool = True
    persons: frozenset[Seat] = frozenset()
    levels: Mapping[Seat, str] = {}
    """How well they play, where somebody has chosen it."""


class SimulatedSession(Session):
    """A match on the simulated table: robots play, photographed by the simulated camera; people may take seats."""

    sandbox: Sandbox

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        header: Header,
        journal: Journal | None,
        robots: Robots,
        *,
        version: int = 0,
        record: Callable[[Frame], None] | None = None,
    ) -> None:
        """Deal a match; the seats of `robots.persons` wait for people.

        Raises:
            RuleError: if the set-up does not fit the game.
            WorldError: if the game has no world for robots.
        """
        rng = random.Random(robots.seed)
        table = SharedTable(robots.seed)
        printed = () if robots.codes else printed_faces(game, mat)
        self._printed, stickers = with_stickers(printed, face_pictures(game.deck, mat))
        self._speed = self.pace = robots.speed
        """How fast the robots played last, when they did not wait."""

        def make_camera() -> SimulatedCamera:
            chances, speed = RESTLESS if robots.faults else NONE, max(0.05, self._speed)
            camera = simulated_camera(
                game,
                mat,
                table,
                codes=robots.codes,
                stickers=stickers,
                faults=chances,
                seed=robots.seed,
                speed=speed,
            )
            camera.show_colour = True
            return camera

        world = world_of(game, header.seats, header.options, rng)
        names = {**dict(enumerate(ROBOTS[: header.seats], start=1)), **header.names}
        header = msgspec.structs.replace(header, setup=msgspec.to_builtins(world.setup()), names=names)
        super().__init__(game, mat, header, journal, make_camera, version=version, record=record)
        stage = LiveStage(table, mat, self.camera_loop.next_frame, lambda: self.camera_loop.resting)
        if not robots.codes:
            stage.lay_apart(STRIP)
            stage.alike = alike_in(self._printed)
        self.performance = Performance(game, world, self.match, stage, rng)
        self.performance.persons.update(robots.persons)
        self.performance.levels |= {seat: level for seat, level in robots.levels.items() if seat <= header.seats}
        self._thinker = Thinker(game)
        self._advising = threading.Lock()
        self.performance.think = self._thinker.think
        self.sandbox = Sandbox(game, mat, table, self.performance, self.command)
        if self.sight is not None:
            self.sight.teaching.loan = Loan(mat, table, self.performance, self.camera_loop)
        words = t("The robots stumbled over a fault; they begin again by themselves.")
        self.threads.append(Steady("robots", self.performance.run, words=words))

    def close(self) -> None:
        """Stop everything, and end the process in which the robots think."""
        self._thinker.close()
        super().close()
        self._thinker.close()

    def _decks(self) -> tuple[TaughtDeck, ...]:
        return self._printed or super()._decks()

    def _see(self, view: TableView) -> None:
        if not self.performance.lent.is_set():
            super()._see(view)

    def command(self, command: Command) -> Reply:
        """Send a command, if a person's card is in the simulated hand.

        Raises:
            ServedError: while a robot is busy, or the table is lent for teaching.
        """
        if self.performance.lent.is_set():
            raise ServedError(t("The table is lent for teaching: first have the match laid as it lay."))
        try:
            checked = self.performance.checked(command)
        except UnfinishedError as error:
            raise ServedError(said(error)) from None
        return checked if isinstance(checked, Reply) else super().command(checked)

    def shown(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot of the match with whoever has to choose among the simulated cards."""
        people = self.performance.persons.copy()
        return with_choices(snapshot, {seat: sum(self.sandbox.choosing(seat).values()) for seat in people})

    def stopped(self) -> tuple[str, ...]:
        """Return that the robots are lost: they know what they hold by what was played only."""
        return (LOST,) if self.performance.lost else ()

    def speed(self) -> float | None:
        """Return how fast the robots play."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast; 0 lets them wait."""
        self._speed = min(8.0, max(0.0, speed))
        self.pace = self._speed or self.pace
        if isinstance(camera := self.camera_loop.camera, SimulatedCamera):
            camera.speed = self._speed or 1.0
        (self.performance.paused.clear if self._speed else self.performance.paused.set)()

    def levels(self) -> dict[Seat, str]:
        """Return how well the robot at each seat plays, whoever sits there now."""
        return self.performance.levels.copy()

    def reason(self, n: int) -> str:
        """Return why a robot did what a record says, as a sentence; "" if it was none."""
        return self.performance.reasons.get(n, "")

    def advice(self, seat: Seat) -> str:
        """Return what a robot would do; a process of its own thinks, one at a time: frames don't wait for it."""
        with self._advising, closing(Thinker(self.performance.game)) as thinker:
            words = self.performance.advice(seat, thinker.think)
        if not words:
            raise ServedError(t("There is nothing to decide for you now: ask on your turn."))
        return words

    def set_level(self, seat: Seat, level: str) -> None:
        """Make the robot at a seat play so well, from its next move on."""
        self.performance.levels[seat] = level

    def awaited(self) -> frozenset[Seat]:
        """Return the seats that no robot plays."""
        return frozenset(self.performance.persons)

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back under its own name."""
        (self.performance.persons.add if person else self.performance.persons.discard)(seat)
        if not person:
            super().command(Name(seat=seat, name="".join(ROBOTS[seat - 1 : seat]), by="table"))

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Return the simulated cards that a person's seat holds."""
        return self.performance.hand(seat) if seat in self.performance.persons else None


def gather(header: Header, version: int = 0) -> Session:
    """Let people take their seats before the host has chosen a game: nothing is written down, no camera is needed."""
    mat = Mat("gathering", "Companion", 900, 506, "", (), (), (), header.seats, 0)
    header = msgspec.structs.replace(header, mode="ledger")
    return Session(any_game(Gathering()), mat, header, None, NoCamera, version=version)


def rules_of(header: Header) -> tuple[AnyGame, Mat]:
    """Find a header's game, and its mat; raise GameError if there is none, or a file of it does not fit."""
    return games.load(header.game), games.load_mat(header.game, header.seats)


def any_seed() -> int:
    """Choose a seed for robots that nobody asked to repeat."""
    return secrets.randbelow(10**6)
