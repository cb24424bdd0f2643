"""Tabs of one real browser: when each page has changed after something happened."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.bench.figures import BenchError, optional
from companion.untyped import Foreign

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
PATIENCE_MS = 10_000

WATCH = """
window.heard = 0;
new MutationObserver(() => { window.heard = window.heard || Date.now(); })
    .observe(document, {subtree: true, childList: true, characterData: true});
"""
"""JavaScript that records when a page first changed after `heard` was set to 0."""


def _chromium() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


def missing() -> str:
    """Return what is missing to measure with a browser; "" if nothing is."""
    if optional("playwright.sync_api") is None:
        return "playwright is not installed (pip install playwright)"
    return "" if _chromium() else "Chromium is not installed (apt install chromium)"


@contextmanager
def chromium() -> Iterator[Foreign]:
    """Context manager of a running browser; BenchError if there is none here."""
    if absent := missing():
        raise BenchError(absent)
    playwright: Foreign = optional("playwright.sync_api")
    with playwright.sync_playwright() as play:
        # Its sandbox needs privileges that containers do not give; it only ever sees our own page.
        browser = play.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def tabs(url: str, act: Callable[[], None], count: int, events: int, pause: float) -> tuple[list[float], list[float]]:
    """Open a page in a number of tabs of one browser, and call `act` repeatedly, `pause` seconds apart.

    Returns the times (ms) of all tabs, and of the last tab for each event.

    Raises:
        BenchError: if a tab does not hear of an event.
    """
    playwright: Foreign = optional("playwright.sync_api")
    every: list[float] = []
    last: list[float] = []
    with chromium() as browser:
        context = browser.new_context()
        pages = []
        for _ in range(count):
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector("body[data-live=live]", timeout=PATIENCE_MS)
            pages.append(page)
        for page in pages:
            page.evaluate(WATCH)
        for _ in range(events):
            time.sleep(pause)
            for page in pages:
                page.evaluate("window.heard = 0")
            began = time.time() * 1000
            act()
            times = [_heard(page, playwright) - began for page in pages]
            every += times
            last.append(max(times))
    return every, last


def _heard(page: Foreign, playwright: Foreign) -> float:
    try:
        return float(page.wait_for_function("() => window.heard", timeout=PATIENCE_MS).json_value())
    except playwright.TimeoutError:
        raise BenchError(f"a tab heard nothing for {PATIENCE_MS / 1000:g} seconds") from None
