"""No page has a serious fault by axe-core, in light and dark: names, roles, contrast, targets (WCAG 2.2 AA)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from companion import games
from companion.appliance.settings import owner_for
from companion.bench.prepared import prepared
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST, NAME
from companion.table.session import NoCamera
from companion.table.table import Demo, DemoTable, Table, session_maker
from tests.server.desks import ShowDesk
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_stage import AUCTION
from tests.web.test_table_page import PROJECTOR, VIOLATION

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
ALL = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""What another colour scheme may change."""
RUN = """async rules => {
  const found = await axe.run(document, {runOnly: rules, resultTypes: ["violations"]});
  return found.violations.filter(one => ["serious", "critical"].includes(one.impact)).map(
    one => one.id + ": " + one.help + " " + one.nodes.slice(0, 4).map(node => node.html.slice(0, 160)).join(" | "));
}"""

pytestmark = [pytest.mark.browser, pytest.mark.night]
Browse = Callable[..., Watched]


def faults(page: Page, address: str) -> list[str]:
    """Open a page and give what axe finds in it, in light and in dark."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(address)
    page.evaluate(AXE)
    found = [("light", one) for one in page.evaluate(RUN, ALL)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [("dark", one) for one in page.evaluate(RUN, COLOURS)]
    return [f"{address.partition('//')[2].partition('/')[2]} ({scheme}): {one}" for scheme, one in found]


def visited(page: Page, site: str, paths: list[str]) -> list[str]:
    """Look at pages."""
    return [fault for path in paths for fault in faults(page, f"{site}{path}")]


def enter(page: Page, site: str, pin: str, seat: int) -> None:
    """Be the host, and take a seat."""
    page.goto(f"{site}/host")
    page.fill("#pin", pin)
    page.locator("button.main").click()
    page.goto(f"{site}/join/{seat}")
    page.fill("#name", "Anna")
    page.locator("form button.main").click()
    page.wait_for_url(f"**/seat/{seat}")


@pytest.mark.parametrize("name", games.packages())
def test_a_match_has_no_serious_fault_on_any_page(
    name: str, site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game = games.load(name)
    header, steps = prepared(game, max(3, game.info.seats[0]), 2)
    journal = Journal(tmp_path)
    mat = games.load_mat(name, header.seats)
    table = Table(session_maker(game, mat, journal, NoCamera), header, journal, "HTTP://10.42.0.1/J")
    table.start()
    site = site_of(table)
    page = browse(**PHONE, bypass_csp=True).page()
    enter(page, site, table.host_pin, 1)
    for action, facts in steps[: len(steps) // 3]:
        assert table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
    paths = ["/seat/1", "/"]
    if name == games.packages()[0]:
        record = table.snapshot().record
        paths += [
            "/host",
            f"/host/back/{record - 2}",
            "/setting-up",
            "/layout",
            "/matches",
            f"/matches/{header.id}",
            "/course",
            "/dice",
            "/log",
        ]
    paths.append("/how")
    if game.info.name in ("collection", "karmic-collections"):
        paths += ["/course", "/dice"]
    assert visited(page, site, paths) == []


def test_before_a_match_no_page_has_a_serious_fault(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    journal = Journal(tmp_path)
    header = Header(id=new_id(), at=now(), game=NAME, seats=MOST)
    game = games.load("collectible")
    make_session = session_maker(game, games.load_mat("collectible", 4), journal, NoCamera)
    table = Table(make_session, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.start()
    site = site_of(table)
    page = browse(**PHONE, bypass_csp=True).page()
    found = visited(page, site, ["/host", "/join", "/join/3", "/welcome"])
    enter(page, site, table.host_pin, 2)
    found += visited(page, site, ["/", "/seat/2", "/host", "/host/new", "/host/new/collectible", "/matches", "/join"])
    found += visited(page, site, ["/host/settings", "/host/settings/hall", "/overlay"])
    found += visited(page, site, ["/host/games", "/host/games/new", "/host/games/new?like=scopa"])
    assert found == []


def test_the_simulated_tables_pages_have_no_serious_fault(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game = games.load("five-cards-collector")
    mat = games.load_mat("five-cards-collector", 2)
    table = DemoTable(Demo(game, mat, 2, 8.0, people=1), Journal(tmp_path), "HTTP://10.42.0.1/J")
    table.start()
    table.session.set_speed(0)  # the robots wait: what is looked at is the pages
    site = site_of(table)
    page = browse(viewport={"width": 1280, "height": 800}, bypass_csp=True).page()
    enter(page, site, table.host_pin, 1)
    paths = ["/", "/simulated", "/host", "/host/eye", "/host/zones", "/cards", "/cards/test"]
    assert visited(page, site, paths) == []


@pytest.mark.parametrize("change", [{"timer": AUCTION}, {"violation": VIOLATION}])
def test_the_walls_stage_and_its_alarm_have_no_serious_fault(
    site_of: Sites, browse: Browse, change: dict[str, Any]
) -> None:
    desk = ShowDesk()
    desk.show(**change)
    assert visited(browse(**PROJECTOR, bypass_csp=True).page(), site_of(desk), ["/"]) == []
