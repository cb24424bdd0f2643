"""Matches told again: replay, export and import, from the journal or from files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.paths import state_dir
from companion.referee.history import History, HistoryError
from companion.referee.journal import (
    Header,
    Journal,
    JournalError,
    decode_record,
    read_export,
    read_only,
)
from companion.referee.words import told_record
from companion.rules.kernel import Game, Record, RuleError, name_seats


class TellError(Exception):
    """A match that can't be found, read or replayed; the message says why."""


def _load(match: str) -> tuple[Header, list[bytes]]:
    """Find a match in a file, or in the journal by its id or the beginning of it ("last": the newest)."""
    path = Path(match)
    try:
        if path.is_file():
            return read_export(path.read_bytes().splitlines())
        with read_only(state_dir()) as journal:
            header = journal.header(match)
            return header, list(journal.lines(header.id))
    except (JournalError, OSError, sqlite3.Error) as error:
        raise TellError(f"{error}") from None


def fold(game: Game[Any], header: Header, lines: list[bytes]) -> Iterator[tuple[Record, Any, History]]:
    """Fold records one by one, yielding each with the state before it and the history after it.

    Raises:
        TellError: at the first record that does not fit, named by its number.
    """
    n = 0
    try:
        setup = msgspec.convert(header.setup or {}, game.setup_type)
        history = History(game, game.setup(header.seats, header.options, setup))
        for line in lines:
            n += 1
            record = decode_record(line, game.action_type)
            before = history.state
            history.append(record)
            yield record, before, history
    except (JournalError, HistoryError, RuleError, msgspec.ValidationError) as error:
        raise TellError(f"record {n} of match {header.id} does not fit: {error}") from None


def tell(match: str, to: int | None) -> Iterator[str]:
    """Tell a match in words, up to record `to`, and end with the standing."""
    header, lines = _load(match)
    game = games.load(header.game)
    yield f"{game.info.title}, {header.seats} players, begun {header.at}, match {header.id}"
    history: History | None = None
    for record, before, history in fold(game, header, lines[:to]):  # noqa: B007
        mark = " (assumed)" if record.assumed else ""
        yield f"{record.n:4} {name_seats(told_record(game, before, record), header.names)}{mark}"
    state = history.state if history else game.setup(header.seats, header.options, game.setup_type())
    standing = game.standing(state)
    yield "Scores: " + ", ".join(
        f"{header.names.get(one.seat, f'seat {one.seat}')} {one.score}" for one in standing.seats
    )
    if standing.outcome is not None:
        yield name_seats(standing.outcome.words, header.names)


def exported(match: str) -> Iterator[bytes]:
    """Yield a match as JSON lines."""
    header, lines = _load(match)
    yield msgspec.json.encode(header)
    yield from lines


def imported(file: Path) -> str:
    """Check an exported match by replaying it, take it into the journal, and say so.

    Raises:
        TellError: if the file is no match, does not replay, or is in the journal already; nothing is changed then.
    """
    try:
        header, lines = read_export(file.read_bytes().splitlines())
    except OSError as error:
        raise TellError(f"{file} can't be read: {error.strerror}") from None
    except JournalError as error:
        raise TellError(f"{error}") from None
    game = games.load(header.game)
    records = [record for record, _, _ in fold(game, header, lines)]
    try:
        journal = Journal(state_dir())
    except JournalError as error:
        raise TellError(f"{error}") from None
    try:
        journal.take(header, records)
    except JournalError as error:
        raise TellError(f"{error}") from None
    finally:
        journal.close()
    return f"{game.info.title}, match {header.id}: {len(records)} records"
