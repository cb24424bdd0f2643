"""Where the cards and coins of Collectible are: galleries, auctions, and what everybody knows of them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.components import Components
from companion.games.collectible.state import PHANTOM, Closed, Gallery, Player, State
from companion.rules.cards import Piece
from companion.rules.hands import held, laid
from companion.rules.kernel import Hole, Seat, Verdict, at, inconsistent
from companion.rules.wording import cards
from companion.text import t


def auction_of(seat: Seat) -> str:
    """Return the name of an auction."""
    return t("the phantom auction") if seat == PHANTOM else t("the auction of {seat}", seat=at(seat))


def auctioneer_of(state: State, card: object) -> Seat | None:
    """Return the seat of the auction that a card lies in; None if it lies in none."""
    if card in state.phantom:
        return PHANTOM
    for seat, player in enumerate(state.players, 1):
        if card in player.auction:
            return seat
    return None


def whose_auction(state: State, card: Piece) -> str:
    """Return whose auction a card lies in; "" if it lies in none."""
    owner = auctioneer_of(state, card)
    return "" if owner is None else at(owner) if owner else auction_of(owner)


def whereabouts(components: Components, state: State, card: object) -> str:
    """Describe where a card is, as far as everybody knows."""
    for seat, player in enumerate(state.players, 1):
        if card in player.auction:
            return t("it lies in {auction_of}", auction_of=auction_of(seat))
        if card in player.gallery.known:
            return t("it is known to be in the gallery of {seat}", seat=at(seat))
    if card in state.phantom:
        return t("it lies in {auction_of}", auction_of=auction_of(PHANTOM))
    if state.block is not None and card == state.block.card:
        return t("it lies on the block")
    if card in state.discard or card in state.traded:
        return t("it has been discarded")
    if card in state.waiting_characters:
        return t("it waits for the dice")
    for tucked in state.under:
        if card == tucked.piece:
            return t("it is in the talent pile, under {cards}", cards=cards(tucked.depth))
    if card in state.unseen:
        return t("all the cards there are known")
    return t("it is not one of the cards that are in play")


def not_held(components: Components, state: State, seat: Seat, card: object) -> Verdict | None:
    """Return why a card can't come out of a gallery: neither known there nor unseen (C2); None if it can."""
    gallery = state.players[seat - 1].gallery
    if card in gallery.known or (gallery.unknown and card in state.unseen):
        return None
    reason = t(
        "{card} can't be in the gallery of {seat}: {whereabouts}",
        card=components.name(card),
        seat=at(seat),
        whereabouts=whereabouts(components, state, card),
    )
    return inconsistent("C2", reason, t("Look again which card it is; if the table is right, the host corrects it."))


GALLERY_CARD = t("a card of the gallery")


def gallery_hole(state: State, seat: Seat) -> tuple[Hole, ...]:
    """Return the hole for any card of a gallery, if there is one."""
    gallery = state.players[seat - 1].gallery
    return (Hole(seat, held(gallery, state.unseen), GALLERY_CARD),) if gallery.unknown or gallery.known else ()


def card_words(components: Components, card: Piece | Hole) -> str:
    """Return a card's name, or the words for what may fill its hole."""
    return card.words if isinstance(card, Hole) else components.name(card)


def take_out(state: State, seat: Seat, card: Piece) -> State:
    """Take a card out of a gallery; nobody has it then."""
    gallery, unseen = laid(state.players[seat - 1].gallery, state.unseen, card)
    return replace(with_gallery(state, seat, gallery), unseen=unseen)


def put_in(state: State, seat: Seat, card: Piece) -> State:
    """Put a card that everybody sees into a gallery."""
    gallery = state.players[seat - 1].gallery
    return with_gallery(state, seat, Gallery(gallery.known | {card}, gallery.unknown))


def put_away(state: State, seat: Seat, card: Piece) -> State:
    """Take a card out of a seat's auction or gallery; nobody has it then."""
    row = state.players[seat - 1].auction
    return with_auction(state, seat, row - {card}) if card in row else take_out(state, seat, card)


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Return the state with the player at a seat replaced."""
    return replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))


def with_gallery(state: State, seat: Seat, gallery: Gallery) -> State:
    """Return the state with the gallery at a seat replaced."""
    old = state.players[seat - 1]
    return with_player(state, seat, Player(gallery, old.auction, old.coins, old.rebates, old.shown))


def auction_row(state: State, seat: Seat) -> frozenset[Piece]:
    """Return the cards in an auction."""
    return state.phantom if seat == PHANTOM else state.players[seat - 1].auction


def with_auction(state: State, seat: Seat, auction: frozenset[Piece]) -> State:
    """Return the state with a seat's auction row replaced; a card that leaves it is closed no longer (A7)."""
    closed = opened(state.closed, auction ^ auction_row(state, seat))
    if seat == PHANTOM:
        return replace(state, phantom=auction, closed=closed)
    old = state.players[seat - 1]
    state = with_player(state, seat, Player(old.gallery, auction, old.coins, old.rebates, old.shown))
    return replace(state, closed=closed) if closed != state.closed else state


def opened(closed: tuple[Closed, ...], pieces: frozenset[Piece]) -> tuple[Closed, ...]:
    """Return the closed cards without these."""
    return tuple(shut for shut in closed if shut.piece not in pieces) if closed else closed


def with_coins(state: State, seat: Seat, change: int) -> State:
    """Change the number of coins that a seat or the phantom auctioneer has."""
    if seat == PHANTOM:
        return replace(state, phantom_coins=state.phantom_coins + change)
    old = state.players[seat - 1]
    return with_player(state, seat, Player(old.gallery, old.auction, old.coins + change, old.rebates, old.shown))


def out_of_supply(state: State, seat: Seat, amount: int) -> State:
    """Pay a seat coins out of the supply, which is endless (A7)."""
    return replace(with_coins(state, seat, amount), granted=state.granted + amount)
