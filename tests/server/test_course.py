"""The page that looks back on a match."""

from __future__ import annotations

from pathlib import Path

from companion.server.charts import rungs
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, RollingDesk
from tests.server.phones import join, send


def test_it_begins_empty_and_tells_what_happened(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    assert "Nothing has happened yet" in client.get("/course").get_data(as_text=True)
    join(client, 1, "<Anna>")
    send(client, {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}})
    page = client.get("/course").get_data(as_text=True)
    assert "&lt;Anna&gt;" in page
    assert "<Anna>" not in page
    assert client.get("/course.pdf").mimetype == "application/pdf"


def test_a_longer_match_has_a_line_for_every_seat(client_of: Clients, tmp_path: Path) -> None:
    desk = RollingDesk(tmp_path)
    page = client_of(desk).get("/course").get_data(as_text=True)
    assert page.count("<tr><th") == 4 + 1
    assert "min</td>" in page


def test_charts_have_few_round_rungs() -> None:
    assert rungs(0.0, 5.0) == [0, 1, 2, 3, 4, 5]
    assert rungs(0.0, 137.0) == [0, 20, 40, 60, 80, 100, 120]
    assert rungs(-3.0, 3.0) == [-3, -2, -1, 0, 1, 2, 3]
