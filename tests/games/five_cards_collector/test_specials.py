"""Five Cards Collector: the seven special cards, each by its description and rulings F4 to F7 and F9."""

from __future__ import annotations

import pytest

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.hands import Hand
from companion.rules.kernel import Hole
from tests.games.five_cards_collector.situations import GAME, adds, card, judge, pieces, play, situation, uses


def templates(state: object) -> list[FiveCardsAction]:
    return list(GAME.legal(state))


# -------------------------------------------------------------------------------------------------------- draw three


def test_draw_three_draws_three_and_ends_the_turn() -> None:
    before = situation(3, hands=(4, 5, 5))
    after = play(before, uses("draw-three"))
    assert (after.players[0].hand.size, after.deck, after.turn) == (6, before.deck - 3, 2)
    assert (after.used, after.in_use) == (pieces("draw-three"), "")


@pytest.mark.parametrize(("held", "drawn"), [(5, 3), (6, 2), (7, 1)])
def test_f4_draw_three_draws_up_to_the_limit_and_the_card_in_use_makes_room(held: int, drawn: int) -> None:
    before = situation(3, hands=(held, 5, 5))
    assert before.deck - play(before, uses("draw-three")).deck == drawn


def test_f4_a_renewal_within_draw_three_leaves_the_card_in_use_out() -> None:
    before = situation(3, hands=(3, 5, 5), deck=2, used=("retrieve",), known={1: ("draw-three",)})
    under = len(before.discard) - 1 + len(before.used)
    after = play(before, uses("draw-three"))
    assert after.used == pieces("draw-three")
    assert (after.deck, after.players[0].hand.unknown) == (under - 1, 6)
    assert card("retrieve") in after.unseen


def test_f4_draw_three_draws_what_there_is_but_at_least_one() -> None:
    state = situation(3, hands=(1, 0, 0), deck=1, gone=True, known={1: ("draw-three",)})
    assert play(state, uses("draw-three")).players[0].hand.unknown == 2
    none = situation(3, hands=(1, 0, 0), deck=0, gone=True, known={1: ("draw-three",)})
    assert (judge(none, uses("draw-three")).kind, judge(none, uses("draw-three")).rule) == ("illegal", "F4")


# ----------------------------------------------------------------- draw from a player's hand, view a player's hand


@pytest.mark.parametrize("special", ["draw-from-hand", "view-hand"])
def test_take_one_card_out_of_any_other_hand(special: str) -> None:
    using = play(situation(3), uses(special))
    assert (using.in_use, using.used, GAME.actors(using)) == (card(special), (), (1,))
    assert templates(using) == [Take(seat=1, victim=2), Take(seat=1, victim=3)]
    after = play(using, Take(seat=1, victim=3))
    assert [player.hand.size for player in after.players] == [5, 5, 4]
    assert (after.used, after.in_use, after.turn) == (pieces(special), "", 2)


@pytest.mark.parametrize(
    ("special", "words"),
    [("draw-from-hand", "@2: 1 unseen"), ("view-hand", "@2: see all, take 1")],
)
def test_each_way_to_take_a_card_says_whether_it_is_looked_at(special: str, words: str) -> None:
    using = play(situation(3), uses(special))
    assert Take(seat=1, victim=2).label(GAME.components, using) == words


def test_f5_nothing_is_taken_from_an_empty_or_the_own_hand() -> None:
    using = play(situation(3, hands=(5, 0, 5)), uses("view-hand"))
    assert templates(using) == [Take(seat=1, victim=3)]
    assert judge(using, Take(seat=1, victim=2)).reason == "the hand of @2 is empty"
    assert judge(using, Take(seat=1, victim=1)).rule == "F5"
    assert judge(using, Take(seat=1, victim=2)).remedy == "Choose @3."


def test_f5_the_special_is_illegal_when_every_other_hand_is_empty() -> None:
    state = situation(3, hands=(5, 0, 0))
    assert judge(state, uses("view-hand")).reason == "every other hand is empty"
    assert not [
        action
        for action in templates(state)
        if isinstance(action, Use) and isinstance(action.card, Hole) and card("view-hand") in action.card.pieces
    ]


def test_c1_what_was_known_of_a_hand_is_no_longer_once_a_hidden_card_left_it() -> None:
    using = play(situation(3, known={2: ("red key",)}), uses("draw-from-hand"))
    after = play(using, Take(seat=1, victim=2))
    assert after.players[1].hand == Hand(frozenset(), 5)
    assert card("red key") in after.unseen


def test_c2_the_only_card_of_a_hand_stays_known_when_it_is_taken() -> None:
    using = play(situation(3, hands=(5, 0, 5), known={2: ("red key",)}), uses("draw-from-hand"))
    after = play(using, Take(seat=1, victim=2))
    assert (after.players[0].hand.known, after.players[1].hand.size) == (frozenset(pieces("red key")), 0)


def test_4_nothing_else_is_done_while_a_special_is_in_use() -> None:
    using = play(situation(3), uses("view-hand"))
    for action in (Draw(seat=1), Nothing(seat=1), Keep(seat=1), adds("blue moon"), Retrieve(seat=1, card="00B")):
        verdict = judge(using, action)
        assert verdict.reason == 'the special "View player\'s hand" is in use'
        assert verdict.remedy == "First @1 takes a card out of another hand."


# ---------------------------------------------------------------------------------------- retrieve, pile swap (F9)


def test_retrieve_any_card_of_the_discard_pile() -> None:
    using = play(situation(3, discard=("red star", "blue moon", "green key")), uses("retrieve"))
    assert templates(using) == [Retrieve(seat=1, card=piece) for piece in using.discard]
    after = play(using, Retrieve(seat=1, card=card("blue moon")))
    assert after.discard == pieces("red star", "green key")
    assert after.players[0].hand.known == {card("blue moon")}
    assert (after.used, after.turn) == (pieces("retrieve"), 2)


def test_f5_retrieve_may_take_the_top_card_too() -> None:
    using = play(situation(3, discard=("red star", "blue moon")), uses("retrieve"))
    assert play(using, Retrieve(seat=1, card=card("blue moon"))).discard == pieces("red star")


def test_retrieve_takes_no_card_that_is_not_in_the_pile() -> None:
    using = play(situation(3, discard=("red star", "blue moon")), uses("retrieve"))
    assert judge(using, Retrieve(seat=1, card=card("green key"))).kind == "inconsistent"


def test_c2_a_used_special_in_place_of_a_discarded_card_is_illegal() -> None:
    state = situation(3, discard=("red star", "blue moon"), used=("view-hand",), collected={2: ("red shell",)})
    using = play(state, uses("retrieve"))
    for words, where in (("view-hand", "with the used specials"), ("red shell", "in the collection of @2")):
        verdict = judge(using, Retrieve(seat=1, card=card(words)))
        assert (verdict.kind, verdict.rule) == ("illegal", "F5")
        assert where in verdict.reason
        assert verdict.remedy == "Put it back and take a card of the discard pile."


def test_c2_a_discarded_card_in_place_of_a_collected_one_is_illegal() -> None:
    using = play(situation(3, discard=("red star", "blue moon"), collected={2: ("red shell",)}), uses("take-over"))
    verdict = judge(using, TakeOver(seat=1, card=card("blue moon"), from_seat=2, to="own"))
    assert (verdict.kind, verdict.rule) == ("illegal", "F6")
    assert "it lies in the discard pile" in verdict.reason


def test_pile_swap_takes_the_top_of_the_discard_pile() -> None:
    after = play(situation(3, discard=("red star", "blue moon")), uses("pile-swap"))
    assert after.discard == pieces("red star")
    assert after.players[0].hand == Hand(frozenset(pieces("blue moon")), 4)
    assert (after.used, after.turn) == (pieces("pile-swap"), 2)


@pytest.mark.parametrize("special", ["retrieve", "pile-swap"])
def test_f9_the_discard_pile_never_runs_dry(special: str) -> None:
    verdict = judge(situation(3, discard=("red star",)), uses(special))
    assert (verdict.kind, verdict.rule) == ("illegal", "F9")


# --------------------------------------------------------------------------------------------------------- take over


def test_f6_take_over_a_card_that_belongs_to_your_collection() -> None:
    state = situation(3, collected={2: ("blue moon", "red key")})
    after = play(play(state, uses("take-over")), TakeOver(seat=1, card=card("blue moon"), from_seat=2, to="own"))
    assert [player.collected for player in after.players] == [pieces("blue moon"), pieces("red key"), ()]
    assert (after.used, after.turn) == (pieces("take-over"), 2)


def test_f6_a_card_that_does_not_belong_is_not_taken_over() -> None:
    using = play(
        situation(3, collected={1: ("red star",), 2: ("red shell",)}, discard=("blue key",)), uses("take-over")
    )
    verdict = judge(using, TakeOver(seat=1, card=card("red shell"), from_seat=2, to="own"))
    assert (verdict.kind, verdict.rule) == ("illegal", "F6")
    own = judge(using, TakeOver(seat=1, card=card("red star"), from_seat=1, to="own"))
    assert own.reason == "the red star is in the collection of @1 already"


def test_f6_anyones_card_can_be_discarded_whatever_lies_on_top_and_your_own_too() -> None:
    using = play(
        situation(3, collected={1: ("red star",), 2: ("red shell",)}, discard=("blue key",)), uses("take-over")
    )
    other = play(using, TakeOver(seat=1, card=card("red shell"), from_seat=2, to="discard"))
    assert (other.discard, other.players[1].collected) == (pieces("blue key", "red shell"), ())
    own = play(using, TakeOver(seat=1, card=card("red star"), from_seat=1, to="discard"))
    assert (own.discard, own.players[0].collected) == (pieces("blue key", "red star"), ())


def test_f6_a_card_is_taken_from_the_collection_it_lies_in() -> None:
    using = play(situation(3, collected={2: ("red shell",)}), uses("take-over"))
    verdict = judge(using, TakeOver(seat=1, card=card("red shell"), from_seat=3, to="discard"))
    assert (verdict.kind, "collection of @2" in verdict.reason) == ("inconsistent", True)


def test_f4_take_over_needs_a_card_in_some_collection() -> None:
    assert judge(situation(3), uses("take-over")).reason == "no card lies in any collection"


def test_f7_taking_over_the_fifth_card_wins_at_once() -> None:
    state = situation(
        3,
        discard=("green key",),
        collected={1: ("red star", "blue moon", "green leaf", "yellow key"), 2: ("violet shell",)},
    )
    state = play(play(state, uses("take-over")), TakeOver(seat=1, card=card("violet shell"), from_seat=2, to="own"))
    assert state.outcome is not None
    assert (state.outcome.winners, state.used, state.in_use) == ((1,), pieces("take-over"), "")


# -------------------------------------------------------------------------------------------------- change direction


def test_f5_change_direction_gives_the_previous_player_the_next_move() -> None:
    state = play(situation(4, turn=2), uses("change-direction", seat=2))
    assert (state.turn, state.direction) == (1, -1)
    state = play(state, Nothing(seat=1))
    assert state.turn == 4


def test_change_direction_twice_goes_clockwise_again() -> None:
    state = play(situation(4), uses("change-direction"))
    state = play(state, uses("change-direction", seat=4, copy=2))
    assert (state.turn, state.direction) == (1, 1)


def test_pages_say_which_way_play_goes_once_it_goes_the_other_way() -> None:
    state = play(situation(4, turn=2), uses("change-direction", seat=2))
    for seat in (0, 3):
        assert GAME.view(state, seat).headline == "It is the turn of @1; play goes counterclockwise, @4 is next."
    state = play(state, uses("change-direction", seat=1, copy=2))
    assert GAME.view(state, 0).headline == "It is the turn of @2."


# ---------------------------------------------------------------------------------------------------------- follow-up


def test_f3_a_drawn_special_is_used_with_its_choice() -> None:
    drawn = play(situation(3, hands=(6, 5, 5)), Draw(seat=1))
    using = play(drawn, uses("draw-from-hand"))
    after = play(using, Take(seat=1, victim=2))
    assert ([player.hand.size for player in after.players], after.turn) == ([7, 4, 5], 2)


def test_f4_a_drawn_draw_three_at_the_limit_draws_one() -> None:
    drawn = play(situation(3, hands=(6, 5, 5)), Draw(seat=1))
    assert play(drawn, uses("draw-three")).players[0].hand.size == 7


def test_the_words_of_a_hole_name_the_specials_that_have_a_target() -> None:
    holes = [action.card for action in templates(situation(3, hands=(5, 0, 0))) if isinstance(action, Use | Discard)]
    words = [hole.words for hole in holes if isinstance(hole, Hole)]
    assert words == ["a red card or a star", 'the special "Draw 3 cards" or "Change direction"']


def test_f5_the_top_card_is_told_from_its_copies_below() -> None:
    """Whether the upper or the lower of two red moons is taken decides what lies on top next."""
    for discard, labels in (
        (("red moon", "red star", "red moon"), ("", "", "on top")),
        (("red moon", "red moon", "red star"), ("", "", "")),
        (("red moon", "red star"), ("", "")),
    ):
        state = situation(3, discard=discard, in_use="retrieve", phase="retrieve")
        may = next(entry for entry in GAME.view(state, state.turn).may if entry.name == "retrieve")
        assert len(may.actions) == len(discard)
        assert may.labels == labels
