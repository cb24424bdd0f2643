"""Not making a movement: section 4 of the rulebook, and section "2-player gameplay", where it may lose the match."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.five_cards_collector import steps
from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.specials import Use
from companion.games.five_cards_collector.state import Player, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import Hand, held, least_worth
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Need,
    Opened,
    Outcome,
    Seat,
    Verdict,
    Weight,
    at,
    fact_at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import any_of
from companion.text import t


class Nothing(FiveCardsAction, frozen=True, tag="nothing", kw_only=True):
    """Make no move."""

    declared = Declared(t("Do nothing"), "C", "4. Gameplay; 2-player gameplay; F8, F10", ("turn",), idle=True)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Nothing]:
        return [] if steps.passes_left(components, state, state.turn) == 0 else [cls(seat=state.turn)]

    def judge(self, components: Components, state: State) -> Verdict:
        """You don't have to make any movement even if it is possible; with two players only 3 times a game (F8)."""
        if steps.passes_left(components, state, self.seat) != 0:
            return LEGAL
        reason = t(
            "{seat} has made no move {two_player_passes} times, and with two players that is all",
            seat=at(self.seat),
            two_player_passes=components.two_player_passes,
        )
        return illegal("F8", reason, t("Add, discard, use a special card or draw; if none can be done, say so."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """When every seat in a row has done nothing, cards are turned up (F10); that does not renew the deck."""
        players, idle = state.players, state.idle + 1
        if len(players) == 2:
            player = players[self.seat - 1]
            player = Player(player.goal, player.collected, player.hand, player.passes + 1)
            players = steps.with_player(players, self.seat, player)
        state = replace(state, players=players, turn=steps.neighbour(state, state.direction), idle=idle)
        if idle < len(players):
            return state
        return replace(state, phase="turn-up") if state.deck else steps.nobody_moves(state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} does nothing.", seat=at(self.seat))


# ------------------------------------------------------------------------------------------------- 2-player gameplay


class Stuck(FiveCardsAction, frozen=True, tag="stuck", kw_only=True):
    """With two players and no pass left: "I have no legal move". Needs Opened at "open.N"."""

    declared = Declared(t("Say that you have no legal move"), "B", "2-player gameplay; F8", ("turn",))

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return len(state.players) == 2

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        return "weak"

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        return t("Tap again: your hand is laid open, and if no card of it can be played you lose the match")

    def borne_out(self, components: Components, state: State, hand: frozenset[Piece]) -> bool:
        return hand.isdisjoint(playable(components, state))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Stuck]:
        if steps.passes_left(components, state, state.turn) != 0:
            return []
        stuck = cls(seat=state.turn)
        return [stuck] if stuck.judge(components, state).ok else []

    def judge(self, components: Components, state: State) -> Verdict:
        """With no pass left, the player who can't make a move loses; a claim no hand fits is inconsistent (C9, F8)."""
        left = steps.passes_left(components, state, self.seat)
        if left is None:
            return illegal("F8", t("only with two players the one who can't move loses"), t("Do nothing instead."))
        if left > 0:
            reason = t(
                "{seat} may still make no move ({left} of {two_player_passes} left)",
                seat=at(self.seat),
                left=left,
                two_player_passes=components.two_player_passes,
            )
            return illegal("F8", reason, t("Do nothing instead."))
        hand = state.players[self.seat - 1].hand
        if hand.size < state.limit and steps.drawable(state):
            reason = t("{seat} can draw a card, so there is a legal move", seat=at(self.seat))
            return inconsistent("C9", reason, t("Draw, or lay a card."))
        fit = playable(components, state)
        known = hand.known & fit
        if known:
            reason = t(
                "{seat} is known to hold {known}, which can be played",
                seat=at(self.seat),
                known=components.name(min(known)),
            )
            return inconsistent("C9", reason, t("Play it, or another one."))
        if least_worth(hand, state.unseen, lambda card: card in fit):
            dead = len(state.unseen - fit)
            reason = t(
                "of the cards that {seat} may hold only {dead} can't be played, and the hand is larger",
                seat=at(self.seat),
                dead=dead,
            )
            return inconsistent("C9", reason, t("Play one of the others."))
        return LEGAL

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        hand = state.players[self.seat - 1].hand
        words = t("all cards in the hand of {seat}, laid open", seat=at(self.seat))
        return (Need(self.place, "opened", words, held(hand, state.unseen), hand.size),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The hand is laid open: if the claim is right the seat loses, else it must play one of the cards (F8)."""
        seat = self.seat
        pieces = steps.opened_at(components, state, seat, facts)
        players = steps.with_hand(state.players, seat, Hand(pieces, 0))
        state = replace(state, players=players, unseen=state.unseen - pieces)
        if not pieces.isdisjoint(playable(components, state)):
            return state
        other = steps.neighbour(state, 1)
        words = t("{seat} can't make a move and loses; {other} wins.", seat=at(seat), other=at(other))
        return steps.over(state, Outcome((other,), "stuck", "F8", words))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} has no legal move and lays the hand open{opened}.",
            seat=at(self.seat),
            opened=_opened(components, state, self, facts),
        )

    @property
    def place(self) -> Zone:
        return f"open.{self.seat}"

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Stuck]:
        return [cls(seat=owner_of(zone))] if zone.startswith("open.") else ()


def _opened(components: Components, state: State, stuck: Stuck, facts: Facts) -> str:
    if state.phase != "turn":
        return ""
    fact = fact_at(facts, stuck.place)
    fit = playable(components, state).intersection(fact.pieces if isinstance(fact, Opened) else ())
    return t("; {pieces} can be played", pieces=any_of(components.name(p) for p in sorted(fit))) if fit else ""


def playable(components: Components, state: State) -> frozenset[Piece]:
    """Return all cards that the seat whose turn it is could add, discard or use."""
    return (
        Add.allowed(components, state).pieces
        | Discard.allowed(components, state).pieces
        | Use.allowed(components, state).pieces
    )
