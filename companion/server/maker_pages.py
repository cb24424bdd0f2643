"""/host/games: games that the host makes in the browser. Plain forms, which need no script; one renews the score."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, make_response, redirect, request

from companion.server import guard, maker_form, maker_try
from companion.server.context import RefusedError, download, fresh, host_only, is_host, refusing, server
from companion.server.maker_api import Draft, GameMaker, MakerError, NameTakenError, PlayedError, Tried, ZoneOfMat
from companion.text import plain, said, t

blueprint = Blueprint("maker", __name__)

LARGEST = 256 * 1024
"""Bytes of a form, or of an exported game: a long one has thirty thousand."""


def _maker() -> GameMaker:
    host_only()
    maker = server().table.maker
    if maker is None:
        raise RefusedError(404, t("No games are made at this table."))
    return maker


def _page(template: str, status: int = 200, **more: object) -> Response:
    return fresh(template, status, live=False, **more)


@blueprint.get("/host/games")
def own() -> Response:
    """List the games that were made here."""
    if not is_host():
        return make_response(redirect("/host", 302))
    return _list(_maker())


def _list(maker: GameMaker, message: str = "", status: int = 200, taken: bool = False) -> Response:
    mine = [start for start in maker.starts() if start.own]
    kept = next((start.title for start in mine if start.name == request.args.get("kept")), "")
    return _page("made.html", status, starts=mine, message=message, kept=kept, taken=taken)


@blueprint.post("/host/games")
def take_in() -> Response:
    """Take an exported game in."""
    maker = _maker()
    try:
        with guard.upload(LARGEST, server().limits.imports):
            given = request.files.get("file")
            if given is None or not given.filename:
                raise MakerError(t("Choose the file of an exported game first."))
            name = maker.take_in(given.stream.read(), over=request.form.get("over") == "yes")
    except NameTakenError as error:
        return _list(maker, said(error), 409, error.own)
    except MakerError as error:
        return _list(maker, said(error), 400)
    return make_response(redirect(f"/host/games?kept={name}", 303))


@blueprint.get("/host/games/<name>.json")
def export(name: str) -> Response:
    """Return a game as one file."""
    maker = _maker()
    with refusing(404, MakerError):
        return download(maker.export(name), "application/json; charset=utf-8", f"{name}.game.json")


@blueprint.post("/host/games/<name>/delete")
def remove(name: str) -> Response:
    """Delete a game that was made here."""
    maker = _maker()
    if request.form.get("sure") != "yes":
        raise RefusedError(400, t("Tick that you are sure, then delete it."))
    with refusing(409, MakerError):
        maker.remove(name)
    return make_response(redirect("/host/games", 303))


@blueprint.get("/host/games/new")
def new() -> Response:
    """Let the host choose what a new game is like; with `?like=` show the form, with `?change=` that of an own game."""
    if not is_host():
        return make_response(redirect("/host", 302))
    maker = _maker()
    like, change = request.args.get("like"), request.args.get("change")
    if like is None and change is None:
        return _page("make_like.html", starts=maker.starts())
    with refusing(404, MakerError):
        draft = maker.draft(change or like or "") if (change or like) else _blank()
    if change is None:
        draft = msgspec.structs.replace(draft, name="", title="")
    like_title = next((start.title for start in maker.starts() if start.name == like), "")
    return _form(maker, draft, maker_try.tried(maker_form.Form(), draft.score), like=like_title)


def _blank() -> Draft:
    """Return the simplest game that there is: what people say is added up."""
    score = {
        "players": {"seats": [2, 6]},
        "score": [{"name": "count", "op": "count", "says": t("Cards"), "cards": ["taken"]}],
        "match": {"points": 50},
    }
    return Draft(score=score)


@blueprint.post("/host/games/new")
def make() -> Response:
    """Do what a button of the form says: look at it, change a block, lay a card, or keep the game."""
    maker = _maker()
    with guard.upload(LARGEST, server().limits.imports):
        form = request.form
        with refusing(400, MakerError):
            draft = maker_form.read(form)
    do = form.get("do", "")
    see = (maker.seen() or ()) if do == "see" else ()
    tried = (
        maker_try.tried(form, draft.score, see) if do != "clear" else maker_try.tried(maker_form.Form(), draft.score)
    )
    if do not in ("keep", "play"):
        return _form(maker, draft, tried, place=form.get("place", ""), like=form.get("like", ""))
    try:
        name = maker.keep(draft, over=form.get("over") == "yes")
    except MakerError as error:
        if isinstance(error, PlayedError):
            draft = msgspec.structs.replace(draft, title=error.title, name="")
        status, own = 400 if type(error) is MakerError else 409, isinstance(error, NameTakenError) and error.own
        return _form(maker, draft, tried, said(error), status, own, like=form.get("like", ""))
    return make_response(redirect(f"/host/new/{name}" if do == "play" else f"/host/games?kept={name}", 303))


def _form(
    maker: GameMaker,
    draft: Draft,
    tried: Tried,
    message: str = "",
    status: int = 200,
    taken: bool = False,
    place: str = "",
    like: str = "",
) -> Response:
    zones = maker.zones(draft.mat)
    troubles = maker.troubles(draft) if draft.title or message or request.method == "POST" else ()
    titled = draft if draft.title else msgspec.structs.replace(draft, title="Game")
    return _page(
        "make.html",
        status,
        draft=draft,
        held=msgspec.json.encode(draft, enc_hook=plain).decode(),
        message=message,
        taken=taken,
        like=like[:60],
        troubles=troubles,
        fits=not maker.troubles(titled),
        mats=maker.mats(),
        zones=zones,
        zone_words={zone.name: zone.words for zone in zones},
        cards=maker.cards(draft),
        tried=tried,
        places=_places(draft, zones, tried),
        place=place,
        worth=maker.worth(draft, tried),
        watched=maker.seen() is not None,
        form=maker_form,
    )


def _places(draft: Draft, zones: tuple[ZoneOfMat, ...], tried: Tried) -> list[dict[str, object]]:
    """List the places whose cards count: those of the middle, then seat by seat."""
    blocks = maker_form.blocks(draft.score)
    counted = [zone for block in blocks for zone in block.get("cards", ())]
    counted += [zone for block in blocks for zone in maker_form.table(block, "like").values()]
    own = {zone.name: zone.own for zone in zones}
    words = {zone.name: zone.words for zone in zones}
    found = []
    for zone in dict.fromkeys(one for one in counted if isinstance(one, str) and one != "dice"):
        # What is won in tricks is each seat's own, wherever it is put.
        seats = range(1, tried.seats + 1) if own.get(zone, zone == "taken") else (0,)
        for seat in seats:
            name = f"{zone}.{seat}" if seat else zone
            found.append(
                {
                    "zone": name,
                    "words": words.get(zone, zone.replace("_", " ").capitalize()),
                    "seat": seat,
                    "cards": tried.cards.get(name, ()),
                }
            )
    return found
