"""The rules of COLLECTION! in the rulebook's order: what is legal, why not, and what it does.

Every action has its pair here: `judge_…` (the truth, with the reason) and `play_…` (the effect of a legal one). `Box`
holds the pieces as the rules read them, `reporting` the dice, `resolve` what happens to the board.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collection.box import Box
from companion.games.collection.effects import Clause
from companion.games.collection.reporting import attempt, role_of, scenario_of, uses
from companion.games.collection.resolve import (
    begin_turn,
    proceed,
    report_filed,
    resolve,
    targets,
    with_crisis,
    with_gems,
    with_player,
    with_scenario,
)
from companion.games.collection.steps import (
    ENGAGING,
    REPORTS,
    ROLLING,
    SEQUENCE,
    SETUP,
    due,
    in_deck,
    may_act,
    no_action,
    out_of_turn,
    place_words,
    role_refused,
    shown_at,
    unknown_colour,
    unknown_place,
    waiting,
)
from companion.games.collection.values import (
    CIRCLE,
    COLLECTORS,
    NOWHERE,
    OFF,
    SCENARIOS,
    Choose,
    Draw,
    Engage,
    Move,
    OpenScenario,
    Pass,
    PlayCard,
    Player,
    Roll,
    Scenario,
    Setup,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.dice import rolled
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Option,
    Options,
    RuleError,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.wording import a, all_of, any_of, counted, so_many_players

# ------------------------------------------------------------------------------------------------------- 3. Set Up


def options() -> tuple[Option, ...]:
    """Play begins with whichever player wants to go first (3, C3)."""
    return (Option("first", "Seat of the first player; 0 is by chance", 0, 0, 7, SETUP),)


def prepare(box: Box, seats: int, chosen: Options, facts: Setup) -> State:
    """Shuffle both decks; roles, the first scenario and the pawns follow on the table.

    Raises:
        RuleError: if the number of seats, an option, or a role does not fit.
    """
    if not 3 <= seats <= 7:
        raise RuleError(illegal("2", f"{so_many_players(seats)} can't play this", "Choose 3 to 7 players."))
    for name, value in chosen.items():
        if name != "first":
            raise RuleError(illegal(SETUP, f"there is no option {name!r}", "There is first."))
        if not 0 <= value <= seats:
            raise RuleError(illegal(SETUP, f"there is no seat {value} to start", f"Choose 0 to {seats}."))
    first = chosen.get("first", 0) or facts.first
    if not 1 <= first <= seats:
        raise RuleError(inconsistent("C3", f"there is no seat {first} to start", f"Choose 1 to {seats}."))
    if facts.roles and len(facts.roles) != seats:
        said = f"{counted(len(facts.roles), 'role')} for {seats} players"
        raise RuleError(inconsistent("2.1", said, "Name one for each seat, or none."))
    state = State(
        players=(Player(),) * seats,
        scenarios=(Scenario(),) * len(SCENARIOS),
        unseen=box.cards | box.need.keys(),
        turn=first,
    )
    for seat, role in enumerate(facts.roles, 1):
        state = play_role(box, _judged(state, judge_role(box, state, TakeRole(seat=seat, role=role))),
                          TakeRole(seat=seat, role=role), ())  # fmt: skip
    return state


def _judged(state: State, verdict: Verdict) -> State:
    if not verdict.ok:
        raise RuleError(verdict)
    return state


def judge_role(box: Box, state: State, action: TakeRole) -> Verdict:
    """Each player chooses a role: one of each kind, and the three that every match needs among them (2.1, I13)."""
    if state.phase != "roles" or action.seat not in state.seats:
        return out_of_turn(box, state, action)
    has = state.players[action.seat - 1].role
    if has:
        return illegal("2.1", f"{at(action.seat)} is the {box.roles[has].title} already", "Keep that role.")
    return role_refused(box, state, action.role) or LEGAL


def play_role(box: Box, state: State, action: TakeRole, facts: Facts) -> State:
    """When all have a role, the first scenario card is due."""
    state = with_player(state, action.seat, replace(state.players[action.seat - 1], role=action.role))
    return state if not all(player.role for player in state.players) else replace(state, phase="open", opening=0)


def judge_scenario(box: Box, state: State, action: OpenScenario) -> Verdict:
    """The top scenario card goes to scenario A, later to one that a card opens (3, 4)."""
    if action.seat or state.phase != "open":
        return out_of_turn(box, state, action)
    wanted = SCENARIOS[state.opening]
    if action.scenario == wanted:
        return LEGAL
    wrong = unknown_place(action.scenario, COLLECTORS[0])
    return wrong or illegal("4", f"the card is for scenario {wanted}, not {action.scenario}", waiting(box, state))


def play_scenario(box: Box, state: State, action: OpenScenario, facts: Facts) -> State:
    """A crisis gem goes to level one, and that is all (4, I11)."""
    piece = shown_at(box, scenario_zone(action.scenario), facts, state.unseen & box.need.keys())
    state = with_scenario(state, state.opening, replace(state.scenarios[state.opening], card=piece, crisis=1))
    state = replace(state, opening=NOWHERE, unseen=state.unseen - {piece})
    if not all(player.on_board for player in state.players):
        return replace(state, phase="start")
    return proceed(box, state)


def scenario_zone(letter: str) -> str:
    """Name the zone of a scenario's card."""
    return f"scenario-{letter.lower()}"


def judge_start(box: Box, state: State, action: Start) -> Verdict:
    """Every player starts on a space of their choice in scenario A (I3)."""
    if state.phase != "start" or action.seat not in state.seats:
        return out_of_turn(box, state, action)
    if state.players[action.seat - 1].on_board:
        return illegal("I3", f"the pawn of {at(action.seat)} stands on the board already", "Leave it there.")
    return unknown_place(SCENARIOS[0], action.collector) or LEGAL


def play_start(box: Box, state: State, action: Start, facts: Facts) -> State:
    """When all pawns stand, the first turn begins."""
    player = replace(state.players[action.seat - 1], scenario=0, collector=COLLECTORS.index(action.collector))
    state = with_player(state, action.seat, player)
    if not all(one.on_board for one in state.players):
        return state
    return begin_turn(box, state, state.turn, 0)


# -------------------------------------------------------------------------------------------- 6. Sequence of Play


def judge_move(box: Box, state: State, action: Move) -> Verdict:
    """Between two collectors of a scenario, or the same collector in two scenarios, both active (6, I3)."""
    if state.phase == "start" and action.seat in due(state) and action.scenario in SCENARIOS[1:]:
        reason = f"every pawn starts in scenario {SCENARIOS[0]}, not in scenario {action.scenario}"
        return illegal("I3", reason, f"Put it on a space of scenario {SCENARIOS[0]}.")
    if state.phase == "free":
        if action.seat != state.turn:
            return out_of_turn(box, state, action)
    else:
        refused = no_action(box, state, action)
        if refused is not None:
            return refused
    wrong = unknown_place(action.scenario, action.collector)
    if wrong is not None:
        return wrong
    player = state.players[action.seat - 1]
    here, name = SCENARIOS[player.scenario], COLLECTORS[player.collector]
    if (action.scenario, action.collector) == (here, name):
        return illegal(SEQUENCE, f"{at(action.seat)} stands on {place_words(here, name)} already", "Move elsewhere.")
    if not state.scenarios[SCENARIOS.index(action.scenario)].active:
        return illegal("I3", f"scenario {action.scenario} is not active", "Stay in one that is.")
    if here != action.scenario and name != action.collector:
        reason = f"from {place_words(here, name)} to {place_words(action.scenario, action.collector)} is two moves"
        first = f"Go to {place_words(here, action.collector)} or {place_words(action.scenario, name)} first."
        return illegal(SEQUENCE, reason, first)
    return LEGAL


def play_move(box: Box, state: State, action: Move, facts: Facts) -> State:
    """A free move is one MOVE by the rules, and takes no action (I10)."""
    number, collector = SCENARIOS.index(action.scenario), COLLECTORS.index(action.collector)
    player = replace(state.players[action.seat - 1], scenario=number, collector=collector)
    free = state.phase == "free"
    state = with_player(state, action.seat, player)
    if not free:
        return proceed(box, replace(state, actions=state.actions - 1))
    first, *rest = state.todo
    left = (replace(first, by=first.by - 1),) if first.by > 1 else ()
    return proceed(box, replace(state, todo=(*left, *rest)))


# ---------------------------------------------------------------------------------------- 6.1 Engaging Collectors


def judge_engage(box: Box, state: State, action: Engage) -> Verdict:
    """Place a gem of a colour of your role where you are, in a completed scenario too (6, I13)."""
    refused = no_action(box, state, action) or unknown_colour(action.colour)
    if refused is not None:
        return refused
    role = role_of(box, state, action.seat)
    if action.colour in role.colours:
        return LEGAL
    reason = f"the {role.title} places {all_of(role.colours)} gems, not {action.colour} ones"
    return illegal(ENGAGING, reason, f"Place {a(any_of(role.colours))} one.")


def play_engage(box: Box, state: State, action: Engage, facts: Facts) -> State:
    """The first gem on a space places the collector's coin. By a card the action may place nothing (I10)."""
    player = state.players[action.seat - 1]
    state = replace(state, actions=state.actions - 1)
    if player.skips:
        return proceed(box, with_player(state, action.seat, replace(player, skips=player.skips - 1)))
    state = with_player(state, action.seat, replace(player, placed=player.placed + 1))
    return proceed(box, with_gems(box, state, player.scenario, player.collector, action.colour, 1))


# ------------------------------------------------------------------------------------------ 6.2 Rolling for Reporting


def judge_roll(box: Box, state: State, action: Roll) -> Verdict:
    """Roll for a colour of your role: with dice, against a level of 2 or more, for a report of use (6.2, I5, I7)."""
    refused = no_action(box, state, action) or unknown_colour(action.colour)
    if refused is not None:
        return refused
    seat, role = action.seat, role_of(box, state, action.seat)
    player = state.players[seat - 1]
    where = place_words(SCENARIOS[player.scenario], COLLECTORS[player.collector])
    if action.colour not in role.colours:
        reason = f"the {role.title} rolls for {all_of(role.colours)} reports, not for {action.colour} ones"
        return illegal(ROLLING, reason, f"Roll for {a(any_of(role.colours))} one.")
    roll = attempt(box, state, seat, action.colour)
    if roll.level == OFF:
        return illegal("I5", f"{where} is not on the response ladder", "Engage first.")
    if not roll.dice and player.dice:
        reason = f"there is no {action.colour} gem on {where}, and a card's bonus die can't stand alone"
        return illegal("I5", reason, "Engage first.")
    if not roll.dice:
        return illegal("I5", f"there is no {action.colour} gem on {where}, and no bonus die", "Engage first.")
    if roll.level < 2:
        return illegal("I5", f"{where} responds at level {roll.level}, and no die shows less", "It takes 2 or more.")
    return LEGAL if uses(box, state, seat, action.colour) else _no_use(box, state, action)


def _no_use(box: Box, state: State, action: Roll) -> Verdict:
    scenario, letter = scenario_of(state, action.seat), SCENARIOS[state.players[action.seat - 1].scenario]
    lacks = f"scenario {letter} needs no {action.colour} report any more"
    if CIRCLE in role_of(box, state, action.seat).uses and len(role_of(box, state, action.seat).uses) == 1:
        title = role_of(box, state, action.seat).title
        return illegal("I7", f"{lacks}, and the {title} can't reduce a crisis", "Do something else.")
    reason = f"{lacks}, and its crisis is at {scenario.crisis}: reports reduce it from {box.crisis_floor + 1} on"
    return illegal("I7", reason, "Do something else.")


def play_roll(box: Box, state: State, action: Roll, facts: Facts) -> State:
    """Any die below the level is a success; one report an action. A bonus die is used up, whatever comes of it."""
    seat, roll = action.seat, attempt(box, state, action.seat, action.colour)
    values = rolled(facts, "dice", roll.dice, box.sides)
    player = replace(state.players[seat - 1], dice=0)
    state = replace(state, actions=state.actions - 1)
    if min(values) >= roll.level:
        return proceed(box, with_player(state, seat, player))
    state = with_player(state, seat, replace(player, reported=player.reported + 1))
    state = replace(state, report=action.colour)
    possible = uses(box, state, seat, action.colour)
    return used(box, state, possible[0]) if len(possible) == 1 else proceed(box, state)


# -------------------------------------------------------------------------------------------------- 6.3 Using Reports


def judge_report(box: Box, state: State, action: UseReport) -> Verdict:
    """It fills the circle, or it reduces the crisis by one, to a minimum of four; it can't be declined (6.3, I7)."""
    if action.seat != state.turn or state.phase != "report":
        return out_of_turn(box, state, action)
    possible = uses(box, state, action.seat, state.report)
    if action.use in possible:
        return LEGAL
    reason = f"a report is used for {any_of(possible)}, not for {action.use or 'nothing'}"
    return illegal(REPORTS, reason, f"Choose {any_of(possible)}.")


def play_report(box: Box, state: State, action: UseReport, facts: Facts) -> State:
    """Once it is used it stays used."""
    return used(box, state, action.use)


def used(box: Box, state: State, use: str) -> State:
    """Use the report that waits."""
    number, colour = state.players[state.turn - 1].scenario, state.report
    state = replace(state, report="")
    if use == CIRCLE:
        return proceed(box, report_filed(box, state, number, colour))
    return proceed(box, with_crisis(state, number, -1))


# ------------------------------------------------------------------------------------------------- Collection cards


def judge_draw(box: Box, state: State, action: Draw) -> Verdict:
    """At the end of their turn each player draws a card; a seat may stop before its actions are used up (6, I13)."""
    if action.seat != state.turn or state.phase != "act":
        return out_of_turn(box, state, action)
    return LEGAL


def play_draw(box: Box, state: State, action: Draw, facts: Facts) -> State:
    """A red card is played at once, a blue one comes to lie before its player. An empty deck is made anew (I12)."""
    piece = shown_at(box, "discard", facts, in_deck(box, state))
    if piece not in state.unseen:
        state = replace(state, unseen=state.unseen.union(state.discard), discard=())
    state = replace(state, unseen=state.unseen - {piece}, drawn=True, actions=0)
    if piece in box.red:
        return proceed(box, replace(state, discard=(*state.discard, piece), todo=box.effect[piece]))
    player = state.players[action.seat - 1]
    return proceed(box, with_player(state, action.seat, replace(player, hand=(*player.hand, piece))))


def judge_play(box: Box, state: State, action: PlayCard) -> Verdict:
    """A blue card is played at once, or held and played at any time during its owner's turn (6, I12)."""
    if not may_act(state, action.seat):
        return out_of_turn(box, state, action)
    if action.card in state.players[action.seat - 1].hand:
        return LEGAL
    owner = next((seat for seat, player in enumerate(state.players, 1) if action.card in player.hand), None)
    if owner is not None:
        return illegal(SEQUENCE, f"{box.name(action.card)} belongs to {at(owner)}", "Give it back.")
    if action.card in state.discard:
        reason = f"{box.name(action.card)} lies in the discard pile and has been played"
        return illegal(SEQUENCE, reason, "Put it back, and play a card that lies before you.")
    reason = f"{box.name(action.card)} does not lie before {at(action.seat)}"
    return inconsistent("C2", reason, "Look again which card it is.")


def play_play(box: Box, state: State, action: PlayCard, facts: Facts) -> State:
    """It goes to the discards, and does what it says."""
    player = state.players[action.seat - 1]
    hand = tuple(piece for piece in player.hand if piece != action.card)
    state = with_player(state, action.seat, replace(player, hand=hand))
    return proceed(box, replace(state, discard=(*state.discard, action.card), todo=box.effect[action.card]))


def judge_choose(box: Box, state: State, action: Choose) -> Verdict:
    """What a card leaves open the drawer chooses (I10)."""
    if action.seat != state.turn or state.phase != "choose":
        return out_of_turn(box, state, action)
    possible = targets(state, state.todo[0])
    if action in possible:
        return LEGAL
    words = any_of(choice_words(state.todo[0], one) for one in possible)
    said = choice_words(state.todo[0], action) or "nothing"
    return illegal("I10", f"the card can't be about {said} now", f"Choose {words}.")


def play_choose(box: Box, state: State, action: Choose, facts: Facts) -> State:
    """It happens."""
    return proceed(box, resolve(box, state, action))


def choice_words(clause: Clause, choice: Choose) -> str:
    """Say a choice: "political in DH of A"."""
    spot = " in ".join(word for word in (choice.collector, choice.scenario) if word not in ("", "all"))
    return " on ".join(word for word in (choice.colour, spot) if word)


def judge_pass(box: Box, state: State, action: Pass) -> Verdict:
    """After the draw cards may be played or held; then the next player goes on."""
    return LEGAL if action.seat == state.turn and state.phase == "close" else out_of_turn(box, state, action)


def play_pass(box: Box, state: State, action: Pass, facts: Facts) -> State:
    """The next turn begins."""
    return begin_turn(box, state, state.turn % len(state.players) + 1, state.turns + 1)
