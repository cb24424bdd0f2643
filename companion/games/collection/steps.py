"""What several rules of COLLECTION! share: who is due, what is waited for, spaces in words, cards that come up."""

from __future__ import annotations

from typing import ClassVar

from companion.games.collection.components import Components
from companion.games.collection.effects import left_open
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, SEQUENCE, SETUP, State
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.kernel import (
    TABLE,
    Facts,
    Remark,
    RuleError,
    Seat,
    Unknown,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Zone
from companion.rules.shown import came_up
from companion.rules.wording import all_of, counted, vowel

# ------------------------------------------------------------------------------------------------------- what is due


def due(state: State) -> tuple[Seat, ...]:
    """List who is due: in the set-up everybody who has not chosen yet, in any order (C7)."""
    if state.phase == "roles":
        return tuple(seat for seat, player in enumerate(state.players, 1) if not player.role)
    if state.phase == "start":
        return tuple(seat for seat, player in enumerate(state.players, 1) if not player.on_board)
    if state.phase == "open":
        return (TABLE,)
    return () if state.phase == "over" else (state.turn,)


def waiting(state: State) -> str:
    """Return what the match waits for, as a sentence to a person."""
    who = all_of(at(seat) for seat in due(state))
    lay = "lay the card of their role before them" if len(due(state)) > 1 else "lays the card of a role before them"
    match state.phase:
        case "roles":
            return f"{who} {lay}."
        case "start":
            return f"{who} {'put their pawns' if len(due(state)) > 1 else 'puts the pawn'} on a space of scenario A."
        case "open":
            return f"Turn up a scenario card for scenario {state.opening}."
        case "report":
            return (
                f"{who} has {'an' if vowel(state.report) else 'a'} {state.report} report: "
                "it fills the circle, or it reduces the crisis."
            )
        case "choose" if state.effect is not None:
            return f"{who} chooses what the card leaves open: {left_open(state.effect)}."
        case "free":
            return f"{who} moves, free of an action."
        case "close":
            extra = f" and has {counted(state.actions, 'action')} left" if state.actions else ""
            return f"{who} has drawn{extra}; then the next player goes on."
        case "over":
            return "The match is over."
    left = f"has {counted(state.actions, 'action')} left; then draws" if state.actions else "draws"
    return f"{who} {left} a collection card."


class CollectionAction(RuledAction, frozen=True, kw_only=True):
    """An action of COLLECTION!: it may be taken in its phases, by a seat that is due."""

    section: ClassVar[str] = SEQUENCE
    """The section of the rulebook that a refusal cites when something else is due."""
    too_soon: ClassVar[str] = "something else comes first"
    """What a refusal says then."""
    moves_tokens: ClassVar[bool] = False
    """Whether it may tell people to move gems and coins, once it has been understood."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Return why: the match is over, it is not this seat's turn, or something else is due."""
        seats = due(state)
        if state.phase in cls.declared.phases and seat in seats:
            return None
        if state.phase == "over":
            return illegal("5", "the match is over", "Begin a new one.")
        if seat not in (TABLE, *state.seats):
            return inconsistent("C3", f"there is no seat {seat}", f"The seats are 1 to {len(state.players)}.")
        if seat not in seats:
            who = all_of(at(due) for due in seats if due)
            if who:
                return illegal(SEQUENCE, f"it is the turn of {who}", f"Wait for {who}.")
            return illegal(SETUP, "a scenario card has to come up first", waiting(state))
        return illegal(cls.section, cls.too_soon, waiting(state))

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        """Return what a debrief tells beside what was done."""
        return ()


class TurnAction(CollectionAction, frozen=True, kw_only=True):
    """One of the actions of which each player can take two on their turn: MOVE, ENGAGE or ROLL FOR REPORTING (6)."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        refused = super().not_now(components, state, seat)
        if refused is not None or state.actions or state.phase == "free":
            return refused
        then = "Let the next player go on." if state.drawn else "Draw a collection card."
        return illegal(SEQUENCE, f"{at(seat)} has no action left", then)


# ------------------------------------------------------------------------------------------------- spaces and colours


def place_words(scenario: str, collector: str) -> str:
    """Return a space in words: "DH in A"."""
    return f"{collector} in {scenario}"


def standing_on(state: State, seat: Seat) -> str:
    """Return the space on which a seat's pawn stands, in words; "" if it stands on none."""
    player = state.players[seat - 1] if seat in state.seats else None
    return place_words(SCENARIOS[player.scenario], COLLECTORS[player.collector]) if player and player.on_board else ""


def split_zone(zone: Zone) -> tuple[str, str, str]:
    """Split a zone like "space-b-dh" or "crisis-a-3" into its kind, the scenario's letter, and the rest."""
    kind, _, rest = zone.partition(".")[0].partition("-")
    letter, _, name = rest.upper().partition("-")
    return kind, letter, name


def unknown_place(scenario: str, collector: str) -> Verdict | None:
    """Return the refusal of a scenario or collector that is not on the board; None if both are on it."""
    if scenario not in SCENARIOS:
        return inconsistent("I1", f"there is no scenario {scenario!r}", f"There are {all_of(SCENARIOS)}.")
    if collector not in COLLECTORS:
        return inconsistent("I1", f"there is no collector {collector!r}", f"There are {all_of(COLLECTORS)}.")
    return None


def unknown_colour(colour: str) -> Verdict | None:
    """Return the refusal of a colour that gems don't have; None if they have it."""
    if colour in COLOURS:
        return None
    return inconsistent("2.3", f"there are no {colour or 'colourless'} gems", f"There are {all_of(COLOURS)} ones.")


# ------------------------------------------------------------------------------------------------ cards that come up


def shown_at(components: Components, place: str, facts: Facts, can_be: frozenset[Piece]) -> Piece:
    """Return the card that came up at a place.

    Raises:
        RuleError: if the fact is missing, the card has not been read, or it can't have come up there.
    """
    piece = came_up(components.name, place, facts, can_be)
    if isinstance(piece, Unknown):
        raise RuleError(inconsistent("C9", f"nobody has said which card came up at {place}", "Show or name the card."))
    return piece
