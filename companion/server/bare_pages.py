"""The page on which the host measures a table without a mat, before the first match."""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, Response, make_response, redirect, request

from companion.eye.loose import IDS
from companion.eye.markers import corners_mm
from companion.server.camera_api import BareService, SightError
from companion.server.context import RefusedError, fresh, host_only, refusing, server
from companion.text import t

blueprint = Blueprint("bare", __name__)


def _bare() -> BareService:
    host_only()
    aiming = server().table.aiming
    if aiming is None:
        raise RefusedError(
            404, t("The table is measured before the first match, through its camera. Start the table anew for that.")
        )
    return aiming.bare


@blueprint.get("/host/bare")
def bare_page() -> Response:
    """Show how a table is played on without a mat, and what was measured."""
    found, snapshot = _bare(), server().feed.moment.snapshot
    here = found.layout()
    squares = [] if here is None else [(IDS.index(one.id) + 1, one, corners_mm(one)) for one in here[0].markers]
    words = {"title": snapshot.title, "game": snapshot.game, "live": False, "said": request.args.get("said", "")[:300]}
    return fresh("bare.html", here=here, squares=squares, emptied=found.emptied(), **words)


@blueprint.post("/host/bare")
def change() -> Response:
    """Measure the table, keep the picture of it empty, or go back to printed mats."""
    found, do = _bare(), request.form.get("do", "")
    with refusing(409, SightError):
        if do == "measure":
            try:
                ruler = float(request.form.get("ruler", "").replace(",", "."))
            except ValueError:
                ruler = 0.0
            words = found.measure(ruler)
        elif do == "empty":
            words = found.empty()
        elif do == "mat":
            words = found.forget()
        else:
            raise RefusedError(400, t("Choose one of the buttons."))
    return make_response(redirect(f"/host/bare?said={quote(words)}", 303))
