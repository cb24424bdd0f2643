"""What can be seen of a match of Collectible: the layout of the table, scores, views, and sentences for beginners."""

from __future__ import annotations

from companion.games.collectible.components import Components
from companion.games.collectible.places import auction_of
from companion.games.collectible.state import NO_CARD, PHANTOM, State
from companion.games.collectible.steps import actors, can_bid, may_move, over_limits, waiting, within_limits
from companion.games.collectible.talent_pile import drawable
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Part, Seat, SeatStanding, Shelf, Standing, View, at
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, Pile, Slots, Zone
from companion.rules.wording import all_of, cards

EMPTY, BACK = Empty(), Back()


def layout(state: State) -> Layout:
    """Return what should lie where. A character that was discarded lies on that pile until the dice are rolled."""
    discard, traded = state.discard, state.traded
    if state.leaving:
        traded, discard = (
            ((*traded, state.leaving), discard) if state.step == "collect" else (traded, (*discard, state.leaving))
        )
    card = state.block.card if state.block else NO_CARD
    zones: dict[Zone, Area] = {
        "deck": Pile(BACK if state.deck else EMPTY),
        "discard": _pile(discard),
        "block": Slots((Exactly(card) if card else EMPTY,)),
    }
    if len(state.players) == 2:
        zones["traded"] = _pile(traded)
        zones["phantom"] = Loose(state.phantom, unknown=int(PHANTOM in state.unread))
    for seat, player in enumerate(state.players, 1):
        zones[f"auction.{seat}"] = Loose(player.auction, unknown=int(seat in state.unread))
        zones[f"stage.{seat}"] = _pile(tuple(laid.piece for laid in state.stage if laid.seat == seat))
        zones[f"reveal.{seat}"] = Loose(player.gallery.known if player.shown else frozenset())
    return Layout(zones)


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else Pile(EMPTY)


def standing(components: Components, state: State) -> Standing:
    """Return the scores of the galleries that lie open; the others are secret, so only their coins show."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        best = components.best(player.gallery.known if player.shown else ())
        words = f"{best.theme}: {components.names(best.pieces)}" if best.theme else ""
        if player.shown and not best.theme:
            words = "no collection"
        parts = (
            Part("collection", best.score),
            Part("cards in it", len(best.pieces)),
            Part("coins", player.coins),
        )
        seats.append(SeatStanding(seat, best.score, parts, words))
    return Standing(tuple(seats), state.outcome)


# ------------------------------------------------------------------------------------------------------------ views


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat sees. The table knows no galleries, so nothing in here is secret (C1)."""
    return View(
        seat,
        headline(components, state, seat),
        actors(state),
        shelves=tuple(_shelves(components, state, seat)),
        numbers=_numbers(state, seat),
    )


def headline(components: Components, state: State, seat: Seat) -> str:
    """Return one sentence that describes what is going on."""
    if state.outcome is not None:
        return state.outcome.words
    if state.block is not None:
        return f"{auction.tell_auction(state.block.auction).rstrip('.')}: {components.name(state.block.card)}."
    if actors(state) == (seat,) and seat != TABLE:
        if state.phase == "collect" and drawable(state) and can_bid(state, seat):
            return "Collect: draw a card, or lay a card of another auction on the block."
        if state.phase == "send" and within_limits(components, state, seat) and not state.stage:
            return "Send to auction: move cards if you like, then reveal or pass."
        if state.phase == "reveal":
            return "Reveal your collection, or pass the turn on."
    return waiting(components, state)


def call(components: Components, state: State) -> str:
    """Return what the seat on turn is called upon to do where that depends on more than the phase; else ""."""
    bids = can_bid(state, state.turn)
    match state.phase:
        case "collect" if bids:
            return "Your turn: draw, or bid for a card" if drawable(state) else "Your turn: bid for a card"
        case "collect" | "send" if over_limits(components, state, state.turn):
            return "Too many cards: move or discard some"
        case "collect" if not drawable(state):
            return "Your turn: move cards, then reveal or pass"
        case "choose":
            effect = components.effect[state.stage[0].piece]
            return {"swap": "Choose whom to swap with", "look": "Choose whose gallery to look at"}.get(
                effect, "Choose which card to close"
            )
    return ""


def _shelves(components: Components, state: State, seat: Seat) -> list[Shelf]:
    closed = {shut.piece: shut.seat for shut in state.closed}
    shelves = []
    if state.block is not None:
        words = f"from {auction_of(state.block.owner)}"
        shelves.append(Shelf("On the block", (state.block.card,), words=words))
    rows = [(n, player.auction) for n, player in enumerate(state.players, 1)]
    if len(state.players) == 2:
        rows.append((PHANTOM, state.phantom))
    for owner, row in sorted(rows, key=lambda owned: owned[0] != seat):
        title = "Your auction" if owner == seat and owner else auction_of(owner)
        shut = [
            f"{components.name(piece)} until the turn of {at(closed[piece])}"
            for piece in sorted(row)
            if piece in closed
        ]
        words = f"closed: {all_of(shut)}" if shut else ""
        whose = owner if owner in state.seats else TABLE
        shelves.append(Shelf(title[:1].upper() + title[1:], tuple(sorted(row)), words=words, seat=whose))
    shelves += [
        Shelf(
            f"{'Gallery' if player.shown else 'Known in the gallery'} of {at(n)}",
            tuple(sorted(player.gallery.known)),
            seat=n,
        )
        for n, player in enumerate(state.players, 1)
        if player.gallery.known
    ]
    if state.stage:
        shelves.append(Shelf("Characters at work", tuple(laid.piece for laid in state.stage)))
    if state.under:
        deep = all_of(f"{components.name(tucked.piece)} under {cards(tucked.depth)}" for tucked in state.under)
        shelves.append(Shelf("Rolled under the talent pile", tuple(tucked.piece for tucked in state.under), words=deep))
    if state.discard:
        top, count = state.discard[-1], cards(len(state.discard))
        shelves.append(Shelf("Discard pile", (top,), words=f"{count}, on top {components.name(top)}"))
    return shelves


def _numbers(state: State, seat: Seat) -> tuple[Part, ...]:
    own = [seat] if seat in state.seats else []
    numbers = []
    for who in own + [other for other in state.seats if other != seat]:
        player, whose = state.players[who - 1], "your" if who == seat else f"of {at(who)}"
        named = [("coins", player.coins), ("gallery", player.gallery.size)]
        numbers += [Part(f"your {n}" if who == seat else f"{n} {whose}", value, who) for n, value in named]
    if len(state.players) == 2:
        numbers.append(Part("coins of the phantom auctioneer", state.phantom_coins))
    numbers += [Part("talent pile", state.deck), Part("discard pile", len(state.discard) + len(state.traded))]
    return tuple(numbers)


def coach(components: Components, state: State) -> str:
    """Return what the seat on turn may do, where that takes numbers of the deck; "" where it doesn't."""
    if may_move(state):
        most, up = components.gallery_limit, components.auction_limit
        return (
            f"Now move cards between gallery and auction if you like: at most {most} may stay in your gallery, and "
            f"{up} in your auction."
        )
    if state.phase == "reveal":
        return (
            f"Reveal if {components.collection} of your cards share a theme, and the match ends; else pass the turn on."
        )
    return ""
