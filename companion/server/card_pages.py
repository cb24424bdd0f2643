"""Pages about cards: all of a game's as they are printed, sheets to print, and what the camera reads of one."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request

from companion.rules.cards import Card
from companion.server import guard
from companion.server.camera_api import WIDTHS, PrintError, Prints
from companion.server.context import (
    RefusedError,
    download,
    fresh,
    host_only,
    refusing,
    server,
    sight_for,
    stands_at_table,
)
from companion.server.guide_pages import guide_of
from companion.text import join, t

blueprint = Blueprint("cards", __name__)

KEEP = {"Cache-Control": "max-age=86400"}
FILES = {
    "quick.pdf": t("Tonight: all in one file, printed on one side"),
    "cards.pdf": t("Cards, to be cut out"),
    "stickers.pdf": t("Stickers for the cards of a real box"),
    "markers.pdf": t("Markers for the corners of a real board"),
    "test-page.pdf": t("A page that shows whether the printer is right"),
    "mat-tiled.pdf": t("The mat on many sheets, to be stuck together"),
    "mat-outlines.pdf": t("The same in outlines, which spare ink"),
    "mat-large.pdf": t("The mat on one large sheet, for a print shop"),
}
PAPER = {"a4": "A4", "letter": "Letter"}


def _prints() -> Prints:
    return server().table.prints


def _titles() -> dict[str, str]:
    return dict(_prints().games())


def _known(game: str) -> str:
    """Return a game's title.

    Raises:
        RefusedError: if there is no such game.
    """
    titles = _titles()
    if game not in titles:
        raise RefusedError(
            404, t("There is no such game here; there are: {values}.", values=join(", ", titles.values()))
        )
    return titles[game]


@blueprint.get("/cards")
def cards() -> Response:
    """Lead on to the cards of the game that is played, or let people choose a game."""
    played = server().feed.moment.snapshot.game
    titles = _titles()
    if played in titles:
        return make_response(redirect(f"/cards/{played}", 302))
    return make_response(
        render_template("cards.html", title=t("Cards"), game=played, games=titles, deck=None, live=False)
    )


@blueprint.get("/cards/<game>")
@guard.costly()
def deck(game: str) -> Response:
    """Show all cards of a game; `?q=` finds by words, `?kind=` by kind."""
    title = _known(game)
    with refusing(404, PrintError):
        whole = _prints().deck(game)
        papers = _papers(game)
    query, kind = request.args.get("q", "")[:60], request.args.get("kind", "")
    words, guide = query.lower().split(), guide_of(game)
    found = [card for card in whole.cards if (not kind or card.kind == kind) and _has(card, words)]
    return fresh(
        "cards.html",
        title=title,
        game=game,
        games=_titles(),
        deck=whole,
        live=False,
        found=[(card, _text(card)) for card in found],
        q=query,
        kind=kind,
        kinds=list(dict.fromkeys(card.kind for card in whole.cards)),
        abbreviations=guide.abbreviations if guide is not None else (),
        told="" if game == server().feed.moment.snapshot.game else game,
        **papers,
        may_test=stands_at_table() and server().table.session.sight is not None,
    )


def _text(card: Card) -> str:
    """Return all by which a card can be found."""
    return " ".join((card.title, card.kind, card.text, *card.traits.values(), card.piece)).lower()


def _has(card: Card, words: list[str]) -> bool:
    text = _text(card)
    return all(word in text for word in words)


@blueprint.get("/cards/<game>/face/<piece>.webp")
def face(game: str, piece: str) -> Response:
    """Return the printed face of a piece."""
    with refusing(404, PrintError):
        return Response(_prints().face(game, piece), mimetype="image/webp", headers=KEEP)


@blueprint.get("/cards/<game>/small/<piece>.webp")
def small_face(game: str, piece: str) -> Response:
    """Return a face as pages show it: small, and without its code; `?w=` is its width (px) on the drawn table."""
    wide = request.args.get("w", "0")
    if wide not in ("0", *map(str, WIDTHS)):
        raise RefusedError(404, t("Faces are {widths} px wide.", widths=join(", ", map(str, WIDTHS))))
    with refusing(404, PrintError):
        return Response(_prints().small_face(game, piece, int(wide)), mimetype="image/webp", headers=KEEP)


@blueprint.get("/cards/<game>/cover.webp")
def cover(game: str) -> Response:
    """Return the picture of a game's box."""
    with refusing(404, PrintError):
        return Response(_prints().cover(game), mimetype="image/webp", headers=KEEP)


@blueprint.post("/cards/<game>/print")
def order(game: str) -> Response:
    """Begin to print a game on a kind of paper."""
    _known(game)
    if not stands_at_table():
        raise RefusedError(403, t("Only the host has sheets made: enter the host's PIN at /host first."))
    with refusing(400, PrintError):
        _prints().order(game, request.form.get("paper", ""))
    return make_response(redirect(f"/cards/{game}#print", 303))


@blueprint.get("/cards/<game>/print/<paper>/<name>")
def sheets(game: str, paper: str, name: str) -> Response:
    """Return printed sheets."""
    _known(game)
    with refusing(404, PrintError):
        return download(_prints().file(game, paper, name), "application/pdf", f"{game}-{paper}-{name}")


@blueprint.get("/cards/<game>/papers")
def papers(game: str) -> Response:
    """Return the part of the page that tells what is printed."""
    _known(game)
    return fresh(
        "cards_print.html",
        game=game,
        **_papers(game),
    )


def _papers(game: str) -> dict[str, object]:
    """Lay out what is printed of a game, and what it takes before it is."""
    papers, may_print = _prints().papers(game), stands_at_table()
    takes = {one.name: _prints().needs(game, one.name) for one in papers if may_print and one.state == "no"}
    return {"papers": papers, "files": FILES, "paper_names": PAPER, "may_print": may_print, "takes": takes}


@blueprint.get("/host/markers-<paper>.pdf")
def markers(paper: str) -> Response:
    """Return the sheet of markers for a table without a mat."""
    host_only()
    with refusing(404, PrintError):
        return download(_prints().markers(paper), "application/pdf", f"markers-{paper[:6]}.pdf", "inline")


@blueprint.get("/cards/test")
def test() -> Response:
    """Show which card the camera reads now; `?part=1` only the part that renews itself."""
    sight = sight_for(stands_at_table())
    template = "cards_read.html" if request.args.get("part") else "cards_test.html"
    return fresh(template, reads=sight.reads(), live=False)
