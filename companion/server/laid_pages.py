"""/host/laid: what the table did not see is said: cards that count are tapped on a picture of the deck, place by place.

A closed round is opened again so, and counted anew. A plain form, which needs no script: it holds where the cards lie.
"""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request

from companion.referee.commands import Correct, Reopen
from companion.referee.history import HistoryError
from companion.rules.kernel import Lies
from companion.rules.layout import owner_of
from companion.server.context import RefusedError, fresh, host_only, is_host, refusing, server
from companion.server.maker_features import RANKS
from companion.server.maker_try import lying
from companion.text import bare, t

blueprint = Blueprint("laid", __name__)


@blueprint.get("/host/laid")
def laid() -> Response:
    """Show where the cards lie that count: now, or when the round of `?round=` was closed."""
    if not is_host():
        return make_response(redirect("/host", 302))
    return _page(_there(number := request.args.get("round", 0, int)), number)


@blueprint.post("/host/laid")
def lay() -> Response:
    """Lay the card that was tapped, or take it back; or correct the match by what was laid."""
    host_only()
    number = request.form.get("round", 0, int)
    there, moved = _there(number), {piece: zone for zone, piece in lying(request.form)}
    if request.form.get("do") != "done":
        shown = {zone: tuple(piece for piece, where in moved.items() if where == zone) for zone in there}
        return _page(shown, number)
    before = {piece: zone for zone, pieces in there.items() for piece in pieces}
    # A card that was taken away lies somewhere where it does not count.
    changed = [piece for piece in dict.fromkeys((*before, *moved)) if before.get(piece) != moved.get(piece)]
    edits = tuple(Lies(piece, moved.get(piece, "")) for piece in changed if moved.get(piece, "") in ("", *there))
    command = Reopen(round=number, edits=edits, by="host") if number else Correct(edits=edits, by="host")
    reply = server().table.session.command(command) if edits else None
    if reply is not None and not reply.ok:
        why = reply.verdict
        words = t("{reason:capital}. {remedy}", reason=bare(why.reason), remedy=why.remedy) if why is not None else ""
        return _page(there, number, words, 409)
    return make_response(redirect("/host", 303))


def _there(number: int) -> dict[str, tuple[str, ...]]:
    with refusing(404, HistoryError):
        found = dict(server().table.session.match.counting(number))
    if not found:
        raise RefusedError(404, t("In this match no cards are tapped: it is over, or its table shows what counts."))
    return found


def _page(there: dict[str, tuple[str, ...]], number: int, message: str = "", status: int = 200) -> Response:
    session, snapshot = server().table.session, server().table.snapshot()
    labels = {zone.name: zone.label for zone in session.mat.zones}
    places = [
        {
            "zone": zone,
            "words": labels.get(zone) or zone.partition(".")[0].replace("_", " ").capitalize(),
            "seat": 0,
            "name": snapshot.names.get(owner_of(zone), ""),
            "cards": pieces,
        }
        for zone, pieces in there.items()
    ]
    place = request.form.get("place") or request.args.get("place", "")
    return fresh(
        "laid.html",
        status,
        live=False,
        places=places,
        place=place if place in there else "",
        cards=[*session.cards.values()],
        ranks=RANKS,
        number=number,
        rounds=snapshot.standing.rounds,
        message=message,
    )
