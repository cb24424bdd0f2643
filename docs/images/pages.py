"""Makes the pictures of the pages for README and docs: `python -m docs.images.pages` (needs /usr/bin/chromium)."""

from __future__ import annotations

import io
import logging
import random
import threading
from pathlib import Path

from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from companion.server.app import create_app, shut
from tests.server.desks import NAMES, MatchDesk
from tests.server.phones import be_host, join, send
from tests.server.test_ledger import wish
from tests.web.conftest import ARGS, CHROMIUM, PHONE, SCREEN

HERE = Path(__file__).resolve().parent
SEATS = 4


class Shown(MatchDesk):
    """A match without camera: what it sees has pictures of its own."""

    def picture(self) -> bytes | None:
        """Give none."""
        return None

    def oled_png(self) -> bytes | None:
        """Give none."""
        return None


def keep(shot: bytes, name: str, width: int) -> None:
    """Keep a screenshot as a small JPEG."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS).save(
        HERE / name, quality=82, optimize=True, progressive=True
    )


def main() -> None:
    """Play a few turns by phone and take the pictures."""
    desk, rng = Shown(SEATS), random.Random(4)
    app = create_app(desk, close=desk.close)
    clients: list[FlaskClient] = []
    for seat in range(1, SEATS + 1):
        clients.append(app.test_client())
        join(clients[-1], seat, NAMES[seat])
    be_host(clients[0])
    while not (desk.snapshot().record >= 14 and desk.snapshot().views[0].waiting == (1,) and not desk.upkeep()):
        for seat, client in enumerate(clients, 1):
            tap = wish(client.get(f"/state/seat-{seat}").get_json(), rng)
            if tap is not None and desk.snapshot().record < 40:
                send(client, tap)
                break
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for path, name, how, width in (
            ("/", "page-table.jpg", {**SCREEN, "color_scheme": "light"}, 1000),
            ("/seat/1", "page-seat.jpg", {**PHONE, "color_scheme": "light"}, 390),
            ("/seat/2", "page-seat-dark.jpg", {**PHONE, "color_scheme": "dark"}, 390),
            ("/host", "page-host.jpg", {**SCREEN, "color_scheme": "light"}, 1000),
            ("/join", "page-join.jpg", {**PHONE, "color_scheme": "light"}, 390),
        ):
            if path == "/join":
                app.extensions["companion"].keys.free(SEATS)
            context = browser.new_context(**how)
            for client, cookie in ((clients[0], "companion_seat_1"), (clients[1], "companion_seat_2")):
                found = client.get_cookie(cookie)
                if found is not None and path != "/join":
                    context.add_cookies([{"name": cookie, "value": found.value, "url": site}])
            host = clients[0].get_cookie("companion_host")
            if path == "/host" and host is not None:
                context.add_cookies([{"name": host.key, "value": host.value, "url": site}])
            page = context.new_page()
            page.goto(site + path)
            page.wait_for_timeout(500)
            keep(page.screenshot(), name, width)
            context.close()
        browser.close()
    server.shutdown()
    shut(app)


if __name__ == "__main__":
    main()
