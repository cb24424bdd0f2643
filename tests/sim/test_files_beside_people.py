"""Robots and a person at a game from a file: nothing is done in the person's name, and what the cards tell is told."""

import random
from types import SimpleNamespace

import pytest

from companion import games
from companion.games.from_file.laying import Lay, Place, Take
from companion.games.from_file.saying import RoundOver
from companion.referee.commands import Play
from companion.server.documents import Extras, audience_of, document
from companion.sim.performance import Performance, UnfinishedError
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.server.played import PlayedDesk


def begun(name, seats):
    game = games.load(name)
    world = world_of(game, seats, {}, random.Random(1))
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    return game, world, state


def played(game, state, *actions):
    for action in actions:
        state = game.play(state, action, ())
    return state


def row(game, state, *cards):
    return played(game, state, *(Place(zone="row", cards=(card,)) for card in cards))


def test_what_comes_to_the_card_that_was_laid_may_be_taken_with_it_and_nothing_else():
    game, world, state = begun("scopa", 2)
    state = row(game, state, "303", "404", "102", "30D")
    seat = state.now.turn
    six = played(game, state, Lay(seat=seat, card="206"))
    assert world.takes_yet(six) == seat
    zone, cards = world.taking(six)
    assert (zone, set(cards)) == (f"taken.{seat}", {"206", "404", "102"})
    part = played(game, six, Take(seat=seat, zone="row", cards=("206",)), Take(seat=seat, zone="row", cards=("404",)))
    assert world.taking(part) == (f"taken.{seat}", ("102",))
    assert world.taking(played(game, part, Take(seat=seat, zone="row", cards=("102",))))[1] == ()
    ace = played(game, state, Lay(seat=seat, card="201"))
    assert world.taking(ace)[1] == ()
    assert world.takes_yet(ace) == 0


def test_a_robot_takes_before_the_next_person_lays_or_not_at_all():
    game, world, state = begun("scopa", 2)
    state = row(game, state, "303", "404", "102", "30D")
    robot = state.now.turn
    person = 3 - robot
    world.persons = {person}
    world.hands[robot], world.hands[person] = ["204"], ["401"]
    world.plan = [Take(seat=robot, zone="row", cards=(card,)) for card in ("204", "404")]
    laid = played(game, state, Lay(seat=robot, card="204"))
    assert world.finishing() == robot
    assert world.choices(laid) == [Take(seat=robot, zone="row", cards=("204",))]
    performance = SimpleNamespace(
        game=game,
        state=laid,
        referee=SimpleNamespace(state=laid),
        world=world,
        persons={person},
        hand=lambda _: ("401",),
        secret=frozenset({"card"}),
        records_behind=lambda: 0,
        _live=SimpleNamespace(shared=SimpleNamespace(pieces=list)),
    )
    with pytest.raises(UnfinishedError, match="is still taking cards"):
        Performance.checked(performance, Play(seat=person, action=Lay(seat=person, card="401")))
    # The person was quicker: what the robot would take now would count as the person's.
    late = played(game, laid, Lay(seat=person, card="401"))
    world.hands[robot] = ["205"]
    assert all(action.seat == robot and not isinstance(action, Take) for action in world.choices(late))


def test_robots_end_no_round_and_type_nothing_in_a_persons_name():
    for name, seats in (("scopa", 3), ("cribbage", 2), ("golf", 3)):
        for person in range(1, seats + 1):
            game, world, state = begun(name, seats)
            world.persons = {person}
            world.hands = {seat: [] for seat in world.hands}
            world.deal(state)
            for _ in range(400):
                found = [one for one in world.choices(state) if one.seat]
                if not game.actors(state) or not found or game.actors(state) == (person,):
                    break
                assert not any(one.seat == person for one in found)
                action = choose(game, state, world, world.rng)
                after = game.play(state, action, world.facts(state, action))
                world.apply(state, action, after)
                state = after


def following(hand, led="203"):
    game, world, state = begun("hearts", 4)
    state = played(game, state, Lay(seat=4, card="102"), *(Lay(seat=n, card=f"10{n + 2}") for n in (1, 2, 3)))
    state = game.play(state, game.legal(state)[0], ())
    first = state.now.turn
    state = played(game, state, Lay(seat=first, card=led))
    seat = state.now.turn
    world.hands[seat] = list(hand)
    return game, world, state, seat


def test_a_card_that_does_not_follow_suit_is_refused_from_the_phone_at_once():
    game, world, state, seat = following(("305", "20C"))
    performance = SimpleNamespace(
        game=game,
        state=state,
        referee=SimpleNamespace(state=state),
        world=world,
        persons={seat},
        hand=lambda _: tuple(world.hands[seat]),
        secret=frozenset({"card"}),
        records_behind=lambda: 0,
        _live=SimpleNamespace(shared=SimpleNamespace(pieces=list)),
    )
    refused = Performance.checked(performance, Play(seat=seat, action=Lay(seat=seat, card="305")))
    assert (
        refused.verdict.reason == "the five of hearts does not follow suit, and the queen of diamonds in your hand does"
    )
    follows = Play(seat=seat, action=Lay(seat=seat, card="20C"))
    assert Performance.checked(performance, follows) == follows
    # Whoever has none of that suit lays what they like; a card beside the trick is nobody's business.
    world.hands[seat] = ["305"]
    assert world.objection(state, seat, "305") is None
    world.hands[seat], tricks = ["305", "20C"], game.components.score.tricks.zone
    assert world.objection(state, seat, "305", f"{tricks}.{seat}") is not None
    assert world.objection(state, seat, "305", "taken.1") is None


def test_the_page_offers_what_may_be_taken_to_its_seat_only():
    desk = PlayedDesk("scopa", 2)
    assert desk.step()
    taking = {1: ("taken.1", ("206", "404")), 2: ("", ())}
    docs = {seat: document(audience_of(seat), desk.snapshot(), Extras(taking=taking), desk) for seat in (1, 2)}
    (offered,) = docs[1]["taking"]
    assert (offered["zone"], [card["piece"] for card in offered["cards"]]) == ("taken.1", ["206", "404"])
    assert docs[2]["taking"] == []
    assert RoundOver(seat=1) in desk.game.legal(desk.state)
