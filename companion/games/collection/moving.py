"""The action MOVE of the section "Sequence of Play" (6)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collection.board import with_player
from companion.games.collection.components import Components
from companion.games.collection.effects import FreeMoves, place_words
from companion.games.collection.rolling import roll_prospect
from companion.games.collection.setup import seat_of_pawn
from companion.games.collection.state import COLLECTORS, SCENARIOS, SEQUENCE, State
from companion.games.collection.steps import TurnAction, due, not_active, split_zone, unknown_place
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, NO_PROSPECT, Facts, Prospect, Seat, Verdict, at, illegal
from companion.rules.layout import Zone
from companion.rules.wording import any_of
from companion.text import t


class Move(TurnAction, frozen=True, tag="move", kw_only=True):
    """Move to another collector of the same scenario, or to the same collector of another scenario."""

    declared = Declared(t("Move"), "A", "6; I3", ("act", "close", "free"))
    scenario: str
    collector: str

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "start" and seat in due(state):
            return None  # A pawn that is laid on another scenario gets a better answer from `judge`.
        return super().not_now(components, state, seat)

    @classmethod
    def sample(cls, seat: Seat) -> Move:
        return cls(seat=seat, scenario=SCENARIOS[0], collector=COLLECTORS[0])

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Move]:
        """Another collector of its scenario, or the same one in another active scenario (6)."""
        if not state.actions and state.phase != "free":
            return ()
        player, seat = state.players[state.turn - 1], state.turn
        here, name = SCENARIOS[player.scenario], COLLECTORS[player.collector]
        active = (letter for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True) if scenario.active)
        return [
            *(cls(seat=seat, scenario=here, collector=other) for other in COLLECTORS if other != name),
            *(cls(seat=seat, scenario=letter, collector=name) for letter in active if letter != here),
        ]

    def judge(self, components: Components, state: State) -> Verdict:
        """Between two collectors of a scenario, or the same collector in two scenarios, both active (6, I3)."""
        if state.phase == "start":
            return self._judge_start(components, state)
        wrong = unknown_place(self.scenario, self.collector)
        if wrong is not None:
            return wrong
        player = state.players[self.seat - 1]
        here, name = SCENARIOS[player.scenario], COLLECTORS[player.collector]
        if (self.scenario, self.collector) == (here, name):
            reason = t("{seat} stands on {place} already", seat=at(self.seat), place=place_words(here, name))
            return illegal(SEQUENCE, reason, t("Move elsewhere."))
        if not state.scenarios[SCENARIOS.index(self.scenario)].active:
            active = (letter for letter, one in zip(SCENARIOS, state.scenarios, strict=True) if one.active)
            return illegal("I3", not_active(self.scenario), t("Stay in scenario {active}.", active=any_of(active)))
        if here != self.scenario and name != self.collector:
            reason = t(
                "from {place} to {other} is two moves",
                place=place_words(here, name),
                other=place_words(self.scenario, self.collector),
            )
            first = t(
                "Go to {place} or {other} first.",
                place=place_words(here, self.collector),
                other=place_words(self.scenario, name),
            )
            return illegal(SEQUENCE, reason, first)
        return LEGAL

    def _judge_start(self, components: Components, state: State) -> Verdict:
        if self.scenario in SCENARIOS[1:]:
            reason = t(
                "every pawn starts in scenario {first}, not in scenario {scenario}",
                first=SCENARIOS[0],
                scenario=self.scenario,
            )
            return illegal("I3", reason, t("Put it on a space of scenario {scenario}.", scenario=SCENARIOS[0]))
        return super().not_now(components, state, self.seat) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """A free move is one MOVE by the rules, and takes no action (I10)."""
        number, collector = SCENARIOS.index(self.scenario), COLLECTORS.index(self.collector)
        player = replace(state.players[self.seat - 1], scenario=number, collector=collector)
        state, free = with_player(state, self.seat, player), state.effect
        if not isinstance(free, FreeMoves):
            return replace(state, actions=state.actions - 1)
        left = (replace(free, by=free.by - 1),) if free.by > 1 else ()
        return replace(state, pending=(*left, *state.pending[1:]))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, place = at(self.seat), place_words(self.scenario, self.collector)
        if state.phase == "free":
            return t("{who} moves to {place}, free of an action.", who=who, place=place)
        return t("{who} moves to {place}.", who=who, place=place)

    def label(self, components: Components, state: State) -> str:
        return place_words(self.scenario, self.collector)

    def prospect(self, components: Components, state: State) -> Prospect:
        """Return the best chance of a report there: a roll of the seat as it would be after the move (6.2)."""
        number, collector = SCENARIOS.index(self.scenario), COLLECTORS.index(self.collector)
        player = replace(state.players[self.seat - 1], scenario=number, collector=collector)
        if not player.role or state.phase == "start":
            return NO_PROSPECT
        after = with_player(state, self.seat, player)
        colours = components.roles[player.role].colours
        return max(
            (roll_prospect(components, after, self.seat, one) for one in colours), key=lambda one: one.chance or 0
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Move]:
        kind, letter, name = split_zone(zone)
        seat = seat_of_pawn(components, state, piece)
        if kind != "space" or not seat:
            return ()
        # A pawn that is laid on another scenario at set-up is no start on A (I3).
        moves = state.players[seat - 1].on_board or letter != SCENARIOS[0]
        return [cls(seat=seat, scenario=letter, collector=name)] if moves else ()
