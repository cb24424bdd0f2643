"""The simulated table in a browser: what lies there, the cards in one's own hand, and moving both.

What lies face down is told as a back and nothing else; a hand's cards go to the browser that has the seat's key.
"""

from __future__ import annotations

import hashlib

import msgspec
from flask import Blueprint, Response, request

from companion.codes import BACK
from companion.rules.kernel import TABLE, Seat
from companion.server import page_commands as ask
from companion.server.camera_api import PlanZone
from companion.server.card_documents import in_order
from companion.server.context import RefusedError, own_seat, own_seats, people, server
from companion.server.documents import PUBLIC, audience_of
from companion.server.main_pages import live_page
from companion.server.table_api import Sandbox, SandboxError, ServedError
from companion.server.words.voice import say
from companion.text import TEXTS, plain, said, sentence, t
from companion.untyped import JsonObject

blueprint = Blueprint("sandbox", __name__)


def _sandbox() -> Sandbox:
    found = server().table.session.sandbox
    if found is None:
        raise RefusedError(
            404, t("This table is a real one: lay the cards there. Only a simulated table has this page.")
        )
    return found


@blueprint.get("/simulated")
def simulated() -> Response:
    """Show the simulated table, to be played on with the hands."""
    here, own = _sandbox(), own_seats()
    names = server().feed.moment.snapshot.names
    places = [
        {**msgspec.to_builtins(place, builtin_types=TEXTS), "words": say(people(place.words))}
        for place in sorted(here.places, key=lambda place: (_distance(place, own), place.name))
    ]
    mat = server().table.session.mat
    table = {"w": mat.w, "h": mat.h, "places": places, "back": BACK}
    return live_page("simulated.html", audience_of(own[0]) if own else PUBLIC, table=table, names=names)


def _distance(place: PlanZone, own: list[Seat]) -> int:
    """Sort one's own places before everybody's, and those before other seats'."""
    seat = place.name.rpartition(".")[2]
    return 1 if not seat.isdigit() else 0 if int(seat) in own else 2


@blueprint.get("/simulated/things")
def things() -> Response:
    """Return what lies on the table, this browser's own hands, and where their pieces may go.

    204 if `?after=` is what it is still.
    """
    here = _sandbox()
    session = server().table.session
    hands = {str(seat): [_card(piece) for piece in in_order(here.hand(seat), session)] for seat in own_seats()}
    goals = {str(seat): here.goals(seat) for seat in own_seats()}
    names = {str(seat): name for seat, name in server().feed.moment.snapshot.names.items()}
    match = session.match.snapshot.match
    lying = {"match": match, "things": here.things(), "box": here.box(), "served": here.served()}
    body = msgspec.json.encode({**lying, "hands": hands, "goals": goals, "names": names}, enc_hook=plain)
    stamp = hashlib.blake2s(body, digest_size=8).hexdigest()
    headers = {"Cache-Control": "no-store"}
    if request.args.get("after", "") == stamp:
        return Response(status=204, headers=headers)
    headers["X-Stamp"] = stamp
    return Response(body, mimetype="application/json", headers=headers)


def _card(piece: str) -> dict[str, str]:
    return {"piece": piece, "title": server().table.session.cards[piece].title}


def _objection(here: Sandbox, command: ask.Moved) -> JsonObject:
    """Return what speaks against the card of a hand that is laid by a command; nothing, if nothing does."""
    against = ""
    match command:
        case ask.Slide(held=False, seat=seat) if seat:
            zone = server().table.session.mat.zone_at(command.x, command.y)
            against = here.objection(command.piece, seat, zone.name if zone is not None else "")
        case ask.Lay(seat=seat) if seat:
            against = here.objection(command.piece, seat, command.zone)
    return {"message": sentence(people(against))} if against else {}


def move(command: ask.Moved) -> tuple[int, JsonObject]:
    """Move something on the simulated table, if whoever asks may.

    Raises:
        RefusedError: if the table is a real one, the hand another seat's, or the piece not there.
    """
    here = _sandbox()
    own = own_seats()
    by: Seat = own[0] if own else TABLE
    if not isinstance(command, ask.Tidy) and command.seat:
        own_seat(command.seat)
    # A card against which something speaks lies there all the same, as at a real table: who laid it is told at once.
    answer: JsonObject = {"ok": True, **_objection(here, command)}
    try:
        match command:
            case ask.Slide():
                answer["piece"] = here.slide(
                    command.piece, command.seat, command.x, command.y, command.rotation, command.face, command.held, by
                )
            case ask.Lay():
                here.place(command.piece, command.seat, command.zone, command.face, by)
            case ask.Take():
                words = people(here.take(command.piece, command.seat))
                if words:
                    answer["message"] = sentence(words)
            case ask.Tidy():
                here.tidy()
                answer["message"] = t("The table is put right.")
    except ServedError as error:
        raise RefusedError(423, said(error)) from None
    except SandboxError as error:
        raise RefusedError(409, said(error)) from None
    if not (isinstance(command, ask.Slide) and command.held):
        server().feed.refresh()
    return 200, answer
