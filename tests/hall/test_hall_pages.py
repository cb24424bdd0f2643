"""The hall's pages: what anybody sees, what only the host does, and that no table can break them."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

import msgspec
import pytest
from flask.testing import FlaskClient

from benchmarks.hall_paper import played
from companion.hall import events
from companion.hall.app import create_app
from companion.hall.database import connect, rows
from companion.hall.local import LocalDatabase
from companion.hall.messages import Call, Presence, SeatView, Snapshot, encode
from companion.hall.settling import settle
from companion.server.app import shut
from companion.server.keys import kept_pin
from tests.hall.lines import made, part, sent

pytestmark = pytest.mark.night
EVIL = '<script>alert("1")</script>'


@pytest.fixture
def client(database: LocalDatabase) -> Iterator[FlaskClient]:
    app = create_app(database.address, kept_pin("secret"), public="hall.example.org")
    yield app.test_client()
    shut(app)


def be_host(client: FlaskClient) -> None:
    assert client.post("/host/enter", data={"password": "secret"}).status_code == 303


def filled(database: LocalDatabase, names=("Ada", "Bo", "Cy")):
    """Put a match that is over into the hall, and a table that shows it."""
    match = played("five-cards-collector", len(names), 1, names)
    seats = tuple(SeatView(seat=n, name=name, score=n) for n, name in enumerate(names, 1))
    shown = Snapshot(match=match.header.id, game=match.header.game, text="Over.", seats=seats, over=True, winners=(1,))
    with connect(database.address) as connection:
        sent(connection, encode(Presence(online=True, title="Table 1")), what="presence")
        sent(connection, *match.messages())
        sent(connection, encode(shown), what="snapshot")
        sent(connection, encode(Call(open=True, text=f"{names[1]} asks.")), what="call")
        assert settle(connection, 0) == 1
    return match


def test_every_page_shows_what_it_should(database: LocalDatabase, client: FlaskClient):
    match = filled(database)
    with connect(database.address) as connection:
        event = events.open_event(connection, "Cup", "five-cards-collector", 4, (2, 6), ["t1"])
        for name in ("Ada", "Bo", "Cy"):
            events.enter(connection, event, name)
        events.next_round(connection, event)
        connection.execute("INSERT INTO leagues (name, starts) VALUES ('Winter', '2020-01-01')")
    for path, *words in (
        ("/", "Table 1", "Ada", "Calls the host", "Bo asks.", "Cup (1): "),
        ("/tables/t1", "Five Cards Collector", "winner"),
        ("/matches", "Ada", "wins"),
        (f"/matches/t1/{match.header.id}", "What happened", "Ada"),
        ("/players", "Ada", "1.00"),
        ("/leagues", "Winter"),
        ("/leagues/1", "Winter", "Bo"),
        ("/tournaments", "Cup"),
        ("/tournaments/1", "Round 1", "Standing"),
        ("/tournaments/1/players/2", "why am I here?", "Bo"),
        ("/host", "password"),
    ):
        answer = client.get(path.replace("/1", f"/{event}") if "tournaments/1" in path else path)
        assert answer.status_code == 200 or "leagues/1" in path, path
        if answer.status_code == 200:
            for word in words:
                assert word in answer.text, (path, word)
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_only_the_host_changes_anything(database: LocalDatabase, client: FlaskClient):
    posts = [rule for rule in client.application.url_map.iter_rules() if "POST" in (rule.methods or ())]
    anybody = {"/host/enter", "/host/leave", "/language"}
    assert {rule.rule for rule in posts} > anybody
    for rule in posts:
        if rule.rule not in anybody:
            path = rule.rule.replace("<int:event>", "1").replace("<int:league>", "1")
            given = {"name": "x", "game": "collectors", "entrant": "1", "first": "1", "second": "2", "why": "w"}
            answer = client.post(path, data={**given, "round": "1", "pod": "1", "winner": "0"})
            assert answer.status_code == 403, rule.rule
    assert client.post("/host/enter", data={"password": "wrong"}).status_code == 403
    be_host(client)
    assert client.post("/tournaments/1/next", headers={"Origin": "http://elsewhere"}).status_code == 403


def test_a_forgotten_name_is_nowhere_and_does_not_come_back(database: LocalDatabase, client: FlaskClient):
    match = filled(database)
    with connect(database.address) as connection:
        event = events.open_event(connection, "Cup", "five-cards-collector", 4, (2, 6), [])
        for name in ("Ada", "Bo"):
            events.enter(connection, event, name)
        sent(connection, b'{"who":"bo"}')
    be_host(client)
    assert client.post("/host/forget", data={"name": " bo "}).status_code == 303
    filled_again = list(match.messages())
    with connect(database.address) as connection:
        sent(connection, filled_again[0])
        seats = (SeatView(seat=1, name="Ada"), SeatView(seat=2, name="Bo"))
        sent(connection, encode(Snapshot(match="m2", seats=seats, text="Bo draws.")), what="snapshot")
        settle(connection, 0)
        for table in ("tables", "matches", "records", "waiting", "aside", "results", "entrants", "pods", "settings"):
            for row in rows(connection, f"SELECT * FROM {table}"):  # noqa: S608
                assert not any("Bo" in f"{value}" for value in row.values()), (table, row)
        with pytest.raises(events.EventError):
            events.enter(connection, event, "BO")
    for path in ("/", "/matches", "/players", f"/matches/t1/{match.header.id}", f"/tournaments/{event}"):
        assert "Bo" not in client.get(path).text, path


def junk(rng: random.Random, deep: int = 0) -> object:
    """Return something that a hostile table may say."""
    letters = string.printable + "äß漢\u202e\u0000\ud7ff<>&\"'{}@"
    kinds = [
        lambda: "".join(rng.choice(letters) for _ in range(rng.randrange(60))),
        lambda: EVIL,
        lambda: rng.choice([0, -1, 2**31, 2**63, 10**30, 1.5, -1e300]),
        lambda: rng.choice([None, True, False]),
        lambda: {} if deep > 2 else {f"{junk(rng, 3)}": junk(rng, deep + 1) for _ in range(rng.randrange(4))},
        lambda: [] if deep > 2 else [junk(rng, deep + 1) for _ in range(rng.randrange(5))],
    ]
    return rng.choice(kinds)()


def spoiled(rng: random.Random, message: object) -> object:
    """Put junk into a message, somewhere."""
    if isinstance(message, dict) and message and rng.random() < 0.85:
        key = rng.choice(list(message))
        return {**message, key: spoiled(rng, message[key])}
    if isinstance(message, list) and message and rng.random() < 0.7:
        at = rng.randrange(len(message))
        return [*message[:at], spoiled(rng, message[at]), *message[at + 1 :]]
    return junk(rng)


@pytest.mark.parametrize("seed", range(3))
def test_no_payload_breaks_the_hall_or_its_pages(database: LocalDatabase, client: FlaskClient, seed):
    rng = random.Random(seed)
    good = filled(database, ("Ada", EVIL, "Cy"))
    seat = {"seat": 1, "name": EVIL, "colour": 'blue"><b>', "score": 3, "robot": False}
    shapes = {
        "presence": {"v": 1, "online": True, "title": EVIL, "version": "1", "at": "2026-01-01T00:00:00Z"},
        "snapshot": {"v": 1, "match": "m", "game": EVIL, "title": EVIL, "phase": EVIL, "turn": 1, "text": EVIL}
        | {"seats": [seat], "clock": 3.0, "over": False, "winners": [], "violation": EVIL, "last_roll": [1]},
        "call": {"v": 1, "open": True, "text": EVIL, "since": "2026-01-01T00:00:00Z"},
    }
    with connect(database.address) as connection:
        for _ in range(150):
            what = rng.choice([*shapes, "records"])
            if what == "records":
                match = made(3)
                plain = msgspec.to_builtins(part(match, 1, 3))
            else:
                plain = shapes[what]
            message = spoiled(rng, plain)
            try:
                payload = msgspec.json.encode(message)
            except (msgspec.MsgspecError, OverflowError, UnicodeError):
                continue
            if rng.random() < 0.2:
                cut = rng.randrange(len(payload))
                payload = payload[:cut] + bytes([rng.randrange(256)]) + payload[cut + 1 :]
            sent(connection, payload, table=f"t{rng.randrange(1, 5)}", what=what)
        while settle(connection, 0):
            pass
        found = rows(connection, "SELECT table_name, id FROM matches LIMIT 10")
    be_host(client)
    paths = ["/", "/matches", "/players", "/host", *(f"/tables/t{n}" for n in range(1, 5))]
    paths += [f"/matches/{row['table_name']}/{row['id']}" for row in found]
    for path in paths:
        for language in ("en", "de"):
            answer = client.get(path, headers={"Accept-Language": language})
            assert answer.status_code in (200, 404), (path, answer.text[:300])
            assert "<script>" not in answer.text.replace("<script defer", "")
            assert "<b>" not in answer.text.partition('class="cards"')[2].partition("</h2>")[0]
    assert client.get(f"/matches/t1/{good.header.id}").status_code == 200
