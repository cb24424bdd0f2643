"""Joining and leaving: a phone takes a seat's key, a host's browser the host's. Plain forms: they need no script."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, Response, make_response, redirect, render_template, request

from companion.referee import commands as say
from companion.referee.colours import COLOURS
from companion.rules.kernel import Seat, name_seats
from companion.rules.seats import LONGEST_NAME, clean_name, numbered
from companion.server import chairs
from companion.server.card_documents import badge
from companion.server.context import (
    HOST_COOKIE,
    RefusedError,
    fresh,
    holds_seat,
    is_host,
    known_seat,
    own_seats,
    seat_cookie,
    server,
    set_key,
    too_many_pins,
)
from companion.server.guard import front
from companion.server.keys import TakenError
from companion.server.page_commands import HowWell
from companion.text import sentence, t

blueprint = Blueprint("seats", __name__)

LONGEST_TYPED = 1000
"""Letters that are looked at of what somebody types as a name."""


def ask_cookie(seat: Seat) -> str:
    """Name the cookie of a phone that asks for a seat."""
    return f"companion_ask_{seat}"


def _robots() -> set[Seat]:
    """List the seats that robots play."""
    here = server()
    extras = here.feed.moment.extras
    every = range(1, here.feed.moment.snapshot.seats + 1) if extras.speed is not None else ()
    return set(extras.robots).union(every) - here.keys.taken() - here.table.session.awaited()


def _form(seat: Seat, message: str = "", name: str = "", status: int = 200, ask: str = "") -> Response:
    """Show the form; `ask`: this phone waits for the "host" to hand the seat over, or is asked a question itself."""
    here = server()
    snapshot = here.feed.moment.snapshot
    taken = here.keys.taken()
    own = own_seats()
    session, robots = here.table.session, _robots()
    levels = session.levels()
    seats = [
        {
            "seat": place.seat,
            "side": place.side,
            "column": place.column,
            "wide": place.wide,
            "name": snapshot.names.get(place.seat, t("Seat {seat}", seat=place.seat)),
            "badge": badge(snapshot, place.seat),
            "taken": place.seat in taken,
            "robot": place.seat in robots,
            "level": levels.get(place.seat, ""),
            "mine": place.seat in own,
        }
        for place in chairs.places(session.mat)
        if place.seat <= snapshot.seats
    ]
    used = {snapshot.colours.get(one) for one in taken}
    offered = () if snapshot.coloured else COLOURS.items()
    return fresh(
        "join.html",
        status,
        seating=here.table.hall.seating,
        seats=seats,
        chosen=seat,
        message=message,
        ask=ask,
        colour=request.form.get("colour", "")[:20],
        name=name,
        longest=LONGEST_NAME,
        free=sum(not one["taken"] for one in seats),
        host=is_host(),
        address=f"{front()}j",
        mat=chairs.drawing(session.mat),
        colours=[(colour, shape) for colour, shape in offered if colour not in used],
    )


@blueprint.get("/J")
@blueprint.get("/J/<int:seat>")
@blueprint.get("/j")
def short(seat: Seat = 0) -> Response:
    """Lead on from the short address in the QR code, or typed."""
    return make_response(redirect(f"/join/{seat}" if seat else "/join", 302))


@blueprint.get("/join")
@blueprint.get("/join/<int:seat>")
def join(seat: Seat = 0) -> Response:
    """Show the form: a name and a seat."""
    if seat:
        known_seat(seat)
        if holds_seat(seat):
            return make_response(redirect(f"/seat/{seat}", 302))
        return _with_key(seat)
    return _form(seat)


def _with_key(seat: Seat) -> Response:
    """Show the form to a phone that had the seat's key, or asks for it; or let it in, once the host has agreed."""
    keys, waiting = server().keys, request.cookies.get(ask_cookie(seat))
    if keys.holds(seat, waiting):
        let_in = make_response(redirect(f"/seat/{seat}", 302))
        set_key(let_in, seat_cookie(seat), str(waiting))
        let_in.delete_cookie(ask_cookie(seat), path="/")
        return let_in
    if keys.asks(seat, waiting):
        return _form(seat, ask="host")
    message = ""
    if waiting:
        message = t("The host did not hand seat {seat} over: talk to the host, then ask again.", seat=seat)
    elif request.cookies.get(seat_cookie(seat)) and seat in keys.taken():
        message = t(
            "Another phone has taken over seat {seat}. If that is a mistake, ask the host for it below.", seat=seat
        )
    response = _form(seat, message)
    if waiting:
        response.delete_cookie(ask_cookie(seat), path="/")
    return response


def _question(seat: Seat) -> str:
    """Return what whoever wants a seat has yet to answer: "which" of two to have, or whether a "robot" is to go."""
    choice = request.form.get("choice", "")
    if own_seats() and seat not in server().keys.taken():
        return "" if choice in ("move", "both") else "which"
    return "robot" if not choice and seat in _robots() else ""


@blueprint.post("/join")
def take() -> Response:
    """Take a seat, and go to its page."""
    here = server()
    name = clean_name(request.form.get("name", ""), LONGEST_TYPED)
    number = numbered(request.form.get("seat", ""))
    if number is None:
        return _form(0, t("Choose a seat: tap the place where you sit."), name, 400)
    seat = known_seat(number)
    if holds_seat(seat):
        return make_response(redirect(f"/seat/{seat}", 303))
    if not name:
        return _form(seat, t("Type your name first, so that the others know who sits there."), name, 400)
    if len(name) > LONGEST_NAME:
        return _form(
            seat,
            t("That name has {name} letters; {longest_name} are the most.", name=len(name), longest_name=LONGEST_NAME),
            name[:LONGEST_NAME],
            400,
        )
    if question := _question(seat):
        return _form(seat, name=name, ask=question)
    own = own_seats()
    try:
        token = here.keys.take(seat, own)
    except TakenError:
        why = t("Another phone has seat {seat} already: choose another, or ask the host to free it.", seat=seat)
        return _form(0, why, name, 409)
    colour = "" if here.feed.moment.snapshot.coloured else request.form.get("colour", "")[:20]
    try:
        reply = here.table.session.command(say.Name(seat=seat, name=name, colour=colour, by="phone"))
    except TimeoutError:
        here.keys.free(seat)
        return _form(seat, t("The table did not answer in time: try again."), name, 503)
    if not reply.ok:
        here.keys.free(seat)
        reason = reply.verdict.reason if reply.verdict else t("that name is refused")
        return _form(seat, sentence(name_seats(reason, here.feed.moment.snapshot.names)), name, 409)
    here.table.set_occupied(seat, True)
    response = make_response(redirect(f"/seat/{seat}", 303))
    if own and request.form.get("choice") == "move":
        _go(own, response)
        # Until now the seat that was left had the name.
        here.table.session.command(say.Name(seat=seat, name=name, by="phone"))
    here.feed.refresh()
    set_key(response, seat_cookie(seat), token)
    return response


@blueprint.post("/join/ask")
def ask() -> Response:
    """Ask the host to let this phone take over a seat that another phone has."""
    here = server()
    seat = known_seat(numbered(request.form.get("seat", "")) or 0)
    response = make_response(redirect(f"/join/{seat}", 303))
    if holds_seat(seat) or here.keys.asks(seat, request.cookies.get(ask_cookie(seat))):
        return response
    if seat not in here.keys.taken():
        return _form(seat, t("Seat {seat} is free: sit down.", seat=seat), "", 409)
    try:
        token = here.keys.ask(seat, own_seats())
    except TakenError:
        return _form(
            seat, t("Another phone asks for seat {seat} already: wait until the host has answered.", seat=seat), "", 409
        )
    here.feed.refresh()
    set_key(response, ask_cookie(seat), token)
    return response


@blueprint.post("/join/levels")
def choose_levels() -> Response:
    """Choose how well the robots play; whoever may take a robot's chair may do that."""
    session = server().table.session
    for seat in session.levels():
        level = request.form.get(f"level-{seat}", "")
        if level in get_args(HowWell):
            session.set_level(seat, level)
    server().feed.refresh()
    return make_response(redirect("/join", 303))


def vacate(seat: Seat, gone: bool = False) -> bool:
    """Take a seat's key back; return whether there was one. The name goes with who is `gone`, and before the first
    record with everybody.
    """
    here = server()
    there = here.keys.free(seat)
    if there:
        here.table.set_occupied(seat, False)
        if not here.table.simulated and (gone or not here.feed.moment.snapshot.record):
            here.table.session.command(say.Name(seat=seat, name="", by="table"))
    return there


def _go(seats: list[Seat], response: Response) -> None:
    for seat in seats:
        vacate(seat, gone=True)
        response.delete_cookie(seat_cookie(seat), path="/")


@blueprint.post("/leave")
def leave() -> Response:
    """Leave a seat: its key is worthless from now on."""
    seat = numbered(request.form.get("seat", "")) or 0
    if not holds_seat(seat):
        raise RefusedError(403, t("This phone does not sit there."))
    response = make_response(redirect("/", 303))
    _go([seat], response)
    server().feed.refresh()
    return response


@blueprint.post("/host/enter")
def enter() -> Response:
    """Become the host by the PIN."""
    keys = server().keys
    token = keys.enter(request.form.get("pin", ""))
    if token is None:
        wait = keys.retry_after()
        why = too_many_pins(wait) if wait else t("That is not the host's PIN: look where the companion was started.")
        page = render_template("pin.html", title=t("Host"), game=server().feed.moment.snapshot.game, message=why)
        return make_response(page, 429 if wait else 403)
    response = make_response(redirect("/host", 303))
    set_key(response, HOST_COOKIE, token)
    return response


@blueprint.post("/host/leave")
def stop_hosting() -> Response:
    """Stop being the host in this browser: its key is worthless from now on."""
    if not is_host():
        raise RefusedError(403, t("This browser is not the host's."))
    server().keys.leave_host(request.cookies.get(HOST_COOKIE))
    server().feed.look_round()
    response = make_response(redirect("/", 303))
    response.delete_cookie(HOST_COOKIE, path="/")
    return response
