"""Names that a person has asked to be forgotten: nowhere shown or kept, also if a table sends one again.

A salted hash of each is kept. All names in the database's `PLACES`, old and new, go through `Forgotten`.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Mapping

import msgspec

from companion import games
from companion.hall.database import Connection, set_setting, setting, tell
from companion.hall.messages import SeatView, Snapshot
from companion.hall.sentences import changed
from companion.referee.record import Header
from companion.text import plain as encodable

SALT = "forgotten_salt"
NOBODY = "Somebody"
"""What stands for a forgotten name where no seat does."""
LOCK = 0x4A12
"""Held by who forgets, and shared by who writes names: nobody writes by a list that is older than what is forgotten."""
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Letters of scripts that are written without blanks (Thai, Chinese, Japanese, Korean, …): each counts as a word."""
_WORD = re.compile(rf"[{_ALONE}]|(?:[^\W{_ALONE}][\u0300-\u036f]*)+|[^\w\s]")
_UNKNOWN = range(1, 9)
"""Of how many words names are that were forgotten before it was counted."""
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.")


def plain(name: str) -> str:
    """Return a name as names are compared: whatever its capitals, blanks, ligatures, and signs that nobody sees."""
    folded = _seen(name.replace("@", " ")).casefold().replace("i\u0307", "i")  # "İ" is the capital of "i", too,
    return " ".join(unicodedata.normalize("NFKC", folded).replace("ı", "i").split())  # and "I" that of "ı"


def _seen(text: str) -> str:
    seen = "".join(one for one in text if one.isspace() or unicodedata.category(one)[0] != "C")
    return unicodedata.normalize("NFKC", seen)


class Forgotten:
    """The names that were forgotten. Create it before anything is locked: it waits for who is just forgetting."""

    def __init__(self, connection: Connection) -> None:
        connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", (LOCK,))
        known = connection.execute("SELECT hash, words FROM forgotten").fetchall()
        self._hashes = {row[0] for row in known}
        self._salt = (setting(connection, SALT) or "") if self._hashes else ""
        self._words = {size for row in known for size in ([row[1]] if row[1] else _UNKNOWN)}

    def has(self, name: str) -> bool:
        """Return whether a name was forgotten."""
        return bool(self._hashes) and hashed(self._salt, name) in self._hashes

    def without(self, text: str, seats: Mapping[str, str] | None = None) -> str:
        """Return a sentence without forgotten names, unless they are parts of others; `seats` has their stand-ins."""
        if not self._hashes:
            return text
        seats, read = seats or {}, _seen(text)
        words = [one.span() for one in _WORD.finditer(read)]
        parts: list[str] = []
        at = i = 0
        sizes = sorted({*self._words, *(len(_WORD.findall(name)) for name in seats)}, reverse=True)
        while i < len(words):
            for many in sizes:
                if not 0 < many <= len(words) - i:
                    continue
                start, end = words[i][0], words[i + many - 1][1]
                name = plain(read[start:end])
                if name in seats or self.has(name):
                    if seats.get(name) != name:
                        parts += [read[at:start], seats.get(name, NOBODY)]
                        at = end
                    i += many
                    break
            else:
                i += 1
        return "".join(parts) + read[at:] if parts else text

    def name(self, name: str, other: str = "") -> str:
        """Return a name; for a forgotten one another."""
        return other if self.has(name) else name

    def game(self, name: str) -> str:
        """Return a game as a table or a host names it, without forgotten names; those of games that are here stay."""
        return name if name in games.names() else self.without(name)

    def raw(self, text: str) -> str:
        """Return a message as it came; nothing of it if a name that was forgotten is in it, however it is escaped."""
        once = _ESCAPED.sub(_unescaped, text)
        twice = _ESCAPED.sub(_unescaped, once)  # records are JSON in JSON
        return text if all(self.without(one) == one for one in {text, once, twice}) else ""

    def header(self, header: Header) -> Header:
        """Return a match's header without forgotten names."""
        names = {seat: one for seat, one in header.names.items() if not self.has(one)}
        return msgspec.structs.replace(header, names=names, game=self.game(header.game))

    def snapshot(self, shown: Snapshot) -> Snapshot:
        """Return a snapshot in which seats stand for forgotten names, also in its sentences."""
        if not self._hashes:
            return shown
        seats = {plain(one.name): f"Seat {one.seat}" if self.has(one.name) else plain(one.name) for one in shown.seats}

        def seat(one: SeatView) -> SeatView:
            return msgspec.structs.replace(one, name=self.name(one.name, f"Seat {one.seat}"))

        return msgspec.structs.replace(
            shown,
            game=self.game(shown.game),
            title=self.without(shown.title, seats),
            phase=self.without(shown.phase, seats),
            text=self.without(shown.text, seats),
            text_said=changed(shown.text_said, lambda words: self.without(words, seats)),
            violation=None if shown.violation is None else self.without(shown.violation, seats),
            violation_said=changed(shown.violation_said, lambda words: self.without(words, seats)),
            seats=tuple(map(seat, shown.seats)),
        )


def _unescaped(found: re.Match[str]) -> str:
    try:
        return str(json.loads('"' + found[0] + '"')).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except ValueError:
        return found[0]


def hashed(salt: str, name: str) -> str:
    """Return what is kept of a name."""
    return hashlib.sha256(f"{salt}\n{plain(name)}".encode()).hexdigest()


def remember_to_forget(connection: Connection, name: str) -> None:
    """Keep that a name is to be forgotten, from now on."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    salt = setting(connection, SALT)
    if salt is None:
        salt = secrets.token_hex(16)
        set_setting(connection, SALT, salt)
    connection.execute(
        "INSERT INTO forgotten (hash, words) VALUES (%s, %s) ON CONFLICT (hash) DO UPDATE SET words = excluded.words",
        (hashed(salt, name), len(_WORD.findall(plain(name)))),
    )
    tell(connection, ["forgotten"])


def _header(forgotten: Forgotten, kept: str, other: str) -> str:
    header = msgspec.json.decode(kept, type=Header)
    left = forgotten.header(header)
    return kept if left == header else msgspec.json.encode(left, enc_hook=encodable).decode()


def _seats(forgotten: Forgotten, kept: str, other: str) -> str:
    names: dict[str, str] = json.loads(kept)
    left = {seat: forgotten.name(one, f"Seat {seat}") for seat, one in names.items()}
    return kept if left == names else json.dumps(left)


def _snapshot(forgotten: Forgotten, kept: str, other: str) -> str:
    try:
        shown = msgspec.json.decode(kept, type=Snapshot)
    except msgspec.MsgspecError:
        return ""  # an older hall's: the table shows it again
    left = forgotten.snapshot(shown)
    return kept if left == shown else msgspec.json.encode(left, enc_hook=encodable).decode()


def _sentence(forgotten: Forgotten, kept: str, other: str) -> str:
    return forgotten.without(kept)


def _game(forgotten: Forgotten, kept: str, other: str) -> str:
    return forgotten.game(kept)


def _raw(forgotten: Forgotten, kept: str, other: str) -> str:
    return forgotten.raw(kept)


class Place(msgspec.Struct, frozen=True):
    """A column that may hold names: how they stand in it, what is put for one, and what else is set then (SQL)."""

    table: str
    column: str
    left: Callable[[Forgotten, str, str], str]
    other: str = "''"
    also: str = ""
    gone: bool = False
    """Whether the row is deleted instead: its table sends it again, or it is of no use without."""


_ANEW = ", settled = 0, due = through > 0"
"""How a match ended is told anew, with the other names."""
PLACES = (
    Place("tables", "title", _sentence),
    Place("tables", "snapshot", _snapshot),
    Place("tables", "call_text", _sentence),
    Place("tables", "version", _sentence),
    Place("matches", "game", _game),
    Place("matches", "header", _header, also=_ANEW + ", outcome = ''"),
    Place("matches", "names", _seats, also=_ANEW + ", outcome = ''"),
    Place("matches", "outcome", _sentence, also=_ANEW),
    Place("results", "name", Forgotten.name, "'Seat ' || seat"),
    Place("waiting", "line", _raw, gone=True),
    Place("aside", "what", _raw, gone=True),
    Place("aside", "why", _raw, gone=True),
    Place("leagues", "name", _sentence),
    Place("leagues", "game", _game),
    Place("events", "name", _sentence),
    Place("entrants", "name", Forgotten.name, "'Player ' || id"),
    Place("pods", "why", _sentence),
)
"""Records have no names, and nothing of a chain can be left out; tables' names at the broker are addresses."""


def forget(connection: Connection, name: str) -> int:
    """Take a name out of everything that is kept here, and keep it out; return in how many places it was."""
    remember_to_forget(connection, name)
    forgotten = Forgotten(connection)
    count = 0
    for one in PLACES:
        kept = connection.execute(
            f"SELECT ctid::text, {one.column}::text, {one.other} FROM {one.table} "  # noqa: S608
            f"WHERE {one.column} IS NOT NULL FOR UPDATE".encode()
        )
        for row, text, other in kept.fetchall():
            if (left := one.left(forgotten, text, other)) != text:
                kind = "jsonb" if one.left is _seats else "text"
                change = f"UPDATE {one.table} SET {one.column} = %(left)s::{kind}{one.also}"  # noqa: S608
                sql = f"DELETE FROM {one.table}" if one.gone else change  # noqa: S608
                connection.execute(f"{sql} WHERE ctid = %(row)s::tid".encode(), {"left": left, "row": row})
                count += 1
    found = connection.execute("SELECT name FROM tables UNION SELECT 'event ' || id FROM events").fetchall()
    tell(connection, ["results", *(row[0] for row in found)])
    return count
