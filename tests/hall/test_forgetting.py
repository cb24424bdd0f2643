"""A name that was forgotten is in no column of the database, and nothing that is sent or typed brings it back."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from companion.hall import events
from companion.hall.database import Connection, connect, rows
from companion.hall.forgetting import PLACES, Forgotten, forget, plain
from companion.hall.local import LocalDatabase
from companion.hall.messages import Call, Presence, SeatView, Snapshot, encode
from companion.hall.settling import settle
from tests.hall.lines import made, part, sent

NAMES = ("Kim", 'Jo "Ace" Ek', "Back\\slash", "İpek", "Işıl", "Ste\ufb03", "Zoë O'Neil", "小明", "สมชาย", "🦊")
"""Plain, with what JSON escapes, with capitals whose small letters are others, a ligature, an accent,
scripts without blanks, a picture."""
NO_NAMES = (
    "aside.match aside.table_name matches.head matches.id matches.refused matches.root "
    "matches.table_name records.line records.match records.table_name results.match results.table_name "
    "tables.name tables.playing waiting.match waiting.table_name settings.name settings.value "
    "forgotten.hash events.game events.tables pods.table_name pods.match applied.name"
)
"""Addresses, numbers, hashes, games, the hall's own words; and records, into which a table writes no names."""
COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY', 'character varying', 'bytea')
"""


def texts(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield every text of every column of the database: of JSON also what its strings say."""
    for table, column in connection.execute(COLUMNS).fetchall():
        for (value,) in connection.execute(f'SELECT "{column}"::text FROM "{table}"').fetchall():  # noqa: S608
            yield f"{table}.{column}", value or ""
            try:
                yield f"{table}.{column}", json.dumps(json.loads(value), ensure_ascii=False).replace('\\"', '"')
            except (TypeError, ValueError):
                continue


def where(connection: Connection, name: str) -> set[str]:
    """Return the columns in which a name stands, however it is written."""
    ways = {plain(one) for one in (name, json.dumps(name)[1:-1], json.dumps(json.dumps(name))[3:-3])}
    return {column for column, text in texts(connection) if any(one in plain(text) for one in ways)}


def say(connection: Connection, name: str, match) -> None:
    """Send what a table sends that has somebody of a name: also as it is sent again, and what does not fit."""
    sent(connection, part(match, 1, 2))
    sent(connection, encode(Presence(online=True, title=f"At {name}'s", version=f"0 by {name}")), what="presence")
    sent(connection, encode(Call(open=True, text=f"{name} calls the host.")), what="call")
    seats = (SeatView(seat=1, name=name), SeatView(seat=2, name="Ada"))
    shown = Snapshot(
        match=match.header.id,
        title=f"{name}'s game",
        phase=f"{name} bids",
        seats=seats,
        text=f"It is the turn of {name}; Ada waits for {name.upper()}.",
        violation=f"{name}: put it back.",
    )
    sent(connection, encode(shown), what="snapshot")
    sent(connection, json.dumps({"who": name}).encode())
    sent(connection, json.dumps({"lines": [json.dumps({"who": name})]}).encode())


def plan(connection: Connection, name: str) -> int:
    """Type what a host types about somebody of a name, and return the tournament."""
    event = events.open_event(connection, f"{name}'s cup", "five-cards-collector", 2, (2, 6), ["t1"])
    others = [events.enter(connection, event, one) for one in ("Ada", "Cy")]
    events.next_round(connection, event)
    events.exchange(connection, event, *others, f"{name} asked for it")
    return event


@pytest.mark.parametrize("name", NAMES)
def test_a_forgotten_name_is_in_no_column_and_does_not_come_back(database: LocalDatabase, name: str):
    with connect(database.address) as connection:
        match = made(2, (name, "Ada"))
        say(connection, name, match)
        events.enter(connection, plan(connection, name), name)
        connection.execute(
            "INSERT INTO leagues (name, game, starts) VALUES (%s, %s, '2026-01-01')", (f"For {name}", f"{name}'s whist")
        )
        connection.execute("UPDATE matches SET outcome = %s, game = %s", (f"{name} wins", f"{name}'s game"))
        line = json.dumps({"who": name})
        connection.execute("INSERT INTO waiting VALUES ('t1', 'm', 9, %s)", (line,))
        connection.execute("INSERT INTO aside (table_name, what, why) VALUES ('t1', '', %s)", (f"{name} is none",))
        result = "INSERT INTO results VALUES ('t1', %s, 1, %s, 0, true, 0)"
        connection.execute(result, (match.header.id, name))
        assert where(connection, name) == {f"{one.table}.{one.column}" for one in PLACES}
        forget(connection, f" {name.swapcase()} ")
        assert where(connection, name) == set()
        say(connection, name, match)
        plan(connection, name)
        settle(connection, 0)
        assert where(connection, name) == set()
        (seats,) = rows(connection, "SELECT names, title FROM matches, tables")
        assert (seats["names"], seats["title"]) == ({"1": "Seat 1", "2": "Ada"}, "At Somebody's")


def test_every_text_column_is_a_place_of_names_or_known_to_hold_none(database: LocalDatabase):
    with connect(database.address) as connection:
        there = {f"{table}.{column}" for table, column in connection.execute(COLUMNS)}
    none = set(NO_NAMES.split())
    assert {f"{one.table}.{one.column}" for one in PLACES} == there - none
    assert none <= there


def test_a_longer_name_that_holds_a_forgotten_one_stays(database: LocalDatabase):
    with connect(database.address) as connection:
        forget(connection, "Bo")
        seats = (SeatView(seat=1, name="Bo Ek"), SeatView(seat=2, name="bo"))
        shown = Forgotten(connection).snapshot(Snapshot(seats=seats, text="Bo Ek waits for Bo, Bobby not."))
    assert shown.text == "Bo Ek waits for Seat 2, Bobby not."
    assert [one.name for one in shown.seats] == ["Bo Ek", "Seat 2"]


def test_a_name_that_was_forgotten_by_an_older_hall_is_found_in_sentences(database: LocalDatabase):
    with connect(database.address) as connection:
        forget(connection, "Anna Maria Ek")
        connection.execute("UPDATE forgotten SET words = 0")
        assert Forgotten(connection).without("Now anna  maria EK's turn") == "Now Somebody's turn"
