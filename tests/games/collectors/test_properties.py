"""Collectors: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.collectors.actions import Buy, Gain, GetSkill, RaiseValue, TakeBack
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.components import SPACES
from companion.games.collectors.paying import FACE_UP, CantPay, PayCard, PayCoins, Put
from companion.games.collectors.quarter import Fill, Flow, Retrieve
from companion.games.collectors.scoring import Reveal
from companion.games.collectors.setup import Hide
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import Player, Setup, State
from companion.games.collectors.steps import CollectorsAction
from companion.rules.kernel import Counts, Instead, Lies, RuleError, Turns
from companion.sim.world import World
from tests.games import always
from tests.games.always import Played, Step
from tests.games.collectors.situations import COMPONENTS, GAME
from tests.nights import at_night

CARDS = ["", "?", "ZZZ", *sorted(COMPONENTS.pieces)[::3]]
BOTTLES = ["", *(piece for tokens in COMPONENTS.bottles.values() for piece in tokens)]


def match(seats: int, seed: int, options: dict[str, int], sensible: bool = False) -> Iterator[tuple[World, Step]]:
    return always.match(GAME, seats, seed, options, sensible)


def known(player: Player) -> frozenset[str]:
    return player.hand.known


PLAYED = always.matches(GAME, (2, 4), lambda seats, seed: {"bottles": seed % 2})
MOMENTS = always.moments(PLAYED)


def everything(state: State, actor: int) -> Iterator[CollectorsAction]:
    """Yield ground actions that this actor could name: all that matter, and many that don't."""
    named = {*CARDS, *state.item_pool, *state.skill_pool, *state.auction_pool, *state.market, *state.paid, state.lot}
    for piece in sorted(named):
        for kind in (Buy, GetSkill, RaiseValue, Offer, PayCard, Reveal):
            yield kind(seat=actor, card=piece)
        for role in (*FACE_UP, "secret"):
            yield Put(seat=actor, role=role, card=piece)  # type: ignore[arg-type]
    for bottle in BOTTLES:
        yield from (Place(seat=actor, space=space, bottle=bottle) for space in (*SPACES, "buy-9"))
        yield from (Retrieve(seat=actor, bottle=bottle, position=n) for n in range(7))
        yield Gain(seat=actor, bottle=bottle)
    yield from (MakeBid(seat=actor, amount=n) for n in range(-1, 40))
    yield from (Fill(seat=actor, slot=slot) for slot in ("paid", *(f"item-pool-{n}" for n in range(6)), *state.due))
    yield from (kind(seat=actor) for kind in (Hide, TakeBack, PassBid, PayCoins, CantPay, Flow))


@given(MOMENTS)
@settings(max_examples=20)
def test_a_ground_action_is_legal_if_and_only_if_it_fills_a_template(state: State) -> None:
    whose = GAME.actors(state)
    others = [seat for seat in state.seats if seat not in whose]
    for actor in {0, 9, *whose[:1], *others[:1]}:
        always.legal_means_filling_a_template(GAME, state, everything(state, actor))


@given(MOMENTS)
@settings(max_examples=25)
def test_every_template_can_be_played_with_every_card_of_its_holes(state: State) -> None:
    always.every_template_can_be_played(GAME, state, stride=4)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("sensible", [True, False])
@pytest.mark.parametrize("bottles", [0, 1])
def test_whole_matches_are_true_to_the_hands_behind_them(seats: int, sensible: bool, bottles: int) -> None:
    played = match(seats, 7 * seats + bottles, {"bottles": bottles}, sensible)
    always.a_match_is_true_to_its_world(GAME, played, known)


def expected_coins(before: State, action: CollectorsAction, after: State) -> list[int]:
    """Return the coins of all, counted apart from the rules: seals, skills, prices, bids, income."""
    coins = [player.coins for player in before.players]
    me = action.seat - 1
    skills = [[COMPONENTS.skill[card] for card in player.skills] for player in before.players]
    if isinstance(action, Place):
        coins[me] += COMPONENTS.seal(action.space, before.quarter).coins
        if action.space.startswith("auction"):
            coins = [amount + mine.count("auction-income") for amount, mine in zip(coins, skills, strict=True)]
        elif "-" not in action.space:
            coins[me] += 2 * skills[me].count("work-income")
    elif isinstance(action, Buy):
        coins[me] -= [COMPONENTS.symbol[card] for card in before.market].count(COMPONENTS.item[str(action.card)])
    elif isinstance(action, TakeBack):
        coins[me] -= COMPONENTS.seal(before.space, before.quarter).coins
    elif isinstance(action, PayCoins):
        coins[me] -= before.price - sum(COMPONENTS.cash[card] for card in before.laid)
    if after.quarter > before.quarter or (after.phase in ("reveal", "over") and before.phase not in ("reveal", "over")):
        for seat, player in enumerate(after.players):
            covered = player.bottles
            coins[seat] += player.income + (0 if "4" in covered else 1) + (0 if "5" in covered else 2)
    return coins


@pytest.mark.parametrize("matches", [40, *at_night(200)])
def test_matches_lose_no_card_and_no_coin_and_play_every_kind_of_action(matches: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(matches):
        for _, (before, action, _, after) in match(2 + seed % 3, seed, {"bottles": seed // 3 % 2}, seed % 4 != 0):
            kinds[str(action.__struct_config__.tag)] += 1
            if after.quarter - before.quarter < 2:
                assert [player.coins for player in after.players] == expected_coins(before, action, after), action
            assert min(player.coins for player in after.players) >= 0
        assert GAME.audit(after) == ()
        assert after.outcome is not None
        assert sum(len(player.bottles) for player in after.players) == 5 * len(after.players)
    assert set(kinds) == {kind.type for kind in GAME.info.kinds}


def test_sensible_collectors_contest_their_auctions() -> None:
    auctions = contested = 0
    for seed in range(12):
        for _, (_, action, _, after) in match(2 + seed % 3, seed, {}, sensible=True):
            auctions += isinstance(action, Offer)
            contested += isinstance(action, MakeBid) and after.auction is not None and len(after.auction.bids) == 2
    assert auctions > 40
    assert contested > auctions / 4


@given(PLAYED, st.integers(1, 7))
@settings(max_examples=16)
def test_c4_what_undo_recalls_is_true(played: Played, first: int) -> None:
    for at in range(first, len(played.steps), 7):
        for steps in (3, 12, 30):
            always.what_undo_recalls_is_true(GAME, played, at, steps, known)


@given(MOMENTS, st.data())
@settings(max_examples=30)
def test_c8_a_correction_keeps_every_card_in_one_place_or_is_refused(state: State, data: st.DataObject) -> None:
    zones = [*GAME.layout(state).zones, "deck", "market", *(f"hand.{seat}" for seat in (*state.seats, 9)), "nowhere"]
    counts = ["deck", "quarter", *(f"{area}.1" for area in ("hand", "coins", "income", "treasure", "skills"))]
    edit = st.one_of(
        st.builds(Lies, st.sampled_from([*CARDS, *BOTTLES]), st.sampled_from(zones)),
        st.builds(Counts, st.sampled_from(counts), st.integers(0, 9)),
        st.builds(Turns, st.integers(0, 5)),
        st.builds(Instead, st.sampled_from(BOTTLES), st.sampled_from([*BOTTLES, *CARDS])),
    )
    edits = tuple(data.draw(st.lists(edit, max_size=3)))
    always.a_correction_holds_or_is_refused(GAME, state, edits)


@given(MOMENTS)
@settings(max_examples=25)
def test_a_view_can_be_made_of_every_state_and_says_what_legal_says(state: State) -> None:
    always.views_say_what_legal_says(GAME, state)
    always.silence_and_ends_are_legal(GAME, state)


def test_two_first_players_are_refused() -> None:
    with pytest.raises(RuleError, match="no seat 5"):
        GAME.setup(3, {}, Setup(first=5))
