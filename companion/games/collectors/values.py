"""The values of Collectors: its actions, what is fixed before the first turn, and its state."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.hands import Hand as Hand
from companion.rules.kernel import TABLE, Action, Hole, Outcome, Seat
from companion.rules.layout import Zone

Space = str
"""An action space: "buy-1" … "buy-5", "skill-1" …, "auction-1" …, "raise-1" …, "quarter", "recycle", "draw", "first",
"income"."""

Role = Literal["item", "skill", "market", "secret"]
"""What a card that was won at an auction becomes."""

# ---------------------------------------------------------------------------------------------------------- actions


class Hide(Action, frozen=True, tag="hide", kw_only=True):
    """Tuck one of the three cards face down under the treasure chest."""


class Fill(Action, frozen=True, tag="fill", kw_only=True):
    """A card of the deck comes up in a slot of a pool; upkeep. Needs Shown at the slot.

    With the slot "paid": the card up for auction that nobody could pay for goes there, face up (K10).
    """

    slot: Zone


class Place(Action, frozen=True, tag="place", kw_only=True):
    """Place a bottle on an action space. Seal and skills act at once, and what needs no choice."""

    space: Space
    bottle: Piece | Hole


class Buy(Action, frozen=True, tag="buy", kw_only=True):
    """Buy an item from the item pool or out of the hand."""

    card: Piece | Hole


class TakeBack(Action, frozen=True, tag="take-back", kw_only=True):
    """No card of the hand can be paid after all: bottle and seal are taken back (K17)."""


class GetSkill(Action, frozen=True, tag="skill", kw_only=True):
    """Take a skill from the skill pool or out of the hand."""

    card: Piece | Hole


class Gain(Action, frozen=True, tag="gain", kw_only=True):
    """Take the new bottle of a bottle skill to the lowest free position (K6)."""

    bottle: Piece | Hole


class RaiseValue(Action, frozen=True, tag="raise", kw_only=True):
    """Place one card in the market pool: out of the hand, or the lowest of the skill or the auction pool."""

    card: Piece | Hole


class Offer(Action, frozen=True, tag="offer", kw_only=True):
    """Put a card up for auction: from the auction pool, or out of the hand; face down it has no number ("")."""

    card: Piece | Hole


class MakeBid(Action, frozen=True, tag="bid", kw_only=True):
    """Bid."""

    amount: int


class PassBid(Action, frozen=True, tag="pass", kw_only=True):
    """Pass, for the rest of this auction."""


class PayCard(Action, frozen=True, tag="pay-card", kw_only=True):
    """Pay with a card of the hand, worth what its corner says."""

    card: Piece | Hole


class PayCoins(Action, frozen=True, tag="pay-coins", kw_only=True):
    """Pay the rest of the bid with coins."""


class CantPay(Action, frozen=True, tag="cant-pay", kw_only=True):
    """Say that you can't pay your bid, and lay the hand open (K10). Needs Opened at "open"."""


class Put(Action, frozen=True, tag="put", kw_only=True):
    """Place the card just won: as an item, a skill or a market share, or, face down (""), as a secret item."""

    role: Role
    card: Piece | Hole


class Flow(Action, frozen=True, tag="flow", kw_only=True):
    """Cards move from one pool to another, and recycled bottles leave the board; upkeep (phase 2)."""


class Retrieve(Action, frozen=True, tag="retrieve", kw_only=True):
    """Take a bottle back to a position of the player board."""

    bottle: Piece | Hole
    position: int


class Reveal(Action, frozen=True, tag="reveal", kw_only=True):
    """Reveal a secret item at the end of the game."""

    card: Piece | Hole


AnyAction = (
    Hide | Fill | Place | Buy | TakeBack | GetSkill | Gain | RaiseValue | Offer | MakeBid | PassBid | PayCard
    | PayCoins | CantPay | Put | Flow | Retrieve | Reveal
)  # fmt: skip


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance decides before the first turn: the seat that gets the 1st player token."""

    first: Seat = 1


# ------------------------------------------------------------------------------------------------------------ state

NONE: Final = ""
"""An empty slot; no card is up for auction; a card that goes face down."""

UNREAD: Final = "?"
"""A card that lies face up in a slot and has not been read yet; a card that is up for auction face down."""

BOX: Final = ""
"""Where a bottle of the supply is that has not been in play, or left the board."""

BOARD: Final = frozenset("12345")
"""The positions of a player board, as places of bottles."""

Phase = Literal[
    "treasure", "fill", "turn", "buy", "skill", "gain", "raise", "offer", "bid", "pay", "put", "flow", "retrieve",
    "reveal", "over",
]  # fmt: skip


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

    `tracked` says whether bottles carry codes. `unseen` is one pool: all cards of which nobody can say where they are:
    in the deck, in which hand, or face down. The pools hold their slots, lowest or leftmost first. `due` are the slots
    that still wait for a card. `first` is the first player of this quarter, `next_first` of the next one (K13).
    `turn` is whose turn it is, in an auction who started it; `actor` who has to pay, to place the card that was won, or
    gets a bottle. `space` and `came` are the bottle's space and position of this turn; `left` the cards still to be
    placed in the market; `unable` the coins at which this seat could buy nothing out of its hand in this turn. `lot` is
    up for auction; `price` is what `actor` has to pay for it, `laid` the cards paid so far, `failed` who couldn't pay.
    `twins` are pairs of cards that came to the market together in a phase 2: which lies on which is left open.
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
    phase: Phase
    market: tuple[Piece, ...] = ()
    paid: tuple[Piece, ...] = ()
    due: tuple[Zone, ...] = ()
    quarter: int = 1
    begun: bool = False
    space: Space = ""
    came: str = ""
    left: int = 0
    unable: int = -1
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
        """All seats, clockwise from 1."""
        return tuple(range(1, len(self.players) + 1))
