"""What can be seen of a match: the layout of the table, standings, every seat's view, and each action in words."""

from __future__ import annotations

from companion.games.collectors import auctions, moves, rulebook
from companion.games.collectors.box import AREA, SPACES, SYMBOLS, Box, dollars
from companion.games.collectors.steps import actors, cost, out_of_turn, recycled, waiting
from companion.games.collectors.values import (
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
    State,
    TakeBack,
)
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    ActionKind,
    Facts,
    Hole,
    May,
    Part,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Verdict,
    View,
    at,
    illegal,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, OneOf, Pile, UnknownFace, Zone
from companion.rules.shown import told
from companion.rules.wording import all_of

EMPTY, BACK, FACE = Pile(Empty()), Pile(Back()), Pile(UnknownFace())
POSITIONS = "12345"


def layout(box: Box, state: State) -> Layout:
    """Say what should lie where. A bottle that recycles lies on its space until the board is cleared in phase 2."""
    zones: dict[Zone, Area] = {
        "deck": BACK if state.deck else EMPTY,
        "auctioned": EMPTY if state.lot == NONE else BACK if state.lot == UNREAD else Pile(Exactly(state.lot)),
        "paid": _pile(state.paid + state.laid),
        "open": Loose(),
    }
    for name in rulebook.POOLS:
        for index, card in enumerate(rulebook.pool(state, name)):
            slot = EMPTY if card == NONE else FACE if card == UNREAD else Pile(Exactly(card))
            zones[rulebook.slot_zone(name, index)] = slot
    heaps: dict[str, list[Piece]] = {symbol: [] for symbol in SYMBOLS}
    for card in state.market:
        heaps[box.symbol[card]].append(card)
    for symbol, heap in heaps.items():
        zones[f"market-{symbol}"] = _heap(heap, state.twins)
    for seat, player in enumerate(state.players, 1):
        zones[f"items.{seat}"] = Loose(frozenset(player.items))
        zones[f"skills.{seat}"] = Loose(frozenset(player.skills))
        zones[f"income.{seat}"] = BACK if player.income else EMPTY
        zones[f"treasure.{seat}"] = Loose(backs=player.secrets)
    if state.tracked:
        zones.update(_bottles(box, state))
    return Layout(zones)


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else EMPTY


def _heap(heap: list[Piece], twins: tuple[frozenset[Piece], ...]) -> Pile:
    """Two cards that came to one pile of the market together may lie either way."""
    top = frozenset(heap[-2:])
    if top in twins:
        return Pile(OneOf(top), frozenset(heap))
    return _pile(tuple(heap))


def _bottles(box: Box, state: State) -> dict[Zone, Area]:
    lying: dict[Zone, list[Piece]] = {}
    for seat, player in enumerate(state.players, 1):
        for number, place in enumerate(player.bottles):
            if place:
                zone = place if place in AREA else f"bottle-{place}.{seat}"
                lying.setdefault(zone, []).append(box.bottles[seat][number])
    zones: dict[Zone, Area] = {}
    for space in SPACES:
        here = lying.get(space, [])
        zones[space] = Loose(frozenset(here)) if recycled(state, space) else _pile(tuple(here))
    for seat in state.seats:
        for position in POSITIONS:
            zone = f"bottle-{position}.{seat}"
            zones[zone] = _pile(tuple(lying.get(zone, ())))
    return zones


def standing(box: Box, state: State) -> Standing:
    """Count what everybody would score now; secret items count once they are revealed."""
    seats = []
    for seat in state.seats:
        parts = rulebook.parts(box, state, seat)
        player = state.players[seat - 1]
        hidden = f", and {player.secrets} secret" if player.secrets else ""
        words = f"{dollars(player.coins)}, {_count(len(player.items), 'item')}{hidden}"
        seats.append(SeatStanding(seat, sum(part.value for part in parts), parts, words))
    return Standing(tuple(seats), state.outcome)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# ------------------------------------------------------------------------------------------------------------ views


def view(box: Box, state: State, seat: Seat, kinds: tuple[ActionKind, ...]) -> View:
    """Return what a seat may see and do. The table knows no hands, so nothing in here is secret (C1)."""
    own = (seat,) if seat in state.seats else ()
    others = tuple(other for other in state.seats if other != seat)
    shelves = []
    if state.lot not in (NONE, UNREAD):
        shelves.append(Shelf("Up for auction", (state.lot,)))
    for name in rulebook.POOLS:
        pieces = tuple(card for card in rulebook.pool(state, name) if card not in (NONE, UNREAD))
        shelves.append(Shelf(f"{name.capitalize()} pool", pieces, words=_prices(box, state) if name == "item" else ""))
    shelves.append(Shelf("Market pool", state.market, words=_market(box, state)))
    for who in own + others:
        player = state.players[who - 1]
        owner, of = ("Your ", "") if who == seat else ("", f" of {at(who)}")
        shelves.append(Shelf(f"{owner}items{of}".capitalize() if who == seat else f"Items{of}", player.items))
        shelves.append(Shelf(f"{owner}skills{of}".capitalize() if who == seat else f"Skills{of}", player.skills))
        if player.hand.known:
            title = "Known in your hand" if who == seat else f"Known in the hand of {at(who)}"
            shelves.append(Shelf(title, tuple(sorted(player.hand.known))))
    legal = moves.legal(box, state)
    upkeep = ("fill", "flow")
    may = tuple(_may(box, state, seat, kind, legal) for kind in kinds if own and kind.type not in upkeep)
    return View(
        seat, headline(box, state, seat), actors(state), may, tuple(shelves), _numbers(state, own + others, seat)
    )


def _market(box: Box, state: State) -> str:
    symbols = [box.symbol[card] for card in state.market]
    return ", ".join(f"{symbol} {symbols.count(symbol)}" for symbol in SYMBOLS)


def _prices(box: Box, state: State) -> str:
    return f"an item costs what the market says: {_market(box, state)}"


def headline(box: Box, state: State, seat: Seat) -> str:
    """Say what is going on in one sentence."""
    if state.outcome is not None:
        return state.outcome.words
    if state.phase == "bid" and state.auction is not None:
        return auction.tell_auction(state.auction)
    quarter = f"Quarter {state.quarter}. " if state.begun else ""
    if seat in actors(state) and state.phase == "turn":
        return f"{quarter}It is your turn: place a bottle."
    due = waiting(box, state).removeprefix("First ")
    return f"{quarter}{due[:1].upper()}{due[1:]}"


def _numbers(state: State, order: tuple[Seat, ...], seat: Seat) -> tuple[Part, ...]:
    numbers = [Part("quarter", state.quarter), Part("deck", state.deck), Part("paid pile", len(state.paid))]
    for who in order:
        player = state.players[who - 1]
        of = "" if who == seat else f" of {at(who)}"
        numbers += [
            Part(f"coins{of}", player.coins),
            Part(f"cards in hand{of}", player.hand.size),
            Part(f"income cards{of}", player.income),
            Part(f"secret items{of}", player.secrets),
        ]
    return tuple(numbers)


def _may(box: Box, state: State, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> May:
    tag = kind.type
    found = tuple(action for action in legal if action.seat == seat and type(action) is moves.TYPES[tag])
    if not found:
        return May(tag, kind.words, why_not(box, state, seat, tag))
    return May(tag, kind.words, LEGAL, found)


_PHASES = {
    "hide": "treasure", "place": "turn", "buy": "buy", "take-back": "buy", "skill": "skill", "gain": "gain",
    "raise": "raise", "offer": "offer", "bid": "bid", "pass": "bid", "pay-card": "pay", "pay-coins": "pay",
    "cant-pay": "pay", "put": "put", "retrieve": "retrieve", "reveal": "reveal",
}  # fmt: skip


def why_not(box: Box, state: State, seat: Seat, tag: str) -> Verdict:
    """Say why a seat can do nothing of a kind now, whatever it holds."""
    samples: dict[str, AnyAction] = {
        "take-back": TakeBack(seat=seat),
        "bid": MakeBid(seat=seat, amount=0),
        "pass": PassBid(seat=seat),
        "pay-coins": PayCoins(seat=seat),
        "cant-pay": CantPay(seat=seat),
    }
    action = samples.get(tag)
    if action is not None:
        return moves.RULES[type(action)][0](box, state, action)
    wrong = out_of_turn(box, state, Hide(seat=seat), _PHASES[tag])
    return wrong or illegal("C2", "none of your cards would do", waiting(box, state))


# ------------------------------------------------------------------------------------------------------------ words


def tell(box: Box, state: State, action: AnyAction, facts: Facts = ()) -> str:
    """Say in one sentence what an action does, with the coins it moves."""
    who = at(action.seat)
    match action:
        case Hide():
            return f"{who} hides a treasure."
        case Fill(slot=slot):
            piece = told(box.name, facts, slot)
            piece = piece[:1].upper() + piece[1:]
            return f"{piece} comes up in {_slot(slot)}."
        case Place(space=space):
            return f"{who} places a bottle: {box.space(space, state.quarter)}{_skill_income(box, state, action)}."
        case Buy(card=card):
            price = f" for {dollars(_price(box, state, card))}" if isinstance(card, str) else ""
            return f"{who} buys {_card(box, card)}{price}."
        case TakeBack():
            return f"{who} can pay no item of the hand and takes the bottle back."
        case GetSkill(card=card):
            return f"{who} takes {_card(box, card)} as a skill."
        case Gain():
            return f"{who} gains a bottle."
        case RaiseValue(card=card):
            return f"{who} places {_card(box, card)} in the market pool."
        case Offer(card=card):
            return f"{who} auctions {'a card face down' if card == NONE else _card(box, card)}."
        case MakeBid(amount=amount):
            return f"{who} bids {dollars(amount)}."
        case PassBid():
            return f"{who} passes."
        case PayCard(card=card):
            worth = f", worth {dollars(box.cash[card])}" if isinstance(card, str) and card in box.cash else ""
            return f"{who} pays with {_card(box, card)}{worth}."
        case PayCoins():
            return f"{who} pays {dollars(max(0, auctions.rest(box, state)))} in coins."
        case CantPay():
            return f"{who} can't pay {dollars(state.price)} and lays the hand open."
        case Put(role="secret"):
            return f"{who} keeps the card as a secret item."
        case Put(role=role, card=card):
            return f"{who} places {_card(box, card)} as {'market share' if role == 'market' else f'{role}'}."
        case Flow():
            return "Cards move from one pool to another."
        case Retrieve(position=position):
            return f"{who} takes a bottle back to position {position}."
        case Reveal(card=card):
            return f"{who} reveals {_card(box, card)}."
    return f"{who} acts."


def _card(box: Box, card: Piece | Hole) -> str:
    return card.words.replace("your", "the") if isinstance(card, Hole) else box.name(card)


def _price(box: Box, state: State, card: str) -> int:
    return cost(box, state.market, card) if card in box.item else 0


def _slot(slot: Zone) -> str:
    if slot == "paid":
        return "the paid pile"
    name, _, number = slot.partition("-pool-")
    return f"place {number} of the {name} pool"


def _skill_income(box: Box, state: State, action: Place) -> str:
    """Say what the work and auction skills bring when this bottle is placed."""
    if moves.RULES[Place][0](box, state, action).ok is False or isinstance(action.bottle, Hole):
        return ""
    seal = box.seal(action.space, state.quarter).coins
    after = moves.RULES[Place][1](box, state, action, ())
    gains = []
    for seat, (was, now) in enumerate(zip(state.players, after.players, strict=True), 1):
        more = now.coins - was.coins - (seal if seat == action.seat else 0)
        if after.quarter == state.quarter and after.phase in ("offer", "turn") and more > 0:
            gains.append(f"{at(seat)} gains {dollars(more)} by skills")
    return f"; {all_of(gains)}" if gains else ""
