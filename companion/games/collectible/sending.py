"""The section "Send to auction" of Collectible: moving cards, being done with it, discarding the extras (A5)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible import places
from companion.games.collectible.components import Components
from companion.games.collectible.state import SEND, State
from companion.games.collectible.steps import CollectibleAction, may_move, waiting
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Hole, Seat, Verdict, Weight, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.text import t

NOTHING_IN_GALLERY = illegal(SEND, t("the gallery is empty"), t("Reveal or pass."))


class SendAction(CollectibleAction, frozen=True, kw_only=True):
    """An action of Send: its owner moves cards, or may begin to."""

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        return seat == state.turn and may_move(state)

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        """After Send nothing is moved any more (A5)."""
        if state.phase == "reveal" and seat == state.turn:
            reason = t("{seat} is done sending cards and is at the last step, revealing or passing", seat=at(seat))
            return illegal("A5", reason, waiting(components, state))
        return super().out_of_turn(components, state, seat)


def _gallery(components: Components, state: State, seat: Seat) -> tuple[int, int]:
    return state.players[seat - 1].gallery.size, components.gallery_limit


def _auction(components: Components, state: State, seat: Seat) -> tuple[int, int]:
    return len(state.players[seat - 1].auction), components.auction_limit


def _moving(cards: int, most: int, there: int, limit: int) -> Weight:
    """Return the weight of moving a card from where so many lie, of at most so many, to the other place."""
    if there >= limit:
        return "weak"
    return "strong" if cards > most else ""


class Send(SendAction, frozen=True, tag="send", kw_only=True):
    """Move a card from your gallery to your auction."""

    declared = Declared(t("Put a card up for auction"), "A", "Send to auction; A5", ("collect", "send"))
    card: Piece | Hole

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        return NOTHING_IN_GALLERY

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        """What a full gallery needs, while the auction has room."""
        return _moving(*_gallery(components, state, seat), *_auction(components, state, seat))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Send]:
        if not may_move(state):
            return ()
        return [cls(seat=state.turn, card=hole) for hole in places.gallery_hole(state, state.turn)]

    def judge(self, components: Components, state: State) -> Verdict:
        """You may move cards from your gallery to your auction; moving is voluntary (A5)."""
        return places.not_held(components, state, self.seat, self.card) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        seat, card = self.seat, str(self.card)
        state = places.with_auction(places.take_out(state, seat, card), seat, state.players[seat - 1].auction | {card})
        return replace(state, step="sending")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} puts {card} up for auction.", seat=at(self.seat), card=places.card_words(components, self.card)
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Send]:
        return [cls(seat=owner_of(zone), card=piece)] if zone.startswith("auction.") else ()


class TakeBack(SendAction, frozen=True, tag="take-back", kw_only=True):
    """Move a card from your auction to your gallery."""

    declared = Declared(
        t("Take a card of your auction into your gallery"), "A", "Send to auction; A5", ("collect", "send")
    )
    card: Piece

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        return illegal(SEND, t("there is no card in your auction"), t("Leave it as it is."))

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        """What a full auction needs, while the gallery has room."""
        return _moving(*_auction(components, state, seat), *_gallery(components, state, seat))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TakeBack]:
        if not may_move(state):
            return ()
        return [cls(seat=state.turn, card=card) for card in sorted(state.players[state.turn - 1].auction)]

    def judge(self, components: Components, state: State) -> Verdict:
        """You may move cards from your auction to your gallery."""
        if self.card in state.players[self.seat - 1].auction:
            return LEGAL
        where = places.whereabouts(components, state, self.card)
        reason = t(
            "{card} is not in the auction of {seat}: {where}",
            card=components.name(self.card),
            seat=at(self.seat),
            where=where,
        )
        return inconsistent("C2", reason, t("Look again which card it is."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        state = places.with_auction(state, self.seat, state.players[self.seat - 1].auction - {self.card})
        return replace(places.put_in(state, self.seat, self.card), step="sending")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} takes {card} back into the gallery.", seat=at(self.seat), card=components.name(self.card))


class Done(SendAction, frozen=True, tag="done", kw_only=True):
    """Be done with moving cards, although you may have moved none (A5)."""

    declared = Declared(t("Done moving cards"), "C", "Send to auction; A5", ("collect", "send"), idle=True)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Done]:
        return [cls(seat=state.turn)] if may_move(state) else ()

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """What is above five has to go now; if nothing is, Send is over (`turns.go_on`)."""
        return replace(state, step="discarding")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} is done moving cards.", seat=at(self.seat))


class Discard(SendAction, frozen=True, tag="discard", kw_only=True):
    """Discard a card that your gallery or auction holds too many of."""

    declared = Declared(t("Discard a card above five"), "A", "Send to auction; A5, A6", ("collect", "send"))
    card: Piece | Hole

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        """Return whether cards are moved, or the moving is over and what is above five has to go."""
        return seat == state.turn and (may_move(state) or state.phase == "send")

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if not state.players[seat - 1].gallery.size:
            return NOTHING_IN_GALLERY
        return illegal("A5", t("there are not more than five cards in gallery or auction"), t("Keep them."))

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        """What has to be done where moving does not help any more (A5)."""
        cards, most = _gallery(components, state, seat)
        more, limit = _auction(components, state, seat)
        return "strong" if not may_move(state) or cards + more > most + limit else ""

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Discard]:
        if not cls.is_due(components, state, state.turn):
            return ()
        player, able = state.players[state.turn - 1], list[Piece | Hole]()
        if player.gallery.size > components.gallery_limit:
            able += places.gallery_hole(state, state.turn)
        if len(player.auction) > components.auction_limit:
            able += sorted(player.auction)
        return [cls(seat=state.turn, card=card) for card in able]

    def judge(self, components: Components, state: State) -> Verdict:
        """Put the extras in the discard pile: only cards above five after moving, which the owner chooses (A5)."""
        player = state.players[self.seat - 1]
        if self.card in player.auction:
            if len(player.auction) > components.auction_limit:
                return LEGAL
            reason = t(
                "the auction of {seat} has {count} cards, and only those above {limit} are discarded",
                seat=at(self.seat),
                count=len(player.auction),
                limit=components.auction_limit,
            )
            return illegal(SEND, reason, t("Put it back."))
        absent = places.not_held(components, state, self.seat, self.card)
        if absent is not None:
            return absent
        if player.gallery.size > components.gallery_limit:
            return LEGAL
        reason = t(
            "the gallery of {seat} has {count} cards, and only those above {limit} are discarded",
            seat=at(self.seat),
            count=player.gallery.size,
            limit=components.gallery_limit,
        )
        return illegal(SEND, reason, t("Take it back."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The moving is over (A5); a discarded character is rolled under the talent pile instead."""
        card = str(self.card)
        state = replace(places.put_away(state, self.seat, card), step="discarding")
        if card in components.characters:
            return replace(state, leaving=card, amid="roll")
        return replace(state, discard=(*state.discard, card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} discards {card}.", seat=at(self.seat), card=places.card_words(components, self.card))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Discard]:
        return [cls(seat=state.turn, card=piece)] if zone == "discard" else ()
