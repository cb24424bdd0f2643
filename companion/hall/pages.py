"""What everybody in the hall may see: the wall, a table, matches, players, leagues; and the stream of what changes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import psycopg
from flask import Blueprint, Response, abort, make_response, render_template, request
from psycopg_pool import PoolTimeout

from companion import games
from companion.hall.context import MOST_STREAMS, Hall, database, hall, is_host
from companion.hall.messages import is_table
from companion.hall.settling import lines_of, names_of
from companion.hall.views import PAGE, asides, leagues, matches, players, wall
from companion.referee.chain import head, short
from companion.referee.course import course
from companion.referee.history import History, HistoryError, opening
from companion.referee.journal import Header, JournalError, decode_record
from companion.rules.kernel import RuleError
from companion.server.context import RefusedError
from companion.server.words.catalogue import ENGLISH, LANGUAGES
from companion.server.words.speaking import chosen
from companion.text import plain, t
from companion.untyped import JsonObject

blueprint = Blueprint("hall", __name__)

FOLDED = 3000
"""Records of a match that a page tells one by one; one that is longer is nobody's."""
UNREADABLE = (RuleError, HistoryError, JournalError, games.GameError, msgspec.MsgspecError)
"""What folding records from elsewhere may raise that were taken in by their hashes alone."""


@blueprint.get("/")
def the_wall() -> str:
    """Show all tables."""
    stamp = hall().feed.stamp()
    with database() as connection:
        cards = wall(connection)
    return render_template("hall/wall.html", title=t("The hall"), cards=cards, stamp=stamp, live=True)


@blueprint.get("/tables/<name>")
def table(name: str) -> str:
    """Show a table: how it stands there, and what was played."""
    if not is_table(name):
        abort(404)
    stamp = hall().feed.stamp()
    with database() as connection:
        cards = wall(connection, [name])
        if not cards:
            abort(404)
        played = matches(connection, name)
        strange = asides(connection, name) if is_host() else []
    return render_template(
        "hall/table.html", title=cards[0].title, card=cards[0], matches=played, asides=strange, stamp=stamp, live=True
    )


@blueprint.get("/matches")
def all_matches() -> str:
    """Show the matches of all tables, the newest first."""
    page = min(10_000, max(0, request.args.get("page", 0, int)))
    with database() as connection:
        found = matches(connection, page=page)
    return render_template("hall/matches.html", title=t("Matches"), matches=found, page=page, more=len(found) == PAGE)


@blueprint.get("/matches/<name>/<match>")
def one_match(name: str, match: str) -> str:
    """Show a match: how it ended, and what happened."""
    if not is_table(name) or "\x00" in match:
        abort(404)
    with database() as connection:
        found = matches(connection, name, match)
        if not found:
            abort(404)
        kept = connection.execute(
            "SELECT header, names FROM matches WHERE table_name = %s AND id = %s", (name, match)
        ).fetchone()
        lines = lines_of(connection, name, match) if found[0].records <= FOLDED else []
    told = None
    if kept is not None and lines:
        told = _told(msgspec.json.decode(kept[0], type=Header), kept[1], lines)
    return render_template("hall/match.html", title=t("A match"), match=found[0], told=told)


def _told(header: Header, names: dict[str, str], lines: list[bytes]) -> dict[str, object] | None:
    """Return what happened record by record; None if the rules are not here, or the records none of theirs."""
    try:
        game = games.load(header.game)
        records = [decode_record(line, game.action_type) for line in lines]
        history = History(game, opening(game, header))
        history.fold(records)
        called = names_of(header, names)
        looked = course(game, header, [past.record for past in history.active], called)
        return {"course": looked, "head": short(head(header, records))}
    except (*UNREADABLE, ArithmeticError, LookupError, TypeError, ValueError):
        return None


@blueprint.get("/players")
def all_players() -> str:
    """Show who has played, over all evenings."""
    game = request.args.get("game", "")[:80].replace("\x00", "")
    with database() as connection:
        found = players(connection, game)
    return render_template("hall/players.html", title=t("Players"), players=found, chosen_game=game)


@blueprint.get("/leagues")
def all_leagues() -> str:
    """Show the leagues."""
    with database() as connection:
        found = leagues(connection)
    return render_template("hall/leagues.html", title=t("Leagues"), leagues=found)


@blueprint.get("/leagues/<int:number>")
def league(number: int) -> str:
    """Show how a league stands."""
    with database() as connection:
        found = leagues(connection, min(number, 2**31 - 1))
        if not found:
            abort(404)
        one = found[0]
        table_of = players(connection, one["game"], one["starts"], one["ends"])
    return render_template("hall/league.html", title=one["name"], league=one, players=table_of)


@blueprint.get("/live")
def live() -> Response:
    """Stream what changes: tables' cards for the wall, names of what else has changed for other pages."""
    here = hall()
    address = request.remote_addr or "?"
    if here.streams >= MOST_STREAMS or not here.limits.enter(address):
        raise RefusedError(503, t("Too many pages are open at once; this one asks from time to time instead."))
    seen = here.feed.known(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
    language = request.args.get("language", chosen())
    stream = _Stream(here, seen, language if language in LANGUAGES else ENGLISH, "cards" in request.args, address)
    response = make_response(Response(stream, mimetype="text/event-stream"))
    response.call_on_close(stream.close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _Stream:
    """One open stream: an iterator over the bytes to send, each time what is newest then."""

    def __init__(self, here: Hall, seen: int, language: str, cards: bool, address: str) -> None:
        self._here, self._seen, self._language, self._cards, self._address = here, seen, language, cards, address
        self._open, self._first = True, True
        here.streams += 1

    def __iter__(self) -> Iterator[bytes]:
        return self

    def close(self) -> None:
        """End, once."""
        if self._open:
            self._open = False
            self._here.streams -= 1
            self._here.limits.leave(self._address)

    def __next__(self) -> bytes:
        """Wait until there is something to send, at most until the next heartbeat."""
        feed = self._here.feed
        if self._first:
            self._first = False
            return b"retry: 2000\n\n"
        version, names = feed.wait(self._seen)
        if feed.closing:
            raise StopIteration
        if not names:
            return b"event: beat\ndata:\n\n"
        news: JsonObject = {"changed": sorted(names), "up": feed.up}
        if self._cards and feed.up:
            try:
                news["cards"] = self._here.cards(version, names, self._language)
            except (psycopg.Error, PoolTimeout):  # it has just gone: the feed will say so
                news["up"] = False
        self._seen = version
        return b"id: %s\ndata: %s\n\n" % (feed.stamp(version).encode(), msgspec.json.encode(news, enc_hook=plain))
