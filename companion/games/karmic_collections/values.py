"""The values of Karmic Collections: its actions, what is fixed before the first turn, and its state."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, Outcome, Seat

# ---------------------------------------------------------------------------------------------------------- actions


class Deal(Action, frozen=True, tag="deal", kw_only=True):
    """A card of the deck goes face up to a player's hand before the first turn; upkeep. Needs Shown at "hand.N"."""

    player: Seat


class Roll(Action, frozen=True, tag="roll", kw_only=True):
    """Roll the dice just gained, once, to lock their values. Needs Rolled at "dice"."""


class Lot(Action, frozen=True, tag="lot", kw_only=True):
    """Choose by chance who of those with the fewest points goes first.

    Needs Rolled at "dice": one value, 1 for the first of them clockwise from seat 1.
    """


class TurnUp(Action, frozen=True, tag="turn-up", kw_only=True):
    """Turn all your partner tokens up again, at the start of your turn."""


class Partner(Action, frozen=True, tag="partner", kw_only=True):
    """Declare your karmic partner for the turn: place their token forward."""

    partner: Seat


class First(Action, frozen=True, tag="first", kw_only=True):
    """Play your first pawn on one of the eight actions."""

    space: str


class Second(Action, frozen=True, tag="second", kw_only=True):
    """Choose the second action of whose karmic partner you are, from the opposite side."""

    space: str


class Draw(Action, frozen=True, tag="draw", kw_only=True):
    """Take the top card of the deck face up into your hand. Needs Shown at "hand.N"."""


class Conceal(Action, frozen=True, tag="conceal", kw_only=True):
    """Turn over and shuffle your cards that aren't part of any set, before somebody takes cards of you."""

    cards: tuple[Piece, ...]
    """All of them, in the order of the deck."""


class KeepOpen(Action, frozen=True, tag="keep-open", kw_only=True):
    """Conceal nothing from who takes cards of you."""


class Take(Action, frozen=True, tag="take", kw_only=True):
    """Take a face-up card of your karmic partner: steal it, or swap it."""

    card: Piece


class TakeBlind(Action, frozen=True, tag="take-blind", kw_only=True):
    """Take one of the cards that your karmic partner has concealed, without looking. Needs Shown at "hand.N"."""


class Give(Action, frozen=True, tag="give", kw_only=True):
    """Give your karmic partner a card: one that is due, or in exchange for the one taken."""

    card: Piece


class TakeDie(Action, frozen=True, tag="take-die", kw_only=True):
    """Take a die of this value of your karmic partner, in exchange for one of yours."""

    value: int


class GiveDie(Action, frozen=True, tag="give-die", kw_only=True):
    """Give your karmic partner a die of this value: one that is due, or in exchange for the one taken."""

    value: int


class EndTurn(Action, frozen=True, tag="end-turn", kw_only=True):
    """Reclaim your pawns, turn your partner's token down, and pass the turn on clockwise."""


AnyAction = (
    Deal | Roll | Lot | TurnUp | Partner | First | Second | Draw | Conceal | KeepOpen | Take | TakeBlind | Give
    | TakeDie | GiveDie | EndTurn
)  # fmt: skip


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first turn: nothing, as cards and dice come up on the table."""


# ------------------------------------------------------------------------------------------------------------ state

Phase = Literal["deal", "dice", "lot", "tokens", "partner", "first", "second", "act", "end", "over"]
NO_CARD: Piece = ""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What a player owns, all of it public. `dice` are locked values, sorted; `up` are the partner tokens not turned
    down, by the seat that they stand for.
    """

    hand: frozenset[Piece]
    dice: tuple[int, ...]
    coins: int
    chits: int
    up: frozenset[Seat]


class Bags(msgspec.Struct, frozen=True, gc=False):
    """How many coins, dice and chits have come out of the bags, which never run out (M4)."""

    coins: int = 0
    dice: int = 0
    chits: int = 0


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of Karmic Collections at one moment.

    `unseen` are the cards of the deck; hands are known to everybody. `turn` is `TABLE` before the first turn. `phase`
    is what is due: in "act" it is the step `step` of the action `spaces[-1]`, of the one or two chosen this turn.
    `partner` is the karmic partner of this turn, `concealed` which of its cards lie face down. `taken` and `taken_die`
    are what was just taken in a swap: they are not handed back (M3). `turns` counts the turns that have ended.
    """

    players: tuple[Player, ...]
    unseen: frozenset[Piece]
    bags: Bags
    phase: Phase = "deal"
    turn: Seat = TABLE
    partner: Seat = TABLE
    spaces: tuple[str, ...] = ()
    step: int = 0
    concealed: frozenset[Piece] = frozenset()
    taken: Piece = NO_CARD
    taken_die: int = 0
    turns: int = 0
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from 1."""
        return tuple(range(1, len(self.players) + 1))
