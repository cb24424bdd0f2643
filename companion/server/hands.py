"""The hand that a player keeps on the phone: the cards to pick from, and a photograph read for that phone alone.

Nothing of a hand is kept here: what is picked never comes here, and a photograph is read in memory, answered, and gone.
"""

from __future__ import annotations

import io
import threading

from flask import Blueprint, Response, jsonify, make_response, render_template, request
from PIL import Image, UnidentifiedImageError

from companion.eye.pictures import PictureError, decode
from companion.eye.read_images import read_picture
from companion.rules.kernel import Seat
from companion.server import guard
from companion.server.commands import HEADER
from companion.server.context import RefusedError, own_seat, server
from companion.server.documents import cards_of

blueprint = Blueprint("hands", __name__)

LARGEST_PHOTO = 12 * 1024 * 1024
"""Bytes of a photograph; phones that can make it smaller before they send it do."""
MOST_PIXELS = 50_000_000
"""A picture may be small as a file and huge in memory."""
FORMATS = ("JPEG", "PNG", "WEBP")
"""Kinds of pictures that are read, as Pillow names them."""
_reading = threading.Lock()


@blueprint.get("/hand/<int:seat>/cards")
def cards(seat: Seat) -> Response:
    """Show every card that a hand may hold, to pick one's own."""
    own_seat(seat)
    here = server()
    holds = here.feed.moment.snapshot.views[seat].holds
    response = make_response(render_template("parts/picker.html", cards=cards_of(holds, here.desk)))
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/hand/<int:seat>/photo")
def photo(seat: Seat) -> Response:
    """Read the cards in a photograph, which is the body of the request, and tell this phone; keep nothing."""
    if not request.headers.get(HEADER):
        raise RefusedError(403, "This request does not come from one of the companion's own pages.")
    own_seat(seat)
    here = server()
    snapshot = here.feed.moment.snapshot
    # Read only once there is a turn: it takes memory from its first byte, and a phone may be slow to send the last.
    with guard.upload(LARGEST_PHOTO):
        data = request.get_data(cache=False)
        try:
            _check_size(data)
            # One at a time: a photograph takes as much memory as the rest of the server.
            with _reading:
                gray, _ = decode(data, "The photograph")
                found = read_picture(gray, "photograph", letters=snapshot.code)["sightings"]
        except PictureError as error:
            raise RefusedError(415, f"{error}".replace("copy it again", "take it again")) from None
    seen = {one["piece"] for one in found} & snapshot.views[seat].holds
    read = [{name: card[name] for name in ("key", "title", "copies")} for card in cards_of(seen, here.desk)]
    response = make_response(jsonify({"ok": True, "cards": read}))
    response.headers["Cache-Control"] = "no-store"
    return response


def _check_size(data: bytes) -> None:
    if not data or (b"\xff\xd9" not in data[-4096:] and data.startswith(b"\xff\xd8")):
        return  # that nothing or only a part came is told when it is decoded
    try:
        # Of all that the decoder could read only what phones send: the others' sizes are not looked at before.
        wide, high = Image.open(io.BytesIO(data), formats=FORMATS).size
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, TypeError):
        raise PictureError("The photograph is not a picture that can be read: PNG and JPEG can.") from None
    except Image.DecompressionBombError:
        wide, high = MOST_PIXELS, 2
    if wide * high > MOST_PIXELS:
        raise PictureError("The photograph has too many pixels: take it with fewer.")
