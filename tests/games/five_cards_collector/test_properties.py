"""Five Cards Collector: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hypothesis import strategies as st

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import Player, Setup, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.kernel import AnyEdit
from tests.games.always import match
from tests.games.five_cards_collector.situations import GAME
from tests.games.properties import Examples, Properties, edits_of, tallied
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


class TestFiveCardsCollector(Properties):
    """Anything takes in a false claim to be stuck, and another card after a draw than the drawn one."""

    game = GAME
    seats = (2, 8)
    examples = Examples(legal=15, templates=25, undo=20, corrections=30, views=25)
    whole = (2, 5, *at_night(3, 4, 6, 7, 8))
    piles_unseen = True

    @staticmethod
    def options(seats: int, seed: int) -> dict[str, int]:
        return {"hand_limit": 7 + seed % 2 * 2} if seats == 2 else {}

    @staticmethod
    def known(player: Player) -> frozenset[str]:
        return player.hand.known

    @staticmethod
    def asked(state: State) -> Iterable[int]:
        return (0, state.turn, next(seat for seat in state.seats if seat != state.turn))

    @staticmethod
    def everything(state: State, actor: int) -> Iterator[FiveCardsAction]:
        """Yield all ground actions that this actor could name."""
        for piece in PIECES:
            yield Add(seat=actor, card=piece)
            yield Discard(seat=actor, card=piece)
            yield Use(seat=actor, card=piece)
            yield Retrieve(seat=actor, card=piece)
            for owner in (0, *state.seats):
                yield TakeOver(seat=actor, card=piece, from_seat=owner, to="own")
                yield TakeOver(seat=actor, card=piece, from_seat=owner, to="discard")
        for other in (0, *state.seats, 9):
            yield Take(seat=actor, victim=other)
            yield DrawGoal(seat=actor, player=other)
        yield from (kind(seat=actor) for kind in (TurnUp, Draw, Keep, Nothing, Stuck))

    @staticmethod
    def edits(state: State) -> st.SearchStrategy[AnyEdit]:
        areas = ("hand", "collection", "goal")
        return edits_of(PIECES, ["deck", "discard", "used", *(f"{area}.{n}" for area in areas for n in state.seats)])


def test_matches_end_in_every_way_and_every_kind_of_action_happens() -> None:
    endings = tallied(GAME, (match(GAME, 2 + n % 3, n, {}, n % 4 == 0) for n in range(16)))
    endings[GAME.end(GAME.setup(2, {}, Setup())).outcome.ending] += 1  # type: ignore[union-attr]
    assert set(endings) == {"five-collected", "nobody-moves", "stuck", "ended-by-host"}
