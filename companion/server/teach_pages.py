"""The page on which the host teaches a deck's faces: the empty mat first, then a dozen cards at a time.

Plain forms; what is shown is taken when somebody taps, so that no hand is in the picture.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.eye.faces.storing import ENDING, LARGEST
from companion.rules.wording import all_of
from companion.server import guard
from companion.server.camera_api import SightError, TaughtCard, Teacher, Told
from companion.server.context import RefusedError, download, fresh, is_host, refusing, server, sight_for
from companion.text import said, t

blueprint = Blueprint("teach", __name__)

AT_ONCE = 12
"""Cards that are named as the next ones: so many fit on a mat, apart from each other."""
MOST_TOLD = 40


def _teacher() -> Teacher:
    """Return what teaches, to the host."""
    return sight_for(is_host()).teacher


def _page(teacher: Teacher, told: tuple[Told, ...] = (), message: str = "", status: int = 200) -> Response:
    with refusing(409, SightError):
        state = teacher.state()
    taken = [one.words for one in told if one.taken]
    return fresh(
        "teach.html",
        status,
        live=False,
        state=state,
        coming=state.missing[:AT_ONCE],
        taken=all_of(taken),
        wrong=[one.words for one in told if not one.taken][:MOST_TOLD],
        message=message,
        well=status < 400,
        misnamed=_misnamed(state.taught),
    )


def _misnamed(taught: tuple[TaughtCard, ...]) -> TaughtCard | None:
    """Return the card that the host says is another one: `?piece=&side=`."""
    which = request.args.get("piece", ""), request.args.get("side", "")
    return next((one for one in taught if (one.piece, one.side) == which), None)


@blueprint.get("/host/teach")
def teach_page() -> Response:
    """Show what has been taught, and what comes next."""
    return _page(_teacher())


@blueprint.post("/host/teach")
def step() -> Response:
    """Take what lies there, have the empty mat shown anew, call a face by another card's name, or forget it."""
    teacher, do = _teacher(), request.form.get("do", "")
    piece, side = request.form.get("piece", "")[:3], request.form.get("side", "")[:1]
    told: tuple[Told, ...] = ()
    message = ""
    try:
        if do == "show":
            told = teacher.show(request.form.get("first", "")[:3])
            if not told:
                message = t("The empty mat is known. Now lay cards.")
        elif do == "lend":
            teacher.lend(request.form.get("first", "")[:3], AT_ONCE)
        elif do == "back":
            teacher.give_back()
            message = t("The match lies as it lay.")
        elif do == "anew":
            teacher.begin_anew()
        elif do == "rename":
            name = teacher.rename(piece, side, request.form.get("to", "")[:3])
            message = t("That card is {card}.", card=name)
        elif do == "forget":
            teacher.take_back(piece, side)
            message = t("Forgotten: that card can be taught again.")
        elif do == "delete":
            teacher.remove(request.form.get("deck", "")[:40])
            message = t("The deck has been deleted.")
        else:
            raise RefusedError(400, t("Tap one of the buttons of this page."))
    except SightError as error:
        return _page(teacher, message=said(error), status=409)
    return _page(teacher, told, message)


@blueprint.get("/host/teach/face.png")
def face() -> Response:
    """Return the picture of a face that was taught: `?piece=&side=`."""
    with refusing(409, SightError):
        picture = _teacher().face(request.args.get("piece", "")[:3], request.args.get("side", "")[:1])
    if picture is None:
        raise RefusedError(404, t("That card has not been taught."))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": "no-store"})


@blueprint.get("/host/teach/deck.zip")
def export() -> Response:
    """Return the deck as one file."""
    teacher = _teacher()
    with refusing(409, SightError):
        return download(teacher.exported(), "application/zip", f"{teacher.state().deck}{ENDING}")


@blueprint.post("/host/teach/deck")
def take_in() -> Response:
    """Take a deck from a file in the place of what was taught."""
    teacher = _teacher()
    try:
        with guard.upload(LARGEST, server().limits.imports):
            given = request.files.get("file")
            if given is None or not given.filename:
                raise SightError(t("Choose the file of a taught deck first."))
            teacher.take_in(given.stream.read())
    except SightError as error:
        return _page(teacher, message=said(error), status=400)
    return _page(teacher, message=t("The deck has been taken in."))
