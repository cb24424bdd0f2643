"""The table page's keys for simulated buttons, and for a knob where one is wired."""

from __future__ import annotations

import re

from tests.server.desks import ShowDesk
from tests.server.phones import send

KNOB = ("knob:down", "knob", "knob:up", "knob:hold")


def keys(text: str) -> list[list[str]]:
    rows = re.findall(r'<div class="keys needs-script">(.*?)</div>', text, re.DOTALL)
    return [re.findall(r">([^<]+)</button>", row) for row in rows]


def test_a_knob_has_a_row_of_its_own_and_its_presses_reach_the_desk(client_of) -> None:
    desk = ShowDesk()
    desk.page_buttons = ("next", "page", "undo", *KNOB)
    client = client_of(desk)
    assert keys(client.get("/").text) == [["Next", "Page", "Undo"], ["−", "Bid", "+", "Pass"]]
    for button in KNOB:
        assert send(client, {"do": "press", "button": button}).status_code == 200
    assert desk.pressed == list(KNOB)


def test_without_a_knob_there_is_one_row_and_with_real_buttons_none(client_of) -> None:
    desk = ShowDesk()
    desk.page_buttons = ("next", "page", "undo")
    assert keys(client_of(desk).get("/").text) == [["Next", "Page", "Undo"]]
    desk.page_buttons = ()
    assert keys(client_of(desk).get("/").text) == []
