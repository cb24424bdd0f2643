"""Tables at which robots play without a camera: a real journal, a real match, and snapshots for a publisher."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.appliance.broker_settings import Broker
from companion.bench.prepared import Step, prepared
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot
from companion.server.hall_api import Seating

if TYPE_CHECKING:
    from companion.appliance.publisher import Publisher

log = logging.getLogger(__name__)

NAMES = (
    *("Ada", "Bo", "Cem", "Dora", "Emil", "Fay", "Gus", "Hanna", "Ida", "Jo", "Kim", "Lea", "Mo", "Nora", "Olu", "Pia"),
    *("Quin", "Rosa", "Sam", "Tove", "Uma", "Vera", "Will", "Yan"),
)
BETWEEN = 3.0
"""Turns' worth of time between two matches."""


class RobotTable:
    """A table where one match follows another; a `companion.appliance.publisher.Told`."""

    def __init__(
        self,
        folder: Path,
        title: str,
        plays: Sequence[str],
        seed: int,
        pace: float,
        matches: int = 0,
        seating: Seating | None = None,
    ) -> None:
        """Play these games in turn; `pace` is the seconds that a turn takes, 0: as fast as it goes; `seating` is who
        plays first.

        With `matches` only so many of each game and size are made, and played again, to measure what comes after.
        """
        self._matches = matches
        self.folder, self.title = folder, title
        self.journal = Journal(folder)
        self._plays, self._rng, self._pace = plays, random.Random(seed), pace
        self._stop = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._busy = threading.Lock()
        self._calling = ""
        self.seating = seating
        self.written = 0
        self.turns: list[float] = []
        """Seconds that each turn took until it was in the journal."""
        self._next = 0
        self._between = False
        """Whether a match is over, and the next has not begun."""
        self._steps: list[Step] = []
        self._match = self._begin(0)
        self._thread = threading.Thread(target=self._play, name=f"robots {title}", daemon=True)

    def start(self) -> None:
        """Let the robots begin."""
        self._thread.start()

    def rest(self, on: bool) -> None:
        """Let the robots rest, or go on; once this returns none of them is in the middle of a turn."""
        if not on:
            self._going.set()
            return
        self._going.clear()
        with self._busy:
            pass

    def pause(self) -> None:
        """Let the robots stop; what they have played is told on."""
        self._stop.set()
        self._going.set()
        self._thread.join(20)

    def close(self) -> None:
        """End the evening."""
        self.pause()
        self._match.close()
        self.journal.close()

    def _begin(self, version: int) -> Match:
        seating, rng = self.seating, self._rng
        name = self._plays[self._next % len(self._plays)]
        self._next += 1
        people = rng.sample(NAMES, 8)
        if seating is not None and seating.game in games.names():
            name, people = seating.game, list(seating.names)
        game = games.load(name)
        low, high = game.info.seats
        seats = len(people) if seating is not None else rng.randint(low, min(high, 5))
        sitting = max(low, min(high, seats))
        if self._matches:
            header, self._steps = _again(name, sitting, rng.randrange(self._matches))
        else:
            header, self._steps = prepared(game, sitting, rng.randrange(10**9))
        given = {seat: one for seat, one in enumerate(people, 1) if seat <= header.seats}
        header = Header(
            id=new_id(),
            at=now(),
            game=header.game,
            seats=header.seats,
            setup=header.setup,
            mode="ledger",
            bid_seconds=0,
            names=given,
        )
        match = Match(game, games.load_mat(name, header.seats), header, self.journal, version=version)
        match.start()
        return match

    def _play(self) -> None:
        while not self._stop.is_set():
            with self._busy:
                pause = self._turn() if self._going.is_set() else 0.0
            self._stop.wait(pause)
            self._going.wait()

    def _turn(self) -> float:
        """Take a turn, or begin the next match; return how many seconds to wait then."""
        done = len(self._match.records())
        if done >= len(self._steps):
            if not self._between:
                self._between = True
                return self._pace * BETWEEN + 0.02
            before, self._between = self._match, False
            self._match = self._begin(before.snapshot.version + 1)
            before.close()
            return 0.0
        action, facts = self._steps[done]
        began = time.perf_counter()
        try:
            reply = self._match.command(Play(seat=action.seat, action=action, facts=facts))
        except TimeoutError:
            # As a person would: look whether it counted, and play it again if it did not.
            log.warning("%s: a turn was not answered", self.title)
            return 0.0
        finally:
            self.turns.append(round(time.perf_counter() - began, 4))
        if not reply.ok:
            log.error("%s: the robots' match was refused: %s", self.title, reply.verdict)
            self._steps = self._steps[:done]
            return 0.0
        self.written += 1
        if self._pace and self._rng.random() < 0.004:
            self._calling = "" if self._calling else "Seat 1 calls the host."
        return self._pace * self._rng.uniform(0.3, 1.7)

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a newer snapshot, so many seconds at most; return the newest."""
        return self._match.wait(version, timeout)

    def clock(self) -> float:
        """Return the people's time."""
        return self._match.clock()

    def robots(self) -> Collection[int]:
        """Return the seats that robots play: none, they stand for people here."""
        return ()

    def calls(self) -> str:
        """Return why the table calls for the host."""
        return self._calling

    def press(self, button: str) -> None:
        """Press one of the table's buttons: it has none."""

    def seated(self, seating: Seating | None) -> None:
        """Take in who is to play here next."""
        self.seating = seating

    def lines(self) -> dict[str, list[str]]:
        """Return every match's records, as they stand in the journal."""
        return {one.id: [line.decode() for line in self.journal.lines(one.id)] for one in self.journal.matches()}


@cache
def _again(game: str, seats: int, seed: int) -> tuple[Header, list[Step]]:
    return prepared(games.load(game), seats, seed)


def published(table: RobotTable, broker: Broker) -> Publisher:
    """Return the publisher of a table, which runs."""
    from companion.appliance.publisher import Publisher

    publisher = Publisher(table, broker)
    publisher.start()
    return publisher
