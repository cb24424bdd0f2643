"""What can be seen of a match of Collectible: the layout of the table, scores, views, and sentences."""

from __future__ import annotations

from companion.games.collectible import auctions, characters, moves, rulebook
from companion.games.collectible.box import EFFECTS, Box, coins
from companion.games.collectible.steps import (
    CHARACTERS,
    auction_of,
    can_bid,
    drawable,
    may_move,
    out_of_turn,
    parts,
    rolling,
    shuffled,
    waiting,
    within_limits,
)
from companion.games.collectible.values import (
    NO_CARD,
    PHANTOM,
    AnyAction,
    Bid,
    Close,
    Discard,
    Done,
    Draw,
    Look,
    NoBid,
    Open,
    Pass,
    PlayCharacter,
    Reveal,
    Roll,
    Sell,
    Send,
    Show,
    State,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.rules import auction as shared
from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    ActionKind,
    Facts,
    Hole,
    May,
    Opened,
    Part,
    Rolled,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Verdict,
    View,
    at,
    fact_at,
    illegal,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, Pile, Slots, Zone
from companion.rules.shown import told
from companion.rules.wording import all_of, cards

EMPTY, BACK = Empty(), Back()


def layout(state: State) -> Layout:
    """Say what should lie where. A character that was discarded lies on that pile until the dice are rolled."""
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
        zones[f"stage.{seat}"] = _pile(tuple(one.piece for one in state.stage if one.seat == seat))
        zones[f"reveal.{seat}"] = Loose(player.gallery.known if player.shown else frozenset())
    return Layout(zones)


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else Pile(EMPTY)


def standing(box: Box, state: State) -> Standing:
    """Score the galleries that lie open; the others are secret, so only their coins show."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        best = box.best(player.gallery.known if player.shown else ())
        words = f"{best.theme}: {box.names(best.pieces)}" if best.theme else ""
        if player.shown and not best.theme:
            words = "no collection"
        seats.append(SeatStanding(seat, best.score, parts(best.score, len(best.pieces), player.coins), words))
    return Standing(tuple(seats), state.outcome)


# ------------------------------------------------------------------------------------------------------------ views


def view(box: Box, state: State, seat: Seat, kinds: tuple[ActionKind, ...]) -> View:
    """Return what a seat may see and do. The table knows no galleries, so nothing in here is secret (C1)."""
    own = (seat,) if seat in state.seats else ()
    legal = moves.legal(box, state) if own else []
    offered = [kind for kind in kinds if own and moves.TYPES[kind.type] not in (TurnUp, Show)]
    if len(state.players) > 2:
        offered = [kind for kind in offered if kind.type != "sell"]
    may = tuple(_may(box, state, seat, kind, legal) for kind in offered)
    shelves = tuple(_shelves(box, state, seat))
    return View(seat, headline(box, state, seat), moves.actors(state), may, shelves, _numbers(state, seat))


def headline(box: Box, state: State, seat: Seat) -> str:
    """Say what is going on in one sentence."""
    if state.outcome is not None:
        return state.outcome.words
    if state.block is not None:
        return f"{shared.tell_auction(state.block.auction).rstrip('.')}: {box.name(state.block.card)}."
    if moves.actors(state) == (seat,) and seat != TABLE:
        if state.phase == "collect" and drawable(state) and can_bid(state, seat):
            return "Collect: draw a card, or lay a card of another auction on the block."
        if state.phase == "send" and within_limits(box, state, seat) and not state.stage:
            return "Send to auction: move cards if you like, then reveal or pass."
        if state.phase == "reveal":
            return "Reveal your collection, or pass the turn on."
    return waiting(box, state)


def _shelves(box: Box, state: State, seat: Seat) -> list[Shelf]:
    closed = {one.piece: one.seat for one in state.closed}
    shelves = []
    if state.block is not None:
        words = f"from {auction_of(state.block.owner)}"
        shelves.append(Shelf("On the block", (state.block.card,), words=words))
    rows = [(n, player.auction) for n, player in enumerate(state.players, 1)]
    if len(state.players) == 2:
        rows.append((PHANTOM, state.phantom))
    for owner, row in sorted(rows, key=lambda one: one[0] != seat):
        title = "Your auction" if owner == seat and owner else auction_of(owner)
        shut = [f"{box.name(piece)} until the turn of {at(closed[piece])}" for piece in sorted(row) if piece in closed]
        words = f"closed: {all_of(shut)}" if shut else ""
        shelves.append(Shelf(title[:1].upper() + title[1:], tuple(sorted(row)), words=words))
    shelves += [
        Shelf(
            f"{'Gallery' if player.shown else 'Known in the gallery'} of {at(n)}", tuple(sorted(player.gallery.known))
        )
        for n, player in enumerate(state.players, 1)
        if player.gallery.known
    ]
    if state.stage:
        shelves.append(Shelf("Characters at work", tuple(one.piece for one in state.stage)))
    if state.under:
        deep = all_of(f"{box.name(one.piece)} under {cards(one.depth)}" for one in state.under)
        shelves.append(Shelf("Rolled under the talent pile", tuple(one.piece for one in state.under), words=deep))
    if state.discard:
        top, count = state.discard[-1], cards(len(state.discard))
        shelves.append(Shelf("Discard pile", (top,), words=f"{count}, on top {box.name(top)}"))
    return shelves


def _numbers(state: State, seat: Seat) -> tuple[Part, ...]:
    own = [seat] if seat in state.seats else []
    numbers = []
    for one in own + [other for other in state.seats if other != seat]:
        player, whose = state.players[one - 1], "your" if one == seat else f"of {at(one)}"
        named = [("coins", player.coins), ("gallery", player.gallery.size)]
        numbers += [Part(f"your {n}" if one == seat else f"{n} {whose}", value) for n, value in named]
    if len(state.players) == 2:
        numbers.append(Part("coins of the phantom auctioneer", state.phantom_coins))
    numbers += [Part("talent pile", state.deck), Part("discard pile", len(state.discard) + len(state.traded))]
    return tuple(numbers)


def _may(box: Box, state: State, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> May:
    actions = tuple(action for action in legal if action.seat == seat and type(action) is moves.TYPES[kind.type])
    if not actions:
        return May(kind.type, kind.words, why_not(box, state, seat, kind.type))
    hole = getattr(actions[0], "card", None)
    words = kind.words
    if isinstance(hole, Hole) and hole.words not in kind.words:
        words = f"{kind.words}: {hole.words}"
    if isinstance(actions[0], Bid):
        amounts = [action.amount for action in actions if isinstance(action, Bid)]
        words = f"{kind.words}: {min(amounts)} to {max(amounts)}"
    return May(kind.type, words, LEGAL, actions)


def why_not(box: Box, state: State, seat: Seat, tag: str) -> Verdict:
    """Say why a seat can do nothing of a kind now, whatever it holds."""
    turn = state.turn == seat
    if tag == "character" and characters.may_lay(box, state, seat):
        return illegal(CHARACTERS, "there can be no character with a possible target in the gallery", "Go on.")
    if tag == "open" and turn and state.phase == "collect":
        if state.players[seat - 1].coins:
            return illegal("A3", "no card in another auction can be bid for", waiting(box, state))
        return illegal("A4", f"opening takes at least {coins(1)}, and {at(seat)} has none", waiting(box, state))
    if turn and may_move(state):
        if tag in ("send", "discard") and not state.players[seat - 1].gallery.size:
            return illegal("Send to auction", "the gallery is empty", "Reveal or pass.")
        if tag == "discard":
            return illegal("A5", "there are not more than five cards in gallery or auction", "Keep them.")
        if tag == "take-back":
            return illegal("Send to auction", "there is no card in your auction", "Leave it as it is.")
    if tag == "sell" and turn and state.phase == "collect" and state.phantom_coins:
        return illegal("A9", "there is no card to trade", "Draw or bid.")
    samples: dict[str, AnyAction] = {
        "draw": Draw(seat=seat), "open": Open(seat=seat, card=NO_CARD),
        "bid": Bid(seat=seat, amount=1), "no-bid": NoBid(seat=seat), "sell": Sell(seat=seat, card=NO_CARD),
        "send": Send(seat=seat, card=NO_CARD), "take-back": TakeBack(seat=seat, card=NO_CARD),
        "done": Done(seat=seat), "discard": Discard(seat=seat, card=NO_CARD),
        "character": PlayCharacter(seat=seat, card=NO_CARD),
        "swap": Swap(seat=seat, partner=seat), "look": Look(seat=seat, partner=seat),
        "close": Close(seat=seat, card=NO_CARD), "roll": Roll(seat=seat), "reveal": Reveal(seat=seat),
        "pass": Pass(seat=seat),
    }  # fmt: skip
    action = samples[tag]
    verdict = moves.RULES[type(action)][0](box, state, action)
    return verdict if not verdict.ok else out_of_turn(box, state, action)


# ------------------------------------------------------------------------------------------------------------ words


def tell(box: Box, state: State, action: AnyAction, facts: Facts = ()) -> str:
    """Say in one sentence what an action does."""
    who = at(action.seat)
    match action:
        case TurnUp(player=player):
            piece = told(box.name, facts, rulebook.place_of(player))
            return f"{piece[:1].upper()}{piece[1:]} is turned up into {auction_of(player)}."
        case Draw():
            again = ", after the discards are shuffled" if shuffled(state) is not state else ""
            return f"{who} draws a card{again}."
        case Open(card=card):
            owner = auctions.owner_of(state, card)
            return f"{who} opens a bid for {box.name(card)}{'' if owner is None else f' of {auction_of(owner)}'}."
        case Bid(amount=amount):
            return f"{who} bids {amount}{_sold(box, state, action)}."
        case NoBid():
            return f"{who} passes{_sold(box, state, action)}."
        case Sell(card=card):
            return f"{who} trades {_card(box, card)} for a coin of the phantom auctioneer."
        case Send(card=card):
            return f"{who} puts {_card(box, card)} up for auction."
        case TakeBack(card=card):
            return f"{who} takes {box.name(card)} back into the gallery."
        case Done():
            return f"{who} is done moving cards."
        case Discard(card=card):
            return f"{who} discards {_card(box, card)}."
        case PlayCharacter(card=card):
            effect = (
                "" if isinstance(card, Hole) else f", who {EFFECTS[box.effect[card]]}" if card in box.effect else ""
            )
            return f"{who} plays {_card(box, card)}{effect}."
        case Swap(partner=partner):
            return f"{who} and {at(partner)} swap a gallery card."
        case Look(partner=partner):
            return f"{who} looks at the gallery of {at(partner)}."
    return _tell_rest(box, state, action, facts)


def _tell_rest(box: Box, state: State, action: AnyAction, facts: Facts) -> str:
    who = at(action.seat)
    match action:
        case Close(card=card):
            return f"{who} closes {box.name(card)} until their next turn."
        case Roll():
            fact = fact_at(facts, "dice")
            rolled = sum(fact.values) if isinstance(fact, Rolled) else 0
            where = f"{rolled}: {box.name(rolling(state))} goes under the top {cards(rolled)}"
            return f"{who} rolls {where if rolled and (state.leaving or state.stage) else 'two dice'}."
        case Reveal():
            return f"{who} reveals{_collection(box, facts, action.seat)}."
        case Show(player=player):
            return f"{at(player)} lays the gallery open{_collection(box, facts, player)}."
    return f"{who} passes the turn on."


def _card(box: Box, card: Piece | Hole) -> str:
    return card.words if isinstance(card, Hole) else box.name(card)


def _sold(box: Box, state: State, action: Bid | NoBid) -> str:
    """Say what a bid or a pass has ended, and whom it has put out."""
    judge = moves.RULES[type(action)][0]
    if state.block is None or not judge(box, state, action).ok:
        return ""
    before = state.block.auction
    if isinstance(action, Bid):
        after = shared.bid(auctions.TERMS, before, action.seat, action.amount)
    else:
        after = shared.give_up(auctions.TERMS, before, action.seat)
    out = [at(seat) for seat in shared.priced_out(before, after)]
    beyond = f"; that is more than {all_of(out)} can raise" if out else ""
    if not after.over:
        return beyond
    price = f"; {at(after.winner)} gets {box.name(state.block.card)} for {coins(after.price)}"
    return beyond + price


def _collection(box: Box, facts: Facts, seat: Seat) -> str:
    fact = fact_at(facts, f"reveal.{seat}")
    if not isinstance(fact, Opened):
        return ""
    best = box.best(fact.pieces)
    return f": {cards(len(best.pieces))} with {best.theme}, {best.score} points" if best.theme else ": no collection"
