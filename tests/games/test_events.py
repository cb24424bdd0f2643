"""Events: what an action did, by its cause and its change, for every game; and nothing in them that only some know."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from companion import games
from companion.referee.difference import pieces_of
from companion.rules.kernel import TABLE, Event, Sale
from tests.games.always import match

SEATS = {
    "five-cards-collector": 4,
    "collectors": 4,
    "collectible": 4,
    "collection": 4,
    "karmic-collections": 4,
    "whist": 4,
    "yacht": 2,
    "president": 4,
}
MOST = 420


@lru_cache
def told(name: str) -> tuple[tuple[Any, Any, Any, Event], ...]:
    """Play a match as robots do; list its events with the state before, the action and the state after."""
    game, found = games.load(name), []
    for _, (before, action, facts, after) in zip(
        range(MOST), (s for _, s in match(game, SEATS[name], 5, {}, True)), strict=False
    ):
        found += [(before, action, after, event) for event in game.events(before, action, facts, after)]
    return tuple(found)


def first(name: str, kind: str, action: str = "") -> Event:
    return next(
        event for _, did, _, event in told(name) if event.kind == kind and action in ("", did.__struct_config__.tag)
    )


def test_a_card_added_to_a_collection_says_from_to_and_what_is_missing() -> None:
    event = first("five-cards-collector", "played", "add")
    (step,) = event.steps
    assert (step.after - step.before, step.high, step.seat) == (1, 5, event.seat)
    assert len(event.missing) == 5 - step.after
    assert event.more.startswith("still missing: ")


def test_the_card_that_wins_is_the_last_one() -> None:
    event = told("five-cards-collector")[-1][3]
    assert (event.kind, len(event.cards)) == ("won", 1)
    assert event.words == f"@{event.seat} has collected all five cards and wins."


def test_an_auction_begins_with_its_lot_and_ends_with_who_won_it() -> None:
    for name, action in (("collectors", "offer"), ("collectible", "open")):
        begun, sold = first(name, "auction", action), first(name, "sold")
        assert len(begun.cards) == len(sold.cards) == 1
        assert f"@{sold.seat} won " in sold.words


def test_an_auction_that_nobody_can_pay_has_no_winner() -> None:
    game = games.load("collectors")
    game.sale = lambda *_: Sale(TABLE, 0)  # type: ignore[method-assign]
    before, action, after, _ = next(one for one in told("collectors") if one[3].kind == "sold")
    (event,) = game.events(before, action, (), after)
    assert (event.seat, event.cards, event.words) == (0, (), "Nobody who bid could pay: nobody won the auction.")


def test_a_red_card_moves_a_crisis_and_says_how_far_the_end_is() -> None:
    event = next(one for *_, one in told("collection") if one.kind == "drawn" and one.steps and one.seat)
    step = event.steps[0]
    assert (step.low, step.high) == (1, 10)
    assert event.change == f"Crisis in {step.key[-1]} {'rises' if step.after > step.before else 'falls'}"
    assert event.more == f"{10 - step.after} more steps and all is lost"
    assert event.words.startswith(f'@{event.seat} draws "')
    assert ":" not in event.words


def test_a_roll_has_threshold_helpers_hits_and_what_a_report_is_for() -> None:
    rolls = [event for *_, event in told("collection") if event.kind == "rolled" and event.cast]
    for event in rolls:
        cast = event.cast
        assert cast is not None
        assert cast.hits == tuple(value < cast.threshold for value in cast.values)
        assert bool(cast.uses) == any(cast.hits)
        assert event.change == ("One report" if any(cast.hits) else "No report")
    assert any(event.cast.helpers for event in rolls if event.cast)
    assert any(len(event.cast.uses) == 2 for event in rolls if event.cast)


def test_a_report_in_a_circle_is_a_milestone() -> None:
    (step,) = first("collection", "milestone", "report").steps
    assert step.title.startswith("Reports in ")
    assert step.after == step.before + 1


@pytest.mark.parametrize(("action", "kind"), [("draw", "drawn"), ("take", "played"), ("roll", "rolled")])
def test_karmic_collections_tells_of_cards_and_dice(action: str, kind: str) -> None:
    event = first("karmic-collections", kind, action)
    assert event.cards or event.cast


def test_a_gallery_laid_open_is_shown_card_by_card() -> None:
    assert len(first("collectible", "played", "reveal").cards) >= 5


def test_a_trick_is_won_with_all_its_cards_and_a_round_says_its_points() -> None:
    trick = first("whist", "won", "gather")
    assert (len(trick.cards), trick.words) == (4, f"The trick goes to @{trick.seat}.")
    over = first("whist", "round")
    assert over.words == "Round 1 is over."
    assert [step.seat for step in over.steps] == [1, 2, 3, 4]
    assert any(step.after > step.before for step in over.steps)
    assert not [event for _, action, _, event in told("whist") if action.__struct_config__.tag == "lay"]


def test_dice_of_a_game_from_a_file_are_shown() -> None:
    event = first("yacht", "rolled")
    assert event.cast is not None
    assert (event.cast.sides, event.cast.threshold, any(event.cast.hits)) == (6, 0, False)


def test_who_is_out_of_a_round_is_told() -> None:
    assert first("president", "out").words.endswith(" is out.")


@pytest.mark.parametrize("name", SEATS)
def test_no_event_shows_a_card_that_not_everybody_knows(name: str) -> None:
    game = games.load(name)
    called = game.deck.called()
    for before, _, after, event in told(name):
        lies = [game.layout(state).zones.values() for state in (before, after)]
        seen = {piece for areas in lies for area in areas for piece in pieces_of(area)}
        said = event.words.lower() + event.more.lower()
        for piece in event.cards:
            assert piece in seen or called[piece].lower() in said, event
