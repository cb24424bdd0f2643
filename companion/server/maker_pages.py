"""/host/games: games that the host makes in the browser. Plain forms, which need no script; one renews the score."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, make_response, redirect, request

from companion.rules.seats import clean_name
from companion.server import guard, maker_answers, maker_tables, maker_try
from companion.server.context import RefusedError, download, fresh, host_only, is_host, refusing, server
from companion.server.maker_api import Draft, GameMaker, MakerError, NameTakenError, PlayedError
from companion.server.maker_features import DEFAULTS, RANKS, SUITS
from companion.server.maker_steps import KINDS, SPECIALS, Form, answered, steps
from companion.server.maker_words import CLOCKS, PARTS, who_plays
from companion.text import plain, said, t, word
from companion.untyped import TomlTable, read_json

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
    """Ask which kind a new game is; with `?kind=` begin one, with `?like=` a copy, with `?change=` show an own game."""
    if not is_host():
        return make_response(redirect("/host", 302))
    maker, kind = _maker(), request.args.get("kind", "")
    like, change = request.args.get("like", ""), request.args.get("change", "")
    if kind in DEFAULTS:
        draft = maker_answers.declared({"kind": kind})
        return _screen(maker, draft, Form(), steps(maker_answers.asked(draft))[0].name)
    if not (like or change):
        return _page("make.html", kinds=KINDS, starts=maker.starts(), draft=Draft(), said={}, n=0)
    with refusing(404, MakerError):
        draft = maker.draft(change or like)
    if not change:
        draft = msgspec.structs.replace(draft, name="", title="")
    return _screen(maker, draft, Form(), "name")


@blueprint.post("/host/games/new")
def make() -> Response:
    """Take a screen's answers in, and show the next one, or the one that is asked for; or keep the game."""
    maker = _maker()
    with guard.upload(LARGEST, server().limits.imports):
        form = request.form
    step, do = form.get("step", ""), form.get("do", "look")
    try:
        draft = read_json(form.get("draft", ""), Draft)
    except msgspec.DecodeError:
        raise RefusedError(400, t("That page was not ours, or it is too old: begin it again.")) from None
    asked = {one.name: one for one in steps(maker_answers.asked(draft))}
    if step in asked:
        draft = maker_answers.changed(draft, answered(asked[step], form))
    elif "text" in form:
        try:
            draft = maker.read(form["text"], draft)
        except MakerError as error:
            return _screen(maker, draft, form, "file", said(error), 400)
    elif "title" in form:
        draft = _named(draft, form)
    if do in ("keep", "play"):
        try:
            name = maker.keep(draft, over=form.get("over") == "yes")
        except MakerError as error:
            if isinstance(error, PlayedError):
                draft = msgspec.structs.replace(draft, title=error.title, name="")
            status, own = 400 if type(error) is MakerError else 409, isinstance(error, NameTakenError) and error.own
            return _screen(maker, draft, form, "name", said(error), status, own)
        return make_response(redirect(f"/host/new/{name}" if do == "play" else f"/host/games?kept={name}", 303))
    if do.startswith("go:"):
        return _screen(maker, draft, form, do[3:])
    order = [*(one.name for one in steps(maker_answers.asked(draft))), "name"]
    at = order.index(step) + {"next": 1, "back": -1}.get(do, 0) if step in order else 0
    return _screen(maker, draft, form, order[min(max(at, 0), len(order) - 1)] if step in order else step)


def _named(draft: Draft, form: Form) -> Draft:
    """Return a game with the words and the clock of the last screen."""
    score: TomlTable = {**draft.score, "words": clean_name(form.get("words", ""), 200)}
    score["coach"] = clean_name(form.get("coach", ""), 150)
    seconds = maker_answers.number(form.get("clock_seconds", "")) or 60
    score["clock"] = {"kind": form["clock"], "seconds": seconds} if form.get("clock") in (*CLOCKS,)[1:] else {}
    score = {key: value for key, value in score.items() if key not in ("words", "coach", "clock") or value}
    return msgspec.structs.replace(draft, title=clean_name(form["title"], 40), score=score)


def _screen(
    maker: GameMaker, draft: Draft, form: Form, step: str, message: str = "", status: int = 200, taken: bool = False
) -> Response:
    """Return a screen: a question of the conversation, its last one ("name"), the score's trial, or the file."""
    answers = maker_answers.asked(draft)
    order = steps(answers)
    question = next((one for one in order if one.name == step), None)
    step = step if question or step in ("try", "file") else "name"
    see = (maker.seen() or ()) if form.get("do") == "see" else ()
    tried = maker_try.tried(Form() if form.get("do") == "clear" else form, draft.score, see)
    titled = draft if draft.title else msgspec.structs.replace(draft, title="Game")
    beside = _beside(maker, titled) if step == "name" else ()
    back = form.get("back", "") if step == form.get("step") else form.get("step", "")
    return _page(
        "make.html",
        status,
        draft=draft,
        held=msgspec.json.encode(draft, enc_hook=plain).decode(),
        step=step,
        back=back if step == "try" and back != "try" else "",
        n=order.index(question) + 1 if question else len(order) + 1 if step == "name" else 0,
        steps=order,
        question=question,
        said=maker_answers.shown(draft, answers),
        message=message,
        taken=taken,
        troubles=maker.problems(titled) if step == "file" else [*dict.fromkeys(maker.troubles(titled))],
        told=[words for words in _told(maker, titled, step) if words not in beside],
        beside=beside,
        text=form.get("text", "") if message and step == "file" else maker.text(draft) if step == "file" else "",
        cards=maker.cards(draft),
        tried=tried,
        places=maker_try.places(maker, draft, tried),
        place=form.get("place", ""),
        kept=[(name, form[name]) for name in form if name.startswith("try.") or name == "place"],
        worth=maker.worth(draft, tried),
        watched=maker.seen() is not None,
        seats=maker_tables.seats(draft.score),
        blocks=maker_tables.listed(draft.score, "score"),
        called=maker_answers.called,
        kind=answers["kind"],
        ranks=RANKS,
        suits=SUITS,
        specials=SPECIALS,
        clocks=CLOCKS,
    )


def _told(maker: GameMaker, draft: Draft, step: str) -> tuple[str, ...]:
    """Return the rule as answered so far, in sentences: on a screen those that it is about."""
    plain_words = {key: value for key, value in draft.score.items() if key not in ("words", "coach")}
    guide = maker.guide(msgspec.structs.replace(draft, score=plain_words))
    if guide is None:
        return ()
    low, high = maker_tables.seats(draft.score)
    who = who_plays(low, high, maker_answers.asked(draft).get("pairs") == "yes")
    turn, end = (who, *guide.turn), (guide.aim, *guide.end)
    told = {"who": (who,), "end": end} | dict.fromkeys(("deck", "deal", "take", "lie", "row", "dice"), turn)
    told |= dict.fromkeys(("name", "try", "file"), (*turn, *guide.points, *end))
    return told.get(step, guide.points)


def _beside(maker: GameMaker, draft: Draft) -> tuple[str, ...]:
    """Return in words what the file says and no question asks."""
    guide, blocks = maker.guide(draft), maker_tables.listed(draft.score, "score")
    counted = [str(block.get("name")) for block in blocks if block.get("counts", True)]
    lines = dict(zip(counted, guide.points, strict=False)) if guide is not None else {}
    parts = [one for part in ("score", "entry", "option") for one in maker_tables.listed(draft.score, part)]
    names = {str(one.get("name")): one for one in parts}
    return tuple(
        PARTS.get(name) or lines.get(name) or word(maker_answers.called(names.get(name, {"name": name})))
        for name in maker_answers.beside(draft)
    )
