"""The matches of one table, one after another: begun, resumed, looked back on."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

import msgspec

from companion import games
from companion.eye.mat import Mat
from companion.press import share
from companion.referee.colours import COLOURS
from companion.referee.commands import LONGEST, MODES
from companion.referee.course import Course, course
from companion.referee.history import HistoryError
from companion.referee.journal import Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.play_clock import wrong_timing
from companion.referee.publishing import rewritten
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import AnyGame, Info, Option, RuleError, Seat, name_seats
from companion.server.match_api import Back, MatchesError, MatchSummary, Place, Plan
from companion.server.words.voice import Say
from companion.sim.world import WorldError
from companion.table.folding import TellError, folded, taken_in
from companion.text import DAY, capital, join, local_time, plain, said, sentence, t

log = logging.getLogger(__name__)

T = TypeVar("T")

DAMAGED = t("This match is damaged and can't be shown.")


def _ask(reason: str) -> MatchesError:
    return MatchesError(sentence(name_seats(reason, {})))


class Matches:
    """The matches of one table, as a `companion.server.match_api.Matches`.

    `current` gives the match that is being played, `start` takes it down and puts up another; both are the table's.
    """

    def __init__(
        self,
        journal: Journal | None,
        current: Callable[[], Match],
        start: Callable[[Header], None],
        may_resume: bool = True,
        tongue: Callable[[], Say] = lambda: str,
    ) -> None:
        """Begin with what is played; `may_resume` is False for robots, who forget hands; `tongue` is the language."""
        self._journal = journal
        self._current = current
        self._start = start
        self.may_resume = may_resume
        self._tongue = tongue
        self._beginning = threading.Lock()
        self._infos = cache(_infos)
        self._known: dict[str, tuple[int, MatchSummary]] = {}
        self._reading = threading.Lock()
        self._chosen: dict[Seat, tuple[str, str]] = {}
        """Who chose which colour, while a game's own pieces give the colours."""

    @property
    def gathering(self) -> bool:
        """Whether no match has been begun yet."""
        return self._current().header.game == GATHERING

    def games(self) -> tuple[Info, ...]:
        """List the games that can be played here."""
        return self._infos(tuple(games.names()))

    def look_again(self) -> None:
        """Read the games' files anew the next time: the owner has changed one."""
        self._infos.cache_clear()

    def mat(self, game: str, seats: int) -> Mat:
        """Return a game's mat for a number of seats; raise MatchesError if the owner's board can't be read."""
        try:
            return games.load_mat(game, seats)
        except games.GameError as error:
            raise MatchesError(said(error)) from None

    def recorded(self, game: str) -> bool:
        """Whether a match of a game is kept in which something was done."""
        journal = self._journal
        if journal is None:
            return False
        return any(header.game == game and journal.count(header.id) > 0 for header in journal.matches())

    def plan(self) -> Plan | None:
        """Return the plan of the match that is being played."""
        if self.gathering:
            return None
        match = self._current()
        header, snapshot = match.header, match.snapshot
        return Plan(
            game=header.game,
            seats=header.seats,
            options=header.options,
            mode=snapshot.mode,
            bid_seconds=header.bid_seconds,
            timing=header.timing,
            trainer=header.trainer,
            names=dict(header.names),
            colours=dict(snapshot.colours),
        )

    def begin(self, plan: Plan, instead_of: str = "") -> None:
        """End the match in play (if `instead_of` names one, only that) and begin another.

        Raises:
            MatchesError: if the plan does not fit; the match that is being played then goes on.
        """
        info = self._info(plan.game)
        low, high = info.seats
        if not low <= plan.seats <= high:
            raise MatchesError(
                t(
                    "{title} is for {low} to {high} players, not {seats}.",
                    title=info.title,
                    low=low,
                    high=high,
                    seats=plan.seats,
                )
            )
        if plan.mode not in MODES:
            raise MatchesError(
                t("There is no mode called {mode}; choose {modes}.", mode=plan.mode, modes=join(", ", MODES))
            )
        if not 0 <= plan.bid_seconds <= LONGEST:
            raise MatchesError(
                t(
                    "A bid may take 0 (no clock) to {longest} seconds, not {bid_seconds}.",
                    longest=LONGEST,
                    bid_seconds=plan.bid_seconds,
                )
            )
        if wrong := wrong_timing(plan.timing):
            raise MatchesError(sentence(wrong))
        known = {option.name: option for option in info.options}
        for name, value in plan.options.items():
            _fit(known.get(name), name, value, plan.seats)
        names = {seat: name for seat, name in plan.names.items() if 1 <= seat <= plan.seats}
        header = Header(
            id=new_id(),
            at=now(),
            game=plan.game,
            seats=plan.seats,
            options=plan.options,
            names=names,
            mode=plan.mode,
            bid_seconds=plan.bid_seconds,
            timing=plan.timing,
            trainer=plan.trainer,
            colours={} if info.coloured else self._taken_along(plan),
        )
        chosen = self._taken_along(plan)
        self.put_up(header, instead_of)
        self._chosen = {seat: (names.get(seat, ""), colour) for seat, colour in chosen.items()}

    def _taken_along(self, plan: Plan) -> dict[Seat, str]:
        """Return the colours that seats take along: those they chose, not those that a game's pieces give them."""
        now_played = self._current().header.game
        if any(info.name == now_played and info.coloured for info in self.games()):
            return {
                seat: colour
                for seat, (name, colour) in self._chosen.items()
                if seat <= plan.seats and name == plan.names.get(seat, "")
            }
        return _choosable(plan)

    def resume(self, match: str) -> None:
        """Go on with a match of the journal; raise MatchesError if there is none, or it can't be here."""
        header = self._header(match)
        if not self.may_resume:
            raise MatchesError(t("Robots can't go on with a match: they have forgotten what they held. Begin another."))
        if header.id == self._current().header.id:
            raise MatchesError(t("That match is being played already."))
        self.put_up(header)

    def put_up(self, header: Header, instead_of: str = "") -> None:
        """Take what is being played down and put up the match of a header, new or known to the journal.

        Raises:
            MatchesError: if it can't be put up; the match that is being played then goes on.
        """
        try:
            with self._beginning:
                if instead_of not in ("", self._current().header.id):
                    raise MatchesError(t("Another match was begun meanwhile."))
                self._start(header)
        except (RuleError, JournalError, WorldError, games.GameError) as error:
            raise _ask(said(error)) from None

    def summaries(self) -> list[MatchSummary]:
        """List the matches of the journal, newest first, then those of which not even the beginning can be read."""
        if self._journal is None:
            return []
        told = [self._told(header) for header in reversed(self._headers())]
        return told + [_damaged(match) for match in sorted(self._journal.unreadable)]

    def delete(self, match: str) -> None:
        """Delete a match and its pictures for good; raise MatchesError if it is being played, or can't be."""
        with self._beginning:
            if match == self._current().header.id:
                raise MatchesError(t("That match is being played: begin another first, then delete it."))
            try:
                self._read(lambda journal: journal.delete(match), None)
            except JournalError as error:
                raise _ask(said(error)) from None
        self._known.pop(match, None)

    def course(self, match: str) -> Course:
        """Look back on a match of the journal; raise MatchesError if there is no such match, or it can't be read."""
        header = self._header(match)
        try:
            game = games.load(header.game)
            history = folded(game, header, self._lines(header))
            return course(game, header, [past.record for past in history.active], header.names)
        except (TellError, games.GameError) as error:
            raise _ask(said(error)) from None

    def picture(self, match: str) -> bytes:
        """Return a match's result as a picture; raise MatchesError if there is no such match, or it can't be read."""
        told = self._told(self._header(match))
        course = self.course(match)
        say = self._tongue()
        return share.picture(rewritten(course, say), local_time(told.at, DAY), told.ranked, say)

    def export(self, match: str) -> bytes:
        """Return a match as JSON lines; raise MatchesError if there is no such match."""
        header = self._header(match)
        return b"".join(line + b"\n" for line in (msgspec.json.encode(header, enc_hook=plain), *self._lines(header)))

    def take_in(self, lines: Iterable[bytes]) -> MatchSummary:
        """Check an exported match by replaying it, and keep it; raise MatchesError if it is none, or is here."""
        if self._journal is None:
            raise MatchesError(t("Nothing is written down at this table, so no match can be kept."))
        try:
            game, header, records, state = taken_in(lines)
            self._journal.take(header, records)
        except (JournalError, TellError, games.GameError) as error:
            raise _ask(said(error)) from None
        told = _summary(game, header, len(records), state)
        self._known[header.id] = (len(records), told)
        return told

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
        """Return what going back to just after record `n` means; raise MatchesError if it is gone."""
        match = self._current()
        try:
            step = match.back(n)
        except HistoryError as error:
            raise _ask(said(error)) from None
        names = match.snapshot.names
        goes = tuple(name_seats(words, names) for words in step.goes)
        return Back(n, step.steps, goes, tuple(_big(name_seats(words, names)) for words in step.moves))

    def _info(self, game: str) -> Info:
        for info in self.games():
            if info.name == game:
                return info
        raise MatchesError(t("There is no game called {game}: choose one of those shown.", game=game[:40]))

    def _headers(self) -> list[Header]:
        none: list[Header] = []
        return self._read(lambda journal: journal.matches(), none)

    def _header(self, match: str) -> Header:
        for header in self._headers():
            if header.id == match:
                return header
        raise MatchesError(t("There is no such match in the journal."))

    def _lines(self, header: Header) -> list[bytes]:
        return self._read(lambda journal: list(journal.lines(header.id)), [])

    def _read(self, what: Callable[[Journal], T], nothing: T) -> T:
        try:
            return nothing if self._journal is None else what(self._journal)
        except sqlite3.Error as error:
            raise MatchesError(t("The journal can't be read: {error}.", error=error)) from None

    def _told(self, header: Header) -> MatchSummary:
        """Return the summary of a match. Several who ask at once wait for the one who reads it."""
        with self._reading:
            count, known = self._known.get(header.id, (-1, None))
            there = self._read(lambda journal: journal.count(header.id), 0)
            if known is not None and count == there and known.names == _names(header):
                # Colours are taken without a record, and change nothing else.
                return msgspec.structs.replace(known, colours=header.colours)
            told = _damaged(header.id, header)
            lines = self._lines(header)
            try:
                game = games.load(header.game)
                told = _summary(game, header, len(lines), folded(game, header, lines).state)
            except (TellError, games.GameError) as error:
                told = msgspec.structs.replace(told, records=len(lines), words=str(_ask(said(error))))
            except Exception:
                log.exception("match %s can't be read", header.id)
            self._known[header.id] = (len(lines), told)
            return told


def _choosable(plan: Plan) -> dict[Seat, str]:
    """Return the colours that seats take along; not those that only another game's pieces gave them."""
    return {seat: colour for seat, colour in plan.colours.items() if seat <= plan.seats and colour in COLOURS}


def _damaged(match: str, header: Header | None = None) -> MatchSummary:
    """Return the summary of a match that can't be read, as far as its header can."""
    there = header or Header(id=match, at="", game="", seats=0, mode="")
    return MatchSummary(
        id=match,
        at=there.at,
        game=there.game,
        title=there.game or t("Damaged match"),
        names=_names(there),
        mode=there.mode,
        records=0,
        scores=(),
        over=False,
        winners=(),
        words=DAMAGED,
        readable=False,
        colours=there.colours,
    )


def _summary(game: AnyGame, header: Header, records: int, state: object) -> MatchSummary:
    """Return the summary of a match whose records lead to a state."""
    standing = game.standing(state)
    outcome = standing.outcome
    return MatchSummary(
        id=header.id,
        at=header.at,
        game=header.game,
        title=game.info.title,
        names=_names(header),
        mode=header.mode,
        records=records,
        scores=tuple(one.score for one in standing.seats),
        over=outcome is not None,
        winners=outcome.winners if outcome else (),
        words=name_seats(outcome.words, header.names) if outcome else "",
        colours=header.colours,
        pieces=dict(game.colours(state)),
        ranking=game.info.ranking,
    )


def _infos(names: tuple[str, ...]) -> tuple[Info, ...]:
    """Return what games declare; one whose owner's files do not fit is left out, and said in the log."""
    found = []
    for name in names:
        try:
            found.append(games.load(name).info)
        except games.GameError as error:
            if name in games.packages():
                raise
            log.warning("%s is left out: %s", name, error)
    return tuple(found)


def _names(header: Header) -> tuple[str, ...]:
    return tuple(header.names.get(seat, t("Seat {seat}", seat=seat)) for seat in range(1, header.seats + 1))


def _big(words: str) -> str:
    return capital(words)


def _fit(option: Option | None, name: str, value: int, seats: int) -> None:
    if option is None:
        raise MatchesError(t("There is no option called {name} in this game.", name=name[:40]))
    if not option.low <= value <= option.highest(seats):
        raise MatchesError(
            t(
                "{big}: {low} to {high}, not {value}.",
                big=_big(option.words),
                low=option.low,
                high=option.highest(seats),
                value=value,
            )
        )
