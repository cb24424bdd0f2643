"""Cards that have just come are marked in the hand until their seat has done something next."""

from __future__ import annotations

from typing import Any

import pytest

from companion import games
from companion.referee.snapshot import Change, LogLine
from companion.rules.kernel import Part, Shelf
from companion.server.arrivals import Arrivals
from tests.server.conftest import Clients
from tests.server.desks import ShowDesk, snapshot, view
from tests.server.phones import join

DREW = (Change(1, (Part("hand of Anna", 1, 1, what="hand", thing="hand"),)),)


def line(n: int, seat: int, **more: Any) -> LogLine:
    return LogLine(n, "2026-11-26T10:00:00Z", seat, "", "table", **more)


def test_a_card_is_new_until_its_seat_has_done_something() -> None:
    seen, log = Arrivals(), [line(1, 1)]

    def look(*hand: str) -> list[str]:
        return sorted(seen.follow(snapshot(log=tuple(log)), {1: hand}).get(1, ()))

    assert look("00B", "00N") == []
    log.append(line(2, 2))
    assert look("00B", "00N", "00Z") == ["00Z"]
    log.append(line(3, 2))
    assert look("00B", "00N", "00Z") == ["00Z"]
    log.append(line(4, 1))
    assert look("00B", "00Z") == []
    # What one has drawn comes after the record that says so.
    log.append(line(5, 1, changes=DREW))
    assert look("00B", "00Z") == []
    assert look("00B", "00Z", "01B") == ["01B"]
    log.append(line(6, 1))
    assert look("00B", "00Z", "01B") == []


def test_a_card_that_is_in_the_hand_before_the_eye_has_understood_it_is_new() -> None:
    seen = Arrivals()
    assert seen.follow(snapshot(log=()), {1: ("00B",)}) == {}
    assert seen.follow(snapshot(log=()), {1: ("00B", "00N")}) == {1: {"00N"}}
    assert seen.follow(snapshot(log=(line(1, 1, changes=DREW),)), {1: ("00B", "00N")}) == {1: {"00N"}}
    assert seen.follow(snapshot(log=(line(1, 1, changes=DREW), line(2, 1))), {1: ("00B", "00N")}) == {}


def test_a_hand_that_is_dealt_is_not_new_nor_is_another_matchs() -> None:
    seen = Arrivals()
    seen.follow(snapshot(log=()), {1: ()})
    assert seen.follow(snapshot(log=()), {1: ("00B", "00N")}) == {}
    assert seen.follow(snapshot(log=(), match="other"), {1: ("00B", "00Z")}) == {}


@pytest.mark.night
def test_the_page_marks_it_and_only_its_own_seat_is_told(client_of: Clients) -> None:
    desk = ShowDesk(log=(line(1, 1),))
    desk.hands = {1: ("00B", "00N")}
    client = client_of(desk)
    join(client, 1)
    client.get("/state/seat-1")
    desk.hands = {1: ("00B", "00N", "00Z")}
    desk.show(log=(line(1, 1), line(2, 2)), record=3)
    client.application.extensions["companion"].feed.refresh()
    hand = client.get("/seat/1").text.split('data-part="hand"')[1].split("data-part=")[0]
    assert hand.count('class="new"') == 1
    assert 'class="new"' in hand.split('id="card-hand-00Z"')[1].split("</summary>")[0]
    assert client.get("/state/seat-1").get_json()["new"] == ["00Z"]
    assert client.get("/state/public").get_json()["new"] == []


def test_open_cards_that_came_are_new_too_but_not_those_that_one_laid_there(client_of: Clients) -> None:
    came = (Change(1, (), ("00B",)), Change(2, (), ("00N",)))
    client = client_of(ShowDesk(log=(line(1, 1), line(2, 2, changes=came), line(3, 0))))
    join(client, 1)
    assert client.get("/state/seat-1").get_json()["new"] == ["00B"]
    drew = (line(1, 1, changes=(Change(1, (), ("00B",)),)),)
    client = client_of(ShowDesk(log=drew))
    join(client, 1)
    assert client.get("/state/seat-1").get_json()["new"] == ["00B"]
    laid = (line(1, 1, changes=(Change(1, (), ("00B",)),), laid=("00B",)),)
    client = client_of(ShowDesk(log=laid))
    join(client, 1)
    assert client.get("/state/seat-1").get_json()["new"] == []


def parts_of(page: str, *names: str) -> list[str]:
    return [page.split(f'data-part="{name}"')[1].split("data-part=")[0] for name in names]


def test_a_hand_stands_in_one_place_with_one_name(client_of: Clients) -> None:
    shelves = (Shelf("Known in your hand", ("00Z",), seat=1, known=True), Shelf("Your collection", ("00B",), seat=1))
    holds = frozenset(games.load("five-cards-collector").deck.by_piece())
    views = (view(0), view(1, shelves=shelves, holds=holds), view(2), view(3))
    desk = ShowDesk(views=views)
    client = client_of(desk)
    join(client, 1)
    hand, mine, own = parts_of(client.get("/seat/1").text, "hand", "mine", "my-hand")
    assert "00Z" not in hand + mine
    assert "Your hand" in own
    assert 'id="card-known-00Z"' in own
    # Where the table knows the hand, that is where it is.
    desk.hands = {1: ("00Z", "00N")}
    desk.show(record=3)
    client.application.extensions["companion"].feed.refresh()
    hand, mine, own = parts_of(client.get("/seat/1").text, "hand", "mine", "my-hand")
    assert 'id="card-hand-00Z"' in hand
    assert "00Z" not in mine + own
    assert "Known in" not in hand + mine + own


def test_a_game_calls_the_hand_by_its_own_word(client_of: Clients) -> None:
    desk = ShowDesk(views=(view(0), view(1, hand="Your gallery"), view(2), view(3)))
    desk.hands = {1: ("00Z", "00N")}
    client = client_of(desk)
    join(client, 1)
    (hand,) = parts_of(client.get("/seat/1").text, "hand")
    assert "<h2>Your gallery" in hand
