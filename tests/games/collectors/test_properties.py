"""Collectors: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
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
from companion.rules.kernel import AnyEdit, Instead, RuleError
from tests.games.always import Played, match
from tests.games.collectors.situations import COMPONENTS, GAME
from tests.games.properties import Examples, Properties, edits_of, tallied
from tests.nights import at_night

CARDS = ["", "?", "ZZZ", *sorted(COMPONENTS.pieces)[::3]]
BOTTLES = ["", *(piece for tokens in COMPONENTS.bottles.values() for piece in tokens)]


class TestCollectors(Properties):
    game = GAME
    seats = (2, 4)
    examples = Examples(legal=20, templates=25, undo=16, corrections=30, views=25)
    whole = (2, 3, 4)
    seeds = (0, 1)
    stride = 4
    piles_unseen = True

    @staticmethod
    def options(seats: int, seed: int) -> dict[str, int]:
        return {"bottles": seed % 2}

    @staticmethod
    def options_of_whole(seats: int, seed: int, sensible: bool) -> dict[str, int]:
        return {"bottles": seed % 2}

    @staticmethod
    def known(player: Player) -> frozenset[str]:
        return player.hand.known

    @staticmethod
    def asked(state: State) -> Iterable[int]:
        whose = GAME.actors(state)
        others = [seat for seat in state.seats if seat not in whose]
        return {0, 9, *whose[:1], *others[:1]}

    @staticmethod
    def everything(state: State, actor: int) -> Iterator[CollectorsAction]:
        """Yield ground actions that this actor could name: all that matter, and many that don't."""
        named = {
            *CARDS,
            *state.item_pool,
            *state.skill_pool,
            *state.auction_pool,
            *state.market,
            *state.paid,
            state.lot,
        }
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

    @staticmethod
    def edits(state: State) -> st.SearchStrategy[AnyEdit]:
        zones = [
            *GAME.layout(state).zones,
            "deck",
            "market",
            *(f"hand.{seat}" for seat in (*state.seats, 9)),
            "nowhere",
        ]
        counts = ["deck", "quarter", *(f"{area}.1" for area in ("hand", "coins", "income", "treasure", "skills"))]
        copies = st.builds(Instead, st.sampled_from(BOTTLES), st.sampled_from([*BOTTLES, *CARDS]))
        return st.one_of(edits_of([*CARDS, *BOTTLES], zones, counts), copies)

    @staticmethod
    def undone(played: Played, data: st.DataObject) -> Iterable[tuple[int, int]]:
        for at in range(data.draw(st.integers(1, 7)), len(played.steps), 7):
            yield from ((at, steps) for steps in (3, 12, 30))


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
    def look(before: State, action: CollectorsAction, after: State) -> None:
        if after.quarter - before.quarter < 2:
            assert [player.coins for player in after.players] == expected_coins(before, action, after), action
        assert min(player.coins for player in after.players) >= 0
        assert not after.outcome or sum(len(player.bottles) for player in after.players) == 5 * len(after.players)

    played = (match(GAME, 2 + n % 3, n, {"bottles": n // 3 % 2}, n % 4 != 0) for n in range(matches))
    rare = frozenset({"take-back"}) if matches < 200 else frozenset()
    assert tallied(GAME, played, look, rare).total() == matches


def test_sensible_collectors_contest_their_auctions() -> None:
    auctions = contested = 0
    for seed in range(12):
        for _, (_, action, _, after) in match(GAME, 2 + seed % 3, seed, {}, sensible=True):
            auctions += isinstance(action, Offer)
            contested += isinstance(action, MakeBid) and after.auction is not None and len(after.auction.bids) == 2
    assert auctions > 40
    assert contested > auctions / 4


def test_two_first_players_are_refused() -> None:
    with pytest.raises(RuleError, match="no seat 5"):
        GAME.setup(3, {}, Setup(first=5))
