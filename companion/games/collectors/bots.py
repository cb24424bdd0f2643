"""The world and the robots of Collectors: hands, deck order, what lies face down, and how a collector chooses."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from companion.games.collectors import Collectors
from companion.games.collectors.actions import Buy, Gain, GetSkill, RaiseValue, TakeBack, lowest_of
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.components import AREA, SPACES, SYMBOLS, Components
from companion.games.collectors.paying import FACE_UP, CantPay, PayCard, Put
from companion.games.collectors.quarter import Fill, Retrieve
from companion.games.collectors.scoring import Reveal
from companion.games.collectors.setup import Hide
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import BOARD, NONE, UNREAD, Setup, State
from companion.games.collectors.steps import cost
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts, Game, Opened, Options, Seat, Shown, fill, holes
from companion.sim.world import Bots, World, WorldError


class CollectorsWorld(World[State]):
    """Deck order, hands, and the cards that lie face down: treasures and secrets, income, a card up for auction."""

    HIDDEN = ("hands", "deck", "income", "secrets", "lot")
    CHOSEN = ("income", "treasure", "auctioned")

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        self.components = _components(game)
        self.secrets: dict[Seat, list[Piece]] = {seat: [] for seat in self.hands}
        self.income: dict[Seat, list[Piece]] = {seat: [] for seat in self.hands}
        self.lot: Piece | None = None

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def deal(self, state: State) -> None:
        self.deal_hands(state.unseen, {seat: player.hand.size for seat, player in enumerate(state.players, start=1)})
        self._check(state)

    def known(self, state: State, seat: Seat) -> Iterable[Piece]:
        """Add what the seat tucked or hid, and the face-down lot if it offered or won it (K16)."""
        sees = seat == state.turn or (state.phase == "put" and seat == state.actor)
        lot = (self.lot,) if self.lot and sees else ()
        return (*self.hands[seat], *self.income[seat], *self.secrets[seat], *lot)

    def ground_actions(self, state: State, template: Action) -> Iterable[Action]:
        """A bottle is any that may be; a face-down card is what it is; nobody makes a false claim."""
        if isinstance(template, Place | Gain | Retrieve):
            bottles = [template.bottle] if isinstance(template.bottle, str) else sorted(template.bottle.pieces)
            return [fill(template, bottle=self.rng.choice(bottles))]
        if isinstance(template, Put) and holes(template):
            return [fill(template, card=self.lot)] if self.lot else []
        if isinstance(template, Reveal):
            return [Reveal(seat=template.seat, card=card) for card in self.secrets[template.seat]]
        if isinstance(template, TakeBack):
            coins = state.players[template.seat - 1].coins
            able = any(cost(self.components, state.market, card) <= coins for card in self.hands[template.seat])
            return [] if able else [template]
        return super().ground_actions(state, template)

    def choices(self, state: State) -> list[Action]:
        """List what can really be done; who has laid cards can't claim to be unable with enough in hand."""
        found = super().choices(state)
        claims = [action for action in found if isinstance(action, CantPay)]
        worth = sum(self.components.cash[card] for card in (*self.hands[state.actor], *state.laid)) if claims else 0
        able = claims and state.players[state.actor - 1].coins + worth >= state.price
        return [action for action in found if action not in claims] if able else found

    def facts(self, state: State, action: Action) -> Facts:
        if isinstance(action, Fill):
            if action.slot == "paid":
                return (Shown(place="paid", piece=self.lot or state.lot),)
            self.renew(state)
            return (Shown(place=action.slot, piece=self.deck[-1]),)
        if isinstance(action, CantPay):
            pieces = sorted([*self.hands[action.seat], *state.laid])
            return (Opened(place="open", pieces=tuple(pieces)),)
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        hand = self.hands.get(action.seat, [])
        if isinstance(action, Hide):
            self._hide(hand, self.secrets[action.seat], 1)
        elif isinstance(action, Fill):
            if action.slot == "paid":
                self.lot = None
            else:
                self.deck.pop()
        elif isinstance(action, Place) and AREA[action.space] == "work":
            self._work(action.seat, before, after)
        elif isinstance(action, Buy | GetSkill | RaiseValue | PayCard):
            if action.card in hand:
                hand.remove(str(action.card))
        elif isinstance(action, Offer):
            if action.card == NONE:
                self.lot = hand.pop(self.rng.randrange(len(hand)))
            elif action.card in hand:
                hand.remove(str(action.card))
        elif isinstance(action, Put):
            if action.role == "secret" and self.lot:
                self.secrets[action.seat].append(self.lot)
            self.lot = None
        elif isinstance(action, CantPay):
            hand += before.laid
        elif isinstance(action, Reveal):
            self.secrets[action.seat].remove(str(action.card))
        # Income is drawn clockwise from the first player (K9).
        count = len(after.players)
        clockwise = [(before.first - 1 + turn) % count + 1 for turn in range(count)]
        self.draw_up_to({seat: after.players[seat - 1].hand.size for seat in clockwise}, before)
        self._check(after)

    def _hide(self, hand: list[Piece], heap: list[Piece], count: int) -> None:
        for _ in range(count):
            heap.append(hand.pop(self.rng.randrange(len(hand))))

    def _work(self, seat: Seat, before: State, after: State) -> None:
        player = after.players[seat - 1]
        tucked = player.income - len(self.income[seat])
        self.draw_up_to({seat: player.hand.size + tucked}, before)
        self._hide(self.hands[seat], self.income[seat], tucked)

    def rest(self, state: State) -> list[Piece]:
        return list(state.paid)

    def _check(self, state: State) -> None:
        right = state.deck == len(self.deck) and (state.lot == UNREAD) == (self.lot is not None)
        for seat, player in enumerate(state.players, start=1):
            hidden = (len(self.hands[seat]), len(self.income[seat]), len(self.secrets[seat]))
            right = right and hidden == (player.hand.size, player.income, player.secrets)
            right = right and player.hand.known.issubset(self.hands[seat])
        if not right:
            counted = [(player.hand.size, player.income, player.secrets) for player in state.players]
            held = [(len(self.hands[n]), len(self.income[n]), len(self.secrets[n])) for n in self.hands]
            raise WorldError(f"the rules count {counted}, deck of {state.deck}; there are {held}")

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        found = {"deck": tuple(self.deck)}
        for seat in self.hands:
            found[f"income.{seat}"], found[f"treasure.{seat}"] = tuple(self.income[seat]), tuple(self.secrets[seat])
        if self.lot:
            found["auctioned"] = (self.lot,)
        return found


def _components(game: Game[State]) -> Components:
    return game.components if isinstance(game, Collectors) else Components(game.deck)


COIN = 0.4
"""What a coin is worth in points: a third at the end, and more while it can still buy."""
SHARP = 1.5
"""How strictly what is worth more points is preferred: weights are e to the power of points times this."""
NEVER = -8.0
"""Points of what is only done if there is nothing else."""
ALIKE = {area: [one for one in SPACES if AREA[one] == area and area != "work"] for area in AREA.values()}
"""The spaces of an area where the same thing can be had; at work each is another thing."""


def weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Prefer what brings the most points at the end, as far as a seat can guess."""
    return math.exp(SHARP * min(8.0, _gain(_components(game), state, world, action)))


def _gain(components: Components, state: State, world: World[State], action: Action) -> float:
    """Return about how many points an action brings its seat."""
    seat = action.seat
    if isinstance(action, Place):
        return _place(components, state, world, action)
    if isinstance(action, Buy):
        return _bought(components, state, seat, str(action.card))
    if isinstance(action, GetSkill):
        return skill_worth(components, state, seat, str(action.card)) - _hand_card(state, str(action.card))
    if isinstance(action, RaiseValue):
        return _raised(components, state, seat, str(action.card))
    if isinstance(action, MakeBid | PassBid):
        return _bid(components, state, world, action)
    if isinstance(action, Offer):
        if action.card == NONE or action.card not in state.auction_pool:
            return NEVER / 4
        return _lot(components, state, seat, str(action.card)) / 2
    if isinstance(action, Put):
        return _put(components, state, seat, action.role, str(action.card))
    if isinstance(action, PayCard):
        # What lies in the hand at the end is worth nothing; a card of $2 for $1 is a waste.
        due = state.price - sum(components.cash[card] for card in state.laid)
        return (0.5 if state.quarter > 2 else -0.2) - (components.cash[str(action.card)] > due)
    if isinstance(action, Retrieve):
        return -float(components.positions.get(str(action.position), 1))
    return 0.0


def _place(components: Components, state: State, world: World[State], action: Place) -> float:
    area, seal, seat = AREA[action.space], components.seal(action.space, state.quarter), action.seat
    taken = {place for player in state.players for place in player.bottles}
    alike = (components.seal(one, state.quarter) for one in ALIKE[area] if one not in taken)
    dearer = any(one.coins > seal.coins and one.cards >= seal.cards for one in alike)
    if dearer:
        return NEVER
    coins = state.players[seat - 1].coins + seal.coins
    hand = world.hands[seat]
    if area == "buy":
        pool = [card for card in (*state.item_pool, *hand) if card in components.item]
        able = [
            _bought(components, state, seat, card) for card in pool if cost(components, state.market, card) <= coins
        ]
        found = max(able, default=NEVER)
    elif area == "skill":
        pool = [card for card in (*state.skill_pool, *hand) if card in components.skill]
        found = max(skill_worth(components, state, seat, card) - _hand_card(state, card) for card in pool)
    elif area == "auction":
        found = max((_lot(components, state, seat, c) for c in state.auction_pool if c in components.item), default=0.0)
        found = found / 2 - 0.3
    elif area == "raise":
        pool = [*hand, *lowest_of(state)]
        found = sum(sorted((_raised(components, state, seat, card) for card in pool), reverse=True)[: seal.cards])
    else:
        found = _work(components, state, seat, action.space)
    return found + COIN * seal.coins


def _work(components: Components, state: State, seat: Seat, space: str) -> float:
    player, left = state.players[seat - 1], 4 - state.quarter
    skills = [components.skill[card] for card in player.skills]
    more = skills.count("work-income") * components.work_income * COIN + skills.count("work-card") * CARD
    if space == "recycle" or (space == "quarter" and not left):
        return more - 2.0 * left
    if space == "quarter":
        return more + components.tucked * (COIN * left - CARD)
    return more + {"draw": 2 * CARD, "first": CARD + 0.2 * (left > 0), "income": COIN * left}[space]


CARD = 0.6
"""What a card of the hand is worth in points: it may pay, be bought, learned, or raise a value."""


def _hand_card(state: State, card: Piece) -> float:
    """Return what is lost with a card that is not in a pool."""
    return 0.0 if card in (*state.item_pool, *state.skill_pool, *state.auction_pool) else CARD / 2


def final(components: Components, state: State, symbol: str) -> float:
    """Return about how many cards of a symbol will be in the market at the end: about two more come a quarter."""
    coming = [components.symbol[card] for card in lowest_of(state)]
    return sum(components.symbol[card] == symbol for card in state.market) + (
        0.5 * coming.count(symbol) + 0.5 * (5 - state.quarter)
    )


def _mine(components: Components, state: State, seat: Seat) -> list[str]:
    return [components.item[card] for card in state.players[seat - 1].items]


def _item(components: Components, state: State, seat: Seat, symbol: str) -> float:
    """Return about how many points one more item of a symbol is worth to a seat."""
    skills, mine = [components.skill[card] for card in state.players[seat - 1].skills], _mine(components, state, seat)
    whole = components.vp_all / 5 if symbol not in mine else 0.0
    return final(components, state, symbol) + skills.count(f"vp-{symbol}") + skills.count("vp-all") * whole


def _bought(components: Components, state: State, seat: Seat, card: Piece) -> float:
    gain = _item(components, state, seat, components.item[card]) - COIN * cost(components, state.market, card)
    return gain - _hand_card(state, card)


def skill_worth(components: Components, state: State, seat: Seat, card: Piece) -> float:
    """Return about how many points a skill is worth to a seat."""
    skill, left, mine = components.skill[card], 4 - state.quarter, _mine(components, state, seat)
    if skill == "bottle":
        room = sum(place in BOARD or place in AREA for place in state.players[seat - 1].bottles) < len(BOARD)
        return 1.8 * (left + 1) if room else 0.0
    if skill == "vp-all":
        return components.vp_all * min(1.0, (len(set(mine)) + 0.6 * left) / len(SYMBOLS)) ** 2
    if skill.startswith("vp-"):
        return mine.count(skill.removeprefix("vp-")) + 0.4 * left
    return 0.5 * left


def _raised(components: Components, state: State, seat: Seat, card: Piece) -> float:
    """Return what a card in the market is worth to a seat: a point for each of its items, less those of the others."""
    symbol = components.symbol[card]
    counts = [_mine(components, state, who).count(symbol) for who in state.seats]
    others = (sum(counts) - counts[seat - 1]) / (len(counts) - 1)
    return counts[seat - 1] - others - _hand_card(state, card)


def _put(components: Components, state: State, seat: Seat, role: str, card: Piece) -> float:
    if role == "skill":
        return skill_worth(components, state, seat, card)
    if role == "market":
        return _raised(components, state, seat, card)
    return _item(components, state, seat, components.item[card]) if role == "item" else -0.5


def _lot(components: Components, state: State, seat: Seat, card: Piece) -> float:
    """Return what a card that is auctioned is worth to a seat: the best that can become of it."""
    return max(_put(components, state, seat, role, card) for role in FACE_UP)


def _bid(components: Components, state: State, world: World[State], action: Action) -> float:
    """Never bid above the means; else as little as may win, up to what the card is worth."""
    player = state.players[action.seat - 1]
    means = player.coins + sum(components.cash[card] for card in world.hands[action.seat])
    worth = 1.5 if state.lot == UNREAD else _lot(components, state, action.seat, state.lot)
    if not isinstance(action, MakeBid):
        return 0.0
    least = 1 if state.auction is None else state.auction.price + 1
    return NEVER if action.amount > means else worth - COIN * action.amount - 0.5 * (action.amount - least)


def standing(game: Game[State], state: State, world: World[State]) -> list[float]:
    """Return how each seat stands: a third of its points as they will be at the end, as far as one can guess."""
    components, left = _components(game), 5 - state.quarter
    ends = {symbol: final(components, state, symbol) for symbol in SYMBOLS}
    secrets = world.secrets if isinstance(world, CollectorsWorld) else {}
    found = []
    for seat, player in enumerate(state.players, 1):
        points = sum(ends[components.item[card]] for card in (*player.items, *secrets.get(seat, ())))
        for card in player.skills:
            bottle = components.skill[card] == "bottle"
            points += 0.0 if bottle else skill_worth(components, state, seat, card)
        bottles = sum(place in BOARD for place in player.bottles) + (left - 1) * sum(
            place in BOARD or place in AREA for place in player.bottles
        )
        points += 1.8 * bottles + COIN * (player.coins + (left - 1) * player.income) + CARD * player.hand.size
        found.append(points / 3)
    return found


BOTS = Bots(CollectorsWorld, weigh, standing)
