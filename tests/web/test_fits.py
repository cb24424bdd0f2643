"""Every page fits the narrowest phone, what can be tapped is a finger wide (44 px), and a screen cuts no word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import games
from companion.appliance.settings import owner_for
from companion.bench.prepared import prepared
from companion.referee.commands import Name, Play
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
        "/how",
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
@pytest.mark.night
def test_at_the_end_no_word_on_the_screen_is_cut_through(
    site_of: Sites, browse: Callable[..., Watched], name: str
) -> None:
    desk = PlayedDesk(name, games.load(name).info.seats[1], mode="assist")
    desk.picture = lambda _: picture("the table", (960, 540), "JPEG")  # type: ignore[method-assign]
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


NAMES = ("Maximiliane", "Bartholomew", "Constantin W.", "Friederike", "Theodora-Lou", "Wolfgang A.", "Annegret", "Kim")
SEATS = {
    3: ("collectors", "collection", "karmic-collections"),
    4: ("collectors", "karmic-collections", "collectible", "hearts"),
    5: ("karmic-collections", "collectible"),
    6: ("karmic-collections", "collectible", "oh-hell"),
    7: ("collection", "five-cards-collector"),
    8: ("five-cards-collector",),
}
"""The games with most to say of a player, by the number of players."""
SHORT = (4, "karmic-collections"), (8, "five-cards-collector")
"""What the gate looks at; the night looks at all of them."""
LONG = "Friederike places a bottle on an empty action space, or takes one of the cards that lie before her."
"""A headline of three lines, longer than any that a game has."""
STEPS = 90, 12
"""How far the matches are played, and how many of the last steps are looked at for the longest headline."""
COLUMN = """() => {
  const narrow = document.querySelector(".narrow"), room = narrow.getBoundingClientRect(), found = [];
  const seen = one => one.checkVisibility() && one.getBoundingClientRect();
  for (const row of narrow.querySelectorAll(".tally .score")) {
    const box = seen(row);
    const end = Math.min(room.bottom, row.closest("[data-part]").getBoundingClientRect().bottom) + 1;
    const whole = box && box.bottom <= end && box.top >= room.top - 1;
    if (!whole) { found.push("cut: " + row.textContent.trim()); }
  }
  const parts = [...narrow.children].map(seen).filter(box => box && box.height);
  parts.forEach((box, n) => {
    if (box.bottom > room.bottom + 1) { found.push("beyond the column: " + box.bottom); }
    if (n && box.top < parts[n - 1].bottom - 1) { found.push("over another: " + box.top); }
  });
  const log = narrow.querySelector("[data-part=log] > .box");
  if (log && seen(log)) {
    const inside = log.getBoundingClientRect(), lines = [...log.querySelectorAll(".line")].map(seen);
    const whole = box => box && box.height && box.right <= inside.right + 1 && box.bottom <= inside.bottom + 1;
    if (!lines.some(whole)) { found.push("an empty box: " + log.textContent.trim().slice(0, 40)); }
  }
  for (const one of narrow.querySelectorAll(".tally .numbers")) {
    const box = seen(one);
    if (box && box.height && box.bottom > room.bottom) { found.push("cut: " + one.textContent.trim()); }
  }
  return found;
}"""
"""Rows of players that are not whole, what lies over another, and boxes with nothing in them, in the right column."""


@pytest.mark.parametrize("language", ["de", *at_night("en")])
@pytest.mark.parametrize(
    ("seats", "name"),
    [
        pytest.param(seats, name, marks=() if (seats, name) in SHORT else pytest.mark.night)
        for seats, names in SEATS.items()
        for name in names
    ],
)
@pytest.mark.night
def test_every_players_row_is_whole_whatever_the_headline(
    site_of: Sites, browse: Callable[..., Watched], seats: int, name: str, language: str
) -> None:
    desk = PlayedDesk(name, seats, mode="assist")
    desk.picture = lambda _: picture("the table", (960, 540), "JPEG")  # type: ignore[method-assign]
    for seat in range(1, seats + 1):
        assert desk.command(Name(seat=seat, name=NAMES[seat - 1], by="phone")).ok
    played, last = STEPS
    for _ in range(played - last):
        desk.step()
    for _ in range(last):
        if len(desk.snapshot().views[0].headline) > 60 or not desk.step():
            break
    page = browse(viewport={"width": 1280, "height": 720}, reduced_motion="reduce", locale=language).page()
    page.goto(site_of(desk))
    page.wait_for_selector(LIVE)
    assert page.locator(".tally .score").count() == seats
    for headline in ("", LONG[:60], LONG):
        if headline:
            page.evaluate("words => { document.querySelector('.call h1').textContent = words; }", headline)
            page.wait_for_timeout(100)
        assert page.evaluate(COLUMN) == [], headline
        assert page.evaluate(HALF) == [], headline
