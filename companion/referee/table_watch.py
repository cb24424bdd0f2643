"""The watch: takes table views one at a time, understands, journals, and publishes what is known.

It has no thread, no clock and no file of its own: time comes with the views and ticks, records go to a sink that has
them on disk before it returns. What people tell the referee by command is `companion.referee.referee`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView, Trouble
from companion.referee import questions
from companion.referee.chain import link, root
from companion.referee.clock import BidClock, Kept
from companion.referee.difference import Mismatches, Seen, laid_from_hand, mismatches
from companion.referee.history import History, opening
from companion.referee.journal import Header, new_id, now
from companion.referee.matching import Explanation, Findings, explain
from companion.referee.publishing import published
from companion.referee.record import Proof, Record
from companion.referee.rolls import DiceCommitment, Throws
from companion.referee.snapshot import Hint, LogLine, Snapshot
from companion.referee.tray import Tray, due
from companion.referee.understanding import Observation, Understanding
from companion.referee.words import Words, describe_record
from companion.rules.cards import Piece
from companion.rules.kernel import (
    TABLE,
    Action,
    Facts,
    Game,
    Instead,
    Rolled,
    RuleError,
    Seat,
    at,
)
from companion.rules.layout import Zone

Sink = Callable[[Record, tuple[str, ...], frozenset[Zone]], None]
"""Takes a record, the candidates that were considered and the zones it changes; has the record on disk on return."""


class Watch:
    """Watches over one match: what the table shows becomes records. The referee adds what people say.

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
        time: float = 0.0,
        kept: Kept | None = None,
        dice: DiceCommitment | None = None,
    ) -> None:
        """Begin a match, or resume one from its records (then nothing is inferred until the table is as expected).

        Snapshots are numbered on from `version`; `time` is the bidding clock's, `kept` what it had left before a
        restart. With `dice` the companion rolls dice too.
        """
        self.game = game
        self.header = header
        self.words = Words(game.deck, mat)
        self.names: dict[Seat, str] = dict(header.names)
        self.colours: dict[Seat, str] = dict(header.colours)
        self.mode = header.mode
        self._sink = sink
        self.history = History(game, opening(game, header))
        self._log: list[LogLine] = []
        self._touched: frozenset[str] = frozenset()
        self._forgiven: frozenset[str] = frozenset()
        self._missed: tuple[tuple[Seat, ...], frozenset[type]] = ((), frozenset())
        self._reached_by = TABLE
        self._dice = dice
        self._throws = Throws(header.commitment)
        self._sentence = ""
        self.head = (0, root(header))
        """What there is to note down of a match: how many records it has, and the last one's hash."""
        self._steered = 0
        """The last record that was no action: undo, correction, end."""
        for record in records:
            self._append(record)
        self._view: TableView | None = None
        self._seen = Seen(TableView(0, 0.0, ()))
        self._owed: Mismatches = frozenset()
        if self.mode != "ledger":
            self._owed = mismatches(game.layout(self.history.state), self._seen)
        self.restoring = bool(self._log) and self.mode != "ledger"
        self._mind = Understanding(game, self.words)
        self.clock = BidClock(header.bid_seconds)
        self._clock_time = time
        self._asked: questions.Asked | None = None
        self._tray = Tray()
        self.frozen = False
        self._given_hint: Hint | None = None
        self._now = 0.0
        self._version = version
        self._enter()
        self._set_clock()
        if kept is not None and kept.n == self.history.count:
            self.clock.take_up(kept, time)
        self.snapshot = self._publish()

    def say(self, words: str) -> None:
        """Have a sentence shown until the next one."""
        self._sentence = words
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
        if self.mode != "ledger" and not self.frozen:
            self._notice_touches(view)
            self._take_dice(view)
            self._interpret()
        self.snapshot = self._publish()

    def on_tick(self, time: float) -> None:
        """Let time pass (monotonic seconds); a half-done action may become worth a word."""
        self._now = max(self._now, time)
        if self._mind.impatient(self._now) and not self.frozen:
            self._interpret()
            self.snapshot = self._publish()

    def on_clock(self, time: float) -> None:
        """Let the people's time pass (monotonic seconds): a decision whose clock has run out is taken (C5)."""
        self._clock_time = max(self._clock_time, time)
        timed = self.clock.timed
        if timed is None or not self.clock.lapsed(time):
            return
        before = self._wrong()
        asked = {type(action) for action in self.game.legal(self.state) if action.seat in timed.seats}
        for action in timed.lapses:
            if self.game.judge(self.state, action).ok:
                self._record(action=action, seat=action.seat, by="clock")
        self._missed = (timed.seats, frozenset(asked))
        self._follow(before)
        if self._view is not None and self.mode != "ledger":
            self._interpret()
        self.snapshot = self._publish()

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
        if self._asked and self._asked.question.kind == "dice":
            return
        decision = self._mind.look(self._observation())
        self._owed |= decision.hidden
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

    def _take_dice(self, view: TableView) -> None:
        """Journal a roll that lies in the tray; ask where the camera isn't sure, say what is wrong with it."""
        thrown = self._tray.look(view)
        roll = self._tray.awaited
        if thrown is None or roll is None or self.restoring or (self._asked and self._asked.question.kind == "dice"):
            return
        if thrown.words:
            self._sentence = f"{thrown.words}."
            return
        # A roll once made is kept (C4), whatever lies there now.
        kept = self._throws.made(self.history.line, roll.action)
        facts: Facts = kept or (Rolled(place=roll.need.place, values=thrown.values),)
        if thrown.sure:
            before = self._wrong()
            self._record(action=roll.action, seat=roll.action.seat, facts=facts)
            self._follow(before)
        else:
            self._asked = questions.dice(self.game, self.state, roll.action, facts)

    def _notice_copies(self, expected: Mismatches) -> None:
        """Where a card was named on a phone and its copy was laid, the log had the wrong one of two that are alike."""
        for lost, there in self.words.copies(self._owed & expected - self._seen.under, expected - self._owed):
            try:
                self._record(kind="correction", edits=(Instead(lost.piece, there.piece),))
            except RuleError:
                continue
            self._owed = self._owed - {lost}
            return

    def _observation(self) -> Observation:
        settled = self._view is not None and self._view.settled
        return Observation(self.state, self._seen, settled, self._owed, self._touched, self._now, self.mode)

    def _answered_by_the_table(self) -> None:
        """While a choice is asked for nothing is a violation; but what shows on the table may answer it."""
        observation = self._observation()
        findings = explain(self.game, self.state, self._seen, self._owed)
        if observation.settled and len(findings.complete) == 1:
            self._asked = None
            self._commit(findings.complete[0], findings)

    def _settle(self, found: Explanation, findings: Findings) -> None:
        """A complete explanation of a settled view: journal it, unless the match ends by it.

        What may go on (a step of several moves, each of them legal) is journaled move by move: nobody has to say that
        they are done, and a move back is a move too.
        """
        if not self.game.actors(found.state):
            if self._asked is None or self._asked.question.kind != "finished":
                self._asked = questions.finished(self.game, found, self.header.seats)
            return
        self._commit(found, findings)

    def _enter(self) -> None:
        """On entering a state: play what needs no choice, ask what leaves no trace and can't be assumed."""
        self._asked = None
        self._tray.wait(due(self.game, self.state), self._view)
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
        candidates = tuple(questions.describe(self.game, self.state, one) for one in (found, *others))
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
        proof: Proof | None = None,
    ) -> Record:
        """Make a record, have it on disk, then let it count."""
        told = self._throws.commitment
        anew = self._dice.commitment if self._dice is not None and self._dice.commitment != told else ""
        record = Record(
            n=self.history.count + 1, id=new_id(), at=now(), kind=kind, seat=seat, action=action, facts=facts,
            edits=edits, steps=steps, by=by, assumed=assumed, proof=proof, commitment=anew,
        )  # fmt: skip
        record = msgspec.structs.replace(record, chain=link(self.head[1], record))
        after = self.history.after(record)
        if self._sink is not None:
            was, then = self.game.layout(self.state).zones, self.game.layout(after).zones
            changed = frozenset(zone for zone in was.keys() | then.keys() if was.get(zone) != then.get(zone))
            self._sink(record, candidates, changed)
        self._append(record)
        return record

    def _append(self, record: Record) -> None:
        # Only what was done is told by the state before it; to make that after each step back takes long.
        before, line = self.state if record.action is not None else None, self.history.line
        self.history.append(record)
        laid: tuple[Piece, ...] = ()
        if record.action is not None:
            laid = laid_from_hand(self.game.layout(before), record.action)
            touched = self.game.touches(before, record.action)
            if touched:
                self._forgiven, self._reached_by = touched, record.seat
            elif record.seat not in (TABLE, self._reached_by):
                self._forgiven = frozenset()
        self._missed = ((), frozenset())
        self.head = (record.n, record.chain or link(self.head[1], record))
        if record.kind != "action":
            self._steered = record.n
        words = describe_record(self.game, before, record)
        needs = self.game.needs(before, record.action) if record.facts and record.action is not None else ()
        self._throws.note(line, record, words, needs)
        self._touched = frozenset()
        self._log.append(LogLine(record.n, record.at, record.seat, words, record.by, record.assumed, laid=laid))
        self._sentence = words

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

    def _restore(self, words: str) -> None:
        """Infer nothing until what is owed is done, or the host says "go on from here"."""
        self._asked = None
        self._mind.forget()
        self._owed = self._wrong()
        self.restoring = bool(self._owed)
        self._sentence = words
        if not self.restoring:
            self._enter()

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

    def _set_clock(self) -> None:
        """Have the clock measure what is to be decided now; while the table is put right it stands still."""
        timed = self.game.timed(self.state) if self.game.actors(self.state) else None
        self.clock.follow(timed, self._clock_time, held=self.restoring or self.frozen)

    def _publish(self) -> Snapshot:
        self._version += 1
        self._set_clock()
        troubles: tuple[Trouble, ...] = self._view.troubles if self._view is not None else ()
        provisional: tuple[str, ...] = ()
        if self._mind.found is not None:
            provisional = tuple(
                self.game.tell(self.state, step.guess or step.action, step.facts) for step in self._mind.found.steps
            )
        dead = self.history.dead
        log = tuple(
            msgspec.structs.replace(line, undone=line.n in dead) if line.n in dead else line for line in self._log[-60:]
        )
        return published(
            self.game,
            self.header,
            self.names,
            self.colours,
            state=self.state,
            version=self._version,
            mode=self.mode,
            phase=self.phase,
            record=self.history.count,
            can_redo=bool(self.history.undone),
            sentence=self._sentence,
            provisional=provisional,
            owed=self.words.moves(self._owed, self._seen.under) if self._view is not None or self.restoring else (),
            violation=self._mind.violation,
            question=self._asked.question if self._asked else None,
            troubles=troubles,
            log=log,
            timer=self.clock.timer(),
            dice=self._throws.show(self.history.dead, self._dice.stirred if self._dice is not None else ()),
            frozen=self.frozen,
            hint=self._given_hint,
        )
