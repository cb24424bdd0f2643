"""Who may do what: seats and the host have keys, random tokens in cookies, of which only hashes are kept here."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from companion.files import written_whole
from companion.rules.kernel import Seat
from companion.text import t

log = logging.getLogger(__name__)

TRIES, WINDOW = 10, 60.0
"""So many wrong PINs within so many seconds, then nobody may try for the rest of them."""
PATIENCE = 300.0
"""Seconds that the wish of another phone for a seat stands; the next phone may only ask afterwards."""
STAYS = 30 * 24 * 3600.0
"""Seconds that a host's key counts, over restarts: as long as browsers keep it (`companion.server.context.MONTH`)."""


_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's second choice: 19 MiB of memory, so that a Pi has it to spare; about a tenth of a second on one."""


class TakenError(Exception):
    """The seat has a phone already."""


class _Kept(msgspec.Struct):
    """The key file: hashes of one match's seat keys, and of the host's keys.

    `entered` tells when each of the host's was given (seconds since 1970), `phones` which seats one phone has: theirs
    are the same.
    """

    match: str = ""
    seats: dict[Seat, str] = {}
    hosts: list[str] = []
    entered: dict[str, float] = {}
    phones: dict[Seat, str] = {}


def _hash(token: str) -> str:
    # The tokens are 256 random bits, so a plain hash is as good as a slow one.
    return hashlib.sha256(token.encode()).hexdigest()


def kept_pin(pin: str) -> str:
    """Return what is kept of a PIN that somebody chose: a slow hash (Argon2id), for digits are soon tried."""
    return _HASHER.hash(pin)


def _is_pin(pin: str, right: str) -> bool:
    """Compare a PIN with the right one, or with what is kept of it. One made at the start is nowhere but in memory."""
    if not right.startswith("$argon2"):
        return hmac.compare_digest(pin.encode(), right.encode())
    try:
        return _HASHER.verify(right, pin[:64])
    except (VerificationError, InvalidHashError):
        return False


class Keys:
    """The keys of one table. With a file they outlive the program, so that phones come back after a power cut."""

    def __init__(
        self,
        match: str,
        pin: str,
        file: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        date: Callable[[], float] = time.time,
    ) -> None:
        """Begin with the keys in the file, if they are of this match; of the host's with those that still count.

        `clock` (seconds) is one that nobody can set, `date` (seconds since 1970) one that goes on over a restart.
        """
        self._pin = pin
        self._file = file
        self._clock = clock
        self._date = date
        self._lock = threading.Lock()
        self._wrong: deque[float] = deque(maxlen=TRIES)
        self._asking: dict[Seat, tuple[str, float, str]] = {}
        self._given: dict[str, float] = {}
        self._kept = self._load()
        if self._kept.match != match:
            self._kept = _Kept(match, {}, self._kept.hosts, self._kept.entered, {})
        if self._lapse():
            self._save()

    def follow(self, match: str, seats: int) -> None:
        """Keep the seats' keys for the next match, as far as it has those seats; what phones asked for is forgotten."""
        with self._lock:
            self._kept.match = match
            self._kept.seats = {seat: key for seat, key in self._kept.seats.items() if seat <= seats}
            self._asking.clear()
            self._lapse()
            self._save()

    def taken(self) -> frozenset[Seat]:
        """List the seats that have a phone."""
        return frozenset(self._kept.seats)

    def together(self) -> tuple[tuple[Seat, ...], ...]:
        """List the seats of each phone that has several."""
        phones: dict[str, list[Seat]] = {}
        for seat in sorted(self._kept.seats):
            phones.setdefault(self._kept.phones.get(seat, f"{seat}"), []).append(seat)
        return tuple(tuple(seats) for seats in phones.values() if len(seats) > 1)

    def _phone(self, own: Iterable[Seat]) -> str:
        """Return what stands for the phone that has these seats."""
        return next((self._kept.phones[seat] for seat in own if seat in self._kept.phones), secrets.token_hex(4))

    def take(self, seat: Seat, own: Iterable[Seat] = ()) -> str:
        """Return the key of a seat for a phone that has its `own` already.

        Raises:
            TakenError: if somebody has it.
        """
        token = secrets.token_urlsafe(32)
        with self._lock:
            if seat in self._kept.seats:
                raise TakenError(t("seat {seat} is taken", seat=seat))
            self._kept.seats[seat] = _hash(token)
            self._kept.phones[seat] = self._phone(own)
            self._asking.pop(seat, None)
            self._save()
        return token

    def free(self, seat: Seat) -> bool:
        """Make a seat's key worthless, and forget who asked for it; return whether there was one."""
        with self._lock:
            self._asking.pop(seat, None)
            there = self._kept.seats.pop(seat, None) is not None
            if there:
                self._save()
        return there

    def holds(self, seat: Seat, token: str | None) -> bool:
        """Return whether a token is the seat's key."""
        kept = self._kept.seats.get(seat)
        return kept is not None and token is not None and hmac.compare_digest(kept, _hash(token))

    def ask(self, seat: Seat, own: Iterable[Seat] = ()) -> str:
        """Note that another phone wants a taken seat; return the key that is good once the host hands the seat over.

        Raises:
            TakenError: if a phone asks for it already.
        """
        token = secrets.token_urlsafe(32)
        with self._lock:
            if seat in self.asking():
                raise TakenError(t("somebody asks for seat {seat} already", seat=seat))
            self._asking[seat] = (_hash(token), self._clock(), self._phone(own))
        return token

    def asking(self) -> frozenset[Seat]:
        """List the seats that another phone wants."""
        now = self._clock()
        return frozenset(
            seat for seat, (_, at, _) in list(self._asking.items()) if now - at < PATIENCE and seat in self._kept.seats
        )

    def asks(self, seat: Seat, token: str | None) -> bool:
        """Return whether a token is that of the phone that waits for the seat."""
        asked = self._asking.get(seat)
        if asked is None or seat not in self.asking() or token is None:
            return False
        return hmac.compare_digest(asked[0], _hash(token))

    def hand_over(self, seat: Seat, yes: bool = True) -> bool:
        """Return the seat to the phone that asks for it, so that the old phone's key is worthless, or don't.

        Tells whether a phone asked.
        """
        with self._lock:
            there = seat in self.asking()
            hashed, _, phone = self._asking.pop(seat, ("", 0.0, ""))
            if there and yes:
                self._kept.seats[seat], self._kept.phones[seat] = hashed, phone
                self._save()
        return there

    def is_host_token(self, token: str | None) -> bool:
        """Return whether a token is a host's key."""
        if not token:
            return False
        hashed = _hash(token)
        return any(hmac.compare_digest(kept, hashed) for kept in self._kept.hosts)

    def retry_after(self) -> float:
        """Return the seconds until a PIN may be tried again; 0 if at once."""
        if len(self._wrong) < TRIES:
            return 0.0
        return max(0.0, self._wrong[0] + WINDOW - self._clock())

    def enter(self, pin: str) -> str | None:
        """Return a host's key for the right PIN; None for a wrong one, and for any while too many were wrong."""
        with self._lock:
            if self.retry_after() > 0:
                return None
            if not _is_pin(pin.strip(), self._pin):
                self._wrong.append(self._clock())
                return None
            token = secrets.token_urlsafe(32)
            self._given[_hash(token)] = self._clock()
            self._keep_hosts([*self._kept.hosts[-19:], _hash(token)])
            self._save()
        return token

    def leave_host(self, token: str | None) -> None:
        """Make a host's key worthless."""
        gone = _hash(token) if token else ""
        with self._lock:
            self._keep_hosts([one for one in self._kept.hosts if one != gone])
            self._save()

    def knows(self, pin: str) -> bool:
        """Return whether somebody knows the PIN; a wrong one counts as one tried at the door."""
        with self._lock:
            right = self.retry_after() == 0 and _is_pin(pin.strip(), self._pin)
            if not right:
                self._wrong.append(self._clock())
        return right

    def change_pin(self, pin: str, but: str | None) -> None:
        """Let another PIN count (itself, or what is kept of it); all hosts' keys but one are worthless from now on."""
        self.only_host(but)
        self._pin = pin

    def only_host(self, but: str | None) -> None:
        """Make all hosts' keys but one worthless."""
        with self._lock:
            kept = _hash(but) if but else ""
            self._keep_hosts([one for one in self._kept.hosts if one == kept])
            self._save()

    def _keep_hosts(self, hosts: list[str]) -> None:
        """Let only these keys be hosts'."""
        now = self._date()
        self._kept.entered = {one: round(now - self._age(one)) for one in hosts}
        self._kept.hosts = hosts
        self._given = {one: at for one, at in self._given.items() if one in hosts}

    def _age(self, host: str) -> float:
        """Return for how many seconds a host's key has counted.

        A Pi without a network starts in the past, and its date may jump by weeks once there is one: what was given
        since the start goes by the clock that nobody can set.
        """
        if host in self._given:
            return self._clock() - self._given[host]
        now = self._date()
        return max(0.0, now - self._kept.entered.get(host, now))

    def _lapse(self) -> bool:
        """Drop the hosts' keys that are too old; return whether the file has to say something else now.

        It is looked at when the program or a match begins: nobody stops being the host in the middle of a match.
        """
        before = self._kept.entered
        self._keep_hosts([one for one in self._kept.hosts if self._age(one) < STAYS])
        return self._kept.entered != before

    def _load(self) -> _Kept:
        if self._file is None or not self._file.exists():
            return _Kept()
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("the key file %s can't be read (%s): everybody joins again", self._file.name, error)
            return _Kept()

    def _save(self) -> None:
        if self._file is None:
            return
        try:
            with written_whole(self._file, 0o600) as file:
                file.write(msgspec.json.encode(self._kept))
        except OSError as error:
            # A full disk must not keep people from their seats: only a restart would ask them to join again.
            log.warning("the keys are not kept: %s", error)
