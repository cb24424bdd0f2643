"""Matches told again: replay, export and import, from the journal or from files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion import games
from companion.appliance.backup import BackupError, undo_cut_restore
from companion.files import state_dir
from companion.referee.chain import broken, head, short
from companion.referee.history import opening
from companion.referee.journal import Header, Journal, JournalError, read_export
from companion.referee.journal_reader import read_only
from companion.referee.record import Record
from companion.referee.words import describe_record
from companion.rules.kernel import name_seats
from companion.rules.wording import counted
from companion.table.folding import LOOSE, Look, TellError, checked, fold, taken_in
from companion.text import plain


def _load(match: str) -> tuple[Header, list[bytes]]:
    """Find a match in a file, or in the journal by its id or the beginning of it ("last": the one played last)."""
    path = Path(match)
    try:
        if path.is_file():
            header, lines = read_export(path.read_bytes().splitlines())
            return checked(header), lines
        with read_only(state_dir()) as journal:
            header = journal.header(match)
            return header, list(journal.lines(header.id))
    except (JournalError, OSError, sqlite3.Error) as error:
        raise TellError(f"{error}") from None


def tell(match: str, to: int | None) -> Iterator[str]:
    """Describe a match in words, up to record `to`, and end with the standing."""
    header, lines = _load(match)
    game = games.load(header.game)
    yield f"{game.info.title}, {header.seats} players, begun {header.at}, match {header.id}"
    state: object = None
    for record, before, history in fold(game, header, lines[:to]):
        state = history.state
        mark = " (assumed)" if record.assumed else ""
        yield f"{record.n:4} {name_seats(describe_record(game, before, record), header.names)}{mark}"
    standing = game.standing(opening(game, header) if state is None else state)
    yield "Scores: " + ", ".join(
        f"{header.names.get(one.seat, f'seat {one.seat}')} {one.score}" for one in standing.seats
    )
    if standing.outcome is not None:
        yield name_seats(standing.outcome.words, header.names)


def exported(match: str) -> Iterator[bytes]:
    """Yield a match as JSON lines."""
    header, lines = _load(match)
    yield msgspec.json.encode(header, enc_hook=plain)
    yield from lines


def imported(file: Path) -> str:
    """Check an exported match by replaying it, take it into the journal, and say so.

    Raises:
        TellError: if the file is no match, does not replay, or is in the journal already; nothing is changed then.
    """
    try:
        game, header, records, _ = taken_in(file.read_bytes().splitlines())
    except OSError as error:
        raise TellError(f"{file} can't be read: {error.strerror}") from None
    try:
        undo_cut_restore(state_dir())
        journal = Journal(state_dir())
    except (BackupError, JournalError) as error:
        raise TellError(f"{error}") from None
    try:
        journal.take(header, records)
    except JournalError as error:
        raise TellError(f"{error}") from None
    finally:
        journal.close()
    return f"{game.info.title}, match {header.id}: {len(records)} records"


def verify(match: str) -> Iterator[str]:
    """Check a match from end to end, and say what was found in whole sentences, the verdict last.

    Every record must fit, no state lose or double anything, and every roll come of a secret committed to before (C6).

    Raises:
        TellError: at the first record that does not fit, or if anything else is wrong.
    """
    header, lines = _load(match)
    game = games.load(header.game)
    look, wrong = Look(game, header), 0
    records: list[Record] = []
    for line, (record, before, history) in zip(lines, fold(game, header, lines), strict=True):
        records.append(record)
        for problem in (*game.audit(history.state), *look.at(line, record, before, history)):
            wrong += 1
            yield f"Record {record.n}: {name_seats(problem, header.names)}"
        if look.anew == record.n:
            yield f"Record {record.n}: from here on the dice come from a new secret; the one before is not known here."
    loose = broken(header, records)
    if loose:
        wrong += 1
        yield f"Record {loose}: it {LOOSE}."
    if records:
        yield (
            f"{counted(len(records), 'record')}, {counted(look.proved, 'roll')} of the companion proved, {look.kept} "
            f"kept after an undo, {look.entered} rolled at the table and entered."
        )
        yield (
            f"The last record's hash is {short(head(header, records))}. Note it down with the number of records: only "
            "by these two it shows later whether something was taken away from the end."
        )
    if wrong:
        raise TellError(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong with this match")
    yield look.verdict(records)
