"""Steps that several rules share: whose turn it is, what players have, how an action goes on, and how turns begin."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from companion.games.karmic_collections.components import Components, dice_points
from companion.games.karmic_collections.spaces import (
    AUTOMATIC,
    CARD,
    DARK,
    DIE,
    ENDLESS,
    LIGHT,
    MY_CARDS,
    MY_DICE,
    OPPOSITE,
    SIDE_WORDS,
    SIDES,
    SPACES,
    STEPS,
    Has,
    Lack,
    Step,
    amount,
    lack,
)
from companion.games.karmic_collections.state import HOW, NO_CARD, PHASES, SETUP, Bags, Player, State
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.kernel import TABLE, Facts, Need, RuleError, Seat, Shown, Verdict, at, fact_at, illegal
from companion.rules.wording import all_of
from companion.text import t, word

PARTNER_DOES = frozenset({"second", "conceal", "partner-roll"})
"""What the karmic partner does in the turn of another: choose the second action, conceal, roll its own new die."""


def actors(components: Components, state: State) -> tuple[Seat, ...]:
    """List the seats that are due."""
    if state.turn != TABLE:
        if state.phase == "over":
            return ()
        return (state.partner if state.awaits in PARTNER_DOES else state.turn,)
    if state.phase == "deal":
        return (TABLE,)
    if state.phase == "dice":
        return without_dice(state)
    return tied(components, state) if state.phase == "lot" else ()


def without_dice(state: State) -> tuple[Seat, ...]:
    """List the seats that have not rolled their first dice."""
    return tuple(seat for seat, player in enumerate(state.players, 1) if not player.dice)


def lacking(components: Components, state: State) -> tuple[Seat, ...]:
    """List the seats that have not all their first cards."""
    return tuple(seat for seat, player in enumerate(state.players, 1) if len(player.hand) < components.start_cards)


class KarmicAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of Karmic Collections: it may be taken in its phase, by a seat that is due."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        whose = actors(components, state)
        if state.awaits in cls.declared.phases and seat in whose and cls.upkeep == (seat == TABLE):
            return None
        impossible = cls.impossible_for(seat, state.seats, state.outcome)
        if impossible is not None:
            return impossible
        due = waiting(components, state)
        if cls.upkeep:
            return illegal(SETUP, t("the first cards are dealt"), due)
        if state.turn == TABLE:
            return illegal(SETUP, t("the first turn has not begun"), due)
        if seat not in whose:
            return illegal(HOW, t("it is for {whose} now, not for {seat}", whose=at(whose[0]), seat=at(seat)), due)
        return illegal(PHASES[state.awaits].rule, t("something else is due now"), due)


WAITING: Mapping[str, Callable[[str, str], str]] = {
    "tokens": lambda who, _: t("{who} turns all partner tokens up.", who=who),
    "partner": lambda who, _: t("{who} declares a karmic partner: place their token forward.", who=who),
    "draw": lambda who, _: t("{who} draws a card, face up.", who=who),
    "conceal": lambda who, partner: t(
        "{partner} may conceal the cards outside the sets; else {who} takes a card.", partner=partner, who=who
    ),
    "take-card": lambda who, partner: t("{who} takes a card of {partner}.", who=who, partner=partner),
    "return-card": lambda who, partner: t("{who} gives {partner} a card in exchange.", who=who, partner=partner),
    "give-card": lambda who, partner: t("{who} gives {partner} a card.", who=who, partner=partner),
    "take-die": lambda who, partner: t("{who} takes a die of {partner}.", who=who, partner=partner),
    "return-die": lambda who, partner: t("{who} gives {partner} a die in exchange.", who=who, partner=partner),
    "give-die": lambda who, partner: t("{who} gives {partner} a die.", who=who, partner=partner),
    "end": lambda who, partner: t(
        "{who} reclaims the pawns and turns the token of {partner} down.", who=who, partner=partner
    ),
    "over": lambda who, _: t("Start a new match."),
}
"""What is due of whose turn it is, and of the partner."""


def waiting(components: Components, state: State) -> str:
    """Return what is due, as a sentence."""
    if state.turn == TABLE:
        return _before_turns(components, state)
    who, partner, due = at(state.turn), at(state.partner), state.awaits
    colour = word(components.colour.get(state.turn, ""))
    if due == "first":
        return t("{who} plays the first {colour} pawn on an action.", who=who, colour=colour)
    if due == "second":
        return t(
            "{partner} chooses a {side} action for {who}: place the second {colour} pawn on it.",
            partner=partner,
            side=SIDE_WORDS[opposite(state)],
            who=who,
            colour=colour,
        )
    if due in ("roll", "partner-roll"):
        roller = who if due == "roll" else partner
        return t("{who} rolls {dice}.", who=roller, dice=amount(state.doing.count, DIE))
    return WAITING[due](who, partner)


def _before_turns(components: Components, state: State) -> str:
    if state.phase == "deal":
        count, seat = amount(components.start_cards, CARD), at(lacking(components, state)[0])
        return t("Deal {cards} to {seat}, face up.", cards=count, seat=seat)
    if state.phase == "dice":
        rolling = all_of(at(seat) for seat in without_dice(state))
        return t("{rolling}: roll {dice}.", rolling=rolling, dice=amount(components.start_dice, DIE))
    if state.phase == "lot":
        seats = all_of(at(seat) for seat in tied(components, state))
        return t("Choose by chance which of {seats} goes first.", seats=seats)
    return t("Start a new match.")


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Return the state with the player at a seat replaced."""
    return replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))


def move_card(state: State, source: Seat, target: Seat, card: Piece) -> State:
    """Move a card from one hand to another."""
    giver, getter = state.players[source - 1], state.players[target - 1]
    state = with_player(state, source, replace(giver, hand=giver.hand - {card}))
    return with_player(state, target, replace(getter, hand=getter.hand | {card}))


def draw(state: State, seat: Seat, card: Piece) -> State:
    """Move a card from the deck to a hand."""
    player = state.players[seat - 1]
    state = with_player(state, seat, replace(player, hand=player.hand | {card}))
    return replace(state, unseen=state.unseen - {card})


def add_dice(state: State, seat: Seat, values: tuple[int, ...]) -> State:
    """Add dice out of the bag to those of a seat; their values are locked (M8)."""
    player, bags = state.players[seat - 1], state.bags
    state = with_player(state, seat, replace(player, dice=tuple(sorted((*player.dice, *values)))))
    return replace(state, bags=Bags(bags.coins, bags.dice + len(values), bags.chits))


def move_die(state: State, source: Seat, target: Seat, value: int) -> State:
    """Move a die from one seat to another; it keeps its value (M8)."""
    giver, getter = state.players[source - 1], state.players[target - 1]
    state = with_player(state, source, replace(giver, dice=without(giver.dice, value)))
    dice = list(getter.dice)
    insort(dice, value)
    return with_player(state, target, replace(getter, dice=tuple(dice)))


def without(dice: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return dice without one of a value."""
    if value not in dice:
        return dice
    place = dice.index(value)
    return dice[:place] + dice[place + 1 :]


def owner_of_card(state: State, card: object) -> Seat:
    """Return the seat in whose hand a card lies; TABLE if in none."""
    return next((seat for seat, player in enumerate(state.players, 1) if card in player.hand), TABLE)


def whereabouts(components: Components, state: State, card: object) -> str:
    """Describe where a card is."""
    owner = owner_of_card(state, card)
    if owner:
        return t("it lies before {owner}", owner=at(owner))
    return t("it is still in the deck") if card in state.unseen else t("it is not one of the cards")


def opposite(state: State) -> str:
    """Return the side that the second action must be from."""
    return OPPOSITE[SPACES[state.spaces[0]].side]


def has(state: State) -> Has:
    """Count what an action can take: the deck's cards, and what the two players of the turn have."""
    mine, theirs = state.players[state.turn - 1], state.players[state.partner - 1]
    return [
        len(state.unseen),
        len(mine.hand),
        len(mine.dice),
        mine.chits,
        len(theirs.hand),
        len(theirs.dice),
        theirs.chits,
        ENDLESS,
    ]


def feasible(state: State, sides: tuple[str, ...] = (LIGHT, DARK)) -> tuple[str, ...]:
    """List the actions of these sides of which every part can be done (M4)."""
    there = has(state)
    return tuple(name for side in sides for name in SIDES[side] if lack(STEPS[name], there[:]) is None)


def stuck(state: State) -> Lack | None:
    """Return what the rest of the action under way lacks: nothing, unless a correction took it away."""
    there, step = has(state), state.doing
    mine = state.players[state.turn - 1]
    # A thing taken that is no longer there can't be handed back in any case.
    there[MY_CARDS] += step.does == "return-card" and state.taken not in mine.hand
    there[MY_DICE] += step.does == "return-die" and state.taken_die not in mine.dice
    return lack(STEPS[state.spaces[-1]][state.step :], there)


def proceed(components: Components, state: State) -> State:
    """Go on with the action at its next step; do at once what leaves neither a choice nor chance."""
    steps = STEPS[state.spaces[-1]]
    while state.step < len(steps):
        step = steps[state.step]
        if step.does in AUTOMATIC:
            state = _automatic(state, step)
        elif step.does != "conceal" or components.concealable(state.players[state.partner - 1].hand):
            return state
        state = replace(state, step=state.step + 1)
    return performed(state)


def _automatic(state: State, step: Step) -> State:
    mine, theirs = state.players[state.turn - 1], state.players[state.partner - 1]
    if step.does == "coins":
        bags = state.bags
        state = with_player(state, state.turn, replace(mine, coins=mine.coins + step.count))
        return replace(state, bags=Bags(bags.coins + step.count, bags.dice, bags.chits))
    count = step.count if step.does == "take-chits" else -step.count
    state = with_player(state, state.turn, replace(mine, chits=mine.chits + count))
    return with_player(state, state.partner, replace(theirs, chits=theirs.chits - count))


def next_step(components: Components, state: State, **changes: object) -> State:
    """Finish a step and go on."""
    return proceed(components, replace(state, step=state.step + 1, **changes))


def performed(state: State) -> State:
    """Go on after an action: the partner chooses one of the opposite side, unless none can be done (M5)."""
    state = replace(state, step=0, taken=NO_CARD, taken_die=0)
    second = len(state.spaces) == 1 and feasible(state, (opposite(state),))
    return replace(state, phase="second" if second else "end")


def score(components: Components, player: Player) -> tuple[int, int, int]:
    """Return the points of a player's cards, dice and coins."""
    return components.hand_points(player.hand), dice_points(player.dice), player.coins


def tied(components: Components, state: State) -> tuple[Seat, ...]:
    """List the seats with the fewest points, one of which goes first."""
    scores = [sum(score(components, player)) for player in state.players]
    return tuple(seat for seat in state.seats if scores[seat - 1] == min(scores))


def begin_turn(state: State, seat: Seat) -> State:
    """Begin a turn: if all partner tokens are turned down they are turned up first (M6)."""
    phase = "partner" if state.players[seat - 1].up else "tokens"
    return replace(state, turn=seat, phase=phase, **FRESH)


FRESH: dict[str, object] = {
    "partner": TABLE,
    "spaces": (),
    "step": 0,
    "concealed": frozenset(),
    "taken": NO_CARD,
    "taken_die": 0,
}
"""What a turn begins with."""


def shown_at(components: Components, state: State, seat: Seat, facts: Facts, can_be: frozenset[Piece]) -> Piece:
    """Return the card that came up in a hand; RuleError if it is missing, unread, or impossible (C2)."""
    fact = fact_at(facts, f"hand.{seat}")
    if not isinstance(fact, Shown) or not isinstance(fact.piece, str):
        reason = t("nobody has said which card {seat} got", seat=at(seat))
        raise RuleError.inconsistent("C9", reason, t("Lay it face up, or name it."))
    if fact.piece not in can_be:
        reason = t(
            "{piece} can't have come to {seat}: {whereabouts}",
            piece=components.name(fact.piece),
            seat=at(seat),
            whereabouts=whereabouts(components, state, fact.piece),
        )
        raise RuleError.inconsistent("C2", reason, t("Look again which card it is."))
    return fact.piece


def card_needed(seat: Seat, words: str, pieces: frozenset[Piece]) -> tuple[Need, ...]:
    """Return the fact that is waited for: a card that comes face up to a hand and stays there."""
    return (Need(f"hand.{seat}", "shown", words, pieces, stays=True),)
