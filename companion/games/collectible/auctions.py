"""The auctions of Collectible ("Collect cards", the two-player game): what the shared auction leaves to a game.

The auctioneer is left out and is paid; a card is bid for on the block. Collectible A3, A4, A7, A9.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.games.collectible.box import Box, coins
from companion.games.collectible.steps import (
    COLLECT,
    auction_row,
    filled,
    out_of_supply,
    out_of_turn,
    put_in,
    waiting,
    whereabouts,
    with_auction,
    with_coins,
)
from companion.games.collectible.values import PHANTOM, Bid, Block, NoBid, Open, State
from companion.rules import auction as auctions
from companion.rules.auction import Auction, Bidder, LeftOut, Terms
from companion.rules.kernel import LEGAL, Action, Facts, RuleError, Seat, Timed, Verdict, at, illegal, inconsistent

TERMS: Final = Terms(who="A4", raising="A4", means="A4")
"""The opener opens with at least 1; bids go round in turn order, each at least 1 above the last (A4)."""


def owner_of(state: State, card: object) -> Seat | None:
    """Find the auction that a card lies in; None if it lies in none."""
    if card in state.phantom:
        return PHANTOM
    for seat, player in enumerate(state.players, 1):
        if card in player.auction:
            return seat
    return None


def judge_open(box: Box, state: State, action: Open) -> Verdict:
    """You may bid for a card in anyone else's auction, never for cards in your own, nor for a closed one (A7)."""
    if action.seat != state.turn or state.phase != "collect":
        return out_of_turn(box, state, action)
    owner = owner_of(state, action.card)
    if owner is None:
        where = whereabouts(box, state, action.card)
        return inconsistent("C2", f"{box.name(action.card)} is in no auction: {where}", "Look again which card it is.")
    if owner == action.seat:
        reason = f"{box.name(action.card)} is in the auction of {at(action.seat)}, and nobody bids for their own cards"
        return illegal(COLLECT, reason, f"Put it back. {waiting(box, state)}")
    for one in state.closed:
        if one.piece == action.card:
            reason = f"{box.name(action.card)} is closed until the next turn of {at(one.seat)}"
            return illegal("A7", reason, f"Put it back. {waiting(box, state)}")
    if not state.players[action.seat - 1].coins:
        reason = f"opening takes at least {coins(TERMS.opening)}, and {at(action.seat)} has none"
        return illegal("A4", reason, f"Put it back. {waiting(box, state)}")
    return LEGAL


def play_open(box: Box, state: State, action: Open, facts: Facts) -> State:
    """The card lies on the block; the opener opens, the auctioneer is left out."""
    owner = owner_of(state, action.card) or PHANTOM
    state = with_auction(state, owner, auction_row(state, owner) - {action.card})
    return replace(state, amid="bidding", block=Block(action.card, owner, _begin(state, action.seat, owner)))


def _begin(state: State, opener: Seat, owner: Seat) -> Auction:
    order = state.seats[opener - 1 :] + state.seats[: opener - 1]
    bidders = [
        Bidder(seat, have := state.players[seat - 1].coins, coins(have)) for seat in order if seat != owner
    ]  # fmt: skip
    left_out = (LeftOut(owner, "the card is in their own auction"),) if owner != PHANTOM else ()
    return auctions.begin(TERMS, bidders, left_out)


def judge_bid(box: Box, state: State, action: Bid) -> Verdict:
    """In turn order, other players can also bid for that same card by offering more coins than the last bid."""
    block = state.block
    if block is None or action.seat not in state.seats:
        return _no_auction(box, state, action)
    return auctions.judge_bid(TERMS, block.auction, action.seat, action.amount)


def play_bid(box: Box, state: State, action: Bid, facts: Facts) -> State:
    """It may be one that nobody can raise."""
    block = on_block(state)
    return _go_on(box, state, block, auctions.bid(TERMS, block.auction, action.seat, action.amount))


def judge_no_bid(box: Box, state: State, action: NoBid) -> Verdict:
    """Who does not raise passes, for good (A4)."""
    block = state.block
    if block is None or action.seat not in state.seats:
        return _no_auction(box, state, action)
    return auctions.judge_pass(TERMS, block.auction, action.seat)


def play_no_bid(box: Box, state: State, action: NoBid, facts: Facts) -> State:
    """It may have been the last rival."""
    block = on_block(state)
    return _go_on(box, state, block, auctions.give_up(TERMS, block.auction, action.seat))


def _no_auction(box: Box, state: State, action: Bid | NoBid) -> Verdict:
    if state.outcome is not None or action.seat not in state.seats:
        return out_of_turn(box, state, action)
    return illegal(COLLECT, "no auction is going on", waiting(box, state))


def _go_on(box: Box, state: State, block: Block, auction: Auction) -> State:
    if not auction.over:
        return replace(state, block=Block(block.card, block.owner, auction))
    return _sold(box, state, block, auction)


def _sold(box: Box, state: State, block: Block, auction: Auction) -> State:
    """The highest bidder pays their coins to the auctioneer and puts the card into their gallery.

    Of the coins paid the supply returns up to 5 for each such character that waits (A7); the phantom's gap is filled
    (A9).
    """
    winner, price = auction.winner, auction.price
    state = with_coins(with_coins(state, winner, -price), block.owner, price)
    player = state.players[winner - 1]
    if player.rebates:
        players = (*state.players[: winner - 1], replace(player, rebates=0), *state.players[winner:])
        state = out_of_supply(replace(state, players=players), winner, min(price, box.rebate * player.rebates))
    return filled(box, replace(put_in(state, winner, block.card), block=None), "send")


def timed(state: State) -> Timed | None:
    """C5: whose time runs out has passed; the opener has opened with the lowest bid."""
    block = state.block
    return None if block is None else auctions.clocked(block.auction, (lapse(block.auction, state),))


def lapse(auction: Auction, state: State) -> Action:
    """Return the action that running out of time stands for."""
    seat = auction.turn
    amount = auctions.lapse(TERMS, auction, seat)
    return Bid(seat=seat, amount=amount) if amount else NoBid(seat=seat)


def on_block(state: State) -> Block:
    """Return what is being bid for.

    Raises:
        RuleError: if no auction is going on.
    """
    if state.block is None:
        raise RuleError(illegal(COLLECT, "no auction is going on", "Open one."))
    return state.block
