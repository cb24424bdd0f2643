"""Pictures: what the camera sees, the OLED, the join code, and the crops behind "why?"."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from flask import Blueprint, Response, request

from companion.server.context import RefusedError, server
from companion.text import t

blueprint = Blueprint("pictures", __name__)

FRESH = {"Cache-Control": "no-store"}


@blueprint.get("/camera.jpg")
def camera() -> Response:
    """Return the camera's picture with what is wrong drawn in; with `?small=1` as a page's corner shows it."""
    picture = server().feed.camera(bool(request.args.get("small")))
    if picture is None:
        raise RefusedError(423, t("There is no camera picture yet."))
    return Response(picture, mimetype="image/jpeg", headers=FRESH)


@blueprint.get("/oled.png")
def oled() -> Response:
    """Return what the OLED shows."""
    picture = server().table.devices.oled_png()
    if picture is None:
        raise RefusedError(404, t("This table has no OLED."))
    return Response(picture, mimetype="image/png", headers=FRESH)


@lru_cache(maxsize=8)
def qr_svg(text: str) -> bytes:
    """Draw a QR code as SVG, with its quiet zone, black on white whatever the page's colours."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, omitsize=True)
    return out.getvalue()


@blueprint.get("/join.svg")
def join_code() -> Response:
    """Return the QR code that leads to the join page."""
    return Response(qr_svg(server().table.join_url), mimetype="image/svg+xml", headers={"Cache-Control": "max-age=60"})


@blueprint.get("/evidence/<int:n>/<when>.jpg")
def evidence(n: int, when: str) -> Response:
    """Return the crop from before or after a record.

    Its address is the same in every match: a browser may keep it, but asks each time whether it is still the one.
    """
    found = server().table.session.match.evidence(n)
    picture = None if found is None else {"before": found.before, "after": found.after}.get(when)
    if picture is None:
        raise RefusedError(404, t("No such picture was kept for record {count}.", count=n))
    response = Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
