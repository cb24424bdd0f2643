"""Five Cards Collector: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import Player, Setup, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.kernel import Counts, Lies, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import Played, Step
from tests.games.five_cards_collector.situations import GAME
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def match(seats: int, seed: int, options: dict[str, int], sensible: bool = False) -> Iterator[tuple[World, Step]]:
    """Play a match; anything takes in a false claim to be stuck, and another card after a draw than the drawn one."""
    return always.match(GAME, seats, seed, options, sensible)


def known(player: Player) -> frozenset[str]:
    return player.hand.known


def limits(seats: int, seed: int) -> dict[str, int]:
    return {"hand_limit": 7 + seed % 2 * 2} if seats == 2 else {}


PLAYED = always.matches(GAME, (2, 8), limits)
MOMENTS = always.moments(PLAYED)


def everything(seats: tuple[int, ...], actor: int) -> Iterator[FiveCardsAction]:
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
    yield from (kind(seat=actor) for kind in (TurnUp, Draw, Keep, Nothing, Stuck))


@given(MOMENTS)
@settings(max_examples=15)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(state: State) -> None:
    others = [seat for seat in state.seats if seat != state.turn]
    for actor in (0, state.turn, others[0]):
        always.legal_means_filling_a_template(GAME, state, everything(state.seats, actor))


@given(MOMENTS)
@settings(max_examples=25)
def test_every_template_can_be_played_with_every_card_of_its_holes(state: State) -> None:
    always.every_template_can_be_played(GAME, state)


@pytest.mark.parametrize("seats", [2, 5, *at_night(3, 4, 6, 7, 8)])
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_the_hands_behind_them(seats: int, sensible: bool) -> None:
    always.a_match_is_true_to_its_world(GAME, match(seats, 7 * seats, {}, sensible), known)


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


@given(PLAYED, st.integers(0, 80), st.integers(1, 40))
@settings(max_examples=20)
def test_c4_what_undo_recalls_is_true(played: Played, back: int, steps: int) -> None:
    always.what_undo_recalls_is_true(GAME, played, max(1, len(played.steps) - back), steps, known)


@given(MOMENTS, st.data())
@settings(max_examples=30)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(state: State, data: st.DataObject) -> None:
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
    always.a_correction_holds_or_is_refused(GAME, state, edits)


@given(MOMENTS)
@settings(max_examples=25)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(state: State) -> None:
    always.views_say_what_legal_says(GAME, state)
    always.silence_and_ends_are_legal(GAME, state)
