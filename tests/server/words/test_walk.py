"""Every page of the application in other languages, with what it says when something is wrong: no English is left."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion import games
from companion.devices.camera_base import HUNG
from companion.eye.view import Trouble
from companion.referee.commands import Name, Play
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Shown
from companion.server.words.voice import voice_of
from companion.table.print_queue import Printed
from companion.table.table import Table
from companion.text import t
from tests.nights import at_night
from tests.server.addresses import calls
from tests.server.conftest import Clients
from tests.server.eyes import EyeDesk
from tests.server.phones import join
from tests.server.test_safety_roles import GET, ask
from tests.server.words.english import left

NEVER = frozenset({"/language", "/host/leave", "/leave"})
"""They would end the walk."""
NAMES = ("Anna", "Bo", "Cleo", "Mallory")


MADE = {games.load(name).info.title for name in games.names()}
"""What games are called, also those from files."""


def printed(game: str) -> set[str]:
    """Return the words on a game's cards, and what games are called."""
    cards = games.load_deck(game).cards if game != GATHERING else ()
    words = {word for card in cards for value in card.traits.values() for word in value.split(", ")}
    titles = {card.title for card in cards} | {title for _, title in Printed().games()} | MADE
    return titles | {word for word in words if word[:1].isupper()}


def walked(client: FlaskClient, language: str = "sv") -> tuple[dict[str, list[str]], int]:
    """Ask for everything that there is; give what is English by address, and the number of pages."""
    app = client.application
    here = app.extensions["companion"]
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    here.limits._clock = lambda: 0.0
    found: dict[str, list[str]] = {}
    pages = 0
    for method, rule, path in [*calls(app, here.feed.moment.snapshot.match), (GET, "", "/nowhere")]:
        if rule in NEVER or rule.startswith("/events/"):
            continue
        here.limits._buckets.clear()
        snapshot = here.feed.moment.snapshot
        titles = frozenset({*snapshot.names.values(), *NAMES, *printed(snapshot.game)})
        answer = ask(client, method, path)
        if answer.mimetype == "text/html":
            pages += 1
            found.setdefault(f"{method} {path}", []).extend(left(answer.text, language, titles))
    return {path: english for path, english in found.items() if english}, pages


def missed(language: str = "sv") -> list[str]:
    """List what the voice of a language could not say."""
    return list(voice_of(language).missed)


@pytest.mark.parametrize(
    ("who", "language"),
    [("seat 1", "sv"), *at_night(("host", "sv"), ("stranger", "sv"), ("host", "de"), ("seat 1", "de"))],
)
def test_a_tables_pages_have_no_english(who: str, language: str, everybody: dict[str, FlaskClient]) -> None:
    found, pages = walked(everybody[who], language)
    assert found == {}
    assert pages > 20
    assert missed(language) == []


@pytest.mark.night
def test_a_simulated_tables_pages_have_no_english(client_of: Clients) -> None:
    desk = EyeDesk()
    client = client_of(desk)
    join(client, 1, "Anna")
    found, pages = walked(client)
    assert found == {}
    assert pages > 25
    assert missed() == []


@pytest.mark.night
def test_a_table_that_cannot_be_seen_is_told_of_in_swedish(client_of: Clients) -> None:
    desk = EyeDesk()
    client = client_of(desk)
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "sv"
    what = t("camera at {source}", source="rtsp://10.0.0.2/mat")
    words = t("The {what} gives no more pictures. Check its cable; it is tried again by itself.", what=what)
    desk.camera_loop.tell_trouble(Trouble("camera-lost", words))
    client.application.extensions["companion"].feed.refresh()
    for page in ("/", "/host/eye", "/host/eye/now"):
        assert not list(left(client.get(page).text, "sv")), page
    assert "Kameran ger inga fler bilder (kamera på rtsp://10.0.0.2/mat)." in client.get("/").text


@pytest.mark.parametrize(
    ("camera", "swedish"),
    [
        ("nowhere", "Ingen kamera heter &#39;nowhere&#39;. Ange en mapp med bilder, en inspelning, en videofil,"),
        ("a.mp4", "Det finns ingen video som heter a.mp4."),
        ("0?expose=x", "Kamerans inställning expose är held eller auto, inte &#39;x&#39;."),
    ],
)
def test_what_is_wrong_with_a_camera_is_said_in_the_hosts_language(
    camera: str, swedish: str, table: Table, everybody: dict[str, FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert table.owner is not None
    monkeypatch.setattr(table.owner, "_boxed", True)
    form = {"name": "", "camera": "named", "where": camera, "size": "", "mains": "", "record": "0", "language": "en"}
    answer = everybody["host"].post("/host/settings", data=form, headers={"Accept-Language": "sv"})
    assert answer.status_code == 400
    assert swedish in answer.text


@pytest.mark.parametrize(
    ("english", "swedish"),
    [
        (
            t("The camera gives no pictures: {hung}", hung=HUNG),
            "Kameran ger inga bilder: den har visat exakt samma i 30 sekunder. Dra ur den och sätt i den igen.",
        ),
        (
            t("There is no picture in {path}; PNG and JPEG files are looked for.", path="/home/anna/mats"),
            "Det finns ingen bild i /home/anna/mats; PNG- och JPEG-filer söks.",
        ),
        (t("Seat {seat}", seat=2), "Plats 2"),
        ("Seat", "Seat"),
    ],
)
def test_devices_sentences_are_said_in_swedish(english: str, swedish: str) -> None:
    assert voice_of("sv")(english) == swedish


@pytest.mark.night
def test_an_earlier_match_is_told_with_its_own_names_and_cards(everybody: dict[str, FlaskClient], table: Table) -> None:
    """The match that is played now has other people and another game: they are none of its words."""
    host = everybody["host"]
    before = table.match.header.id
    assert table.session.command(Name(seat=1, name="Scores", by="host")).ok
    state = table.match.state
    wanted = next(action for action in table.session.game.legal(state) if type(action).__name__ == "DrawGoal")
    (need,) = table.session.game.needs(state, wanted)
    facts = (Shown(place=need.place, piece=min(need.pieces)),)
    assert table.session.command(Play(seat=wanted.seat, action=wanted, facts=facts, by="phone")).ok
    form = {"seats": "2", "mode": "ledger", "bid_seconds": "0", "name.1": "Bo", "name.2": "Cleo"}
    assert host.post("/host/new/collectible", data=form).status_code == 303
    page = host.get(f"/matches/{before}", headers={"Accept-Language": "sv"}).text
    assert '<th scope="row">Scores</th>' in page
    assert re.search(r'Scores drar "Collection \d"', page.replace("&#34;", '"'))
