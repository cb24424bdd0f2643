"""The rules of Karmic Collections in the rulebook's order: what is legal, why not, and what it does.

Every action has its pair here: `judge_…` (the truth, with the reason) and `play_…` (the effect of a legal one). The
eight actions themselves are data in `spaces`; `steps` is what several rules share.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.karmic_collections.components import Box, points
from companion.games.karmic_collections.spaces import (
    CARD,
    DECK,
    DIE,
    MY_CARDS,
    MY_CHITS,
    MY_DICE,
    SPACES,
    STEPS,
    Lack,
    amount,
    lack,
)
from companion.games.karmic_collections.steps import (
    ACTIONS,
    DICE,
    HOW,
    SETUP,
    actors,
    add_dice,
    begin_turn,
    counted,
    doer,
    draw,
    due_step,
    feasible,
    has,
    lacking,
    move_card,
    move_die,
    next_step,
    opposite,
    out_of_turn,
    owner_of_card,
    proceed,
    score,
    set_up,
    shown_at,
    tied,
    waiting,
    whereabouts,
    with_player,
    without,
)
from companion.games.karmic_collections.values import (
    NO_CARD,
    Bags,
    Conceal,
    Deal,
    Draw,
    EndTurn,
    First,
    Give,
    GiveDie,
    KeepOpen,
    Lot,
    Partner,
    Player,
    Roll,
    Second,
    Setup,
    State,
    Take,
    TakeBlind,
    TakeDie,
    TurnUp,
)
from companion.rules.dice import rolled
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Facts,
    Options,
    RuleError,
    Seat,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.wording import all_of, any_of, so_many_players

# ------------------------------------------------------------------------------------------------------------ Setup


def prepare(box: Box, seats: int, chosen: Options, facts: Setup) -> State:
    """Return everybody chits and partner tokens; cards and dice come as the table shows them.

    Raises:
        RuleError: if the number of seats does not fit, or an option is named: there is none.
    """
    if not 2 <= seats <= 6:
        raise RuleError(illegal(SETUP, f"{so_many_players(seats)} can't play this", "Choose 2 to 6 players."))
    for name in chosen:
        raise RuleError(illegal(SETUP, f"there is no option {name!r}", "This game has no options."))
    everybody = frozenset(range(1, seats + 1))
    players = tuple(
        Player(frozenset(), (), 0, box.start_chits, everybody - {seat}) for seat in range(1, seats + 1)
    )  # fmt: skip
    return State(players, box.all, Bags(chits=seats * box.start_chits))


def judge_deal(box: Box, state: State, action: Deal) -> Verdict:
    """Each player gets 3 cards."""
    if action.seat != TABLE or state.phase != "deal":
        return out_of_turn(box, state, action)
    if action.player not in state.seats:
        return inconsistent("C3", f"there is no seat {action.player}", f"Name 1 to {len(state.players)}.")
    if action.player in lacking(box, state):
        return LEGAL
    return illegal(SETUP, f"{at(action.player)} has {amount(box.start_cards, CARD)} already", waiting(box, state))


def play_deal(box: Box, state: State, action: Deal, facts: Facts) -> State:
    """Hands lie face up."""
    card = shown_at(box, state, action.player, facts, state.unseen)
    return set_up(box, draw(state, action.player, card))


def judge_roll(box: Box, state: State, action: Roll) -> Verdict:
    """Roll new dice immediately to lock in their values; dice can't be rerolled once locked."""
    if action.seat not in state.seats or state.outcome is not None:
        return out_of_turn(box, state, action)
    if state.phase in ("deal", "dice", "lot"):
        if not state.players[action.seat - 1].dice:
            return LEGAL
        return illegal(DICE, f"{at(action.seat)} has rolled already, and dice are not rerolled", waiting(box, state))
    if due_step(state).does in ("roll", "partner-roll") and action.seat == doer(state):
        return LEGAL
    if action.seat in actors(box, state):
        return illegal(DICE, f"{at(action.seat)} has gained no die, and dice are not rerolled", waiting(box, state))
    return out_of_turn(box, state, action)


def dice_due(box: Box, state: State) -> int:
    """Return how many dice are rolled at once."""
    return box.start_dice if state.phase in ("deal", "dice") else due_step(state).count


def play_roll(box: Box, state: State, action: Roll, facts: Facts) -> State:
    """The values are locked."""
    state = add_dice(state, action.seat, rolled(facts, "dice", dice_due(box, state), box.sides))
    return set_up(box, state) if state.phase in ("deal", "dice") else next_step(box, state)


# ----------------------------------------------------------------------------------------------------- How to Play


def judge_lot(box: Box, state: State, action: Lot) -> Verdict:
    """The player with the least points goes first; in case of a tie, choose randomly one of the tied."""
    if action.seat in state.seats and state.turn != TABLE and state.outcome is None:
        return illegal(HOW, "it is decided who goes first, and lots are not rerolled", waiting(box, state))
    if action.seat not in state.seats or state.phase != "lot":
        return out_of_turn(box, state, action)
    lowest = tied(box, state)
    if action.seat in lowest:
        return LEGAL
    least = points(sum(score(box, state.players[lowest[0] - 1])))
    reason = f"{at(action.seat)} is not one of those with {least}, the fewest"
    return illegal(HOW, reason, f"Leave it to {any_of(at(seat) for seat in lowest)}.")


def play_lot(box: Box, state: State, action: Lot, facts: Facts) -> State:
    """The values stand for the tied seats in turn."""
    lowest = tied(box, state)
    (value,) = rolled(facts, "dice", 1, len(lowest))
    return begin_turn(state, lowest[value - 1])


def judge_turn_up(box: Box, state: State, action: TurnUp) -> Verdict:
    """Once all partner tokens are flipped, flip them up at the start of your next turn (M6)."""
    if action.seat == state.turn and state.phase == "tokens":
        return LEGAL
    if action.seat == state.turn and state.phase == "partner":
        up = all_of(at(seat) for seat in sorted(state.players[action.seat - 1].up))
        return illegal("M6", f"the token of {up} is still up", waiting(box, state))
    return out_of_turn(box, state, action)


def play_turn_up(box: Box, state: State, action: TurnUp, facts: Facts) -> State:
    """Everybody can be the partner again."""
    player = replace(state.players[action.seat - 1], up=frozenset(state.seats) - {action.seat})
    return replace(with_player(state, action.seat, player), phase="partner")


def judge_partner(box: Box, state: State, action: Partner) -> Verdict:
    """First declare your karmic partner; each player can be paired with once before all tokens are flipped."""
    if action.seat != state.turn or state.phase != "partner":
        return out_of_turn(box, state, action)
    up = state.players[action.seat - 1].up
    if action.partner in up:
        return LEGAL
    remedy = f"Choose {any_of(at(seat) for seat in sorted(up))}."
    if action.partner not in state.seats:
        return inconsistent("C3", f"there is no seat {action.partner}", remedy)
    if action.partner == action.seat:
        return illegal(HOW, "nobody is their own karmic partner", remedy)
    return illegal(HOW, f"the token of {at(action.partner)} is turned down until all are", remedy)


def play_partner(box: Box, state: State, action: Partner, facts: Facts) -> State:
    """If no action at all can be done, both are skipped (M5)."""
    state = replace(state, partner=action.partner)
    return replace(state, phase="first" if feasible(state) else "end")


def judge_first(box: Box, state: State, action: First) -> Verdict:
    """Play your first pawn on one of the eight actions."""
    if action.seat != state.turn or state.phase != "first":
        return _skipped(box, state, action.seat) or out_of_turn(box, state, action)
    return _judge_space(state, action.space)


def judge_second(box: Box, state: State, action: Second) -> Verdict:
    """Your karmic partner chooses your second action from the opposite side."""
    if action.seat != state.partner or state.phase != "second":
        return _skipped(box, state, action.seat) or out_of_turn(box, state, action)
    space = SPACES.get(action.space)
    if space is not None and space.side != opposite(state):
        reason = f"the first action was {space.side}, so the second must be {opposite(state)}; {space.title} is not"
        return illegal(HOW, reason, waiting(box, state))
    return _judge_space(state, action.space)


def _skipped(box: Box, state: State, seat: Seat) -> Verdict | None:
    """M5: say that an action of this seat is skipped, because none can be done. None if that is not so."""
    if state.phase != "end" or seat not in (state.turn, state.partner):
        return None
    due = waiting(box, state)
    if not state.spaces:
        return illegal("M5", f"no action can be done with {at(state.partner)}, so both are skipped", due)
    if len(state.spaces) == 1 and seat == state.partner:
        return illegal("M5", f"no {opposite(state)} action can be done, so the second is skipped", due)
    return None


def _judge_space(state: State, name: str) -> Verdict:
    """If any part of the action can't be performed it can't be selected; checked from left to right (M4)."""
    space = SPACES.get(name)
    if space is None:
        return inconsistent("C9", f"there is no action called {name!r}", f"There are {', '.join(SPACES)}.")
    missing = lack(STEPS[name], has(state))
    if missing is None:
        return LEGAL
    reason = f"{space.title} can't be done: {lack_words(state, name, missing)}"
    return illegal("M4", reason, "Choose another action.")


def lack_words(state: State, name: str, missing: Lack) -> str:
    """Say which part fails and why: "its part "steal 2 cards" fails, as @2 has 1 card"."""
    what, count = missing.part.what, missing.has
    some = amount(count, what) if count else f"no {what}"
    mine = missing.source in (MY_CARDS, MY_DICE, MY_CHITS)
    who = "the deck" if missing.source == DECK else at(state.turn if mine else state.partner)
    then = " by then" if missing.part != SPACES[name].parts[0] else ""
    return f'its part "{missing.part.words}" fails, as {who} has {some}{then}'


def play_first(box: Box, state: State, action: First, facts: Facts) -> State:
    """Perform the action as indicated, from left to right."""
    return proceed(box, replace(state, spaces=(action.space,), step=0, phase="act"))


def play_second(box: Box, state: State, action: Second, facts: Facts) -> State:
    """It is performed as if the player whose turn it is had chosen it."""
    return proceed(box, replace(state, spaces=(*state.spaces, action.space), step=0, phase="act"))


# ------------------------------------------------------------------------------------------------------ Action Rules


def judge_draw(box: Box, state: State, action: Draw) -> Verdict:
    """Draw: take from the deck."""
    if action.seat == state.turn and due_step(state).does == "draw":
        return LEGAL
    return out_of_turn(box, state, action)


def play_draw(box: Box, state: State, action: Draw, facts: Facts) -> State:
    """It lies face up in the hand."""
    card = shown_at(box, state, action.seat, facts, state.unseen)
    return next_step(box, draw(state, action.seat, card))


def judge_conceal(box: Box, state: State, action: Conceal) -> Verdict:
    """You may conceal your cards that aren't part of any set: all or none; of several best splits you pick (M3)."""
    if action.seat != state.partner or due_step(state).does != "conceal":
        return out_of_turn(box, state, action)
    hand, ways = state.players[action.seat - 1].hand, box.concealable(state.players[action.seat - 1].hand)
    if action.cards == tuple(sorted(action.cards)) and frozenset(action.cards) in ways:
        return LEGAL
    right = any_of(dict.fromkeys(box.names(way) for way in ways[:4]))
    strange = sorted(frozenset(action.cards) - hand)
    if strange:
        reason = f"{box.name(strange[0])} is not before {at(action.seat)}: {whereabouts(box, state, strange[0])}"
        return inconsistent("C2", reason, f"Conceal {right}.")
    reason = "only the cards outside the sets can be concealed, and only all of them"
    return illegal("M3", reason, f"Conceal {right}, or none.")


def play_conceal(box: Box, state: State, action: Conceal, facts: Facts) -> State:
    """They lie face down until the last card is taken."""
    return next_step(box, state, concealed=frozenset(action.cards))


def judge_keep_open(box: Box, state: State, action: KeepOpen) -> Verdict:
    """The partner need not conceal anything."""
    if action.seat == state.partner and due_step(state).does == "conceal":
        return LEGAL
    return out_of_turn(box, state, action)


def play_keep_open(box: Box, state: State, action: KeepOpen, facts: Facts) -> State:
    """All cards lie face up."""
    return next_step(box, state)


def judge_take(box: Box, state: State, action: Take) -> Verdict:
    """Steal, swap: take an item of your karmic partner; of the face-up cards you pick which."""
    if action.seat != state.turn or due_step(state).does != "take-card":
        return out_of_turn(box, state, action)
    if action.card in state.concealed:
        reason = f"{box.name(action.card)} is concealed"
        return illegal("M3", reason, "Take a card that lies face up, or one of the face-down cards without looking.")
    if action.card in state.players[state.partner - 1].hand:
        return LEGAL
    reason = f"{box.name(action.card)} is not before {at(state.partner)}: {whereabouts(box, state, action.card)}"
    if owner_of_card(state, action.card) not in (TABLE, action.seat):
        return illegal(ACTIONS, reason, f"Put it back and take a card of {at(state.partner)}.")
    return inconsistent("C2", reason, "Look again which card it is.")


def play_take(box: Box, state: State, action: Take, facts: Facts) -> State:
    """It goes to the hand of the player whose turn it is."""
    return _taken(box, state, action.card)


def judge_take_blind(box: Box, state: State, action: TakeBlind) -> Verdict:
    """The player could choose to pick blindly from the concealed cards."""
    if action.seat != state.turn or due_step(state).does != "take-card":
        return out_of_turn(box, state, action)
    if state.concealed:
        return LEGAL
    return illegal("M3", f"{at(state.partner)} has concealed no card", "Take a card that lies face up.")


def play_take_blind(box: Box, state: State, action: TakeBlind, facts: Facts) -> State:
    """It shows which card it is when it is laid down face up."""
    return _taken(box, state, shown_at(box, state, action.seat, facts, state.concealed))


def _taken(box: Box, state: State, card: str) -> State:
    """After the last pick hands are face up again (M3)."""
    state = move_card(state, state.partner, state.turn, card)
    state = replace(state, step=state.step + 1, taken=card, concealed=state.concealed - {card})
    if due_step(state).does != "take-card":
        state = replace(state, concealed=frozenset())
    return proceed(box, state)


def judge_give(box: Box, state: State, action: Give) -> Verdict:
    """Give: one of the items you own; a swap gives a card of yours, not the one just taken (M3)."""
    does = due_step(state).does
    if action.seat != state.turn or does not in ("give-card", "return-card"):
        return out_of_turn(box, state, action)
    if action.card not in state.players[action.seat - 1].hand:
        reason = f"{box.name(action.card)} is not before {at(action.seat)}: {whereabouts(box, state, action.card)}"
        if owner_of_card(state, action.card) not in (TABLE, state.partner):
            return illegal(ACTIONS, reason, "Put it back and give a card that lies before you.")
        return inconsistent("C2", reason, "Look again which card it is.")
    if does == "return-card" and action.card == state.taken:
        return illegal("M3", f"{box.name(action.card)} has just been taken in this swap", "Give another card.")
    return LEGAL


def play_give(box: Box, state: State, action: Give, facts: Facts) -> State:
    """It goes to the karmic partner."""
    return next_step(box, move_card(state, action.seat, state.partner, action.card), taken=NO_CARD)


def judge_take_die(box: Box, state: State, action: TakeDie) -> Verdict:
    """Swap: take a die from your karmic partner in exchange for one of your own."""
    if action.seat != state.turn or due_step(state).does != "take-die":
        return out_of_turn(box, state, action)
    return _has_die(box, state, state.partner, state.players[state.partner - 1].dice, action.value)


def play_take_die(box: Box, state: State, action: TakeDie, facts: Facts) -> State:
    """It keeps its value (M8)."""
    return next_step(box, move_die(state, state.partner, action.seat, action.value), taken_die=action.value)


def judge_give_die(box: Box, state: State, action: GiveDie) -> Verdict:
    """Give: one of the dice you own; a swap doesn't hand back the die just taken (M3)."""
    if action.seat != state.turn or due_step(state).does not in ("give-die", "return-die"):
        return out_of_turn(box, state, action)
    dice = state.players[action.seat - 1].dice
    mine = givable_dice(state)
    if action.value in dice and action.value not in mine:
        reason = f"the die showing {action.value} has just been taken in this swap"
        return illegal("M3", reason, f"Give one showing {any_of(map(str, sorted(set(mine))))}.")
    return _has_die(box, state, action.seat, mine, action.value)


def givable_dice(state: State) -> tuple[int, ...]:
    """List the dice that can be given now."""
    return without(state.players[state.turn - 1].dice, state.taken_die)


def _has_die(box: Box, state: State, seat: Seat, dice: tuple[int, ...], value: int) -> Verdict:
    if value in dice:
        return LEGAL
    shown = all_of(map(str, sorted(set(dice))))
    if not 1 <= value <= box.sides:
        return inconsistent("C9", f"no die shows {value}", f"The dice of {at(seat)} show {shown}.")
    return inconsistent("C9", f"{at(seat)} has no {DIE} showing {value}", f"The dice of {at(seat)} show {shown}.")


def play_give_die(box: Box, state: State, action: GiveDie, facts: Facts) -> State:
    """It goes to the karmic partner and keeps its value (M8)."""
    return next_step(box, move_die(state, action.seat, state.partner, action.value), taken_die=0)


# --------------------------------------------------------------------------------------------------- End of the turn


def judge_end_turn(box: Box, state: State, action: EndTurn) -> Verdict:
    """At the end of your turn tally up, flip your partner's token over and reclaim your pawns."""
    if action.seat == state.turn and state.phase == "end":
        return LEGAL
    return out_of_turn(box, state, action)


def play_end_turn(box: Box, state: State, action: EndTurn, facts: Facts) -> State:
    """Points are counted for everybody (M7); then the turn goes on clockwise."""
    player = state.players[action.seat - 1]
    state = with_player(state, action.seat, replace(player, up=player.up - {state.partner}))
    state = counted(box, replace(state, turns=state.turns + 1), action.seat)
    return state if state.outcome else begin_turn(state, action.seat % len(state.players) + 1)
