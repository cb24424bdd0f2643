"""Keeping a match of Sevens true to the table: what does not add up, and corrections."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.corrections import ENDED_BY_HOST, adds_up
from companion.rules.kernel import AnyEdit, Counts, Lies, Turns
from tests.example_game.rules import Components, State, finished


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Name everything that does not add up."""
    stray = [piece for piece in sorted(state.laid) if not components.fits(piece, state.laid)]
    wrong = [f"{components.titles({piece})} lies in a row that does not reach it" for piece in stray]
    total = len(state.laid) + sum(state.hands)
    if total != len(components.place) or min(state.hands) < 0:
        wrong.append(f"rows and hands hold {total} cards, not {len(components.place)}")
    return tuple(wrong)


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits; what would lose or double a card is refused."""
    laid, hands, turn = state.laid, list(state.hands), state.turn
    for edit in edits:
        if isinstance(edit, Turns):
            turn = edit.seat
        elif isinstance(edit, Counts):
            hands[_hand(edit.place)] = edit.count
        elif isinstance(edit, Lies) and edit.zone.startswith("hand."):
            laid, hands[_hand(edit.zone)] = laid - {edit.piece}, hands[_hand(edit.zone)] + 1
        elif isinstance(edit, Lies) and edit.piece not in laid:  # it can only come from the hand on turn
            laid, hands[turn - 1] = laid | {edit.piece}, hands[turn - 1] - 1
    # What somebody was taken not to hold may have been the very mistake.
    after = finished(State(laid, tuple(hands), (frozenset(),) * len(hands), turn))
    adds_up(audit(components, after))
    return after


def _hand(place: str) -> int:
    return int(place.removeprefix("hand.")) - 1


def end(state: State) -> State:
    """The host stops the match."""
    return replace(state, phase="over", outcome=ENDED_BY_HOST)
