"""The special cards: section 1 of the rulebook, "How do they work?", and "Use a Special Card" of section 4.

A special without a choice acts wholly within Use. The others stay in use (F4) until Take, Retrieve or TakeOver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from companion.games.five_cards_collector import steps
from companion.games.five_cards_collector.components import TAKING, Choice, Components
from companion.games.five_cards_collector.laying import LaidCard
from companion.games.five_cards_collector.state import Player, State
from companion.games.five_cards_collector.steps import GAMEPLAY, LAYING, FiveCardsAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import Hand, laid
from companion.rules.kernel import LEGAL, Facts, Hole, Seat, Verdict, at, illegal, inconsistent, no_such_seat
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import any_of
from companion.text import t

CHOICES = {
    "draw-from-hand": "take",
    "view-hand": "take",
    "retrieve": "retrieve",
    "take-over": "take-over",
}
"""The specials that leave a choice, and the phase that makes it."""


class Use(LaidCard, frozen=True, tag="use", kw_only=True):
    """Use a special card. Where it leaves a choice, Take, Retrieve or TakeOver follows."""

    declared = Declared(t("Use a special card"), "A", "1. Contents; 4. Gameplay; F4, F5, F9", LAYING)

    @classmethod
    def allowed(cls, components: Components, state: State) -> Choice:
        hands = collections = False
        for seat, player in enumerate(state.players, 1):
            if seat != state.turn and (player.hand.unknown or player.hand.known):
                hands = True
            if player.collected:
                collections = True
        return components.usable[
            len(state.players) == 2, steps.drawable(state), hands, len(state.discard) > 1, collections
        ]

    @classmethod
    def which(cls, components: Components, state: State) -> str:
        return t("a special card with a possible target")

    def judge(self, components: Components, state: State) -> Verdict:
        """Use a special card that you already have; one without a possible target is illegal (F4)."""
        absent = steps.not_in_hand(components, state, self.seat, self.card, state.used)
        if absent is not None:
            return absent
        if self.card in self.allowed(components, state).pieces:
            return LEGAL
        if self.card in components.symbols:
            remedy = t("Take it back; add it or discard it, or use a special card.")
            return illegal(
                GAMEPLAY, t("{card} is a symbol, not a special card", card=components.name(self.card)), remedy
            )
        effect, remedy = components.effect[str(self.card)], t("Take it back and do something else.")
        if effect == "draw-three":
            return illegal("F4", t("no card is left to draw, in the deck or under the top of the discard pile"), remedy)
        if effect in TAKING:
            return illegal("F5", t("every other hand is empty"), remedy)
        if effect == "take-over":
            return illegal("F4", t("no card lies in any collection"), remedy)
        return illegal("F9", t("the discard pile has only 1 card and never runs dry; it takes at least 2"), remedy)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Follow the description on the card, then put it on the used specials (F4: it leaves the hand first)."""
        seat, card = self.seat, str(self.card)
        hand, unseen = laid(state.players[seat - 1].hand, state.unseen, card)
        players, used, effect = state.players, (*state.used, card), components.effect[card]
        if effect in CHOICES:
            players = steps.with_hand(players, seat, hand)
            return replace(state, players=players, unseen=unseen, in_use=card, phase=CHOICES[effect], idle=0)
        if effect == "draw-three":
            # Draw three cards, but only up to the hand limit; a renewal does not shuffle in the card in use (F4).
            state = steps.draw(replace(state, unseen=unseen), hand, min(3, state.limit - hand.size))
            return steps.next_turn(state, state.players, state.unseen, state.discard, (*state.used, card))
        if effect == "pile-swap":
            # Take the first card from the top of the discard pile: everybody sees which (C2).
            hand = Hand(hand.known | {state.discard[-1]}, hand.unknown)
            return steps.next_turn(state, steps.with_hand(players, seat, hand), unseen, state.discard[:-1], used)
        # Change direction: the next move is made by the previous player, and the game goes on that way (F5).
        turned = replace(state, direction=-state.direction)
        return steps.next_turn(turned, steps.with_hand(players, seat, hand), unseen, state.discard, used)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} uses {card_words}{effect}.",
            seat=at(self.seat),
            card_words=steps.card_words(components, self.card),
            effect=_effect(components, state, self.card),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Use]:
        return [cls(seat=state.turn, card=piece)] if zone == "used" else ()


def _effect(components: Components, state: State, card: Piece | Hole) -> str:
    effect = "" if isinstance(card, Hole) else components.effect.get(card, "")
    if effect == "pile-swap" and state.discard:
        return t(" and takes {discard}", discard=components.name(state.discard[-1]))
    if effect == "change-direction":
        return t(": play goes counterclockwise now") if state.direction == 1 else t(": play goes clockwise now")
    return ""


def done(state: State, players: tuple[Player, ...], unseen: frozenset[Piece], discard: tuple[Piece, ...]) -> State:
    """End the turn after the effect of the special in use: now it reaches the used pile (F4)."""
    return steps.next_turn(state, players, unseen, discard, (*state.used, state.in_use))


# --------------------------------------------------------------- "Draw from a player's hand" and "View player's hand"


class Take(FiveCardsAction, frozen=True, tag="take", kw_only=True):
    """Take one card out of a hand, by "Draw from a player's hand" or "View player's hand"."""

    declared = Declared(t("Take a card out of another hand"), "B", "1. Contents; F5", ("take",))
    victim: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Take]:
        return [cls(seat=state.turn, victim=victim) for victim in victims(state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Take one card of any other player's hand that is not empty (F5)."""
        if self.victim not in state.seats:
            return no_such_seat(self.victim, len(state.players))
        remedy = t("Choose {seats}.", seats=any_of(at(seat) for seat in victims(state)))
        if self.victim == self.seat:
            return illegal("F5", t("the card comes out of another player's hand"), remedy)
        if not state.players[self.victim - 1].hand.size:
            return illegal("F5", t("the hand of {victim} is empty", victim=at(self.victim)), remedy)
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Nobody sees which card it was, so what was known of the hand is unseen, unless it was the only card (C1)."""
        owner = state.players[self.victim - 1].hand
        hand = state.players[self.seat - 1].hand
        unseen = state.unseen
        if owner.size == 1:
            rest, hand = Hand(frozenset(), 0), Hand(hand.known | owner.known, hand.unknown + owner.unknown)
        else:
            rest, hand = Hand(frozenset(), owner.size - 1), Hand(hand.known, hand.unknown + 1)
            unseen = unseen | owner.known
        players = steps.with_hand(steps.with_hand(state.players, self.victim, rest), self.seat, hand)
        return done(state, players, unseen, state.discard)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        sight = t("after a look at it") if _looks(components, state) else t("unseen")
        return t(
            "{seat} takes a card out of the hand of {victim}, {sight}.",
            seat=at(self.seat),
            victim=at(self.victim),
            sight=sight,
        )

    def label(self, components: Components, state: State) -> str:
        """Return whether the card is chosen or drawn blindly: which special is in use is easily forgotten."""
        victim = at(self.victim)
        if _looks(components, state):
            return t("{victim}: see all, take 1", victim=victim)
        return t("{victim}: 1 unseen", victim=victim)


def _looks(components: Components, state: State) -> bool:
    """Return whether the special in use shows the hand out of which a card is taken."""
    return components.effect.get(state.in_use) == "view-hand"


def victims(state: State) -> tuple[Seat, ...]:
    """Return the other seats that hold cards."""
    return tuple(seat for seat in state.seats if seat != state.turn and state.players[seat - 1].hand.size)


# ---------------------------------------------------------------------------------- "Retrieve a card from the pile"


class Retrieve(FiveCardsAction, frozen=True, tag="retrieve", kw_only=True):
    """Take a card out of the discard pile."""

    declared = Declared(t("Take a card out of the discard pile"), "B", "1. Contents; F5, F9", ("retrieve",))
    card: Piece

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Retrieve]:
        return [cls(seat=state.turn, card=card) for card in state.discard]

    def judge(self, components: Components, state: State) -> Verdict:
        """Search the discard pile and select any card (F5); it never runs dry (F9: the use was illegal else)."""
        if self.card in state.discard:
            return LEGAL
        reason = t(
            "{card} is not in the discard pile: {whereabouts}",
            card=components.name(self.card),
            whereabouts=steps.whereabouts(components, state, self.card),
        )
        if steps.lies_open(state, self.card):
            return illegal("F5", reason, t("Put it back and take a card of the discard pile."))
        return inconsistent("C2", reason, t("Look again which card it is; choose one of the discard pile."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        hand = state.players[self.seat - 1].hand
        players = steps.with_hand(state.players, self.seat, Hand(hand.known | {self.card}, hand.unknown))
        return done(state, players, state.unseen, tuple(p for p in state.discard if p != self.card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} takes {card} out of the discard pile.", seat=at(self.seat), card=components.name(self.card))

    def label(self, components: Components, state: State) -> str:
        """Return whether it or a copy below is taken, which decides what lies on top next."""
        below = self.card == state.discard[-1] and not components.copies[self.card].isdisjoint(state.discard[:-1])
        return t("on top") if below else ""

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Retrieve]:
        taken = zone.startswith("hand.") and piece in state.discard
        return [cls(seat=owner_of(zone), card=piece)] if taken else ()


# ------------------------------------------------------------------------------------------- "Take over or discard"


class TakeOver(FiveCardsAction, frozen=True, tag="take-over", kw_only=True):
    """Move a card out of a collection: to your own, or onto the discard pile."""

    declared = Declared(t("Take over or discard a card of a collection"), "A", "1. Contents; F6, F7", ("take-over",))
    card: Piece
    from_seat: Seat
    to: Literal["own", "discard"]

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[TakeOver]:
        belongs = steps.wanted(components, state.players[state.turn - 1]).pieces
        for owner, player in enumerate(state.players, 1):
            for card in player.collected:
                if card in belongs:
                    yield cls(seat=state.turn, card=card, from_seat=owner, to="own")
                yield cls(seat=state.turn, card=card, from_seat=owner, to="discard")

    def judge(self, components: Components, state: State) -> Verdict:
        """Choose a card of any player's collection: to be added it must belong to yours; any can be discarded (F6)."""
        if self.from_seat not in state.seats:
            return no_such_seat(self.from_seat, len(state.players))
        if self.card not in state.players[self.from_seat - 1].collected:
            where = steps.whereabouts(components, state, self.card)
            reason = t(
                "{card} is not in the collection of {from_seat}: {where}",
                card=components.name(self.card),
                from_seat=at(self.from_seat),
                where=where,
            )
            if self.card in state.discard + state.used:
                return illegal("F6", reason, t("Put it back and choose a card of a collection."))
            return inconsistent("C2", reason, t("Look again which card it is, and whose."))
        if self.to == "discard":
            return LEGAL
        if self.from_seat == self.seat:
            reason = t(
                "{card} is in the collection of {seat} already", card=components.name(self.card), seat=at(self.seat)
            )
            return illegal("F6", reason, t("Leave it there and choose another card, or discard it."))
        if self.card in steps.wanted(components, state.players[self.seat - 1]).pieces:
            return LEGAL
        verdict = steps.does_not_belong(components, state, self.seat, self.card)
        return illegal("F6", verdict.reason, t("Put it back where it lay and choose another card, or discard it."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Add it to your own, or put it back on top of the discard pile. The fifth card wins at once (F7)."""
        owner = state.players[self.from_seat - 1]
        rest = Player(owner.goal, tuple(p for p in owner.collected if p != self.card), owner.hand, owner.passes)
        players = steps.with_player(state.players, self.from_seat, rest)
        if self.to == "discard":
            return done(state, players, state.unseen, (*state.discard, self.card))
        own = players[self.seat - 1]
        own = Player(own.goal, (*own.collected, self.card), own.hand, own.passes)
        players = steps.with_player(players, self.seat, own)
        if not steps.wanted(components, own).pieces:
            return steps.won(replace(state, players=players), self.seat)
        return done(state, players, state.unseen, state.discard)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if self.to == "own":
            return t(
                "{seat} takes over {card} from the collection of {from_seat}.",
                seat=at(self.seat),
                card=components.name(self.card),
                from_seat=at(self.from_seat),
            )
        return t(
            "{seat} discards {card} from the collection of {from_seat}.",
            seat=at(self.seat),
            card=components.name(self.card),
            from_seat=at(self.from_seat),
        )

    def label(self, components: Components, state: State) -> str:
        if self.to == "own":
            return t("{from_seat}: collect", from_seat=at(self.from_seat))
        return t("{from_seat}: discard", from_seat=at(self.from_seat))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TakeOver]:
        collector = steps.collector_of(state, piece)
        if collector and zone == "discard":
            return [cls(seat=state.turn, card=piece, from_seat=collector, to="discard")]
        if collector and zone.startswith("collection."):
            return [cls(seat=owner_of(zone), card=piece, from_seat=collector, to="own")]
        return ()
