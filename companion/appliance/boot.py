"""The box: the table as it starts with the computer. What it can't know by itself, the first page asks for once.

It goes on with the match that was not over when the plug was pulled; else people gather, and the host chooses.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, redirect, render_template, request

from companion import games
from companion.appliance import network, run
from companion.appliance.health import Served, kept
from companion.appliance.settings import FIND, NONE, SIMULATED, settle, settled
from companion.devices.doctor import ON_A_CARD
from companion.devices.vitals import forgetful
from companion.files import data, state_dir
from companion.server.guard import NAMES, is_own_name
from companion.server.settings_api import SettingsError
from companion.server.words.pages import dress
from companion.table.table import TableError
from companion.text import capital_of

log = logging.getLogger(__name__)

FORGETTING = "COMPANION_FORGETTING"
"""Set in the environment by who wants a box that forgets everything at a restart."""


def create_first_page(
    done: Callable[[], None], folder: Path | None = None, front: Callable[[], str] = lambda: "http://localhost/"
) -> Flask:
    """Make the application that asks for settings, then calls `done`; `front` is its address for phones."""
    web = data("web")
    app = Flask("companion", static_folder=str(web / "static"), template_folder=str(web / "templates"))
    app.config["MAX_CONTENT_LENGTH"] = 4096
    app.jinja_env.globals["asset"] = lambda name: f"/static/{name}"
    dress(app.jinja_env)
    app.extensions["companion.close"] = None
    lock = threading.Lock()

    def page(status: int = 200, **more: object) -> Response:
        words = {"title": "Companion", "game": "", "message": "", "camera": FIND, "where": "", "done": False}
        response = make_response(render_template("first.html", **{**words, **more}), status)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Security-Policy"] = (
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'"
        )
        return response

    @app.before_request
    def by_own_name() -> Response | None:
        # The same names as later: another's may have been made to point here, and on the hotspot every one leads here.
        here = front()
        names = (*os.environ.get(NAMES, "").lower().split(), urlsplit(here).hostname or "")
        if is_own_name(request.host, names):
            return None
        if request.method in ("GET", "HEAD"):
            return make_response(redirect(here, 302))
        return page(421, message=f"This table is at {here}; nothing may be sent to it by another name.")

    @app.get("/")
    @app.get("/<path:anywhere>")
    def ask(anywhere: str = "") -> Response:
        return page()

    @app.post("/first")
    def take() -> Response:
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            return page(403, message="This request comes from another site's page.")
        kind, where = request.form.get("camera", FIND), request.form.get("where", "")
        with lock:
            if settled(folder) is not None:
                # Somebody was faster; what counts is what the others have seen.
                return page(done=True)
            try:
                settle(where if kind == "named" else kind, request.form.get("pin", ""), folder)
            except SettingsError as error:
                sentence = f"{error}"
                words = capital_of(sentence) + ("" if sentence.endswith(".") else ".")
                return page(400, message=words, camera=kind, where=where)
        # The answer has to be on its way first.
        threading.Timer(0.5, done).start()
        return page(done=True)

    return app


def serve_box(host: str, port: int) -> None:
    """Run the box until stopped: the first page until there are settings, then the table.

    Raises:
        SettingsError: if the settings are damaged.
        TableError: if the table can't be put together, or what it keeps would be forgotten.
    """
    kind = forgetful(state_dir())
    if kind is not None and not os.environ.get(FORGETTING):
        raise TableError(
            f"{state_dir()} lies on {kind}: every match would be forgotten when this computer restarts. {ON_A_CARD} "
            f"({FORGETTING}=1 plays all the same)"
        )
    chosen = settled()
    if chosen is None:
        _ask_first(host, port)
        return
    if chosen.camera == SIMULATED:
        first = games.load("five-cards-collector")
        run.serve_demo(run.DemoPlan(game=first, named=False), host, port, chosen.pin)
        return
    blind = chosen.camera == NONE
    plan = run.TablePlan(camera=None if blind else chosen.camera, resume="open", mode="ledger" if blind else "assist")
    run.serve_table(plan, host, port, chosen.pin)


def _ask_first(host: str, port: int) -> None:
    """Serve the first page; then begin again as a table. A service manager does that by itself, else we do."""
    from companion.server.serve import run

    managed = "NOTIFY_SOCKET" in os.environ
    parent = os.getpid()

    def make() -> Served:
        page = create_first_page(lambda: os.kill(parent, signal.SIGTERM), front=lambda: network.front(host, port))
        return Served(page, lambda patience: True, lambda: "")

    print(f"Not set up yet: open {network.front(host, port)}", flush=True)
    try:
        run(kept(make, host, port), host, port, threads=32)
    except SystemExit:
        # The process that served comes by here too, and has to end.
        if os.getpid() != parent or managed or settled() is None:
            raise
    # Who wants to stop us while we change must find us mortal: gunicorn's handlers listen to nobody any more.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    again = [sys.executable, "-m", "companion", "box", "--host", host, "--port", str(port)]
    os.execv(sys.executable, again)  # noqa: S606
