"""All dice of a match: what was rolled and from which state, so that a roll that was taken back is kept (ruling C4)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from companion.referee.history import History
from companion.referee.record import Record
from companion.referee.rolls import commitment_in
from companion.referee.snapshot import Dice, Throw
from companion.rules.dice import entered
from companion.rules.kernel import Action, AnyGame, Facts, Need, Rolled, Seat
from companion.text import plain


class Throws:
    """All dice that were rolled in a match, and what has been committed to.

    A roll that was taken back applies again to the same action by the same seat from the same state (C4). A state that
    comes again by play gets new dice: the rolls that still count and came from it are skipped.
    """

    def __init__(self, game: AnyGame, committed: str) -> None:
        self._game = game
        self.commitment = committed
        self.other_ways = 0
        """Rolls on another way to a table and a score, where the game can't tell whether it is the same state."""
        self._throws: list[Throw] = []
        self._made: dict[tuple[bytes, int], list[Facts]] = {}
        self._from: dict[int, bytes] = {}
        """By the record of a roll, what stands for its state and its action."""
        self._looks: dict[bytes, list[tuple[int, bytes]]] = {}
        """By what the table and the score are, and the action: the records of its rolls, and their states."""
        self._shown: tuple[object, Dice] = (None, Dice())

    def note(self, before: object, history: History, record: Record, words: str, needs: tuple[Need, ...]) -> None:
        """Note the dice of a record that was made in the state `before`; `history` may hold it already."""
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

    def made(self, state: object, action: Action | None, history: History) -> list[Facts]:
        """List the facts of the rolls for this action from a state that were taken back (C4); the first of them counts.

        Others may come from matches that were kept before rolls were known by their state.
        """
        return self._made.get(self._way(state, action, history), [])

    def _way(self, state: object, action: Action | None, history: History) -> tuple[bytes, int]:
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
