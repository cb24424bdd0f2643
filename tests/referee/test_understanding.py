"""What the referee makes of the table: one test a promise of the design's *Matching*."""

from companion.eye.view import Placement, TableView
from companion.games.collectible.sending import Send
from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.specials import Use
from companion.referee.difference import Mismatch, Seen
from companion.referee.matching import nearest
from tests.games.collectible import situations as collectible
from tests.referee.table import Table, after_one_round, piece


def test_the_opening_table_is_as_expected():
    table = Table()
    now = table.look()
    assert (now.phase, now.violation, now.question, now.owed, now.record) == ("playing", None, None, (), 0)


def test_a_card_laid_on_the_discard_pile_is_a_discard_of_the_seat_on_turn():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    assert table.records == [(1, Discard(seat=1, card=piece("Red key")))]
    assert table.now.views[0].waiting == (2,)


def test_an_unsettled_action_is_shown_at_once_and_journaled_when_it_rests():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    assert table.look(settled=False).provisional == ("Seat 1 adds the red star to the collection.",)
    assert table.records == []
    table.look(settled=True)
    assert table.records == [(1, Add(seat=1, card=piece("Red star")))]
    assert table.now.provisional == ()


def test_a_card_taken_back_before_it_rests_was_nothing():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    table.look(settled=False)
    table.take("Red star", "collection.1")
    now = table.look()
    assert table.records == []
    assert (now.violation, now.provisional) == (None, ())


def test_a_covered_place_proves_nothing():
    table = Table()
    table.look()
    table.take("Red moon", "discard")
    now = table.look(covered=["discard"])
    assert (now.violation, now.provisional, table.records) == (None, (), [])


def test_what_a_card_was_laid_over_is_believed_to_be_there_and_has_to_show_again():
    table = after_one_round()
    table.lay_over("Blue moon", "collection.1", over="Red star")
    now = table.look()
    assert table.records[-1] == (1, Add(seat=1, card=piece("Blue moon")))
    assert now.violation is None
    assert now.owed == ("let the red star show on seat 1's collection: something lies over it",)
    table.lay("Green moon", "collection.2")
    now = table.look()
    assert table.records[-1] == (2, Add(seat=2, card=piece("Green moon")))
    assert now.owed != ()
    table.under.clear()
    table.lay("Red star", "collection.1")
    now = table.look()
    assert (now.owed, now.violation, len(table.records)) == ((), None, 5)


def test_a_card_pushed_over_its_neighbour_is_no_move():
    table = after_one_round()
    table.lay("Blue moon", "collection.1")
    table.look()
    table.take("Blue moon", "collection.1")
    table.lay_over("Blue moon", "collection.1", over="Red star")
    now = table.look()
    assert (now.violation, len(table.records)) == (None, 4)
    assert now.owed == ("let the red star show on seat 1's collection: something lies over it",)


def test_a_card_that_is_gone_and_lies_under_nothing_is_missed():
    table = after_one_round()
    table.lay("Blue moon", "collection.1")
    table.take("Red star", "collection.1")
    assert len(table.records) == 3
    table.look()
    table.look(later=9.0)
    assert table.now.violation is not None
    assert len(table.records) == 3


def test_of_a_pile_what_lies_under_others_is_not_its_top():
    table = after_one_round()
    table.lay_over("Violet shell", "discard", over="Red moon")
    table.look()
    table.look(later=9.0)
    assert table.now.violation is not None
    assert len(table.records) == 3


def test_an_action_that_changes_a_covered_place_waits_until_it_is_seen():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.lay("Pile swap", "used")
    table.look(covered=["discard"])
    assert len(table.records) == 1
    table.take("Red key", "discard")
    table.look(covered=["discard"])
    assert len(table.records) == 1, "the hand may be taking another card"
    table.look()
    assert table.records[-1] == (2, Use(seat=2, card=piece("Pile swap")))


def test_two_seats_in_a_row_may_have_been_silent_and_three_may_not():
    for silent, title, understood in ((2, "Green star", True), (3, "Yellow star", False)):
        table = Table(seats=4)
        table.look()
        table.lay(title, f"collection.{silent + 1}")
        now = table.look()
        assert (now.violation is None) == understood
        assert len(table.records) == (silent + 1 if understood else 0)


def test_actions_of_several_seats_in_one_view_are_understood_in_order():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    table.lay("Blue star", "collection.2")
    table.look()
    assert table.records == [
        (1, Add(seat=1, card=piece("Red star"))),
        (2, Add(seat=2, card=piece("Blue star"))),
    ]


def test_two_discards_seen_one_after_the_other_are_two_though_the_second_hides_the_first():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look(settled=False)
    table.zones["discard"] = [piece("Yellow key")]
    table.look()
    assert [action.card for _, action in table.records] == [piece("Red key"), piece("Yellow key")]


def test_physical_order_within_a_turn_is_free():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.take("Red key", "discard")  # first the card is taken, then the special is shown
    assert table.look().violation is None
    table.lay("Pile swap", "used")
    table.look()
    assert table.records[-1] == (2, Use(seat=2, card=piece("Pile swap")))


def test_a_half_done_action_waits_then_says_what_is_missing():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.lay("Pile swap", "used")
    now = table.look()
    assert now.provisional == ('Seat 2 uses the special "Pile swap" and takes the red key.',)
    assert now.violation is None
    table.referee.on_tick(table.seconds + 7.9)
    assert table.now.violation is None
    table.referee.on_tick(table.seconds + 8.1)
    assert table.now.violation.kind == "unfinished"
    assert "the red key" in " ".join(table.now.violation.moves)


def test_a_turn_without_a_trace_is_inferred_from_the_next_seats_action_and_marked():
    table = Table()
    table.look()
    table.lay("Blue star", "collection.2")
    table.look()
    assert [type(action).__name__ for _, action in table.records] == ["Nothing", "Add"]
    assert [record.assumed for record in table.referee.records()] == [True, False]


def test_a_silent_turn_is_taken_for_a_draw_if_the_hand_has_room():
    table = Table()
    table.look()
    for title, zone in (("Red star", "collection.1"), ("Blue star", "collection.2"), ("Green star", "collection.3")):
        table.lay(title, zone)
        table.look()
    table.lay("Green moon", "collection.2")
    table.look()
    names = [type(action).__name__ for _, action in table.records[3:]]
    assert names == ["Draw", "Keep", "Add"]
    assert [record.assumed for record in table.referee.records()[3:]] == [True, True, False]


def test_a_deck_that_was_reached_for_is_mentioned_and_decides_nothing():
    table = after_one_round()
    table.look(touched=["deck"])
    table.lay("Red key", "discard")
    now = table.look()
    assert now.question is None
    assert table.records[3:] == [(1, Discard(seat=1, card=piece("Red key")))]
    assert now.sentence.endswith("If seat 1 drew it first, take it back and tap that.")


def test_without_a_hand_at_the_deck_nothing_is_mentioned():
    table = after_one_round()
    table.lay("Red key", "discard")
    assert "drew" not in table.look().sentence


def test_a_draw_that_was_tapped_explains_the_hand_over_the_deck():
    table = after_one_round()
    table.says(Draw(seat=1))
    table.look(touched=["deck"])
    table.says(Keep(seat=1))
    table.look(touched=["deck"])
    table.lay("Red key", "discard")
    assert "drew" not in table.look().sentence
    assert table.records[-1] == (2, Discard(seat=2, card=piece("Red key")))


def test_class_a_is_never_asked_about_without_a_reason():
    table = after_one_round()
    table.lay("Red key", "discard")
    assert table.look().question is None


def test_an_illegal_card_is_a_violation_with_rule_reason_and_remedy():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    found = table.look().violation
    assert (found.kind, found.rule) == ("illegal", "4. Gameplay")
    assert "the blue key" in found.reason
    assert "the red moon" in found.reason
    assert found.moves == ("take the blue key away from the discard pile",)
    assert table.records == []


def test_the_nearest_legal_action_is_proposed():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red star", "collection.2")  # seat 1's turn, and only seat 1 wants it
    found = table.look().violation
    assert found is not None
    assert found.nearest == "Seat 1 adds the red star to the collection."
    assert found.nearest_moves == ("move the red star from seat 2's collection to seat 1's collection",)


def test_a_card_out_of_anothers_secret_gallery_is_not_guessed_to_be_who_is_on_turns() -> None:
    """Mia laid a card of hers: "Did you mean: Jonas puts it up for auction?", though nobody knows his cards."""
    state, card = collectible.situation(step="send"), collectible.ART[0]
    for seat in (1, 2):
        extra = Mismatch(f"auction.{seat}", card, True)
        seen = Seen(TableView(1, 0.0, (Placement(card, frozenset("F"), f"auction.{seat}", None, 0, 0, 0, 1),)))
        near = nearest(collectible.GAME, state, seen, frozenset((extra,)))
        assert (near is not None and near[0] == Send(seat=1, card=card)) == (seat == 1)


def test_a_violation_is_said_once_and_nothing_of_it_stays_when_the_table_is_right():
    table = after_one_round()
    told = table.now.sentence
    table.lay("Blue key", "discard")
    assert table.look().violation is not None
    assert table.now.sentence == told
    table.take("Blue key", "discard")
    assert (table.look().violation, table.now.sentence) == (None, told)


def test_of_several_mistakes_the_newest_is_explained_and_the_others_are_counted():
    table = Table(top="Red moon")
    table.look()
    for title, zone in (("Blue key", "beside"), ("Green key", "collection.3"), ("Yellow leaf", "discard")):
        table.lay(title, zone)
        found = table.look().violation
        assert f"the {title.lower()}" in found.moves[0]
    assert "the yellow leaf matches neither the colour nor the figure" in found.reason
    assert found.others == "2 more things on the table are not as they should be."
    assert len(found.moves) == 3
    assert len(" ".join((found.nearest, *found.nearest_moves)).split()) <= 20
    table.take("Yellow leaf", "discard")
    found = table.look().violation
    assert (found.who, found.due, found.headline) == (3, (1,), "Seat 3, not yet: it is seat 1's turn")
    assert found.remedy == "Take the green key away from seat 3's collection."
    assert found.others == "One more thing on the table is not as it should be."


def test_a_hand_that_rests_over_the_table_may_still_be_at_work():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "beside")
    assert table.look(covered=["collection.2"]).violation is None
    table.referee.on_tick(table.seconds + 9)
    assert table.now.violation is not None


def test_a_violation_put_right_is_over():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    assert table.look().violation
    table.take("Blue key", "discard")
    assert table.look().violation is None


def test_a_card_beside_the_zones_is_said():
    table = Table()
    table.look()
    table.lay("Blue key", "beside")
    assert "beside" in table.look().violation.reason


def test_a_card_that_lies_in_a_collection_already_cannot_come_from_a_hand():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    table.look()
    reply = table.says(Discard(seat=2, card=piece("Red star")))
    assert (reply.ok, reply.verdict.kind, reply.verdict.rule) == (False, "illegal", "4. Gameplay")


def test_a_card_that_is_only_gone_may_be_in_a_hand_and_is_missed_after_a_while():
    table = after_one_round()
    table.take("Green star", "collection.3")
    assert table.look().violation is None
    table.referee.on_tick(table.seconds + 9)
    assert "the green star is gone from seat 3's collection" in table.now.violation.reason
    table.lay("Green star", "collection.3")
    assert table.look().violation is None
    assert len(table.records) == 3
