"""The host's page for a table without a mat."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.bare import BareTable
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, text_of
from tests.server.test_aim_page import Aimed
from tests.table.test_bare import photograph


def test_the_host_measures_on_a_page_and_nobody_else(
    client_of: Clients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    desk = MatchDesk(2, "ledger")
    desk.aiming = Aimed(0.0)
    picture = photograph()
    desk.aiming.bare = BareTable(lambda: picture)
    client = client_of(desk)
    assert client.get("/host/bare").status_code == 403
    be_host(client)
    assert "Show the empty table" not in text_of(client.get("/host/bare").text)
    assert client.post("/host/bare", data={"do": "measure", "ruler": "long"}).status_code == 409
    done = client.post("/host/bare", data={"do": "measure", "ruler": "100,0"}, follow_redirects=True)
    assert "The table is measured by 6 markers" in text_of(done.text)
    done = client.post("/host/bare", data={"do": "empty"}, follow_redirects=True)
    assert "The camera knows the empty table" in text_of(done.text)
