"""What can be seen of a match: the layout of the table, standings, every seat's view, and each action in words."""

from __future__ import annotations

from companion.games.five_cards_collector import moves, rulebook
from companion.games.five_cards_collector.box import Box
from companion.games.five_cards_collector.steps import GAMEPLAY, out_of_turn, passes_left, waiting, wanted
from companion.games.five_cards_collector.values import (
    NO_GOAL,
    UNREAD_GOAL,
    Add,
    AnyAction,
    Discard,
    Draw,
    DrawGoal,
    Keep,
    Nothing,
    Retrieve,
    State,
    Stuck,
    Take,
    TakeOver,
    TurnUp,
    Use,
)
from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    ActionKind,
    Facts,
    Hole,
    May,
    Opened,
    Part,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Verdict,
    View,
    at,
    fact_at,
    illegal,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Expect, Layout, Loose, Pile, Slots, UnknownFace, Zone
from companion.rules.shown import told
from companion.rules.wording import any_of, cards

EMPTY, BACK, UNREAD = Empty(), Back(), UnknownFace()


def layout(state: State) -> Layout:
    """Say what should lie where.

    A special in use lies on the used pile from the moment it is laid, though by F4 it belongs there only afterwards.
    A hand laid open (F8) goes back to its owner; after the match it may lie.
    """
    used = (*state.used, state.in_use) if state.in_use else state.used
    zones: dict[Zone, Area] = {
        "deck": Pile(BACK if state.deck else EMPTY),
        "discard": Pile(UNREAD, frozenset(state.discard)) if state.unread else _pile(state.discard),
        "used": _pile(used),
    }
    for seat, player in enumerate(state.players, 1):
        zones[f"goal.{seat}"] = Slots((_goal(player.goal),))
        zones[f"collection.{seat}"] = Loose(frozenset(player.collected))
    if len(state.players) == 2:
        for seat in state.seats:
            zones[f"open.{seat}"] = _open(state, seat)
    return Layout(zones)


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else Pile(EMPTY)


def _goal(goal: Piece) -> Expect:
    if goal in (NO_GOAL, UNREAD_GOAL):
        return UNREAD if goal else EMPTY
    return Exactly(goal)


def _open(state: State, seat: Seat) -> Loose:
    lost = state.outcome is not None and state.outcome.ending == "stuck" and seat not in state.outcome.winners
    return Loose(state.players[seat - 1].hand.known) if lost else Loose()


def standing(box: Box, state: State) -> Standing:
    """Count collected cards; five win."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        count, missing = len(player.collected), box.missing(player.goal, player.collected)
        words = f"still missing: {box.names(missing)}" if missing else "complete" if count else ""
        seats.append(SeatStanding(seat, count, (Part("collected", count),), words))
    goal = max((len(shown) for shown in box.shows.values()), default=None)
    return Standing(tuple(seats), state.outcome, goal)


# ------------------------------------------------------------------------------------------------------------ views


def view(box: Box, state: State, seat: Seat, kinds: tuple[ActionKind, ...]) -> View:
    """Return what a seat may see and do. The table knows no hands, so nothing in here is secret (C1)."""
    waiting_for = actors(state)
    own = (seat,) if seat in state.seats else ()
    others = tuple(other for other in state.seats if other != seat)
    shelves = [_collection(box, state, who, seat) for who in own + others]
    shelves += [
        Shelf("Known in your hand" if who == seat else f"Known in the hand of {at(who)}", tuple(sorted(known)))
        for who in own + others
        if (known := state.players[who - 1].hand.known)
    ]
    if state.discard:
        top = state.discard[-1]
        shelves.append(Shelf("Discard pile", (top,), words=f"{cards(len(state.discard))}, on top {box.name(top)}"))
    legal = moves.legal(box, state)
    other = ("goal", "turn-up") if len(state.players) == 2 else ("goal", "turn-up", "stuck")
    may = tuple(_may(box, state, seat, kind, legal) for kind in kinds if own and kind.type not in other)
    return View(seat, headline(box, state, seat), waiting_for, may, tuple(shelves), _numbers(box, state, seat))


def actors(state: State) -> tuple[Seat, ...]:
    """List who is due."""
    if state.phase == "over":
        return ()
    return (TABLE,) if state.phase in ("goals", "turn-up") else (state.turn,)


def headline(box: Box, state: State, seat: Seat) -> str:
    """Say what is going on in one sentence."""
    if state.outcome is not None:
        return state.outcome.words
    if actors(state) == (TABLE,):
        return out_of_turn(box, state, Keep(seat=state.turn)).remedy
    if state.phase != "turn":
        return waiting(box, state)
    if seat == state.turn:
        return "It is your turn; tell the others when it is over."
    return f"It is the turn of {at(state.turn)}."


def _collection(box: Box, state: State, who: Seat, seat: Seat) -> Shelf:
    player = state.players[who - 1]
    title = "Your collection" if who == seat else f"Collection of {at(who)}"
    words = box.card[player.goal].title if player.goal in box.card else "no collection card yet"
    return Shelf(title, player.collected, box.missing(player.goal, player.collected), words)


def _numbers(box: Box, state: State, seat: Seat) -> tuple[Part, ...]:
    numbers = [
        Part("deck", state.deck),
        Part("discard pile", len(state.discard)),
        Part("used specials", len(state.used)),
    ]
    if seat in state.seats:
        numbers.insert(0, Part("cards in your hand", state.players[seat - 1].hand.size))
        numbers.insert(1, Part("hand limit", state.limit))
    for who in state.seats:
        if who != seat:
            numbers.append(Part(f"hand of {at(who)}", state.players[who - 1].hand.size))
    for who in state.seats:
        left = passes_left(box, state, who)
        if left is not None:
            numbers.append(Part("passes left" if who == seat else f"passes left of {at(who)}", left))
    return tuple(numbers)


def _may(box: Box, state: State, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> May:
    tag = kind.type
    actions = tuple(action for action in legal if action.seat == seat and type(action) is moves.TYPES[tag])
    if not actions:
        return May(tag, kind.words, why_not(box, state, seat, tag))
    hole = getattr(actions[0], "card", None)
    # "Use a special card" says already that any special card will do.
    narrower = hole.words if isinstance(hole, Hole) and hole.words not in kind.words else ""
    words = f"{kind.words}: {narrower}" if narrower else kind.words
    return May(tag, words, LEGAL, actions)


def why_not(box: Box, state: State, seat: Seat, tag: str) -> Verdict:
    """Say why a seat can do nothing of a kind now, whatever it holds."""
    if tag in ("add", "discard", "use"):
        if state.phase not in ("turn", "drawn") or seat != state.turn:
            return out_of_turn(box, state, Add(seat=seat, card=""))
        player = state.players[seat - 1]
        if not player.hand.size:
            if passes_left(box, state, seat) == 0:
                return illegal(GAMEPLAY, "the hand is empty", "Draw a card; if that can't be done, say so.")
            return illegal(GAMEPLAY, "the hand is empty", "Draw a card, or do nothing.")
        which = {
            "add": wanted(box, player).words,
            "discard": box.matching[state.discard[-1]].words,
            "use": "a special card with a possible target",
        }[tag]
        where = "be the card just drawn" if state.phase == "drawn" else f"be in the hand of {at(seat)}"
        return illegal("C2", f"only {which} would do, and that can't {where}", waiting(box, state))
    samples: dict[str, AnyAction] = {
        "take": Take(seat=seat, victim=seat),
        "retrieve": Retrieve(seat=seat, card=""),
        "take-over": TakeOver(seat=seat, card="", from_seat=seat, to="own"),
        "draw": Draw(seat=seat),
        "keep": Keep(seat=seat),
        "nothing": Nothing(seat=seat),
        "stuck": Stuck(seat=seat),
    }
    action = samples[tag]
    return moves.RULES[type(action)][0](box, state, action)


# ------------------------------------------------------------------------------------------------------------ words


def tell(box: Box, state: State, action: AnyAction, facts: Facts = ()) -> str:
    """Say in one sentence what an action does."""
    who = at(action.seat)
    match action:
        case DrawGoal(player=player):
            return f"{at(player)} draws {told(box.name, facts, f'goal.{player}', 'a collection card')}."
        case TurnUp():
            return f"The top card of the deck is turned up: {told(box.name, facts, 'discard', 'not read yet')}."
        case Add(card=card):
            return f"{who} adds {_card(box, card)} to the collection."
        case Discard(card=card):
            return f"{who} discards {_card(box, card)}."
        case Use(card=card):
            return f"{who} uses {_card(box, card)}{_effect(box, state, card)}."
        case Take(victim=victim):
            sight = "after a look at it" if box.effect.get(state.in_use) == "view-hand" else "unseen"
            return f"{who} takes a card out of the hand of {at(victim)}, {sight}."
        case Retrieve(card=card):
            return f"{who} takes {box.name(card)} out of the discard pile."
        case TakeOver(card=card, from_seat=owner, to="own"):
            return f"{who} takes over {box.name(card)} from the collection of {at(owner)}."
        case TakeOver(card=card, from_seat=owner):
            return f"{who} discards {box.name(card)} from the collection of {at(owner)}."
        case Draw():
            return f"{who} draws a card{', after the deck is renewed' if not state.deck else ''}."
        case Keep():
            return f"{who} keeps the card just drawn."
        case Nothing():
            return f"{who} does nothing."
    return f"{who} has no legal move and lays the hand open{_opened(box, state, action, facts)}."


def _card(box: Box, card: Piece | Hole) -> str:
    return card.words if isinstance(card, Hole) else box.name(card)


def _effect(box: Box, state: State, card: Piece | Hole) -> str:
    effect = "" if isinstance(card, Hole) else box.effect.get(card, "")
    if effect == "pile-swap" and state.discard:
        return f" and takes {box.name(state.discard[-1])}"
    if effect == "change-direction":
        return f": play goes {'counterclockwise' if state.direction == 1 else 'clockwise'} now"
    return ""


def _opened(box: Box, state: State, action: Stuck, facts: Facts) -> str:
    fact = fact_at(facts, f"open.{action.seat}")
    if not isinstance(fact, Opened) or state.phase != "turn":
        return ""
    fit = rulebook.playable(box, state).intersection(fact.pieces)
    return f"; {any_of(box.name(p) for p in sorted(fit))} can be played" if fit else ""
