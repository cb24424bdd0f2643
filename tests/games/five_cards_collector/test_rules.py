"""Five Cards Collector, rule by rule: preparation, adding, discarding, drawing, doing nothing, running out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Take, Use
from companion.games.five_cards_collector.state import Setup, State
from companion.rules.hands import Hand
from companion.rules.kernel import UNKNOWN, Hole, RuleError, Shown
from tests.games.five_cards_collector.situations import (
    COMPONENTS,
    GAME,
    adds,
    card,
    discards,
    judge,
    pieces,
    play,
    situation,
    uses,
)


def shown(place: str, words: str) -> tuple[Shown, ...]:
    return (Shown(place=place, piece=card(words)),)


# --------------------------------------------------------------------------------------------- 1. Contents, F1, F2


def test_f1_the_box_holds_82_cards() -> None:
    counts = {kind: len(GAME.deck.of_kind(kind)) for kind in ("goal", "symbol", "special", "information")}
    assert counts == {"goal": 10, "symbol": 50, "special": 21, "information": 1}
    effects = [special.traits["effect"] for special in GAME.deck.of_kind("special")]
    assert {effect: effects.count(effect) for effect in effects} == {
        "draw-three": 4,
        "draw-from-hand": 4,
        "view-hand": 3,
        "retrieve": 3,
        "take-over": 3,
        "pile-swap": 2,
        "change-direction": 2,
    }


FIGURES = ("star", "moon", "leaf", "key", "shell")
COLOURS = ("red", "blue", "green", "yellow", "violet")


def test_f2_symbols_are_five_figures_in_five_colours_in_duplicate() -> None:
    printed = [(symbol.traits["figure"], symbol.traits["colour"]) for symbol in GAME.deck.of_kind("symbol")]
    assert sorted(printed) == sorted([(figure, colour) for figure in FIGURES for colour in COLOURS] * 2)


@pytest.mark.parametrize("number", range(1, 11))
def test_f2_each_collection_card_shows_its_five(number: int) -> None:
    k = (number - 1) % 5
    step = 1 if number <= 5 else 2
    wanted = {f"{COLOURS[(step * i + k) % 5]} {figure}" for i, figure in enumerate(FIGURES)}
    goal = card(f"Collection {number}")
    assert {COMPONENTS.name(piece).removeprefix("the ") for piece in COMPONENTS.shows[goal]} == wanted


def test_f1_two_players_remove_pile_swap_and_change_direction() -> None:
    assert len(COMPONENTS.in_play(3)) == 71
    assert COMPONENTS.in_play(3) - COMPONENTS.in_play(2) == set(pieces(*["pile-swap"] * 2, *["change-direction"] * 2))


# ------------------------------------------------------------------------------------ 3. Preparation for the game


@pytest.mark.parametrize(("seats", "hand", "deck"), [(2, 9, 49), (3, 7, 50), (8, 7, 15)])
def test_3_each_player_is_dealt_7_cards_or_9_with_two(seats: int, hand: int, deck: int) -> None:
    state = GAME.setup(seats, {}, Setup())
    assert [player.hand for player in state.players] == [Hand(frozenset(), hand)] * seats
    assert (state.deck, state.limit) == (deck, hand)


def test_f4_two_players_may_choose_7_cards() -> None:
    assert GAME.setup(2, {"hand_limit": 7}, Setup()).limit == 7


def test_3_collection_cards_are_drawn_in_any_order_then_a_symbol_is_turned_up() -> None:
    state = GAME.setup(2, {}, Setup(first=2))
    assert GAME.actors(state) == (0,)
    state = play(state, DrawGoal(player=2), facts=shown("goal.2", "Collection 4"))
    state = play(state, DrawGoal(player=1), facts=shown("goal.1", "Collection 1"))
    state = play(state, TurnUp(), facts=shown("discard", "draw-three"))
    assert (state.used, state.discard, GAME.actors(state)) == ((card("draw-three"),), (), (0,))
    state = play(state, TurnUp(), facts=shown("discard", "blue moon"))
    assert (state.discard, state.deck, GAME.actors(state)) == ((card("blue moon"),), 47, (2,))


def test_3_set_up_facts_stand_for_the_upkeep() -> None:
    goals, turned = pieces("Collection 1", "Collection 5"), pieces("retrieve", "blue moon")
    state = GAME.setup(2, {}, Setup(first=1, goals=goals, turned_up=turned))
    assert GAME.audit(state) == ()
    assert (state.phase, state.deck, state.used, state.discard) == ("turn", 47, turned[:1], turned[1:])


@pytest.mark.parametrize(
    ("seats", "options", "facts", "says"),
    [
        (1, {}, Setup(), "1 player "),
        (9, {}, Setup(), "9 players"),
        (2, {"hand_limit": 8}, Setup(), "hand limit of 8"),
        (2, {"speed": 8}, Setup(), "no option 'speed'"),
        (3, {}, Setup(first=4), "no seat 4"),
        (2, {}, Setup(goals=pieces("Collection 1")), "2 different"),
        (2, {}, Setup(goals=pieces("Collection 1") * 2), "2 different"),
        (2, {}, Setup(goals=pieces("Collection 1", "red star")), "no collection card"),
        (2, {}, Setup(turned_up=pieces("draw-three")), "only the last one is a symbol"),
        (2, {}, Setup(turned_up=pieces("red star", "blue star")), "only the last one is a symbol"),
        (2, {}, Setup(turned_up=pieces("pile-swap", "blue star")), "can't be turned up"),
        (3, {}, Setup(turned_up=(card("retrieve"),) * 2), "can't be turned up"),
    ],
)
def test_a_set_up_that_does_not_fit_is_refused(seats: int, options: dict[str, int], facts: Setup, says: str) -> None:
    with pytest.raises(RuleError, match=says) as caught:
        GAME.setup(seats, options, facts)
    assert caught.value.verdict.rule
    assert caught.value.verdict.remedy


def test_3_a_second_collection_card_for_one_player_is_illegal() -> None:
    state = play(GAME.setup(2, {}, Setup()), DrawGoal(player=1), facts=shown("goal.1", "Collection 1"))
    verdict = judge(state, DrawGoal(player=1))
    assert (verdict.kind, verdict.rule) == ("illegal", "3. Preparation for the game")
    assert "Collection 1" in verdict.reason


def test_3_a_collection_card_cannot_lie_before_two_players() -> None:
    state = play(GAME.setup(2, {}, Setup()), DrawGoal(player=1), facts=shown("goal.1", "Collection 1"))
    with pytest.raises(RuleError, match="can't have come up"):
        GAME.play(state, DrawGoal(player=2), shown("goal.2", "Collection 1"))


def test_a_card_that_is_not_read_yet_stays_due_and_no_other_is_taken() -> None:
    state = GAME.setup(2, {}, Setup(goals=pieces("Collection 1", "Collection 2")))
    unread = play(state, TurnUp(), facts=(Shown(place="discard", piece=UNKNOWN),))
    assert (unread.deck, unread.unread, list(GAME.legal(unread))) == (48, True, [TurnUp()])
    assert play(unread, TurnUp(), facts=shown("discard", "red key")) == play(
        state, TurnUp(), facts=shown("discard", "red key")
    )


def test_a_collection_card_that_is_not_read_yet_stays_due() -> None:
    state = play(GAME.setup(2, {}, Setup()), DrawGoal(player=1), facts=(Shown(place="goal.1", piece=UNKNOWN),))
    assert DrawGoal(player=1) in GAME.legal(state)
    read = play(state, DrawGoal(player=1), facts=shown("goal.1", "Collection 7"))
    assert read.players[0].goal == card("Collection 7")


def test_play_does_not_invent_a_fact() -> None:
    with pytest.raises(RuleError, match="nobody has said"):
        GAME.play(GAME.setup(2, {}, Setup()), DrawGoal(player=1))


def test_3_before_the_preparation_is_over_nobody_plays() -> None:
    assert judge(GAME.setup(2, {}, Setup()), Draw(seat=1)).rule == "3. Preparation for the game"
    state = GAME.setup(2, {}, Setup(goals=pieces("Collection 1", "Collection 2")))
    assert "no discard pile" in judge(state, Draw(seat=1)).reason


def test_3_a_deck_without_a_symbol_ends_the_match_before_it_began() -> None:
    state = situation(2, hands=(0, 0), discard=(), unseen=("take-over",), gone=True, phase="turn-up")
    over = play(state, TurnUp(), facts=shown("discard", "take-over"))
    assert over.outcome is not None
    assert (over.outcome.winners, over.outcome.rule) == ((), "F10")


# ------------------------------------------------------------------------------------------------------ 4. Gameplay


def test_4_play_goes_clockwise_one_action_a_turn() -> None:
    state = situation(3)
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = play(state, Draw(seat=state.turn))
        state = play(state, Keep(seat=state.turn))
    assert turns == [1, 2, 3, 1]


def test_f4_who_holds_a_full_hand_is_not_called_upon_to_draw() -> None:
    room, full = situation(3), situation(3, hands=(7, 7, 7))
    assert GAME.call(room, 1) == "Your turn: add, discard or draw"
    assert "draw" in GAME.due(room)
    assert GAME.call(full, 1) == "Your turn: add or discard a card"
    assert GAME.due(full) == "@1 may add, discard, use a special card, or do nothing."
    last = situation(2, hands=(9, 9), passes={1: COMPONENTS.two_player_passes})
    assert GAME.due(last) == "@1 may add, discard or use a special card; if none can be done, say so."


def test_4_it_is_not_your_turn() -> None:
    verdict = judge(situation(3, turn=2), adds("red star", seat=1, copy=2))
    assert (verdict.kind, verdict.reason) == ("illegal", "it is the turn of @2, not of @1")


def test_c3_there_is_no_such_seat() -> None:
    assert judge(situation(3), Draw(seat=7)).reason == "there is no seat 7: the seats are 1 to 3"
    assert judge(situation(3), TurnUp(seat=2)).kind == "inconsistent"


def test_4_add_a_card_that_the_collection_card_shows() -> None:
    state = play(situation(3), adds("blue moon"))
    assert state.players[0].collected == (card("blue moon"),)
    assert (state.players[0].hand.size, state.turn) == (4, 2)


def test_4_only_one_card_is_added_in_a_turn() -> None:
    state = play(situation(3), adds("blue moon"))
    assert judge(state, adds("green leaf")).reason == "it is the turn of @2, not of @1"


def test_f3_a_card_that_is_not_on_the_collection_card_does_not_belong() -> None:
    verdict = judge(situation(3), adds("red moon"))
    assert (verdict.kind, verdict.rule) == ("illegal", "F3")
    assert verdict.reason == "the collection card of @1 does not show the red moon"
    assert "the blue moon" in verdict.remedy


def test_f3_a_symbol_that_is_collected_already_does_not_belong() -> None:
    verdict = judge(situation(3, collected={1: ("blue moon",)}), adds("blue moon", copy=2))
    assert (verdict.rule, verdict.reason) == ("F3", "@1 has collected the blue moon already")
    assert "blue moon" not in verdict.remedy


def test_4_a_special_is_not_added() -> None:
    assert "only symbols are collected" in judge(situation(3), adds("draw-three")).reason


@pytest.mark.parametrize("four", [("red star", "blue moon", "green leaf", "yellow key")])
def test_f7_the_fifth_card_wins_at_once(four: tuple[str, ...]) -> None:
    state = play(situation(3, discard=("green key",), collected={1: four}), adds("violet shell"))
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending) == ((1,), "five-collected")
    assert (GAME.actors(state), list(GAME.legal(state))) == ((), [])
    assert judge(state, Draw(seat=2)).reason.startswith("the match is over")


def test_f7_wins_in_the_middle_of_a_turn_too() -> None:
    four = ("red star", "blue moon", "green leaf", "yellow key")
    drawn = play(situation(3, discard=("green key",), collected={1: four}), Draw(seat=1))
    assert play(drawn, adds("violet shell")).outcome is not None


def test_4_discard_a_card_of_the_same_symbol_or_colour() -> None:
    state = situation(3, discard=("blue moon",))
    assert judge(state, discards("blue key")).ok
    assert judge(state, discards("red moon")).ok
    assert play(state, discards("red moon")).discard == pieces("blue moon", "red moon")


def test_4_discard_the_very_same_card() -> None:
    assert judge(situation(3, discard=("blue moon",)), discards("blue moon", copy=2)).ok


def test_4_a_card_of_another_symbol_and_colour_is_not_discarded() -> None:
    verdict = judge(situation(3, discard=("red leaf", "blue moon")), discards("red key"))
    assert (verdict.kind, verdict.rule) == ("illegal", "4. Gameplay")
    assert verdict.reason == "the red key matches neither the colour nor the figure of the top card, the blue moon"
    assert verdict.remedy == "Take it back; a blue card or a moon would do."


def test_4_a_special_is_not_discarded() -> None:
    assert "only symbols are discarded" in judge(situation(3), discards("retrieve")).reason


def test_4_a_symbol_is_not_used() -> None:
    assert "is a symbol, not a special card" in judge(situation(3), uses("blue moon")).reason


# ------------------------------------------------------------------------------------------------------------ draws


def test_4_draw_and_keep() -> None:
    state = play(situation(3), Draw(seat=1))
    assert (state.players[0].hand.size, state.turn, state.phase) == (6, 1, "drawn")
    assert play(state, Keep(seat=1)).turn == 2


@pytest.mark.parametrize("follow", [discards("red key"), adds("blue moon"), uses("draw-three")])
def test_f3_a_drawn_card_may_be_discarded_added_or_used_at_once(follow: Add) -> None:
    assert play(play(situation(3), Draw(seat=1)), follow).turn == 2


def test_f3_nothing_else_follows_a_draw() -> None:
    drawn = play(situation(3), Draw(seat=1))
    for action in (Draw(seat=1), Nothing(seat=1), Take(seat=1, victim=2)):
        assert judge(drawn, action).rule == "F3"
    assert judge(situation(3), Keep(seat=1)).reason == "no card has been drawn in this turn"


def test_f3_a_follow_up_that_does_not_match_is_illegal() -> None:
    assert judge(play(situation(3), Draw(seat=1)), discards("blue key")).rule == "4. Gameplay"


def test_f3_a_card_known_in_the_hand_counts_as_drawn_while_a_copy_of_it_is_unseen() -> None:
    drawn = play(situation(3, known={1: ("blue moon",)}), Draw(seat=1))
    after = play(drawn, adds("blue moon"))
    assert after.players[0].hand == Hand(frozenset(), 6)
    assert card("blue moon", 2) in after.unseen


def test_f3_a_card_known_in_the_hand_is_not_the_drawn_one_if_no_copy_is_unseen() -> None:
    drawn = play(situation(3, known={1: ("blue moon",), 2: ("blue moon",)}), Draw(seat=1))
    verdict = judge(drawn, adds("blue moon"))
    assert (verdict.kind, verdict.rule) == ("illegal", "F3")
    assert not any(
        isinstance(action, Add) and isinstance(action.card, Hole) and card("blue moon") in action.card.pieces
        for action in GAME.legal(drawn)
    )


@pytest.mark.parametrize(("seats", "limit"), [(2, 9), (3, 7)])
def test_f4_at_the_hand_limit_nothing_can_be_drawn(seats: int, limit: int) -> None:
    state = situation(seats, hands=(limit,) + (5,) * (seats - 1))
    verdict = judge(state, Draw(seat=1))
    assert (verdict.rule, verdict.reason) == ("F4", f"@1 holds {limit} cards, and {limit} are the limit")
    assert judge(situation(seats, hands=(limit - 1,) + (5,) * (seats - 1)), Draw(seat=1)).ok


# ------------------------------------------------------------------------------- When you run out of cards in the deck


def test_4_the_deck_is_renewed_when_a_card_is_due_and_none_is_left() -> None:
    state = situation(3, deck=0, discard=("red star", "blue moon"), used=("retrieve",))
    under = len(state.discard) - 1 + len(state.used)
    after = play(state, Draw(seat=1))
    assert (after.discard, after.used, after.deck) == (state.discard[-1:], (), under - 1)
    assert after.unseen == state.unseen | set(state.discard[:-1]) | set(state.used)


def test_4_used_specials_alone_renew_the_deck_where_the_discard_pile_is_its_top_alone() -> None:
    state = situation(3, deck=0, discard=("red star",), used=("retrieve",), gone=True)
    after = play(state, Draw(seat=1))
    assert (after.discard, after.used, after.deck) == (state.discard, (), 0)
    assert after.players[0].hand.size == state.players[0].hand.size + 1


def test_4_the_last_card_of_the_deck_does_not_renew_it_yet() -> None:
    state = situation(3, deck=1)
    after = play(state, Draw(seat=1))
    assert (after.deck, after.discard) == (0, state.discard)


def test_f4_drawing_is_illegal_when_there_is_no_card_anywhere() -> None:
    state = situation(3, deck=0, gone=True)
    assert judge(state, Draw(seat=1)).reason == (
        "no card is left to draw, in the deck or under the top of the discard pile"
    )
    assert not any(isinstance(action, Draw) for action in GAME.legal(state))


# ---------------------------------------------------------------------------------------------------- nothing, F10


def test_4_you_may_do_nothing_although_you_could() -> None:
    assert play(situation(3), Nothing(seat=1)).turn == 2


def after_a_round_of_nothing(**more: Any) -> State:
    state = situation(3, **more)
    for seat in (1, 2, 3):
        state = play(state, Nothing(seat=seat))
    return state


def test_f10_after_a_round_of_nothing_cards_are_turned_up_until_a_symbol_lies_there() -> None:
    state = after_a_round_of_nothing()
    assert GAME.actors(state) == (0,)
    assert judge(state, Draw(seat=1)).rule == "F10"
    state = play(state, TurnUp(), facts=shown("discard", "draw-three"))
    assert (state.used, GAME.actors(state)) == ((card("draw-three"),), (0,))
    state = play(state, TurnUp(), facts=shown("discard", "blue moon"))
    assert (state.discard, state.turn, state.idle) == (pieces("red star", "blue moon"), 1, 0)


def test_f10_the_count_starts_again_after_any_other_action() -> None:
    state = play(play(situation(3), Nothing(seat=1)), Nothing(seat=2))
    state = play(play(state, Draw(seat=3)), Keep(seat=3))
    state = play(play(state, Nothing(seat=1)), Nothing(seat=2))
    assert GAME.actors(state) == (3,)


def test_f10_a_draw_or_a_special_that_is_not_finished_counts_already() -> None:
    passed = play(situation(3), Nothing(seat=1))
    assert (passed.idle, play(passed, Draw(seat=2)).idle, play(passed, uses("view-hand", seat=2)).idle) == (1, 0, 0)


def test_f10_turning_up_does_not_renew_the_deck_and_most_cards_win() -> None:
    state = after_a_round_of_nothing(deck=0, collected={2: ("blue star",)})
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending, state.outcome.rule) == ((2,), "nobody-moves", "F10")


def test_f10_a_deck_of_specials_ends_the_match_and_ties_are_shared() -> None:
    state = after_a_round_of_nothing(
        hands=(0, 0, 0), unseen=("retrieve",), collected={1: ("blue moon",), 2: ("blue star",)}
    )
    state = play(state, TurnUp(), facts=shown("discard", "retrieve"))
    assert state.outcome is not None
    assert state.outcome.winners == (1, 2)
    assert "@1 and @2 share the win" in state.outcome.words


# ---------------------------------------------------------------------------------------- C2: what a hand can hold


def test_c2_a_card_that_lies_elsewhere_cannot_be_in_a_hand() -> None:
    state = situation(3, discard=("red star", "blue moon"), known={3: ("red moon",)})
    for words, where in (("red star", "discard pile"), ("red moon", "hand of @3")):
        verdict = judge(state, discards(words))
        assert (verdict.kind, verdict.rule) == ("inconsistent", "C2")
        assert where in verdict.reason


def test_c2_a_card_of_the_table_laid_in_place_of_one_of_the_hand_is_illegal() -> None:
    state = situation(
        3, discard=("red star", "blue moon"), used=("view-hand",), collected={1: ("red shell",), 2: ("green moon",)}
    )
    for action, where in (
        (adds("red star"), "in the discard pile"),
        (adds("green moon"), "in the collection of @2"),
        (discards("green moon"), "in the collection of @2"),
        (discards("red shell"), "in the collection of @1"),
        (discards("view-hand"), "with the used specials"),
        (uses("red star"), "in the discard pile"),
    ):
        verdict = judge(state, action)
        assert (verdict.kind, verdict.rule) == ("illegal", "4. Gameplay")
        assert where in verdict.reason
        assert verdict.remedy == "Put it back where it lay; only cards of the hand are laid."
    for action in (adds("red shell"), uses("view-hand")):
        assert judge(state, action).kind == "inconsistent", "it lies there already"


def test_c2_a_hand_that_is_all_known_holds_nothing_else() -> None:
    state = situation(3, hands=(0, 5, 5), known={1: ("red key",)})
    assert judge(state, discards("red key")).ok
    assert "all the cards there are known" in judge(state, discards("red moon")).reason


@pytest.mark.parametrize("strange", ["Collection 1", "How to play"])
def test_c2_cards_that_are_not_shuffled_are_in_no_hand(strange: str) -> None:
    assert judge(situation(3), discards(strange)).kind == "inconsistent"


def test_c2_a_number_that_no_card_has() -> None:
    assert judge(situation(3), Use(seat=1, card="ZZZ")).kind == "inconsistent"


def test_f8_change_direction_with_two_players_is_not_in_the_deck() -> None:
    verdict = judge(situation(2), uses("change-direction"))
    assert (verdict.kind, verdict.reason) == (
        "inconsistent",
        'the special "Change direction" can\'t be in the hand of @1: with two players it is not in the deck',
    )
