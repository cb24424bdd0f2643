"""Adds the missing accents (å, é, ü and their like) to the one font in which everything is printed.

Aileron, as Pillow brings it along, has the letters of English and some lone signs. An accented letter is a base letter
with one of these signs over or under it, put together as TrueType's composite glyphs are (OpenType 1.9, table `glyf`).
"""

from __future__ import annotations

import copy
import io
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.ttLib.tables._g_l_y_f import (  # type: ignore[import-untyped]
    ROUND_XY_TO_GRID,
    Glyph,
    GlyphComponent,
    GlyphCoordinates,
)

from companion.untyped import Foreign

LETTERS = range(0x00C0, 0x0180)
"""Where Unicode keeps the letters of Europe's languages in Latin script."""


class Mark(NamedTuple):
    """How an accent is made: a sign of the font, its scale, its distance from the letter, and whether it is turned."""

    sign: str
    scale: float
    gap: int
    turned: bool = False
    apart: int = 0
    """More than 0: two of them, this far from the middle each."""
    below: bool = False


MARKS = {
    "\u0300": Mark("`", 1.0, 35),
    "\u0301": Mark("´", 1.0, 35),
    "\u0302": Mark("^", 0.5, 35),
    "\u0303": Mark("~", 0.75, 60),
    "\u0308": Mark(".", 0.9, 60, apart=90),
    "\u030a": Mark("°", 0.85, 12),
    "\u030b": Mark("´", 0.9, 35, apart=75),
    "\u030c": Mark("^", 0.5, 35, turned=True),
    "\u0327": Mark(",", 1.0, -25, below=True),
}
"""The accents, by Unicode's combining marks. All figures are thousandths of the em square."""


def accented(font: bytes) -> bytes:
    """Return a TrueType font with the accented letters that can be put together of what it has."""
    made = TTFont(io.BytesIO(font))
    known = made.getBestCmap()
    glyphs, widths = made["glyf"], made["hmtx"]
    glyphs["dotlessi"], widths["dotlessi"] = _dotless(glyphs[known[ord("i")]]), widths[known[ord("i")]]
    fresh = {}
    for code in LETTERS:
        parts = unicodedata.normalize("NFD", chr(code))
        if code in known or len(parts) != 2 or parts[1] not in MARKS or ord(parts[0]) not in known:
            continue
        base = "dotlessi" if parts[0] == "i" else known[ord(parts[0])]
        mark = MARKS[parts[1]]
        name = f"uni{code:04X}"
        glyphs[name] = _put(glyphs, base, known[ord(mark.sign)], mark)
        widths[name] = widths[base]
        fresh[code] = name
    for table in made["cmap"].tables:
        if table.isUnicode():
            table.cmap.update(fresh)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _dotless(letter: Foreign) -> Foreign:
    """Return an i without its dot: only the lowest contour stays."""
    bare = copy.deepcopy(letter)
    ends = [-1, *letter.endPtsOfContours]
    spans = [(first + 1, last + 1) for first, last in pairwise(ends)]
    start, stop = min(spans, key=lambda span: min(y for _, y in letter.coordinates[span[0] : span[1]]))
    bare.coordinates = GlyphCoordinates(letter.coordinates[start:stop])
    bare.flags = letter.flags[start:stop]
    bare.endPtsOfContours = [stop - start - 1]
    bare.numberOfContours = 1
    bare.recalcBounds(None)
    return bare


def _put(glyphs: Foreign, base: str, sign: str, mark: Mark) -> Foreign:
    """Put a letter and its accent together."""
    letter, accent = glyphs[base], glyphs[sign]
    made = Glyph()
    made.numberOfContours = -1
    made.components = [_component(base, 1.0, 0, 0)]
    scale = -mark.scale if mark.turned else mark.scale
    low, high = sorted((accent.yMin * scale, accent.yMax * scale))
    y = -high - mark.gap if mark.below else letter.yMax + mark.gap - low
    middle = (letter.xMin + letter.xMax) / 2 - (accent.xMin + accent.xMax) / 2 * scale
    for side in (-1, 1) if mark.apart else (0,):
        made.components.append(_component(sign, scale, round(middle + side * mark.apart), round(y)))
    made.recalcBounds(glyphs)
    return made


def _component(name: str, scale: float, x: int, y: int) -> Foreign:
    part = GlyphComponent()
    part.glyphName, part.x, part.y, part.flags = name, x, y, ROUND_XY_TO_GRID
    if scale != 1.0:
        part.transform = [[scale, 0.0], [0.0, scale]]
    return part
