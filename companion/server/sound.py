"""POST /sound: whoever sits at the table silences its buzzer, or lets it sound again. A plain form, so no script."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, request
from werkzeug import Response

from companion.server.context import RefusedError, own_seats, server, stands_at_table
from companion.text import t

blueprint = Blueprint("sound", __name__)


@blueprint.post("/sound")
def sound() -> Response:
    """Silence the buzzer ("off") or let it sound ("on"), and lead back to the page that asked."""
    if not (stands_at_table() or own_seats()):
        raise RefusedError(403, t("Join a seat first: only who plays may silence the buzzer."))
    wish = request.form.get("sound", "")
    if wish not in ("on", "off"):
        raise RefusedError(400, t('Send sound=on or sound=off, such as by the button "Silence the buzzer".'))
    devices = server().table.devices
    if devices.muted is None:
        raise RefusedError(404, t("There is no buzzer at this table."))
    devices.mute(wish == "off")
    server().feed.refresh()
    back = request.form.get("back", "")
    place = f"/seat/{int(back)}" if back.isascii() and back.isdigit() and len(back) < 3 else "/host"
    return make_response(redirect(place if back else "/", 303))
