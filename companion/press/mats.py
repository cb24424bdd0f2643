"""The mat as a drawing: markers and chairs round the edge, panels, zones with their words, outlines of cards.

Zones have an even middle tone, from which white rims stand out; a version in outlines on white spares ink.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from PIL import Image

from companion.eye.mat import Mat, Panel, Rect, Shape, ZonePlace
from companion.press.chairs import chair_badge
from companion.press.drawing import (
    CAP,
    LEADING,
    Colour,
    Drawing,
    Item,
    Line,
    box,
    fitted,
    moved,
    paragraph,
    paragraph_height,
    text_width,
    wrap,
)
from companion.press.drawing import Shape as Filled
from companion.press.figures import mix
from companion.press.marks import markers
from companion.press.raster import render

COLOURS: dict[str, Colour] = {
    "cloth": "#2c4a43",
    "panel": "#365a52",
    "zone": "#456f65",
    "line": "#86aaa0",
    "words": "#f2f6f1",
}
"""What a mat is printed in whose file names no colours: a card table's green."""
SPARE: dict[str, Colour] = {
    "cloth": "#ffffff",
    "panel": "#ffffff",
    "zone": "#ffffff",
    "line": "#5c6a64",
    "words": "#22302c",
}
"""The same where ink is to be spared."""

LABEL = (5.0, 9.0)
"""Smallest and largest size (mm) of all words naming zones; capitals of 3.6 mm are read from across the table."""
TICK = 7.0
"""Length (mm) of the ticks at which the cards of a row begin."""
TITLE = 10.0
"""Size (mm) of the words that name what belongs together."""
AIR = 1.5
"""Distance (mm) of a zone's outline from its limit, so that neighbours' outlines stay apart."""
FAINT = 0.24
"""How far from the zone's colour to the words' what pieces cover is printed: readable, but nearly even."""


@dataclass(frozen=True)
class Ink:
    """The colours of one print of a mat."""

    colours: dict[str, Colour]
    spare: bool

    def __getitem__(self, name: str) -> Colour:
        """Return a colour by name; the zones' for a name that the mat file does not explain."""
        return self.colours.get(name) or self.colours["zone"]

    def faint(self, ground: Colour) -> Colour:
        """Return the colour of what pieces will cover, on a ground."""
        return mix(ground, self["words"], FAINT)


def ink_of(mat: Mat, *, spare: bool = False) -> Ink:
    """Return the colours to print a mat in."""
    return Ink(SPARE if spare else {**COLOURS, **dict(mat.looks.colours)}, spare)


def mat_image(mat: Mat, px_per_mm: float, *, spare: bool = False) -> Image.Image:
    """Draw a mat in RGB of w · px_per_mm × h · px_per_mm pixels; raise PressError without its marker dictionary."""
    return render(mat_drawing(mat, spare=spare), px_per_mm)


def mat_drawing(mat: Mat, *, spare: bool = False, seats: int | None = None) -> Drawing:
    """Design a mat, in mm; with `spare` as outlines on white, with `seats` for those alone.

    Raises:
        PressError: if the mat's marker dictionary is not there.
    """
    ink = ink_of(mat, spare=spare)
    sheet = Drawing(mat.w, mat.h)
    sheet.fill(ink["cloth"], box(0, 0, mat.w, mat.h))
    if mat.loose:
        # Nothing is printed of it but its markers: a table that is all cloth.
        sheet.add(markers(mat))
        return sheet
    _border(sheet, mat, ink)
    _title(sheet, mat, ink)
    for area in _seat_areas(mat):
        _panel(sheet, Panel(area), ink)
    for panel in mat.looks.panels:
        _panel(sheet, panel, ink)
    size = label_size(mat)
    for zone in mat.zones:
        _zone(sheet, zone, mat.shape_in(zone), ink, size)
    for chair in mat.looks.chairs:
        sheet.add(chair_badge(mat, chair, seats))
    sheet.add(markers(mat))
    return sheet


def _border(sheet: Drawing, mat: Mat, ink: Ink) -> None:
    edge = mat.frame - 1.5
    sheet.line(ink["line"], 0.5, *box(edge, edge, mat.w - 2 * edge, mat.h - 2 * edge, 6.0), closed=True)


def _seat_areas(mat: Mat) -> list[Rect]:
    areas = []
    for seat in range(1, mat.seats + 1):
        zones = [z for z in mat.zones if z.name.endswith(f".{seat}")]
        own = [z.rect for z in zones] + [z.words for z in zones if z.words]
        if own:
            x0, y0 = min(r.x for r in own), min(r.y for r in own)
            areas.append(Rect(x0, y0, max(r.x + r.w for r in own) - x0, max(r.y + r.h for r in own) - y0))
    return areas


def _panel(sheet: Drawing, panel: Panel, ink: Ink) -> None:
    r = panel.rect
    loop = box(r.x + AIR / 2, r.y + AIR / 2, r.w - AIR, r.h - AIR, 6.0)
    sheet.fill(ink[panel.tone], loop)
    if ink.spare:
        sheet.line(mix(ink["zone"], ink["line"], 0.5), 0.3, *loop, closed=True)
    if panel.title and panel.words:
        sheet.add(_words((panel.title,), 1, panel.words, panel.rotation, ink["words"], TITLE))


def _zone(sheet: Drawing, zone: ZonePlace, shape: Shape, ink: Ink, size: float) -> None:
    """Draw a zone: its area, the places of its cards in outline, its words turned towards whoever uses it."""
    r = zone.rect
    ground = ink[zone.tone or "zone"]
    area = box(r.x + AIR, r.y + AIR, r.w - 2 * AIR, r.h - 2 * AIR, 4.0)
    sheet.fill(ground, area)
    sheet.line(ink["line"], 0.5, *area, closed=True)
    faint = ink.faint(ground)
    sheet.add(_ghost(zone, shape, faint))
    if zone.printed and zone.words:
        sheet.add(_words(zone.printed, zone.heads, zone.words, zone.rotation, ink["words"], size))
    elif zone.printed:
        sheet.add(
            _words(
                zone.printed, zone.heads, r, zone.rotation, mix(ground, ink["words"], 2 * FAINT), size, ground=ground
            )
        )


def label_size(mat: Mat) -> float:
    """Return the size (mm) at which the words of all zones fit into their places."""
    fits = [
        fitted(line, LABEL[1], *_room(zone.words or zone.rect, zone.rotation, covered=not zone.words), bold=True)[0]
        for zone in mat.zones
        for line in zone.printed
    ]
    high = [
        _room(zone.words or zone.rect, zone.rotation, covered=not zone.words)[1] / len(zone.printed) / LEADING
        for zone in mat.zones
        if zone.printed
    ]
    return max(LABEL[0], min([LABEL[1], *fits, *high]))


def _room(place: Rect, rotation: float, *, covered: bool) -> tuple[float, float]:
    """Return width and height (mm) for words in a place, as who reads them sees it."""
    air = 3 + 2 * AIR if covered else 1.0
    wide, high = (place.w, place.h) if round(rotation / 90) % 2 == 0 else (place.h, place.w)
    return wide - air, high - air


def _words(
    lines: tuple[str, ...], heads: int, place: Rect, rotation: float, colour: Colour, size: float, ground: Colour = ""
) -> list[Item]:
    """Write lines into a place's middle, `heads` of them bold, smaller if need be; outlines end before a `ground`."""
    room = _room(place, rotation, covered=bool(ground))
    size = min([size, *(fitted(line, size, *room, bold=True)[0] for line in lines)])
    broken = [part for line in lines for part in wrap(line, size, room[0], bold=True)]
    size = min(size, room[1] / (len(broken) - 1 + CAP) / LEADING)
    top = -paragraph_height(broken, size) / 2
    items: list[Item] = []
    if ground:
        half = max(text_width(line, size, True) for line in broken) / 2 + 2
        items.append(Filled((box(-half, top - 2, 2 * half, 4 - 2 * top, 3.0),), ground))
    heads = sum(len(wrap(line, size, room[0], bold=True)) for line in lines[:heads])
    for i, text in enumerate(paragraph(0, top, broken, size, colour=colour)):
        items.append(replace(text, bold=i < heads))
    return moved(items, *place.centre, rotation=rotation)


def _ghost(zone: ZonePlace, shape: Shape, colour: Colour) -> Iterator[Item]:
    """Show where a zone's pieces lie, unless one nearly fills it: outlines for places, ticks for rows."""
    if shape.w * shape.h > 0.7 * zone.rect.w * zone.rect.h:
        return
    w, h = shape.w / 2, shape.h / 2
    beside, below = zone.step < shape.w and zone.slots > 1, zone.row < shape.h
    for index in range(0 if zone.kind == "tray" else zone.places(shape)):
        if beside or below:
            # where the card shows that lies on the one before it
            items: list[Item] = []
            if beside and index % zone.slots:
                ends = (1.5 - h,) if below else (1.5 - h, h - 1.5)
                items += [Line(((-w, end), (-w, end - math.copysign(TICK, end))), 0.5, colour) for end in ends]
            if below and not beside and index:
                items += [
                    Line(((end, -h), (end - math.copysign(TICK, end), -h)), 0.5, colour) for end in (2 - w, w - 2)
                ]
        else:
            loop = box(1 - w, 2 - h, 2 * w - 2, 2 * h - 4, 3.5)
            items = [Line((*loop, loop[0]), 0.5, colour)]
        yield from moved(items, *zone.spot(index, shape.w, shape.h), rotation=zone.rotation)


def _title(sheet: Drawing, mat: Mat, ink: Ink) -> None:
    gaps = _gaps(mat)
    for gap, rotation in zip(gaps, (0.0, 180.0), strict=False):
        size = min(17.0, fitted(mat.title, 17.0, gap.w - 24, gap.h, bold=True)[0])
        if text_width(mat.title, size, True) > gap.w - 20:
            continue
        at = Drawing(0, 0)
        at.text(0, CAP * size / 2, mat.title, size, colour=ink["line"], bold=True)
        sheet.add(moved(at.items, *gap.centre, rotation=rotation))


def _gaps(mat: Mat) -> list[Rect]:
    """Return the empty stretches along the mat's middle line, the longest first."""
    middle = mat.h / 2
    row = sorted((z.rect for z in mat.zones if z.rect.y <= middle <= z.rect.y + z.rect.h), key=lambda r: r.x)
    x, gaps = mat.frame, []
    for r in [*row, Rect(mat.w - mat.frame, 0, 0, 0)]:
        if r.x - x > 60:
            high = [z.rect for z in mat.zones if z.rect.x < r.x and z.rect.x + z.rect.w > x]
            top = max((z.y + z.h for z in high if z.y + z.h <= middle), default=mat.frame)
            bottom = min((z.y for z in high if z.y >= middle), default=mat.h - mat.frame)
            gaps.append(Rect(x, top, r.x - x, bottom - top))
        x = max(x, r.x + r.w)
    return sorted(gaps, key=lambda g: -g.w)
