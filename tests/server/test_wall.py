"""What the wall shows of a game beside the drawn table, and that only the wall has it."""

from __future__ import annotations

import pytest

from companion.games.collection.state import COLLECTORS, OFF
from companion.games.collection.views import LOOKS
from companion.games.karmic_collections.spaces import SPACES
from companion.referee.snapshot import Lack, Laying
from companion.server.documents import HOST, PUBLIC, Extras, document
from companion.server.places import Document
from tests.server.conftest import Clients
from tests.server.desks import ShowDesk
from tests.server.phones import text_of
from tests.server.played import GAMES, PlayedDesk


def played(name: str, seats: int, steps: int) -> tuple[PlayedDesk, Document]:
    """Return a match some steps on, and its wall."""
    desk = PlayedDesk(name, seats)
    for _ in range(steps):
        desk.step()
    return desk, document(PUBLIC, desk.snapshot(), Extras(), desk)


def words_at(doc: Document, kind: str) -> dict[str, str]:
    return {one["zone"]: one["words"] for one in doc["signs"] if one["kind"] == kind}


@pytest.mark.night
def test_collections_columns_are_its_scenarios_in_numbers() -> None:
    desk, doc = played("collection", 4, 120)
    active = [one for one in desk.state.scenarios if one.active]
    assert len(doc["columns"]) == len(active) > 1
    for column, scenario in zip(doc["columns"], active, strict=True):
        assert (column["level"], column["value"]) == (scenario.crisis, sum(scenario.reports))
        assert [mark["value"] for mark in column["wants"]] == list(scenario.reports)
        assert sum(mark["goal"] for mark in column["wants"]) == column["goal"]
        assert [post["label"] for post in column["posts"]] == list(COLLECTORS)
        for post, level, gems in zip(column["posts"], scenario.responses, scenario.gems, strict=True):
            assert post["level"] == (None if level == OFF else level)
            there = [(*look, count) for look, count in zip(LOOKS, gems, strict=True) if count]
            assert [((one["colour"], one["shape"]), one["value"]) for one in post["marks"]] == [
                ((colour, shape), count) for colour, shape, count in there
            ]
    standing = {who["seat"]: who["due"] for one in doc["columns"] for post in one["posts"] for who in post["here"]}
    assert standing == {seat: seat in doc["waiting"] for seat, one in enumerate(desk.state.players, 1) if one.on_board}


def test_collectors_signs_are_prices_and_the_markets_values() -> None:
    desk, doc = played("collectors", 3, 60)
    components, state = desk.game.components, desk.state  # type: ignore[attr-defined]
    counts = words_at(doc, "count")
    assert {zone.removeprefix("market-"): int(words) for zone, words in counts.items()} == {
        symbol: sum(components.symbol[card] == symbol for card in state.market)
        for symbol in ("penguin", "movie", "technology", "figures", "music")
    }
    free = {space for space in ("buy-1", "buy-5") if not any(space in player.bottles for player in state.players)}
    assert free
    assert all(words_at(doc, "price")[space] == {"buy-1": "$1", "buy-5": "$3"}[space] for space in free)
    assert words_at(doc, "title")["item-pool"] == "Item pool"


def test_collectibles_signs_are_how_full_galleries_and_auctions_are() -> None:
    desk, doc = played("collectible", 3, 30)
    titles = words_at(doc, "title")
    for seat, player in enumerate(desk.state.players, 1):
        assert titles[f"reveal.{seat}"].startswith(f"Gallery {player.gallery.size} of ")
        assert titles[f"auction.{seat}"].startswith(f"Auction {len(player.auction)} of ")


def test_karmic_collections_names_its_actions_and_shows_every_seats_sets() -> None:
    desk, doc = played("karmic-collections", 3, 40)
    assert words_at(doc, "title") == {name: str(space.title) for name, space in SPACES.items()}
    for seat, player in enumerate(desk.state.players, 1):
        groups = doc["holdings"][str(seat)]["groups"]
        assert {card["piece"] for group in groups for card in group} == player.hand
        assert len(player.hand) - len(groups) == desk.game.components.hand_points(player.hand)  # type: ignore[attr-defined]


def test_five_cards_rail_has_the_figures_that_each_seat_lacks(client_of: Clients) -> None:
    desk, doc = played("five-cards-collector", 3, 60)
    for seat, player in enumerate(desk.state.players, 1):
        holding = doc["holdings"][str(seat)]
        assert [card["piece"] for card in holding["groups"][0]] == list(player.collected)
        assert len(holding["wanted"]) == 5 - len(player.collected)
    page = client_of(desk).get("/").text.partition('data-part="tally"')[2]
    wanted = doc["holdings"]["1"]["wanted"][0]
    assert f"{wanted['title']} (missing)" in text_of(page)


@pytest.mark.parametrize("name", GAMES)
def test_only_the_wall_has_what_is_for_the_wall(name: str) -> None:
    desk, doc = played(name, 3, 40)
    assert doc["columns"] or doc["signs"] or doc["holdings"]
    for audience in ("seat-1", HOST):
        other = document(audience, desk.snapshot(), Extras(), desk)
        assert not any(other[part] for part in ("columns", "signs", "holdings"))


def test_what_is_being_laid_out_its_list_tells_and_nothing_else(client_of: Clients) -> None:
    seen, laying = ("The red moon comes up.",), Laying(8, 13, (Lack("the market 2", "market"),))
    assert "The red moon comes up." in text_of(client_of(ShowDesk(provisional=seen)).get("/").text)
    words = text_of(client_of(ShowDesk(provisional=seen, laying=laying)).get("/").text)
    assert "8 of 13" in words
    assert "The red moon comes up." not in words
