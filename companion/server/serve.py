"""Serves an application with gunicorn: one process, many threads, nothing reloaded.

The table is built in the worker, after the fork, because threads do not survive one.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from companion.server.app import shut

log = logging.getLogger(__name__)

SPARE = 24
"""Threads that streams leave free for pages and commands."""
UNACKNOWLEDGED_MS = 30_000
"""A phone that has gone without a word holds its thread so long at most."""


class _Worker(ThreadWorker):  # type: ignore[misc]
    """Ends the event streams as soon as it is told to stop; they would keep their threads for good."""

    def init_process(self) -> None:
        for listener in self.sockets:
            # Accepted connections inherit it (Linux): what is sent and never acknowledged ends the connection.
            if listener.sock.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_USER_TIMEOUT"):
                listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        super().init_process()

    def handle_exit(self, sig: int, frame: Any) -> None:
        self._shut()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        self._shut()
        super().handle_quit(sig, frame)

    def _shut(self) -> None:
        app = getattr(self, "wsgi", None)
        if isinstance(app, Flask) and not app.extensions.get("companion.shut"):
            app.extensions["companion.shut"] = True
            # Not from within a signal handler: it may have interrupted the very code that holds the feed's lock.
            threading.Thread(target=shut, args=(app,), name="shut").start()


class _Application(BaseApplication):  # type: ignore[misc]
    def __init__(self, make_app: Callable[[], Flask], settings: dict[str, Any]) -> None:
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
