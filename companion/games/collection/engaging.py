"""The section "Engaging Collectors" (6.1)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collection.board import change_gems, with_player
from companion.games.collection.components import Components
from companion.games.collection.state import ENGAGING, State
from companion.games.collection.steps import TurnAction, standing_on, unknown_colour
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Remark, Verdict, at, illegal
from companion.rules.wording import a, all_of, any_of, vowel


class Engage(TurnAction, frozen=True, tag="engage", kw_only=True):
    """Place one engagement gem of a colour on the space where you are."""

    declared = Declared("Engage: place a gem", "C", "6.1; I4", ("act", "close"))
    colour: str

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Engage]:
        role = components.roles[state.players[state.turn - 1].role]
        return [cls(seat=state.turn, colour=colour) for colour in role.colours] if state.actions else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Place a gem of a colour of your role where you are, in a completed scenario too (6, I13)."""
        wrong = unknown_colour(self.colour)
        if wrong is not None:
            return wrong
        role = components.roles[state.players[self.seat - 1].role]
        if self.colour in role.colours:
            return LEGAL
        reason = f"the {role.title} places {all_of(role.colours)} gems, not {self.colour} ones"
        return illegal(ENGAGING, reason, f"Place {a(any_of(role.colours))} one.")

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The first gem on a space places the collector's coin. By a card the action may place nothing (I10)."""
        player = state.players[self.seat - 1]
        state = replace(state, actions=state.actions - 1)
        if player.skips:
            return with_player(state, self.seat, replace(player, skips=player.skips - 1))
        state = with_player(state, self.seat, replace(player, placed=player.placed + 1))
        return change_gems(components, state, player.scenario, player.collector, self.colour, 1)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, where = at(self.seat), standing_on(state, self.seat) or "space"
        player = state.players[self.seat - 1] if self.seat in state.seats else None
        if player and player.skips:
            return f"{who} engages {where}; by a card it places nothing."
        return f"{who} places {'an' if vowel(self.colour) else 'a'} {self.colour} gem on {where}."

    def label(self, components: Components, state: State) -> str:
        return f"{self.colour} gem"

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        return (Remark("engagements", self.seat, ""),)
