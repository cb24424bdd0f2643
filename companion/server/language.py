"""POST /language: choose the language of the pages on this phone."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, make_response, redirect, request

from companion.server.context import RefusedError
from companion.server.words.catalogue import LANGUAGES
from companion.server.words.speaking import COOKIE
from companion.text import join, t

blueprint = Blueprint("language", __name__)

YEAR = 365 * 24 * 3600


@blueprint.post("/language")
def language() -> Response:
    """Keep the language, and go back to the page that it was chosen on."""
    wanted = request.form.get("language", "")
    if wanted not in LANGUAGES:
        there = join(", ", (t("{name} ({code})", name=name, code=code) for code, name in LANGUAGES.items()))
        raise RefusedError(400, t("There is no such language here: there are {there}.", there=there))
    back = urlsplit(request.headers.get("Referer", ""))
    page = back.path if back.netloc == request.host and back.path.startswith("/") else "/"
    if page.startswith("//"):
        page = "/"
    response = make_response(redirect(page + (f"?{back.query}" if back.query and page == back.path else ""), 303))
    response.set_cookie(COOKIE, wanted, max_age=YEAR, samesite="Lax", path="/")
    return response
