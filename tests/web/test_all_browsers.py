"""Pages in Firefox and in WebKit, in short: Chromium is asked for the same and more elsewhere. A page of each is in the
gate, at night all are narrow and dark, and whole matches are in `test_whole_matches`.

iPhones have nothing but WebKit, though not this one: iOS itself is not tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask import Flask

from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Play
from companion.server import app
from tests.nights import at_night
from tests.server.desks import PIN, MatchDesk
from tests.waiting import until
from tests.web.browsers import BROWSERS, Firefox, WebKit, listen
from tests.web.conftest import Sites
from tests.web.phones import sit
from tests.web.test_browser import CONTRAST, LIVE

pytestmark = pytest.mark.browser
Opened = Callable[..., Firefox | WebKit]
Heard = Callable[[Flask], None]
PATHS = ("/", "/join", "/seat/1", "/log", "/layout", "/host", "/host/new", "/cards", "/course", "/dice", "/matches")
NARROW = """path => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.width = 320;
  frame.height = 700;
  frame.src = path;
  document.body.append(frame);
  const look = () => {
    const page = frame.contentDocument, styles = Array.from(page.querySelectorAll("link[rel=stylesheet]"));
    if (!styles.length || page.readyState === "loading" || !styles.every(one => one.sheet)) {
      setTimeout(look, 50);
      return;
    }
    page.querySelectorAll("details").forEach(one => { one.open = true; });
    const root = page.documentElement, wide = root.scrollWidth - root.clientWidth - 1;
    frame.remove();
    done(Math.max(0, wide));
  };
  look();
})"""
"""How many pixels a page is wider than a phone of 320: a window of WebKit's is never as narrow, but a frame is."""


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What pages complain of; at the end there must be nothing."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens a browser by its name, and closes it after the test."""
    with ExitStack() as stack:
        yield lambda name, **how: stack.enter_context(closing(BROWSERS[name](tmp_path, **how)))


@pytest.fixture
def heard(complaints: list[str]) -> Heard:
    """Prepares a site so that complaints are heard."""
    return lambda site: listen(site, complaints)


@pytest.mark.parametrize("browser", [one if one == "WebKit" else at_night(one)[0] for one in BROWSERS])
def test_a_phone_sits_down_taps_and_hears_what_others_do(
    browser: str, opened: Opened, site_of: Sites, complaints: list[str], heard: Heard
) -> None:
    desk = MatchDesk(3)
    page = opened(browser).page()
    sit(page, site_of(desk, prepare=heard), 1)
    page.wait_for_selector(LIVE)
    page.tap("summary:has(img)")
    page.wait_for_selector("details[open] [data-command] img")
    page.tap("[data-command*='nothing']")
    page.wait_for_text("header", "Seat 2's turn")
    assert desk.command(Play(seat=2, action=Nothing(seat=2))).ok
    page.wait_for_text("header", "Seat 3's turn")
    assert complaints == []
    page.evaluate("() => { console.error('heard'); }")
    until(lambda: complaints == ["heard"])
    complaints.clear()


@pytest.mark.night
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_pages_fit_a_narrow_phone_and_can_be_read(
    browser: str,
    dark: bool,
    opened: Opened,
    site_of: Sites,
    heard: Heard,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    framed = app.POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'")
    monkeypatch.setattr(app, "POLICY", framed)
    site = site_of(MatchDesk(4, "assist"), prepare=heard)
    page = opened(browser, dark=dark).page()
    sit(page, site, 1)
    page.goto(f"{site}/host")
    page.fill("#pin", PIN)
    page.tap("button.main")
    page.wait_for_selector(LIVE)
    found = []
    for path in PATHS:
        page.goto(site + path)
        assert page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches") == dark
        found += [(path, pale) for pale in page.evaluate(CONTRAST)]
        if beyond := page.evaluate(NARROW, path):
            found.append((path, f"{beyond} px wider than the phone"))
    assert found == []
