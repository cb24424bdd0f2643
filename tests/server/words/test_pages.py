"""Every phone has its language: pages, parts, streams, answers; English pages know nothing of it."""

from __future__ import annotations

import json
import re

import pytest

from companion.server.words.catalogue import LANGUAGES
from companion.server.words.voice import Voice, voice_of
from tests.nights import every
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.phones import join
from tests.server.played import GAMES, PlayedDesk

SWEDISH = {"Accept-Language": "sv-SE,sv;q=0.9,en;q=0.8"}
PAGES = ("/", "/join", "/dice", "/course", "/log", "/host", "/how", "/welcome", "/nowhere")


# At the gate every other pair: each game, and both languages.
@pytest.mark.parametrize(("language", "name"), every(2, [(one, name) for one in ("sv", "de") for name in GAMES]))
def test_pages_of_a_match_have_no_english_left(language: str, name: str, client_of: Clients) -> None:
    desk = PlayedDesk(name, 3)
    client = client_of(desk)
    feed, voice = client.application.extensions["companion"].feed, voice_of(language)
    voice.missed.clear()
    for n in range(16):
        feed.refresh()
        if n % 4 == 0:
            for audience in ("public", "host", "seat-1", "seat-2"):
                dict(feed.parts(f"{audience}@{language}", feed.moment))
        desk.step()
    for page in (*PAGES, f"/cards/{name}"):
        client.get(page, headers={"Accept-Language": language})
    assert dict(voice.missed) == {}


FOR_THE_PROGRAM = re.compile(
    r"""\b(class|id|for|name|value|type|href|src|role|data-[a-z]+(?<!data-sure))=("[^"]*"|'[^']*')"""
)
"""Attributes that nobody reads: colours of cards hang on them, and what a tap sends."""


@pytest.mark.parametrize("name", every(2, GAMES))
def test_what_is_for_the_program_is_the_same_in_every_language(name: str, client_of: Clients) -> None:
    desk = PlayedDesk(name, 3)
    client = client_of(desk)
    for seat in (1, 2, 3):
        join(client, seat, f"Anna {seat}")
    for _ in range(20):
        desk.step()
    feed = client.application.extensions["companion"].feed
    feed.refresh()
    compared = 0
    for audience in ("public", "host", "seat-1", "seat-2", "seat-3"):
        english, swedish = (feed.parts(f"{audience}{tag}", feed.moment) for tag in ("", "@sv"))
        for part, html in english.items():
            for kind, value in set(FOR_THE_PROGRAM.findall(html)):
                compared += 1
                assert f"{kind}={value}" in swedish[part], (audience, part)
    assert compared > 100


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_its_language(page: str, client_of: Clients) -> None:
    client = client_of(ShowDesk())
    english, swedish = client.get(page).text, client.get(page, headers=SWEDISH).text
    assert '<html lang="en">' in english
    assert 'id="spoken"' not in english
    assert '<html lang="sv">' in swedish
    assert "Gå till huvuddelen" in swedish
    said = re.search(r'<script type="application/json" id="spoken">(.*?)</script>', swedish)
    assert said is not None
    assert json.loads(said[1])["That was refused."] == "Det avvisades."


def test_english_templates_are_read_as_they_are(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of an English page goes through a voice."""
    client = client_of(ShowDesk())

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Voice, "__call__", never)
    monkeypatch.setattr(Voice, "message", never)
    for page in PAGES:
        assert client.get(page).text


def test_a_language_that_was_chosen_stays(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    answer = client.post("/language", data={"language": "sv"}, headers={"Referer": "http://localhost/join?x=1"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/join?x=1"
    assert "Ta plats" in client.get("/join", headers={"Accept-Language": "en"}).text
    client.post("/language", data={"language": "en"})
    assert "Take your seat" in client.get("/join", headers=SWEDISH).text


@pytest.mark.parametrize("referer", ["http://evil.example/x", "", "http://localhost//evil.example"])
def test_choosing_a_language_leads_to_no_other_site(referer: str, client_of: Clients) -> None:
    answer = client_of(ShowDesk()).post("/language", data={"language": "sv"}, headers={"Referer": referer})
    assert answer.headers["Location"] == "/"


def test_there_is_no_other_language(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    answer = client.post("/language", data={"language": "xx"})
    assert answer.status_code == 400
    assert "Svenska (sv)" in answer.text
    assert client.get("/events/public@xx").status_code == 404


def test_each_language_offers_the_others(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    for code, headers in (("en", {}), ("sv", SWEDISH), ("de", {"Accept-Language": "de"})):
        page = client.get("/", headers=headers).text
        for other, name in LANGUAGES.items():
            assert (f'value="{other}" lang="{other}">{name}<' in page) == (other != code)


def test_a_stream_carries_pages_in_both_languages(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    assert 'data-audiences="public@sv,pictures"' in client.get("/", headers=SWEDISH).text
    news = json.loads(client.get("/parts/public,public@sv").data)
    english, swedish = (one["parts"]["scores"] for one in news["changes"])
    assert [one["audience"] for one in news["changes"]] == ["public", "public@sv"]
    assert "Scores" in english
    assert "Poäng" in swedish
    assert client.get("/events/seat-1@sv").status_code == 403


def test_answers_come_in_the_phones_language(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    wish = {"json": {"do": "done", "seat": 1}, "headers": {"X-Companion": "1"}}
    english = client.post("/command", **wish).get_json()["message"]
    swedish = client.post("/command", json=wish["json"], headers={"X-Companion": "1", **SWEDISH}).get_json()["message"]
    assert english == "This phone does not sit at seat 1: join it first."
    assert swedish == "Den här telefonen sitter inte på plats 1: ta platsen först."


def test_a_name_is_never_translated(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.show(names={1: "Scores", 2: "Host", 3: "Nobody yet."})
    client = client_of(desk)
    scores = client.get("/parts/public@sv").get_json()["changes"][0]["parts"]["scores"]
    for name in ("Scores", "Host", "Nobody yet."):
        assert f">{name}<" in scores
