"""Implements `companion press`: prints everything of one game into one folder."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.codes import BACK, Code, parse
from companion.eye.mat import Mat
from companion.press import PressError
from companion.press.faces import code_squares, shape_faces, shape_for
from companion.press.mats import mat_drawing
from companion.press.pages import first_pages, quick_page, test_page
from companion.press.pngs import write_pngs
from companion.press.raster import render
from companion.press.sheets import PAPERS, card_sheets, loose_sheet, marker_sheet, mat_page, mat_tiles, sticker_sheets
from companion.press.vector import write_pdf
from companion.rules.cards import Deck

FORMATS = ("pdf", "png")


@dataclass(frozen=True)
class Order:
    """What is to be printed: `format` "pdf" or "png", on a `paper` of `sheets.PAPERS`.

    `stickers` adds those for a real box; without `codes` only tokens carry them; `seats` sets the chairs of the mat.
    """

    format: str = "pdf"
    paper: str = "a4"
    stickers: bool = False
    codes: bool = True
    seats: int | None = None


PLAIN = Order()


def press(game: str, deck: Deck, mat: Mat, out: Path, order: Order = PLAIN) -> list[Path]:
    """Print a game's cards and mat into the folder `out`, which is made if need be; return the files written.

    `mat` is the one for the largest number of seats (or for the order's), so that every area is on it. As "pdf":
    cards.pdf, test-page.pdf, the mat's files (`press_mat`) and, if wanted, stickers.pdf and markers.pdf. As "png": a
    file a face, cover.png, mat.png, mat-outlines.png, manifest.json (and stickers-NN.png).

    Raises:
        PressError: if format or paper is unknown, a code can't be printed, or the folder can't be written.
    """
    _check_order(order)
    check(game, deck, mat)
    with _written(out):
        written = press_deck(deck, mat, out, order)
        if order.format == "pdf":
            written += press_mat(mat, out, order)
            if order.stickers:
                markers = marker_sheet(mat, PAPERS[order.paper.lower()])
                written.append(write_pdf(out / "markers.pdf", markers, f"{deck.title}: markers"))
    return written


def press_deck(deck: Deck, mat: Mat, out: Path, order: Order = PLAIN) -> list[Path]:
    """Print a deck's cards alone (as "png" with the manifest's mat); raise PressError as `press` does."""
    _check_order(order)
    sheet = PAPERS[order.paper.lower()]
    with _written(out):
        if order.format == "png":
            written = write_pngs(deck, mat, out, codes=order.codes)
            for number, page in enumerate(sticker_sheets(deck, mat, sheet) if order.stickers else (), start=1):
                written.append(out / f"stickers-{number:02}.png")
                render(page, 12.0).save(written[-1], dpi=(304.8, 304.8))
            return written
        first = first_pages(deck, sheet, codes=order.codes)
        pages = itertools.chain(first, card_sheets(deck, mat, sheet, codes=order.codes))
        written = [
            write_pdf(out / "cards.pdf", pages, f"{deck.title}: cards", backs=True),
            write_pdf(out / "test-page.pdf", [test_page(deck, sheet)], f"{deck.title}: is the printer right?"),
        ]
        if order.stickers:
            sheets = sticker_sheets(deck, mat, sheet)
            written.append(write_pdf(out / "stickers.pdf", sheets, f"{deck.title}: stickers"))
        return written


def press_mat(mat: Mat, out: Path, order: Order = PLAIN, prefix: str = "") -> list[Path]:
    """Print mat-large.pdf (one page), mat-tiled.pdf, and mat-outlines.pdf to spare ink; raise PressError as `press`."""
    _check_order(order)
    sheet = PAPERS[order.paper.lower()]
    with _written(out):
        colour = mat_drawing(mat, seats=order.seats)
        lines = mat_drawing(mat, spare=True, seats=order.seats)
        return [
            write_pdf(out / f"{prefix}mat-large.pdf", [mat_page(mat, colour)], f"{mat.title}: mat"),
            write_pdf(out / f"{prefix}mat-tiled.pdf", mat_tiles(mat, sheet, colour), f"{mat.title}: mat in tiles"),
            write_pdf(out / f"{prefix}mat-outlines.pdf", mat_tiles(mat, sheet, lines), f"{mat.title}: mat in outlines"),
        ]


def press_quick(
    deck: Deck, mat: Mat, out: Path, order: Order = PLAIN, *, own: bool = True
) -> tuple[list[Path], list[str]]:
    """Print quick.pdf, on one side: how to go on, the mat in outlines (or markers), cards with one side, and covers.

    The markers come if `mat` is not the game's `own`. Return the file, and the steps that it tells.

    Raises:
        PressError: as `press`, and if the order has stickers or pictures, or no codes.
    """
    _check_order(order)
    if (order.format, order.stickers, order.codes) != ("pdf", False, True):
        raise PressError("a quick print is a PDF of cards with codes, and nothing else; leave the other options out")
    paper = PAPERS[order.paper.lower()]
    lines = mat_drawing(mat, spare=True, seats=order.seats)
    table = list(mat_tiles(mat, paper, lines)) if own else [loose_sheet(paper)]
    cards = list(card_sheets(deck, mat, paper, quick=True))
    first, steps = quick_page(deck, paper, own * len(table), len(cards))
    with _written(out):
        return [write_pdf(out / "quick.pdf", [first, *table, *cards], f"{deck.title}, tonight")], steps


def press_markers(out: Path, order: Order = PLAIN) -> list[Path]:
    """Print markers.pdf, the one sheet of loose markers for a table without a mat; raise PressError as `press`."""
    _check_order(order)
    with _written(out):
        return [write_pdf(out / "markers.pdf", [loose_sheet(PAPERS[order.paper.lower()])], "Markers for any table")]


def _check_order(order: Order) -> None:
    if order.format not in FORMATS:
        raise PressError(f"the press does not know the format {order.format}; choose {' or '.join(FORMATS)}")
    if order.paper.lower() not in PAPERS:
        raise PressError(f"the press does not know the paper {order.paper}; choose {' or '.join(PAPERS)}")


@contextmanager
def _written(out: Path) -> Iterator[None]:
    """Context manager that creates a folder; failures to write are raised as a `PressError`."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise PressError(f"the press can't write into {out} ({why}); choose another folder with --out") from None


def check(game: str, deck: Deck, mat: Mat) -> None:
    """Check that deck and mat belong together and every code can be printed; raise PressError at the first misfit."""
    for named, where in ((deck.game, "deck.toml"), (mat.game, "mat.toml")):
        if named != game:
            raise PressError(f"card_codes/{game}/{where} says that it belongs to {named}; set its `game` to {game}")
    for piece, words in ((BACK, "the back"), *((card.piece, card.title) for card in deck.cards)):
        if len(deck.code) != 2 or len(piece) != 3 or not _printable(deck.code, piece):
            raise PressError(
                f"card_codes/{game}/deck.toml: {deck.code}{piece} ({words}) is no code; the game's `code` is two "
                "capital letters, a `piece` three of 0-9 and A-Z"
            )
    if any(card.piece == BACK for card in deck.cards):
        raise PressError(f"card_codes/{game}/deck.toml: the number {BACK} belongs to the back; give that card another")
    for card in (*deck.cards, None):
        shape = shape_for(mat, card)
        if card is not None and not shape_faces(shape):
            raise PressError(f"card_codes/{game}/mat.toml: the shape {shape.name} has no code on a front (face F)")
        for square in (s for face in {place.on for place in shape.codes} for s in code_squares(shape, face)):
            if square.x < 0 or square.y < 0 or square.x + square.w > shape.w or square.y + square.h > shape.h:
                raise PressError(
                    f"card_codes/{game}/mat.toml: a code of the shape {shape.name}, with its white edge of "
                    f"{square.w:.1f} mm, reaches beyond the piece; move it or make it smaller"
                )


def _printable(game: str, piece: str) -> bool:
    try:
        return parse(str(Code(game, piece, "F"))) == Code(game, piece, "F")
    except ValueError:
        return False
