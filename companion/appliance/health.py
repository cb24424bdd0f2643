"""Whether the whole way is open: a request comes in, the match's thread takes a look, an answer goes out.

Also whether the table's threads live. `/health` is for the watchdog and `companion-update`.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from flask import Flask, Response, jsonify, make_response

from companion.appliance.systemd import Notifier, Watch, listened
from companion.referee.steady import Steady

PATIENCE = 5.0
"""Seconds that the match may take to take a look."""
UNANSWERED = "the match does not answer"


def own_version() -> str:
    """Return the version of the program that is running; "" if it was never installed."""
    try:
        return version("companion")
    except PackageNotFoundError:
        return ""


def add_health(
    app: Flask,
    answers: Callable[[float], bool],
    playing: Callable[[], str],
    threads: Callable[[], Iterable[Steady]] = tuple,
) -> None:
    """Add to an application the page `/health`: {"ok", "version", "playing"}, status 200 or 503, then with "wrong".

    `answers` asks the match's thread within seconds; `threads` are those that the table lives by: faults of dispensable
    ones are "besides", with status 200.
    """

    @app.get("/health")
    def health() -> Response:
        ailing = [thread for thread in threads() if thread.ailing]
        wrong = next((thread.ailing for thread in ailing if thread.vital), "") if answers(PATIENCE) else UNANSWERED
        document: dict[str, object] = {"ok": not wrong, "version": own_version(), "playing": playing()}
        if wrong:
            document["wrong"] = wrong
        if besides := [thread.ailing for thread in ailing if not thread.vital]:
            document["besides"] = besides
        response = make_response(jsonify(document), 503 if wrong else 200)
        response.headers["Cache-Control"] = "no-store"
        return response


def probe(host: str, port: int, patience: float) -> str | None:
    """Ask a companion for its health over the network; return what is wrong with it, or None."""
    at = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - where it listens, not where we do
    asked = http.client.HTTPConnection(at, port, timeout=patience)
    try:
        asked.request("GET", "/health")
        answer = asked.getresponse()
        said = json.loads(answer.read(4096))
        return None if answer.status == 200 and said["ok"] is True else str(said.get("wrong") or UNANSWERED)
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError) as error:
        return f"the pages do not answer ({type(error).__name__})"
    finally:
        asked.close()


class Served(NamedTuple):
    """An application, and how its match is asked whether it is well."""

    app: Flask
    answers: Callable[[float], bool]
    playing: Callable[[], str]


def _threads_of(app: Flask) -> Iterable[Steady]:
    """List the threads that an application's table lives by; none where it has no table."""
    table = getattr(app.extensions.get("companion"), "table", None)
    threads: Callable[[], Iterable[Steady]] = getattr(table, "threads", tuple)
    return threads()


def kept(make: Callable[[], Served], host: str, port: int) -> Callable[[], Flask]:
    """Report an application's state to the service manager: call this where it starts, the result where it serves."""
    notifier, where = Notifier.take(), listened() or (host, port)

    def make_app() -> Flask:
        served = make()
        app = served.app
        add_health(app, served.answers, served.playing, lambda: _threads_of(app))
        watch = Watch(notifier, lambda patience: probe(*where, patience))
        close: Callable[[], None] | None = app.extensions["companion.close"]

        def end() -> None:
            watch.close()
            notifier.stopping()
            if close is not None:
                close()

        app.extensions["companion.close"] = end
        watch.start()
        return app

    return make_app
