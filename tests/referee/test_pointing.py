"""Where on the mat it is that something is wrong, owed or asked about."""

import pytest

from companion import games
from companion.codes import BACK
from companion.eye.mat import Rect
from companion.games.five_cards_collector.laying import Discard
from companion.referee.commands import Undo
from companion.referee.difference import Mismatch
from companion.referee.pointing import Pointing, arrow_of
from companion.referee.words import Words
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
    begins, (_, y) = arrow_of(table.look().pointers[0], table.mat)
    assert begins == (10.0, 0.0)
    assert y < 0


def test_the_arrow_of_what_comes_begins_beside_the_mat():
    table = Table(top="Red moon")
    table.look()
    table.says(Discard(seat=1, card=piece("Red key")))
    (x1, y1), (x2, y2) = arrow_of(table.now.pointers[0], table.mat)
    assert not (0 <= x1 <= table.mat.w and 0 <= y1 <= table.mat.h)
    assert (x2, y2) == pytest.approx(centre(table.mat.zone("discard").rect))


def test_a_card_that_lies_the_wrong_side_up_before_a_seat_is_only_turned_over() -> None:
    game, mat = games.load("karmic-collections"), games.load_mat("karmic-collections", 2)
    words, pointing = Words(game.deck, mat), Pointing(game, mat, Words(game.deck, mat))
    shows, hidden = Mismatch("hand.1", "107", True), Mismatch("hand.1", BACK, False)
    # One back that is lacking stands for as many as there are cards to be concealed.
    wrong = frozenset({shows, hidden, Mismatch("hand.1", "105", True)})
    assert words.moves(wrong) == (
        f"turn {words.piece('105')} over on @1's hand",
        f"turn {words.piece('107')} over on @1's hand",
    )
    for pointer in pointing.shifts(wrong, None, frozenset()):
        assert pointer.source == pointer.target is not None
        assert arrow_of(pointer, mat) is None
    back = frozenset({Mismatch("hand.1", "107", False), Mismatch("hand.1", BACK, True)})
    assert words.moves(back) == (f"turn {words.piece('107')} over on @1's hand",)
    # On a pile another card is meant.
    assert words.moves(frozenset({Mismatch("deck", "107", True), Mismatch("deck", BACK, False)})) == (
        f"take {words.piece('107')} away from the deck",
    )


def test_places_that_are_called_alike_are_numbered() -> None:
    for name in games.packages():
        game = games.load(name)
        for seats in game.info.seats:
            mat = games.load_mat(name, seats)
            words = Words(game.deck, mat)
            called = [words.zone(zone.name) for zone in mat.zones]
            assert len(called) == len(set(called))
