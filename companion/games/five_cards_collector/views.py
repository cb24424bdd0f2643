"""What can be seen of a match: the layout of the table, standings, and every seat's view."""

from __future__ import annotations

from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.state import NO_GOAL, UNREAD_GOAL, State
from companion.games.five_cards_collector.steps import actors, neighbour, passes_left, waiting
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Holding, Part, Seat, SeatStanding, Shelf, Standing, View, at
from companion.rules.layout import (
    Area,
    Back,
    Empty,
    Exactly,
    Expect,
    Layout,
    Loose,
    Pile,
    Slots,
    UnknownFace,
    Zone,
    open_pile,
)
from companion.rules.wording import cards
from companion.text import t

EMPTY, BACK, UNREAD = Empty(), Back(), UnknownFace()


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where; a hand laid open (F8) goes back to its owner, after the match it may lie.

    A special in use lies on the used pile at once, though by F4 it belongs there only afterwards.
    """
    used = (*state.used, state.in_use) if state.in_use else state.used
    zones: dict[Zone, Area] = {
        "deck": Pile(BACK if state.deck else EMPTY),
        "discard": Pile(UNREAD, frozenset(state.discard)) if state.unread else open_pile(state.discard),
        "used": open_pile(used),
    }
    for seat, player in enumerate(state.players, 1):
        zones[f"goal.{seat}"] = Slots((_goal(player.goal),))
        zones[f"collection.{seat}"] = Loose(frozenset(player.collected))
    if len(state.players) == 2:
        for seat in state.seats:
            zones[f"open.{seat}"] = _open(state, seat)
    return Layout(zones)


def _goal(goal: Piece) -> Expect:
    if goal in (NO_GOAL, UNREAD_GOAL):
        return UNREAD if goal else EMPTY
    return Exactly(goal)


def _open(state: State, seat: Seat) -> Loose:
    lost = state.outcome is not None and state.outcome.ending == "stuck" and seat not in state.outcome.winners
    return Loose(state.players[seat - 1].hand.known) if lost else Loose()


def standing(components: Components, state: State) -> Standing:
    """Return the number of cards that each seat has collected; five win."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        count, missing = len(player.collected), components.missing(player.goal, player.collected)
        words = (
            t("still missing: {missing}", missing=components.names(missing))
            if missing
            else t("complete")
            if count
            else ""
        )
        seats.append(SeatStanding(seat, count, (Part(t("collected"), count),), words))
    goal = max((len(shown) for shown in components.shows.values()), default=None)
    return Standing(tuple(seats), state.outcome, goal)


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat may see and do. The table knows no hands, so nothing in here is secret (C1)."""
    own = (seat,) if seat in state.seats else ()
    others = tuple(other for other in state.seats if other != seat)
    shelves = [_collection(components, state, who, seat) for who in own + others]
    shelves += [
        Shelf(
            t("Known in your hand") if who == seat else t("Known in the hand of {who}", who=at(who)),
            tuple(sorted(known)),
            seat=who,
            known=True,
        )
        for who in own + others
        if (known := state.players[who - 1].hand.known)
    ]
    if state.discard:
        top = state.discard[-1]
        shelves.append(
            Shelf(
                t("Discard pile"),
                (top,),
                words=t("{cards}, on top {top}", cards=cards(len(state.discard)), top=components.name(top)),
            )
        )
    return View(
        seat,
        headline(components, state, seat),
        actors(state),
        shelves=tuple(shelves),
        numbers=_numbers(components, state, seat),
        holdings=tuple(_holding(components, state, who) for who in others if seat == TABLE),
    )


def _holding(components: Components, state: State, who: Seat) -> Holding:
    player = state.players[who - 1]
    return Holding(who, (player.collected,), components.missing(player.goal, player.collected))


def headline(components: Components, state: State, seat: Seat) -> str:
    """Return one sentence that describes what is going on."""
    if state.outcome is not None:
        return state.outcome.words
    if state.phase != "turn":
        return waiting(components, state)
    if seat == state.turn:
        return t("It is your turn; tell the others when it is over.")
    if state.direction != 1:
        turn, then = at(state.turn), at(neighbour(state, state.direction))
        return t("It is the turn of {turn}; play goes counterclockwise, {then} is next.", turn=turn, then=then)
    return t("It is the turn of {turn}.", turn=at(state.turn))


def _collection(components: Components, state: State, who: Seat, seat: Seat) -> Shelf:
    player = state.players[who - 1]
    title = t("Your collection") if who == seat else t("Collection of {who}", who=at(who))
    words = components.card[player.goal].title if player.goal in components.card else t("no collection card yet")
    return Shelf(title, player.collected, components.missing(player.goal, player.collected), words, who)


def _numbers(components: Components, state: State, seat: Seat) -> tuple[Part, ...]:
    numbers = [
        Part(t("deck"), state.deck, thing="deck"),
        Part(t("discard pile"), len(state.discard)),
        Part(t("used specials"), len(state.used)),
    ]
    if seat in state.seats:
        numbers.insert(0, Part(t("cards in your hand"), state.players[seat - 1].hand.size, seat, thing="hand"))
        numbers.insert(1, Part(t("hand limit"), state.limit, seat))
    for who in state.seats:
        if who != seat:
            name = t("hand of {who}", who=at(who))
            numbers.append(Part(name, state.players[who - 1].hand.size, who, what=t("hand"), thing="hand"))
    for who in state.seats:
        left = passes_left(components, state, who)
        if left is not None:
            name = t("passes left") if who == seat else t("passes left of {who}", who=at(who))
            numbers.append(Part(name, left, who, what=t("passes left")))
    return tuple(numbers)
