"""What Mosquitto (2.0 and later) needs to know of a hall: who may come, what each may read and write, and how much.

One folder holds `passwords`, `rights` (a table's own topics; all for the hall), re-read on SIGHUP, and `hall.conf`.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.files import written_whole
from companion.hall.messages import LARGEST, ROOT, TO_HALL, TO_TABLE, is_table

HALL = "hall"
"""The user as which the hall itself comes."""
PASSWORDS, RIGHTS, CONF = "passwords", "rights", "hall.conf"
OUT = "shut-out"
"""The tables that may not come for a while, with their passwords' hashes: `name:hash:until`."""
ROUNDS = 1000
"""Of PBKDF2, 1.3 ms a connection: generated passwords have 120 bits, and a thousand tables come back in seconds."""
PACKET = LARGEST + 1024
"""Bytes of an MQTT packet: a message with its topic and properties."""
IN_FLIGHT = 20
"""Messages that a client may have sent, and the broker not answered; a table has ten."""
QUEUED = 2000
"""Messages that wait for one client; the hall asks again for what is dropped."""
QUEUED_BYTES = 64 * 1024 * 1024
KEEPALIVE = 60
"""Seconds at most that a client may be silent, so that a dead one is noticed."""


class BrokerError(Exception):
    """The broker's files can't be read or written, or a name does not fit; the message says what to do."""


class Listener(msgspec.Struct, frozen=True, kw_only=True):
    """Where the broker listens: a port, an address ("": all), and for TLS its certificate, key and authority."""

    port: int
    address: str = ""
    certificate: Path | None = None
    key: Path | None = None
    authority: Path | None = None


def tables(folder: Path) -> list[str]:
    """List the tables that may come."""
    return sorted({name for name in _users(folder) if name != HALL} | set(_out(folder)))


def add_hall(folder: Path) -> str:
    """Set a new password for the hall's own user, and return it; raise BrokerError if it can't be written."""
    return _add(folder, [HALL])[HALL]


def add_table(folder: Path, name: str) -> tuple[str, str]:
    """Let a table come; return its name and new password. Raises BrokerError if that does not work."""
    return name, add_tables(folder, [name])[name]


def add_tables(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Let several tables come; return their new passwords. Raises BrokerError if that does not work."""
    if any(not is_table(name) or name == HALL for name in names):
        raise BrokerError(
            f"a table's name has small letters a to z, digits and hyphens, 32 at most, and is not {HALL}: table-4"
        )
    return _add(folder, names)


def remove_table(folder: Path, name: str) -> None:
    """Let a table come no longer; raise BrokerError if there is none of that name, or nothing can be written."""
    with _alone(folder):
        users, out = _users(folder), _out(folder)
        if name == HALL or (users.pop(name, None) is None and name not in out):
            raise BrokerError(f"there is no table {name[:40]}; there are: {', '.join(tables(folder)) or 'none'}")
        _keep(folder, users)
        _keep_out(folder, {one: kept for one, kept in out.items() if one != name})


def _add(folder: Path, names: Sequence[str]) -> dict[str, str]:
    passwords = {name: secrets.token_urlsafe(15) for name in names}
    with _alone(folder):
        _keep(folder, {**_users(folder), **{name: hashed(password) for name, password in passwords.items()}})
        _keep_out(folder, {one: kept for one, kept in _out(folder).items() if one not in passwords})
    return passwords


def shut_out(folder: Path, name: str, until: float) -> bool:
    """Shut a table out until a time (seconds of the epoch); return whether it might come. Rights and messages stay.

    Raises:
        BrokerError: if that can't be written.
    """
    with _alone(folder):
        users = _users(folder)
        if name == HALL or name not in users:
            return False
        _keep_out(folder, {**_out(folder), name: (users.pop(name), until)})
        _write(folder / PASSWORDS, _lines(users))
        return True


def let_in(folder: Path, now: float) -> list[str]:
    """Let tables come again that were shut out until now; return which. Raises BrokerError if that can't be written."""
    if not (folder / OUT).exists():
        return []
    with _alone(folder):
        out = _out(folder)
        again = sorted(name for name, (_, until) in out.items() if until <= now)
        if again:
            _write(folder / PASSWORDS, _lines({**{name: out[name][0] for name in again}, **_users(folder)}))
            _keep_out(folder, {name: kept for name, kept in out.items() if name not in again})
        return again


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Change the files while nobody else does: two consumers and a person may want to at once."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise BrokerError(f"{folder} can't be used: {error}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _out(folder: Path) -> dict[str, tuple[str, float]]:
    """Return the tables that are shut out, with what is kept of their passwords, and until when."""
    try:
        parts = [line.split(":") for line in (folder / OUT).read_text(encoding="ascii").splitlines()]
        return {name: (kept, float(until)) for name, kept, until in parts}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BrokerError(f"{folder / OUT} can't be read: {error}") from None


def _keep_out(folder: Path, out: dict[str, tuple[str, float]]) -> None:
    if out:
        _write(folder / OUT, "".join(f"{name}:{kept}:{until:.0f}\n" for name, (kept, until) in sorted(out.items())))
    else:
        (folder / OUT).unlink(missing_ok=True)


def hashed(password: str) -> str:
    """Return what Mosquitto keeps of a password (its form 7: PBKDF2 with SHA-512)."""
    salt = os.urandom(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _users(folder: Path) -> dict[str, str]:
    try:
        text = (folder / PASSWORDS).read_text(encoding="ascii")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerError(f"{folder / PASSWORDS} can't be read: {error}") from None
    users = dict(line.partition(":")[::2] for line in text.splitlines() if line)
    if wrong := [name for name in users if not is_table(name)]:
        raise BrokerError(f"{folder / PASSWORDS} has a name that is no table's: {wrong[0]!r}; take that line out")
    return users


def _keep(folder: Path, users: dict[str, str]) -> None:
    """Write both files. Rights go first: a user without rights may do nothing."""
    _write(folder / RIGHTS, rights(sorted(({*users} | {*_out(folder)}) - {HALL})))
    _write(folder / PASSWORDS, _lines(users))


def _lines(users: dict[str, str]) -> str:
    return "".join(f"{name}:{kept}\n" for name, kept in sorted(users.items()))


def rights(tables: list[str]) -> str:
    """Return Mosquitto's list of rights. What is not in it is forbidden."""
    parts = [f"user {HALL}\n", *(f"topic read {ROOT}/+/{what}\n" for what in TO_HALL)]
    # Of a table that died together with the broker the hall says what its last will would have said.
    parts += [f"topic write {ROOT}/+/{what}\n" for what in (*TO_TABLE, "presence")]
    for name in tables:
        parts.append(f"\nuser {name}\n")
        parts += [f"topic write {ROOT}/{name}/{what}\n" for what in TO_HALL]
        parts.append(f"topic write homeassistant/device/companion-{name}/config\n")
        parts += [f"topic read {ROOT}/{name}/{what}\n" for what in (*TO_TABLE, "press")]
    return "".join(parts)


def write_conf(folder: Path, listeners: list[Listener], *, keep: Path | None = None) -> Path:
    """Write `hall.conf` and return its path; retained messages lie in `keep` (None: in memory alone).

    Raises:
        BrokerError: if it can't be written, or a path has what a line of the file can't.
    """
    lines = [
        "# Written by companion; what is changed here is overwritten.",
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {_plain(folder / PASSWORDS)}",
        f"acl_file {_plain(folder / RIGHTS)}",
        f"max_packet_size {PACKET}",
        f"max_inflight_messages {IN_FLIGHT}",
        f"max_queued_messages {QUEUED}",
        f"max_queued_bytes {QUEUED_BYTES}",
        f"max_keepalive {KEEPALIVE}",
        "max_topic_alias 0",
        "persistent_client_expiration 1d",
        "set_tcp_nodelay true",
        "allow_zero_length_clientid true",
        f"persistence {'true' if keep else 'false'}",
    ]
    if keep:
        lines += [f"persistence_location {_plain(keep)}/", "autosave_interval 60"]
    for one in listeners:
        lines += ["", f"listener {one.port} {one.address}".rstrip()]
        for name, path in (("certfile", one.certificate), ("keyfile", one.key), ("cafile", one.authority)):
            if path is not None:
                lines.append(f"{name} {_plain(path)}")
        if one.certificate is not None:
            lines.append("tls_version tlsv1.2")
    _write(folder / CONF, "\n".join(lines) + "\n")
    return folder / CONF


def _plain(path: Path) -> str:
    if re.search(r"[\n\r]", f"{path}"):
        raise BrokerError("a path with a line break in it can't be told to Mosquitto; choose another folder")
    return f"{path}"


def _write(path: Path, text: str) -> None:
    """Write a file that its group may read: Mosquitto's, to which whoever installs gives the folder."""
    try:
        with written_whole(path, 0o640) as file:
            if (group := path.parent.stat().st_gid) != os.getegid():
                os.fchown(file.fileno(), -1, group)
            file.write(text.encode("ascii"))
    except (OSError, UnicodeEncodeError) as error:
        raise BrokerError(f"{path} can't be written: {error}") from None
