"""What helps people in their first match of Collectors: a sentence for every step, and choices in words."""

from __future__ import annotations

from companion.games.collectors.box import Box
from companion.games.collectors.steps import actors
from companion.games.collectors.values import NONE, AnyAction, Offer, Place, Put, Retrieve, State
from companion.rules.cards import Piece
from companion.rules.kernel import Seat

DUE = {
    "treasure": "Hide one of your three cards face down under your treasure chest: it counts as an item at the end.",
    "turn": "A bottle is one action: put it on a free space to buy an item, get a skill, start an auction, raise a "
    "value or work.",
    "buy": "Choose an item from the item pool or your hand: it costs $1 for every market card with its symbol.",
    "skill": "Choose a skill from the skill pool or your hand: it helps you from now on, or counts at the end.",
    "gain": "Your new bottle goes to the lowest free place of your player board: one action more in each quarter.",
    "raise": "Put a card into the market: every item with that symbol costs $1 more, and is worth a point more at "
    "the end.",
    "offer": "Put a card up for auction, from the auction pool or your hand: everybody may bid for it.",
    "bid": "Bid more than the last bid, or pass and be out of this auction; who wins may pay with cards as well.",
    "pay": "Pay what you bid with coins, with cards of your hand (each is worth what its corner says), or both.",
    "put": "The card is yours: choose whether it becomes an item, a skill, a market card or a secret item.",
    "retrieve": "Take your bottles back: a bottle covers the income below it, so leave uncovered what you want to get.",
    "reveal": "Turn your secret items up: now they count like the others.",
}
TABLE_WORDS = {
    "fill": "New cards come up in the pools before play goes on.",
    "flow": "A quarter is over: cards move on from pool to pool, and some into the market.",
}
WAITING = "While you wait: at the end an item is worth a point for every market card with its symbol."
ROLES = {"item": "as an item", "skill": "as a skill", "market": "into the market", "secret": "as a secret item"}


def coach(box: Box, state: State, seat: Seat) -> str:
    """Say what this step is about, to a seat."""
    if state.phase in TABLE_WORDS:
        return TABLE_WORDS[state.phase]
    return DUE[state.phase] if seat in actors(state) else WAITING


def label(box: Box, state: State, action: AnyAction) -> str:
    """Tell an action from the others of its kind."""
    match action:
        case Place(space=space):
            words = box.space(space, state.quarter)
            return words[:1].upper() + words[1:]
        case Offer(card=card) if card == NONE:
            return "a card of your hand, face down"
        case Put(role=role):
            return ROLES[role]
        case Retrieve(position=position):
            return f"to place {position} of your board"
    return ""


def holds(box: Box) -> frozenset[Piece]:
    """Name the cards that a hand may hold."""
    return box.pieces
