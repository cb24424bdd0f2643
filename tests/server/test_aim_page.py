"""The camera before the first match: its page for the host, and its trouble on every page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.eye.aiming import Aim, Aimer
from companion.eye.view import TableView, Trouble
from companion.table.aiming import mats
from tests.eye.test_aiming import HEARTS, seen
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, text_of


class Aimed:
    """Shows what it is told."""

    bare: Any = None

    def __init__(self, scale: float) -> None:
        self.seen: Aim | None = Aimer(mats()).look(seen(HEARTS, (1920, 1080), scale)) if scale else None

    def aim(self) -> Aim | None:
        return self.seen

    def picture(self) -> bytes | None:
        return b"\xff\xd8..." if self.seen is not None else None


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (2.05, ["Nothing is left to do", "24 of 24 seen", "good from 1.4", "New match"]),
        (1.2, ["lower the camera", "1 thing left", "after that: 1.4"]),
        (0.0, ["There is no picture", "it is tried again by itself"]),
    ],
)
def test_the_host_sees_one_advice_and_how_far_it_is(client_of: Clients, scale: float, words: list[str]) -> None:
    desk = MatchDesk(2, "ledger")
    desk.aiming = Aimed(scale)
    client = client_of(desk)
    assert client.get("/host/eye").status_code == 403
    be_host(client)
    page = text_of(client.get("/host/eye").text)
    assert [word for word in words if word not in page] == []
    assert text_of(client.get("/host/eye/now").text) in page
    assert client.get("/host/eye.jpg").status_code == (200 if scale else 423)


@pytest.mark.night
def test_why_the_camera_gives_no_picture_stands_on_every_page(client_of: Clients) -> None:
    desk = MatchDesk(2, "assist")
    client = client_of(desk)
    be_host(client)
    version = desk.match.snapshot.version
    desk.match.see(TableView(0, 0.0, (), troubles=(Trouble("camera-lost", "It is silent."),)))
    assert desk.match.wait(version, 20).troubles
    client.application.extensions["companion"].feed.look_round()
    for path in ("/", "/host", "/join", "/log", "/dice"):
        page = client.get(path).text
        assert "It is silent." in page, path
        assert ('class="message lost"' in page) is (path not in ("/", "/host")), path
