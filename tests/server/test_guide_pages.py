"""How a game goes can be read on a phone: one tap from a seat, and from the choosing of a game."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion import games
from companion.server.guide_pages import led_on, shortened
from companion.table.table import Table
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import join, text_of
from tests.server.played import GAMES, PlayedDesk


@pytest.mark.parametrize("name", GAMES)
def test_a_seats_page_leads_to_how_its_game_goes_and_back(name: str, client_of: Clients) -> None:
    desk = PlayedDesk(name, 3)
    client = client_of(desk)
    join(client, 2)
    assert 'href="/how"' in client.get("/seat/2").text
    assert 'href="/how"' in client.get("/").text
    page = client.get("/how").text
    guide = desk.guide
    said = text_of(page)
    for words in (guide.aim, *guide.turn, *guide.end, *guide.points):
        assert words in said
    assert said.index(guide.turn[0]) < said.index(guide.end[0]) < said.index(guide.points[0])
    assert 'href="/seat/2"' in page


def test_a_game_whose_rules_tell_nothing_offers_nothing(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    join(client, 2)
    assert 'href="/how"' not in client.get("/seat/2").text
    assert client.get("/how").status_code == 404


def test_whoever_chooses_a_game_reads_how_each_goes(table: Table, everybody: dict[str, FlaskClient]) -> None:
    host, stranger = everybody["host"], everybody["stranger"]
    choosing = host.get("/host/new").text
    for name in games.names():
        assert f'href="/how/{name}"' in choosing
        assert f'href="/how/{name}"' in host.get(f"/host/new/{name}").text
        assert stranger.get(f"/how/{name}").status_code == 200
    assert 'href="/host/new/hearts"' in host.get("/how/hearts").text
    assert 'href="/host/new/hearts"' not in stranger.get("/how/hearts").text
    assert stranger.get("/how/chess").status_code == 404


def test_an_abbreviation_leads_to_its_meaning(client_of: Clients) -> None:
    assert led_on("DH in A & DHX", ("DH", "NGA")) == '<a class="word" href="/how#word-DH">DH</a> in A &amp; DHX'
    assert led_on("nothing", ()) == "nothing"
    assert led_on("DH", ("DH",), "collection") == '<a class="word" href="/how/collection#word-DH">DH</a>'
    assert shortened("NGA or DH, not NGA", ("DH", "NGA")) == ["NGA", "DH"]
    desk = PlayedDesk("collection", 3)
    client = client_of(desk)
    join(client, 1)
    page = ""
    for _ in range(60):
        desk.step()
        client.application.extensions["companion"].feed.refresh()
        page = client.get("/seat/1").text
        if 'class="word"' in page:
            break
    name = page.partition('href="/how#word-')[2].partition('"')[0]
    assert name in desk.guide.abbreviations
    assert f'id="word-{name}"' in client.get("/how").text


def test_a_card_that_abbreviates_leads_to_what_it_means(client_of: Clients) -> None:
    desk = PlayedDesk("collection", 3)
    client = client_of(desk)
    join(client, 1)
    while desk.state.phase == "roles":
        assert desk.step()
    client.application.extensions["companion"].feed.refresh()
    role = desk.game.components.roles[desk.state.players[0].role]
    card = desk.deck[role.card]
    mine = client.get("/seat/1").text.partition('data-part="mine"')[2].partition('data-part="ladders"')[0]
    named = shortened(card.text, desk.guide.abbreviations)
    assert all(f'href="/how#word-{word}"' in mine for word in named)
    assert 'href="/how#word-DH"' in client.get("/cards/collection").text


def test_the_cards_of_another_game_lead_to_that_games_words(everybody: dict[str, FlaskClient]) -> None:
    page = everybody["stranger"].get("/cards/collection").text
    assert 'href="/how/collection#word-DH"' in page
