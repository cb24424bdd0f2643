"""COLLECTION!: the declaration of the game, and the game as everybody else uses it.

`box` is what is on the pieces, `effects` the language of the collection cards, `rulebook` the rules in the rulebook's
order and words, `reporting` the dice and their bonuses, `resolve` what happens to the board, `steps` what several rules
share; `moves` lists what is legal, `show` says what can be seen, `mend` keeps a match true.
"""

from __future__ import annotations

from typing import Any

from companion.games.collection import coaching, mend, moves, rulebook, show
from companion.games.collection.box import Box
from companion.games.collection.remarks import remarks
from companion.games.collection.steps import due
from companion.games.collection.values import (
    AnyAction,
    Choose,
    Draw,
    Engage,
    Move,
    OpenScenario,
    Pass,
    PlayCard,
    Player,
    Roll,
    Scenario,
    Setup,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.assembled import Assembled
from companion.rules.cards import Deck, Piece
from companion.rules.kernel import ActionKind, Facts, Info, Options, Remark, Seat
from companion.rules.layout import Layout

KINDS = (
    ActionKind("role", "Choose your role", "A", "2.1, 3; I13"),
    ActionKind("scenario", "Turn up a scenario card", "A", "3, 4; I11"),
    ActionKind("start", "Put your pawn on the board", "A", "3; I3"),
    ActionKind("move", "Move", "A", "6; I3"),
    ActionKind("engage", "Engage: place a gem", "C", "6.1; I4"),
    ActionKind("roll", "Roll for reporting", "C", "6.2; I5, I6"),
    ActionKind("report", "Use a report", "B", "6.3; I7"),
    ActionKind("draw", "Draw a collection card", "A", "6; I10, I12, I13"),
    ActionKind("play", "Play a blue card", "A", "6; I10, I12, I14"),
    ActionKind("choose", "Choose what a card leaves open", "B", "I10"),
    ActionKind("pass", "Hold your cards and let the next player go on", "C", "6"),
)


class Collection(Assembled[Box, State]):
    """The rules of COLLECTION! for one deck."""

    action_type = AnyAction
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Sort the deck.

        Raises:
            ValueError: if the deck file does not fit the rules; the message names the card.
        """
        super().__init__(deck, Box(deck), moves, show, mend, coaching)
        self.info = Info("collection", deck.title, deck.code, (3, 7), rulebook.options(), KINDS, "collection.md")

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Shuffle; roles, the first scenario and the pawns follow on the table."""
        return rulebook.prepare(self.box, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are due."""
        return due(state)

    def layout(self, state: State) -> Layout:
        """Say what should lie where."""
        return show.layout(self.box, state)

    def tacit(self, state: State) -> AnyAction | None:
        """After the draw the next player's action says that the cards are held."""
        return Pass(seat=state.turn) if state.phase == "close" else None

    def remarks(self, state: State, action: Any, facts: Facts) -> tuple[Remark, ...]:
        """Remark on rolls with their chances, reports, engagements and help."""
        return remarks(self.box, state, action, facts)

    def demands(self, state: State, action: Any) -> frozenset[Piece]:
        """Name the gems and coins that a card tells people to move."""
        return moves.demands(self.box, action)


GAME = Collection

__all__ = [
    "GAME",
    "AnyAction",
    "Choose",
    "Collection",
    "Draw",
    "Engage",
    "Move",
    "OpenScenario",
    "Pass",
    "PlayCard",
    "Player",
    "Roll",
    "Scenario",
    "Setup",
    "Start",
    "State",
    "TakeRole",
    "UseReport",
]
