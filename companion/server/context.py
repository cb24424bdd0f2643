"""What every page needs at hand: the table, the feed, the keys; who is asking; and errors as one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import Response, current_app, make_response, render_template, request

from companion.rules.kernel import Seat, name_seats
from companion.server.camera_api import Sight
from companion.server.documents import HOST, PUBLIC, seat_of
from companion.server.drawn import Drawn
from companion.server.feed import Feed
from companion.server.keys import Keys
from companion.server.limits import Limits
from companion.server.table_api import TableService
from companion.text import said, t

HOST_COOKIE = "companion_host"
MONTH = 30 * 24 * 3600


class Server:
    """The parts of one running server."""

    def __init__(self, table: TableService, feed: Feed, keys: Keys, most_streams: int, limits: Limits) -> None:
        """Hold them; `most_streams` event streams are open at most."""
        self.limits = limits
        self.drawn = Drawn()
        self.table = table
        self.feed = feed
        self.keys = keys
        self.most_streams = most_streams


class RefusedError(Exception):
    """A request that is turned down: an HTTP status and one clear sentence, with what a verdict adds."""

    def __init__(self, status: int, message: str, **more: object) -> None:
        """Create it with the reason."""
        super().__init__(message)
        self.status = status
        self.message = message
        self.more = more


@contextmanager
def refusing(status: int, error: type[Exception]) -> Iterator[None]:
    """Answer an error, whose message is a sentence for people, with a status."""
    try:
        yield
    except error as found:
        raise RefusedError(status, said(found)) from None


def fresh(template: str, status: int = 200, /, **more: object) -> Response:
    """Return a page that no browser keeps; its title and game are the match's, if `more` has no others."""
    snapshot = server().feed.moment.snapshot
    page = render_template(template, **{"title": snapshot.title, "game": snapshot.game, **more})
    return make_response(page, status, {"Cache-Control": "no-store"})


def download(content: bytes, kind: str, name: str, how: str = "attachment") -> Response:
    """Return a file of a content type that no browser keeps: to be saved, or "inline" to be shown."""
    headers = {"Content-Disposition": f'{how}; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, content_type=kind, headers=headers)


def server() -> Server:
    """Return the server that handles this request."""
    return cast(Server, current_app.extensions["companion"])


def seat_cookie(seat: Seat) -> str:
    """Name the cookie that holds a seat's key."""
    return f"companion_seat_{seat}"


def holds_seat(seat: Seat) -> bool:
    """Return whether this browser has the seat's key."""
    return server().keys.holds(seat, request.cookies.get(seat_cookie(seat)))


def plays_seat(seat: Seat) -> bool:
    """Return whether this browser may do what the seat may: it has its key, or is the host's where a robot sits in."""
    return holds_seat(seat) or (seat in server().feed.moment.extras.robots and is_host())


def people(words: str) -> str:
    """Put the players' names for the seats in words."""
    return name_seats(words, server().feed.moment.snapshot.names)


def own_seats() -> list[Seat]:
    """List the seats whose keys this browser has."""
    return [seat for seat in range(1, server().feed.moment.snapshot.seats + 1) if holds_seat(seat)]


def own_seat(seat: Seat) -> Seat:
    """Check that this browser may do what the seat may.

    Raises:
        RefusedError: if it has not, or there is no such seat.
    """
    known_seat(seat)
    if not plays_seat(seat):
        if request.cookies.get(seat_cookie(seat)):
            raise RefusedError(
                403, t("Another phone has seat {seat} now: join again, or ask the host.", seat=seat), join=seat
            )
        raise RefusedError(403, t("This phone does not sit at seat {seat}: join it first.", seat=seat), join=seat)
    return seat


def too_many_pins(seconds: float) -> str:
    """Return the sentence that says how long nobody may try another PIN."""
    whole = math.ceil(seconds)
    return (
        t("Too many wrong PINs: wait 1 second.")
        if whole == 1
        else t("Too many wrong PINs: wait {whole} seconds.", whole=whole)
    )


def is_host() -> bool:
    """Return whether this browser has a host's key."""
    return server().keys.is_host_token(request.cookies.get(HOST_COOKIE))


def host_only() -> None:
    """Check that this browser has a host's key.

    Raises:
        RefusedError: if it has none.
    """
    if not is_host():
        raise RefusedError(403, t("Only the host may do that: enter the host's PIN first."))


def stands_at_table() -> bool:
    """Return whether this browser may do what anybody standing at the table could."""
    return server().table.simulated or is_host()


def sight_for(allowed: bool) -> Sight:
    """Return the table's camera, if this browser is allowed to look through it.

    Raises:
        RefusedError: if it is not, or there is none.
    """
    if not allowed:
        raise RefusedError(403, t("This page is the host's: enter the host's PIN at /host first."))
    found = server().table.session.sight
    if found is None:
        raise RefusedError(404, t("No camera watches here now: a match has to be begun, in a mode with the camera."))
    return found


def may_read(audience: str) -> bool:
    """Return whether this browser may have an audience's document."""
    if audience == PUBLIC:
        return True
    if audience == HOST:
        return is_host()
    seat = seat_of(audience)
    return seat is not None and plays_seat(seat)


def known_seat(seat: Seat) -> Seat:
    """Check that there is such a seat.

    Raises:
        RefusedError: if there is none.
    """
    seats = server().feed.moment.snapshot.seats
    if not 1 <= seat <= seats:
        raise RefusedError(
            404, t("There is no seat {seat}: the seats of this match are 1 to {seats}.", seat=seat, seats=seats)
        )
    return seat


def set_key(response: Response, name: str, token: str) -> None:
    """Put a key into the browser, out of reach of scripts and of other sites' requests."""
    response.set_cookie(name, token, max_age=MONTH, httponly=True, samesite="Lax", path="/")
