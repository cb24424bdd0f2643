"""Names that a person has asked to be forgotten: nowhere shown or kept, also if a table sends one again.

What is kept of them is a salted hash. It keeps the name from who reads a backup; whoever guesses a name can check it.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import unicodedata

from companion.hall.database import Connection, set_setting, setting, tell, tell_event

SALT = "forgotten_salt"
NOBODY = "Somebody"
"""What stands for a forgotten name where no seat does."""


def plain(name: str) -> str:
    """Return a name as names are compared: whatever its capitals and blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Forgotten:
    """The names that were forgotten."""

    def __init__(self, connection: Connection) -> None:
        """Read their hashes."""
        self._hashes = {row[0] for row in connection.execute("SELECT hash FROM forgotten")}
        self._salt = (setting(connection, SALT) or "") if self._hashes else ""

    def has(self, name: str) -> bool:
        """Return whether a name was forgotten."""
        return bool(self._hashes) and hashed(self._salt, name) in self._hashes

    def without(self, text: str, names: dict[str, str]) -> str:
        """Return a sentence in which every key of `names` is replaced by its value."""
        for name, other in names.items():
            text = other.join(re.split(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags=re.IGNORECASE))
        return text


def hashed(salt: str, name: str) -> str:
    """Return what is kept of a name."""
    return hashlib.sha256(f"{salt}\n{plain(name)}".encode()).hexdigest()


def remember_to_forget(connection: Connection, name: str) -> None:
    """Keep that a name is to be forgotten, from now on."""
    salt = setting(connection, SALT)
    if salt is None:
        salt = secrets.token_hex(16)
        set_setting(connection, SALT, salt)
    connection.execute("INSERT INTO forgotten (hash) VALUES (%s) ON CONFLICT DO NOTHING", (hashed(salt, name),))
    tell(connection, ["forgotten"])


def forget(connection: Connection, name: str) -> int:
    """Take a name out of everything that is kept here, and keep it out; return in how many places it was.

    What did not fit, and records that wait, may hold it anywhere: those that do are deleted.
    """
    remember_to_forget(connection, name)
    forgotten = Forgotten(connection)
    whole = re.compile(rf"(?<!\w){re.escape(' '.join(name.split()))}(?!\w)", re.IGNORECASE)
    return (
        _in_matches(connection, forgotten)
        + _in_tournaments(connection, forgotten, whole)
        + _in_tables(connection, whole)
        + sum(connection.execute(sql, (name,)).rowcount for sql in _ANYWHERE)
    )


_ANYWHERE = (
    "DELETE FROM waiting WHERE strpos(lower(line), lower(%s)) > 0",
    "DELETE FROM aside WHERE strpos(lower(what), lower(%s)) > 0",
)


def _in_matches(connection: Connection, forgotten: Forgotten) -> int:
    count = 0
    for table, match, header, names in connection.execute(
        "SELECT table_name, id, header, names FROM matches FOR UPDATE"
    ).fetchall():
        read = json.loads(header)
        mine = {seat for seat, one in (*(read.get("names") or {}).items(), *names.items()) if forgotten.has(one)}
        if mine:
            read["names"] = {seat: one for seat, one in (read.get("names") or {}).items() if seat not in mine}
            shown = {seat: f"Seat {seat}" if seat in mine else one for seat, one in names.items()}
            # How it ended is told anew, with the other names.
            connection.execute(
                "UPDATE matches SET header = %s, names = %s, outcome = '', due = through > 0, settled = 0 "
                "WHERE table_name = %s AND id = %s",
                (json.dumps(read), json.dumps(shown), table, match),
            )
            count += 1
    for table, seat, match, one in connection.execute("SELECT table_name, seat, match, name FROM results").fetchall():
        if forgotten.has(one):
            connection.execute(
                "UPDATE results SET name = %s WHERE table_name = %s AND match = %s AND seat = %s",
                (f"Seat {seat}", table, match, seat),
            )
            count += 1
    return count


def _in_tournaments(connection: Connection, forgotten: Forgotten, whole: re.Pattern[str]) -> int:
    count = 0
    for number, entrant, one in connection.execute("SELECT event, id, name FROM entrants").fetchall():
        if forgotten.has(one):
            connection.execute(
                "UPDATE entrants SET name = %s WHERE event = %s AND id = %s", (f"Player {entrant}", number, entrant)
            )
            tell_event(connection, number)
            count += 1
    for number, round_, pod, why in connection.execute("SELECT event, round, pod, why FROM pods").fetchall():
        if whole.search(why):
            connection.execute(
                "UPDATE pods SET why = %s WHERE event = %s AND round = %s AND pod = %s",
                (whole.sub(NOBODY, why), number, round_, pod),
            )
            count += 1
    return count


def _in_tables(connection: Connection, whole: re.Pattern[str]) -> int:
    count = 0
    for table, snapshot, call in connection.execute("SELECT name, snapshot, call_text FROM tables").fetchall():
        if whole.search(snapshot or "") or whole.search(call):
            connection.execute(
                "UPDATE tables SET snapshot = NULL, call_text = %s WHERE name = %s", (whole.sub(NOBODY, call), table)
            )
            count += 1
        tell(connection, [table])
    return count
