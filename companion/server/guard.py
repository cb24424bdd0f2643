"""Who gets in: names that are ours, no more than a phone's share, and phones that look for the internet.

The limits know addresses only. Who may do what once inside is for keys (`companion.server.keys`).
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Blueprint, Response, after_this_request, make_response, redirect, request
from werkzeug.exceptions import HTTPException

from companion.server.context import RefusedError, fresh, server
from companion.server.limits import ConcurrencyLimit, Limits
from companion.text import t

blueprint = Blueprint("guard", __name__)

OWN_ENDINGS = (".local", ".lan", ".home", ".internal", ".home.arpa", ".fritz.box", ".localdomain")
"""Ends of names that only a home's own network gives. Another site's name that was made to point here has none."""
NAMES = "COMPANION_NAMES"
"""Environment variable: further names of this table, separated by spaces, such as a café's own domain."""
READING = t("Other photographs or matches are being read: try again in a moment.")
DROPPED = 64 * 1024
"""Bytes that are thrown away at a time."""

PROBES: dict[str, tuple[int, str, str]] = {
    "/generate_204": (204, "", "text/plain"),
    "/gen_204": (204, "", "text/plain"),
    "/hotspot-detect.html": (200, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html"),
    "/library/test/success.html": (
        200,
        "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
        "text/html",
    ),
    "/connecttest.txt": (200, "Microsoft Connect Test", "text/plain"),
    "/ncsi.txt": (200, "Microsoft NCSI", "text/plain"),
    "/success.txt": (200, "success\n", "text/plain"),
    "/canonical.html": (
        200,
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
        "text/html",
    ),
    "/nm-check.txt": (200, "NetworkManager is online\n", "text/plain"),
}
"""What phones and computers ask for to see whether a Wi-Fi reaches the internet, and the answer that says it does:
status, body, type. On the table's own Wi-Fi every name leads here, so the questions do too."""


def is_own_name(host: str, names: tuple[str, ...] = ()) -> bool:
    """Return whether a Host header names this table: an address, a plain name, a home network's, or one of `names`.

    Any other name is another site's that was made to point here, so that its pages may read ours (DNS rebinding), or
    one that a phone on the table's own Wi-Fi asked for.
    """
    name = host.lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") <= 1:
        name = name.partition(":")[0]
    name = name.rstrip(".")
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        pass
    return bool(name) and ("." not in name or name.endswith(OWN_ENDINGS) or name in names)


def address() -> str:
    """Return the address that this request comes from."""
    return request.remote_addr or "?"


def own_names() -> tuple[str, ...]:
    """List the names that the owner has given this table beyond those of a home network."""
    return (*named(), server().table.join_url.lower().partition("://")[2].partition("/")[0].partition(":")[0])


def named() -> tuple[str, ...]:
    """List the names in `COMPANION_NAMES`."""
    return tuple(os.environ.get(NAMES, "").lower().split())


def front() -> str:
    """Return the address of the table's first page, as people type it."""
    url = server().table.join_url
    return (url.rpartition("/")[0] if url.upper().endswith("/J") else url).lower() + "/"


def check() -> Response | None:
    """Look at every request before it comes in.

    Raises:
        RefusedError: if it is for another site, or one too many.
    """
    limits: Limits = server().limits
    if request.path in PROBES and request.method in ("GET", "HEAD"):
        return _probed(limits)
    if not is_own_name(request.host, own_names()):
        if request.method in ("GET", "HEAD"):
            return make_response(redirect(front(), 302))
        raise RefusedError(
            421, t("This table is at {front}; nothing may be sent to it by another name.", front=front())
        )
    if request.method not in ("GET", "HEAD", "OPTIONS") and not limits.allow_request(address()):
        raise RefusedError(429, t("That was too much at once: wait a second, then try again."))
    return None


@contextmanager
def upload(largest: int, turns: ConcurrencyLimit) -> Iterator[None]:
    """Hold one of the few turns at taking in a large body, of at most so many bytes; it is read inside only.

    Raises:
        RefusedError: if there is no turn left, or this address has one.
    """
    request.max_content_length = largest
    with turns.turn(address()) as mine:
        if not mine:
            after_this_request(_let_it_come)
            raise RefusedError(429, READING)
        yield


def _let_it_come(response: Response) -> Response:
    """Throw away what a phone still sends after it was told no: if it were cut off, it would not hear the answer."""
    try:
        stream = request.stream
    except HTTPException:
        return response  # it is larger than it may be at all

    def drop() -> None:
        with suppress(HTTPException, OSError):
            while stream.read(DROPPED):
                pass

    response.call_on_close(drop)
    return response


@contextmanager
def costly() -> Iterator[None]:
    """Hold one of the few turns at making something that takes long, so that the match does not wait for it.

    Raises:
        RefusedError: if there is no turn left, or this address has one.
    """
    with server().limits.costly.turn(address()) as mine:
        if not mine:
            raise RefusedError(
                429, t("That page takes a while to make, and others are being made: try again in a moment.")
            )
        yield


def _probed(limits: Limits) -> Response:
    """Answer a phone that looks for the internet: first with our page, then that all is well, so that it stays."""
    if not limits.welcomed(address()):
        return make_response(redirect(f"{front()}welcome", 302))
    status, body, kind = PROBES[request.path]
    response = make_response(body, status)
    response.headers["Content-Type"] = kind
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/welcome")
def welcome() -> Response:
    """Show the page that a phone opens by itself on the table's Wi-Fi, in a small browser that forgets everything."""
    return _welcome_page(False)


@blueprint.post("/welcome")
def stay() -> Response:
    """Let a phone stay on this Wi-Fi though it reaches no internet."""
    server().limits.welcome(address())
    return _welcome_page(True)


def _welcome_page(staying: bool) -> Response:
    return fresh("welcome.html", live=False, front=front(), staying=staying)
