"""What several rules of COLLECTION! share: who is due, what is waited for, spaces in words, cards that come up."""

from __future__ import annotations

from typing import ClassVar

from companion.games.collection.components import Components
from companion.games.collection.effects import left_open, place_words
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, SEQUENCE, SETUP, State
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.kernel import TABLE, Facts, Remark, RuleError, Seat, Unknown, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.shown import came_up
from companion.rules.wording import all_of, vowel
from companion.text import plural, t, word


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
    """Return what the match waits for, as a sentence."""
    seats = due(state)
    who = all_of(at(seat) for seat in seats)
    match state.phase:
        case "roles":
            return plural(
                "{who} lays the card of a role before them.",
                "{who} lay the card of their role before them.",
                count=len(seats),
                who=who,
            )
        case "start":
            return plural(
                "{who} puts the pawn on a space of scenario A.",
                "{who} put their pawns on a space of scenario A.",
                count=len(seats),
                who=who,
            )
        case "open":
            return t("Turn up a scenario card for scenario {scenario}.", scenario=state.opening)
        case "report":
            report = a_report(state.report)
            return t("{who} has {report}: it fills the circle, or it reduces the crisis.", who=who, report=report)
        case "choose" if state.effect is not None:
            return t("{who} chooses what the card leaves open: {what}.", who=who, what=left_open(state.effect))
        case "free":
            return t("{who} moves, free of an action.", who=who)
        case "close" if state.actions:
            return plural(
                "{who} has drawn and has {count} action left; then the next player goes on.",
                "{who} has drawn and has {count} actions left; then the next player goes on.",
                count=state.actions,
                who=who,
            )
        case "close" if state.players[state.turn - 1].hand:
            return t("{who} may play a blue card; then the next player goes on.", who=who)
        case "close":
            return t("{who} lets the next player go on.", who=who)
        case "over":
            return t("The match is over.")
    if not state.actions:
        return t("{who} draws a collection card.", who=who)
    return plural(
        "{who} has {count} action left; then draws a collection card.",
        "{who} has {count} actions left; then draws a collection card.",
        count=state.actions,
        who=who,
    )


class CollectionAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of COLLECTION!: it may be taken in its phases, by a seat that is due."""

    section: ClassVar[str] = SEQUENCE
    """The section of the rulebook that a refusal cites when something else is due."""
    too_soon: ClassVar[str] = t("something else comes first")
    """What a refusal says then."""
    moves_tokens: ClassVar[bool] = False
    """Whether it may tell people to move gems and coins, once it has been understood."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        seats = due(state)
        if state.phase in cls.declared.phases and seat in seats:
            return None
        if state.phase == "over":
            return illegal("5", t("the match is over"), t("Begin a new one."))
        if seat not in (TABLE, *state.seats):
            return inconsistent("C3", t("there is no seat {seat}", seat=seat), seats_there(state))
        if seat not in seats:
            if not any(seats):
                return illegal(SETUP, t("a scenario card has to come up first"), waiting(state))
            who = all_of(at(due) for due in seats)
            reason = plural("it is the turn of {seats}", "it is the turn of {seats}", count=len(seats), seats=who)
            return illegal(SEQUENCE, reason, t("Wait for {seats}.", seats=who))
        return illegal(cls.section, cls.too_soon, waiting(state))

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        return ()


class TurnAction(CollectionAction, frozen=True, kw_only=True):
    """One of the actions of which each player can take two on their turn: MOVE, ENGAGE or ROLL FOR REPORTING (6)."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        refused = super().not_now(components, state, seat)
        if refused is not None or state.actions or state.phase == "free":
            return refused
        then = t("Let the next player go on.") if state.drawn else t("Draw a collection card.")
        return illegal(SEQUENCE, t("{seat} has no action left", seat=at(seat)), then)


def seats_there(state: State) -> str:
    """Return the remedy for a seat that is not there."""
    return t("The seats are 1 to {players}.", players=len(state.players))


def standing_on(state: State, seat: Seat) -> str:
    """Return the space on which a pawn stands, in words; "" if on none."""
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
        reason = t("there is no scenario {scenario!r}", scenario=scenario)
        return inconsistent("I1", reason, t("There are {names}.", names=all_of(SCENARIOS)))
    if collector not in COLLECTORS:
        reason = t("there is no collector {collector!r}", collector=collector)
        return inconsistent("I1", reason, t("There are {names}.", names=all_of(COLLECTORS)))
    return None


def unknown_colour(colour: str) -> Verdict | None:
    """Return the refusal of a colour that gems don't have; None if they have it."""
    if colour in COLOURS:
        return None
    reason = t("there are no {colour} gems", colour=colour)
    return inconsistent("2.3", reason, t("There are {colours} ones.", colours=all_of(map(word, COLOURS))))


def not_active(scenario: str) -> str:
    """Return the reason of a refusal: a scenario is not active."""
    return t("scenario {scenario} is not active", scenario=scenario)


def a_gem(colour: str) -> str:
    """Return a gem of a colour in words: "an economic gem"."""
    if vowel(colour):
        return t("an {colour} gem", colour=word(colour))
    return t("a {colour} gem", colour=word(colour))


def a_report(colour: str) -> str:
    """Return a report of a colour in words: "a political report"."""
    if vowel(colour):
        return t("an {colour} report", colour=word(colour))
    return t("a {colour} report", colour=word(colour))


def shown_at(components: Components, place: str, facts: Facts, can_be: frozenset[Piece]) -> Piece:
    """Return the card that came up at a place; RuleError if it is missing, unread, or impossible."""
    piece = came_up(components.name, place, facts, can_be)
    if isinstance(piece, Unknown):
        reason = t("nobody has said which card came up at {place}", place=place)
        raise RuleError.inconsistent("C9", reason, t("Show or name the card."))
    return piece
