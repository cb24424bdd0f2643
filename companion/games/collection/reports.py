"""The section "Using Reports" (6.3): a report fills the circle, or it reduces the crisis."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collection.board import change_crisis, file_report
from companion.games.collection.components import Components
from companion.games.collection.state import CIRCLE, COLOURS, CRISIS, REPORTS, SCENARIOS, State
from companion.games.collection.steps import CollectionAction, split_zone
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal
from companion.rules.layout import Zone
from companion.rules.seats import numbered
from companion.rules.wording import any_of
from companion.text import t, word

USES = {CIRCLE: t("circle"), CRISIS: t("crisis")}


def uses(components: Components, state: State, seat: Seat, colour: str) -> tuple[str, ...]:
    """List what a report of a seat could be used for where it stands (6.3, I7)."""
    player, which = state.players[seat - 1], COLOURS.index(colour)
    scenario, role = state.scenarios[player.scenario], components.roles[player.role]
    wanted = scenario.reports[which] < components.need[scenario.card][which]
    found = (CIRCLE,) if wanted and CIRCLE in role.uses else ()
    return (*found, CRISIS) if scenario.crisis > components.crisis_floor and CRISIS in role.uses else found


def used(components: Components, state: State, seat: Seat, colour: str, use: str) -> State:
    """Use a report of a seat where it stands; once it is used it stays used."""
    number = state.players[seat - 1].scenario
    return file_report(components, state, number, colour) if use == CIRCLE else change_crisis(state, number, -1)


class UseReport(CollectionAction, frozen=True, tag="report", kw_only=True):
    """Use the report that the dice gave: it fills the circle, or it reduces the crisis."""

    declared = Declared(t("Use a report"), "B", "6.3; I7", ("report",))
    too_soon = t("there is no report to use")
    blank = ("use",)
    use: str

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[UseReport]:
        return [cls(seat=state.turn, use=use) for use in uses(components, state, state.turn, state.report)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Fill the circle, or reduce the crisis by one, to a minimum of four; it can't be declined (6.3, I7)."""
        possible = uses(components, state, self.seat, state.report)
        if self.use in possible:
            return LEGAL
        uses_words = any_of(map(USES.__getitem__, possible))
        other = USES.get(self.use, self.use) or t("nothing")
        reason = t("a report is used for {uses}, not for {other}", uses=uses_words, other=other)
        return illegal(REPORTS, reason, t("Choose {uses}.", uses=uses_words))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return used(components, replace(state, pending=state.pending[1:]), self.seat, state.report, self.use)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, use = at(self.seat), use_words(state, self.seat, self.use)
        if not state.report:
            return t("{who} uses the new report {use}.", who=who, use=use)
        return t("{who} uses the {colour} report {use}.", who=who, colour=word(state.report), use=use)

    def label(self, components: Components, state: State) -> str:
        return t("for the reports circle") if self.use == CIRCLE else t("to bring the crisis down")

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[UseReport]:
        kind, letter, name = split_zone(zone)
        if kind != "crisis" or components.place_of.get(piece) != (letter,):
            return ()
        level = numbered(name)
        lower = level is not None and level < state.scenarios[SCENARIOS.index(letter)].crisis
        return [cls(seat=state.turn, use=CRISIS)] if lower else ()


def use_words(state: State, seat: Seat, use: str) -> str:
    """Describe what a report is used for: "for the reports circle of A"."""
    player = state.players[seat - 1] if seat in state.seats else None
    scenario = SCENARIOS[player.scenario] if player and player.on_board else t("the scenario")
    if use == CIRCLE:
        return t("for the reports circle of {scenario}", scenario=scenario)
    return t("to reduce the crisis in {scenario}", scenario=scenario)
