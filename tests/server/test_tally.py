"""The table page's row of a player: what there is of something, and what is points, read apart."""

from __future__ import annotations

import re

import pytest

from companion.games.collectors.scoring import parts
from tests.server.conftest import Clients
from tests.server.phones import text_of
from tests.server.played import PlayedDesk


def rows(page: str) -> list[str]:
    """Return what the table page says of each player."""
    tally = page.split('data-part="tally"')[1].split("data-part=")[0]
    return [text_of("<i " + row.partition("</li>")[0]) for row in tally.split('<li class="score')[1:]]


@pytest.mark.parametrize("steps", [30, 90, 120])
def test_collectors_shows_everybodys_coins_with_what_they_are_worth(client_of: Clients, steps: int) -> None:
    desk = PlayedDesk("collectors", 4)
    for _ in range(steps):
        assert desk.step()
    state = desk.match._referee.state
    told = rows(client_of(desk).get("/").text)
    assert len(told) == 4
    for seat, row in enumerate(told, 1):
        coins = state.players[seat - 1].coins
        items, worth, _ = (part.value for part in parts(desk.game.components, state, seat))  # type: ignore[attr-defined]
        points = f" ({worth} pt)" if worth == 1 else f" ({worth} pts)" if worth else " "
        assert (f"coins {coins}{points}" in row) == (coins > 0), row
        assert (re.search(rf"\bitems {items} pts?\b", row) is not None) == (items > 0), row


def test_what_decides_a_tie_is_no_points(client_of: Clients) -> None:
    desk = PlayedDesk("collectible", 3)
    for row in rows(client_of(desk).get("/").text):
        assert re.search(r"\bcoins 20\b", row)
        assert "pt" not in row


def test_karmic_collections_tells_points_for_cards_and_dice_from_chits(client_of: Clients) -> None:
    desk = PlayedDesk("karmic-collections", 4)
    for _ in range(60):
        desk.step()
    said = rows(client_of(desk).get("/").text)
    assert any(re.search(r"cards \d pts?\b", row) for row in said)
    assert any(re.search(r"chits \d(?! pt)", row) for row in said)
    assert not any(re.search(r"chits \d+ pt", row) for row in said)
