"""Pages that a seat's page leads to lead back to it."""

from __future__ import annotations

import re

import pytest

from companion.server.guide_pages import in_rulebook
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.phones import join

PAGES = ("/log", "/log/2", "/dice")
"""Those that every desk of the tests has; the others have the same lines."""


def ways(page: str) -> list[str]:
    """List where the last row of links leads."""
    found = re.findall(r'<p class="ways">(.*?)</p>', page, re.DOTALL)
    return re.findall(r'href="([^"]*)"', found[-1])


@pytest.mark.parametrize("path", PAGES)
def test_who_has_a_seat_is_led_back_to_it_first(client_of: Clients, path: str) -> None:
    client = client_of(ShowDesk())
    assert "/seat/2" not in ways(client.get(path).text)
    assert "/" in ways(client.get(path).text)
    join(client, 2)
    led = ways(client.get(path).text)
    assert led.index("/seat/2") < led.index("/")
    assert "Back to my seat" in client.get(path).text


def test_why_a_robot_did_something_is_said_with_the_record(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.reasons = {2: "It is a whim: this was nearly as good: @2 draws a card."}
    client = client_of(desk)
    assert "Why the robot did it: It is a whim: this was nearly as good: Bo draws" in client.get("/log/2").text
    assert "Why the robot" not in client.get("/log").text


def test_a_phone_with_two_seats_chooses_one(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    join(client, 3)
    assert ways(client.get("/log").text) == ["/seat/1", "/seat/3", "/"]


def test_a_page_that_says_whose_it_is_stays_in_no_cache(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    for path in ("/log", "/log/2"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("rule", "section"),
    [("F3", ""), ("Phase 3; K5", "Phase 3"), ("2.1, 3; I13", "2.1, 3"), ("dice", ""), ("", ""), ("K3, K5", "")],
)
def test_of_a_rule_that_is_named_its_section_of_the_rulebook_is_said(rule: str, section: str) -> None:
    assert in_rulebook(rule) == section


def test_the_number_of_a_rule_that_nobody_can_look_up_stands_on_no_page(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    join(client, 1)
    page = client.get("/seat/1").text
    assert "holds 7 cards, and 7 are the limit." in page
    assert "F4" not in page
    barred = [may["verdict"]["rule"] for may in client.get("/state/seat-1").get_json()["may"] if not may["allowed"]]
    assert "F4" in barred, "programs are told it"
