"""The values of Collectible: its actions, what is fixed before the first turn, and its state."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.hands import Hand
from companion.rules.kernel import Action, Hole, Outcome, Seat

PHANTOM: Seat = 0
"""Stands where a seat would for the phantom auctioneer of the two-player game."""

# ---------------------------------------------------------------------------------------------------------- actions


class TurnUp(Action, frozen=True, tag="turn-up", kw_only=True):
    """The talent pile's top card goes face up into an auction (`PHANTOM`, or a seat's at set-up); upkeep.

    Needs Shown at "phantom" or "auction.N".
    """

    player: Seat


class Draw(Action, frozen=True, tag="draw", kw_only=True):
    """Collect: draw a card from the talent pile."""


class Open(Action, frozen=True, tag="open", kw_only=True):
    """Collect: open a bid for a card in anyone else's auction."""

    card: Piece


class Bid(Action, frozen=True, tag="bid", kw_only=True):
    """Offer so many coins for the card on the block."""

    amount: int


class NoBid(Action, frozen=True, tag="no-bid", kw_only=True):
    """Pass in an auction, for good."""


class Sell(Action, frozen=True, tag="sell", kw_only=True):
    """Two players: discard a card from your gallery or auction for one of the phantom auctioneer's coins (A9)."""

    card: Piece | Hole


class Send(Action, frozen=True, tag="send", kw_only=True):
    """Move a card from your gallery to your auction."""

    card: Piece | Hole


class TakeBack(Action, frozen=True, tag="take-back", kw_only=True):
    """Move a card from your auction to your gallery."""

    card: Piece


class Done(Action, frozen=True, tag="done", kw_only=True):
    """Say that you are done moving cards, although you may have moved none (A5)."""


class Discard(Action, frozen=True, tag="discard", kw_only=True):
    """Discard a card that your gallery or auction holds too many of."""

    card: Piece | Hole


class PlayCharacter(Action, frozen=True, tag="character", kw_only=True):
    """Play a character card of your gallery. Where it leaves a choice, Swap, Look or Close follows; then Roll."""

    card: Piece | Hole


class Swap(Action, frozen=True, tag="swap", kw_only=True):
    """Swap a gallery card with this seat: both choose one of their own, face down."""

    partner: Seat


class Look(Action, frozen=True, tag="look", kw_only=True):
    """Look at this seat's gallery."""

    partner: Seat


class Close(Action, frozen=True, tag="close", kw_only=True):
    """Close a card in an auction: nobody can open a bid on it."""

    card: Piece


class Roll(Action, frozen=True, tag="roll", kw_only=True):
    """Roll two dice and put the character under so many cards. Needs Rolled at "dice"."""


class Reveal(Action, frozen=True, tag="reveal", kw_only=True):
    """Lay your gallery open: five of its cards share a theme. Needs Opened at "reveal.N"."""


class Pass(Action, frozen=True, tag="pass", kw_only=True):
    """Pass the turn to the player on your left."""


class Show(Action, frozen=True, tag="show", kw_only=True):
    """A player's gallery is laid open for scoring; upkeep. Needs Opened at "reveal.N"."""

    player: Seat


AnyAction = (
    TurnUp | Draw | Open | Bid | NoBid | Sell | Send | TakeBack | Done | Discard | PlayCharacter | Swap | Look
    | Close | Roll | Reveal | Pass | Show
)  # fmt: skip


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance or the table decides before the first turn: `first` is the seat that starts (A1)."""

    first: Seat = 1


# ------------------------------------------------------------------------------------------------------------ state

Step = Literal["deal", "collect", "send", "sending", "discarding", "reveal", "passed", "show", "over"]
"""Which step of the turn it is, and what of Send has begun and is done, in the order in which a turn goes (A5, A7).

- `deal`: cards are turned up into the auctions before the first turn.
- `collect`: a card is to be collected. Where none can be, Send may begin: that skips Collect, after its window (A3).
- `send`: Send has not begun; before it is a window for characters.
- `sending`: Send has begun, for its owner has moved a card. No window: a character that is laid now waits.
- `discarding`: the moving is over, and what is above five is discarded. No window either.
- `reveal`: Send is done; there is a window, then its owner reveals or passes.
- `passed`: its owner has passed; the turn ends when the characters that waited for the end of Send are done.
- `show`: galleries are laid open for scoring. `over`: the match has ended.
"""
Amid = Literal["", "fill", "bidding", "choose", "roll"]
"""What has to end before a step goes on: a gap of the phantom auction, bids, the choice or the dice of a character."""
Phase = Literal["deal", "fill", "collect", "bidding", "send", "reveal", "choose", "roll", "show", "over"]
"""What people are at: what goes on amid a step, else one of the three steps that the rulebook has."""
PHASES: dict[Step, Phase] = {
    "deal": "deal",
    "collect": "collect",
    "send": "send",
    "sending": "send",
    "discarding": "send",
    "reveal": "reveal",
    "passed": "reveal",
    "show": "show",
    "over": "over",
}
IN_SEND: frozenset[Step] = frozenset({"sending", "discarding"})
"""Send has begun and is not done: no window, so characters wait (A7)."""
NO_CARD: Piece = ""


Gallery = Hand
"""A gallery is a hand: its owner alone sees it."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """A player's cards and coins. `rebates` wait for the next win (A7); `shown` says that the gallery lies open."""

    gallery: Gallery
    auction: frozenset[Piece]
    coins: int
    rebates: int = 0
    shown: bool = False


class Under(msgspec.Struct, frozen=True, gc=False):
    """A character in the talent pile whose place everybody knows: under `depth` cards."""

    piece: Piece
    depth: int


class Closed(msgspec.Struct, frozen=True, gc=False):
    """A card in an auction that is closed until the start of the next turn of `seat`."""

    piece: Piece
    seat: Seat


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A character that a seat has laid and that is not under the talent pile yet."""

    seat: Seat
    piece: Piece


class Block(msgspec.Struct, frozen=True, gc=False):
    """The card that is being bid for, whose auction it came from, and the auction itself."""

    card: Piece
    owner: Seat
    auction: Auction


class Agreed(msgspec.Struct, frozen=True, gc=False):
    """The options of a match (A1, A8)."""

    coins: int
    gallery: int
    auction: int
    rounds: int


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of Collectible at one moment.

    `unseen` is one pool: all cards of which nobody can say whether they are in the talent pile or in which gallery, so
    it is as large as the pile without the cards of `under` (topmost first), the unknown cards of all galleries and
    the cards of `unread` together. The discard pile reads from the bottom up; `traded` are the discards that
    were traded for coins (two players), a pile of their own that is shuffled with the others.

    `step` is the step of the turn, `amid` what has to end before it goes on. `stage` are the characters that were laid,
    the next to take effect first; `leaving` is a character that was discarded and waits for the dice. `turns` counts
    the turns that ended, `granted` the coins that came out of the supply since the start, `unread` names the auctions
    where a card that was turned up has not been read.
    """

    players: tuple[Player, ...]
    agreed: Agreed
    deck: int
    unseen: frozenset[Piece]
    turn: Seat
    step: Step
    amid: Amid = ""
    discard: tuple[Piece, ...] = ()
    traded: tuple[Piece, ...] = ()
    under: tuple[Under, ...] = ()
    phantom: frozenset[Piece] = frozenset()
    phantom_coins: int = 0
    block: Block | None = None
    closed: tuple[Closed, ...] = ()
    stage: tuple[Laid, ...] = ()
    leaving: Piece = NO_CARD
    turns: int = 0
    granted: int = 0
    unread: tuple[Seat, ...] = ()
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from 1."""
        return tuple(range(1, len(self.players) + 1))

    @property
    def phase(self) -> Phase:
        """What people are at."""
        return self.amid or PHASES[self.step]
