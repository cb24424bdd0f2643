"""Legal moves at a glance: the templates of every legal action, and what people may have meant by laying a card.

`legal` asks the same sets as the judges of the rulebook, without the words; a test holds the two together. What the
seats that are due may do comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.collectible import auctions, characters, rulebook
from companion.games.collectible.box import Box
from companion.games.collectible.steps import can_come_up, drawable, lacking, may_move, roller, within_limits
from companion.games.collectible.values import (
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
from companion.rules.hands import held
from companion.rules.kernel import TABLE, Facts, Hole, Need, Seat, Verdict, at
from companion.rules.layout import Zone, owner_of

Judge = Callable[[Box, State, Any], Verdict]
Play = Callable[[Box, State, Any, Facts], State]

RULES: dict[type[AnyAction], tuple[Judge, Play]] = {
    TurnUp: (rulebook.judge_turn_up, rulebook.play_turn_up),
    Draw: (rulebook.judge_draw, rulebook.play_draw),
    Open: (auctions.judge_open, auctions.play_open),
    Bid: (auctions.judge_bid, auctions.play_bid),
    NoBid: (auctions.judge_no_bid, auctions.play_no_bid),
    Sell: (rulebook.judge_sell, rulebook.play_sell),
    Send: (rulebook.judge_send, rulebook.play_send),
    TakeBack: (rulebook.judge_take_back, rulebook.play_take_back),
    Done: (rulebook.judge_done, rulebook.play_done),
    Discard: (rulebook.judge_discard, rulebook.play_discard),
    PlayCharacter: (characters.judge_character, characters.play_character),
    Swap: (characters.judge_swap, characters.play_swap),
    Look: (characters.judge_look, characters.play_look),
    Close: (characters.judge_close, characters.play_close),
    Roll: (characters.judge_roll, characters.play_roll),
    Reveal: (rulebook.judge_reveal, rulebook.play_reveal),
    Pass: (rulebook.judge_pass, rulebook.play_pass),
    Show: (rulebook.judge_show, rulebook.play_show),
}
"""For every action type: what judges it, and what plays it."""

TYPES: dict[str, type[AnyAction]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
"""Every action type by its tag."""

GALLERY_CARD = "a card of the gallery"


def actors(state: State) -> tuple[Seat, ...]:
    """List who is due."""
    phase = state.phase
    if phase == "bidding" and state.block is not None:
        return shared.due(state.block.auction)
    if phase in ("deal", "fill", "show"):
        return (TABLE,)
    if phase == "over":
        return ()
    if phase == "roll":
        return (roller(state),)
    return (state.stage[0].seat,) if phase == "choose" else (state.turn,)


def legal(box: Box, state: State) -> list[AnyAction]:
    """List the templates of every legal action; one is built only where something can fill it."""
    phase = state.phase
    if phase == "bidding":
        return _bidding(state)
    if phase == "roll":
        return [Roll(seat=roller(state))]
    if phase in ("deal", "fill"):
        return [TurnUp(player=seat) for seat in lacking(box, state)]
    if phase == "show":
        return [Show(player=seat) for seat, player in enumerate(state.players, 1) if not player.shown]
    if phase == "over":
        return []
    actions = _collecting(state) if phase == "collect" else _choosing(box, state) if phase == "choose" else []
    if phase == "send" or may_move(state):
        actions += _sending(box, state)
    if rulebook.may_end(state):
        actions += _ending(box, state)
    return actions + _characters(box, state)


def _collecting(state: State) -> list[AnyAction]:
    seat = state.turn
    player = state.players[seat - 1]
    actions = list[AnyAction]()
    if drawable(state):
        actions.append(Draw(seat=seat))
    if player.coins:
        closed = frozenset(one.piece for one in state.closed)
        actions += [Open(seat=seat, card=card) for card in sorted(state.phantom - closed)]
        for owner, other in enumerate(state.players, 1):
            if owner != seat:
                actions += [Open(seat=seat, card=card) for card in sorted(other.auction - closed)]
    if state.phantom_coins and len(state.players) == 2:
        if player.gallery.size:
            actions.append(Sell(seat=seat, card=Hole(seat, held(player.gallery, state.unseen), GALLERY_CARD)))
        actions += [Sell(seat=seat, card=card) for card in sorted(player.auction)]
    return actions


def _bidding(state: State) -> list[AnyAction]:
    auction, actions = auctions.on_block(state).auction, list[AnyAction]()
    for seat in shared.due(auction):
        if shared.may_pass(auction, seat):
            actions.append(NoBid(seat=seat))
        actions += [Bid(seat=seat, amount=amount) for amount in shared.amounts(auctions.TERMS, auction, seat)]
    return actions


def _sending(box: Box, state: State) -> list[AnyAction]:
    seat, actions, moving = state.turn, list[AnyAction](), may_move(state)
    player = state.players[seat - 1]
    size = player.gallery.size
    if size:
        hole = Hole(seat, held(player.gallery, state.unseen), GALLERY_CARD)
        if moving:
            actions.append(Send(seat=seat, card=hole))
        if size > box.gallery_limit:
            actions.append(Discard(seat=seat, card=hole))
    if moving:
        actions += [TakeBack(seat=seat, card=card) for card in sorted(player.auction)]
        actions.append(Done(seat=seat))
    if len(player.auction) > box.auction_limit:
        actions += [Discard(seat=seat, card=card) for card in sorted(player.auction)]
    return actions


def _ending(box: Box, state: State) -> list[AnyAction]:
    seat = state.turn
    within = state.step == "reveal" or within_limits(box, state, seat)
    actions: list[AnyAction] = [Pass(seat=seat)] if within else []
    gallery = state.players[seat - 1].gallery
    if state.stage:
        return actions
    if gallery.size >= box.collection and box.common(gallery.known, gallery.unknown, state.unseen):
        actions.append(Reveal(seat=seat))
    return actions


def _choosing(box: Box, state: State) -> list[AnyAction]:
    head = state.stage[0]
    effect, targets = box.effect[head.piece], characters.choices(box, state)
    if effect == "swap":
        return [Swap(seat=head.seat, partner=target) for target in targets if isinstance(target, int)]
    if effect == "look":
        return [Look(seat=head.seat, partner=target) for target in targets if isinstance(target, int)]
    return [Close(seat=head.seat, card=target) for target in targets if isinstance(target, str)]


def _characters(box: Box, state: State) -> list[AnyAction]:
    actions, unseen = list[AnyAction](), state.unseen & box.characters
    choosing = state.stage[0].seat if state.phase == "choose" else 0
    holders = sum(1 for player in state.players if player.gallery.unknown or player.gallery.known)
    useless = frozenset[Piece]() if characters.closable(state) else box.doing["close"]
    for seat, player in enumerate(state.players, 1):
        gallery = player.gallery
        if seat == choosing or not characters.may_lay(box, state, seat) or not (gallery.unknown or gallery.known):
            continue
        pieces = gallery.known & box.characters if gallery.known else frozenset[Piece]()
        if gallery.unknown:
            pieces |= unseen
        pieces -= useless
        if holders == 1:
            pieces -= box.doing["swap"] | box.doing["look"]
        elif gallery.size == 1:
            pieces -= box.doing["swap"]
        if pieces:
            actions.append(PlayCharacter(seat=seat, card=Hole(seat, pieces, "a character")))
    return actions


def needs(box: Box, state: State, action: AnyAction) -> tuple[Need, ...]:
    """List the facts that an action waits for."""
    if isinstance(action, TurnUp):
        pieces = state.unseen if action.player in state.unread else can_come_up(state)
        words = "the card turned up from the talent pile"
        return (Need(rulebook.place_of(action.player), "shown", words, pieces, stays=True),)
    if isinstance(action, Roll):
        return (Need("dice", "rolled", f"{box.dice} dice", count=box.dice, sides=box.sides),)
    if isinstance(action, Reveal | Show):
        seat = action.seat if isinstance(action, Reveal) else action.player
        words = f"all cards in the gallery of {at(seat)}, laid open"
        size = state.players[seat - 1].gallery.size
        return (Need(f"reveal.{seat}", "opened", words, held(state.players[seat - 1].gallery, state.unseen), size),)
    return ()


def attempts(box: Box, state: State, piece: Piece, zone: Zone) -> Iterator[AnyAction]:
    """Yield what somebody may have meant by laying this piece in this zone, the likeliest first."""
    area, place = zone.partition(".")[0], owner_of(zone)
    if area == "block":
        yield Open(seat=state.turn, card=piece)
    elif area == "stage":
        yield PlayCharacter(seat=place, card=piece)
    elif area == "discard":
        yield Discard(seat=state.turn, card=piece)
    elif area == "traded":
        yield Sell(seat=state.turn, card=piece)
    elif area == "auction":
        yield Send(seat=place, card=piece)
    elif area == "phantom":
        yield TurnUp(player=PHANTOM)
    elif area == "reveal" and state.phase == "show":
        yield Show(player=place)
    elif area == "reveal":
        yield Reveal(seat=place)
