"""An evening at one table: matches begun, gone on with and looked back on, one after another."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

import msgspec

from companion import games
from companion.press import share
from companion.referee.course import Course, course
from companion.referee.history import HistoryError, opening
from companion.referee.journal import Header, Journal, JournalError, new_id, now, read_export
from companion.referee.match import Match
from companion.referee.referee import LONGEST, MODES
from companion.retelling import TellError, checked, fold
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Info, Option, RuleError, name_seats
from companion.server.evenings import Back, EveningError, Place, Plan, Told
from companion.server.words.tongues import Say, course_in, english
from companion.sim.world import WorldError

T = TypeVar("T")


def _ask(sentence: object) -> EveningError:
    words = name_seats(str(sentence), {}).rstrip(".")
    return EveningError(f"{words[:1].upper()}{words[1:]}.")


class Evening:
    """The matches of one table. It is a `companion.server.evenings.Evening`.

    `current` gives the match that is being played, `start` takes it down and puts up another; both are the table's.
    """

    def __init__(
        self, journal: Journal | None, current: Callable[[], Match], start: Callable[[Header], None],
        may_resume: bool = True, tongue: Callable[[Iterable[str], str], Say] = lambda names, game: english,
    ) -> None:  # fmt: skip
        """Begin with what is being played. Robots can't go on with a match, for they forget what they held.

        `tongue` gives the table's language, for a match of people with these names at this game.
        """
        self._journal = journal
        self._current = current
        self._start = start
        self._may_resume = may_resume
        self._tongue = tongue
        self._beginning = threading.Lock()
        self._infos = cache(_infos)
        self._known: dict[str, tuple[int, Told]] = {}

    @property
    def gathering(self) -> bool:
        """Whether no match has been begun yet."""
        return self._current().header.game == GATHERING

    def games(self) -> tuple[Info, ...]:
        """List the games that can be played here."""
        return self._infos()

    def plan(self) -> Plan | None:
        """Give the plan of the match that is being played."""
        if self.gathering:
            return None
        match = self._current()
        header, snapshot = match.header, match.snapshot
        return Plan(
            game=header.game, seats=header.seats, options=header.options, mode=snapshot.mode,
            bid_seconds=header.bid_seconds, trainer=header.trainer, names=dict(header.names),
            colours=dict(snapshot.colours),
        )  # fmt: skip

    def begin(self, plan: Plan) -> None:
        """End the match that is being played and begin another.

        Raises:
            EveningError: if the plan does not fit; the match that is being played then goes on.
        """
        info = self._info(plan.game)
        low, high = info.seats
        if not low <= plan.seats <= high:
            raise EveningError(f"{info.title} is for {low} to {high} players, not {plan.seats}.")
        if plan.mode not in MODES:
            raise EveningError(f"There is no mode called {plan.mode}; choose {', '.join(MODES)}.")
        if not 0 <= plan.bid_seconds <= LONGEST:
            raise EveningError(f"A bid may take 0 (no clock) to {LONGEST} seconds, not {plan.bid_seconds}.")
        known = {option.name: option for option in info.options}
        for name, value in plan.options.items():
            _fit(known.get(name), name, value)
        names = {seat: name for seat, name in plan.names.items() if 1 <= seat <= plan.seats}
        header = Header(
            id=new_id(), at=now(), game=plan.game, seats=plan.seats, options=plan.options, names=names,
            mode=plan.mode, bid_seconds=plan.bid_seconds, trainer=plan.trainer,
            colours={seat: colour for seat, colour in plan.colours.items() if seat <= plan.seats},
        )  # fmt: skip
        self.put_up(header)

    def resume(self, match: str) -> None:
        """Go on with a match of the journal.

        Raises:
            EveningError: if there is no such match, or it can't be gone on with here.
        """
        header = self._header(match)
        if not self._may_resume:
            raise EveningError("Robots can't go on with a match: they have forgotten what they held. Begin another.")
        if header.id == self._current().header.id:
            raise EveningError("That match is being played already.")
        self.put_up(header)

    def put_up(self, header: Header) -> None:
        """Take what is being played down and put up the match of a header, new or known to the journal.

        Raises:
            EveningError: if it can't be put up; the match that is being played then goes on.
        """
        try:
            with self._beginning:
                self._start(header)
        except (RuleError, JournalError, WorldError, games.GameError) as error:
            raise _ask(error) from None

    def matches(self) -> list[Told]:
        """List the matches of the journal, newest first."""
        if self._journal is None:
            return []
        return [self._told(header) for header in reversed(self._journal.matches())]

    def course(self, match: str) -> Course:
        """Look back on a match of the journal.

        Raises:
            EveningError: if there is no such match, or it can't be read.
        """
        header = self._header(match)
        try:
            game = games.load(header.game)
            past = [one for *_, history in fold(game, header, self._lines(header)) for one in (history,)]
            return course(game, header, [one.record for one in past[-1].active] if past else [], header.names)
        except (TellError, games.GameError) as error:
            raise _ask(error) from None

    def picture(self, match: str) -> bytes:
        """Give a match's result as a picture.

        Raises:
            EveningError: if there is no such match, or it can't be read.
        """
        told = self._told(self._header(match))
        course = self.course(match)
        say = self._tongue(course.names, course.game)
        return share.picture(course_in(course, say), told.at[:10], told.scores, told.winners, say)

    def export(self, match: str) -> bytes:
        """Give a match as JSON lines.

        Raises:
            EveningError: if there is no such match.
        """
        header = self._header(match)
        return b"".join(line + b"\n" for line in (msgspec.json.encode(header), *self._lines(header)))

    def take_in(self, lines: Iterable[bytes]) -> Told:
        """Check an exported match by replaying it, and keep it.

        Raises:
            EveningError: if it is no match, or is here already.
        """
        if self._journal is None:
            raise EveningError("Nothing is written down at this table, so no match can be kept.")
        try:
            header, given = read_export(lines)
            header = checked(header)
            game = games.load(header.game)
            self._journal.take(header, [record for record, _, _ in fold(game, header, given)])
        except (JournalError, TellError, games.GameError) as error:
            raise _ask(error) from None
        return self._told(header)

    def lies(self) -> list[Place]:
        """List what should lie where now."""
        match = self._current()
        names = match.snapshot.names
        found = []
        for zone, things in match.lies():
            first, *others = (name_seats(one, names) for one in things)
            found.append(Place(_big(name_seats(zone, names)), (_big(first), *others)))
        return found

    def back(self, n: int) -> Back:
        """Say what going back to just after record `n` means.

        Raises:
            EveningError: if there is no such record, or it was taken back already.
        """
        match = self._current()
        try:
            step = match.back(n)
        except HistoryError as error:
            raise _ask(error) from None
        names = match.snapshot.names
        goes = tuple(name_seats(words, names) for words in step.goes)
        return Back(n, step.steps, goes, tuple(_big(name_seats(words, names)) for words in step.moves))

    # ------------------------------------------------------------------------------------------------ looking up

    def _info(self, game: str) -> Info:
        for info in self.games():
            if info.name == game:
                return info
        raise EveningError(f"There is no game called {game[:40]}: choose one of those shown.")

    def _header(self, match: str) -> Header:
        if self._journal is not None:
            for header in self._journal.matches():
                if header.id == match:
                    return header
        raise EveningError("There is no such match in the journal.")

    def _lines(self, header: Header) -> list[bytes]:
        return self._read(lambda journal: list(journal.lines(header.id)), [])

    def _read(self, what: Callable[[Journal], T], nothing: T) -> T:
        """Read something of the journal, if there is one."""
        try:
            return nothing if self._journal is None else what(self._journal)
        except sqlite3.Error as error:
            raise EveningError(f"The journal can't be read: {error}.") from None

    def _told(self, header: Header) -> Told:
        count, known = self._known.get(header.id, (-1, None))
        there = self._read(lambda journal: journal.count(header.id), 0)
        if known is not None and count == there and known.names == _names(header):
            # Colours are taken without a record, and change nothing else.
            return msgspec.structs.replace(known, colours=header.colours)
        lines = self._lines(header)
        told = Told(
            id=header.id, at=header.at, game=header.game, title=header.game, names=_names(header), mode=header.mode,
            records=len(lines), scores=(), over=False, winners=(), words="", readable=False, colours=header.colours,
        )  # fmt: skip
        try:
            game = games.load(header.game)
            state = opening(game, header)
            for *_, history in fold(game, header, lines):
                state = history.state
            standing = game.standing(state)
            outcome = standing.outcome
            told = msgspec.structs.replace(
                told, title=game.info.title, readable=True, scores=tuple(one.score for one in standing.seats),
                over=outcome is not None, winners=outcome.winners if outcome else (),
                words=name_seats(outcome.words, header.names) if outcome else "",
            )  # fmt: skip
        except (TellError, games.GameError, RuleError, msgspec.ValidationError) as error:
            told = msgspec.structs.replace(told, words=str(_ask(error)))
        self._known[header.id] = (len(lines), told)
        return told


def _infos() -> tuple[Info, ...]:
    return tuple(games.load(name).info for name in games.names())


def _names(header: Header) -> tuple[str, ...]:
    return tuple(header.names.get(seat, f"Seat {seat}") for seat in range(1, header.seats + 1))


def _big(words: str) -> str:
    return words[:1].upper() + words[1:]


def _fit(option: Option | None, name: str, value: int) -> None:
    if option is None:
        raise EveningError(f"There is no option called {name[:40]} in this game.")
    if not option.low <= value <= option.high:
        raise EveningError(f"{_big(option.words)}: {option.low} to {option.high}, not {value}.")
