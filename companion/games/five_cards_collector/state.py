"""The state of a match of Five Cards Collector, what is fixed before its first turn, and its phases."""

from __future__ import annotations

import msgspec

from companion.rules.cards import Piece
from companion.rules.engine import Phase
from companion.rules.hands import Hand as Hand
from companion.rules.kernel import Outcome, Seat
from companion.text import t


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance or the table decides before the first turn: `first` is the seat that starts.

    `goals` are the collection cards in seat order, `turned_up` the cards turned up to start the discard pile (specials
    first, the last one a symbol); left out, both come as upkeep.
    """

    first: Seat = 1
    goals: tuple[Piece, ...] = ()
    turned_up: tuple[Piece, ...] = ()


NO_GOAL = ""
"""A player's collection card before it is drawn."""

UNREAD_GOAL = "?"
"""A player's collection card that lies there but has not been read yet."""

NO_CARD = ""
PHASES = {
    "goals": Phase(coach=t("Everybody gets a collection card: it shows the five cards to collect.")),
    "turn-up": Phase(coach=t("The top card of the deck is turned up: it begins the discard pile.")),
    "turn": Phase(
        coach=t(
            "Add a card that you collect, discard one that matches the pile in colour or figure, "
            "use a special card, or draw; all five win."
        ),
        call=t("Your turn: add, discard or draw"),
    ),
    "drawn": Phase(
        coach=t("Play the card you drew if it fits, or keep it: either way your turn is over then."),
        call=t("Play the card you drew, or keep it"),
    ),
    "take": Phase(
        coach=t("You take a card: tap whose."),
        call=t("Take a card out of another hand"),
    ),
    "retrieve": Phase(
        coach=t("You take a card back: tap which."),
        call=t("Take a card out of the discard pile"),
    ),
    "take-over": Phase(
        coach=t("Collect it if you need it, or discard it."),
        call=t("Take over or discard somebody's card"),
    ),
    "over": Phase(),
}
"""The phases of a match: the preparation, a turn and what follows within it, and the end."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What lies before a player and what is in the hand; `passes` counts the turns without a move (two players)."""

    goal: Piece
    collected: tuple[Piece, ...]
    hand: Hand
    passes: int = 0


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of Five Cards Collector at one moment.

    `unseen` is one pool: all cards in the deck or a hand of which nobody can say where, so it is as large as the deck,
    the unknown cards of all hands and an unread turned-up card together. Piles read from the bottom up. `direction` is
    1 clockwise, -1 the other way; `idle` counts the turns in a row in which nobody did anything; `in_use` is the
    special whose effect is not done yet (F4); `unread` says that a card turned up onto the discard pile has not been
    read.
    """

    players: tuple[Player, ...]
    limit: int
    deck: int
    unseen: frozenset[Piece]
    discard: tuple[Piece, ...]
    used: tuple[Piece, ...]
    turn: Seat
    phase: str
    direction: int = 1
    idle: int = 0
    in_use: Piece = NO_CARD
    unread: bool = False
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(range(1, len(self.players) + 1))
