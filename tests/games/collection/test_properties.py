"""COLLECTION!: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.collection.board import met
from companion.games.collection.cards import Choose, Draw, Pass, PlayCard
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.reports import UseReport
from companion.games.collection.rolling import Roll
from companion.games.collection.setup import OpenScenario, Start, TakeRole
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, Player, State
from companion.rules.kernel import Counts, Lies, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import MATCHES, Played, Step
from tests.games.collection.situations import COMPONENTS, GAME
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def match(seats: int, seed: int, sensible: bool = False) -> Iterator[tuple[World, Step]]:
    return always.match(GAME, seats, seed, {}, sensible)


def known(player: Player) -> frozenset[str]:
    return frozenset(player.hand)


PLAYED = always.matches(GAME, (3, 7))
MOMENTS = always.moments(PLAYED)


def everything(seats: tuple[int, ...], actor: int) -> Iterator[Any]:
    """Yield all ground actions that this actor could name."""
    yield from (PlayCard(seat=actor, card=piece) for piece in PIECES)
    yield from (TakeRole(seat=actor, role=role) for role in (*COMPONENTS.roles, "spy", ""))
    yield from (UseReport(seat=actor, use=use) for use in ("circle", "crisis", ""))
    for letter in (*SCENARIOS, "all", "D", ""):
        yield OpenScenario(seat=actor, scenario=letter)
        for name in (*COLLECTORS, "CIA", ""):
            yield Move(seat=actor, scenario=letter, collector=name)
            yield from (Choose(seat=actor, scenario=letter, collector=name, colour=colour) for colour in (*COLOURS, ""))
    yield from (Start(seat=actor, collector=name) for name in (*COLLECTORS, "CIA"))
    for colour in (*COLOURS, "blue", ""):
        yield Engage(seat=actor, colour=colour)
        yield Roll(seat=actor, colour=colour)
    yield from (Draw(seat=actor), Pass(seat=actor))


@given(MOMENTS)
@settings(max_examples=30)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(state: State) -> None:
    for actor in (0, *state.seats, 9):
        always.legal_means_filling_a_template(GAME, state, everything(state.seats, actor))


@given(MOMENTS)
@settings(max_examples=25)
def test_every_template_can_be_played(state: State) -> None:
    always.every_template_can_be_played(GAME, state)


@pytest.mark.parametrize("seats", range(3, 8))
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_their_decks(seats: int, sensible: bool) -> None:
    played = match(seats, 7 * seats, sensible)
    always.a_match_is_true_to_its_world(GAME, played, known, piles_unseen=False)


def ladders_only_move_as_the_rules_say(before: State, action: Any, after: State) -> None:
    """No circle loses a report, no gem goes but by a card, a completed circle stays complete."""
    for was, then in zip(before.scenarios, after.scenarios, strict=True):
        assert all(a <= b for a, b in zip(was.reports, then.reports, strict=True))
        assert not met(COMPONENTS, was) or met(COMPONENTS, then)
        assert 0 <= then.crisis <= 10
        if not isinstance(action, Draw | PlayCard | Choose):
            assert all(a <= b for x, y in zip(was.gems, then.gems, strict=True) for a, b in zip(x, y, strict=True))
            assert then.crisis <= max(was.crisis, 1)


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_in_every_way_and_every_kind_of_action_happens(matches: int) -> None:
    """No card is ever lost; whoever plays, the match ends."""
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(matches):
        sensible = seed % 4 == 0
        for _, (before, action, _, after) in match(3 + seed % 5, seed, sensible):
            kinds[str(action.__struct_config__.tag)] += 1
            assert GAME.audit(after) == ()
            ladders_only_move_as_the_rules_say(before, action, after)
            if after.outcome:
                endings[after.outcome.ending] += 1
    assert endings["victory"] + endings["defeat"] == matches
    assert endings["victory"] > matches / 20
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}


@given(MOMENTS, st.data())
@settings(max_examples=40)
def test_c8_a_correction_keeps_every_piece_in_one_place_or_is_refused(state: State, data: st.DataObject) -> None:
    low = [letter.lower() for letter in SCENARIOS]
    places = ["deck", "discard", "supply", "actions", "scenarios", *(f"cards.{n}" for n in (*state.seats, 9))]
    places += [f"{what}-{letter}-{n}" for what in ("crisis", "response") for letter in low for n in (0, 1, 5, 10, 11)]
    places += [f"space-{letter}-{name.lower()}" for letter in low for name in COLLECTORS[:3]]
    places += [f"scenario-{letter}" for letter in low] + [f"reports-{letter}-military" for letter in low]
    places += [f"gems-{letter}-{name.lower()}-political" for letter in low for name in COLLECTORS[:2]]
    edit = st.one_of(
        st.builds(Lies, st.sampled_from(PIECES), st.sampled_from(places)),
        st.builds(Counts, st.sampled_from(places), st.integers(-1, 9)),
        st.builds(Turns, st.integers(0, 9)),
    )
    edits = tuple(data.draw(st.lists(edit, max_size=3)))
    always.a_correction_holds_or_is_refused(GAME, state, edits)


@given(MOMENTS)
@settings(max_examples=20)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(state: State) -> None:
    always.views_say_what_legal_says(GAME, state)
    always.silence_and_ends_are_legal(GAME, state)


@given(PLAYED, st.integers(0, 80), st.integers(1, 40))
@settings(max_examples=15)
def test_c4_what_undo_recalls_is_true(played: Played, back: int, steps: int) -> None:
    always.what_undo_recalls_is_true(GAME, played, max(1, len(played.steps) - back), steps, known)
