"""The example of docs/adding-a-game.md: Sevens."""

from __future__ import annotations

from companion.rules.cards import Deck
from companion.rules.engine import RuleBased, actions_in, union_of
from companion.rules.kernel import Info, Options, RuleError, Seat, inconsistent
from companion.rules.layout import Layout
from tests.example_game import corrections, rules, views
from tests.example_game.rules import PHASES, Components, Pass, Setup, State


class Sevens(RuleBased[Components, State]):
    """Lay a seven, or the next card up or down of a suit; pass only if nothing fits; the first empty hand wins."""

    kinds = actions_in(rules)
    phases = PHASES
    waiting = "While you wait: look which cards of yours fit soon."
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck, Components(deck), views, corrections)
        self.hidden = frozenset(self.components.place)
        self.info = Info(deck.game, deck.title, deck.code, (2, 4), (), self.declared(), "sevens")

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal all cards; the first seats get one more if they don't come out even."""
        if not 2 <= seats <= 4 or not 1 <= facts.first <= seats:
            wrong = f"{seats} players, of whom seat {facts.first} begins, is not possible"
            raise RuleError(inconsistent("C3", wrong, "Sevens is for 2 to 4 players."))
        return State(frozenset(), views.dealt(self.components, seats), (frozenset(),) * seats, facts.first)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return () if state.outcome else (state.turn,)

    def due(self, state: State) -> str:
        return views.whose_turn(state)

    def layout(self, state: State) -> Layout:
        return views.layout(self.components, state)

    def tacit(self, state: State) -> Pass | None:
        silent = Pass(seat=state.turn)
        return silent if self.judge(state, silent).ok else None


GAME = Sevens
