"""Judge and play actions in states that a test has made: the same for every game."""

from __future__ import annotations

from typing import Any

from companion.rules.kernel import AnyGame, Facts, Verdict


class OnPaper:
    """A game without a table: what its tests do to states."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def judge(self, state: Any, action: Any) -> Verdict:
        return self._game.judge(state, action)

    def refused(self, state: Any, action: Any) -> str:
        """Return the reason, the rule in front of it; a refusal always has a remedy too."""
        verdict = self._game.judge(state, action)
        assert not verdict.ok
        assert verdict.remedy
        return f"{verdict.rule}: {verdict.reason}"

    def play(self, state: Any, *steps: Any, facts: Facts = ()) -> Any:
        """Play actions in a row, a pair being an action with its fact; each result adds up if the state before did."""
        for step in steps:
            action, given = (step[0], (step[1],)) if isinstance(step, tuple) else (step, facts)
            after = self._game.play(state, action, given)
            assert self._game.audit(after) == () or self._game.audit(state)
            state = after
        return state
