"""Every page fits the narrowest phone, what can be tapped is a finger wide (44 px), and a screen cuts no word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import games
from companion.appliance.settings import owner_for
from companion.bench.prepared import prepared
from companion.referee.commands import Play
from companion.referee.journal import Journal
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from tests.nights import at_night
from tests.server.desks import picture
from tests.server.played import GAMES, PlayedDesk
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_axe import enter
from tests.web.test_browser import LIVE

NARROW = {**PHONE, "viewport": {"width": 320, "height": 700}}
SMALL = """() => [
  ...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")
].filter(one => {
  const box = one.getBoundingClientRect();
  if (!box.width || !box.height || one.matches(".skip, .unseen")) return false;
  if (one.matches("[type=radio], [type=checkbox]") && one.closest("label"))
    return one.closest("label").getBoundingClientRect().height < 43.5;
  // A link within a sentence is as high as its line, and may be.
  const around = one.parentElement.textContent.trim().length - one.textContent.trim().length;
  if (one.tagName === "A" && getComputedStyle(one).display === "inline" && around > 12) return false;
  return box.height < 43.5 || box.width < 43.5;
}).map(one => one.outerHTML.slice(0, 120))"""
BEYOND = """() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth - 1)"""


@pytest.mark.night
@pytest.mark.parametrize("language", ["en", "sv"])
def test_pages_fit_a_narrow_phone_and_fingers(
    language: str, site_of: Sites, browse: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    game = games.load("collection")
    header, steps = prepared(game, 3, 2, 60)
    journal = Journal(tmp_path)
    make_session = session_maker(game, games.load_mat("collection", 3), journal, NoCamera)
    table = Table(make_session, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(True))
    table.start()
    site = site_of(table)
    page = browse(**NARROW, locale=language).page()
    enter(page, site, table.host_pin, 1)
    for action, facts in steps:
        assert table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
    found = []
    for path in (
        "/",
        "/seat/1",
        "/join",
        "/host",
        "/host/new",
        "/host/new/collection",
        "/host/settings",
        "/host/settings/hall",
        "/overlay",
        "/host/games",
        "/host/games/new",
        "/host/games/new?like=scopa",
        "/host/back/20",
        "/layout",
        "/matches",
        f"/matches/{header.id}",
        "/course",
        "/dice",
        "/log",
        "/cards",
        "/welcome",
    ):
        page.goto(f"{site}{path}")
        for one in page.query_selector_all("details"):
            one.evaluate("one => { one.open = true; }")
        assert page.locator("h1").count() == 1, path
        assert page.title(), path
        found += [(path, html) for html in page.evaluate(SMALL)]
        beyond = page.evaluate(BEYOND)
        found += [(path, f"{beyond} px wider than the phone")] if beyond else []
    assert found == []


HALF = """() => {
  const found = [];
  for (const one of document.querySelectorAll(".narrow *, .call *")) {
    const says = Array.from(one.childNodes).some(node => node.nodeType === 3 && node.textContent.trim());
    const box = one.getBoundingClientRect();
    if (!says || !box.height || one.closest(".unseen, .device")) { continue; }
    for (let up = one.parentElement; up; up = up.parentElement) {
      const room = up.getBoundingClientRect();
      if (getComputedStyle(up).overflowY === "visible") { continue; }
      const out = box.top >= room.bottom - 1 || box.bottom <= room.top + 1 || box.left >= room.right - 1;
      const cut = box.bottom > room.bottom + 2 || box.top < room.top - 2 || box.right > room.right + 2;
      if (cut && !out) { found.push(one.textContent.trim()); }
      if (out) { break; }
    }
  }
  return found;
}"""
"""Words of the scores, the log and the headline that are cut through, not left out whole."""


@pytest.mark.parametrize("name", ["collection", *at_night(*(one for one in GAMES if one != "collection"))])
def test_at_the_end_no_word_on_the_screen_is_cut_through(
    site_of: Sites, browse: Callable[..., Watched], name: str
) -> None:
    desk = PlayedDesk(name, games.load(name).info.seats[1], mode="assist")
    desk.picture = lambda: picture("the table", (960, 540), "JPEG")  # type: ignore[method-assign]
    site = site_of(desk)
    while desk.step():
        pass
    page = browse(viewport={"width": 1280, "height": 720}, reduced_motion="reduce").page()
    page.goto(site)
    page.wait_for_selector(LIVE)
    expect(page.locator(".call.over")).to_be_visible()
    assert page.evaluate(HALF) == []
    rest = page.locator(".call .rest")
    if rest.count():
        expect(rest).to_be_visible()
