"""The end of a turn of Karmic Collections, and of the match."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.karmic_collections.components import Components, points
from companion.games.karmic_collections.state import State
from companion.games.karmic_collections.steps import FRESH, KarmicAction, begin_turn, score, with_player
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import Facts, Outcome, Seat, at
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import all_of
from companion.text import plural, t


class EndTurn(KarmicAction, frozen=True, tag="end-turn", kw_only=True):
    """Reclaim your pawns, turn your partner's token down, and pass the turn on clockwise."""

    declared = Declared(t("End the turn: pawns back, partner token down"), "A", "How to Play; M7", ("end",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[EndTurn]:
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Points are counted for everybody (M7); then the turn goes on clockwise."""
        player = state.players[self.seat - 1]
        state = with_player(state, self.seat, replace(player, up=player.up - {state.partner}))
        state = counted(components, replace(state, turns=state.turns + 1), self.seat)
        return state if state.outcome else begin_turn(state, self.seat % len(state.players) + 1)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} reclaims the pawns and turns the token of {partner} down.",
            seat=at(self.seat),
            partner=at(state.partner),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[EndTurn]:
        return [cls(seat=owner_of(zone))] if zone.startswith("paired.") else ()


def counted(components: Components, state: State, last: Seat) -> State:
    """Count everybody's points after the turn of `last`: at ten or more the highest wins; a tie goes to `last` (M7)."""
    scores = [sum(score(components, player)) for player in state.players]
    top = max(scores)
    if top < components.goal:
        return state
    highest = tuple(seat for seat in state.seats if scores[seat - 1] == top)
    winners = (last,) if last in highest else highest
    words = plural(
        "{winners} wins with {points}.",
        "{winners} share the win with {points}.",
        count=len(winners),
        winners=all_of(at(seat) for seat in winners),
        points=points(top),
    )
    if len(highest) > len(winners):
        words = t("{words:bare}; the tie goes to the one whose turn it was.", words=words)
    return replace(state, phase="over", outcome=Outcome(winners, "goal", "M7", words), **FRESH)
