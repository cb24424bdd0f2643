"""Collectors: the declaration of the game, and the game as everybody else uses it.

`components` is what cards and board say, `state` a match at one moment. An action is one class with its rule, in the
rulebook's order: `setup`, `spaces` (placing a bottle), `actions`, `auctions`, `paying`, `quarter` (the phases between),
`scoring`; `steps` is what several of them share. `views` says what can be seen, `corrections` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.collectors import (
    actions,
    auctions,
    corrections,
    guide,
    paying,
    quarter,
    scoring,
    setup,
    spaces,
    steps,
    views,
)
from companion.games.collectors.auctions import TERMS, MakeBid, PassBid
from companion.games.collectors.components import Components
from companion.games.collectors.paying import PayCoins
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import NONE, PHASES, UNREAD, Setup, State
from companion.games.collectors.steps import CollectorsAction
from companion.rules import auction
from companion.rules.cards import Deck
from companion.rules.engine import RuleBased, actions_in, union_of
from companion.rules.kernel import TABLE, Action, AnyEdit, Counts, Info, Option, Options, Sale, Seat, Timed
from companion.rules.layout import Zone
from companion.text import t


class Collectors(RuleBased[Components, State]):
    """The rules of Collectors for one deck."""

    kinds = actions_in(setup, spaces, actions, auctions, paying, quarter, scoring)
    phases = PHASES
    heaps = frozenset(("items", "skills", "market", "paid", "laid", "due", "failed", "twins"))
    waiting = t("While you wait: at the end an item is worth a point for every market card with its symbol.")
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck, Components(deck), views, corrections)
        self.hidden = self.components.pieces
        bottles = t("Bottles carry codes (1), or the phone asks on which space one was placed (0)")
        self.info = Info(
            name="collectors",
            title=deck.title,
            code=deck.code,
            seats=(2, 4),
            options=(Option("bottles", bottles, 1, 0, 1, "Components"),),
            kinds=self.declared(),
            rulebook="collectors.md",
            words=t("Place bottles to buy rare items, learn skills and raise what items are worth."),
            minutes=(20, 40),
            coloured=True,
            preparing=setup.PREPARING,
            guide=guide.guide(self.components),
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal the cards; treasures and the cards of the pools come as actions."""
        return setup.prepare(self.components, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return steps.actors(state)

    def due(self, state: State) -> str:
        return steps.waiting(self.components, state)

    def call(self, state: State, seat: Seat) -> str:
        return paying.call(self.components, state) if state.phase == "pay" else super().call(state, seat)

    def coach(self, state: State, seat: Seat) -> str:
        if state.phase == "bid" and state.auction is not None and not state.auction.bids and seat in self.actors(state):
            return t("Open the auction with a bid; then the others bid more or pass. Cards may pay, too, if you win.")
        return super().coach(state, seat)

    def colours(self, state: State) -> dict[Seat, str]:
        return self.components.colour

    def tacit(self, state: State) -> CollectorsAction | None:
        """Return what leaves no trace: coins. A winner who goes on after an auction has paid with them."""
        coins = PayCoins(seat=state.actor)
        return coins if state.phase == "pay" and self.judge(state, coins).ok else None

    def timed(self, state: State) -> Timed | None:
        bids = state.auction
        if state.phase != "bid" or bids is None:
            return None
        seat = bids.turn
        amount = auction.lapse(TERMS, bids, seat)
        lapse = MakeBid(seat=seat, amount=amount) if amount else PassBid(seat=seat)
        if state.lot in (NONE, UNREAD):
            return auction.clocked(TERMS, bids, (lapse,))
        return auction.clocked(TERMS, bids, (lapse,), state.lot, views.uses(self.components, state, state.lot))

    def moot(self, state: State, last: tuple[State, Action | None] | None = None) -> tuple[Action, ...]:
        bids = None if state.lot == NONE else state.auction
        return tuple(PassBid(seat=seat) for seat in auction.unasked(TERMS, bids)) if bids else ()

    def sale(self, before: State, action: Action, after: State) -> Sale | None:
        goes_on = after.phase == "bid" or (after.phase, after.actor) == (before.phase, before.actor)
        if before.phase not in ("bid", "pay") or goes_on or after.phase == "put":
            return None
        winner, price = (after.actor, after.price) if after.phase == "pay" else (TABLE, 0)
        lot = "" if before.lot in (NONE, UNREAD) else before.lot
        return Sale(winner, price, lot, instead=before.phase == "pay")

    def touches(self, state: State, action: Action) -> frozenset[Zone]:
        draws = isinstance(action, Place) and action.space in ("draw", "first", "income")
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        if state.deck and state.phase == "turn":
            yield (Counts("deck", 0),)


GAME = Collectors
