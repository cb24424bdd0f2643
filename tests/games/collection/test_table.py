"""COLLECTION! as it is seen: the layout of the table, what a move of a token means, views, words and corrections."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.games import load_mat
from companion.games.collection.bots import CollectionWorld
from companion.games.collection.cards import Choose, Draw, Pass, PlayCard
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.reports import UseReport
from companion.games.collection.rolling import Roll
from companion.games.collection.setup import OpenScenario, Start, TakeRole
from companion.games.collection.state import Setup, State
from companion.referee.commands import Answer, Play
from companion.referee.difference import Seen
from companion.referee.journal import Header
from companion.referee.matching import explain
from companion.referee.referee import Referee
from companion.rules.kernel import Counts, Instead, Lies, May, RuleError, Shown, Turns
from companion.rules.layout import Back, Empty, Exactly, Layout, Loose, Pile
from companion.sim.robots import choose
from companion.sim.stage import target_books
from tests.games.collection.situations import (
    COMPONENTS,
    COUNTRIES,
    EXPANSIONS,
    GAME,
    ROLES,
    crises,
    does,
    drew,
    engagement,
    gems,
    levels,
    opened,
    play,
    scenario,
    situation,
    threw,
)

POLITICAL = COMPONENTS.roles["political"]


def may(state: State, seat: int) -> dict[str, May]:
    return {entry.name: entry for entry in GAME.view(state, seat).may}


# ----------------------------------------------------------------------------------------------------------- layout


def test_the_layout_says_what_lies_where() -> None:
    held = does("die +1")
    state = situation(
        at=("DH", "DH", "OSE"), a=scenario(crisis=4, levels={"DH": 3, "DO": 3, "NSA": 7}), hands={2: (held,)}
    )
    zones = GAME.layout(state).zones
    assert zones["scenario-a"] == Pile(Exactly(COUNTRIES[0]))
    assert zones["crisis-a-4"] == Pile(Exactly(COMPONENTS.gem["A",]))
    assert zones["crisis-a-3"] == Pile(Empty())
    assert zones["response-a-3"] == Loose(frozenset({COMPONENTS.coin["A", "DH"], COMPONENTS.coin["A", "DO"]}))
    assert zones["response-a-7"] == Loose(frozenset({COMPONENTS.coin["A", "NSA"]}))
    assert zones["space-a-dh"] == Loose(frozenset({POLITICAL.pawn, COMPONENTS.roles["military"].pawn}))
    assert zones["cards.2"] == Loose(frozenset({COMPONENTS.roles["military"].card, held}))
    assert (zones["scenario-b"], zones["deck"], zones["discard"]) == (Pile(Empty()), Pile(Back()), Pile(Empty()))


def test_every_zone_is_on_the_mat() -> None:
    for seats in range(3, 8):
        state = GAME.setup(seats, {}, Setup())
        on_mat = {zone.name for zone in load_mat("collection", seats).zones if zone.kind != "tray"}
        assert set(GAME.layout(state).zones) == on_mat


def test_the_card_of_a_completed_scenario_is_turned_over() -> None:
    state = situation(a=scenario(reports=gems(4, 3, 3)), b=scenario(1))
    assert GAME.layout(state).zones["scenario-a"] == Pile(Back())


# --------------------------------------------------------------------------------------------------------- matching


def view_of(layout: Layout, n: int = 1, hide: frozenset[str] = frozenset()) -> TableView:
    """Return what a layout expects as seen, without the pieces to `hide`."""
    placements: list[Placement] = []
    for zone, lying in target_books(layout, {}, {}).items():
        area = layout.zones[zone]
        shown = [item.piece for item in (lying[-1:] if isinstance(area, Pile) else lying)]
        backs = isinstance(area, Pile) and isinstance(area.top, Back)
        for piece in [*(p for p in shown if p not in hide), *([BACK] if backs else [])]:
            face = "B" if piece == BACK else "F"
            placements.append(Placement(piece, frozenset(face), zone, None, 0.0, 0.0, 0.0, order=len(placements)))
    return TableView(n, float(n), tuple(placements), frozenset(), frozenset(), True)


def understood(state: State, then: State) -> list[Any]:
    """Return the only complete explanation of what a later state looks like."""
    (found,) = explain(GAME, state, Seen(view_of(GAME.layout(then)))).complete
    return [step.action for step in found.steps]


@pytest.mark.parametrize("seatings", [(3,), pytest.param((3, 5), marks=pytest.mark.night)])
def test_whole_matches_are_understood_from_the_table_wherever_it_shows(seatings: tuple[int, ...]) -> None:
    """Class A: an action that changes the layout and needs nothing said has one explanation, itself."""
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    seen, rng = set(), random.Random(5)
    for seats in seatings:
        world = CollectionWorld(GAME, seats, {}, rng)
        state = GAME.setup(seats, {}, world.setup())
        world.deal(state)
        while GAME.actors(state):
            action: Any = choose(GAME, state, world, rng)
            after = GAME.play(state, action, world.facts(state, action))
            tag = str(action.__struct_config__.tag)
            if kinds[tag] == "A":
                assert understood(state, after) == [action]
                seen.add(tag)
            world.apply(state, action, after)
            state = after
    assert seen == {kind for kind, evidence in kinds.items() if evidence == "A"}


def test_two_moves_at_once_are_understood_whichever_way_they_went() -> None:
    state = situation(b=scenario(1))
    ways = [("A", "NSA"), ("B", "DH")]
    for letter, name in ways:
        then = play(state, Move(seat=1, scenario=letter, collector=name), Move(seat=1, scenario="B", collector="NSA"))
        found = understood(state, then)
        assert (len(found), found[-1]) == (2, Move(seat=1, scenario="B", collector="NSA"))


def test_a_card_that_is_drawn_and_played_at_once_is_understood() -> None:
    card = does("response DH all +1")
    state = situation(a=scenario(levels={"DH": 3}), discard=(does("skip +1"),))
    then = play(state, (Draw(seat=1), drew(card)), PlayCard(seat=1, card=card))
    assert understood(state, then) == [Draw(seat=1), PlayCard(seat=1, card=card)]


def test_that_cards_are_held_is_inferred_from_the_next_players_action() -> None:
    state = play(situation(), (Draw(seat=1), drew(does("die +1"))))
    assert GAME.tacit(state) == Pass(seat=1)
    then = play(state, Pass(seat=1), Move(seat=2, scenario="A", collector="OSE"))
    assert understood(state, then) == [Pass(seat=1), Move(seat=2, scenario="A", collector="OSE")]


def test_a_coin_on_the_ladder_announces_an_engagement_that_is_still_to_be_said() -> None:
    state = situation()
    then = play(state, Engage(seat=1, colour="political"))
    found = explain(GAME, state, Seen(view_of(GAME.layout(then))))
    assert found.complete == ()
    assert [step.action for step in found.under_way[0].steps] == [Engage(seat=1, colour="political")]


def test_a_choice_shows_by_what_is_moved() -> None:
    state = replace(
        situation(a=scenario(crisis=5), b=scenario(1, crisis=5)), pending=COMPONENTS.effect[does("crisis any +2")]
    )
    state = replace(state, phase="choose")
    then = play(state, Choose(seat=1, scenario="B"))
    assert understood(state, then) == [Choose(seat=1, scenario="B")]


def table(seats: int = 3) -> tuple[Referee, State]:
    """Return a referee of a match in which everything lies, at the first turn of seat 1."""
    setup = Setup(first=1, roles=ROLES[seats])
    header = Header(
        id="a",
        at="2026-01-01T00:00:00Z",
        game="collection",
        seats=seats,
        setup={"first": 1, "roles": list(setup.roles)},
    )
    referee = Referee(GAME, load_mat("collection", seats), header)
    state = play(
        GAME.setup(seats, {}, setup),
        (OpenScenario(scenario="A"), opened("A", 0)),
        *(Start(seat=seat, collector="DH") for seat in range(1, seats + 1)),
    )
    referee.on_view(view_of(GAME.layout(state)))
    assert referee.state == state
    return referee, state


def test_what_a_card_demands_is_one_list_and_is_done_in_any_order() -> None:
    referee, state = table(4)
    for seat, colour in ((1, "political"), (1, "political")):
        referee.command(Play(seat=seat, action=Engage(seat=seat, colour=colour), facts=(), by="phone"))
    state = play(state, Engage(seat=1, colour="political"), Engage(seat=1, colour="political"))
    card = does("crisis A +1; response OSE A +1")
    assert list(referee.snapshot.owed) == ["put the DH coin A on the response A 1"]
    referee.on_view(view_of(GAME.layout(state), 2))
    assert not referee.snapshot.owed
    state = play(state, (Draw(seat=1), drew(card)))
    where = GAME.layout(state)
    lies = {zone: area for zone, area in where.zones.items() if not zone.startswith("crisis")}
    was = {"crisis-a-1": Pile(Exactly(COMPONENTS.gem["A",]))}
    referee.on_view(view_of(Layout({**lies, **was}), 3))
    assert referee.records()[-1].action == Draw(seat=1), "the card lies, so it counts"
    assert list(referee.snapshot.owed) == ["move the crisis gem A from the crisis A 1 to the crisis A 2"]
    assert referee.snapshot.violation is None
    referee.on_view(view_of(where, 4))
    assert not referee.snapshot.owed


def test_a_completed_scenario_demands_card_gem_and_coins_in_one_list() -> None:
    referee, _ = table(3)
    need = COMPONENTS.need[COUNTRIES[0]]
    edits = [
        Counts(f"reports-a-{colour}", count)
        for colour, count in zip(("political", "military", "economic"), (need[0] - 1, need[1], need[2]), strict=True)
    ]
    edits += [Counts("gems-a-dh-political", 1), Lies(COMPONENTS.coin["A", "DH"], "response-a-8")]  # type: ignore[list-item]
    edits += [Lies(COMPONENTS.coin["A", "OSE"], "response-a-5"), Lies(COMPONENTS.gem["A",], "crisis-a-4")]  # type: ignore[list-item]
    edits += [Lies(COUNTRIES[1], "scenario-b")]  # type: ignore[list-item]
    state = GAME.correct(referee.state, tuple(edits))
    after = play(state, (Roll(seat=1, colour="political"), threw(1)))
    before, then = GAME.layout(state).zones, GAME.layout(after).zones
    assert {zone for zone in then if then[zone] != before[zone]} == {
        "scenario-a",
        "crisis-a-4",
        "crisis-a-1",
        "response-a-8",
        "response-a-5",
        "response-a-2",
    }


@pytest.mark.parametrize("seats", [3, 5, 7])
def test_a_table_that_is_set_up_in_one_go_is_understood(seats: int) -> None:
    header = Header(id="a", at="2026-01-01T00:00:00Z", game="collection", seats=seats, setup={"first": 1, "roles": []})
    referee = Referee(GAME, load_mat("collection", seats), header)
    roles = (*ROLES[3], "targeting", "weapons", "leadership", "collection")[:seats]
    state = GAME.setup(seats, {}, Setup())
    state = play(state, *(TakeRole(seat=n, role=role) for n, role in enumerate(roles, 1)))
    state = play(state, (OpenScenario(scenario="A"), opened("A", 2)))
    state = play(state, *(Start(seat=n, collector="OSE") for n in range(1, seats + 1)))
    for n in range(1, 6):
        referee.on_view(view_of(GAME.layout(state), n))
    assert referee.state == state
    assert referee.snapshot.violation is None


def test_c7_what_one_of_seven_lays_wrong_does_not_hide_what_the_others_lay() -> None:
    header = Header(id="a", at="2026-01-01T00:00:00Z", game="collection", seats=7, setup={"first": 1, "roles": []})
    referee = Referee(GAME, load_mat("collection", 7), header)
    state = GAME.setup(7, {}, Setup())
    rest = play(state, *(TakeRole(seat=n, role=role) for n, role in enumerate(ROLES[7][:-1], 1)))
    zones = {**GAME.layout(rest).zones, "cards.7": Loose(frozenset({EXPANSIONS["A"][0]}))}
    for n in range(1, 4):
        referee.on_view(view_of(Layout(zones), n))
    assert referee.state == rest
    assert referee.snapshot.violation is not None


@pytest.mark.parametrize(
    ("piece", "zone", "action"),
    [
        (POLITICAL.card, "cards.2", TakeRole(seat=2, role="political")),
        (POLITICAL.pawn, "space-b-ose", Move(seat=1, scenario="B", collector="OSE")),
        (COUNTRIES[5], "scenario-b", OpenScenario(scenario="B")),
        (COMPONENTS.gem["A",], "crisis-a-0", UseReport(seat=1, use="crisis")),
        (EXPANSIONS["A"][0], "discard", Draw(seat=1)),
    ],
)
def test_what_somebody_may_have_meant_by_laying_a_piece(piece: str, zone: str, action: Any) -> None:
    assert list(GAME.meant_by(situation(), piece, zone)) == [action]


def test_a_pawn_that_goes_too_far_is_explained() -> None:
    referee, state = table()
    wrong = {zone: area for zone, area in GAME.layout(state).zones.items() if zone != "space-a-dh"}
    pawns = GAME.layout(state).zones["space-a-dh"].pieces  # type: ignore[attr-defined]
    wrong["space-a-dh"] = Loose(pawns - {POLITICAL.pawn})
    wrong["space-b-dh"] = Loose(frozenset({POLITICAL.pawn}))
    referee.on_view(view_of(Layout(wrong), 2))
    violation = referee.snapshot.violation
    assert violation is not None
    assert (violation.rule, violation.reason) == ("I3", "scenario B is not active")


# ----------------------------------------------------------------------------------------------------- views, words


def test_the_view_shows_the_ladders_with_an_alarm_from_eight() -> None:
    state = situation(a=scenario(crisis=8, levels={"DH": 3}, engaged={"DH": gems(2, 0, 1)}), b=scenario(1))
    ladders = GAME.view(state, 0).ladders
    assert [(ladder.title, ladder.value, ladder.low, ladder.high, ladder.alarm) for ladder in ladders] == [
        ("Crisis A, Vedania", 8, 1, 10, 8),
        ("Crisis B, Ostrovar", 1, 1, 10, 8),
        ("DH in A", 3, 0, 10, None),
    ]
    assert ladders[2].words == "engagement: 2 political, 1 economic"


def test_the_view_shows_reports_cards_and_bonuses() -> None:
    state = situation(a=scenario(reports=gems(1, 2)), hands={2: (does("die +1"),)}, dice={2: 1}, skips={2: 1})
    shelves = {shelf.title: shelf for shelf in GAME.view(state, 1).shelves}
    assert shelves["Scenario A"].words == "reports: political 1 of 4, military 2 of 3, economic 0 of 3"
    assert shelves["Cards of @2"].pieces == (COMPONENTS.roles["military"].card, does("die +1"))
    assert shelves["Cards of @2"].words == "on DH in A, 1 bonus die, 1 ENGAGE will place nothing"
    numbers = {part.name: part.value for part in GAME.view(state, 1).numbers}
    assert numbers["political reports A still needs"] == 3
    assert numbers["actions left"] == 2


def test_the_view_says_what_may_be_done_and_why_not() -> None:
    state = situation()
    assert may(state, 1)["engage"].verdict.ok
    assert may(state, 1)["roll"].verdict.reason == "DH in A is not on the response ladder"
    assert may(state, 1)["play"].verdict.reason == "no blue card lies before @1"
    assert may(state, 2)["move"].verdict.reason == "it is the turn of @1"
    assert "scenario" not in may(state, 1)
    assert GAME.view(state, 0).headline == "@1 has 2 actions left; then draws a collection card."


def test_everybody_has_the_same_score() -> None:
    standing = GAME.standing(situation(a=scenario(reports=gems(1, 2)), b=scenario(1)))
    assert ({seat.score for seat in standing.seats}, standing.goal) == ({3}, 20)


def test_sentences_say_what_happens() -> None:
    state = situation(at=("DO", "DH", "DH"), a=scenario(crisis=6, levels={"DO": 6}, engaged={"DO": gems(4)}))
    rolling = Roll(seat=1, colour="political")
    red, blue = does("crisis all +1"), does("die +2")
    report = play(state, (rolling, threw(1, 9, 9, 9)))
    said = [
        (state, rolling, (), "@1 rolls for a political report at DO in A: 4 dice, below 6: 94 %."),
        (state, rolling, (threw(7, 8, 9, 10),), "@1 rolls for a political report: 7 8 9 10; none is below 6."),
        (state, rolling, (threw(7, 2, 9, 10),), "@1 rolls for a political report: 7 2 9 10; 2 is below 6: a report."),
        (report, UseReport(seat=1, use="crisis"), (), "@1 uses the political report to reduce the crisis in A."),
        (state, Draw(seat=1), (), "@1 draws a collection card."),
        (
            state,
            Draw(seat=1),
            (drew(red),),
            f"@1 draws {COMPONENTS.name(red)}: The crisis in all scenarios rises by 1.",
        ),
        (
            state,
            Draw(seat=1),
            (drew(blue),),
            f"@1 draws {COMPONENTS.name(blue)}: Roll 2 bonus dice the next time you roll. It may be held.",
        ),
        (state, Engage(seat=1, colour="political"), (), "@1 places a political gem on DO in A."),
        (state, Move(seat=1, scenario="A", collector="DH"), (), "@1 moves to DH in A."),
        (
            state,
            OpenScenario(scenario="B"),
            (Shown(place="scenario-b", piece=COUNTRIES[1]),),
            '"Ostrovar" opens as scenario B.',
        ),
    ]
    for before, action, facts, words in said:
        assert GAME.describe(before, action, facts) == words  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------------- mending


def test_c8_the_host_corrects_pawns_ladders_gems_reports_and_the_turn() -> None:
    state = situation(a=scenario(crisis=4, levels={"DH": 3}), b=scenario(1))
    after = GAME.correct(
        state,
        (
            Lies(POLITICAL.pawn, "space-b-ose"),
            Lies(COMPONENTS.gem["A",], "crisis-a-6"),
            Lies(COMPONENTS.coin["A", "DH"], "response-a-5"),
            Lies(COMPONENTS.coin["B", "DO"], "response-b-2"),
            Counts("gems-b-do-economic", 3),
            Counts("reports-a-military", 2),
            Turns(3),
            Counts("actions", 1),
        ),
    )
    assert (after.players[0].scenario, after.players[0].collector) == (1, 4)
    assert (crises(after)[0], levels(after), levels(after, "B")) == (6, {"DH": 5}, {"DO": 2})
    assert (engagement(after, "DO", "B"), after.scenarios[0].reports) == (gems(0, 0, 3), gems(0, 2))
    assert (after.turn, after.actions) == (3, 1)


def test_c8_cards_and_roles_are_corrected() -> None:
    card = does("die +1")
    state = situation(hands={1: (card,)})
    assert GAME.correct(state, (Lies(card, "cards.2"),)).players[1].hand == (card,)
    assert GAME.correct(state, (Lies(card, "discard"),)).discard == (card,)
    after = GAME.correct(state, (Lies(POLITICAL.card, "cards.3"),))
    assert [player.role for player in after.players] == ["economic", "military", "political"]
    assert GAME.correct(state, (Lies(COUNTRIES[7], "scenario-a"),)).scenarios[0].card == COUNTRIES[7]
    assert GAME.correct(state, (Lies(COUNTRIES[7], "scenario-c"),)).scenarios[2].crisis == 1


def test_c8_a_scenario_card_that_the_host_names_as_it_opens_lets_the_turn_go_on() -> None:
    """All pawns stand on the board then: nobody has to put one there again."""
    state = play(situation(), (Draw(seat=1), drew(EXPANSIONS["B"][0])))
    assert state.phase == "open"
    after = GAME.correct(state, (Lies(COUNTRIES[7], "scenario-b"),))
    assert (after.scenarios[1].card, after.turn, GAME.actors(after)) == (COUNTRIES[7], 2, (2,))
    with pytest.raises(RuleError, match="something is going on that has to end first"):
        GAME.correct(state, (Turns(3),))


def test_c8_a_scenario_card_that_the_host_names_before_all_have_a_role_is_not_asked_for_again() -> None:
    state = play(GAME.setup(3, {}, Setup()), TakeRole(seat=1, role="political"), TakeRole(seat=2, role="military"))
    state = GAME.correct(state, (Lies(COUNTRIES[7], "scenario-a"),))
    assert (state.phase, GAME.actors(state)) == ("roles", (3,))
    state = play(state, TakeRole(seat=3, role="economic"))
    assert (state.phase, state.scenarios[0].card, state.scenarios[0].crisis) == ("start", COUNTRIES[7], 1)


def test_c8_the_end_is_checked_after_a_correction() -> None:
    lost = GAME.correct(situation(), (Lies(COMPONENTS.gem["A",], "crisis-a-10"),))
    assert lost.outcome is not None
    assert lost.outcome.ending == "defeat"
    back = GAME.correct(lost, (Lies(COMPONENTS.gem["A",], "crisis-a-9"),))
    assert (back.outcome, back.phase) == (None, "act")
    won = GAME.correct(
        situation(),
        tuple(
            Counts(f"reports-a-{colour}", count)
            for colour, count in zip(("political", "military", "economic"), COMPONENTS.need[COUNTRIES[0]], strict=True)
        ),
    )
    assert won.outcome is not None
    assert won.outcome.ending == "victory"


def test_c8_what_would_lose_or_double_a_piece_is_refused() -> None:
    red = EXPANSIONS["A"][0]
    for edit in (
        Lies("ZZZ", "discard"),
        Lies(red, "cards.1"),
        Lies(red, "cards.9"),
        Lies(red, "space-a-dh"),
        Lies(POLITICAL.pawn, "cards.1"),
        Lies(POLITICAL.pawn, "space-b-dh"),
        Lies(COMPONENTS.gem["A",], "crisis-b-2"),
        Lies(COMPONENTS.gem["B",], "crisis-b-2"),
        Lies(COMPONENTS.coin["A", "DH"], "response-a-11"),
        Lies(COUNTRIES[0], "scenario-b"),
        Lies(COMPONENTS.roles["targeting"].pawn, "space-a-dh"),
        Counts("reports-a-political", 5),
        Counts("gems-a-dh-blue", 1),
        Counts("gems-a-dh-political", -1),
        Counts("reports-b-political", 1),
        Turns(9),
        Instead(red, red),
        Lies(POLITICAL.card, "discard"),
        Lies(COUNTRIES[3], "deck"),
    ):
        with pytest.raises(RuleError) as caught:
            GAME.correct(situation(), (edit,))
        assert caught.value.verdict.rule == "C8", edit


def test_c8_the_host_ends_the_match_without_a_winner() -> None:
    state = GAME.end(situation())
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending) == ((), "ended-by-host")
    assert GAME.actors(state) == ()


def test_the_debrief_can_be_made_of_the_records() -> None:
    """Who engaged, rolled and helped whom follows from actions, facts and the states that they lead through."""
    from companion.games.collection.rolling import attempt

    state = situation(at=("DH", "DH", "DO"), a=scenario(levels={"DH": 5}, engaged={"DH": gems(1, 1)}))
    roll = attempt(COMPONENTS, state, 1, "political")
    assert [(helper.seat, helper.role, helper.dice, helper.level) for helper in roll.helps] == [(2, "military", 1, 0)]
    after = play(state, (Roll(seat=1, colour="political"), threw(9, 2)))
    assert (after.players[0].reported, after.players[1].reported) == (1, 0)


def test_a_teams_circles_add_up_to_its_score() -> None:
    standing = GAME.standing(situation(a=scenario(reports=gems(1, 2)), b=scenario(1)))
    assert [(share.title, share.value) for share in standing.team] == [("A", 3), ("B", 0)]
    assert sum(share.goal for share in standing.team) == standing.goal
    assert {name for share in standing.team for name in share.details} >= {
        part.name for part in GAME.view(situation(a=scenario()), 0).numbers if "still needs" in part.name
    }


# ------------------------------------------------------------------------------------------- laid in another way


def test_with_four_players_every_role_that_is_left_for_the_fourth_is_named() -> None:
    state = GAME.setup(4, {}, Setup())
    verdict = GAME.judge(state, TakeRole(seat=1, role="targeting"))
    titles = [COMPONENTS.roles[name].title for name in ROLES[4]]
    assert verdict.remedy == f"Choose {', '.join(titles[:-1])} or {titles[-1]}."


def laid_before_one(piece: str) -> Referee:
    """Lay a card before seat 1 at its first turn, the face as it comes."""
    referee, state = table()
    view = view_of(GAME.layout(state), 2)
    card = Placement(piece, frozenset("B" if piece == BACK else "F"), "cards.1", None, 100.0, 100.0, 0.0, order=99)
    referee.on_view(replace(view, placements=(*view.placements, card)))
    return referee


def test_a_drawn_card_that_lies_face_down_before_one_has_to_be_turned_up() -> None:
    snapshot = laid_before_one(BACK).snapshot
    assert snapshot.violation is not None
    assert snapshot.violation.reason == "a face-down card lies on seat 1's cards, and it has to lie face up"
    assert snapshot.violation.remedy == "Turn a face-down card over on seat 1's cards."
    (pointer,) = snapshot.pointers
    assert pointer.source == pointer.target is not None


def test_a_red_card_that_was_turned_up_before_one_goes_to_the_discard_pile() -> None:
    referee = laid_before_one(EXPANSIONS["A"][0])
    violation = referee.snapshot.violation
    name = COMPONENTS.name(EXPANSIONS["A"][0])
    assert violation is not None
    assert violation.reason == f"{name} lies on seat 1's cards, and it belongs elsewhere"
    assert violation.remedy == f"Move {name} from seat 1's cards to the discard pile."
    (pointer,) = referee.snapshot.pointers
    discard = load_mat("collection", 3).zone("discard").rect
    assert pointer.target is not None
    assert discard.x <= pointer.target.x <= discard.x + discard.w


def test_a_collectors_coin_asks_for_the_engagement_that_it_announces() -> None:
    for answer, left in (("0", 1), ("no", 2)):
        referee, state = table()
        engaged = view_of(GAME.layout(play(state, Engage(seat=1, colour="political"))), 2)
        referee.on_view(engaged)
        asked = referee.snapshot.question
        assert asked is not None
        words = [choice.words for choice in asked.choices]
        assert words == ["Seat 1 places a political gem on DH in A.", "No, I take it back"]
        assert (asked.seats, referee.snapshot.provisional) == ((1,), ())
        for n in range(3, 20):
            referee.on_view(replace(engaged, frame=n, time=float(n)))
        assert referee.snapshot.violation is None
        assert referee.snapshot.question == asked
        assert referee.command(Answer(question=asked.id, choice=answer, seat=1)).ok
        assert referee.state.actions == left  # type: ignore[attr-defined]
        assert bool(referee.snapshot.owed) == (answer == "no")


def test_a_coin_that_is_taken_up_again_is_asked_about_no_more() -> None:
    referee, state = table()
    referee.on_view(view_of(GAME.layout(play(state, Engage(seat=1, colour="political"))), 2))
    referee.on_view(view_of(GAME.layout(state), 3))
    assert referee.snapshot.question is None
    assert referee.snapshot.violation is None
