"""A match as a fold of its records: state, undo and redo, at every prefix the same as it was live."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.referee.journal import Header
from companion.referee.record import Record
from companion.referee.tops import Tops
from companion.rules.kernel import TABLE, Action, AnyGame, Undone
from companion.text import t


class HistoryError(ValueError):
    """A record that can't follow the ones before it; the message says which."""


def opening(game: AnyGame, header: Header) -> object:
    """Return the state in which a match begins; RuleError or msgspec's ValidationError if the set-up does not fit."""
    return game.setup(header.seats, header.options, msgspec.convert(header.setup or {}, game.setup_type))


class Past(msgspec.Struct, frozen=True):
    """A record that counts, and the states before and after it."""

    record: Record
    before: object
    state: object
    above: int = 0
    """The number of the record that counted before it, 0 if there was none."""

    @property
    def step(self) -> Undone:
        """What was done, as the game is asked about it."""
        return Undone(self.record.action, self.record.facts, self.before, self.state)


class History:
    """The records of one match and the state they fold to. Not thread-safe: the referee owns it.

    `active` are the records that count (undone ones do not), `undone` those that a redo would bring back, last first.
    """

    def __init__(self, game: AnyGame, first: object) -> None:
        self.game = game
        self.first = first
        self.active: list[Past] = []
        self.undone: list[Past] = []
        self.count = 0
        self.dead: set[int] = set()
        self._state: object = first
        self._at: int | None = None
        """The record that was gone back to, if the state there was not asked for yet."""
        self._ahead: tuple[Record | None, object] = (None, None)
        self._past: dict[int, Past] = {}
        self._tips: dict[int, None] = {}
        """The actions that were the last ones when steps were taken back, each once, in their order."""
        self._recalled: dict[int, tuple[int, object]] = {}
        """By the record gone back to: how many tips it knows of, and the state with what they showed."""
        self.tops = Tops(game)

    @property
    def state(self) -> object:
        """The state after the last record that counts, with all that was seen since (C4)."""
        if self._at is not None:
            self._state, self._at = self._gone_back(self._at), None
        return self._state

    @property
    def branches(self) -> int:
        """How many different actions were the last one when steps were taken back."""
        return len(self._tips)

    def fold(self, records: Iterable[Record]) -> None:
        """Append records one after the other."""
        for record in records:
            self.append(record)

    def after(self, record: Record) -> object:
        """Compute the state that a record would lead to; HistoryError or RuleError if it can't follow."""
        if record.kind == "action":
            state = self.game.play(self.state, self._action_of(record), record.facts)
        elif record.kind == "correction":
            state = self.game.correct(self.state, record.edits)
        elif record.kind == "end":
            state = self.game.end(self.state)
        elif record.kind == "undo":
            state = self._gone_back(self._undo_to(record))
        elif record.kind == "redo":
            self._check(record.steps, len(self.undone), "redo")
            state = self.undone[-record.steps].state
        else:
            raise HistoryError(t("record {n} is of an unknown kind, {kind}", n=record.n, kind=record.kind))
        self._ahead = (record, state)
        return state

    def append(self, record: Record) -> None:
        """Add a record and move to the state after it."""
        if record.n != self.count + 1:
            raise HistoryError(t("record {n} can't follow record {count}", n=record.n, count=self.count))
        if record.kind == "action":
            self._action_of(record)
        if record.kind != "action" and record.seat != TABLE:
            raise HistoryError(
                t("record {n} is of the whole table, and names seat {seat}", n=record.n, seat=record.seat)
            )
        if record.kind == "undo":
            self._at = self._undo_to(record)
            gone = self.active[-record.steps :]
            del self.active[-record.steps :]
            self.undone.extend(reversed(gone))
            self.dead.update(past.record.n for past in gone)
            self.tops.taken_back(past.step for past in gone)
        else:
            known, state = self._ahead
            if known is not record:
                state = self.after(record)
            if record.kind == "redo":
                self.tops.taken_back(())
                back = self.undone[-record.steps :]
                del self.undone[-record.steps :]
                self.active.extend(reversed(back))
                self.dead.difference_update(past.record.n for past in back)
            else:
                self._go_on(record, state)
            self._state, self._at = state, None
        self._ahead = (None, None)
        self.count = record.n

    def closing(self, number: int) -> Past:
        """Return the record that closed a round (from 1); HistoryError if none that counts has."""
        for past in self.active:
            before, after = (len(self.game.standing(state).rounds) for state in (past.before, past.state))
            if before < number <= after:
                return past
        raise HistoryError(t("round {number} is not closed", number=number))

    def _action_of(self, record: Record) -> Action:
        if record.action is None or record.action.seat != record.seat:
            raise HistoryError(t("record {n} does not say who does what", n=record.n))
        return record.action

    def _check(self, steps: int, there: int, word: str) -> None:
        if steps < 1 or steps > there:
            if not there:
                none = t("there is nothing to take back") if word == "undo" else t("nothing was taken back")
                raise HistoryError(none)
            raise HistoryError(
                t("there is {there} to {word}, not {steps}", there=there, word=word, steps=steps)
                if there == 1
                else t("there are {there} to {word}, not {steps}", there=there, word=word, steps=steps)
            )

    def _go_on(self, record: Record, state: object) -> None:
        past = Past(record, self.state, state, self.active[-1].record.n if self.active else 0)
        self.tops.came(past.step)
        self._past[record.n] = past
        self.active.append(past)
        self.undone.clear()

    def _undo_to(self, record: Record) -> int:
        """Find the record that an undo goes back to, 0 for the beginning; where it goes back from is remembered."""
        self._check(record.steps, len(self.active), "undo")
        done = (past.record.n for past in reversed(self.active[-record.steps :]) if past.record.kind == "action")
        if (tip := next(done, 0)) != 0:
            self._tips[tip] = None
        return self.active[-record.steps].above

    def _gone_back(self, n: int) -> object:
        """Return the state after record `n`, on whatever branch, and what was shown since (C4); made only once."""
        known, state = self._recalled.get(n) or (0, self._past[n].state if n else self.first)
        for tip in list(self._tips)[known:]:
            taken: list[Undone] = []
            there = tip
            while there > n:
                past = self._past[there]
                taken.append(past.step)
                there = past.above
            if there == n and taken:
                state = self.game.recall(state, tuple(reversed(taken)))
        self._recalled[n] = (len(self._tips), state)
        return state
