"""Scopa for three, made in the browser and scored once: the steps of docs/any-game.md, and no more than twenty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.appliance.settings import owner_for
from companion.games.from_file.laying import Lay, Take
from companion.games.from_file.saying import Enter
from companion.referee.commands import Play
from companion.referee.journal import Journal
from companion.rules.kernel import Action
from companion.table.table import Demo, DemoTable
from tests.games.from_file.test_table import Truth
from tests.waiting import until
from tests.web.conftest import PHONE, SCREEN, Sites
from tests.web.test_axe import Browse

MOST = 20
GRID = {"105": 5, "20D": 25, "309": 9, "402": -2, "106": 6, "307": 7}
"""What lies in a grid, by card, where a king costs twenty-five; no two of a column are alike."""


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
    # The trial has as many seats as the game, without a tap.
    expect(page.locator("#try-sweeps-4")).to_have_count(0)
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
    page.get_by_role("link", name="Sit down").click()
    step()
    page.locator("input[name=seat][value='1']").check(force=True)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Take its place").click()
    page.wait_for_url("**/seat/1")
    step()

    # At a simulated table cards are laid on the mat's own page: the robots wait for who has still to take some.
    page.goto(f"{site}/simulated")
    expect(page.locator("header").first).to_contain_text("Lay a card in the row", timeout=120_000)
    until(lambda: table.session.camera_loop.resting)
    card = page.locator(".held-card").first
    laid = card.get_attribute("data-piece") or ""
    card.focus()
    lay_in(page, "row")
    until(lambda: Lay(seat=1, card=laid) in actions(table))
    step()
    others = [piece for piece in table.match.state.lies("row") if piece not in ("", laid)]
    for piece in (*others[:1], laid):
        title = table.session.game.deck.by_piece()[piece].title
        page.get_by_role("button", name=f"{title}, in the row").focus()
        lay_in(page, "taken.1")
        until(lambda piece=piece: Take(seat=1, zone="row", cards=(piece,)) in actions(table))
    step()
    page.get_by_role("button", name="+2", exact=True).click()
    step()
    page.get_by_role("button", name="Points, plus or minus 2").click()
    step()
    page.get_by_role("button", name="The round is over").click()
    page.get_by_role("button", name="Tap again: round 1 is over for everybody").click()
    expect(page.locator("body")).to_contain_text("Round 2", timeout=60_000)
    step()
    assert table.match.header.game == "scopa-for-three"
    # What the cards come to, an independent scorer counts from what everybody did.
    truth = Truth("scopa", 3, table.match.header.setup["first"])
    for action in actions(table):
        truth.follow(action)
        if truth.closed:
            break
    first = table.match.state.past[0].points
    assert list(first) == [truth.points[0] + 2, *truth.points[1:]]
    assert steps <= MOST


def lay_in(page: Page, zone: str) -> None:
    """Lay the card that has the focus into a zone."""
    page.keyboard.press("Enter")
    page.get_by_label("Lay it in").select_option(zone)
    page.get_by_role("button", name="Lay it there").click()


def actions(table: DemoTable) -> list[Action]:
    """List what everybody did that counts."""
    return [record.action for record in table.match.records() if record.action is not None]


WHERE = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const label = one.labels && one.labels[0] ? one.labels[0].innerText : one.innerText || "";
  return [label.trim(), box.width > 0 && box.height > 0, getComputedStyle(one).outlineStyle];
}"""
"""Describes what has the focus: its words, whether it can be seen, and the line around it."""


@pytest.mark.browser
@pytest.mark.night
def test_a_game_is_made_with_keys_alone(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    demo = Demo(games.load("scopa"), games.load_mat("scopa", 4), 2, 8.0)
    table = DemoTable(demo, Journal(tmp_path / "state"), "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.start()
    site = site_of(table)
    page = browse(**SCREEN).page()

    def to(words: str, back: bool = False) -> None:
        """Go on with Tab to what begins with these words."""
        for _ in range(150):
            page.keyboard.press("Shift+Tab" if back else "Tab")
            said, seen, ring = page.evaluate(WHERE)
            assert seen, f"the focus is on something that can't be seen: {said}"
            assert ring != "none" or not said, f"nobody sees where the focus is: {said}"
            if said.startswith(words):
                return
        raise AssertionError(f"Tab does not lead to {words!r}")

    page.goto(f"{site}/host")
    page.fill("#pin", table.host_pin)
    page.locator("button.main").click()
    page.goto(f"{site}/host/games/new")
    to("Scopa")
    page.keyboard.press("Enter")
    expect(page.get_by_label("What is it called?")).to_be_focused()
    page.keyboard.type("Scopa by keys")
    to("What counts")
    to("Most cards")
    page.keyboard.press("Enter")
    to("More about it")
    page.keyboard.press("Enter")
    to("Times")
    page.keyboard.press("Control+a")
    page.keyboard.type("2")
    to("Further down")
    page.keyboard.press("Enter")
    expect(page.locator("#block-2 summary").first).to_contain_text("Most cards")
    to("One more thing that counts")
    page.keyboard.type("Who has")
    to("Add it")
    page.keyboard.press("Enter")
    # The new block is open, and has the focus: what it lacks is said at once, and done with keys.
    expect(page.locator(".block:last-child summary").first).to_be_focused()
    expect(page.locator(".block:last-child .message")).to_contain_text("Tick what it is made of")
    to("Sweeps")
    page.keyboard.press("Space")
    expect(page.locator("#troubles")).to_contain_text("Nothing is missing")
    to("Save and play")
    page.keyboard.press("Enter")
    page.wait_for_url("**/host/new/scopa-by-keys")
    to("Begin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/host")
    (most, added) = (
        block
        for block in table.session.game.components.score.score
        if block.op == "majority" and (block.name == "most" or block.of == ("sweeps",))
    )
    assert (most.times, added.of) == (2, ("sweeps",))


@pytest.mark.browser
@pytest.mark.night
def test_cards_that_are_laid_at_the_table_are_worth_what_the_made_game_says(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    demo = Demo(games.load("golf"), games.load_mat("golf", 2), 2, 8.0, people=2)
    table = DemoTable(demo, Journal(tmp_path / "state"), "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.start()
    site = site_of(table)
    page = browse(**SCREEN).page()
    page.goto(f"{site}/host")
    page.fill("#pin", table.host_pin)
    page.locator("button.main").click()
    page.goto(f"{site}/host/games/new?like=golf")
    page.get_by_label("What is it called?").fill("Dear kings")
    page.locator("#part-worth summary").click()
    page.locator("#worth-golf").fill("2 = -2, 11 = 10, 12 = 10, 13 = 25")
    page.get_by_role("button", name="Save and play").first.click()
    page.wait_for_url("**/host/new/dear-kings")
    page.get_by_label("2", exact=True).check(force=True)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/host")
    page.goto(f"{site}/join/1")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/seat/1")

    # With keys alone: whoever can't drag lays cards, too.
    page.goto(f"{site}/simulated")
    for n, piece in enumerate(GRID, 1):
        page.locator(f".held-card[data-piece='{piece}']").focus()
        page.keyboard.press("Enter")
        page.get_by_label("Lay it in").select_option("grid.1")
        page.get_by_role("button", name="Lay it there").press("Enter")
        until(lambda n=n: sum(map(bool, table.match.state.lies("grid.1"))) == n and table.session.camera_loop.resting)
    (own, _) = table.snapshot().standing.seats
    assert [(part.name, part.value) for part in own.parts] == [("round 1", sum(GRID.values()))]
    assert all(record.by == "table" for record in table.match.records())

    # The page on which the game is made counts the same cards as the camera sees them.
    page.goto(f"{site}/host/games/new?change=dear-kings")
    page.locator("#part-try summary").click()
    page.locator("input[name=place][value='grid.1']").check()
    page.get_by_role("button", name="Lay what the camera sees there").click()
    expect(page.locator("#points tfoot")).to_contain_text(str(sum(GRID.values())))

    # Of the other grid nothing was seen: its points are typed.
    assert table.session.command(Play(seat=2, action=Enter(seat=2, what="points", amount=3))).ok
    page.goto(f"{site}/seat/1")
    page.get_by_role("button", name="The round is over").click()
    page.get_by_role("button", name="Tap again: round 1 is over for everybody").click()
    page.goto(site)
    expect(page.locator("[data-part=tally]")).to_contain_text(str(sum(GRID.values())), timeout=60_000)
    assert [finished.points for finished in table.match.state.past] == [(sum(GRID.values()), 3)]
