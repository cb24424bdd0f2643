"""Every page of the application in other languages, with what it says when something is wrong: no English is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from companion.eye.view import Trouble
from companion.referee.commands import Name, Play
from companion.rules.kernel import Shown
from companion.server.words.catalogue import LANGUAGES, phrasebook
from companion.server.words.patterns import WORD
from companion.server.words.tongues import called, printed
from companion.server.words.voice import Voice
from companion.table.table import Table
from tests.nights import at_night
from tests.server.addresses import calls
from tests.server.conftest import Clients
from tests.server.eyes import EyeDesk
from tests.server.phones import join
from tests.server.test_safety_roles import GET, ask

HEARD = ("aria-label", "alt", "title", "placeholder")
EMPTY = frozenset({"img", "input", "br", "meta", "link", "meter", "hr", "use", "path", "circle", "rect", "line"})
SKIPPED = frozenset({"code", "script", "style"})
ENGLISH = frozenset({"the", "your", "are", "which", "with", "this", "that", "there", "from", "have", "has", "not"})
"""Words that no sentence of another language has."""
NEVER = frozenset({"/language", "/host/leave", "/leave"})
"""They would end the walk."""
NAMES = ("Anna", "Bo", "Cleo", "Mallory")


class Texts(HTMLParser):
    """Collects what people read and hear of a page, but for what is in another language or is to be typed."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = given.get("lang", self.language) != self.language
        other = foreign or tag in SKIPPED or bool(self._open and self._open[-1][1])
        if not other:
            self.found += [value for name in HEARD if (value := given.get(name))]
        if tag not in EMPTY:
            self._open.append((tag, other))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not (self._open and self._open[-1][1]):
            self.found.append(" ".join(data.split()))


def left(html: str, voice: Voice, titles: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield what is English: what the phrasebook can put into its language, and what has words of English alone."""
    texts = Texts(voice.book.language)
    texts.feed(html)
    for text in dict.fromkeys(texts.found):
        bare = text
        for title in titles:
            bare = bare.replace(title, "…")
        words = {word.lower() for word in WORD.findall(bare)}
        if len(words) < 2 or text in LANGUAGES.values():
            continue
        voice.missed.clear()
        said = voice(text)
        if (said != text and not voice.missed) or words & ENGLISH:
            yield text


def walked(client: FlaskClient, language: str = "sv") -> tuple[dict[str, list[str]], int]:
    """Ask for everything that there is; give what is English by address, and the number of pages."""
    app = client.application
    here, speech = app.extensions["companion"], app.extensions["companion.speech"]
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    judge = Voice(phrasebook(language))
    here.limits._clock = lambda: 0.0
    found: dict[str, list[str]] = {}
    pages = 0
    for method, rule, path in [*calls(app, here.feed.moment.snapshot.match), (GET, "", "/nowhere")]:
        if rule in NEVER or rule.startswith("/events/"):
            continue
        here.limits._buckets.clear()
        snapshot = here.feed.moment.snapshot
        titles = printed(speech._prints, snapshot.game)
        judge.know([*snapshot.names.values(), *NAMES], titles)
        answer = ask(client, method, path)
        if answer.mimetype == "text/html":
            pages += 1
            found.setdefault(f"{method} {path}", []).extend(left(answer.text, judge, titles))
    return {path: english for path, english in found.items() if english}, pages


def missed(client: FlaskClient, language: str = "sv") -> list[str]:
    """List what the pages' voice could not say, but for people of other matches."""
    voice = client.application.extensions["companion.speech"].voice(language)
    return [text for text in voice.missed if text not in NAMES]


@pytest.mark.parametrize(
    ("who", "language"),
    [*((who, "sv") for who in ("stranger", "seat 1", "host")), ("host", "de"), *at_night(("seat 1", "de"))],
)
def test_a_tables_pages_have_no_english(who: str, language: str, everybody: dict[str, FlaskClient]) -> None:
    found, pages = walked(everybody[who], language)
    assert found == {}
    assert pages > 20
    assert missed(everybody[who], language) == []


@pytest.mark.night
def test_a_simulated_tables_pages_have_no_english(client_of: Clients) -> None:
    desk = EyeDesk()
    client = client_of(desk)
    join(client, 1, "Anna")
    found, pages = walked(client)
    assert found == {}
    assert pages > 25
    assert missed(client) == []


def test_a_table_that_cannot_be_seen_is_told_of_in_swedish(client_of: Clients) -> None:
    desk = EyeDesk()
    client = client_of(desk)
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "sv"
    words = "The camera at rtsp://10.0.0.2/mat gives no more pictures. Check its cable; it is tried again by itself."
    desk.camera_loop.tell_trouble(Trouble("camera-lost", words))
    client.application.extensions["companion"].feed.refresh()
    for page in ("/", "/host/eye", "/host/eye/now"):
        assert not list(left(client.get(page).text, Voice(phrasebook("sv")))), page
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
            "The camera 0 doesn't answer. Plug it in or switch it on; it is tried again by itself.",
            "Kameran svarar inte (kamera 0). Koppla in den eller slå på den; nya försök görs av sig själv.",
        ),
        (
            "The camera gives no pictures: it has shown the very same one for 30 seconds. "
            "Unplug it and plug it in again.",
            "Kameran ger inga bilder: den har visat exakt samma i 30 sekunder. Dra ur den och sätt i den igen.",
        ),
        (
            "No camera is connected to the Pi; check the ribbon cable.",
            "Ingen kamera är ansluten till Pi:n; kontrollera bandkabeln.",
        ),
        (
            "There is no picture in /home/anna/mats; PNG and JPEG files are looked for.",
            "Det finns ingen bild i /home/anna/mats; PNG- och JPEG-filer söks.",
        ),
        (
            "The wiring can't be changed: there is no section [oled] whose rotate could be changed.",
            "Kopplingen kan inte ändras: det finns inget avsnitt [oled] vars rotate kunde ändras.",
        ),
    ],
)
def test_devices_sentences_are_said_in_swedish(english: str, swedish: str) -> None:
    voice = Voice(phrasebook("sv"))
    assert voice(english) == swedish
    assert not voice.missed


def test_who_has_no_name_is_called_by_the_seat() -> None:
    assert called(("Bo", "Seat 2", "Seat"), Voice(phrasebook("sv"))) == ("Bo", "Plats 2", "Seat")


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
