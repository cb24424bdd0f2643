"""What the tests of every game do with its rules: judge an action, read a refusal, play some actions in a row."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from companion.rules.kernel import AnyFact, Facts, Game, Verdict

S = TypeVar("S")


class Tried(Generic[S]):
    """A game's rules under test."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game

    def judge(self, state: S, action: Any) -> Verdict:
        """Return what the rules say of an action."""
        return self._game.judge(state, action)

    def refused(self, state: S, action: Any) -> str:
        """Return the reason, the rule in front of it; a refusal always has a remedy too."""
        verdict = self._game.judge(state, action)
        assert not verdict.ok
        assert verdict.remedy
        return f"{verdict.rule}: {verdict.reason}"

    def play(self, state: S, *actions: Any) -> S:
        """Play actions in a row; one with facts is a pair. Every state adds up, if the first does."""
        sound = self._game.audit(state) == ()
        for step in actions:
            action, facts = step if isinstance(step, tuple) else (step, ())
            state = self._game.play(state, action, _several(facts))
            assert not sound or self._game.audit(state) == (), self._game.audit(state)
        return state


def _several(facts: AnyFact | Facts) -> Facts:
    return facts if isinstance(facts, tuple) else (facts,)
