"""The start leads: from what sees the table to the games that can be played now, and what is to be printed first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.appliance.invitation import invitation
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST, NAME
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, text_of
from tests.server.test_aim_page import Aimed


@pytest.fixture
def host(client_of: Clients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The host of a table at which people gather, and whose camera sees nothing."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    journal = Journal(tmp_path)

    def make(header: Header, version: int) -> Session:
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    table = Table(make, Header(id=new_id(), at=now(), game=NAME, seats=MOST), journal, "HTTP://10.42.0.1/J")
    table.start()
    client = client_of(table)
    assert client.post("/host/enter", data={"pin": table.host_pin}).status_code == 303
    return client


def test_the_terminal_shows_the_address_the_pin_and_a_code() -> None:
    told = invitation("http://192.168.1.20:8080/", "271828")
    assert "http://192.168.1.20:8080/host\n" in told
    assert told.count("271828") == 1
    assert len(re.findall("█", told)) > 100


def test_games_stand_by_what_has_to_lie_ready_and_without_a_camera_any_deck_will_do(host: FlaskClient) -> None:
    page = host.get("/host/new").text
    assert 0 < page.index("With printed cards") < page.index('data-game="collectors"')
    assert page.index("With a deck of cards") < page.index('data-game="hearts"')
    assert 'href="/cards/standard#print"' in page
    page = host.get("/host/new?mode=ledger").text
    assert "Any deck will do." in page
    assert 'href="/host/new/hearts?mode=ledger"' in page
    assert 'value="ledger" checked' in host.get("/host/new/hearts?mode=ledger").text


def test_the_first_match_ends_at_join_with_the_code_for_the_others_and_may_be_begun_anew(host: FlaskClient) -> None:
    assert host.post("/host/again").status_code == 409
    form = {"seats": "4", "mode": "ledger"}
    assert host.post("/host/new/hearts", data=form).headers["Location"] == "/join"
    assert "http://10.42.0.1/j" in host.get("/join").text
    assert "http://10.42.0.1/j" not in host.application.test_client().get("/join").text
    first = host.application.extensions["companion"].table.match.header
    assert host.post("/host/again").headers["Location"] == "/join"
    second = host.application.extensions["companion"].table.match.header
    assert (second.game, second.seats) == (first.game, first.seats)
    assert second.id != first.id
    assert host.post("/host/new/hearts", data=form).headers["Location"] == "/host"


def test_what_is_to_be_printed_is_told_in_sheets_ink_and_minutes_before(host: FlaskClient) -> None:
    page = text_of(host.get("/cards/standard").text)
    assert re.search(r"Cards: 6 sheets on both sides, about \d+ ml of ink\.", page)
    assert "The mat:" not in page
    assert re.search(
        r"The mat: 10 sheets, \d ml; in outlines nearly none\.", text_of(host.get("/cards/collectors").text)
    )


def test_the_sheet_of_markers_is_on_the_pages_for_the_host_alone(client_of: Clients) -> None:
    desk = MatchDesk(2, "ledger")
    desk.aiming = Aimed(0.0)
    client = client_of(desk)
    assert client.get("/host/markers-a4.pdf").status_code == 403
    be_host(client)
    assert client.get("/host/markers-a4.pdf").data.startswith(b"%PDF")
    assert client.get("/host/markers-a5.pdf").status_code == 404
