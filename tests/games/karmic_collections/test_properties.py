"""Karmic Collections: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from hypothesis import strategies as st

from companion.games.karmic_collections.card_actions import Conceal, Draw, Give, KeepOpen, Take, TakeBlind
from companion.games.karmic_collections.choosing import First, Partner, Second, TurnUp
from companion.games.karmic_collections.dice_actions import GiveDie, TakeDie
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.setup import Deal, Lot, Roll
from companion.games.karmic_collections.spaces import SPACES
from companion.games.karmic_collections.state import Player, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.kernel import AnyEdit
from tests.games.always import MATCHES, match
from tests.games.karmic_collections.situations import COMPONENTS, GAME
from tests.games.properties import Examples, Properties, edits_of, tallied
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


class TestKarmicCollections(Properties):
    game = GAME
    seats = (2, 6)
    examples = Examples(legal=30, templates=20, undo=15, corrections=60, views=20)
    whole = range(2, 7)

    @staticmethod
    def due(state: State) -> str:
        return f"{state.phase} {sorted({str(action.__struct_config__.tag) for action in GAME.legal(state)})}"

    @staticmethod
    def known(player: Player) -> frozenset[str]:
        return player.hand

    @staticmethod
    def asked(state: State) -> Iterable[int]:
        return {0, *state.seats[:2], state.turn, state.partner, 9}

    @staticmethod
    def everything(state: State, actor: int) -> Iterator[KarmicAction]:
        """Yield all ground actions that a seat could name; of the cards to conceal, all small groups of one hand."""
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

    @staticmethod
    def edits(state: State) -> st.SearchStrategy[AnyEdit]:
        areas = ("hand", "tokens", "paired", "partner", "coins", "chits", "dice")
        places = ["deck", *SPACES, *(f"{area}.{n}" for area in areas for n in state.seats), "dice.1.6", "dice.2.3"]
        return edits_of(PIECES, places)

    def also(self, state: State) -> None:
        assert GAME.timed(state) is None


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_and_every_kind_of_action_happens(matches: int) -> None:
    """No card, coin, die or chit is ever lost; whoever plays, the match ends."""
    spaces: Counter[str] = Counter()

    def look(before: State, action: KarmicAction, after: State) -> None:
        if isinstance(action, First | Second):
            spaces[action.space] += 1
        assert sum(player.chits for player in after.players) == 3 * len(after.players)
        assert before.outcome is None
        if after.outcome:
            scores = [seat.score for seat in GAME.standing(after).seats]
            assert max(scores) >= COMPONENTS.goal
            assert all(scores[winner - 1] == max(scores) for winner in after.outcome.winners)

    played = (match(GAME, 2 + n % 5, n, {}, n % 2 == 0) for n in range(matches))
    assert tallied(GAME, played, look) == {"goal": matches}
    assert set(spaces) == set(SPACES)


def test_the_hands_of_random_matches_fit_the_places_of_the_mat() -> None:
    """There are 18; with nine points a hand could have 19 cards at most, so this is not certain, only usual."""
    hands = [
        player.hand for seed in range(40) for _, (*_, after) in match(GAME, 2, seed, {}) for player in after.players
    ]
    assert max(map(len, hands)) <= 18
