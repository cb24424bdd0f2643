"""The section "Engaging Collectors" (6.1)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collection.board import change_gems, with_player
from companion.games.collection.components import Components
from companion.games.collection.state import ENGAGING, State
from companion.games.collection.steps import TurnAction, a_gem, standing_on, unknown_colour
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Remark, Verdict, at, illegal
from companion.rules.wording import all_of, any_of, vowel
from companion.text import t, word


class Engage(TurnAction, frozen=True, tag="engage", kw_only=True):
    """Place one engagement gem of a colour on the space where you are."""

    declared = Declared(t("Engage: place a gem"), "C", "6.1; I4", ("act", "close"))
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
        reason = t(
            "the {role} places {colours} gems, not {colour} ones",
            role=role.title,
            colours=all_of(map(word, role.colours)),
            colour=word(self.colour),
        )
        colours = any_of(map(word, role.colours))
        if vowel(colours):
            return illegal(ENGAGING, reason, t("Place an {colours} one.", colours=colours))
        return illegal(ENGAGING, reason, t("Place a {colours} one.", colours=colours))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The first gem on a space places the collector's coin. By a card the action may place nothing (I10)."""
        player = state.players[self.seat - 1]
        state = replace(state, actions=state.actions - 1)
        if player.skips:
            return with_player(state, self.seat, replace(player, skips=player.skips - 1))
        state = with_player(state, self.seat, replace(player, placed=player.placed + 1))
        return change_gems(components, state, player.scenario, player.collector, self.colour, 1)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, gem, place = at(self.seat), a_gem(self.colour), standing_on(state, self.seat)
        if not place:
            return t("{who} places {gem} on space.", who=who, gem=gem)
        if state.players[self.seat - 1].skips:
            return t("{who} engages {place}; by a card it places nothing.", who=who, place=place)
        return t("{who} places {gem} on {place}.", who=who, gem=gem, place=place)

    def label(self, components: Components, state: State) -> str:
        return word(self.colour)

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        return (Remark(t("engagements"), self.seat, ""),)
