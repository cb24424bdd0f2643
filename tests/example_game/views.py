"""What can be seen of a match of Sevens: what lies where, standings, and what pages show."""

from __future__ import annotations

from companion.rules.cards import Piece
from companion.rules.kernel import Part, Seat, SeatStanding, Shelf, Standing, View, at
from companion.rules.layout import Layout, Loose
from tests.example_game.rules import Components, State


def rows(components: Components, state: State) -> dict[str, frozenset[Piece]]:
    """Return the cards of each row."""
    return {
        suit: frozenset(piece for piece in state.laid if components.place[piece][0] == suit)
        for suit in components.suits
    }


def layout(components: Components, state: State) -> Layout:
    """Say what should lie where."""
    return Layout({suit: Loose(pieces) for suit, pieces in rows(components, state).items()})


def dealt(components: Components, seats: int) -> tuple[int, ...]:
    """Return how many cards each seat gets."""
    return tuple((len(components.place) - seat) // seats + 1 for seat in range(1, seats + 1))


def standing(components: Components, state: State) -> Standing:
    """Count the cards that are gone."""
    counts = enumerate(zip(dealt(components, len(state.hands)), state.hands, strict=True), 1)
    seats = tuple(SeatStanding(seat, first - now, words=f"{now} cards in hand") for seat, (first, now) in counts)
    return Standing(seats, state.outcome)


def whose_turn(state: State) -> str:
    """Say what is due."""
    return f"It is the turn of {at(state.turn)}."


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what everybody may see; what a seat may do is added from its actions."""
    shelves = tuple(Shelf(suit.title(), tuple(sorted(pieces))) for suit, pieces in rows(components, state).items())
    numbers = tuple(
        Part(f"hand of {at(owner)}", count, owner, what="hand", thing="hand")
        for owner, count in enumerate(state.hands, 1)
    )
    if state.outcome:
        return View(seat, state.outcome.words, (), shelves=shelves, numbers=numbers)
    return View(seat, whose_turn(state), (state.turn,), shelves=shelves, numbers=numbers)
