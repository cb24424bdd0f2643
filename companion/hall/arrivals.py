"""What tables sent, read and put together for one transaction. None of it is trusted: a table may be anybody's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from companion.hall.messages import Call, MessageError, Presence, Records, Snapshot, decode
from companion.referee.colours import SHAPES
from companion.rules.seats import clean_name
from companion.untyped import read_json

LONGEST_LINE = 60 * 1024
SENTENCE, NAME = 400, 80
FUTURE = timedelta(days=1)
"""A table's clock may be wrong; what it says of times further ahead is not believed."""


class ReadLine(msgspec.Struct, frozen=True):
    """What the hall needs to know of a record; the rules are asked later."""

    n: int
    id: str
    at: str = ""
    kind: str = "action"


class MatchLines(msgspec.Struct):
    """What arrived of one match: the lines by number, and what else its messages say."""

    root: str
    header: bytes | None = None
    lines: dict[int, str] = {}
    ends: bool = False


class Misfit(msgspec.Struct, frozen=True):
    """What did not fit, and why."""

    table: str
    match: str
    n: int | None
    what: str
    why: str


class Batch:
    """What arrived since the last one was written; of presence, snapshot and call the newest counts."""

    def __init__(self) -> None:
        self.presence: dict[str, Presence] = {}
        self.snapshots: dict[str, tuple[Snapshot, datetime | None]] = {}
        self.calls: dict[str, Call] = {}
        self.matches: dict[tuple[str, str], MatchLines] = {}
        self.misfits: list[Misfit] = []
        self.dropped: dict[str, int] = {}

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.presence or self.snapshots or self.calls or self.matches or self.misfits or self.dropped)

    def tables(self) -> list[str]:
        """List the tables that it is about, sorted."""
        of_matches = {table for table, _ in self.matches}
        misfits = {one.table for one in self.misfits}
        return sorted({*self.presence, *self.snapshots, *self.calls, *of_matches, *misfits, *self.dropped})

    def split(self) -> list[Batch]:
        """Return a batch for each table."""
        return [self._of(table) for table in self.tables()]

    def _of(self, table: str) -> Batch:
        part = Batch()
        part.presence = {name: one for name, one in self.presence.items() if name == table}
        part.snapshots = {name: one for name, one in self.snapshots.items() if name == table}
        part.calls = {name: one for name, one in self.calls.items() if name == table}
        part.dropped = {name: one for name, one in self.dropped.items() if name == table}
        part.matches = {key: one for key, one in self.matches.items() if key[0] == table}
        part.misfits = [one for one in self.misfits if one.table == table]
        return part

    def add(self, table: str, what: str, payload: bytes) -> None:
        """Take a message in; one that can't be read is a misfit."""
        try:
            if what == "presence":
                self.presence[table] = _presence(decode(payload, Presence))
            elif what == "snapshot":
                read = decode(payload, Snapshot)
                self.snapshots[table] = (_snapshot(read), moment(read.at))
            elif what == "call":
                self.calls[table] = _call(decode(payload, Call))
            elif what == "records":
                self._records(table, decode(payload, Records))
        except (MessageError, RecursionError) as error:
            self.misfit(table, "", None, payload, f"the {what} message can't be read: {error}")

    def misfit(self, table: str, match: str, n: int | None, what: bytes, why: str) -> None:
        """Keep what does not fit."""
        shown = what[:2000].decode("utf-8", "backslashreplace").replace("\x00", "\\x00")
        self.misfits.append(Misfit(table, storable(match), n, shown, storable(why[:SENTENCE])))

    def _records(self, table: str, message: Records) -> None:
        if clean_name(message.match, 64) != message.match:
            raise MessageError("a match's number is none")
        known = self.matches.setdefault((table, message.match), MatchLines(message.root))
        if known.root != message.root:
            raise MessageError("it hangs on another header than what came before")
        if message.header is not None and message.first == 1:
            known.header = msgspec.json.encode(message.header)
        for n, line in enumerate(message.lines, message.first):
            try:
                read = read_json(line, ReadLine)
            except msgspec.MsgspecError as error:
                raise MessageError(f"record {n} is none: {error}") from None
            if read.n != n:
                raise MessageError(f"record {read.n} stands where {n} should")
            if "\x00" in line or len(line) > LONGEST_LINE:
                raise MessageError(f"record {n} is none")
            if known.lines.setdefault(n, line) != line:
                self.misfit(table, message.match, n, line.encode("utf-8", "replace"), "the record came twice, changed")
            known.ends = known.ends or read.kind == "end"


def storable(text: str) -> str:
    """Return a text as PostgreSQL takes it: without NUL and without halves of letters."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def moment(text: str | None) -> datetime | None:
    """Read a time of day that a table said; None if it is none, or can't be."""
    try:
        found = datetime.fromisoformat(text or "")
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        found = found.astimezone(UTC)
        return found if found.year >= 2000 and found <= datetime.now(UTC) + FUTURE else None
    except (ValueError, OverflowError):
        return None


def _presence(read: Presence) -> Presence:
    return msgspec.structs.replace(read, title=clean_name(read.title, NAME), version=clean_name(read.version, 40))


def _call(read: Call) -> Call:
    return msgspec.structs.replace(read, text=clean_name(read.text, SENTENCE))


def _snapshot(read: Snapshot) -> Snapshot:
    """Clean what people would read, and leave out colours that there are not."""
    seats = tuple(
        msgspec.structs.replace(
            one,
            name=clean_name(one.name, NAME) or f"Seat {one.seat}",
            colour=one.colour if one.colour in SHAPES else "",
            score=None if one.score is None else max(-(10**9), min(10**9, one.score)),
        )
        for one in read.seats
    )
    return msgspec.structs.replace(
        read,
        match=None if read.match is None else clean_name(read.match, 64),
        game=clean_name(read.game, NAME),
        title=clean_name(read.title, NAME),
        phase=clean_name(read.phase, NAME),
        text=clean_name(read.text, SENTENCE),
        seats=seats,
        violation=None if read.violation is None else clean_name(read.violation, SENTENCE),
        last_roll=None if read.last_roll is None else tuple(one for one in read.last_roll if 0 <= one <= 999),
        clock=None if read.clock is None or read.clock > 86400 else read.clock,
    )
