"""What stands out on a seat's page: what is needed, and never what gives up more than it seems."""

from __future__ import annotations

import re
from types import SimpleNamespace

from companion.games.collectible.collecting import Draw
from companion.referee.commands import Play
from tests.games.collectible.situations import ART, COMPONENTS, showing
from tests.server.conftest import Clients
from tests.server.phones import join
from tests.server.played import PlayedDesk


def strong(page: str) -> list[str]:
    """List the words of what stands out among what a seat may do."""
    part = page.split('data-part="may"')[1].split("data-part=")[0]
    part = re.sub(r'<div class="offers">.*?</div>', "", part, flags=re.DOTALL)  # seen once a card is open
    found = re.findall(r'<(?:button|summary)[^>]*class="([^"]*)"[^>]*>(.*?)</(?:button|summary)>', part, re.DOTALL)
    taps = [(kind.split(), re.sub(r"<[^>]+>", " ", words).split()) for kind, words in found]
    return [" ".join(words) for kind, words in taps if "main" in kind]


def after_drawing(hand: tuple[str, ...], client_of: Clients) -> str:
    """Return the page of a seat at a simulated table that has drawn a sixth card."""
    desk = PlayedDesk("collectible", 3, mode="assist")
    while desk.match._referee.state.phase != "collect":
        desk.step()
    (seat,) = desk.due()
    desk.sandbox = SimpleNamespace(
        hand=lambda _: hand, choosing=lambda _: {}, attended=bool, taking=lambda _: ("", ()), objection=lambda *_: ""
    )
    desk.hand = lambda one: hand if one == seat else None  # type: ignore[attr-defined]
    assert desk.command(Play(seat=seat, action=Draw(seat=seat))).ok
    client = client_of(desk)
    join(client, seat)
    return client.get(f"/seat/{seat}").text


def test_with_a_card_too_many_it_is_put_up_for_auction_and_revealing_is_asked_back(client_of: Clients) -> None:
    hand = next(
        tuple(ART[n : n + 6]) for n in range(40) if not COMPONENTS.common(frozenset(ART[n : n + 6]), 0, frozenset())
    )
    page = after_drawing(hand, client_of)
    assert re.search(r'data-sure="Tap again: your cards are laid open[^"]*"[^>]*>Reveal your collection<', page)
    assert [words.split(" ")[:3] for words in strong(page)] == [["Put", "a", "card"]]


def test_who_has_five_of_a_theme_sees_it_and_is_asked_back_still(client_of: Clients) -> None:
    page = after_drawing((*showing("Hat", 5), ART[0]), client_of)
    assert "Reveal your collection" in strong(page)
    assert 'data-sure="Tap again: your cards are laid open' in page


def test_a_robot_is_asked_for_advice_only_where_there_is_something_to_choose(client_of: Clients) -> None:
    """Which card is hidden as a treasure the rules do not tell apart: the question would be refused."""
    desk = PlayedDesk("collectors", 3, mode="assist")
    desk.sandbox = SimpleNamespace(
        hand=lambda _: (), choosing=lambda _: {}, attended=bool, taking=lambda _: ("", ()), objection=lambda *_: ""
    )
    desk.hand = lambda seat: ()  # type: ignore[attr-defined]
    client = client_of(desk)
    asked: dict[str, bool] = {}
    while "turn" not in asked:
        seat = next(iter(desk.due()), 0)
        if seat and (phase := desk.match._referee.state.phase) in ("treasure", "turn"):
            join(client, seat)
            asked[phase] = "What would you do?" in client.get(f"/seat/{seat}").text
        desk.step()
    assert asked == {"treasure": False, "turn": True}
