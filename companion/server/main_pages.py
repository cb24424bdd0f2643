"""The pages. Each comes with its parts as they are now, so it can be read without a script; the script renews them."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request

from companion.referee.publishing import rewritten
from companion.rules.kernel import Seat, name_seats
from companion.server import charts, guard
from companion.server.bgstats import play_link
from companion.server.context import (
    RefusedError,
    download,
    fresh,
    is_host,
    known_seat,
    own_seats,
    plays_seat,
    server,
    stands_at_table,
)
from companion.server.dice_document import dice
from companion.server.documents import HOST, PUBLIC, audience_of
from companion.server.phone_pages import phone_port
from companion.server.words.speaking import chosen, fallback, tagged
from companion.server.words.voice import say
from companion.text import t, typed

blueprint = Blueprint("pages", __name__)


def live_page(template: str, audience: str, listens: tuple[str, ...] = (), **more: object) -> Response:
    """Make a page that stays live: an audience's document and parts, and what `more` the template needs."""
    feed = server().feed
    moment = feed.moment
    language = chosen()
    page = render_template(
        template,
        doc=feed.document(audience, moment),
        parts=feed.parts(tagged(audience, language), moment),
        stamp=feed.stamp(moment),
        title=moment.snapshot.title,
        game=moment.snapshot.game,
        audiences=",".join((tagged(audience, language), *listens)),
        own=own_seats(),
        host=is_host(),
        at_table=stands_at_table(),
        now=server().table.session.match.clock(),
        **more,
    )
    response = make_response(page)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/")
def table() -> Response:
    """Show the table page: for a screen beside the table, and for everybody who looks on."""
    table = server().table
    return live_page(
        "table.html",
        PUBLIC,
        ("pictures",),
        buttons=table.devices.page_buttons,
        camera=server().feed.camera(small=True) is not None,
        oled=table.devices.oled_png() is not None,
        simulated=table.simulated,
        sandbox=table.session.sandbox is not None,
        join=typed(table.join_url),
    )


@blueprint.get("/overlay")
def overlay() -> Response:
    """Show how it stands to be laid over a video, on a ground that is transparent; `?table=1` with the drawn table."""
    return live_page("overlay.html", PUBLIC, table=bool(request.args.get("table")))


@blueprint.get("/seat/<int:seat>")
def seat_page(seat: Seat) -> Response:
    """Show a seat's phone page, to the phone that has its key."""
    known_seat(seat)
    if not plays_seat(seat):
        return make_response(redirect(f"/join/{seat}", 302))
    sandbox = server().table.session.sandbox is not None
    return live_page("seat.html", audience_of(seat), seat=seat, sandbox=sandbox)


@blueprint.get("/dice")
def dice_page() -> Response:
    """Show every roll, how it can be checked, and whether the dice came even."""
    snapshot = server().feed.moment.snapshot
    return fresh(
        "dice.html",
        dice=dice(snapshot),
        own=own_seats(),
        match=snapshot.match,
        live=False,
    )


@blueprint.get("/course")
@guard.costly()
def course_page() -> Response:
    """Look back on the match: ladders, scores, dice, time, who helped whom."""
    snapshot = server().feed.moment.snapshot
    course = rewritten(server().table.session.course(), say)
    drawn = charts.looks(course, say(t("Scores of {title}", title=course.title)))
    matches = server().table.matches
    told = matches.summaries() if matches is not None and course.moments else []
    kept = next((one for one in told if one.id == course.match), None)
    owner = server().table.owner
    return fresh(
        "course.html",
        kept=kept.id if kept is not None else "",
        play=play_link(kept, owner.now.name if owner else "", sum(course.seconds)) if kept is not None else "",
        course=course,
        live=False,
        host=is_host(),
        dice=dice(snapshot),
        **drawn,
    )


@blueprint.get("/course.pdf")
@guard.costly()
def course_pdf() -> Response:
    """Return the same to print."""
    here = server()
    now = here.table.snapshot()
    key = ("course", now.match, now.record, tuple(now.names.items()), tuple(now.colours.items()), fallback())
    return download(here.drawn.get(key, here.table.debrief), "application/pdf", "companion.pdf", "inline")


@blueprint.get("/host")
def host_page() -> Response:
    """Show the host's page, or ask for the PIN."""
    if not is_host():
        snapshot = server().feed.moment.snapshot
        return make_response(render_template("pin.html", title=t("Host"), game=snapshot.game, message=""))
    here, rounds = server().table, len(server().feed.moment.snapshot.standing.rounds)
    port = phone_port()
    counted = [number for number in (0, rounds) if here.session.match.counting(number)]
    return live_page(
        "host.html",
        HOST,
        evening=here.matches is not None,
        settings=here.owner is not None,
        phone=port is not None,
        holder=port.link.holder if port is not None else "",
        aiming=here.aiming is not None,
        simulated=here.simulated,
        counted=counted[:1],
    )


@blueprint.get("/log")
def log_page() -> Response:
    """Show the whole log that the referee publishes."""
    snapshot = server().feed.moment.snapshot
    return fresh("log.html", lines=snapshot.log[::-1], names=snapshot.names)


@blueprint.get("/log/<int:n>")
def why(n: int) -> Response:
    """Answer "why did you think that?" for a record: the crops before and after, and the candidates."""
    snapshot = server().feed.moment.snapshot
    line = next((line for line in snapshot.log if line.n == n), None)
    found = server().table.session.match.evidence(n)
    if line is None and found is None:
        raise RefusedError(404, t("There is no record {count} in this match.", count=n))
    candidates = [name_seats(words, snapshot.names) for words in found.candidates] if found else []
    reason = name_seats(server().table.session.reason(n), snapshot.names)
    return fresh("why.html", n=n, line=line, found=found, candidates=candidates, reason=reason)
