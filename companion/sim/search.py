"""One search for all games: flat Monte Carlo with sequential halving, over fair deals of what a seat can't know.

Every arm meets the same deals and the same chance. A playout follows the policy for a few decisions, or to the end of
the round, then the game's own value says how each seat stands.
"""

from __future__ import annotations

import copy
import logging
import math
import random
from collections.abc import Sequence

from companion.rules.kernel import TABLE, Action, AnyGame, Seat
from companion.sim.world import AnyWorld, Bots, Saved

log = logging.getLogger(__name__)

DEPTH = 8
"""Decisions that a playout follows the policy; what leaves no choice is free."""
ARMS = 14
"""Actions that are compared, the best by the policy."""
PRIOR = 0.025
"""What the policy's opinion counts, in shares of a win, for each e-fold of an action's weight."""


class Arm:
    """An action with the results of its playouts, in shares of a win for the seat."""

    def __init__(self, action: Action, weight: float) -> None:
        """Begin without playouts; `weight` is the policy's."""
        self.action = action
        self.weight = weight
        self.results: list[float] = []

    @property
    def mean(self) -> float:
        """The mean result, 0 without playouts."""
        return sum(self.results) / len(self.results) if self.results else 0.0

    @property
    def worth(self) -> float:
        """The mean result, with the policy's opinion."""
        return self.mean + PRIOR * math.log(self.weight)


class Search:
    """What one seat thinks of its possible actions. `faults` counts playouts that failed: each is worth nothing."""

    def __init__(
        self, game: AnyGame, bots: Bots[object], state: object, world: AnyWorld, seat: Seat, rng: random.Random
    ) -> None:
        """Prepare; `world` is only read, and only what the `seat` knows of it decides anything."""
        self.faults = 0
        self._game, self._bots, self._state, self._world, self._seat = game, bots, state, world, seat
        self._seed = rng.getrandbits(64)
        self._deals: list[Saved] = []

    def arms(self, actions: Sequence[Action]) -> list[Arm]:
        """Return the actions as arms, the best by the policy first; of cards that look alike one stands for all."""
        cards = self._game.deck.by_piece()

        def face(value: object) -> object:
            card = cards.get(value) if isinstance(value, str) else None
            return (card.kind, card.title, *card.traits.items()) if card is not None else value

        found: dict[object, Arm] = {}
        for action in actions:
            fields = tuple(face(getattr(action, name)) for name in action.__struct_fields__)
            if (type(action), fields) not in found:
                found[type(action), fields] = Arm(action, self._weight(self._state, self._world, action))
        return sorted(found.values(), key=lambda arm: -arm.weight)

    def best(self, arms: list[Arm], playouts: int) -> list[Arm]:
        """Search with so many playouts in all; return the arms, the best first."""
        if len(arms) < 2:
            return arms
        left, out = arms[:ARMS], arms[ARMS:]
        rounds = math.ceil(math.log2(len(left)))
        for _ in range(rounds):
            for _ in range(max(1, playouts // (rounds * len(left)))):
                number = len(left[0].results)
                for arm in left:
                    arm.results.append(self._result(arm.action, number))
            left.sort(key=lambda arm: -arm.worth)
            half = (len(left) + 1) // 2
            left, out = left[:half], left[half:] + out
        return left + out

    def _weight(self, state: object, world: AnyWorld, action: Action) -> float:
        weigh = self._bots.weigh
        return max(weigh(self._game, state, world, action), 1e-9) if weigh is not None else 1.0

    def _deal(self, number: int) -> Saved:
        while len(self._deals) <= number:
            rng = random.Random(f"deal {self._seed} {len(self._deals)}")
            self._deals.append(self._world.dealt_anew(self._state, self._seat, rng))
        return self._deals[number]

    def _result(self, action: Action, number: int) -> float:
        world = copy.copy(self._world)
        world.rng, world.persons = random.Random(f"play {self._seed} {number}"), frozenset()
        world.restore(self._deal(number))
        try:
            return self._playout(world, action)
        except Exception:
            if not self.faults:
                log.exception("playouts fail, at first after %s", action)
            self.faults += 1
            return 0.0

    def _playout(self, world: AnyWorld, action: Action) -> float:
        """Return the seat's share of a win after an action, with chance and the policy deciding the rest."""
        game, state, left, within = self._game, self._state, DEPTH, self._bots.within
        while True:
            after = game.play(state, action, world.facts(state, action))
            world.apply(state, action, after)
            ends = within is not None and within(after) != within(state)
            state = after
            if ends:
                break
            actions = world.choices(state)
            if not actions:
                break
            action = actions[0]
            if len(actions) > 1 and action.seat != TABLE:
                if not left and within is None:
                    break
                left -= 1
                weights = [self._weight(state, world, one) for one in actions]
                action = world.rng.choices(actions, weights)[0]
        outcome = game.standing(state).outcome
        if outcome is not None:
            return (self._seat in outcome.winners) / len(outcome.winners) if outcome.winners else 0.0
        if self._bots.value is None:
            return 0.0
        values = [math.exp(value) for value in self._bots.value(game, state, world)]
        return values[self._seat - 1] / sum(values)
