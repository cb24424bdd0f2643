"""Steps that several rules share: whose turn it is, hands, drawing, bottles, and how turns and quarters follow."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectors.components import AREA, Components
from companion.games.collectors.state import (
    BOARD,
    BOX,
    NONE,
    PHASE_2,
    PHASES,
    SETUP,
    UNREAD,
    Hand,
    Player,
    State,
)
from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.hands import held
from companion.rules.kernel import TABLE, Hole, RuleError, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import all_of, any_of, cards

# ------------------------------------------------------------------------------------------------------- whose turn


def actors(state: State) -> tuple[Seat, ...]:
    """List the seats that are due."""
    phase = state.phase
    if phase in ("turn", "buy", "skill", "raise", "offer"):
        return (state.turn,)
    if phase in ("pay", "put", "gain"):
        return (state.actor,)
    if phase == "bid":
        return (state.auction.turn,) if state.auction else ()
    if phase in ("fill", "flow"):
        return (TABLE,)
    if phase == "treasure":
        return tuple(seat for seat in state.seats if not state.players[seat - 1].secrets)
    if phase == "reveal":
        return tuple(seat for seat in state.seats if state.players[seat - 1].secrets)
    return tuple(seat for seat in state.seats if out_there(state, seat)) if phase == "retrieve" else ()


class CollectorsAction(RuledAction, frozen=True, kw_only=True):
    """An action of Collectors: it may be taken in its phase, by a seat that is due."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Return why: the match is over, it is not this seat's turn, or another step is due."""
        whose = actors(state)
        if state.phase in cls.declared.phases and seat in whose:
            return None
        if state.outcome is not None:
            return illegal(state.outcome.rule, f"the match is over: {state.outcome.words}", "Start a new match.")
        if cls.upkeep and seat != TABLE:
            reason = "nobody chooses what comes up on the table"
            return inconsistent("C3", reason, f"Give it the seat {TABLE}, the table.")
        if not cls.upkeep and seat not in state.seats:
            reason = f"there is no seat {seat}: the seats are 1 to {len(state.players)}"
            return inconsistent("C3", reason, "Name one of those.")
        if "turn" in cls.declared.phases and state.phase == "turn" and not on_board(state.players[seat - 1]):
            reason = f"{at(seat)} has no bottle on the player board, and passes until one is gained"
            return illegal("K14", reason, waiting(components, state))
        if whose and TABLE not in whose and seat not in whose and not cls.upkeep:
            reason = f"now {all_of(at(seat) for seat in whose)} {_due(state)}, not {at(seat)}"
            return illegal(_section(state), reason, waiting(components, state))
        who = "" if TABLE in whose else f"{all_of(at(seat) for seat in whose)} "
        return illegal(_section(state), f"another step is due first: {who}{_due(state)}", waiting(components, state))


def _due(state: State) -> str:
    """Return what is due; in the plural where several seats are due."""
    words = PHASES[state.phase].due
    verb, _, rest = words.partition(" ")
    return f"{verb[:-1]} {rest}" if len(actors(state)) > 1 else words


def _section(state: State) -> str:
    return PHASES[state.phase].rule or (PHASE_2 if state.begun else SETUP)


def waiting(components: Components, state: State) -> str:
    """Return what is due, as a sentence to a person."""
    if state.phase == "fill":
        return f"First turn up {cards(len(state.due))} for {_slots(state)}."
    if state.phase == "flow":
        return "First move the cards of the pools: skill to market, item to skill, auction to market."
    who = all_of(at(seat) for seat in actors(state))
    if state.phase == "turn" and state.tracked:
        return f"{who} places a bottle on an empty action space."
    if state.phase == "pay":
        return f"First {who} pays ${state.price}, with coins or with cards."
    return f"First {who} {_due(state)}."


def _slots(state: State) -> str:
    found = list(dict.fromkeys(f"the {slot.partition('-')[0]} pool" if slot != "paid" else slot for slot in state.due))
    return any_of(found) if len(found) < 3 else "the pools"


# ------------------------------------------------------------------------------------------------- what a hand holds


YOURS = "a card of your hand"


def hand_hole(state: State, seat: Seat, words: str) -> tuple[Hole, ...]:
    """Return the hole for any card of a hand, if there is one."""
    able = held(state.players[seat - 1].hand, state.unseen)
    return (Hole(seat, able, words),) if able else ()


def card_words(components: Components, card: Piece | Hole) -> str:
    """Return a card's name, or the words for what may fill its hole, inside a sentence about somebody."""
    return card.words.replace("your", "the") if isinstance(card, Hole) else components.name(card)


def not_in_hand(
    components: Components, state: State, seat: Seat, card: object, rule: str, remedy: str
) -> Verdict | None:
    """Return why a card can't come out of a hand: it is neither known there nor among the unseen (C2). None if it can.

    One that lies open on the table can be laid all the same, against a `rule`; `remedy` says where it should come from.
    """
    hand = state.players[seat - 1].hand
    if card in hand.known or (hand.unknown and card in state.unseen):
        return None
    if taken_wrongly := lies_open(components, state, card, rule, remedy):
        return taken_wrongly
    reason = f"{components.name(card)} can't be in the hand of {at(seat)}: {whereabouts(components, state, card)}"
    return inconsistent("C2", reason, "Look again which card it is; if the table is right, the host corrects it.")


def lies_open(components: Components, state: State, card: object, rule: str, remedy: str) -> Verdict | None:
    """C2: a card that lies open on the table can be taken from there, but may not be. None if none such."""
    if not any(card in pieces for zone, pieces in places(components, state).items() if not zone.startswith("hand.")):
        return None
    return illegal(
        rule, f"{components.name(card)} can't be taken for this: {whereabouts(components, state, card)}", remedy
    )


_ELSEWHERE = {"paid": "it lies in the paid pile", "auctioned": "it is up for auction"}


def whereabouts(components: Components, state: State, card: object) -> str:
    """Describe where a card is, as far as everybody knows."""
    if card not in components.pieces:
        return "it is none of the cards"
    for zone, pieces in places(components, state).items():
        if card in pieces:
            area, _, seat = zone.partition(".")
            what = {"items": "the items of", "skills": "the skills of", "hand": "the hand of"}.get(area)
            if what:
                return f"it lies with {what} {at(int(seat))}"
            return _ELSEWHERE.get(area) or f"it lies in the {area} pool"
    return "all the cards there are known"


def places(components: Components, state: State) -> dict[Zone, tuple[Piece, ...]]:
    """Return all cards whose place is known, by place: pools, "market", "paid", "auctioned", "items.1", "hand.1" …"""
    found: dict[Zone, tuple[Piece, ...]] = {
        "auction": tuple(p for p in state.auction_pool if p not in (NONE, UNREAD)),
        "item": tuple(p for p in state.item_pool if p not in (NONE, UNREAD)),
        "skill": tuple(p for p in state.skill_pool if p not in (NONE, UNREAD)),
        "market": state.market,
        "paid": state.paid + state.laid,
        "auctioned": (state.lot,) if state.lot not in (NONE, UNREAD) else (),
    }
    for seat, player in enumerate(state.players, 1):
        found[f"items.{seat}"], found[f"skills.{seat}"] = player.items, player.skills
        found[f"hand.{seat}"] = tuple(sorted(player.hand.known))
    return found


# ---------------------------------------------------------------------------------------------------------- players


def with_player(state: State, seat: Seat, player: Player) -> tuple[Player, ...]:
    """Return all players with the one at a seat replaced."""
    return (*state.players[: seat - 1], player, *state.players[seat:])


def drawable(state: State) -> int:
    """Count the cards that can be drawn: the deck's, and the paid pile's, which becomes the next deck (K9)."""
    return state.deck + len(state.paid)


def draw(state: State, seat: Seat, count: int) -> State:
    """Draw up to `count` cards into a hand; the paid pile is shuffled into a new deck when one is due (K9)."""
    for _ in range(min(count, drawable(state))):
        state = renewed(state)
        player = state.players[seat - 1]
        hand = Hand(player.hand.known, player.hand.unknown + 1)
        state = replace(state, deck=state.deck - 1, players=with_player(state, seat, replace(player, hand=hand)))
    return state


def renewed(state: State) -> State:
    """Shuffle the paid pile into a new deck if a card is due and the deck is empty (K9)."""
    if state.deck or not state.paid:
        return state
    return replace(state, deck=len(state.paid), unseen=state.unseen.union(state.paid), paid=())


def removed(pool: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Take a card out of its slot; gaps close only in phase 2 (K8)."""
    return tuple(NONE if slot == card else slot for slot in pool)


def lowest(pool: tuple[str, ...]) -> str:
    """Return the lowest card of a pool: the one nearest the market arrow (K8); NONE if it is empty."""
    return next((card for card in pool if card), NONE)


def cost(components: Components, market: tuple[Piece, ...], card: Piece) -> int:
    """Return the price of an item: $1 for each card in the market pool that has its symbol (Buy item)."""
    item = components.item[card]
    return sum(components.symbol[other] == item for other in market)


# ---------------------------------------------------------------------------------------------------------- bottles


def on_board(player: Player) -> bool:
    """Return whether a player board holds a bottle."""
    return not BOARD.isdisjoint(player.bottles)


def recycled(state: State, place: str) -> bool:
    """Return whether a bottle that lies there is in the supply again: on a recycling space (K4)."""
    return place == "recycle" or (place == "quarter" and state.quarter == 4)


def in_supply(state: State, place: str) -> bool:
    """Return whether a bottle that is there belongs to the supply."""
    return place == BOX or recycled(state, place)


def out_there(state: State, seat: Seat) -> tuple[int, ...]:
    """List the bottles (by number, from 0) of a seat that lie on action spaces and come back."""
    bottles = state.players[seat - 1].bottles
    return tuple(n for n, place in enumerate(bottles) if place in AREA and not recycled(state, place))


def taken(state: State, space: str) -> bool:
    """Return whether a bottle occupies a space; one that recycles never does (K4)."""
    return not recycled(state, space) and any(space in player.bottles for player in state.players)


def moved(player: Player, number: int, place: str) -> Player:
    """Return a player with a bottle in another place."""
    return replace(player, bottles=(*player.bottles[:number], place, *player.bottles[number + 1 :]))


def missing(rule: str, what: str) -> RuleError:
    """Return the error for a fact that is missing."""
    return RuleError(inconsistent(rule, f"nobody has said {what}", "Show or name the card."))


def bottle_hole(components: Components, state: State, seat: Seat, numbers: tuple[int, ...]) -> Piece | Hole:
    """Return the hole for a bottle; without codes on them bottles are alike, and the first stands for all."""
    tokens = components.bottles[seat]
    if not state.tracked:
        return tokens[numbers[0]]
    return Hole(seat, frozenset(tokens[n] for n in numbers), "one of your bottles")


def number_of(components: Components, seat: Seat, bottle: Piece | Hole) -> int:
    """Return a bottle's number within its colour; -1 if it is none of that colour."""
    tokens = components.bottles.get(seat, ())
    return tokens.index(bottle) if isinstance(bottle, str) and bottle in tokens else -1


# -------------------------------------------------------------------------------------------------------- auctions

DEAREST = 2
"""The most that a card can be worth (K10)."""


def under_way(state: State) -> Auction:
    """Return the auction, while bids are made."""
    assert state.auction is not None  # noqa: S101  (the audit says when it is not so)
    return state.auction
