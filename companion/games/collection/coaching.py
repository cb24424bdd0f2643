"""What helps people in their first match of COLLECTION!: a sentence for every step, and choices in words."""

from __future__ import annotations

from companion.games.collection.box import Box
from companion.games.collection.rulebook import choice_words
from companion.games.collection.show import odds_words
from companion.games.collection.steps import due, place_words
from companion.games.collection.values import (
    CIRCLE,
    SCENARIOS,
    AnyAction,
    Choose,
    Engage,
    Move,
    Roll,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.cards import Piece
from companion.rules.kernel import Seat

DUE = {
    "roles": "Choose who you are: each role has its own colours of gems and reports, and helps the others in its way.",
    "start": "Choose the collector to begin with: you place gems and roll for reports where your pawn stands.",
    "act": "Use your actions to move, to place a gem where you stand, or to roll there for a report; then draw a card.",
    "report": "Your roll gave a report: it counts for the scenario's reports circle, or it brings the crisis down.",
    "choose": "The card leaves you a choice: tap where it shall work.",
    "free": "You may move once more: this costs no action.",
    "close": "You have drawn: play a blue card now, or keep it for later and let the next player go on.",
}
OPENING = "A new scenario opens: its card says which reports it takes."
WAITING = (
    "You win together: talk about who should stand where, and fill every reports circle before a crisis reaches 10."
)


def coach(box: Box, state: State, seat: Seat) -> str:
    """Say what this step is about, to a seat."""
    if state.phase == "open":
        return OPENING
    return DUE[state.phase] if seat in due(state) else WAITING


def label(box: Box, state: State, action: AnyAction) -> str:
    """Tell an action from the others of its kind."""
    match action:
        case TakeRole(role=role):
            return box.roles[role].title
        case Start(collector=name):
            return place_words(SCENARIOS[0], name)
        case Move(scenario=letter, collector=name):
            return place_words(letter, name)
        case Engage(colour=colour):
            return f"{colour} gem"
        case Roll(colour=colour):
            return f"{colour}: {odds_words(box, state, action)}"
        case UseReport(use=use):
            return "for the reports circle" if use == CIRCLE else "to bring the crisis down"
        case Choose():
            return choice_words(state.todo[0], action)
    return ""


def holds(box: Box) -> frozenset[Piece]:
    """Everything lies open in this game."""
    return frozenset()
