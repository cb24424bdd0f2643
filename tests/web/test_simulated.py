"""The simulated table in a real Chromium, before the real eye: cards are dragged, and laid with keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.games.five_cards_collector.drawing import Draw
from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.journal import Journal
from companion.rules.kernel import TABLE, holes
from companion.table.table import Demo, DemoTable
from tests.waiting import until
from tests.web.conftest import PHONE, SCREEN, Sites, Watched
from tests.web.test_browser import CONTRAST, SMALL, UNNAMED, WIDE

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]
GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 2)
CARDS = GAME.deck.by_piece()


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoTable]:
    """A table that is set up, with people on both seats."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    table = DemoTable(Demo(GAME, MAT, 2, 8.0, people=2), Journal(tmp_path), "HTTP://127.0.0.1/J")
    table.start()
    until(lambda: GAME.actors(table.match.state) != (TABLE,) and followed(table))
    yield table
    table.close()


def followed(table: DemoTable) -> bool:
    return len(table.performance.done) == len(table.match.records()) and table.session.camera_loop.resting


def sit(page: Page, site: str, seat: int, name: str) -> None:
    page.goto(f"{site}/join/{seat}")
    page.get_by_label("Your name").fill(name)
    page.locator(f".chair:has(input[value='{seat}'])").click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"{site}/seat/{seat}")
    page.goto(f"{site}/simulated")
    expect(page.locator(".held-card").first).to_be_visible()


def discards(state: Any, hand: tuple[str, ...]) -> list[str]:
    """List the cards of a hand that may be discarded now."""
    found = [hole for one in GAME.legal(state) if isinstance(one, Discard) for _, hole in holes(one)]
    return [piece for hole in found for piece in hand if piece in hole.pieces]


def two_discards(table: DemoTable, seat: int) -> tuple[str, str]:
    """Find two cards that a seat may discard one after the other, while the other seat does nothing."""
    state, hand = table.match.state, table.performance.hand(seat)
    for first in discards(state, hand):
        after = GAME.play(state, Discard(seat=seat, card=first), ())
        after = GAME.play(after, Nothing(seat=3 - seat), ())
        for second in discards(after, hand):
            if second != first:
                return first, second
    raise AssertionError("this deal has no two such cards")


def spot(page: Page, zone: str) -> tuple[float, float]:
    """Give where the middle of a zone is in the window."""
    box = page.locator(".mat").bounding_box()
    assert box is not None
    x, y = MAT.zone(zone).rect.centre
    return box["x"] + x * box["width"] / MAT.w, box["y"] + y * box["height"] / MAT.h


def last(table: DemoTable) -> Any:
    return table.match.records()[-1].action


@pytest.mark.night
def test_cards_are_dragged_and_laid_with_keys_and_the_referee_follows(
    demo: DemoTable, site_of: Sites, browse: Browse
) -> None:
    # The fixture closes the table, too: closing twice does no harm.
    site = site_of(demo)
    seat = demo.match.state.turn
    anna, bo = browse(**SCREEN).page(), browse(**PHONE).page()
    sit(anna, site, seat, "Anna")
    sit(bo, site, 3 - seat, "Ben")
    first, second = two_discards(demo, seat)

    # who came after Anna had opened the table is called there by the name, too
    expect(anna.locator("#zone option", has_text="Ben's collection").first).to_be_attached()

    # with the mouse; that text of the page is selected does not make a browser drag that
    anna.evaluate("getSelection().selectAllChildren(document.body)")
    box = anna.locator(f".held-card[data-piece='{first}']").bounding_box()
    assert box is not None
    anna.mouse.move(box["x"] + 20, box["y"] + 20)
    anna.mouse.down()
    x, y = spot(anna, "discard")
    anna.mouse.move(x - 120, y - 60, steps=6)
    until(lambda: demo.session.sandbox and any(thing.held for thing in demo.session.sandbox.things()))
    assert not isinstance(last(demo), Discard)
    anna.mouse.move(x, y, steps=4)
    anna.mouse.up()
    until(lambda: last(demo) == Discard(seat=seat, card=first))
    assert demo.match.records()[-1].by == "table"
    expect(anna.locator(f".held-card[data-piece='{first}']")).to_have_count(0)
    title = CARDS[first].title
    expect(bo.get_by_role("button", name=re.compile(f"^{title}, in the discard pile"))).to_be_visible()

    # Nobody else's hand is anywhere in the other page.
    for piece in demo.performance.hand(seat):
        assert f'data-piece="{piece}"' not in bo.content()
    until(lambda: followed(demo))
    bo.get_by_role("button", name="Do nothing").tap()
    until(lambda: demo.match.state.turn == seat and followed(demo))

    # with keys alone
    anna.locator(f".held-card[data-piece='{second}']").focus()
    anna.keyboard.press("Enter")
    chooser = anna.get_by_label("Lay it in")
    expect(chooser).to_be_focused()
    chooser.select_option("discard")
    anna.keyboard.press("Tab")
    anna.keyboard.press("Enter")
    until(lambda: last(demo) == Discard(seat=seat, card=second))
    until(lambda: followed(demo))
    bo.get_by_role("button", name="Do nothing").tap()
    until(lambda: demo.match.state.turn == seat and followed(demo))

    # the arrows move a card, Delete takes the deck's top card: a draw
    top = anna.get_by_role("button", name=re.compile(f"^{CARDS[second].title}, in the discard pile"))
    was = until(lambda: demo.performance._live.shared.where(second))
    top.focus()
    anna.keyboard.press("ArrowRight")
    anna.keyboard.press("Shift+ArrowDown")
    moved = until(lambda: (now := demo.performance._live.shared.where(second)) and now != was and now)
    assert (round(moved.x - was.x), round(moved.y - was.y)) == (5, 1)
    drawn = demo.performance._live.shared.pieces()
    deck = [one for one in drawn if MAT.zone_at(one.x, one.y).name == "deck"]
    anna.get_by_role("button", name=re.compile("^A face-down card, in the deck")).last.focus()
    anna.keyboard.press("Delete")
    until(lambda: last(demo) == Draw(seat=seat))
    expect(anna.locator(f".held-card[data-piece='{deck[-1].piece}']")).to_be_visible()
    until(lambda: deck[-1].piece in demo.performance.hand(seat))


@pytest.mark.night
def test_what_is_dropped_beside_the_table_is_taken_off_it(demo: DemoTable, site_of: Sites, browse: Browse) -> None:
    """It was laid on the mat's nearest edge, half out of sight, though an arrow had led beside the table."""
    page = browse(**SCREEN).page()
    sit(page, site_of(demo), 1, "Anna")
    sandbox = demo.session.sandbox
    assert sandbox is not None
    top, held = demo.performance.world.deck[-1], page.locator(".held-card").count()
    x, y = spot(page, "deck")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=6)
    until(lambda: any(one.held for one in sandbox.things()))
    page.mouse.move(2, 2, steps=6)
    page.mouse.up()
    until(lambda: top in sandbox.hand(1))
    expect(page.locator(".held-card")).to_have_count(held + 1)


@pytest.mark.night
@pytest.mark.parametrize("how", [SCREEN, PHONE], ids=["screen", "phone"])
def test_the_page_can_be_used_by_finger_eye_and_screen_reader(
    demo: DemoTable, site_of: Sites, browse: Browse, how: dict[str, Any]
) -> None:
    site = site_of(demo)
    page = browse(**how).page()
    sit(page, site, 1, "Anna")
    expect(page.locator(".piece").first).to_be_visible()
    small = [one for one in page.evaluate(SMALL) if "piece" not in one]  # pieces grow with the mat
    assert small == []
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(WIDE) <= 0
    assert page.evaluate(CONTRAST) == []
    unnamed = page.locator(".piece:not([aria-label]), .held-card:not([aria-label])")
    expect(unnamed).to_have_count(0)
