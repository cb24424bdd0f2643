"""What the hall's host does: log in, forget a person, open a league, let a table's records in again."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, Response, make_response, redirect, render_template, request

from companion.hall.context import database, hall, host_only, is_host
from companion.hall.database import tell
from companion.hall.forgetting import Forgotten, forget
from companion.hall.views import wall
from companion.rules.seats import clean_name
from companion.server.context import HOST_COOKIE, RefusedError, set_key, too_many_pins
from companion.text import t

blueprint = Blueprint("hall_host", __name__)

LONGEST = 80
"""Letters of a name."""


def typed(field: str, most: int = LONGEST) -> str:
    """Return what was typed into a field, on one line."""
    return clean_name(request.form.get(field, ""), most)


def number(field: str) -> int:
    """Return a whole number that was typed; raise RefusedError if it is none, or far from all."""
    try:
        found = int(request.form.get(field, "")[:12])
    except ValueError:
        found = 10**12
    if abs(found) > 10**9:
        raise RefusedError(400, t("That needs a whole number: go back and enter one."))
    return found


@blueprint.get("/host")
def host() -> str:
    """Show the host's page, or the door to it."""
    if not is_host():
        return render_template("hall/login.html", title=t("Host"), message="")
    with database() as connection:
        calls = [card for card in wall(connection) if card.calls]
    message = t("That name is forgotten here.") if "forgotten" in request.args else ""
    return render_template("hall/host.html", title=t("Host"), calls=calls, message=message)


@blueprint.post("/host/enter")
def login() -> Response | tuple[str, int]:
    """Take the password."""
    keys = hall().keys
    token = keys.enter(request.form.get("password", "")[:64])
    if token is None:
        wait = keys.retry_after()
        message = too_many_pins(wait) if wait else t("That is not the password.")
        return render_template("hall/login.html", title=t("Host"), message=message), 403
    response = make_response(redirect("/host", 303))
    set_key(response, HOST_COOKIE, token)
    return response


@blueprint.post("/host/leave")
def leave() -> Response:
    """Stop being the host."""
    hall().keys.leave_host(request.cookies.get(HOST_COOKIE))
    response = make_response(redirect("/", 303))
    response.delete_cookie(HOST_COOKIE)
    return response


@blueprint.post("/host/forget")
def forget_person() -> Response:
    """Forget a person's name."""
    host_only()
    name = typed("name")
    if not name:
        raise RefusedError(400, t("Enter the name that is to be forgotten."))
    with database() as connection:
        forget(connection, name)
    return make_response(redirect("/host?forgotten=1", 303))


@blueprint.post("/host/leagues")
def open_league() -> Response:
    """Open a league."""
    host_only()
    name = typed("name", 60)
    try:
        starts = date.fromisoformat(request.form.get("starts", ""))
        ends = date.fromisoformat(request.form["ends"]) if request.form.get("ends") else None
    except ValueError:
        raise RefusedError(400, t("A league needs its first day, and days as 2026-12-31.")) from None
    if not name or (ends is not None and ends < starts):
        raise RefusedError(400, t("A league needs a name, and its last day not before its first."))
    with database() as connection:
        forgotten = Forgotten(connection)
        connection.execute(
            "INSERT INTO leagues (name, game, starts, ends) VALUES (%s, %s, %s, %s)",
            (forgotten.without(name), forgotten.game(typed("game")), starts, ends),
        )
    return make_response(redirect("/leagues", 303))


@blueprint.post("/host/leagues/<int:league>/delete")
def delete_league(league: int) -> Response:
    """Delete a league; its matches stay."""
    host_only()
    with database() as connection:
        connection.execute("DELETE FROM leagues WHERE id = %s", (min(league, 2**31 - 1),))
    return make_response(redirect("/leagues", 303))


@blueprint.post("/host/again")
def take_again() -> Response:
    """Let a match's records in again that was refused; those that are here stay."""
    host_only()
    table, match = typed("table"), typed("match")
    with database() as connection:
        connection.execute("UPDATE matches SET refused = '' WHERE table_name = %s AND id = %s", (table, match))
        tell(connection, [table])
    return make_response(redirect(f"/tables/{table}" if table else "/", 303))
