"""Phase 1 of Collectors, "Spend bottles": on which space a bottle may be placed, and what it does at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.games.collectors import steps
from companion.games.collectors.actions import by_hand, may_hold_payable, raisable, visible
from companion.games.collectors.components import (
    AREA,
    AUCTION,
    BUY,
    NO_SUCH_SPACE,
    RAISE,
    SKILL,
    SPACES,
    Components,
    dollars,
)
from companion.games.collectors.quarter import next_turn
from companion.games.collectors.state import BOARD, NONE, PHASE_1, UNREAD, Player, Space, State
from companion.games.collectors.steps import CollectorsAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.hands import face_down
from companion.rules.kernel import LEGAL, Facts, Hole, Prospect, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone
from companion.rules.wording import all_of, cards
from companion.text import capital, join, plural, t, word

# --------------------------------------------------------------------------------------- Phase 1: the spaces


class Place(CollectorsAction, frozen=True, tag="place", kw_only=True):
    """Place a bottle on an action space. Seal and skills act at once, and what needs no choice."""

    declared = Declared(t("Place a bottle"), "B", "Phase 1; Work; K3, K4, K7, K14, K17", ("turn",))
    space: Space
    bottle: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Place]:
        numbers = tuple(n for n, place in enumerate(state.players[state.turn - 1].bottles) if place in BOARD)
        token = steps.bottle_hole(components, state, state.turn, numbers)
        return [cls(seat=state.turn, space=space, bottle=token) for space in spaces(components, state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """The space must be empty, its cost be paid, and its action be possible in full (K17)."""
        seat = self.seat
        number = steps.number_of(components, seat, self.bottle)
        mine = [n for n, place in enumerate(state.players[seat - 1].bottles) if place in BOARD]
        if number not in mine or (not state.tracked and number != mine[0]):
            reason = t("{bottle} is no bottle on the player board of {seat}", bottle=self.bottle, seat=at(seat))
            return inconsistent("C9", reason, t("Place the bottle {bottle}.", bottle=components.bottles[seat][mine[0]]))
        return judge_space(components, state, self.space)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Pay or gain the seal, then skill income, then the action itself (K7)."""
        seat, space, area = self.seat, self.space, AREA[self.space]
        number = steps.number_of(components, seat, self.bottle)
        player = state.players[seat - 1]
        came = player.bottles[number]
        seal = components.seal(space, state.quarter)
        player = replace(steps.moved(player, number, space), coins=player.coins + seal.coins)
        state = replace(state, players=steps.with_player(state, seat, player), space=space, came=came)
        if area == "work":
            return next_turn(components, _work(components, state, seat, space))
        if area == AUCTION:
            # All players with the skill gain, whoever starts the auction (Special skills; K7).
            players = tuple(
                replace(player, coins=player.coins + more)
                if (more := _skills(components, player, "auction-income") * components.auction_income)
                else player
                for player in state.players
            )
            return replace(state, players=players, phase="offer")
        if area == RAISE:
            return replace(state, phase="raise", left=seal.cards)
        return replace(state, phase="buy" if area == BUY else "skill")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        space = components.space(self.space, state.quarter)
        gains = self._skill_income(components, state)
        if gains:
            return t("{seat} places a bottle: {space}; {gains}.", seat=at(self.seat), space=space, gains=gains)
        return t("{seat} places a bottle: {space}.", seat=at(self.seat), space=space)

    def _skill_income(self, components: Components, state: State) -> str:
        """Return in words what the work and auction skills bring when this bottle is placed."""
        if (
            isinstance(self.bottle, Hole)
            or self.not_now(components, state, self.seat)
            or not self.judge(components, state).ok
        ):
            return ""
        seal = components.seal(self.space, state.quarter).coins
        after = self.play(components, state, ())
        gains = []
        for seat, (was, now) in enumerate(zip(state.players, after.players, strict=True), 1):
            more = now.coins - was.coins - (seal if seat == self.seat else 0)
            if after.quarter == state.quarter and after.phase in ("offer", "turn") and more > 0:
                gains.append(t("{seat} gains {more} by skills", seat=at(seat), more=dollars(more)))
        return all_of(gains)

    def label(self, components: Components, state: State) -> str:
        return capital(components.space(self.space, state.quarter, label=True))

    def prospect(self, components: Components, state: State) -> Prospect:
        """Return what lies in the pool of its area, the cheapest items first, and what the seal costs or gives."""
        area, seal = AREA[self.space], components.seal(self.space, state.quarter)
        price = dollars(-seal.coins) if seal.coins < 0 else f"+{dollars(seal.coins)}" if seal.coins else dollars(0)
        if area == RAISE:
            return Prospect(
                plural("{count} card to the market", "{count} cards to the market", count=seal.cards), price
            )
        if area == BUY:
            costs = {
                components.item[card]: steps.cost(components, state.market, card)
                for card in state.item_pool
                if card not in (NONE, UNREAD)
            }
            cheapest = sorted(costs.items(), key=lambda one: one[1])
            items = (
                t("{item} +{cost}", item=word(item), cost=dollars(cost)) if cost else word(item)
                for item, cost in cheapest
            )
            return Prospect(join(", ", items), price)
        if self.space == "quarter" and state.quarter < len(components.quarters):
            tucked = components.tucked
            return Prospect(
                plural("{count} card of your hand for income", "{count} cards of your hand for income", count=tucked),
                price,
            )
        if area == AUCTION:
            return Prospect(join(", ", (word(item) for item in _kinds(components, state.auction_pool))), price)
        return Prospect("", price)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Place]:
        area = zone.partition(".")[0]
        return (
            [cls(seat=components.owner[piece], space=area, bottle=piece)]
            if piece in components.owner and area in AREA
            else ()
        )


ELSEWHERE = t("Take the bottle back and choose another space.")


def _kinds(components: Components, pool: Iterable[Piece]) -> list[str]:
    """Return what the cards of a pool are as items, each kind once."""
    return list(dict.fromkeys(components.item[card] for card in pool if card not in (NONE, UNREAD)))


def judge_space(components: Components, state: State, space: Space) -> Verdict:
    """Return whether the seat whose turn it is may place a bottle on a space."""
    if space not in AREA:
        return NO_SUCH_SPACE
    if steps.taken(state, space):
        words = components.space(space, state.quarter)
        return illegal(PHASE_1, t("{space} is occupied, and an action space must be empty", space=words), ELSEWHERE)
    if not state.tracked and (first := _alike(components, state, space)) != space:
        reason = t(
            "{space} is like {first}, which is free",
            space=components.space(space, state.quarter),
            first=components.space(first, state.quarter),
        )
        return illegal(
            "K3", reason, t("Where bottles carry no codes the first free one of spaces that are alike counts.")
        )
    seal, coins = components.seal(space, state.quarter), state.players[state.turn - 1].coins
    if coins + seal.coins < 0:
        words = components.space(space, state.quarter)
        reason = t(
            "{space} costs {price}, and {seat} has {coins}",
            space=words,
            price=dollars(-seal.coins),
            seat=at(state.turn),
            coins=dollars(coins),
        )
        return illegal("Phase 1; K3", reason, ELSEWHERE)
    lacks = _lacks(components, state, space, coins + seal.coins)
    if not lacks:
        return LEGAL
    words = components.space(space, state.quarter)
    return illegal("K17", t("{space} can't be used: {lacks}", space=words, lacks=lacks), ELSEWHERE)


def _alike(components: Components, state: State, space: Space) -> Space:
    """Return the first free space that is alike: of the same area, with the same seal."""
    if AREA[space] == "work":
        return space
    seal = components.seal(space, state.quarter)
    like = (other for other in SPACES if AREA[other] == AREA[space] and components.seal(other, state.quarter) == seal)
    return next(other for other in like if not steps.taken(state, other))


def _lacks(components: Components, state: State, space: Space, coins: int) -> str:
    """Describe what a space's action lacks after its income (K17), "" if nothing; unknown cards count as able."""
    area, player = AREA[space], state.players[state.turn - 1]
    size = player.hand.size
    if area == BUY:
        if may_hold_payable(state, coins) and not state.market and size:
            return ""  # everything is free as long as the market is empty
        if visible(components, state, coins) or by_hand(components, state, coins):
            return ""
        return t("there is no item that {coins} can pay", coins=dollars(coins))
    if area == SKILL:
        return "" if size or any(state.skill_pool) else t("there is no card in the skill pool or the hand")
    if area == RAISE:
        return "" if raisable(state) else t("there is no card to place in the market pool")
    if area == AUCTION:
        return auction_lacks(state, coins + _skills(components, player, "auction-income") * components.auction_income)
    drawn = min(_skills(components, player, "work-card"), steps.drawable(state))
    left = steps.drawable(state) - drawn
    if space == "quarter" and state.quarter < 4:
        short = size + drawn < components.tucked
        return (
            t("it takes {cards} of the hand, and there are {size}", cards=cards(components.tucked), size=size + drawn)
            if short
            else ""
        )
    wanted = 2 if space == "draw" else 1 if space in ("first", "income") else 0
    return t("{cards} must be drawn, and only {left} can be", cards=cards(wanted), left=left) if left < wanted else ""


def auction_lacks(state: State, coins: int) -> str:
    """Describe what an auction lacks that the seat on turn starts with so many coins (K17); "" if nothing."""
    size = state.players[state.turn - 1].hand.size
    if any(state.auction_pool):
        return "" if coins or size else t("there is nothing left to open the auction with")
    return "" if size and (coins or size > 1) else t("there is no card to auction, or nothing left to open with")


def _skills(components: Components, player: Player, skill: str) -> int:
    return sum(components.skill[card] == skill for card in player.skills)


def spaces(components: Components, state: State) -> Iterator[Space]:
    """Yield the spaces on which the seat whose turn it is may place a bottle."""
    occupied = {place for player in state.players for place in player.bottles}
    for space in SPACES:
        if (space not in occupied or steps.recycled(state, space)) and judge_space(components, state, space).ok:
            yield space


def _work(components: Components, state: State, seat: Seat, space: Space) -> State:
    player = state.players[seat - 1]
    coins = player.coins + _skills(components, player, "work-income") * components.work_income
    state = replace(state, players=steps.with_player(state, seat, replace(player, coins=coins)))
    state = steps.draw(state, seat, _skills(components, player, "work-card"))
    if steps.recycled(state, space):
        return state  # The bottle is in the supply again; it lies on the space until the board is cleared.
    if space == "quarter":
        return _tuck(state, seat, components.tucked)
    state = steps.draw(state, seat, 2 if space == "draw" else 1)
    if space == "first":
        return replace(state, next_first=seat)
    return _tuck(state, seat, 1) if space == "income" else state


def _tuck(state: State, seat: Seat, count: int) -> State:
    player = state.players[seat - 1]
    hand, unseen = face_down(player.hand, state.unseen, count)
    player = replace(player, hand=hand, income=player.income + count)
    return replace(state, players=steps.with_player(state, seat, player), unseen=unseen)
