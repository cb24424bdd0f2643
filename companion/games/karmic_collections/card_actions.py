"""The section "Action Rules" of Karmic Collections: cards that are drawn, stolen, swapped and given, and concealed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.karmic_collections import steps
from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.state import ACTIONS, NO_CARD, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, TABLE, Facts, Need, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.rules.shown import name_shown
from companion.rules.wording import any_of
from companion.text import t


class Draw(KarmicAction, frozen=True, tag="draw", kw_only=True):
    """Take the top card of the deck face up into your hand. Needs Shown at "hand.N"."""

    declared = Declared(t("Draw a card"), "A", "Action Rules; M4", ("draw",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Draw]:
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        card = steps.shown_at(components, state, self.seat, facts, state.unseen)
        return steps.next_step(components, steps.draw(state, self.seat, card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} draws {told}.", seat=at(self.seat), told=name_shown(components.name, facts, f"hand.{self.seat}")
        )

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return steps.card_needed(
            self.seat, t("the card that {seat} gets from the deck", seat=at(self.seat)), state.unseen
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Draw]:
        drawn = state.phase != "deal" and zone.startswith("hand.") and piece in state.unseen
        return [cls(seat=owner_of(zone))] if drawn else ()


class Conceal(KarmicAction, frozen=True, tag="conceal", kw_only=True):
    """Turn over and shuffle your cards that aren't part of any set, before somebody takes cards of you."""

    declared = Declared(t("Conceal the cards outside your sets"), "A", "Card Rules; M3", ("conceal",))
    cards: tuple[Piece, ...]
    """All of them, in the order of the deck."""

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Conceal | KeepOpen]:
        """To conceal nothing comes first."""
        return [KeepOpen(seat=state.partner), *_ways_to_conceal(components, state)]

    @classmethod
    def entries(cls, components: Components, state: State, seat: Seat) -> Iterable[Conceal]:
        """Of several best splits the owner picks (M3)."""
        return () if cls.not_now(components, state, seat) else _ways_to_conceal(components, state)

    def judge(self, components: Components, state: State) -> Verdict:
        """You may conceal your cards that aren't part of any set: all or none; of several best splits you pick (M3)."""
        hand = state.players[self.seat - 1].hand
        ways = components.concealable(hand)
        if self.cards == tuple(sorted(self.cards)) and frozenset(self.cards) in ways:
            return LEGAL
        right = any_of(dict.fromkeys(components.names(way) for way in ways[:4]))
        strange = sorted(frozenset(self.cards) - hand)
        if strange:
            where = steps.whereabouts(components, state, strange[0])
            reason = t(
                "{strange} is not before {seat}: {where}",
                strange=components.name(strange[0]),
                seat=at(self.seat),
                where=where,
            )
            return inconsistent("C2", reason, t("Conceal {right}.", right=right))
        reason = t("only the cards outside the sets can be concealed, and only all of them")
        return illegal("M3", reason, t("Conceal {right}, or none.", right=right))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """They lie face down until the last card is taken."""
        return steps.next_step(components, state, concealed=frozenset(self.cards))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} conceals {cards}.", seat=at(self.seat), cards=components.names(self.cards))

    def label(self, components: Components, state: State) -> str:
        return t("Conceal {cards}", cards=components.names(self.cards))


def _ways_to_conceal(components: Components, state: State) -> list[Conceal]:
    ways = components.concealable(state.players[state.partner - 1].hand)
    return [Conceal(seat=state.partner, cards=tuple(sorted(way))) for way in ways]


class KeepOpen(KarmicAction, frozen=True, tag="keep-open", kw_only=True):
    """Conceal nothing from who takes cards of you. It is among the options of `Conceal`."""

    declared = Declared(t("Keep your cards open"), "C", "Card Rules; M3", ("conceal",), idle=True)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return steps.next_step(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} keeps all cards open.", seat=at(self.seat))


class Take(KarmicAction, frozen=True, tag="take", kw_only=True):
    """Take a face-up card of your karmic partner: steal it, or swap it."""

    declared = Declared(t("Take a card that lies face up"), "A", "Action Rules; M3", ("take-card",))
    card: Piece

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Take]:
        faces_up = state.players[state.partner - 1].hand - state.concealed
        return [cls(seat=state.turn, card=card) for card in sorted(faces_up)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Steal, swap: take an item of your karmic partner; of the face-up cards you pick which."""
        if self.card in state.concealed:
            remedy = t("Take a card that lies face up, or one of the face-down cards without looking.")
            return illegal("M3", t("{card} is concealed", card=components.name(self.card)), remedy)
        if self.card in state.players[state.partner - 1].hand:
            return LEGAL
        where = steps.whereabouts(components, state, self.card)
        reason = t(
            "{card} is not before {partner}: {where}",
            card=components.name(self.card),
            partner=at(state.partner),
            where=where,
        )
        if steps.owner_of_card(state, self.card) not in (TABLE, self.seat):
            return illegal(ACTIONS, reason, t("Put it back and take a card of {partner}.", partner=at(state.partner)))
        return inconsistent("C2", reason, t("Look again which card it is."))

    def misplaced(self, components: Components, state: State) -> Verdict | None:
        """Return why, if it is rather a card that is given to a seat that is no partner."""
        giving = state.awaits in Give.declared.phases and self.seat in set(state.seats) - {state.turn, state.partner}
        if not giving or steps.owner_of_card(state, self.card) != state.turn:
            return None
        partner, seat = at(state.partner), at(self.seat)
        reason = t("{card} is for the karmic partner, {partner}", card=components.name(self.card), partner=partner)
        return illegal(ACTIONS, reason, t("Give it to {partner}, not to {seat}.", partner=partner, seat=seat))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return _taken(components, state, self.card)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} takes {card} of {partner}.",
            seat=at(self.seat),
            card=components.name(self.card),
            partner=at(state.partner),
        )

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        reason = t("all cards of {partner} are concealed", partner=at(state.partner))
        return illegal("M3", reason, t("Pick one of them without looking."))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Take]:
        """Judged as what it is: also of a seat that is no partner, and by one whose turn it isn't."""
        taken = zone.startswith("hand.") and steps.owner_of_card(state, piece) and not _given(state, piece, zone)
        return [cls(seat=owner_of(zone), card=piece)] if taken else ()


class TakeBlind(KarmicAction, frozen=True, tag="take-blind", kw_only=True):
    """Take one of the cards that your karmic partner has concealed, without looking. Needs Shown at "hand.N"."""

    declared = Declared(t("Pick a concealed card without looking"), "A", "Card Rules; M3", ("take-card",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TakeBlind]:
        return [cls(seat=state.turn)] if state.concealed else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """The player could choose to pick blindly from the concealed cards."""
        if state.concealed:
            return LEGAL
        return illegal(
            "M3", t("{partner} has concealed no card", partner=at(state.partner)), t("Take a card that lies face up.")
        )

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """It is known once it is laid down face up."""
        return _taken(components, state, steps.shown_at(components, state, self.seat, facts, state.concealed))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, partner = at(self.seat), at(state.partner)
        return t(
            "{who} picks a concealed card of {partner}: {told}.",
            who=who,
            partner=partner,
            told=name_shown(components.name, facts, f"hand.{self.seat}"),
        )

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return steps.card_needed(self.seat, t("the card that was picked without looking"), state.concealed)


def _taken(components: Components, state: State, card: Piece) -> State:
    state = steps.move_card(state, state.partner, state.turn, card)
    state = replace(state, step=state.step + 1, taken=card, concealed=state.concealed - {card})
    if state.awaits != "take-card":
        state = replace(state, concealed=frozenset())
    return steps.proceed(components, state)


class Give(KarmicAction, frozen=True, tag="give", kw_only=True):
    """A card for your karmic partner: one that is due, or in exchange for the one taken."""

    declared = Declared(t("Give a card"), "A", "Action Rules; M3", ("give-card", "return-card"))
    card: Piece

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Give]:
        kept = state.taken if state.awaits == "return-card" else NO_CARD
        return [cls(seat=state.turn, card=card) for card in sorted(state.players[state.turn - 1].hand) if card != kept]

    def judge(self, components: Components, state: State) -> Verdict:
        """One of the items you own; a swap gives a card of yours, not the one just taken (M3)."""
        if self.card not in state.players[self.seat - 1].hand:
            where = steps.whereabouts(components, state, self.card)
            reason = t(
                "{card} is not before {seat}: {where}", card=components.name(self.card), seat=at(self.seat), where=where
            )
            if steps.owner_of_card(state, self.card) not in (TABLE, state.partner):
                return illegal(ACTIONS, reason, t("Put it back and give a card that lies before you."))
            return inconsistent("C2", reason, t("Look again which card it is."))
        if state.awaits == "return-card" and self.card == state.taken:
            return illegal(
                "M3",
                t("{card} has just been taken in this swap", card=components.name(self.card)),
                t("Give another card."),
            )
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return steps.next_step(components, steps.move_card(state, self.seat, state.partner, self.card), taken=NO_CARD)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} gives {partner} {card}.",
            seat=at(self.seat),
            partner=at(state.partner),
            card=components.name(self.card),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Give]:
        return [cls(seat=state.turn, card=piece)] if _given(state, piece, zone) else ()


def _given(state: State, piece: Piece, zone: Zone) -> bool:
    owner = steps.owner_of_card(state, piece)
    return zone.startswith("hand.") and owner != TABLE and owner == state.turn and owner_of(zone) == state.partner
