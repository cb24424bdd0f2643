"""What pages say that a player has: what there is of something, and what is points, read apart."""

from __future__ import annotations

import re

import pytest

from companion.games.collectors.scoring import parts
from companion.server.documents import PUBLIC, Extras, document
from tests.nights import at_night
from tests.server.conftest import Clients
from tests.server.phones import join, text_of
from tests.server.played import GAMES, PlayedDesk


def rows(page: str) -> list[str]:
    """Return what the table page says of each player."""
    tally = page.split('data-part="tally"')[1].split("data-part=")[0]
    return [text_of("<i " + row.partition("</li>")[0]) for row in tally.split('<li class="score')[1:]]


@pytest.mark.night
@pytest.mark.parametrize("steps", [90, *at_night(30, 120)])
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


@pytest.mark.night
def test_karmic_collections_tells_points_for_cards_and_dice_from_chits(client_of: Clients) -> None:
    desk = PlayedDesk("karmic-collections", 4)
    for _ in range(60):
        desk.step()
    said = rows(client_of(desk).get("/").text)
    assert any(re.search(r"cards \d pts?\b", row) for row in said)
    assert any(re.search(r"chits \d(?! pt)", row) for row in said)
    assert not any(re.search(r"chits \d+ pt", row) for row in said)


def test_a_phone_reads_points_as_points(client_of: Clients) -> None:
    desk = PlayedDesk("collectors", 4)
    client = client_of(desk)
    join(client, 1)
    said = text_of(client.get("/seat/1").text)
    assert re.search(r"Items \d+ pts?, coins \d+ pts?, skills \d+ pts?", said)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.night
def test_the_parts_that_are_no_amounts_are_the_score(name: str) -> None:
    desk = PlayedDesk(name, 3)
    for _ in range(80):
        desk.step()
        for one in document(PUBLIC, desk.snapshot(), Extras(), desk)["scores"]:
            points = [part["value"] for part in one["parts"] if not part["amount"]]
            assert not points or sum(points) == one["score"], one
