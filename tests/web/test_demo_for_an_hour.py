"""A demo that is left alone with its pages open for an hour, as in a shop window: with COMPANION_LONG=1 only.

Matches follow one another, of each game in turn; the process holds no more in the end than when it had settled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion.bench.processes import free_port, memory_mb, serving
from tests.web.conftest import SCREEN, Watched
from tests.web.test_played_by_hand import LONG

HOUR, SETTLED, PULSE = 3600.0, 1800.0, 15.0
"""Seconds: how long it is watched, from when on it may not grow any more, and between two looks."""
MOST_MB, GROWTH_MB = 600.0, 24.0
"""The process and its children at most (a fifth is gunicorn's own process), and how much more at the end than when it
had settled.
"""

pytestmark = [pytest.mark.browser, pytest.mark.night]
Browse = Callable[..., Watched]


@pytest.mark.skipif(LONG not in os.environ, reason="it takes an hour: COMPANION_LONG=1")
def test_a_demo_with_open_pages_goes_on_for_an_hour_and_does_not_grow(browse: Browse) -> None:
    port = free_port()
    with serving(["-m", "companion", "demo", "--speed", "8", "--port", str(port)], port) as running:
        pages: list[Page] = []
        for path in ("/", "/simulated"):
            pages.append(browse(**SCREEN).page())
            pages[-1].goto(f"http://127.0.0.1:{port}{path}")
        begun, held, matches = time.monotonic(), [], []
        while (gone := time.monotonic() - begun) < HOUR:
            for page in pages:
                page.wait_for_timeout(PULSE * 500)
            state = pages[0].request.get(f"http://127.0.0.1:{port}/state/public").json()
            if state["match"] not in matches:
                matches.append(state["match"])
            held.append((gone, memory_mb(running.pid) or 0.0))
        for page in pages:
            page.close()
        assert len(matches) >= 3
        settled = max(mb for at, mb in held if at < SETTLED)
        assert max(mb for _, mb in held) < MOST_MB, held
        assert max(mb for at, mb in held if at >= SETTLED) < settled + GROWTH_MB, held
