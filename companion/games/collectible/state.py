"""A match of Collectible at one moment, what is fixed before its first turn, and the steps that a turn goes through."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.rules import engine
from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.hands import Hand
from companion.rules.kernel import Outcome, Seat
from companion.text import t

PHANTOM: Final[Seat] = 0
"""Stands where a seat would for the phantom auctioneer of the two-player game."""

NO_CARD: Final[Piece] = ""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance or the table decides before the first turn: `first` is the seat that starts (A1)."""

    first: Seat = 1


COLLECT, SEND, REVEAL = "Collect cards", "Send to auction", "Reveal or pass"
SCORING = "Reveal or pass: the winner"
CHARACTERS, TWO_PLAYERS, SETUP = "Character cards", "Two-player game", "A1"

Step = Literal["deal", "collect", "send", "sending", "discarding", "reveal", "passed", "show", "over"]
"""How far the turn has come; the second step, Send, has three stages, which A5 tells apart.

- `deal`: before the first turn, cards are turned up into the auctions (A1).
- `collect`: the first step is due; where nothing can be collected Send may begin, which skips it (A3).
- `send`: Send has not begun: the window for characters before it (A7).
- `sending`: a card was moved, and more may be; there is no window.
- `discarding`: what is above five is to go, "only after the moving"; there is no window.
- `reveal`: Send is over: the window before the third step.
- `passed`: the turn ends when the characters that waited for the end of Send are done.
- `show`: the match is decided, and galleries are laid open for scoring.
- `over`: the match has ended.
"""

WINDOWS: Final = frozenset[Step](("collect", "send", "reveal"))
"""The window of A7 before each step; the one after a turn's last step is that before the next turn's first."""

AMID_SEND: Final = frozenset[Step](("sending", "discarding"))
"""Send has begun and is not over: "a character declared between two moves waits until Send is done" (A5)."""

Amid = Literal["", "fill", "bidding", "choose", "roll"]
"""What has to end before a step goes on: a gap of the phantom auction, bids, the choice or the dice of a character."""

Phase = Literal["deal", "fill", "collect", "bidding", "send", "reveal", "choose", "roll", "show", "over"]
"""The phase of a match: what goes on amid a step, else one of the three steps that the rulebook has."""

PHASE_OF: Final[dict[Step, Phase]] = {
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

PHASES: Final = {
    "deal": engine.Phase(rule=SETUP, coach=t("Cards are turned up into the auctions before play begins.")),
    "fill": engine.Phase(rule=TWO_PLAYERS, coach=t("A card is turned up into the phantom auctioneer's auction.")),
    "collect": engine.Phase(
        rule=COLLECT,
        coach=t("First get a card: from the talent pile, or somebody's auction."),
        call=t("Your turn: draw a card"),
    ),
    "bidding": engine.Phase(
        rule=COLLECT,
        coach=t("Bid more, or pass for good: the winner pays whose auction it was."),
        call=t("Bid, or pass"),
    ),
    "send": engine.Phase(
        rule=SEND,
        coach=t("You have moved your cards: now discard what is too many in your gallery or your auction."),
        call=t("Move cards, then reveal or pass"),
    ),
    "reveal": engine.Phase(rule=REVEAL, call=t("Reveal your collection, or pass")),
    "choose": engine.Phase(
        rule=CHARACTERS,
        coach=t("Your character leaves you a choice: tap whom, or which card, it is about."),
        call=t("Choose what your character does"),
    ),
    "roll": engine.Phase(
        rule=CHARACTERS,
        coach=t("Roll two dice: the character goes into the talent pile, under as many cards as they show."),
        call=t("Roll two dice for the character"),
    ),
    "show": engine.Phase(
        rule=SCORING,
        coach=t("Everybody lays the gallery open: cards of one theme count, added up."),
        call=t("Lay your gallery open"),
    ),
    "over": engine.Phase(rule=REVEAL),
}
"""The phases of a match; `views.coach` has the hints with numbers of the deck."""


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

    `unseen` is one pool: all cards in the talent pile or a gallery of which nobody can say where, so it is as large as
    the pile without the cards of `under` (topmost first), the unknown cards of all galleries and the cards of `unread`
    together. The discard pile reads from the bottom up; `traded` are the discards that were traded for coins (two
    players), a pile of their own that is shuffled with the others. `amid` has to end before the `step` goes on. `stage`
    are the laid characters, the next to take effect first; `leaving` is a discarded one that waits for the dice.
    `turns` counts the turns that ended, `granted` the supply's coins, `unread` names the auctions with an unread card.
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
        return tuple(range(1, len(self.players) + 1))

    @property
    def closed_cards(self) -> frozenset[Piece]:
        return frozenset(shut.piece for shut in self.closed) if self.closed else frozenset()

    @property
    def waiting_characters(self) -> tuple[Piece, ...]:
        """The characters that were laid or discarded and are not under the talent pile yet."""
        return (*(character.piece for character in self.stage), *((self.leaving,) if self.leaving else ()))

    @property
    def phase(self) -> Phase:
        return self.amid or PHASE_OF[self.step]
