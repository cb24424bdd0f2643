"""Modes, what is owed, taking back, questions, counts: what the referee does besides understanding."""

from unittest.mock import Mock

from msgspec.structs import replace

from companion.eye.view import Trouble
from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.specials import Retrieve, Take
from companion.referee import questions
from companion.referee.commands import Adopt, Answer, Correct, Done, GoOn, Mode, Undo
from companion.rules.kernel import Counts
from companion.rules.layout import Exactly, Layout, Pile
from tests.referee.table import GAME, Table, after_one_round, few_left, piece


def test_strict_stops_at_a_violation_until_it_is_put_right():
    table = Table(top="Red moon", mode="strict")
    table.look()
    table.lay("Blue key", "discard")
    table.look()
    reply = table.says(Nothing(seat=1))
    assert (reply.ok, reply.verdict.rule) == (False, "4. Gameplay")
    table.take("Blue key", "discard")
    table.look()
    assert table.says(Nothing(seat=1)).ok


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
    assert table.records[-1] == (2, Add(seat=2, card=piece("Blue star")))
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
    assert table.says(Discard(seat=1, card=piece("Red key"))).ok
    assert table.now.owed == ()


def test_an_action_by_phone_is_owed_on_the_table_and_is_no_surprise():
    table = Table(top="Red moon")
    table.look()
    assert table.says(Discard(seat=1, card=piece("Red key"))).ok
    assert table.now.owed == ("put the red key on the discard pile",)
    assert table.look().violation is None
    table.lay("Red key", "discard")
    assert table.look().owed == ()
    assert len(table.records) == 1


def test_a_card_named_on_a_phone_may_be_laid_as_its_copy():
    table = Table(top="Red moon")
    table.look()
    assert table.says(Discard(seat=1, card=piece("Red key", 0))).ok
    table.lay("Red key", "discard", copy=1)
    now = table.look()
    assert (now.violation, now.owed) == (None, ())
    assert table.referee.state.discard[-1] == piece("Red key", 1)
    assert [player.hand.size for player in table.referee.state.players] == [6, 7, 7]
    assert GAME.audit(table.referee.state) == ()


def test_a_copy_that_still_has_to_go_is_not_taken_for_its_twin_below():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard", copy=0)
    table.look()
    table.zones["discard"] = [piece("Red key", 1)]
    table.look()
    table.lay("Retrieve a card from the pile", "used")
    question = table.look().question
    keys = {choice.words: choice.key for choice in question.choices}
    top = next(key for words, key in keys.items() if "red key" in words and words.endswith("(the one on top)"))
    table.do(Answer(question=question.id, choice=top, seat=3))
    assert table.records[-1] == (3, Retrieve(seat=3, card=piece("Red key", 1)))
    assert table.look().violation is None
    assert table.referee.records()[-1].kind == "action"
    table.zones["discard"] = [piece("Red key", 0)]
    assert table.look().owed == ()


def test_of_cards_that_are_alike_the_one_on_top_is_said_to_be_on_top():
    table = Table(top="Red moon")
    table.look()
    for title, copy in (("Red key", 0), ("Violet key", 0), ("Violet key", 1), ("Red key", 1)):
        table.lay(title, "discard", copy)
        table.zones["discard"] = table.zones["discard"][-1:]
        table.look()
    table.lay("Retrieve a card from the pile", "used")
    said = {choice.words for choice in table.look().question.choices}
    who = "Seat 2 takes the"
    assert said == {
        f"{who} red key out of the discard pile (the one on top)",
        f"{who} red key out of the discard pile (the one further down)",
        f"{who} violet key out of the discard pile (number 1 of 2 alike)",
        f"{who} violet key out of the discard pile (number 2 of 2 alike)",
        f"{who} red moon out of the discard pile",
    }


def test_of_three_alike_those_further_down_are_numbered():
    layout = Layout({"discard": Pile(Exactly("003"), frozenset({"001", "002"})), "hall": Pile(Exactly("004"))})
    game = Mock()
    game.describe.return_value = "Take a pawn."
    game.layout.return_value = layout
    for pieces, apart in (
        (("001", "002", "003"), ["number 1 of 2 further down", "number 2 of 2 further down", "the one on top"]),
        (("001", "002"), ["number 1 of 2 alike", "number 2 of 2 alike"]),
        (("003", "004"), ["number 1 of 2 alike", "number 2 of 2 alike"]),
        (("003", "009", "00A"), ["the one on top", "number 2 of 3 alike", "number 3 of 3 alike"]),
    ):
        asked = questions.choice(game, None, tuple(Retrieve(seat=1, card=one) for one in pieces))
        assert [one.words for one in asked.question.choices] == [f"Take a pawn ({words})" for words in apart]


def test_a_copy_laid_on_its_twin_is_an_action_of_its_own():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard", copy=0)
    table.look()
    table.zones["discard"] = [piece("Red key", 1)]
    table.look()
    assert table.records[-1] == (2, Discard(seat=2, card=piece("Red key", 1)))


def test_what_was_wrong_before_a_tap_is_not_owed_because_of_it():
    table = after_one_round()
    table.take("Red moon", "discard")  # a hand is over the pile, and the card is out of sight for a moment
    table.look(settled=False)
    table.says(Draw(seat=1))
    assert table.now.owed == ()
    table.says(Keep(seat=1))
    table.lay("Red moon", "discard", copy=1)
    table.look()
    assert table.records[-1] == (2, Discard(seat=2, card=piece("Red moon", 1)))


def test_owed_moves_do_not_stop_the_next_seat():
    table = Table(top="Red moon", mode="strict")
    table.look()
    table.says(Discard(seat=1, card=piece("Red key")))
    table.lay("Blue star", "collection.2")
    table.look()
    assert table.records[-1] == (2, Add(seat=2, card=piece("Blue star")))


def test_after_undo_nothing_is_inferred_until_the_table_is_back():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    assert table.do(Undo(by="host")).ok
    assert table.now.phase == "restoring"
    assert table.now.owed == ("take the red key away from the discard pile",)
    assert table.now.owed[0] not in table.now.sentence
    table.lay("Blue star", "collection.2")
    assert table.look().phase == "restoring"
    assert table.records == []
    table.take("Blue star", "collection.2")
    table.take("Red key", "discard")
    assert table.look().phase == "playing"


def lose_the_camera(table):
    """Show the table as it is told while there is no camera: what lay there last, all of it covered."""
    view = table.referee.watch.view
    lost = (Trouble("camera-lost", "The camera is gone."),)
    table.referee.on_view(replace(view, covered=table.mat.coverable, settled=False, troubles=lost))


def test_what_is_said_while_the_camera_is_lost_is_owed_on_the_table():
    table = Table(top="Red moon")
    table.look()
    lose_the_camera(table)
    assert table.says(Discard(seat=1, card=piece("Red key"))).ok
    assert table.now.owed == ("put the red key on the discard pile",)
    now = table.look()
    assert (now.owed, now.violation) == (("put the red key on the discard pile",), None)


def test_what_is_undone_while_the_camera_is_lost_is_not_done_again_when_it_is_back():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.lay("Retrieve a card from the pile", "used")
    question = table.look().question
    key = next(choice.key for choice in question.choices if "red key" in choice.words)
    table.do(Answer(question=question.id, choice=key, seat=2))
    table.take("Red key", "discard")
    assert table.look().owed == ()
    assert len(table.records) == 3
    lose_the_camera(table)
    assert table.do(Undo(by="host")).ok
    for _ in range(2):
        assert table.now.phase == "restoring"
        assert table.now.owed == ("put the red key on the discard pile",)
        assert len(table.records) == 2
        table.look()
    table.lay("Red key", "discard")
    assert table.look().phase == "playing"


def test_a_view_of_a_table_at_rest_ends_restoring_and_no_other():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    table.do(Undo(by="host"))
    table.take("Red key", "discard")
    assert table.look(settled=False).phase == "restoring"
    assert table.look().phase == "playing"


def test_undo_says_what_no_camera_can_watch_going_back():
    table = after_one_round()
    table.says(Draw(seat=1))
    table.do(Undo(by="host"))
    assert "What went to a hand unseen goes back the same way, face down: seat 1 draws a card." in table.now.sentence


def test_undo_of_a_shuffle_says_to_go_on_from_here():
    table = few_left(after_one_round())
    table.zones["discard"] = [table.referee.state.discard[-1]]
    table.zones["used"] = []
    table.look()
    table.do(Undo(by="host"))
    assert 'the host says "go on from here"' in table.now.sentence
    assert table.do(GoOn(by="host")).ok
    assert table.now.phase == "playing"


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
    assert table.records == [(1, Add(seat=1, card=piece("Red star")))]


def test_adopt_makes_the_table_right():
    table = Table(top="Red moon")
    table.look()
    table.lay("Blue key", "discard")
    table.look()
    assert table.do(Adopt(by="host")).ok
    assert table.now.violation is None
    assert table.referee.state.discard[-1] == piece("Blue key")
    assert table.referee.records()[-1].kind == "correction"
    assert not GAME.audit(table.referee.state)


def test_adopt_of_a_right_table_is_refused():
    table = Table()
    table.look()
    assert not table.do(Adopt(by="host")).ok


def test_the_end_of_the_match_is_asked_first():
    table = Table(seats=3)
    table.look()
    mine = ("Red star", "Blue moon", "Green leaf", "Yellow key", "Violet shell")
    others = (
        ("Blue star", "Green star"),
        ("Green moon", "Yellow moon"),
        ("Yellow leaf", "Violet leaf"),
        ("Violet key", "Red key"),
    )
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
    for seat in (0, 2):
        verdict = table.do(Done(seat=seat)).verdict
        assert (verdict.reason, verdict.remedy) == ("the match is over", "Begin a new one.")


def test_the_end_of_the_match_can_be_taken_back():
    table = Table(seats=2)
    for title, seat in (
        ("Red star", 1),
        ("Blue star", 2),
        ("Blue moon", 1),
        ("Green moon", 2),
        ("Green leaf", 1),
        ("Yellow leaf", 2),
        ("Yellow key", 1),
        ("Violet key", 2),
        ("Violet shell", 1),
    ):
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
    assert table.records[-1] == (1, Take(seat=1, victim=3))
    assert table.now.question is None


def test_a_choice_of_one_is_not_asked():
    table = Table(seats=2)
    table.look()
    table.lay("Draw from a player's hand", "used")
    assert table.look().question is None
    assert table.records[-1] == (1, Take(seat=1, victim=2))


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
    assert table.records[-1] == (3, Retrieve(seat=3, card=piece("Yellow key")))


def test_done_ends_a_turn_that_left_no_trace():
    table = Table()
    table.look()
    assert table.do(Done(seat=1)).ok
    assert table.records == [(1, Nothing(seat=1))]
    assert table.referee.records()[0].assumed
    reply = table.do(Done(seat=1))
    assert (reply.ok, reply.verdict.reason) == (False, "it is the turn of @2, not of @1")


def test_what_the_table_showed_and_a_phone_says_again_is_done_once():
    table = Table(top="Red moon")
    table.look()
    table.lay("Red key", "discard")
    table.look()
    reply = table.says(Discard(seat=1, card=piece("Red key")))
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
    assert GAME.audit(table.referee.state) == ()


def test_a_reshuffle_seen_too_early_is_a_draw_after_a_count():
    table = few_left(after_one_round())
    table.zones["discard"] = [table.referee.state.discard[-1]]
    table.zones["used"] = []
    now = table.look()
    assert now.violation is None
    assert [record.kind for record in table.referee.records()[-2:]] == ["correction", "action"]
    assert table.records[-1] == (1, Draw(seat=1))
    assert GAME.audit(table.referee.state) == ()


def test_strict_says_that_the_deck_is_empty_too_early():
    table = Table(mode="strict")
    table.look()
    table.zones["deck"] = []
    assert table.look().violation is None
    table.referee.on_tick(table.seconds + 9)
    found = table.now.violation
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
