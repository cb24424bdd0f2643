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
    began = isinstance(action, Swap | Look | Close | Roll)
    if began and state.stage and within_limits(components, state, state.turn):
        # With the choice or the dice of a character Send was over (A7); today "done" comes first.
        return go_on(components, replace(state, step="discarding"))
    if isinstance(action, Send | TakeBack) and state.step in ("discarding", "reveal"):
        # Cards were moved and discarded in any order; today a discard ends the moving (A5).
        return replace(state, step="sending")
    return state
