"""`companion referee`: JSON lines in, one answer each, and no line can stop the session."""

import json

import pytest

from companion import games
from companion.referee.lines import Session, schema
from tests.referee.table import GAME, piece

SETUP = {"first": 1, "goals": [piece(f"Collection {n}") for n in (1, 2, 3)], "turned_up": [piece("Red moon")]}


def session(setup=SETUP):
    one = Session(GAME, games.load_mat("five-cards-collector", 3), 3, {})
    if setup is not None:
        assert ask(one, {"setup": setup}) == {"ok": True, "record": 0}
    return one


def ask(one, line):
    return json.loads(one.answer(line if isinstance(line, str | bytes) else json.dumps(line)))


def test_an_action_is_answered_with_its_record():
    one = session()
    assert ask(one, {"seat": 1, "action": {"type": "discard", "card": piece("Red key")}}) == {"ok": True, "record": 1}
    assert ask(one, {"seat": 2, "action": {"type": "nothing"}}) == {"ok": True, "record": 2}


def test_an_illegal_action_is_answered_with_rule_reason_and_remedy():
    told = ask(session(), {"seat": 1, "action": {"type": "discard", "card": piece("Blue key")}})
    assert (told["ok"], told["kind"], told["rule"]) == (False, "illegal", "4. Gameplay")
    assert "the red moon" in told["reason"]
    assert told["remedy"]
    assert "@" not in told["reason"] + told["remedy"]


def test_a_card_that_cannot_be_there_is_inconsistent():
    one = session()
    ask(one, {"seat": 1, "action": {"type": "discard", "card": piece("Red key")}})
    told = ask(one, {"seat": 2, "action": {"type": "discard", "card": piece("Red key")}})
    assert (told["ok"], told["kind"], told["rule"]) == (False, "inconsistent", "C2")


def test_what_is_not_fixed_by_the_setup_comes_as_facts():
    one = session({})
    legal = ask(one, {"ask": "legal"})["legal"]
    assert {action["action"]["type"] for action in legal} == {"goal"}
    for seat in (1, 2, 3):
        fact = {"type": "shown", "place": f"goal.{seat}", "piece": piece(f"Collection {seat}")}
        assert ask(one, {"action": {"type": "goal", "player": seat}, "facts": [fact]})["ok"]
    fact = {"type": "shown", "place": "discard", "piece": piece("Red moon")}
    assert ask(one, {"action": {"type": "turn-up"}, "facts": [fact]}) == {"ok": True, "record": 4}


def test_legal_lists_templates_whose_holes_name_the_cards_that_fit():
    legal = ask(session(), {"ask": "legal"})["legal"]
    discard = next(one for one in legal if one["action"]["type"] == "discard")
    assert discard["seat"] == 1
    assert discard["action"]["card"]["words"] == "a red card or a moon"
    assert piece("Red key") in discard["action"]["card"]["pieces"]
    assert piece("Blue key") not in discard["action"]["card"]["pieces"]


def test_standing_layout_state_and_views_can_be_asked_for():
    one = session()
    assert [seat["score"] for seat in ask(one, {"ask": "standing"})["standing"]["seats"]] == [0, 0, 0]
    assert ask(one, {"ask": "layout"})["layout"]["zones"]["discard"]["top"]["piece"] == piece("Red moon")
    assert ask(one, {"ask": "state"})["state"]["turn"] == 1
    assert ask(one, {"ask": "view", "seat": 2})["view"]["seat"] == 2


def test_undo_and_redo():
    one = session()
    ask(one, {"seat": 1, "action": {"type": "discard", "card": piece("Red key")}})
    assert ask(one, {"undo": 1})["ok"]
    assert ask(one, {"ask": "state"})["state"]["turn"] == 1
    assert ask(one, {"redo": 1})["ok"]
    assert ask(one, {"ask": "state"})["state"]["turn"] == 2
    assert not ask(one, {"redo": 1})["ok"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (r'{"seat": 1, "action": {"type": "\ud800"}}', "not JSON"),
        ("[1]", "JSON object"),
        ({"seat": 1}, "one of the keys"),
        ({"seat": 1, "action": {"type": "fly"}}, "schema"),
        ({"seat": 1, "action": "draw"}, "object"),
        ({"seat": "one", "action": {"type": "draw"}}, "schema"),
        ({"seat": 1, "action": {"type": "draw"}, "facts": [{"type": "shown"}]}, "schema"),
        ({"ask": "weather"}, "nothing to ask"),
        ({"ask": ["legal"]}, "nothing to ask"),
        ({"ask": "view", "seat": 9}, "there is no seat 9"),
        ({"ask": "view", "seat": "1"}, "there is no seat"),
        ({"undo": 0}, "1 or more"),
        ({"undo": "all"}, "1 or more"),
        ({"setup": {}}, "once"),
    ],
)
def test_a_line_that_does_not_fit_gets_an_error_and_the_session_goes_on(line, words):
    one = session()
    told = ask(one, line)
    assert not told["ok"]
    assert words in told["error"]
    assert ask(one, {"seat": 1, "action": {"type": "nothing"}})["ok"]


@pytest.mark.parametrize("name", games.packages())
def test_a_field_that_an_action_does_not_have_is_refused_in_every_game(name):
    game = games.load(name)
    seats = game.info.seats[0]
    one = Session(game, games.load_mat(name, seats), seats, {})
    assert ask(one, {"setup": {}})["ok"]
    first = ask(one, {"ask": "legal"})["legal"][0]
    told = ask(one, {"seat": first["seat"], "action": {**first["action"], "scenery": "B"}})
    assert not told["ok"]
    assert "unknown field `scenery`" in told["error"]
    assert f"companion referee {name} --schema" in told["error"]
    told = ask(one, {"setup": {}, "scenery": "B"})
    assert "scenery" in told["error"]


def test_no_field_of_a_line_or_a_fact_is_dropped():
    one = session({})
    fact = {"type": "shown", "place": "goal.1", "piece": piece("Collection 1")}
    action = {"type": "goal", "player": 1}
    assert "`up`" in ask(one, {"action": action, "facts": [{**fact, "up": True}]})["error"]
    told = ask(one, {"action": action, "fact": [fact]})
    assert told["error"] == "a line with an action has no 'fact'; it has action, seat and facts"
    assert "has no 'steps'" in ask(one, {"undo": 1, "steps": 1})["error"]
    assert "has no 'seats'" in ask(one, {"ask": "view", "seats": 1})["error"]
    assert ask(one, {"action": action, "facts": [fact]})["ok"]


def test_a_pawn_is_started_on_no_other_scenario_than_a():
    game = games.load("collection")
    one = Session(game, games.load_mat("collection", 3), 3, {})
    ask(one, {"setup": {"roles": ["political", "military", "economic"]}})
    shown = {"type": "shown", "place": "scenario-a", "piece": game.deck.of_kind("scenario")[0].piece}
    assert ask(one, {"action": {"type": "scenario", "scenario": "A"}, "facts": [shown]})["ok"]
    told = ask(one, {"seat": 1, "action": {"type": "start", "scenario": "B", "collector": "DH"}})
    assert "unknown field `scenario`" in told["error"]
    assert ask(one, {"seat": 1, "action": {"type": "start", "collector": "DH"}})["ok"]


def test_a_seat_in_the_action_does_not_contradict_the_one_beside_it():
    one = session()
    told = ask(one, {"seat": 1, "action": {"type": "nothing", "seat": 2}})
    assert told["error"] == "the line says seat 1, and its action seat 2: leave out one of them"
    assert ask(one, {"seat": 1, "action": {"type": "nothing", "seat": 1}})["ok"]
    assert ask(one, {"action": {"type": "nothing", "seat": 2}})["ok"]


def test_an_unknown_seat_is_refused():
    told = ask(session(), {"seat": 7, "action": {"type": "nothing"}})
    assert not told["ok"]
    assert told["rule"]


def test_the_setup_comes_first_and_must_fit():
    one = session(None)
    assert "first line" in ask(one, {"ask": "legal"})["error"]
    assert "schema" in ask(one, {"setup": {"first": "me"}})["error"]
    refused = ask(one, {"setup": {"first": 9}})
    assert not refused["ok"]
    assert ask(one, {"setup": SETUP})["ok"]


def test_the_schema_describes_setup_actions_and_facts():
    told = schema(GAME)
    assert {"DrawGoal", "Discard", "Shown", "Setup"} <= set(told["$defs"])
    json.dumps(told)


def test_a_whole_match_can_be_played_by_a_script_that_only_reads_answers():
    one = session()
    for _ in range(60):
        legal = ask(one, {"ask": "legal"})["legal"]
        if not legal:
            break
        choice = legal[0]
        action = {
            key: (value["pieces"][0] if isinstance(value, dict) else value)
            for key, value in choice["action"].items()
            if key != "seat"
        }
        told = ask(one, {"seat": choice["seat"], "action": action})
        assert told["ok"], told
