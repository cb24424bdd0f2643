"""Karmic Collections: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.karmic_collections.card_actions import Conceal, Draw, Give, KeepOpen, Take, TakeBlind
from companion.games.karmic_collections.choosing import First, Partner, Second, TurnUp
from companion.games.karmic_collections.dice_actions import GiveDie, TakeDie
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.setup import Deal, Lot, Roll
from companion.games.karmic_collections.spaces import SPACES
from companion.games.karmic_collections.state import Player, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.kernel import Counts, Lies, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import MATCHES, Played, Step
from tests.games.karmic_collections.situations import COMPONENTS, GAME
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def match(seats: int, seed: int, sensible: bool = False) -> Iterator[tuple[World, Step]]:
    return always.match(GAME, seats, seed, {}, sensible)


def known(player: Player) -> frozenset[str]:
    return player.hand


def due(state: State) -> str:
    return f"{state.phase} {sorted({str(action.__struct_config__.tag) for action in GAME.legal(state)})}"


PLAYED = always.matches(GAME, (2, 6), by=due)
MOMENTS = always.moments(PLAYED)


def everything(state: State, actor: int) -> Iterator[KarmicAction]:
    """Yield all ground actions that this actor could name; of the cards to conceal, all small groups of one hand."""
    for piece in PIECES:
        yield Take(seat=actor, card=piece)
        yield Give(seat=actor, card=piece)
    for other in (0, *state.seats, 9):
        yield Deal(seat=actor, player=other)
        yield Partner(seat=actor, partner=other)
    for space in (*SPACES, "rest"):
        yield First(seat=actor, space=space)
        yield Second(seat=actor, space=space)
    for value in range(8):
        yield TakeDie(seat=actor, value=value)
        yield GiveDie(seat=actor, value=value)
    hand = sorted(state.players[state.partner - 1].hand) if state.partner else PIECES[:4]
    for size in range(4):
        yield from (Conceal(seat=actor, cards=cards) for cards in combinations(hand[:12], size))
    yield from (kind(seat=actor) for kind in (Roll, Lot, TurnUp, Draw, KeepOpen, TakeBlind, EndTurn))


@given(MOMENTS)
@settings(max_examples=30)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(state: State) -> None:
    for actor in {0, *state.seats[:2], state.turn, state.partner, 9}:
        always.legal_means_filling_a_template(GAME, state, everything(state, actor))


@given(MOMENTS)
@settings(max_examples=20)
def test_every_template_can_be_played(state: State) -> None:
    always.every_template_can_be_played(GAME, state)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_the_deck_behind_them(seats: int, sensible: bool) -> None:
    always.a_match_is_true_to_its_world(GAME, match(seats, 7 * seats, sensible), known, piles_unseen=False)


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_and_every_kind_of_action_happens(matches: int) -> None:
    """No card, coin, die or chit is ever lost; whoever plays, the match ends."""
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    spaces: Counter[str] = Counter()
    for seed in range(matches):
        for _, (before, action, _, after) in match(2 + seed % 5, seed, seed % 2 == 0):
            kinds[str(action.__struct_config__.tag)] += 1
            if isinstance(action, First | Second):
                spaces[action.space] += 1
            assert GAME.audit(after) == ()
            assert sum(player.chits for player in after.players) == 3 * len(after.players)
            assert before.outcome is None
            if after.outcome:
                endings[after.outcome.ending] += 1
                scores = [seat.score for seat in GAME.standing(after).seats]
                assert max(scores) >= COMPONENTS.goal
                assert all(scores[winner - 1] == max(scores) for winner in after.outcome.winners)
    assert endings == {"goal": matches}
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}
    assert set(spaces) == set(SPACES)


def test_the_hands_of_random_matches_fit_the_places_of_the_mat() -> None:
    """There are 18; with nine points a hand could have 19 cards at most, so this is not certain, only usual."""
    hands = [player.hand for seed in range(40) for _, (*_, after) in match(2, seed) for player in after.players]
    assert max(map(len, hands)) <= 18


@given(PLAYED, st.integers(0, 80), st.integers(1, 40))
@settings(max_examples=15)
def test_c4_what_undo_recalls_is_true(played: Played, back: int, steps: int) -> None:
    always.what_undo_recalls_is_true(GAME, played, max(1, len(played.steps) - back), steps, known)


@given(MOMENTS, st.data())
@settings(max_examples=60)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(state: State, data: st.DataObject) -> None:
    areas = ("hand", "tokens", "paired", "partner", "coins", "chits", "dice")
    places = ["deck", *SPACES, *(f"{area}.{n}" for area in areas for n in state.seats), "dice.1.6", "dice.2.3"]
    edit = st.one_of(
        st.builds(Lies, st.sampled_from(PIECES), st.sampled_from(places)),
        st.builds(Counts, st.sampled_from(places), st.integers(0, 9)),
        st.builds(Turns, st.integers(0, 9)),
    )
    edits = tuple(data.draw(st.lists(edit, max_size=3)))
    always.a_correction_holds_or_is_refused(GAME, state, edits)


@given(MOMENTS)
@settings(max_examples=20)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(state: State) -> None:
    always.views_say_what_legal_says(GAME, state)
    always.silence_and_ends_are_legal(GAME, state)
    assert GAME.timed(state) is None
    assert GAME.legal(state) or not GAME.actors(state), "somebody who is due can always do something"
