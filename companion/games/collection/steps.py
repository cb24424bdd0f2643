"""What several rules of COLLECTION! share: who is due, what is waited for, the way of a pawn, cards that come up."""

from __future__ import annotations

from companion.games.collection.box import Box
from companion.games.collection.effects import Clause
from companion.games.collection.values import (
    COLLECTORS,
    COLOURS,
    SCENARIOS,
    AnyAction,
    Choose,
    Draw,
    Move,
    OpenScenario,
    Pass,
    PlayCard,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.cards import Piece
from companion.rules.kernel import (
    TABLE,
    Facts,
    RuleError,
    Seat,
    Unknown,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.shown import came_up
from companion.rules.wording import all_of, any_of, counted, vowel

SETUP, SEQUENCE, ENGAGING, ROLLING, REPORTS = "3", "6", "6.1", "6.2", "6.3"
"""The sections of the rulebook that refusals cite."""


def due(state: State) -> tuple[Seat, ...]:
    """List who is due: in the set-up everybody who has not chosen yet, in any order (C7)."""
    if state.phase == "roles":
        return tuple(seat for seat, player in enumerate(state.players, 1) if not player.role)
    if state.phase == "start":
        return tuple(seat for seat, player in enumerate(state.players, 1) if not player.on_board)
    if state.phase == "open":
        return (TABLE,)
    return () if state.phase == "over" else (state.turn,)


def waiting(box: Box, state: State) -> str:
    """Say what is waited for."""
    who = all_of(at(seat) for seat in due(state))
    lay = "lay the card of their role before them" if len(due(state)) > 1 else "lays the card of a role before them"
    match state.phase:
        case "roles":
            return f"{who} {lay}."
        case "start":
            return f"{who} {'put their pawns' if len(due(state)) > 1 else 'puts the pawn'} on a space of scenario A."
        case "open":
            return f"Turn up a scenario card for scenario {SCENARIOS[state.opening]}."
        case "report":
            return (
                f"{who} has {'an' if vowel(state.report) else 'a'} {state.report} report: "
                "it fills the circle, or it reduces the crisis."
            )
        case "choose":
            return f"{who} chooses what the card leaves open: {open_words(state.todo[0])}."
        case "free":
            return f"{who} moves, free of an action."
        case "close":
            extra = f" and has {counted(state.actions, 'action')} left" if state.actions else ""
            return f"{who} has drawn{extra}; then the next player goes on."
        case "over":
            return "The match is over."
    left = f"has {counted(state.actions, 'action')} left, then draws" if state.actions else "draws"
    return f"{who} {left} a collection card."


def open_words(clause: Clause) -> str:
    """Say what a clause leaves open, and what it will do."""
    parts = [
        name
        for name, word in (("scenario", clause.scenario), ("collector", clause.collector), ("colour", clause.colour))
        if word == "any"
    ]
    about = " of ".join(word for word in (clause.collector, clause.scenario) if word not in ("", "any", "all"))
    what = " ".join(word for word in (clause.colour if clause.colour != "any" else "", clause.verb, about) if word)
    return f"which {all_of(parts)}, for {what} {clause.by:+d}"


def out_of_turn(box: Box, state: State, action: AnyAction) -> Verdict:
    """Say why an action of this kind is not possible now."""
    if state.phase == "over":
        return illegal("5", "the match is over", "Begin a new one.")
    if action.seat not in (TABLE, *state.seats):
        return inconsistent("C3", f"there is no seat {action.seat}", f"The seats are 1 to {len(state.players)}.")
    seats = due(state)
    if action.seat not in seats:
        who = all_of(at(seat) for seat in seats if seat)
        if who:
            return illegal(SEQUENCE, f"it is the turn of {who}", f"Wait for {who}.")
        return illegal(SETUP, "a scenario card has to come up first", waiting(box, state))
    said = {
        TakeRole: "roles are chosen before the first turn",
        Start: "pawns are put on the board before the first turn",
        OpenScenario: "no scenario card is due",
        UseReport: "there is no report to use",
        Choose: "there is nothing to choose",
        Pass: "the turn ends with the draw of a card",
        Draw: "the card of this turn has been drawn" if state.drawn else "something else comes first",
    }.get(type(action), "something else comes first")
    if isinstance(action, PlayCard) and state.phase == "report":
        return illegal("I12", "no card is played between a roll and the use of its report", waiting(box, state))
    return illegal(SETUP if isinstance(action, TakeRole | Start) else SEQUENCE, said, waiting(box, state))


def may_act(state: State, seat: Seat) -> bool:
    """Return whether a seat is in its turn, with nothing to be settled first."""
    return seat == state.turn and state.phase in ("act", "close")


def no_action(box: Box, state: State, action: AnyAction) -> Verdict | None:
    """Say why a seat can't take an action now; None if it can."""
    if not may_act(state, action.seat):
        return out_of_turn(box, state, action)
    if state.actions:
        return None
    then = "Let the next player go on." if state.drawn else "Draw a collection card."
    return illegal(SEQUENCE, f"{at(action.seat)} has no action left", then)


def place_words(scenario: str, collector: str) -> str:
    """Name a space: "DH in A"."""
    return f"{collector} in {scenario}"


def unknown_place(scenario: str, collector: str) -> Verdict | None:
    """Refuse a scenario or collector that is not on the board."""
    if scenario not in SCENARIOS:
        return inconsistent("I1", f"there is no scenario {scenario!r}", f"There are {all_of(SCENARIOS)}.")
    if collector not in COLLECTORS:
        return inconsistent("I1", f"there is no collector {collector!r}", f"There are {all_of(COLLECTORS)}.")
    return None


def unknown_colour(colour: str) -> Verdict | None:
    """Refuse a colour that gems don't have."""
    if colour in COLOURS:
        return None
    return inconsistent("2.3", f"there are no {colour or 'colourless'} gems", f"There are {all_of(COLOURS)} ones.")


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """List where a pawn can go in one MOVE (6): another collector of its scenario, or the same one elsewhere."""
    player = state.players[seat - 1]
    here = SCENARIOS[player.scenario]
    there = [letter for letter, one in zip(SCENARIOS, state.scenarios, strict=True) if one.active and letter != here]
    name = COLLECTORS[player.collector]
    return (
        *(Move(seat=seat, scenario=here, collector=other) for other in COLLECTORS if other != name),
        *(Move(seat=seat, scenario=letter, collector=name) for letter in there),
    )


def in_deck(box: Box, state: State) -> frozenset[Piece]:
    """Return the collection cards that a draw can bring: an empty deck is made anew of the discards (I12)."""
    return state.unseen & box.cards or frozenset(state.discard)


def shown_at(box: Box, place: str, facts: Facts, can_be: frozenset[Piece]) -> Piece:
    """Get the card that came up at a place.

    Raises:
        RuleError: if the fact is missing, the card has not been read, or it can't have come up there.
    """
    piece = came_up(box.name, place, facts, can_be)
    if isinstance(piece, Unknown):
        raise RuleError(inconsistent("C9", f"nobody has said which card came up at {place}", "Show or name the card."))
    return piece


def roles_open(box: Box, state: State) -> tuple[str, ...]:
    """List the roles that the next seat may choose (2.1, I13)."""
    taken = {player.role for player in state.players}
    return tuple(name for name in box.roles if name not in taken and role_refused(box, state, name) is None)


def role_refused(box: Box, state: State, name: str) -> Verdict | None:
    """Say why a role can't be chosen now; None if it can."""
    if name not in box.roles:
        return inconsistent("2.1", f"there is no role {name!r}", f"Choose {any_of(roles_open(box, state))}.")
    taken = {player.role: seat for seat, player in enumerate(state.players, 1) if player.role}
    title = box.roles[name].title
    left = [one for one in box.needed if one not in taken]
    if name in taken:
        remedy = f"Choose {any_of(box.roles[one].title for one in roles_open(box, state))}."
        return illegal("2.1", f"{at(taken[name])} is the {title}, and there is only one of each kind", remedy)
    missing = all_of(f"the {box.roles[one].title}" for one in left)
    if name not in box.needed and len(left) >= len(state.players) - len(taken):
        reason = (
            f"{missing} {'is' if len(left) == 1 else 'are'} needed in every match, and nobody else is left to be it"
        )
        return illegal("2.1", reason, f"Choose {any_of(f'the {box.roles[one].title}' for one in left)}.")
    if len(state.players) == 4 and name not in box.needed and name != "collection":
        fourth = box.roles["collection"].title
        return illegal("I13", f"with four players the fourth is the {fourth}", f"Choose the {fourth}.")
    return None
