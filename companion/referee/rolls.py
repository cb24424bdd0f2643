"""Dice that nobody has to argue about (ruling C6): the companion commits to a secret before, and reveals it after.

Before a roll everybody can see a *commitment*, the SHA-256 of a secret. The dice are made of that secret, of what the
roll is for, and of the words (*salts*) that players' phones threw in after they could see the commitment. With the roll
the secret is told, so that anybody can compute both again; and the next commitment comes with it. So the companion
can't choose a roll after it knows what it is for, and no player can either.

The secret (32 bytes) keys an HMAC-SHA256 (RFC 2104) over the roll's own text and a counter; of its bytes those count
that are below the largest multiple of the number of sides, so that every side is as likely as the others.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator

import msgspec
from msgspec.structs import replace

from companion.referee.history import History
from companion.referee.record import Proof, Record
from companion.referee.snapshot import Dice, Throw
from companion.rules.dice import entered
from companion.rules.kernel import Action, AnyGame, Facts, Need, Rolled, Seat
from companion.text import plain

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
    """Compute the dice of a roll: `need.count` values of 1 to `need.sides`, for record number `record` of a match.

    Raises:
        ValueError: if dice with so many sides can't be made of bytes.
    """
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


class Throws:
    """All dice that were rolled in a match, and what has been committed to.

    A roll that was taken back is kept: it applies again to the same action by the same seat from the same state (C4).
    A state that comes again by play gets new dice: so many rolls as count are from it already.
    """

    def __init__(self, game: AnyGame, committed: str) -> None:
        """Begin with the commitment of the match's header."""
        self._game = game
        self.commitment = committed
        self.other_ways = 0
        """How many rolls were made anew on another way to the table and the score from which a roll had been taken
        back, in a game that can't tell whether that is the same state."""
        self._throws: list[Throw] = []
        self._made: dict[tuple[bytes, int], list[Facts]] = {}
        self._from: dict[int, bytes] = {}
        """By the record of a roll, what stands for its state and its action."""
        self._looks: dict[bytes, list[tuple[int, bytes]]] = {}
        """By what the table and the score are, and the action: the records of its rolls, and their states."""
        self._shown: tuple[object, Dice] = (None, Dice())

    def note(self, before: object, history: History, record: Record, words: str, needs: tuple[Need, ...]) -> None:
        """Take in a record that was made in a state, with what it says and what its action waited for.

        `history` may hold the record already.
        """
        proof = record.proof
        self.commitment = commitment_in(record) or self.commitment
        rolled = tuple(fact for fact in entered(needs, record.facts) if isinstance(fact, Rolled))
        if not rolled:
            return
        way, often = self._way(before, record.action, history)
        made = self._made.setdefault((way, often), [])
        kept = bool(made)
        made.append(record.facts)
        self._from[record.n] = way
        if self._game.canonical(before) is None:
            look = _digest((self._game.layout(before), self._game.standing(before), record.action))
            others = self._looks.setdefault(look, [])
            self.other_ways += not kept and any(n in history.dead and other != way for n, other in others)
            others.append((record.n, way))
        sides = {need.place: need.sides for need in needs}
        for fact in rolled:
            self._throws.append(
                Throw(
                    n=record.n,
                    seat=record.seat,
                    sides=sides.get(fact.place, 0),
                    values=fact.values,
                    words=words,
                    by=record.by,
                    secret=proof.secret if proof is not None else "",
                    salts=proof.salts if proof is not None else (),
                    kept=kept,
                )
            )

    def all_made(self, state: object, action: Action | None, history: History) -> list[Facts]:
        """List the facts of the rolls for this action from a state that were taken back; the first of them counts.

        There may be others in matches from before a roll was known by its state.
        """
        return self._made.get(self._way(state, action, history), [])

    def made(self, state: object, action: Action, history: History) -> Facts | None:
        """Find the facts of a roll for this action from the same state that was taken back (C4), if there is one."""
        return next(iter(self.all_made(state, action, history)), None)

    def _way(self, state: object, action: Action | None, history: History) -> tuple[bytes, int]:
        """Return what stands for a state and an action, and how many rolls that count were made so before."""
        form = self._game.canonical(state)
        way = _digest((state if form is None else form, action))
        return way, sum(self._from.get(past.record.n) == way for past in history.active)

    def show(self, dead: Collection[int], stirred: tuple[Seat, ...]) -> Dice:
        """Show all of it; throws whose record was undone are marked."""
        key = (self.commitment, stirred, len(self._throws), len(dead))
        if self._shown[0] != key:
            throws = tuple(replace(one, undone=True) if one.n in dead else one for one in self._throws)
            self._shown = (key, Dice(self.commitment, stirred, throws))
        return self._shown[1]


def _digest(what: object) -> bytes:
    return hashlib.sha256(msgspec.json.encode(what, order="deterministic", enc_hook=plain)).digest()
