"""The state of a match of Collectors, what is fixed before its first turn, and the phases that it goes through."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.engine import Phase
from companion.rules.hands import Hand as Hand
from companion.rules.kernel import TABLE, Outcome, Seat
from companion.rules.layout import Zone
from companion.text import t

Space = str
"""An action space: "buy-1" … "raise-3", "quarter", "recycle", "draw", "first", "income"."""

Role = Literal["item", "skill", "market", "secret"]
"""What a card that was won at an auction becomes."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance decides before the first turn: the seat that gets the 1st player token."""

    first: Seat = 1


NONE: Final = ""
"""An empty slot; no card is up for auction; a card that goes face down."""

UNREAD: Final = "?"
"""A card that lies face up in a slot and has not been read yet; a card that is up for auction face down."""

BOX: Final = ""
"""Where a bottle of the supply is that has not been in play, or left the board."""

BOARD: Final = frozenset("12345")
"""The positions of a player board, as places of bottles."""

SETUP, PHASE_1, PHASE_2, SCORING = "Setup", "Phase 1", "Phase 2", "Scoring"

PHASES = {
    "treasure": Phase(
        SETUP,
        t("Hide one of your three cards face down under your treasure chest: it counts as an item at the end."),
        call=t("Hide a secret item"),
    ),
    "fill": Phase("", t("New cards come up in the pools before play goes on.")),
    "turn": Phase(
        PHASE_1,
        t("Put a bottle on an empty space: each is one action."),
        call=t("Your turn: place a bottle"),
    ),
    "buy": Phase(
        "Buy item",
        t("Choose an item from the item pool or your hand: it costs $1 for every market card with its symbol."),
        call=t("Buy an item"),
    ),
    "skill": Phase(
        "Get skill",
        t("Choose a skill from the skill pool or your hand: it helps you from now on, or counts at the end."),
        call=t("Take a skill"),
    ),
    "gain": Phase(
        "Special skills; K6",
        t("Your new bottle goes to the lowest empty place of your player board: one action more in each quarter."),
        call=t("Take a new bottle"),
    ),
    "raise": Phase(
        "Raise value; K12",
        t(
            "Put a card into the market: every item with that symbol costs $1 more, and is worth a point more at "
            "the end."
        ),
        call=t("Place cards in the market pool"),
    ),
    "offer": Phase(
        "Start auction",
        t("Put a card up for auction, from the auction pool or your hand: everybody may bid for it."),
        call=t("Choose the card to be auctioned"),
    ),
    "bid": Phase(
        "Start auction; K11",
        t("Bid more than the last bid, or pass and be out of this auction; who wins may pay with cards as well."),
        call=t("Bid, or pass"),
    ),
    "pay": Phase(
        "Start auction; K9",
        t("Pay what you bid with coins, with cards of your hand (each is worth what its corner says), or both."),
    ),
    "put": Phase(
        "Start auction; K16",
        t("The card is yours: choose whether it becomes an item, a skill, a market card or a secret item."),
        call=t("Place the card you won"),
    ),
    "flow": Phase(
        PHASE_2,
        t("A quarter is over: cards move on from pool to pool, and some into the market."),
    ),
    "retrieve": Phase(
        "Phase 3; K5",
        t("Take your bottles back: a bottle covers the income below it, so leave uncovered what you want to get."),
        call=t("Take your bottles back"),
    ),
    "reveal": Phase(
        SCORING,
        t("Turn your secret items up: now they count like the others."),
        call=t("Reveal your secret items"),
    ),
    "over": Phase(),
}
"""The phases of a match, in the rulebook's order. The pools are filled in the set-up and in phase 2."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What a player owns. `income` and `secrets` count cards tucked face down.

    `bottles` says of each of the five bottles of the colour where it is: BOX, a position ("1" to "5") or a space.
    """

    hand: Hand
    coins: int
    items: tuple[Piece, ...] = ()
    skills: tuple[Piece, ...] = ()
    income: int = 0
    secrets: int = 0
    bottles: tuple[str, ...] = ("1", "2", BOX, BOX, BOX)


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of Collectors at one moment.

    `tracked` says whether bottles carry codes. `unseen` is one pool: all cards in the deck, in hands or face down of
    which nobody can say which. The pools hold their slots, lowest or leftmost first; `due` are the slots that wait for
    a card. `next_first` begins the next quarter (K13). `turn` is in an auction who started it; `actor` has to pay, to
    place the card that was won, or gets a bottle. `space` and `came` are the bottle's space and position of this turn;
    `left` the cards still to be placed in the market; `unable` the coins with which this seat said that nothing of its
    hand can be bought. `price` is what `actor` has to pay for the `lot`, `laid` the cards paid so far, `failed` who
    couldn't pay. `twins` came to the market together: either may lie on top.
    """

    players: tuple[Player, ...]
    tracked: bool
    deck: int
    unseen: frozenset[Piece]
    auction_pool: tuple[str, ...]
    item_pool: tuple[str, ...]
    skill_pool: tuple[str, ...]
    turn: Seat
    first: Seat
    next_first: Seat
    phase: str
    market: tuple[Piece, ...] = ()
    paid: tuple[Piece, ...] = ()
    due: tuple[Zone, ...] = ()
    quarter: int = 1
    begun: bool = False
    space: Space = ""
    came: str = ""
    left: int = 0
    unable: int | None = None
    lot: str = NONE
    auction: Auction | None = None
    actor: Seat = TABLE
    price: int = 0
    laid: tuple[Piece, ...] = ()
    failed: tuple[Seat, ...] = ()
    twins: tuple[frozenset[Piece], ...] = ()
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(range(1, len(self.players) + 1))
