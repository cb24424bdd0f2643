"""Collectible: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
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
from companion.rules.kernel import AnyEdit
from tests.games.always import MATCHES, match
from tests.games.collectible.situations import GAME
from tests.games.properties import Examples, Properties, edits_of, tallied
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


def chances(seed: int) -> dict[str, int]:
    """Return the options of random matches, which without rounds might never end."""
    return {"rounds": 3 + seed % 5, "auction": seed % 4, "gallery": 3 + seed % 3, "coins": 4 + seed % 17}


class TestCollectible(Properties):
    game = GAME
    seats = (2, 6)
    examples = Examples(legal=30, templates=20, undo=20, corrections=40, views=20)
    whole = range(2, 7)

    options = staticmethod(lambda seats, seed: chances(seed))

    @staticmethod
    def options_of_whole(seats: int, seed: int, sensible: bool) -> dict[str, int]:
        return {} if sensible else chances(seats)

    @staticmethod
    def known(player: Player) -> frozenset[str]:
        return player.gallery.known

    @staticmethod
    def asked(state: State) -> Iterable[int]:
        return (0, *state.seats[:3], 9)

    @staticmethod
    def everything(state: State, actor: int) -> Iterator[CollectibleAction]:
        """Yield all ground actions that this actor could name."""
        for piece in PIECES:
            for kind in (Open, Sell, Send, TakeBack, Discard, PlayCharacter, Close):
                yield kind(seat=actor, card=piece)
        for other in (0, *state.seats, 9):
            yield Swap(seat=actor, partner=other)
            yield Look(seat=actor, partner=other)
            yield TurnUp(seat=actor, player=other)
            yield Show(seat=actor, player=other)
        yield from (Bid(seat=actor, amount=amount) for amount in (-1, 0, 1, 2, 3, 5, 8, 13, 20, 21, 30, 99))
        yield from (kind(seat=actor) for kind in (Draw, NoBid, Roll, Reveal, Pass, Done))

    @staticmethod
    def edits(state: State) -> st.SearchStrategy[AnyEdit]:
        areas = ("hand", "auction", "stage", "reveal", "coins")
        places = ["deck", "discard", "traded", "phantom", "block", *(f"{a}.{n}" for a in areas for n in state.seats)]
        return edits_of(PIECES, places)

    def also(self, state: State) -> None:
        assert (GAME.timed(state) is not None) == (state.phase == "bidding")


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_in_every_way_and_every_kind_of_action_happens(matches: int) -> None:
    """No card and no coin is ever lost; whoever plays, the match ends."""
    played = (match(GAME, 2 + n % 5, n, {} if n % 2 == 0 else chances(n), n % 2 == 0) for n in range(matches))
    endings = tallied(GAME, played)
    assert endings["revealed"] + endings["rounds"] == matches
    assert min(endings.values()) > matches / 10


def test_auctions_are_contested() -> None:
    bids: list[int] = []
    for seed in range(12):
        for _, (before, _, _, after) in match(GAME, 4, seed, {}, sensible=True):
            if before.block is not None and after.block is None:
                bids.append(len({bid.seat for bid in before.block.auction.bids}))
    assert len(bids) > 12
    assert sum(count > 1 for count in bids) > len(bids) / 3
