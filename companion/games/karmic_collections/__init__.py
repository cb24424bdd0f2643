"""Karmic Collections: the declaration of the game, and the game as everybody else uses it.

`box` is what is on the cards, `sets` the best split of a hand, `spaces` the eight actions as data, `rulebook` the rules
in the rulebook's order and words, `steps` what several rules share; `moves` lists what is legal, `show` says what can
be seen, `mend` keeps a match true.
"""

from __future__ import annotations

from companion.games.karmic_collections import coaching, mend, moves, rulebook, show, steps
from companion.games.karmic_collections.components import Box
from companion.games.karmic_collections.values import (
    AnyAction,
    Bags,
    Conceal,
    Deal,
    Draw,
    EndTurn,
    First,
    Give,
    GiveDie,
    KeepOpen,
    Lot,
    Partner,
    Player,
    Roll,
    Second,
    Setup,
    State,
    Take,
    TakeBlind,
    TakeDie,
    TurnUp,
)
from companion.rules.assembled import Assembled
from companion.rules.cards import Deck
from companion.rules.kernel import ActionKind, Info, Options, Seat
from companion.rules.layout import Layout

KINDS = (
    ActionKind("deal", "Deal a card", "A", "Setup"),
    ActionKind("roll", "Roll the new dice", "C", "Dice Rules; M8"),
    ActionKind("lot", "Choose by chance who goes first", "C", "How to Play"),
    ActionKind("turn-up", "Turn all partner tokens up", "A", "How to Play; M6"),
    ActionKind("partner", "Declare a karmic partner", "A", "How to Play; M6"),
    ActionKind("first", "Play the first pawn on an action", "A", "How to Play; M4, M5"),
    ActionKind("second", "Choose the second action for your partner", "A", "How to Play; M4, M5"),
    ActionKind("draw", "Draw a card", "A", "Action Rules; M4"),
    ActionKind("conceal", "Conceal the cards outside your sets", "A", "Card Rules; M3"),
    ActionKind("keep-open", "Keep your cards open", "C", "Card Rules; M3"),
    ActionKind("take", "Take a card that lies face up", "A", "Action Rules; M3"),
    ActionKind("take-blind", "Pick a concealed card without looking", "A", "Card Rules; M3"),
    ActionKind("give", "Give a card", "A", "Action Rules; M3"),
    ActionKind("take-die", "Take a die in a swap", "B", "Action Rules; M3, M8"),
    ActionKind("give-die", "Give a die", "B", "Action Rules; M3, M8"),
    ActionKind("end-turn", "End the turn: pawns back, partner token down", "A", "How to Play; M7"),
)


class KarmicCollections(Assembled[Box, State]):
    """The rules of Karmic Collections for one deck."""

    action_type = AnyAction
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Sort the deck.

        Raises:
            ValueError: if the deck file does not fit the rules; the message says where.
        """
        super().__init__(deck, Box(deck), moves, show, mend, coaching)
        self.info = Info("karmic-collections", deck.title, deck.code, (2, 6), (), KINDS, "karmic-collections.md")

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Return chits and tokens; first cards and dice come up on the table."""
        return rulebook.prepare(self.box, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are due."""
        return steps.actors(self.box, state)

    def layout(self, state: State) -> Layout:
        """Say what should lie where."""
        return show.layout(self.box, state)

    def tacit(self, state: State) -> AnyAction | None:
        """Return what goes without saying: cards left open, tokens turned up, a turn ended by going on."""
        return moves.tacit(state)


GAME = KarmicCollections

__all__ = [
    "GAME",
    "AnyAction",
    "Bags",
    "Conceal",
    "Deal",
    "Draw",
    "EndTurn",
    "First",
    "Give",
    "GiveDie",
    "KarmicCollections",
    "KeepOpen",
    "Lot",
    "Partner",
    "Player",
    "Roll",
    "Second",
    "Setup",
    "State",
    "Take",
    "TakeBlind",
    "TakeDie",
    "TurnUp",
]
