"""Which records the hall still wants: the journal read by a cursor a match, which only the hall's word moves.

A record counts when the hall has committed it; the rest is sent again. On each connection the newest matches are asked
after, and older ones as long as something is missing.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion import games
from companion.appliance.broker_settings import Naming
from companion.appliance.cursors import Cursor, Cursors
from companion.appliance.public import header_told
from companion.hall.messages import LARGEST, Committed, Records, encode
from companion.referee.chain import root
from companion.referee.journal import Header, JournalError, decode_record
from companion.referee.journal_reader import JournalReader, read_only
from companion.rules.kernel import AnyGame, Game
from companion.table.folding import TellError, folded
from companion.text import plain

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Records of a message at most; their bytes count, too."""
ROOM = LARGEST - 2048
"""Bytes of a message's records: what is left is for its other fields."""
WINDOW = 6
"""Messages on their way at most, that is 400 kB: memory is bounded, and a slow hall is not drowned."""
PATIENCE = 5.0
"""Seconds for an answer: afterwards one record at a time is sent again, so that an absent hall is not sent much."""
ROUND_TRIP = 1.0
"""Seconds after which a hall that has nothing of what was sent was away when it came: it gets it again at once."""
ASKED = 12
"""Matches that are asked after on each connection, the newest of them; and so many more while something was missing."""


class Sent(msgspec.Struct):
    """What is on its way of a match: up to record `through`, since a moment; `named` if its header is with it."""

    through: int
    since: float
    messages: int = 1
    named: str = ""


class Known(msgspec.Struct, frozen=True):
    """What is kept of a match that is being told: what its first record hangs on, its names' stand-in, its game."""

    root: str
    named: str
    game: str


class Outbox:
    """What is to be sent next. Only one thread may use it; it reads the journal beside the process that writes it."""

    def __init__(
        self, folder: Path, cursors: Cursors, naming: Naming, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Create it for the journal of a folder; `clock` gives seconds."""
        self._folder, self._cursors, self._naming, self._clock = folder, cursors, naming, clock
        self._known: list[str] = []
        self._playing = ""
        self._open: dict[str, None] = {}
        """Matches of which something may be missing yet, in the order in which they are told."""
        self._asking: list[str] = []
        """Matches to ask after, the newest last."""
        self._asked = 0
        self._looked_at: tuple[tuple[int, int], ...] = ()
        self._sent: dict[str, Sent] = {}
        self._headers: dict[str, Header] = {}
        """All headers, as they were read at this look; empty before one is wanted."""
        self._about: dict[str, Known] = {}
        self._kept_back: dict[str, int] = {}
        """Matches that are not over and have something secret in them, by the number of records they had."""
        self._silent = False
        """Whether something went unanswered, and nothing was answered since."""
        self._stuck: dict[str, str] = {}
        """Matches that can't be told, with why; they are tried again after the next connection."""

    @property
    def overdue(self) -> bool:
        """Whether an answer is missing for too long."""
        now = self._clock()
        return any(now - sent.since > PATIENCE for sent in self._sent.values())

    @property
    def waits(self) -> bool:
        """Whether an answer is to come."""
        return bool(self._sent)

    def journal_changed(self) -> bool:
        """Return whether the journal was written to since the last look at it, by its files' times and sizes."""
        return self._files() != self._looked_at

    def _files(self) -> tuple[tuple[int, int], ...]:
        found = []
        for name in ("journal.db", "journal.db-wal"):
            with suppress(OSError):
                about = (self._folder / name).stat()
                found.append((about.st_mtime_ns, about.st_size))
        return tuple(found)

    def refused(self) -> int:
        """Count the matches of which the hall has refused something, or which can't be told."""
        return sum(bool(self._cursors[match].refused) for match in self._known) + len(self._stuck)

    def connected(self) -> None:
        """Begin anew after a connection: nothing is on its way, and the newest matches are asked after."""
        self._sent.clear()
        self._stuck.clear()
        self._known, self._asked, self._asking = [], 0, []
        self._open.clear()
        self._about.clear()

    def renamed(self, match: str) -> None:
        """A match's names or colours may have changed."""
        self._about.pop(match, None)
        self._open[match] = None

    def due(self, playing: str) -> list[Records]:
        """Return what may be sent, the match in play first; raise JournalError if the journal can't be read now."""
        now = self._clock()
        for match in [one for one, sent in self._sent.items() if now - sent.since > PATIENCE]:
            sent = self._sent.pop(match)  # and so it is sent again
            self._silent = True
            if sent.through <= self._cursors[match].through:
                # It was only asked after. Without an answer nobody knows whether it is there: the hall may have been
                # restored, and have come back after the question.
                self._asking.append(match)
        found: list[Records] = []
        self._headers = {}
        self._looked_at = self._files()
        try:
            with read_only(self._folder) as reader:
                self._look_round(reader, playing)
                for match in list(self._open):
                    if self._room() <= 0:
                        break
                    found += self._of(reader, match, self._room(), now)
                self._ask(reader, found, now)
        except sqlite3.Error as error:
            raise JournalError(f"the journal can't be read just now: {error}") from None
        return found

    def _room(self) -> int:
        return (1 if self._silent else WINDOW) - sum(sent.messages for sent in self._sent.values())

    def _look_round(self, reader: JournalReader, playing: str) -> None:
        """Take in matches that have come, those that are gone, and the one that is played."""
        ids = reader.ids()
        if ids != self._known:
            first = not self._known
            for match in ids if first else set(ids) - set(self._known):
                if not first or not self._holds(reader, match) or reader.newest(match) > self._cursors[match].through:
                    self._open[match] = None
            self._known = ids
            there = set(ids)
            self._cursors.keep_only(there)
            for match in [one for one in self._open if one not in there]:
                del self._open[match]
            if first:
                self._ask_more()
        # The match before may have got its last records since anybody looked, and so may the newest ones.
        for match in (self._playing, *ids[-2:]):
            if match in self._known:
                self._open.setdefault(match)
        self._playing = playing
        if playing in self._known:
            self._open = {playing: None, **{one: None for one in self._open if one != playing}}

    def _holds(self, reader: JournalReader, match: str) -> bool:
        """Return whether the cursor's record is the one that was told; a restored journal is told anew."""
        cursor = self._cursors[match]
        if not cursor.through:
            return True
        rows = reader.following(match, cursor.through - 1, 1)
        if rows and rows[0][0] == cursor.through and _chain(rows[0][1]) == cursor.chain:
            return True
        log.warning("match %s is not the one any more that the hall was told; it is told anew", match)
        self._cursors[match] = Cursor()
        return False

    def _ask_more(self) -> None:
        told = [one for one in reversed(self._known) if self._cursors[one].through and one not in self._open]
        self._asking += told[self._asked : self._asked + ASKED]
        self._asked += ASKED

    def _ask(self, reader: JournalReader, found: list[Records], now: float) -> None:
        """Send the last record once more that the hall should have: it answers how far it has the match."""
        while self._asking and self._room() > 0:
            match = self._asking.pop(0)
            through = self._cursors[match].through
            rows = reader.following(match, through - 1, 1) if through else []
            known = self._look_at(reader, match) if rows and match not in self._sent else None
            if known is None or self._cursors[match].refused:
                continue
            header = header_told(self._header(reader, match), self._naming) if through == 1 else None
            found.append(
                Records(match=match, root=known.root, first=through, lines=(_text(rows[0][1]),), header=header)
            )
            self._sent[match] = Sent(through, now)

    def _of(self, reader: JournalReader, match: str, room: int, now: float) -> list[Records]:
        """Return the next messages of a match, `room` at most; it is closed if nothing is missing."""
        cursor, sent = self._cursors[match], self._sent.get(match)
        if cursor.refused or match in self._stuck:
            self._open.pop(match, None)
            return []
        try:
            known = self._look_at(reader, match)
            if known is None:
                return []
            made: list[Records] = []
            if sent is None and cursor.through and cursor.named != known.named:
                # Names may come late: the first record goes once more, for its header.
                row = reader.following(match, 0, 1)[0]
                header = header_told(self._header(reader, match), self._naming)
                self._sent[match] = Sent(cursor.through, now, named=known.named)
                return [Records(match=match, root=known.root, first=1, lines=(_text(row[1]),), header=header)]
            after = cursor.through if sent is None else sent.through
            while len(made) < room and (message := self._next(reader, match, known, after)) is not None:
                made.append(message)
                after += len(message.lines)
        except (JournalError, TellError, games.GameError, ValueError, IndexError) as error:
            self._stuck[match] = f"{error}"
            log.warning("match %s can't be told to the hall: %s", match, error)
            return []
        if made:
            with_header = known.named if made[0].first == 1 else ""
            on_way = sent or Sent(0, now, 0)
            self._sent[match] = Sent(after, now, on_way.messages + len(made), with_header or on_way.named)
        elif sent is None and reader.newest(match) <= cursor.through:
            self._open.pop(match, None)
        return made

    def _header(self, reader: JournalReader, match: str) -> Header:
        self._headers = self._headers or {one.id: one for one in reader.matches()}
        if match not in self._headers:
            raise JournalError("its header is damaged")
        return self._headers[match]

    def _look_at(self, reader: JournalReader, match: str) -> Known | None:
        """Return what is to be known of a match; None if its header is damaged."""
        if match not in self._about:
            try:
                header = self._header(reader, match)
            except JournalError as error:
                self._stuck[match] = f"{error}"
                return None
            told = header_told(header, self._naming)
            named = hashlib.sha256(msgspec.json.encode((told["names"], told["colours"]), enc_hook=plain)).hexdigest()[
                :16
            ]
            if len(self._about) > 100:
                self._about.clear()
            self._about[match] = Known(root(header), named, header.game)
        return self._about[match]

    def _next(self, reader: JournalReader, match: str, known: Known, after: int) -> Records | None:
        """Return the message with the records that follow number `after`; None if there are none that may be told."""
        rows = reader.following(match, after, 1 if self._silent else AT_ONCE)
        if not rows:
            return None
        lines: list[str] = []
        left = ROOM
        first = header_told(self._header(reader, match), self._naming) if after == 0 else None
        if first is not None:
            left -= len(msgspec.json.encode(first, enc_hook=plain))
        for n, line in rows[: self._public(reader, match, known.game, rows)]:
            if n != after + len(lines) + 1:
                raise JournalError(f"record {after + len(lines) + 1} is missing")
            text = _text(line)
            left -= len(msgspec.json.encode(text, enc_hook=plain)) + 1
            if left < 0:
                break
            lines.append(text)
        if not lines:
            if left < 0:
                raise JournalError(f"record {after + 1} is too long")
            return None
        message = Records(match=match, root=known.root, first=after + 1, lines=tuple(lines), header=first)
        if len(encode(message)) > LARGEST:
            raise JournalError(f"the records from {after + 1} on are too long")
        return message

    def _public(self, reader: JournalReader, match: str, name: str, rows: list[tuple[int, bytes]]) -> int:
        """Return how many of the records may be told: those before the first in which something is still secret."""
        game = games.load(name)
        if type(game).secret is Game.secret:
            return len(rows)  # nothing in this game's records is ever secret
        for place, (_, line) in enumerate(rows):
            record = decode_record(line, game.action_type)
            if record.action is not None and game.secret(record.action, record.facts):
                return len(rows) if self._is_over(reader, match, game) else place
        return len(rows)

    def _is_over(self, reader: JournalReader, match: str, game: AnyGame) -> bool:
        """Return whether nothing in a match is secret any more; a match without a new record is not folded again."""
        newest = reader.newest(match)
        if self._kept_back.get(match) == newest:
            return False
        state = folded(game, self._header(reader, match), list(reader.lines(match))).state
        over = game.standing(state).outcome is not None
        if not over:
            self._kept_back[match] = newest
        return over

    def committed(self, said: Committed) -> None:
        """Take the hall's word for how far it has a match."""
        try:
            with read_only(self._folder) as reader:
                there = said.match in reader.ids()
                through = min(said.through, reader.newest(said.match))
                rows = reader.following(said.match, through - 1, 1) if through else []
        except (JournalError, sqlite3.Error) as error:
            log.warning("the hall's answer is not taken in: %s", error)
            return
        self._silent = False
        if not there:
            return
        cursor, sent = self._cursors[said.match], self._sent.get(said.match)
        if said.refused:
            log.error("the hall refuses match %s: %s", said.match, said.refused)
            self._sent.pop(said.match, None)
            self._cursors[said.match] = msgspec.structs.replace(cursor, refused=said.refused[:200])
            return
        named = cursor.named
        if sent is not None and through:
            named = sent.named or named  # the header came with the first record
        if sent is not None and through >= sent.through:
            del self._sent[said.match]
        elif sent is not None and through > cursor.through:
            self._sent[said.match] = msgspec.structs.replace(
                sent, since=self._clock(), messages=max(1, sent.messages - 1)
            )
        elif sent is not None and through == cursor.through and self._clock() - sent.since > ROUND_TRIP:
            del self._sent[said.match]
        if through < cursor.through:
            # The hall was restored, or the answer is an old one: it gets what it has not, or once more.
            self._sent.pop(said.match, None)
            self._ask_more()
        if not through:
            named = ""
        self._cursors[said.match] = Cursor(through, _chain(rows[0][1]) if rows else "", named)
        self._open[said.match] = None


class _Chained(msgspec.Struct):
    chain: str = ""


def _chain(line: bytes) -> str:
    """Return the hash that a record carries; of one without, a hash of its line stands for it."""
    try:
        carried = msgspec.json.decode(line, type=_Chained).chain
    except (msgspec.MsgspecError, UnicodeDecodeError):
        carried = ""
    return carried or hashlib.sha256(line).hexdigest()


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise JournalError("a record is damaged") from None
