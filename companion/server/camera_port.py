"""The port where a phone's browser brings its camera's pictures: TLS, and nothing but /camera.

A listener of its own, as the server of the pages can't speak TLS. Handshakes are done in the connections' own threads:
whoever begins one and falls silent keeps nobody waiting.
"""

from __future__ import annotations

import json
import logging
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, cast

from flask import Flask, render_template

from companion.eye.phone_link import PhoneError, PhoneLink
from companion.files import data
from companion.server.certificate import certificate
from companion.server.guard import is_own_name, named
from companion.server.limits import Share
from companion.server.words.voice import say
from companion.text import t

log = logging.getLogger(__name__)

PORT, TRIED = 8443, 10
"""The port, and how many are tried from there on if others have it."""
MOST, EACH = 32, 6
"""Connections at once: in all, and from one address."""
SILENT_S, BODY_S = 8.0, 20.0
"""Seconds that a phone may pause in its middle, and for one whole picture."""
MOST_BODY, CHUNK = 7_000_000, 65_536
"""Bytes of a request's body at most, and those that are read at a time."""
FILES = {
    "companion.css": "text/css",
    "camera.css": "text/css",
    "words.js": "text/javascript",
    "camera.js": "text/javascript",
}
"""What the page needs, of the pages' own files."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; media-src 'self' "
    "blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


Address = tuple[str, int]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 32

    def __init__(self, address: tuple[str, int], tls: ssl.SSLContext, port: CameraPort) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, partial(_Phone, port))
        self._tls = tls
        self._share = Share(EACH)
        self._lock = threading.Lock()
        self._open: dict[Address, tuple[float, socket.socket]] = {}

    def seen(self, client: Address, connection: socket.socket) -> None:
        """Note that a connection is of use."""
        with self._lock:
            self._open[client] = time.monotonic(), connection

    def process_request(self, request: socket.socket, client_address: Address) -> None:  # type: ignore[override]
        """Begin a thread for a connection, unless its address has its share of them."""
        with self._lock:
            if not self._share.enter(client_address[0]):
                self.shutdown_request(request)
                return
            if len(self._open) >= MOST:
                # Whoever has been of no use for longest makes room.
                _, (_, idle) = min(self._open.items(), key=lambda one: one[1][0])
                with suppress(OSError):
                    idle.shutdown(socket.SHUT_RDWR)
            self._open[client_address] = time.monotonic(), request
        super().process_request(request, client_address)

    def process_request_thread(self, request: socket.socket, client_address: Address) -> None:  # type: ignore[override]
        """Serve a connection, and count it as gone."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(client_address, None)
                self._share.leave(client_address[0])

    def finish_request(self, request: socket.socket, client_address: Address) -> None:  # type: ignore[override]
        """Shake hands, then answer."""
        request.settimeout(SILENT_S)
        # A phone that does not trust us yet, speaks no TLS, or has gone, is no fault.
        with suppress(OSError), self._tls.wrap_socket(request, server_side=True) as secure:
            self.seen(client_address, secure)
            super().finish_request(secure, client_address)

    def handle_error(self, _request: object, client_address: object) -> None:
        """Log what went wrong here."""
        log.exception("what came from %s could not be answered", client_address)


class CameraPort:
    """Opens the door for a phone's camera when the host asks for it, and keeps it open."""

    def __init__(self, app: Flask, link: PhoneLink, folder: Path, names: Callable[[], list[str]], host: str) -> None:
        """Serve the page of an application; `names` lists the names and addresses of this table, the best first.

        `folder` keeps the certificate, `host` is the address to listen on.
        """
        self.app = app
        self.link = link
        self.port = PORT
        self._folder = folder
        self._names = names
        self._host = host
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._known: set[str] = set()

    def address(self) -> str:
        """Return where a phone finds the page, without the key, after opening the door if it is not open.

        Raises:
            OSError: if there is no port to listen on, or the certificate can't be kept.
        """
        names = self._names()
        with self._lock:
            if self._server is None or not self._known >= set(names):
                self._shut()
                self._server, self._known = self._listen(names), set(names)
                threading.Thread(target=self._server.serve_forever, name="camera port", daemon=True).start()
        name = f"[{names[0]}]" if ":" in names[0] else names[0]
        return f"https://{name}:{self.port}/camera"

    def open(self) -> None:
        """Open the door, if that can be."""
        try:
            self.address()
        except OSError as error:
            log.warning("no phone can bring pictures: %s", error)

    def close(self) -> None:
        """Shut the door."""
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def _listen(self, names: list[str]) -> _Server:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
        tls.load_cert_chain(*certificate(self._folder, names))
        for port in range(PORT, PORT + TRIED):
            try:
                made = _Server((self._host, port), tls, self)
            except OSError as error:
                log.info("port %d is not to be had: %s", port, error)
                continue
            self.port = port
            return made
        raise OSError(f"ports {PORT} to {PORT + TRIED - 1} are all taken")

    def spoken(self, language: str, make: Callable[[], str]) -> str:
        """Return what is made of a page or a sentence in the languages that a browser asks for."""
        with self.app.test_request_context("/camera", headers={"Accept-Language": language[:500]}):
            return make()


class _Phone(BaseHTTPRequestHandler):
    """One connection; requests come one after another."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Companion", ""
    timeout = SILENT_S
    error_message_format = ""
    requests: ClassVar[dict[str, str]] = {"/camera/join": "_join", "/camera/picture": "_picture"}

    def __init__(self, port: CameraPort, *args: object) -> None:
        self._port = port
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Answer with the page, or one of its files."""
        name = self.path.removeprefix("/camera/")
        if not self._is_own():
            self._answer(421, b"")
        elif self.path == "/camera":
            page = self._spoken(lambda: render_template("camera.html"))
            self._answer(200, page.encode(), "text/html; charset=utf-8")
        elif name in FILES and name != self.path:
            content = (data("web") / "static" / name).read_bytes()
            self._answer(200, content, f"{FILES[name]}; charset=utf-8")
        else:
            self._answer(404, b"")

    def do_POST(self) -> None:
        """Take a key, or a picture."""
        what = self.requests.get(self.path)
        text = self.headers.get("Content-Length", "")
        length = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else MOST_BODY + 1
        # Our own page says where it is from; nobody else's may send anything here.
        ours = self._is_own() and self.headers.get("Origin") == f"https://{self.headers['Host']}"
        self._left, self._until = length, time.monotonic() + BODY_S
        if length > MOST_BODY:
            self.close_connection = True
            self._answer(413, b"")
            self._left, self._until = CHUNK, time.monotonic() + 1.0
            self.connection.settimeout(1.0)
            self._drain()
        elif what is None or not ours:
            self._drain()
            self._answer(403 if what else 404, b"")
        else:
            try:
                getattr(self, what)()
            except PhoneError as error:
                words = error.args[0]
                self._drain()
                self._tell(error.status, {"message": self._spoken(lambda: say(words))})

    def _drain(self) -> None:
        """Throw away what is still to come: who is cut off in the middle of what it sends does not hear why."""
        while self._left:
            self._read(min(self._left, CHUNK))

    def _join(self) -> None:
        secret = self._port.link.join(self.headers.get("X-Camera-Key", ""), _phone(self.headers.get("User-Agent", "")))
        self._read(self._left)
        self._tell(200, {"secret": secret})

    def _picture(self) -> None:
        secret, page = (self.headers.get(name, "")[:100] for name in ("X-Camera-Secret", "X-Camera-Page"))
        small, number = (self._number(name) for name in ("X-Camera-Small", "X-Camera-Number"))
        # Before a byte of it is read.
        self._port.link.check(secret)
        body = self._read(self._left)
        wanted = self._port.link.take(secret, page, number, body[:small], body[small:])
        cast(_Server, self.server).seen(self.client_address, self.connection)
        self._tell(200, {"whole": wanted})

    def _number(self, name: str) -> int:
        text = self.headers.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0

    def _read(self, length: int) -> bytes:
        """Read a part of the body; raise TimeoutError, which ends the connection, if it doesn't come in time."""
        body = bytearray()
        while len(body) < length:
            part = self.rfile.read1(min(CHUNK, length - len(body)))
            if not part or time.monotonic() > self._until:
                raise TimeoutError
            body += part
        self._left -= length
        return bytes(body)

    def _spoken(self, make: Callable[[], str]) -> str:
        return self._port.spoken(self.headers.get("Accept-Language", ""), make)

    def _is_own(self) -> bool:
        return is_own_name(self.headers.get("Host", ""), named())

    def _tell(self, status: int, what: dict[str, object]) -> None:
        self._answer(status, json.dumps(what).encode(), "application/json")

    def _answer(self, status: int, content: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY),
            ("Permissions-Policy", "camera=(self)"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: object) -> None:
        """Log nothing: eight pictures a second come."""


def _phone(agent: str) -> str:
    """Return what people call a phone, as far as its browser says."""
    android = re.search(r"Android [\d.]+; ([^;)]{2,30}?)(?: Build|[;)])", agent)
    if android and android[1] != "K":
        return android[1]
    kinds = ("iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux")
    return next((kind for kind in kinds if kind in agent), t("a browser"))
