"""What can be seen of a match: the layout of the table, standings, every seat's view, and each action in words."""

from __future__ import annotations

from companion.games.collectors.components import AREA, SPACES, SYMBOLS, Components, dollars
from companion.games.collectors.quarter import POOLS, pool, slot_zone
from companion.games.collectors.scoring import parts
from companion.games.collectors.state import (
    NONE,
    UNREAD,
    State,
)
from companion.games.collectors.steps import actors, recycled, waiting
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.kernel import (
    Part,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    View,
    at,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, OneOf, Pile, UnknownFace, Zone

EMPTY, BACK, FACE = Pile(Empty()), Pile(Back()), Pile(UnknownFace())
POSITIONS = "12345"


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where. A bottle that recycles lies on its space until the board is cleared in phase 2."""
    zones: dict[Zone, Area] = {
        "deck": BACK if state.deck else EMPTY,
        "auctioned": EMPTY if state.lot == NONE else BACK if state.lot == UNREAD else Pile(Exactly(state.lot)),
        "paid": _pile(state.paid + state.laid),
        "open": Loose(),
    }
    for name in POOLS:
        for index, card in enumerate(pool(state, name)):
            slot = EMPTY if card == NONE else FACE if card == UNREAD else Pile(Exactly(card))
            zones[slot_zone(name, index)] = slot
    heaps: dict[str, list[Piece]] = {symbol: [] for symbol in SYMBOLS}
    for card in state.market:
        heaps[components.symbol[card]].append(card)
    for symbol, heap in heaps.items():
        zones[f"market-{symbol}"] = _heap(heap, state.twins)
    for seat, player in enumerate(state.players, 1):
        zones[f"items.{seat}"] = Loose(frozenset(player.items))
        zones[f"skills.{seat}"] = Loose(frozenset(player.skills))
        zones[f"income.{seat}"] = BACK if player.income else EMPTY
        zones[f"treasure.{seat}"] = Loose(backs=player.secrets)
    if state.tracked:
        zones.update(_bottles(components, state))
    return Layout(zones)


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else EMPTY


def _heap(heap: list[Piece], twins: tuple[frozenset[Piece], ...]) -> Pile:
    """Return a pile of the market: two cards that came to it together may lie either way."""
    top = frozenset(heap[-2:])
    if top in twins:
        return Pile(OneOf(top), frozenset(heap))
    return _pile(tuple(heap))


def _bottles(components: Components, state: State) -> dict[Zone, Area]:
    lying: dict[Zone, list[Piece]] = {}
    for seat, player in enumerate(state.players, 1):
        for number, place in enumerate(player.bottles):
            if place:
                zone = place if place in AREA else f"bottle-{place}.{seat}"
                lying.setdefault(zone, []).append(components.bottles[seat][number])
    zones: dict[Zone, Area] = {}
    for space in SPACES:
        here = lying.get(space, [])
        zones[space] = Loose(frozenset(here)) if recycled(state, space) else _pile(tuple(here))
    for seat in state.seats:
        for position in POSITIONS:
            zone = f"bottle-{position}.{seat}"
            zones[zone] = _pile(tuple(lying.get(zone, ())))
    return zones


def standing(components: Components, state: State) -> Standing:
    """Return what everybody would score now; secret items count once they are revealed."""
    seats = []
    for seat in state.seats:
        points = parts(components, state, seat)
        player = state.players[seat - 1]
        hidden = f", and {player.secrets} secret" if player.secrets else ""
        words = f"{dollars(player.coins)}, {_count(len(player.items), 'item')}{hidden}"
        seats.append(SeatStanding(seat, sum(part.value for part in points), points, words))
    return Standing(tuple(seats), state.outcome)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# ------------------------------------------------------------------------------------------------------------ views


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat may see and do. The table knows no hands, so nothing in here is secret (C1)."""
    own = (seat,) if seat in state.seats else ()
    others = tuple(other for other in state.seats if other != seat)
    shelves = []
    if state.lot not in (NONE, UNREAD):
        shelves.append(Shelf("Up for auction", (state.lot,)))
    for name in POOLS:
        pieces = tuple(card for card in pool(state, name) if card not in (NONE, UNREAD))
        shelves.append(
            Shelf(f"{name.capitalize()} pool", pieces, words=_prices(components, state) if name == "item" else "")
        )
    shelves.append(Shelf("Market pool", state.market, words=_market(components, state)))
    for who in own + others:
        player = state.players[who - 1]
        of = f" of {at(who)}"
        items, skills = ("Your items", "Your skills") if who == seat else (f"Items{of}", f"Skills{of}")
        shelves += [Shelf(items, player.items, seat=who), Shelf(skills, player.skills, seat=who)]
        if player.hand.known:
            title = "Known in your hand" if who == seat else f"Known in the hand of {at(who)}"
            shelves.append(Shelf(title, tuple(sorted(player.hand.known)), seat=who))
    return View(
        seat,
        headline(components, state, seat),
        actors(state),
        shelves=tuple(shelves),
        numbers=_numbers(state, own + others, seat),
    )


def _market(components: Components, state: State) -> str:
    symbols = [components.symbol[card] for card in state.market]
    return ", ".join(f"{symbol} {symbols.count(symbol)}" for symbol in SYMBOLS)


def _prices(components: Components, state: State) -> str:
    return f"an item costs what the market says: {_market(components, state)}"


def headline(components: Components, state: State, seat: Seat) -> str:
    """Return one sentence that describes what is going on."""
    if state.outcome is not None:
        return state.outcome.words
    if state.phase == "bid" and state.auction is not None:
        return auction.tell_auction(state.auction)
    quarter = f"Quarter {state.quarter}. " if state.begun else ""
    if seat in actors(state) and state.phase == "turn":
        return f"{quarter}It is your turn: place a bottle."
    due = waiting(components, state).removeprefix("First ")
    return f"{quarter}{due[:1].upper()}{due[1:]}"


def _numbers(state: State, order: tuple[Seat, ...], seat: Seat) -> tuple[Part, ...]:
    numbers = [Part("quarter", state.quarter), Part("deck", state.deck), Part("paid pile", len(state.paid))]
    for who in order:
        player = state.players[who - 1]
        of = "" if who == seat else f" of {at(who)}"
        numbers += [
            Part(f"coins{of}", player.coins, who),
            Part(f"cards in hand{of}", player.hand.size, who),
            Part(f"income cards{of}", player.income, who),
            Part(f"secret items{of}", player.secrets, who),
        ]
    return tuple(numbers)
