"""The mat as a drawing: markers all round, zones with their words, places for cards in faint outline."""

from __future__ import annotations

from PIL import Image

from companion.eye.mat import Mat, Rect, Shape, ZonePlace
from companion.press.drawing import CAP, Drawing, Item, Line, Loop, arc, box, fitted, moved, text_width
from companion.press.drawing import Shape as Filled
from companion.press.marks import markers
from companion.press.raster import render

CLOTH, AREA, ZONE = "#c3d4cd", "#d0ddd7", "#e2ebe7"
"""Calm and light, but clearly darker than a card's white edge, so that cards stand out to people and cameras."""
EDGE, GHOST, INK, SOFT = "#7d9a8f", "#adc3ba", "#3b5a50", "#6d8b80"
SMALL = 18.0
"""Side (mm) of a code that is no larger than the words that a mat prints."""
AIR = 1.5
"""Distance (mm) of a zone's outline from its limit, so that neighbours' outlines stay apart."""


def mat_image(mat: Mat, px_per_mm: float) -> Image.Image:
    """Draw a mat as an RGB image of w · px_per_mm × h · px_per_mm pixels.

    Raises:
        PressError: if the mat's marker dictionary is not there.
    """
    return render(mat_drawing(mat), px_per_mm)


def mat_drawing(mat: Mat) -> Drawing:
    """Design a mat, in mm. Seat areas carry no numbers: which seat sits where depends on how many play.

    Raises:
        PressError: if the mat's marker dictionary is not there.
    """
    sheet = Drawing(mat.w, mat.h)
    sheet.fill(CLOTH, box(0, 0, mat.w, mat.h))
    _title(sheet, mat)
    for area in _seat_areas(mat):
        sheet.fill(AREA, area)
    for zone in mat.zones:
        _zone(sheet, zone, mat.shape_in(zone))
    sheet.add(markers(mat))
    return sheet


def _seat_areas(mat: Mat) -> list[Loop]:
    """Find each seat's share of the mat: the rectangle round all zones of that seat."""
    areas = []
    for seat in range(1, mat.seats + 1):
        zones = [z for z in mat.zones if z.name.endswith(f".{seat}")]
        own = [z.rect for z in zones] + [z.words for z in zones if z.words]
        if own:
            x0, y0 = min(r.x for r in own) + AIR, min(r.y for r in own) + AIR
            x1, y1 = max(r.x + r.w for r in own) - AIR, max(r.y + r.h for r in own) - AIR
            areas.append(box(x0, y0, x1 - x0, y1 - y0, 5.0))
    return areas


def _zone(sheet: Drawing, zone: ZonePlace, shape: Shape) -> None:
    """Draw a zone: its area, the places of its cards in outline, its words turned towards whoever uses it."""
    r = zone.rect
    area = box(r.x + AIR, r.y + AIR, r.w - 2 * AIR, r.h - 2 * AIR, 5.0)
    sheet.fill(ZONE, area)
    sheet.line(EDGE, 0.6, *area, closed=True)
    for index in range(_count(zone, shape)):
        x, y = zone.spot(index, shape.w, shape.h)
        for item in _ghost(shape, overlapped=zone.step < shape.w and (index + 1) % zone.slots != 0, step=zone.step):
            sheet.add(moved([item], x, y, rotation=zone.rotation))
    _label(sheet, zone, shape)


def _label(sheet: Drawing, zone: ZonePlace, shape: Shape) -> None:
    """Write a zone's words, on the zone or on their own place, as large as they fit.

    What pieces with small codes will cover is pale: to an eye that asks what is bare mat such a code and dark words are
    the same gray.
    """
    small = any(place.size < SMALL for place in shape.codes)
    ink = GHOST if small and not zone.words else INK
    r = zone.words or zone.rect
    wide, high = (r.w, r.h) if round(zone.rotation / 90) % 2 == 0 else (r.h, r.w)
    air = 2.0 if zone.words else 20.0 if min(wide, high) > 60 else 3 + 2 * AIR
    size, lines = fitted(zone.label, 13.0, wide - air, high - air, bold=True)
    top = -len(lines) * size * 1.15 / 2
    half = max((text_width(line, size, True) for line in lines), default=0.0) / 2 + 2
    words: list[Item] = []
    if zone.label and not zone.words:
        words.append(Filled((box(-half, top - 2, 2 * half, -2 * top + 4, 3.0),), ZONE))
    for i, line in enumerate(lines):
        at = Drawing(0, 0)
        at.text(0, top + (i + 0.5) * size * 1.15 + CAP * size / 2, line, size, colour=ink, bold=True)
        words += at.items
    sheet.add(moved(words, *r.centre, rotation=zone.rotation))


def _count(zone: ZonePlace, shape: Shape) -> int:
    """Tell how many pieces have a place of their own in a zone."""
    if zone.kind == "tray":
        return 0
    if zone.kind == "pile":
        return 1
    high = zone.rect.h if round(zone.rotation / 90) % 2 == 0 else zone.rect.w
    # the first row begins 2 mm from the edge (`ZonePlace.spot`)
    return zone.slots * (1 + int(max(0.0, high - 2 - shape.h) // zone.row))


def _ghost(shape: Shape, *, overlapped: bool, step: float) -> list[Item]:
    """Outline a card round the origin; of one that the next card covers, only the strip that shows."""
    w, h = shape.w - 2, shape.h - 4
    if not overlapped:
        loop = box(-w / 2, -h / 2, w, h, 3.5)
        return [Line((*loop, loop[0]), 0.5, GHOST)]
    # the next card begins `step` further on: up to there, nothing of this one is covered
    x = step - w / 2
    return [
        Line(((x, -h / 2), *arc(-w / 2 + 3.5, -h / 2 + 3.5, 3.5, 270, 180)), 0.5, GHOST),
        Line((*arc(-w / 2 + 3.5, h / 2 - 3.5, 3.5, 180, 90), (x, h / 2)), 0.5, GHOST),
        Line(((-w / 2, -h / 2 + 3.5), (-w / 2, h / 2 - 3.5)), 0.5, GHOST),
    ]


def _title(sheet: Drawing, mat: Mat) -> None:
    """Write the game's title in the two largest empty places of the middle row, readable from either long side."""
    gaps = _gaps(mat)
    for gap, rotation in zip(gaps, (0.0, 180.0), strict=False):
        size = min(17.0, fitted(mat.title, 17.0, gap.w - 24, gap.h, bold=True)[0])
        if text_width(mat.title, size, True) > gap.w - 20:
            continue
        at = Drawing(0, 0)
        at.text(0, CAP * size / 2, mat.title, size, colour=SOFT, bold=True)
        sheet.add(moved(at.items, *gap.centre, rotation=rotation))


def _gaps(mat: Mat) -> list[Rect]:
    """Find the empty stretches along the mat's middle line, the longest first."""
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
