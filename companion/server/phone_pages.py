"""/host/phone: how a phone's browser becomes the table's camera, who is it now, and how it is let go."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, redirect

from companion.server.camera_port import CameraPort
from companion.server.context import RefusedError, fresh, host_only, is_host, server
from companion.server.picture_pages import qr_svg
from companion.text import t

blueprint = Blueprint("phone", __name__)


def phone_port() -> CameraPort | None:
    """Return the port for a phone's camera; None where no phone may be the camera."""
    found: CameraPort | None = current_app.extensions.get("companion.camera_port")
    return found


def _port() -> CameraPort:
    host_only()
    port = phone_port()
    if port is None:
        raise RefusedError(404, t("No phone can be the camera of this table."))
    return port


def _address(port: CameraPort) -> str:
    try:
        return port.address()
    except OSError as error:
        raise RefusedError(503, t("No phone can bring pictures here now: {error}.", error=error)) from None


@blueprint.get("/host/phone")
def phone_page() -> Response:
    """Show the code that makes a phone the camera, or which phone is it."""
    if not is_host():
        return make_response(redirect("/host", 302))
    port = _port()
    return fresh("phone_camera.html", live=False, holder=port.link.holder, address=_address(port), key=port.link.key)


@blueprint.get("/host/phone.svg")
def phone_code() -> Response:
    """Return the QR code of the camera's page, with the key that opens it once."""
    port = _port()
    code = qr_svg(f"{_address(port)}#k={port.link.key}")
    return Response(code, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@blueprint.post("/host/phone/release")
def release() -> Response:
    """Let the phone go, so that another may be the camera."""
    _port().link.release()
    server().feed.refresh()
    return make_response(redirect("/host/phone", 303))
