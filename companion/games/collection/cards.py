"""Collection cards (2.3, 6; I10, I12): playing and drawing them, choosing what they leave open, and going on."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collection.board import with_player
from companion.games.collection.components import Components
from companion.games.collection.effects import CardEffect, printed, spot_words
from companion.games.collection.resolve import choices, does_anything, next_turn
from companion.games.collection.state import SEQUENCE, State
from companion.games.collection.steps import CollectionAction, due, shown_at, waiting
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Need, RuleError, Seat, Verdict, Weight, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import any_of
from companion.text import plural, t


class PlayCard(CollectionAction, frozen=True, tag="play", kw_only=True):
    """Play one of the blue cards that lie before you."""

    declared = Declared(t("Play a blue card"), "A", "6; I10, I12, I14", ("act", "close"))
    moves_tokens = True
    card: Piece

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "report" and seat == state.turn:
            return illegal("I12", t("no card is played between a roll and the use of its report"), waiting(state))
        return super().not_now(components, state, seat)

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        return illegal(SEQUENCE, t("no blue card lies before {seat}", seat=at(seat)), t("Go on without."))

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        return "weak" if _in_vain(components, state, seat) else ""

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        if not _in_vain(components, state, seat):
            return ""
        return t("Tap again: it would change nothing now, and you may keep it for later")

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[PlayCard]:
        return [cls(seat=state.turn, card=piece) for piece in state.players[state.turn - 1].hand]

    def judge(self, components: Components, state: State) -> Verdict:
        """A blue card is played at once, or held and played at any time during its owner's turn (6, I12)."""
        if self.card in state.players[self.seat - 1].hand:
            return LEGAL
        owner = next((seat for seat, player in enumerate(state.players, 1) if self.card in player.hand), None)
        if owner is not None:
            reason = t("{card} belongs to {seat}", card=components.name(self.card), seat=at(owner))
            return illegal(SEQUENCE, reason, t("Give it back."))
        if self.card in state.discard:
            reason = t("{card} lies in the discard pile and has been played", card=components.name(self.card))
            return illegal(SEQUENCE, reason, t("Put it back, and play a card that lies before you."))
        reason = t("{card} does not lie before {seat}", card=components.name(self.card), seat=at(self.seat))
        return inconsistent("C2", reason, t("Look again which card it is."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player = state.players[self.seat - 1]
        hand = tuple(piece for piece in player.hand if piece != self.card)
        state = with_player(state, self.seat, replace(player, hand=hand))
        return replace(state, discard=(*state.discard, self.card), pending=components.effect[self.card])

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        card, effect = components.name(self.card), components.effect.get(self.card)
        if effect is None:
            return t("{seat} plays {card}.", seat=at(self.seat), card=card)
        return t("{seat} plays {card}: {effect}", seat=at(self.seat), card=card, effect=printed(effect))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[PlayCard]:
        return [cls(seat=state.turn, card=piece)] if piece in components.cards and _has_come_up(state, piece) else ()


class Draw(CollectionAction, frozen=True, tag="draw", kw_only=True):
    """Draw a collection card, which ends your actions. Needs Shown at "discard"."""

    declared = Declared(t("Draw a collection card"), "A", "6; I10, I12, I13", ("act",))
    moves_tokens = True

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.drawn and due(state) == (seat,):
            return illegal(SEQUENCE, t("the card of this turn has been drawn"), waiting(state))
        return super().not_now(components, state, seat)

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        return "weak" if state.actions else ""

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        if not state.actions:
            return ""
        return plural(
            "Tap again: you still have {count} action, and drawing gives it up",
            "Tap again: you still have {count} actions, and drawing gives them up",
            count=state.actions,
        )

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Draw]:
        """At the end of their turn each player draws; a seat may stop before its actions are used up (6, I13)."""
        return [cls(seat=state.turn)]

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (Need("discard", "shown", t("the collection card drawn"), in_deck(components, state)),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """A red card is played at once, a blue one comes to lie before its player. An empty deck is made anew (I12)."""
        piece = shown_at(components, "discard", facts, in_deck(components, state))
        if piece not in state.unseen:
            state = replace(state, unseen=state.unseen.union(state.discard), discard=())
        state = replace(state, unseen=state.unseen - {piece}, drawn=True, actions=0)
        if piece in components.red:
            return replace(state, discard=(*state.discard, piece), pending=components.effect[piece])
        player = state.players[self.seat - 1]
        return with_player(state, self.seat, replace(player, hand=(*player.hand, piece)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, shuffled = at(self.seat), not state.unseen & components.cards
        try:
            piece = shown_at(components, "discard", facts, components.cards)
        except RuleError:
            if shuffled:
                return t("{who} draws, after the discards are shuffled, a collection card.", who=who)
            return t("{who} draws a collection card.", who=who)
        card, effect = components.name(piece), printed(components.effect[piece])
        if piece in components.blue:
            effect = t("{effect} It may be held.", effect=effect)
        if shuffled:
            return t(
                "{who} draws, after the discards are shuffled, {card}: {effect}", who=who, card=card, effect=effect
            )
        return t("{who} draws {card}: {effect}", who=who, card=card, effect=effect)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Draw]:
        return [cls(seat=state.turn)] if piece in components.cards and not _has_come_up(state, piece) else ()


def _in_vain(components: Components, state: State, seat: Seat) -> bool:
    """Return whether none of a seat's blue cards would change anything now (I10)."""
    hand = state.players[seat - 1].hand if seat in state.seats else ()
    return bool(hand) and not any(does_anything(components, state, piece) for piece in hand)


def in_deck(components: Components, state: State) -> frozenset[Piece]:
    """Return the collection cards that a draw can bring: an empty deck is made anew of the discards (I12)."""
    return state.unseen & components.cards or frozenset(state.discard)


def _has_come_up(state: State, piece: Piece) -> bool:
    return piece in state.discard or any(piece in player.hand for player in state.players)


class Choose(CollectionAction, frozen=True, tag="choose", kw_only=True):
    """Choose what a card leaves open: scenario, collector and colour, as far as its effect has them."""

    declared = Declared(t("Choose what a card leaves open"), "B", "I10", ("choose",))
    too_soon = t("there is nothing to choose")
    blank = ("scenario", "collector", "colour")
    scenario: str
    collector: str = ""
    colour: str = ""

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Choose]:
        return [
            cls(seat=state.turn, scenario=choice.scenario, collector=choice.collector, colour=choice.colour)
            for choice in choices(state, _chosen_of(state))
        ]

    def judge(self, components: Components, state: State) -> Verdict:
        """What a card leaves open the drawer chooses (I10)."""
        effect = _chosen_of(state)
        possible = choices(state, effect)
        if self.filled(effect) in possible:
            return LEGAL
        spots = any_of(spot_words(choice.scenario, choice.collector, choice.colour) for choice in possible)
        said = self.label(components, state)
        return illegal("I10", t("the card can't be about {spot} now", spot=said), t("Choose {spots}.", spots=spots))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return replace(state, pending=(self.filled(_chosen_of(state)), *state.pending[1:]))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, spot, effect = at(self.seat), self.label(components, state), state.effect
        if effect is None or self.filled(effect) not in choices(state, effect):
            return t("{who} chooses {spot}.", who=who, spot=spot)
        return t("{who} chooses {spot}: {effect:small}", who=who, spot=spot, effect=self.filled(effect).words)

    def label(self, components: Components, state: State) -> str:
        return spot_words(self.scenario, self.collector, self.colour) or t("nothing")

    def filled(self, effect: CardEffect) -> CardEffect:
        return replace(effect, scenario=self.scenario, collector=self.collector, colour=self.colour)


def _chosen_of(state: State) -> CardEffect:
    """Return the effect that leaves something open; a default where no choice is due."""
    assert state.effect is not None  # noqa: S101  (the audit says when it is not so)
    return state.effect


class Pass(CollectionAction, frozen=True, tag="pass", kw_only=True):
    """Keep your cards, after the draw, and let the next player go on."""

    declared = Declared(t("Keep your cards: next player"), "C", "6", ("close",), idle=True, onward=True)
    too_soon = t("the turn ends with the draw of a card")

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        return "weak" if state.actions else ""

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        if not state.actions:
            return ""
        return plural(
            "Tap again: you still have {count} action, and going on gives it up",
            "Tap again: you still have {count} actions, and going on gives them up",
            count=state.actions,
        )

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Pass]:
        """After the draw cards may be played or held; then the next player goes on."""
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return next_turn(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} lets the next player go on.", seat=at(self.seat))
