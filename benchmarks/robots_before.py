"""Robots as they were before they searched: weights and choice, frozen, to be played against.

Collectible and Karmic Collections still follow the weights that they had then, COLLECTION! its values. In games
from files a card laid in a row takes the most that it can, which was left to chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.games.collection.bots import KEENNESS, CollectionWorld, value
from companion.games.collection.state import State as Team
from companion.games.collectors.actions import Buy, GetSkill, RaiseValue
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.bots import _components
from companion.games.collectors.components import AREA, SYMBOLS
from companion.games.collectors.components import Components as Market
from companion.games.collectors.paying import PayCard, Put
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import BOARD, NONE, UNREAD
from companion.games.collectors.state import State as Quarters
from companion.games.collectors.steps import cost
from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import State
from companion.games.from_file.bots import FileWorld
from companion.games.from_file.laying import Lay
from companion.games.from_file.saying import Say
from companion.rules.cards import Piece
from companion.rules.kernel import Action, AnyGame, Game, Seat
from companion.sim.world import AnyWorld, World, bots_of


def five_cards(game: Game[State], state: State, world: World[State], action: Action) -> float:  # noqa: C901
    """Collect; use specials early; draw while there is room; throw away what is of no use."""
    hand = world.hands.get(action.seat, [])
    if isinstance(action, Add):
        return 60.0
    if isinstance(action, TakeOver):
        if action.to == "own":
            return 60.0
        return 0.2 if action.from_seat == action.seat else 3.0
    if isinstance(action, Use):
        return 1.5
    if isinstance(action, Draw):
        return 8.0
    if isinstance(action, Discard):
        # A full hand can't draw: make room, but not before.
        return 8.0 if len(hand) >= state.limit or state.phase == "drawn" else 3.0
    if isinstance(action, Retrieve):
        return 20.0 if _belongs(game, state, action.seat, action.card) else 0.3
    if isinstance(action, Take):
        return float(state.players[action.victim - 1].hand.size)
    if isinstance(action, Stuck):
        # Robots bluff now and then: a claim that is wrong only lays the hand open (F8).
        return 8.0
    if isinstance(action, Nothing) and len(state.players) == 2:
        return 4.0
    return 1.0 if isinstance(action, Keep) else 0.15


def _belongs(game: Game[State], state: State, seat: int, card: str) -> bool:
    """Return whether a card would be collected: the rules' own answer, as if it were that seat's turn."""
    shelves = game.view(state, seat).shelves
    cards = game.deck.by_piece()
    wanted = {cards[piece].title for shelf in shelves for piece in shelf.wanted}
    return cards[card].title in wanted


def collectors(game: Game[Quarters], state: Quarters, world: World[Quarters], action: Action) -> float:
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


def _place(components: Market, state: Quarters, world: World[Quarters], action: Place) -> float:
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


def _points(components: Market, state: Quarters, card: Piece) -> float:
    return 1.0 + cost(components, state.market, card)


def _skill_worth(components: Market, state: Quarters, seat: Seat, card: Piece) -> float:
    skill, early = components.skill[card], 5 - state.quarter
    mine = [components.item[owned] for owned in state.players[seat - 1].items]
    if skill == "bottle":
        return 2.0 * early
    if skill == "vp-all":
        return 1.0 + len(set(mine)) * 5 / len(SYMBOLS)
    if skill.startswith("vp-"):
        return 1.0 + 2 * mine.count(skill.removeprefix("vp-"))
    return 1.0 * early


def _bid(components: Market, state: Quarters, world: World[Quarters], action: Action) -> float:
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


def _put(components: Market, state: Quarters, action: Put) -> float:
    if action.role == "secret":
        return 1.5
    card = str(action.card)
    if action.role == "item":
        return 0.5 + _points(components, state, card)
    if action.role == "skill":
        return _skill_worth(components, state, action.seat, card)
    mine = [components.item[owned] for owned in state.players[action.seat - 1].items]
    return 0.3 + 1.5 * mine.count(components.symbol[card])


def collection(game: Game[Team], state: Team, world: World[Team], action: Action) -> float:
    """Return an action's weight: the better it is for the team, the likelier it is taken."""
    if not isinstance(world, CollectionWorld) or state.phase in ("roles", "open", "start"):
        return 1.0
    return float(2.0 ** (KEENNESS * 4 * value(world.components, state, action)))


def _from_file(world: FileWorld, state: Any, actions: Sequence[Action], rng: random.Random) -> Action:
    """Say a fair share of the tricks or one less; four times of five take what can be taken from the row."""
    first, row, able = actions[0], world.components.score.row, list(actions)
    if isinstance(first, Say):
        share = max(1, len(world.hands[first.seat]) // state.seats)
        able = [one for one in actions if isinstance(one, Say) and share - 1 <= one.amount <= share]
    elif row is not None and isinstance(first, Lay):
        there = [piece for piece in state.lies(row.zone) if piece]
        if len(there) > 6 or rng.random() < 0.8:
            able = [one for one in actions for _ in world._captures(str(getattr(one, "card", "")), there, row)]
    return rng.choice(able or actions)


FROZEN: dict[str, Callable[..., float]] = {
    "five-cards-collector": five_cards,
    "collectors": collectors,
    "collection": collection,
}


def choose(game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], rng: random.Random) -> Action:
    """Choose one of the ground actions, weighted by their worth; raise IndexError if there is none."""
    bots = bots_of(game.info.name)
    if isinstance(world, FileWorld):
        return _from_file(world, state, actions, rng)
    weigh = FROZEN.get(game.info.name) or (bots.weigh if bots else None)
    if weigh is None:
        return rng.choice(actions)
    weights = [weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]
