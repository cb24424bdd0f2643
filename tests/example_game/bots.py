"""What is hidden in a match of Sevens: the hands. With it robots can play it."""

from __future__ import annotations

from companion.rules.kernel import Action, Facts
from companion.sim.world import Bots, World, WorldError
from tests.example_game.rules import Lay, Setup, State


class SevensWorld(World[State]):
    """The hands; nothing else is hidden, as all cards are dealt."""

    HIDDEN = ("hands",)

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def deal(self, state: State) -> None:
        cards = [card.piece for card in self.game.deck.cards]
        self.rng.shuffle(cards)
        for seat, count in enumerate(state.hands, 1):
            self.hands[seat], cards = cards[:count], cards[count:]

    def choices(self, state: State) -> list[Action]:
        """Robots are honest: they pass only if they must."""
        found = super().choices(state)
        return [action for action in found if isinstance(action, Lay)] or found

    def facts(self, state: State, action: Action) -> Facts:
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        if isinstance(action, Lay):
            self.hands[action.seat].remove(str(action.card))
        if [len(hand) for hand in self.hands.values()] != list(after.hands):
            raise WorldError(f"the rules count hands of {after.hands}; there are {self.hands}")


BOTS = Bots(SevensWorld)
