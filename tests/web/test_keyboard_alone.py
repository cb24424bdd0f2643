"""One whole turn of each game by keyboard alone: Tab to what stands out, Enter or Space on it.

The match is kept without a camera, so that every card can be chosen on the page. The keys are pressed as somebody does
who sees the page; nothing is focused by the script.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from companion import games
from companion.bench.prepared import prepared
from companion.referee.commands import Play
from companion.rules.kernel import Need, Opened, Rolled, Seat, Shown, fill, holes
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from tests.nights import at_night
from tests.waiting import within
from tests.web.conftest import SCREEN, Sites

pytestmark = pytest.mark.browser

SEEDS = {"collectible": 14, "collection": 14, "collectors": 12, "five-cards-collector": 4, "karmic-collections": 4}
MOST = 90
"""Tabs after which something is taken to be out of reach: a page has no more that can be pressed."""

FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) { return null; }
  const main = document.querySelector("main"), box = one.getBoundingClientRect();
  return {
    deed: main.contains(one) && Boolean(one.closest(".deed, .offers, .question, .upkeep, [data-part=upkeep], .bid"))
      && !one.matches(".shut"),
    card: one.matches("summary.raised"), facts: Boolean(one.closest(".facts")), kind: one.type || one.tagName,
    summary: one.tagName === "SUMMARY", open: one.tagName === "SUMMARY" && one.parentElement.open,
    real: Boolean(one.closest(".real")), step: one.matches(".step, .quick"), pressed: one.getAttribute("aria-pressed"),
    words: one.innerText || one.ariaLabel || "", seen: box.width > 0 && box.height > 0,
    reveal: Boolean(one.closest("details") && one.closest("details").querySelector("[data-kind=opened]")),
    ring: getComputedStyle(one).outlineStyle,
  };
}"""
"""Describes what has the focus."""

PAINTED = """n => document.querySelector("[data-mine]") && !document.querySelector("[aria-busy]")
  && Number((document.querySelector("[data-record]") || {dataset: {record: 0}}).dataset.record) >= n"""
"""Whether the page is due, and shows record n."""


class Keys:
    """Somebody without a mouse at a seat's page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed: Counter[str] = Counter()

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.pressed[key] += 1

    def next(self) -> dict[str, Any] | None:
        """Go on to the next control, and describe it."""
        self.press("Tab")
        found: dict[str, Any] | None = self.page.evaluate(FOCUSED)
        if found is not None:
            assert found["seen"], f"the focus is on something that can't be seen: {found}"
            assert found["ring"] != "none", f"nobody sees where the focus is: {found}"
        return found

    def act(self, done: list[str]) -> str:
        """Go through the page to the first thing that was not `done` yet, else to the first; return its words."""
        for n in range(2 * MOST):
            now = self.next()
            if now is None or not (now["deed"] or now["card"]) or now["real"] or now["step"] or now["reveal"]:
                continue  # dice are rolled here, and nobody ends the match on the first turn
            if now["kind"] == "number" and now["facts"]:
                self.press("1")
            elif now["kind"] in ("radio", "checkbox"):
                self.press("Space")
            elif now["summary"]:
                if not now["open"]:
                    self.press("Enter")
            elif now["pressed"] is None and now["kind"] != "number" and (n > MOST or now["words"] not in done):
                self.press("Enter" if now["kind"] == "submit" else "Space")
                return str(now["words"])
        raise AssertionError(f"nothing to be done is within reach of the keys:\n{self.page.inner_text('body')}")


FIRST = "five-cards-collector"


@pytest.mark.parametrize("name", [FIRST, *at_night(*(name for name in games.packages() if name != FIRST))])
def test_a_whole_turn_is_played_with_keys_alone(
    name: str, chromium: Browser, site_of: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game = games.load(name)
    seats = game.info.seats[0]
    header, steps = prepared(game, seats, SEEDS[name])
    table = Table(session_maker(game, games.load_mat(name, seats), None, NoCamera), header, None, "HTTP://10.42.0.1/J")
    table.start()
    # What comes before the first turn is told to the table.
    for action, facts in steps:
        state: Any = table.match.state
        if state.turn and game.actors(state) == (state.turn,) and action.seat == state.turn:
            break
        assert table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
    context = chromium.new_context(**SCREEN)
    page, site, seat = context.new_page(), site_of(table), table.match.state.turn
    page.goto(f"{site}/join/{seat}")
    page.fill("#name", "Anna")
    page.locator("form button.main").click()
    page.wait_for_url(f"**/seat/{seat}")
    keys, done = Keys(page), list[str]()
    while table.match.state.turn == seat and game.actors(table.match.state):
        before = len(table.match.records())
        if seat not in game.actors(table.match.state):
            others(table, seat)
        else:
            page.wait_for_function(PAINTED, arg=before)
            done.append(keys.act(done))
        gone_on = within(30, lambda n=before: len(table.match.records()) > n)  # type: ignore[misc]
        assert gone_on, f"nothing came of {done[-1:]}:\n{page.inner_text('body')}"
    print(name, done, dict(keys.pressed))
    context.close()


def others(table: Table, seat: Seat) -> None:
    """Tell the table the first thing that somebody else, or the table itself, may do now."""
    game, state = table.session.game, table.match.state
    for template in (one for one in game.legal(state) if one.seat != seat):
        action = fill(template, **{name: min(hole.pieces) for name, hole in holes(template)})
        facts = tuple(fact(need) for need in game.needs(state, action))
        if table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok:
            return
    raise AssertionError(f"nobody else can go on: {state}")


def fact(need: Need) -> Shown | Opened | Rolled:
    """Return a fact that fits."""
    if need.kind == "rolled":
        return Rolled(place=need.place, values=(1,) * need.count)
    if need.kind == "opened":
        return Opened(place=need.place, pieces=tuple(sorted(need.pieces)[: need.count]))
    return Shown(place=need.place, piece=min(need.pieces))
