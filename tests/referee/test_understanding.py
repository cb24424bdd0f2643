"""What the referee makes of the table: one test a promise of the design's *Matching*."""

from companion.referee.commands import Adopt, Answer, Correct, Done, GoOn, Mode, Undo
from companion.rules.kernel import Counts, Lies
from tests.referee.table import GAME, Table, fcc, piece


def test_the_opening_table_is_as_expected():
    table = Table()
    now = table.look()
    assert (now.phase, now.violation, now.question, now.owed, now.record) == ("playing", None, None, (), 0)


def test_a_card_laid_on_the_discard_pile_is_a_discard_of_the_seat_on_turn():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    assert table.records == [(1, fcc.Discard(seat=1, card=piece("Red key")))]
    assert table.now.views[0].waiting == (2,)


def test_an_unsettled_action_is_shown_at_once_and_journaled_when_it_rests():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    assert table.look(settled=False).provisional == ("Seat 1 adds the red star to the collection.",)
    assert table.records == []
    table.look(settled=True)
    assert table.records == [(1, fcc.Add(seat=1, card=piece("Red star")))]
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


def test_an_action_that_changes_a_covered_place_waits_until_it_is_seen():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.lay("Pile swap", "used")
    table.look(covered=["discard"])
    assert len(table.records) == 1
    table.take("Red key", "discard")
    table.look()
    assert table.records[-1] == (2, fcc.Use(seat=2, card=piece("Pile swap")))


def test_actions_of_several_seats_in_one_view_are_understood_in_order():
    table = Table()
    table.look()
    table.lay("Red star", "collection.1")
    table.lay("Blue star", "collection.2")
    table.look()
    assert table.records == [
        (1, fcc.Add(seat=1, card=piece("Red star"))),
        (2, fcc.Add(seat=2, card=piece("Blue star"))),
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
    assert table.records[-1] == (2, fcc.Use(seat=2, card=piece("Pile swap")))


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


def after_one_round():
    """Everybody has added a card, so everybody has room to draw."""
    table = Table(top="Red moon")
    table.look()
    for title, zone in (("Red star", "collection.1"), ("Blue star", "collection.2"), ("Green star", "collection.3")):
        table.lay(title, zone)
        table.look()
    return table


def test_a_deck_that_was_reached_for_is_mentioned_and_decides_nothing():
    table = after_one_round()
    table.look(touched=["deck"])
    table.lay("Red key", "discard")
    now = table.look()
    assert now.question is None
    assert table.records[3:] == [(1, fcc.Discard(seat=1, card=piece("Red key")))]
    assert now.sentence.endswith("If seat 1 drew it first, take it back and tap that.")


def test_without_a_hand_at_the_deck_nothing_is_mentioned():
    table = after_one_round()
    table.lay("Red key", "discard")
    assert "drew" not in table.look().sentence


def test_a_draw_that_was_tapped_explains_the_hand_over_the_deck():
    table = after_one_round()
    table.says(fcc.Draw(seat=1))
    table.look(touched=["deck"])
    table.says(fcc.Keep(seat=1))
    table.look(touched=["deck"])
    table.lay("Red key", "discard")
    assert "drew" not in table.look().sentence
    assert table.records[-1] == (2, fcc.Discard(seat=2, card=piece("Red key")))


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
    reply = table.says(fcc.Discard(seat=2, card=piece("Red star")))
    assert (reply.ok, reply.verdict.kind, reply.verdict.rule) == (False, "inconsistent", "C2")


def test_strict_stops_at_a_violation_until_it_is_put_right():
    table = Table(top="Red moon", mode="strict")
    table.look()
    table.lay("Blue key", "discard")
    table.look()
    reply = table.says(fcc.Nothing(seat=1))
    assert (reply.ok, reply.verdict.rule) == (False, "4. Gameplay")
    table.take("Blue key", "discard")
    table.look()
    assert table.says(fcc.Nothing(seat=1)).ok


def test_assist_goes_on_after_one_warning_and_corrects_the_log():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    assert table.look().violation
    table.lay("Blue star", "collection.2")
    now = table.look()
    assert now.violation is None
    kinds = [record.kind for record in table.referee.records()]
    assert kinds[0] == "correction"
    assert table.records[-1] == (2, fcc.Add(seat=2, card=piece("Blue star")))
    assert table.referee.state.discard[-1] == piece("Blue key")


def test_assist_interrupts_with_a_sound_at_most_once_a_minute():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    assert not table.look().violation.quiet
    table.take("Blue key", "discard")
    table.look()
    table.lay("Green key", "discard")
    assert table.look().violation.quiet
    table.take("Green key", "discard")
    table.look()
    table.lay("Blue key", "discard")
    assert not table.look(later=61).violation.quiet


def test_ledger_uses_no_camera():
    table = Table(mode="ledger")
    table.lay("Blue key", "discard")
    assert table.look().violation is None
    assert table.says(fcc.Discard(seat=1, card=piece("Red key"))).ok
    assert table.now.owed == ()


def test_an_action_by_phone_is_owed_on_the_table_and_is_no_surprise():
    table = Table(top="Red moon")
    table.look()
    assert table.says(fcc.Discard(seat=1, card=piece("Red key"))).ok
    assert table.now.owed == ("put the red key on the discard pile",)
    assert table.look().violation is None
    table.lay("Red key", "discard")
    assert table.look().owed == ()
    assert len(table.records) == 1


def test_a_card_named_on_a_phone_may_be_laid_as_its_copy():
    table = Table(top="Red moon")
    table.look()
    assert table.says(fcc.Discard(seat=1, card=piece("Red key", 0))).ok
    table.lay("Red key", "discard", copy=1)
    now = table.look()
    assert (now.violation, now.owed) == (None, ())
    assert table.referee.state.discard[-1] == piece("Red key", 1)
    assert [player.hand.size for player in table.referee.state.players] == [6, 7, 7]
    assert table.referee.game.audit(table.referee.state) == ()


def test_a_copy_laid_on_its_twin_is_an_action_of_its_own():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard", copy=0)
    table.look()
    table.zones["discard"] = [piece("Red key", 1)]
    table.look()
    assert table.records[-1] == (2, fcc.Discard(seat=2, card=piece("Red key", 1)))


def test_owed_moves_do_not_stop_the_next_seat():
    table = Table(top="Red moon", mode="strict")
    table.look()
    table.says(fcc.Discard(seat=1, card=piece("Red key")))
    table.lay("Blue star", "collection.2")
    table.look()
    assert table.records[-1] == (2, fcc.Add(seat=2, card=piece("Blue star")))


def test_after_undo_nothing_is_inferred_until_the_table_is_back():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    assert table.do(Undo(by="host")).ok
    assert table.now.phase == "restoring"
    assert table.now.owed == ("take the red key away from the discard pile",)
    table.lay("Blue star", "collection.2")
    assert table.look().phase == "restoring"
    assert table.records == []
    table.take("Blue star", "collection.2")
    table.take("Red key", "discard")
    assert table.look().phase == "playing"


def test_go_on_from_here_ends_restoring():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.do(Undo(by="host"))
    assert table.do(GoOn(by="host")).ok
    assert table.now.phase == "playing"
    table.lay("Red star", "collection.1")
    table.look()
    assert table.records == [(1, fcc.Add(seat=1, card=piece("Red star")))]


def test_adopt_makes_the_table_right():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    table.look()
    assert table.do(Adopt(by="host")).ok
    assert table.now.violation is None
    assert table.referee.state.discard[-1] == piece("Blue key")
    assert table.referee.records()[-1].kind == "correction"
    assert not table.referee.game.audit(table.referee.state)


def test_adopt_of_a_right_table_is_refused():
    table = Table()
    table.look()
    assert not table.do(Adopt(by="host")).ok


def test_the_end_of_the_match_is_asked_first():
    table = Table(seats=3)
    table.look()
    mine = ("Red star", "Blue moon", "Green leaf", "Yellow key", "Violet shell")
    others = (("Blue star", "Green star"), ("Green moon", "Yellow moon"), ("Yellow leaf", "Violet leaf"),
              ("Violet key", "Red key"))  # fmt: skip
    for own, (second, third) in zip(mine, others, strict=False):
        for title, seat in ((own, 1), (second, 2), (third, 3)):
            table.lay(title, f"collection.{seat}")
            table.look()
    table.lay(mine[4], "collection.1")
    now = table.look()
    assert (now.phase, now.question.kind) == ("playing", "finished")
    table.do(Answer(question=now.question.id, choice="yes", seat=2))
    assert table.now.phase == "over"
    assert table.now.standing.outcome.winners == (1,)


def test_the_end_of_the_match_can_be_taken_back():
    table = Table(seats=2)
    for title, seat in (("Red star", 1), ("Blue star", 2), ("Blue moon", 1), ("Green moon", 2), ("Green leaf", 1),
                        ("Yellow leaf", 2), ("Yellow key", 1), ("Violet key", 2), ("Violet shell", 1)):  # fmt: skip
        table.lay(title, f"collection.{seat}")
        table.look()
    question = table.now.question
    table.do(Answer(question=question.id, choice="no", seat=1))
    assert table.now.phase == "restoring"
    table.take("Violet shell", "collection.1")
    assert table.look().phase == "playing"
    assert len(table.records) == 8


def test_a_choice_that_leaves_no_trace_is_asked_once():
    table = Table(seats=3)
    table.look()
    table.lay("Draw from a player's hand", "used")
    now = table.look()
    assert (now.question.kind, now.question.seats) == ("choice", (1,))
    assert len(now.question.choices) == 2
    refused = table.do(Answer(question=now.question.id, choice="0", seat=2))
    assert not refused.ok
    table.do(Answer(question=now.question.id, choice="1", seat=1))
    assert table.records[-1] == (1, fcc.Take(seat=1, victim=3))
    assert table.now.question is None


def test_a_choice_of_one_is_not_asked():
    table = Table(seats=2)
    table.look()
    table.lay("Draw from a player's hand", "used")
    assert table.look().question is None
    assert table.records[-1] == (1, fcc.Take(seat=1, victim=2))


def test_what_shows_on_the_table_answers_the_question():
    table = Table(top="Red moon")
    table.look()
    for title in ("Red key", "Yellow key"):
        table.lay(title, "discard")
        table.look()
    table.lay("Retrieve a card from the pile", "used")
    assert table.look().question is not None
    table.take("Yellow key", "discard")
    assert table.look().question is None
    assert table.records[-1] == (3, fcc.Retrieve(seat=3, card=piece("Yellow key")))


def test_done_ends_a_turn_that_left_no_trace():
    table = Table()
    table.look()
    assert table.do(Done(seat=1)).ok
    assert table.records == [(1, fcc.Nothing(seat=1))]
    assert table.referee.records()[0].assumed
    reply = table.do(Done(seat=1))
    assert (reply.ok, reply.verdict.reason) == (False, "it is @2's turn, not yours")


def test_what_the_table_showed_and_a_phone_says_again_is_done_once():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    reply = table.says(fcc.Discard(seat=1, card=piece("Red key")))
    assert (reply.ok, reply.record) == (True, 1)
    assert len(table.records) == 1


def test_a_stale_question_is_refused():
    table = Table(seats=3)
    table.look()
    table.lay("Draw from a player's hand", "used")
    old = table.look().question.id
    table.do(Answer(question=old, choice="0", seat=1))
    assert not table.do(Answer(question=old, choice="0", seat=1)).ok


def test_an_unknown_mode_is_refused():
    assert not Table().do(Mode(mode="casual")).ok


def test_the_deck_seen_empty_too_early_counts_the_hands_anew():
    table = after_one_round()
    deck = table.referee.state.deck
    correct = Counts("deck", 2), Counts("hand.1", 6), Counts("hand.2", 6), Counts("hand.3", 6)
    assert deck > 2
    assert not table.do(Correct(edits=correct)).ok  # the cards must be somewhere
    table = few_left(table)
    table.zones["deck"] = []
    now = table.look()
    assert (now.violation, now.owed) == (None, ())
    assert "counted anew" in now.sentence
    assert table.referee.state.deck == 0
    assert [player.hand.size for player in table.referee.state.players] == [6, 6, 6]
    assert table.referee.game.audit(table.referee.state) == ()


def test_a_reshuffle_seen_too_early_is_a_draw_after_a_count():
    table = few_left(after_one_round())
    table.zones["discard"] = [table.referee.state.discard[-1]]
    table.zones["used"] = []
    now = table.look()
    assert now.violation is None
    assert [record.kind for record in table.referee.records()[-2:]] == ["correction", "action"]
    assert table.records[-1] == (1, fcc.Draw(seat=1))
    assert table.referee.game.audit(table.referee.state) == ()


def few_left(table):
    """Let all but six of the deck's cards have gone by: they lie on the piles; the hands hold four each."""
    state = table.referee.state
    cards = GAME.deck.by_piece()
    unseen = sorted(state.unseen)
    symbols = [one for one in unseen if cards[one].kind == "symbol"]
    specials = [one for one in unseen if cards[one].kind == "special"]
    gone = (specials + symbols)[: state.deck]
    lies = tuple(Lies(one, "used" if one in specials else "discard") for one in gone)
    counts = tuple(Counts(f"hand.{seat}", 4) for seat in (1, 2, 3))
    reply = table.do(Correct(edits=(*lies, *counts, Counts("deck", 6))))
    assert reply.ok, reply
    table.zones["discard"] = list(table.referee.state.discard)
    table.zones["used"] = list(table.referee.state.used)
    assert table.look().violation is None
    return table


def test_strict_says_that_the_deck_is_empty_too_early():
    table = Table(mode="strict")
    table.look()
    table.zones["deck"] = []
    found = table.look().violation
    assert (found.kind, found.rule) == ("inconsistent", "C2")
    assert "drew without telling" in found.reason


def test_every_prefix_of_candidates_is_kept_for_why():
    told = []
    table = Table(sink=lambda record, candidates, zones: told.append((record.n, candidates, zones)))
    table.look()
    table.lay("Red star", "collection.1")
    table.look()
    n, candidates, zones = told[0]
    assert (n, candidates[0], zones) == (1, "@1 adds the red star to the collection.", frozenset({"collection.1"}))


def test_names_stand_in_every_sentence():
    table = Table(names={1: "Ada", 2: "Bo"})
    table.look()
    table.lay("Red star", "collection.1")
    now = table.look()
    assert now.log[-1].words == "Ada adds the red star to the collection."
    assert "@" not in str(now)


def test_a_resumed_match_waits_until_its_table_is_laid_again():
    before = Table(top="Red moon")
    before.look()
    before.lay("Red star", "collection.1")
    before.look()
    after = Table(top="Red moon", records=before.referee.records())
    assert after.referee.state == before.referee.state
    assert after.now.phase == "restoring"
    assert "put the red star on seat 1's collection" in after.now.owed
    after.lay("Blue key", "discard")
    assert after.look().violation is None  # nothing is inferred while people lay things out
    after.take("Blue key", "discard")
    after.lay("Red star", "collection.1")
    assert after.look().phase == "playing"
    assert len(after.records) == 1
