"""Section 4 of the rulebook, "Gameplay": a card of the hand is added to the collection, or discarded."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.five_cards_collector import steps
from companion.games.five_cards_collector.components import Choice, Components
from companion.games.five_cards_collector.state import Player, State
from companion.games.five_cards_collector.steps import GAMEPLAY, LAYING, FiveCardsAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import laid
from companion.rules.kernel import LEGAL, Facts, Hole, Seat, Verdict, at, illegal
from companion.rules.layout import Zone, owner_of
from companion.text import t


class LaidCard(FiveCardsAction, frozen=True, kw_only=True):
    """An action that lays a card of the hand, as a turn or after a draw."""

    card: Piece | Hole

    @classmethod
    @abstractmethod
    def allowed(cls, components: Components, state: State, /) -> Choice:
        """Return the cards that the seat whose turn it is may lay so, and what people call them."""

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[LaidCard]:
        seat = state.turn
        choice, hand = cls.allowed(components, state), state.players[seat - 1].hand
        able = choice.pieces & state.unseen if hand.unknown else frozenset()
        if hand.known:
            able |= _known(components, state, choice.pieces & hand.known)
        return (cls(seat=seat, card=Hole(seat, able, choice.words)),) if able else ()

    @classmethod
    def offer(cls, components: Components, state: State, actions: tuple[LaidCard, ...]) -> str:
        words, which = cls.declared.words, actions[0].card
        # "Use a special card" says already that any special card will do.
        return (
            t("{words}: {words2}", words=words, words2=which.words)
            if isinstance(which, Hole) and which.words not in words
            else words
        )

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if not state.players[seat - 1].hand.size:
            if steps.passes_left(components, state, seat) == 0:
                return illegal(GAMEPLAY, t("the hand is empty"), t("Draw a card; if that can't be done, say so."))
            return illegal(GAMEPLAY, t("the hand is empty"), t("Draw a card, or do nothing."))
        where = t("be the card just drawn") if state.phase == "drawn" else t("be in the hand of {seat}", seat=at(seat))
        return illegal(
            "C2",
            t("only {which} would do, and that can't {where}", which=cls.which(components, state), where=where),
            steps.waiting(components, state),
        )

    @classmethod
    def which(cls, components: Components, state: State) -> str:
        """Return what people call the cards that would do, when none of them can be in the hand."""
        return cls.allowed(components, state).words


def _known(components: Components, state: State, pieces: frozenset[Piece]) -> frozenset[Piece]:
    """Return the known cards that may be laid; after a draw only those of which a copy can be the one drawn (F3)."""
    if state.phase != "drawn":
        return pieces
    return frozenset(card for card in pieces if not components.copies[card].isdisjoint(state.unseen))


class Add(LaidCard, frozen=True, tag="add", kw_only=True):
    """Add a card to your collection."""

    declared = Declared(t("Add a card to your collection"), "A", "4. Gameplay; F3, F7", LAYING)

    @classmethod
    def allowed(cls, components: Components, state: State) -> Choice:
        player = state.players[state.turn - 1]
        return components.wanted(player.goal, player.collected)

    def judge(self, components: Components, state: State) -> Verdict:
        """You can add one card that your collection card shows and that you have not collected yet (F3)."""
        absent = steps.not_in_hand(components, state, self.seat, self.card, state.players[self.seat - 1].collected)
        if absent is not None:
            return absent
        legal = self.card in self.allowed(components, state).pieces
        return LEGAL if legal else steps.does_not_belong(components, state, self.seat, str(self.card))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Place it in front of you; the fifth wins at once (F7)."""
        card = str(self.card)
        player = state.players[self.seat - 1]
        hand, unseen = laid(player.hand, state.unseen, card)
        player = Player(player.goal, (*player.collected, card), hand, player.passes)
        players = steps.with_player(state.players, self.seat, player)
        if not steps.wanted(components, player).pieces:
            return steps.won(replace(state, players=players, unseen=unseen), self.seat)
        return steps.next_turn(state, players, unseen, state.discard, state.used)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} adds {card_words} to the collection.",
            seat=at(self.seat),
            card_words=steps.card_words(components, self.card),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Add]:
        lies = zone.startswith("collection.") and not steps.collector_of(state, piece)
        return [cls(seat=owner_of(zone), card=piece)] if lies else ()


class Discard(LaidCard, frozen=True, tag="discard", kw_only=True):
    """Discard a symbol card."""

    declared = Declared(t("Discard a symbol card"), "A", "4. Gameplay", LAYING)

    @classmethod
    def allowed(cls, components: Components, state: State) -> Choice:
        return components.matching[state.discard[-1]]

    def judge(self, components: Components, state: State) -> Verdict:
        """You can discard a card that has the same symbol or color as the first card in the pile."""
        absent = steps.not_in_hand(components, state, self.seat, self.card, state.discard)
        if absent is not None:
            return absent
        match = self.allowed(components, state)
        if self.card in match.pieces:
            return LEGAL
        remedy = t("Take it back; {words} would do.", words=match.words)
        name = components.name(self.card)
        if self.card in components.specials:
            return illegal(GAMEPLAY, t("{name} is not a symbol, and only symbols are discarded", name=name), remedy)
        reason = t(
            "{name} matches neither the colour nor the figure of the top card, {discard}",
            name=name,
            discard=components.name(state.discard[-1]),
        )
        return illegal(GAMEPLAY, reason, remedy)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        card = str(self.card)
        hand, unseen = laid(state.players[self.seat - 1].hand, state.unseen, card)
        players = steps.with_hand(state.players, self.seat, hand)
        return steps.next_turn(state, players, unseen, (*state.discard, card), state.used)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} discards {card_words}.", seat=at(self.seat), card_words=steps.card_words(components, self.card)
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Discard]:
        return [cls(seat=state.turn, card=piece)] if zone == "discard" and not steps.collector_of(state, piece) else ()
