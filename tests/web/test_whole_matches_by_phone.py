"""Whole matches through a phone's browser that drops, is turned, reloaded, locked and has its lens changed."""

from __future__ import annotations

import itertools
import random
import threading
import time
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from companion import games
from companion.devices.phone_camera import PhoneCamera
from companion.eye.phone_link import PhoneLink
from companion.referee.journal import Header, Journal, new_id, now
from companion.server.app import create_app, shut
from companion.server.camera_port import CameraPort
from companion.sim.performance import LiveStage, Performance
from companion.sim.sandbox import SharedTable
from companion.sim.world import world_of
from companion.table.factory import simulated_camera
from companion.table.session import Session
from companion.table.table import Table
from tests.web.evening import Film, filming

pytestmark = [pytest.mark.browser, pytest.mark.night]
FRAMES = 2
"""Pictures that the table gets of each step of the hands: the film is behind by one."""
LONGEST = 3600
"""Seconds that a match may take."""
EVERY = 25
"""Seconds between two faults."""


class Strict(Performance):
    """Robots that end where the match understood something else than they did."""

    def _act(self, action):
        self._turn(action)


def offline(page: Page) -> None:
    """The Wi-Fi drops for eight seconds."""
    page.context.set_offline(True)
    time.sleep(8)
    page.context.set_offline(False)


def turned(page: Page) -> None:
    """Somebody turns the phone."""
    size = page.viewport_size
    page.set_viewport_size({"width": size["height"], "height": size["width"]})


def locked(page: Page) -> None:
    """The phone is locked, and back after five seconds."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    time.sleep(5)
    devtools.send("Page.setWebLifecycleState", {"state": "active"})


def other_lens(page: Page) -> None:
    """Somebody chooses a lens: the camera is taken anew."""
    page.eval_on_selector("#lens", "lens => lens.dispatchEvent(new Event('change'))")


FAULTS = (offline, turned, Page.reload, locked, other_lens)


@pytest.mark.parametrize(
    ("name", "seats"), [("five-cards-collector", 2), ("thirty-one", 2), ("golf", 2), ("briscola", 2)]
)
def test_a_whole_match_is_understood_through_a_phone_with_faults(
    name: str, seats: int, tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game, mat, rng = games.load(name), games.load_mat(name, seats), random.Random(f"{name} by phone")
    shared = SharedTable(1)
    film = Film(tmp_path / "film.y4m", simulated_camera(game, mat, shared, size=(1920, 1080), seed=3, fps=5.0))
    world = world_of(game, seats, {}, rng)
    link, journal = PhoneLink(tmp_path / "phone-camera.json"), Journal(tmp_path)

    def make(header: Header, version: int) -> Session:
        def camera() -> PhoneCamera:
            return PhoneCamera(link, lambda trouble: table.session.camera_loop.tell_trouble(trouble))

        return Session(game, mat, header, journal, camera, version=version)

    header = Header(id=new_id(), at=now(), game=name, seats=seats, setup=msgspec.to_builtins(world.setup()))
    table = Table(make, header, journal, "HTTP://127.0.0.1/J")
    table.phone = link
    table.start()
    app = create_app(table, close=table.close)
    port = CameraPort(app, link, tmp_path, lambda: ["127.0.0.1"], "127.0.0.1")
    loop, over = table.session.camera_loop, threading.Event()

    def next_frame() -> bool:
        film.show()
        for _ in range(FRAMES):
            while not over.is_set() and not loop.next_frame(1.0):
                pass
        return not over.is_set()

    robots = Strict(game, world, table.match, LiveStage(shared, mat, next_frame, lambda: loop.resting), rng)
    failed: list[BaseException] = []

    def play() -> None:
        try:
            robots.run()
        except BaseException as error:
            failed.append(error)

    try:
        with filming(chromium, film) as page:
            page.goto(f"{port.address()}#k={link.key}")
            page.get_by_role("button", name="Give the camera").click()
            expect(page.locator("#state")).to_contain_text("The table sees through this phone", timeout=60_000)
            thread = threading.Thread(target=play)
            thread.start()
            happened = _disturb(page, table, failed)
            over.set()
            thread.join(60)
    finally:
        over.set()
        port.close()
        shut(app)
    print(f"{name}: {len(table.match.records())} records, {happened} faults")
    assert not failed, failed[0]
    assert not [record for record in table.match.records() if record.action is None], "nothing was corrected"
    assert table.snapshot().standing.outcome is not None


def _disturb(page: Page, table: Table, failed: list[BaseException]) -> int:
    """Let something happen to the phone every now and then until the match is over; return how often."""
    faults, begun, count = itertools.cycle(FAULTS), time.monotonic(), 0
    due = begun + EVERY
    while table.snapshot().standing.outcome is None and not failed:
        assert time.monotonic() - begun < LONGEST, f"{len(table.match.records())} records, {table.snapshot().troubles}"
        time.sleep(0.5)
        page.title()  # playwright's own work goes on only within a call
        if time.monotonic() > due:
            next(faults)(page)
            due, count = time.monotonic() + EVERY, count + 1
    return count
