"""What helps people in their first match of Collectible: a sentence for every step, and choices in words."""

from __future__ import annotations

from companion.games.collectible.auctions import owner_of
from companion.games.collectible.box import Box
from companion.games.collectible.moves import actors
from companion.games.collectible.steps import auction_of, may_move
from companion.games.collectible.values import AnyAction, Close, Look, Open, State, Swap
from companion.rules.cards import Piece
from companion.rules.kernel import Seat, at

DUE = {
    "collect": "First get a card: draw one from the talent pile, or bid for a card in somebody else's auction.",
    "bidding": "Offer more coins than the last bid, or pass for good: the highest bid gets the card and pays whose "
    "auction it was in.",
    "choose": "Your character leaves you a choice: tap whom, or which card, it is about.",
    "roll": "Roll two dice: the character goes into the talent pile, under as many cards as they show.",
}
TABLE_WORDS = {
    "deal": "Cards are turned up into the auctions before play begins.",
    "fill": "A card is turned up into the phantom auctioneer's auction.",
    "show": "Everybody lays the gallery open: cards of one theme count, added up.",
}
WAITING = "While you wait: your gallery stays secret, and cards in it that share a theme make a collection."


def coach(box: Box, state: State, seat: Seat) -> str:
    """Say what this step is about, to a seat."""
    if state.phase in TABLE_WORDS:
        return TABLE_WORDS[state.phase]
    if seat not in actors(state):
        return WAITING
    if state.phase == "send" or may_move(state):
        if state.step == "discarding":
            return "You have moved your cards: now discard what is too many in your gallery or your auction."
        most, up = box.gallery_limit, box.auction_limit
        return (
            f"Now move cards between gallery and auction if you like: at most {most} may stay in your gallery, and "
            f"{up} in your auction."
        )
    if state.phase == "reveal":
        return f"Reveal if {box.collection} of your cards share a theme, and the match ends; else pass the turn on."
    return DUE[state.phase]


def label(box: Box, state: State, action: AnyAction) -> str:
    """Tell an action from the others of its kind."""
    match action:
        case Swap(partner=partner) | Look(partner=partner):
            return at(partner)
        case Open(card=card) | Close(card=card):
            owner = owner_of(state, card)
            return "" if owner is None else f"in {auction_of(owner)}"
    return ""


def holds(box: Box) -> frozenset[Piece]:
    """Name the cards that a gallery may hold."""
    return box.all
