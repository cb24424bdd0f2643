"""Karmic Collections: the declaration of the game, and the game as everybody else uses it.

`components` is what is on the cards, `sets` the best split of a hand, `spaces` the eight actions as data, `state` a
match at one moment. What a seat can do is one class with its rule, in the rulebook's order: `setup` (with its dice),
`choosing` (the partner, and two of the eight actions), `card_actions` and `dice_actions` (what the eight consist of),
`ending`; `steps` is what several of them share. `views` says what can be seen, `corrections` keeps a match true.
"""

from __future__ import annotations

from companion.games.karmic_collections import (
    card_actions,
    choosing,
    corrections,
    dice_actions,
    ending,
    guide,
    setup,
    steps,
    views,
)
from companion.games.karmic_collections.card_actions import KeepOpen, Take
from companion.games.karmic_collections.choosing import TurnUp
from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.spaces import SIDE_WORDS
from companion.games.karmic_collections.state import PHASES, Setup, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.cards import Deck
from companion.rules.engine import RuleBased, actions_in, union_of
from companion.rules.kernel import Action, Info, Options, Seat, Verdict, at
from companion.text import t


class KarmicCollections(RuleBased[Components, State]):
    """The rules of Karmic Collections for one deck."""

    kinds = actions_in(setup, choosing, card_actions, dice_actions, ending)
    phases = PHASES
    heaps = frozenset()
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck, Components(deck), views, corrections)
        goal = self.components.goal
        self.waiting = t(
            "While you wait: {goal} points win, from coins, matching dice, and pairs and straights of cards.", goal=goal
        )
        self.info = Info(
            name="karmic-collections",
            title=deck.title,
            code=deck.code,
            seats=(2, 6),
            options=(),
            kinds=self.declared(),
            rulebook="karmic-collections.md",
            preparing=setup.PREPARING,
            guide=guide.guide(self.components),
            words=t(
                "One action is yours, the other your partner chooses for you: be first to get {goal} points.", goal=goal
            ),
            coloured=True,
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal chits and tokens to everybody; first cards and dice come up on the table."""
        return setup.prepare(self.components, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return steps.actors(self.components, state)

    def due(self, state: State) -> str:
        return steps.waiting(self.components, state)

    def phase(self, state: State) -> str:
        return state.awaits

    def judge(self, state: State, action: Action) -> Verdict:
        wrong = action.misplaced(self.components, state) if isinstance(action, Take) else None
        return wrong if wrong is not None else super().judge(state, action)

    def coach(self, state: State, seat: Seat) -> str:
        if state.phase == "second" and seat == state.partner:
            who = at(state.turn)
            return t(
                "You are the partner: choose the second action for {who}; it takes from you or gives you.",
                who=who,
            )
        return super().coach(state, seat)

    def call(self, state: State, seat: Seat) -> str:
        if state.phase == "second":
            return t("Choose a {side} action for {turn}", side=SIDE_WORDS[steps.opposite(state)], turn=at(state.turn))
        return super().call(state, seat)

    def colours(self, state: State) -> dict[Seat, str]:
        return self.components.colour

    def tacit(self, state: State) -> KarmicAction | None:
        """Return what goes without saying: cards left open, tokens turned up, a turn ended by going on."""
        match state.awaits:
            case "conceal":
                return KeepOpen(seat=state.partner)
            case "tokens":
                return TurnUp(seat=state.turn)
            case "end":
                return EndTurn(seat=state.turn)
        return None


GAME = KarmicCollections
