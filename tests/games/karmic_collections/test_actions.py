"""Karmic Collections: the eight actions, their feasibility, concealed cards, picks and swaps. One test a rule."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.karmic_collections.card_actions import Conceal, Draw, Give, KeepOpen, Take, TakeBlind
from companion.games.karmic_collections.choosing import First, Second
from companion.games.karmic_collections.dice_actions import GiveDie, TakeDie
from companion.games.karmic_collections.setup import Roll
from companion.games.karmic_collections.spaces import SPACES, Part, _steps
from companion.games.karmic_collections.state import State
from companion.rules.kernel import RuleError
from tests.games.karmic_collections.situations import GAME, dice, hand, judge, of, play, refused, shown, situation, top


def first(space: str) -> First:
    return First(seat=1, space=space)


def conceal(state: State, *words: str) -> Conceal:
    return Conceal(seat=2, cards=tuple(sorted(of(state, 2, word) for word in words)))


def draws(state: State, word: str) -> Any:
    return Draw(seat=1), shown(1, top(state, word))


# ------------------------------------------------------------------------------------------------ the eight actions


def test_the_eight_actions_are_those_of_the_rulebook() -> None:
    assert [(space.side, space.title, space.words) for space in SPACES.values()] == [
        ("light", "Deal Fates", "draw 2 cards, give 1 die"),
        ("light", "Focus Light", "gain 1 coin, give 2 chits"),
        ("light", "Roll Fortunes", "gain 2 dice, give 1 card"),
        ("light", "Balance Chakra", "draw 1 card, gain 1 die, give 1 chit"),
        ("dark", "Benevolent Burglar", "steal 2 cards, give 1 card, give 1 chit"),
        ("dark", "Merciful Mugger", "steal 3 chits, partner gains 1 die"),
        ("dark", "Exchange Fortunes", "swap 1 die, draw 1 card, give 1 card"),
        ("dark", "Swap Fates", "swap 1 card, gain 1 die, give 1 die"),
    ]


def test_light_1_deal_fates() -> None:
    state = play(situation("A", "K"), first("deal-fates"))
    state = play(state, draws(state, "5"))
    state = play(state, draws(state, "9"), GiveDie(seat=1, value=3))
    assert hand(state, 1) == ["A", "5", "9"]
    assert [player.dice for player in state.players] == [(1, 2), (1, 2, 3, 3)]
    assert state.phase == "second"


def test_light_2_focus_light() -> None:
    state = play(situation("A", "K"), first("focus-light"))
    assert [(player.coins, player.chits) for player in state.players] == [(1, 1), (0, 5)]


def test_light_3_roll_fortunes() -> None:
    state = play(situation("A", "K"), first("roll-fortunes"), (Roll(seat=1), dice(6, 4)))
    state = play(state, Give(seat=1, card=of(state, 1, "A")))
    assert state.players[0].dice == (1, 2, 3, 4, 6)
    assert hand(state, 2) == ["A", "K"]


def test_light_4_balance_chakra() -> None:
    state = play(situation("A", "K"), first("balance-chakra"))
    state = play(state, draws(state, "7"), (Roll(seat=1), dice(5)))
    assert (hand(state, 1), state.players[0].dice) == (["A", "7"], (1, 2, 3, 5))
    assert [player.chits for player in state.players] == [2, 4]


def test_dark_1_benevolent_burglar() -> None:
    state = play(situation("A", "4 9 K"), first("benevolent-burglar"), KeepOpen(seat=2))
    state = play(state, Take(seat=1, card=of(state, 2, "4")), Take(seat=1, card=of(state, 2, "K")))
    state = play(state, Give(seat=1, card=of(state, 1, "A")))
    assert (hand(state, 1), hand(state, 2)) == (["4", "K"], ["A", "9"])
    assert [player.chits for player in state.players] == [2, 4]


def test_dark_2_merciful_mugger_and_the_partner_rolls_its_own_die() -> None:
    state = play(situation("A", "K"), first("merciful-mugger"))
    assert [player.chits for player in state.players] == [6, 0]
    assert GAME.actors(state) == (2,)
    assert "it is for @2 now" in refused(state, Roll(seat=1))
    state = play(state, (Roll(seat=2), dice(6)))
    assert state.players[1].dice == (1, 2, 3, 6)


def test_dark_3_exchange_fortunes() -> None:
    state = play(situation("A", "K", dice=((1, 1, 2), (5, 6))), first("exchange-fortunes"))
    state = play(state, TakeDie(seat=1, value=6), GiveDie(seat=1, value=1))
    assert [player.dice for player in state.players] == [(1, 2, 6), (1, 5)]
    state = play(state, draws(state, "9"))
    state = play(state, Give(seat=1, card=of(state, 1, "9")))
    assert (hand(state, 1), hand(state, 2)) == (["A"], ["9", "K"]), "what an earlier part brought may be given"


def test_dark_4_swap_fates() -> None:
    state = play(situation("A", "K 9"), first("swap-fates"), KeepOpen(seat=2))
    state = play(state, Take(seat=1, card=of(state, 2, "K")))
    state = play(state, Give(seat=1, card=of(state, 1, "A")), (Roll(seat=1), dice(4)), GiveDie(seat=1, value=4))
    assert (hand(state, 1), hand(state, 2)) == (["K"], ["A", "9"])
    assert [player.dice for player in state.players] == [(1, 2, 3), (1, 2, 3, 4)]


def test_a_part_that_no_rule_knows_is_a_mistake_in_the_data() -> None:
    with pytest.raises(ValueError, match="no rule for the part 'swap 1 coin'"):
        _steps(Part("swap", "coin"))


def test_parts_are_done_from_left_to_right() -> None:
    state = play(situation("A", "K"), first("deal-fates"))
    assert "something else is due" in refused(state, GiveDie(seat=1, value=1))
    assert GAME.legal(state) == [Draw(seat=1)]


# ------------------------------------------------------------------------------------------------ M4: feasibility


@pytest.mark.parametrize(
    ("space", "fails", "state"),
    [
        ("deal-fates", 'its part "draw 2 cards" fails, as the deck has 1 card', situation("A", "K", deck=1)),
        ("deal-fates", 'its part "give 1 die" fails, as @1 has no die', situation("A", "K", dice=((), (1,)))),
        ("focus-light", 'its part "give 2 chits" fails, as @1 has 1 chit', situation("A", "K", chits=(1, 3))),
        ("roll-fortunes", 'its part "give 1 card" fails, as @1 has no card', situation("", "K")),
        ("balance-chakra", 'its part "draw 1 card" fails, as the deck has no card', situation("A", "K", deck=0)),
        ("balance-chakra", 'its part "give 1 chit" fails, as @1 has no chit', situation("A", "K", chits=(0, 3))),
        ("benevolent-burglar", 'its part "steal 2 cards" fails, as @2 has 1 card', situation("A", "K")),
        ("benevolent-burglar", 'its part "give 1 chit" fails, as @1 has no chit', situation("A", "K 3", chits=(0, 3))),
        ("merciful-mugger", 'its part "steal 3 chits" fails, as @2 has 2 chits', situation("A", "K", chits=(3, 2))),
        ("exchange-fortunes", 'its part "swap 1 die" fails, as @2 has no die', situation("A", "K", dice=((1,), ()))),
        ("exchange-fortunes", 'its part "swap 1 die" fails, as @1 has no die', situation("A", "K", dice=((), (1,)))),
        ("exchange-fortunes", 'its part "draw 1 card" fails, as the deck has no card', situation("A", "K", deck=0)),
        ("swap-fates", 'its part "swap 1 card" fails, as @2 has no card', situation("A", "")),
        ("swap-fates", 'its part "swap 1 card" fails, as @1 has no card', situation("", "K")),
    ],
)
def test_m4_an_action_with_a_part_that_can_not_be_done_can_not_be_chosen(space: str, fails: str, state: State) -> None:
    said = refused(state, first(space)).removesuffix(" by then")
    assert said == f"M4: {SPACES[space].title} can't be done: {fails}"
    assert first(space) not in GAME.legal(state)
    offered = {may.words: may.verdict for may in GAME.view(state, 1).may if may.name == "first"}
    assert len(offered) == 8
    assert sum(fails in verdict.reason for verdict in offered.values()) >= 1, "the page says so too"


def test_m4_what_an_earlier_part_brought_may_be_given_in_a_later_one() -> None:
    assert judge(situation("", "K 3"), first("benevolent-burglar")).ok
    assert judge(situation("", "K"), first("exchange-fortunes")).ok
    assert judge(situation("A", "K", dice=((), (1,))), first("swap-fates")).ok


def test_m4_a_swap_needs_a_thing_of_ones_own_before_it() -> None:
    assert not judge(situation("", "K 3"), first("swap-fates")).ok
    assert not judge(situation("A", "K", dice=((), (1, 2))), first("exchange-fortunes")).ok


def test_m4_dice_coins_and_chits_never_run_out() -> None:
    state = situation("A", "K", dice=((1,) * 60, (2,) * 60), coins=(0, 9), chits=(90, 3))
    assert judge(state, first("roll-fortunes")).ok
    assert judge(state, first("focus-light")).ok


def test_there_are_eight_actions_and_no_more() -> None:
    assert "there is no action called 'rest'" in refused(situation(), first("rest"))
    assert judge(situation(), first("rest")).kind == "inconsistent"


# ----------------------------------------------------------------------------------- M3: concealing, picks and swaps


def burgled(theirs: str, mine: str = "A") -> State:
    return play(situation(mine, theirs), first("benevolent-burglar"))


def test_m3_the_partner_may_conceal_all_its_cards_outside_its_sets_or_none() -> None:
    state = burgled("A A 8 6")
    assert GAME.actors(state) == (2,)
    assert set(GAME.legal(state)) == {KeepOpen(seat=2), conceal(state, "8", "6")}
    assert refused(state, conceal(state, "8")).startswith("M3: only the cards outside the sets")
    assert refused(state, conceal(state, "8", "6", "A")).startswith("M3: only the cards outside the sets")
    state = play(state, conceal(state, "8", "6"))
    assert set(state.concealed) == {of(state, 2, "8"), of(state, 2, "6")}


def test_m3_a_card_that_is_elsewhere_can_not_be_concealed() -> None:
    state = burgled("A A 8 6", mine="9 K")
    verdict = judge(state, Conceal(seat=2, cards=(of(state, 1, "9"),)))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C2")
    assert "it lies before @1" in verdict.reason


def test_m3_of_several_best_splits_the_owner_picks() -> None:
    state = burgled("4 5 5")
    assert len([action for action in GAME.legal(state) if isinstance(action, Conceal)]) == 3


def test_m3_without_a_card_outside_the_sets_nothing_can_be_concealed() -> None:
    state = burgled("A A 2")
    assert [action for action in GAME.legal(state) if isinstance(action, Conceal)] != [], "2 goes with one ace or alone"
    state = burgled("4 5 6")
    assert GAME.actors(state) == (1,)
    assert "it is for @1 now" in refused(state, KeepOpen(seat=2))


def test_m3_who_takes_picks_a_face_up_card_or_blind_among_those_concealed() -> None:
    state = burgled("A A 8 6")
    state = play(state, conceal(state, "8", "6"))
    eight = of(state, 2, "8")
    assert refused(state, Take(seat=1, card=eight)) == "M3: the eight of clubs is concealed"
    assert judge(state, Take(seat=1, card=of(state, 2, "A"))).ok
    state = play(state, (TakeBlind(seat=1), shown(1, eight)))
    assert eight in state.players[0].hand
    with pytest.raises(RuleError, match="can't have come to @1"):
        GAME.play(state, TakeBlind(seat=1), (shown(1, of(state, 2, "A")),))


def test_m3_a_steal_of_two_picks_twice_and_conceals_once() -> None:
    state = burgled("A A 8 6")
    state = play(state, conceal(state, "8", "6"), Take(seat=1, card=of(state, 2, "A")))
    assert GAME.actors(state) == (1,), "the partner is not asked again"
    assert state.concealed == {of(state, 2, "8"), of(state, 2, "6")}


def test_m3_a_set_card_orphaned_by_the_first_pick_stays_open() -> None:
    state = burgled("A A 8 6")
    aces = sorted(piece for piece in state.players[1].hand if piece.endswith("01"))
    state = play(state, conceal(state, "8", "6"), Take(seat=1, card=aces[0]))
    assert judge(state, Take(seat=1, card=aces[1])).ok


def test_m3_afterwards_hands_are_face_up_again() -> None:
    state = burgled("A A 8 6")
    state = play(state, conceal(state, "8", "6"))
    state = play(state, (TakeBlind(seat=1), shown(1, of(state, 2, "8"))), Take(seat=1, card=of(state, 2, "A")))
    assert state.concealed == frozenset()
    assert of(state, 2, "6") in GAME.layout(state).zones["hand.2"].pieces  # type: ignore[attr-defined]


def test_m3_without_concealed_cards_nothing_is_picked_blind() -> None:
    state = play(burgled("A A 8 6"), KeepOpen(seat=2))
    assert refused(state, TakeBlind(seat=1)) == "M3: @2 has concealed no card"
    assert "is not before @2" in refused(state, Take(seat=1, card=of(state, 1, "A")))


def test_c2_a_card_of_a_seat_that_is_no_partner_is_illegal() -> None:
    state = play(situation("A", "A A 8 6", "K"), first("benevolent-burglar"), KeepOpen(seat=2))
    verdict = judge(state, Take(seat=1, card=of(state, 3, "K")))
    assert (verdict.kind, verdict.rule) == ("illegal", "Action Rules")
    assert verdict.reason.endswith("is not before @2: it lies before @3")
    assert verdict.remedy == "Put it back and take a card of @2."
    assert judge(state, Take(seat=1, card=top(state, "9"))).kind == "inconsistent", "nobody has it"


def test_c2_only_a_card_of_ones_own_is_given() -> None:
    state = play(situation("A 3", "K", "9"), first("roll-fortunes"), (Roll(seat=1), dice(6, 4)))
    verdict = judge(state, Give(seat=1, card=of(state, 3, "9")))
    assert (verdict.kind, verdict.rule) == ("illegal", "Action Rules")
    assert verdict.reason.endswith("is not before @1: it lies before @3")
    assert judge(state, Give(seat=1, card=of(state, 2, "K"))).kind == "inconsistent", "the partner has it already"


def test_m3_a_swap_of_cards_asks_the_partner_too() -> None:
    state = play(situation("A", "9 K"), first("swap-fates"))
    state = play(state, conceal(state, "9", "K"), (TakeBlind(seat=1), shown(1, of(state, 2, "9"))))
    assert (state.concealed, GAME.actors(state)) == (frozenset(), (1,))


def test_m3_a_swap_does_not_hand_back_the_thing_just_taken() -> None:
    state = play(situation("A", "9 K"), first("swap-fates"), KeepOpen(seat=2))
    state = play(state, Take(seat=1, card=of(state, 2, "9")))
    assert refused(state, Give(seat=1, card=of(state, 1, "9"))).endswith("has just been taken in this swap")
    assert GAME.legal(state) == [Give(seat=1, card=of(state, 1, "A"))]
    state = play(situation("A", "K", dice=((1, 2), (6,))), first("exchange-fortunes"), TakeDie(seat=1, value=6))
    assert refused(state, GiveDie(seat=1, value=6)) == "M3: the die showing 6 has just been taken in this swap"
    state = play(situation("A", "K", dice=((1, 6), (6,))), first("exchange-fortunes"), TakeDie(seat=1, value=6))
    assert judge(state, GiveDie(seat=1, value=6)).ok, "one's own die of the same value"


def test_m3_a_steal_may_give_back_what_was_stolen() -> None:
    state = play(burgled("4 9 K"), KeepOpen(seat=2))
    nine = of(state, 2, "9")
    state = play(state, Take(seat=1, card=nine), Take(seat=1, card=of(state, 2, "4")), Give(seat=1, card=nine))
    assert hand(state, 2) == ["9", "K"]


def test_m3_the_acting_player_chooses_every_item_given() -> None:
    state = play(situation("A 3", "K"), first("roll-fortunes"), (Roll(seat=1), dice(6, 4)))
    assert GAME.legal(state) == [Give(seat=1, card=of(state, 1, "A")), Give(seat=1, card=of(state, 1, "3"))]
    assert "it is for @1 now" in refused(state, Give(seat=2, card=of(state, 2, "K")))
    assert "is not before @1" in refused(state, Give(seat=1, card=of(state, 2, "K")))


# ------------------------------------------------------------------------------------------------------- M8: dice


def test_m8_dice_keep_their_values_whenever_they_change_hands() -> None:
    state = situation("A", "K", dice=((5,), (2, 2, 4)))
    state = play(state, first("exchange-fortunes"), TakeDie(seat=1, value=2), GiveDie(seat=1, value=5))
    assert [player.dice for player in state.players] == [(2,), (2, 4, 5)]


def test_m8_a_new_die_is_rolled_at_once_and_once() -> None:
    state = play(situation("A", "K"), first("roll-fortunes"))
    (need,) = GAME.needs(state, Roll(seat=1))
    assert (need.kind, need.place, need.count, need.sides) == ("rolled", "dice", 2, 6)
    assert "something else is due" in refused(state, Give(seat=1, card=of(state, 1, "A")))
    state = play(state, (Roll(seat=1), dice(6, 4)))
    assert refused(state, Roll(seat=1)) == "Dice Rules: @1 has gained no die, and dice are not rerolled"


@pytest.mark.parametrize("values", [(6,), (6, 4, 4), (6, 7), (0, 6)])
def test_c9_a_wrong_number_of_dice_or_a_value_no_die_has_is_inconsistent(values: tuple[int, ...]) -> None:
    state = play(situation("A", "K"), first("roll-fortunes"))
    with pytest.raises(RuleError) as caught:
        GAME.play(state, Roll(seat=1), (dice(*values),))
    assert (caught.value.verdict.kind, caught.value.verdict.rule) == ("inconsistent", "C9")
    with pytest.raises(RuleError, match="have not been rolled"):
        GAME.play(state, Roll(seat=1))


def test_c9_a_die_that_nobody_has_is_inconsistent() -> None:
    state = play(situation("A", "K", dice=((1, 2), (6,))), first("exchange-fortunes"))
    assert refused(state, TakeDie(seat=1, value=5)) == "C9: @2 has no die showing 5"
    assert refused(state, TakeDie(seat=1, value=8)) == "C9: no die shows 8"


def test_chits_pay_and_who_has_too_few_can_not_choose_the_action() -> None:
    state = situation("A", "K", chits=(1, 3))
    assert "give 2 chits" in refused(state, first("focus-light"))
    state = play(situation("A", "K", chits=(2, 3)), first("focus-light"))
    assert state.players[0].chits == 0
    assert judge(state, Second(seat=2, space="merciful-mugger")).ok
