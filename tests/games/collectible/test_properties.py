"""Collectible: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.collectible.auctions import Bid, NoBid, Open
from companion.games.collectible.characters import Close, Look, PlayCharacter, Roll, Swap
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Discard, Done, Send, TakeBack
from companion.games.collectible.setup import TurnUp
from companion.games.collectible.state import Player, State
from companion.games.collectible.steps import CollectibleAction
from companion.games.collectible.two_players import Sell
from companion.rules.kernel import Counts, Lies, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import MATCHES, Played, Step
from tests.games.collectible.situations import GAME
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def match(seats: int, seed: int, options: dict[str, int], sensible: bool = False) -> Iterator[tuple[World, Step]]:
    return always.match(GAME, seats, seed, options, sensible)


def known(player: Player) -> frozenset[str]:
    return player.gallery.known


def chances(seed: int) -> dict[str, int]:
    """Return the options of random matches, which without rounds might never end."""
    return {"rounds": 3 + seed % 5, "auction": seed % 4, "gallery": 3 + seed % 3, "coins": 4 + seed % 17}


PLAYED = always.matches(GAME, (2, 6), lambda seats, seed: chances(seed))
MOMENTS = always.moments(PLAYED)


def everything(seats: tuple[int, ...], actor: int) -> Iterator[CollectibleAction]:
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
    yield from (kind(seat=actor) for kind in (Draw, NoBid, Roll, Reveal, Pass, Done))


@given(MOMENTS)
@settings(max_examples=30)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(state: State) -> None:
    for actor in (0, *state.seats[:3], 9):
        always.legal_means_filling_a_template(GAME, state, everything(state.seats, actor))


@given(MOMENTS)
@settings(max_examples=20)
def test_every_template_can_be_played_with_every_card_of_its_holes(state: State) -> None:
    always.every_template_can_be_played(GAME, state)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("sensible", [True, False])
def test_whole_matches_are_true_to_the_galleries_behind_them(seats: int, sensible: bool) -> None:
    played = match(seats, 7 * seats, {} if sensible else chances(seats), sensible)
    always.a_match_is_true_to_its_world(GAME, played, known, piles_unseen=False)


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_in_every_way_and_every_kind_of_action_happens(matches: int) -> None:
    """No card and no coin is ever lost; whoever plays, the match ends."""
    endings: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(matches):
        sensible = seed % 2 == 0
        for _, (_, action, _, after) in match(2 + seed % 5, seed, {} if sensible else chances(seed), sensible):
            kinds[str(action.__struct_config__.tag)] += 1
            assert GAME.audit(after) == ()
            if after.outcome:
                endings[after.outcome.ending] += 1
    assert endings["revealed"] + endings["rounds"] == matches
    assert min(endings.values()) > matches / 10
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}


def test_auctions_are_contested() -> None:
    bids: list[int] = []
    for seed in range(12):
        for _, (before, _, _, after) in match(4, seed, {}, sensible=True):
            if before.block is not None and after.block is None:
                bids.append(len({bid.seat for bid in before.block.auction.bids}))
    assert len(bids) > 12
    assert sum(count > 1 for count in bids) > len(bids) / 3


@given(PLAYED, st.integers(0, 80), st.integers(1, 40))
@settings(max_examples=20)
def test_c4_what_undo_recalls_is_true(played: Played, back: int, steps: int) -> None:
    always.what_undo_recalls_is_true(GAME, played, max(1, len(played.steps) - back), steps, known)


@given(MOMENTS, st.data())
@settings(max_examples=40)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(state: State, data: st.DataObject) -> None:
    areas = ("hand", "auction", "stage", "reveal", "coins")
    places = ["deck", "discard", "traded", "phantom", "block", *(f"{a}.{n}" for a in areas for n in state.seats)]
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
    assert (GAME.timed(state) is not None) == (state.phase == "bidding")
