"""Five Cards Collector: audit, corrections (C8), the host's end, and undo (C4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.preparation import TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take
from companion.games.five_cards_collector.state import Player, Setup, State
from companion.rules.hands import Hand
from companion.rules.kernel import UNKNOWN, Counts, Instead, Lies, Opened, RuleError, Shown, Turns, Undone
from tests.games.always import recalled
from tests.games.five_cards_collector.situations import GAME, adds, card, discards, judge, pieces, play, situation, uses
from tests.games.five_cards_collector.test_two_players import DEAD, cornered

FOUR = ("red star", "blue moon", "green leaf", "yellow key")


def changed(state: State, seat: int, **fields: Any) -> State:
    players = list(state.players)
    players[seat - 1] = replace(players[seat - 1], **fields)
    return replace(state, players=tuple(players))


FINE = situation(3, discard=("red star", "blue moon"), used=("retrieve",), collected={2: ("blue star",)})


# ------------------------------------------------------------------------------------------------------------ audit


def test_audit_finds_nothing_where_all_is_well() -> None:
    assert GAME.audit(FINE) == ()


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (replace(FINE, discard=pieces("red star", "blue moon", "blue star")), "The blue star is in 2 places."),
        (replace(FINE, discard=pieces("blue moon")), "The red star is nowhere."),
        (replace(FINE, used=(*FINE.used, card("How to play"))), '"How to play" is in play and should not be.'),
        (changed(FINE, 2, goal=card("Collection 1")), '"Collection 1" lies before 2 players.'),
        (changed(FINE, 1, goal=card("red key")), "The red key is no collection card."),
        (changed(FINE, 1, goal=""), "There is a player without a collection card."),
        (
            replace(FINE, deck=FINE.deck + 1),
            "The deck and the hands hold 68 cards that nobody",
        ),
        (changed(replace(FINE, deck=FINE.deck - 3), 1, hand=Hand(frozenset(), 8)), "@1 holds 8 cards; the limit is 7"),
        (changed(FINE, 1, passes=1), "@1 has made no move 1 times (F8)."),
        (replace(FINE, used=pieces("red star")), "The red star lies with the used specials."),
        (replace(FINE, discard=pieces("retrieve")), 'The special "Retrieve a card from the pile" lies in the discard'),
        (replace(FINE, discard=()), "The discard pile is empty (F9)."),
        (changed(FINE, 2, collected=pieces("red star")), "The red star does not belong to @2."),
        (changed(FINE, 2, collected=pieces("blue star", "blue star")), "@2 has collected the same symbol twice."),
        (replace(FINE, phase="take"), "The step take does not go with no special in use."),
        (replace(FINE, phase="over"), "The match is over without an outcome, or has one and goes on."),
        (replace(FINE, turn=4), "The turn, the direction or the count"),
        (replace(FINE, deck=-1), "The deck has fewer than no cards."),
        (changed(FINE, 1, hand=Hand(frozenset(), -1)), "The hand of @1 has fewer than no unknown cards."),
    ],
)
def test_audit_names_what_does_not_add_up(state: State, says: str) -> None:
    assert any(sentence.startswith(says) for sentence in GAME.audit(state)), GAME.audit(state)


# -------------------------------------------------------------------------------------------------- C8: corrections


def correct(state: State, *edits: Any) -> State:
    after = GAME.correct(state, edits)
    assert GAME.audit(after) == ()
    return after


def test_c8_a_card_found_in_a_collection_came_out_of_that_hand() -> None:
    after = correct(FINE, Lies(card("green moon"), "collection.2"))
    assert after.players[1] == Player(card("Collection 2"), pieces("blue star", "green moon"), Hand(frozenset(), 4))
    assert (after.deck, after.turn) == (FINE.deck, 1)


def test_c8_a_card_found_on_a_pile_came_out_of_the_hand_on_turn() -> None:
    after = correct(FINE, Lies(card("red key"), "discard"))
    assert (after.discard[-1], after.players[0].hand.size, after.deck) == (card("red key"), 4, FINE.deck)


def test_c8_counts_say_otherwise() -> None:
    after = correct(FINE, Lies(card("red key"), "discard"), Counts("hand.1", 5))
    assert (after.players[0].hand.size, after.deck) == (5, FINE.deck - 1)


def test_c8_a_hand_is_counted_again_and_the_deck_makes_up_the_difference() -> None:
    after = correct(FINE, Counts("hand.3", 7))
    assert (after.players[2].hand.size, after.deck) == (7, FINE.deck - 2)


def test_c8_cards_move_between_places() -> None:
    after = correct(FINE, Lies(card("red star"), "hand.3"), Lies(card("retrieve"), "deck"), Turns(3))
    assert (after.discard, after.used, after.turn) == (pieces("blue moon"), (), 3)
    assert after.players[2].hand == Hand(frozenset(pieces("red star")), 5)
    assert (card("retrieve") in after.unseen, after.deck) == (True, FINE.deck + 1)


def test_c8_a_known_card_becomes_unseen_in_the_deck() -> None:
    state = situation(3, known={1: ("red key",)})
    after = correct(state, Lies(card("red key"), "deck"))
    assert (after.players[0].hand, after.deck) == (Hand(frozenset(), 5), state.deck + 1)


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ((Lies("ZZZ", "discard"),), "not one of the cards that are shuffled"),
        ((Lies(card("red key"), "attic"),), "no place 'attic'"),
        ((Lies(card("red key"), "shelf.1"),), "no card lies in 'shelf.1'"),
        ((Lies(card("red key"), "hand.7"),), "no place 'hand.7'"),
        ((Lies(card("Collection 9"), "discard"),), "is a collection card"),
        ((Lies(card("retrieve"), "discard"),), "lies in the discard pile"),
        ((Lies(card("red moon"), "collection.2"),), "does not belong to @2"),
        ((Counts("used", 3),), "no unseen cards at 'used'"),
        ((Counts("hand.1", 9),), "the limit is 7"),
        ((Counts("deck", 3),), "no hand can hold the cards that the deck lacks"),
        ((Turns(9),), "no seat 9"),
        ((Lies(card("red star"), "deck"), Lies(card("blue moon"), "deck")), "discard pile is empty"),
        ((Lies(card("Collection 2"), "goal.1"),), "without a collection card"),
    ],
)
def test_c8_a_correction_that_does_not_add_up_is_refused(edits: tuple[Any, ...], says: str) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.correct(FINE, edits)
    assert says in caught.value.verdict.reason
    assert (caught.value.verdict.kind, caught.value.verdict.rule) == ("inconsistent", "C8")


def test_f4_a_hand_that_a_special_is_about_to_bring_a_card_keeps_room_for_it() -> None:
    """What a counted deck lacks is in hands; but not in the place of the card that is being taken."""
    state = play(situation(3, discard=("red star",), hands=(7, 7, 6)), uses("draw-from-hand"))
    assert (state.phase, state.players[0].hand.size) == ("take", 6)
    after = GAME.correct(state, (Counts("deck", state.deck - 1),))
    assert [player.hand.size for player in after.players] == [6, 7, 7]
    assert GAME.audit(play(after, Take(seat=1, victim=2))) == ()
    with pytest.raises(RuleError, match="no hand can hold the cards that the deck lacks"):
        GAME.correct(state, (Counts("deck", state.deck - 2),))


def test_c8_two_players_swap_collection_cards() -> None:
    state = situation(3)
    after = correct(state, Lies(card("Collection 2"), "goal.1"), Lies(card("Collection 1"), "goal.2"))
    assert [player.goal for player in after.players] == list(pieces("Collection 2", "Collection 1", "Collection 3"))


def test_c8_the_end_is_checked_after_a_correction() -> None:
    state = situation(3, discard=("green key",), collected={1: FOUR})
    after = correct(state, Lies(card("violet shell"), "collection.1"))
    assert after.outcome is not None
    assert (after.outcome.winners, after.outcome.rule) == ((1,), "F7")
    again = correct(after, Lies(card("violet shell"), "hand.1"))
    assert (again.outcome, again.phase) == (None, "turn")


def test_c8_the_host_gives_the_turn_to_a_seat_and_a_special_in_use_is_done() -> None:
    using = play(situation(3), uses("view-hand"))
    after = correct(using, Turns(3))
    assert (after.turn, after.phase, after.used, after.in_use) == (3, "turn", pieces("view-hand"), "")


def test_c8_a_special_in_use_may_be_taken_back() -> None:
    after = correct(play(situation(3), uses("view-hand")), Lies(card("view-hand"), "hand.1"))
    assert (after.turn, after.phase, after.in_use) == (1, "turn", "")
    using = play(situation(3), uses("view-hand"))
    assert correct(using, Lies(card("view-hand"), "used")) == using


def test_c8_a_card_turned_up_but_not_read_is_named() -> None:
    due = situation(2, phase="turn-up")
    unread = play(due, TurnUp(), facts=(Shown(place="discard", piece=UNKNOWN),))
    for state in (due, unread):
        after = correct(state, Lies(card("red key"), "discard"))
        assert (after.discard[-1], after.phase, after.unread) == (card("red key"), "turn", False)
    special = correct(unread, Lies(card("retrieve"), "used"))
    assert (special.used, special.phase, special.deck) == (pieces("retrieve"), "turn-up", due.deck - 1)


def test_c8_goals_are_named_during_the_preparation() -> None:
    state = GAME.setup(2, {}, Setup())
    after = correct(state, Lies(card("Collection 5"), "goal.1"), Lies(card("Collection 3"), "goal.2"))
    assert after.phase == "turn-up"


def test_c8_the_host_ends_the_match_without_a_winner() -> None:
    over = GAME.end(play(situation(3), uses("view-hand")))
    assert over.outcome is not None
    assert (over.outcome.winners, over.outcome.ending, over.outcome.rule) == ((), "ended-by-host", "C8")
    assert GAME.audit(over) == ()
    assert GAME.end(over) is over
    assert judge(over, Nothing(seat=1)).rule == "C8"


# --------------------------------------------------------------------------------------------------------- C4: undo


def test_c4_a_card_once_laid_stays_known_in_its_hand() -> None:
    before = situation(3)
    after = recalled(GAME, before, ((discards("red key"), ()), (adds("blue star", seat=2), ())))
    assert after.players[0].hand == Hand(frozenset(pieces("red key")), 4)
    assert after.players[1].hand == Hand(frozenset(pieces("blue star")), 4)
    assert GAME.audit(after) == ()
    assert judge(after, discards("red key")).ok


def others_keep(*done: Any) -> tuple[Any, ...]:
    """Return what seat 1 does, with two turns of the others, who do nothing, between one turn and the next."""
    return (*done, (Nothing(seat=2), ()), (Nothing(seat=3), ()))


@pytest.mark.parametrize(
    "grows",
    [
        ((Draw(seat=1), ()), (Keep(seat=1), ())),
        ((uses("draw-three"), ()),),
        ((uses("draw-from-hand"), ()), (Take(seat=1, victim=2), ())),
    ],
)
def test_c4_a_card_that_may_have_come_in_between_is_not_known(grows: Any) -> None:
    after = recalled(GAME, situation(3), (*others_keep(*grows), (discards("red key"), ())))
    assert card("red key") in after.unseen


def test_c4_a_special_that_brings_no_hidden_card_keeps_the_hand_certain() -> None:
    done = others_keep((uses("retrieve"), ()), (Retrieve(seat=1, card=card("blue moon")), ()))
    after = recalled(GAME, situation(3, discard=("blue moon", "red star")), (*done, (discards("red key"), ())))
    assert after.players[0].hand.known == frozenset(pieces("retrieve", "red key"))


def test_c4_a_special_that_fills_its_hand_up_again_was_in_that_hand() -> None:
    state = situation(3, hands=(7, 5, 5))
    after = recalled(GAME, state, ((uses("draw-three"), ()),))
    assert after.players[0].hand == Hand(frozenset(pieces("draw-three")), 6)


def test_c4_a_hand_that_was_taken_from_has_got_nothing_by_that() -> None:
    state = situation(3, known={2: ("blue star", "blue moon", "blue leaf")})
    done = ((uses("draw-from-hand"), ()), (Take(seat=1, victim=2), ()), (discards("red key", seat=2), ()))
    after = recalled(GAME, state, done)
    assert after.players[1].hand.known == {*pieces("blue star", "blue moon", "blue leaf", "red key")}


def test_c4_a_card_known_before_stays_as_it_was() -> None:
    state = situation(3, known={1: ("red key",)})
    assert recalled(GAME, state, ((discards("red key"), ()),)) == state


def test_c4_a_card_that_came_to_light_first_was_in_the_hand_that_showed_it_first() -> None:
    before = situation(3)
    done = [(discards("red key"), ()), (uses("retrieve", seat=2), ()), (Retrieve(seat=2, card=card("red key")), ())]
    done += [(uses("view-hand", seat=3), ()), (Take(seat=3, victim=2), ()), (Nothing(seat=1), ())]
    after = recalled(GAME, before, (*done, (discards("red key", seat=2), ())))
    assert [player.hand.known & {card("red key")} for player in after.players] == [{card("red key")}, set(), set()]


def test_c4_a_draw_of_one_leaves_the_hands_of_others_certain() -> None:
    done = ((Draw(seat=1), ()), (Keep(seat=1), ()), (discards("red key", seat=2), ()))
    assert recalled(GAME, situation(3), done).players[1].hand.known == {card("red key")}


def test_c4_what_a_correction_says_was_another_card_is_not_remembered() -> None:
    state = situation(3)
    laid = GAME.play(state, discards("red key"))
    red, blue = card("red key"), card("red key", 2)
    right = GAME.correct(laid, (Instead(red, blue),))
    steps = (Undone(discards("red key"), (), state, laid), Undone(None, (), laid, right))
    assert GAME.recall(state, steps) == state


def test_c4_a_hand_laid_open_stays_known() -> None:
    hand = pieces(*DEAD)
    state = cornered()
    after = recalled(GAME, state, ((Stuck(seat=1), (Opened(place="open.1", pieces=hand),)),))
    assert after.players[0].hand == Hand(frozenset(hand), 0)
    assert GAME.audit(after) == ()


def test_c2_a_deck_counted_alone_lets_the_smallest_hands_hold_what_it_lacks() -> None:
    sizes = [player.hand.size for player in FINE.players]
    fewer = GAME.play(FINE, GAME.tacit(FINE)) if min(sizes) < FINE.limit else None
    assert fewer is not None, "the situation has a hand with room"
    counted = GAME.correct(FINE, (Counts("deck", FINE.deck - 1),))
    grown = [player.hand.size - size for player, size in zip(counted.players, sizes, strict=True)]
    assert sum(grown) == 1
    assert grown[sizes.index(min(sizes))] == 1
    assert GAME.audit(counted) == ()


def test_c2_a_deck_with_more_cards_than_counted_takes_them_from_the_largest_hand() -> None:
    sizes = [player.hand.size for player in FINE.players]
    counted = GAME.correct(FINE, (Counts("deck", FINE.deck + 1),))
    lost = [size - player.hand.size for player, size in zip(counted.players, sizes, strict=True)]
    assert sum(lost) == 1
    assert GAME.audit(counted) == ()
