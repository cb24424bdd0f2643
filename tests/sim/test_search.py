"""The robots' search: what it may know, what it does with a fault, and what no level of it ever does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from companion import games
from companion.rules.kernel import Action, AnyGame, RuleError, Seat
from companion.sim.performance import Performance
from companion.sim.robots import LEVELS, STRONG, Thought, level_of, think
from companion.sim.search import Search
from companion.sim.world import AnyWorld, Level, bots_for, hidden_in, world_of

SEARCHED = ("collectible", "collectors", "karmic-collections", "oh-hell", "scopa")


class Moment(NamedTuple):
    """A decision of a match: the seat that has it, and what it may do."""

    game: AnyGame
    world: AnyWorld
    state: object
    actions: list[Action]

    @property
    def seat(self) -> Seat:
        return self.actions[0].seat


def moments(name: str, seats: int, level: str | Level, seed: int, done: list[Action] | None = None) -> Iterator[Moment]:
    """Yield the decisions of a match that robots of a level play; what they chose goes to `done`."""
    game, rng = games.load(name), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    while choices := world.choices(state):
        actions = [action for action in choices if action.seat == choices[0].seat]
        decides = len(actions) > 1 and actions[0].seat
        if decides:
            yield Moment(game, world, state, actions)
        how = level_of(game, level) if isinstance(level, str) else level
        action = think(game, state, world, actions, how, rng).action
        if decides and done is not None:
            done.append(action)
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after


@pytest.mark.parametrize("name", SEARCHED)
def test_what_a_seat_cannot_know_decides_nothing(name: str) -> None:
    """Everything unknown is dealt anew before the robot is asked: it decides the same."""
    changed = 0
    for number, moment in enumerate(moments(name, 3, LEVELS["normal"], 5)):
        if number > 60:
            break
        if number % 12:
            continue
        game, world, state, actions = moment
        level = LEVELS[STRONG]._replace(playouts=20)
        first = think(game, state, world, actions, level, random.Random(number))
        saved = world.save()
        world.restore(world.dealt_anew(state, moment.seat, random.Random(99)))
        changed += world.save() != saved
        assert think(game, state, world, actions, level, random.Random(number)) == first
        world.restore(saved)
    assert changed


@pytest.mark.parametrize("name", games.packages())
def test_a_deal_keeps_what_a_seat_knows_and_how_much_lies_where(name: str) -> None:
    for number, moment in enumerate(moments(name, 3, "normal", 6)):
        if number % 9:
            continue
        _game, world, state, _ = moment
        saved, knows = world.save(), set(world.known(state, moment.seat))
        dealt = world.dealt_anew(state, moment.seat, random.Random(number))
        before = dict(_placed(saved))
        assert {place: piece for place, piece in _placed(dealt) if before[place] in knows} == {
            place: piece for place, piece in before.items() if piece in knows
        }
        world.restore(dealt)
        assert hidden_in(world) == frozenset(before.values())
        world.restore(saved)


def _placed(hidden: object, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(hidden, str):
        yield place, hidden
    elif isinstance(hidden, dict):
        for key, value in hidden.items():
            yield from _placed(value, f"{place}/{key}")
    elif isinstance(hidden, list | tuple):
        for number, value in enumerate(hidden):
            yield from _placed(value, f"{place}/{number}")


def test_scenarios_are_never_dealt_among_the_cards() -> None:
    moment = next(moments("collection", 3, "normal", 1))
    dealt = moment.world.dealt_anew(moment.state, 1, random.Random(2))
    assert sorted(dealt["scenarios"]) == sorted(moment.world.save()["scenarios"])  # type: ignore[call-overload]
    assert dealt["deck"] != moment.world.save()["deck"]


@pytest.mark.parametrize("name", SEARCHED)
def test_no_playout_fails(name: str) -> None:
    for number, (game, world, state, actions) in enumerate(moments(name, 3, LEVELS["normal"], 7)):
        if number % 10 == 0 and number <= 60:
            search = Search(game, bots_for(game), state, world, actions[0].seat, random.Random(number))
            search.best(search.arms(actions), 12)
            assert not search.faults


def test_a_playout_that_fails_is_counted_and_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game, world, state, actions = next(
        moment for moment in moments("five-cards-collector", 2, "normal", 7) if len(moment.actions) > 4
    )
    bad, root, play = actions[0], state, type(game).play

    def fail(self: AnyGame, state: object, action: Action, facts: object = ()) -> object:
        if state is root and action == bad:
            raise RuleError.illegal("test", "it does not go", "Try another.")
        return play(self, state, action, facts)  # type: ignore[arg-type]

    monkeypatch.setattr(type(game), "play", fail)
    search = Search(game, bots_for(game), state, world, bad.seat, random.Random(1))
    arms = search.arms(actions)
    for arm in arms:
        arm.weight = 1.0
    search.best(arms, 40)
    (failed,) = [arm for arm in arms if arm.action == bad]
    assert search.faults == len(failed.results)
    assert set(failed.results) == {0.0}


def test_cards_that_look_alike_are_one_arm() -> None:
    for game, world, state, actions in moments("five-cards-collector", 2, "easy", 3):
        titles = {game.deck.by_piece()[piece].title for piece in world.hands[actions[0].seat]}
        search = Search(game, bots_for(game), state, world, actions[0].seat, random.Random(1))
        laid = [arm for arm in search.arms(actions) if type(arm.action).__name__ == "Discard"]
        named = {game.deck.by_piece()[str(arm.action.card)].title for arm in laid}  # type: ignore[attr-defined]
        assert len(named) == len(laid)
        assert named <= titles


def test_why_says_what_it_is_worth_where_all_lies_open_and_nothing_of_a_hand() -> None:
    """Where hands are hidden no sentence may tell of them; where nothing is, it compares with the next best."""
    rng, level = random.Random(1), LEVELS[STRONG]._replace(playouts=12)
    open_ = next(one for one in moments("karmic-collections", 2, "normal", 4) if len(one.actions) > 3)
    assert " of 100 matches so, and " in think(open_.game, open_.state, open_.world, open_.actions, level, rng).why
    hidden = next(one for one in moments("collectors", 2, "normal", 4) if len(one.actions) > 3)
    assert think(hidden.game, hidden.state, hidden.world, hidden.actions, level, rng).why == "It depends on its hand."


def test_advice_is_made_from_what_the_seat_may_know() -> None:
    """Everything unknown is dealt anew: the same is advised; to who is not due nothing."""
    moment = next(one for one in moments("collectors", 2, "normal", 4) if len(one.actions) > 3)
    game, world, state, actions = moment

    def thinks(*asked: Any) -> Thought:
        *before, level, rng = asked
        return think(*before, level._replace(playouts=12), rng)

    table: Any = SimpleNamespace(game=game, state=state, world=world, records_behind=lambda: 0)
    first = Performance.advice(table, moment.seat, thinks)
    saved = world.save()
    world.restore(world.dealt_anew(state, moment.seat, random.Random(99)))
    assert world.save() != saved
    assert Performance.advice(table, moment.seat, thinks) == first
    assert first in {f"A robot would do this: {game.describe(state, action)}" for action in actions}
    assert not Performance.advice(table, 3 - moment.seat, thinks)
