"""Matches told again: replay, export and import, from the journal or from files."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.backup import BackupError, undo_cut_restore
from companion.paths import state_dir
from companion.referee.chain import broken
from companion.referee.colours import COLOURS
from companion.referee.dice import Throws, commitment, told, values
from companion.referee.history import History, HistoryError, opening
from companion.referee.journal import (
    Header,
    Journal,
    JournalError,
    decode_record,
    read_export,
    read_only,
)
from companion.referee.record import Record
from companion.referee.referee import LONGEST, MODES
from companion.referee.words import told_record
from companion.rules.kernel import Game, Rolled, RuleError, name_seats
from companion.rules.seats import clean_name

LONGEST_NAME = 40
"""Letters of a name in a match from elsewhere; the pages let people type fewer."""


class TellError(Exception):
    """A match that can't be found, read or replayed; the message says why."""


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


def fold(game: Game[Any], header: Header, lines: list[bytes]) -> Iterator[tuple[Record, Any, History]]:
    """Fold records one by one, yielding each with the state before it and the history after it.

    Raises:
        TellError: at the first record that does not fit, named by its number.
    """
    n = 0
    try:
        history = History(game, opening(game, header))
        for line in lines:
            n += 1
            record = decode_record(line, game.action_type)
            before = history.state
            history.append(record)
            yield record, before, history
    except (JournalError, HistoryError, RuleError, msgspec.ValidationError) as error:
        raise TellError(f"record {n} of match {header.id} does not fit: {error}") from None


def checked(header: Header) -> Header:
    """Look at what stands in the header of a match from elsewhere, before anything is made of it; names are cleaned.

    Raises:
        TellError: if something there can't be; it names what.
    """
    wrong = ""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,60}", header.id):
        wrong = "its number is none"
    elif not re.fullmatch(r"[0-9T:.Z+-]{0,40}", header.at):
        wrong = "its date is none"
    elif header.mode not in MODES:
        wrong = f"there is no mode called {header.mode[:20]}"
    elif not 0 <= header.bid_seconds <= LONGEST:
        wrong = f"a bid may take 0 to {LONGEST} seconds, not {header.bid_seconds}"
    elif not all(1 <= seat <= header.seats for seat in (*header.names, *header.colours)):
        wrong = f"it names seats that it does not have: they are 1 to {header.seats}"
    elif any(len(name) > LONGEST_NAME for name in header.names.values()):
        wrong = f"a name is longer than {LONGEST_NAME} letters"
    elif not set(header.colours.values()) <= set(COLOURS):
        wrong = f"it has a colour that there is not; there are {', '.join(COLOURS)}"
    if wrong:
        raise TellError(f"this match can't be taken in: {wrong}")
    names = {seat: clean_name(name, LONGEST_NAME) for seat, name in header.names.items()}
    return msgspec.structs.replace(header, names={seat: name for seat, name in names.items() if name})


def tell(match: str, to: int | None) -> Iterator[str]:
    """Tell a match in words, up to record `to`, and end with the standing."""
    header, lines = _load(match)
    game = games.load(header.game)
    yield f"{game.info.title}, {header.seats} players, begun {header.at}, match {header.id}"
    state: Any = None
    for record, before, history in fold(game, header, lines[:to]):
        state = history.state
        mark = " (assumed)" if record.assumed else ""
        yield f"{record.n:4} {name_seats(told_record(game, before, record), header.names)}{mark}"
    standing = game.standing(opening(game, header) if state is None else state)
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
    header = checked(header)
    game = games.load(header.game)
    records = [record for record, _, _ in fold(game, header, lines)]
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

    Every record must fit, nothing may be lost or doubled in any state, and every roll of the companion must be what its
    secret makes of it, with a secret that was committed to before (C6).

    Raises:
        TellError: at the first record that does not fit, or if anything else is wrong.
    """
    header, lines = _load(match)
    game = games.load(header.game)
    committed, wrong = header.commitment, 0
    rolls = kept = entered = records = after = 0
    of_rolls: set[int] = set()
    dead: set[int] = set()
    throws = Throws(header.commitment)
    told_all: list[Record] = []
    for record, _, history in fold(game, header, lines):
        records += 1
        told_all.append(record)
        before = throws.made(after, record.action) if record.action is not None else None
        for problem in (*game.audit(history.state), *_dice(game, header, record, history, committed)):
            wrong += 1
            yield f"Record {record.n}: {name_seats(problem, header.names)}"
        dice = sum(isinstance(fact, Rolled) for fact in record.facts)
        if record.proof is not None:
            rolls += dice
        elif dice and before == record.facts:
            kept += dice
        else:
            entered += dice
        if dice:
            of_rolls.add(record.n)
        throws.note(after, record, "", ())
        after, dead = history.last, history.dead
        if record.commitment and record.commitment != committed:
            yield f"Record {record.n}: from here on the dice come from a new secret; the one before is not known here."
        committed = told(record) or committed
    loose = broken(header, told_all)
    if loose:
        wrong += 1
        yield f"Record {loose}: it does not hang on the one before; something was changed, lost or put in there."
    elif records and not told_all[0].chain:
        unchained = sum(not one.chain for one in told_all)
        yield f"The first {unchained} records are from before there was a chain; nobody can see whether they changed."
    yield (
        f"{records} records, {rolls} rolls of the companion proved, {kept} that were kept after an undo, {entered} "
        "rolled at the table and entered."
    )
    if undone := len(of_rolls & dead):
        yield f"{undone} of them {'was taken back, and does' if undone == 1 else 'were taken back, and do'} not count."
    if wrong:
        raise TellError(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong with this match")
    yield "All of it is in order."


def _dice(game: Game[Any], header: Header, record: Record, history: History, committed: str) -> Iterator[str]:
    """Name what is wrong with the dice of a record."""
    proof = record.proof
    if proof is None:
        return
    secret = bytes.fromhex(proof.secret)
    if commitment(secret) != committed:
        yield "its secret is not the one that was committed to."
    state = history.active[-2].state if len(history.active) > 1 else history.first
    needs = {need.place: need for need in game.needs(state, record.action)}
    for fact in record.facts:
        need = needs.get(fact.place)
        if isinstance(fact, Rolled) and need is not None:
            right = values(secret, header.id, record.n, need, proof.salts)
            if right != fact.values:
                yield f"the dice were {_list(right)}, and {_list(fact.values)} is written."


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
