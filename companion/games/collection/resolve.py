"""What cards do to the board (I10), the end of the match (5), and what is due next.

Actions make their own change only. Then `settle` resolves what is pending, in its order, where nobody has to decide,
and passes the turn when a seat has nothing left.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collection.board import (
    TOP_CRISIS,
    TOP_RESPONSE,
    change_crisis,
    change_gems,
    change_response,
    met,
    with_player,
)
from companion.games.collection.components import Components
from companion.games.collection.effects import (
    ALL,
    ANY,
    BonusDice,
    CardEffect,
    ChangeCrisis,
    ChangeGems,
    ChangeResponse,
    CrisisExpansion,
    ExtraActions,
    FreeMoves,
    SkipEngage,
)
from companion.games.collection.state import (
    COLLECTORS,
    COLOURS,
    OFF,
    SCENARIOS,
    NewScenario,
    ReportToUse,
    Scenario,
    State,
)
from companion.rules.cards import Piece
from companion.rules.kernel import Outcome, Seat
from companion.rules.wording import all_of
from companion.text import plural, t


def apply(components: Components, state: State, effect: CardEffect) -> State:
    """Let an effect happen that leaves nothing open; it does nothing in a scenario that is not active (I10)."""
    player = state.players[state.turn - 1]
    match effect:
        case ExtraActions():
            return replace(state, actions=state.actions + effect.by)
        case BonusDice():
            return with_player(state, state.turn, replace(player, dice=player.dice + effect.by))
        case SkipEngage():
            return with_player(state, state.turn, replace(player, skips=player.skips + effect.by))
        case CrisisExpansion() if not state.scenarios[SCENARIOS.index(effect.scenario)].active:
            return replace(state, pending=(NewScenario(effect.scenario), *state.pending))
    for number in _numbers(effect):
        if state.scenarios[number].active:
            state = _apply_in(components, state, number, effect)
    return state


def _apply_in(components: Components, state: State, number: int, effect: CardEffect) -> State:
    """Let an effect happen in an active scenario; it may lower a crisis to 1."""
    match effect:
        case ChangeCrisis() | CrisisExpansion():
            return change_crisis(state, number, effect.by)
        case ChangeResponse():
            return change_response(state, number, COLLECTORS.index(effect.collector), effect.by)
        case ChangeGems():
            return change_gems(components, state, number, COLLECTORS.index(effect.collector), effect.colour, effect.by)
    return state


def _numbers(effect: CardEffect) -> tuple[int, ...]:
    return tuple(range(len(SCENARIOS))) if effect.scenario == ALL else (SCENARIOS.index(effect.scenario),)


def choices(state: State, effect: CardEffect) -> tuple[CardEffect, ...]:
    """List an effect with what it leaves open filled in: only where it changes anything (I10)."""
    if not effect.open:
        return ()
    letters = SCENARIOS if effect.scenario == ANY else (effect.scenario,)
    names = COLLECTORS if effect.collector == ANY else (effect.collector,)
    colours = COLOURS if effect.colour == ANY else (effect.colour,)
    filled = (
        replace(effect, scenario=letter, collector=name, colour=colour)
        for letter in letters
        for name in names
        for colour in colours
    )
    return tuple(effect for effect in filled if changes(state, effect))


def does_anything(components: Components, state: State, piece: Piece) -> bool:
    """Return whether a collection card changes anything now; in a scenario that is not active it does nothing (I10)."""
    return any(_acts(state, effect) for effect in components.effect[piece])


def _acts(state: State, effect: CardEffect) -> bool:
    if effect.open:
        return bool(choices(state, effect))
    if isinstance(effect, ExtraActions | FreeMoves | BonusDice | SkipEngage | CrisisExpansion):
        return True
    return changes(state, effect)


def changes(state: State, effect: CardEffect) -> bool:
    """Return whether an effect changes anything on the board."""
    for number in _numbers(effect):
        scenario = state.scenarios[number]
        if scenario.active and _changes_in(scenario, effect):
            return True
    return False


def _changes_in(scenario: Scenario, effect: CardEffect) -> bool:
    match effect:
        case ChangeCrisis():
            return effect.by > 0 or scenario.crisis > 1
        case ChangeResponse():
            level = scenario.responses[COLLECTORS.index(effect.collector)]
            return level != OFF and (level < TOP_RESPONSE if effect.by > 0 else level > 0)
    there = scenario.gems[COLLECTORS.index(effect.collector)][COLOURS.index(effect.colour)]
    return effect.by > 0 or there > 0


def settle(components: Components, state: State) -> State:
    """Resolve what nobody has to decide, until somebody has to, or a card has to come up; say what is due then.

    1. In the set-up (3) first everybody chooses a role, then scenario A gets its card, then everybody puts a pawn on
       the board.
    2. In every turn, before anything is resolved: a crisis that has reached 10 ends the match, and so does the last
       circle that was filled (5, I9).
    3. What is pending comes in its order. A new scenario waits for its card (4), a report for its use (6.3), free
       moves wait for the pawn, and an effect that leaves something open for what is chosen: where one choice fits it
       is made, where none fits the effect does nothing. All other effects happen at once (I10). After each, 2. again.
    4. When nothing is pending the turn goes on (6): before the draw with actions or the draw; after it with the
       actions that a card gave and with held cards, if there are any; else the next player begins.
    """
    if state.outcome is not None:
        return state
    if setting_up(state):
        return replace(state, phase=_set_up(state))
    while True:
        state = ended(components, state)
        if state.outcome is not None:
            return state
        if not state.pending:
            return _turn(components, state)
        first, *rest = state.pending
        match first:
            case NewScenario():
                return replace(state, phase="open")
            case ReportToUse():
                return replace(state, phase="report")
            case FreeMoves():
                return replace(state, phase="free")
        possible = choices(state, first) if first.open else (first,)
        if len(possible) > 1:
            return replace(state, phase="choose")
        state = replace(state, pending=tuple(rest))
        if possible:
            state = apply(components, state, possible[0])


def setting_up(state: State) -> bool:
    """Return whether the first turn has not begun; a scenario card may come up later, too."""
    return state.phase in ("roles", "open", "start") and not all(player.on_board for player in state.players)


def _set_up(state: State) -> str:
    if not all(player.role for player in state.players):
        return "roles"
    return "open" if state.opening else "start"


def _turn(components: Components, state: State) -> State:
    """Go on with the turn when nothing is pending (6); an extra action after the draw brings no second draw (I10)."""
    if not state.drawn:
        return state if state.phase == "act" else replace(state, phase="act")
    if state.actions or state.players[state.turn - 1].hand:
        return replace(state, phase="close")
    return next_turn(components, state)


def next_turn(components: Components, state: State) -> State:
    """Let the next player begin, clockwise (3)."""
    return begin_turn(components, state, state.turn % len(state.players) + 1, state.turns + 1)


def begin_turn(components: Components, state: State, seat: Seat, turns: int) -> State:
    """Begin the turn of a seat: it has its actions, and has not drawn."""
    return replace(state, turn=seat, turns=turns, phase="act", actions=components.actions, drawn=False)


def ended(components: Components, state: State) -> State:
    """End the match if a crisis has reached 10, or all active scenarios are complete; both at once is defeat (I9)."""
    lost = [n for n, scenario in enumerate(state.scenarios) if scenario.crisis >= TOP_CRISIS]
    if lost:
        where = all_of(components.country(SCENARIOS[n], state.scenarios[n].card) for n in lost)
        words = t("The crisis in {where} has reached {top}: all is lost.", where=where, top=TOP_CRISIS)
        return replace(state, phase="over", outcome=Outcome((), "defeat", "5", words))
    active = [scenario for scenario in state.scenarios if scenario.active]
    if active and all(met(components, scenario) for scenario in active) and not state.opening:
        words = plural(
            "Victory: the reports circle is filled, and everybody wins.",
            "Victory: all {count} reports circles are filled, and everybody wins.",
            count=len(active),
        )
        return replace(state, phase="over", outcome=Outcome(state.seats, "victory", "5", words))
    return state
