"""The section "Actions" of Collectors: buying an item, getting a skill, raising a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.games.collectors.components import SYMBOLS, Components, dollars
from companion.games.collectors.quarter import POOLS, next_turn, pool, with_pool
from companion.games.collectors.state import BOX, NONE, UNREAD, State
from companion.games.collectors.steps import (
    YOURS,
    CollectorsAction,
    bottle_hole,
    card_words,
    cost,
    hand_hole,
    lowest,
    moved,
    not_in_hand,
    number_of,
    recycled,
    removed,
    with_player,
)
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import held, laid, least_worth
from companion.rules.kernel import LEGAL, TABLE, Facts, Hole, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.text import t

# ----------------------------------------------------------------------------------------------------- Buy item


def visible(components: Components, state: State, coins: int) -> tuple[Piece, ...]:
    """Return the cards of the item pool that so many coins can pay."""
    pool = (card for card in state.item_pool if card not in (NONE, UNREAD))
    return tuple(card for card in pool if cost(components, state.market, card) <= coins)


def may_hold_payable(state: State, coins: int) -> bool:
    """Return whether an unknown card of the hand may be one that so many coins can pay: nobody has said no (K17)."""
    return state.unable is None or coins > state.unable


def by_hand(components: Components, state: State, coins: int) -> frozenset[Piece]:
    """Return the cards that may be in the hand and that so many coins can pay; none that was said not to be (K17)."""
    hand = state.players[state.turn - 1].hand
    able = held(hand, state.unseen) if may_hold_payable(state, coins) else hand.known
    dear = too_dear(components, state, coins)
    return frozenset(card for card in able if components.item[card] not in dear) if dear else able


def too_dear(components: Components, state: State, coins: int) -> frozenset[str]:
    """Return the kinds of items that cost more than so many coins (Buy item)."""
    symbols = [components.symbol[card] for card in state.market]
    return frozenset(symbol for symbol in SYMBOLS if symbols.count(symbol) > coins)


class Buy(CollectorsAction, frozen=True, tag="buy", kw_only=True):
    """Buy an item from the item pool or out of the hand."""

    declared = Declared(t("Buy an item"), "A", "Buy item", ("buy",))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Buy]:
        seat, coins = state.turn, state.players[state.turn - 1].coins
        for card in visible(components, state, coins):
            yield cls(seat=seat, card=card)
        # Now every unknown card may be bought, also after an earlier bottle was taken back.
        dear = too_dear(components, state, coins)
        able = frozenset(
            card for card in held(state.players[seat - 1].hand, state.unseen) if components.item[card] not in dear
        )
        if able:
            yield cls(
                seat=seat, card=Hole(seat, able, t("an item of your hand for at most {coins}", coins=dollars(coins)))
            )

    def judge(self, components: Components, state: State) -> Verdict:
        """Pay $1 for each card in the market pool that has the same symbol as the item."""
        card, coins = self.card, state.players[self.seat - 1].coins
        if card not in state.item_pool or card in (NONE, UNREAD):
            remedy = t("Put it back: an item comes from the item pool or out of the hand.")
            absent = not_in_hand(components, state, self.seat, card, "Buy item", remedy)
            if absent:
                return absent
        price = cost(components, state.market, str(card))
        if price > coins:
            item = components.name(card)
            reason = t(
                "{item} costs {price} in the market, and {seat} has {coins}",
                item=item,
                price=dollars(price),
                seat=at(self.seat),
                coins=dollars(coins),
            )
            return illegal("Buy item", reason, t("Put it back and choose an item that can be paid."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        card, seat = str(self.card), self.seat
        price = cost(components, state.market, card)
        state = _out(state, seat, card)
        player = state.players[seat - 1]
        player = replace(player, coins=player.coins - price, items=(*player.items, card))
        return next_turn(components, replace(state, players=with_player(state, seat, player)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        seat = at(self.seat)
        if isinstance(self.card, Hole):
            coins = dollars(state.players[self.seat - 1].coins)
            return t("{seat} buys an item of the hand for at most {coins}.", seat=seat, coins=coins)
        price = cost(components, state.market, self.card) if self.card in components.item else 0
        return t("{seat} buys {card} for {price}.", seat=seat, card=components.name(self.card), price=dollars(price))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Buy]:
        lies = (
            zone.startswith("items.") and piece not in components.owner and state.phase not in ("pay", "put", "reveal")
        )
        return [cls(seat=owner_of(zone), card=piece)] if lies else ()


def _out(state: State, seat: Seat, card: Piece) -> State:
    for name in POOLS:
        if card in pool(state, name):
            return with_pool(state, name, removed(pool(state, name), card))
    player = state.players[seat - 1]
    hand, unseen = laid(player.hand, state.unseen, card)
    return replace(state, players=with_player(state, seat, replace(player, hand=hand)), unseen=unseen)


class TakeBack(CollectorsAction, frozen=True, tag="take-back", kw_only=True):
    """No card of the hand can be paid after all: bottle and seal are taken back (K17)."""

    declared = Declared(t("Take the bottle back: no item of the hand can be paid"), "C", "K17", ("buy",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TakeBack]:
        back = cls(seat=state.turn)
        return [back] if back.judge(components, state).ok else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """K17: bottle and seal are taken back; a claim that no hand could bear out is inconsistent (C9)."""
        player, dear = state.players[self.seat - 1], too_dear(components, state, state.players[self.seat - 1].coins)
        open_ = visible(components, state, player.coins)
        if open_:
            return illegal(
                "K17",
                t("{seat} can pay {cards}", seat=at(self.seat), cards=components.names(open_)),
                t("Buy {cards}.", cards=components.names(open_)),
            )
        known = [card for card in player.hand.known if components.item[card] not in dear]
        if known:
            reason = t(
                "{seat} is known to hold {known}, and can pay that",
                seat=at(self.seat),
                known=components.names(known, "and"),
            )
            return inconsistent("C9", reason, t("Buy {known}.", known=components.names(known)))
        if least_worth(player.hand, state.unseen, lambda card: components.item[card] not in dear):
            reason = t(
                "whatever cards {seat} holds, {coins} can pay one of them",
                seat=at(self.seat),
                coins=dollars(player.coins),
            )
            return inconsistent("C9", reason, t("Buy one that can be paid."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The turn begins anew; with so few coins nothing of this hand can be bought in it."""
        player = state.players[self.seat - 1]
        number = player.bottles.index(state.space)
        unable = player.coins
        player = replace(
            moved(player, number, state.came), coins=player.coins - components.seal(state.space, state.quarter).coins
        )
        return replace(
            state, players=with_player(state, self.seat, player), phase="turn", space="", came="", unable=unable
        )

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} can pay no item of the hand and takes the bottle back.", seat=at(self.seat))


# ---------------------------------------------------------------------------------------- Get skill; Special skills


class GetSkill(CollectorsAction, frozen=True, tag="skill", kw_only=True):
    """Take a skill from the skill pool or out of the hand."""

    declared = Declared(t("Get a skill"), "A", "Get skill; Special skills", ("skill",))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[GetSkill]:
        pool = [card for card in state.skill_pool if card not in (NONE, UNREAD)]
        able: list[Piece | Hole] = [*pool, *hand_hole(state, state.turn, YOURS)]
        return [cls(seat=state.turn, card=card) for card in able]

    def judge(self, components: Components, state: State) -> Verdict:
        """Take one of the cards of the skill pool, or one of the hand."""
        if self.card in state.skill_pool and self.card not in (NONE, UNREAD):
            return LEGAL
        remedy = t("Put it back: a skill comes from the skill pool or out of the hand.")
        return not_in_hand(components, state, self.seat, self.card, "Get skill", remedy) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        card = str(self.card)
        return learned(components, _out(state, self.seat, card), self.seat, card)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} takes {card} as a skill.", seat=at(self.seat), card=card_words(components, self.card))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[GetSkill]:
        lies = zone.startswith("skills.") and piece not in components.owner and state.phase not in ("pay", "put")
        return [cls(seat=owner_of(zone), card=piece)] if lies else ()


def learned(components: Components, state: State, seat: Seat, card: Piece) -> State:
    """Add a skill, which works from now on; the bottle skill at once, if the supply has a bottle left (K5, K6)."""
    player = state.players[seat - 1]
    player = replace(player, skills=(*player.skills, card))
    state = replace(state, players=with_player(state, seat, player))
    if components.skill[card] == "bottle" and gainable(state, seat):
        return replace(state, phase="gain", actor=seat, lot=NONE)
    return next_turn(components, state)


def gainable(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the bottles (by number) that a seat can gain: those of its colour in the supply; one of them uncoded."""
    bottles = state.players[seat - 1].bottles
    supply = tuple(n for n, place in enumerate(bottles) if place == BOX or recycled(state, place))
    return supply if state.tracked else supply[:1]


class Gain(CollectorsAction, frozen=True, tag="gain", kw_only=True):
    """Take the new bottle of a bottle skill to the lowest free position (K6)."""

    declared = Declared(t("Take a new bottle"), "A", "Special skills; K5, K6", ("gain",))
    bottle: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Gain]:
        return [cls(seat=state.actor, bottle=bottle_hole(components, state, state.actor, gainable(state, state.actor)))]

    def judge(self, components: Components, state: State) -> Verdict:
        """Immediately gain a new bottle of the own colour."""
        free = gainable(state, self.seat)
        if number_of(components, self.seat, self.bottle) not in free:
            reason = t("{bottle} is no bottle of {seat} in the supply", bottle=self.bottle, seat=at(self.seat))
            return inconsistent(
                "K6", reason, t("Take the bottle {bottle}.", bottle=components.bottles[self.seat][free[0]])
            )
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """It goes to the lowest free position and can be used this quarter (K6)."""
        player = state.players[self.seat - 1]
        free = next(place for place in "12345" if place not in player.bottles)
        player = moved(player, number_of(components, self.seat, self.bottle), free)
        return next_turn(components, replace(state, players=with_player(state, self.seat, player), actor=TABLE))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} gains a bottle.", seat=at(self.seat))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Gain]:
        lies = piece in components.owner and zone.startswith("bottle-") and state.phase == "gain"
        return [cls(seat=components.owner[piece], bottle=piece)] if lies else ()


# -------------------------------------------------------------------------------------------------- Raise value


def raisable(state: State) -> bool:
    """Return whether there is a card that could be placed in the market pool (K12)."""
    hand = state.players[state.turn - 1].hand
    return bool(hand.size or lowest_of(state))


def lowest_of(state: State) -> tuple[Piece, ...]:
    """Return the lowest cards of skill and auction pool, which may be placed in the market pool."""
    return tuple(card for card in (lowest(state.skill_pool), lowest(state.auction_pool)) if card not in (NONE, UNREAD))


class RaiseValue(CollectorsAction, frozen=True, tag="raise", kw_only=True):
    """Place one card in the market pool: out of the hand, or the lowest of the skill or the auction pool."""

    declared = Declared(t("Place a card in the market pool"), "A", "Raise value; K12", ("raise",))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[RaiseValue]:
        able: list[Piece | Hole] = [*lowest_of(state), *hand_hole(state, state.turn, YOURS)]
        return [cls(seat=state.turn, card=card) for card in able]

    def judge(self, components: Components, state: State) -> Verdict:
        """A card of the hand, or the card in the lowest position of the skill pool or of the auction pool (K12)."""
        fit = lowest_of(state)
        if self.card in fit:
            return LEGAL
        if self.card in (*state.skill_pool, *state.auction_pool) and self.card not in (NONE, UNREAD):
            reason = t("{card} is not in the lowest position of its pool", card=components.name(self.card))
            return illegal(
                "Raise value; K12",
                reason,
                t("Put it back and take {fit}, or a card of the hand.", fit=components.names(fit)),
            )
        remedy = t("Put it back: take the lowest card of the skill or the auction pool, or a card of the hand.")
        return not_in_hand(components, state, self.seat, self.card, "Raise value; K12", remedy) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Tuck it under its icon; if fewer cards exist than the space asks for, place what there is (K12)."""
        card = str(self.card)
        state = _out(state, self.seat, card)
        state = replace(state, market=(*state.market, card), left=state.left - 1)
        return state if state.left and raisable(state) else next_turn(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} places {card} in the market pool.", seat=at(self.seat), card=card_words(components, self.card))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[RaiseValue]:
        lies = zone.startswith("market") and piece not in components.owner and state.phase not in ("pay", "put")
        return [cls(seat=state.turn, card=piece)] if lies else ()
