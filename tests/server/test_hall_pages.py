"""The page on which an owner settles whom the table tells; calls for the host; the overlay; the link to BG Stats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.appliance.broker_settings import Broker
from companion.appliance.public import told_names
from companion.appliance.settings import Settings, settings, write
from companion.hall.settling import names_of
from companion.referee.journal import Header
from companion.rules.kernel import Ranking
from companion.server.bgstats import ADDRESS, play_link
from companion.server.hall_api import Seating
from companion.server.match_api import MatchSummary
from companion.text import t
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, join
from tests.server.test_settings_pages import desk_of, host_of

__all__ = ["host_of"]

FORM = {"address": "hall.local:8883", "on": "yes", "tls": "yes", "broker_name": "t4", "password": "x", "names": "full"}
Host = Callable[..., FlaskClient]


def kept() -> Broker:
    found = settings()
    assert found is not None
    return found.mqtt


def test_nothing_is_told_before_an_address_is_named(host_of: Host) -> None:
    host = host_of()
    applied: list[tuple[Broker, str]] = []
    desk_of(host).owner.tells(lambda broker, webhook: applied.append((broker, webhook)))
    assert not applied[0][0].told
    assert host.post("/host/settings/hall", data=FORM).status_code == 303
    assert kept() == msgspec.convert({**FORM, "on": True, "tls": True, "name": "t4"}, Broker)
    assert applied[-1] == (kept(), "")
    assert host.post("/host/settings/hall", data={**FORM, "on": ""}).status_code == 303
    assert not applied[-1][0].told


def test_what_the_hall_printed_is_taken_apart(host_of: Host) -> None:
    host = host_of()
    printed = {"address": "mqtts://table-4:a%2Fb@hall.local:8884", "names": "initials", "on": "yes"}
    assert host.post("/host/settings/hall", data=printed).status_code == 303
    assert (kept().address, kept().name, kept().password, kept().tls) == ("hall.local:8884", "table-4", "a/b", True)
    page = host.get("/host/settings/hall").text
    assert "hall.local:8884" in page
    assert "a/b" not in page


def test_a_password_stays_and_goes_to_no_other_broker(host_of: Host) -> None:
    host = host_of()
    host.post("/host/settings/hall", data=FORM)
    host.post("/host/settings/hall", data={**FORM, "password": "", "names": "colours"})
    assert (kept().password, kept().names) == ("x", "colours")
    host.post("/host/settings/hall", data={**FORM, "password": "", "address": "else.where:8883"})
    assert kept().password == ""


WRONG = [
    ({"address": "http://hall"}, "a broker&#39;s address is"),
    ({"address": "hall:0"}, "a broker&#39;s address is"),
    ({"address": "hall:99999"}, "a broker&#39;s address is"),
    ({"address": "a b:1"}, "a broker&#39;s address is"),
    ({"address": "mqtts://:@:8883"}, "a broker&#39;s address is"),
    ({"address": "mqtts://h:port"}, "a broker&#39;s address is"),
    ({"broker_name": "Tisch 4"}, "has small letters a to z"),
    ({"broker_name": "#"}, "has small letters a to z"),
    ({"broker_name": ""}, "type the name that the table has"),
    ({"ca": "certificate"}, "that is no certificate"),
    ({"ca": "x" * 30_000}, "more than a broker&#39;s certificates"),
    ({"names": "nicknames"}, "choose how people&#39;s names are told"),
    ({"buttons": "yes"}, "switch that on, too"),
    ({"webhook": "ftp://there"}, "begins with http:// or https://"),
    ({"webhook": "http://a b"}, "begins with http:// or https://"),
]


def test_what_does_not_fit_gets_a_sentence_and_changes_nothing(host_of: Host) -> None:
    host = host_of()
    for change, said in WRONG:
        answer = host.post("/host/settings/hall", data={**FORM, **change})
        assert answer.status_code == 400, change
        assert said.lower() in answer.text.lower(), change
        assert settings() is None


def test_what_is_wrong_is_said_in_the_hosts_language(host_of: Host) -> None:
    host = host_of()
    german = {"Accept-Language": "de"}
    answer = host.post("/host/settings/hall", data={**FORM, "address": "hall:0"}, headers=german)
    assert "Die Adresse eines Brokers ist ein Name" in answer.text
    desk_of(host).hall.words = lambda: t(
        "Nothing answers at {address}: is the broker running, and is that its port?", address="hall:1883"
    )
    assert "Bei hall:1883 antwortet niemand" in host.get("/host/settings/hall", headers=german).text


def test_bad_values_in_the_file_are_as_if_nobody_had_settled_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(Settings(name="Table 4", mqtt=Broker(address="nowhere", name="t4")), tmp_path)
    found = settings(tmp_path)
    assert found is not None
    assert (found.name, found.mqtt) == ("Table 4", Broker())
    assert "a broker's address is" in caplog.text


def test_a_seat_calls_the_host_and_the_host_comes(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1)
    assert phone.post("/call", data={"seat": "1", "call": "on"}).status_code == 404
    desk.hall.told = True
    assert phone.post("/call", data={"seat": "2", "call": "on"}).status_code == 403
    assert phone.post("/call", data={"seat": "1", "call": "on"}).status_code == 303
    assert desk.hall.calling == (1,)
    assert "take it back" in phone.get("/seat/1").text
    host = phone.application.test_client()
    be_host(host)
    assert "the host is called" in host.get("/host").text
    assert phone.post("/call", data={"call": "off"}).status_code == 403
    host.post("/call", data={"call": "off"})
    assert desk.hall.calling == ()


def test_the_join_page_says_who_is_to_play_here(client_of: Clients) -> None:
    desk = MatchDesk()
    client = client_of(desk)
    assert "Here play" not in client.get("/join").text
    desk.hall.seating = Seating("League <b>", 2, "collectors", ("Ada", "Bo & Co"))
    page = client.get("/join").text
    assert "League &lt;b&gt;, round 2" in page
    assert "Here play: Ada, Bo &amp; Co." in page


def test_the_overlay_has_what_all_may_see_and_nothing_to_tap(client_of: Clients) -> None:
    page = client_of(MatchDesk()).get("/overlay").text
    assert 'data-audiences="public"' in page
    assert 'data-part="call"' in page
    assert "<button" not in re.sub(r"<noscript>.*?</noscript>", "", page, flags=re.S).split("<main")[1]


def summary(**changes: Any) -> MatchSummary:
    given = {
        "id": "m1",
        "at": "2026-11-24T19:05:00.000Z",
        "game": "collectors",
        "title": "Collectors",
        "names": ("Ada", "Bo&", "Cleo"),
        "mode": "assist",
        "records": 9,
        "scores": (10, 12, 10),
        "over": True,
        "winners": (2,),
        "words": "",
    }
    return MatchSummary(**{**given, **changes})


def test_bg_stats_gets_the_play_as_its_makers_document_it() -> None:
    play = json.loads(unquote(play_link(summary(), "Table 4", 2100).removeprefix(ADDRESS)))
    assert play["playDate"] == "2026-11-24 19:05:00"
    assert play["game"]["name"] == "Collectors"
    assert play["durationMin"] == 35
    assert [(one["name"], one["score"], one["rank"], one["winner"]) for one in play["players"]] == [
        ("Ada", 10, 2, False),
        ("Bo&", 12, 1, True),
        ("Cleo", 10, 2, False),
    ]
    assert play["game"]["highestWins"] is True
    low = json.loads(unquote(play_link(summary(winners=(1, 3), ranking=Ranking(lowest=True))).removeprefix(ADDRESS)))
    assert low["game"]["highestWins"] is False
    assert [one["rank"] for one in low["players"]] == [1, 3, 1]
    assert "&" not in play_link(summary())
    assert '"name":"Player 2"' in unquote(play_link(summary(names=("Ada", t("Player {seat}", seat=2), "Cleo"))))
    assert not play_link(summary(over=False))
    assert not play_link(summary(winners=()))


def test_two_whose_initial_is_the_same_are_told_apart() -> None:
    for how in ("initials", "full"):
        told = told_names({1: "Ann", 2: "ann", 3: "Bo"}, {}, how)
        assert told[1] != told[2]
    assert told_names({1: "Ann", 2: "Al"}, {}, "initials") == {1: "A.", 2: "A. 2"}


def test_a_hall_tells_two_of_one_name_apart_whoever_told_it() -> None:
    header = Header(id="m", at="", game="whist", seats=3, names={1: "Ann", 2: "Ann"})
    assert names_of(header, {}) == {1: "Ann", 2: "Ann 2", 3: "Seat 3"}
    assert names_of(header, {"1": "ann", "2": "Ann"}) == {1: "ann", 2: "Ann 2", 3: "Seat 3"}
