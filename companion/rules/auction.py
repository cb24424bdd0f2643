"""One auction, as a value: who may bid, in which order, from what to what and why, who passed, leads and won.

Collectors and Collectible share it; a game gives its differences as `Terms` and the `Bidder`s with their means. An
auction knows no time: `lapse` says what running out of the referee's clock stands for (ruling C5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Action,
    Bidding,
    RuleError,
    Seat,
    Timed,
    Use,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.text import join, t

NOBODY: Final[Seat] = TABLE
"""The leader while nobody has bid; the seat on turn once nobody is due."""

BID_CLOCK: Final = "bid"
"""The name of the clock that a bid runs against (ruling C5)."""


class Terms(msgspec.Struct, frozen=True):
    """How a game's auctions go; the other fields are rule ids or sections that the verdicts cite."""

    opening: int = 1
    """The least that opens an auction."""
    step: int = 1
    """By how much a bid must be above the last one."""
    in_turn: bool = True
    """Bids go round from the opener; else every bidder may bid at any time."""
    who: str = "auction"
    """Why only these seats bid, and in this order."""
    raising: str = "auction"
    """Why a bid is too low, and why the opener can't pass."""
    means: str = "auction"
    """Why a bid is too high."""


class Bidder(msgspec.Struct, frozen=True, gc=False):
    """A seat that may bid: at most `most`, because it has `why` ("8 coins and 2 cards worth $4 at most")."""

    seat: Seat
    most: int
    why: str


class LeftOut(msgspec.Struct, frozen=True, gc=False):
    """A seat that may not bid, and why: "it is the auctioneer"."""

    seat: Seat
    why: str


class Bid(msgspec.Struct, frozen=True, gc=False):
    """What a seat has offered."""

    seat: Seat
    amount: int


class Auction(msgspec.Struct, frozen=True):
    """An auction in progress or over.

    `bidders` are all who could bid when it began, in turn order from the opener; `out` are those of them who passed or
    can't afford the lowest bid. The last of `bids` is the highest. `turn` is whose bid or pass is due; NOBODY where
    bids don't go round, and once the auction is over.
    """

    bidders: tuple[Bidder, ...]
    left_out: tuple[LeftOut, ...] = ()
    out: tuple[Seat, ...] = ()
    bids: tuple[Bid, ...] = ()
    turn: Seat = NOBODY

    @property
    def opener(self) -> Seat:
        """The seat that must open."""
        return self.bidders[0].seat

    @property
    def price(self) -> int:
        """The highest bid, 0 while there is none."""
        return self.bids[-1].amount if self.bids else 0

    @property
    def leader(self) -> Seat:
        """The seat of the highest bid; NOBODY while there is no bid."""
        return self.bids[-1].seat if self.bids else NOBODY

    @property
    def over(self) -> bool:
        """Whether everybody but the leader is out."""
        return bool(self.bids) and len(self.out) == len(self.bidders) - 1

    @property
    def winner(self) -> Seat:
        """The seat that has won; NOBODY while the auction goes on."""
        return self.leader if self.over else NOBODY


def lowest(terms: Terms, auction: Auction) -> int:
    """Return the lowest bid that is legal now."""
    return auction.price + terms.step if auction.bids else terms.opening


def due(auction: Auction) -> tuple[Seat, ...]:
    """List the seats whose bid or pass is due; where bids don't go round, the opener alone until it has opened."""
    if auction.over:
        return ()
    if auction.turn != NOBODY:
        return (auction.turn,)
    leader = auction.leader
    return tuple(bidder.seat for bidder in auction.bidders if bidder.seat != leader and bidder.seat not in auction.out)


def amounts(terms: Terms, auction: Auction, seat: Seat) -> range:
    """Return the bids that a seat may make now, empty if it may not bid."""
    if seat not in due(auction):
        return range(0)
    return range(lowest(terms, auction), _bidder(auction, seat).most + 1)


def may_pass(auction: Auction, seat: Seat) -> bool:
    """Return whether a seat may pass now: the opener may not before it has opened."""
    return bool(auction.bids) and seat in due(auction)


def lapse(terms: Terms, auction: Auction, seat: Seat) -> int:
    """Return the bid that running out of time stands for (C5), 0 for a pass; RuleError if none is due from the seat."""
    verdict = _not_due(terms, auction, seat)
    if verdict is not None:
        raise RuleError(verdict)
    return 0 if auction.bids else terms.opening


def unasked(terms: Terms, auction: Auction) -> tuple[Seat, ...]:
    """List the bidders who are out because they could not raise any more: their passes change nothing (C5)."""
    least = lowest(terms, auction)
    return tuple(bidder.seat for bidder in auction.bidders if bidder.seat in auction.out and bidder.most < least)


def runner_up(auction: Auction, unable: Iterable[Seat]) -> Bid | None:
    """Return the highest bid, outbid or not, that was made by another seat than these (K10); None if there is none."""
    without = frozenset(unable)
    return next((bid for bid in reversed(auction.bids) if bid.seat not in without), None)


def judge_bid(terms: Terms, auction: Auction, seat: Seat, amount: int) -> Verdict:
    """Return whether a seat may bid so much now; if not, with the number that would be right."""
    verdict = _not_due(terms, auction, seat)
    if verdict is not None:
        return verdict
    least, bidder = lowest(terms, auction), _bidder(auction, seat)
    if amount < least:
        last = t("the last was {price}", price=auction.price) if auction.bids else t("nobody has bid yet")
        return illegal(
            terms.raising,
            t("the bid must be at least {least}: {last}", least=least, last=last),
            _what_to_do(terms, auction, seat),
        )
    if amount > bidder.most:
        reason = t("the bid may be at most {most}: {seat} has {why}", most=bidder.most, seat=at(seat), why=bidder.why)
        return illegal(terms.means, reason, _what_to_do(terms, auction, seat))
    return LEGAL


def judge_pass(terms: Terms, auction: Auction, seat: Seat) -> Verdict:
    """Return whether a seat may pass now; the one that must open may not."""
    verdict = _not_due(terms, auction, seat)
    if verdict is not None:
        return verdict
    if not auction.bids:
        reason = t(
            "{seat} has started this auction and must open it with at least {opening}",
            seat=at(seat),
            opening=terms.opening,
        )
        return illegal(terms.raising, reason, _what_to_do(terms, auction, seat))
    return LEGAL


def _not_due(terms: Terms, auction: Auction, seat: Seat) -> Verdict | None:
    if auction.over:
        reason = t(
            "the auction is over: {winner} has won it with {price}", winner=at(auction.winner), price=auction.price
        )
        return illegal(terms.raising, reason, t("Wait for the next auction."))
    if seat in due(auction):
        return None
    wait = t("Wait: {waiting}", waiting=_waiting(terms, auction))
    for seated in auction.left_out:
        if seated.seat == seat:
            return illegal(terms.who, t("{seat} does not bid here: {why}", seat=at(seat), why=seated.why), wait)
    bidder = next((found for found in auction.bidders if found.seat == seat), None)
    if bidder is None:
        return inconsistent(
            "C3",
            t("no bidder sits at seat {seat}", seat=seat),
            t("Only these bid: {seats}.", seats=_seats(auction.bidders)),
        )
    least = lowest(terms, auction)
    if seat == auction.leader:
        return illegal(
            terms.raising,
            t("{seat} leads with {price}, and nobody outbids themselves", seat=at(seat), price=auction.price),
            wait,
        )
    if seat in auction.out and bidder.most < least:
        reason = t("the bid must be at least {least}, and {seat} has {why}", least=least, seat=at(seat), why=bidder.why)
        return illegal(terms.means, reason, wait)
    if seat in auction.out:
        return illegal(terms.raising, t("{seat} has passed, and a pass is final", seat=at(seat)), wait)
    return illegal(
        terms.who, t("it is the turn of {turn} to bid, not of {seat}", turn=at(auction.turn), seat=at(seat)), wait
    )


def _waiting(terms: Terms, auction: Auction) -> str:
    seats = due(auction)
    if len(seats) == 1:
        action = t("bids or passes") if auction.bids else t("opens with at least {opening}", opening=terms.opening)
        return t("{seat} {action}.", seat=at(seats[0]), action=action)
    return t("the others bid or pass.")


def _what_to_do(terms: Terms, auction: Auction, seat: Seat) -> str:
    span = amounts(terms, auction, seat)
    if not span:
        return t("Pass.")
    bids = t("Bid {span}", span=span[0]) if len(span) == 1 else t("Bid {span} to {span2}", span=span[0], span2=span[-1])
    return t("{bids}, or pass.", bids=bids) if auction.bids else t("{bids}.", bids=bids)


def _seats(bidders: Iterable[Bidder]) -> str:
    return join(", ", (at(bidder.seat) for bidder in bidders))


def _bidder(auction: Auction, seat: Seat) -> Bidder:
    return next(bidder for bidder in auction.bidders if bidder.seat == seat)


def begin(terms: Terms, bidders: Iterable[Bidder], left_out: Iterable[LeftOut] = ()) -> Auction:
    """Begin an auction in turn order; RuleError if nobody may bid, a seat bids twice, or the opener can't open."""
    order = tuple(bidders)
    if not order or len({bidder.seat for bidder in order}) != len(order):
        raise RuleError.inconsistent("C3", t("an auction needs bidders, each of them once"), t("Name each seat once."))
    opener = order[0]
    if opener.most < terms.opening:
        reason = t(
            "opening takes at least {opening}, and {seat} has {why}",
            opening=terms.opening,
            seat=at(opener.seat),
            why=opener.why,
        )
        raise RuleError.illegal(terms.means, reason, t("Do something else."))
    out = tuple(bidder.seat for bidder in order[1:] if bidder.most < terms.opening)
    # The opener is due alone even where bids come in any order: there is nothing yet to outbid.
    return Auction(order, tuple(left_out), out, (), opener.seat)


def bid(terms: Terms, auction: Auction, seat: Seat, amount: int) -> Auction:
    """Bid; a seat that can't afford the next bid is out without being asked. RuleError if the bid is not legal."""
    verdict = judge_bid(terms, auction, seat, amount)
    if not verdict.ok:
        raise RuleError(verdict)
    after = replace(auction, bids=(*auction.bids, Bid(seat, amount)))
    least = amount + terms.step
    poor = tuple(
        bidder.seat
        for bidder in after.bidders
        if bidder.most < least and bidder.seat != seat and bidder.seat not in after.out
    )
    return _next(terms, replace(after, out=after.out + poor) if poor else after, seat)


def give_up(terms: Terms, auction: Auction, seat: Seat) -> Auction:
    """Pass, for the rest of this auction; RuleError if that is not legal."""
    verdict = judge_pass(terms, auction, seat)
    if not verdict.ok:
        raise RuleError(verdict)
    return _next(terms, replace(auction, out=(*auction.out, seat)), seat)


def with_means(terms: Terms, auction: Auction, bidder: Bidder) -> Auction:
    """Return the auction with a bidder's means corrected (C8); RuleError if they don't reach the bid in question."""
    if bidder.seat not in {each.seat for each in auction.bidders}:
        return auction
    least = auction.price if bidder.seat == auction.leader else lowest(terms, auction)
    if bidder.most < least and bidder.seat not in auction.out:
        reason = t("{seat} is in an auction and can't have less than {least}", seat=at(bidder.seat), least=least)
        raise RuleError.inconsistent("C8", reason, t("Let the auction end first, or take back how it began."))
    bidders = tuple(bidder if each.seat == bidder.seat else each for each in auction.bidders)
    return replace(auction, bidders=bidders)


def _next(terms: Terms, auction: Auction, seat: Seat) -> Auction:
    if auction.over or not terms.in_turn:
        return replace(auction, turn=NOBODY)
    order = [bidder.seat for bidder in auction.bidders]
    here = order.index(seat)
    turn = next(following for following in order[here + 1 :] + order[:here] if following not in auction.out)
    return replace(auction, turn=turn)


def priced_out(before: Auction, after: Auction) -> tuple[Seat, ...]:
    """List the seats that a bid has put out because their means don't reach the next one."""
    if len(after.bids) == len(before.bids):
        return ()
    return after.out[len(before.out) :]


def describe_auction(auction: Auction) -> str:
    """Describe in one sentence how an auction stands."""
    if auction.over:
        return t("{winner} has won with {price}.", winner=at(auction.winner), price=auction.price)
    seats = due(auction)
    who = at(seats[0]) if len(seats) == 1 else t("the others")
    if not auction.bids:
        return t("Waiting for {who} to open.", who=who)
    return t("{leader} leads with {price}; waiting for {who}.", leader=at(auction.leader), price=auction.price, who=who)


def clocked(
    terms: Terms, auction: Auction, lapses: Iterable[Action], lot: Piece = "", uses: tuple[Use, ...] = ()
) -> Timed | None:
    """Return the timed decision of an auction (C5), with the actions that stand for running out; None if it is over."""
    if auction.over:
        return None
    last = {one.seat: one.amount for one in auction.bids}
    bids = tuple(Bidding(one.seat, last.get(one.seat, 0), one.seat in auction.out) for one in auction.bidders)
    return Timed(
        BID_CLOCK,
        tuple(lapses),
        auction.price,
        auction.leader,
        describe_auction(auction),
        lot,
        bids,
        lowest(terms, auction),
        uses,
    )
