"""The phases of a quarter that nobody spends a bottle in: pools, bottles that come back, income, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from companion.games.collectors import steps
from companion.games.collectors.components import Components, dollars
from companion.games.collectors.scoring import scored
from companion.games.collectors.state import BOX, NONE, UNREAD, Player, State
from companion.games.collectors.steps import PAID, CollectorsAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Facts,
    Hole,
    Need,
    RuleError,
    Seat,
    Shown,
    Unknown,
    Verdict,
    at,
    fact_at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Zone
from companion.rules.shown import name_shown
from companion.rules.wording import any_of
from companion.text import capital, t

# ------------------------------------------------------------------------------- Phase 2: fill pools (and Setup 6)

POOLS = ("auction", "item", "skill")
"""The pools in the order in which they are refilled (K9). A slot is called "auction-pool-1" and so on."""


def pool(state: State, name: str) -> tuple[str, ...]:
    """Return a pool by its name."""
    return state.auction_pool if name == "auction" else state.item_pool if name == "item" else state.skill_pool


def with_pool(state: State, name: str, slots: tuple[str, ...]) -> State:
    """Return the state with the slots of a pool replaced."""
    if name == "auction":
        return replace(state, auction_pool=slots)
    return replace(state, item_pool=slots) if name == "item" else replace(state, skill_pool=slots)


SLOTS: Mapping[str, Callable[[str], str]] = {
    "auction": lambda number: t("place {number} of the auction pool", number=number),
    "item": lambda number: t("place {number} of the item pool", number=number),
    "skill": lambda number: t("place {number} of the skill pool", number=number),
}


def _slot(slot: Zone) -> str:
    name, pool, number = slot.partition("-pool-")
    return SLOTS[name](number) if pool else PAID


def slot_zone(name: str, index: int) -> Zone:
    """Return the slot of a pool as the mat names it: "item-pool-1" is the leftmost of the item pool."""
    return f"{name}-pool-{index + 1}"


def refill(components: Components, state: State) -> State:
    """Refill all pools except the market pool from the deck: auction, item, skill; what can't be drawn is lost."""
    empty = [slot_zone(name, n) for name in POOLS for n, card in enumerate(pool(state, name)) if card == NONE]
    due = tuple(empty[: steps.drawable(state)])
    return replace(state, phase="fill", due=due) if due else filled(components, state)


class Fill(CollectorsAction, frozen=True, tag="fill", kw_only=True):
    """A card of the deck comes up in a slot of a pool; upkeep. Needs Shown at the slot.

    With the slot "paid": the card up for auction that nobody could pay for goes there, face up (K10).
    """

    declared = Declared(t("A card comes up in a pool"), "A", "Setup; Phase 2; K8, K9", ("fill",))
    upkeep = True
    slot: Zone

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Fill]:
        return [cls(slot=slot) for slot in state.due]

    def judge(self, components: Components, state: State) -> Verdict:
        """A card of the deck comes up in each slot that is due, in any order."""
        if self.slot not in state.due:
            return illegal("K9", t("no card is due at {slot}", slot=_slot(self.slot)), steps.waiting(components, state))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """An unread card stays due; when it is read, no other is taken from the deck."""
        slot = self.slot
        fact = fact_at(facts, slot)
        if not isinstance(fact, Shown):
            raise steps.missing("C9", t("which card came up at {slot}", slot=_slot(slot)))
        piece = UNREAD if isinstance(fact.piece, Unknown) else str(fact.piece)
        if piece != UNREAD and piece not in can_come_up(state, slot):
            reason = t(
                "{piece} can't have come up at {slot}: it is known to be elsewhere",
                piece=components.name(piece),
                slot=_slot(slot),
            )
            raise RuleError.inconsistent("C2", reason, t("Look again which card it is."))
        due = state.due if piece == UNREAD else tuple(other for other in state.due if other != slot)
        if slot == "paid":
            if piece == UNREAD:
                return state
            state = replace(state, paid=(*state.paid, piece), unseen=state.unseen - {piece}, lot=NONE, due=due)
            return next_turn(components, state)
        name, _, number = slot.partition("-pool-")
        slots, index = pool(state, name), int(number) - 1
        if slots[index] != UNREAD:
            state = steps.renewed(state)
            state = replace(state, deck=state.deck - 1)
        unseen = state.unseen if piece == UNREAD else state.unseen - {piece}
        state = with_pool(state, name, (*slots[:index], piece, *slots[index + 1 :]))
        state = replace(state, unseen=unseen, due=due)
        return state if due else filled(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        piece = name_shown(components.name, facts, self.slot)
        return t("{piece} comes up in {slot}.", piece=capital(piece), slot=_slot(self.slot))

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        words = t("the card that comes up at {slot}", slot=_slot(self.slot))
        return (Need(self.slot, "shown", words, can_come_up(state, self.slot), stays=True),)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Fill]:
        return [cls(slot=zone)] if "-pool-" in zone and piece not in components.owner else ()


def can_come_up(state: State, slot: Zone) -> frozenset[Piece]:
    """Return the cards that can come up: those of the paid pile, once they are the deck, else all that are unseen."""
    if slot == "paid" and state.lot != UNREAD:
        return frozenset((state.lot,))
    if slot != "paid" and not state.deck and slot not in unread(state):
        return frozenset(state.paid)
    return state.unseen


def unread(state: State) -> tuple[Zone, ...]:
    """List the slots in which a card lies that has not been read yet."""
    return tuple(slot_zone(name, n) for name in POOLS for n, card in enumerate(pool(state, name)) if card == UNREAD)


def filled(components: Components, state: State) -> State:
    """Go on when the pools are full: with the first quarter, or with phase 3."""
    state = replace(state, due=())
    if not state.begun:
        return start_quarter(components, replace(state, begun=True))
    return retrieving(components, state)


def flowed(state: State) -> State:
    """Move the cards from one pool to another, in the order of phase 2; recycled bottles leave the board.

    1. The lowest card of the skill pool goes to the market, the rest close up.
    2. The leftmost card of the item pool goes to the lowest free position of the skill pool, until that is full or the
    item pool empty; the rest close up.
    3. The lowest card of the auction pool goes to the market, the rest close up.
    """
    skill, item, auction, market = state.skill_pool, state.item_pool, state.auction_pool, state.market
    if low := steps.lowest(skill):
        market, skill = (*market, low), steps.removed(skill, low)
    items = [card for card in item if card]
    skills = [card for card in skill if card]
    while items and len(skills) < len(skill):
        skills.append(items.pop(0))
    if low := steps.lowest(auction):
        market, auction = (*market, low), steps.removed(auction, low)
    auctions = [card for card in auction if card]
    return replace(
        state,
        players=_cleared(state),
        market=market,
        skill_pool=(*skills, *(NONE,) * (len(skill) - len(skills))),
        item_pool=(*items, *(NONE,) * (len(item) - len(items))),
        auction_pool=(*auctions, *(NONE,) * (len(auction) - len(auctions))),
    )


def _cleared(state: State) -> tuple[Player, ...]:
    return tuple(
        replace(player, bottles=tuple(BOX if steps.recycled(state, place) else place for place in player.bottles))
        for player in state.players
    )


class Flow(CollectorsAction, frozen=True, tag="flow", kw_only=True):
    """Once all have passed, cards move from one pool to another, and recycled bottles leave the board (phase 2)."""

    declared = Declared(t("Cards move from one pool to another"), "A", "Phase 2; K8", ("flow",))
    upkeep = True

    def play(self, components: Components, state: State, facts: Facts) -> State:
        after = flowed(state)
        pair = frozenset(after.market[len(state.market) :])
        return refill(components, replace(after, twins=(*state.twins, pair)) if len(pair) == 2 else after)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("Cards move from one pool to another.")


# ----------------------------------------------------------------------------------------- Phase 3: retrieve bottles


def retrieving(components: Components, state: State) -> State:
    """Begin to take the bottles back. Without codes on them, what leaves no choice is done at once."""
    state = replace(state, phase="retrieve")
    if not state.tracked:
        for seat in state.seats:
            while (out := steps.out_there(state, seat)) and len(free := free_positions(state, seat)) in (1, len(out)):
                state = _returned(state, seat, out[0], free[0])
    return state if steps.actors(state) else income(components, state)


def free_positions(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the positions that may be filled now: the leftmost, the second, then any that is free (K5)."""
    free = tuple(place for place in "12345" if place not in state.players[seat - 1].bottles)
    return free[:1] if free and free[0] in "12" else free


def _returned(state: State, seat: Seat, number: int, position: str) -> State:
    bottles = state.players[seat - 1].bottles
    player = replace(state.players[seat - 1], bottles=(*bottles[:number], position, *bottles[number + 1 :]))
    return replace(state, players=steps.with_player(state, seat, player))


class Retrieve(CollectorsAction, frozen=True, tag="retrieve", kw_only=True):
    """Take a bottle back to a position of the player board."""

    declared = Declared(t("Retrieve a bottle"), "B", "Phase 3; K5", ("retrieve",))
    bottle: Piece | Hole
    position: int

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Retrieve]:
        for seat in steps.actors(state):
            token = steps.bottle_hole(components, state, seat, steps.out_there(state, seat))
            for position in free_positions(state, seat):
                yield cls(seat=seat, bottle=token, position=int(position))

    def judge(self, components: Components, state: State) -> Verdict:
        """Two bottles go to the two leftmost positions, the rest to positions of their owner's choice."""
        out = steps.out_there(state, self.seat)
        number = steps.number_of(components, self.seat, self.bottle)
        if number not in out or (not state.tracked and number != out[0]):
            mine = components.bottles[self.seat][out[0]]
            reason = t("{bottle} is no bottle of {seat} that comes back now", bottle=self.bottle, seat=at(self.seat))
            return inconsistent("C9", reason, t("Take the bottle {mine}.", mine=mine))
        free = free_positions(state, self.seat)
        if str(self.position) not in free:
            reason = (
                t("the bottle goes to position {free} first", free=free[0])
                if len(free) == 1
                else t("{position} is not free", position=self.position)
            )
            return illegal("Phase 3; K5", reason, t("Put it on position {free}.", free=any_of(free)))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        number = steps.number_of(components, self.seat, self.bottle)
        state = _returned(state, self.seat, number, str(self.position))
        return state if steps.actors(state) else income(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} takes a bottle back to position {position}.", seat=at(self.seat), position=self.position)

    def label(self, components: Components, state: State) -> str:
        """Return where it goes, and what its owner then doesn't get (Phase 4; K5)."""
        place = str(self.position)
        if place in "12":
            return t("to place {position} of your board", position=place)
        lost = t("a card") if place == "3" else dollars(components.positions[place])
        return t("to place {position}: you do without {income}", position=place, income=lost)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Retrieve]:
        area = zone.partition(".")[0]
        if piece not in components.owner or not area.startswith("bottle-") or state.phase == "gain":
            return ()
        return [cls(seat=components.owner[piece], bottle=piece, position=int(area.removeprefix("bottle-")))]


# ----------------------------------------------------------------------------------------------- Phase 4: get income


def income_coins(components: Components, player: Player) -> int:
    """Return one coin for each tucked income card, and what positions without a bottle give (K5)."""
    return player.income + sum(coins for place, coins in components.positions.items() if place not in player.bottles)


def income(components: Components, state: State) -> State:
    """Pay all players; draw cards, clockwise from the first player, where position 3 is not covered (K9)."""
    players = tuple(replace(player, coins=player.coins + income_coins(components, player)) for player in state.players)
    state = replace(state, players=players)
    for turn in range(len(players)):
        seat = (state.first - 1 + turn) % len(players) + 1
        if "3" not in state.players[seat - 1].bottles:
            state = steps.draw(state, seat, 1)
    return remove_tile(components, state)


# ------------------------------------------------------------------------------------- Phase 5: remove a quarter tile


def remove_tile(components: Components, state: State) -> State:
    """Begin the next quarter; without a quarter tile to remove the game ends (K18)."""
    if state.quarter < 4:
        return start_quarter(components, replace(state, quarter=state.quarter + 1, first=state.next_first))
    state = replace(state, phase="reveal")
    return state if steps.actors(state) else scored(components, state)


def start_quarter(components: Components, state: State) -> State:
    """Begin phase 1 with the first player."""
    return _turn(components, state, state.first)


def next_turn(components: Components, state: State) -> State:
    """Go on clockwise with the next player who has a bottle; when nobody has, phase 1 is over (K14)."""
    return _turn(components, state, state.turn % len(state.players) + 1)


def _turn_over(state: State) -> State:
    state = replace(state, space="", came="", left=0, unable=None, lot=NONE, auction=None)
    return replace(state, actor=TABLE, price=0, laid=(), failed=())


def _turn(components: Components, state: State, seat: Seat) -> State:
    count = len(state.players)
    for turn in range(count):
        candidate = (seat - 1 + turn) % count + 1
        if steps.on_board(state.players[candidate - 1]):
            return replace(_turn_over(state), turn=candidate, phase="turn")
    state = replace(_turn_over(state), phase="flow")
    if not state.tracked:
        state = replace(state, players=_cleared(state))  # nobody could see it
    return state if flowed(state) != state else refill(components, state)
