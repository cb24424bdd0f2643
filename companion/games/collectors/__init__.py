"""Collectors: the declaration of the game, and the game as everybody else uses it.

`box` is what cards and board say, `rulebook` set-up, phases and scoring, `actions` and `auctions` what a bottle can do,
all in the rulebook's order and words; `steps` is what several rules share; `moves` lists what is legal, `show` says
what can be seen, `mend` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.collectors import auctions, coaching, mend, moves, rulebook, show, steps
from companion.games.collectors.box import Box
from companion.games.collectors.values import (
    AnyAction,
    Buy,
    CantPay,
    Fill,
    Flow,
    Gain,
    GetSkill,
    Hand,
    Hide,
    MakeBid,
    Offer,
    PassBid,
    PayCard,
    PayCoins,
    Place,
    Player,
    Put,
    RaiseValue,
    Retrieve,
    Reveal,
    Setup,
    State,
    TakeBack,
)
from companion.rules import auction
from companion.rules.assembled import Assembled
from companion.rules.cards import Deck
from companion.rules.kernel import (
    ActionKind,
    AnyEdit,
    Counts,
    Info,
    Option,
    Options,
    Seat,
    Timed,
)
from companion.rules.layout import Layout, Zone

KINDS = (
    ActionKind("hide", "Hide a treasure", "A", "Setup"),
    ActionKind("fill", "A card comes up in a pool", "A", "Setup; Phase 2; K8, K9"),
    ActionKind("place", "Place a bottle", "B", "Phase 1; Work; K3, K4, K7, K14, K17"),
    ActionKind("buy", "Buy an item", "A", "Buy item"),
    ActionKind("take-back", "Take the bottle back: no item of the hand can be paid", "C", "K17"),
    ActionKind("skill", "Get a skill", "A", "Get skill; Special skills"),
    ActionKind("gain", "Take a new bottle", "A", "Special skills; K5, K6"),
    ActionKind("raise", "Place a card in the market pool", "A", "Raise value; K12"),
    ActionKind("offer", "Put a card up for auction", "A", "Start auction; K16"),
    ActionKind("bid", "Bid", "C", "Start auction; K10, K11"),
    ActionKind("pass", "Pass", "C", "Start auction; K11"),
    ActionKind("pay-card", "Pay with a card", "A", "Start auction; K9"),
    ActionKind("pay-coins", "Pay the rest with coins", "C", "Start auction; K9"),
    ActionKind("cant-pay", "Say that you can't pay", "B", "K10"),
    ActionKind("put", "Place the card you won", "A", "Start auction; K11, K16"),
    ActionKind("flow", "Cards move from one pool to another", "A", "Phase 2; K8"),
    ActionKind("retrieve", "Retrieve a bottle", "B", "Phase 3; K5"),
    ActionKind("reveal", "Reveal a secret item", "A", "Scoring; K16"),
)


class Collectors(Assembled[Box, State]):
    """The rules of Collectors for one deck."""

    action_type = AnyAction
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Sort the deck.

        Raises:
            ValueError: if the deck file does not fit the rules; the message says where.
        """
        super().__init__(deck, Box(deck), moves, show, mend, coaching)
        bottles = "Bottles carry codes (1), or the phone asks on which space one was placed (0)"
        self.info = Info(
            name="collectors",
            title=deck.title,
            code=deck.code,
            seats=(2, 4),
            options=(Option("bottles", bottles, 1, 0, 1, "Components"),),
            kinds=KINDS,
            rulebook="collectors.md",
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal the cards; treasures and the cards of the pools come as actions."""
        return rulebook.prepare(self.box, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are due: several while treasures are hidden, bottles retrieved, secrets revealed."""
        return steps.actors(state)

    def layout(self, state: State) -> Layout:
        """Say what should lie where."""
        return show.layout(self.box, state)

    def tacit(self, state: State) -> AnyAction | None:
        """Coins leave no trace: who goes on after winning an auction has paid with them."""
        coins = PayCoins(seat=state.actor)
        return coins if state.phase == "pay" and self.judge(state, coins).ok else None

    def timed(self, state: State) -> Timed | None:
        """A bid runs against the clock (C5): a pass at zero, for the opener the lowest bid."""
        bids = state.auction
        if state.phase != "bid" or bids is None:
            return None
        seat = bids.turn
        amount = auction.lapse(auctions.TERMS, bids, seat)
        return auction.clocked(bids, (MakeBid(seat=seat, amount=amount) if amount else PassBid(seat=seat),))

    def touches(self, state: State, action: Any) -> frozenset[Zone]:
        """Some work spaces draw from the deck: a hand reaches there, and nothing shows of it."""
        draws = isinstance(action, Place) and action.space in ("draw", "first", "income")
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        """An empty deck tells how many cards the hands hold together."""
        if state.deck and state.phase == "turn":
            yield (Counts("deck", 0),)


GAME = Collectors

__all__ = [
    "GAME",
    "AnyAction",
    "Buy",
    "CantPay",
    "Collectors",
    "Fill",
    "Flow",
    "Gain",
    "GetSkill",
    "Hand",
    "Hide",
    "MakeBid",
    "Offer",
    "PassBid",
    "PayCard",
    "PayCoins",
    "Place",
    "Player",
    "Put",
    "RaiseValue",
    "Retrieve",
    "Reveal",
    "Setup",
    "State",
    "TakeBack",
]
