"""Collectible: the declaration of the game, and the game as everybody else uses it.

`box` is what is on the cards, `rulebook` the three steps in the rulebook's order and words, `auctions` its bidding,
`characters` its character cards, `steps` what several rules share; `moves` lists what is legal, `show` says what can be
seen, `mend` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.collectible import auctions, coaching, mend, moves, rulebook, show
from companion.games.collectible.box import Box
from companion.games.collectible.steps import drawable
from companion.games.collectible.values import (
    AnyAction,
    Bid,
    Close,
    Discard,
    Done,
    Draw,
    Gallery,
    Look,
    NoBid,
    Open,
    Pass,
    PlayCharacter,
    Player,
    Reveal,
    Roll,
    Sell,
    Send,
    Setup,
    Show,
    State,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.rules.assembled import Assembled
from companion.rules.cards import Deck
from companion.rules.kernel import (
    ActionKind,
    AnyEdit,
    Counts,
    Facts,
    Info,
    Options,
    Seat,
    Timed,
)
from companion.rules.layout import Layout, Zone

KINDS = (
    ActionKind("turn-up", "Turn up a card into an auction", "A", "Two-player game; A1, A9"),
    ActionKind("draw", "Draw a card from the talent pile", "C", "Collect cards; A3, A10"),
    ActionKind("open", "Open a bid for a card of another auction", "A", "Collect cards; A3, A4"),
    ActionKind("bid", "Bid", "C", "Collect cards; A4"),
    ActionKind("no-bid", "Pass in an auction", "C", "Collect cards; A4"),
    ActionKind("sell", "Trade a card for a coin of the phantom auctioneer", "A", "Two-player game; A9"),
    ActionKind("send", "Put a card up for auction", "A", "Send to auction; A5"),
    ActionKind("take-back", "Take a card of your auction into your gallery", "A", "Send to auction; A5"),
    ActionKind("done", "Say that you are done moving cards", "C", "Send to auction; A5"),
    ActionKind("discard", "Discard a card above five", "A", "Send to auction; A5, A6"),
    ActionKind("character", "Play a character", "A", "Character cards; A7"),
    ActionKind("swap", "Choose whom to swap with", "B", "Character cards; A7"),
    ActionKind("look", "Choose whose gallery to look at", "B", "Character cards; A7"),
    ActionKind("close", "Choose which card to close", "B", "Character cards; A7"),
    ActionKind("roll", "Roll two dice and put the character under so many cards", "C", "Character cards; A6"),
    ActionKind("reveal", "Reveal your collection", "A", "Reveal or pass; A8"),
    ActionKind("pass", "Pass the turn on", "C", "Reveal or pass"),
    ActionKind("show", "Lay a gallery open for scoring", "A", "Reveal or pass; A8"),
)


class Collectible(Assembled[Box, State]):
    """The rules of Collectible for one deck."""

    action_type = AnyAction
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Sort the deck.

        Raises:
            ValueError: if the deck file does not fit the rules; the message says where.
        """
        super().__init__(deck, Box(deck), moves, show, mend, coaching)
        self.info = Info(
            "collectible", deck.title, deck.code, (2, 6), rulebook.options(self.box), KINDS, "collectible.md"
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal to the galleries; what lies face up in auctions comes as upkeep."""
        return self.settle(rulebook.prepare(self.box, seats, options, facts))

    def settle(self, state: State) -> State:
        """Go on where nobody has to decide."""
        return rulebook.go_on(self.box, state)

    def play(self, state: State, action: Any, facts: Facts = ()) -> State:
        """Apply a ground action with its facts; also one of a journal from before "done", as it was meant then."""
        if not self.judge(state, action).ok:
            then = rulebook.understood(self.box, state, action)
            state = then if self.judge(then, action).ok else state
        return super().play(state, action, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are due; characters may be played by others too."""
        return moves.actors(state)

    def layout(self, state: State) -> Layout:
        """Say what should lie where."""
        return show.layout(state)

    def timed(self, state: State) -> Timed | None:
        """Bids run against a clock (C5)."""
        return auctions.timed(state)

    def tacit(self, state: State) -> AnyAction | None:
        """Return what leaves no trace: a card drawn, the turn passed on, a bid that is not raised."""
        seat = state.turn
        if state.phase == "collect" and drawable(state):
            return Draw(seat=seat)
        if rulebook.may_end(state):
            silent = Pass(seat=seat)
            return silent if self.judge(state, silent).ok else None
        if state.block is not None and state.block.auction.bids:
            return NoBid(seat=state.block.auction.turn)
        return None

    def touches(self, state: State, action: Any) -> frozenset[Zone]:
        """Cards are drawn from the talent pile: a hand reaches there, and nothing shows of it."""
        draws = isinstance(action, Draw) or (
            isinstance(action, PlayCharacter) and self.box.effect.get(str(action.card)) == "draw"
        )
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        """An empty talent pile, or its renewal, tells how many cards the galleries hold together."""
        if state.deck and state.phase in ("collect", "send", "reveal"):
            yield (Counts("deck", 0),)


GAME = Collectible

__all__ = [
    "GAME",
    "AnyAction",
    "Bid",
    "Close",
    "Collectible",
    "Discard",
    "Done",
    "Draw",
    "Gallery",
    "Look",
    "NoBid",
    "Open",
    "Pass",
    "PlayCharacter",
    "Player",
    "Reveal",
    "Roll",
    "Sell",
    "Send",
    "Setup",
    "Show",
    "State",
    "Swap",
    "TakeBack",
    "TurnUp",
]
