"""Puts the server together: a Flask application for one table."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from flask import Flask, Response, jsonify, make_response, render_template, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from companion.files import data
from companion.server import (
    bare_pages,
    camera_pages,
    card_pages,
    command_post,
    guard,
    guide_pages,
    hall_pages,
    hand_pages,
    laid_pages,
    language,
    live,
    main_pages,
    maker_pages,
    match_pages,
    phone_pages,
    picture_pages,
    seat_pages,
    settings_pages,
    sound,
    teach_pages,
    virtual_table,
)
from companion.server.context import RefusedError, Server, is_host, own_seats
from companion.server.feed import Feed
from companion.server.kept_templates import KeptTemplates
from companion.server.keys import Keys
from companion.server.limits import Limits
from companion.server.squeeze import squeeze
from companion.server.table_api import TableService
from companion.server.words.catalogue import ENGLISH
from companion.server.words.speaking import offer_languages, say_all
from companion.server.words.voice import say
from companion.text import CLOCK, DAY, MOMENT, local_time, t

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
"""Bytes: the longest command is a correction of a whole table, a few kilobytes."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ),
)
SENTENCES = {
    400: t("That request makes no sense to the companion: go back and try again."),
    404: t("There is no such page here: the table page is at /."),
    405: t("That address can't be used that way: start again from the table page at /."),
    413: t("That is too much at once: {largest_body} kB are the most.", largest_body=LARGEST_BODY // 1024),
    500: t("Something went wrong here; the match goes on. Load the page again."),
}
JSON_PATHS = ("/command", "/state/", "/parts/", "/events/", "/simulated/things", "/hand/")


def create_app(
    table: TableService,
    *,
    key_file: Path | None = None,
    most_streams: int = 240,
    close: Callable[[], None] | None = None,
) -> Flask:
    """Make the application for a table. Call it in the process that serves, for it starts a thread.

    `key_file` keeps the hashes of seats' keys over a restart, and the code of templates lies beside it; `most_streams`
    phones have a stream at once, further ones ask from time to time; `close` is called by `shut` after the server has
    stopped.
    """
    web = data("web")
    app = Flask("companion", static_folder=str(web / "static"), template_folder=str(web / "templates"))
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.jinja_env.bytecode_cache = KeptTemplates(key_file.with_name("templates")) if key_file is not None else None
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["asset"] = assets(web / "static")
    app.jinja_env.globals["face_size"] = table.prints.small_size
    for name, shape in (("clock", CLOCK), ("day", DAY), ("moment", MOMENT)):
        app.jinja_env.filters[name] = partial(local_time, shape=shape)
    app.jinja_env.filters["led_on"] = guide_pages.led_on
    app.jinja_env.filters["in_rulebook"] = guide_pages.in_rulebook
    app.jinja_env.filters["shortened"] = guide_pages.shortened
    offer_languages(app, lambda: (table.owner.now.language if table.owner is not None else "") or ENGLISH)
    keys = Keys(table.snapshot().match, table.host_pin, key_file)
    feed = Feed(table, app.jinja_env, keys)
    app.extensions["companion"] = Server(table, feed, keys, most_streams, Limits())
    app.extensions["companion.close"] = close
    for module in (
        main_pages,
        maker_pages,
        match_pages,
        phone_pages,
        guard,
        guide_pages,
        hall_pages,
        hand_pages,
        laid_pages,
        language,
        live,
        command_post,
        picture_pages,
        virtual_table,
        seat_pages,
        camera_pages,
        bare_pages,
        card_pages,
        settings_pages,
        sound,
        teach_pages,
    ):
        app.register_blueprint(module.blueprint)
    app.before_request(guard.check)
    app.before_request(own_pages_only)
    app.after_request(protect)
    squeeze(app)
    app.register_error_handler(RefusedError, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _crashed)
    app.context_processor(lambda: _of_table(table))
    feed.start()
    return app


def _of_table(table: TableService) -> dict[str, object]:
    """Return what every page may say: the table's name, how long its camera's pictures are kept, whose seat this is,
    and why the camera gives no pictures.
    """
    owner = table.owner
    lost = next((one.words for one in table.snapshot().troubles if one.kind == "camera-lost"), "")
    return {
        "camera_lost": lost,
        "table_name": owner.now.name if owner else "",
        "recording": owner.recording if owner else 0,
        "my_seats": own_seats,
    }


def shut(app: Flask) -> None:
    """End all streams, and call what was given to `create_app` as `close`."""
    here: Server | None = app.extensions.get("companion")
    if here is not None:
        here.feed.close()
    close = app.extensions["companion.close"]
    if close is not None:
        close()


def assets(folder: Path) -> Callable[[str], str]:
    """Return addresses of static files that change with their contents, so that browsers may keep them for good."""

    @cache
    def address(name: str) -> str:
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()[:8]
        return f"/static/{name}?v={digest}"

    return address


def own_pages_only() -> None:
    """Turn down what another site's page posts here."""
    origin = request.headers.get("Origin")
    if request.method == "POST" and origin is not None and origin.partition("://")[2] != request.host:
        raise RefusedError(403, t("This request comes from another site's page."))


def protect(response: Response) -> Response:
    """Add headers that tell browsers what a page of ours may do, and that its assets never change."""
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if request.path.startswith("/static/") and request.args.get("v"):
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def _say(status: int, message: str, **more: object) -> Response:
    if request.path.startswith(JSON_PATHS):
        return make_response(jsonify(say_all({"ok": False, "message": message, **more})), status)
    if request.path.endswith((".jpg", ".png", ".svg", ".webp")):
        return Response(say(message) + "\n", status, mimetype="text/plain")
    return make_response(
        render_template("error.html", title=t("Companion"), game="", message=message, more=more, host=is_host()), status
    )


def _refused(error: RefusedError) -> Response:
    return _say(error.status, error.message, **error.more)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    return _say(status, SENTENCES.get(status, SENTENCES[400 if status < 500 else 500]))


def _crashed(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.path, exc_info=error)
    return _say(500, SENTENCES[500])
