"""Robots take cards that look the same for those that the referee takes them for."""

from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.kernel import Opened, Shown
from companion.sim.copies import renamed, taken_for

ALIKE = (("001", "002", "003"), ("007", "008"))


def card(piece: str) -> tuple[FiveCardsAction, tuple[Shown, ...]]:
    return Discard(seat=1, card=piece), ()


def test_the_copy_that_was_taken_for_another_changes_places_with_it() -> None:
    assert taken_for(card("001"), card("002"), ALIKE) == {"001": "002", "002": "001"}
    assert taken_for(card("001"), card("007"), ALIKE) == {}
    assert taken_for(card("001"), card("009"), ALIKE) == {}
    assert taken_for(card("001"), (Discard(seat=2, card="002"), ()), ALIKE) == {}


def test_all_cards_of_a_hand_laid_open_keep_one_name_each() -> None:
    truth = Discard(seat=1, card="009"), (Opened(place="open.1", pieces=("001", "003", "007")),)
    understood = Discard(seat=1, card="009"), (Opened(place="open.1", pieces=("003", "002", "008")),)
    names = taken_for(truth, understood, ALIKE)
    assert names == {"001": "002", "002": "001", "007": "008", "008": "007"}
    assert set(renamed(truth[1][0].pieces, names)) == set(understood[1][0].pieces)


def test_names_are_exchanged_all_through_what_robots_know() -> None:
    names = {"001": "002", "002": "001"}
    known = {"deck": ["001", "005"], "hands": {1: ("002",), 2: frozenset(("001",))}}
    assert renamed(known, names) == {"deck": ["002", "005"], "hands": {1: ("001",), 2: frozenset(("002",))}}
    assert renamed(card("001"), names) == card("002")
    assert renamed(Shown(place="001-is-no-piece", piece="001"), names) == Shown(place="001-is-no-piece", piece="002")
