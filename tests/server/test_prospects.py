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
