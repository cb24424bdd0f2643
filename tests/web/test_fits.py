"""Every page fits the narrowest phone without scrolling sideways, and what can be tapped is a finger wide (44 px)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import games
from companion.appliance.settings import owner_for
from companion.referee.commands import Play
from companion.referee.journal import Journal
from companion.sim.prepared import prepared
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_axe import enter

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
