"""A seat's page in a game from a file: the hand sorted as the deck is, nothing strong that nobody has to do."""

from __future__ import annotations

import re

import msgspec

from companion.games.from_file.flow import won
from companion.games.from_file.saying import RoundOver
from companion.games.from_file.state import Finished
from companion.referee.commands import Play
from companion.server.documents import Extras, audience_of, document
from tests.server.conftest import Clients
from tests.server.phones import be_host, join, send, text_of
from tests.server.played import PlayedDesk


def buttons(page: str) -> list[tuple[str, str]]:
    """List the classes and words of the buttons among what a seat may do."""
    part = page.split('data-part="may"')[1].split("data-part=")[0]
    found = re.findall(r'<button type="button" class="([^"]*)"[^>]*>(.*?)</button>', part, re.DOTALL)
    return [(kind, re.sub(r"<[^>]+>", "", words)) for kind, words in found]


def test_a_hand_is_sorted_by_suit_and_rank() -> None:
    desk = PlayedDesk("hearts")
    assert desk.step()
    hand = ("40D", "101", "30C", "20B", "109")
    doc = document(audience_of(1), desk.snapshot(), Extras(hands={1: hand}), desk)
    assert [card["piece"] for card in doc["hand"]] == ["101", "109", "20B", "30C", "40D"]


def test_who_waits_for_others_sees_nothing_strong(client_of: Clients) -> None:
    desk = PlayedDesk("hearts")
    assert desk.step()
    waits = next(seat for seat in range(1, 5) if seat not in desk.due())
    client = client_of(desk)
    join(client, waits)
    offered = buttons(client.get(f"/seat/{waits}").text)
    assert any("Points, plus or minus" in words for _, words in offered)
    assert [words for kind, words in offered if "main" in kind.split()] == []


def test_the_end_of_a_round_is_asked_back(client_of: Clients) -> None:
    desk = PlayedDesk("cribbage", 2)
    client = client_of(desk)
    join(client, 1)
    page = client.get("/seat/1").text
    assert re.search(r'data-sure="Tap again: round 1 is over for everybody"[^>]*>The round is over<', page)


def test_what_has_one_value_is_one_button(client_of: Clients) -> None:
    client = client_of(PlayedDesk("gin-rummy", 2))
    join(client, 1)
    page = client.get("/seat/1").text
    assert "I knock" in [words for _, words in buttons(page)]
    assert 'id="amount-enter-knocks"' not in page


def test_after_a_match_of_one_round_it_is_still_that_round() -> None:
    desk = PlayedDesk("whist")
    over = msgspec.structs.replace(desk.state, past=(Finished((), (1, 0)),), outcome=won((1, 3), 1, "rounds"))
    assert next(part.value for part in desk.game.view(over, 0).numbers if part.name == "round") == 1


def test_the_host_puts_a_closed_round_right(client_of: Clients) -> None:
    desk = PlayedDesk("whist", 4)
    client = client_of(desk)
    be_host(client)
    assert "Put a closed round right" not in client.get("/host").text
    assert desk.command(Play(seat=1, action=RoundOver(seat=1))).ok
    page = text_of(client.get("/host").text)
    assert "Put a closed round right Round 1 (0, 0, 0, 0)" in page
    edits = [{"edit": "points", "round": 1, "seat": 1, "points": 3}]
    assert send(client, {"do": "correct", "edits": edits, "after": 1}).status_code == 200
    page = text_of(client.get("/host").text)
    assert "Round 1 (3, 0, 3, 0)" in page
    assert "Put right: Seat 1 has 3 in round 1." in page
