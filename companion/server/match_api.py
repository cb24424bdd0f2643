"""What the server needs of a table's matches: which games there are, the match to begin, those that were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from companion.eye.mat import Mat
from companion.referee.course import Course
from companion.rules.kernel import Info, Ranking, Seat, Timing


class MatchesError(Exception):
    """Something that can't be begun, found or taken in; the message is one sentence that says why and what to do."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the host wants it. `options` are the game's own numbers, by name."""

    game: str
    seats: int
    options: dict[str, int] = {}
    mode: str = "assist"
    bid_seconds: int = 20
    timing: Timing = Timing()
    trainer: bool = False
    names: dict[Seat, str] = {}
    colours: dict[Seat, str] = {}


class MatchSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A match of the journal in short. `scores` are by seat; `winners` are empty while it is not over, or stopped."""

    id: str
    at: str
    game: str
    title: str
    names: tuple[str, ...]
    mode: str
    records: int
    scores: tuple[int, ...]
    over: bool
    winners: tuple[Seat, ...]
    words: str
    """How it ended, in a sentence; why it can't be read, if it can't."""
    readable: bool = True
    colours: dict[Seat, str] = {}
    """The seats' colours, as far as people chose them."""
    pieces: dict[Seat, str] = {}
    """The colours of the seats' pieces, as far as the game has given them out."""
    ranking: Ranking = Ranking()

    @property
    def places(self) -> dict[Seat, int]:
        """Who is in which place."""
        return self.ranking.places(dict(enumerate(self.scores, 1)), self.winners)

    @property
    def ranked(self) -> list[tuple[Seat, int, bool]]:
        """The seats, the best first, with their score and whether they won."""
        seats = sorted(self.places, key=self.places.__getitem__)
        return [(seat, self.scores[seat - 1], seat in self.winners) for seat in seats]


class Place(msgspec.Struct, frozen=True):
    """A zone and what lies there, in words, for laying a table out again."""

    zone: str
    lies: tuple[str, ...]


class Back(msgspec.Struct, frozen=True):
    """A step back to a record: which records go, in words, newest first, and what then has to be moved."""

    n: int
    steps: int
    goes: tuple[str, ...]
    moves: tuple[str, ...]


class Matches(Protocol):
    """One table's matches, one after another. Every method may be called from any thread.

    They raise a MatchesError with a sentence for people if there is no such match or record, if what was chosen or
    taken in does not fit, or if it can't be done now; nothing is changed then.
    """

    @property
    def gathering(self) -> bool:
        """Whether no match has been begun yet."""

    @property
    def may_resume(self) -> bool:
        """Whether a match of the journal can be gone on with here: robots forget what they held."""

    def games(self) -> tuple[Info, ...]:
        """List the games that can be played here."""

    def mat(self, game: str, seats: int) -> Mat:
        """Return a game's mat for a number of seats."""

    def plan(self) -> Plan | None:
        """Return the plan of the match that is being played; None before the first."""

    def begin(self, plan: Plan) -> None:
        """End the match that is being played (it stays in the journal) and begin another."""

    def resume(self, match: str) -> None:
        """Go on with a match of the journal."""

    def summaries(self) -> list[MatchSummary]:
        """List the matches of the journal, newest first; damaged ones are among them."""

    def delete(self, match: str) -> None:
        """Delete a match of the journal for good, with the pictures that were kept of it."""

    def course(self, match: str) -> Course:
        """Look back on a match of the journal."""

    def picture(self, match: str) -> bytes:
        """Return a match's result as a picture (PNG)."""

    def export(self, match: str) -> bytes:
        """Return a match as JSON lines."""

    def take_in(self, lines: Iterable[bytes]) -> MatchSummary:
        """Check an exported match by replaying it, and keep it, unless it is here already."""

    def lies(self) -> list[Place]:
        """List what should lie where now: for packing away, and for laying it out again."""

    def back(self, n: int) -> Back:
        """Return what going back to just after record `n` takes back (0: to the beginning)."""
