"""A real browser, if there is one here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.bench.figures import BenchError, optional
from companion.untyped import Foreign, JsonObject

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


def _chromium() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


@contextmanager
def chromium() -> Iterator[Foreign]:
    """Context manager of a running browser; BenchError if there is none here."""
    playwright: Foreign = optional("playwright.sync_api")
    if playwright is None:
        raise BenchError("playwright is not installed (pip install playwright)")
    if _chromium() is None:
        raise BenchError("Chromium is not installed (apt install chromium)")
    with playwright.sync_playwright() as play:
        # Its sandbox needs privileges that containers do not give; it only ever sees our own page.
        browser = play.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page(browser: Foreign, how: JsonObject | None = None, cookies: Sequence[JsonObject] = ()) -> Iterator[Foreign]:
    """Context manager of a new page of a new profile, on a screen as `how` says."""
    context = browser.new_context(**(how or {}))
    try:
        context.add_cookies(list(cookies))
        yield context.new_page()
    finally:
        context.close()
