"""Five Cards Collector: what is true in every state of every match, whatever people do."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.five_cards_collector import (
    Add,
    AnyAction,
    Discard,
    Draw,
    DrawGoal,
    Keep,
    Nothing,
    Retrieve,
    Setup,
    State,
    Stuck,
    Take,
    TakeOver,
    TurnUp,
    Use,
)
from companion.rules.kernel import Counts, Facts, Hole, Lies, RuleError, Turns, Verdict, fits, holes
from companion.sim.robots import choose
from companion.sim.world import WORLDS, World
from tests.rules.situations import GAME

Step = tuple[State, AnyAction, Facts, State]
PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def match(seats: int, seed: int, options: dict[str, int], sensible: bool = False) -> Iterator[tuple[World, Step]]:
    """Play a match against real hands: sensibly, or anything that the table can't tell to be wrong.

    That takes in a claim to be stuck that isn't right, and laying another card after a draw than the drawn one.
    """
    rng = random.Random(seed)
    world = WORLDS[GAME.info.name](GAME, seats, options, rng)
    state = GAME.setup(seats, options, world.setup())
    world.deal(state)
    while GAME.actors(state):
        if sensible:
            action = choose(GAME, state, world, rng)
        else:
            # Kinds first, then cards: else the matches get long, and what is rare stays rare.
            real = [list(World.really(world, state, one)) for one in GAME.legal(state)]
            action = rng.choice(rng.choice([some for some in real if some]))
        facts = world.facts(state, action)
        after = GAME.play(state, action, facts)
        world.apply(state, action, after)
        yield world, (state, action, facts, after)
        state = after


@st.composite
def moments(draw: st.DrawFn) -> tuple[World, State]:
    """Draw a state somewhere in a match, with the world behind it."""
    seats, seed, length = draw(st.integers(2, 8)), draw(st.integers(0, 10_000)), draw(st.integers(0, 250))
    options = {"hand_limit": draw(st.sampled_from([7, 9]))} if seats == 2 else {}
    played = list(itertools.islice(match(seats, seed, options), length + 1))
    world, (_, _, _, after) = played[-1]
    return world, after


def everything(seats: tuple[int, ...], actor: int) -> Iterator[AnyAction]:
    """Yield all ground actions that this actor could name."""
    for piece in PIECES:
        yield Add(seat=actor, card=piece)
        yield Discard(seat=actor, card=piece)
        yield Use(seat=actor, card=piece)
        yield Retrieve(seat=actor, card=piece)
        for owner in (0, *seats):
            yield TakeOver(seat=actor, card=piece, from_seat=owner, to="own")
            yield TakeOver(seat=actor, card=piece, from_seat=owner, to="discard")
    for other in (0, *seats, 9):
        yield Take(seat=actor, victim=other)
        yield DrawGoal(seat=actor, player=other)
    yield from (one(seat=actor) for one in (TurnUp, Draw, Keep, Nothing, Stuck))


@given(moments())
@settings(max_examples=40, deadline=None)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(moment: tuple[World, State]) -> None:
    _, state = moment
    templates = defaultdict(list)
    for template in GAME.legal(state):
        templates[type(template)].append(template)
    others = [seat for seat in state.seats if seat != state.turn]
    for actor in (0, state.turn, others[0]):
        for action in everything(state.seats, actor):
            verdict = GAME.judge(state, action)
            filled = any(fits(template, action) for template in templates[type(action)])
            assert verdict.ok == filled, (action, verdict)
            if not verdict.ok:
                assert verdict.kind in ("illegal", "inconsistent"), action
                assert verdict.rule, action
                assert verdict.reason, action
                assert verdict.remedy, action


@given(moments())
@settings(max_examples=40, deadline=None)
def test_every_template_can_be_played_with_every_card_of_its_holes(moment: tuple[World, State]) -> None:
    _, state = moment
    before = msgspec.msgpack.encode(state)
    for template in GAME.legal(state):
        if GAME.needs(state, template):
            continue
        gaps = holes(template)
        for piece in gaps[0][1].pieces if gaps else ("",):
            action = msgspec.structs.replace(template, card=piece) if gaps else template
            after = GAME.play(state, action)
            assert GAME.audit(after) == ()
            assert msgspec.msgpack.encode(state) == before, "an earlier state was changed"


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_the_hands_behind_them(seats: int, sensible: bool) -> None:
    records, first = [], None
    for world, (before, action, facts, after) in match(seats, 7 * seats, {}, sensible):
        first = first or before
        records.append((action, facts, after))
        assert GAME.audit(after) == ()
        for seat, player in enumerate(after.players, 1):
            real = set(world.hands[seat])
            assert player.hand.known <= real
            assert real - player.hand.known <= after.unseen
        assert set(world.piles()["deck"]) <= after.unseen
        assert [need.place for need in GAME.needs(before, action)] == [fact.place for fact in facts]
    assert first is not None
    state = first
    for action, facts, after in records:
        assert GAME.judge(state, action).ok
        sent = msgspec.json.encode((action, facts))
        back, said = msgspec.json.decode(sent, type=tuple[GAME.action_type, Facts])
        assert (back, said) == (action, facts)
        state = GAME.play(state, back, said)
        assert state == after
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    assert GAME.standing(state).outcome is state.outcome is not None


def test_matches_end_in_every_way_and_every_kind_of_action_happens() -> None:
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(16):
        for _, (_, action, _, after) in match(2 + seed % 3, seed, {}, sensible=seed % 4 == 0):
            kinds[str(action.__struct_config__.tag)] += 1
            if after.outcome:
                endings[after.outcome.ending] += 1
    endings[GAME.end(GAME.setup(2, {}, Setup())).outcome.ending] += 1  # type: ignore[union-attr]
    assert set(endings) == {"five-collected", "nobody-moves", "stuck", "ended-by-host"}
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}


@given(moments(), st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_c4_what_undo_recalls_is_true(moment: tuple[World, State], steps: int) -> None:
    world, _ = moment
    seed, seats = world.rng.randint(0, 10_000), world.seats
    trail, hands = [], []
    for after_world, step in match(seats, seed, dict(world.options)):
        trail.append(step)
        hands.append({seat: set(hand) for seat, hand in after_world.hands.items()})
    at = max(1, len(trail) - steps - seed % 50)
    undone = tuple((action, facts) for _, action, facts, _ in trail[at : at + steps])
    then = GAME.recall(trail[at][0], undone)
    assert GAME.audit(then) == ()
    for seat, player in enumerate(then.players, 1):
        assert player.hand.known <= hands[at - 1][seat]
        assert player.hand.known >= trail[at][0].players[seat - 1].hand.known


@given(moments(), st.data())
@settings(max_examples=60, deadline=None)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(moment: Any, data: st.DataObject) -> None:
    _, state = moment
    places = [
        "deck",
        "discard",
        "used",
        *(f"{area}.{n}" for area in ("hand", "collection", "goal") for n in state.seats),
    ]
    edit = st.one_of(
        st.builds(Lies, st.sampled_from(PIECES), st.sampled_from(places)),
        st.builds(Counts, st.sampled_from(places), st.integers(0, 9)),
        st.builds(Turns, st.integers(0, 9)),
    )
    edits = tuple(data.draw(st.lists(edit, max_size=3)))
    refused: Verdict | None = None
    try:
        after = GAME.correct(state, edits)
    except RuleError as error:
        refused, after = error.verdict, state
    assert refused is None or (refused.kind == "inconsistent" and refused.reason and refused.remedy)
    assert GAME.audit(after) == ()
    assert all(isinstance(one, AnyAction) for one in GAME.legal(after))


@given(moments())
@settings(max_examples=40, deadline=None)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(moment: tuple[World, State]) -> None:
    _, state = moment
    for seat in (0, *state.seats):
        view = GAME.view(state, seat)
        offered = [action for one in view.may for action in one.actions]
        due = [one for one in GAME.legal(state) if one.seat == seat and seat]
        assert sorted(map(repr, offered)) == sorted(map(repr, due))
        assert all(action.card.owner == seat for action in offered if isinstance(getattr(action, "card", ""), Hole))
        msgspec.json.encode(view)
    tacit = GAME.tacit(state)
    assert tacit is None or GAME.judge(state, tacit).ok
