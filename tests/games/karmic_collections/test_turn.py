"""Karmic Collections: set-up, karmic partners, the two pawns, and the end. One test a rule, named by it."""

from __future__ import annotations

import pytest

from companion.games.karmic_collections.card_actions import Give, KeepOpen, Take
from companion.games.karmic_collections.choosing import First, Partner, Second, TurnUp
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.setup import Deal, Lot, Roll
from companion.games.karmic_collections.state import Setup, State
from companion.rules.kernel import UNKNOWN, RuleError, Shown
from tests.games.karmic_collections.situations import (
    COMPONENTS,
    GAME,
    cards,
    dice,
    judge,
    of,
    play,
    points,
    refused,
    shown,
    situation,
    top,
)


def dealt(*hands: str, rolls: tuple[tuple[int, ...], ...]) -> State:
    state = GAME.setup(len(hands), {}, Setup())
    for seat, words in enumerate(hands, 1):
        for word in words.split():
            state = play(state, (Deal(player=seat), shown(seat, top(state, word))))
    for seat, values in enumerate(rolls, 1):
        state = play(state, (Roll(seat=seat), dice(*values)))
    return state


# ------------------------------------------------------------------------------------------------------------ Setup


def test_each_player_gets_three_dice_three_cards_three_chits_and_a_token_for_each_other_player() -> None:
    state = dealt("A 3 5", "7 8 9", "J J 2", rolls=((1, 2, 3), (4, 4, 6), (1, 2, 3)))
    assert [len(player.hand) for player in state.players] == [3, 3, 3]
    assert state.players[1].dice == (4, 4, 6)
    assert [player.chits for player in state.players] == [3, 3, 3]
    assert state.players[1].up == {1, 3}
    assert all(len(pawns) == 2 for pawns in COMPONENTS.pawns.values())
    assert len(state.unseen) == 52 - 9


def test_two_to_six_players() -> None:
    for seats in (1, 7):
        with pytest.raises(RuleError, match=f"{seats} player"):
            GAME.setup(seats, {}, Setup())
    with pytest.raises(RuleError, match="no option"):
        GAME.setup(3, {"coins": 3}, Setup())


def test_how_many_can_play_is_a_matter_of_the_setup() -> None:
    with pytest.raises(RuleError) as caught:
        GAME.setup(7, {}, Setup())
    assert caught.value.verdict.rule == "Setup", "a section of the rulebook"


def test_nobody_is_dealt_more_than_three_cards() -> None:
    state = GAME.setup(2, {}, Setup())
    for word in ["A", "3", "5"]:
        state = play(state, (Deal(player=1), shown(1, top(state, word))))
    assert refused(state, Deal(player=1)) == "Setup: @1 has 3 cards already"
    assert "no seat 3" in refused(state, Deal(player=3))
    assert "nobody chooses" in refused(state, Deal(seat=1, player=2))


def test_c2_a_card_that_is_seen_twice_can_not_be() -> None:
    state = play(GAME.setup(2, {}, Setup()), (Deal(player=1), shown(1, "105")))
    with pytest.raises(RuleError, match="the five of clubs can't have come to @2: it lies before @1") as caught:
        GAME.play(state, Deal(player=2), (shown(2, "105"),))
    assert caught.value.verdict.kind == "inconsistent"
    with pytest.raises(RuleError, match="not one of the cards"):
        GAME.play(state, Deal(player=2), (shown(2, "P11"),))


def test_a_card_that_nobody_has_read_does_not_count() -> None:
    state = GAME.setup(2, {}, Setup())
    for facts in ((), (Shown(place="hand.2", piece=UNKNOWN),), (shown(1, "105"),)):
        with pytest.raises(RuleError, match="which card @2 got"):
            GAME.play(state, Deal(player=2), facts)


def test_initial_dice_are_rolled_once_before_or_after_the_cards() -> None:
    state = play(GAME.setup(2, {}, Setup()), (Roll(seat=2), dice(6, 1, 6)))
    assert state.players[1].dice == (1, 6, 6)
    assert refused(state, Roll(seat=2)) == "Dice Rules: @2 has rolled already, and dice are not rerolled"
    assert judge(state, Roll(seat=1)).ok
    assert "no seat 3" in refused(state, Roll(seat=3))


@pytest.mark.parametrize("values", [(1, 2), (1, 2, 3, 4), (1, 2, 7), (0, 1, 2), ()])
def test_c9_dice_of_a_wrong_number_or_value_are_inconsistent(values: tuple[int, ...]) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.play(GAME.setup(2, {}, Setup()), Roll(seat=1), (dice(*values),))
    assert (caught.value.verdict.kind, caught.value.verdict.rule) == ("inconsistent", "C9")


# ----------------------------------------------------------------------------------------------------- How to Play


def test_the_player_with_the_least_points_goes_first() -> None:
    state = dealt("7 8 9", "A 3 5", "J J 2", rolls=((1, 2, 3),) * 3)
    assert points(state) == [2, 0, 1]
    assert (state.turn, state.phase) == (2, "partner")


def test_in_the_case_of_a_tie_one_of_the_tied_is_chosen_by_chance() -> None:
    state = dealt("A 3 5", "7 8 9", "A 3 5", "A 3 5", rolls=((1, 2, 3),) * 4)
    assert GAME.actors(state) == (1, 3, 4)
    (need,) = GAME.needs(state, Lot(seat=3))
    assert (need.kind, need.count, need.sides) == ("rolled", 1, 3)
    assert [play(state, (Lot(seat=4), dice(value))).turn for value in (1, 2, 3)] == [1, 3, 4]
    assert refused(state, Lot(seat=2)) == "How to Play: @2 is not one of those with 0 points, the fewest"
    with pytest.raises(RuleError, match="C9"):
        GAME.play(state, Lot(seat=1), (dice(4),))


def test_neither_dice_nor_lots_are_rolled_again() -> None:
    state = dealt("A 3 5", "7 8 9", "A 3 5", "A 3 5", rolls=((1, 2, 3),) * 4)
    for seat in (1, 2):
        said = refused(state, Roll(seat=seat))
        assert said == f"Dice Rules: @{seat} has rolled already, and dice are not rerolled"
    state = play(state, (Lot(seat=4), dice(2)))
    for seat in (1, 3):
        assert refused(state, Lot(seat=seat)) == "How to Play: it is decided who goes first, and lots are not rerolled"
    assert refused(GAME.setup(3, {}, Setup()), Lot(seat=1)).startswith("Setup: ")


def test_first_declare_your_karmic_partner() -> None:
    state = situation(phase="partner")
    assert "something else is due" in refused(state, First(seat=1, space="deal-fates"))
    assert "it is for @1 now" in refused(state, Partner(seat=2, partner=1))
    assert "their own" in refused(state, Partner(seat=1, partner=1))
    assert "no seat 4" in refused(state, Partner(seat=1, partner=4))
    assert play(state, Partner(seat=1, partner=3)).partner == 3


def test_each_player_can_be_paired_with_once_before_all_tokens_are_flipped() -> None:
    state = situation(phase="partner", up={1: {3}})
    assert refused(state, Partner(seat=1, partner=2)) == "How to Play: the token of @2 is turned down until all are"
    assert judge(state, Partner(seat=1, partner=3)).ok


def test_m6_with_all_tokens_down_they_turn_up_at_the_start_of_the_owners_next_turn() -> None:
    state = situation(phase="end", up={1: {2}, 2: set()})
    state = play(state, EndTurn(seat=1))
    assert state.players[0].up == frozenset(), "not before seat 1's own next turn"
    assert (state.turn, state.phase) == (2, "tokens")
    assert not judge(state, Partner(seat=2, partner=3)).ok
    state = play(state, TurnUp(seat=2))
    assert state.players[1].up == {1, 3}
    assert "is still up" in refused(state, TurnUp(seat=2))


def test_m6_two_players_have_the_same_partner_every_turn() -> None:
    state = situation("A 3 5", "A 3 5", phase="end")
    state = play(state, EndTurn(seat=1), Partner(seat=2, partner=1))
    assert list(GAME.legal(play(situation("A 3 5", "7 9 J", phase="tokens", up={1: set()}), TurnUp(seat=1)))) == [
        Partner(seat=1, partner=2)
    ]
    assert state.partner == 1


def test_the_karmic_partner_chooses_the_second_action_from_the_opposite_side() -> None:
    state = play(situation(), First(seat=1, space="focus-light"))
    assert GAME.actors(state) == (2,)
    spaces = {action.space for action in GAME.legal(state) if isinstance(action, Second)}
    assert spaces == {"benevolent-burglar", "merciful-mugger", "exchange-fortunes", "swap-fates"}
    assert refused(state, Second(seat=2, space="roll-fortunes")) == (
        "How to Play: the first action was light, so the second must be dark; Roll Fortunes is not"
    )
    assert "it is for @2 now" in refused(state, Second(seat=1, space="swap-fates"))


def test_a_dark_first_action_is_followed_by_a_light_one() -> None:
    state = play(situation(), First(seat=1, space="merciful-mugger"), (Roll(seat=2), dice(4)))
    spaces = {action.space for action in GAME.legal(state) if isinstance(action, Second)}
    assert spaces == {"deal-fates", "focus-light", "roll-fortunes", "balance-chakra"}


def test_the_second_action_is_performed_as_if_whose_turn_it_is_had_chosen_it() -> None:
    state = play(situation(), First(seat=1, space="focus-light"), Second(seat=2, space="merciful-mugger"))
    assert [player.chits for player in state.players] == [4, 2, 3], "2 given, 3 stolen"


def test_m5_the_second_action_is_skipped_if_none_of_the_opposite_side_can_be_done() -> None:
    state = situation("A", "", "K", dice=((1,), (), (1, 2)), chits=(5, 0, 3))
    state = play(state, First(seat=1, space="focus-light"))
    assert (state.phase, GAME.actors(state)) == ("end", (1,))
    said = refused(state, Second(seat=2, space="swap-fates"))
    assert said == "M5: no dark action can be done, so the second is skipped"


def test_m5_if_none_at_all_can_be_done_the_first_is_skipped_too_and_the_token_turns_down() -> None:
    state = situation("", "", "K", dice=((), (), (1, 2)), chits=(0, 0, 3), phase="partner", deck=0)
    state = play(state, Partner(seat=1, partner=2))
    assert state.phase == "end"
    for action in (First(seat=1, space="deal-fates"), Second(seat=2, space="swap-fates")):
        assert refused(state, action) == "M5: no action can be done with @2, so both are skipped"
    state = play(state, EndTurn(seat=1))
    assert state.players[0].up == {3}


def test_m5_the_second_action_is_judged_on_the_state_after_the_first() -> None:
    state = situation("A 3", "5 7", chits=(2, 0))
    assert "as @2 has no chit" in refused(state, First(seat=1, space="merciful-mugger"))
    state = play(state, First(seat=1, space="focus-light"))
    assert "as @2 has 2 chits" in refused(state, Second(seat=2, space="merciful-mugger")), "it has two now"


def test_pawns_come_back_the_token_turns_down_and_the_turn_passes_clockwise() -> None:
    state = play(situation(phase="end", turn=3, partner=2), EndTurn(seat=3))
    assert (state.turn, state.partner, state.spaces) == (1, 0, ())
    assert state.players[2].up == {1}
    assert "something else is due" in refused(state, EndTurn(seat=1))


# ------------------------------------------------------------------------------------------------------- M7: the end


def winners(*coins: int, turn: int = 1) -> tuple[int, ...] | None:
    hands = ("A 3 5",) * len(coins)
    partner = 2 if turn == 1 else 1
    state = situation(*hands, coins=coins, phase="end", turn=turn, partner=partner)
    after = play(state, EndTurn(seat=turn))
    return after.outcome.winners if after.outcome else None


def test_m7_at_ten_points_the_match_ends() -> None:
    assert winners(9, 0, 0) is None
    assert winners(10, 0, 0) == (1,)


def test_m7_points_are_counted_for_everybody_and_the_highest_wins() -> None:
    assert winners(10, 12, 0) == (2,)


def test_m7_a_tie_goes_to_the_one_whose_turn_it_was_else_it_is_shared() -> None:
    assert winners(11, 11, 0) == (1,)
    assert winners(11, 11, 0, turn=2) == (2,)
    assert winners(11, 11, 0, turn=3) == (1, 2)


def test_m7_the_points_are_those_of_coins_dice_and_cards() -> None:
    state = situation("Q Q Q Q", "4 5 6", dice=((1, 1, 1, 5, 5, 6), (2, 3)), coins=(3, 0), phase="end")
    assert points(state) == [9, 2]
    assert [[part.value for part in seat.parts] for seat in GAME.standing(state).seats] == [[3, 3, 3], [2, 0, 0]]


def test_m7_set_up_does_not_count() -> None:
    state = dealt("7 8 9", "A 3 5", rolls=((1, 1, 1), (2, 4, 6)))
    numbers = {**GAME.deck.numbers, "goal": 4}
    small = type(GAME)(type(GAME.deck)(GAME.deck.game, GAME.deck.code, GAME.deck.title, GAME.deck.cards, numbers))
    assert points(state) == [4, 0]
    again = small.setup(2, {}, Setup())
    for card, seat in zip(cards("7 8 9 A 3 5"), (1, 1, 1, 2, 2, 2), strict=True):
        again = small.play(again, Deal(player=seat), (shown(seat, card),))
    for seat, values in ((1, (1, 1, 1)), (2, (2, 4, 6))):
        again = small.play(again, Roll(seat=seat), (dice(*values),))
    assert again.outcome is None, "the first turn is always played"


def test_m7_ten_reached_and_lost_again_within_a_turn_does_not_count() -> None:
    state = situation("3 K", "4 9 J", coins=(9, 0), dice=((), ()), chits=(1, 3))
    state = play(state, First(seat=1, space="benevolent-burglar"), KeepOpen(seat=2))
    four = of(state, 2, "4")
    state = play(state, Take(seat=1, card=four))
    assert points(state) == [10, 0]
    state = play(state, Take(seat=1, card=of(state, 2, "9")), Give(seat=1, card=four))
    state = play(state, Second(seat=2, space="roll-fortunes"), (Roll(seat=1), dice(1, 2)))
    state = play(state, Give(seat=1, card=of(state, 1, "K")), EndTurn(seat=1))
    assert points(state)[0] == 9
    assert state.outcome is None


def test_the_match_is_over_then() -> None:
    state = play(situation(coins=(10, 0, 0), phase="end"), EndTurn(seat=1))
    assert state.outcome is not None
    assert state.outcome.words == "@1 wins with 10 points."
    assert "the match is over" in refused(state, Partner(seat=2, partner=1))
    assert list(GAME.legal(state)) == []
