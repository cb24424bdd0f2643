"""Robots at a live table: they play through a running match, make way for people, and follow the host's undo."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from typing import Any

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.commands import Command, Play, Reply
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, Game, Seat, fill, holes, illegal
from companion.sim.camera_stage import TableStage
from companion.sim.rehearsal import DivergenceError, Refereed, Rehearsal, Report
from companion.sim.robots import choose
from companion.sim.table import SimTable
from companion.sim.world import World

log = logging.getLogger(__name__)

THINK = 12
"""Frames that a robot thinks before it acts."""


class StoppedError(Exception):
    """The performance was stopped."""


class LiveStage(TableStage):
    """A simulated table whose frames somebody else takes: `next_frame` waits for one, `resting` tells of the eye."""

    def __init__(self, table: SimTable, mat: Mat, next_frame: Callable[[], bool], resting: Callable[[], bool]) -> None:
        """Begin with an empty table; `next_frame` says False when there will be no more frames."""
        super().__init__(table, mat, _nobody)
        self._next_frame = next_frame
        self._is_resting = resting

    def wait(self) -> None:
        """Wait for a frame.

        Raises:
            StoppedError: if there will be none.
        """
        if not self._next_frame():
            raise StoppedError

    def _step(self) -> None:
        self.wait()

    def _resting(self) -> bool:
        return self._is_resting()


def _nobody(view: TableView) -> None:
    """Views of a live table go to the match by themselves."""


class Performance(Rehearsal):
    """A match that robots play at a live table. Seats in `persons` are played by people, on their phones.

    What a person does on a phone is laid on the simulated table for them. `run` blocks until the match is over.
    """

    def __init__(self, game: Game[Any], world: World, referee: Refereed, stage: LiveStage, rng: random.Random) -> None:
        """Deal."""
        super().__init__(game, world, referee, stage, rng, Report())
        self.persons: set[Seat] = set()
        self.paused = threading.Event()
        self._live = stage
        self._saved: list[Any] = []
        self._lock = threading.RLock()

    def run(self) -> None:
        """Play until the match is over or the frames end."""
        try:
            with self._lock:
                self._lay()
            while self.game.actors(self.state) or self._behind() != 0:
                self._once()
        except StoppedError:
            return

    def hand(self, seat: Seat) -> tuple[Piece, ...]:
        """Give the simulated cards in a seat's hand: for the person who plays it, and nobody else."""
        return tuple(self.world.hands.get(seat, ()))

    def checked(self, command: Command) -> Command | Reply:
        """Look at what a person wants to play: it must be a card of the simulated hand.

        Gives the command, with the copy that is really held put for its twin, or a refusal.
        """
        if not isinstance(command, Play) or command.seat not in self.persons:
            return command
        cards, hand = self.game.deck.by_piece(), self.hand(command.seat)
        kind = type(command.action)
        template = next((one for one in self.game.legal(self.state) if type(one) is kind and holes(one)), None)
        action = command.action
        for name, _ in holes(template) if template is not None else ():
            piece = getattr(action, name)
            if piece in hand or piece not in cards:
                continue  # a number that no card has is for the rules to refuse
            title = cards[piece].title
            twin = next((held for held in hand if cards[held].title == title), None)
            if twin is None:
                reason = f"{title} is not among the cards in your simulated hand"
                return Reply(False, verdict=illegal("demo", reason, "Choose one of the cards in your hand."))
            action = fill(action, **{name: twin})
        return Play(seat=command.seat, action=action, facts=command.facts, by=command.by)

    def _behind(self) -> int:
        """Count the records that the robots have not followed yet; negative after an undo."""
        return len(self.referee.records()) - len(self.done)

    def _once(self) -> None:
        """Do whatever is next: follow the record of a person, go back after an undo, wait, or act."""
        records = self.referee.records()
        same = 0
        while same < min(len(records), len(self.done)) and records[same].action == self.done[same][0]:
            same += 1
        if same < len(self.done):
            self._rewind(same)
            return
        if len(records) > same:
            record = records[same]
            if record.action is None:
                raise StoppedError
            self._saved.append(self.world.save())
            self._follow(record.action, record.facts)
            self._lay(record.seat)
            self._live.rest()
            return
        actors = self.game.actors(self.state)
        if not actors:
            self._live.wait()
            return
        if self.paused.is_set() or any(seat in self.persons for seat in actors):
            self._live.wait()
            return
        for _ in range(THINK if actors != (TABLE,) else 1):
            self._live.wait()
        if self._behind() == 0 and not self.persons.intersection(actors):
            self._act(choose(self.game, self.state, self.world, self.rng))

    def _act(self, action: Action) -> None:
        self._saved.append(self.world.save())
        count = len(self.done)
        try:
            self._turn(action)
        except DivergenceError as divergence:
            # Somebody meddled (the host took something back, a person was quicker): look again where we are.
            log.info("robots: %s", divergence)
            del self._saved[len(self.done) :]
            if len(self.done) > count and self._behind() < 0:
                for _ in range(THINK):
                    self._live.wait()

    def _rewind(self, count: int) -> None:
        """Go back to where the log is, and put the pieces back."""
        self._silent = None
        self.state = self.states[count]
        self.world.restore(self._saved[count])
        del self.states[count:], self.done[count:], self._saved[count:]
        self._lay()
        self._live.rest()
