"""Where on the mat it is that something is wrong, owed or asked about."""

import pytest

from companion.eye.mat import Rect
from companion.games.five_cards_collector.laying import Discard
from companion.referee.commands import Undo
from companion.referee.pointing import arrow_of
from companion.server.show import show
from tests.referee.table import Table, after_one_round, piece


def centre(rect: Rect) -> tuple[float, float]:
    return rect.x + rect.w / 2, rect.y + rect.h / 2


def test_a_wrong_card_is_pointed_at_where_it_lies_and_leads_away_from_the_mat():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    (wrong,) = table.look().pointers
    assert wrong.piece == piece("Blue key")
    assert wrong.words == "take the blue key away from the discard pile"
    assert (wrong.source.x, wrong.source.y) == (10.0, 0.0)
    assert wrong.target is None


def test_a_card_that_was_moved_is_pointed_back_to_its_zone():
    table = after_one_round()
    table.take("Red star", "collection.1")
    table.lay("Red star", "discard")
    (wrong,) = (one for one in table.look().pointers if one.piece == piece("Red star"))
    assert (wrong.target.x, wrong.target.y) == pytest.approx(centre(table.mat.zone("collection.1").rect))


def test_a_card_named_on_a_phone_is_pointed_to_its_place_from_nowhere():
    table = Table(top="Red moon")
    table.look()
    table.says(Discard(seat=1, card=piece("Red key")))
    (owed,) = table.now.pointers
    assert owed.source is None
    assert (owed.target.x, owed.target.y) == pytest.approx(centre(table.mat.zone("discard").rect))
    assert (owed.target.w, owed.target.h) == (63.0, 88.0)


def test_what_was_taken_back_is_pointed_at_until_it_is_done():
    table = after_one_round()
    table.do(Undo())
    assert [one.piece for one in table.now.pointers] == [piece("Green star")]
    table.take("Green star", "collection.3")
    assert table.look().pointers == ()


def test_nothing_is_pointed_at_while_nobody_has_looked():
    assert Table().now.pointers == ()


def test_the_arrow_of_what_goes_away_ends_over_the_nearest_edge():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    drawing = show(table.look(), table.mat)
    arrow = drawing["pointers"][0]["arrow"]
    assert (arrow["x1"], arrow["y1"]) == (10.0, 0.0)
    assert arrow["y2"] < 0
    assert (drawing["w"], drawing["h"]) == (table.mat.w, table.mat.h)


def test_the_arrow_of_what_comes_begins_beside_the_mat():
    table = Table(top="Red moon")
    table.look()
    table.says(Discard(seat=1, card=piece("Red key")))
    (x1, y1), (x2, y2) = arrow_of(table.now.pointers[0], table.mat)
    assert not (0 <= x1 <= table.mat.w and 0 <= y1 <= table.mat.h)
    assert (x2, y2) == pytest.approx(centre(table.mat.zone("discard").rect))
