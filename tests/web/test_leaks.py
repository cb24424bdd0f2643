"""A page that stays open for an evening does not grow."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.server.desks import ShowDesk, view
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import join

pytestmark = [pytest.mark.browser, pytest.mark.night]
Browse = Callable[..., Watched]


def kept(page: Page) -> dict[str, float]:
    """Count what a page keeps after its rubbish was collected: nodes, listeners, bytes of script."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    session.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return {name: found[name] for name in ("Nodes", "JSEventListeners", "JSHeapUsedSize")}


def test_a_page_that_hears_of_much_keeps_nothing_of_it(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(4)
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    counts = []
    for n in range(1, 241):
        words = f"What comes {n}. " + "It is long. " * 40
        views = tuple(view(seat, f"Headline {n} of {seat}.") for seat in range(5))
        desk.show(sentence=words, views=views, record=n)
        page.wait_for_function(
            "n => (document.querySelector('.said-words') || {textContent: ''}).textContent.includes(`comes ${n}.`)",
            arg=n,
        )
        if n in (120, 240):
            counts.append(kept(page))
    early, late = counts
    # A page that held on to what it exchanged would have two more with every event.
    assert late["Nodes"] < early["Nodes"] + 100
    assert late["JSEventListeners"] <= early["JSEventListeners"]
    assert late["JSHeapUsedSize"] < early["JSHeapUsedSize"] + 300_000
