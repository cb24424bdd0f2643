"""Secrets of the game: what only one seat may know changes no byte that others get; keys are in no log or export."""

from __future__ import annotations

import base64
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import games
from companion.referee.commands import Stir
from companion.referee.journal import Header, Journal
from companion.referee.rolls import DiceCommitment
from companion.rules.kernel import Seat
from companion.server.app import create_app, shut
from companion.server.feed import Moment
from companion.sim.performance import LiveStage, Performance
from companion.sim.sandbox import SharedTable
from companion.sim.table import spot_in
from companion.table.matches import Matches
from companion.table.virtual_hands import Sandbox
from tests.nights import every
from tests.server.addresses import calls
from tests.server.conftest import Clients
from tests.server.desks import PIN, RollingDesk
from tests.server.phones import be_host, join, send
from tests.server.played import GAMES, PlayedDesk
from tests.waiting import until


class HiddenDesk(PlayedDesk):
    """A match of any game at a simulated table, with hands that only their seats see, and an evening round it."""

    simulated = True

    def __init__(self, name: str, folder: Path) -> None:
        self.journal = Journal(folder)
        super().__init__(name, 3)
        self.matches = Matches(self.journal, lambda: self.match, lambda header: None)
        mat = games.load_mat(name, 3)
        self.table = SharedTable(1, lambda: 0.0)
        stage = LiveStage(self.table, mat, lambda: True, lambda: True)
        self.performance = Performance(self.game, self.world, self.match, stage, self.rng)
        self.performance.persons.update((1, 2, 3))
        self.sandbox = Sandbox(self.game, mat, self.table, self.performance, self.command)
        zones = {zone.name for zone in mat.zones}
        for zone, pile in self.world.piles().items():
            for piece in pile if zone in zones else ():
                spot = spot_in(mat.zone(zone), 0)
                self.table.put(piece, "B", spot.x, spot.y, spot.rotation)

    def _begin(self, header: Header, journal: Journal | None, **more: Any) -> None:
        super()._begin(header, self.journal, **more)
        self.match.clock = lambda: 5.0

    def close(self) -> None:
        super().close()
        self.journal.close()

    def hand(self, seat: Seat) -> tuple[str, ...]:
        return self.performance.hand(seat)

    def wait(self, version: int, timeout: float) -> Any:
        return self.match.wait(version, min(timeout, 0.05))


def seen(
    app: Flask, match: str, people: dict[str, FlaskClient], pictures: bool = False
) -> dict[tuple[str, str], bytes]:
    """Give what everybody gets at every address that can be read, the log and exports among them.

    `pictures`: with what is drawn, and the document to print, which take long.
    """
    found = {}
    printed = ("/cards", "/static", "/join.svg")
    for who, client in people.items():
        for method, rule, path in calls(app, match):
            drawn = rule.endswith((".png", ".jpg", ".pdf"))
            if method == "GET" and not rule.startswith(printed) and (pictures or not drawn):
                answer = client.get(path, buffered=False)
                data = next(iter(answer.iter_encoded())) if rule.startswith("/events") else answer.data
                # A document to print says when it was printed.
                found[who, path] = re.sub(rb"/CreationDate \(.*?\)|/ID \[.*?\]", b"", data)
                answer.close()
    return found


def anew(app: Flask) -> None:
    """Have every page made anew, as of the same moment: that anything changed at all is no secret."""
    feed = app.extensions["companion"].feed
    with feed._newer:
        old = feed._moment
        extras = msgspec.structs.replace(old.extras, hands=feed._extras(old.snapshot).hands)
        feed._moment = feed._moments[old.n] = Moment(old.n, old.snapshot, extras)
    feed._made.clear()


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """List what the program itself has written to its log."""
    return [one.getMessage() for one in caplog.records if one.name.startswith("companion")]


def deal_otherwise(desk: HiddenDesk, seat: Seat) -> None:
    """Have other cards in a seat's hand, and other ones in every pile that lies face down."""
    hand = desk.world.hands[seat]
    elsewhere = sorted({card.piece for card in desk.game.deck.cards} - set(hand))
    hand[:] = elsewhere[5 : 5 + max(2, len(hand))]
    desk.world.deck.reverse()  # type: ignore[attr-defined]
    mat = games.load_mat(desk.game.info.name, 3)
    table = desk.table
    down: dict[str, list[int]] = {}
    for n, one in enumerate(table._laid):
        place = mat.zone_at(one.x, one.y)
        if one.face == "B" and place is not None:
            down.setdefault(place.name, []).append(n)
    for places in down.values():
        pieces = [table._laid[n].piece for n in places]
        for n, piece in zip(places, reversed(pieces), strict=True):
            table._laid[n] = msgspec.structs.replace(table._laid[n], piece=piece)
    assert down


@pytest.mark.parametrize("name", every(5, GAMES))
def test_no_byte_that_others_get_depends_on_a_hidden_hand(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = HiddenDesk(name, tmp_path)
    app = create_app(desk, close=desk.close)
    try:
        for _ in range(12):
            desk.step()
        people = {"public": app.test_client(), "seat 1": app.test_client(), "host": app.test_client()}
        owner = app.test_client()
        join(people["seat 1"], 1)
        join(owner, 2, "Bo")
        be_host(people["host"])
        feed = app.extensions["companion"].feed
        # Nothing changes any more but what is changed here.
        feed._closing.set()
        feed._thread.join(5)
        feed._closing.clear()
        anew(app)
        caplog.clear()
        feed.refresh()
        before = seen(app, desk.match.header.id, people, pictures=True)
        mine = owner.get("/seat/2").data, owner.get("/simulated/things").data
        said = logged(caplog)
        deal_otherwise(desk, 2)
        anew(app)
        caplog.clear()
        feed.refresh()
        after = seen(app, desk.match.header.id, people, pictures=True)
        yours = owner.get("/seat/2").data, owner.get("/simulated/things").data
        assert logged(caplog) == said
        kinds = (
            "/events/",
            "/state/",
            "/parts/",
            "/log",
            f"/matches/{desk.match.header.id}.jsonl",
            "/course.pdf",
            "/dice",
        )
        assert all(any(path.startswith(kind) for _, path in before) for kind in kinds)
        for where, data in before.items():
            assert data == after[where], where
        # That it was a secret worth keeping: its owner sees another hand, unless hands lie open in this game.
        assert desk.world.OPEN or yours != mine
    finally:
        shut(app)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_sent_to_others_when_a_hidden_hand_changes(name: str, tmp_path: Path) -> None:
    """What streams and those who ask from time to time get is what has changed since; of a hand that is nothing."""
    desk = HiddenDesk(name, tmp_path)
    app = create_app(desk, close=desk.close)
    try:
        for _ in range(5):
            desk.step()
        people = {"public": app.test_client(), "seat-1": app.test_client(), "host": app.test_client()}
        owner = app.test_client()
        join(people["seat-1"], 1)
        join(owner, 2, "Bo")
        be_host(people["host"])
        feed = app.extensions["companion"].feed
        feed.refresh()
        stamp = owner.get("/parts/seat-2").get_json()["stamp"]
        for who, client in people.items():
            client.get(f"/parts/public,{who}")
        deal_otherwise(desk, 2)
        feed.refresh()
        for who, client in people.items():
            told = client.get(f"/parts/public,{who}?after={stamp}").get_json()
            assert told["changes"] == [], who
            stream = client.get(f"/events/public,{who}", headers={"Last-Event-ID": stamp}, buffered=False)
            assert b"event: parts" not in next(iter(stream.iter_encoded())), who
            stream.close()
        assert desk.world.OPEN or owner.get(f"/parts/seat-2?after={stamp}").get_json()["changes"]
    finally:
        shut(app)


# ------------------------------------------------------------------------------------------------------------- dice


@pytest.fixture
def rolling(tmp_path: Path) -> Iterator[tuple[RollingDesk, Flask]]:
    desk = RollingDesk(tmp_path)
    desk.matches = Matches(desk._journal, lambda: desk.match, lambda header: None)
    desk.match.clock = lambda: 5.0  # type: ignore[method-assign]
    desk.picture = desk.oled_png = lambda: None  # type: ignore[method-assign]
    app = create_app(desk, close=desk.close)
    yield desk, app
    shut(app)


def test_no_byte_depends_on_a_secret_that_was_not_told_nor_on_what_was_thrown_in(
    rolling: tuple[RollingDesk, Flask],
) -> None:
    desk, app = rolling
    people = {"public": app.test_client(), "seat": app.test_client(), "host": app.test_client()}
    join(people["seat"], desk.seat)
    be_host(people["host"])
    dice = desk.match._keeper.dice
    hidden = {name: value for name, value in vars(dice).items() if isinstance(value, bytes)}
    assert dice.secret in hidden.values()
    other = 1 if desk.seat != 1 else 2
    assert desk.command(Stir(seat=other, salt="first words")).ok
    feed = app.extensions["companion"].feed
    until(lambda: feed._moment.snapshot.dice.stirred)  # pages follow a command a moment later
    anew(app)
    before = seen(app, desk.match.header.id, people)
    for name, value in hidden.items():
        setattr(dice, name, bytes(255 - one for one in value))
    assert desk.command(Stir(seat=other, salt="other words")).ok
    anew(app)
    after = seen(app, desk.match.header.id, people)
    for where, data in before.items():
        # Two commands are two snapshots.
        plain = [re.sub(rb'"version":\d+|[0-9a-f]{6}-\d+', b"", one) for one in (data, after[where])]
        assert plain[0] == plain[1], where


def spelt(secret: bytes) -> list[bytes]:
    """List how a secret may be written."""
    return [secret, secret.hex().encode(), base64.b64encode(secret)[:40], base64.urlsafe_b64encode(secret)[:40]]


def test_a_secret_is_told_with_its_roll_and_not_before(rolling: tuple[RollingDesk, Flask]) -> None:
    desk, app = rolling
    host = app.test_client()
    be_host(host)
    join(host, desk.seat)
    assert isinstance(desk.match._keeper.dice, DiceCommitment)
    for told in (False, True):
        secret = desk.match._keeper.dice.secret
        found = seen(app, desk.match.header.id, {"host": host})
        found["the journal's export", ""] = b"".join(desk._journal.export(desk.match.header.id))
        for where, data in found.items():
            assert not any(one in data for one in spelt(secret)), where
        if told:
            return
        action = next(
            may["choices"][0]["action"]
            for may in host.get(f"/state/seat-{desk.seat}").get_json()["may"]
            if may["allowed"] and may["choices"] and may["choices"][0]["needs"]
        )
        assert send(host, {"do": "roll", "seat": desk.seat, "action": action, "salt": "abc"}).status_code == 200
        assert secret.hex() in host.get("/dice").text
        assert desk.match._keeper.dice.secret != secret


# ------------------------------------------------------------------------------------------------------------- logs


def test_no_key_pin_salt_or_secret_is_in_a_log_a_file_or_an_export(
    client_of: Clients, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = RollingDesk(tmp_path / "journal")
    desk.matches = Matches(desk._journal, lambda: desk.match, lambda header: None)
    player = client_of(desk, key_file=tmp_path / "seats.json")
    host, other = player.application.test_client(), player.application.test_client()
    answers = [join(player, desk.seat), be_host(host), other.post("/join/ask", data={"seat": str(desk.seat)})]
    secrets = [
        cookie.split("=", 1)[1].split(";")[0].encode()
        for one in answers
        for cookie in one.headers.getlist("Set-Cookie")
    ]
    assert len(secrets) == 3
    assert host.post("/host/enter", data={"pin": "wrong-pin-777"}).status_code == 403
    assert send(player, {"do": "stir", "seat": desk.seat, "salt": "thrown-in-555"}).status_code == 200
    secrets += [PIN.encode(), b"wrong-pin-777", b"thrown-in-555", *spelt(desk.match._keeper.dice.secret)]
    for wish in ({"do": "hint", "seat": 1, "words": "hint-333"}, {"do": "undo", "steps": 99}, {"do": "goon"}):
        send(host, wish)
    send(player, b"\xff" * 20)
    host.post("/matches", data={"match": (io.BytesIO(b"no match"), "m.jsonl")})
    host.get("/matches")
    monkeypatch.setattr(desk, "course", lambda: 1 / 0)
    assert player.get("/course").status_code == 500
    assert send(host, {"do": "hand-over", "seat": desk.seat}).status_code == 200
    assert other.get(f"/join/{desk.seat}").status_code == 302
    assert "/course failed" in caplog.text
    export = host.get(f"/matches/{desk.match.header.id}.jsonl").data
    assert export.startswith(b"{")
    kept = (tmp_path / "seats.json").read_bytes()
    for secret in secrets:
        assert secret not in caplog.text.encode(), secret
        assert secret not in export, secret
        assert secret not in kept, secret
    assert (tmp_path / "seats.json").stat().st_mode & 0o077 == 0
