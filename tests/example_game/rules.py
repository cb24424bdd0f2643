"""Sevens, in the public domain: rows grow from the sevens, and whoever is rid of all cards first wins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.rules.cards import Deck, Piece
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Action,
    ActionKind,
    AnyEdit,
    Counts,
    Facts,
    Game,
    Hole,
    Info,
    Lies,
    May,
    Need,
    Options,
    Outcome,
    Part,
    RuleError,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Turns,
    Verdict,
    View,
    at,
    illegal,
    inconsistent,
)  # fmt: skip
from companion.rules.layout import Layout, Loose, Zone


class Lay(Action, frozen=True, tag="lay", kw_only=True):
    """Lay a card into the row of its suit."""

    card: Piece | Hole


class Pass(Action, frozen=True, tag="pass", kw_only=True):
    """Lay nothing, because no card fits."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first turn: who begins."""

    first: Seat = 1


class State(msgspec.Struct, frozen=True):
    """`lacks` are, seat by seat, the cards that would have fitted when it passed: it can't hold them."""

    laid: frozenset[Piece]
    hands: tuple[int, ...]
    lacks: tuple[frozenset[Piece], ...]
    turn: Seat
    outcome: Outcome | None = None


class Sevens(Game[State]):
    """Lay a seven, or the next card up or down of a suit; pass only if nothing fits; the first empty hand wins."""

    action_type = Lay | Pass
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        """Find every card's place in the rows."""
        self.deck, self.cards = deck, deck.by_piece()
        self.place = {card.piece: (card.traits["suit"], int(card.traits["rank"])) for card in deck.cards}
        self.piece = {place: piece for piece, place in self.place.items()}
        self.suits = tuple(dict.fromkeys(suit for suit, _ in self.piece))
        kinds = (ActionKind("lay", "Lay a card", "A", "Play"), ActionKind("pass", "Pass", "C", "Play"))
        self.info = Info(deck.game, deck.title, deck.code, (2, 4), (), kinds, "sevens")

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal all cards; the first seats get one more if they don't come out even."""
        if not 2 <= seats <= 4 or not 1 <= facts.first <= seats:
            wrong = f"{seats} players, of whom seat {facts.first} begins, is not possible"
            raise RuleError(inconsistent("C3", wrong, "Sevens is for 2 to 4 players."))
        hands = tuple((len(self.place) - seat) // seats + 1 for seat in range(1, seats + 1))
        return State(frozenset(), hands, (frozenset(),) * seats, facts.first)

    def fitting(self, laid: frozenset[Piece]) -> frozenset[Piece]:
        """The sevens, and what is next to a laid card, away from the seven."""
        return frozenset(
            piece for piece, (suit, rank) in self.place.items()
            if piece not in laid and (rank == 7 or self.piece[suit, rank + (1 if rank < 7 else -1)] in laid)
        )  # fmt: skip

    def actors(self, state: State) -> tuple[Seat, ...]:
        return () if state.outcome else (state.turn,)

    def legal(self, state: State) -> Iterable[Action]:
        for seat in self.actors(state):
            pieces = self.fitting(state.laid) - state.lacks[seat - 1]
            if pieces:
                yield Lay(seat=seat, card=Hole(seat, pieces, self.titles(pieces)))
            if self.judge(state, Pass(seat=seat)).ok:
                yield Pass(seat=seat)

    def judge(self, state: State, action: Any) -> Verdict:
        if state.outcome is not None:
            return illegal("Play", "the match is over", "Begin a new one.")
        if action.seat != state.turn:
            return illegal("Play", f"it is the turn of {at(state.turn)}", f"Wait for {at(state.turn)}.")
        fitting, lacks = self.fitting(state.laid), state.lacks[state.turn - 1]
        if isinstance(action, Pass):
            others = [one for seat, one in enumerate(state.lacks, 1) if seat != state.turn]
            mine = {piece for piece in fitting - lacks if all(piece in one for one in others)}
            remedy = f"Lay {self.titles(mine)}."
            return illegal("Play", f"nobody else can hold {self.titles(mine)}", remedy) if mine else LEGAL
        if action.card not in self.place or action.card in state.laid:
            return inconsistent("C2", f"the card {action.card} is not in any hand", "Look at it again.")
        if action.card in lacks:
            reason = f"{at(state.turn)} passed when {self.titles({action.card})} would have fitted"
            return inconsistent("Play", reason, "Take it back, or let the host undo the pass.")
        if action.card not in fitting:
            near = {piece for piece in fitting if self.place[piece][0] == self.place[action.card][0]}
            remedy = f"Take it back; {self.titles(near)} would do." if near else "Take it back."
            return illegal("Play", f"{self.titles({action.card})} does not fit yet", remedy)
        return LEGAL

    def needs(self, state: State, action: Action) -> tuple[Need, ...]:
        return ()  # nothing is left to chance once the cards are dealt

    def play(self, state: State, action: Any, facts: Facts = ()) -> State:
        verdict = self.judge(state, action)
        if not verdict.ok:
            raise RuleError(verdict)
        me, laid, hands, lacks = state.turn - 1, state.laid, list(state.hands), list(state.lacks)
        if isinstance(action, Lay):
            laid, hands[me] = laid | {str(action.card)}, hands[me] - 1
        else:
            lacks[me] |= self.fitting(laid)
        return self.finished(State(laid, tuple(hands), tuple(lacks), state.turn % len(hands) + 1))

    def finished(self, state: State) -> State:
        """The first empty hand wins."""
        out = tuple(seat for seat, count in enumerate(state.hands, 1) if count == 0)
        words = f"{at(out[0])} is rid of all cards and wins." if out else ""
        outcome = Outcome(out, "empty-hand", "Play", words) if out else None
        return msgspec.structs.replace(state, outcome=outcome)

    def layout(self, state: State) -> Layout:
        rows = {suit: frozenset(p for p in state.laid if self.place[p][0] == suit) for suit in self.suits}
        return Layout({suit: Loose(pieces) for suit, pieces in rows.items()})

    def standing(self, state: State) -> Standing:
        dealt = self.setup(len(state.hands), {}, Setup()).hands
        both = enumerate(zip(dealt, state.hands, strict=True), 1)
        seats = tuple(SeatStanding(seat, first - now, words=f"{now} cards in hand") for seat, (first, now) in both)
        return Standing(seats, state.outcome)

    def view(self, state: State, seat: Seat) -> View:
        whose, legal = self.actors(state), list(self.legal(state))
        lay = tuple(one for one in legal if isinstance(one, Lay))
        nothing = illegal("Play", "no card fits that you can hold", "Pass.")
        mine, turn = seat in whose, self.judge(state, Pass(seat=seat))
        may = (May("lay", "Lay a card", (LEGAL if lay else nothing) if mine else turn, lay if mine else ()),
               May("pass", "Pass", turn, (Pass(seat=seat),) if turn.ok else ()))  # fmt: skip
        words = state.outcome.words if state.outcome else f"It is the turn of {at(state.turn)}."
        shelves = tuple(Shelf(suit.title(), tuple(sorted(p for p in state.laid if self.place[p][0] == suit)))
                        for suit in self.suits)  # fmt: skip
        numbers = tuple(Part(f"hand of {at(one)}", count) for one, count in enumerate(state.hands, 1))
        return View(seat, words, whose, may if seat != TABLE else (), shelves, numbers)

    def audit(self, state: State) -> tuple[str, ...]:
        wrong = [f"{self.titles({piece})} lies in a row that does not reach it"
                 for piece in sorted(state.laid - {p for p, (_, rank) in self.place.items() if rank == 7})
                 if piece not in self.fitting(state.laid - {piece})]  # fmt: skip
        total = len(state.laid) + sum(state.hands)
        if total != len(self.place) or min(state.hands) < 0:
            wrong.append(f"rows and hands hold {total} cards, not {len(self.place)}")
        return tuple(wrong)

    def correct(self, state: State, edits: tuple[AnyEdit, ...]) -> State:
        laid, hands, turn = state.laid, list(state.hands), state.turn
        for edit in edits:
            if isinstance(edit, Turns):
                turn = edit.seat
            elif isinstance(edit, Counts):
                hands[int(edit.place.removeprefix("hand.")) - 1] = edit.count
            elif isinstance(edit, Lies) and edit.zone.startswith("hand."):
                laid, hands[int(edit.zone[5:]) - 1] = laid - {edit.piece}, hands[int(edit.zone[5:]) - 1] + 1
            elif isinstance(edit, Lies) and edit.piece not in laid:  # it can only come from the hand on turn
                laid, hands[turn - 1] = laid | {edit.piece}, hands[turn - 1] - 1
        # What somebody was taken not to hold may have been the very mistake.
        after = self.finished(State(laid, tuple(hands), (frozenset(),) * len(hands), turn))
        for wrong in self.audit(after):
            raise RuleError(inconsistent("C8", wrong, "Say where every card is."))
        return after

    def end(self, state: State) -> State:
        return msgspec.structs.replace(state, outcome=Outcome((), "ended-by-host", "C8", "The host ended the match."))

    def tell(self, state: State, action: Any, facts: Facts = ()) -> str:
        if isinstance(action, Pass):
            return f"{at(action.seat)} passes."
        card = action.card
        return f"{at(action.seat)} lays {card.words if isinstance(card, Hole) else self.titles({card})}."

    def tacit(self, state: State) -> Action | None:
        silent = Pass(seat=state.turn)
        return silent if self.judge(state, silent).ok else None

    def attempts(self, state: State, piece: Piece, zone: Zone) -> Iterable[Action]:
        return (Lay(seat=state.turn, card=piece),)

    def titles(self, pieces: Iterable[Piece]) -> str:
        """Name cards: "the six of hearts or the seven of clubs"."""
        return " or ".join(f"the {self.cards[p].title[:1].lower()}{self.cards[p].title[1:]}" for p in sorted(pieces))
