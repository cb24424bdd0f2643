"""Writes drawings as a PDF: vector shapes, and text in an embedded font that can be searched and copied."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable
from pathlib import Path

from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.enums import PathPaintRule, StrokeCapStyle, StrokeJoinStyle

from companion.press.drawing import BOLD, Drawing, Item, Line, Loop, Shape, Text, font_bytes, text_width

POINT = 72 / 25.4
"""PDF points a millimetre."""
_MODE = {False: "FILL", True: "FILL_STROKE"}


def write_pdf(path: Path, pages: Iterable[Drawing], title: str) -> Path:
    """Write one page a drawing, each as large as the drawing.

    Raises:
        OSError: if the file can't be written.
    """
    path.write_bytes(pdf_of(pages, title))
    return path


def pdf_of(pages: Iterable[Drawing], title: str) -> bytes:
    """Make the same in memory."""
    with tempfile.TemporaryDirectory() as folder:
        letters = Path(folder) / "companion.ttf"
        letters.write_bytes(font_bytes())
        # in points, because fpdf2 takes the outline of bold text in points whatever the unit
        pdf = FPDF(unit="pt")
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.set_title(title)
        pdf.set_creator("Companion")
        pdf.add_font("companion", "", str(letters))
        for page in pages:
            pdf.add_page(format=(page.w * POINT, page.h * POINT))
            for _, run in itertools.groupby(page.items, _kind):
                first, *more = run
                if isinstance(first, Line):
                    _lines(pdf, first, [item.points for item in more if isinstance(item, Line)])
                    continue
                for item in (first, *more):
                    if isinstance(item, Shape):
                        _shape(pdf, item)
                    elif isinstance(item, Text):
                        _text(pdf, item)
        return bytes(pdf.output())


def _shape(pdf: FPDF, shape: Shape) -> None:
    """Fill all polygons as one path: rectangles that touch then show no hairline between them."""
    path = PaintedPath()
    path.style.fill_color = shape.fill
    path.style.paint_rule = PathPaintRule.FILL_NONZERO
    for loop in shape.loops:
        _trace(path, loop)
        path.close()
    with pdf.drawing_context() as context:
        context.add_item(path, clone=False)


def _trace(path: PaintedPath, points: Loop) -> None:
    path.move_to(points[0][0] * POINT, points[0][1] * POINT)
    for x, y in points[1:]:
        path.line_to(x * POINT, y * POINT)


def _kind(item: Item) -> tuple[object, ...]:
    """Tell which neighbours can be painted as one path: lines of one pen."""
    return (Line, item.width, item.colour) if isinstance(item, Line) else (type(item),)


def _lines(pdf: FPDF, pen: Line, more: Iterable[Loop]) -> None:
    path = PaintedPath()
    path.auto_close = False
    path.style.stroke_color = pen.colour
    path.style.stroke_width = pen.width * POINT
    path.style.stroke_join_style = StrokeJoinStyle.ROUND
    path.style.stroke_cap_style = StrokeCapStyle.ROUND
    path.style.paint_rule = PathPaintRule.STROKE
    for points in (pen.points, *more):
        _trace(path, points)
    with pdf.drawing_context() as context:
        context.add_item(path, clone=False)


def _text(pdf: FPDF, text: Text) -> None:
    if not text.words:
        return
    x, y, size = text.x * POINT, text.y * POINT, text.size * POINT
    start = x - {"l": 0.0, "m": 0.5, "r": 1.0}[text.align] * text_width(text.words, size)
    pdf.set_font("companion", "", size)
    with (
        pdf.rotation(-text.rotation, x, y),
        pdf.local_context(text_mode=_MODE[text.bold], line_width=BOLD * size, draw_color=text.colour),
    ):
        pdf.set_text_color(text.colour)
        pdf.text(start, y, text.words)
