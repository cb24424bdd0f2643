"""The world of COLLECTION! behind the backs of the cards, and robots that work together as analysts do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.collection import Collection
from companion.games.collection.board import met
from companion.games.collection.cards import Choose, Draw, Pass, PlayCard
from companion.games.collection.components import Components
from companion.games.collection.effects import (
    ALL,
    BonusDice,
    CardEffect,
    ChangeCrisis,
    ChangeGems,
    ChangeResponse,
    ExtraActions,
    FreeMoves,
)
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.reports import UseReport, uses
from companion.games.collection.rolling import LEAST_LEVEL, Attempt, Roll, attempt
from companion.games.collection.setup import OpenScenario, scenario_zone
from companion.games.collection.state import CIRCLE, COLLECTORS, COLOURS, CRISIS, OFF, SCENARIOS, Setup, State
from companion.rules.cards import Piece
from companion.rules.dice import chance_below
from companion.rules.kernel import Action, Facts, Game, Options, Rolled, Seat, Shown
from companion.sim.world import Bots, Level, World, WorldError


class CollectionWorld(World[State]):
    """The order of both decks, the top card last, and the held cards, which lie open, to compare them."""

    HIDDEN = ("hands", "deck", "scenarios", "turned")
    APART = ("scenarios",)
    OPEN = True

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        if not isinstance(game, Collection):
            raise WorldError(f"{game.info.title} is not COLLECTION!")
        self.components: Components = game.components
        self.scenarios: list[Piece] = []
        self.turned: dict[str, Piece] = {}
        self._looked_through: object = None
        """The scenarios, as they were, for which `turned` was made last: most moves change none."""

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def deal(self, state: State) -> None:
        self.deck = sorted(state.unseen & self.components.cards)
        self.scenarios = sorted(state.unseen - self.components.cards)
        self.rng.shuffle(self.deck)
        self.rng.shuffle(self.scenarios)
        self._check(state)

    def facts(self, state: State, action: Action) -> Facts:
        if isinstance(action, OpenScenario):
            return (Shown(place=scenario_zone(action.scenario), piece=self.scenarios[-1]),)
        if isinstance(action, Draw):
            self.renew(state)
            return (Shown(place="discard", piece=self.deck[-1]),)
        if isinstance(action, Roll):
            dice = attempt(self.components, state, action.seat, action.colour).dice
            return (
                Rolled(place="dice", values=tuple(self.rng.randint(1, self.components.sides) for _ in range(dice))),
            )
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        if isinstance(action, OpenScenario):
            self.scenarios.pop()
        elif isinstance(action, Draw):
            self.renew(before)
            piece = self.deck.pop()
            if piece in self.components.blue:
                self.hands[action.seat].append(piece)
        elif isinstance(action, PlayCard):
            self.hands[action.seat].remove(action.card)
        if after.scenarios is not self._looked_through:
            self._looked_through = after.scenarios
            self.turned = {
                scenario_zone(letter): scenario.card
                for letter, scenario in zip(SCENARIOS, after.scenarios, strict=True)
                if met(self.components, scenario)
            }
        self._check(after)

    def rest(self, state: State) -> list[Piece]:
        return list(state.discard)

    def _check(self, state: State) -> None:
        held = [list(player.hand) for player in state.players]
        right = state.unseen == {*self.deck, *self.scenarios} and held == [self.hands[seat] for seat in state.seats]
        if not right:
            raise WorldError(
                f"the rules count {len(state.unseen)} cards in the decks and hands of {held}; there are "
                f"{len(self.deck)} and {len(self.scenarios)} cards and hands of {list(self.hands.values())}"
            )

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        over = {zone: (piece,) for zone, piece in self.turned.items()}
        return {"deck": tuple(self.deck), "scenarios": tuple(self.scenarios), **over}


KEENNESS = 3.0
"""How strictly robots prefer better actions: high is strict, at 0 all actions are equally likely."""
CLOSED = 1.0
"""What is taken off the worth of a card for a scenario that is not open."""
RELIEF = {5: 0.25, 6: 0.6, 7: 1.6, 8: 3.5, 9: 6.0}
"""What it is worth to reduce a crisis from a level, in reports filed."""


@lru_cache(maxsize=4096)
def _chance(dice: int, level: int) -> float:
    return float(chance_below(dice, level, 10))


def report_worth(components: Components, state: State, seat: Seat, colour: str) -> float:
    """Return what a report is worth to the team: the better of its two uses, in reports filed."""
    scenario = state.scenarios[state.players[seat - 1].scenario]
    possible = uses(components, state, seat, colour)
    filed = 1.0 if CIRCLE in possible else 0.0
    if filed and sum(components.need[scenario.card]) - sum(scenario.reports) <= 2:
        filed = 1.5
    return max(filed, RELIEF.get(scenario.crisis, 0.0) if CRISIS in possible else 0.0)


def _colours(components: Components, state: State, seat: Seat) -> tuple[str, ...]:
    return components.roles[state.players[seat - 1].role].colours


def prospect(components: Components, state: State, seat: Seat) -> float:
    """Return what a seat can expect where it stands: from its best roll, or from engaging first."""
    return max(
        max(_of_roll(worth, roll), _of_engaging(components, state, seat, worth, roll))
        for worth, roll in _prospects(components, state, seat)
    )


def _prospects(components: Components, state: State, seat: Seat) -> Iterator[tuple[float, Attempt | None]]:
    """Yield for each colour of a seat its report's worth and the roll for it, None if the report is of no use."""
    for colour in _colours(components, state, seat):
        yield _prospect(components, state, seat, colour)


def _prospect(components: Components, state: State, seat: Seat, colour: str) -> tuple[float, Attempt | None]:
    worth = report_worth(components, state, seat, colour)
    return worth, attempt(components, state, seat, colour) if worth else None


def _of_roll(worth: float, roll: Attempt | None) -> float:
    return _chance(roll.dice, roll.level) * worth if roll and roll.dice and roll.level >= LEAST_LEVEL else 0.0


def _of_engaging(components: Components, state: State, seat: Seat, worth: float, roll: Attempt | None) -> float:
    """Return what engaging is worth: a gem counts for this roll and for those to come."""
    player = state.players[seat - 1]
    if roll is None or player.skips:
        return 0.02
    level = min(state.scenarios[player.scenario].crisis, components.start_response) if roll.level == OFF else roll.level
    more = 0.5 if components.roles[player.role].half else 1.0
    return worth * (0.15 + 1.6 * more * (_chance(roll.dice + 1, level) - _chance(roll.dice, level)))


def _going(components: Components, state: State, action: Move) -> float:
    seat = action.seat
    player = state.players[seat - 1]
    there = replace(player, scenario=SCENARIOS.index(action.scenario), collector=COLLECTORS.index(action.collector))
    players = (*state.players[: seat - 1], there, *state.players[seat:])
    gain = prospect(components, replace(state, players=players), seat) - prospect(components, state, seat)
    return gain * (0.9 if state.actions > 1 or state.phase == "free" else 0.6)


def effect_worth(components: Components, state: State, effect: CardEffect) -> float:
    """Return what an effect of a card is worth to the team now."""
    number = SCENARIOS.index(effect.scenario) if effect.scenario in SCENARIOS else 0
    active = [scenario for scenario in state.scenarios if scenario.active]
    here = state.scenarios[number]
    if isinstance(effect, ChangeCrisis):
        some = [here] if effect.scenario in SCENARIOS else active
        worst = max((scenario.crisis for scenario in some), default=0)
        return -effect.by * (RELIEF.get(worst, 0.1) if worst > 1 else 0.0)
    if isinstance(effect, ChangeResponse) and effect.collector in COLLECTORS:
        numbers = range(len(SCENARIOS)) if effect.scenario == ALL else [number]
        return effect.by * sum(0.1 * _busy(components, state, n, COLLECTORS.index(effect.collector)) for n in numbers)
    if isinstance(effect, ChangeGems) and effect.collector in COLLECTORS and effect.scenario in SCENARIOS:
        if not here.active or effect.colour not in COLOURS:
            return 0.0
        colour = COLOURS.index(effect.colour)
        missing = components.need[here.card][colour] - here.reports[colour]
        return effect.by * 0.1 * (1 + here.gems[COLLECTORS.index(effect.collector)][colour]) * (missing > 0)
    if isinstance(effect, ExtraActions):
        return 0.6
    if isinstance(effect, ChangeResponse | ChangeGems | BonusDice | FreeMoves):
        return 0.25 if active else 0.0
    return 0.0


def _busy(components: Components, state: State, number: int, collector: int) -> int:
    """Count the gems and pawns on a space that is still of use, if its coin is on the ladder."""
    scenario = state.scenarios[number]
    if not scenario.active or met(components, scenario) or scenario.responses[collector] == OFF:
        return 0
    pawns = sum((player.scenario, player.collector) == (number, collector) for player in state.players)
    return sum(scenario.gems[collector]) + pawns


def _playing(components: Components, state: State, action: PlayCard) -> float:
    """Return what playing a card is worth: its effect, less the cost of parting with it; a surplus is of no use."""
    worth = sum(effect_worth(components, state, effect) for effect in components.effect[action.card])
    first = components.effect[action.card][0]
    if isinstance(first, ExtraActions | FreeMoves) and state.phase == "close":
        worth += 0.2
    if isinstance(first, BonusDice):
        best = max((_of_roll(*found) for found in _prospects(components, state, action.seat)), default=0)
        worth = 0.5 if best > 0.2 and state.actions else -0.5
    return worth - 0.15 + 0.1 * len(state.players[action.seat - 1].hand)


def value(components: Components, state: State, action: Action) -> float:
    """Return what an action is worth to the team, in reports filed."""
    if isinstance(action, Roll):
        return _of_roll(*_prospect(components, state, action.seat, action.colour))
    if isinstance(action, Engage):
        return _of_engaging(components, state, action.seat, *_prospect(components, state, action.seat, action.colour))
    if isinstance(action, Move):
        return _going(components, state, action)
    if isinstance(action, UseReport):
        scenario = state.scenarios[state.players[action.seat - 1].scenario]
        return 1.0 if action.use == CIRCLE else RELIEF.get(scenario.crisis, 0.0)
    if isinstance(action, PlayCard):
        return _playing(components, state, action)
    if isinstance(action, Choose) and state.effect is not None:
        return effect_worth(components, state, action.filled(state.effect))
    if isinstance(action, Draw):
        return -1.0 if state.actions else 0.2
    return 0.2 if isinstance(action, Pass) else 0.0


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    if not isinstance(world, CollectionWorld) or state.phase in ("roles", "open", "start"):
        return 1.0
    return float(
        2.0 ** (KEENNESS * 4 * (value(world.components, state, action) - CLOSED * _closed(world, state, action)))
    )


def _closed(world: CollectionWorld, state: State, action: Action) -> bool:
    """Return whether a card would go into a scenario that is not open, where nothing of it lasts."""
    if isinstance(action, PlayCard):
        effects: tuple[CardEffect, ...] = world.components.effect[action.card]
    elif isinstance(action, Choose) and state.effect is not None:
        effects = (action.filled(state.effect),)
    else:
        return False
    letters = [effect.scenario for effect in effects if effect.scenario in SCENARIOS]
    return bool(letters) and not any(state.scenarios[SCENARIOS.index(letter)].active for letter in letters)


BOTS = Bots(CollectionWorld, _weigh, levels={"normal": Level(0, 0.02, 0.7)})  # I10: a sensible team wins about half
