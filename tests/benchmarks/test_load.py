"""A crowd and an evening in small; the long run is `python -m benchmarks load --seconds 600 --readings 40`."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest

from benchmarks import load, load_evening, phones


@pytest.mark.night
def test_a_few_phones_and_matches_are_measured_and_nothing_is_left_open() -> None:
    section = load.measure(seconds=0.6, readings=2, count=4, longest=12)
    rows = {row.what.partition(",")[0]: row.figures for row in section.rows}
    assert rows["4 phones"]["events"] == 3
    held = [rows[when] for when in ("before", "half way", "after")]
    assert all(each["memory_mb"] > 20 and each["handles"] > 4 for each in held)
    first, second = (row.figures for row in section.rows if row.what.startswith("after match"))
    assert first["records"] == second["records"] == 12
    assert first["handles"] == second["handles"]
    assert first["threads"] == second["threads"]


@pytest.mark.night
def test_what_follows_by_itself_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this match two actions in a row follow by themselves on the 115th."""
    plainly, sent = load_evening.prepared, []
    command = load_evening.Session.command
    monkeypatch.setattr(load_evening.Session, "command", lambda *said: sent.append(said) or command(*said))
    monkeypatch.setattr(load_evening.games, "packages", lambda: ("karmic-collections",))
    monkeypatch.setattr(load_evening, "prepared", lambda game, seats, seed, longest: plainly(game, 5, 737106430, 130))
    (row,) = load_evening.evening(1, 1, 130)
    assert row.figures["records"] == 130
    assert len(sent) < 130 - 1


def test_events_come_at_their_pace_and_what_came_late_is_caught_up_with(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    takes = iter((0.05, 0.5, 0.05, 0.05, 0.05, 0.05))

    def happen() -> None:
        now[0] += next(takes)

    monkeypatch.setattr(phones, "time", SimpleNamespace(sleep=sleep, perf_counter=lambda: now[0]))
    monkeypatch.setattr(phones, "_read_events", lambda *what: ({0: now[0], 1: now[0]}, 10))
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        heard = phones.phones(host, port, happen, count=2, events=6, period=0.2)
    assert slept == [0.0, 0.15, 0.0, 0.0, 0.0, 0.15]
    assert [round(ms) for ms in heard.last] == [50, 500, 50, 50, 50, 50]


def test_players_go_on_when_their_match_is_over(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked: list[bytes] = []

    class Wire:
        def __init__(self, *where: object, **how: object) -> None:
            pass

        def request(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> None:
            asked.append(body)

        def close(self) -> None:
            pass

    busy = load._Busy.__new__(load._Busy)
    busy._actions, busy._sent, busy._count, busy._port, busy._cookies = [], None, 0, 1, ""
    busy._acted, busy._half = 0, -1
    monkeypatch.setattr("benchmarks.phones.http.client.HTTPConnection", Wire)
    busy.act()
    assert b'"do":"name"' in asked[0]
