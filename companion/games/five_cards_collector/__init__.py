"""Five Cards Collector: the declaration of the game, and the game as everybody else uses it.

`box` is section 1 of the rulebook (the cards), `rulebook` and `specials` are the rules in its order and words, `steps`
what several rules share; `moves` lists what is legal, `show` says what can be seen, `mend` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.five_cards_collector import coaching, mend, moves, rulebook, show
from companion.games.five_cards_collector.box import Box
from companion.games.five_cards_collector.steps import drawable
from companion.games.five_cards_collector.values import (
    Add,
    AnyAction,
    Discard,
    Draw,
    DrawGoal,
    Hand,
    Keep,
    Nothing,
    Player,
    Retrieve,
    Setup,
    State,
    Stuck,
    Take,
    TakeOver,
    TurnUp,
    Use,
)
from companion.rules.assembled import Assembled
from companion.rules.cards import Deck
from companion.rules.kernel import (
    ActionKind,
    AnyEdit,
    Counts,
    Info,
    Option,
    Options,
    Seat,
)
from companion.rules.layout import Layout, Zone

KINDS = (
    ActionKind("goal", "Draw a collection card", "A", "3. Preparation for the game"),
    ActionKind("turn-up", "Turn up a card of the deck", "A", "3. Preparation for the game; F10"),
    ActionKind("add", "Add a card to your collection", "A", "4. Gameplay; F3, F7"),
    ActionKind("discard", "Discard a symbol card", "A", "4. Gameplay"),
    ActionKind("use", "Use a special card", "A", "1. Contents; 4. Gameplay; F4, F5, F9"),
    ActionKind("take", "Take a card out of another hand", "B", "1. Contents; F5"),
    ActionKind("retrieve", "Take a card out of the discard pile", "B", "1. Contents; F5, F9"),
    ActionKind("take-over", "Take over or discard a card of a collection", "A", "1. Contents; F6, F7"),
    ActionKind("draw", "Draw a card from the deck", "C", "4. Gameplay; F4"),
    ActionKind("keep", "Keep the card just drawn", "C", "4. Gameplay; F3"),
    ActionKind("nothing", "Do nothing", "C", "4. Gameplay; 2-player gameplay; F8, F10"),
    ActionKind("stuck", "Say that you have no legal move", "B", "2-player gameplay; F8"),
)


def declare(deck: Deck, box: Box) -> Info:
    """Declare the game. The limits are numbers of the deck file, so that an owner can correct them."""
    low, high = sorted((box.hand_limit, box.hand_limit_two_players))
    words = f"Hand limit with two players: {box.hand_limit_two_players}, or {box.hand_limit} for experienced players"
    return Info(
        name="five-cards-collector",
        title=deck.title,
        code=deck.code,
        seats=(2, 8),
        options=(Option("hand_limit", words, box.hand_limit_two_players, low, high, "2-player gameplay; F4"),),
        kinds=KINDS,
        rulebook="five-cards-collector.md",
    )


class FiveCardsCollector(Assembled[Box, State]):
    """The rules of Five Cards Collector for one deck."""

    action_type = AnyAction
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Sort the deck.

        Raises:
            ValueError: if the deck file does not fit the rules; the message says where.
        """
        super().__init__(deck, Box(deck), moves, show, mend, coaching)
        self.info = declare(deck, self.box)

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal the cards; collection cards and the first discard come from `facts` or as upkeep."""
        return rulebook.prepare(self.box, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are due; `(TABLE,)` during the preparation and F10."""
        return show.actors(state)

    def layout(self, state: State) -> Layout:
        """Say what should lie where."""
        return show.layout(state)

    def tacit(self, state: State) -> AnyAction | None:
        """Return the turn that leaves no trace: a draw if there is room, else nothing; a drawn card is kept."""
        seat = state.turn
        if state.phase == "drawn":
            return Keep(seat=seat)
        if state.phase != "turn":
            return None
        if state.players[seat - 1].hand.size < state.limit and drawable(state):
            return Draw(seat=seat)
        nothing = Nothing(seat=seat)
        return nothing if self.judge(state, nothing).ok else None

    def touches(self, state: State, action: Any) -> frozenset[Zone]:
        """Cards are drawn from the deck: a hand reaches there, and nothing shows of it."""
        draws = isinstance(action, Draw) or (
            isinstance(action, Use) and self.box.effect.get(str(action.card)) == "draw-three"
        )
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        """An empty deck, or its renewal, tells how many cards the hands hold together."""
        if state.deck and state.phase in ("turn", "drawn"):
            yield (Counts("deck", 0),)


GAME = FiveCardsCollector

__all__ = [
    "GAME",
    "Add",
    "AnyAction",
    "Discard",
    "Draw",
    "DrawGoal",
    "FiveCardsCollector",
    "Hand",
    "Keep",
    "Nothing",
    "Player",
    "Retrieve",
    "Setup",
    "State",
    "Stuck",
    "Take",
    "TakeOver",
    "TurnUp",
    "Use",
]
