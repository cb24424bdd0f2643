"""Pages that tell how a game goes: its aim, a turn, the end, the points, its words. They work without a script."""

from __future__ import annotations

import re
from collections.abc import Collection

from flask import Blueprint, Response
from markupsafe import Markup, escape

from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Guide
from companion.server.context import RefusedError, fresh, is_host, own_seats, server
from companion.server.words.voice import WORD
from companion.text import t

blueprint = Blueprint("guide", __name__)

PARTS, RULING = re.compile(r"[;,]\s*"), re.compile(r"[A-Z]\d+")
"""What stands between the parts of a rule's name; a house ruling's number."""


@blueprint.get("/how")
def how() -> Response:
    """Show how the game goes that is played; before the first match how each goes that can be."""
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
    """Show how a game goes that can be played here."""
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
    return fresh(template, own=own_seats(), host=is_host(), live=False, **more)


def guide_of(game: str) -> Guide | None:
    """Return how a game goes that is played here, or can be; None if nobody knows."""
    here = server()
    if game == here.feed.moment.snapshot.game:
        return here.table.session.guide
    infos = here.table.matches.games() if here.table.matches is not None else ()
    return next((info.guide for info in infos if info.name == game), None)


def in_rulebook(rule: str) -> str:
    """Return the sections of the rulebook that a rule names, without the numbers of rulings: nobody could look them up.

    A ruling is a letter and a number ("F3"); a word in small letters ("dice") is a part of the companion's own.
    """
    parts = (part for part in PARTS.split(rule) if RULING.fullmatch(part) is None)
    return ", ".join(part for part in parts if part[:1].isdigit() or part[:1].isupper())


def shortened(text: str, abbreviations: Collection[str]) -> list[str]:
    """List the abbreviations that words have in them, each once."""
    return list(dict.fromkeys(found for found in WORD.findall(text) if found in abbreviations))


def led_on(text: str, abbreviations: Collection[str], game: str = "") -> str:
    """Return words in which every abbreviation leads to its meaning, in the game that is played or another one."""
    parts, at, address = [], 0, f"/how/{game}" if game else "/how"
    for found in WORD.finditer(text) if abbreviations else ():
        if found[0] in abbreviations:
            link = Markup('<a class="word" href="{0}#word-{1}">{1}</a>').format(address, found[0])
            parts += [escape(text[at : found.start()]), link]
            at = found.end()
    return Markup("").join([*parts, escape(text[at:])])
