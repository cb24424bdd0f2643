"""What robots of games from files do with a hand: in gin they meld and knock, in cribbage they keep what counts."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.games.from_file.bots import FileWorld
from companion.games.from_file.laying import Place, Take
from companion.games.from_file.saying import Enter, RoundOver
from companion.games.from_file.state import State
from companion.rules.kernel import Action, Game
from companion.sim.robots import level_of, think
from companion.sim.world import world_of

GIN = ["101", "102", "103", "207", "307", "407", "204", "205", "206", "40D"]
"""Three melds and a king."""


def begun(name: str, seats: int = 2) -> tuple[Game[State], FileWorld, State]:
    game = games.load(name)
    world = world_of(game, seats, {}, random.Random(1))
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    assert isinstance(world, FileWorld)
    return game, world, state


def hold(world: FileWorld, **hands: list[str]) -> None:
    """Deal the hands of seats `s1` and so on, and leave the others the rest."""
    for seat, hand in hands.items():
        world.hands[int(seat[1:])] = hand
    held = {card for hand in hands.values() for card in hand}
    world.deck = sorted(world.components.pieces - held)
    for seat in world.hands:
        if f"s{seat}" not in hands:
            world.hands[seat] = [world.deck.pop() for _ in world.hands[seat]]


def done(game: Game[State], world: FileWorld, state: State, action: Action) -> State:
    after = game.play(state, action, world.facts(state, action))
    world.apply(state, action, after)
    return after


@pytest.mark.parametrize("level", ["easy", "normal", "strong"])
def test_a_robot_lays_off_what_is_in_no_meld_and_knocks(level: str) -> None:
    game, world, state = begun("gin-rummy")
    turn = state.now.turn
    hold(world, **{f"s{turn}": [*GIN, "30C"]})
    choice = think(game, state, world, world.choices(state), level_of(game, level), random.Random(1)).action
    assert choice in {Place(seat=turn, zone="discard", cards=(card,)) for card in ("40D", "30C")}
    state = done(game, world, state, choice)
    said = world.choices(state)
    assert said == [Enter(seat=turn, what="knocks", amount=1)]
    while not state.past:
        state = done(game, world, state, world.choices(state)[0])
    assert dict(state.past[0].blocks)["left"][turn - 1] == 10


def test_a_robot_takes_what_melds_and_never_lays_it_off_again() -> None:
    game, world, state = begun("gin-rummy")
    turn = state.now.turn
    other = 3 - turn
    mine = ["101", "102", "207", "307", "409", "30B", "20C", "10D", "405", "106"]
    theirs = ["103", "201", "304", "40A", "206", "308", "10C", "402", "30D", "209", "40B"]
    hold(world, **{f"s{other}": mine, f"s{turn}": theirs})
    state = done(game, world, state, Place(seat=turn, zone="discard", cards=("103",)))
    assert world.choices(state) == [Take(seat=other, zone="discard", cards=("103",))]
    state = done(game, world, state, world.choices(state)[0])
    best = think(game, state, world, world.choices(state), level_of(game, "strong"), random.Random(1)).action
    assert best.cards != ("103",)  # type: ignore[attr-defined]


def test_a_round_of_gin_without_a_knock_ends_with_the_talon() -> None:
    game, world, state = begun("gin-rummy")
    world.deck = []
    state = done(game, world, state, world.choices(state)[0])
    assert world.choices(state) == [RoundOver(seat=state.now.turn)]
    assert done(game, world, state, world.choices(state)[0]).past[0].points == (0, 0)


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_a_robot_keeps_the_cards_that_count_and_throws_the_others_to_the_crib(level: str) -> None:
    game, world, state = begun("cribbage")
    hold(world, s1=["105", "205", "305", "40B", "402", "108"])
    own = [action for action in world.choices(state) if action.seat == 1]
    assert len(own) == 15
    kept = think(game, state, world, own, level_of(game, level), random.Random(1)).action
    assert kept == Place(seat=1, zone="hand.1", cards=("105", "205", "305", "40B"))
    state = done(game, world, state, kept)
    state = done(game, world, state, world.choices(state)[0])
    while not state.past:
        before, state = state, done(game, world, state, world.choices(state)[0])
    assert {"402", "108"} < set(before.lies("crib"))


def test_what_a_person_lays_a_robot_does_not_hold() -> None:
    game, world, state = begun("gin-rummy")
    world.persons = {state.now.turn}
    robot = 3 - state.now.turn
    card = world.hands[robot][0]
    state = done(game, world, state, Place(seat=state.now.turn, zone="discard", cards=(card,)))
    assert card not in {*world.deck, *world.hands[robot]} or world.plan
    assert len(world.hands[robot]) in (10, 11)
