"""Section 4 of the rulebook, "Gameplay": a new card is picked from the deck, and one follow-up ends the turn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.five_cards_collector import steps
from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.state import State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal
from companion.rules.wording import cards
from companion.text import t


class Draw(FiveCardsAction, frozen=True, tag="draw", kw_only=True):
    """Pick a new card from the deck. One follow-up (Discard, Add or Use of that card) or Keep ends the turn."""

    declared = Declared(t("Draw a card from the deck"), "C", "4. Gameplay; F4", ("turn",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Draw]:
        return [cls(seat=state.turn)] if steps.can_draw(state) else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Pick a new card from the deck; you can have max. 7 cards, with two players 9 or 7 (F4)."""
        size, no_pass = state.players[self.seat - 1].hand.size, steps.passes_left(components, state, self.seat) == 0
        if size >= state.limit:
            reason = t(
                "{seat} holds {cards}, and {limit} are the limit",
                seat=at(self.seat),
                cards=cards(size),
                limit=state.limit,
            )
            if no_pass:
                remedy = t("Put the card back on the deck; add, discard or use one; if none can be done, say so.")
                return illegal("F4", reason, remedy)
            return illegal("F4", reason, t("Put the card back on the deck; add, discard or use one, or do nothing."))
        if not steps.drawable(state):
            reason = t("no card is left to draw, in the deck or under the top of the discard pile")
            if no_pass:
                return illegal("F4", reason, t("Add, discard or use a card; if none can be done, say so."))
            return illegal("F4", reason, t("Add, discard or use a card, or do nothing."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The deck is renewed if it is empty; then the drawn card may follow, or is kept."""
        return replace(steps.draw(state, state.players[self.seat - 1].hand, 1), phase="drawn", idle=0)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return (
            t("{seat} draws a card, after the deck is renewed.", seat=at(self.seat))
            if not state.deck
            else t("{who} draws a card.", who=at(self.seat))
        )


class Keep(FiveCardsAction, frozen=True, tag="keep", kw_only=True):
    """Leave the card just drawn in the hand: you don't have to throw away, place or use it."""

    declared = Declared(t("Keep the card just drawn"), "C", "4. Gameplay; F3", ("drawn",), idle=True)

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "turn" and seat == state.turn:
            return illegal("F3", t("no card has been drawn in this turn"), steps.waiting(components, state))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Keep]:
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return steps.next_turn(state, state.players, state.unseen, state.discard, state.used)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} keeps the card just drawn.", seat=at(self.seat))
