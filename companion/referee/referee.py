"""The referee: takes table views and commands one at a time, understands, judges, and remembers.

It has no thread, no clock and no file of its own: time comes with the views and ticks, records go to a sink that has
them on disk before it returns. `companion.referee.match` gives it a thread and a queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView, Trouble
from companion.referee import commands as say
from companion.referee import questions
from companion.referee.desk import Desk
from companion.referee.difference import Mismatches, Seen, mismatches
from companion.referee.history import History, HistoryError
from companion.referee.journal import Header, JournalError, new_id, now
from companion.referee.matching import Explanation, Findings, explain
from companion.referee.snapshot import LogLine, Snapshot
from companion.referee.understanding import Glance, Understanding
from companion.referee.violations import edits
from companion.referee.words import Words, join, told_record, told_undo
from companion.rules.kernel import (
    TABLE,
    Action,
    Facts,
    Game,
    Instead,
    Record,
    RuleError,
    Seat,
    at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Zone

MODES = ("strict", "assist", "ledger")
Sink = Callable[[Record, tuple[str, ...], frozenset[Zone]], None]
"""Takes a record, the candidates that were considered and the zones it changes; has the record on disk on return."""


class Referee:
    """Referees one match. Call it from one thread only; `snapshot` may be read from any.

    Raises (everywhere) JournalError if a record can't be kept; the state is then as before.
    """

    def __init__(
        self,
        game: Game[Any],
        mat: Mat,
        header: Header,
        records: Iterable[Record] = (),
        sink: Sink | None = None,
        version: int = 0,
    ) -> None:
        """Begin a match, or resume one from its records (then nothing is inferred until the table is as expected).

        Snapshots are numbered on from `version`.
        """
        self.game = game
        self.header = header
        self.words = Words(game.deck, mat)
        self.names: dict[Seat, str] = dict(header.names)
        self.mode = header.mode
        self._sink = sink
        first = game.setup(header.seats, header.options, msgspec.convert(header.setup or {}, game.setup_type))
        self.history = History(game, first)
        self._log: list[LogLine] = []
        self._touched: frozenset[str] = frozenset()
        self._forgiven: frozenset[str] = frozenset()
        self._reached_by = TABLE
        self._sentence = ""
        for record in records:
            self._append(record)
        self._view: TableView | None = None
        self._seen = Seen(TableView(0, 0.0, ()))
        self._owed: Mismatches = frozenset()
        if self.mode != "ledger":
            self._owed = mismatches(game.layout(self.history.state), self._seen)
        self.restoring = bool(self._log) and self.mode != "ledger"
        self._mind = Understanding(game, self.words)
        self._asked: questions.Asked | None = None
        self._now = 0.0
        self._version = version
        self._enter()
        self.snapshot = self._publish()

    def records(self) -> list[Record]:
        """List the records that count."""
        return [past.record for past in self.history.active]

    @property
    def state(self) -> Any:
        """The state after the last record."""
        return self.history.state

    def on_view(self, view: TableView) -> None:
        """Take what the eye sees."""
        self._view, self._now = view, max(self._now, view.time)
        self._seen = Seen(view)
        if self.mode != "ledger":
            self._notice_touches(view)
            self._interpret()
        self.snapshot = self._publish()

    def on_tick(self, time: float) -> None:
        """Let time pass (monotonic seconds); a half-done action may become worth a word."""
        self._now = max(self._now, time)
        if self._mind.impatient(self._now):
            self._interpret()
            self.snapshot = self._publish()

    def command(self, command: say.Command) -> say.Reply:
        """Do what somebody wishes, or say why not."""
        desk: dict[type[say.Command], Callable[[Any], say.Reply]] = {
            say.Play: self._play,
            say.Answer: self._answer,
            say.Done: self._done,
            say.Undo: self._undo,
            say.Redo: self._redo,
            say.Adopt: self._adopt,
            say.GoOn: self._go_on,
            say.Correct: self._correct,
            say.End: self._end,
            say.Mode: self._change_mode,
            say.Name: self._rename,
        }
        before = self.history.count
        try:
            reply = desk[type(command)](command)
        except RuleError as error:
            reply = say.Reply(False, verdict=error.verdict)
        except HistoryError as error:
            reply = say.Reply(False, verdict=illegal("C4", f"{error}", "Choose a smaller number."))
        except JournalError as error:
            self._sentence = f"{error}"
            reply = say.Reply(False, verdict=inconsistent("journal", f"{error}", "Nothing is lost: try again then."))
        if self._view is not None and self.mode != "ledger":
            self._interpret()
        self.snapshot = self._publish()
        if reply.ok and self.history.count > before and not reply.record:
            reply = say.Reply(True, self.history.count)
        return reply

    # --------------------------------------------------------------------------------------- understanding views

    def _notice_touches(self, view: TableView) -> None:
        """Remember a reached-for deck while it may tell something; a hand that an earlier draw explains tells nothing.

        Touches rank explanations, they never decide (design: Touched).
        """
        tacit = self.game.tacit(self.state)
        telling = self.game.touches(self.state, tacit) if tacit is not None else frozenset()
        self._touched = (self._touched | view.touched) & telling - self._forgiven

    def _interpret(self) -> None:
        """Look at the last view again in the light of the state."""
        expected = mismatches(self.game.layout(self.state), self._seen)
        covered = self._seen.covered
        self._notice_copies(expected)
        self._owed = frozenset(item for item in self._owed if item in expected or item.zone in covered)
        if self.restoring:
            self._mind.forget()
            if self._owed:
                return
            self.restoring = False
            self._sentence = "The table is as it should be. Go on."
            self._enter()
        if not self.game.actors(self.state) or self._view is None:
            return
        if self._asked and self._asked.question.kind == "choice":
            self._answered_by_the_table()
            return
        objected = self._mind.violation
        decision = self._mind.look(self._glance())
        if self._mind.violation is not None and self._mind.violation is not objected:
            self._sentence = f"{self._mind.violation.reason}. {self._mind.violation.remedy}"
        if decision.edits:
            self._record(kind="correction", edits=decision.edits)
        if decision.findings.quiet:
            self._asked = None
        elif len(decision.found) == 1:
            self._settle(decision.found[0], decision.findings)
        elif decision.found:
            asked = questions.which(self.game, self.state, decision.found)
            if self._asked is None or self._asked.question.choices != asked.question.choices:
                self._asked = asked

    def _notice_copies(self, expected: Mismatches) -> None:
        """Where a card was named on a phone and its copy was laid, the log had the wrong one of two that are alike."""
        for lost, there in self.words.copies(self._owed & expected, expected - self._owed):
            try:
                self._record(kind="correction", edits=(Instead(lost.piece, there.piece),))
            except RuleError:
                continue
            self._owed = self._owed - {lost}
            return

    def _glance(self) -> Glance:
        settled = self._view is not None and self._view.settled
        return Glance(self.state, self._seen, settled, self._owed, self._touched, self._now, self.mode)

    def _answered_by_the_table(self) -> None:
        """While a choice is asked for nothing is a violation; but what shows on the table may answer it."""
        glance = self._glance()
        findings = explain(self.game, self.state, self._seen, self._owed)
        if glance.settled and len(findings.complete) == 1:
            self._asked = None
            self._commit(findings.complete[0], findings)

    def _settle(self, found: Explanation, findings: Findings) -> None:
        """A complete explanation of a settled view: journal it, unless the seat may still go on or the match ends."""
        before = self.state
        for step in found.steps[:-1]:
            before = self.game.play(before, step.action, step.facts)
        if self.game.open_ended(before, found.steps[-1].action):
            return
        if not self.game.actors(found.state):
            if self._asked is None or self._asked.question.kind != "finished":
                self._asked = questions.finished(self.game, found, self.header.seats)
            return
        self._commit(found, findings)

    def _enter(self) -> None:
        """On entering a state: play what needs no choice, ask what leaves no trace and can't be assumed."""
        self._asked = None
        actions = questions.untold(self.game, self.state)
        if len(actions) == 1:
            self._record(action=actions[0], seat=actions[0].seat)
            self._enter()
        elif actions:
            self._asked = questions.choice(self.game, self.state, actions)

    # --------------------------------------------------------------------------------------------------- records

    def _commit(self, found: Explanation, findings: Findings) -> None:
        """Journal the steps of an explanation that the table shows."""
        others = [one for one in (*findings.complete, *findings.under_way) if one.steps != found.steps]
        candidates = tuple(questions.told(self.game, self.state, one) for one in (found, *others))
        hint = self._hint(found)
        for step in found.steps:
            self._record(
                action=step.action, facts=step.facts, seat=step.action.seat, assumed=step.tacit, candidates=candidates
            )
        self._sentence += hint
        self._owed = self._owed | found.todo
        self._mind.forget()
        self._enter()

    def _hint(self, found: Explanation) -> str:
        """Mention, where a hand was seen at the deck, that a card may have been drawn first; it is not asked."""
        tacit = self.game.tacit(self.state)
        if tacit is None or found.steps[0].tacit or found.steps[0].action.seat != tacit.seat or not self._touched:
            return ""
        if self.game.touches(self.state, found.steps[0].action) & self._touched:
            return ""
        return f" If {at(tacit.seat)} drew it first, take it back and tap that."

    def _record(
        self,
        kind: str = "action",
        action: Action | None = None,
        seat: Seat = TABLE,
        by: str = "table",
        candidates: tuple[str, ...] = (),
        facts: Facts = (),
        assumed: bool = False,
        edits: tuple[Any, ...] = (),
        steps: int = 0,
    ) -> Record:
        """Make a record, have it on disk, then let it count."""
        record = Record(
            n=self.history.count + 1, id=new_id(), at=now(), kind=kind, seat=seat, action=action, facts=facts,
            edits=edits, steps=steps, by=by, assumed=assumed,
        )  # fmt: skip
        after = self.history.after(record)
        if self._sink is not None:
            was, then = self.game.layout(self.state).zones, self.game.layout(after).zones
            changed = frozenset(zone for zone in was.keys() | then.keys() if was.get(zone) != then.get(zone))
            self._sink(record, candidates, changed)
        self._append(record)
        return record

    def _append(self, record: Record) -> None:
        before = self.state
        self.history.append(record)
        if record.action is not None:
            touched = self.game.touches(before, record.action)
            if touched:
                self._forgiven, self._reached_by = touched, record.seat
            elif record.seat not in (TABLE, self._reached_by):
                self._forgiven = frozenset()
        words = told_record(self.game, before, record)
        self._touched = frozenset()
        self._log.append(LogLine(record.n, record.at, record.seat, words, record.by, record.assumed))
        self._sentence = words

    # -------------------------------------------------------------------------------------------------- commands

    def _play(self, command: say.Play) -> say.Reply:
        """A seat acts by phone or button; what the table must still follow is owed."""
        action = command.action
        if self.mode == "strict" and self._mind.violation is not None and command.seat != TABLE:
            told = self._mind.violation
            return say.Reply(False, verdict=illegal(told.rule, told.reason, told.remedy))
        self._before_phone(action, command.by)
        verdict = self.game.judge(self.state, action)
        if not verdict.ok:
            last = self.history.active[-1].record if self.history.active else None
            if last is not None and last.action == action and last.by == "table":
                # The table was quicker than the phone: it is said twice and done once.
                return say.Reply(True, last.n)
            return say.Reply(False, verdict=verdict)
        before = self._wrong()
        record = self._record(action=action, seat=action.seat, facts=command.facts, by=command.by)
        self._follow(before)
        return say.Reply(True, record.n)

    def _before_phone(self, action: Action, by: str) -> None:
        """Commit what the table already shows, or the silent end of the turn before, if this action follows on it."""
        if self.game.judge(self.state, action).ok:
            return
        found = self._mind.found
        if found is not None and found.complete and self.game.judge(found.state, action).ok:
            self._commit(found, Findings())
            return
        tacit = self.game.tacit(self.state)
        past = self.history.active[-1].record if self.history.active else None
        if tacit is None or past is None or past.seat != tacit.seat or tacit.seat == action.seat:
            return
        if self.game.judge(self.game.play(self.state, tacit), action).ok:
            self._record(action=tacit, seat=tacit.seat, assumed=True, by=by)

    def _wrong(self) -> Mismatches:
        """What is not on the table as the state expects it."""
        if self._view is None or self.mode == "ledger":
            return frozenset()
        return mismatches(self.game.layout(self.state), self._seen)

    def _follow(self, before: Mismatches = frozenset()) -> None:
        """After a command: what the table has to follow is owed, and asked for, but is no surprise.

        What was not as expected `before` the command is no consequence of it.
        """
        self._mind.forget()
        self._owed = self._owed | self._wrong() - before
        self._enter()

    def _answer(self, command: say.Answer) -> say.Reply:
        asked = self._asked
        if asked is None or asked.question.id != command.question:
            return say.Reply(False, verdict=illegal("C7", "that question is no longer open", "Look again."))
        if command.seat not in (TABLE, *asked.question.seats):
            who = join(at(seat) for seat in asked.question.seats)
            return say.Reply(False, verdict=illegal("C7", f"that question is for {who}", "Leave the answer to them."))
        if command.choice not in asked.answers:
            return say.Reply(False, verdict=illegal("C7", "that is none of the answers", "Choose one that is shown."))
        found = asked.answers[command.choice]
        self._asked = None
        if found is None:
            self._restore("It is taken back.")
            return say.Reply(True)
        before = self._wrong()
        for step in found.steps:
            self._record(action=step.action, seat=step.action.seat, facts=step.facts, by=command.by,
                         assumed=step.tacit)  # fmt: skip
        self._follow(before)
        return say.Reply(True, self.history.count)

    def _done(self, command: say.Done) -> say.Reply:
        """End a turn: what the table shows counts, or what left no trace is assumed."""
        found = self._mind.found
        if found is not None and found.complete:
            self._commit(found, Findings())
            return say.Reply(True, self.history.count)
        actors = self.game.actors(self.state)
        if command.seat not in (TABLE, *actors):
            who = join(at(seat) for seat in actors) or "nobody"
            return say.Reply(False, verdict=illegal("C7", f"it is {who}'s turn, not yours", f"Wait for {who}."))
        tacit = self.game.tacit(self.state)
        if tacit is None:
            reason = "there is something to decide first" if actors else "the match is over"
            return say.Reply(False, verdict=illegal("C7", reason, "Look at what the companion asks."))
        before = self._wrong()
        self._record(action=tacit, seat=tacit.seat, by=command.by, assumed=True)
        self._follow(before)
        return say.Reply(True, self.history.count)

    def _undo(self, command: say.Undo) -> say.Reply:
        past = self.history.active[-command.steps :]
        states = [one.state for one in self.history.active[-command.steps - 1 : -1]]
        states = [self.history.first] * (len(past) - len(states)) + states
        record = self._record(kind="undo", steps=command.steps, by=command.by)
        self._restore(told_undo(self.game, list(zip(states, past, strict=True))))
        return say.Reply(True, record.n)

    def _redo(self, command: say.Redo) -> say.Reply:
        record = self._record(kind="redo", steps=command.steps, by=command.by)
        self._restore("Done again.")
        return say.Reply(True, record.n)

    def _restore(self, words: str) -> None:
        """Infer nothing until what is owed is done, or the host says "go on from here"."""
        self._asked = None
        self._mind.forget()
        self._owed = self._wrong()
        self.restoring = bool(self._owed)
        if self.restoring:
            words = f"{words} Now {join(self.words.moves(self._owed))}."
        self._sentence = words
        if not self.restoring:
            self._enter()

    def _adopt(self, command: say.Adopt) -> say.Reply:
        wrong = mismatches(self.game.layout(self.state), self._seen)
        if not wrong:
            return say.Reply(False, verdict=illegal("C8", "the table is as expected", "There is nothing to correct."))
        turn = (self.game.actors(self.state) or (1,))[0] or 1
        return self._correct(say.Correct(edits=edits(wrong, turn), by=command.by))

    def _correct(self, command: say.Correct) -> say.Reply:
        record = self._record(kind="correction", edits=command.edits, by=command.by)
        self._follow()
        self.restoring = False
        return say.Reply(True, record.n)

    def _go_on(self, command: say.GoOn) -> say.Reply:
        """Take the table as it is: what is still owed stays owed, but nothing waits for it."""
        self.restoring = False
        self._sentence = "Going on from here."
        self._follow()
        return say.Reply(True)

    def _end(self, command: say.End) -> say.Reply:
        record = self._record(kind="end", by=command.by)
        self._follow()
        return say.Reply(True, record.n)

    def _change_mode(self, command: say.Mode) -> say.Reply:
        if command.mode not in MODES:
            reason = f"there is no mode called {command.mode}"
            return say.Reply(False, verdict=illegal("mode", reason, f"Choose {', '.join(MODES)}."))
        self.mode = command.mode
        self._mind.forget()
        if self.mode == "ledger":
            self.restoring, self._owed = False, frozenset()
        return say.Reply(True)

    def _rename(self, command: say.Name) -> say.Reply:
        if not 1 <= command.seat <= self.header.seats:
            reason = f"there is no seat {command.seat}: the seats are 1 to {self.header.seats}"
            return say.Reply(False, verdict=inconsistent("C3", reason, "Choose one of them."))
        name = " ".join(command.name.replace("@", " ").split())[:24]
        if not name:
            return say.Reply(False, verdict=illegal("C3", "a name needs a letter", "Type a name."))
        self.names[command.seat] = name
        return say.Reply(True)

    # ---------------------------------------------------------------------------------------------------- picture

    @property
    def phase(self) -> str:
        """What is going on: "setting-up", "playing", "restoring" or "over"."""
        actors = self.game.actors(self.state)
        if not actors:
            return "over"
        if self.restoring:
            return "restoring"
        started = any(past.record.seat != TABLE for past in self.history.active)
        return "setting-up" if actors == (TABLE,) and not started else "playing"

    def _publish(self) -> Snapshot:
        self._version += 1
        troubles: tuple[Trouble, ...] = self._view.troubles if self._view is not None else ()
        desk = Desk(self.game, self.header, self.names)
        provisional: tuple[str, ...] = ()
        if self._mind.found is not None:
            provisional = tuple(
                self.game.tell(self.state, step.guess or step.action, step.facts) for step in self._mind.found.steps
            )
        dead = self.history.dead
        log = tuple(
            msgspec.structs.replace(line, undone=line.n in dead) if line.n in dead else line for line in self._log[-60:]
        )
        return desk.snapshot(
            state=self.state,
            version=self._version,
            mode=self.mode,
            phase=self.phase,
            record=self.history.count,
            can_redo=bool(self.history.undone),
            sentence=self._sentence,
            provisional=provisional,
            owed=self.words.moves(self._owed) if self._view is not None or self.restoring else (),
            violation=self._mind.violation,
            question=self._asked.question if self._asked else None,
            troubles=troubles,
            log=log,
        )
