"""Games that are made in the browser by answers, and scored once: Scopa for three as docs/any-game.md says."""

from __future__ import annotations

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
from companion.server.maker_steps import STEPS
from companion.table.table import Demo, DemoTable
from tests.games.from_file.test_table import Truth
from tests.nights import at_night
from tests.server.test_maker_answers import SAID
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
    page.locator("#like").select_option("scopa")
    page.get_by_role("button", name="Begin with it").click()
    step()
    page.get_by_role("button", name="Who plays?").click()
    page.locator("#low").fill("3")
    page.locator("#high").fill("3")
    expect(page.locator(".so-far")).to_contain_text("3 play.")
    step()
    page.get_by_role("button", name="Try the score").click()
    page.get_by_role("button", name="Seven of diamonds").click()
    expect(page.locator("#points tfoot")).to_contain_text("3")
    step()
    page.get_by_role("button", name="Back to the questions").click()
    page.get_by_role("button", name="The rest is as usual").click()
    page.get_by_label("Its name").fill("Scopa for three")
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
  const own = one.getAttribute("aria-label") || one.innerText || "";
  const label = one.labels && one.labels[0] ? one.labels[0].innerText : own;
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
    to("Or begin with a game")
    page.keyboard.type("Scopa")
    to("Begin with it")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Its name")).to_be_focused()
    page.keyboard.type("Scopa by keys")
    to("What counts?")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("What counts?")
    to("Points for the most cards")
    page.keyboard.press("Control+a")
    page.keyboard.type("2")
    to("Next")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Do certain cards count?")
    to("Rank")
    page.keyboard.type("King")
    to("The rest is as usual")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Its name")).to_have_value("Scopa by keys")
    to("Save and play")
    page.keyboard.press("Enter")
    page.wait_for_url("**/host/new/scopa-by-keys")
    to("Begin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/host")
    blocks = {block.name: block for block in table.session.game.components.score.score}
    assert (blocks["most"].times, blocks["king"].where) == (2, {"suit": "diamonds", "rank": "13"})


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
    page.get_by_role("button", name="What is each card worth?").click()
    page.locator("[name='values.13']").fill("25")
    page.get_by_role("button", name="The rest is as usual").click()
    page.get_by_label("Its name").fill("Dear kings")
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
    page.get_by_role("button", name="Try the score").click()
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


TALLEST = 2 * 844
"""Two screens of a phone: no page of the walk is longer."""


def fill(page: Page, field: str, form: str, said: str) -> None:
    """Answer a field as a finger does."""
    if form == "one":
        page.locator(f"input[name={field}][value='{said}']").check()
    elif form == "many":
        for box in page.locator(f"input[name={field}]").all():
            box.set_checked(box.get_attribute("value") in said.split())
    elif form == "ranks":
        for rank, worth in (one.split("=") for one in said.split()):
            page.locator(f"[name='{field}.{rank}']").fill(worth)
    elif form == "special":
        for n, parts in enumerate(one.split(":") for one in said.split()):
            page.locator(f"[name='{field}.{n}.rank']").select_option(parts[0])
            page.locator(f"[name='{field}.{n}.suit']").select_option(parts[1])
            page.locator(f"[name='{field}.{n}.points']").fill(parts[2])
    else:
        page.locator(f"[name={field}]").fill(said)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["hearts", "yacht", *at_night(*sorted({*SAID} - {"hearts", "yacht"}))])
def test_a_game_is_made_by_its_answers_and_a_round_of_it_is_scored(
    name: str, site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From the kind to "Begin" in at most twelve answers, without its name, on a phone and with no page too long."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    demo = Demo(games.load("golf"), games.load_mat("golf", 2), 2, 8.0, people=2)
    table = DemoTable(demo, Journal(tmp_path / "state"), "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.start()
    site = site_of(table)
    page = browse(**PHONE).page()
    page.goto(f"{site}/host")
    page.fill("#pin", table.host_pin)
    page.locator("button.main").click()
    page.goto(f"{site}/host/games/new")
    kind, said = SAID[name]
    answers, left = 1, dict(said)
    page.locator(f"a[href$='kind={kind}']").click()
    while (step := page.locator("input[name=step]").get_attribute("value")) != "name":
        fields = next(one.fields for one in STEPS[kind] if one.name == step)
        for field in fields:
            if field.name in left:
                fill(page, field.name, field.form, left.pop(field.name))
        assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST, step
        page.get_by_role("button", name="Next").click()
        expect(page.locator("input[name=step]")).not_to_have_value(step or "")
        answers += 1
    assert not left
    assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST
    page.get_by_role("button", name="Try the score").click()
    expect(page.locator("h1")).to_have_text("Try the score")
    assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST
    page.get_by_role("button", name="Back to the questions").click()
    page.get_by_label("Its name").fill("Ours")
    page.get_by_role("button", name="Save and play").click()
    page.wait_for_url("**/host/new/ours")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/host")
    assert answers + 2 <= 12
    scored_round(page, site, table)


@pytest.mark.browser
@pytest.mark.night
@pytest.mark.parametrize("language", ["de-DE", "sv-SE"])
def test_what_was_answered_stands_on_two_screens_in_other_languages(
    language: str, site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Sentences are longest there: each of the twenty, opened as answers, with what only its file says."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    demo = Demo(games.load("golf"), games.load_mat("golf", 2), 2, 8.0, people=2)
    table = DemoTable(demo, Journal(tmp_path / "state"), "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    site = site_of(table)
    page = browse(**PHONE, locale=language).page()
    page.goto(f"{site}/host")
    page.fill("#pin", table.host_pin)
    page.locator("button.main").click()
    for name in sorted(SAID):
        page.goto(f"{site}/host/games/new?like={name}")
        assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST, name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"], name


def scored_round(page: Page, site: str, table: DemoTable) -> None:
    """Sit down, type points, as after a round that the camera did not see, and say that the round is over."""
    page.goto(f"{site}/join/1")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down").click()
    take = page.get_by_role("button", name="Take its place")
    until(lambda: take.is_visible() or page.url.endswith("/seat/1"))
    if take.is_visible():
        take.click()
    page.wait_for_url("**/seat/1")
    points = page.get_by_role("button", name="Points, plus or minus")
    points.locator("xpath=preceding::button[text()='+2'][1]").click()
    points.click()
    page.get_by_role("button", name="The round is over").click()
    page.get_by_role("button", name="Tap again: round 1 is over for everybody").click()
    until(lambda: bool(table.snapshot().standing.rounds))
    assert 2 in table.snapshot().standing.rounds[0]
