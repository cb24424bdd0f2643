"""The section "Start auction" of Collectors: the offer and the bids, on its own terms (K9 to K11, K16)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from companion.games.collectors import steps
from companion.games.collectors.components import Components, dollars
from companion.games.collectors.paying import won
from companion.games.collectors.state import NONE, UNREAD, State
from companion.games.collectors.steps import YOURS, CollectorsAction
from companion.rules import auction
from companion.rules.auction import Auction, Bidder, Terms
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import face_down, laid, most_worth
from companion.rules.kernel import LEGAL, Facts, Hole, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import cards
from companion.text import t

TERMS = Terms(who="Start auction; K11", raising="Start auction; K11", means="K10")
"""The starter opens with at least 1; clockwise; a pass is final (K11); bids are capped (K10)."""


class Offer(CollectorsAction, frozen=True, tag="offer", kw_only=True):
    """Put a card up for auction: from the auction pool, or out of the hand; face down it has no number ("")."""

    declared = Declared(t("Put a card up for auction"), "A", "Start auction; K16", ("offer",))
    blank = ("card",)
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Offer]:
        seat = state.turn
        for card in state.auction_pool:
            if card not in (NONE, UNREAD):
                yield cls(seat=seat, card=card)
        holes = steps.hand_hole(state, seat, YOURS)
        if holes and not can_open_after(state, seat):
            yield cls(seat=seat, card=holes[0])
            yield cls(seat=seat, card=NONE)

    def judge(self, components: Components, state: State) -> Verdict:
        """Choose a card of the auction pool, or one of the hand, which may lie face down."""
        if self.card in state.auction_pool and self.card not in (NONE, UNREAD):
            return LEGAL
        hand = state.players[self.seat - 1].hand
        if self.card == NONE and not hand.size:
            return inconsistent(
                "C2", t("{seat} has no card to lay face down", seat=at(self.seat)), t("Take one of the auction pool.")
            )
        if self.card != NONE:
            remedy = t("Put it back: what is auctioned comes from the auction pool or out of the hand.")
            absent = steps.not_in_hand(components, state, self.seat, self.card, "Start auction", remedy)
            if absent:
                return absent
        return can_open_after(state, self.seat) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        seat, card = self.seat, str(self.card)
        player = state.players[seat - 1]
        if card == NONE:
            hand, unseen = face_down(player.hand, state.unseen, 1)
            players = steps.with_player(state, seat, replace(player, hand=hand))
            state = replace(state, players=players, unseen=unseen, lot=UNREAD)
        elif card in state.auction_pool:
            state = replace(state, auction_pool=steps.removed(state.auction_pool, card), lot=card)
        else:
            hand, unseen = laid(player.hand, state.unseen, card)
            players = steps.with_player(state, seat, replace(player, hand=hand))
            state = replace(state, players=players, unseen=unseen, lot=card)
        return replace(state, phase="bid", auction=auction.begin(TERMS, bidders(components, state)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if self.card == NONE:
            return t("{seat} auctions a card face down.", seat=at(self.seat))
        return t("{seat} auctions {card}.", seat=at(self.seat), card=steps.card_words(components, self.card))

    def label(self, components: Components, state: State) -> str:
        return t("a card of your hand, face down") if self.card == NONE else ""

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Offer]:
        return [cls(seat=state.turn, card=piece)] if zone == "auctioned" and piece not in components.owner else ()


def can_open_after(state: State, seat: Seat) -> Verdict | None:
    """Return why a card of the hand can't be offered: no $1 to open with would be left (K17). None if it is left."""
    player = state.players[seat - 1]
    if player.coins or player.hand.size > 1:
        return None
    reason = t("then {seat} has no coin and no card left to open the auction with", seat=at(seat))
    return illegal("K17", reason, t("Take a card of the auction pool."))


def bidders(components: Components, state: State) -> tuple[Bidder, ...]:
    """List all players clockwise from the starter, with what each can bid (K10)."""
    order = (*state.seats[state.turn - 1 :], *state.seats[: state.turn - 1])
    return tuple(_bidder(components, state, seat) for seat in order)


def _bidder(components: Components, state: State, seat: Seat) -> Bidder:
    """Return a player, who bids at most coins + what the hand could be worth (K10)."""
    player = state.players[seat - 1]
    worth = most_worth(player.hand, state.unseen, components.cash.__getitem__)
    why = t(
        "{coins} and {cards} worth {worth} at most",
        coins=dollars(player.coins),
        cards=cards(player.hand.size),
        worth=dollars(worth),
    )
    return Bidder(seat, player.coins + worth, why)


def with_means(components: Components, state: State, seats: Collection[Seat]) -> Auction:
    """Return the auction under way with the means of some seats as they are, also after a correction or an undo."""
    bids = steps.under_way(state)
    now = (_bidder(components, state, one.seat) if one.seat in seats else one for one in bids.bidders)
    return replace(bids, bidders=tuple(now))


class MakeBid(CollectorsAction, frozen=True, tag="bid", kw_only=True):
    """Bid."""

    declared = Declared(t("Bid"), "C", "Start auction; K10, K11", ("bid",))
    amount: int

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        # The auction itself explains best whose bid it is.
        return None if state.phase == "bid" and seat in state.seats else super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[MakeBid]:
        turn = steps.under_way(state).turn
        bids = with_means(components, state, (turn,))
        return [cls(seat=turn, amount=amount) for amount in auction.amounts(TERMS, bids, turn)]

    @classmethod
    def offer(cls, components: Components, state: State, actions: tuple[MakeBid, ...]) -> str:
        """Whoever opens can't pass, and is told why, and what the least bid is."""
        if state.auction is None or state.auction.bids:
            return cls.declared.words
        least = dollars(min(action.amount for action in actions))
        return t("Bid: you started this auction, so you can't pass; the least is {least}", least=least)

    @classmethod
    def sample(cls, seat: Seat) -> MakeBid:
        return cls(seat=seat, amount=0)

    def judge(self, components: Components, state: State) -> Verdict:
        """Bid higher than the last one, at most what coins and cards can be worth."""
        if state.phase != "bid" or state.auction is None or self.seat not in state.seats:
            return LEGAL
        return auction.judge_bid(TERMS, with_means(components, state, (self.seat,)), self.seat, self.amount)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        bids = auction.bid(TERMS, with_means(components, state, state.seats), self.seat, self.amount)
        return _after_bid(components, state, bids)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} bids {amount}.", seat=at(self.seat), amount=dollars(self.amount))


class PassBid(CollectorsAction, frozen=True, tag="pass", kw_only=True):
    """Pass, for the rest of this auction."""

    declared = Declared(t("Pass"), "C", "Start auction; K11", ("bid",), idle=True)

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Nobody passes instead of placing a bottle (K14)."""
        if state.phase == "turn" and seat == state.turn:
            reason = t("{seat} has a bottle on the player board, and must place it", seat=at(seat))
            return illegal("K14", reason, t("Place it on an empty action space; recycling is always possible."))
        return None if state.phase == "bid" and seat in state.seats else super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[PassBid]:
        bids = steps.under_way(state)
        return [cls(seat=bids.turn)] if auction.may_pass(bids, bids.turn) else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Pass; the starter may not before the first bid."""
        if state.phase != "bid" or state.auction is None or self.seat not in state.seats:
            return LEGAL
        return auction.judge_pass(TERMS, steps.under_way(state), self.seat)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return _after_bid(components, state, auction.give_up(TERMS, steps.under_way(state), self.seat))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} passes.", seat=at(self.seat))


def _after_bid(components: Components, state: State, bids: Auction) -> State:
    state = replace(state, auction=bids)
    return won(components, state, bids.winner, bids.price) if bids.over else state
