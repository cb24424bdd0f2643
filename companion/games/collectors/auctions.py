"""The section "Start auction" of Collectors: the offer, the bids, paying with coins and cards, placing what was won.

Who bids, from what to what and why is `companion.rules.auction`; here are Collectors' own terms (K9 to K11, K16).
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectors.actions import learned
from companion.games.collectors.box import Box, dollars
from companion.games.collectors.rulebook import next_turn
from companion.games.collectors.steps import (
    actors,
    lies_open,
    missing,
    not_in_hand,
    out_of_turn,
    removed,
    waiting,
    whereabouts,
    with_player,
)
from companion.games.collectors.values import (
    NONE,
    UNREAD,
    CantPay,
    Hand,
    MakeBid,
    Offer,
    PassBid,
    PayCard,
    PayCoins,
    Player,
    Put,
    State,
)
from companion.rules import auction
from companion.rules.auction import Bidder, Terms
from companion.rules.cards import Piece
from companion.rules.hands import face_down, held, laid, least_worth, misfit
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Facts,
    Opened,
    RuleError,
    Seat,
    Verdict,
    at,
    fact_at,
    illegal,
    inconsistent,
)
from companion.rules.wording import cards

TERMS = Terms(who="Start auction; K11", raising="Start auction; K11", means="K10")
"""The starter opens with at least 1; clockwise; a pass is final (K11); bids are capped (K10)."""

DEAREST = 2
"""The most that a card can be worth (K10)."""

# ---------------------------------------------------------------------------------------------------- the offer


def judge_offer(box: Box, state: State, action: Offer) -> Verdict:
    """Choose a card of the auction pool, or one of the hand, which may lie face down."""
    wrong = out_of_turn(box, state, action, "offer")
    if wrong:
        return wrong
    if action.card in state.auction_pool and action.card not in (NONE, UNREAD):
        return LEGAL
    hand = state.players[action.seat - 1].hand
    if action.card == NONE and not hand.size:
        return inconsistent("C2", f"{at(action.seat)} has no card to lay face down", "Take one of the auction pool.")
    if action.card != NONE:
        remedy = "Put it back: what is auctioned comes from the auction pool or out of the hand."
        absent = not_in_hand(box, state, action.seat, action.card, "Start auction", remedy)
        if absent:
            return absent
    return can_open_after(state, action.seat) or LEGAL


def can_open_after(state: State, seat: Seat) -> Verdict | None:
    """K17: a card of the hand may only be offered if $1 to open with is left. None if it is."""
    player = state.players[seat - 1]
    if player.coins or player.hand.size > 1:
        return None
    reason = f"then {at(seat)} has no coin and no card left to open the auction with"
    return illegal("K17", reason, "Take a card of the auction pool.")


def play_offer(box: Box, state: State, action: Offer, facts: Facts) -> State:
    """Place it in the space reserved for auctioned items; the bids begin with the starter."""
    seat, card = action.seat, str(action.card)
    player = state.players[seat - 1]
    if card == NONE:
        hand, unseen = face_down(player.hand, state.unseen, 1)
        players = with_player(state, seat, replace(player, hand=hand))
        state = replace(state, players=players, unseen=unseen, lot=UNREAD)
    elif card in state.auction_pool:
        state = replace(state, auction_pool=removed(state.auction_pool, card), lot=card)
    else:
        hand, unseen = laid(player.hand, state.unseen, card)
        players = with_player(state, seat, replace(player, hand=hand))
        state = replace(state, players=players, unseen=unseen, lot=card)
    return replace(state, phase="bid", auction=auction.begin(TERMS, bidders(state)))


def bidders(state: State) -> tuple[Bidder, ...]:
    """List all players clockwise from the starter: each bids at most coins + $2 for each card in hand (K10)."""
    count = len(state.players)
    order = [(state.turn - 1 + n) % count + 1 for n in range(count)]
    found = []
    for seat in order:
        player = state.players[seat - 1]
        why = f"{dollars(player.coins)} and {cards(player.hand.size)} worth {dollars(DEAREST)} at most"
        found.append(Bidder(seat, player.coins + DEAREST * player.hand.size, why))
    return tuple(found)


# ------------------------------------------------------------------------------------------------------ the bids


def judge_bid(box: Box, state: State, action: MakeBid) -> Verdict:
    """Bid higher than the last one, at most what coins and cards can be worth."""
    if state.phase != "bid" or state.auction is None or action.seat not in state.seats:
        return out_of_turn(box, state, action, "bid") or LEGAL
    return auction.judge_bid(TERMS, state.auction, action.seat, action.amount)


def play_bid(box: Box, state: State, action: MakeBid, facts: Facts) -> State:
    """The next in turn is due."""
    assert state.auction is not None  # noqa: S101  (`judge_bid`)
    return _after_bid(box, state, auction.bid(TERMS, state.auction, action.seat, action.amount))


def judge_pass(box: Box, state: State, action: PassBid) -> Verdict:
    """Pass; the starter may not before the first bid. Nobody passes instead of placing a bottle (K14)."""
    if state.phase == "turn" and action.seat == state.turn:
        reason = f"{at(action.seat)} has a bottle on the player board, and must place it"
        return illegal("K14", reason, "Place it on an empty action space; recycling is always possible.")
    if state.phase != "bid" or state.auction is None or action.seat not in state.seats:
        return out_of_turn(box, state, action, "bid") or LEGAL
    return auction.judge_pass(TERMS, state.auction, action.seat)


def play_pass(box: Box, state: State, action: PassBid, facts: Facts) -> State:
    """The next in turn is due, or the auction is over."""
    assert state.auction is not None  # noqa: S101  (`judge_pass`)
    return _after_bid(box, state, auction.give_up(TERMS, state.auction, action.seat))


def _after_bid(box: Box, state: State, bids: auction.Auction) -> State:
    state = replace(state, auction=bids)
    return _won(box, state, bids.winner, bids.price) if bids.over else state


# -------------------------------------------------------------------------------------------------- paying (K9, K10)


def _won(box: Box, state: State, seat: Seat, price: int) -> State:
    state = replace(state, phase="pay", actor=seat, price=price, laid=())
    return _failed(box, state) if _worth(box, state)[1] < price else state


def _worth(box: Box, state: State) -> tuple[int, int]:
    """Return what the payer can surely pay, and can pay at most: coins, cards laid, cards in hand."""
    player = state.players[state.actor - 1]
    laid_out, known = player.coins + _paid(box, state), sum(box.cash[card] for card in player.hand.known)
    least = least_worth(player.hand, state.unseen, box.cash.__getitem__)
    return laid_out + least, laid_out + known + DEAREST * player.hand.unknown


def _paid(box: Box, state: State) -> int:
    return sum(box.cash[card] for card in state.laid)


def rest(box: Box, state: State) -> int:
    """Return what is still to be paid."""
    return state.price - _paid(box, state)


def judge_pay_card(box: Box, state: State, action: PayCard) -> Verdict:
    """You may use cards of the hand as coins, while something is still to be paid (K9)."""
    if action.seat in actors(state) and state.phase not in ("offer", "bid", "pay", "put"):
        return illegal("Start auction", "cards are coins only during an auction", waiting(box, state))
    remedy = "Put it back: an auction is paid with coins and with cards of the hand."
    wrong = out_of_turn(box, state, action, "pay") or not_in_hand(
        box, state, action.seat, action.card, "Start auction; K9", remedy
    )
    if wrong:
        return wrong
    if action.card not in payable(box, state):
        most = _worth(box, state)[1] - 1
        reason = f"{box.name(action.card)} is worth $1: then {at(action.seat)} can pay {dollars(most)} at most"
        return illegal("K10", f"{reason}, and the price is {dollars(state.price)}", "Say that you can't pay.")
    return LEGAL


def payable(box: Box, state: State) -> frozenset[Piece]:
    """Return the cards that may be in the payer's hand and leave the bid payable; else it has to be said (K10)."""
    hand = state.players[state.actor - 1].hand
    able = held(hand, state.unseen)
    if _worth(box, state)[1] > state.price:
        return able
    return frozenset(card for card in able if card in hand.known or box.cash[card] == DEAREST)


def play_pay_card(box: Box, state: State, action: PayCard, facts: Facts) -> State:
    """It goes face up to the paid pile; there is no change."""
    player = state.players[action.seat - 1]
    hand, unseen = laid(player.hand, state.unseen, str(action.card))
    players = with_player(state, action.seat, replace(player, hand=hand))
    state = replace(state, players=players, unseen=unseen, laid=(*state.laid, str(action.card)))
    return _paid_up(state) if rest(box, state) <= 0 else state


def judge_pay_coins(box: Box, state: State, action: PayCoins) -> Verdict:
    """Pay the rest to the supply."""
    wrong = out_of_turn(box, state, action, "pay")
    if wrong:
        return wrong
    coins, due = state.players[action.seat - 1].coins, rest(box, state)
    if coins < due:
        reason = f"{dollars(due)} are still to be paid, and {at(action.seat)} has {dollars(coins)}"
        return illegal("K9", reason, "First pay with cards; who can't, says so and lays the hand open.")
    return LEGAL


def play_pay_coins(box: Box, state: State, action: PayCoins, facts: Facts) -> State:
    """Then the card may be placed."""
    player = state.players[action.seat - 1]
    player = replace(player, coins=player.coins - rest(box, state))
    return _paid_up(replace(state, players=with_player(state, action.seat, player)))


def _paid_up(state: State) -> State:
    return replace(state, phase="put", paid=state.paid + state.laid, laid=())


def judge_cant_pay(box: Box, state: State, action: CantPay) -> Verdict:
    """Who claims not to be able to pay lays the hand open; who can pay must (K10).

    A claim that no hand could bear out is inconsistent (C9).
    """
    wrong = out_of_turn(box, state, action, "pay")
    if wrong:
        return wrong
    sure = _worth(box, state)[0]
    if sure >= state.price:
        reason = f"{at(action.seat)} can pay at least {dollars(sure)}, and the price is {dollars(state.price)}"
        return inconsistent("C9", reason, "Pay with coins and cards.")
    return LEGAL


def play_cant_pay(box: Box, state: State, action: CantPay, facts: Facts) -> State:
    """The cards become known, those already laid go back to them. If they are worth enough they must be used, else the
    next bid wins (K10).
    """
    pieces = _opened(box, state, action.seat, facts)
    player = replace(state.players[action.seat - 1], hand=Hand(pieces, 0))
    players = with_player(state, action.seat, player)
    state = replace(state, players=players, unseen=state.unseen - pieces, laid=())
    return _failed(box, state) if _worth(box, state)[1] < state.price else state


def _opened(box: Box, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    fact, hand = fact_at(facts, "open"), state.players[seat - 1].hand
    if not isinstance(fact, Opened):
        raise missing("C9", f"which cards the hand of {at(seat)} holds")
    pieces, count = frozenset(fact.pieces), hand.size + len(state.laid)
    if len(fact.pieces) != count or len(pieces) != count:
        reason = f"{at(seat)} holds or has laid {cards(count)}, and {len(fact.pieces)} are laid open"
        raise RuleError(inconsistent("C9", reason, "Lay out all cards of the hand, each once."))
    wrong = misfit(Hand(hand.known.union(state.laid), hand.unknown), state.unseen, pieces)
    if wrong is not None:
        reason = f"{box.name(wrong)} does not fit the hand of {at(seat)}: {whereabouts(box, state, wrong)}"
        raise RuleError(inconsistent("C2", reason, "Look at the cards again."))
    return pieces


def _failed(box: Box, state: State) -> State:
    """Who can't pay pays nothing; the highest bid of another seat wins, and if none can pay nobody does (K10)."""
    failed = (*state.failed, state.actor)
    state = replace(state, failed=failed)
    assert state.auction is not None  # noqa: S101  (somebody has bid)
    best = auction.runner_up(state.auction, failed)
    if best is not None:
        return _won(box, state, best.seat, best.amount)
    return replace(state, phase="fill", due=("paid",), actor=TABLE)


# --------------------------------------------------------------------------------------------- placing the card won


def judge_put(box: Box, state: State, action: Put) -> Verdict:
    """The winner places the card as an item, as a market share or as a skill; a face-down one may become a secret."""
    wrong = out_of_turn(box, state, action, "put")
    if wrong:
        return wrong
    remedy = "Put it back: place the card that was won."
    another = action.card != state.lot and lies_open(box, state, action.card, "Start auction; K16", remedy)
    if another:
        return another
    if state.lot != UNREAD:
        if action.role == "secret":
            reason = f"{box.name(state.lot)} was auctioned face up, and only a face-down card may become a secret"
            return illegal("K16", reason, "Place it as an item, a skill or a market share.")
        if action.card != state.lot:
            return inconsistent("C2", f"{box.name(state.lot)} was won, not {box.name(action.card)}", "Take that card.")
        return LEGAL
    if action.role == "secret":
        if action.card == NONE:
            return LEGAL
        reason = "a secret item stays face down, so nobody says which card it is"
        return illegal("K16", reason, "Place it face down.")
    if action.card not in state.unseen:
        reason = f"{box.name(action.card)} can't be the card that was auctioned face down"
        return inconsistent("C2", f"{reason}: it is known to be elsewhere", "Look again which card it is.")
    return LEGAL


def play_put(box: Box, state: State, action: Put, facts: Facts) -> State:
    """Play goes on at the starter's left, whoever won (K11)."""
    seat, card = action.seat, str(action.card)
    player = state.players[seat - 1]
    if state.lot == UNREAD and card != NONE:
        state = replace(state, unseen=state.unseen - {card})
    state = replace(state, lot=NONE)
    if action.role == "skill":
        return learned(box, state, seat, card)
    if action.role == "market":
        return next_turn(box, replace(state, market=(*state.market, card)))
    kept: Player = (
        replace(player, secrets=player.secrets + 1)
        if action.role == "secret"
        else replace(player, items=(*player.items, card))
    )
    return next_turn(box, replace(state, players=with_player(state, seat, kept)))
