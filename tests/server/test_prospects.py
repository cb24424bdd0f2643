"""What a choice would lead to: facts, price and chance that a game adds, and the likeliest first."""

from __future__ import annotations

from typing import Any

from companion.server.places import lines
from tests.server.played import PlayedDesk


def _tap(words: str, percent: int | None) -> dict[str, Any]:
    return {"words": words, "percent": percent, "facts": "", "price": ""}


def test_the_likeliest_stands_first() -> None:
    (row,) = lines([_tap("NSA", 0), _tap("DO", 96), _tap("DH", 64)])
    assert [one["words"] for one in row["taps"]] == ["DO", "DH", "NSA"]


def test_a_move_of_collection_says_what_chance_is_there() -> None:
    desk = PlayedDesk("collection", 4)
    chances: set[bool] = set()
    while chances != {True, False}:
        assert desk.step()
        views = desk.snapshot().views
        moves = [may for seat in desk.due() for may in views[seat].may if may.name == "move"]
        for one in (prospect for may in moves for prospect in may.prospects):
            assert bool(one.chance) == ("level" in one.words)
            chances.add(bool(one.chance))


def test_a_space_of_collectors_is_named_by_what_lies_there_and_costs() -> None:
    desk = PlayedDesk("collectors", 3)
    found: list[Any] = []
    while not found:
        assert desk.step()
        views = desk.snapshot().views
        places = [may for seat in desk.due() for may in views[seat].may if may.name == "place" and may.prospects]
        found = [one for may in places for one in may.prospects if "$" in one.words]
    assert all(one.price for one in found)


def test_a_space_of_collectors_says_what_it_does_before_a_bottle_stands_there() -> None:
    """A price is never the word that also says that nobody stands there, and the quarter tile takes cards."""
    desk = PlayedDesk("collectors", 3)
    places: list[Any] = []
    while not places:
        assert desk.step()
        views = desk.snapshot().views
        places = [may for seat in desk.due() for may in views[seat].may if may.name == "place" and may.prospects]
    (may,) = places
    prices = {one.price.strip("+") for one in may.prospects}
    assert prices <= {"$0", "$1", "$2", "$3"}
    assert not [one.words for one in may.prospects if "$0" in one.words]
    told = {label: one.words for label, one in zip(may.labels, may.prospects, strict=True)}
    assert told["The quarter tile"] == "2 cards of your hand for income"


def test_where_a_pawn_starts_the_abbreviations_are_explained() -> None:
    desk = PlayedDesk("collection", 3)
    starts: list[Any] = []
    while not starts:
        assert desk.step()
        views = desk.snapshot().views
        starts = [may for seat in desk.due() for may in views[seat].may if may.name == "start" and may.prospects]
    told = dict(zip(starts[0].labels, (one.words for one in starts[0].prospects), strict=True))
    assert told["NSA in A"] == "wires and radio"
    assert all(told.values())
