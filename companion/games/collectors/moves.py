"""Legal moves at a glance: the templates of every legal action, and what people may have meant by laying a card.

`legal` asks the same sets as the judges, without the words; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.collectors import actions, auctions, rulebook
from companion.games.collectors.box import AREA, Box, dollars
from companion.games.collectors.steps import actors, out_there
from companion.games.collectors.values import (
    BOARD,
    NONE,
    UNREAD,
    AnyAction,
    Buy,
    CantPay,
    Fill,
    Flow,
    Gain,
    GetSkill,
    Hide,
    MakeBid,
    Offer,
    PassBid,
    PayCard,
    PayCoins,
    Place,
    Put,
    RaiseValue,
    Retrieve,
    Reveal,
    Role,
    State,
    TakeBack,
)
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.hands import held
from companion.rules.kernel import Facts, Hole, Need, Seat, Verdict, at
from companion.rules.layout import Zone, owner_of

Judge = Callable[[Box, State, Any], Verdict]
Play = Callable[[Box, State, Any, Facts], State]

RULES: dict[type[AnyAction], tuple[Judge, Play]] = {
    Hide: (rulebook.judge_hide, rulebook.play_hide),
    Fill: (rulebook.judge_fill, rulebook.play_fill),
    Place: (actions.judge_place, actions.play_place),
    Buy: (actions.judge_buy, actions.play_buy),
    TakeBack: (actions.judge_take_back, actions.play_take_back),
    GetSkill: (actions.judge_skill, actions.play_skill),
    Gain: (actions.judge_gain, actions.play_gain),
    RaiseValue: (actions.judge_raise, actions.play_raise),
    Offer: (auctions.judge_offer, auctions.play_offer),
    MakeBid: (auctions.judge_bid, auctions.play_bid),
    PassBid: (auctions.judge_pass, auctions.play_pass),
    PayCard: (auctions.judge_pay_card, auctions.play_pay_card),
    PayCoins: (auctions.judge_pay_coins, auctions.play_pay_coins),
    CantPay: (auctions.judge_cant_pay, auctions.play_cant_pay),
    Put: (auctions.judge_put, auctions.play_put),
    Flow: (rulebook.judge_flow, rulebook.play_flow),
    Retrieve: (rulebook.judge_retrieve, rulebook.play_retrieve),
    Reveal: (rulebook.judge_reveal, rulebook.play_reveal),
}
"""For every action type: what judges it, and what plays it."""

TYPES: dict[str, type[AnyAction]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
"""Every action type by its tag."""

FACE_UP: tuple[Role, ...] = ("item", "skill", "market")
"""What a card becomes that shows its face."""


def legal(box: Box, state: State) -> list[AnyAction]:
    """List the templates of every legal action."""
    listed = _LISTS.get(state.phase)
    return listed(box, state) if listed else []


def bottle(box: Box, state: State, seat: Seat, numbers: tuple[int, ...]) -> Piece | Hole:
    """Return the hole for a bottle; without codes on them bottles are alike, and the first stands for all."""
    tokens = box.bottles[seat]
    if not state.tracked:
        return tokens[numbers[0]]
    return Hole(seat, frozenset(tokens[n] for n in numbers), "one of your bottles")


def _hand(box: Box, state: State, seat: Seat, words: str) -> list[Hole]:
    """Return the hole for any card of a hand, if there is one."""
    able = held(state.players[seat - 1].hand, state.unseen)
    return [Hole(seat, able, words)] if able else []


def _placing(box: Box, state: State) -> list[AnyAction]:
    seat = state.turn
    numbers = tuple(n for n, place in enumerate(state.players[seat - 1].bottles) if place in BOARD)
    token = bottle(box, state, seat, numbers)
    return [Place(seat=seat, space=space, bottle=token) for space in actions.spaces(box, state)]


def _buying(box: Box, state: State) -> list[AnyAction]:
    seat, coins = state.turn, state.players[state.turn - 1].coins
    # In the buy phase itself every unknown card may be bought, also after an earlier bottle was taken back.
    hand = state.players[seat - 1].hand
    dear = actions.too_dear(box, state, coins)
    pieces = frozenset(card for card in held(hand, state.unseen) if box.item[card] not in dear)
    found: list[AnyAction] = [Buy(seat=seat, card=card) for card in actions.visible(box, state, coins)]
    if pieces:
        found.append(Buy(seat=seat, card=Hole(seat, pieces, f"an item of your hand for at most {dollars(coins)}")))
    back = TakeBack(seat=seat)
    return [*found, back] if actions.judge_take_back(box, state, back).ok else found


def _learning(box: Box, state: State) -> list[AnyAction]:
    seat = state.turn
    found: list[AnyAction] = [GetSkill(seat=seat, card=card) for card in state.skill_pool if card not in (NONE, UNREAD)]
    return found + [GetSkill(seat=seat, card=hole) for hole in _hand(box, state, seat, "a card of your hand")]


def _raising(box: Box, state: State) -> list[AnyAction]:
    seat = state.turn
    found: list[AnyAction] = [RaiseValue(seat=seat, card=card) for card in actions.lowest_of(state)]
    return found + [RaiseValue(seat=seat, card=hole) for hole in _hand(box, state, seat, "a card of your hand")]


def _offering(box: Box, state: State) -> list[AnyAction]:
    seat = state.turn
    found: list[AnyAction] = [Offer(seat=seat, card=card) for card in state.auction_pool if card not in (NONE, UNREAD)]
    holes = _hand(box, state, seat, "a card of your hand")
    if not holes or auctions.can_open_after(state, seat):
        return found
    return [*found, *(Offer(seat=seat, card=hole) for hole in holes), Offer(seat=seat, card=NONE)]


def _bidding(box: Box, state: State) -> list[AnyAction]:
    if state.auction is None:
        return []
    seat = state.auction.turn
    found: list[AnyAction] = [
        MakeBid(seat=seat, amount=amount) for amount in auction.amounts(auctions.TERMS, state.auction, seat)
    ]
    return [*found, PassBid(seat=seat)] if auction.may_pass(state.auction, seat) else found


def _paying(box: Box, state: State) -> list[AnyAction]:
    seat = state.actor
    able = auctions.payable(box, state)
    found: list[AnyAction] = [PayCard(seat=seat, card=Hole(seat, able, "a card of your hand"))] if able else []
    coins, claim = PayCoins(seat=seat), CantPay(seat=seat)
    if auctions.judge_pay_coins(box, state, coins).ok:
        found.append(coins)
    return [*found, claim] if auctions.judge_cant_pay(box, state, claim).ok else found


def _putting(box: Box, state: State) -> list[AnyAction]:
    seat = state.actor
    if state.lot != UNREAD:
        return [Put(seat=seat, role=role, card=state.lot) for role in FACE_UP]
    hole = Hole(seat, state.unseen, "the card that was face down")
    shown: list[AnyAction] = [Put(seat=seat, role=role, card=hole) for role in FACE_UP]
    return [*shown, Put(seat=seat, role="secret", card=NONE)]


def _retrieving(box: Box, state: State) -> list[AnyAction]:
    found: list[AnyAction] = []
    for seat in actors(state):
        token = bottle(box, state, seat, out_there(state, seat))
        for position in rulebook.free_positions(state, seat):
            found.append(Retrieve(seat=seat, bottle=token, position=int(position)))
    return found


def _revealing(box: Box, state: State) -> list[AnyAction]:
    words = "a secret item"
    return [Reveal(seat=seat, card=Hole(seat, state.unseen, words)) for seat in actors(state)]


_LISTS: dict[str, Callable[[Box, State], list[AnyAction]]] = {
    "treasure": lambda box, state: [Hide(seat=seat) for seat in actors(state)],
    "fill": lambda box, state: [Fill(slot=slot) for slot in state.due],
    "turn": _placing,
    "buy": _buying,
    "skill": _learning,
    "gain": lambda box, state: [
        Gain(seat=state.actor, bottle=bottle(box, state, state.actor, actions.gainable(state, state.actor)))
    ],
    "raise": _raising,
    "offer": _offering,
    "bid": _bidding,
    "pay": _paying,
    "put": _putting,
    "flow": lambda box, state: [Flow()],
    "retrieve": _retrieving,
    "reveal": _revealing,
}


def needs(box: Box, state: State, action: AnyAction) -> tuple[Need, ...]:
    """List the facts that an action waits for."""
    if isinstance(action, Fill):
        words = f"the card that comes up at {action.slot}"
        return (Need(action.slot, "shown", words, rulebook.can_come_up(state, action.slot), stays=True),)
    if isinstance(action, CantPay):
        hand = state.players[action.seat - 1].hand
        words = f"all cards in the hand of {at(action.seat)}, laid open, with those already paid"
        pieces = held(hand, state.unseen).union(state.laid)
        return (Need("open", "opened", words, pieces, hand.size + len(state.laid)),)
    return ()


def attempts(box: Box, state: State, piece: Piece, zone: Zone) -> Iterator[AnyAction]:
    """Yield what somebody may have meant by laying this piece in this zone, the likeliest first."""
    area, owner = zone.partition(".")[0], owner_of(zone)
    if piece in box.owner:
        yield from _bottle_attempts(box, state, piece, area, owner)
    elif area == "items":
        if piece == state.lot or state.phase in ("pay", "put"):
            yield Put(seat=owner, role="item", card=piece)
        yield Reveal(seat=owner, card=piece) if state.phase == "reveal" else Buy(seat=owner, card=piece)
    elif area == "skills":
        if piece == state.lot or state.phase in ("pay", "put"):
            yield Put(seat=owner, role="skill", card=piece)
        yield GetSkill(seat=owner, card=piece)
    elif area.startswith("market"):
        if piece == state.lot or state.phase in ("pay", "put"):
            yield Put(seat=state.actor, role="market", card=piece)
        yield RaiseValue(seat=state.turn, card=piece)
    elif area == "auctioned":
        yield Offer(seat=state.turn, card=piece)
    elif area == "paid":
        yield PayCard(seat=state.actor or state.turn, card=piece)
    elif "-pool-" in area:
        yield Fill(slot=zone)
    elif area == "open":
        yield CantPay(seat=state.actor or state.turn)


def _bottle_attempts(box: Box, state: State, piece: Piece, area: str, owner: Seat) -> Iterator[AnyAction]:
    seat = box.owner[piece]
    if area in AREA:
        yield Place(seat=seat, space=area, bottle=piece)
    elif area.startswith("bottle-"):
        position = int(area.removeprefix("bottle-"))
        yield (
            Gain(seat=seat, bottle=piece)
            if state.phase == "gain"
            else Retrieve(seat=seat, bottle=piece, position=position)
        )
