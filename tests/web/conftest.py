"""A real Chromium, and pages served from the test's own process so that a test can reach the desk behind them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import make_server

from companion.server.app import create_app, shut
from companion.server.feed import Feed
from tests.server.conftest import client_of as client_of

Sites = Callable[..., "Site"]
CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Chromium without its windows: the same engine, for two thirds of the processor time."""
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


class Site(str):
    """The address of served pages, with what is behind it."""

    __slots__ = ("feed", "stop")
    feed: Feed
    stop: Callable[[], None]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once."""
    expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def site_of() -> Iterator[Sites]:
    """Serve desks; give their addresses."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running: list[Site] = []

    def serve(desk: Any, port: int = 0, prepare: Callable[[Flask], None] | None = None, **more: Any) -> Site:
        app = create_app(desk, close=desk.close, **more)
        if prepare is not None:
            prepare(app)
        server = make_server("127.0.0.1", port, app, threaded=True)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()

        def stop() -> None:
            shut(app)
            server.shutdown()
            server.socket.close()

        site = Site(f"http://127.0.0.1:{server.server_port}")
        site.feed = app.extensions["companion"].feed
        site.stop = stop
        running.append(site)
        return site

    yield serve
    for site in running:
        if not site.feed.closing:
            site.stop()


class Watched:
    """A browser context whose pages must not complain: no script error, no blocked resource, no other host."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.complaints: list[str] = []
        self.asked: list[str] = []
        # Who is asked to wait (423) asks again; browsers call that an error all the same.
        context.on(
            "console",
            lambda said: (
                self.complaints.append(said.text)
                if said.type in ("error", "warning") and "status of 423" not in said.text
                else None
            ),
        )
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", lambda request: self.asked.append(request.url))

    def page(self) -> Page:
        """Open a tab."""
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        return page


@pytest.fixture
def browse(chromium: Browser) -> Iterator[Callable[..., Watched]]:
    """Make contexts (each with cookies of its own) that are checked at the end."""
    opened: list[Watched] = []

    def make(**how: Any) -> Watched:
        watched = Watched(chromium.new_context(**how))
        opened.append(watched)
        return watched

    yield make
    for watched in opened:
        watched.context.close()
        assert watched.complaints == []
