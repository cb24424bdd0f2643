"""What robots say to a referee with a tap: what a table can't show, and answers to its questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.referee.commands import Answer, Command, Play, Reply, Throw
from companion.referee.record import Record
from companion.referee.snapshot import Question, Snapshot
from companion.rules.kernel import Action, AnyGame, Facts, Rolled
from companion.rules.wording import all_of
from companion.sim.report import DivergenceError, Report
from companion.sim.stage import Stage

TRIES = 4
"""How often the table is let rest until everything is understood."""


class Refereed(Protocol):
    """The interface that robots need: of a `Referee` itself, or of a live `Match`."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""

    @property
    def state(self) -> object:
        """The state after the last record."""

    def command(self, command: Command) -> Reply:
        """Execute a command, or return why not."""

    def records(self) -> list[Record]:
        """Return the records that count: those not undone."""


class Taps:
    """The taps of all robots of a match. What they did, and the states before it, are given as it goes on."""

    def __init__(
        self,
        game: AnyGame,
        referee: Refereed,
        stage: Stage,
        report: Report,
        done: Sequence[tuple[Action | None, Facts]],
        states: Sequence[object],
    ) -> None:
        """Create it for lists that grow with the match."""
        self.game, self.referee, self.stage, self.report = game, referee, stage, report
        self.done, self.states = done, states
        self._evidence = {kind.type: kind.evidence for kind in game.info.kinds}

    def acted(self, n: int) -> tuple[Action, Facts]:
        """Return what was done in a record that is no correction; `n` counts from 0."""
        action, facts = self.done[n]
        if action is None:
            raise DivergenceError(f"record {n + 1} is a correction, which nobody asks about")
        return action, facts

    def reply(self, kind: str) -> None:
        """Answer the open question as the seat that knows what it did."""
        reached = len(self.referee.records())
        action, _ = self.acted(reached)
        name = kind_of(action)
        if kind == "finished":
            self.report.asked["finished"] += 1
            self._command(Answer(question=self._open(), choice="yes", by="robot"))
            return
        self.report.asked[name] += 1
        if self._evidence.get(name) == "A":
            raise DivergenceError(f"asked about {name}, which the table alone should tell")
        if kind == "choice":
            self.answer(self.states[reached], action)
            return
        raise DivergenceError(
            f"asked what happened, though {name} shows on the table: {self.referee.snapshot.question}"
        )

    def answer(self, before: object, action: Action) -> None:
        """Tap the answer that names what was done."""
        keys = [str(i) for i, legal in enumerate(self.game.legal(before)) if legal == action]
        if not keys:
            raise DivergenceError(f"the question does not offer {action}")
        self.report.tapped[kind_of(action)] += 1
        self._command(Answer(question=self._open(), choice=keys[0], seat=action.seat, by="robot"))

    def _open(self) -> str:
        question = self.referee.snapshot.question
        if question is None:
            raise DivergenceError("there is no question to answer")
        return question.id

    def tap(self, action: Action, facts: Facts) -> None:
        """Send what was done, as from a phone."""
        self.report.tapped[kind_of(action)] += 1
        self._command(Play(seat=action.seat, action=action, facts=facts, by="robot"))

    def throw(self, action: Action, facts: Facts) -> bool:
        """Throw real dice before the camera; return whether they were read, but for one at most that was named."""
        values = next(fact.values for fact in facts if isinstance(fact, Rolled))
        if not self.referee.command(Throw(seat=action.seat, action=action, by="robot")).ok:
            return False
        if not self.stage.throw(values):
            return False
        result = "typed"
        for _ in range(TRIES):
            self.stage.rest()
            question = self.referee.snapshot.question
            if len(self.referee.records()) >= len(self.done):
                result = "read"
                break
            if question is not None and question.kind == "dice":
                choice = named(question, values)
                self._command(Answer(question=question.id, choice=choice, seat=action.seat, by="robot"))
                result = "typed" if choice == "no" else "named"
                break
        self.report.rolls[result] += 1
        return result != "typed"

    def _command(self, command: Command) -> None:
        reply: Reply = self.referee.command(command)
        if not reply.ok:
            raise DivergenceError(f"the referee refused {command}: {reply.verdict}")


def named(question: Question, values: tuple[int, ...]) -> str:
    """Return the true answer to a question about dice that show these values: "no" if others were read."""
    if question.words.startswith(f"Do the dice show {_words(values)}?"):
        return "yes"
    for value in values:
        rest = list(values)
        rest.remove(value)
        read = f"The dice show {_words(tuple(rest))}, and" if rest else "I can't read the die:"
        if question.words.startswith(read):
            return str(value)
    return "no"


def _words(values: tuple[int, ...]) -> str:
    return all_of(str(value) for value in values)


def kind_of(action: Action) -> str:
    """Return the type of an action."""
    return str(action.__struct_config__.tag)
