"""The pages in a real browser on a slow processor: how soon they show something, how much comes over the network.

A first visit is one with an empty cache. What an event costs is what it sends to a page, and how much of the page it
paints anew.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, ExitStack

from benchmarks import browser
from benchmarks.phone_table import plan
from benchmarks.phones import SEATS, Players, table_of_phones
from companion.bench.figures import BenchError, Row, Section, at_most, median
from companion.bench.processes import HOST, Running, free_port, serving
from companion.bench.start import RUN
from companion.untyped import Foreign, JsonObject

SLOWER = 4
"""Factor by which the browser's processor is slowed down: a phone of some years ago against a desktop computer."""
PAINT_S, VISIT_KB = 1.0, 150.0
"""The aim for the first paint, and the limit for a first visit."""
PIN = "246810"
PHONE: JsonObject = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
SCREEN: JsonObject = {"viewport": {"width": 1280, "height": 800}}
PATIENCE_MS, AFTERWARDS_MS = 120_000, 1500

PAINT = """() => new Promise(done => {
  const seen = () => performance.getEntriesByName("first-contentful-paint")[0];
  const look = () => { const paint = seen(); if (paint) { done(paint.startTime); } else { setTimeout(look, 50); } };
  look();
})"""
"""JavaScript that returns the milliseconds from the request of a page to its first text or picture."""

WATCH = """() => {
  window.painted = 0;
  const count = node => node.nodeType === 1 ? 1 + node.querySelectorAll("*").length : 0;
  new MutationObserver(changes => changes.forEach(change =>
    change.addedNodes.forEach(node => { window.painted += count(node); }))
  ).observe(document.body, {subtree: true, childList: true});
}"""
"""JavaScript that counts the elements added to a page from now on."""

Cookies = list[JsonObject]


def measure(visits: int = 5, events: int = 40) -> Section:
    """Measure repeated visits of every page, then events that arrive at pages that stay open.

    Raises:
        BenchError: if there is no browser here.
    """
    rows: list[Row] = []
    with browser.chromium() as chromium:
        with table_of_phones(PIN) as running:
            players = Players(running.port, plan(SEATS, events))
            seat = players.cookies(1)
            for name, path, how, cookies in (
                ("join, on a phone", "/join", PHONE, []),
                ("a seat, on a phone", "/seat/1", PHONE, seat),
                ("the table, on a screen", "/", SCREEN, []),
                ("the host's desk, on a screen", "/host", SCREEN, _host(chromium, running.port)),
            ):
                rows.append(_visited(chromium, name, _url(running, path), how, cookies, visits))
            rows += _events(chromium, running.port, players, seat, events)
        with _demo() as running:
            rows.append(_visited(chromium, "the simulated table", _url(running, "/simulated"), SCREEN, [], visits))
    kilobytes = max(float(row.figures["visit_kb"] or 0) for row in rows if row.table == "first visit")
    largest = at_most("a first visit under 150 kB", kilobytes, VISIT_KB, " kB")
    rows.append(Row("the largest first visit", {"visit_kb": kilobytes}, largest, table="first visit"))
    notes = (
        f"Times with the browser's processor {SLOWER} times slower, from asking for the page to its first text or "
        "picture, server and network of this computer included; an empty cache each time.",
        "An event is an action of a match of eight players. Sent: what one page gets for it; painted: elements that "
        "are put in anew, of those that the page has.",
        "The simulated table's server also plays, photographs and reads meanwhile.",
    )
    return Section(tuple(rows), notes)


# ------------------------------------------------------------------------------------------------------ first visits


def _visited(chromium: Foreign, name: str, url: str, how: JsonObject, cookies: Cookies, visits: int) -> Row:
    """Measure repeated visits of a page, each by a new browser profile."""
    paints: list[float] = []
    sizes: list[float] = []
    got: list[float] = []
    for _ in range(visits):
        got.clear()
        with browser.page(chromium, how, cookies) as page:
            session = page.context.new_cdp_session(page)
            session.on("Network.loadingFinished", lambda event: got.append(event["encodedDataLength"]))
            session.send("Network.enable")
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(url, timeout=PATIENCE_MS)
            if page.url != url:
                raise BenchError(f"{url} led to {page.url}")
            paints.append(float(page.evaluate(PAINT)))
            # What scripts ask for comes after the load.
            page.wait_for_timeout(AFTERWARDS_MS)
            sizes.append(sum(got) / 1000)
    figures = {
        "first_paint_ms": median(paints),
        "slowest_ms": max(paints),
        "visit_kb": median(sizes),
        "requests": len(got),
    }
    aim = at_most("first paint within 1 s", median(paints) / 1000, PAINT_S, " s")
    return Row(name, {**figures, "visits": visits}, aim, table="first visit")


def _host(chromium: Foreign, port: int) -> Cookies:
    """Become the host by entering the PIN."""
    with browser.page(chromium) as page:
        page.goto(f"http://{HOST}:{port}/host", timeout=PATIENCE_MS)
        page.fill("input[name=pin]", PIN)
        page.click("form button")
        page.wait_for_selector("[data-part=steer]", timeout=PATIENCE_MS)
        return list(page.context.cookies())


# ------------------------------------------------------------------------------------------------------------ events


def _events(chromium: Foreign, port: int, players: Players, seat: Cookies, events: int) -> list[Row]:
    """Measure events that arrive at a seat's page and the table's, one after the other."""
    rows = []
    with ExitStack() as open_:
        looks = []
        for name, path, audience, how, cookies in (
            ("a seat, on a phone", "/seat/1", "seat-1", PHONE, seat),
            ("the table, on a screen", "/", "public", SCREEN, []),
        ):
            page = open_.enter_context(browser.page(chromium, how, cookies))
            page.goto(f"http://{HOST}:{port}{path}", timeout=PATIENCE_MS)
            page.wait_for_selector("body[data-live=live]", timeout=PATIENCE_MS)
            page.evaluate(WATCH)
            looks.append(_Look(name, page, audience))
        for _ in range(events):
            stamps = [look.page.evaluate("document.body.dataset.stamp") for look in looks]
            players.act()
            players.finish()
            for look, stamp in zip(looks, stamps, strict=True):
                look.changed(stamp)
        for look in looks:
            whole = look.page.evaluate("document.querySelectorAll('body *').length")
            figures = {"sent_kb": median(look.sent), "painted": median(look.painted), "of_elements": whole}
            rows.append(Row(look.name, {**figures, "events": events}, table="an event"))
    return rows


class _Look:
    """A page that stays open: what it was sent at each event (kB), and how many elements it painted anew."""

    def __init__(self, name: str, page: Foreign, audience: str) -> None:
        self.name, self.page, self._audience = name, page, audience
        self.sent: list[float] = []
        self.painted: list[float] = []

    def changed(self, stamp: str) -> None:
        """Wait until the page has another stamp, and count."""
        page = self.page
        page.wait_for_function("was => document.body.dataset.stamp !== was", arg=stamp, timeout=PATIENCE_MS)
        body = page.evaluate(f"fetch('/parts/{self._audience}?after={stamp}').then(one => one.text())")
        self.sent.append(sum(len(json.dumps(change)) for change in json.loads(body)["changes"]) / 1000)
        self.painted.append(page.evaluate("() => { const was = window.painted; window.painted = 0; return was; }"))


# ----------------------------------------------------------------------------------------------------------- servers


def _demo() -> AbstractContextManager[Running]:
    port = free_port()
    command = ["-c", RUN, "demo", "five-cards-collector", "--host", HOST, "--port", str(port), "--seed", "1"]
    return serving(command, port)


def _url(running: Running, path: str) -> str:
    return f"http://{HOST}:{running.port}{path}"
