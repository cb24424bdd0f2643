"""Sevens, in the public domain: rows grow from the sevens, and whoever is rid of all cards first wins."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Deck, Piece
from companion.rules.engine import Declared, Phase, RuledAction
from companion.rules.kernel import LEGAL, Facts, Hole, Outcome, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first turn: who begins."""

    first: Seat = 1


PHASES = {
    "turn": Phase(coach="Lay a seven, or the card next to one that lies there; pass only if none of yours fits."),
    "over": Phase(),
}


class State(msgspec.Struct, frozen=True):
    """`lacks` are, seat by seat, the cards that would have fitted when it passed: it can't hold them."""

    laid: frozenset[Piece]
    hands: tuple[int, ...]
    lacks: tuple[frozenset[Piece], ...]
    turn: Seat
    phase: str = "turn"
    outcome: Outcome | None = None


class Components:
    """The cards by suit and rank, and what the rules ask about them."""

    def __init__(self, deck: Deck) -> None:
        self.cards = deck.by_piece()
        self.place = {card.piece: (card.traits["suit"], int(card.traits["rank"])) for card in deck.cards}
        self.piece = {place: piece for piece, place in self.place.items()}
        self.suits = tuple(dict.fromkeys(suit for suit, _ in self.piece))

    def fits(self, piece: Piece, laid: frozenset[Piece]) -> bool:
        """Return whether a card is a seven, or the next one of a laid card, away from the seven."""
        suit, rank = self.place[piece]
        return rank == 7 or self.piece[suit, rank + (1 if rank < 7 else -1)] in laid

    def fitting(self, laid: frozenset[Piece]) -> frozenset[Piece]:
        """Return the cards that may be laid next."""
        return frozenset(piece for piece in self.place if piece not in laid and self.fits(piece, laid))

    def titles(self, pieces: Iterable[Piece]) -> str:
        """Name cards: "the six of hearts or the seven of clubs"."""
        return " or ".join(f"the {self.cards[p].title[:1].lower()}{self.cards[p].title[1:]}" for p in sorted(pieces))


def finished(state: State) -> State:
    """The first empty hand wins."""
    if 0 not in state.hands:
        return state
    winner = state.hands.index(0) + 1
    words = f"{at(winner)} is rid of all cards and wins."
    return replace(state, phase="over", outcome=Outcome((winner,), "empty-hand", "Play", words))


class SevensAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of Sevens: one at a time, in turn."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.outcome is not None:
            return illegal("Play", "the match is over", "Begin a new one.")
        if seat != state.turn:
            return illegal("Play", f"it is the turn of {at(state.turn)}", f"Wait for {at(state.turn)}.")
        return None


class Lay(SevensAction, frozen=True, tag="lay", kw_only=True):
    """Lay a card into the row of its suit."""

    declared = Declared("Lay a card", "A", "Play", phases=("turn",))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Lay]:
        able = components.fitting(state.laid) - state.lacks[state.turn - 1]
        return [cls(seat=state.turn, card=Hole(state.turn, able, components.titles(able)))] if able else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Lay a seven, or the next card up or down of a suit whose seven lies."""
        if self.card not in components.place or self.card in state.laid:
            return inconsistent("C2", f"the card {self.card} is not in any hand", "Look at it again.")
        card, fitting = str(self.card), components.fitting(state.laid)
        if card in state.lacks[self.seat - 1]:
            reason = f"{at(self.seat)} passed when {components.titles({card})} would have fitted"
            return inconsistent("Play", reason, "Take it back, or let the host undo the pass.")
        if card not in fitting:
            near = {piece for piece in fitting if components.place[piece][0] == components.place[card][0]}
            remedy = f"Take it back; {components.titles(near)} would do." if near else "Take it back."
            return illegal("Play", f"{components.titles({card})} does not fit yet", remedy)
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        hands = tuple(count - (seat == self.seat) for seat, count in enumerate(state.hands, 1))
        after = self.seat % len(hands) + 1
        return finished(replace(state, laid=state.laid | {str(self.card)}, hands=hands, turn=after))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        card = self.card
        return f"{at(self.seat)} lays {card.words if isinstance(card, Hole) else components.titles({card})}."

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Lay]:
        return [cls(seat=state.turn, card=piece)]


class Pass(SevensAction, frozen=True, tag="pass", kw_only=True):
    """Lay nothing, because no card fits."""

    declared = Declared("Pass", "C", "Play", phases=("turn",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Pass]:
        silent = cls(seat=state.turn)
        return [silent] if silent.judge(components, state).ok else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Pass only if nothing fits: a card that fits and that no other seat can hold is one's own."""
        others = [lacks for seat, lacks in enumerate(state.lacks, 1) if seat != self.seat]
        able = components.fitting(state.laid) - state.lacks[self.seat - 1]
        mine = {piece for piece in able if all(piece in lacks for lacks in others)}
        if mine:
            return illegal("Play", f"nobody else can hold {components.titles(mine)}", f"Lay {components.titles(mine)}.")
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Whoever passes holds nothing that fits: that is remembered, and held against the seat."""
        lacks = list(state.lacks)
        lacks[self.seat - 1] |= components.fitting(state.laid)
        return replace(state, lacks=tuple(lacks), turn=self.seat % len(lacks) + 1)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} passes."
