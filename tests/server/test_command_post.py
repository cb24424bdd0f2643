"""Commands: who may, what is wrong with what comes in, once only; each refusal one clear sentence."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.five_cards_collector.passing import Nothing
from companion.referee import commands as say
from companion.referee.commands import Reply
from companion.referee.snapshot import Choice, Question
from companion.rules.kernel import Counts, illegal
from companion.server.table_api import ServedError
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.phones import be_host, join, send

DRAW = {"do": "play", "seat": 1, "action": {"type": "draw", "seat": 1}}


def message(answer: Any) -> str:
    told = answer.get_json()
    assert told["ok"] is False
    return str(told["message"])


# -------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "not proper JSON"),
        ("{", "not proper JSON"),
        (b"\xff\xfe", "not proper JSON"),
        ('{"do": "play", "seat": 1, "action": {"a":' + "[" * 5000 + "]" * 5000 + "}}", "not proper JSON"),
        ("[]", "Expected `object`"),
        ("null", "Expected `object`"),
        ("{}", "missing required field `do`"),
        ('{"do": "dance"}', "Invalid value 'dance'"),
        ('{"do": "done"}', "missing required field `seat`"),
        ('{"do": "done", "seat": "one"}', "Expected `int`, got `str` - at `$.seat`"),
        ('{"do": "done", "seat": 1, "sudo": true}', "unknown field `sudo`"),
        ('{"do": "undo", "steps": 0}', "`int` >= 1 - at `$.steps`"),
        ('{"do": "speed", "speed": 9}', "<= 8.0 - at `$.speed`"),
        ('{"do": "play", "seat": 1, "action": "draw"}', "Expected `object`, got `str` - at `$.action`"),
        ('{"do": "play", "seat": 1, "action": {}, "facts": [{"type": "told"}]}', "Invalid value 'told'"),
    ],
)
def test_what_does_not_fit_is_named(client_of: Clients, body: str | bytes, words: str) -> None:
    answer = send(client_of(ShowDesk()), body)
    assert answer.status_code == 400
    assert words in message(answer)


@pytest.mark.parametrize("wish", [DRAW, {"do": "done", "seat": 1}, {"do": "stir", "seat": 1, "salt": "x"}])
def test_where_a_command_comes_from_no_page_may_say(client_of: Clients, wish: dict[str, Any]) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    assert send(client, {**wish, "by": "host"}).status_code == 200
    assert desk.commands[-1].by == "phone"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({}, "missing required field `type`"),
        ({"type": "fly", "seat": 1}, "Invalid value 'fly'"),
        ({"type": "add", "seat": 1}, "missing required field `card`"),
        ({"type": "draw", "seat": "1"}, "Expected `int`"),
    ],
)
def test_what_is_no_action_of_the_game_is_named(client_of: Clients, action: object, words: str) -> None:
    client = client_of(MatchDesk())
    join(client, 1)
    answer = send(client, {"do": "play", "seat": 1, "action": action})
    assert answer.status_code == 400
    assert message(answer).startswith("That is no action of this game: ")
    assert words in message(answer)


def test_an_unknown_seat_is_named_with_those_there_are(client_of: Clients) -> None:
    answer = send(client_of(ShowDesk(3)), {"do": "done", "seat": 7})
    assert (answer.status_code, message(answer)) == (404, "There is no seat 7: the seats of this match are 1 to 3.")


def test_an_illegal_action_is_refused_with_rule_reason_and_remedy(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    join(client, 1, "Anna")
    answer = send(client, DRAW)
    told = answer.get_json()
    assert answer.status_code == 409
    assert (told["kind"], told["rule"]) == ("illegal", "F4")
    assert told["reason"] == "Anna holds 7 cards, and 7 are the limit."
    assert told["message"] == f"{told['reason']} {told['remedy']}"


def test_too_much_at_once_is_turned_down(client_of: Clients) -> None:
    answer = send(client_of(ShowDesk()), "x" * 70_000)
    assert (answer.status_code, message(answer)) == (413, "That is too much at once: 64 kB are the most.")


def test_other_content_than_json_is_turned_down(client_of: Clients) -> None:
    answer = send(client_of(ShowDesk()), DRAW, **{"Content-Type": "text/plain"})
    assert answer.status_code == 415
    assert message(answer).startswith("Send JSON")


def test_a_request_that_our_pages_did_not_make_is_turned_down(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    assert client.post("/command", json=DRAW).status_code == 403
    answer = send(client, DRAW, Origin="http://evil.example")
    assert (answer.status_code, message(answer)) == (403, "This request comes from another site's page.")
    assert send(client, DRAW, Origin="http://localhost").status_code == 200


def test_reading_is_not_commanding(client_of: Clients) -> None:
    answer = client_of(ShowDesk()).get("/command")
    assert answer.status_code == 405


def test_a_match_that_does_not_answer_is_said(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    desk.late = True
    answer = send(client, DRAW)
    assert answer.status_code == 503
    assert "did not answer in time" in message(answer)


def test_a_fault_inside_is_one_sentence_too(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)

    def broken(command: object) -> Reply:
        raise ZeroDivisionError("inner workings")

    monkeypatch.setattr(desk, "command", broken)
    answer = send(client, DRAW)
    assert answer.status_code == 500
    assert "inner workings" not in message(answer)


# ---------------------------------------------------------------------------------------------------------- who may


@pytest.mark.parametrize(
    "wish",
    [
        DRAW,
        {"do": "done", "seat": 1},
        {"do": "answer", "seat": 1, "question": "q", "choice": "0"},
        {"do": "name", "seat": 1, "name": "Eve"},
        {"do": "ask-undo", "seat": 1},
    ],
)
def test_a_seats_wishes_need_its_key(client_of: Clients, wish: object) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 2, "Bo")
    desk.commands.clear()
    answer = send(client, wish)
    assert (answer.status_code, message(answer)) == (403, "This phone does not sit at seat 1: join it first.")
    assert desk.commands == []


def test_a_seat_cannot_act_for_another(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    answer = send(client, {"do": "play", "seat": 1, "action": {"type": "draw", "seat": 2}})
    assert (answer.status_code, message(answer)) == (403, "Seat 1 can't act for seat 2.")


def test_an_old_key_says_that_another_phone_sits_there(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    client.application.extensions["companion"].keys.free(1)
    answer = send(client, DRAW)
    assert message(answer) == "Another phone has seat 1 now: join again, or ask the host."


HOSTS = [
    ({"do": "undo", "steps": 2}, say.Undo(steps=2, by="host")),
    ({"do": "redo"}, say.Redo(by="host")),
    ({"do": "adopt"}, say.Adopt(by="host")),
    ({"do": "goon"}, say.GoOn(by="host")),
    ({"do": "end"}, say.End(by="host")),
    ({"do": "mode", "mode": "strict"}, say.Mode(mode="strict", by="host")),
    (
        {"do": "correct", "edits": [{"edit": "counts", "place": "deck", "count": 3}]},
        say.Correct(edits=(Counts("deck", 3),), by="host"),
    ),
    ({"do": "name", "seat": 3, "name": "Cleo"}, say.Name(seat=3, name="Cleo", by="phone")),
]


@pytest.mark.parametrize(("wish", "command"), HOSTS)
def test_the_host_steers(client_of: Clients, wish: object, command: say.Command) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    be_host(client)
    assert send(client, wish).get_json() == {"ok": True, "record": 1}
    assert desk.commands == [command]


@pytest.mark.parametrize("wish", [wish for wish, _ in HOSTS] + [{"do": "free", "seat": 1}, {"do": "refuse-undo"}])
def test_nobody_else_steers(client_of: Clients, wish: object) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    desk.commands.clear()
    answer = send(client, wish)
    assert answer.status_code == 403
    assert desk.commands == []


def asked(client: FlaskClient) -> Any:
    client.application.extensions["companion"].feed.refresh()
    return [(one["words"], one["steps"]) for one in client.get("/state/public").get_json()["undos"]]


def test_a_seat_asks_to_undo_and_the_host_decides(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1, "Ann")
    assert message(send(phone, {"do": "ask-undo", "seat": 1})) == "There is no step to take back."
    desk.command(say.Play(seat=1, action=Nothing(seat=1)))
    assert send(phone, {"do": "ask-undo", "seat": 1}).status_code == 200
    host = phone.application.test_client()
    be_host(host)
    assert "Ann asks to take a step back: Ann does nothing." in host.get("/host").text
    send(host, {"do": "refuse-undo", "seat": 1})
    assert asked(phone) == []


def test_a_request_to_undo_stands_until_the_host_answers_and_counts_what_goes_with_it(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1, "Ann")
    for seat in (1, 2, 3):
        desk.command(say.Play(seat=seat, action=Nothing(seat=seat)))
    assert send(phone, {"do": "ask-undo", "seat": 1, "after": 1}).status_code == 200
    assert asked(phone) == [("Ann does nothing.", 3)]
    desk.command(say.Undo(by="host"))
    assert asked(phone) == [("Ann does nothing.", 2)]
    host = phone.application.test_client()
    be_host(host)
    assert "One later step goes with it." in host.get("/host").text
    send(host, {"do": "undo", "steps": 2})
    assert asked(phone) == []
    desk.command(say.Redo(steps=2, by="host"))
    assert asked(phone) == []


def test_each_seat_asks_for_itself(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1, "Ann")
    join(phone, 2, "Bo")
    for seat in (1, 2):
        desk.command(say.Play(seat=seat, action=Nothing(seat=seat)))
        send(phone, {"do": "ask-undo", "seat": seat})
    assert asked(phone) == [("Ann does nothing.", 2), ("Bo does nothing.", 1)]


def test_a_host_who_plays_undoes_at_once(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    be_host(client)
    send(client, {"do": "ask-undo", "seat": 1})
    assert desk.commands[-1] == say.Undo(by="host")


def test_a_question_is_answered_by_the_seat_or_the_host(client_of: Clients) -> None:
    desk = ShowDesk(question=Question("q", "which", "What?", (1,), (Choice("0", "That."),)))
    phone = client_of(desk)
    join(phone, 1)
    for seat, expected in ((1, 200), (0, 403)):
        assert send(phone, {"do": "answer", "seat": seat, "question": "q", "choice": "0"}).status_code == expected
    be_host(phone)
    assert send(phone, {"do": "answer", "seat": 0, "question": "q", "choice": "0"}).status_code == 200
    assert [command.seat for command in desk.commands if isinstance(command, say.Answer)] == [1, 0]


def test_at_a_simulated_table_whoever_sees_it_stands_at_it(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.simulated, desk.page_buttons, desk.pace = True, ("next", "undo"), 1.0
    client = client_of(desk)
    assert send(client, {"do": "answer", "question": "q", "choice": "0"}).status_code == 200
    assert send(client, {"do": "press", "button": "next"}).status_code == 200
    assert send(client, {"do": "speed", "speed": 2.5}).status_code == 200
    assert (desk.pressed, desk.pace) == (["next"], 2.5)
    assert client.get("/state/public").get_json()["speed"] == 2.5
    assert send(client, {"do": "end"}).status_code == 403


def test_how_well_robots_play_is_chosen_at_their_chairs_and_by_the_host(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.simulated, desk.pace, desk.plays = True, 1.0, {1: "normal", 2: "normal"}
    client = client_of(desk)
    chairs = client.get("/join").text
    assert chairs.count('<option value="normal" selected>') == 2
    assert client.post("/join/levels", data={"level-1": "strong", "level-2": "perfect"}).status_code == 303
    assert desk.plays == {1: "strong", 2: "normal"}
    assert send(client, {"do": "level", "seat": 2, "level": "easy"}).status_code == 200
    assert send(client, {"do": "level", "seat": 2, "level": "perfect"}).status_code == 400
    be_host(client)
    page = client.get("/host").text
    assert '<option value="strong" selected>' in page
    assert '<option value="easy" selected>' in page


def test_what_a_robot_would_do_is_told_to_the_phone_that_asks_and_everybody_hears_that_it_asked(
    client_of: Clients,
) -> None:
    desk = MatchDesk()
    client = client_of(desk)
    join(client, 1, "Ada")
    assert send(client, {"do": "advise", "seat": 1}).status_code == 409, "a real table: hands are hidden"
    desk.simulated = True
    answer = send(client, {"do": "advise", "seat": 1})
    assert answer.get_json()["message"] == "A robot would do this: Ada draws."
    assert desk.match.snapshot.sentence == "Ada asked what a robot would do."
    assert send(client, {"do": "advise", "seat": 2}).status_code == 403


def test_undo_under_the_little_screen_takes_a_step_back_or_says_why_not(client_of: Clients) -> None:
    desk = MatchDesk()
    desk.simulated, desk.page_buttons = True, ("next", "page", "undo")
    desk.command(say.Play(seat=1, action=Nothing(seat=1), by="phone"))
    client = client_of(desk)
    assert 'data-sure="Tap again: the last step is taken back"' in client.get("/").text
    assert send(client, {"do": "press", "button": "undo"}).status_code == 200
    assert desk.match.state.turn == 1, "the turn that was given away is back"
    refused = send(client, {"do": "press", "button": "undo"})
    assert (refused.status_code, message(refused)) == (409, "There is nothing to take back. Go on from here.")
    desk.simulated = False
    refused = send(client, {"do": "press", "button": "undo"})
    assert (refused.status_code, "Only the host" in message(refused)) == (403, True)


def test_the_log_says_what_was_taken_back_and_done_again() -> None:
    desk = MatchDesk(5)
    for seat in (1, 2):
        desk.command(say.Play(seat=seat, action=Nothing(seat=seat), by="phone"))
    first, second = (line.words for line in desk.snapshot().log)
    assert desk.command(say.Undo(steps=2, by="host")).ok
    assert desk.snapshot().log[-1].words == f"Taken back: {second} {first}"
    assert desk.command(say.Redo(steps=2, by="host")).ok
    assert desk.snapshot().log[-1].words == f"Done again: {first} {second}"
    for seat in (3, 4):
        desk.command(say.Play(seat=seat, action=Nothing(seat=seat), by="phone"))
    assert desk.command(say.Undo(steps=4, by="host")).ok
    assert desk.snapshot().log[-1].words == "4 taken back."


def test_a_real_table_has_no_buttons_on_the_page(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    assert "press the one on the table" in message(send(client, {"do": "press", "button": "undo"}))
    assert "No robots play" in message(send(client, {"do": "speed", "speed": 2}))


def test_what_comes_up_may_be_said_by_anyone_who_plays(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    wish = {
        "do": "play",
        "seat": 0,
        "action": {"type": "turn-up"},
        "facts": [{"type": "shown", "place": "discard", "piece": "00N"}],
    }
    assert message(send(client, wish)) == "Join a seat first: only who plays may say what came up."
    join(client, 1)
    assert send(client, wish).status_code == 200
    played = desk.commands[-1]
    assert isinstance(played, say.Play)
    assert (played.seat, len(played.facts)) == (0, 1)


# --------------------------------------------------------------------------------------------------------- only once


def test_a_tap_that_is_sent_twice_counts_once(client_of: Clients) -> None:
    desk = MatchDesk()
    client = client_of(desk)
    join(client, 1)
    wish = {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}}
    answers = [send(client, wish, **{"Idempotency-Key": "tap1"}) for _ in range(3)]
    assert [answer.get_json() for answer in answers] == [{"ok": True, "record": 1}] * 3
    assert desk.snapshot().record == 1


def test_the_same_tap_from_many_connections_at_once_counts_once(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    desk.commands.clear()
    cookie = client.get_cookie("companion_seat_1")
    assert cookie is not None

    def tap(_: int) -> int:
        other = client.application.test_client()
        other.set_cookie("companion_seat_1", cookie.value)
        return send(other, DRAW, **{"Idempotency-Key": "same"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tap, range(24))) == [200] * 24
    assert len(desk.commands) == 1


def test_a_key_of_one_phone_is_nothing_to_another(client_of: Clients) -> None:
    desk = ShowDesk()
    one = client_of(desk)
    two = one.application.test_client()
    join(one, 1)
    join(two, 2, "Bo")
    desk.commands.clear()
    send(one, {"do": "done", "seat": 1}, **{"Idempotency-Key": "k"})
    send(two, {"do": "done", "seat": 2}, **{"Idempotency-Key": "k"})
    assert [command.seat for command in desk.commands if isinstance(command, say.Done)] == [1, 2]


def test_what_was_refused_for_the_sender_may_be_tried_again(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    desk.late = True
    assert send(client, DRAW, **{"Idempotency-Key": "k"}).status_code == 503
    desk.late = False
    assert send(client, DRAW, **{"Idempotency-Key": "k"}).status_code == 200


def test_a_verdict_carries_the_players_names(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.reply = Reply(False, verdict=illegal("C7", "it is @2's turn, not yours", "Wait for @2."))
    client = client_of(desk)
    desk.reply, refused = Reply(True), desk.reply
    join(client, 1)
    desk.reply = refused
    assert message(send(client, DRAW)) == "It is Bo's turn, not yours. Wait for Bo."


def test_a_tap_that_came_too_early_for_a_robot_is_tried_again_by_the_page(client_of: Clients) -> None:
    desk = MatchDesk(3)

    def too_early(command: say.Command) -> Reply:
        raise ServedError("@2 is still taking cards: wait a moment.")

    client = client_of(desk)
    join(client, 1)
    desk.command = too_early  # type: ignore[method-assign]
    answer = send(client, DRAW)
    assert answer.status_code == 423
    assert message(answer) == "Seat 2 is still taking cards: wait a moment."
