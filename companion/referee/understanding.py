"""What the referee makes of the table between two records; it journals, asks and says nothing itself."""

from __future__ import annotations

import msgspec

from companion.referee.difference import Mismatches, Seen, laid_over
from companion.referee.matching import Explanation, Findings, explain
from companion.referee.snapshot import Violation
from companion.referee.violations import edits, unfinished, violation
from companion.referee.words import Words
from companion.rules.kernel import AnyEdit, AnyGame, RuleError
from companion.rules.layout import Zone

PATIENCE = 8.0
"""Seconds that a settled, half-done action may rest before the referee says what is missing."""
BETWEEN_WARNINGS = 60.0
"""Seconds: in assist mode people are interrupted at most this often."""


class Observation(msgspec.Struct, frozen=True):
    """What one look is about: the state and the view, what is owed, where hands were, and how strict to be."""

    state: object
    seen: Seen
    settled: bool
    owed: Mismatches
    touched: frozenset[Zone]
    time: float
    mode: str


class Decision(msgspec.Struct, frozen=True):
    """What to do: nothing yet (no `found`), journal the one explanation, or ask which of several it was.

    `edits` come first: where people went on after a warning, or the table shows that a count was wrong, the log is
    corrected before the action counts. `hidden` has to show again: it is believed to lie under other pieces.
    """

    findings: Findings
    found: tuple[Explanation, ...] = ()
    edits: tuple[AnyEdit, ...] = ()
    hidden: Mismatches = frozenset()
    said: tuple[Explanation, ...] = ()
    """What the table shows of actions that have to be said, in a tap, before they count."""


class Understanding:
    """Looks at views one after the other. `found` is what is understood and not journaled yet."""

    def __init__(self, game: AnyGame, words: Words) -> None:
        self._game = game
        self._words = words
        self.found: Explanation | None = None
        self.violation: Violation | None = None
        self.mend: Mismatches = frozenset()
        """What the violation's remedy is about."""
        self._warned: Mismatches = frozenset()
        self._warned_at = -BETWEEN_WARNINGS
        self._waiting_since: float | None = None

    def forget(self) -> None:
        """Begin anew: a record was made, or something was put back."""
        self.found = self.violation = self._waiting_since = None
        self._warned = frozenset()

    def impatient(self, time: float) -> bool:
        """Return whether something half done has rested long enough to look again."""
        return self._waiting_since is not None and time - self._waiting_since >= PATIENCE

    def look(self, observation: Observation) -> Decision:
        """Explain what is seen; report a violation where no legal action explains a settled view."""
        findings, found = self._explanations(observation)
        hidden: Mismatches = frozenset()
        if not findings.quiet and not findings.complete and observation.settled and self._patient(observation, found):
            # Nobody pulled the card away that was laid over: the rest may be explained with it where it was.
            hidden = laid_over(self._game.layout(observation.state), observation.seen) - observation.owed
            observation = msgspec.structs.replace(observation, owed=observation.owed | hidden)
            findings, found = self._explanations(observation) if hidden else (findings, found)
        if findings.quiet:
            self.forget()
            return Decision(findings, hidden=hidden)
        if found and found[0].complete:
            if len(found) == 1:
                self.found, self.violation, self._waiting_since = found[0], None, None
            return Decision(findings, found if observation.settled else (), hidden=hidden)
        if not observation.settled:
            # What is under way is shown at once; whether it comes to an end is for a settled view to say.
            self.found = found[0] if len(found) == 1 else None
            return Decision(findings)
        if found and all(one.to_be_said for one in found):
            self.found = self.violation = self._waiting_since = None
            return Decision(findings, said=found)
        mended = self._went_on(observation, findings) or (None if found else self._anchored(observation))
        if mended is None:
            self._puzzle(observation, found, findings)
        return mended or Decision(findings)

    def _explanations(self, observation: Observation) -> tuple[Findings, tuple[Explanation, ...]]:
        game, seen, owed = self._game, observation.seen, observation.owed
        if self.found is not None and self.found.complete:
            more = explain(game, self.found.state, seen, owed)
            if not more.quiet and len(more.complete) == 1:
                longer = more.complete[0]
                chain = Explanation((*self.found.steps, *longer.steps), longer.state, longer.todo, longer.hidden)
                return more, (chain,)
        findings = explain(game, observation.state, seen, owed, observation.touched)
        if findings.complete and not self._may_be_shorter(observation, findings):
            return findings, findings.complete
        if findings.quiet or findings.under_way or not observation.settled:
            return findings, findings.under_way
        return findings, explain(game, observation.state, seen, owed, guess=True).under_way

    def _patient(self, observation: Observation, found: tuple[Explanation, ...]) -> bool:
        waited = 0.0 if self._waiting_since is None else observation.time - self._waiting_since
        return not found or waited >= PATIENCE

    def _may_be_shorter(self, observation: Observation, findings: Findings) -> bool:
        """Return whether something shorter is under way: a longer story that needs a silent turn can wait a little."""
        waited = 0.0 if self._waiting_since is None else observation.time - self._waiting_since
        longest = len(findings.complete[0].steps)
        shorter = any(len(one.steps) < longest for one in findings.under_way)
        return shorter and waited < PATIENCE and any(step.tacit for step in findings.complete[0].steps)

    def _puzzle(self, observation: Observation, found: tuple[Explanation, ...], findings: Findings) -> None:
        """Handle a settled view without a complete explanation: wait a little, else object.

        While something lies over the mat a hand may be at work; and a card that is only gone may be in a hand, or be
        read again by the next look. Both are waited for.
        """
        self.found = found[0] if len(found) == 1 else None
        gone = not any(item.extra for item in findings.surprises)
        if found or gone or observation.seen.covered:
            if self._waiting_since is None:
                self._waiting_since = observation.time
            if observation.time - self._waiting_since < PATIENCE:
                return
        if found:
            what, mend = unfinished(self._game, observation.state, found[0], self._words), found[0].todo
        else:
            before = self._warned if self.violation is not None else frozenset()
            game, seen = self._game, observation.seen
            what, mend = violation(game, observation.state, seen, findings.surprises, self._words, before)
        self._object(observation, what, findings.surprises)
        self.mend = mend

    def _object(self, observation: Observation, what: Violation, surprises: Mismatches) -> None:
        """Report a violation, once; in assist mode without a sound if the last one was less than a minute ago."""
        if surprises == self._warned and self.violation is not None:
            return
        quiet = observation.mode == "assist" and observation.time - self._warned_at < BETWEEN_WARNINGS
        if not quiet:
            self._warned_at = observation.time
        self.violation = msgspec.structs.replace(what, quiet=quiet)
        self._warned = surprises

    def _went_on(self, observation: Observation, findings: Findings) -> Decision | None:
        """In assist mode, after a warning, play goes on: what contradicts the log becomes a correction."""
        if observation.mode != "assist" or not self._warned or not findings.surprises - self._warned:
            return None
        mended = edits(findings.surprises & self._warned, self._game.actors(observation.state)[0])
        try:
            corrected = self._game.correct(observation.state, mended)
        except RuleError:
            return None
        further = explain(self._game, corrected, observation.seen, observation.owed)
        return Decision(further, further.complete, mended) if len(further.complete) == 1 else None

    def _anchored(self, observation: Observation) -> Decision | None:
        """See whether a count that nobody could check was wrong all the time: a deck that is empty too early."""
        if observation.mode != "assist" or observation.seen.covered:
            return None
        for mended in self._game.anchors(observation.state):
            try:
                corrected = self._game.correct(observation.state, mended)
            except RuleError:
                continue
            further = explain(self._game, corrected, observation.seen, observation.owed)
            if further.quiet or len(further.complete) == 1:
                return Decision(further, further.complete, mended)
        return None
