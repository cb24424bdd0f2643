"""A robot plays for somebody who left a real table: the host says so, and whoever sits there is told what it wants."""

from __future__ import annotations

from html import unescape

from flask.testing import FlaskClient

from companion.table.table import Table
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, join, send

WANTS = "@2 adds a red card or a moon to the collection."


def people(client_of: Clients, desk: MatchDesk) -> tuple[FlaskClient, FlaskClient, FlaskClient]:
    """Give the phone of seat 1, the host's browser and a stranger's."""
    one = client_of(desk)
    host, stranger = one.application.test_client(), one.application.test_client()
    join(one, 1)
    be_host(host)
    return one, host, stranger


def refreshed(client: FlaskClient) -> None:
    client.application.extensions["companion"].feed.refresh()


def test_the_host_lets_a_robot_play_and_sends_it_away(client_of: Clients) -> None:
    desk = MatchDesk()
    one, host, stranger = people(client_of, desk)
    assert "Let a robot play" in host.get("/host").text
    for client in (one, stranger):
        assert send(client, {"do": "sit-in", "seat": 2}).status_code == 403
    assert desk.robots_there == {}
    assert send(host, {"do": "sit-in", "seat": 2}).get_json()["message"] == "A robot plays seat 2 now."
    assert desk.robots_there == {2: ""}
    assert "Send the robot away" in host.get("/host").text
    assert send(host, {"do": "sit-in", "seat": 2, "robot": False}).status_code == 200
    assert desk.robots_there == {}


def test_a_seat_that_somebody_has_is_freed_first(client_of: Clients) -> None:
    desk = MatchDesk()
    _, host, _ = people(client_of, desk)
    answer = send(host, {"do": "sit-in", "seat": 1})
    assert (answer.status_code, answer.get_json()["message"]) == (
        409,
        "Somebody's phone has seat 1: free the seat first.",
    )


def test_at_the_simulated_table_robots_come_by_themselves(client_of: Clients) -> None:
    desk = MatchDesk()
    desk.simulated = True
    _, host, _ = people(client_of, desk)
    assert send(host, {"do": "sit-in", "seat": 2}).status_code == 404


def test_everybody_reads_what_the_robot_wants_and_players_may_ask_for_something_else(client_of: Clients) -> None:
    desk = MatchDesk()
    one, host, stranger = people(client_of, desk)
    send(host, {"do": "sit-in", "seat": 2})
    desk.robots_there[2] = WANTS
    refreshed(host)
    for client, path in ((one, "/seat/1"), (host, "/host"), (stranger, "/")):
        text = unescape(client.get(path).text)
        assert "Seat 2 adds a red card or a moon to the collection." in text
        assert ("Nothing fits: something else" in text) == (client is not stranger)
    assert send(stranger, {"do": "another", "seat": 2}).status_code == 403
    assert send(one, {"do": "another", "seat": 2}).status_code == 200
    assert send(host, {"do": "another", "seat": 2}).status_code == 200
    assert desk.thinking == [2, 2]
    assert send(one, {"do": "another", "seat": 3}).status_code == 409


def test_the_host_may_open_the_page_of_a_robots_seat_and_of_no_other(client_of: Clients) -> None:
    desk = MatchDesk()
    one, host, stranger = people(client_of, desk)
    assert host.get("/seat/2").status_code == 302
    send(host, {"do": "sit-in", "seat": 2})
    assert host.get("/seat/2").status_code == 200
    assert host.get("/state/seat-2").status_code == 200
    assert host.get("/seat/1").status_code == 302
    for client in (one, stranger):
        assert client.get("/seat/2").status_code == 302
        assert client.get("/state/seat-2").status_code == 403
    send(host, {"do": "sit-in", "seat": 2, "robot": False})
    assert host.get("/state/seat-2").status_code == 403


def test_whoever_joins_the_seat_plays_it_again(table: Table, everybody: dict[str, FlaskClient]) -> None:
    host, late = everybody["host"], everybody["host"].application.test_client()
    assert send(host, {"do": "sit-in", "seat": 3}).status_code == 200
    assert list(table.stand_ins.there()) == [3]
    join(late, 3, "Dan")
    assert table.stand_ins.there() == {}
    assert send(host, {"do": "free", "seat": 3}).status_code == 200
