"""Pages about the camera: what it sees and how well, telling it what lies at a place, and where the zones are.

Plain forms, so that they work without a script; the scripts renew, let people point at the picture, and drag.
"""

from __future__ import annotations

import math
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.datastructures import MultiDict

from companion.eye.geometry import ENOUGH
from companion.eye.mat import PRINTS, Marker
from companion.eye.quality import DIM, NEED, SOFT
from companion.rules.cards import Card
from companion.server.camera_api import AimService, Plan, PlanZone, Sight, SightError
from companion.server.context import (
    RefusedError,
    fresh,
    host_only,
    is_host,
    people,
    refusing,
    server,
    sight_for,
    stands_at_table,
)
from companion.server.phone_pages import phone_port
from companion.text import TEXTS, join, said, sentence, t

blueprint = Blueprint("sight", __name__)

FRESH = {"Cache-Control": "no-store"}
MOST_FOUND = 8
WHY = {
    "small": t("too small in the picture"),
    "blurred": "blurred",
    "glare": t("a lamp shines on it"),
    "covered": "covered",
    "aslant": t("seen too much from the side"),
    "faint": t("too faint"),
    "outside": t("not wholly in the picture"),
    "unclear": "unclear",
}
MARKER = {
    "covered": "covered",
    "glare": t("a lamp shines on it"),
    "outside": t("outside the picture"),
    "unseen": t("not seen"),
}
VERDICT = {
    "good": t("The camera sees the table well."),
    "fair": t("The camera sees the table; it could see it better."),
    "bad": t("Like this the camera can't follow a match."),
}
PRINT_WORDS = {
    "colours": t("In colours, as it is printed now"),
    "outlines": t("Outlines on white, which spare ink"),
    "first": t("The first print: pale, with larger codes on the cards"),
}
FIELDS = ("x", "y", "w", "h", "rotation")


def _sight() -> Sight:
    """Return the table's camera, to whoever stands at the table."""
    return sight_for(stands_at_table())


def _page(template: str, status: int = 200, /, **more: object) -> Response:
    snapshot = server().feed.moment.snapshot
    plain = {"title": snapshot.title, "game": snapshot.game, "people": people, "live": False}
    return fresh(template, status, **{**plain, **more})


# ----------------------------------------------------------------------------------------------------- what is seen


def _seen() -> dict[str, object]:
    """Lay out what the camera sees, for people."""
    look = _sight().look()
    if look is None:
        return {"look": None}
    quality = look.quality
    missing: dict[str, list[int]] = {}
    for marker in quality.markers:
        if marker.state != "seen":
            where = (
                t("{marker}, {where}", marker=MARKER[marker.state], where=marker.where)
                if marker.where
                else MARKER[marker.state]
            )
            missing.setdefault(where, []).append(marker.id)
    hard: dict[tuple[str, bool, str], int] = {}
    cards = server().table.session.cards
    for code in quality.codes:
        if code.why or not code.read:
            key = (
                cards[code.piece].title if code.piece in cards else t("A face-down card"),
                code.read,
                join(", ", (WHY[word] for word in code.why)),
            )
            hard[key] = hard.get(key, 0) + 1
    return {
        "look": look,
        "doubts": _sight().doubts(),
        "quality": quality,
        "need": NEED,
        "verdict": VERDICT[quality.verdict],
        "seen_markers": sum(marker.state == "seen" for marker in quality.markers),
        "missing": missing,
        "read": sum(code.read for code in quality.codes),
        "hard": [
            {"title": title, "read": read, "why": why, "count": count}
            for (title, read, why), count in sorted(hard.items(), key=lambda one: (one[0][1], one[0][0]))
        ],
        "people": people,
        "sentence": sentence,
    }


def _aiming() -> AimService | None:
    """Return what aims the camera, to the host, while no match has one."""
    table = server().table
    if table.session.sight is not None or table.aiming is None:
        return None
    host_only()
    return table.aiming


def _aimed(aiming: AimService) -> dict[str, object]:
    """Lay out how the camera is aimed."""
    aim = aiming.aim()
    troubles = [trouble.words for trouble in server().feed.moment.snapshot.troubles]
    if aim is None:
        return {"aim": None, "troubles": troubles, "phone": phone_port() is not None}
    quality = aim.quality
    seen = sum(marker.state == "seen" for marker in quality.markers)
    share = None if quality.paper is None else round(quality.paper / 2.55)
    blur = quality.blur
    tiles = (
        (
            t("Light"),
            share is not None and quality.paper is not None and quality.paper >= DIM and not quality.lamps,
            t("not known yet") if share is None else t("{share} % bright", share=share),
        ),
        (
            t("Focus"),
            blur is not None and quality.module is not None and blur <= SOFT * quality.module[1],
            t("not known yet") if blur is None else t("blur {blur:.1f} px", blur=blur),
        ),
        (
            t("Markers"),
            seen >= ENOUGH and 3 * seen >= 2 * len(quality.markers),
            t("{seen} of {count} seen", seen=seen, count=len(quality.markers)),
        ),
    )
    left = max(len(quality.advice), sum(not good for _, good, _ in tiles))
    return {"aim": aim, "phone": phone_port() is not None, "tiles": tiles, "left": left, "need": NEED}


@blueprint.get("/host/eye")
def eye_page() -> Response:
    """Show what the camera sees; with `?x=&y=` (mm) also what lies there. Before the first match: how it is aimed."""
    if (aiming := _aiming()) is not None:
        return _page("aim.html", **_aimed(aiming))
    seen = _seen()
    return _page("eye.html", **{**seen, **_spot()}, said=request.args.get("said", "")[:300])


@blueprint.get("/host/eye/now")
def eye_now() -> Response:
    """Return the part of that page that renews itself."""
    if (aiming := _aiming()) is not None:
        return make_response(render_template("aim_now.html", **_aimed(aiming)), 200, FRESH)
    return make_response(render_template("eye_now.html", **_seen()), 200, FRESH)


@blueprint.get("/host/eye/spot")
def eye_spot() -> Response:
    """Return the part about a place: `?u=&v=` (shares of the picture) or `?x=&y=` (mm); `q` searches for cards."""
    return make_response(render_template("eye_spot.html", people=people, **_spot()), 200, FRESH)


@blueprint.get("/host/eye.jpg")
def eye_picture() -> Response:
    """Return the picture with what the eye sees drawn in and named."""
    aiming = _aiming()
    picture = _sight().picture() if aiming is None else aiming.picture()
    if picture is None:
        raise RefusedError(423, t("There is no camera picture yet."))
    return Response(picture, mimetype="image/jpeg", headers=FRESH)


@blueprint.get("/host/eye/doubt.jpg")
def doubt_picture() -> Response:
    """Return the picture of a card that is asked about, at `?x=&y=` (mm)."""
    here = _sight()
    x, y = _number("x"), _number("y")
    picture = here.doubt_picture(x, y) if x is not None and y is not None else None
    if picture is None:
        raise RefusedError(404, t("Nothing is asked about that place any more."))
    return Response(picture, mimetype="image/jpeg", headers=FRESH)


def _number(name: str) -> float | None:
    try:
        value = float(request.values.get(name, ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _spot() -> dict[str, object]:
    """Lay out the place that is asked for, and the cards that a search finds."""
    here = _sight()
    u, v, x, y = (_number(name) for name in "uvxy")
    query = request.values.get("q", "")[:60]
    found: dict[str, object] = {"spot": None, "q": query, "found": _found(query), "miss": ""}
    try:
        if u is not None and v is not None:
            found["spot"] = here.at_picture(u, v)
        elif x is not None and y is not None:
            found["spot"] = here.at(x, y)
    except SightError as error:
        found["miss"] = said(error)
    return found


def _found(query: str) -> list[Card]:
    """Find cards by words in any order; of cards that are alike the first."""
    words = query.lower().split()
    if not words:
        return []
    alike: dict[tuple[str, str], Card] = {}
    for card in server().table.session.cards.values():
        text = " ".join((card.title, card.kind, *card.traits.values(), card.piece)).lower()
        if all(word in text for word in words):
            alike.setdefault((card.kind, card.title), card)
    by_title = sorted(alike.values(), key=lambda card: card.title)
    named = [card for card in by_title if all(word in card.title.lower() for word in words)]
    return (named or by_title)[:MOST_FOUND]


@blueprint.post("/host/eye/tell")
def tell() -> Response:
    """Take what lies at a place."""
    here = _sight()
    x, y, what = _number("x"), _number("y"), request.form.get("what", "")
    if x is None or y is None or what not in ("is", "down", "nothing"):
        raise RefusedError(400, t("Point at a place in the picture, then say what lies there."))
    with refusing(409, SightError):
        told = here.tell(x, y, what, request.form.get("piece", "")[:12])
    server().feed.refresh()
    return _back(t("{people} That counts until a hand comes there.", people=people(told)))


@blueprint.post("/host/eye/forget")
def forget() -> Response:
    """Forget what was told of a place."""
    number = request.form.get("n", "")
    there = number.isascii() and number.isdigit() and len(number) < 8 and _sight().forget(int(number))
    server().feed.refresh()
    return _back(
        t("Forgotten: what the camera reads counts again.") if there else t("A hand has been there since already.")
    )


def _back(words: str) -> Response:
    return make_response(redirect(f"/host/eye?said={quote(words)}", 303))


# ------------------------------------------------------------------------------------------------------- the zones


@blueprint.get("/host/zones")
def zones_page() -> Response:
    """Show where the zones lie, to be moved; `?printed=1` shows those of the printed mat."""
    here = _sight()
    note = ""
    try:
        plan = here.printed() if request.args.get("printed") else here.plan()
    except SightError as error:
        plan, note = here.printed(), sentence(said(error))
    return _zones(
        plan, note=note, said=t("The zones are kept; the next match uses them.") if "kept" in request.args else ""
    )


@blueprint.get("/host/board.jpg")
def board_picture() -> Response:
    """Return the mat as seen from straight above."""
    picture = _sight().board()
    if picture is None:
        raise RefusedError(404, t("Nobody knows where the mat is: there is no picture of it."))
    return Response(picture, mimetype="image/jpeg", headers=FRESH)


@blueprint.post("/host/zones")
def keep_zones() -> Response:
    """Keep where the zones lie, or go back to the printed mat.

    That is the host's at a simulated table, too: what is kept counts at a real one afterwards.
    """
    here = _sight()
    host_only()
    printed = here.printed()
    if request.form.get("do") == "printed":
        wrong: list[tuple[str, str]] = []
        plan = printed
    else:
        plan, wrong = _plan_of(request.form, printed)
        if request.form.get("do") == "marker":
            return _zones(_with_marker(plan), said=t("Say where the middle of the new marker is."))
    if not wrong:
        try:
            wrong = here.lay(plan)
        except SightError as error:
            wrong = [("", said(error))]
    if wrong:
        return _zones(plan, wrong=[(name, sentence(people(words))) for name, words in wrong], status=409)
    return make_response(redirect("/host/zones?kept=1", 303))


def _zones(plan: Plan, status: int = 200, **more: object) -> Response:
    pictured = _sight().board() is not None
    plain: dict[str, object] = {"wrong": [], "note": "", "said": ""}
    data = msgspec.to_builtins(plan, builtin_types=TEXTS)
    given = {"plan": plan, "data": data, "prints": PRINT_WORDS, "pictured": pictured, "may_keep": is_host()}
    return _page("zones.html", status, **{**given, **plain, **more})


def _plan_of(form: MultiDict[str, str], printed: Plan) -> tuple[Plan, list[tuple[str, str]]]:
    """Read a board out of the form; with it what is no number."""
    wrong: list[tuple[str, str]] = []

    def number(field: str, before: float, of: str, words: str) -> float:
        given = form.get(field, "").strip().replace(",", ".")
        if not given and field not in form:
            return before
        try:
            value = float(given)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or abs(value) > 1e5:
            wrong.append(
                (of, t("{words}: {given} is no number of millimetres.", words=words, given=given[:20] or "nothing"))
            )
            return before
        return round(value, 1)

    zones = tuple(
        PlanZone(
            zone.name,
            zone.words,
            *(number(f"{zone.name}:{field}", getattr(zone, field), zone.name, zone.words) for field in FIELDS),
        )
        for zone in printed.zones
    )
    markers = []
    for at in form.getlist("marker")[:100]:
        if not (at.isascii() and at.isdigit() and len(at) < 4) or form.get(f"marker {at}:gone"):
            continue
        words = t("Marker {at}", at=at)
        x, y, size, id_ = (
            number(f"marker {at}:{field}", 0.0, f"marker {at}", words) for field in ("x", "y", "size", "id")
        )
        markers.append(Marker(round(id_), x, y, size))
    w, h = number("w", printed.w, "", t("The board's width")), number("h", printed.h, "", t("The board's height"))
    own = tuple(markers) if "marker" in form else printed.markers
    chosen = form.get("print", printed.print)
    return Plan(printed.game, printed.seats, w, h, zones, own, print=chosen if chosen in PRINTS else PRINTS[0]), wrong


def _with_marker(plan: Plan) -> Plan:
    """Add a marker in the middle, with the lowest number that is free."""
    taken = {marker.id for marker in plan.markers}
    free = next(n for n in range(1000) if n not in taken)
    size = plan.markers[0].size if plan.markers else 18.0
    return msgspec.structs.replace(plan, markers=(*plan.markers, Marker(free, plan.w / 2, plan.h / 2, size)))
