"""Whose turn it is in Collectible and what is due: the base of its actions, and what several of them ask."""

from __future__ import annotations

from typing import Self

from companion.games.collectible.components import Components
from companion.games.collectible.places import auction_of, auction_row
from companion.games.collectible.state import PHANTOM, PHASES, State
from companion.games.collectible.talent_pile import drawable
from companion.rules import auction
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.kernel import TABLE, Hole, Seat, Verdict, at, illegal
from companion.rules.wording import all_of
from companion.text import plural, t


def actors(state: State) -> tuple[Seat, ...]:
    """Return the seats that are due; others may play characters too."""
    phase = state.phase
    if phase == "bidding" and state.block is not None:
        return auction.due(state.block.auction)
    if phase in ("deal", "fill", "show"):
        return (TABLE,)
    if phase == "over":
        return ()
    if phase == "roll":
        return (roller(state),)
    return (state.stage[0].seat,) if phase == "choose" else (state.turn,)


class CollectibleAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of Collectible: unless it says otherwise, it is for whose turn it is, in its phases."""

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        """Return whether this seat can do it now, if it has the cards for it."""
        return seat == (TABLE if cls.upkeep else state.turn) and state.phase in cls.declared.phases

    @classmethod
    def offer(cls, components: Components, state: State, found: tuple[Self, ...]) -> str:
        hole, words = getattr(found[0], "card", None), cls.declared.words
        if isinstance(hole, Hole) and hole.words not in words:
            return t("{words}: {hole}", words=words, hole=hole.words)
        return words

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        return None if cls.is_due(components, state, seat) else cls.out_of_turn(components, state, seat)

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        impossible = cls.impossible_for(seat, state.seats, state.outcome)
        if impossible is not None:
            return impossible
        due, rule = waiting(components, state), PHASES[state.phase].rule
        if cls.upkeep:
            return illegal(rule, t("nothing of the kind is due for the table now"), due)
        if state.phase in ("deal", "fill"):
            return illegal(rule, _not_complete(components, state), due)
        if state.phase == "bidding":
            return illegal(rule, t("an auction is going on"), due)
        if state.phase in ("choose", "roll"):
            return illegal(rule, t("{rolling} is not done yet", rolling=components.name(rolling(state))), due)
        if state.phase == "show":
            return illegal(rule, t("the galleries are being laid open for scoring"), due)
        if seat != state.turn:
            return illegal(rule, t("it is the turn of {turn}, not of {seat}", turn=at(state.turn), seat=at(seat)), due)
        who = at(state.turn)
        if state.step == "collect":
            return illegal(rule, t("{who} is at the first step, collecting cards", who=who), due)
        if state.step == "discarding":
            return illegal("A5", t("{who} is done moving cards and discards what is too many", who=who), due)
        if state.phase == "send":
            return illegal(
                rule, t("{who} has collected and is at the second step, sending cards to auction", who=who), due
            )
        return illegal(rule, t("{who} is at the last step, revealing or passing", who=who), due)


def collectable(state: State) -> bool:
    """Return whether the seat whose turn it is can collect anything: a card to draw, or one to bid for (A3)."""
    return drawable(state) or can_bid(state, state.turn)


def can_bid(state: State, seat: Seat) -> bool:
    """Return whether a seat can open a bid on anything: a card in another auction that is not closed, and a coin."""
    if not state.players[seat - 1].coins:
        return False
    closed = state.closed_cards
    return any(auction_row(state, owner) - closed for owner in (PHANTOM, *state.seats) if owner != seat)


def may_move(state: State) -> bool:
    """Return whether the seat whose turn it is may move cards now: Send has begun, or may begin.

    Collect is required; if neither drawing nor bidding is possible it is skipped (A3), after its window (A7): beginning
    Send is what skips it.
    """
    if state.amid:
        return False
    return not collectable(state) if state.step == "collect" else state.step in ("send", "sending")


def may_end(state: State) -> bool:
    """Return whether the seat on turn may reveal or pass now, which also ends its Send (A5)."""
    return may_move(state) or state.phase in ("send", "reveal")


def over_limits(components: Components, state: State, seat: Seat) -> str:
    """Describe what exceeds a seat's limits (A5): "7 cards in the gallery, and 5 are the limit"; "" if nothing."""
    player, over = state.players[seat - 1], []
    if player.gallery.size > components.gallery_limit:
        over.append(
            t(
                "{size} cards in the gallery, and {gallery_limit} are the limit",
                size=player.gallery.size,
                gallery_limit=components.gallery_limit,
            )
        )
    if len(player.auction) > components.auction_limit:
        over.append(
            t(
                "{auction} cards in the auction, and {auction_limit} are the limit",
                auction=len(player.auction),
                auction_limit=components.auction_limit,
            )
        )
    return all_of(over)


def within_limits(components: Components, state: State, seat: Seat) -> bool:
    """Return whether both limits hold for a seat."""
    player = state.players[seat - 1]
    return player.gallery.size <= components.gallery_limit and len(player.auction) <= components.auction_limit


def lacking(components: Components, state: State) -> tuple[Seat, ...]:
    """List the auctions that lack a card turned up from the talent pile, or have one unread (A1, A9)."""
    places = []
    if len(state.players) == 2 and len(state.phantom) < components.phantom_cards:
        places.append(PHANTOM)
    if state.step == "deal":
        places += [n for n, player in enumerate(state.players, 1) if len(player.auction) < state.agreed.auction]
    if not drawable(state):
        return tuple(place for place in places if place in state.unread)
    return tuple(places)


def rolling(state: State) -> Piece:
    """Return the character that the dice are for."""
    return state.leaving or state.stage[0].piece


def roller(state: State) -> Seat:
    """Return the seat that rolls the dice."""
    return state.turn if state.leaving else state.stage[0].seat


def waiting(components: Components, state: State) -> str:
    """Return what is due, as a sentence."""
    who, phase = at(state.turn), state.phase
    if phase in ("deal", "fill"):
        places = lacking(components, state)
        if not places:
            return t("Go on.")
        return t("Turn up a card of the talent pile into {auction_of}.", auction_of=auction_of(places[0]))
    if phase == "collect":
        return _to_collect(components, state, who)
    if phase == "send":
        return _to_send(components, state, who)
    if phase == "reveal":
        return t("{who} reveals or passes.", who=who)
    if phase == "bidding":
        return t("Wait until it is over.")
    if phase == "roll":
        return t(
            "{roller} rolls two dice and puts {rolling} under so many cards.",
            roller=at(roller(state)),
            rolling=components.name(rolling(state)),
        )
    if phase == "choose":
        head = state.stage[0]
        seat = at(head.seat)
        return {
            "swap": t("{seat} chooses whom to swap with.", seat=seat),
            "look": t("{seat} chooses whose gallery to look at.", seat=seat),
            "close": t("{seat} chooses which card to close.", seat=seat),
        }[components.effect[head.piece]]
    hidden = [at(seat) for seat, player in enumerate(state.players, 1) if not player.shown]
    return t("Lay open the gallery of {hidden}.", hidden=all_of(hidden))


def _to_collect(components: Components, state: State, who: str) -> str:
    bids = can_bid(state, state.turn)
    if drawable(state):
        more = t("{who} draws a card; or lays a card of another auction on the block to bid for it.", who=who)
        return more if bids else t("{who} draws a card.", who=who)
    if bids:
        return t("{who} lays a card of another auction on the block to bid for it.", who=who)
    if within_limits(components, state, state.turn):
        return t("{who} can collect nothing; {who} may move cards, then reveals or passes.", who=who)
    return _to_send(components, state, who)


def _to_send(components: Components, state: State, who: str) -> str:
    """Return what is due in Send; moving is a remedy where all cards fit into gallery and auction together."""
    player, over = state.players[state.turn - 1], over_limits(components, state, state.turn)
    if over:
        room = player.gallery.size + len(player.auction) <= components.gallery_limit + components.auction_limit
        moves = room and state.step != "discarding"
        return (
            t("{who} moves or discards cards: {over}.", who=who, over=over)
            if moves
            else t("{who} has to discard: {over}.", who=who, over=over)
        )
    if state.stage:
        first = state.stage[0]
        return t(
            "{who} may go on moving cards; then {piece} of {seat} takes effect.",
            who=who,
            piece=components.name(first.piece),
            seat=at(first.seat),
        )
    return t("{who} may move cards; then {who} reveals or passes.", who=who)


def _not_complete(components: Components, state: State) -> str:
    places = lacking(components, state)
    return plural(
        "{auctions} is not complete yet",
        "{auctions} are not complete yet",
        count=len(places),
        auctions=all_of(auction_of(place) for place in places),
    )
