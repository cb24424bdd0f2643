"""The hand that a player keeps on the phone: the cards to pick from, and a photograph read for that phone alone.

Nothing of a hand is kept here: what is picked never comes here, and a photograph is read in memory (by a process of its
own), answered, and gone.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, request

from companion.eye.pictures import PictureError
from companion.eye.untrusted import read_untrusted
from companion.rules.kernel import Seat
from companion.server import guard
from companion.server.card_documents import cards_of
from companion.server.command_post import HEADER
from companion.server.context import RefusedError, fresh, own_seat, server
from companion.text import said, t

blueprint = Blueprint("hands", __name__)

LARGEST_PHOTO = 12 * 1024 * 1024
"""Bytes of a photograph; phones that can make it smaller before they send it do."""


@blueprint.get("/hand/<int:seat>/cards")
def cards(seat: Seat) -> Response:
    """Show every card that a hand may hold, to pick one's own."""
    own_seat(seat)
    here = server()
    snapshot = here.feed.moment.snapshot
    shown = cards_of(snapshot.views[seat].holds, here.table.session)
    return fresh("parts/picker.html", cards=shown, doc={"game": snapshot.game})


@blueprint.post("/hand/<int:seat>/photo")
def photo(seat: Seat) -> Response:
    """Read the cards in a photograph, which is the body of the request, and tell this phone; keep nothing."""
    if not request.headers.get(HEADER):
        raise RefusedError(403, t("This request does not come from one of the companion's own pages."))
    own_seat(seat)
    here = server()
    snapshot = here.feed.moment.snapshot
    limits, holds = here.limits, snapshot.views[seat].holds
    # Read only once there is a turn: it takes memory from its first byte, and a phone may be slow to send the last.
    with guard.upload(LARGEST_PHOTO, limits.photographs):
        data = request.get_data(cache=False)
        # One at a time: a photograph takes as much memory as the rest of the server.
        with limits.reading.turn(guard.address()) as mine:
            if not mine:
                raise RefusedError(429, guard.READING)
            try:
                seen = read_untrusted(data, t("The photograph"), snapshot.code, holds)
            except PictureError as error:
                raise RefusedError(415, said(error)) from None
    read = [{name: card[name] for name in ("key", "title", "copies")} for card in cards_of(seen, here.table.session)]
    response = make_response(jsonify({"ok": True, "cards": read}))
    response.headers["Cache-Control"] = "no-store"
    return response
