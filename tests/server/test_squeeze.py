"""Answers are packed for browsers that take it, and say the same."""

from __future__ import annotations

import gzip

import pytest

from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import join


@pytest.mark.parametrize("path", ["/seat/1", "/", "/static/companion.css", "/static/figures.svg", "/parts/public"])
def test_an_answer_is_packed_and_is_the_same_inside(client_of: Clients, path: str) -> None:
    client = client_of(MatchDesk(3))
    join(client, 1)
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    inside = gzip.decompress(packed.data)
    if path.startswith("/static/"):
        assert inside == plain.data
    else:  # it tells the time
        assert inside[:40] == plain.data[:40]
        assert abs(len(inside) - len(plain.data)) < 8


@pytest.mark.parametrize("path", ["/static/icon.svg", "/oled.png", "/nothing-here"])
def test_what_is_small_or_packed_already_is_left_alone(client_of: Clients, path: str) -> None:
    answer = client_of(MatchDesk(3)).get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_a_stream_is_not_held_back(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    answer = client.get("/events/public", headers={"Accept-Encoding": "gzip"}, buffered=False)
    assert "Content-Encoding" not in answer.headers
    assert next(iter(answer.response)).startswith(b"retry:")  # type: ignore[call-overload]
    answer.close()


def test_a_page_that_a_browser_has_is_not_sent_again(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    first = client.get("/static/companion.css", headers={"Accept-Encoding": "gzip"})
    again = client.get(
        "/static/companion.css", headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
