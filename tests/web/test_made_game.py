"""Scopa for three, made in the browser and scored once: the steps of docs/any-game.md, and no more than twenty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import games
from companion.appliance.settings import owner_for
from companion.referee.journal import Journal
from companion.table.table import Demo, DemoTable
from tests.web.conftest import PHONE, Sites
from tests.web.test_axe import Browse

MOST = 20


@pytest.mark.browser
@pytest.mark.night
def test_scopa_for_three_from_nothing_to_a_scored_round(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    demo = Demo(games.load("scopa"), games.load_mat("scopa", 4), 2, 8.0)
    table = DemoTable(demo, Journal(tmp_path / "state"), "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.start()
    site = site_of(table)
    page = browse(**PHONE).page()
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        page.screenshot(path=tmp_path / f"step-{steps:02}.png")

    page.goto(f"{site}/host")
    step()
    page.fill("#pin", table.host_pin)
    page.locator("button.main").click()
    step()
    page.get_by_role("link", name="New match").click()
    step()
    page.get_by_role("link", name="Make a game of your own").click()
    step()
    page.get_by_role("link", name=re.compile("^Scopa")).click()
    step()
    page.get_by_label("What is it called?").fill("Scopa for three")
    step()
    page.locator("#low").fill("3")
    step()
    page.locator("#high").fill("3")
    step()
    page.locator("#part-try summary").click()
    step()
    page.get_by_role("button", name="Seven of diamonds").click()
    expect(page.locator("#points tfoot")).to_contain_text("3")
    expect(page.locator("#troubles")).to_contain_text("Nothing is missing")
    step()
    page.get_by_role("button", name="Save and play").first.click()
    page.wait_for_url("**/host/new/scopa-for-three")
    step()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/host")
    step()
    page.goto(f"{site}/join/1")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/seat/1")
    step()
    over = page.get_by_role("button", name="The round is over")
    expect(over).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="+2", exact=True).click()
    step()
    page.get_by_role("button", name="Points, plus or minus 2").click()
    step()
    over.click()
    expect(page.locator("body")).to_contain_text("Round 2", timeout=60_000)
    step()
    assert table.match.header.game == "scopa-for-three"
    assert [finished.points[0] for finished in table.match.state.past] == [2]
    assert steps <= MOST
