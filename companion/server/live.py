"""Live events: a stream of what changed, and the same by asking, for those whose network breaks streams.

One stream may carry several audiences ("/events/public,seat-1,pictures"), because a browser allows six connections
to a host and its tabs share one. A slow reader is never queued for: whenever it is ready it gets the newest.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import msgspec
from flask import Blueprint, Response, request

from companion.rules.kernel import Seat
from companion.server.context import HOST_COOKIE, RefusedError, Server, may_read, seat_cookie, server
from companion.server.documents import HOST, seat_of
from companion.server.feed import Moment, Pictures
from companion.server.words.speaking import tagged, untagged
from companion.text import TEXTS, plain, t

blueprint = Blueprint("live", __name__)

BEAT = 15.0
"""Seconds between heartbeats: phones' networks drop what is silent for half a minute, and so a dead one is noticed."""
RETRY_MS = 2000
PICTURES = "pictures"
"""A pseudo-audience: versions of the camera's and the OLED's picture, for pages that show them."""


def _audiences(names: str) -> tuple[list[str], list[str]]:
    """Sort the asked-for audiences into those this browser may have, and the others that there are.

    "seat-1@sv" is seat 1's in Swedish: pages in different languages may share one stream.

    Raises:
        RefusedError: if one does not exist.
    """
    known = server().feed.audiences() | {PICTURES}
    asked = list(dict.fromkeys(names.split(",")))
    for name in asked:
        if untagged(name)[0] not in known or name != tagged(*untagged(name)):
            raise RefusedError(
                404, t("There is no audience {name}: ask for public, host or seat-1 and so on.", name=name[:40])
            )
    allowed = [name for name in asked if name == PICTURES or may_read(untagged(name)[0])]
    return allowed, [name for name in asked if name not in allowed]


@blueprint.get("/events/<names>")
def events(names: str) -> Response:
    """Stream what changes for some audiences; `Last-Event-ID` (else `?after=`) is the stamp last seen."""
    here = server()
    allowed, refused = _audiences(names)
    if not allowed:
        raise RefusedError(403, t("This browser has no key for that: join the seat first."), refused=refused)
    address = request.remote_addr or "?"
    if not here.limits.enter(address):
        return Response(
            t("This phone has too many pages open; this one asks from time to time instead.\n"),
            503,
            {"Retry-After": "30"},
            mimetype="text/plain",
        )
    if not here.feed.enter(here.most_streams, PICTURES in allowed):
        here.limits.leave(address)
        return Response(
            t("Too many phones are connected at once; this one asks from time to time instead.\n"),
            503,
            {"Retry-After": "30"},
            mimetype="text/plain",
        )
    seen = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    stream = _Stream(here, allowed, refused, seen, _Held.of_browser(), request.environ.get("gunicorn.socket"), address)
    # The count must go down even if the client leaves before the first byte, when a generator's own code never runs.
    response = Response(stream, mimetype="text/event-stream")
    response.call_on_close(stream.close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _Held(msgspec.Struct, frozen=True):
    """The keys that a browser had when it asked for a stream, whether they count or not: by seat, and the host's."""

    seats: dict[Seat, str]
    host: str | None

    @classmethod
    def of_browser(cls) -> _Held:
        """Take them from the request's cookies."""
        seats = range(1, server().feed.moment.snapshot.seats + 1)
        cookies = {seat: request.cookies.get(seat_cookie(seat)) for seat in seats}
        return cls({seat: key for seat, key in cookies.items() if key}, request.cookies.get(HOST_COOKIE))


class _Stream:
    """One open stream: an iterator over the bytes to send, each time what is newest then."""

    def __init__(
        self,
        here: Server,
        allowed: list[str],
        refused: list[str],
        seen: str,
        held: _Held,
        connection: socket.socket | None,
        address: str,
    ) -> None:
        self._here = here
        self._feed = here.feed
        self._allowed = allowed
        self._held = held
        self._connection = connection
        self._address = address
        self._since: Moment | None = here.feed.known(seen)
        self._restarted = bool(seen) and self._since is None
        self._pictures: Pictures | None = Pictures(-2, -2) if PICTURES in allowed else None
        self._watching = PICTURES in allowed
        self._open = True
        self._waiting = [_event("refused", {"audience": name}) for name in refused]
        self._first = True
        self._call = 0

    def __iter__(self) -> Iterator[bytes]:
        """Begin."""
        return self

    def close(self) -> None:
        """End, once."""
        if self._open:
            self._open = False
            self._feed.leave(self._watching)
            self._here.limits.leave(self._address)

    def __next__(self) -> bytes:
        """Wait until there is something to send, at most until the next heartbeat."""
        if self._feed.closing or not self._allowed:
            raise StopIteration
        if self._first:
            self._first = False
            # After a restart the clock is another: whoever comes back from before it has to know at once.
            news = self._news(self._feed.moment)
            tail = self._beat() if self._restarted or not news else b""
            return b"retry: %d\n\n" % RETRY_MS + b"".join(self._waiting) + news + tail
        call = self._feed.wait(self._since.n if self._since else 0, self._pictures, self._call, BEAT)
        if self._feed.closing or self._hung_up():
            raise StopIteration
        if call != self._call:
            self._call = call
            self._feed.present(call)
        moment = self._feed.moment
        return self._lost(moment) + self._news(moment) or self._beat()

    def _beat(self) -> bytes:
        """Return the event that says that the stream lives, and the time by the clock that bids are measured with,
        which counts from the start that the stamp begins with.
        """
        now, stamp = round(self._here.table.session.match.clock(), 3), self._feed.stamp(self._feed.moment)
        return _event("beat", {"now": now, "stamp": stamp})

    def _news(self, moment: Moment) -> bytes:
        out = []
        if self._since is None or moment.n > self._since.n:
            stamp = self._feed.stamp(moment).encode()
            for audience in self._allowed:
                if audience != PICTURES:
                    changed = self._feed.changes(audience, self._since, moment)
                    if changed is not None:
                        out.append(b"event: parts\nid: " + stamp + b"\ndata: " + changed + b"\n\n")
            self._since = moment
        if self._pictures is not None and self._pictures != self._feed.pictures:
            self._pictures = self._feed.pictures
            out.append(_event("pictures", msgspec.to_builtins(self._pictures, builtin_types=TEXTS)))
        return b"".join(out)

    def _hung_up(self) -> bool:
        """Return whether the phone has closed the connection. Writing would only tell the time after next."""
        if self._connection is None:
            return False
        try:
            return self._connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _lost(self, moment: Moment) -> bytes:
        """Stop telling what this browser's keys no longer open, and about seats that the next match does not have."""
        out = [name for name in self._allowed if not self._may_hear(untagged(name)[0], moment)]
        if out:
            self._allowed = [name for name in self._allowed if name not in out]
        return b"".join(_event("refused", {"audience": name}) for name in out)

    def _may_hear(self, audience: str, moment: Moment) -> bool:
        """Return whether the browser may still have an audience's document: as `may_read` does for a request."""
        keys, seat = self._here.keys, seat_of(audience)
        if audience == HOST:
            return keys.is_host_token(self._held.host)
        if seat is None:
            return True
        if seat > moment.snapshot.seats:
            return False
        if keys.holds(seat, self._held.seats.get(seat)):
            return True
        return seat in moment.extras.robots and keys.is_host_token(self._held.host)


def _event(kind: str, data: object) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + msgspec.json.encode(data, enc_hook=plain) + b"\n\n"


@blueprint.get("/parts/<names>")
def parts(names: str) -> Response:
    """Return as one JSON document what an event stream would have sent since `?after=`."""
    allowed, refused = _audiences(names)
    feed = server().feed
    moment = feed.moment
    since = feed.known(request.args.get("after", ""))
    changes = [] if since is moment else [feed.changes(name, since, moment) for name in allowed if name != PICTURES]
    body = msgspec.json.encode(
        {
            "stamp": feed.stamp(moment),
            "changes": [msgspec.Raw(change) for change in changes if change is not None],
            "refused": refused,
            "pictures": feed.pictures,
            "now": round(server().table.session.match.clock(), 3),
        },
        enc_hook=plain,
    )
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})


@blueprint.get("/state/<audience>")
def state(audience: str) -> Response:
    """Return an audience's whole document as JSON; 204 if its version is the one in `?after=`."""
    feed = server().feed
    allowed, _ = _audiences(audience)
    if allowed != [audience] or audience == PICTURES:
        raise RefusedError(403, t("This browser has no key for that: join the seat first."))
    moment = feed.moment
    after = request.args.get("after", "")
    if after and after == str(moment.snapshot.version):
        return Response(status=204)
    headers = {"Cache-Control": "no-store"}
    return Response(feed.document_bytes(audience, moment), mimetype="application/json", headers=headers)
