"""/host/settings/hall: whom the table tells what it plays. /call: a seat calls for the host. Plain forms, no script."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request

from companion.server.context import RefusedError, fresh, is_host, plays_seat, server
from companion.server.hall_api import HallChosen
from companion.server.settings_api import SettingsError
from companion.server.settings_pages import owner_for_host
from companion.text import said, sentence, t

blueprint = Blueprint("hall", __name__)

NAMES = {
    "full": t("As they are"),
    "initials": t("First letters only: A. L."),
    "colours": t("Not at all: the colours of the seats stand for them"),
}
"""How people's names are told."""
LONGEST_FIELD = 400


@blueprint.get("/host/settings/hall")
def show() -> Response:
    """Show what is settled, and what is wrong with it."""
    if not is_host():
        return make_response(redirect("/host", 302))
    owner = owner_for_host()
    return _page(owner.hall(), said=t("Kept.") if request.args.get("kept") else "")


@blueprint.post("/host/settings/hall")
def keep() -> Response:
    """Keep what the form says."""
    owner, form = owner_for_host(), request.form
    chosen = HallChosen(
        address=form.get("address", "").strip()[:LONGEST_FIELD],
        on=form.get("on") == "yes",
        tls=form.get("tls") == "yes",
        name=form.get("broker_name", "").strip()[:LONGEST_FIELD],
        password=form.get("password", "")[:LONGEST_FIELD],
        ca=form.get("ca", "").replace("\r\n", "\n").strip(),
        names=form.get("names", ""),
        home_assistant=form.get("home_assistant") == "yes",
        buttons=form.get("buttons") == "yes",
        webhook=form.get("webhook", "").strip()[:LONGEST_FIELD],
    )
    try:
        owner.keep_hall(chosen)
    except SettingsError as error:
        return _page(chosen, {error.field: sentence(said(error))}, 400)
    server().feed.refresh()
    return make_response(redirect("/host/settings/hall?kept=1", 303))


def _page(chosen: HallChosen, wrong: dict[str, str] | None = None, status: int = 200, said: str = "") -> Response:
    hall = server().table.hall
    return fresh(
        "hall_settings.html",
        status,
        live=False,
        chosen=chosen,
        wrong=wrong or {},
        said=said,
        namings=NAMES,
        told=hall.told,
        trouble=hall.words(),
    )


@blueprint.post("/call")
def call() -> Response:
    """Call for the host from a seat's page, or take the call back; the host says that somebody is coming."""
    typed, hall = request.form.get("seat", ""), server().table.hall
    seat = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 3 else 0
    if not (plays_seat(seat) if seat else is_host()):
        raise RefusedError(403, t("Join a seat first: only who plays may call for the host."))
    if not hall.told:
        raise RefusedError(404, t("This table tells no hall of itself: nobody would hear the call."))
    hall.call(seat, request.form.get("call") == "on")
    server().feed.refresh()
    return make_response(redirect(f"/seat/{seat}" if seat else "/host", 303))
