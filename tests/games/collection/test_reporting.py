"""COLLECTION!: engaging, rolling with every bonus, using reports, completing scenarios. One test a rule."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from msgspec.structs import replace

from companion.games.collection.cards import PlayCard
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.reports import UseReport
from companion.games.collection.rolling import Attempt, Roll, attempt
from companion.games.collection.state import CIRCLE, COLLECTORS, COLOURS, CRISIS, ReportToUse, State
from companion.rules.kernel import Rolled, RuleError
from tests.games.collection.situations import (
    COMPONENTS,
    GAME,
    ROLES,
    crises,
    does,
    engagement,
    gems,
    judge,
    levels,
    play,
    refused,
    scenario,
    situation,
    threw,
)

ALONE = ("DO", "DH", "DH")


def sarah(level: int = 6, blue: int = 4, crisis: int = 3) -> State:
    """The rulebook's example: a political analyst on DO in A, with four blue gems, at a response level of 6."""
    return situation(at=ALONE, a=scenario(crisis=crisis, levels={"DO": level}, engaged={"DO": gems(blue)}))


def roll(state: State, *values: int, colour: str = "political") -> State:
    return play(state, (Roll(seat=1, colour=colour), threw(*values)))


def tried(state: State, colour: str = "political", seat: int = 1) -> Attempt:
    return attempt(COMPONENTS, state, seat, colour)


# ------------------------------------------------------------------------------------------------------ 6.1 engaging


def test_engage_places_one_gem_of_the_roles_colour() -> None:
    state = play(situation(), Engage(seat=1, colour="political"))
    assert engagement(state, "DH") == gems(1)
    assert refused(state, Engage(seat=1, colour="military")).startswith("6.1: the Political Analyst places political")
    assert judge(state, Engage(seat=1, colour="purple")).kind == "inconsistent"


@pytest.mark.parametrize(
    ("role", "colours"),
    [
        ("political", "political"),
        ("military", "military"),
        ("economic", "economic"),
        ("leadership", "political"),
        ("weapons", "military"),
        ("collection", COLOURS),
        ("targeting", COLOURS),
    ],
)
def test_each_role_places_and_rolls_for_its_own_colours(role: str, colours: str | tuple[str, ...]) -> None:
    order = (role, *(other for other in ROLES[7] if other != role))
    state = situation(roles=order, at=("DH", *["DO"] * 6), a=scenario(engaged={"DH": gems(3, 3, 3)}))
    placed = {action.colour for action in GAME.legal(state) if isinstance(action, Engage)}
    rolled = {action.colour for action in GAME.legal(state) if isinstance(action, Roll)}
    assert placed == rolled == ({colours} if isinstance(colours, str) else set(colours))


@pytest.mark.parametrize(("crisis", "level"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_the_first_gem_places_the_coin_at_the_crisis_level_or_three(crisis: int, level: int) -> None:
    state = play(situation(a=scenario(crisis=crisis)), Engage(seat=1, colour="political"))
    assert levels(state) == {"DH": level}


def test_only_the_first_gem_of_any_colour_places_the_coin() -> None:
    state = situation(a=scenario(crisis=3, levels={"DH": 7}, engaged={"DH": gems(0, 1)}))
    assert levels(play(state, Engage(seat=1, colour="political"))) == {"DH": 7}


def test_gems_on_a_space_are_not_limited() -> None:
    state = situation(a=scenario(engaged={"DH": gems(25)}))
    assert engagement(play(state, Engage(seat=1, colour="political")), "DH") == gems(26)


def test_i13_engaging_on_a_completed_scenario_is_legal() -> None:
    state = situation(a=scenario(reports=gems(4, 3, 3)), b=scenario(1))
    assert engagement(play(state, Engage(seat=1, colour="political")), "DH") == gems(1)


def test_i10_the_next_engage_after_a_skip_costs_an_action_and_places_nothing() -> None:
    state = play(situation(skips={1: 1}), Engage(seat=1, colour="political"))
    assert (engagement(state, "DH"), levels(state), state.actions) == (gems(), {}, 1)
    assert engagement(play(state, Engage(seat=1, colour="political")), "DH") == gems(1)
    assert not judge(situation(skips={1: 1}), Engage(seat=1, colour="military")).ok, "it has to be a legal one"


# ------------------------------------------------------------------------------------------------------- 6.2 rolling


def test_sarah_rolls_four_dice_and_needs_one_below_six() -> None:
    state = sarah()
    (need,) = GAME.needs(state, Roll(seat=1, colour="political"))
    assert (need.place, need.kind, need.count, need.sides) == ("dice", "rolled", 4, 10)
    assert roll(state, 6, 9, 10, 5).scenarios[0].reports == gems(1)
    assert roll(state, 6, 9, 10, 6).scenarios[0].reports == gems()


def test_the_whole_probability_is_said_before_the_roll() -> None:
    (may,) = [entry for entry in GAME.view(sarah(), 1).may if entry.name == "roll"]
    assert may.words == "Roll for reporting: political 4 dice, below 6: 94 %"
    assert tried(sarah()).chance == 1 - Fraction(1, 2) ** 4
    assert GAME.describe(sarah(), may.actions[0]).endswith("4 dice, below 6: 94 %.")


@pytest.mark.parametrize(
    ("level", "blue", "says"), [(10, 10, "10 dice, below 10: 99 %"), (2, 1, "1 die, below 2: 10 %")]
)
def test_a_chance_that_is_not_certain_is_not_said_to_be(level: int, blue: int, says: str) -> None:
    assert tried(sarah(level, blue)).words == says


def test_a_zero_counts_as_ten_and_always_fails() -> None:
    assert roll(sarah(level=10, blue=1), 10).scenarios[0].reports == gems()
    assert roll(sarah(level=10, blue=1), 9).scenarios[0].reports == gems(1)


def test_a_zero_is_entered_as_0_or_10() -> None:
    state = sarah(level=10, blue=2)
    assert roll(state, 0, 10) == roll(state, 10, 0) == roll(state, 10, 10)
    assert roll(state, 0, 9).scenarios[0].reports == gems(1)
    said = GAME.describe(state, Roll(seat=1, colour="political"), (Rolled(place="dice", values=(0, 10)),))
    assert said.endswith(": 10 10; none is below 10.")


def test_only_one_report_an_action_however_many_dice_succeed() -> None:
    state = roll(sarah(), 1, 1, 1, 1)
    assert (state.scenarios[0].reports, state.actions, state.players[0].reported) == (gems(1), 1, 1)


def test_c9_six_dice_where_four_were_due_and_values_no_die_has_are_inconsistent() -> None:
    for values in ((1, 2, 3, 4, 5, 6), (1, 2, 3), (1, 2, 3, -1), (1, 2, 3, 11), ()):
        with pytest.raises(RuleError) as caught:
            roll(sarah(), *values)
        assert (caught.value.verdict.kind, caught.value.verdict.rule) == ("inconsistent", "C9")
    with pytest.raises(RuleError, match="have not been rolled"):
        GAME.play(sarah(), Roll(seat=1, colour="political"))


def test_the_article_of_a_colour_is_right() -> None:
    state = situation(("economic", "political", "military"), at=ALONE, a=scenario(engaged={"DO": gems(1)}))
    assert judge(state, Engage(seat=1, colour="political")).remedy == "Place an economic one."
    assert judge(state, Roll(seat=1, colour="political")).remedy == "Roll for an economic one."
    assert GAME.describe(state, Engage(seat=1, colour="economic")) == "@1 places an economic gem on DO in A."
    assert GAME.describe(state, Engage(seat=1, colour="military")) == "@1 places a military gem on DO in A."
    headline = GAME.view(replace(state, phase="report", pending=(ReportToUse("economic"),)), 1).headline
    assert headline.startswith("@1 has an economic report: ")


def test_i5_gems_count_whoever_placed_them() -> None:
    state = situation(ROLES[4], at=("DO", "DH", "DH", "DO"), a=scenario(engaged={"DO": gems(2)}), turn=4)
    assert tried(play(state, Engage(seat=4, colour="political"))).gems == 3


@pytest.mark.parametrize(("blue", "dice"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
@pytest.mark.parametrize("role", ["collection", "targeting"])
def test_two_roles_count_half_of_the_gems_rounded_up(role: str, blue: int, dice: int) -> None:
    state = situation(
        roles=(role, *ROLES[3], "leadership"), at=("DH", *["DO"] * 4), a=scenario(engaged={"DH": gems(blue)})
    )
    assert tried(state).dice == dice


def test_i5_at_most_ten_dice_a_bonus_die_among_them() -> None:
    state = situation(at=ALONE, a=scenario(levels={"DO": 2}, engaged={"DO": gems(14)}), dice={1: 2})
    assert tried(state).dice == 10
    nine = situation(at=ALONE, a=scenario(levels={"DO": 2}, engaged={"DO": gems(9)}), dice={1: 2})
    assert tried(nine).dice == 10


def test_i5_a_bonus_die_does_not_stand_alone_but_collocation_bonuses_do() -> None:
    state = situation(at=ALONE, a=scenario(levels={"DO": 5}))
    none = "I5: there is no political gem on DO in A, and "
    assert refused(state, Roll(seat=1, colour="political")) == f"{none}no bonus die"
    state = situation(at=ALONE, a=scenario(levels={"DO": 5}), dice={1: 2})
    assert refused(state, Roll(seat=1, colour="political")) == f"{none}a card's bonus die can't stand alone"
    state = situation(at=("DO", "DO", "DH"), a=scenario(levels={"DO": 5}, engaged={"DO": gems(0, 1)}), dice={1: 2})
    assert (tried(state).gems, tried(state).dice) == (0, 3), "the military analyst's die, and the two of cards"


def test_i10_a_bonus_die_is_used_up_by_the_roll_whatever_comes_of_it() -> None:
    state = situation(at=ALONE, a=scenario(levels={"DO": 5}, engaged={"DO": gems(1)}), dice={1: 1})
    state = roll(state, 9, 9)
    assert (state.players[0].dice, tried(state).dice) == (0, 1)


def test_i5_a_roll_needs_the_collector_on_the_ladder_and_a_level_of_two() -> None:
    assert refused(situation(), Roll(seat=1, colour="political")) == "I5: DH in A is not on the response ladder"
    said = refused(sarah(level=1), Roll(seat=1, colour="political"))
    assert said == "I5: DO in A responds at level 1, and no die shows less"
    helped = situation(ROLES[4], at=("DO", "DH", "DH", "DO"), a=scenario(levels={"DO": 1}, engaged={"DO": gems(1)}))
    assert judge(helped, Roll(seat=1, colour="political")).ok, "the collection analyst lifts it to 2"


def test_a_role_rolls_only_for_its_colours() -> None:
    said = refused(sarah(), Roll(seat=1, colour="economic"))
    assert said.startswith("6.2: the Political Analyst rolls for political reports, not for economic ones")


# ---------------------------------------------------------------------------------------------- collaboration bonuses

DICE = {"political": "political", "military": "military", "economic": "economic"}
LEVELS = {
    "collection": set(COLLECTORS),
    "leadership": {"OSE", "STATE"},
    "weapons": {"NGA", "NSA"},
    "targeting": {"NSA", "DO", "DH"},
}


@pytest.mark.parametrize("others", [set(some) for n in range(7) for some in itertools.combinations(ROLES[7][1:], n)])
def test_all_combinations_of_collocation_bonuses(others: set[str]) -> None:
    """I6: each role once; a die for gems of that colour, whatever colour is rolled; a level at some collectors."""
    for collector in COLLECTORS:
        elsewhere = "DH" if collector != "DH" else "DO"
        places = tuple(collector if role in {"political", *others} else elsewhere for role in ROLES[7])
        for there in itertools.product((0, 1), repeat=3):
            engaged = (2 + there[0], 3 * there[1], there[2])
            state = situation(ROLES[7], places, scenario(levels={collector: 4}, engaged={collector: engaged}))
            got = tried(state)
            dice = sum(
                role in others and bool(there[COLOURS.index(colour)])
                for role, colour in DICE.items()
                if role != "political"
            )
            level = sum(role in others and collector in where for role, where in LEVELS.items())
            assert (got.dice, got.level) == (engaged[0] + dice, 4 + level)
            assert {helper.role for helper in got.helps} <= others


def test_i6_bonuses_come_from_other_players_only() -> None:
    state = situation(at=ALONE, a=scenario(engaged={"DO": gems(2)}))
    assert (tried(state).dice, tried(state).helps) == (2, ())


def test_i6_an_analyst_on_the_same_collector_of_another_scenario_does_not_help() -> None:
    state = situation(at=("DO", "B DO", "DH"), a=scenario(engaged={"DO": gems(2, 1)}), b=scenario(1))
    assert tried(state).helps == ()


def test_i6_the_effective_level_is_at_most_ten_and_the_bonus_is_temporary() -> None:
    places = ("DH", "DO", "DO", "DH", "DO", "DO", "DH")
    state = situation(ROLES[7], places, scenario(levels={"DH": 9}, engaged={"DH": gems(1)}))
    assert tried(state).level == 10
    assert levels(roll(state, 9)) == {"DH": 9}


def test_the_words_of_a_roll_say_who_helps() -> None:
    places = ("DH", "DH", "DO", "DH", "DO", "DO", "DO")
    state = situation(ROLES[7], places, scenario(levels={"DH": 5}, engaged={"DH": gems(1, 1)}))
    assert GAME.describe(state, Roll(seat=1, colour="political")).endswith(
        "2 dice, below 6: 75 % (a die from @2, a level from @4)."
    )


# ------------------------------------------------------------------------------------------------- 6.3 using reports


def test_a_report_fills_the_circle_or_reduces_the_crisis_by_one() -> None:
    state = roll(sarah(crisis=6), 1, 9, 9, 9)
    assert (state.phase, GAME.actors(state)) == ("report", (1,))
    assert state.pending == (ReportToUse("political"),)
    assert [action.use for action in GAME.legal(state)] == [CIRCLE, CRISIS]
    filed = play(state, UseReport(seat=1, use=CIRCLE))
    eased = play(state, UseReport(seat=1, use=CRISIS))
    assert (filed.scenarios[0].reports, crises(filed)) == (gems(1), [6, 0, 0])
    assert (eased.scenarios[0].reports, crises(eased)) == (gems(), [5, 0, 0])


@pytest.mark.parametrize("crisis", [1, 2, 3, 4])
def test_reports_reduce_the_crisis_to_a_minimum_of_four(crisis: int) -> None:
    state = roll(sarah(crisis=crisis), 1, 9, 9, 9)
    assert (state.phase, crises(state)[0], state.scenarios[0].reports) == ("act", crisis, gems(1))


def test_i7_where_one_use_is_possible_it_is_automatic() -> None:
    full = situation(at=ALONE, a=scenario(crisis=6, engaged={"DO": gems(1)}, reports=gems(4)))
    state = roll(full, 1)
    assert (state.phase, crises(state)[0]) == ("act", 5)


def test_i7_a_use_that_is_not_allowed_leaves_the_report_waiting() -> None:
    state = roll(sarah(crisis=6), 1, 9, 9, 9)
    assert refused(state, UseReport(seat=1, use="")) == "6.3: a report is used for circle or crisis, not for nothing"
    assert refused(state, UseReport(seat=2, use=CIRCLE)) == "6: it is the turn of @1"
    assert not judge(state, Move(seat=1, scenario="A", collector="DH")).ok, "it can't be declined"


def test_i7_a_roll_that_could_give_nothing_is_illegal() -> None:
    full = situation(at=ALONE, a=scenario(crisis=4, engaged={"DO": gems(1)}, reports=gems(4)))
    said = refused(full, Roll(seat=1, colour="political"))
    assert said.startswith("I7: scenario A needs no political report any more, and its crisis is at 4")


def test_the_collection_analyst_uses_reports_only_for_the_circle() -> None:
    order = ("collection", *ROLES[3])
    at = ("DO", "DH", "DH", "DH")
    state = situation(order, at, scenario(crisis=8, engaged={"DO": gems(1)}))
    assert roll(state, 1).scenarios[0].reports == gems(1)
    full = situation(order, at, scenario(crisis=8, engaged={"DO": gems(1)}, reports=gems(4)))
    assert refused(full, Roll(seat=1, colour="political")).endswith("the Collection Analyst can't reduce a crisis")


def test_the_targeting_analyst_may_reduce_the_crisis() -> None:
    order, at = ("targeting", *ROLES[3], "weapons"), ("DO", *["DH"] * 4)
    state = roll(situation(order, at, scenario(crisis=8, engaged={"DO": gems(1)})), 1)
    assert crises(play(state, UseReport(seat=1, use=CRISIS))) == [7, 0, 0]


def test_i12_no_card_is_played_between_a_roll_and_the_use_of_its_report() -> None:
    card = does("die +1")
    state = situation(at=ALONE, a=scenario(crisis=6, engaged={"DO": gems(1)}), hands={1: (card,)})
    assert refused(roll(state, 1), PlayCard(seat=1, card=card)).startswith("I12: no card is played between")


# --------------------------------------------------------------------------------------------- 7 completing, the end


def last_report(crisis: int = 6, **more: object) -> State:
    """A needs one political report more; the circle is the only use that completes it."""
    there = {"DO": 5, "DH": 2, "OSE": 10}
    a = scenario(crisis=crisis, levels=there, engaged={"DO": gems(1)}, reports=gems(3, 3, 3))
    return situation(at=ALONE, a=a, **more)  # type: ignore[arg-type]


def test_completing_a_scenario_reduces_the_crisis_to_one_and_responses_by_three() -> None:
    state = play(roll(last_report(b=scenario(1)), 1), UseReport(seat=1, use=CIRCLE))
    assert (crises(state), levels(state)) == ([1, 1, 0], {"DH": 0, "DO": 2, "OSE": 7})
    assert state.outcome is None, "another scenario is active"


def test_i8_the_crisis_of_a_completed_scenario_can_still_rise_and_all_be_lost() -> None:
    done = scenario(crisis=9, reports=gems(4, 3, 3))
    state = situation(a=done, b=scenario(1), phase="close", drawn=True, hands={1: (does("die +1"),)})
    assert crises(state) == [9, 1, 0]


def test_i9_victory_as_soon_as_all_active_scenarios_are_complete() -> None:
    state = roll(last_report(crisis=4), 1)
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.winners) == ("victory", (1, 2, 3))
    assert GAME.actors(state) == ()
    assert refused(state, Engage(seat=1, colour="political")) == "5: the match is over"


def test_i8_what_a_scenario_needs_no_more_can_be_rolled_for_to_reduce_its_crisis() -> None:
    done = scenario(crisis=7, engaged={"DO": gems(1)}, reports=gems(4, 3, 3))
    state = roll(situation(at=ALONE, a=done, b=scenario(1)), 1)
    assert crises(state) == [6, 1, 0]
