"""COLLECTION!: the declaration of the game, and the game as everybody else uses it.

`components` is what is on the pieces, `effects` the language of the collection cards, `state` a match at one moment,
`board` its ladders, spaces and circles, `resolve` what cards do to it and what is due next. An action is one class with
its rule, in the rulebook's order: `setup` (3, 4), `moving` (6), `engaging` (6.1), `rolling` (6.2), `reports` (6.3),
`cards` (6); `steps` is what several of them share. `views` says what can be seen, `corrections` keeps a match true.
"""

from __future__ import annotations

from companion.games.collection import (
    cards,
    corrections,
    engaging,
    guide,
    moving,
    reports,
    resolve,
    rolling,
    setup,
    steps,
    views,
)
from companion.games.collection.cards import Pass
from companion.games.collection.components import Components
from companion.games.collection.state import PHASES, Setup, State
from companion.games.collection.steps import CollectionAction
from companion.rules.cards import Deck, Piece
from companion.rules.engine import RuleBased, actions_in, union_of
from companion.rules.kernel import Action, Event, Facts, Info, Options, Ranking, Remark, Seat
from companion.text import t


class Collection(RuleBased[Components, State]):
    """The rules of COLLECTION! for one deck."""

    kinds = actions_in(setup, moving, engaging, rolling, reports, cards)
    phases = PHASES
    heaps = frozenset(("hand", "discard"))
    waiting = t(
        "You win together: talk about who should stand where, and fill every reports circle before a crisis reaches 10."
    )
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck, Components(deck), views, corrections)
        self.info = Info(
            name="collection",
            title=deck.title,
            code=deck.code,
            seats=(3, 7),
            options=setup.OPTIONS,
            kinds=self.declared(),
            rulebook="collection.md",
            preparing=setup.PREPARING,
            guide=guide.guide(self.components),
            words=t("You win together: gems win collectors over, and their reports end three crises in time."),
            coloured=True,
            ranking=Ranking(sides="all"),
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        return setup.prepare(self.components, seats, options, facts)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return steps.due(state)

    def due(self, state: State) -> str:
        return steps.waiting(state)

    def call(self, state: State, seat: Seat) -> str:
        return views.call(state) or super().call(state, seat)

    def coach(self, state: State, seat: Seat) -> str:
        if state.phase == "close" and state.actions and seat == state.turn:
            return t("A card gave you more to do first.")
        return super().coach(state, seat)

    def settle(self, state: State) -> State:
        return resolve.settle(self.components, state)

    def colours(self, state: State) -> dict[Seat, str]:
        roles, card = self.components.roles, self.components.card
        return {
            seat: card[roles[player.role].pawn].traits.get("colour", "")
            for seat, player in enumerate(state.players, start=1)
            if player.role
        }

    def tacit(self, state: State) -> Pass | None:
        """Return what leaves no trace: after the draw, that the cards are held; the next player's action shows it."""
        return Pass(seat=state.turn) if state.phase == "close" else None

    def remarks(self, state: State, action: Action, facts: Facts) -> tuple[Remark, ...]:
        """Return remarks on rolls with their chances, reports, engagements and help."""
        return action.remarks(self.components, state, facts) if isinstance(action, CollectionAction) else ()

    def events(self, before: State, action: Action, facts: Facts, after: State) -> tuple[Event, ...]:
        """Return events with how near a crisis is to the end, and what a roll was made of."""
        found = tuple(map(views.in_crisis, super().events(before, action, facts, after)))
        if isinstance(action, rolling.Roll):
            return tuple(action.told(self.components, before, event) for event in found)
        return found

    def demands(self, state: State, action: Action) -> frozenset[Piece]:
        """Return the gems and coins that a card tells people to move, in any order, once the card lies."""
        moves = isinstance(action, CollectionAction) and action.moves_tokens
        return self.components.tokens if moves else frozenset()


GAME = Collection
