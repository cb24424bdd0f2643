"""What helps people in their first match of Karmic Collections: a sentence for every step, and choices in words."""

from __future__ import annotations

from companion.games.karmic_collections.components import Box
from companion.games.karmic_collections.steps import actors, due_step
from companion.games.karmic_collections.values import AnyAction, GiveDie, Partner, State, TakeDie
from companion.rules.cards import Piece
from companion.rules.kernel import Seat, at

DUE = {
    "dice": "Roll your dice once: they keep these values, and dice that match are points.",
    "lot": "Some of you have equally few points: chance decides who of them begins.",
    "tokens": "All your partner tokens lie face down: turn them up again.",
    "partner": "Choose a partner for this turn: you take from them, give to them, and they choose your second action.",
    "first": "Choose one of the actions; your partner then chooses the second, from the other side of the board.",
    "end": "Your turn is over: take your pawns back and turn your partner's token down.",
}
STEPS = {
    "draw": "Take the top card of the deck, face up: pairs and straights are points.",
    "roll": "Roll the new dice once: they keep these values, and dice that match are points.",
    "partner-roll": "You get a die: roll it once, it keeps its value.",
    "conceal": "Cards of yours are about to be taken: you may hide those that are in no pair and no straight.",
    "take-card": "Take one of your partner's cards: one that lies open, or a hidden one without looking.",
    "return-card": "Give your partner one of your cards in exchange.",
    "give-card": "Give your partner one of your cards: best one that is in no pair and no straight.",
    "take-die": "Take one of your partner's dice: dice that match are points.",
    "return-die": "Give your partner one of your dice in exchange.",
    "give-die": "Give your partner one of your dice: best one that matches no other.",
}
DEALING = "Everybody gets cards, open on the table: pairs and straights are points."


def coach(box: Box, state: State, seat: Seat) -> str:
    """Say what this step is about, to a seat."""
    if state.phase == "deal":
        return DEALING
    if seat not in actors(box, state):
        return f"While you wait: {box.goal} points win, from coins, matching dice, and pairs and straights of cards."
    if state.phase == "second":
        return (
            f"You are the partner: choose the second action for {at(state.turn)}, who then takes from you or gives you."
        )
    return STEPS[due_step(state).does] if state.phase == "act" else DUE[state.phase]


def label(box: Box, state: State, action: AnyAction) -> str:
    """Tell an action from the others of its kind."""
    match action:
        case Partner(partner=other):
            return at(other)
        case TakeDie(value=value) | GiveDie(value=value):
            return f"a die showing {value}"
    return ""


def holds(box: Box) -> frozenset[Piece]:
    """Everything lies open in this game."""
    return frozenset()
