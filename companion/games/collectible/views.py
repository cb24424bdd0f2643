"""What can be seen of a match of Collectible: the layout of the table, scores, views, and sentences for beginners."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.collectible.components import Components
from companion.games.collectible.places import auction_of
from companion.games.collectible.state import NO_CARD, PHANTOM, State
from companion.games.collectible.steps import actors, can_bid, may_move, waiting, within_limits
from companion.games.collectible.talent_pile import drawable
from companion.rules import auction
from companion.rules.kernel import TABLE, Part, Seat, SeatStanding, Shelf, Sign, Standing, View, at
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, Pile, Slots, Zone, open_pile
from companion.rules.wording import all_of, cards
from companion.text import capital, t

EMPTY, BACK = Empty(), Back()


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where. A character that was discarded lies on that pile until the dice are rolled."""
    discard, traded = state.discard, state.traded
    if state.leaving:
        traded, discard = (
            ((*traded, state.leaving), discard) if state.step == "collect" else (traded, (*discard, state.leaving))
        )
    card = state.block.card if state.block else NO_CARD
    zones: dict[Zone, Area] = {
        "deck": Pile(BACK if state.deck else EMPTY),
        "discard": open_pile(discard),
        "block": Slots((Exactly(card) if card else EMPTY,)),
    }
    if len(state.players) == 2:
        zones["traded"] = open_pile(traded)
        zones["phantom"] = Loose(state.phantom, unknown=int(PHANTOM in state.unread))
    for seat, player in enumerate(state.players, 1):
        zones[f"auction.{seat}"] = Loose(player.auction, unknown=int(seat in state.unread))
        zones[f"stage.{seat}"] = open_pile(tuple(laid.piece for laid in state.stage if laid.seat == seat))
        zones[f"reveal.{seat}"] = Loose(player.gallery.known if player.shown else frozenset())
    return Layout(zones)


def standing(components: Components, state: State) -> Standing:
    """Return the scores of the galleries that lie open; the others are secret, so only their coins show."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        best = components.best(player.gallery.known if player.shown else ())
        words = ""
        if best.theme:
            words = t("{theme}: {cards}", theme=best.theme, cards=components.names(best.pieces))
        if player.shown and not best.theme:
            words = t("no collection")
        parts = (
            Part(t("collection"), best.score),
            Part(t("cards in it"), len(best.pieces), amount=True),
            Part(t("coins"), player.coins, amount=True),
        )
        seats.append(SeatStanding(seat, best.score, parts, words))
    return Standing(tuple(seats), state.outcome)


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat sees. The table knows no galleries, so nothing in here is secret (C1)."""
    return View(
        seat,
        headline(components, state, seat),
        actors(state),
        shelves=tuple(_shelves(components, state, seat)),
        numbers=_numbers(state, seat),
        hand=t("Your gallery"),
        signs=tuple(_signs(components, state)) if seat == TABLE else (),
    )


def _signs(components: Components, state: State) -> Iterator[Sign]:
    """Yield how full every gallery and auction is (A5)."""
    for seat, player in enumerate(state.players, 1):
        gallery, auctioned = player.gallery.size, len(player.auction) + (seat in state.unread)
        most, up = components.gallery_limit, components.auction_limit
        yield Sign("title", f"reveal.{seat}", t("Gallery {count} of {most}", count=gallery, most=most))
        yield Sign("title", f"auction.{seat}", t("Auction {count} of {most}", count=auctioned, most=up))


def headline(components: Components, state: State, seat: Seat) -> str:
    """Return one sentence that describes what is going on."""
    if state.outcome is not None:
        return state.outcome.words
    if state.block is not None:
        bids, card = auction.describe_auction(state.block.auction), components.name(state.block.card)
        return t("{bids:bare}: {card}.", bids=bids, card=card)
    if actors(state) == (seat,) and seat != TABLE:
        if state.phase == "collect" and drawable(state) and can_bid(state, seat):
            return t("Collect: draw a card, or lay a card of another auction on the block.")
        if state.phase == "send" and within_limits(components, state, seat) and not state.stage:
            return t("Send to auction: move cards if you like, then reveal or pass.")
        if state.phase == "reveal":
            return t("Reveal your collection, or pass the turn on.")
    return waiting(components, state)


def call(components: Components, state: State) -> str:
    """Return what the seat on turn is called upon to do where that depends on more than the phase; else ""."""
    bids = can_bid(state, state.turn)
    match state.phase:
        case "collect" if bids:
            return t("Your turn: draw, or bid for a card") if drawable(state) else t("Your turn: bid for a card")
        case "collect" | "send" if not within_limits(components, state, state.turn):
            return _too_many(components, state)
        case "collect" if not drawable(state):
            return t("Your turn: move cards, then reveal or pass")
        case "choose":
            effect = components.effect[state.stage[0].piece]
            return {"swap": t("Choose whom to swap with"), "look": t("Choose whose gallery to look at")}.get(
                effect, t("Choose which card to close")
            )
    return ""


def _too_many(components: Components, state: State) -> str:
    player, most = state.players[state.turn - 1], components.gallery_limit
    if player.gallery.size > most:
        return t("Gallery {cards}, limit {most}: move or discard some", cards=player.gallery.size, most=most)
    most = components.auction_limit
    return t("Auction {cards}, limit {most}: move or discard some", cards=len(player.auction), most=most)


def _shelves(components: Components, state: State, seat: Seat) -> list[Shelf]:
    closed = {shut.piece: shut.seat for shut in state.closed}
    shelves = []
    if state.block is not None:
        words = t("from {auction_of}", auction_of=auction_of(state.block.owner))
        shelves.append(Shelf(t("On the block"), (state.block.card,), words=words))
    rows = [(n, player.auction) for n, player in enumerate(state.players, 1)]
    if len(state.players) == 2:
        rows.append((PHANTOM, state.phantom))
    for owner, row in sorted(rows, key=lambda owned: owned[0] != seat):
        title = t("Your auction") if owner == seat and owner else auction_of(owner)
        shut = [
            t("{piece} until the turn of {closed}", piece=components.name(piece), closed=at(closed[piece]))
            for piece in sorted(row)
            if piece in closed
        ]
        words = t("closed: {shut}", shut=all_of(shut)) if shut else ""
        whose = owner if owner in state.seats else TABLE
        shelves.append(Shelf(capital(title), tuple(sorted(row)), words=words, seat=whose))
    shelves += [
        Shelf(
            t("Gallery of {seat}", seat=at(n)) if player.shown else t("Known in the gallery of {seat}", seat=at(n)),
            tuple(sorted(player.gallery.known)),
            seat=n,
            known=not player.shown,
        )
        for n, player in enumerate(state.players, 1)
        if player.gallery.known
    ]
    if state.stage:
        shelves.append(Shelf(t("Characters at work"), tuple(laid.piece for laid in state.stage)))
    if state.under:
        deep = all_of(
            t("{piece} under {cards}", piece=components.name(tucked.piece), cards=cards(tucked.depth))
            for tucked in state.under
        )
        shelves.append(
            Shelf(t("Rolled under the talent pile"), tuple(tucked.piece for tucked in state.under), words=deep)
        )
    if state.discard:
        top, count = state.discard[-1], cards(len(state.discard))
        shelves.append(
            Shelf(t("Discard pile"), (top,), words=t("{count}, on top {top}", count=count, top=components.name(top)))
        )
    return shelves


def _numbers(state: State, seat: Seat) -> tuple[Part, ...]:
    own = [seat] if seat in state.seats else []
    numbers = []
    for who in own + [other for other in state.seats if other != seat]:
        player, whose = state.players[who - 1], at(who)
        coins, gallery = (
            (t("your coins"), t("your gallery"))
            if who == seat
            else (t("coins of {seat}", seat=whose), t("gallery of {seat}", seat=whose))
        )
        numbers += [
            Part(coins, player.coins, who, what=t("coins"), thing="coin"),
            Part(gallery, player.gallery.size, who, what=t("gallery"), thing="hand"),
        ]
    if len(state.players) == 2:
        numbers.append(Part(t("coins of the phantom auctioneer"), state.phantom_coins))
    numbers += [
        Part(t("talent pile"), state.deck, thing="deck"),
        Part(t("discard pile"), len(state.discard) + len(state.traded)),
    ]
    return tuple(numbers)


def coach(components: Components, state: State) -> str:
    """Return what the seat on turn may do, where that takes numbers of the deck; "" where it doesn't."""
    if may_move(state):
        most, up = components.gallery_limit, components.auction_limit
        return t("At most {most} cards stay in your gallery, {up} in your auction.", most=most, up=up)
    if state.phase == "reveal":
        return t(
            "Reveal if {collection} of your cards share a theme, and the match ends; else pass the turn on.",
            collection=components.collection,
        )
    return ""
