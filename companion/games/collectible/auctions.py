"""The auctions of Collectible: what the shared auction leaves to a game (A3, A4, A7, A9)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.collectible import places
from companion.games.collectible.components import Components, coins
from companion.games.collectible.state import COLLECT, PHANTOM, Block, State
from companion.games.collectible.steps import CollectibleAction, waiting
from companion.games.collectible.turns import filled
from companion.rules import auction
from companion.rules.auction import Auction, Bidder, LeftOut, Terms
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, RuleError, Sale, Seat, Timed, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import all_of
from companion.text import join, sentence, t

TERMS: Final = Terms(who="A4", raising="A4", means="A4")
"""The opener opens with at least 1; bids go round in turn order, each at least 1 above the last (A4)."""


class Open(CollectibleAction, frozen=True, tag="open", kw_only=True):
    """Open a bid for a card in anyone else's auction."""

    declared = Declared(t("Open a bid for a card of another auction"), "A", "Collect cards; A3, A4", ("collect",))
    card: Piece

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if state.players[seat - 1].coins:
            return illegal("A3", t("no card in another auction can be bid for"), waiting(components, state))
        return illegal("A4", _no_coins(seat), waiting(components, state))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Open]:
        if not state.players[state.turn - 1].coins:
            return
        closed = state.closed_cards
        for owner in (PHANTOM, *state.seats):
            if owner != state.turn:
                for card in sorted(places.auction_row(state, owner) - closed):
                    yield cls(seat=state.turn, card=card)

    def judge(self, components: Components, state: State) -> Verdict:
        """You may bid for a card in anyone else's auction, never for cards in your own, nor for a closed one (A7)."""
        owner = places.auctioneer_of(state, self.card)
        if owner is None:
            where = places.whereabouts(components, state, self.card)
            reason = t("{card} is in no auction: {where}", card=components.name(self.card), where=where)
            return inconsistent("C2", reason, t("Look again which card it is."))
        if owner == self.seat:
            card = components.name(self.card)
            reason = t(
                "{card} is in the auction of {seat}, and nobody bids for their own cards", card=card, seat=at(self.seat)
            )
            return illegal(COLLECT, reason, t("Put it back. {waiting}", waiting=waiting(components, state)))
        for shut in state.closed:
            if shut.piece == self.card:
                reason = t(
                    "{card} is closed until the next turn of {seat}",
                    card=components.name(self.card),
                    seat=at(shut.seat),
                )
                return illegal("A7", reason, t("Put it back. {waiting}", waiting=waiting(components, state)))
        if not state.players[self.seat - 1].coins:
            return illegal("A4", _no_coins(self.seat), t("Put it back. {waiting}", waiting=waiting(components, state)))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The card lies on the block; the opener opens, the auctioneer is left out."""
        owner = places.auctioneer_of(state, self.card) or PHANTOM
        state = places.with_auction(state, owner, places.auction_row(state, owner) - {self.card})
        return replace(state, amid="bidding", block=Block(self.card, owner, _begin(state, self.seat, owner)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        owner = places.auctioneer_of(state, self.card)
        seat, card = at(self.seat), components.name(self.card)
        if owner is None:
            return t("{seat} opens a bid for {card}.", seat=seat, card=card)
        return t("{seat} opens a bid for {card} of {auction}.", seat=seat, card=card, auction=places.auction_of(owner))

    def label(self, components: Components, state: State) -> str:
        return places.whose_auction(state, self.card)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Open]:
        return [cls(seat=state.turn, card=piece)] if zone == "block" else ()


def _no_coins(seat: Seat) -> str:
    return t("opening takes at least {coins}, and {seat} has none", coins=coins(TERMS.opening), seat=at(seat))


def _begin(state: State, opener: Seat, owner: Seat) -> Auction:
    order = state.seats[opener - 1 :] + state.seats[: opener - 1]
    means = {seat: state.players[seat - 1].coins for seat in order if seat != owner}
    bidders = [Bidder(seat, have, coins(have)) for seat, have in means.items()]
    left_out = (LeftOut(owner, t("the card is in their own auction")),) if owner != PHANTOM else ()
    return auction.begin(TERMS, bidders, left_out)


class Bidding(CollectibleAction, frozen=True, kw_only=True):
    """What a bidder does; the auction itself explains whose bid it is."""

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        return state.block is not None and seat in state.seats

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if state.outcome is not None or seat not in state.seats:
            return super().out_of_turn(components, state, seat)
        return illegal(COLLECT, t("no auction is going on"), waiting(components, state))

    @abstractmethod
    def bids_after(self, bids: Auction) -> Auction:
        """Return the auction as it goes on after this."""

    def play(self, components: Components, state: State, facts: Facts) -> State:
        block = on_block(state)
        bids = self.bids_after(block.auction)
        if not bids.over:
            return replace(state, block=Block(block.card, block.owner, bids))
        return _sold(components, state, block, bids)

    def told(self, components: Components, state: State, words: str) -> str:
        """Return a sentence with, behind these words, whom the bid or pass puts out and what it ends."""
        block = state.block
        if block is None or self.not_now(components, state, self.seat) or not self.judge(components, state).ok:
            return sentence(words)
        clauses, bids = [words], self.bids_after(block.auction)
        if out := [at(seat) for seat in auction.priced_out(block.auction, bids)]:
            clauses.append(t("that is more than {out} can raise", out=all_of(out)))
        if bids.over:
            winner, card = at(bids.winner), components.name(block.card)
            clauses.append(t("{winner} gets {card} for {coins}", winner=winner, card=card, coins=coins(bids.price)))
        return sentence(join("; ", clauses))


class Bid(Bidding, frozen=True, tag="bid", kw_only=True):
    """Offer so many coins for the card on the block."""

    declared = Declared(t("Bid"), "C", "Collect cards; A4", ("bidding",))
    amount: int

    @classmethod
    def sample(cls, seat: Seat) -> Bid:
        return cls(seat=seat, amount=TERMS.opening)

    @classmethod
    def offer(cls, components: Components, state: State, found: tuple[Bid, ...]) -> str:
        amounts = [bid.amount for bid in found]
        return t("{words}: {low} to {high}", words=cls.declared.words, low=min(amounts), high=max(amounts))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Bid]:
        bids = on_block(state).auction
        return [
            cls(seat=seat, amount=amount) for seat in auction.due(bids) for amount in auction.amounts(TERMS, bids, seat)
        ]

    def judge(self, components: Components, state: State) -> Verdict:
        """In turn order, other players can also bid for that same card by offering more coins than the last bid."""
        return auction.judge_bid(TERMS, on_block(state).auction, self.seat, self.amount)

    def bids_after(self, bids: Auction) -> Auction:
        return auction.bid(TERMS, bids, self.seat, self.amount)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return self.told(components, state, t("{seat} bids {amount}", seat=at(self.seat), amount=self.amount))


class NoBid(Bidding, frozen=True, tag="no-bid", kw_only=True):
    """Pass in an auction, for good."""

    declared = Declared(t("Pass in an auction"), "C", "Collect cards; A4", ("bidding",), idle=True)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[NoBid]:
        bids = on_block(state).auction
        return [cls(seat=seat) for seat in auction.due(bids) if auction.may_pass(bids, seat)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Who does not raise passes, for good (A4)."""
        return auction.judge_pass(TERMS, on_block(state).auction, self.seat)

    def bids_after(self, bids: Auction) -> Auction:
        return auction.give_up(TERMS, bids, self.seat)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return self.told(components, state, t("{seat} passes", seat=at(self.seat)))


def on_block(state: State) -> Block:
    """Return the card that is being bid for, with its auction; RuleError if no auction is going on."""
    if state.block is None:
        raise RuleError.illegal(COLLECT, t("no auction is going on"), t("Open one."))
    return state.block


def _sold(components: Components, state: State, block: Block, bids: Auction) -> State:
    """The highest bidder pays the auctioneer and takes the card; the phantom's gap is filled (A9).

    The supply returns up to 5 of the coins for each such character that waits (A7).
    """
    winner, price = bids.winner, bids.price
    state = places.with_coins(places.with_coins(state, winner, -price), block.owner, price)
    player = state.players[winner - 1]
    if player.rebates:
        state = places.with_player(state, winner, replace(player, rebates=0))
        state = places.out_of_supply(state, winner, min(price, components.rebate * player.rebates))
    return filled(components, replace(places.put_in(state, winner, block.card), block=None), "send")


def sale(state: State, action: object) -> Sale | None:
    """Return how the auction ends with a bid or a pass; None if it goes on."""
    if state.block is None or not isinstance(action, Bidding):
        return None
    bids = action.bids_after(state.block.auction)
    return Sale(bids.winner, bids.price, state.block.card) if bids.over else None


def timed(state: State) -> Timed | None:
    """Return the bid that runs against a clock (C5): running out is a pass, for the opener the lowest bid."""
    block = state.block
    if block is None:
        return None
    seat = block.auction.turn
    amount = auction.lapse(TERMS, block.auction, seat)
    lapse = Bid(seat=seat, amount=amount) if amount else NoBid(seat=seat)
    return auction.clocked(TERMS, block.auction, (lapse,), block.card)
