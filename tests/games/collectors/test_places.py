"""Every place of the game board is told: what it is for, what it costs, what lies there, whose bottle stands there."""

from __future__ import annotations

from companion.games.collectors.components import SPACES
from companion.rules.kernel import TABLE, BoardPlace
from tests.games.collectors.situations import COMPONENTS, GAME, buys, coins, places, play, situation


def areas(state: object) -> dict[str, tuple[BoardPlace, ...]]:
    """Return the places by area."""
    return {str(area.title): area.places for area in GAME.view(state, TABLE).areas}  # type: ignore[arg-type]


def test_every_space_of_the_board_is_there_with_its_price() -> None:
    told = areas(situation())
    spaces = [
        place for title in ("Buy item", "Gain skill", "Start auction", "Raise value", "Work") for place in told[title]
    ]
    assert len(spaces) == len(SPACES)
    for space, place in zip(SPACES, spaces, strict=True):
        seal = COMPONENTS.seal(space, 1).coins
        assert place.price == ("" if not seal else f"pay ${-seal}" if seal < 0 else f"get ${seal}")
    assert "2 cards go to the market." in told["Raise value"][0].words
    assert "2 cards of your hand become income." in told["Work"][0].words


def test_a_bottle_is_seen_where_it_stands() -> None:
    state = situation(item_pool=("penguin", "", ""))
    after = play(state, places(state, "buy-2"), buys(state.item_pool[0]))
    first, second = areas(after)["Buy item"][:2]
    assert (first.seats, second.seats) == ((), (1,))
    assert "A bottle of @1 stands there." in second.words


def test_an_item_is_told_with_what_is_really_paid_for_it() -> None:
    state = situation(coins=(5, 5), item_pool=("penguin", "", ""), market=("//penguin", "//penguin", "//movie"))
    item, gap, _ = areas(state)["Item pool"]
    after = play(state, places(state, "buy-1"), buys(state.item_pool[0]))
    seal = -COMPONENTS.seal("buy-1", 1).coins
    assert item.price == f"${coins(state)[0] - coins(after)[0] - seal}"
    assert item.pieces == state.item_pool[:1]
    assert (gap.words, gap.pieces, gap.price) == ("Nothing lies there.", (), "")
    penguin, movie = areas(state)["Market pool"][:2]
    assert "costs $2 more, and is worth 2 points" in penguin.words
    assert len(movie.pieces) == 1


def test_the_lowest_card_of_a_pool_is_said_to_be() -> None:
    told = areas(situation(auction_pool=("", "movie", "music", "")))["Auction pool"]
    assert ["It is the lowest." in place.words for place in told] == [False, True, False, False]
