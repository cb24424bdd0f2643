"""The world and the robots of Collectors: hands, deck order, what lies face down, and how a collector chooses."""

from __future__ import annotations

import random
from collections.abc import Iterable

from companion.games.collectors import Collectors
from companion.games.collectors.actions import Buy, Gain, GetSkill, RaiseValue, TakeBack
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.components import AREA, SYMBOLS, Components
from companion.games.collectors.paying import CantPay, PayCard, Put
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


def weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Buy what the market makes dear, raise what is owned, learn early, and bid what a card is worth."""
    components = _components(game)
    if isinstance(action, Place):
        return _place(components, state, world, action)
    if isinstance(action, Buy):
        return 1.0 + _points(components, state, str(action.card)) * 3
    if isinstance(action, GetSkill):
        return _skill_worth(components, state, action.seat, str(action.card))
    if isinstance(action, RaiseValue):
        mine = [components.item[card] for card in state.players[action.seat - 1].items]
        return 0.3 + 3 * mine.count(components.symbol[str(action.card)])
    if isinstance(action, MakeBid | PassBid):
        return _bid(components, state, world, action)
    if isinstance(action, Put):
        return _put(components, state, action)
    if isinstance(action, PayCard):
        return 2.0 if state.players[action.seat - 1].coins < state.price else 0.6
    if isinstance(action, Offer):
        return 1.0 if action.card != NONE else 1.5
    return 1.0


def _place(components: Components, state: State, world: World[State], action: Place) -> float:
    area, quarter = AREA[action.space], state.quarter
    player = state.players[action.seat - 1]
    if area == "buy":
        coins = player.coins + components.seal(action.space, quarter).coins
        known = [card for card in (*state.item_pool, *world.hands[action.seat]) if card in components.item]
        able = [card for card in known if cost(components, state.market, card) <= coins]
        # Where only unknown cards could do, robots try their luck, and may have to take the bottle back (K17).
        return 0.4 + max(_points(components, state, card) for card in able) if able else 20.0
    if area == "skill":
        return 4.0 / quarter
    if area == "auction":
        return 3.0 + components.seal(action.space, quarter).coins
    if area == "raise":
        return 0.5 + len(player.items) * 0.8
    left = sum(place in BOARD for place in player.bottles)
    owned = left + sum(place in AREA for place in player.bottles)
    if action.space == "recycle" or (action.space == "quarter" and quarter == 4):
        return (0.3 if quarter < 4 else 3.0) if owned > 2 or quarter == 4 else 0.08
    return 1.5


def _points(components: Components, state: State, card: Piece) -> float:
    return 1.0 + cost(components, state.market, card)


def _skill_worth(components: Components, state: State, seat: Seat, card: Piece) -> float:
    skill, early = components.skill[card], 5 - state.quarter
    mine = [components.item[owned] for owned in state.players[seat - 1].items]
    if skill == "bottle":
        return 2.0 * early
    if skill == "vp-all":
        return 1.0 + len(set(mine)) * 5 / len(SYMBOLS)
    if skill.startswith("vp-"):
        return 1.0 + 2 * mine.count(skill.removeprefix("vp-"))
    return 1.0 * early


def _bid(components: Components, state: State, world: World[State], action: Action) -> float:
    player = state.players[action.seat - 1]
    means = player.coins + sum(components.cash[card] for card in world.hands[action.seat])
    if state.lot == UNREAD:
        worth = 3.0
    else:
        worth = max(_points(components, state, state.lot), _skill_worth(components, state, action.seat, state.lot))
    worth = min(worth + action.seat % 2, means)
    if isinstance(action, PassBid):
        return 1.5
    amount = action.amount if isinstance(action, MakeBid) else 0
    if amount > means:
        return 0.12
    return 4.0 / (1 + amount) if amount <= worth else 0.05


def _put(components: Components, state: State, action: Put) -> float:
    if action.role == "secret":
        return 1.5
    card = str(action.card)
    if action.role == "item":
        return 0.5 + _points(components, state, card)
    if action.role == "skill":
        return _skill_worth(components, state, action.seat, card)
    mine = [components.item[owned] for owned in state.players[action.seat - 1].items]
    return 0.3 + 1.5 * mine.count(components.symbol[card])


BOTS = Bots(CollectorsWorld, weigh)
