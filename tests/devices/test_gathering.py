"""Before the host has chosen a game the display shows the way to the table, and nothing that looks like a score."""

from __future__ import annotations

from companion.devices.display_pages import Invitation, occasion, offered
from companion.referee.journal import Header
from companion.rules.gathering import MOST, NAME
from companion.table.session import gather


def test_the_display_invites_people_until_there_is_a_match():
    snapshot = gather(Header(id="0190", at="", game=NAME, seats=MOST)).match.snapshot
    assert occasion(snapshot) == ("join", "")
    assert offered(snapshot, Invitation("HTTP://10.42.0.1/J", "Table 3", "secret")) == ("join", "wifi")
    assert offered(snapshot, Invitation()) == ("welcome",)
