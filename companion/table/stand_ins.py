"""Robots that sit in for people who have left a real table, so that the others can play on.

Such a robot has no hands and sees no hand of cards. What can be said it says (a pass, a bid, a roll, a move of open
pieces). Where a card of the hand is needed it says which would do, and somebody lays the first that fits. It is given a
seat of one match, also over a restart.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.files import written_whole
from companion.referee.commands import Answer, Command, Play, Reply, Roll
from companion.referee.match import Match
from companion.referee.snapshot import Question, Snapshot
from companion.referee.steady import Steady
from companion.rules.engine import tag_of
from companion.rules.kernel import Action, AnyGame, Seat, holes

log = logging.getLogger(__name__)

THINK = 3.5
"""Seconds that a robot waits after a record, so that people see what happened."""
PATIENCE = 60.0
"""Seconds that it waits for what is still to be moved on the table."""
PULSE = 0.5
"""Seconds between looks at a table at which nothing happens."""
MATCHES = 50
"""Matches whose robots are kept, the newest of them."""


class StandIns:
    """Plays the seats that it was given in the current match. `start` it, and `close` it."""

    def __init__(
        self,
        match: Callable[[], Match],
        clock: Callable[[], float] = time.monotonic,
        seed: int | None = None,
        file: Path | None = None,
    ) -> None:
        """`match` gives the match that is played now, `clock` seconds; in `file` it is kept who plays which seat."""
        self._match = match
        self._clock = clock
        self._rng = random.Random(seed)
        self._file = file
        self._given: dict[str, list[Seat]] = self._load()
        self._wanted: dict[Seat, Action] = {}
        self._refused: dict[Seat, list[Action]] = {}
        self._at: tuple[str, int] = ("", -1)
        self._since = 0.0
        self._lock = threading.RLock()
        self._closed = threading.Event()
        words = "The robots stumbled over a fault; they begin again by themselves."
        self.thread = Steady("stand-ins", self._run, words=words, vital=False)

    def start(self) -> None:
        """Start to play."""
        self.thread.start()

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        self.thread.end()

    def sit(self, seat: Seat, robot: bool) -> None:
        """Let a robot play a seat, or give the seat back."""
        with self._lock:
            seats, match = self._seats(), self._match().snapshot.match
            self._wanted.pop(seat, None)
            if robot == (seat in seats):
                return
            given = {kept: played for kept, played in self._given.items() if kept != match}
            if seats := seats ^ {seat}:
                given[match] = sorted(seats)
            self._given = dict(list(given.items())[-MATCHES:])
            self._save()

    def reject_suggestion(self, seat: Seat) -> None:
        """Make a robot want something else: the hand has nothing that fits."""
        with self._lock:
            past = self._wanted.pop(seat, None)
            if past is not None and seat in self._seats():
                self._refused.setdefault(seat, []).append(past)
                self._act(self._match(), seat)

    def there(self) -> dict[Seat, str]:
        """Return the seats that robots play, and what each wants to have done for it."""
        with self._lock:
            match = self._match()
            state = match.state
            legal = list(match.game.legal(state)) if self._wanted else []
            told = {seat: match.game.describe(state, one) for seat, one in self._wanted.items() if one in legal}
            return {seat: told.get(seat, "") for seat in sorted(self._seats())}

    def look(self) -> None:
        """Do what is next, if it is a robot's to do and the table is ready for it."""
        with self._lock:
            match = self._match()
            snapshot, now = match.snapshot, self._clock()
            at = snapshot.match, snapshot.record
            if at != self._at:
                self._at, self._since = at, now
                self._wanted.clear()
                self._refused.clear()
            waits = PATIENCE if snapshot.owed else THINK
            seats = self._seats()
            if not seats or not _ready(snapshot) or now - self._since < waits:
                return
            if snapshot.question is not None:
                self._answer(match, snapshot.question)
                return
            state = match.state
            for seat in match.game.actors(state):
                if seat in seats and seat not in self._wanted:
                    self._act(match, seat)
                    return

    def _seats(self) -> set[Seat]:
        return set(self._given.get(self._match().snapshot.match, ()))

    def _load(self) -> dict[str, list[Seat]]:
        if self._file is None or not self._file.exists():
            return {}
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, list[Seat]])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("%s can't be read (%s): no robot sits in", self._file.name, error)
            return {}

    def _save(self) -> None:
        if self._file is None:
            return
        try:
            with written_whole(self._file) as file:
                file.write(msgspec.json.encode(self._given))
        except OSError as error:
            # A full disk must not keep anybody from playing on: only a restart would forget the robots.
            log.warning("who sits in is not kept: %s", error)

    def _answer(self, match: Match, question: Question) -> None:
        """Answer what only the seat itself could know; how a picture is to be read is for people to say."""
        seats = self._seats().intersection(question.seats)
        if question.kind == "choice" and seats:
            choice = self._rng.choice(question.choices).key
            self._send(match, Answer(seat=min(seats), question=question.id, choice=choice, by="robot"))

    def _act(self, match: Match, seat: Seat) -> None:
        """Do or want something that was not refused; doing nothing only if there is nothing else."""
        game, state, refused = match.game, match.state, self._refused.setdefault(seat, [])
        # What nobody sees on the table people say of themselves: no robot knows it.
        unseen = game.info.unseen
        legal = [one for one in game.legal(state) if one.seat == seat and tag_of(type(one)) not in unseen]
        left = [one for one in legal if one not in refused]
        if not left:
            # All was looked for, and something must have been overlooked.
            refused.clear()
            left = legal
        if left:
            self._do(match, seat, self._choose(game, state, [one for one in left if one != game.tacit(state)] or left))

    def _choose(self, game: AnyGame, state: object, possible: list[Action]) -> Action:
        """Choose a kind of action, then one of that kind; of bids the lowest, for nobody knows what it is worth."""
        kinds: dict[type[Action], list[Action]] = {}
        for one in possible:
            kinds.setdefault(type(one), []).append(one)
        some = kinds[self._rng.choice(list(kinds))]
        return some[0] if game.timed(state) is not None else self._rng.choice(some)

    def _do(self, match: Match, seat: Seat, action: Action) -> None:
        needs = () if holes(action) else match.game.needs(match.state, action)
        reply: Reply | None = None
        if not holes(action) and not needs:
            reply = self._send(match, Play(seat=seat, action=action, by="robot"))
        elif not holes(action) and all(need.kind == "rolled" for need in needs):
            reply = self._send(match, Roll(seat=seat, action=action, by="robot"))
        if reply is None or not reply.ok:
            self._wanted[seat] = action

    def _send(self, match: Match, command: Command) -> Reply | None:
        try:
            return match.command(command)
        except TimeoutError:
            log.warning("the match did not answer a robot in time")
            return None

    def _run(self) -> None:
        version = -1
        while not self._closed.is_set():
            version = self._match().wait(version, PULSE).version
            self.look()
            self._closed.wait(PULSE / 5)


def _ready(snapshot: Snapshot) -> bool:
    """Return whether nothing is in the way of an action: nobody is at the table, and nothing has to be put right."""
    return (
        snapshot.phase == "playing" and not snapshot.frozen and snapshot.violation is None and not snapshot.provisional
    )
