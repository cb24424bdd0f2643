"""Journals of Collectible from before a seat could say "done": how their records are read today.

In those matches Send was over when something else showed that it was. Two kinds of their records are not legal now.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.characters import Close, Look, Roll, Swap
from companion.games.collectible.components import Components
from companion.games.collectible.sending import Send, TakeBack
from companion.games.collectible.state import State
from companion.games.collectible.steps import within_limits
from companion.games.collectible.turns import go_on
from companion.rules.kernel import Action


def state_then(components: Components, state: State, action: Action) -> State:
    """Return the state in which an old record was made; the present one if it was made in the same way then."""
    if state.amid:
        return state
    if _began_a_character(action) and state.stage and within_limits(components, state, state.turn):
        return _send_over(components, state)
    if isinstance(action, Send | TakeBack) and state.step in ("discarding", "reveal"):
        return _moving_again(state)
    return state


def _began_a_character(action: Action) -> bool:
    """Whether it is a choice or the dice of a character: with the first of these Send was over."""
    return isinstance(action, Swap | Look | Close | Roll)


def _send_over(components: Components, state: State) -> State:
    """End Send, so that the characters that wait for that take effect (A7): today "done" comes first."""
    return go_on(components, replace(state, step="discarding"))


def _moving_again(state: State) -> State:
    """Go back to moving: cards were moved and discarded in any order. Today a discard ends the moving (A5)."""
    return replace(state, step="sending")
