"""What may not leave a table, and what one table may not do to another: tried with a real broker and in all games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from companion.appliance.broker_link import own_id
from companion.appliance.broker_settings import Naming
from companion.appliance.cursors import Cursors
from companion.appliance.outbox import Outbox
from companion.appliance.public import snapshot_told, told_names, without_names
from companion.hall import messages
from companion.hall.broker import PACKET, BrokerError, add_table, remove_table, tables
from companion.referee.commands import End
from companion.referee.journal import Journal
from companion.referee.journal_reader import read_only
from companion.rules.kernel import name_seats
from companion.rules.layout import Exactly, Layout, Loose, OneOf, Pile
from companion.rules.seats import clean_name
from tests.hall.broker import RealBroker
from tests.nights import every
from tests.server.played import GAMES, PlayedDesk
from tests.waiting import within

STEPS = 24
"""Of a match that is played; each ends with a look at what is told of all records so far."""


# ----------------------------------------------------------------------------------------- what may not leave a table


def open_in(layout: Layout) -> set[str]:
    """Give the pieces that lie face up by a layout, or may lie there."""
    found: set[str] = set()
    for area in layout.zones.values():
        places = (area.top,) if isinstance(area, Pile) else getattr(area, "places", ())
        found |= area.below if isinstance(area, Pile) else set()
        found |= area.pieces if isinstance(area, Loose) else set()
        for place in places:
            found |= {place.piece} if isinstance(place, Exactly) else set()
            found |= place.pieces if isinstance(place, OneOf) else set()
    return found


def named_in(value: Any, pieces: frozenset[str]) -> set[str]:
    """Give the pieces that are named anywhere in what JSON can say."""
    if isinstance(value, str):
        return {value} & pieces
    if isinstance(value, dict):
        return set().union(*(named_in(one, pieces) for one in (*value, *value.values())))
    if isinstance(value, list):
        return set().union(*(named_in(one, pieces) for one in value))
    return set()


class KeptDesk(PlayedDesk):
    """A match that is written into a journal."""

    def __init__(self, name: str, folder: Path, mode: str) -> None:
        self.journal = Journal(folder)
        super().__init__(name, 3, mode=mode)

    def _begin(self, header: Any, journal: Any, **more: Any) -> None:
        super()._begin(header, self.journal, **more)

    def close(self) -> None:
        super().close()
        self.journal.close()


def told(folder: Path) -> list[str]:
    """Give all records that a table tells of its only match, as if the hall had none."""
    (folder / "fresh").mkdir(exist_ok=True)
    cursors = Cursors(folder / "fresh", "")
    try:
        with read_only(folder) as reader:
            match = reader.ids()[-1]
        return [line for message in Outbox(folder, cursors, "full").due(match) for line in message.lines]
    finally:
        cursors.close()


@pytest.mark.parametrize("name", every(5, GAMES))
def test_what_is_told_names_no_card_that_has_not_lain_open(name: str, tmp_path: Path) -> None:
    """At any point of a match: so it can't depend on a hand, a deck, or what lies face down."""
    desk = KeptDesk(name, tmp_path, "ledger")
    try:
        game, seen = desk.game, open_in(desk.game.layout(desk.match.state))
        pieces = frozenset(card.piece for card in game.deck.cards)
        assert not named_in(msgspec.to_builtins(desk.match.header.setup), pieces)
        done = 0
        for _ in range(STEPS):
            if not desk.step():
                break
            seen |= open_in(game.layout(desk.match.state))
            lines = told(tmp_path)
            assert len(lines) == desk.match.snapshot.record
            for line in lines[done:]:
                assert named_in(msgspec.json.decode(line), pieces) <= seen, line
            done = len(lines)
        assert done > 10
    finally:
        desk.close()


@pytest.mark.parametrize("name", every(5, GAMES))
def test_what_is_shown_does_not_depend_on_who_looks(name: str, tmp_path: Path) -> None:
    """The snapshot is made of the public view: other views, and the hints to a seat, change nothing in it."""
    desk = PlayedDesk(name, 3)
    try:
        for _ in range(10):
            desk.step()
            snapshot = desk.match.snapshot
            public = snapshot.views[0]
            others = msgspec.structs.replace(snapshot, views=(public, *(public for _ in snapshot.views[1:])), hint=None)
            assert snapshot_told(snapshot, "full", (), 0.0) == snapshot_told(others, "full", (), 0.0)
            for how in ("full", "initials", "colours"):
                # What is told goes over the wire as plain strings, however names are told.
                assert msgspec.json.encode(snapshot_told(snapshot, how, (), 0.0))
    finally:
        desk.close()


def test_a_record_with_a_secret_waits_and_all_after_it_until_the_match_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = KeptDesk("five-cards-collector", tmp_path, "ledger")
    try:
        for _ in range(6):
            desk.step()
        third = msgspec.json.decode(list(desk.journal.lines(desk.match.header.id))[2])["action"]
        game = type(desk.game)
        monkeypatch.setattr(
            game, "secret", lambda self, action, facts: msgspec.to_builtins(action) == third, raising=False
        )
        assert [msgspec.json.decode(line)["n"] for line in told(tmp_path)] == [1, 2]
        desk.step()
        assert len(told(tmp_path)) == 2
        desk.command(End())
        assert len(told(tmp_path)) == desk.match.snapshot.record > 6
    finally:
        desk.close()


NAMES = st.text("abZåß漢.'-! 7", min_size=3, max_size=9).map(clean_name)


@settings(max_examples=20)
@given(first=NAMES, second=NAMES, how=st.sampled_from(("initials", "colours")))
def test_no_name_is_told_that_the_owner_keeps(first: str, second: str, how: Naming) -> None:
    names = {1: first, 2: second}
    assume(all(len(re.findall(r"\w", name)) > 2 for name in names.values()))
    called = told_names(names, {1: "blue", 2: "orange"}, how)
    said = without_names(name_seats("It is @1's turn; @2 waits. (@1, @2s) @1: @2!", names), names, called)
    for name in names.values():
        assert name.casefold() not in said.casefold(), said


# -------------------------------------------------------------------------------- what a table may not do to another


class Listener:
    """A client that notes what it gets, and how the broker answers what it sends."""

    def __init__(self, client: Client, *topics: str) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.answers: list[int] = []
        client.on_message = lambda _, __, message: self.heard.append((message.topic, bytes(message.payload)))
        client.on_publish = lambda _, __, n, reason, properties: self.answers.append(reason.value)
        ready: list[bool] = []
        client.on_subscribe = lambda *_: ready.append(True)
        if topics:
            client.subscribe([(topic, 1) for topic in topics])
            assert within(20, lambda: ready)
        self.client = client

    def says(self, topic: str, payload: bytes) -> None:
        self.client.publish(topic, payload, 1)


@pytest.fixture
def pair(broker: RealBroker) -> Iterator[tuple[RealBroker, Listener, Listener, Listener]]:
    """A hall, a table, and a hostile one that listens to all it can."""
    broker.kill()
    broker.add("good")
    broker.add("evil")
    broker.start()
    hall = Listener(broker.client("hall"), "companion/#", "homeassistant/#")
    good = Listener(broker.client("good"), "companion/good/committed", "companion/good/seating")
    evil = Listener(broker.client("evil"), "#", "companion/#", "companion/good/#", "$SYS/#", "$share/x/companion/#")
    yield broker, hall, good, evil
    for one in (hall, good, evil):
        one.client.disconnect()
        one.client.loop_stop()


def test_a_hostile_table_reads_nothing_of_another_and_writes_nothing_as_another(
    pair: tuple[RealBroker, Listener, Listener, Listener],
) -> None:
    _, hall, good, evil = pair
    secret = b"private"
    for what in messages.TO_HALL:
        good.says(f"companion/good/{what}", secret)
    for what in messages.TO_TABLE:
        hall.says(f"companion/good/{what}", secret)
    for what in (*messages.TO_HALL, *messages.TO_TABLE, "press"):
        evil.says(f"companion/good/{what}", b"forged")
    for other in ("companion/evil/committed", "companion/evil/else", "companion/x", "homeassistant/device/good/config"):
        evil.says(other, b"forged")
    evil.says("companion/evil/call", b"own")
    assert within(20, lambda: ("companion/evil/call", b"own") in hall.heard and len(good.heard) == 2)
    assert within(20, lambda: len(evil.answers) == 12)
    assert sorted(hall.heard) == sorted(
        [*((f"companion/good/{what}", secret) for what in messages.TO_HALL), ("companion/evil/call", b"own")]
    )
    assert {payload for _, payload in good.heard} == {secret}
    assert evil.heard == []
    assert evil.answers.count(135) == 11, "not authorized"


def test_a_hostile_table_ends_no_other_connection_and_gets_no_large_packet_through(
    pair: tuple[RealBroker, Listener, Listener, Listener],
) -> None:
    broker, hall, good, evil = pair
    guessed = broker.client("evil", client_id="good")
    lost: list[Any] = []
    evil.client.on_disconnect = lambda *given: lost.append(given[3])
    evil.says("companion/evil/records", b"x" * (PACKET + 1))
    assert within(20, lambda: lost)
    good.says("companion/good/call", b"here still")
    assert within(20, lambda: ("companion/good/call", b"here still") in hall.heard)
    assert not [one for one in hall.heard if one[0] == "companion/evil/records"]
    guessed.disconnect()
    guessed.loop_stop()
    unlike = msgspec.structs.replace(broker.settings("good"), password=broker.passwords["evil"])
    assert own_id(broker.settings("good")) != own_id(unlike)


def test_nobody_comes_without_a_password_of_now(broker: RealBroker) -> None:
    broker.add("t4")
    for name, password in (("t4", "guess"), ("t4", ""), ("hall", broker.passwords["t4"]), ("nobody", "x")):
        answers: list[bool] = []
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5, reconnect_on_failure=False)
        client.on_connect = lambda _, __, ___, reason, ____, answers=answers: answers.append(reason.is_failure)
        client.username_pw_set(name, password)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        assert within(20, lambda answers=answers: answers == [True]), name
        client.disconnect()
        client.loop_stop()


def test_tables_are_added_and_removed(tmp_path: Path) -> None:
    name, password = add_table(tmp_path, "t4")
    assert (name, tables(tmp_path)) == ("t4", ["t4"])
    assert password not in (tmp_path / "passwords").read_text()
    assert (tmp_path / "passwords").stat().st_mode & 0o777 == 0o640
    add_table(tmp_path, "t5")
    remove_table(tmp_path, "t4")
    assert "t4" not in (tmp_path / "rights").read_text()
    for bad in ("hall", "T4", "a b", "+", "#", "a\nuser hall", "", "t4"):
        with pytest.raises(BrokerError):
            remove_table(tmp_path, bad) if bad == "t4" else add_table(tmp_path, bad)
