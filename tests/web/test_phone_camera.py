"""A browser gives its camera to the table: a Chromium whose camera plays a photographed table, over TLS."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from companion import games
from companion.devices.phone_camera import PhoneCamera
from companion.eye.phone_link import PhoneLink
from companion.referee.journal import Header, Journal, new_id, now
from companion.server.app import create_app, shut
from companion.server.camera_port import CameraPort
from companion.sim.table import SimTable, spot_in
from companion.table.factory import simulated_camera
from companion.table.session import Session, rules_of
from companion.table.table import Table
from tests.web.conftest import ARGS, CHROMIUM, PHONE

GAME = "five-cards-collector"
STAR, MOON = "00B", "00N"


@pytest.fixture(scope="module")
def filming(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Browser]:
    """A browser whose camera sees a table with two cards."""
    game, mat = games.load(GAME), games.load_mat(GAME, 3)
    table = SimTable(1)
    for piece, zone in ((STAR, "discard"), (MOON, "collection.1")):
        spot = spot_in(mat.zone(zone), 0)
        table.put(piece, "F", spot.x, spot.y, spot.rotation)
    camera = simulated_camera(game, mat, table, size=(1920, 1080), seed=3)
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    shots = [cv2.imencode(".jpg", camera.shoot().gray, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() for _ in range(3)]
    film.write_bytes(b"".join(shots))
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    args = [*ARGS, *fake, f"--use-file-for-fake-video-capture={film}"]
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=args)
    yield browser
    browser.close()


class Filmed:
    """A real table before a phone's camera, and a phone that has its page open."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.link = PhoneLink(folder / "phone-camera.json")
        journal = Journal(folder)

        def make(header: Header, version: int) -> Session:
            def camera() -> PhoneCamera:
                return PhoneCamera(self.link, lambda trouble: self.table.session.camera_loop.tell_trouble(trouble))

            return Session(*rules_of(header), header, journal, camera, version=version)

        self.table = Table(make, Header(id=new_id(), at=now(), game=GAME, seats=3), journal, "HTTP://127.0.0.1/J")
        self.table.phone = self.link
        self.table.start()
        self.app = create_app(self.table, close=self.table.close)
        self.port = CameraPort(self.app, self.link, folder, lambda: ["127.0.0.1"], "127.0.0.1")
        self.phone = browser.new_context(ignore_https_errors=True, **PHONE)

    def open(self, key: str = "") -> Page:
        page = self.phone.new_page()
        page.goto(self.port.address() + (f"#k={key}" if key else ""))
        return page

    def until(self, so: Callable[[], object], seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not so():
            assert time.monotonic() < end, self.table.snapshot().troubles
            time.sleep(0.1)

    def placed(self) -> set[str]:
        look = self.table.session.sight.look() if self.table.session.sight is not None else None
        return {lies.title for lies in look.lies} if look is not None else set()

    def close(self) -> None:
        self.phone.close()
        self.port.close()
        shut(self.app)
        self.link.rest()


@pytest.fixture
def filmed(filming: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Filmed]:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    made = Filmed(tmp_path, filming)
    yield made
    made.close()


def test_a_phones_browser_is_the_camera_is_reloaded_and_is_let_go(filmed: Filmed) -> None:
    filmed.until(lambda: "No phone is the camera yet" in f"{filmed.table.snapshot().troubles}")
    page = filmed.open(filmed.link.key)
    page.get_by_role("button", name="Give the camera").click()
    filmed.until(lambda: len(filmed.placed()) == 2)
    expect(page.locator("#state")).to_contain_text("The table sees through this phone", timeout=30_000)
    assert not filmed.table.snapshot().troubles
    # The key is nowhere any more; the page that comes back is still the camera, without a tap.
    assert "#" not in page.url
    page.reload()
    expect(page.locator("#state")).to_contain_text("The table sees through this phone", timeout=30_000)
    filmed.link.release()
    expect(page.locator("#state")).to_contain_text("not the camera any more", timeout=30_000)
    expect(page.get_by_role("button", name="Give the camera")).to_be_visible()


@pytest.mark.night
def test_a_wifi_that_drops_is_told_and_gone_on_after_and_a_second_phone_is_refused(
    filmed: Filmed, filming: Browser
) -> None:
    page = filmed.open(filmed.link.key)
    page.get_by_role("button", name="Give the camera").click()
    filmed.until(lambda: len(filmed.placed()) == 2)
    filmed.phone.set_offline(True)
    expect(page.locator("#state")).to_contain_text("doesn't answer", timeout=30_000)
    filmed.until(lambda: "sends no pictures" in f"{filmed.table.snapshot().troubles}")
    filmed.phone.set_offline(False)
    filmed.until(lambda: not filmed.table.snapshot().troubles)
    expect(page.locator("#state")).to_contain_text("The table sees through this phone", timeout=30_000)
    other = filming.new_context(ignore_https_errors=True, **PHONE)
    second = other.new_page()
    second.goto(f"{filmed.port.address()}#k={filmed.link.key}")
    second.get_by_role("button", name="Give the camera").click()
    expect(second.locator("#state")).to_contain_text("Another phone is the camera already", timeout=30_000)
    other.close()
