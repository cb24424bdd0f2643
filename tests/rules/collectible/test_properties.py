"""Collectible: what is true in every state of every match, whatever people do."""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.collectible import (
    AnyAction,
    Bid,
    Close,
    Discard,
    Draw,
    Look,
    NoBid,
    Open,
    Pass,
    PlayCharacter,
    Reveal,
    Roll,
    Sell,
    Send,
    Show,
    State,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.rules.kernel import Counts, Facts, Hole, Lies, RuleError, Turns, Verdict, fits, holes
from companion.sim.collectible_world import CollectibleWorld
from companion.sim.robots import choose
from tests.rules.collectible.situations import GAME

Step = tuple[State, AnyAction, Facts, State]
PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]
MATCHES = int(os.environ.get("COMPANION_MATCHES", "240"))
"""How many random matches; 10,000 in a long run."""


def match(
    seats: int, seed: int, options: dict[str, int], sensible: bool = False
) -> Iterator[tuple[CollectibleWorld, Step]]:
    """Play a match against real galleries: sensibly, or anything that the table can't tell to be wrong."""
    rng = random.Random(seed)
    world = CollectibleWorld(GAME, seats, options, rng)
    state = GAME.setup(seats, options, world.setup())
    world.deal(state)
    while GAME.actors(state):
        if sensible:
            action: Any = choose(GAME, state, world, rng)
        else:
            # Kinds first, then cards: else every match is full of moves, and what is rare stays rare.
            kinds: dict[type, list[Any]] = defaultdict(list)
            for template in GAME.legal(state):
                kinds[type(template)] += world.really(state, template)
            action = rng.choice(rng.choice([some for some in kinds.values() if some]))
        facts = world.facts(state, action)
        after = GAME.play(state, action, facts)
        world.apply(state, action, after)
        yield world, (state, action, facts, after)
        state = after


def chances(seed: int) -> dict[str, int]:
    """Vary the options of random matches, which without rounds might never end."""
    return {"rounds": 3 + seed % 5, "auction": seed % 4, "gallery": 3 + seed % 3, "coins": 4 + seed % 17}


@st.composite
def moments(draw: st.DrawFn) -> tuple[CollectibleWorld, State]:
    """Draw a state out of a match, with the world it was played in; rare phases come as often as common ones."""
    seats, seed, pick = draw(st.integers(2, 6)), draw(st.integers(0, 10_000)), draw(st.integers(0, 999))
    worlds: list[tuple[CollectibleWorld, State]] = []
    phases: dict[str, list[int]] = defaultdict(list)
    for world, (_, _, _, after) in match(seats, seed, chances(seed)):
        phases[after.phase].append(len(worlds))
        worlds.append((world, after))
    return worlds[(some := phases[draw(st.sampled_from(sorted(phases)))])[pick * len(some) // 1000]]


def everything(seats: tuple[int, ...], actor: int) -> Iterator[AnyAction]:
    """Yield all ground actions that this actor could name."""
    for piece in PIECES:
        for kind in (Open, Sell, Send, TakeBack, Discard, PlayCharacter, Close):
            yield kind(seat=actor, card=piece)
    for other in (0, *seats, 9):
        yield Swap(seat=actor, partner=other)
        yield Look(seat=actor, partner=other)
        yield TurnUp(seat=actor, player=other)
        yield Show(seat=actor, player=other)
    yield from (Bid(seat=actor, amount=amount) for amount in (-1, 0, 1, 2, 3, 5, 8, 13, 20, 21, 30, 99))
    yield from (kind(seat=actor) for kind in (Draw, NoBid, Roll, Reveal, Pass))


@given(moments())
@settings(max_examples=60, deadline=None)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(moment: tuple[CollectibleWorld, State]) -> None:
    _, state = moment
    templates = defaultdict(list)
    for template in GAME.legal(state):
        templates[type(template)].append(template)
    for actor in (0, *state.seats[:3], 9):
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
@settings(max_examples=30, deadline=None)
def test_every_template_can_be_played_with_every_card_of_its_holes(moment: tuple[CollectibleWorld, State]) -> None:
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
            assert GAME.tell(state, action).endswith(".")
    assert msgspec.msgpack.encode(state) == before, "an earlier state was changed"


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_the_galleries_behind_them(seats: int, sensible: bool) -> None:
    records, first = [], None
    for world, (before, action, facts, after) in match(seats, 7 * seats, {} if sensible else chances(seats), sensible):
        first = first or before
        records.append((action, facts, after))
        assert GAME.audit(after) == ()
        for seat, player in enumerate(after.players, 1):
            real = set(world.hands[seat])
            assert player.gallery.known <= real
            assert real - player.gallery.known <= after.unseen
        assert [need.place for need in GAME.needs(before, action)] == [fact.place for fact in facts]
    assert first is not None
    state = first
    for action, facts, after in records:
        assert GAME.judge(state, action).ok
        back, said = msgspec.json.decode(msgspec.json.encode((action, facts)), type=tuple[AnyAction, Facts])
        assert (back, said) == (action, facts)
        state = GAME.play(state, back, said)
        assert state == after
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    assert GAME.standing(state).outcome is state.outcome is not None


def test_random_matches_end_in_every_way_and_every_kind_of_action_happens() -> None:
    """No card and no coin is ever lost; whoever plays, the match ends."""
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(MATCHES):
        sensible = seed % 2 == 0
        for _, (_, action, _, after) in match(2 + seed % 5, seed, {} if sensible else chances(seed), sensible):
            kinds[str(action.__struct_config__.tag)] += 1
            assert GAME.audit(after) == ()
            if after.outcome:
                endings[after.outcome.ending] += 1
    assert endings["revealed"] + endings["rounds"] == MATCHES
    assert min(endings.values()) > MATCHES / 10
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}


def test_auctions_are_contested() -> None:
    bids: list[int] = []
    for seed in range(12):
        for _, (before, _, _, after) in match(4, seed, {}, sensible=True):
            if before.block is not None and after.block is None:
                bids.append(len({bid.seat for bid in before.block.auction.bids}))
    assert len(bids) > 12
    assert sum(count > 1 for count in bids) > len(bids) / 3


@given(moments(), st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_c4_what_undo_recalls_is_true(moment: tuple[CollectibleWorld, State], steps: int) -> None:
    world, _ = moment
    seed, seats = world.rng.randint(0, 10_000), world.seats
    trail, hands = [], []
    for after_world, step in match(seats, seed, dict(world.options)):
        trail.append(step)
        hands.append({seat: set(hand) for seat, hand in after_world.hands.items()})
    at = max(1, len(trail) - steps - seed % 50)
    undone = tuple((action, facts) for _, action, facts, _ in trail[at : at + steps])
    if not undone:
        return
    then = GAME.recall(trail[at][0], undone)
    assert GAME.audit(then) == ()
    for seat, player in enumerate(then.players, 1):
        assert player.gallery.known <= hands[at - 1][seat]
        assert player.gallery.known >= trail[at][0].players[seat - 1].gallery.known


@given(moments(), st.data())
@settings(max_examples=80, deadline=None)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(moment: Any, data: st.DataObject) -> None:
    _, state = moment
    areas = ("hand", "auction", "stage", "reveal", "coins")
    places = ["deck", "discard", "traded", "phantom", "block", *(f"{a}.{n}" for a in areas for n in state.seats)]
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
    for action in GAME.legal(after):
        if not holes(action) and not GAME.needs(after, action):
            assert GAME.audit(GAME.play(after, action)) == ()


@given(moments())
@settings(max_examples=30, deadline=None)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(moment: tuple[CollectibleWorld, State]) -> None:
    _, state = moment
    for seat in (0, *state.seats):
        view = GAME.view(state, seat)
        offered = [action for one in view.may for action in one.actions]
        due = [one for one in GAME.legal(state) if one.seat == seat and seat]
        assert sorted(map(repr, offered)) == sorted(map(repr, due))
        cards = [getattr(action, "card", None) for action in offered]
        assert all(card.owner == seat for card in cards if isinstance(card, Hole))
        assert all(one.verdict.ok == bool(one.actions) for one in view.may)
        msgspec.json.encode(view)
    tacit = GAME.tacit(state)
    assert tacit is None or GAME.judge(state, tacit).ok
    timed = GAME.timed(state)
    assert (timed is not None) == (state.phase == "bidding")
    for lapse in timed.lapses if timed else ():
        assert GAME.judge(state, lapse).ok
    assert GAME.audit(GAME.end(state)) == ()
    assert GAME.actors(GAME.end(state)) == ()
