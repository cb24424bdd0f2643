"""Whether the whole way is open: a request comes in, the match's thread takes a look, an answer goes out.

And whether the eye's thread is there: where it has ended the table goes on unwatched, and only a restart helps.

`/health` is for the watchdog, for `companion-update`, and for whoever looks after ten tables.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from flask import Flask, Response, jsonify, make_response

from companion.notify import Notifier, Watch, listened

PATIENCE = 5.0
"""Seconds that the match may take to take a look."""
UNANSWERED = "the match does not answer"


def own_version() -> str:
    """Give the version of the program that is running; "" if it was never installed."""
    try:
        return version("companion")
    except PackageNotFoundError:
        return ""


def _nothing() -> str:
    return ""


def add_health(
    app: Flask, answers: Callable[[float], bool], playing: Callable[[], str], ailing: Callable[[], str] = _nothing
) -> None:
    """Give an application the page `/health`: {"ok", "version", "playing"}, status 200 or 503, then with "wrong".

    `answers` asks the match's thread, with the seconds that it may take; `playing` names the game; `ailing` says what
    is wrong besides, "" if nothing is.
    """

    @app.get("/health")
    def health() -> Response:
        wrong = ailing() if answers(PATIENCE) else UNANSWERED
        document = {"ok": not wrong, "version": own_version(), "playing": playing()}
        if wrong:
            document["wrong"] = wrong
        response = make_response(jsonify(document), 503 if wrong else 200)
        response.headers["Cache-Control"] = "no-store"
        return response


def probe(host: str, port: int, patience: float) -> str | None:
    """Ask a companion for its health over the network; give what is wrong with it, or None."""
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


def _eye_of(app: Flask) -> str:
    """Say what is wrong with the eye of an application's table; "" if nothing is, or it has no table."""
    desk = getattr(app.extensions.get("companion"), "desk", None)
    return str(getattr(getattr(desk, "lookout", None), "ailing", ""))


def kept(make: Callable[[], Served], host: str, port: int) -> Callable[[], Flask]:
    """Let an application tell the service manager how it is: ready, alive as long as `/health` says so, stopping.

    Call this in the process that was started; what it gives is called in the one that serves.
    """
    notifier, where = Notifier.take(), listened() or (host, port)

    def make_app() -> Flask:
        served = make()
        app = served.app
        add_health(app, served.answers, served.playing, lambda: _eye_of(app))
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
