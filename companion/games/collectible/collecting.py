"""The sections "Collect cards" (drawing; bidding is in `auctions`) of Collectible."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible.components import Components
from companion.games.collectible.state import State
from companion.games.collectible.steps import CollectibleAction, waiting
from companion.games.collectible.talent_pile import draw, drawable, shuffled
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Verdict, at, illegal
from companion.text import t


class Draw(CollectibleAction, frozen=True, tag="draw", kw_only=True):
    """Draw a card from the talent pile."""

    declared = Declared(t("Draw a card from the talent pile"), "C", "Collect cards; A3, A10", ("collect",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Draw]:
        return [cls(seat=state.turn)] if drawable(state) else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """To collect cards, you may draw a card from the talent pile."""
        if drawable(state):
            return LEGAL
        return illegal("A10", t("the talent pile and the discard pile are empty"), waiting(components, state))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """It goes to the gallery; an empty talent pile is made anew of the discards (A10)."""
        return replace(draw(state, self.seat, 1), step="send")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if shuffled(state) is not state:
            return t("{seat} draws a card, after the discards are shuffled.", seat=at(self.seat))
        return t("{seat} draws a card.", seat=at(self.seat))
