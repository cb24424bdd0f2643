"""Five Cards Collector: the declaration of the game, and the game as everybody else uses it.

`components` is section 1 of the rulebook (the cards), `state` a match at one moment. An action is one class with its
rule: `preparation`, `laying` (adding and discarding), `specials`, `drawing`, `passing` (with two players it may lose);
`steps` is what several of them share. `views` says what can be seen, `corrections` keeps a match true.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.five_cards_collector import (
    corrections,
    drawing,
    guide,
    laying,
    passing,
    preparation,
    specials,
    steps,
    views,
)
from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.specials import Use
from companion.games.five_cards_collector.state import PHASES, Setup, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.cards import Deck
from companion.rules.engine import RuleBased, actions_in, union_of
from companion.rules.kernel import Action, AnyEdit, Counts, Info, Option, Options, Seat
from companion.rules.layout import Zone
from companion.text import t


class FiveCardsCollector(RuleBased[Components, State]):
    """The rules of Five Cards Collector for one deck."""

    kinds = actions_in(preparation, laying, specials, drawing, passing)
    phases = PHASES
    heaps = frozenset(("collected", "used"))
    waiting = t("While you wait: look which of your cards matches the discard pile in colour or figure.")
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        components = Components(deck)
        super().__init__(deck, components, views, corrections)
        self.hidden = components.symbols | components.specials
        usual, beginners = components.hand_limit, components.hand_limit_two_players
        low, high = sorted((usual, beginners))
        limit = t(
            "Hand limit with two players: {beginners}, or {usual} for experienced players",
            beginners=beginners,
            usual=usual,
        )
        self.info = Info(
            name="five-cards-collector",
            title=deck.title,
            code=deck.code,
            seats=(2, 8),
            options=(Option("hand_limit", limit, beginners, low, high, "2-player gameplay; F4"),),
            kinds=self.declared(),
            rulebook="five-cards-collector.md",
            preparing=preparation.PREPARING,
            guide=guide.guide(self.components),
            words=t("A fast party game of luck and cleverness: be first to gather the five symbols of your card."),
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal the cards; collection cards and the first discard come from `facts` or as upkeep."""
        return preparation.prepare(self.components, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return steps.actors(state)

    def due(self, state: State) -> str:
        return steps.waiting(self.components, state)

    def call(self, state: State, seat: Seat) -> str:
        if state.phase == "turn" and not steps.can_draw(state):
            return t("Your turn: add or discard a card")
        return super().call(state, seat)

    def tacit(self, state: State) -> FiveCardsAction | None:
        """Return the turn that leaves no trace: a draw if there is room, else nothing; a drawn card is kept."""
        silent = (Keep, Draw, Nothing)
        return next((action for kind in silent if self.judge(state, action := kind(seat=state.turn)).ok), None)

    def touches(self, state: State, action: Action) -> frozenset[Zone]:
        draws = isinstance(action, Draw) or (
            isinstance(action, Use) and self.components.effect.get(str(action.card)) == "draw-three"
        )
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        if state.deck and state.phase in ("turn", "drawn"):
            yield (Counts("deck", 0),)


GAME = FiveCardsCollector
