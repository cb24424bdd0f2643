"""Matches folded and checked record by record: those of the journal, and those from elsewhere."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from companion import games
from companion.referee.chain import broken
from companion.referee.colours import COLOURS
from companion.referee.commands import LONGEST, MODES
from companion.referee.history import History, HistoryError, opening
from companion.referee.journal import Header, JournalError, decode_record, read_export
from companion.referee.play_clock import wrong_timing
from companion.referee.record import Record, unknown
from companion.referee.rolls import commitment, commitment_in, values
from companion.referee.throws import Throws
from companion.rules.kernel import AnyGame, Rolled, RuleError
from companion.rules.seats import clean_name, told_apart
from companion.rules.wording import all_of, counted

LONGEST_NAME = 40
"""Letters of a name in a match from elsewhere; the pages let people type fewer."""
MOST_RECORDS = 10_000
"""Records of a match from elsewhere: twenty times a long one. What replaying them takes grows with their number."""
MOST_BRANCHES = 100
"""Actions of a match from elsewhere from which steps were taken back: what was seen up to each stays known (C4)."""
LOOSE = "does not hang on the one before; something was changed, lost or put in there"


class TellError(Exception):
    """A match that can't be found, read or replayed; the message says why."""


def fold(game: AnyGame, header: Header, lines: list[bytes]) -> Iterator[tuple[Record, object, History]]:
    """Fold records one by one, yielding each with the state before it (None: nothing done) and the history after it.

    The state after a step back is made only if somebody asks for it.

    Raises:
        TellError: at the first record that does not fit, named by its number.
    """
    n = 0
    try:
        history = History(game, opening(game, header))
        for line in lines:
            n += 1
            record = decode_record(line, game.action_type)
            before = history.state if record.action is not None else None
            history.append(record)
            yield record, before, history
    except (JournalError, HistoryError, RuleError, msgspec.ValidationError) as error:
        raise TellError(f"record {n} of match {header.id} does not fit: {error}") from None


def folded(game: AnyGame, header: Header, lines: list[bytes]) -> History:
    """Fold all records of a match; raise TellError at the first that does not fit, by its number."""
    last = deque(fold(game, header, lines), maxlen=1)
    return last[0][2] if last else History(game, opening(game, header))


def is_time(at: str) -> bool:
    """Whether something is a time of day as records carry it, in a year in which somebody may have played; or empty."""
    try:
        return not at or 1970 <= datetime.fromisoformat(at).year < 3000
    except ValueError:
        return False


def checked(header: Header) -> Header:
    """Check the header of a match from elsewhere, and clean its names; raise TellError that names what can't be."""
    wrong = ""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,60}", header.id):
        wrong = "its number is none"
    elif not is_time(header.at):
        wrong = "its date is none"
    elif header.mode not in MODES:
        wrong = f"there is no mode called {header.mode[:20]}"
    elif not 0 <= header.bid_seconds <= LONGEST:
        wrong = f"a bid may take 0 to {LONGEST} seconds, not {header.bid_seconds}"
    elif wrong_timing(header.timing):
        wrong = wrong_timing(header.timing)
    elif not all(1 <= seat <= header.seats for seat in (*header.names, *header.colours)):
        wrong = f"it names seats that it does not have: they are 1 to {header.seats}"
    elif any(len(name) > LONGEST_NAME for name in header.names.values()):
        wrong = f"a name is longer than {LONGEST_NAME} letters"
    elif not set(header.colours.values()) <= set(COLOURS):
        wrong = f"it has a colour that there is not; there are {', '.join(COLOURS)}"
    if wrong:
        raise TellError(f"this match can't be taken in: {wrong}")
    names = {seat: clean_name(name, LONGEST_NAME) for seat, name in header.names.items()}
    return msgspec.structs.replace(header, names=told_apart(names, LONGEST_NAME))


def taken_in(lines: Iterable[bytes]) -> tuple[AnyGame, Header, list[Record], object]:
    """Check a match from elsewhere by replaying it: its game, header, records, and the state they lead to.

    Raises:
        TellError: if it is no match, does not replay, does not hang together or is out of bounds.
        GameError: if there is no such game.
    """
    try:
        header, given = read_export(lines)
    except JournalError as error:
        raise TellError(f"{error}") from None
    header = checked(header)
    game = games.load(header.game)
    _bounded("records", len(given), MOST_RECORDS)
    look = Look(game, header)
    records: list[Record] = []
    for line, (record, before, history) in zip(given, fold(game, header, given), strict=True):
        records.append(record)
        _bounded("branches", history.branches, MOST_BRANCHES)
        if not is_time(record.at):
            raise TellError(f"this match can't be taken in: the time of record {record.n} is none")
        for problem in look.at(line, record, before, history):
            raise TellError(f"this match can't be taken in: in record {record.n} {problem.rstrip('.')}")
    if loose := broken(header, records):
        raise TellError(f"this match can't be taken in: record {loose} {LOOSE}")
    return game, header, records, history.state if records else opening(game, header)


def _bounded(what: str, there: int, most: int) -> None:
    if there > most:
        raise TellError(f"this match can't be taken in: it has more than {most} {what}, and nobody plays so long")


class Look:
    """Looks at a match record by record: at its dice, and at what speaks for or against them."""

    def __init__(self, game: AnyGame, header: Header) -> None:
        self._game, self._header = game, header
        self._committed = header.commitment
        self._throws = Throws(game, header.commitment)
        self.proved = self.kept = self.entered = self.taken_back = self.again = self.other_cards = 0
        self.anew = 0
        """The last record from which on the dice come from a new secret."""

    def at(self, line: bytes, record: Record, before: object, history: History) -> Iterator[str]:
        """Take a record in, and name what is wrong with its line and its dice. `before` is the state it was made in."""
        if more := unknown(line, record):  # nothing was made of it, and no hash is over it
            yield f"there is something that no record has: {more[:40]!r}."
        yield from _dice(self._game, self._header, record, before, self._committed)
        dice = sum(isinstance(fact, Rolled) for fact in record.facts)
        made = self._throws.made(before, record.action, history) if dice else []
        if record.proof is not None:
            self.proved += dice
        elif record.facts in made:
            self.kept += dice
        else:
            self.entered += dice
        self.again += bool(made) and record.facts not in made
        if record.kind == "undo":
            gone = history.undone[-record.steps :]
            self.taken_back += sum(any(isinstance(fact, Rolled) for fact in past.record.facts) for past in gone)
        self._throws.note(before, history, record, "", ())
        self.other_cards += bool(history.tops.instead)
        if record.commitment and record.commitment != self._committed:
            self.anew = record.n
        self._committed = commitment_in(record) or self._committed

    def verdict(self, records: list[Record]) -> str:
        """Return what a match is worth in which nothing is wrong."""
        if not records:
            return "It has no records: there is nothing to check."
        unchained = sum(not record.chain for record in records)
        ways, other = self._throws.other_ways, counted(self.other_cards, "card", "cards")
        doubts = [
            *([f"{counted(unchained, 'record carries', 'records carry')} no hash"] if unchained else ()),
            *([f"{counted(self.entered, 'roll was', 'rolls were')} not made by the companion"] if self.entered else ()),
            *([f"{counted(ways, 'other way', 'other ways')} led to a roll that had been taken back"] if ways else ()),
            *([f"{other} came up where another had been taken back"] if self.other_cards else ()),
        ]
        said = "All of it is in order"
        if doubts:
            said = f"Nothing in it is wrong, but {all_of(doubts)}: nobody can see whether anything was changed there"
        if self.taken_back:
            often = self.taken_back
            said += "; a roll was taken back once" if often == 1 else f"; rolls were taken back {often} times"
        if self.again:
            said += f", and {counted(self.again, 'was', 'were')} then made anew, with other dice"
        return f"{said}."


def _dice(game: AnyGame, header: Header, record: Record, before: object, committed: str) -> Iterator[str]:
    """Name what is wrong with the dice of a record."""
    proof = record.proof
    if proof is None:
        return
    try:
        secret = bytes.fromhex(proof.secret)
    except ValueError:
        yield "its secret is none: it is no number in hexadecimal digits."
        return
    if commitment(secret) != committed:
        yield "its secret is not the one that was committed to."
    needs = {need.place: need for need in game.needs(before, record.action)} if record.action is not None else {}
    for fact in record.facts:
        need = needs.get(fact.place)
        if isinstance(fact, Rolled) and need is not None:
            right = values(secret, header.id, record.n, need, proof.salts)
            if right != fact.values:
                yield f"the dice were {_list(right)}, and {_list(fact.values)} is written."


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
