"""Dice that nobody has to argue about (ruling C6): the companion commits to a secret before, and reveals it after.

Before a roll everybody sees a *commitment*, the SHA-256 of a secret. The dice are made of that secret, of what the roll
is for, and of the words (*salts*) that phones threw in after they could see the commitment. With the roll come the
secret, so that anybody can check both, and the next commitment. So neither the companion nor a player can choose a
roll.
The secret (32 bytes) keys an HMAC-SHA256 (RFC 2104) over the roll's own text and a counter; of its bytes those count
that are below the largest multiple of the number of sides, so that every side is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator

import msgspec

from companion.referee.record import Proof, Record
from companion.rules.kernel import Need, Rolled, Seat

SECRET = 32
"""Bytes of a secret."""
LONGEST_SALT = 64
"""Characters of what a phone may throw in."""
MOST_SIDES = 256
_NAME = b"companion dice 1\n"

Salts = tuple[tuple[Seat, str], ...]
"""What players threw in, by seat."""


def commitment(secret: bytes) -> str:
    """Commit to a secret: SHA-256 in hex, which tells nothing of it."""
    return hashlib.sha256(_NAME + secret).hexdigest()


def commitment_in(record: Record) -> str:
    """Return the commitment that a record tells everybody; empty if it tells none."""
    return record.proof.next if record.proof is not None else record.commitment


def values(secret: bytes, match: str, record: int, need: Need, salts: Salts) -> tuple[int, ...]:
    """Compute the dice of a roll for record number `record`; ValueError if bytes can't make such dice."""
    if not 2 <= need.sides <= MOST_SIDES:
        raise ValueError(f"a die has 2 to {MOST_SIDES} sides, not {need.sides}")
    rolls: list[int] = []
    fair = MOST_SIDES - MOST_SIDES % need.sides
    for byte in _bytes(secret, msgspec.json.encode((match, record, need.place, need.count, need.sides, salts))):
        if len(rolls) == need.count:
            break
        if byte < fair:
            rolls.append(byte % need.sides + 1)
    return tuple(rolls)


def _bytes(secret: bytes, text: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac.new(secret, text + b"\n%d" % counter, hashlib.sha256).digest()
        counter += 1


class DiceCommitment:
    """Rolls for one match. It holds the secret of the next roll, which nobody is told before."""

    def __init__(self, secret: bytes | None = None, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """Take up the secret that was committed to, or make one; `random` gives so many unpredictable bytes."""
        self._random = random
        self._secret = secret if secret is not None else random(SECRET)
        self._next = random(SECRET)
        self._salts: dict[Seat, str] = {}

    @property
    def secret(self) -> bytes:
        """The secret of the next roll. To be kept where no page, log or export comes."""
        return self._secret

    @property
    def coming(self) -> bytes:
        """The secret of the roll after that; it must be kept before its commitment is told."""
        return self._next

    @property
    def commitment(self) -> str:
        """What everybody may see before the roll."""
        return commitment(self._secret)

    def stir(self, seat: Seat, salt: str) -> None:
        """Let a player throw something into the next roll."""
        self._salts[seat] = salt[:LONGEST_SALT]

    @property
    def stirred(self) -> tuple[Seat, ...]:
        """The seats that have thrown something in."""
        return tuple(sorted(self._salts))

    def roll(self, match: str, record: int, needs: tuple[Need, ...]) -> tuple[tuple[Rolled, ...], Proof]:
        """Roll for a record, with its proof. The secret stays until `rolled` says that the record is kept."""
        salts = tuple(sorted(self._salts.items()))
        facts = tuple(
            Rolled(place=need.place, values=values(self._secret, match, record, need, salts))
            for need in needs
            if need.kind == "rolled"
        )
        return facts, Proof(self._secret.hex(), salts, commitment(self._next))

    def rolled(self) -> None:
        """Go on to the next secret."""
        self._secret, self._next = self._next, self._random(SECRET)
        self._salts = {}
