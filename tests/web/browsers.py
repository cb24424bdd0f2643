"""Firefox and WebKit (WebKitGTK's MiniBrowser), behind the verbs of Playwright's pages that tests of all browsers use.

Playwright drives browsers that it has patched; these are Debian's own: Firefox speaks WebDriver BiDi itself, and
WebKitWebDriver speaks W3C WebDriver for its MiniBrowser on a virtual screen.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from flask import Flask, Response, request
from playwright.sync_api import TimeoutError
from websockets.sync.client import connect

LISTENER = """
const tell = words => { new Image().src = "/complaints?" + encodeURIComponent(words); };
const lost = element => "not loaded: " + (element.src || element.href);
addEventListener("error", event => tell(event.message || lost(event.target)), true);
addEventListener("unhandledrejection", event => tell("rejected: " + event.reason));
addEventListener("securitypolicyviolation", event => tell(event.violatedDirective + ": " + event.blockedURI));
for (const level of ["error", "warn"]) { console[level] = (...words) => tell(words.join(" ")); }
"""
"""Tells the server what goes wrong in a page: WebKitWebDriver does not say."""

PATIENCE_S = 20.0
"""How long a page may take to show what is waited for: a busy machine is slow, not wrong."""
REST_S = 0.1
"""So long a wait looks away before it looks again."""
MINI_BROWSER = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
QUIET = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "ui.prefersReducedMotion": 1,
}
"""Firefox's preferences: it asks nobody for updates or news, and shows no page of its own."""

POINT = """selector => {
  const one = document.querySelector(selector);
  if (!one) { return null; }
  one.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
  const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return box.width && one.contains(hit) && !one.disabled ? [Math.round(x), Math.round(y)] : null;
}"""
"""Where a finger hits an element, if nothing lies over it."""
FILL = """([selector, text]) => {
  const one = document.querySelector(selector);
  if (!one) { return false; }
  one.focus();
  one.value = text;
  for (const kind of ["input", "change"]) { one.dispatchEvent(new Event(kind, {bubbles: true})); }
  return true;
}"""


THEN = "arguments[0], error => arguments[0]({error: String(error)})"
"""What WebKitWebDriver waits for: its own function is the last argument."""


class Tab(ABC):
    """A page of a browser, with the verbs of Playwright's; a subclass drives it."""

    @abstractmethod
    def goto(self, address: str) -> None:
        """Open an address, until the page is loaded."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again."""

    @abstractmethod
    def screenshot(self, *, path: Path | str) -> None:
        """Keep what is seen as a PNG."""

    @abstractmethod
    def close(self) -> None:
        """Close the page."""

    @abstractmethod
    def _run(self, script: str) -> str:
        """Run a function that promises a text, and wait for it."""

    @abstractmethod
    def _press(self, x: int, y: int) -> None:
        """Press the page at a place (px)."""

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function in the page with JSON, and give what it returns or promises."""
        return json.loads(self._run(f"async () => JSON.stringify([await ({function})({json.dumps(argument)})])"))[0]

    @property
    def url(self) -> str:
        """The page's address."""
        return str(self.evaluate("() => location.href"))

    def tap(self, selector: str, *, timeout: float = PATIENCE_S * 1000) -> None:
        """Tap an element once it can be hit, and the page has come to rest below it."""

        def resting() -> list[float] | None:
            at = self.evaluate(POINT, selector)
            time.sleep(0.1)
            return at if at and at == self.evaluate(POINT, selector) else None

        x, y = self._until(resting, f"no way to tap {selector}", timeout)
        self._press(x, y)

    def fill(self, selector: str, text: str, *, timeout: float = PATIENCE_S * 1000) -> None:
        """Type into a field."""
        self._until(lambda: self.evaluate(FILL, [selector, text]), f"no field {selector}", timeout)

    def inner_text(self, selector: str) -> str:
        """Return what is read in an element."""
        found: str = self._until(
            lambda: self.evaluate("selector => document.querySelector(selector)?.innerText", selector),
            f"nothing to read in {selector}",
        )
        return found

    def wait_for_selector(self, selector: str) -> None:
        """Wait until the page has an element that is seen."""
        shown = "selector => [...document.querySelectorAll(selector)].some(one => one.checkVisibility())"
        self._until(lambda: self.evaluate(shown, selector), f"no {selector}")

    def wait_for_text(self, selector: str, words: str) -> None:
        """Wait until an element says some words."""
        self._until(lambda: words in self.inner_text(selector), f"{selector} does not say {words!r}")

    def _until(self, look: Callable[[], Any], trouble: str, timeout: float = PATIENCE_S * 1000) -> Any:
        end = time.monotonic() + timeout / 1000
        while True:
            try:
                if found := look():
                    return found
            except GoneError:
                pass  # the page was left for another one while it was asked
            if time.monotonic() > end:
                raise TimeoutError(f"{trouble}:\n{self.evaluate('() => document.body.innerText')}")
            time.sleep(REST_S)


def listen(app: Flask, complaints: list[str]) -> None:
    """Have every page of a site tell its troubles."""

    @app.get("/complaints.js")
    def _listener() -> Response:
        return Response(LISTENER, mimetype="text/javascript")

    @app.get("/complaints")
    def _complaint() -> str:
        complaints.append(unquote(request.query_string.decode()))
        return ""

    @app.after_request
    def _add(response: Response) -> Response:
        if response.mimetype == "text/html":
            page = response.get_data(as_text=True)
            response.set_data(page.replace("<head>", '<head><script src="/complaints.js"></script>', 1))
        return response


class GoneError(Exception):
    """The page could not answer: it was just left for another one."""


class Firefox:
    """Firefox without a window."""

    def __init__(self, folder: Path, *, dark: bool = False) -> None:
        self._count = 0
        wishes = {**QUIET, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wishes.items()]
        (folder / "user.js").write_text("".join(lines), encoding="utf-8")
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox ended before it listened")
        # What else it has to say is dropped, so that it never waits for a reader.
        self._drain = subprocess.Popen(["cat"], stdin=self._process.stderr, stdout=subprocess.DEVNULL)
        self._connection = ExitStack()
        self._socket = self._connection.enter_context(connect(found[1] + "/session", max_size=None))
        self.send("session.new", capabilities={})

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command, and wait for its result."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == self._count:
                if answer["type"] == "error":
                    raise GoneError(f"{method}: {answer['message']}")
                return answer["result"]

    def page(self, width: int = 390, height: int = 844) -> Tab:
        """Open a page with cookies of its own."""
        user = self.send("browser.createUserContext")["userContext"]
        # A window each: a tab behind another one is asleep.
        context = self.send("browsingContext.create", type="window", userContext=user)["context"]
        self.send("browsingContext.setViewport", context=context, viewport={"width": width, "height": height})
        return _FirefoxTab(self, context)

    def close(self) -> None:
        """End the browser."""
        self.send("browser.close")
        self._connection.close()
        self._process.wait(timeout=60)
        self._drain.wait(timeout=60)


class _FirefoxTab(Tab):
    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser, self._context = browser, context

    def _send(self, method: str, **parameters: Any) -> Any:
        return self._browser.send(f"browsingContext.{method}", context=self._context, **parameters)

    def goto(self, address: str) -> None:
        self._send("navigate", url=address, wait="complete")

    def reload(self) -> None:
        self._send("reload", wait="complete")

    def screenshot(self, *, path: Path | str) -> None:
        Path(path).write_bytes(base64.b64decode(self._send("captureScreenshot")["data"]))

    def close(self) -> None:
        self._send("close")

    def _run(self, script: str) -> str:
        target = {"context": self._context}
        answer = self._browser.send("script.callFunction", functionDeclaration=script, awaitPromise=True, target=target)
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return str(answer["result"]["value"])

    def _press(self, x: int, y: int) -> None:
        self._browser.send("input.performActions", context=self._context, actions=_press("touch", x, y))


class WebKit:
    """WebKitGTK's MiniBrowser, on a virtual screen; each page is a browser of its own, at least 447 pixels wide."""

    def __init__(self, folder: Path, *, dark: bool = False) -> None:
        self._pages: list[_WebKitTab] = []
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        self._screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._screen.stdout is not None
        theme = "Adwaita:dark" if dark else "Adwaita"
        display = f":{self._screen.stdout.readline().strip()}"
        self._environment = {**os.environ, "DISPLAY": display, "GTK_THEME": theme, "NO_AT_BRIDGE": "1"}

    def page(self, width: int = 447, height: int = 844) -> Tab:
        """Open a page with cookies of its own."""
        page = _WebKitTab(self._environment, width, height)
        self._pages.append(page)
        return page

    def close(self) -> None:
        """End the browsers and their screen."""
        for page in self._pages:
            page.close()
        self._screen.terminate()
        self._screen.wait(timeout=60)


class _WebKitTab(Tab):
    def __init__(self, environment: dict[str, str], width: int, height: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._root = f"http://127.0.0.1:{port}/session"
        self._driver: subprocess.Popen[bytes] | None = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        options = {"binary": str(MINI_BROWSER[-1]), "args": ["--automation"]}
        self._await(port)
        wishes = {"alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": {"script": 60_000}}}
        self._root += "/" + self._send("POST", "", capabilities=wishes)["sessionId"]
        self._send("POST", "/window/rect", x=0, y=0, width=width, height=height)

    @staticmethod
    def _await(port: int) -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(REST_S)
        raise RuntimeError("WebKitWebDriver does not listen")

    def _send(self, method: str, path: str, **parameters: Any) -> Any:
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(  # noqa: S310 (the driver's own address)
            self._root + path, body, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:  # noqa: S310
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise GoneError(f"{path}: {error.read().decode()}") from None

    def goto(self, address: str) -> None:
        self._send("POST", "/url", url=address)

    def reload(self) -> None:
        self._send("POST", "/refresh")

    def screenshot(self, *, path: Path | str) -> None:
        Path(path).write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def close(self) -> None:
        if self._driver is not None:
            self._send("DELETE", "")
            self._driver.terminate()
            self._driver.wait(timeout=60)
        self._driver = None

    def _run(self, script: str) -> str:
        answer = self._send("POST", "/execute/async", script=f"({script})().then({THEN});", args=[])
        if isinstance(answer, dict):
            raise AssertionError(answer["error"])
        return str(answer)

    def _press(self, x: int, y: int) -> None:
        # It knows no fingers: what they would do a mouse does.
        self._send("POST", "/actions", actions=_press("mouse", x, y))


def _press(pointer: str, x: int, y: int) -> list[dict[str, Any]]:
    steps = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "finger", "parameters": {"pointerType": pointer}, "actions": steps}]


BROWSERS: dict[str, type[Firefox] | type[WebKit]] = {"Firefox": Firefox, "WebKit": WebKit}
