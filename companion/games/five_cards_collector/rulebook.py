"""The rules of Five Cards Collector in the rulebook's order: what is legal, why not, and what it does.

Every action has its pair here, `judge_…` (the truth, with the reason) and `play_…` (the effect of a legal one).
`Box` holds the sets of cards that section 1 leads to; `steps` what several rules share.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.five_cards_collector import specials
from companion.games.five_cards_collector.box import Box
from companion.games.five_cards_collector.steps import (
    GAMEPLAY,
    LAYING,
    PREPARATION,
    does_not_belong,
    draw,
    drawable,
    neighbour,
    next_turn,
    nobody_moves,
    not_in_hand,
    opened_at,
    out_of_turn,
    over,
    passes_left,
    wanted,
    with_hand,
    with_player,
    won,
)
from companion.games.five_cards_collector.values import (
    NO_GOAL,
    UNREAD_GOAL,
    Add,
    Discard,
    Draw,
    DrawGoal,
    Hand,
    Keep,
    Nothing,
    Player,
    Setup,
    State,
    Stuck,
    TurnUp,
)
from companion.rules.cards import Piece
from companion.rules.hands import laid, least_worth
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Options,
    Outcome,
    RuleError,
    Unknown,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.shown import came_up
from companion.rules.wording import cards, so_many_players

TWO_PLAYERS = "2-player gameplay"

# ------------------------------------------------------------------------------------- 3. Preparation for the game


def prepare(box: Box, seats: int, options: Options, facts: Setup) -> State:
    """Deal: 7 cards to each player, 9 with two (or 7, by option), and two take four cards out of the deck.

    Raises:
        RuleError: if the number of seats, an option or a fact does not fit.
    """
    if not 2 <= seats <= 8:
        raise RuleError(illegal(PREPARATION, f"{so_many_players(seats)} can't play this", "Choose 2 to 8 players."))
    limit, deck = hand_limit(box, seats, options), box.in_play(seats)
    if not 1 <= facts.first <= seats:
        raise RuleError(inconsistent("C3", f"there is no seat {facts.first} to start", f"Choose 1 to {seats}."))
    dealt = tuple(Player(NO_GOAL, (), Hand(frozenset(), limit)) for _ in range(seats))
    state = State(dealt, limit, len(deck) - limit * seats, deck, (), (), facts.first, "goals")
    if facts.goals:
        _check_goals(box, seats, facts.goals)
        players = tuple(replace(player, goal=goal) for player, goal in zip(dealt, facts.goals, strict=True))
        state = replace(state, players=players, phase="turn-up")
    return _start_pile(box, state, facts.turned_up) if facts.turned_up else state


def hand_limit(box: Box, seats: int, options: Options) -> int:
    """Return the hand limit: 7, with two players 9 or, by the option `hand_limit`, 7 (F4)."""
    unknown = sorted(set(options) - {"hand_limit"})
    if unknown:
        raise RuleError(illegal(TWO_PLAYERS, f"there is no option {unknown[0]!r}", "The only option is hand_limit."))
    usual = (box.hand_limit, box.hand_limit_two_players)
    chosen = options.get("hand_limit", usual[1])
    if chosen not in usual:
        reason = f"a hand limit of {chosen} is not foreseen"
        raise RuleError(
            illegal("F4", reason, f"With two players it is {usual[1]} or {usual[0]}, with more {usual[0]}.")
        )
    return chosen if seats == 2 else box.hand_limit


def _check_goals(box: Box, seats: int, goals: tuple[Piece, ...]) -> None:
    odd = [goal for goal in goals if goal not in box.goals]
    if odd:
        raise RuleError(
            inconsistent(PREPARATION, f"{box.name(odd[0])} is no collection card", "Name collection cards.")
        )
    if len(goals) != seats or len(set(goals)) != seats:
        reason = f"{seats} players need {seats} different collection cards"
        raise RuleError(inconsistent(PREPARATION, reason, "Name one for each seat, in seat order."))


def _start_pile(box: Box, state: State, turned_up: tuple[Piece, ...]) -> State:
    odd = [p for n, p in enumerate(turned_up) if p not in state.unseen or p in turned_up[:n]]
    if odd:
        raise RuleError(
            inconsistent("C2", f"{box.name(odd[0])} can't be turned up: not in the deck, or twice", "Look again.")
        )
    if turned_up[-1] not in box.symbols or not box.specials.issuperset(turned_up[:-1]):
        reason = "cards are turned up until the first symbol, so only the last one is a symbol"
        raise RuleError(inconsistent(PREPARATION, reason, "Name the specials first, then the symbol."))
    if len(turned_up) > state.deck:
        raise RuleError(
            inconsistent(PREPARATION, f"the deck has only {cards(state.deck)} to turn up", "Name fewer specials.")
        )
    return replace(
        state,
        deck=state.deck - len(turned_up),
        unseen=state.unseen.difference(turned_up),
        discard=turned_up[-1:],
        used=turned_up[:-1],
        phase="turn" if state.phase == "turn-up" else state.phase,
    )


def judge_goal(box: Box, state: State, action: DrawGoal) -> Verdict:
    """Each player draws a collection card and puts it in front of him/her on the table."""
    if state.phase != "goals" or action.seat:
        return out_of_turn(box, state, action)
    if action.player not in state.seats:
        return inconsistent("C3", f"there is no seat {action.player}", f"Name 1 to {len(state.players)}.")
    goal = state.players[action.player - 1].goal
    if goal not in (NO_GOAL, UNREAD_GOAL):
        reason = f"{at(action.player)} already has {box.name(goal)}, and each player draws one"
        return illegal(PREPARATION, reason, "Put the other collection card back.")
    return LEGAL


def free_goals(box: Box, state: State) -> frozenset[Piece]:
    """Return the collection cards that nobody has."""
    return frozenset(box.goals).difference(player.goal for player in state.players)


def play_goal(box: Box, state: State, action: DrawGoal, facts: Facts) -> State:
    """A goal that has not been read yet stays due."""
    piece = came_up(box.name, f"goal.{action.player}", facts, free_goals(box, state))
    goal = UNREAD_GOAL if isinstance(piece, Unknown) else piece
    players = with_player(state.players, action.player, replace(state.players[action.player - 1], goal=goal))
    return begin(replace(state, players=players))


def begin(state: State) -> State:
    """Go on to the next part of the preparation, or to the first turn, once this one is complete."""
    if state.phase == "goals" and not any(player.goal in (NO_GOAL, UNREAD_GOAL) for player in state.players):
        return replace(state, phase="turn" if state.discard else "turn-up")
    return state


def judge_turn_up(box: Box, state: State, action: TurnUp) -> Verdict:
    """Uncover the first card from the deck, until it is a symbol; by F10 again when nobody has done anything."""
    return LEGAL if state.phase == "turn-up" and not action.seat else out_of_turn(box, state, action)


def play_turn_up(box: Box, state: State, action: TurnUp, facts: Facts) -> State:
    """A symbol forms (or tops) the discard pile; a special goes to the used ones, and the next card is due.

    A card that has not been read yet stays due; when it is read, no other is taken from the deck.
    """
    piece = came_up(box.name, "discard", facts, state.unseen)
    deck = state.deck if state.unread else state.deck - 1
    if isinstance(piece, Unknown):
        return replace(state, deck=deck, unread=True)
    return turned_up(box, replace(state, deck=deck, unseen=state.unseen - {piece}, unread=False), piece)


def turned_up(box: Box, state: State, piece: Piece) -> State:
    """Put a card that was turned up on its pile. After a symbol the count of F10 starts again and play goes on."""
    if piece in box.symbols:
        return replace(state, discard=(*state.discard, piece), phase="turn", idle=0)
    state = replace(state, used=(*state.used, piece))
    return state if state.deck else nobody_moves(state)


# ------------------------------------------------------------------- 4. Gameplay: add a card to your collection


def judge_add(box: Box, state: State, action: Add) -> Verdict:
    """You can add one card that your collection card shows and that you have not collected yet (F3)."""
    if action.seat != state.turn or state.phase not in LAYING:
        return out_of_turn(box, state, action)
    absent = not_in_hand(box, state, action.seat, action.card, state.players[action.seat - 1].collected)
    if absent is not None:
        return absent
    belongs = wanted(box, state.players[action.seat - 1])
    return LEGAL if action.card in belongs.pieces else does_not_belong(box, state, action.seat, str(action.card))


def play_add(box: Box, state: State, action: Add, facts: Facts) -> State:
    """Place it in front of you; the fifth wins at once (F7)."""
    seat, card = action.seat, str(action.card)
    player = state.players[seat - 1]
    hand, unseen = laid(player.hand, state.unseen, card)
    player = Player(player.goal, (*player.collected, card), hand, player.passes)
    players = with_player(state.players, seat, player)
    if not wanted(box, player).pieces:
        return won(replace(state, players=players, unseen=unseen), seat)
    return next_turn(state, players, unseen, state.discard, state.used)


# ------------------------------------------------------------------------------ 4. Gameplay: discard a symbol card


def judge_discard(box: Box, state: State, action: Discard) -> Verdict:
    """You can discard a card that has the same symbol or color as the first card in the pile."""
    if action.seat != state.turn or state.phase not in LAYING:
        return out_of_turn(box, state, action)
    absent = not_in_hand(box, state, action.seat, action.card, state.discard)
    if absent is not None:
        return absent
    top = state.discard[-1]
    match = box.matching[top]
    if action.card in match.pieces:
        return LEGAL
    remedy = f"Take it back; {match.words} would do."
    name = box.name(action.card)
    if action.card in box.specials:
        return illegal(GAMEPLAY, f"{name} is not a symbol, and only symbols are discarded", remedy)
    reason = f"{name} matches neither the colour nor the figure of the top card, {box.name(top)}"
    return illegal(GAMEPLAY, reason, remedy)


def play_discard(box: Box, state: State, action: Discard, facts: Facts) -> State:
    """It lies on top of the discard pile."""
    card = str(action.card)
    hand, unseen = laid(state.players[action.seat - 1].hand, state.unseen, card)
    players = with_hand(state.players, action.seat, hand)
    return next_turn(state, players, unseen, (*state.discard, card), state.used)


# ------------------------------------------------------------------------ 4. Gameplay: pick a new card from the deck


def judge_draw(box: Box, state: State, action: Draw) -> Verdict:
    """Pick a new card from the deck; you can have max. 7 cards, with two players 9 or 7 (F4)."""
    if action.seat != state.turn or state.phase != "turn":
        return out_of_turn(box, state, action)
    size, no_pass = state.players[action.seat - 1].hand.size, passes_left(box, state, action.seat) == 0
    if size >= state.limit:
        reason = f"{at(action.seat)} holds {cards(size)}, and {state.limit} are the limit"
        if no_pass:
            remedy = "Put the card back on the deck; add, discard or use one; if none can be done, say so."
            return illegal("F4", reason, remedy)
        return illegal("F4", reason, "Put the card back on the deck; add, discard or use one, or do nothing.")
    if not drawable(state):
        reason = "no card is left to draw, in the deck or under the top of the discard pile"
        if no_pass:
            return illegal("F4", reason, "Add, discard or use a card; if none can be done, say so.")
        return illegal("F4", reason, "Add, discard or use a card, or do nothing.")
    return LEGAL


def play_draw(box: Box, state: State, action: Draw, facts: Facts) -> State:
    """The deck is renewed if it is empty; then the drawn card may follow, or is kept."""
    return replace(draw(state, state.players[action.seat - 1].hand, 1), phase="drawn", idle=0)


def judge_keep(box: Box, state: State, action: Keep) -> Verdict:
    """You don't have to throw away, place or use the new card."""
    legal = action.seat == state.turn and state.phase == "drawn"
    return LEGAL if legal else out_of_turn(box, state, action)


def play_keep(box: Box, state: State, action: Keep, facts: Facts) -> State:
    """The turn is over."""
    return next_turn(state, state.players, state.unseen, state.discard, state.used)


# -------------------------------------------------------------------------------- 4. Gameplay: not making a movement


def judge_nothing(box: Box, state: State, action: Nothing) -> Verdict:
    """You don't have to make any movement even if it is possible; with two players only 3 times a game (F8)."""
    if action.seat != state.turn or state.phase != "turn":
        return out_of_turn(box, state, action)
    left = passes_left(box, state, action.seat)
    if left is None or left > 0:
        return LEGAL
    reason = f"{at(action.seat)} has made no move {box.two_player_passes} times, and with two players that is all"
    return illegal("F8", reason, "Add, discard, use a special card or draw; if none can be done, say so.")


def play_nothing(box: Box, state: State, action: Nothing, facts: Facts) -> State:
    """When every seat in a row has done nothing, cards are turned up (F10); that does not renew the deck."""
    players, idle = state.players, state.idle + 1
    if len(players) == 2:
        player = players[action.seat - 1]
        player = Player(player.goal, player.collected, player.hand, player.passes + 1)
        players = with_player(players, action.seat, player)
    state = replace(state, players=players, turn=neighbour(state, state.direction), idle=idle)
    if idle < len(players):
        return state
    return replace(state, phase="turn-up") if state.deck else nobody_moves(state)


# ------------------------------------------------------------------------------------------------- 2-player gameplay


def judge_stuck(box: Box, state: State, action: Stuck) -> Verdict:
    """The player who will not have the opportunity to make a move loses, once the passes are used up (F8).

    A claim that no hand could bear out is inconsistent (C9).
    """
    if action.seat != state.turn or state.phase != "turn":
        return out_of_turn(box, state, action)
    left = passes_left(box, state, action.seat)
    if left is None:
        return illegal("F8", "only with two players the one who can't move loses", "Do nothing instead.")
    if left > 0:
        reason = f"{at(action.seat)} may still make no move ({left} of {box.two_player_passes} left)"
        return illegal("F8", reason, "Do nothing instead.")
    hand = state.players[action.seat - 1].hand
    if hand.size < state.limit and drawable(state):
        return inconsistent(
            "C9", f"{at(action.seat)} can draw a card, so there is a legal move", "Draw, or lay a card."
        )
    fit = playable(box, state)
    known = hand.known & fit
    if known:
        reason = f"{at(action.seat)} is known to hold {box.name(min(known))}, which can be played"
        return inconsistent("C9", reason, "Play it, or another one.")
    if least_worth(hand, state.unseen, lambda card: card in fit):
        dead = len(state.unseen - fit)
        reason = f"of the cards that {at(action.seat)} may hold only {dead} can't be played, and the hand is larger"
        return inconsistent("C9", reason, "Play one of the others.")
    return LEGAL


def playable(box: Box, state: State) -> frozenset[Piece]:
    """Return all cards that the seat whose turn it is could add, discard or use."""
    player = state.players[state.turn - 1]
    return wanted(box, player).pieces | box.matching[state.discard[-1]].pieces | specials.usable(box, state).pieces


def play_stuck(box: Box, state: State, action: Stuck, facts: Facts) -> State:
    """The hand is laid open: if the claim is right the seat loses, else it must play one of the cards (F8)."""
    seat = action.seat
    pieces = opened_at(box, state, seat, facts)
    players = with_hand(state.players, seat, Hand(pieces, 0))
    state = replace(state, players=players, unseen=state.unseen - pieces)
    if not pieces.isdisjoint(playable(box, state)):
        return state
    other = neighbour(state, 1)
    return over(state, Outcome((other,), "stuck", "F8", f"{at(seat)} can't make a move and loses; {at(other)} wins."))
