"""The values of Five Cards Collector: its actions, what is fixed before the first turn, and its state."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.cards import Piece
from companion.rules.hands import Hand as Hand
from companion.rules.kernel import Action, Hole, Outcome, Seat

# ---------------------------------------------------------------------------------------------------------- actions


class DrawGoal(Action, frozen=True, tag="goal", kw_only=True):
    """A collection card is drawn for a player and lies before them; upkeep. Needs Shown at "goal.N"."""

    player: Seat


class TurnUp(Action, frozen=True, tag="turn-up", kw_only=True):
    """The top card of the deck is turned up, at set-up or by F10; upkeep. Needs Shown at "discard"."""


class Add(Action, frozen=True, tag="add", kw_only=True):
    """Add a card to your collection."""

    card: Piece | Hole


class Discard(Action, frozen=True, tag="discard", kw_only=True):
    """Discard a symbol card."""

    card: Piece | Hole


class Use(Action, frozen=True, tag="use", kw_only=True):
    """Use a special card. Where it leaves a choice, Take, Retrieve or TakeOver follows."""

    card: Piece | Hole


class Take(Action, frozen=True, tag="take", kw_only=True):
    """Take one card out of a hand, by "Draw from a player's hand" or "View player's hand"."""

    victim: Seat


class Retrieve(Action, frozen=True, tag="retrieve", kw_only=True):
    """Take a card out of the discard pile."""

    card: Piece


class TakeOver(Action, frozen=True, tag="take-over", kw_only=True):
    """Move a card out of a collection: to your own, or onto the discard pile."""

    card: Piece
    from_seat: Seat
    to: Literal["own", "discard"]


class Draw(Action, frozen=True, tag="draw", kw_only=True):
    """Pick a new card from the deck. One follow-up (Discard, Add or Use of that card) or Keep ends the turn."""


class Keep(Action, frozen=True, tag="keep", kw_only=True):
    """Leave the card just drawn in the hand."""


class Nothing(Action, frozen=True, tag="nothing", kw_only=True):
    """Make no move."""


class Stuck(Action, frozen=True, tag="stuck", kw_only=True):
    """With two players and no pass left: "I have no legal move". Needs Opened at "open.N"."""


AnyAction = DrawGoal | TurnUp | Add | Discard | Use | Take | Retrieve | TakeOver | Draw | Keep | Nothing | Stuck


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance or the table decides before the first turn.

    `first` is the seat that starts. `goals` are the collection cards in seat order, `turned_up` the cards turned up to
    start the discard pile (specials first, the last one a symbol); left out, both come as upkeep.
    """

    first: Seat = 1
    goals: tuple[Piece, ...] = ()
    turned_up: tuple[Piece, ...] = ()


# ------------------------------------------------------------------------------------------------------------ state

NO_GOAL = ""
"""A player's collection card before it is drawn."""

UNREAD_GOAL = "?"
"""A player's collection card that lies there but has not been read yet."""

NO_CARD = ""
"""No special is in use."""

Phase = Literal["goals", "turn-up", "turn", "drawn", "take", "retrieve", "take-over", "over"]


class Player(msgspec.Struct, frozen=True, gc=False):
    """What lies before a player and what is in the hand; `passes` counts the turns without a move (two players)."""

    goal: Piece
    collected: tuple[Piece, ...]
    hand: Hand
    passes: int = 0


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of Five Cards Collector at one moment.

    `unseen` is one pool: all cards in play of which nobody can say whether they are in the deck or in which hand, so it
    is as large as the deck, the unknown cards of all hands and an unread turned-up card together. Piles read from the
    bottom up. `direction` is 1 clockwise, -1 the other way; `idle` counts the turns in a row in which nobody did
    anything; `in_use` is the special whose effect is not done yet (F4); `unread` says that a card turned up onto the
    discard pile has not been read.
    """

    players: tuple[Player, ...]
    limit: int
    deck: int
    unseen: frozenset[Piece]
    discard: tuple[Piece, ...]
    used: tuple[Piece, ...]
    turn: Seat
    phase: Phase
    direction: int = 1
    idle: int = 0
    in_use: Piece = NO_CARD
    unread: bool = False
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from 1."""
        return tuple(range(1, len(self.players) + 1))
