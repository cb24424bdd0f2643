"""The places of a board on a phone: each can be tapped, and tells what it is for and what lies there."""

from __future__ import annotations

from companion.rules.kernel import TABLE
from tests.server.conftest import Clients
from tests.server.phones import join, text_of
from tests.server.played import PlayedDesk


def test_a_phone_tells_every_place_and_what_lies_there(client_of: Clients) -> None:
    desk = PlayedDesk("collectors", 3)
    client = client_of(desk)
    join(client, 1, "Ada")
    while desk.state.phase != "turn" or not any("-" in bottle for bottle in desk.state.players[0].bottles):
        assert desk.step()
    client.application.extensions["companion"].feed.refresh()
    page = client.get("/seat/1").text
    shown = page.partition('id="places"')[2].partition('data-part="others"')[0]
    assert shown.count('name="place"') == sum(len(area.places) for area in desk.snapshot().views[TABLE].areas)
    assert "A bottle of Ada stands there." in text_of(shown)
    assert 'id="places"' not in client.get("/").text
