"""Writes drawings as a PDF: vector shapes, and text in embedded fonts that can be searched and copied."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.letters import aileron, arimo, english, laid
from companion.press.drawing import BOLD, Drawing, Item, Line, Loop, Shape, Text, text_width

if TYPE_CHECKING:
    from fpdf import FPDF

POINT = 72 / 25.4
"""PDF points a millimetre."""
_MODE = {False: "FILL", True: "FILL_STROKE"}


def write_pdf(path: Path, pages: Iterable[Drawing], title: str, *, backs: bool = False) -> Path:
    """Write one page a drawing, each as large as the drawing; raise OSError if the file can't be written.

    With `backs` every other page belongs on the back of the one before; else every page has a sheet of its own.
    """
    path.write_bytes(pdf_of(pages, title, backs=backs))
    return path


def pdf_of(pages: Iterable[Drawing], title: str, *, backs: bool = False) -> bytes:
    """Return the same PDF as bytes."""
    from fpdf import FPDF, ViewerPreferences  # here: who prints nothing is spared 18 MB in each process

    with tempfile.TemporaryDirectory() as folder:
        files = {"aileron": Path(folder) / "aileron.ttf", "arimo": arimo()}
        files["aileron"].write_bytes(aileron())
        # in points, because fpdf2 takes the outline of bold text in points whatever the unit
        pdf = FPDF(unit="pt")
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.set_title(title)
        pdf.set_creator("Companion")
        # Viewers that heed it offer neither "fit to page" nor backs that stand on their heads.
        duplex = "DuplexFlipLongEdge" if backs else "Simplex"
        pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex=duplex)
        for page in pages:
            pdf.add_page(format=(page.w * POINT, page.h * POINT))
            for text, run in itertools.groupby(page.items, lambda item: isinstance(item, Text)):
                if text:
                    for item in run:
                        _text(pdf, item, files)  # type: ignore[arg-type]
                else:
                    # written as it is: a path object for each of ten thousand shapes would take half a minute
                    pdf._out("\n".join(["q 1 J 1 j", *_painted(run, page.h), "Q"]))
        return bytes(pdf.output())


def _painted(items: Iterable[Item], high: float) -> Iterator[str]:
    """Write items as PDF operators (ISO 32000-1, 8.5), those of one pen together, on a page `high` mm high.

    All polygons of a shape are one path: rectangles that touch then show no hairline between them.
    """
    for pen, run in itertools.groupby(items, _pen):
        yield pen
        for item in run:
            if isinstance(item, Shape):
                yield f"{' h '.join(_path(loop, high) for loop in item.loops)} h f"
            elif isinstance(item, Line):
                yield f"{_path(item.points, high)} S"


def _pen(item: Item) -> str:
    colour = " ".join(f"{int(_colour(item)[i : i + 2], 16) / 255:.3g}" for i in (1, 3, 5))
    return f"{colour} RG {item.width * POINT:.3f} w" if isinstance(item, Line) else f"{colour} rg"


def _colour(item: Item) -> str:
    return item.fill if isinstance(item, Shape) else item.colour


def _path(points: Loop, high: float) -> str:
    """Write points to a hundredth of a PDF point (0.004 mm): more digits would only make the file larger."""
    places = [f"{x * POINT:.2f} {(high - y) * POINT:.2f}" for x, y in points]
    return f"{' l '.join([f'{places[0]} m {places[1]}', *places[2:]])} l" if len(places) > 1 else f"{places[0]} m"


def _text(pdf: FPDF, text: Text, files: Mapping[str, Path]) -> None:
    words = laid(text.words)
    if not words:
        return
    family = "aileron" if english(words) else "arimo"
    if family not in pdf.fonts:
        pdf.add_font(family, "", files[family])
    x, y, size = text.x * POINT, text.y * POINT, text.size * POINT
    start = x - {"l": 0.0, "m": 0.5, "r": 1.0}[text.align] * text_width(text.words, size)
    pdf.set_font(family, "", size)
    with (
        pdf.rotation(-text.rotation, x, y),
        pdf.local_context(text_mode=_MODE[text.bold], line_width=BOLD * size, draw_color=text.colour),
    ):
        pdf.set_text_color(text.colour)
        pdf.text(start, y, words)
