"""The section "Start auction" of Collectors, its end: paying with coins and cards, and placing what was won."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from companion.games.collectors.actions import learned
from companion.games.collectors.components import Components, dollars
from companion.games.collectors.quarter import next_turn
from companion.games.collectors.state import NONE, UNREAD, Player, Role, State
from companion.games.collectors.steps import (
    YOURS,
    CollectorsAction,
    actors,
    card_words,
    lies_open,
    not_in_hand,
    waiting,
    whereabouts,
    with_player,
)
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import Hand, held, laid, least_worth, most_worth, opened
from companion.rules.kernel import LEGAL, TABLE, Facts, Hole, Need, Seat, Verdict, Weight, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.text import t


def won(components: Components, state: State, seat: Seat, price: int) -> State:
    """Go on to the payment of an auction's winner, if paying is possible."""
    state = replace(state, phase="pay", actor=seat, price=price, laid=())
    return _failed(components, state) if _worth(components, state)[1] < price else state


def _worth(components: Components, state: State) -> tuple[int, int]:
    """Return what the payer can surely pay, and can pay at most: coins, cards laid, cards in hand."""
    player, worth = state.players[state.actor - 1], components.cash.__getitem__
    laid_out = player.coins + _paid(components, state)
    least = least_worth(player.hand, state.unseen, worth)
    return laid_out + least, laid_out + most_worth(player.hand, state.unseen, worth)


def _with_laid(state: State, card: Piece) -> State:
    player = state.players[state.actor - 1]
    hand, unseen = laid(player.hand, state.unseen, card)
    players = with_player(state, state.actor, replace(player, hand=hand))
    return replace(state, players=players, unseen=unseen, laid=(*state.laid, card))


def _paid(components: Components, state: State) -> int:
    return sum(components.cash[card] for card in state.laid)


def rest(components: Components, state: State) -> int:
    """Return what is still to be paid."""
    return state.price - _paid(components, state)


def call(components: Components, state: State) -> str:
    """Return the payer's call: how much it is, and for how much of it the coins are too few."""
    due = rest(components, state)
    amount, short = dollars(due), due - state.players[state.actor - 1].coins
    if 0 < short < due:
        return t("Pay {amount}: at least {cards} in cards", amount=amount, cards=dollars(short))
    return t("Pay the rest: {amount}", amount=amount) if state.laid else t("Pay your bid: {amount}", amount=amount)


class PayCard(CollectorsAction, frozen=True, tag="pay-card", kw_only=True):
    """Pay with a card of the hand, worth what its corner says."""

    declared = Declared(t("Pay with a card"), "A", "Start auction; K9", ("pay",))
    card: Piece | Hole

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if seat in actors(state) and state.phase not in ("offer", "bid", "pay", "put"):
            return illegal("Start auction", t("cards are coins only during an auction"), waiting(components, state))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[PayCard]:
        able = payable(components, state)
        return [cls(seat=state.actor, card=Hole(state.actor, able, YOURS))] if able else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """You may use cards of the hand as coins, while something is still to be paid (K9)."""
        remedy = t("Put it back: an auction is paid with coins and with cards of the hand.")
        absent = not_in_hand(components, state, self.seat, self.card, "Start auction; K9", remedy)
        if absent:
            return absent
        if self.card not in payable(components, state):
            most = _worth(components, _with_laid(state, str(self.card)))[1]
            reason = t(
                "{card} is worth $1: then {seat} can pay {most} at most, and the price is {price}",
                card=components.name(self.card),
                seat=at(self.seat),
                most=dollars(most),
                price=dollars(state.price),
            )
            return illegal("K10", reason, t("Say that you can't pay."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """It goes face up to the paid pile; there is no change."""
        state = _with_laid(state, str(self.card))
        return _paid_up(state) if rest(components, state) <= 0 else state

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        seat, card = at(self.seat), card_words(components, self.card)
        if not isinstance(self.card, str) or self.card not in components.cash:
            return t("{seat} pays with {card}.", seat=seat, card=card)
        worth = dollars(components.cash[self.card])
        return t("{seat} pays with {card}, worth {worth}.", seat=seat, card=card, worth=worth)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[PayCard]:
        return (
            [cls(seat=state.actor or state.turn, card=piece)]
            if zone == "paid" and piece not in components.owner
            else ()
        )


def payable(components: Components, state: State) -> frozenset[Piece]:
    """Return the cards that may be in the payer's hand and leave the bid payable; else it has to be said (K10)."""
    hand = state.players[state.actor - 1].hand
    able = held(hand, state.unseen)
    if _worth(components, state)[1] > state.price:
        return able
    # What is left to pay with is the same for all known cards of one worth, and for all unknown ones.
    alike = {card: (card in hand.known, components.cash[card]) for card in able}
    one_each = {kind: card for card, kind in alike.items()}
    enough = {kind: _worth(components, _with_laid(state, card))[1] >= state.price for kind, card in one_each.items()}
    return frozenset(card for card in able if enough[alike[card]])


class PayCoins(CollectorsAction, frozen=True, tag="pay-coins", kw_only=True):
    """Pay the rest of the bid with coins."""

    declared = Declared(t("Pay the rest with coins"), "C", "Start auction; K9", ("pay",))

    @classmethod
    def offer(cls, components: Components, state: State, found: tuple[PayCoins, ...]) -> str:
        amount = dollars(rest(components, state))
        if state.laid:
            return t("Pay the rest ({amount}) with coins", amount=amount)
        return t("Pay {amount} with coins", amount=amount)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[PayCoins]:
        found = cls(seat=state.actor)
        return [found] if found.judge(components, state).ok else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Pay the rest to the supply."""
        coins, due = state.players[self.seat - 1].coins, rest(components, state)
        if coins < due:
            reason = t(
                "{due} are still to be paid, and {seat} has {coins}",
                due=dollars(due),
                seat=at(self.seat),
                coins=dollars(coins),
            )
            return illegal("K9", reason, t("First pay with cards; who can't, says so and lays the hand open."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player = state.players[self.seat - 1]
        player = replace(player, coins=player.coins - rest(components, state))
        return _paid_up(replace(state, players=with_player(state, self.seat, player)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} pays {coins} in coins.", seat=at(self.seat), coins=dollars(max(0, rest(components, state))))


def _paid_up(state: State) -> State:
    return replace(state, phase="put", paid=state.paid + state.laid, laid=())


class CantPay(CollectorsAction, frozen=True, tag="cant-pay", kw_only=True):
    """Claim that you can't pay your bid, and lay the hand open (K10). Needs Opened at "open"."""

    declared = Declared(t("Say that you can't pay"), "B", "K10", ("pay",))

    @classmethod
    def weight(cls, components: Components, state: State, seat: Seat) -> Weight:
        return "weak"

    @classmethod
    def asks_back(cls, components: Components, state: State, seat: Seat) -> str:
        return t("Tap again: your hand is laid open, and if it can pay, it has to")

    def borne_out(self, components: Components, state: State, hand: frozenset[Piece]) -> bool:
        worth = sum(components.cash.get(card, 0) for card in hand)
        return state.players[self.seat - 1].coins + worth < rest(components, state)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[CantPay]:
        found = cls(seat=state.actor)
        return [found] if found.judge(components, state).ok else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """Who claims not to be able to pay lays the hand open (K10); false on its face it is inconsistent (C9)."""
        sure = _worth(components, state)[0]
        if sure >= state.price:
            reason = t(
                "{seat} can pay at least {sure}, and the price is {price}",
                seat=at(self.seat),
                sure=dollars(sure),
                price=dollars(state.price),
            )
            return inconsistent("C9", reason, t("Pay with coins and cards."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """All cards become known; if worth enough they must be used, else the next bid wins (K10)."""
        pieces = _opened(components, state, self.seat, facts)
        player = replace(state.players[self.seat - 1], hand=Hand(pieces, 0))
        players = with_player(state, self.seat, player)
        state = replace(state, players=players, unseen=state.unseen - pieces, laid=())
        return _failed(components, state) if _worth(components, state)[1] < state.price else state

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} can't pay {price} and lays the hand open.", seat=at(self.seat), price=dollars(state.price))

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        hand = state.players[self.seat - 1].hand
        words = t("all cards in the hand of {seat}, laid open, with those already paid", seat=at(self.seat))
        pieces = held(hand, state.unseen).union(state.laid)
        return (Need("open", "opened", words, pieces, hand.size + len(state.laid)),)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[CantPay]:
        return [cls(seat=state.actor or state.turn)] if zone == "open" and piece not in components.owner else ()


def _opened(components: Components, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    hand = state.players[seat - 1].hand
    whole = Hand(hand.known.union(state.laid), hand.unknown)
    whose = t("the hand of {seat}", seat=at(seat))
    if state.laid:
        whose = t("the hand of {seat} with the cards already laid", seat=at(seat))
    return opened(facts, "open", whole, state.unseen, whose, components.name, partial(whereabouts, components, state))


def _failed(components: Components, state: State) -> State:
    """Pass the win on: who can't pay pays nothing; the highest bid of another seat that can pay wins (K10)."""
    failed = (*state.failed, state.actor)
    state = replace(state, failed=failed)
    assert state.auction is not None  # noqa: S101  (somebody has bid)
    best = auction.runner_up(state.auction, failed)
    if best is not None:
        return won(components, state, best.seat, best.amount)
    return replace(state, phase="fill", due=("paid",), actor=TABLE)


FACE_UP: tuple[Role, ...] = ("item", "skill", "market")
"""What a card becomes that shows its face."""

LABELS = {
    "item": t("as an item"),
    "skill": t("as a skill"),
    "market": t("into the market"),
    "secret": t("as a secret item"),
}


class Put(CollectorsAction, frozen=True, tag="put", kw_only=True):
    """Place the card just won: as an item, a skill or a market share, or, face down (""), as a secret item."""

    declared = Declared(t("Place the card you won"), "A", "Start auction; K11, K16", ("put",))
    blank = ("card",)
    role: Role
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Put]:
        if state.lot != UNREAD:
            return [cls(seat=state.actor, role=role, card=state.lot) for role in FACE_UP]
        hole = Hole(state.actor, state.unseen, t("the card that was face down"))
        shown = [cls(seat=state.actor, role=role, card=hole) for role in FACE_UP]
        return [*shown, cls(seat=state.actor, role="secret", card=NONE)]

    def judge(self, components: Components, state: State) -> Verdict:
        """The winner places the card as an item, a market share or a skill; a face-down one may become a secret."""
        remedy = t("Put it back: place the card that was won.")
        another = self.card != state.lot and lies_open(components, state, self.card, "Start auction; K16", remedy)
        if another:
            return another
        if state.lot != UNREAD:
            if self.role == "secret":
                reason = t(
                    "{lot} was auctioned face up, and only a face-down card may become a secret",
                    lot=components.name(state.lot),
                )
                return illegal("K16", reason, t("Place it as an item, a skill or a market share."))
            if self.card != state.lot:
                return inconsistent(
                    "C2",
                    t("{lot} was won, not {card}", lot=components.name(state.lot), card=components.name(self.card)),
                    t("Take that card."),
                )
            return LEGAL
        if self.role == "secret":
            if self.card == NONE:
                return LEGAL
            reason = t("a secret item stays face down, so nobody says which card it is")
            return illegal("K16", reason, t("Place it face down."))
        if self.card not in state.unseen:
            reason = t("{card} can't be the card that was auctioned face down", card=components.name(self.card))
            return inconsistent(
                "C2", t("{reason}: it is known to be elsewhere", reason=reason), t("Look again which card it is.")
            )
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Play goes on at the starter's left, whoever won (K11)."""
        seat, card = self.seat, str(self.card)
        player = state.players[seat - 1]
        if state.lot == UNREAD and card != NONE:
            state = replace(state, unseen=state.unseen - {card})
        state = replace(state, lot=NONE)
        if self.role == "skill":
            return learned(components, state, seat, card)
        if self.role == "market":
            return next_turn(components, replace(state, market=(*state.market, card)))
        kept: Player = (
            replace(player, secrets=player.secrets + 1)
            if self.role == "secret"
            else replace(player, items=(*player.items, card))
        )
        return next_turn(components, replace(state, players=with_player(state, seat, kept)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if self.role == "secret":
            return t("{seat} keeps the card as a secret item.", seat=at(self.seat))
        seat, card = at(self.seat), card_words(components, self.card)
        if self.role == "market":
            return t("{seat} places {card} as market share.", seat=seat, card=card)
        if self.role == "skill":
            return t("{seat} places {card} as skill.", seat=seat, card=card)
        return t("{seat} places {card} as item.", seat=seat, card=card)

    def label(self, components: Components, state: State) -> str:
        return LABELS[self.role]

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Put]:
        if piece in components.owner or not (piece == state.lot or state.phase in ("pay", "put")):
            return
        if zone.startswith("items."):
            yield cls(seat=owner_of(zone), role="item", card=piece)
        elif zone.startswith("skills."):
            yield cls(seat=owner_of(zone), role="skill", card=piece)
        elif zone.startswith("market"):
            yield cls(seat=state.actor, role="market", card=piece)
