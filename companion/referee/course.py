"""The course of a match, for looking back on it, folded from its records: scores, ladders, time, help, rolls."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from companion.referee.colours import worn
from companion.referee.history import opening
from companion.referee.journal import Header
from companion.referee.record import Record
from companion.referee.words import describe_record
from companion.rules.kernel import TABLE, AnyGame, Ranking, Remark, Seat, name_seats
from companion.text import t

LONG_PAUSE = 600.0
"""Seconds: a longer gap between two records is an interruption (a meal, a restart), and nobody's time to think."""


class Moment(msgspec.Struct, frozen=True):
    """A record and where everything stood after it; `ladders` in the order of `Course.ladders`."""

    n: int
    at: str
    seat: Seat
    words: str
    scores: tuple[int, ...]
    ladders: tuple[int | None, ...] = ()


class Track(msgspec.Struct, frozen=True):
    """A ladder that people watched: its title, its ends, and where it becomes dangerous."""

    title: str
    low: int
    high: int
    alarm: int


class Course(msgspec.Struct, frozen=True):
    """A match looked back on. `seconds` are, seat by seat, the time until that seat acted, as far as records tell."""

    match: str
    game: str
    title: str
    names: tuple[str, ...]
    moments: tuple[Moment, ...]
    ladders: tuple[Track, ...]
    remarks: tuple[tuple[int, Remark], ...]
    """What games remarked, each with its record's number."""
    seconds: tuple[float, ...]
    outcome: str
    records: int = 0
    """How many records were written, undone ones too; 0 if that is not to be noted down."""
    head: str = ""
    """The last one's hash, shortened."""
    colours: dict[Seat, str] = {}
    """The colour of each seat's badge (`companion.referee.colours`)."""

    def help(self) -> dict[tuple[Seat, Seat], int]:
        """Sum up who helped whom: amounts by (helper, helped)."""
        found: dict[tuple[Seat, Seat], int] = {}
        for _, remark in self.remarks:
            if remark.other != TABLE:
                pair = (remark.seat, remark.other)
                found[pair] = found.get(pair, 0) + remark.amount
        return found

    @property
    def kinds(self) -> list[str]:
        """The kinds of remarks that are counted seat by seat: all but who helped whom."""
        return list(dict.fromkeys(remark.kind for _, remark in self.remarks if remark.other == TABLE))

    def count(self, kind: str) -> tuple[int, ...]:
        """Sum up the amounts of a kind of remark, seat by seat."""
        return tuple(
            sum(one.amount for _, one in self.remarks if one.kind == kind and one.seat == seat)
            for seat in range(1, len(self.names) + 1)
        )


def course(game: AnyGame, header: Header, records: Iterable[Record], names: dict[Seat, str] | None = None) -> Course:
    """Look back on the records that count (no undo among them: `History.active`)."""
    called = header.names if names is None else names
    state = opening(game, header)
    moments: list[Moment] = []
    remarks: list[tuple[int, Remark]] = []
    tracks: dict[str, Track] = {}
    stood: list[dict[str, int]] = []
    seconds = [0.0] * header.seats
    before_at = header.at
    for record in records:
        words = describe_record(game, state, record)
        action = record.action
        if record.kind == "action" and action is not None:
            remarks += [(record.n, remark) for remark in game.remarks(state, action, record.facts)]
            state = game.play(state, action, record.facts)
        else:
            state = game.correct(state, record.edits) if record.kind == "correction" else game.end(state)
        watched = [one for one in game.view(state, TABLE).ladders if one.alarm is not None]
        for one in watched:
            tracks.setdefault(one.title, Track(one.title, one.low, one.high, one.alarm or one.high))
        stood.append({one.title: one.value for one in watched})
        if record.seat != TABLE:
            gap = _gap(before_at, record.at)
            seconds[record.seat - 1] += gap if gap <= LONG_PAUSE else 0.0
        before_at = record.at
        scores = tuple(one.score for one in game.standing(state).seats)
        moments.append(Moment(record.n, record.at, record.seat, name_seats(words, called), scores))
    titles = tuple(tracks)
    outcome = game.standing(state).outcome
    return Course(
        match=header.id,
        game=game.info.name,
        title=game.info.title,
        names=tuple(called.get(seat, t("Seat {seat}", seat=seat)) for seat in range(1, header.seats + 1)),
        moments=tuple(
            msgspec.structs.replace(one, ladders=tuple(where.get(title) for title in titles))
            for one, where in zip(moments, stood, strict=True)
        ),
        ladders=tuple(tracks.values()),
        remarks=tuple((n, msgspec.structs.replace(one, words=name_seats(one.words, called))) for n, one in remarks),
        seconds=tuple(seconds),
        outcome=name_seats(outcome.words, called) if outcome is not None else "",
        colours=worn(header.colours, header.seats, game.colours(state)),
    )


def reign(ranking: Ranking, scores: Iterable[tuple[int, ...]], seats: int) -> tuple[int, ...]:
    """Count seat by seat after how many of a match's records it led alone, from the `scores` after each of them."""
    led = [0] * seats
    for row in scores:
        best = [seat for seat, score in enumerate(row) if score == ranking.best(row)]
        if len(best) == 1:
            led[best[0]] += 1
    return tuple(led)


def _gap(before: str, after: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
