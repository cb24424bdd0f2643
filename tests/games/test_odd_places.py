"""Places that no table has, in corrections and sentences: they are refused with a reason, whatever they are called."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from companion import games
from companion.rules.kernel import AnyGame, Counts, Lies, RuleError, name_seats
from companion.rules.layout import owner_of
from tests.games.always import match

NUMBERS = ("²", "١", "0", "-1", "9" * 5000, "", "1.²", "1.7")
AREAS = (
    "hand",
    "coins",
    "chits",
    "dice",
    "auction",
    "gallery",
    "reveal",
    "items",
    "skills",
    "income",
    "treasure",
    "bottle-1",
    "collection",
    "goal",
    "cards",
    "tokens",
    "paired",
    "deck",
    "discard",
    "phantom",
    "skill-pool",
)
OTHERS = ("crisis-a-²", "crisis-a-", "response-a-²", "response-a-99", "space-a-²", "gems-a-²-", "reports-²-", "", ".")


def moments(game: AnyGame, count: int) -> list[Any]:
    """Take the first states of a random match."""
    return [step[0] for _, (_, step) in zip(range(count), match(game, game.info.seats[0], 7, {}), strict=False)]


@pytest.mark.parametrize("name", games.packages())
def test_c8_a_place_that_is_not_there_is_refused_and_never_stumbled_over(name: str) -> None:
    game = games.load(name)
    kinds = sorted({card.kind for card in game.deck.cards})
    pieces = [next(card.piece for card in game.deck.cards if card.kind == kind) for kind in kinds]
    places = [*(f"{area}.{number}" for area in AREAS for number in NUMBERS), *OTHERS]
    for state in moments(game, 60)[::15]:
        for place in places:
            for edit in (*(Lies(piece, place) for piece in pieces), Counts(place, 1), Counts(place, -1)):
                with contextlib.suppress(RuleError):
                    assert game.audit(game.correct(state, (edit,))) == ()


@pytest.mark.parametrize("name", games.packages())
@pytest.mark.parametrize("count", [10**12, -(10**12)])
def test_c8_nobody_counts_up_to_a_million_million(name: str, count: int) -> None:
    """A deck with so many cards too few, or so many dice, would keep the table busy for years."""
    game = games.load(name)
    state = moments(game, 40)[-1]
    for place in ("deck", "hand.1", "coins.1", "chits.1", "dice.1.5", "actions", "gems-a-dh-political"):
        with pytest.raises(RuleError, match=f"nobody can have {count} of anything"):
            game.correct(state, (Counts(place, count),))


@pytest.mark.parametrize(("zone", "seat"), [("hand.2", 2), ("deck", 0), ("hand.²", 0), ("hand.", 0), ("a.9999", 0)])
def test_a_zone_belongs_to_the_seat_after_its_dot(zone: str, seat: int) -> None:
    assert owner_of(zone) == seat


def test_a_sentence_names_seats_and_leaves_what_is_none() -> None:
    assert name_seats("@2 asks @1, @² and @12345", {1: "Ada"}) == "Seat 2 asks Ada, @² and @12345"
