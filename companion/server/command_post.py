"""POST /command: the one way in. Checks what is asked and by whom, asks the table, and answers in one sentence."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future

import msgspec
from flask import Blueprint, Response, current_app, jsonify, make_response, request

from companion.referee import commands as say
from companion.referee.commands import Command
from companion.rules.kernel import TABLE
from companion.server import page_commands as ask
from companion.server import virtual_table
from companion.server.card_documents import verdict
from companion.server.context import (
    RefusedError,
    host_only,
    is_host,
    known_seat,
    own_seat,
    own_seats,
    people,
    refusing,
    server,
    stands_at_table,
)
from companion.server.seat_pages import vacate
from companion.server.table_api import ServedError
from companion.server.words.speaking import say_all
from companion.text import said, sentence, t
from companion.untyped import JsonObject, read_json

blueprint = Blueprint("commands", __name__)

HEADER = "X-Companion"
"""A header that a form on another site can't send: with it and the cookies' SameSite only our own pages get in."""

Done = tuple[int, JsonObject]


class Once:
    """Remembers answers by idempotency key, so that a tap that was sent twice on bad Wi-Fi counts once."""

    def __init__(self, most: int = 512) -> None:
        """Remember so many."""
        self._most = most
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, Future[Done]] = OrderedDict()

    def do(self, key: str | None, work: Callable[[], Done]) -> Done:
        """Do the work, or wait for what came of it when it was first asked for.

        Raises:
            RefusedError: if the work is refused; it may then be tried again under the same key.
        """
        if not key:
            return work()
        mine: Future[Done] = Future()
        with self._lock:
            first = self._answers.setdefault(key, mine)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        if first is not mine:
            return first.result(timeout=15)
        try:
            answer = work()
        except BaseException as error:
            with self._lock:
                self._answers.pop(key, None)
            mine.set_exception(error)
            raise
        mine.set_result(answer)
        return answer


blueprint.record_once(lambda state: state.app.extensions.update({"companion.once": Once()}))


@blueprint.post("/command")
def receive() -> Response:
    """Do what a page asks for."""
    if not request.headers.get(HEADER):
        raise RefusedError(403, t("This request does not come from one of the companion's own pages."))
    if request.mimetype != "application/json":
        raise RefusedError(415, t('Send JSON (Content-Type: application/json), such as {{"do": "done", "seat": 1}}.'))
    body = request.get_data()
    try:
        command = read_json(body, ask.Asked)
    except msgspec.ValidationError as error:
        raise RefusedError(400, t("That does not fit: {error}.", error=error)) from None
    except msgspec.DecodeError as error:
        raise RefusedError(400, t("That is not proper JSON: {error}.", error=error)) from None
    key = request.headers.get("Idempotency-Key", "")[:80]
    scope = "|".join(sorted(value for name, value in request.cookies.items() if name.startswith("companion_")))
    once: Once = current_app.extensions["companion.once"]
    try:
        status, answer = once.do(f"{scope}|{key}" if key else None, lambda: _do(command))
    except TimeoutError:
        raise RefusedError(
            503, t("The table did not answer in time; look whether it counted, and try again.")
        ) from None
    return make_response(jsonify(say_all(answer)), status)


def _do(command: ask.Asked) -> Done:
    if isinstance(command, ask.AskUndo) and is_host():
        # Who plays and is the host need not ask themselves.
        return _answered(say.Undo(after=command.after, by="host"))
    if isinstance(command, ask.Simulated):
        return _simulate(command)
    if isinstance(command, ask.Moved):
        return virtual_table.move(command)
    if isinstance(command, ask.Arranged):
        return _done(_arrange(command))
    if isinstance(command, ask.SatIn):
        return _done(_sit_in(command))
    if isinstance(command, say.Advise):
        return _advise(command)
    return _answered(_acting(command) if isinstance(command, say.Acting) else _allowed(command))


def _advise(command: say.Advise) -> Done:
    """Return what a robot would do to the phone that asks, and tell everybody that it did."""
    own_seat(command.seat)
    with refusing(409, ServedError):
        words = server().table.session.advice(command.seat)
    status, answer = _answered(command)
    return status, {"message": people(words), **answer}


def _done(message: str = "") -> Done:
    """Refresh what everybody sees, and return that it is done."""
    server().feed.refresh()
    return 200, {"ok": True, "message": message} if message else {"ok": True}


def _answered(command: Command) -> Done:
    """Send a command to the table, and return what came of it: why, if it is refused.

    Raises:
        RefusedError: if a robot has not finished its turn: the page tries again by itself.
    """
    try:
        reply = server().table.session.command(command)
    except ServedError as error:
        raise RefusedError(423, sentence(people(said(error)))) from None
    server().feed.refresh()
    if reply.ok:
        return 200, {"ok": True, "record": reply.record}
    why = verdict(reply.verdict, server().feed.moment.snapshot.names) or {}
    message = t("{reason} {remedy}", reason=why["reason"], remedy=why["remedy"]) if why else t("That was refused.")
    return 409, {"ok": False, "message": message, **why}


def _allowed(command: ask.Seated | ask.Steered) -> Command:
    """Return a command with whom it comes from, if they may give it.

    Raises:
        RefusedError: if they may not.
    """
    by = "phone"
    match command:
        case say.Stir(seat=seat) | say.Done(seat=seat):
            own_seat(seat)
        case say.Answer(seat=seat):
            if seat != TABLE:
                own_seat(seat)
            elif not stands_at_table():
                raise RefusedError(403, t("Only the host answers for the table: answer on your own phone."))
            by = "phone" if seat else "host"
        case say.TurnGlass():
            if not own_seats() and not stands_at_table():
                raise RefusedError(403, t("Take a seat first: then you can turn the sand glass over."))
        case say.Name(seat=seat):
            known_seat(seat)
            if not is_host():
                own_seat(seat)
        case _:
            host_only()
            by = "host"
    return msgspec.structs.replace(command, by=by)


def _acting(command: ask.Acted) -> Command:
    """Return a command to do something by the rules with its action decoded, if whoever asks may do it.

    Raises:
        RefusedError: if it is no action of the game, or another seat's.
    """
    try:
        action = server().table.session.match.decode_action(command.action)
    except (ValueError, TypeError, msgspec.MsgspecError) as error:
        raise RefusedError(
            400, t("That is no action of this game: {sentence}", sentence=sentence(said(error)))
        ) from None
    if action.seat == TABLE:
        # Upkeep belongs to nobody: whoever sits at the table may say what came up.
        if not own_seats() and not stands_at_table():
            raise RefusedError(403, t("Join a seat first: only who plays may say what came up."))
    elif action.seat != (seat := own_seat(command.seat)):
        raise RefusedError(403, t("Seat {seat} can't act for seat {seat2}.", seat=seat, seat2=action.seat))
    return msgspec.structs.replace(command, seat=action.seat, action=action, by="phone")


def _arrange(command: ask.Arranged) -> str:
    """Do what concerns the server and not the match; return what is to be said of it."""
    here = server()
    if isinstance(command, ask.AskUndo):
        if not here.feed.ask_undo(own_seat(command.seat), command.after):
            raise RefusedError(409, t("There is no step to take back."))
        return t("The host is asked to take it back.")
    host_only()
    if isinstance(command, ask.RefuseUndo):
        here.feed.refuse_undo(command.seat)
        return ""
    if isinstance(command, ask.HandOver):
        if not here.keys.hand_over(known_seat(command.seat), command.yes):
            raise RefusedError(409, t("No phone asks for seat {seat} any more.", seat=command.seat))
        return t("Another phone has seat {seat} now.", seat=command.seat) if command.yes else t("Nothing changes.")
    if not vacate(known_seat(command.seat)):
        raise RefusedError(409, t("Nobody has seat {seat}.", seat=command.seat))
    return t("Seat {seat} is free.", seat=command.seat)


def _sit_in(command: ask.SatIn) -> str:
    """Let a robot play for somebody who left a real table; return what is to be said of it."""
    here, seat = server(), known_seat(command.seat)
    if here.table.simulated:
        raise RefusedError(404, t("At the simulated table a robot plays every seat that is free."))
    if isinstance(command, ask.SitIn):
        host_only()
        if command.robot and seat in here.keys.taken():
            raise RefusedError(409, t("Somebody's phone has seat {seat}: free the seat first.", seat=seat))
        here.table.stand_ins.sit(seat, command.robot)
        return t("A robot plays seat {seat} now.", seat=seat) if command.robot else t("Seat {seat} is free.", seat=seat)
    if not own_seats() and not is_host():
        raise RefusedError(403, t("Join a seat first: only who plays may say that."))
    if seat not in here.feed.moment.extras.robots:
        raise RefusedError(409, t("No robot plays seat {seat} any more.", seat=seat))
    here.table.stand_ins.reject_suggestion(seat)
    return t("It thinks again.")


def _simulate(command: ask.Simulated) -> Done:
    """Do what can be done at a simulated table only."""
    table = server().table
    if isinstance(command, ask.Press):
        if command.button not in table.devices.page_buttons:
            raise RefusedError(
                404, t('This page has no button "{button}": press the one on the table.', button=command.button[:20])
            )
        if command.button == "undo":
            # On the box it has to be held, and its display can't say why nothing happens; the page asks back instead.
            if not stands_at_table():
                raise RefusedError(403, t("Only the host takes a step back: players ask for it on their phones."))
            return _answered(say.Undo(by="button"))
        table.devices.press(command.button)
    else:
        if table.session.speed() is None:
            raise RefusedError(404, t("No robots play at this table, so there is nothing to set for them."))
        if not stands_at_table():
            raise RefusedError(403, t("Only the host sets how the robots play."))
        if isinstance(command, ask.Stay):
            if table.next_match is not None:
                table.next_match.stay()
        elif isinstance(command, ask.Level):
            table.session.set_level(known_seat(command.seat), command.level)
        else:
            table.session.set_speed(command.speed)
    return _done()
