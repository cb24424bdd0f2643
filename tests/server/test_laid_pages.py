"""What the table did not see is said with cards that are tapped, and a closed round is opened again and put right."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.from_file.saying import RoundOver
from companion.referee.commands import Play
from tests.server.conftest import Clients
from tests.server.phones import be_host, flat, text_of
from tests.server.played import PlayedDesk

GRID = ("105", "20D", "309", "402", "106", "307")
"""Six cards in Golf: 5, 0 (a king), 9, -2 (a two), 6 and 7, of which no column has two alike."""


def lies(page: str) -> list[str]:
    return re.findall(r'name="lies" value="([^"]+)"', flat(page))


def tapped(client: FlaskClient, place: str, cards: tuple[str, ...], number: int = 0) -> Any:
    """Tap cards into a place, the last one as a page without a script does; then say that they lie so."""
    *before, last = cards
    laid = [*lies(client.get(f"/host/laid?round={number}").text), *(f"{place} {card}" for card in before)]
    form = {"round": number, "lies": laid, "place": place, "lay": last}
    page = client.post("/host/laid", data=form).text
    return client.post("/host/laid", data={"round": number, "lies": lies(page), "do": "done"})


@pytest.fixture
def desk() -> PlayedDesk:
    return PlayedDesk("golf", 2)


@pytest.fixture
def client(desk: PlayedDesk, client_of: Clients) -> FlaskClient:
    client = client_of(desk)
    be_host(client)
    return client


def test_cards_of_a_hand_are_tapped_and_count(desk: PlayedDesk, client: FlaskClient) -> None:
    assert 'href="/host/laid"' in client.get("/host").text
    assert tapped(client, "grid.1", GRID).status_code == 303
    assert set(desk.match.state.lies("grid.1")) == {*GRID}
    assert [part.value for part in desk.snapshot().standing.seats[0].parts] == [25]


def test_a_card_is_taken_back_or_moved_and_a_card_elsewhere_is_grey(desk: PlayedDesk, client: FlaskClient) -> None:
    tapped(client, "grid.1", GRID)
    page = client.get("/host/laid?place=grid.2").text
    assert re.search(r'class="card elsewhere clubs" name="lay" value="105"', flat(page))
    tapped(client, "grid.2", ("105",))
    tapped(client, "grid.1", ("309",))
    assert [set(desk.match.state.lies(f"grid.{n}")) - {""} for n in (1, 2)] == [{*GRID} - {"105", "309"}, {"105"}]


def test_a_closed_round_is_opened_again_and_counted_anew(desk: PlayedDesk, client: FlaskClient) -> None:
    tapped(client, "grid.1", GRID)
    tapped(client, "grid.2", ("108", "208", "20B", "103", "204", "40D"))
    assert desk.command(Play(seat=1, action=RoundOver(seat=1))).ok
    assert desk.snapshot().standing.rounds == ((25, 33),)
    page = client.get("/host/laid?round=1").text
    assert "It counted 25, 33." in text_of(page)
    # The king was a four in truth, and what is laid in the new round stays.
    tapped(client, "grid.2", ("10A",))
    form = {"round": 1, "lies": [one for one in lies(page) if one != "grid.1 20D"], "place": "grid.1", "lay": "304"}
    page = client.post("/host/laid", data=form).text
    assert client.post("/host/laid", data={"round": 1, "lies": lies(page), "do": "done"}).status_code == 303
    assert desk.snapshot().standing.rounds == ((29, 33),)
    assert desk.match.state.lies("grid.2")[0] == "10A"


def test_cards_that_were_won_are_counted_anew(client_of: Clients) -> None:
    desk = PlayedDesk("hearts")
    client = client_of(desk)
    be_host(client)
    tapped(client, "taken.1", tuple(f"30{rank}" for rank in "123456789ABCD"))
    tapped(client, "taken.2", ("40C",))
    assert desk.command(Play(seat=1, action=RoundOver(seat=1))).ok
    assert desk.snapshot().standing.rounds == ((13, 13, 0, 0),)
    assert tapped(client, "taken.3", ("40C",), 1).status_code == 303
    assert desk.snapshot().standing.rounds == ((13, 0, 13, 0),)


def test_a_round_that_would_not_be_whole_is_refused_and_says_why(desk: PlayedDesk, client: FlaskClient) -> None:
    for n, cards in enumerate((GRID, ("108", "208", "20B", "103", "204", "40D")), 1):
        tapped(client, f"grid.{n}", cards)
    assert desk.command(Play(seat=1, action=RoundOver(seat=1))).ok
    answer = tapped(client, "grid.1", ("105",), 1)
    assert (answer.status_code, "fewer than six cards" in answer.text) == (409, True)
    assert desk.snapshot().standing.rounds == ((25, 33),)


@pytest.mark.parametrize("number", [1, 7, -1])
def test_a_round_that_is_not_closed_is_not_opened(client: FlaskClient, number: int) -> None:
    assert client.get(f"/host/laid?round={number}").status_code == 404


def test_a_game_whose_table_shows_what_counts_has_no_such_page(client_of: Clients) -> None:
    client = client_of(PlayedDesk("five-cards-collector", 3))
    be_host(client)
    assert "/host/laid" not in client.get("/host").text
    assert client.get("/host/laid").status_code == 404
