"""The talent pile of Collectible: what comes off it, what is rolled under it, what renews it (A6, A10)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.places import with_gallery
from companion.games.collectible.state import Gallery, State, Under
from companion.rules.cards import Piece
from companion.rules.kernel import Seat


def drawable(state: State) -> bool:
    """Return whether there is a card to draw, from the talent pile or after shuffling the discards (A10)."""
    return bool(state.deck or state.discard or state.traded)


def shuffled(state: State) -> State:
    """Shuffle the discards into a new talent pile if it is empty and a card is due (A10)."""
    if state.deck or not drawable(state):
        return state
    pile = state.discard + state.traded
    return replace(state, deck=len(pile), unseen=state.unseen.union(pile), discard=(), traded=())


def can_come_up(state: State) -> frozenset[Piece]:
    """Return the cards that can be the top one of the talent pile, after a shuffle if that is due."""
    state = shuffled(state)
    if state.under and state.under[0].depth == 0:
        return frozenset((state.under[0].piece,))
    return state.unseen


def lift(state: State) -> State:
    """Take the top card off the talent pile, which is not empty; it is in `unseen` then."""
    top = state.under[0] if state.under and state.under[0].depth == 0 else None
    under = state.under[1:] if top else state.under
    return replace(
        state,
        deck=state.deck - 1,
        under=tuple(Under(tucked.piece, tucked.depth - 1) for tucked in under) if under else (),
        unseen=state.unseen | {top.piece} if top else state.unseen,
    )


def draw(state: State, seat: Seat, count: int) -> State:
    """Draw up to `count` cards of the talent pile into a gallery; what can't be drawn is not (A10)."""
    for _ in range(count):
        state = shuffled(state)
        if not state.deck:
            break
        gallery = state.players[seat - 1].gallery
        state = with_gallery(lift(state), seat, Gallery(gallery.known, gallery.unknown + 1))
    return state


def tuck(state: State, piece: Piece, depth: int) -> State:
    """Put a character under so many cards of the talent pile; at the bottom if there are fewer (A6)."""
    depth = min(depth, state.deck)
    below = (Under(tucked.piece, tucked.depth + (tucked.depth >= depth)) for tucked in state.under)
    under = tuple(sorted((*below, Under(piece, depth)), key=lambda tucked: tucked.depth))
    return replace(state, deck=state.deck + 1, under=under)
