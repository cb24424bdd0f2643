"""A person who has not read the rules: presses the strongest control of the page, and lays what the page marks where it
points. Knows nothing but what the seat's page and the simulated table show.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page

from tests.web.conftest import PHONE

SCREEN: dict[str, Any] = {"width": 1280, "height": 720}
PATIENCE_MS = 90_000
"""How long a page may take: a busy machine is slow, not wrong."""
SHORT = 3_000
"""Milliseconds after which what was to be pressed is thought gone: the page was painted anew."""

WAITS = 8.0
"""Seconds for which somebody waits for the page to say something about what was done."""

REST = 1_000
"""Milliseconds in which the table page sees what was laid."""

STRONGEST = """() => {
  const there = one => one.checkVisibility() && !one.disabled && !one.closest("[aria-busy], .facts, .real")
    && !one.matches("details[id^=facts-of] > summary")  // "if the camera can't see it": it can
    && !one.matches("details[open] > summary");
  const order = [
    ".question .answers .tap.main", ".question .answers .tap",
    ".offers .tap.main", ".offers .tap", "details:has(> .main)[open] :is(.chip-tap, .card-of > summary)",
    ".deed .tap.main", ".deed .roll", "summary.raised", ".deed .chip-tap:not([aria-pressed])",
    ".deed .tap:not(.small, .step, .quick)", ".deed .tap.small",
  ];
  const main = document.querySelector("main");
  for (const kind of order) {
    const one = Array.from(main.querySelectorAll(kind)).find(there);
    if (one) { return [kind, one]; }
  }
  return [];
}"""
"""Finds what stands out most of all that can be pressed: the kind of control, and the control."""

ARROW = """() => {
  const arrow = document.querySelector(".mat .aim-arrow"), turn = document.querySelector(".mat .aim-over");
  if (document.querySelector(".mat.served")) { return null; }  // hidden: robots lay it
  if (turn) {
    const box = turn.getBoundingClientRect();
    return [[box.x + box.width / 2, box.y + box.height / 2]];
  }
  if (!arrow) { return null; }
  const to = arrow.getScreenCTM(), end = n => {
    const at = new DOMPoint(arrow["x" + n].baseVal.value, arrow["y" + n].baseVal.value).matrixTransform(to);
    return [at.x, at.y];
  };
  const kind = `.held-card.raised[data-piece="${arrow.dataset.bring}"]`, brought = document.querySelector(kind);
  if (!brought) { return [end(1), end(2)]; }
  brought.scrollIntoView({block: "nearest"});
  const box = brought.getBoundingClientRect();
  return [[box.x + box.width / 2, box.y + box.height / 2], end(2)];
}"""
"""Finds the first arrow on the mat: where it begins and ends (pixels); what it brings is marked beside the table.

One point alone is a piece that has to be turned over.
"""

GRIP = """one => {
  const box = one.getBoundingClientRect(), spots = [.5, .15, .85, .05, .95];
  for (const v of spots) {
    for (const u of spots) {
      const x = box.left + u * box.width, y = box.top + v * box.height, there = document.elementFromPoint(x, y);
      if (there && one.contains(there)) { return [x, y]; }
    }
  }
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""
"""Finds a point (pixels) at which nothing covers a piece."""

ROOM = """(goal, size) => {
  const box = goal.getBoundingClientRect(), others = document.querySelectorAll(".mat .piece:not(.up)");
  const taken = Array.from(others, one => one.getBoundingClientRect());
  let best = null;
  for (const u of [.5, .3, .7, .15, .85]) {
    for (const v of [.5, .25, .75]) {
      const x = box.x + u * box.width, y = box.y + v * box.height;
      const over = taken.reduce((sum, one) => sum
        + Math.max(0, Math.min(x + size[0] / 2, one.right) - Math.max(x - size[0] / 2, one.left))
        * Math.max(0, Math.min(y + size[1] / 2, one.bottom) - Math.max(y - size[1] / 2, one.top)), 0);
      if (!best || over < best[0] - 1) { best = [over, x, y]; }
    }
  }
  return best.slice(1);
}"""
"""Finds the point of a marked place where a piece of a size covers the least."""


class Newcomer:
    """Somebody with a phone, and a screen that shows the simulated table."""

    def __init__(self, phone: Page, table: Page) -> None:
        self.phone = phone
        self.table = table
        self.how: Counter[str] = Counter()
        """What was pressed and laid, how often; "screens": how far the phone was scrolled, in screens."""
        self._acted = 0.0, ""

    @classmethod
    def sits_down(cls, context: BrowserContext, site: str, seat: int, name: str) -> Newcomer:
        """Take a seat with a phone of `context`; the simulated table opens beside it."""
        phone = context.new_page()
        phone.set_default_timeout(PATIENCE_MS)
        phone.goto(f"{site}/join/{seat}")
        phone.fill("#name", name)
        phone.locator("form button.main").tap()
        phone.wait_for_url(f"**/seat/{seat}")
        browser = context.browser
        assert browser is not None
        screen = browser.new_context(viewport=SCREEN, storage_state=context.storage_state())
        table = screen.new_page()
        table.set_default_timeout(PATIENCE_MS)
        table.goto(f"{site}/simulated")
        return cls(phone, table)

    def due(self) -> bool:
        """Whether the phone says that something is to be done here: it is the seat's turn, or it is asked."""
        when, said = self._acted
        if time.monotonic() - when < WAITS and (
            self.phone.inner_text("main") == said or self.phone.locator(".seen").count()
        ):
            return False  # nobody moves on before the page has understood the last move
        return self.phone.locator("[data-mine], main .question .answers .tap").count() > 0

    def pointed(self) -> list[list[float]] | None:
        """Return where an arrow on the table leads from and to, if there is one."""
        try:
            found: list[list[float]] | None = self.table.evaluate(ARROW)
        except Error as error:
            if "navigation" not in error.message:
                raise
            return None  # the page begins anew when somebody sits down: it points to nothing yet
        return found

    def act(self) -> bool:
        """Do what the pages suggest most; return whether there was anything to do."""
        self._acted = time.monotonic(), self.phone.inner_text("main")
        try:
            return self._strongest()
        except Error:
            return True  # the page was painted anew under the finger

    def follow(self) -> bool:
        """Move the piece that an arrow on the table begins at to where it ends."""
        ends = self.pointed()
        if ends is None:
            return False
        if len(ends) == 1:
            self.table.mouse.click(*ends[0])
            self.how["turned over"] += 1
            return True
        self._drag(*ends)
        self.how["followed an arrow"] += 1
        return True

    def _strongest(self) -> bool:
        handle = self.phone.evaluate_handle(STRONGEST)
        kind = handle.get_property("0").json_value()
        if kind and ("main" in kind or "question" in kind or "offers" in kind or "roll" in kind):
            return self._press(handle, kind)
        # Nothing stands out on the phone: what may be laid is marked on the table.
        marked = self.table.locator(".held-card.raised, .piece.raised")
        if marked.count():
            return self._lay(marked.first)
        return bool(kind) and self._press(handle, kind)

    def _press(self, handle: Any, kind: str) -> bool:
        control = handle.get_property("1").as_element()
        down = control.evaluate("one => one.getBoundingClientRect().bottom - innerHeight")
        self.how["screens"] += max(0, down) / PHONE["viewport"]["height"]
        control.tap(timeout=SHORT)
        self.how["tap"] += 1
        self.how[f"tap {kind}"] += 1
        return True

    def _lay(self, marked: Any) -> bool:
        """Take up a marked piece, and lay it where the table then shows that it may go."""
        marked.scroll_into_view_if_needed(timeout=SHORT)
        start = marked.evaluate(GRIP, timeout=SHORT)
        mouse = self.table.mouse
        mouse.move(*start)
        mouse.down()
        try:
            mouse.move(start[0] + 9, start[1] - 9, steps=2)
            held = self.table.locator(".mat .piece.up").last.bounding_box(timeout=SHORT)
            goal = self.table.locator(".goal, .tray.wanted").first
            assert held is not None
            mouse.move(*goal.evaluate(ROOM, [held["width"], held["height"]], timeout=SHORT), steps=4)
        finally:
            mouse.up()
        self.how["laid"] += 1
        self.table.wait_for_timeout(REST)
        return True

    def _drag(self, start: list[float], end: list[float]) -> None:
        mouse = self.table.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        mouse.move(*end, steps=3)
        mouse.up()

    def sees(self) -> str:
        """Return what both pages say, for who wants to know where one stopped."""
        return f"{self.phone.inner_text('body')}\n-- on the table --\n{self.table.inner_text('.narrow')}"
