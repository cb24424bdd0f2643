"""What can be seen of a match: the layout of the table, standings, every seat's view, and each action in words."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.collectors.components import AREA, SPACES, SYMBOLS, Components, dollars
from companion.games.collectors.guide import skill_words
from companion.games.collectors.places import POOL_TITLES, areas
from companion.games.collectors.quarter import POOLS, pool, slot_zone
from companion.games.collectors.scoring import parts
from companion.games.collectors.state import NONE, UNREAD, State
from companion.games.collectors.steps import actors, cost, recycled, step
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.kernel import Part, Seat, SeatStanding, Shelf, Sign, Standing, Thing, Use, View, at
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, OneOf, Pile, UnknownFace, Zone, open_pile
from companion.text import join, plural, sentence, t, word

EMPTY, BACK, FACE = Pile(Empty()), Pile(Back()), Pile(UnknownFace())
POSITIONS = "12345"


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where. A recycling bottle lies on its space until the board is cleared in phase 2."""
    zones: dict[Zone, Area] = {
        "deck": BACK if state.deck else EMPTY,
        "auctioned": EMPTY if state.lot == NONE else BACK if state.lot == UNREAD else Pile(Exactly(state.lot)),
        "paid": open_pile(state.paid + state.laid),
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


def _heap(heap: list[Piece], twins: tuple[frozenset[Piece], ...]) -> Pile:
    """Return a pile of the market: two cards that came to it together may lie either way."""
    top = frozenset(heap[-2:])
    if top in twins:
        return Pile(OneOf(top), frozenset(heap))
    return open_pile(tuple(heap))


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
        zones[space] = Loose(frozenset(here)) if recycled(state, space) else open_pile(tuple(here))
    for seat in state.seats:
        for position in POSITIONS:
            zone = f"bottle-{position}.{seat}"
            zones[zone] = open_pile(tuple(lying.get(zone, ())))
    return zones


def standing(components: Components, state: State) -> Standing:
    """Return the present score of everybody; secret items count once they are revealed."""
    seats = []
    for seat in state.seats:
        points = parts(components, state, seat)
        player = state.players[seat - 1]
        items = plural("{count} item", "{count} items", count=len(player.items))
        words = t("{coins}, {items}", coins=dollars(player.coins), items=items)
        if player.secrets:
            words = t("{words}, and {secrets} secret", words=words, secrets=player.secrets)
        seats.append(SeatStanding(seat, sum(part.value for part in points), points, words))
    return Standing(tuple(seats), state.outcome)


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat may see and do. The table knows no hands, so nothing in here is secret (C1)."""
    own = (seat,) if seat in state.seats else ()
    others = tuple(other for other in state.seats if other != seat)
    shelves = []
    if state.lot not in (NONE, UNREAD):
        shelves.append(Shelf(t("Up for auction"), (state.lot,)))
    for name in POOLS:
        pieces = tuple(card for card in pool(state, name) if card not in (NONE, UNREAD))
        market = t("an item costs what the market says: {market}", market=_market(components, state))
        shelves.append(Shelf(POOL_TITLES[name], pieces, words=market if name == "item" else ""))
    shelves.append(Shelf(t("Market pool"), state.market, words=_market(components, state)))
    for who in own + others:
        player = state.players[who - 1]
        if who == seat:
            items, skills = t("Your items"), t("Your skills")
        else:
            items, skills = t("Items of {who}", who=at(who)), t("Skills of {who}", who=at(who))
        shelves += [Shelf(items, player.items, seat=who), Shelf(skills, player.skills, seat=who)]
        if player.hand.known:
            title = t("Known in your hand") if who == seat else t("Known in the hand of {who}", who=at(who))
            shelves.append(Shelf(title, tuple(sorted(player.hand.known)), seat=who, known=True))
    return View(
        seat,
        headline(components, state, seat),
        actors(state),
        shelves=tuple(shelves),
        numbers=_numbers(state, own + others, seat),
        areas=() if own else areas(components, state),
        signs=() if own else tuple(_signs(components, state)),
    )


def _signs(components: Components, state: State) -> Iterator[Sign]:
    """Yield what the board's pools are called, what spaces cost or give, items' prices, and the market's values."""
    for name in POOLS:
        yield Sign("title", f"{name}-pool", POOL_TITLES[name])
        for n, card in enumerate(pool(state, name) if name == "item" else ()):
            if card in components.item and (price := cost(components, state.market, card)):
                yield Sign("price", slot_zone(name, n), t("+{price}", price=dollars(price)))
    yield Sign("title", "deck", t("Deck"))
    taken = {bottle for player in state.players for bottle in player.bottles}
    for space in SPACES:
        coins = components.seal(space, state.quarter).coins
        if coins and space not in taken:
            yield Sign("price", space, dollars(-coins) if coins < 0 else t("+{price}", price=dollars(coins)))
    symbols = [components.symbol[card] for card in state.market]
    for symbol in SYMBOLS:
        yield Sign("count", f"market-{symbol}", f"{symbols.count(symbol)}", f"item-{symbol}")


def _market(components: Components, state: State) -> str:
    symbols = [components.symbol[card] for card in state.market]
    return join(
        ", ",
        (t("{symbol} {number}", symbol=word(symbol), number=symbols.count(symbol)) for symbol in SYMBOLS),
    )


def headline(components: Components, state: State, seat: Seat) -> str:
    """Return one sentence that describes what is going on."""
    if state.outcome is not None:
        return state.outcome.words
    if state.phase == "bid" and state.auction is not None:
        return auction.describe_auction(state.auction)
    mine = seat in actors(state) and state.phase == "turn"
    words = t("It is your turn: place a bottle.") if mine else sentence(step(state))
    return t("Quarter {quarter}. {words}", quarter=state.quarter, words=words) if state.begun else words


def _numbers(state: State, order: tuple[Seat, ...], seat: Seat) -> tuple[Part, ...]:
    numbers = [
        Part(t("quarter"), state.quarter),
        Part(t("deck"), state.deck, thing="deck"),
        Part(t("paid pile"), len(state.paid)),
    ]
    for who in order:
        player = state.players[who - 1]
        counts = (player.coins, player.hand.size, player.income, player.secrets)
        names = OWN if who == seat else _of(at(who))
        numbers += [
            Part(name, count, who, what=what, thing=thing)
            for name, what, thing, count in zip(names, OWN, DRAWN, counts, strict=True)
        ]
    return tuple(numbers)


OWN = (t("coins"), t("cards in hand"), t("income cards"), t("secret items"))
"""What is counted of every seat."""
DRAWN: tuple[Thing, ...] = ("coin", "hand", "", "")


def _of(who: str) -> tuple[str, ...]:
    return (
        t("coins of {who}", who=who),
        t("cards in hand of {who}", who=who),
        t("income cards of {who}", who=who),
        t("secret items of {who}", who=who),
    )


def uses(components: Components, state: State, card: Piece) -> tuple[Use, ...]:
    """Return what a card would be worth now as an item, as a skill, and in the market (its three uses)."""
    item, symbol = components.item[card], components.symbol[card]
    market = [components.symbol[one] for one in state.market]
    worth, value = market.count(item), market.count(symbol)
    points = plural("Item: {count} point", "Item: {count} points", count=worth)
    rises = t("its value {before} → {after}", before=value, after=value + 1)
    return (
        Use("item", points, t("{symbol:capital}, {count} in the market", symbol=word(item), count=worth)),
        Use("skill", t("Skill"), skill_words(components, components.skill[card])),
        Use("market", t("Market: {symbol}", symbol=word(symbol)), rises),
    )
