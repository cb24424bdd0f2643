"""Not making a movement: section 4 of the rulebook, and section "2-player gameplay", where it may lose the match."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.specials import Use
from companion.games.five_cards_collector.state import Player, State
from companion.games.five_cards_collector.steps import (
    FiveCardsAction,
    drawable,
    neighbour,
    nobody_moves,
    opened_at,
    over,
    passes_left,
    with_hand,
    with_player,
)
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import Hand, held, least_worth
from companion.rules.kernel import LEGAL, Facts, Need, Opened, Outcome, Verdict, at, fact_at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import any_of


class Nothing(FiveCardsAction, frozen=True, tag="nothing", kw_only=True):
    """Make no move."""

    declared = Declared("Do nothing", "C", "4. Gameplay; 2-player gameplay; F8, F10", ("turn",), idle=True)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Nothing]:
        return [] if passes_left(components, state, state.turn) == 0 else [cls(seat=state.turn)]

    def judge(self, components: Components, state: State) -> Verdict:
        """You don't have to make any movement even if it is possible; with two players only 3 times a game (F8)."""
        if passes_left(components, state, self.seat) != 0:
            return LEGAL
        reason = (
            f"{at(self.seat)} has made no move {components.two_player_passes} times, and with two players that is all"
        )
        return illegal("F8", reason, "Add, discard, use a special card or draw; if none can be done, say so.")

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """When every seat in a row has done nothing, cards are turned up (F10); that does not renew the deck."""
        players, idle = state.players, state.idle + 1
        if len(players) == 2:
            player = players[self.seat - 1]
            player = Player(player.goal, player.collected, player.hand, player.passes + 1)
            players = with_player(players, self.seat, player)
        state = replace(state, players=players, turn=neighbour(state, state.direction), idle=idle)
        if idle < len(players):
            return state
        return replace(state, phase="turn-up") if state.deck else nobody_moves(state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} does nothing."


# ------------------------------------------------------------------------------------------------- 2-player gameplay


class Stuck(FiveCardsAction, frozen=True, tag="stuck", kw_only=True):
    """With two players and no pass left: "I have no legal move". Needs Opened at "open.N"."""

    declared = Declared("Say that you have no legal move", "B", "2-player gameplay; F8", ("turn",))

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return len(state.players) == 2

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Stuck]:
        if passes_left(components, state, state.turn) != 0:
            return []
        stuck = cls(seat=state.turn)
        return [stuck] if stuck.judge(components, state).ok else []

    def judge(self, components: Components, state: State) -> Verdict:
        """The player who will not have the opportunity to make a move loses, once the passes are used up (F8).

        A claim that no hand could bear out is inconsistent (C9).
        """
        left = passes_left(components, state, self.seat)
        if left is None:
            return illegal("F8", "only with two players the one who can't move loses", "Do nothing instead.")
        if left > 0:
            reason = f"{at(self.seat)} may still make no move ({left} of {components.two_player_passes} left)"
            return illegal("F8", reason, "Do nothing instead.")
        hand = state.players[self.seat - 1].hand
        if hand.size < state.limit and drawable(state):
            reason = f"{at(self.seat)} can draw a card, so there is a legal move"
            return inconsistent("C9", reason, "Draw, or lay a card.")
        fit = playable(components, state)
        known = hand.known & fit
        if known:
            reason = f"{at(self.seat)} is known to hold {components.name(min(known))}, which can be played"
            return inconsistent("C9", reason, "Play it, or another one.")
        if least_worth(hand, state.unseen, lambda card: card in fit):
            dead = len(state.unseen - fit)
            reason = f"of the cards that {at(self.seat)} may hold only {dead} can't be played, and the hand is larger"
            return inconsistent("C9", reason, "Play one of the others.")
        return LEGAL

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        hand = state.players[self.seat - 1].hand
        words = f"all cards in the hand of {at(self.seat)}, laid open"
        return (Need(self.place, "opened", words, held(hand, state.unseen), hand.size),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The hand is laid open: if the claim is right the seat loses, else it must play one of the cards (F8)."""
        seat = self.seat
        pieces = opened_at(components, state, seat, facts)
        players = with_hand(state.players, seat, Hand(pieces, 0))
        state = replace(state, players=players, unseen=state.unseen - pieces)
        if not pieces.isdisjoint(playable(components, state)):
            return state
        other = neighbour(state, 1)
        words = f"{at(seat)} can't make a move and loses; {at(other)} wins."
        return over(state, Outcome((other,), "stuck", "F8", words))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} has no legal move and lays the hand open{_opened(components, state, self, facts)}."

    @property
    def place(self) -> Zone:
        """Where the hand is laid open."""
        return f"open.{self.seat}"

    def shows(self, state: State, facts: Facts) -> frozenset[Piece]:
        fact = fact_at(facts, self.place)
        return frozenset(fact.pieces) if isinstance(fact, Opened) else frozenset()

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Stuck]:
        return [cls(seat=owner_of(zone))] if zone.startswith("open.") else ()


def _opened(components: Components, state: State, stuck: Stuck, facts: Facts) -> str:
    """Return which of the cards laid open can be played, in words."""
    if state.phase != "turn":
        return ""
    fit = playable(components, state) & stuck.shows(state, facts)
    return f"; {any_of(components.name(p) for p in sorted(fit))} can be played" if fit else ""


def playable(components: Components, state: State) -> frozenset[Piece]:
    """Return all cards that the seat whose turn it is could add, discard or use."""
    return (
        Add.allowed(components, state).pieces
        | Discard.allowed(components, state).pieces
        | Use.allowed(components, state).pieces
    )
