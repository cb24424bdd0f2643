"""Steps that several rules share: whose turn it is, hands, drawing, bottles, and how turns and quarters follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from companion.games.collectors.components import AREA, Components, dollars
from companion.games.collectors.state import BOARD, NONE, PHASE_2, PHASES, SETUP, UNREAD, Hand, Player, State
from companion.rules.auction import Auction
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.hands import held
from companion.rules.kernel import TABLE, Hole, RuleError, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import all_of, any_of, cards
from companion.text import plural, sentence, t


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


class CollectorsAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of Collectors: it may be taken in its phase, by a seat that is due."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        whose = actors(state)
        if state.phase in cls.declared.phases and seat in whose:
            return None
        impossible = cls.impossible_for(seat, state.seats, state.outcome)
        if impossible is not None:
            return impossible
        if "turn" in cls.declared.phases and state.phase == "turn" and not on_board(state.players[seat - 1]):
            reason = t("{seat} has no bottle on the player board, and passes until one is gained", seat=at(seat))
            return illegal("K14", reason, waiting(components, state))
        if whose and TABLE not in whose and seat not in whose and not cls.upkeep:
            reason = t("now {due}, not {seat}", due=_due(state), seat=at(seat))
            return illegal(_section(state), reason, t("Wait for {who}.", who=all_of(at(one) for one in whose)))
        return illegal(_section(state), t("another step is due first"), waiting(components, state))


DUE: Mapping[str, Callable[[str, int], str]] = {
    "treasure": lambda who, n: plural("{who} hides a secret item", "{who} hide a secret item", count=n, who=who),
    "turn": lambda who, _: t("{who} places a bottle", who=who),
    "buy": lambda who, _: t("{who} buys an item", who=who),
    "skill": lambda who, _: t("{who} takes a skill", who=who),
    "gain": lambda who, _: t("{who} takes a new bottle", who=who),
    "raise": lambda who, _: t("{who} places cards in the market pool", who=who),
    "offer": lambda who, _: t("{who} chooses the card to be auctioned", who=who),
    "bid": lambda who, _: t("{who} bids or passes", who=who),
    "pay": lambda who, _: t("{who} pays the bid", who=who),
    "put": lambda who, _: t("{who} places the card that was won", who=who),
    "retrieve": lambda who, n: plural("{who} retrieves bottles", "{who} retrieve bottles", count=n, who=who),
    "reveal": lambda who, n: plural(
        "{who} reveals the secret items", "{who} reveal the secret items", count=n, who=who
    ),
}
"""What so many seats do in each phase, but for those of the table."""


def _due(state: State) -> str:
    if state.phase == "fill":
        return t("the pools are filled")
    if state.phase == "flow":
        return t("cards move from one pool to another")
    seats = actors(state)
    return DUE[state.phase](all_of(at(seat) for seat in seats), len(seats))


def _section(state: State) -> str:
    return PHASES[state.phase].rule or (PHASE_2 if state.begun else SETUP)


def step(state: State) -> str:
    """Return what is due, as a sentence that says what it takes, without its full stop."""
    if state.phase == "fill":
        return t("turn up {cards} for {pools}", cards=cards(len(state.due)), pools=_slots(state))
    if state.phase == "flow":
        return t("move the cards of the pools: skill to market, item to skill, auction to market")
    if state.phase == "turn" and state.tracked:
        return t("{seat} places a bottle on an empty action space", seat=at(state.turn))
    if state.phase == "pay":
        return t("{seat} pays {price}, with coins or with cards", seat=at(state.actor), price=dollars(state.price))
    return _due(state)


def waiting(components: Components, state: State) -> str:
    """Return what is due, as a sentence."""
    if state.phase == "turn" and state.tracked:
        return sentence(step(state))
    return t("First {step}.", step=step(state))


POOL = {"auction": t("the auction pool"), "item": t("the item pool"), "skill": t("the skill pool")}
PAID = t("the paid pile")


def _slots(state: State) -> str:
    found = list(dict.fromkeys(POOL.get(slot.partition("-")[0], PAID) for slot in state.due))
    return any_of(found) if len(found) < 3 else t("the pools")


YOURS = t("a card of your hand")


def hand_hole(state: State, seat: Seat, words: str) -> tuple[Hole, ...]:
    """Return the hole for any card of a hand, if there is one."""
    able = held(state.players[seat - 1].hand, state.unseen)
    return (Hole(seat, able, words),) if able else ()


def card_words(components: Components, card: Piece | Hole) -> str:
    """Return a card's name, or the words for what may fill its hole, inside a sentence about somebody."""
    if not isinstance(card, Hole):
        return components.name(card)
    return t("a card of the hand") if card.words == YOURS else card.words


def not_in_hand(
    components: Components, state: State, seat: Seat, card: object, rule: str, remedy: str
) -> Verdict | None:
    """Return why a card can't come out of a hand: neither known there nor unseen (C2); None if it can.

    One that lies open can be laid all the same, against a `rule`; `remedy` says where it should come from.
    """
    hand = state.players[seat - 1].hand
    if card in hand.known or (hand.unknown and card in state.unseen):
        return None
    if taken_wrongly := lies_open(components, state, card, rule, remedy):
        return taken_wrongly
    reason = t(
        "{card} can't be in the hand of {seat}: {whereabouts}",
        card=components.name(card),
        seat=at(seat),
        whereabouts=whereabouts(components, state, card),
    )
    return inconsistent("C2", reason, t("Look again which card it is; if the table is right, the host corrects it."))


def lies_open(components: Components, state: State, card: object, rule: str, remedy: str) -> Verdict | None:
    """Return why a card that lies open, and can be taken from there, may not be (C2); None if it lies nowhere open."""
    if not any(card in pieces for zone, pieces in places(components, state).items() if not zone.startswith("hand.")):
        return None
    return illegal(
        rule,
        t(
            "{card} can't be taken for this: {whereabouts}",
            card=components.name(card),
            whereabouts=whereabouts(components, state, card),
        ),
        remedy,
    )


_LIES: Mapping[str, Callable[[str], str]] = {
    "items": lambda who: t("it lies with the items of {who}", who=who),
    "skills": lambda who: t("it lies with the skills of {who}", who=who),
    "hand": lambda who: t("it lies with the hand of {who}", who=who),
    "auction": lambda _: t("it lies in the auction pool"),
    "item": lambda _: t("it lies in the item pool"),
    "skill": lambda _: t("it lies in the skill pool"),
    "market": lambda _: t("it lies in the market pool"),
    "paid": lambda _: t("it lies in the paid pile"),
    "auctioned": lambda _: t("it is up for auction"),
}


def whereabouts(components: Components, state: State, card: object) -> str:
    """Describe where a card is, as far as everybody knows."""
    if card not in components.pieces:
        return t("it is none of the cards")
    for zone, pieces in places(components, state).items():
        if card in pieces:
            area, _, seat = zone.partition(".")
            return _LIES[area](at(int(seat)) if seat else "")
    return t("all the cards there are known")


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


def on_board(player: Player) -> bool:
    """Return whether a player board holds a bottle."""
    return not BOARD.isdisjoint(player.bottles)


def recycled(state: State, place: str) -> bool:
    """Return whether a bottle that lies there is in the supply again: on a recycling space (K4)."""
    return place == "recycle" or (place == "quarter" and state.quarter == 4)


def out_there(state: State, seat: Seat) -> tuple[int, ...]:
    """List the bottles (by number, from 0) of a seat that lie on action spaces and come back."""
    bottles = state.players[seat - 1].bottles
    return tuple(n for n, place in enumerate(bottles) if place in AREA and not recycled(state, place))


def taken(state: State, space: str) -> bool:
    """Return whether a bottle occupies a space; one that recycles never does (K4)."""
    if recycled(state, space):
        return False
    for player in state.players:  # a loop: every space is asked for at every move  # noqa: SIM110
        if space in player.bottles:
            return True
    return False


def moved(player: Player, number: int, place: str) -> Player:
    """Return a player with a bottle in another place."""
    return replace(player, bottles=(*player.bottles[:number], place, *player.bottles[number + 1 :]))


def missing(rule: str, what: str) -> RuleError:
    """Return the error for a fact that is missing."""
    return RuleError.inconsistent(rule, t("nobody has said {what}", what=what), t("Show or name the card."))


def bottle_hole(components: Components, state: State, seat: Seat, numbers: tuple[int, ...]) -> Piece | Hole:
    """Return the hole for a bottle; without codes on them bottles are alike, and the first stands for all."""
    tokens = components.bottles[seat]
    if not state.tracked:
        return tokens[numbers[0]]
    return Hole(seat, frozenset(tokens[n] for n in numbers), t("one of your bottles"))


def number_of(components: Components, seat: Seat, bottle: Piece | Hole) -> int:
    """Return a bottle's number within its colour; -1 if it is none of that colour."""
    tokens = components.bottles.get(seat, ())
    return tokens.index(bottle) if isinstance(bottle, str) and bottle in tokens else -1


def under_way(state: State) -> Auction:
    """Return the auction, while bids are made."""
    assert state.auction is not None  # noqa: S101  (the audit says when it is not so)
    return state.auction
