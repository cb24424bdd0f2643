"""Puts the hall's pages together: a Flask application on the hall's database, with the tables' looks."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request
from jinja2 import StrictUndefined
from psycopg_pool import ConnectionPool
from werkzeug.exceptions import HTTPException

from companion.files import data
from companion.hall import event_pages, host_pages, pages
from companion.hall.context import Hall, hall, is_host
from companion.hall.database import SETTINGS, Connection
from companion.hall.feed import Cards, Feed
from companion.hall.views import TableCard, wall
from companion.server import language
from companion.server.app import assets, own_pages_only, protect
from companion.server.context import RefusedError
from companion.server.guard import is_own_name, named
from companion.server.keys import Keys
from companion.server.squeeze import squeeze
from companion.server.words.catalogue import ENGLISH
from companion.server.words.speaking import offer_languages
from companion.server.words.voice import spoken_in
from companion.table.print_queue import Printed
from companion.text import CLOCK, DAY, MOMENT, local_time, t

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
SENTENCES = {
    400: t("That request makes no sense to the hall: go back and try again."),
    404: t("There is no such page here: the wall is at /."),
    405: t("That address can't be used that way: start again from the wall at /."),
    413: t("That is too much at once."),
    500: t("Something went wrong here; the tables play on. Load the page again."),
}


def create_app(address: str, password: str, key_file: Path | None = None, public: str = "") -> Flask:
    """Make the application for a database, in the process that serves: it starts threads.

    `password` is kept of the host's (`companion.server.keys.kept_pin`), `key_file` keeps who is logged in, `public` is
    the hall's name beside those of a home network.
    """
    web = data("web")
    app = Flask("companion", static_folder=str(web / "static"), template_folder=str(web / "templates"))
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    prints = Printed()
    titles = dict(prints.games())
    app.jinja_env.globals["asset"] = assets(web / "static")
    app.jinja_env.globals["game_titles"] = titles
    app.jinja_env.filters["hour"] = _hour
    app.jinja_env.filters["title_of"] = lambda game: titles.get(game, game)
    offer_languages(app, lambda: ENGLISH)
    pool: ConnectionPool[Connection] = ConnectionPool(
        address,
        kwargs=SETTINGS,
        min_size=1,
        max_size=8,
        timeout=3.0,
        reconnect_timeout=2.0,
        check=ConnectionPool.check_connection,
        open=True,
    )
    feed = Feed(address)

    def made(cards: list[TableCard], spoken: str) -> dict[str, str]:
        template = app.jinja_env.get_template("hall/card.html")
        with spoken_in(spoken):
            return {card.name: template.render(card=card) for card in cards}

    def make(names: list[str] | None, spoken: str) -> dict[str, str]:
        with pool.connection() as connection:
            return made(wall(connection, names), spoken)

    app.extensions["hall"] = Hall(pool, feed, Cards(make), Keys("hall", password, key_file))

    def close() -> None:
        feed.close()
        pool.close()

    app.extensions["companion.close"] = close
    for module in (pages, host_pages, event_pages, language):
        app.register_blueprint(module.blueprint)
    names = (*named(), public.lower())

    def by_name() -> None:
        if not is_own_name(request.host, names):
            raise RefusedError(
                421, t("The hall has no such name: open it by its address, or set COMPANION_NAMES there.")
            )

    app.before_request(by_name)
    app.before_request(own_pages_only)
    app.before_request(_not_too_much)
    app.after_request(protect)
    squeeze(app)
    app.register_error_handler(RefusedError, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _crashed)
    app.context_processor(lambda: {"table_name": "", "game": "", "live": False, "host": is_host()})
    feed.start()
    return app


def _hour(at: datetime) -> str:
    today = local_time(at, DAY) == local_time(datetime.now(UTC), DAY)
    return local_time(at, CLOCK if today else MOMENT)


def _not_too_much() -> None:
    if request.method == "POST" and not hall().limits.allow_request(request.remote_addr or "?"):
        raise RefusedError(429, t("That was too much at once: wait a second, then try again."))


def _say(status: int, message: str) -> Response:
    return make_response(render_template("hall/error.html", title=t("Companion"), message=message), status)


def _refused(error: RefusedError) -> Response:
    return _say(error.status, error.message)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    return _say(status, SENTENCES.get(status, SENTENCES[400 if status < 500 else 500]))


def _crashed(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.path, exc_info=error)
    return _say(500, SENTENCES[500])
