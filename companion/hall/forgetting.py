"""Names that a person has asked to be forgotten: nowhere shown or kept, also if a table sends one again.

What is kept of them is a salted hash. It keeps the name from who reads a backup; whoever guesses a name can check it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata

from companion.hall.database import Connection, set_setting, setting, tell

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
