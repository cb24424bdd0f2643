"""The state of a match of Karmic Collections, what is fixed before its first turn, and what a match waits for."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.karmic_collections.spaces import NOTHING, STEPS, Step
from companion.rules.cards import Piece
from companion.rules.engine import Phase
from companion.rules.kernel import TABLE, Outcome, Seat
from companion.text import t

SETUP, DICE, HOW, ACTIONS = "Setup", "Dice Rules", "How to Play", "Action Rules"
PHASES = {
    "deal": Phase(
        rule=SETUP,
        coach=t("Everybody gets cards, open on the table: pairs and straights are points."),
    ),
    "dice": Phase(
        rule=SETUP,
        coach=t("Roll your dice once: they keep these values, and dice that match are points."),
        call=t("Roll your dice"),
    ),
    "lot": Phase(
        rule=SETUP,
        coach=t("Some of you have equally few points: chance decides who of them begins."),
        call=t("Choose by chance who goes first"),
    ),
    "tokens": Phase(
        rule=HOW,
        coach=t("All your partner tokens lie face down: turn them up again."),
        call=t("Turn your partner tokens up"),
    ),
    "partner": Phase(
        rule=HOW,
        coach=t(
            "Choose a partner for this turn: you take from them, give to them, and they choose your second action."
        ),
        call=t("Your turn: choose a karmic partner"),
    ),
    "first": Phase(
        rule=HOW,
        coach=t("Your partner chooses the second."),
        call=t("Play your first pawn"),
    ),
    "second": Phase(rule=HOW),
    "draw": Phase(
        rule=ACTIONS,
        coach=t("Take the top card of the deck, face up: pairs and straights are points."),
        call=t("Draw a card, face up"),
    ),
    "roll": Phase(
        rule=ACTIONS,
        coach=t("Roll the new dice once: they keep these values, and dice that match are points."),
        call=t("Roll the new dice"),
    ),
    "partner-roll": Phase(
        rule=ACTIONS,
        coach=t("You get a die: roll it once, it keeps its value."),
        call=t("Roll the new dice"),
    ),
    "conceal": Phase(
        rule=ACTIONS,
        coach=t("Cards of yours are about to be taken: you may hide those that are in no pair and no straight."),
        call=t("Conceal cards, or keep them open"),
    ),
    "take-card": Phase(
        rule=ACTIONS,
        coach=t("Take one of your partner's cards: one that lies open, or a hidden one without looking."),
        call=t("Take a card of your partner"),
    ),
    "return-card": Phase(
        rule=ACTIONS,
        coach=t("Give your partner one of your cards in exchange."),
        call=t("Give your partner a card in exchange"),
    ),
    "give-card": Phase(
        rule=ACTIONS,
        coach=t("Give your partner one of your cards: best one that is in no pair and no straight."),
        call=t("Give your partner a card"),
    ),
    "take-die": Phase(
        rule=ACTIONS,
        coach=t("Take one of your partner's dice: dice that match are points."),
        call=t("Take a die of your partner"),
    ),
    "return-die": Phase(
        rule=ACTIONS,
        coach=t("Give your partner one of your dice in exchange."),
        call=t("Give your partner a die in exchange"),
    ),
    "give-die": Phase(
        rule=ACTIONS,
        coach=t("Give your partner one of your dice: best one that matches no other."),
        call=t("Give your partner a die"),
    ),
    "end": Phase(
        rule=HOW,
        coach=t("Your turn is over: take your pawns back and turn your partner's token down."),
        call=t("End your turn: pawns back, token down"),
    ),
    "over": Phase(),
}
"""What a match waits for, in the rulebook's order; the hint for "second" is in `KarmicCollections.coach`."""

NO_CARD: Piece = ""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first turn: nothing, as cards and dice come up on the table."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What a player owns, all public: `dice` are locked values, sorted; `up` the seats whose partner tokens are up."""

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
    were just taken in a swap: they are not handed back (M3). `turns` counts the turns that have ended.
    """

    players: tuple[Player, ...]
    unseen: frozenset[Piece]
    bags: Bags
    phase: Literal["deal", "dice", "lot", "tokens", "partner", "first", "second", "act", "end", "over"] = "deal"
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
        return tuple(range(1, len(self.players) + 1))

    @property
    def doing(self) -> Step:
        """The step of the action that is being performed; `NOTHING` if none is."""
        return STEPS[self.spaces[-1]][self.step] if self.phase == "act" else NOTHING

    @property
    def awaits(self) -> str:
        """What is due, one of `PHASES`: the phase, or the step of the action that is being performed."""
        return STEPS[self.spaces[-1]][self.step].does if self.phase == "act" else self.phase
