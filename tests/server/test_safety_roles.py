"""Every address and every wish, tried by everybody: what is not theirs is refused, and nothing comes of it.

Addresses come from the application's own map and commands from their union, so a new one fails here until somebody says
whose it is.
"""

from __future__ import annotations

from typing import Any, get_args, get_origin

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.server.app import create_app, shut
from companion.server.page_commands import Asked
from companion.table.table import Table
from tests.server.addresses import calls, methods, rules
from tests.server.hands import HandsDesk
from tests.server.phones import be_host, join, send

GET, POST = "GET", "POST"
ANYBODY = {
    (GET, rule)
    for rule in (
        "/",
        "/J",
        "/J/<int:seat>",
        "/j",
        "/camera.jpg",
        "/cards",
        "/cards/<game>",
        "/cards/<game>/cover.webp",
        "/cards/<game>/face/<piece>.webp",
        "/cards/<game>/small/<piece>.webp",
        "/cards/<game>/papers",
        "/cards/<game>/print/<paper>/<name>",
        "/course",
        "/course.pdf",
        "/dice",
        "/evidence/<int:n>/<when>.jpg",
        "/host",
        "/how",
        "/how/<name>",
        "/join",
        "/join/<int:seat>",
        "/join.svg",
        "/layout",
        "/log",
        "/log/<int:n>",
        "/matches",
        "/matches/<match>",
        "/matches/<match>.png",
        "/oled.png",
        "/overlay",
        "/setting-up",
        "/simulated",
        "/simulated/things",
        "/static/<path:filename>",
        "/welcome",
    )
} | {
    (POST, "/join"),
    (POST, "/join/ask"),
    (POST, "/join/levels"),
    (POST, "/host/enter"),
    (POST, "/welcome"),
    (POST, "/language"),
    (POST, "/command"),
}
"""/host shows a stranger the field for the PIN; /simulated/things has hands only for who holds the seat's key; what
/command does is told wish by wish below."""
AUDIENCES = {(GET, "/state/<audience>"), (GET, "/events/<names>"), (GET, "/parts/<names>")}
SEATS = {
    (GET, "/seat/<int:seat>"),
    (GET, "/hand/<int:seat>/cards"),
    (POST, "/hand/<int:seat>/photo"),
    (POST, "/leave"),
    (POST, "/call"),
}
PLAYERS = {(POST, "/sound")}
HOST = {
    (GET, "/host/new"),
    (GET, "/host/new/<name>"),
    (GET, "/host/laid"),
    (POST, "/host/laid"),
    (GET, "/host/games"),
    (POST, "/host/games"),
    (GET, "/host/games/new"),
    (POST, "/host/games/new"),
    (GET, "/host/games/<name>.json"),
    (POST, "/host/games/<name>/delete"),
    (POST, "/host/new/<name>"),
    (POST, "/host/again"),
    (GET, "/host/markers-<paper>.pdf"),
    (GET, "/host/back/<int:n>"),
    (GET, "/host/delete"),
    (POST, "/host/delete"),
    (POST, "/host/back/<int:n>"),
    (POST, "/host/leave"),
    (GET, "/matches/<match>.jsonl"),
    (POST, "/matches"),
    (POST, "/matches/<match>/resume"),
    # At a simulated table these are anybody's, who stands at it.
    (POST, "/cards/<game>/print"),
    (GET, "/cards/test"),
    (GET, "/host/eye"),
    (GET, "/host/eye.jpg"),
    (GET, "/host/eye/now"),
    (GET, "/host/eye/spot"),
    (GET, "/host/eye/doubt.jpg"),
    (POST, "/host/eye/tell"),
    (POST, "/host/eye/forget"),
    (GET, "/host/zones"),
    (POST, "/host/zones"),
    (GET, "/host/board.jpg"),
    (GET, "/host/teach"),
    (POST, "/host/teach"),
    (GET, "/host/teach/face.png"),
    (GET, "/host/teach/deck.zip"),
    (POST, "/host/teach/deck"),
    (GET, "/host/settings"),
    (POST, "/host/settings"),
    (GET, "/host/phone"),
    (GET, "/host/phone.svg"),
    (POST, "/host/phone/release"),
    (GET, "/host/bare"),
    (POST, "/host/bare"),
    (POST, "/host/settings/pin"),
    (GET, "/host/settings/hall"),
    (POST, "/host/settings/hall"),
}

OF_SEAT: dict[str, dict[str, Any]] = {
    "play": {"seat": 1, "action": {"type": "nothing", "seat": 1}},
    "roll": {"seat": 1, "action": {"type": "nothing", "seat": 1}},
    "throw": {"seat": 1, "action": {"type": "nothing", "seat": 1}},
    "stir": {"seat": 1, "salt": "abc"},
    "answer": {"seat": 1, "question": "1", "choice": "yes"},
    "done": {"seat": 1},
    "ask-undo": {"seat": 1},
    "name": {"seat": 1, "name": "Mallory"},
    "slide": {"seat": 1, "piece": "00N", "x": 300, "y": 200},
    "lay": {"seat": 1, "piece": "00N", "zone": "discard"},
    "take": {"seat": 1, "piece": "00N"},
    "advise": {"seat": 1},
}
OF_HOST: dict[str, dict[str, Any]] = {
    "undo": {},
    "redo": {},
    "adopt": {},
    "goon": {},
    "correct": {"edits": [{"edit": "turns", "seat": 2}]},
    "end": {},
    "mode": {"mode": "assist"},
    "free": {"seat": 1},
    "sit-in": {"seat": 1},
    "hand-over": {"seat": 1},
    "refuse-undo": {},
    "pause": {},
    "extend": {},
    "clock": {"seconds": 5},
    "freeze": {},
    "hint": {"seat": 1, "words": "Look."},
    "speed": {"speed": 0},
    "level": {"seat": 1, "level": "easy"},
    "stay": {},
}
OF_PLAYERS: dict[str, dict[str, Any]] = {"another": {"seat": 1}, "turn-glass": {}}
AT_A_SIMULATED_TABLE: dict[str, dict[str, Any]] = {"tidy": {}, "press": {"button": "undo"}}
"""At a real one there is no such thing."""


@pytest.fixture(autouse=True)
def unhurried(everybody: dict[str, FlaskClient]) -> None:
    """Nobody is turned away for asking too much."""
    here = everybody["host"].application.extensions["companion"]
    here.limits._clock = lambda: 0.0
    here.limits._buckets.clear()


FORM = {
    "seat": "1",
    "name": "Mallory",
    "pin": "000",
    "steps": "1",
    "what": "nothing",
    "x": "10",
    "y": "10",
    "n": "1",
    "do": "printed",
    "paper": "a4",
    "sound": "off",
    "seats": "2",
    "mode": "ledger",
    "language": "en",
}


def ask(client: FlaskClient, method: str, path: str) -> TestResponse:
    headers = {"X-Companion": "1"} if method == POST and "/photo" in path else {}
    given: dict[str, Any] = {"data": b"no picture" if "/photo" in path else FORM} if method == POST else {}
    return client.open(path, method=method, headers=headers, buffered=False, **given)


def turned_away(answer: TestResponse) -> bool:
    """Tell whether somebody was told no, or led to where the key is had."""
    led = answer.status_code == 302 and answer.headers["Location"].startswith(("/join", "/host"))
    return answer.status_code == 403 or led


def owners(method: str, rule: str, path: str) -> set[str]:
    """Name those whose an address is."""
    call = (method, rule)
    if call in SEATS:
        return {"seat 2"} if "/2" in path else {"seat 1"}
    if call in PLAYERS:
        return {"seat 1", "seat 2", "host"}
    if call in HOST:
        return {"host"}
    if call in AUDIENCES and "public" not in path:
        return {"host"} if path.endswith("host") else {"seat 1"}
    return {"stranger", "guesser", "seat 1", "seat 2", "freed", "host"}


def everything(table: Table, client: FlaskClient) -> tuple[Any, ...]:
    """Give what nobody but its owners may change."""
    here = client.application.extensions["companion"]
    snapshot = table.snapshot()
    return (
        snapshot.match,
        snapshot.record,
        snapshot.names[1],
        snapshot.mode,
        snapshot.hint,
        here.keys.taken(),
        len(table.matches.summaries()),
        table.match.records(),
    )


def test_somebody_has_said_whose_every_address_is(everybody: dict[str, FlaskClient]) -> None:
    app = everybody["host"].application
    there = {(method, rule.rule) for rule in rules(app) for method in methods(rule)}
    assert there - (ANYBODY | AUDIENCES | SEATS | PLAYERS | HOST) == set()
    assert (ANYBODY | AUDIENCES | SEATS | PLAYERS | HOST) - there == set()


@pytest.mark.parametrize("who", ["stranger", "guesser", "freed", "seat 2", "seat 1"])
def test_nobody_gets_or_does_what_is_not_theirs(table: Table, everybody: dict[str, FlaskClient], who: str) -> None:
    client, before = everybody[who], everything(table, everybody["host"])
    tried = 0
    for method, rule, path in calls(client.application, table.match.header.id):
        if who in owners(method, rule, path):
            continue
        tried += 1
        answer = ask(client, method, path)
        if rule == "/parts/<names>":
            told = answer.get_json()
            assert told["changes"] == [], (who, path)
            assert told["refused"], (who, path)
        else:
            assert turned_away(answer), (who, method, path, answer.status_code)
        answer.close()
    assert tried > 15
    assert everything(table, everybody["host"]) == before


def test_everybody_gets_what_is_theirs(table: Table, everybody: dict[str, FlaskClient]) -> None:
    for who in ("seat 1", "host"):
        client = everybody[who]
        for method, rule, path in calls(client.application, table.match.header.id):
            if method == GET and who in owners(method, rule, path):
                answer = ask(client, method, path)
                assert answer.status_code != 403, (who, path)
                answer.close()


def test_a_stream_of_several_audiences_carries_those_that_are_ones_own(everybody: dict[str, FlaskClient]) -> None:
    for who in ("stranger", "guesser", "freed", "seat 2"):
        told = everybody[who].get("/parts/public,seat-1,host").get_json()
        assert {change["audience"] for change in told["changes"]} == {"public"}
        assert told["refused"] == ["seat-1", "host"]


def test_somebody_has_said_whose_every_wish_is() -> None:
    there = {(get_origin(kind) or kind).__struct_config__.tag for kind in get_args(Asked)}
    assert there == {*OF_SEAT, *OF_HOST, *OF_PLAYERS, *AT_A_SIMULATED_TABLE}


@pytest.mark.parametrize("do", OF_PLAYERS)
def test_what_is_for_who_plays_is_for_nobody_else(everybody: dict[str, FlaskClient], do: str) -> None:
    wish = {"do": do, **OF_PLAYERS[do]}
    for who in ("stranger", "guesser", "freed"):
        assert send(everybody[who], wish).status_code == 403
    for who in ("seat 1", "seat 2", "host"):
        assert send(everybody[who], wish).status_code == 409, "no robot sits there, and no glass stands there"


@pytest.mark.parametrize("do", [*OF_SEAT, *OF_HOST])
def test_a_wish_of_another_is_refused(table: Table, everybody: dict[str, FlaskClient], do: str) -> None:
    wish = {"do": do, **{**OF_SEAT, **OF_HOST}[do]}
    before = everything(table, everybody["host"])
    others = ["stranger", "guesser", "freed", "seat 2"]
    others += ["seat 1"] if do in OF_HOST else [] if do in ("name", "ask-undo") else ["host"]
    for who in others:
        answer = send(everybody[who], wish)
        # At a real table nothing can be slid, and no robot be hurried.
        gone = do in ("slide", "lay", "take", "speed", "level", "stay")
        assert answer.status_code == (404 if gone else 403), (who, do, answer.status_code)
    assert everything(table, everybody["host"]) == before


@pytest.mark.parametrize("do", AT_A_SIMULATED_TABLE)
def test_a_real_table_is_not_touched_from_a_page(table: Table, everybody: dict[str, FlaskClient], do: str) -> None:
    table.devices.board, board = object(), table.devices.board  # type: ignore[assignment]
    try:
        for client in everybody.values():
            assert send(client, {"do": do, **AT_A_SIMULATED_TABLE[do]}).status_code == 404
    finally:
        table.devices.board = board


@pytest.mark.parametrize("do", ["slide", "lay", "take"])
def test_a_hand_at_a_simulated_table_is_its_seats_alone(do: str) -> None:
    desk = HandsDesk()
    app = create_app(desk, close=desk.close)
    try:
        one, two, host = (app.test_client() for _ in range(3))
        join(one, 1)
        join(two, 2, "Bo")
        be_host(host)
        for client in (two, host, app.test_client()):
            assert send(client, {"do": do, **OF_SEAT[do]}).status_code == 403
        assert set(one.get("/simulated/things").get_json()["hands"]) == {"1"}
        assert host.get("/simulated/things").get_json()["hands"] == {}
    finally:
        shut(app)


def test_a_seat_can_not_act_for_another_by_naming_it_inside(table: Table, everybody: dict[str, FlaskClient]) -> None:
    records = table.match.records()
    wish = {"do": "play", "seat": 2, "action": {"type": "nothing", "seat": 1}}
    assert send(everybody["seat 2"], wish).status_code == 403
    upkeep = {"do": "play", "seat": 0, "action": {"type": "nothing", "seat": 0}}
    for who in ("stranger", "guesser", "freed"):
        assert send(everybody[who], upkeep).status_code == 403
    assert table.match.records() == records


def test_nobody_takes_a_taken_seat_or_is_handed_one_unasked(table: Table, everybody: dict[str, FlaskClient]) -> None:
    for who in ("stranger", "guesser", "seat 2"):
        answer = everybody[who].post("/join", data={"seat": "1", "name": "Mallory"})
        assert answer.status_code == 409
        asked = everybody[who].post("/join/ask", data={"seat": "1"})
        assert asked.status_code in (303, 409)
        # Whoever asks waits: without the host's word there is nothing but the form.
        assert everybody[who].get("/seat/1").status_code == 302
        assert everybody[who].get("/state/seat-1").status_code == 403
    assert table.snapshot().names[1] == "Anna"
    assert send(everybody["host"], {"do": "hand-over", "seat": 1, "yes": False}).status_code == 200
