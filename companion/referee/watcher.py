"""The table watch: takes table views one at a time, understands, and has recorded what was done."""

from __future__ import annotations

from companion.eye.view import TableView
from companion.referee import questions
from companion.referee.copies import bound
from companion.referee.difference import Mismatch, Mismatches, Seen, done_late, last_mismatches, mismatches
from companion.referee.matching import Explanation, Findings, explain
from companion.referee.progress import Entry, MatchProgress
from companion.referee.tray import Tray, due
from companion.referee.understanding import Decision, Observation, Understanding
from companion.rules.kernel import TABLE, Facts, Instead, Rolled, RuleError, at
from companion.text import t

UNDER_WAY = 6.0
"""Seconds in which hands that are behind what phones have announced may still be seen to lay what came before it."""


class TableWatch:
    """Compares what the table shows with what the state expects; what explains the difference is recorded.

    `owed` was demanded of the table and is not done yet, `asked` is an open question, `mind` what is understood of the
    last view. Nothing is inferred while it is `restoring`, until the table is as expected.
    """

    def __init__(self, progress: MatchProgress) -> None:
        self._progress = progress
        self._game = progress.game
        self.view: TableView | None = None
        self.seen = Seen(TableView(0, 0.0, ()))
        self.owed: Mismatches = frozenset()
        self._compared: tuple[object, object, Mismatches] = (None, None, frozenset())
        if progress.mode != "ledger":
            self.owed = self.differing()
        self._passing: dict[Mismatch, float] = {}
        """What hands bring about on their way to what is owed, and until when (s) it is waited for without a word."""
        self.restoring = bool(progress.log) and progress.mode != "ledger"
        self.mind = Understanding(progress.game, progress.words)
        self.asked: questions.Asked | None = None
        self.tray = Tray(progress.mat)
        self._now = 0.0
        self.enter()

    def see(self, view: TableView) -> None:
        """Take what the eye sees."""
        self.view, self._now = view, max(self._now, view.time)
        self.seen = Seen(view)
        if self._progress.mode != "ledger" and not self._progress.frozen:
            self._notice_touches(view)
            self._take_dice(view)
            self.interpret()

    def _bind(self) -> None:
        if self.view is not None and self.view.alike:
            self.view = bound(self._game, self._progress.state, self.view, self.owed)
            self.seen = Seen(self.view)

    def tick(self, time: float) -> bool:
        """Let time pass (monotonic seconds); return whether a half-done action was looked at again."""
        self._now = max(self._now, time)
        overdue = any(until <= self._now for until in self._passing.values())
        if not (self.mind.impatient(self._now) or overdue) or self._progress.frozen:
            return False
        self.interpret()
        return True

    @property
    def phase(self) -> str:
        """What is going on: "setting-up", "playing", "restoring" or "over"."""
        actors = self._game.actors(self._progress.state)
        if not actors:
            return "over"
        if self.restoring:
            return "restoring"
        started = any(past.record.seat != TABLE for past in self._progress.history.active)
        return "setting-up" if actors == (TABLE,) and not started else "playing"

    def _notice_touches(self, view: TableView) -> None:
        """Remember a reached-for deck while it may mean something; a hand that an earlier draw explains means nothing.

        Touches rank explanations, they never decide.
        """
        tacit = self._game.tacit(self._progress.state)
        telling = self._game.touches(self._progress.state, tacit) if tacit is not None else frozenset()
        self._progress.touched = (self._progress.touched | view.touched) & telling - self._progress.forgiven

    def interpret(self) -> None:
        """Look at the last view again in the light of the state."""
        self._bind()
        expected = self.differing()
        covered = self.seen.covered
        self._notice_copies(expected)
        owed = self.owed - self._passing.keys()
        self._passing = {item: until for item, until in self._passing.items() if self._now < until}
        self.owed = frozenset(item for item in owed if item in expected or item.zone in covered)
        self.owed |= expected & self._passing.keys()
        if self.restoring and not self._restored():
            return
        if not self._game.actors(self._progress.state) or self.view is None:
            return
        if self.asked and self.asked.question.kind == "choice":
            self._answered_by_the_table()
            return
        if self.asked and self.asked.question.kind == "dice":
            return
        self._decide(self.mind.look(self._observation()))

    def _restored(self) -> bool:
        """Return whether a view of the table at rest shows that what was owed is done; then the match goes on."""
        self.mind.forget()
        if self.owed or self.view is None or not self.view.settled:
            return False
        self.restoring = False
        self._progress.sentence = t("The table is as it should be. Go on.")
        self.enter()
        return True

    def _decide(self, decision: Decision) -> None:
        self.owed |= decision.hidden
        if decision.edits:
            self._progress.record(Entry(kind="correction", edits=decision.edits))
        if decision.findings.quiet:
            self.asked = None
        elif len(decision.found) == 1:
            self._settle(decision.found[0], decision.findings)
        elif decision.found or decision.said:
            asked = questions.which(self._game, self._progress.state, decision.found, decision.said)
            if self.asked is None or self.asked.question.choices != asked.question.choices:
                self.asked = asked

    def _take_dice(self, view: TableView) -> None:
        """Journal a roll that lies in the tray; ask where the camera isn't sure, say what is wrong with it."""
        thrown = self.tray.look(view)
        roll = self.tray.awaited
        if thrown is None or roll is None or self.restoring or (self.asked and self.asked.question.kind == "dice"):
            return
        if thrown.words:
            self._progress.sentence = t("{words}.", words=thrown.words)
            return
        # A roll once made is kept (C4), whatever lies there now.
        kept = self._progress.kept_roll(roll.action)
        facts: Facts = kept or (Rolled(place=roll.need.place, values=thrown.values),)
        if thrown.missing and not kept:
            self.asked = questions.last_die(self._game, self._progress.state, roll, thrown)
        elif thrown.sure:
            before = self.unlike()
            self._progress.record(Entry(action=roll.action, facts=facts))
            self.follow(before)
        else:
            self.asked = questions.dice(self._game, self._progress.state, roll.action, facts)

    def _notice_copies(self, expected: Mismatches) -> None:
        """Correct the log where a card was named on a phone and its copy, which looks the same, was laid."""
        for lost, there in self._progress.words.copies(self.owed & expected - self.seen.under, expected - self.owed):
            try:
                self._progress.record(Entry(kind="correction", edits=(Instead(lost.piece, there.piece),)))
            except RuleError:
                continue
            self.owed = self.owed - {lost}
            return

    def _observation(self) -> Observation:
        settled = self.view is not None and self.view.settled
        return Observation(
            self._progress.state, self.seen, settled, self.owed, self._progress.touched, self._now, self._progress.mode
        )

    def _answered_by_the_table(self) -> None:
        """While a choice is asked for nothing is a violation; but what shows on the table may answer it."""
        observation = self._observation()
        findings = explain(self._game, self._progress.state, self.seen, self.owed)
        if observation.settled and len(findings.complete) == 1:
            self.asked = None
            self.commit(findings.complete[0], findings)

    def _settle(self, found: Explanation, findings: Findings) -> None:
        """Journal the complete explanation of a settled view, unless the match ends by it.

        A step of several moves that are legal each is journaled move by move: nobody has to say that they are done, and
        a move back is a move too.
        """
        if not self._game.actors(found.state):
            if self.asked is None or self.asked.question.kind != "finished":
                self.asked = questions.finished(self._game, found, self._progress.header.seats)
            return
        self.commit(found, findings)

    def enter(self) -> None:
        """On entering a state: play what needs no choice, ask what leaves no trace and can't be assumed."""
        self.asked = None
        self.tray.wait(due(self._game, self._progress.state), self.view)
        actions = questions.unobservable_choices(self._game, self._progress.state)
        if len(actions) == 1:
            self._progress.record(Entry(action=actions[0]))
            self.enter()
        elif actions:
            self.asked = questions.choice(self._game, self._progress.state, actions)

    def commit(self, found: Explanation, findings: Findings) -> None:
        """Journal the steps of an explanation that the table shows."""
        others = [one for one in (*findings.complete, *findings.under_way) if one.steps != found.steps]
        candidates = tuple(questions.describe(self._game, self._progress.state, one) for one in (found, *others))
        hint = self._hint(found)
        for step in found.steps:
            self._progress.record(
                Entry(
                    action=step.action,
                    facts=step.facts,
                    assumed=step.tacit,
                    candidates=candidates,
                )
            )
        self._progress.sentence += hint
        self.owed = self.owed | found.todo
        self.mind.forget()
        self.enter()

    def _hint(self, found: Explanation) -> str:
        tacit = self._game.tacit(self._progress.state)
        if (
            tacit is None
            or found.steps[0].tacit
            or found.steps[0].action.seat != tacit.seat
            or not self._progress.touched
        ):
            return ""
        if self._game.touches(self._progress.state, found.steps[0].action) & self._progress.touched:
            return ""
        return t(" If {seat} drew it first, take it back and tap that.", seat=at(tacit.seat))

    def wrong(self) -> Mismatches:
        """Return what is not on the table as the state expects it."""
        if self.view is None or self._progress.mode == "ledger":
            return frozenset()
        self._bind()
        return self.differing()

    def differing(self) -> Mismatches:
        """Return in what the last view differs from the state, made anew only if one of them is another."""
        state, seen = self._progress.state, self.seen
        if self._compared[0] is not state or self._compared[1] is not seen:
            self._compared = state, seen, mismatches(self._game.layout(state), seen)
        return self._compared[2]

    def unlike(self) -> Mismatches:
        """Return what is not as the state expects it; where something hides it, by what was seen last."""
        if self.view is None or self._progress.mode == "ledger":
            return frozenset()
        self._bind()
        return last_mismatches(self._game.layout(self._progress.state), self.seen)

    def follow(self, before: Mismatches = frozenset()) -> None:
        """After a command: what the table has to follow is owed, and asked for, but is no surprise.

        What was unexpected `before` the command is none of its consequences. Hands that are still busy with an earlier
        one may first lay a piece where this one no longer wants it, or take it up from where it does again.
        """
        self.mind.forget()
        unlike, until = self.unlike(), self._now + UNDER_WAY
        last = (self._game.layout(past.before) for past in self._progress.history.active[-1:])
        done = (done_late(item, layout) for layout in last for item in self.owed - unlike)
        self._passing |= dict.fromkeys(frozenset().union(*done), until)
        self.owed = self.owed | unlike - before
        self.enter()

    def restore(self, words: str) -> None:
        """Infer nothing until what is owed is done, or the host says "go on from here"."""
        self.asked = None
        self.mind.forget()
        self.owed, self._passing = self.unlike(), {}
        self.restoring = bool(self.owed)
        self._progress.sentence = words
        if not self.restoring:
            self.enter()
