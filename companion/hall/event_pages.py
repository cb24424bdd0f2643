"""Tournaments' pages: how it stands, who plays where and why; and what the host does with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request

from companion import games
from companion.hall import events
from companion.hall.context import database, hall, host_only
from companion.hall.database import Connection
from companion.hall.events import BYES, Entrant, EventError
from companion.hall.host_pages import number, typed
from companion.hall.messages import is_table
from companion.hall.scoring import WHOLE
from companion.hall.views import by_number
from companion.rules.seats import clean_name
from companion.server.context import RefusedError
from companion.text import t

blueprint = Blueprint("tournaments", __name__)

REASON = 200
"""Letters."""


@contextmanager
def _event_database() -> Iterator[Connection]:
    """Lend a connection; what can't be done in a tournament is said."""
    try:
        with database() as connection:
            yield connection
    except EventError as error:
        raise RefusedError(409, f"{error}") from None


def _back(event: int) -> Response:
    return make_response(redirect(f"/tournaments/{event}", 303))


@blueprint.get("/tournaments")
def all_events() -> str:
    """Show all tournaments."""
    with database() as connection:
        found = events.events(connection)
        tables = [(row[0], row[1] or row[0]) for row in connection.execute("SELECT name, title FROM tables")]
    tables.sort(key=lambda one: by_number(one[1]))
    return render_template("hall/events.html", title=t("Tournaments"), events=found, tables=tables)


@blueprint.post("/tournaments")
def open_event() -> Response:
    """Begin a tournament."""
    host_only()
    name, game = typed("name", 60), request.form.get("game", "")
    if game not in games.names() or not name:
        raise RefusedError(400, t("A tournament needs a name and a game that is there."))
    tables = [one for one in request.form.getlist("table") if is_table(one)]
    with _event_database() as connection:
        made = events.open_event(connection, name, game, number("pod"), games.load(game).info.seats, tables)
    return _back(made)


@blueprint.get("/tournaments/<int:event>")
def one_event(event: int) -> str:
    """Show how a tournament stands, and its rounds."""
    stamp = hall().feed.stamp()
    with database() as connection:
        try:
            found = events.event(connection, event)
        except EventError:
            abort(404)
        people = events.entrants(connection, event)
        rounds = events.pods(connection, event)
    return render_template(
        "hall/event.html",
        title=found.name,
        event=found,
        people=people,
        pods=rounds,
        last=[pod for pod in rounds if pod.round == found.round],
        earlier=[pod for pod in rounds if pod.round < found.round],
        byes=BYES,
        whole=WHOLE,
        stamp=stamp,
        live=True,
    )


@blueprint.get("/tournaments/<int:event>/players/<int:entrant>")
def why(event: int, entrant: int) -> str:
    """Explain to somebody why he or she sits where."""
    with database() as connection:
        try:
            found = events.event(connection, event)
        except EventError:
            abort(404)
        one = _entrant(connection, event, entrant)
        reasons = events.reasons(connection, event, entrant)
    return render_template(
        "hall/why.html", title=one.name, event=found, one=one, reasons=reasons, byes=BYES, whole=WHOLE
    )


def _entrant(connection: Connection, event: int, entrant: int) -> Entrant:
    found = next((one for one in events.entrants(connection, event) if one.id == entrant), None)
    if found is None:
        abort(404)
    return found


@blueprint.post("/tournaments/<int:event>/enter")
def enter(event: int) -> Response:
    """Let people in: a name a line."""
    host_only()
    names = [clean_name(line, 60) for line in request.form.get("names", "")[:20_000].splitlines()]
    with _event_database() as connection:
        for name in filter(None, names):
            events.enter(connection, event, name)
    return _back(event)


def _does(what: Callable[[Connection, int], object], event: int) -> Response:
    host_only()
    with _event_database() as connection:
        what(connection, event)
    return _back(event)


@blueprint.post("/tournaments/<int:event>/leave")
def leave(event: int) -> Response:
    """Let somebody go."""
    entrant = number("entrant")
    return _does(lambda connection, one: events.leave(connection, one, entrant), event)


@blueprint.post("/tournaments/<int:event>/next")
def next_round(event: int) -> Response:
    """Pair the next round."""
    return _does(events.next_round, event)


@blueprint.post("/tournaments/<int:event>/back")
def take_back(event: int) -> Response:
    """Take the last round back that nobody has played yet."""
    return _does(events.take_back_round, event)


@blueprint.post("/tournaments/<int:event>/close")
def close(event: int) -> Response:
    """End a tournament."""
    return _does(events.close_event, event)


@blueprint.post("/tournaments/<int:event>/exchange")
def exchange(event: int) -> Response:
    """Let two change places."""
    first, second, reason = number("first"), number("second"), typed("why", REASON)
    if not reason:
        raise RefusedError(400, t("Say why: everybody can read it beside the table."))
    return _does(lambda connection, one: events.exchange(connection, one, first, second, reason), event)


@blueprint.post("/tournaments/<int:event>/result")
def result(event: int) -> Response:
    """Enter or correct a result, with the reason."""
    scores = {
        int(field[6:]): number(field)
        for field in list(request.form)[:40]
        if field.startswith("score-") and field[6:].isdecimal() and len(field) < 15
    }
    round_, pod, reason = number("round"), number("pod"), typed("why", REASON)
    winners = set(request.form.getlist("winner", type=int))
    return _does(
        lambda connection, one: events.enter_result(connection, one, round_, pod, scores, winners, reason), event
    )
