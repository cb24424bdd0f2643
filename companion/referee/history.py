"""A match as a fold of its records: state, undo and redo, at every prefix the same as it was live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.referee.journal import Header
from companion.referee.record import Record
from companion.rules.kernel import TABLE, Action, Facts, Game


class HistoryError(ValueError):
    """A record that can't follow the ones before it; the message says which."""


def opening(game: Game[Any], header: Header) -> Any:
    """Give the state in which a match begins.

    Raises:
        RuleError: if the set-up does not fit the game.
        ValidationError: if it is none of this game's (msgspec).
    """
    return game.setup(header.seats, header.options, msgspec.convert(header.setup or {}, game.setup_type))


class Past(msgspec.Struct, frozen=True):
    """A record that counts, and the states before and after it."""

    record: Record
    before: Any
    state: Any


class History:
    """The records of one match and the state they fold to. Not thread-safe: the referee owns it.

    `active` are the records that count (undone ones do not), `undone` those that a redo would bring back, last first.
    """

    def __init__(self, game: Game[Any], first: Any) -> None:
        """Start from the state that set-up made."""
        self.game = game
        self.first = first
        self.state: Any = first
        self.active: list[Past] = []
        self.undone: list[Past] = []
        self.count = 0
        self.dead: set[int] = set()
        self._branches: list[tuple[int, tuple[tuple[Action, Facts], ...]]] = []

    @property
    def last(self) -> int:
        """The number of the last record that counts, 0 if there is none: it stands for the whole branch before it.

        Corrections that changed nothing, or took each other back, are left out: a roll would else be a new one after
        them, from the same state (C4).
        """
        corrections: list[Past] = []
        for past in reversed(self.active):
            if past.record.kind != "correction":
                break
            corrections.insert(0, past)
        earlier = self.active[: len(self.active) - len(corrections)]
        if corrections and self.state == corrections[0].before:
            return earlier[-1].record.n if earlier else 0
        same = (past.record.n for past in corrections if past.state == self.state)
        return next(same, self.active[-1].record.n if self.active else 0)

    def fold(self, records: Iterable[Record]) -> None:
        """Append records one after the other."""
        for record in records:
            self.append(record)

    def after(self, record: Record) -> Any:
        """Compute the state that a record would lead to, without appending it.

        Raises:
            HistoryError: if it undoes or redoes more than there is.
            RuleError: if the rules reject it.
        """
        if record.kind == "action":
            return self.game.play(self.state, record.action, record.facts)
        if record.kind == "correction":
            return self.game.correct(self.state, record.edits)
        if record.kind == "end":
            return self.game.end(self.state)
        if record.kind == "undo":
            return self._undone_state(record)[0]
        if record.kind == "redo":
            self._check(record.steps, len(self.undone), "redo")
            return self.undone[-record.steps].state
        raise HistoryError(f"record {record.n} is of an unknown kind, {record.kind}")

    def append(self, record: Record) -> None:
        """Add a record and move to the state after it."""
        if record.n != self.count + 1:
            raise HistoryError(f"record {record.n} can't follow record {self.count}")
        if record.kind == "action" and (record.action is None or record.action.seat != record.seat):
            raise HistoryError(f"record {record.n} does not say who does what")
        if record.kind != "action" and record.seat != TABLE:
            raise HistoryError(f"record {record.n} is of the whole table, and names seat {record.seat}")
        state = self.after(record)
        if record.kind == "undo":
            self._branches = self._undone_state(record)[1]
            for _ in range(record.steps):
                past = self.active.pop()
                self.undone.append(past)
                self.dead.add(past.record.n)
        elif record.kind == "redo":
            for _ in range(record.steps):
                past = self.undone.pop()
                self.active.append(past)
                self.dead.discard(past.record.n)
        else:
            self.active.append(Past(record, self.state, state))
            self.undone.clear()
        self.state = state
        self.count = record.n

    def _check(self, steps: int, there: int, word: str) -> None:
        if steps < 1 or steps > there:
            raise HistoryError(f"there {'is' if there == 1 else 'are'} {there} to {word}, not {steps}")

    def _undone_state(self, record: Record) -> tuple[Any, list[tuple[int, tuple[tuple[Action, Facts], ...]]]]:
        """Go back, but keep what was shown since (ruling C4), on this branch and on those undone before it."""
        self._check(record.steps, len(self.active), "undo")
        keep = len(self.active) - record.steps
        done = [
            (past.record.action, past.record.facts) if past.record.kind == "action" else None for past in self.active
        ]
        branches: list[tuple[int, tuple[tuple[Action, Facts], ...]]] = [
            (start, shown) for start, shown in self._branches if start <= keep
        ]
        recent = [(keep, tuple(one for one in done[keep:] if one))]
        for start, shown in self._branches:
            if start > keep:
                recent.append((keep, tuple(one for one in done[keep:start] if one) + shown))
        state = self.active[keep - 1].state if keep else self.first
        for _, shown in [*recent, *(branch for branch in branches if branch[0] == keep)]:
            state = self.game.recall(state, shown)
        return state, branches + recent
