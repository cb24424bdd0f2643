"""Keeping a match true to the table: what does not add up, and the host's corrections."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.from_file import flow
from companion.games.from_file.components import Components
from companion.games.from_file.scoring import side_of
from companion.games.from_file.state import State, lifted, placed, playing
from companion.rules.cards import Piece
from companion.rules.corrections import ENDED_BY_HOST, adds_up, bad, in_one_place, seat_there, swapped
from companion.rules.kernel import AnyEdit, Counts, Instead, Lies, Points, Turns
from companion.rules.layout import owner_of
from companion.text import t


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    lying = [card for _, card in state.now.trick] + [card for cards in state.now.taken for card in cards]
    shown = {*lying} if components.score.tricks is not None else set()  # what was shown may have been played since
    lying += [piece for _, pieces in state.now.lying for piece in pieces if piece and piece not in shown]
    wrong = [one for one in in_one_place(lying, components.pieces, components.name) if not one.endswith("nowhere.")]
    if len(state.past) > 999:
        wrong.append(t("No table has played a thousand rounds."))
    return tuple(wrong)


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits; RuleError if a card would lie twice, or an edit is of something else."""
    if state.outcome is not None and not all(isinstance(edit, Points) for edit in edits):
        state = replace(state, outcome=None)
    for edit in edits:
        if isinstance(edit, Points):
            state = _put_right(components, state, edit)
        elif isinstance(edit, Instead):
            state = swapped(state, edit.piece, edit.other)
        elif isinstance(edit, Turns):
            seat_there(edit.seat, range(1, state.seats + 1))
            state = playing(state, turn=edit.seat)
        elif isinstance(edit, Lies):
            state = _lies(components, state, edit.piece, edit.zone)
        elif isinstance(edit, Counts):
            continue  # nobody counts what lies face down
    adds_up(audit(components, state))
    return state


def _put_right(components: Components, state: State, edit: Points) -> State:
    """Return the state with other points of a closed round; that may end the match, or resume it."""
    if not (1 <= edit.round <= len(state.past) and 1 <= edit.seat <= state.seats):
        reason = t("no round {round} of seat {seat} is closed", round=edit.round, seat=edit.seat)
        raise bad(reason, t("Closed rounds: {count}. Players: {seats}.", count=len(state.past), seats=state.seats))
    past, over, fresh = list(state.past), state.outcome is not None, state.now == flow.begin(components, state).now
    points = list(past[edit.round - 1].points)
    points[side_of(components.score, state.seats, edit.seat)] = edit.points
    past[edit.round - 1] = replace(past[edit.round - 1], points=tuple(points))
    state = replace(state, past=tuple(past), outcome=None)
    if not over and not fresh:
        return state
    if (outcome := flow.ended(components, state)) is not None:
        return replace(state, outcome=outcome)
    return flow.begin(components, replace(state, dealer=state.after(state.dealer)) if over else state)


def _lies(components: Components, state: State, piece: Piece, zone: str) -> State:
    if piece not in components.pieces:
        raise bad(t("the deck has no card {card}", card=piece), t("Look at it again."))
    base, seat, score = zone.partition(".")[0], owner_of(zone), components.score
    trick = tuple(one for one in state.now.trick if one[1] != piece)
    taken = tuple(tuple(card for card in cards if card != piece) for cards in state.now.taken)
    state = playing(lifted(state, (piece,)), trick=trick, taken=taken)
    to = score.tricks.to if score.tricks else score.row.to if score.row else ""
    if score.tricks is not None and base == score.tricks.zone and 1 <= seat <= state.seats:
        others = tuple(one for one in state.now.trick if one[0] != seat)
        return playing(state, trick=(*others, (seat, piece)), turn=state.after(seat))
    if to and base == to and 1 <= seat <= state.seats:
        return flow.took(state, seat, (piece,))
    if score.tricks is not None and zone == score.tricks.shown:
        return playing(state, shown=piece)
    place = components.place(zone)
    counts = base in components.free or base in (components.round.turn_ends, score.row.zone if score.row else "")
    if place is None or not counts or (place.own and not 1 <= seat <= state.seats):
        return state
    slots = place.slots if place.kind == "slots" else 0
    empty = next((n for n, one in enumerate(state.lies(zone)) if not one), 0)
    return placed(state, zone, (piece,), empty, slots)


def end(state: State) -> State:
    """The host stops the match."""
    return replace(state, outcome=ENDED_BY_HOST)
