"""What `companion press` does: everything of one game into one folder."""

from __future__ import annotations

from pathlib import Path

from companion.codes import BACK, Code, parse
from companion.eye.mat import Mat
from companion.press import PressError
from companion.press.faces import code_squares, shape_faces, shape_for
from companion.press.pngs import write_pngs
from companion.press.raster import render
from companion.press.sheets import PAPERS, card_sheets, marker_sheet, mat_page, mat_tiles, sticker_sheets
from companion.press.vector import write_pdf
from companion.rules.cards import Deck

FORMATS = ("pdf", "png")


def press(
    game: str, deck: Deck, mat: Mat, out: Path, format: str = "pdf", paper: str = "a4", stickers: bool = False
) -> list[Path]:
    """Print a game's cards and mat into the folder `out`, which is made if need be; give the files written.

    `mat` is the one for the largest number of seats, so that every area is on it. As "pdf": cards.pdf, mat-tiled.pdf,
    mat-large.pdf and, if wanted for the real box, stickers.pdf and markers.pdf. As "png": a file a face, mat.png,
    manifest.json (and stickers-NN.png).

    Raises:
        PressError: if format or paper is unknown, a code of the deck or mat file can't be printed, or the folder can't
            be written. The message says what to do.
    """
    if format not in FORMATS:
        raise PressError(f"the press does not know the format {format}; choose {' or '.join(FORMATS)}")
    if paper.lower() not in PAPERS:
        raise PressError(f"the press does not know the paper {paper}; choose {' or '.join(PAPERS)}")
    check(game, deck, mat)
    sheet = PAPERS[paper.lower()]
    try:
        out.mkdir(parents=True, exist_ok=True)
        if format == "png":
            written = write_pngs(deck, mat, out)
            for number, page in enumerate(sticker_sheets(deck, mat, sheet) if stickers else (), start=1):
                written.append(out / f"stickers-{number:02}.png")
                render(page, 12.0).save(written[-1], dpi=(304.8, 304.8))
            return written
        written = [
            write_pdf(out / "cards.pdf", card_sheets(deck, mat, sheet), f"{deck.title}: cards"),
            write_pdf(out / "mat-tiled.pdf", mat_tiles(mat, sheet), f"{deck.title}: mat in tiles"),
            write_pdf(out / "mat-large.pdf", [mat_page(mat)], f"{deck.title}: mat"),
        ]
        if stickers:
            pages = sticker_sheets(deck, mat, sheet)
            written.append(write_pdf(out / "stickers.pdf", pages, f"{deck.title}: stickers"))
            written.append(write_pdf(out / "markers.pdf", marker_sheet(mat, sheet), f"{deck.title}: markers"))
        return written
    except OSError as error:
        why = error.strerror or str(error)
        raise PressError(f"the press can't write into {out} ({why}); choose another folder with --out") from None


def check(game: str, deck: Deck, mat: Mat) -> None:
    """See to it that deck and mat belong together and that every code can be printed and read.

    Raises:
        PressError: at the first entry that does not fit; the message names the file and the entry.
    """
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
