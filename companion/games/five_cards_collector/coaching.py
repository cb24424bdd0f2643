"""What helps people in their first match of Five Cards Collector: a sentence for every step, and choices in words."""

from __future__ import annotations

from companion.games.five_cards_collector.box import Box
from companion.games.five_cards_collector.show import actors
from companion.games.five_cards_collector.values import AnyAction, Retrieve, State, Take, TakeOver
from companion.rules.cards import Piece
from companion.rules.kernel import Seat, at

DUE = {
    "turn": "Add a card that you collect, discard one that matches the pile in colour or figure, use a special card, or"
    " draw; all five win.",
    "drawn": "Play the card you drew if it fits, or keep it: either way your turn is over then.",
    "take": "Your special card lets you take a card out of another hand: tap whose.",
    "retrieve": "Your special card lets you take a card out of the discard pile: tap which.",
    "take-over": "Your special card lets you take a card out of a collection: into your own if you need it, or onto "
    "the discard pile.",
}
TABLE_WORDS = {
    "goals": "Everybody gets a collection card: it shows the five cards to collect.",
    "turn-up": "The top card of the deck is turned up: it begins the discard pile.",
}
WAITING = "While you wait: look which of your cards matches the discard pile in colour or figure."


def coach(box: Box, state: State, seat: Seat) -> str:
    """Say what this step is about, to a seat."""
    if state.phase in TABLE_WORDS:
        return TABLE_WORDS[state.phase]
    return DUE[state.phase] if seat in actors(state) else WAITING


def label(box: Box, state: State, action: AnyAction) -> str:
    """Tell an action from the others of its kind."""
    match action:
        case Take(victim=victim):
            return at(victim)
        case TakeOver(from_seat=owner, to="own"):
            return f"from {at(owner)}, into your collection"
        case TakeOver(from_seat=owner):
            return f"from {at(owner)}, onto the discard pile"
        case Retrieve(card=card) if card == state.discard[-1] and not box.copies[card].isdisjoint(state.discard[:-1]):
            # Which card lies on top next depends on whether it or a copy below is taken.
            return "on top"
    return ""


def holds(box: Box) -> frozenset[Piece]:
    """Name the cards that a hand may hold."""
    return box.symbols | box.specials
