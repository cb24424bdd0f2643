"""Another phone takes a seat over when the host agrees; and colours, which every seat has for itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.server.keys import PATIENCE, Keys, TakenError
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.phones import be_host, join, send


def phones(client_of: Clients, desk: MatchDesk | ShowDesk) -> tuple[FlaskClient, FlaskClient, FlaskClient]:
    """Give an old phone at seat 2, a new one, and the host's."""
    old = client_of(desk)
    new, host = old.application.test_client(), old.application.test_client()
    join(old, 2, "Bo")
    be_host(host)
    return old, new, host


def test_another_phone_takes_a_seat_over_once_the_host_agrees(client_of: Clients) -> None:
    old, new, host = phones(client_of, MatchDesk())
    assert "Ask for the seat of Bo" in new.get("/join/2").text
    asked = new.post("/join/ask", data={"seat": "2"})
    assert asked.headers["Location"] == "/join/2"
    waits = new.get("/join/2").text
    assert "The host is asked" in waits
    assert 'http-equiv="refresh"' in waits
    assert old.get("/seat/2").status_code == 200
    assert "Another phone asks for the seat of Bo." in host.get("/host").text
    assert "Another phone asks" not in old.get("/seat/2").text
    assert send(host, {"do": "hand-over", "seat": 2}).status_code == 200
    assert new.get("/join/2").headers["Location"] == "/seat/2"
    assert new.get("/seat/2").status_code == 200
    assert old.get("/seat/2").headers["Location"] == "/join/2"
    assert "Another phone has taken over seat 2." in old.get("/join/2").text
    assert "Another phone asks" not in host.get("/host").text
    assert send(old, {"do": "done", "seat": 2}).status_code == 403
    assert send(new, {"do": "name", "seat": 2, "name": "Bo"}).status_code == 200


def test_the_old_phones_stream_says_that_its_key_is_worthless(client_of: Clients) -> None:
    old, new, host = phones(client_of, MatchDesk())
    new.post("/join/ask", data={"seat": "2"})
    send(host, {"do": "hand-over", "seat": 2})
    assert old.get("/parts/public,seat-2").get_json()["refused"] == ["seat-2"]


def test_the_host_may_refuse(client_of: Clients) -> None:
    old, new, host = phones(client_of, MatchDesk())
    new.post("/join/ask", data={"seat": "2"})
    assert send(host, {"do": "hand-over", "seat": 2, "yes": False}).status_code == 200
    assert "The host did not hand seat 2 over" in new.get("/join/2").text
    assert old.get("/seat/2").status_code == 200
    assert new.get("/seat/2").status_code == 302
    answer = send(host, {"do": "hand-over", "seat": 2})
    assert answer.status_code == 409
    assert answer.get_json()["message"] == "No phone asks for seat 2 any more."


def test_nobody_but_the_host_hands_a_seat_over(client_of: Clients) -> None:
    old, new, _ = phones(client_of, MatchDesk())
    new.post("/join/ask", data={"seat": "2"})
    for client in (new, old):
        assert send(client, {"do": "hand-over", "seat": 2}).status_code == 403
    assert old.get("/seat/2").status_code == 200


def test_one_phone_at_a_time_asks_for_a_seat_and_only_for_a_taken_one(client_of: Clients) -> None:
    old, new, _ = phones(client_of, MatchDesk())
    new.post("/join/ask", data={"seat": "2"})
    third = old.application.test_client()
    assert "asks for seat 2 already" in third.post("/join/ask", data={"seat": "2"}).text
    assert "Seat 3 is free" in third.post("/join/ask", data={"seat": "3"}).text
    assert third.post("/join/ask", data={"seat": "9"}).status_code == 404
    assert third.post("/join/ask", data={"seat": "x"}).status_code == 404
    assert new.post("/join/ask", data={"seat": "2"}).status_code == 303


def test_a_wish_that_nobody_answers_is_forgotten(tmp_path: Path) -> None:
    now = [0.0]
    keys = Keys("m", "1", tmp_path / "keys.json", lambda: now[0])
    keys.take(1)
    token = keys.ask(1)
    with pytest.raises(TakenError):
        keys.ask(1)
    now[0] = PATIENCE
    assert not keys.asks(1, token)
    assert not keys.hand_over(1)
    assert not keys.holds(1, token)
    fresh = keys.ask(1)
    assert keys.hand_over(1)
    assert keys.holds(1, fresh)
    assert Keys("m", "1", tmp_path / "keys.json").holds(1, fresh)


def test_a_seat_that_is_freed_meanwhile_is_not_handed_over(tmp_path: Path) -> None:
    keys = Keys("m", "1")
    keys.take(1)
    token = keys.ask(1)
    keys.free(1)
    assert not keys.hand_over(1)
    assert not keys.holds(1, token)


def test_a_wish_for_a_seat_does_not_outlive_its_owner(client_of: Clients) -> None:
    desk = MatchDesk()
    bea, x, host = phones(client_of, desk)
    dora = bea.application.test_client()
    x.post("/join/ask", data={"seat": "2"})
    bea.post("/leave", data={"seat": "2"})
    join(dora, 2, "Dora")
    keys = bea.application.extensions["companion"].keys
    assert keys.asking() == frozenset()
    assert "Another phone asks" not in host.get("/host").text
    assert send(host, {"do": "hand-over", "seat": 2}).status_code == 409
    assert dora.get("/seat/2").status_code == 200
    assert "The host did not hand seat 2 over" in x.get("/join/2").text


def test_no_wish_for_a_seat_goes_along_into_the_next_match() -> None:
    keys = Keys("m", "1")
    keys.take(1)
    token = keys.ask(1)
    keys.follow("n", 2)
    assert keys.asking() == frozenset()
    assert not keys.hand_over(1)
    assert not keys.holds(1, token)


def test_a_colour_is_chosen_with_the_seat_and_shown_everywhere_with_its_shape(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    phone.post("/join", data={"seat": "2", "name": "Bo", "colour": "pink"})
    assert desk.snapshot().colours[2] == "pink"
    other = phone.application.test_client()
    form = other.get("/join").text
    assert 'value="pink"' not in form
    assert "yellow, octagon" in form
    be_host(other)
    for client, page in ((other, "/"), (other, "/host"), (phone, "/seat/2"), (other, "/join")):
        assert "hue-pink shape-diamond" in client.get(page).text, page


def test_a_colour_that_somebody_has_is_refused_with_the_name(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    phone.post("/join", data={"seat": "2", "name": "Bo", "colour": "pink"})
    other = phone.application.test_client()
    refused = other.post("/join", data={"seat": "1", "name": "Ada", "colour": "pink"})
    assert refused.status_code == 409
    assert "Bo has pink already." in refused.text
    assert other.post("/join", data={"seat": "1", "name": "Ada", "colour": ""}).status_code == 303
    assert len(set(desk.snapshot().colours.values())) == 3
    assert send(other, {"do": "name", "seat": 1, "name": "Ada", "colour": "red"}).status_code == 200
    assert desk.snapshot().colours[1] == "red"
