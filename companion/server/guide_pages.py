"""Pages that tell how a game goes: its aim, a turn, the end, the points, its words. They work without a script."""

from __future__ import annotations

from collections.abc import Collection

from flask import Blueprint, Response, make_response, render_template
from markupsafe import Markup, escape

from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Guide
from companion.server.context import RefusedError, is_host, own_seats, server
from companion.server.words.patterns import WORD
from companion.text import t

blueprint = Blueprint("guide", __name__)


@blueprint.get("/how")
def how() -> Response:
    """Tell how the game goes that is played; before the first match how each goes that can be."""
    snapshot = server().feed.moment.snapshot
    guide, matches = server().table.session.guide, server().table.matches
    if snapshot.game == GATHERING and matches is not None:
        infos = [info for info in matches.games() if info.guide is not None]
        return _answer("how_games.html", infos=infos, title=t("How the games go"), game=snapshot.game)
    if guide is None:
        raise RefusedError(404, t("How this game goes only its own rules say."))
    return _page(snapshot.game, snapshot.title, guide)


@blueprint.get("/how/<name>")
def how_of(name: str) -> Response:
    """Tell how a game goes that can be played here."""
    matches = server().table.matches
    info = next((one for one in matches.games() if one.name == name), None) if matches is not None else None
    if info is None:
        raise RefusedError(404, t("There is no such game here: choose one of those shown."))
    if info.guide is None:
        raise RefusedError(404, t("How this game goes only its own rules say."))
    return _page(name, info.title, info.guide)


def _page(game: str, title: str, guide: Guide) -> Response:
    played = game == server().feed.moment.snapshot.game
    return _answer("how.html", guide=guide, title=title, game=game, played=played)


def _answer(template: str, **more: object) -> Response:
    response = make_response(render_template(template, own=own_seats(), host=is_host(), live=False, **more))
    response.headers["Cache-Control"] = "no-store"
    return response


def led_on(text: str, abbreviations: Collection[str]) -> str:
    """Return words in which every abbreviation leads to its meaning, as a page writes them."""
    parts, at = [], 0
    for found in WORD.finditer(text) if abbreviations else ():
        if found[0] in abbreviations:
            word = escape(found[0])
            parts += [
                escape(text[at : found.start()]),
                Markup('<a class="word" href="/how#word-{0}">{0}</a>').format(word),
            ]
            at = found.end()
    return Markup("").join([*parts, escape(text[at:])])
