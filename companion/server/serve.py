"""Serves an application with gunicorn: one process, many threads, nothing reloaded.

The table is built in the worker, after the fork, because threads do not survive one.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from types import FrameType

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.http import get_parser  # type: ignore[import-untyped]
from gunicorn.http.unreader import SocketUnreader  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from companion.server.app import shut
from companion.server.limits import CONNECTIONS, Share
from companion.untyped import Foreign

log = logging.getLogger(__name__)

SPARE = 24
"""Threads that streams leave free for pages and commands."""
UNACKNOWLEDGED_MS = 30_000
"""A phone that has gone without a word, or does not read what it is sent, holds its thread so long at most."""
SILENT_S = 10
"""Seconds that a request may pause in its middle: a phone that sends half of one holds no thread for good."""
HEAD_S = 20
"""Seconds for the whole head of a request, and at most `SILENT_S` more: whoever drips it byte by byte never pauses."""
BODY_S = 60
"""Seconds for its whole body, likewise: enough for a photograph of 12 MB on a slow Wi-Fi."""


def _worth_telling(record: logging.LogRecord) -> bool:
    """Return whether a line of the web server's log says more than that a phone fell silent in its middle."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))


class _Reader(SocketUnreader):  # type: ignore[misc]
    """Reads a connection as gunicorn's own does, but not after a time that is set for each head and body."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection)
        self.until = math.inf

    def chunk(self, size_hint: int | None = None) -> bytes:
        if time.monotonic() > self.until:
            # As if it had fallen silent: the connection is ended, or the application is told.
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        read: bytes = super().chunk(size_hint)
        return read


class _Worker(ThreadWorker):  # type: ignore[misc]
    """Ends the event streams as soon as it is told to stop; they would keep their threads for good."""

    def init_process(self) -> None:
        for listener in self.sockets:
            # Accepted connections inherit it (Linux): what is sent and never acknowledged ends the connection.
            if listener.sock.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_USER_TIMEOUT"):
                listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
                # For reading only, so that the streams, which are silent for long, are not ended by it.
                listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", SILENT_S, 0))
        logging.getLogger("gunicorn.error").addFilter(_worth_telling)
        self._share = Share(CONNECTIONS)
        super().init_process()

    def enqueue_req(self, conn: Foreign) -> None:
        """Take a connection up, unless its address has its share of them: one phone must not take all there are."""
        if not hasattr(conn, "counted"):
            conn.counted = True
            conn.parser = get_parser(self.cfg, conn.sock, conn.client)
            conn.parser.unreader = _Reader(conn.sock)
            address = conn.client[0] if isinstance(conn.client, tuple) else ""
            if not self._share.enter(address):
                self.nr_conns -= 1
                conn.close()
                return
            plainly = conn.close

            def end(graceful: bool) -> None:
                plainly(graceful=graceful)
                self._share.leave(address)

            def close(graceful: bool = False) -> None:
                conn.close = plainly
                try:
                    # To end politely is to wait for the phone, two seconds at most: all others would wait with this
                    # thread, which lets them in.
                    self.tpool.submit(end, graceful)
                except RuntimeError:  # the threads are gone, the server stops
                    end(False)

            conn.close = close
        super().enqueue_req(conn)

    def handle(self, conn: Foreign) -> Foreign:
        """Read a request and answer it; gunicorn calls this anew for each request, in one of the threads."""
        conn.parser.unreader.until = time.monotonic() + HEAD_S
        return super().handle(conn)

    def handle_request(self, req: Foreign, conn: Foreign) -> Foreign:
        """Answer a request whose head is read; its body is not."""
        conn.parser.unreader.until = time.monotonic() + BODY_S
        return super().handle_request(req, conn)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._shut()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        self._shut()
        super().handle_quit(sig, frame)

    def _shut(self) -> None:
        app = getattr(self, "wsgi", None)
        if isinstance(app, Flask) and not app.extensions.get("companion.shut"):
            app.extensions["companion.shut"] = True
            # Not from within a signal handler: it may have interrupted the very code that holds the feed's lock.
            threading.Thread(target=shut, args=(app,), name="shut").start()


class _Application(BaseApplication):  # type: ignore[misc]
    def __init__(self, make_app: Callable[[], Flask], settings: dict[str, object]) -> None:
        self._make_app = make_app
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._make_app()


def run(make_app: Callable[[], Flask], host: str, port: int, *, threads: int = 264) -> None:
    """Serve until SIGTERM or Ctrl-C; does not return, but raises SystemExit when all is closed.

    `make_app` is called once, in the worker; give `create_app` a `most_streams` of at most `threads` − 24.
    """
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    settings = {
        "bind": [where],
        "workers": 1,
        "worker_class": _Worker,
        "threads": threads,
        # Further phones wait for a thread rather than being turned away by the kernel.
        "worker_connections": threads * 4,
        "keepalive": 15,
        "timeout": 60,
        "graceful_timeout": 5,
        "max_requests": 0,
        "reload": False,
        "preload_app": False,
        # The worker's sign of life is written every second: in memory, where it wears no card out.
        "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108
        "loglevel": "warning",
        "control_socket_disable": True,
    }
    _Application(make_app, settings).run()
