"""The demo lends its table and its cards to be taught: nobody needs a camera to try it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.eye.faces import storing
from companion.games import load_mat
from companion.referee.commands import Undo
from companion.referee.journal import Journal
from companion.server.app import create_app, shut
from companion.server.table_api import ServedError
from companion.server.teach_pages import AT_ONCE
from companion.table.table import Demo, DemoTable
from tests.referee.table import GAME
from tests.server.phones import text_of
from tests.waiting import until


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoTable]:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    table = DemoTable(
        Demo(GAME, load_mat(GAME.info.name, 2), seed=2, speed=8.0), Journal(tmp_path), "HTTP://127.0.0.1/J"
    )
    table.start()
    yield table
    table.close()


@pytest.mark.night
def test_the_demo_lends_its_cards_a_dozen_at_a_time_and_the_match_goes_on_where_it_was(demo: DemoTable) -> None:
    until(lambda: len(demo.match.records()) >= 4)
    app = create_app(demo)
    host = app.test_client()
    host.post("/host/enter", data={"pin": demo.host_pin})

    def tap(do: str) -> str:
        return text_of(host.post("/host/teach", data={"do": do}).text)

    assert "Have the demo clear it" in text_of(host.get("/host/teach").text)
    page = tap("lend")
    told, lying = len(demo.match.records()), demo.performance.lying()
    assert lying == {}
    assert f"{len(demo.session.sight.teacher.state().names)} faces, lent by the demo" in page
    assert "The empty mat is known" in tap("show")
    assert "Have the demo lay them" in tap("lend")
    page = tap("show")
    assert "Taken: the back" in page
    assert len(storing.load(GAME.info.name).faces) == AT_ONCE
    assert len(demo.match.records()) == told, "the match sees nothing of it"
    assert not demo.snapshot().violation
    with pytest.raises(ServedError, match="lent for teaching"):
        demo.session.command(Undo())
    page = tap("back")
    assert "The match lies as it lay" in page
    assert "lent by the demo" not in page
    until(lambda: len(demo.match.records()) > told + 3)
    assert not demo.snapshot().violation
    shut(app)
