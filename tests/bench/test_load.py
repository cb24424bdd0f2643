"""A crowd and an evening in small; the long run is `companion bench load --seconds 600 --readings 40`."""

from __future__ import annotations

from companion.bench import load


def test_a_few_phones_and_matches_are_measured_and_nothing_is_left_open() -> None:
    section = load.measure(seconds=0.6, readings=2, count=4, longest=12)
    rows = {row.what.partition(",")[0]: row.figures for row in section.rows}
    assert rows["4 phones"]["events"] == 3
    first, second = (row.figures for row in section.rows if row.what.startswith("after match"))
    assert first["records"] == second["records"] == 12
    assert first["handles"] == second["handles"]
    assert first["threads"] == second["threads"]


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
    monkeypatch.setattr("companion.bench.load.http.client.HTTPConnection", Wire)
    busy.act()
    assert b'"do":"name"' in asked[0]
