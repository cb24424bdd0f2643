"""How turns of Collectible follow each other: what begins and ends one, and where nobody has to decide."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.characters import resolve
from companion.games.collectible.components import Components
from companion.games.collectible.scoring import laid_open, rounds_over
from companion.games.collectible.state import AMID_SEND, State, Step
from companion.games.collectible.steps import lacking, within_limits
from companion.rules.kernel import Seat


def begin_turn(components: Components, state: State, seat: Seat) -> State:
    """Begin a turn: what its seat had closed is open again (A7), and gaps of the phantom auction are filled (A9)."""
    closed = tuple(shut for shut in state.closed if shut.seat != seat) if state.closed else ()
    return filled(components, replace(state, turn=seat, closed=closed), "collect")


def filled(components: Components, state: State, then: Step) -> State:
    """Go on with a step, after filling the phantom auction if it has a gap."""
    state = replace(state, step=then, amid="")
    return replace(state, amid="fill") if len(state.players) == 2 and lacking(components, state) else state


def end_turn(components: Components, state: State) -> State:
    """Pass the turn to the player on the left; by option the galleries are scored after so many rounds (A8)."""
    state = replace(state, turns=state.turns + 1)
    if rounds_over(state):
        return laid_open(components, replace(state, step="show", amid=""))
    return begin_turn(components, state, state.turn % len(state.players) + 1)


def go_on(components: Components, state: State) -> State:
    """Resolve what nobody has to decide, after every action.

    When both limits hold the discarding is over, and Send with it (A5); the characters that waited for that take
    effect, one after the other (A7); then a turn that was passed ends.
    """
    if state.amid:
        return state
    if state.step == "discarding" and within_limits(components, state, state.turn):
        state = replace(state, step="reveal")
    if state.stage and state.step not in AMID_SEND:
        return resolve(components, state)
    return end_turn(components, state) if state.step == "passed" else state
