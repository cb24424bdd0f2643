"""Silencing the buzzer from a phone or the host's page, and what the host hears of the box itself."""

from __future__ import annotations

import pytest

from tests.server.desks import PIN, ShowDesk
from tests.server.phones import join


@pytest.fixture
def desk() -> ShowDesk:
    made = ShowDesk()
    made.muted = False
    return made


def test_the_host_and_whoever_plays_silence_the_buzzer_and_come_back_to_their_page(desk, client_of) -> None:
    host, phone = client_of(desk), None
    host.post("/host/enter", data={"pin": PIN})
    assert "Silence the buzzer" in host.get("/host").text
    answer = host.post("/sound", data={"sound": "off", "back": "host"})
    assert (answer.status_code, answer.headers["Location"], desk.muted) == (303, "/host", True)
    assert "Let the buzzer sound again" in host.get("/host").text
    phone = host.application.test_client()
    join(phone, 2, "Bo")
    answer = phone.post("/sound", data={"sound": "on", "back": "2"})
    assert (answer.status_code, answer.headers["Location"], desk.muted) == (303, "/seat/2", False)
    assert "Silence the table" in phone.get("/seat/2").text


def test_nobody_else_does(desk, client_of) -> None:
    assert client_of(desk).post("/sound", data={"sound": "off"}).status_code == 403
    assert desk.muted is False


@pytest.mark.parametrize("wish", ["", "loud"])
def test_a_wish_that_is_none_is_refused(desk, client_of, wish) -> None:
    client = client_of(desk)
    join(client, 1, "Anna")
    assert client.post("/sound", data={"sound": wish}).status_code == 400


def test_without_a_buzzer_nothing_is_offered(desk, client_of) -> None:
    desk.muted = None
    client = client_of(desk)
    join(client, 1, "Anna")
    assert "buzzer" not in client.get("/seat/1").text
    assert client.post("/sound", data={"sound": "off", "back": "https://elsewhere.example"}).status_code == 404


def test_weak_power_is_on_the_hosts_page_and_on_no_other_and_goes_when_it_is_over(desk, client_of) -> None:
    client = client_of(desk)
    client.post("/host/enter", data={"pin": PIN})
    feed = client.application.extensions["companion"].feed
    desk.ills = ("The Pi gets too little voltage. Use its own power supply, and no long cable.",)
    feed.refresh()
    assert "too little voltage" in client.get("/host").text
    join(client, 1, "Anna")
    assert "too little voltage" not in client.get("/").text + client.get("/seat/1").text
    desk.ills = ()
    feed.refresh()
    assert "too little voltage" not in client.get("/host").text
