"""Makes the pictures of the running demo for README and docs: `python docs/images/demo.py` (needs /usr/bin/chromium).

It starts `companion demo` with a journal of its own, waits until the robots have collected something, and photographs
the table page, what the little screen shows, and the page that says why something was understood.
"""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).resolve().parent
CHROMIUM = "/usr/bin/chromium"
ARGS = ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
RECORDS = 44
"""So many records make a table worth looking at."""


def fetch(address: str) -> bytes:
    """Get a page or a picture."""
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310  (our own demo)
        return bytes(answer.read())


def command(site: str, **wish: Any) -> None:
    """Send a command, as a page does."""
    headers = {"Content-Type": "application/json", "X-Companion": "1"}
    request = urllib.request.Request(f"{site}/command", json.dumps(wish).encode(), headers)  # noqa: S310
    urllib.request.urlopen(request, timeout=10).close()  # noqa: S310


def public(site: str) -> dict[str, Any]:
    """Get what everybody may see."""
    told: dict[str, Any] = json.loads(fetch(f"{site}/state/public"))
    return told


def wait_for_a_good_moment(site: str) -> None:
    """Let the robots play until there is something to see, then let them pause."""
    until = time.monotonic() + 900
    while time.monotonic() < until:
        try:
            state = public(site)
        except OSError:
            time.sleep(0.5)  # it is still starting
            continue
        adds = any(" adds " in line["words"] for line in state["log"][:1])
        if state["record"] >= RECORDS and adds and state["question"] is None and state["phase"] == "playing":
            command(site, do="speed", speed=0)
            return
        time.sleep(0.1)
    raise SystemExit("the demo came to no good moment")


def save(picture: Image.Image, name: str, width: int | None = None) -> None:
    """Keep a picture, small: photographs as JPEG, drawings as PNG."""
    if width is not None and picture.width != width:
        picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    if name.endswith(".png"):
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=16).save(HERE / name, optimize=True)
    else:
        picture.convert("RGB").save(HERE / name, quality=80, optimize=True, progressive=True)
    print(f"{name}: {(HERE / name).stat().st_size // 1000} kB")


def shot(page: Page, path: str, wait: float = 4.0) -> Image.Image:
    """Take a picture of a page once its pictures are there."""
    page.goto(path)
    page.wait_for_timeout(wait * 1000)
    return Image.open(io.BytesIO(page.screenshot()))


def browse(browser: Browser, site: str, wide: int, high: int) -> Page:
    """Open a window of a size."""
    return browser.new_context(viewport={"width": wide, "height": high}, color_scheme="light").new_page()


def oled(site: str) -> Image.Image:
    """Show three of the little screen's pages side by side, three times as large, in the blue of such displays."""
    shown = []
    for _ in range(3):
        lit = Image.open(io.BytesIO(fetch(f"{site}/oled.png"))).convert("L").resize((128, 64), Image.Resampling.NEAREST)
        shown.append(lit.resize((384, 192), Image.Resampling.NEAREST))
        command(site, do="press", button="page")
        time.sleep(1.0)
    strip = Image.new("RGB", (3 * 424 + 16, 232), "#20262b")
    for i, lit in enumerate(shown):
        tone = Image.composite(Image.new("RGB", lit.size, "#bfe9ff"), Image.new("RGB", lit.size, "#04080c"), lit)
        strip.paste(tone, (28 + i * 424, 20))
    return strip


def main() -> None:
    """Run the demo and take the pictures."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    site = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as state:
        demo = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "companion", "demo", "--seed", "3", "--speed", "2", "--port", str(port)],
            env={**os.environ, "COMPANION_STATE": state, "COMPANION_DEVICES": "simulated"},
        )
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
                wait_for_a_good_moment(site)
                save(shot(browse(browser, site, 1200, 916), site), "demo-table.jpg", 1000)
                newest = public(site)["record"]
                save(shot(browse(browser, site, 760, 528), f"{site}/log/{newest}", 1.0), "demo-why.jpg", 640)
                browser.close()
            save(oled(site), "demo-oled.png")
        finally:
            demo.terminate()
            demo.wait(20)


if __name__ == "__main__":
    main()
