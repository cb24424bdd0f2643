"""Robots that nobody waits for: some time after their match is over they begin the next."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence

import msgspec

from companion.referee.match import Match
from companion.referee.steady import Steady
from companion.rules.kernel import Seat
from companion.server.match_api import MatchesError, Plan
from companion.table.matches import Matches

log = logging.getLogger(__name__)

PAUSE = 30.0
"""Seconds from the end of a match to the beginning of the next: time to look at the scores, and to say "stay here"."""
PULSE = 0.5
"""Seconds between two looks."""


class NextMatch:
    """Has the next match begun. `start` it, and `close` it."""

    def __init__(
        self,
        match: Callable[[], Match],
        matches: Matches,
        people: Callable[[], Collection[Seat]],
        named: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch over the match in play; if its game was `named` the next is of it. `people` keep their names."""
        self._match = match
        self._matches = matches
        self._people = people
        self._named = named
        self._clock = clock
        self._over: tuple[str, float] = ("", 0.0)
        """The match that is over, and since when."""
        self._stays = ""
        self._closed = threading.Event()
        words = "Beginning the next match failed; it is tried again."
        self.thread = Steady("next match", self._run, words=words, vital=False)

    def start(self) -> None:
        """Start to watch."""
        self.thread.start()

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        self.thread.end()

    def stay(self) -> None:
        """Stay with the match that is over."""
        self._stays = self._match().snapshot.match

    def coming(self) -> tuple[str, float]:
        """Return the title of the game that is begun soon ("" while one is played, or where people stay), and when, by
        the people's time (monotonic seconds); 0 as long as nobody knows.
        """
        snapshot, (over, since) = self._match().snapshot, self._over
        if snapshot.phase != "over" or self._stays == snapshot.match:
            return "", 0.0
        titles = {info.name: info.title for info in self._matches.games()}
        return titles.get(self._games()[0], ""), since + PAUSE if over == snapshot.match else 0.0

    def look(self) -> None:
        """Begin the next match if it is time."""
        snapshot, now = self._match().snapshot, self._clock()
        if snapshot.phase != "over":
            self._over = ("", 0.0)
        elif snapshot.match != self._over[0]:
            self._over = (snapshot.match, now)
        elif now - self._over[1] >= PAUSE and self._stays != snapshot.match:
            self._begin(snapshot.match)

    def _games(self) -> Sequence[str]:
        played = self._match().header.game
        if self._named:
            return (played,)
        names = [info.name for info in self._matches.games()]
        after = names.index(played) + 1
        return names[after:] + names[:after]

    def _begin(self, over: str) -> None:
        plan = self._matches.plan()
        if plan is None:
            return
        plan = msgspec.structs.replace(plan, names=self._names())
        for game in self._games():
            try:
                self._matches.begin(self._plan(plan, game), instead_of=over)
            except MatchesError as error:
                # A game that robots don't know, say: then the one after it.
                log.warning("%s is not begun: %s", game, error)
            else:
                return
        self.stay()

    def _names(self) -> dict[Seat, str]:
        """Return the names of people, as they sit there now; robots have names of their own in every match."""
        names, people = self._match().snapshot.names, frozenset(self._people())
        return {seat: name for seat, name in names.items() if seat in people}

    def _plan(self, plan: Plan, game: str) -> Plan:
        if game == plan.game:
            return plan
        low, high = next(info.seats for info in self._matches.games() if info.name == game)
        return msgspec.structs.replace(plan, game=game, seats=min(high, max(low, plan.seats)), options={})

    def _run(self) -> None:
        while not self._closed.wait(PULSE):
            self.look()
