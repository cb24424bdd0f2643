"""Draws a mat with a chair for every seat, where it really stands, so that people choose the one they sit on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from markupsafe import Markup, escape

from companion.eye.mat import Mat, Rect
from companion.rules.kernel import Seat

COLUMNS = 24
"""The columns of the page's grid in which chairs stand."""
SIDES = ("near", "left", "far", "right")
"""The mat's sides, in quarters of a turn."""
WOOD = {"cloth": "#7a5436", "panel": "#8a6243", "zone": "#8a6243", "line": "#c39b74"}
"""A table on which no mat lies yet."""


class Place(msgspec.Struct, frozen=True):
    """Where a seat's chair stands: the mat's side, the first column of the page's grid, and how many it is wide."""

    seat: Seat
    side: str
    column: int
    wide: int


def places(mat: Mat) -> tuple[Place, ...]:
    """Return every seat's chair, in the order of the seats.

    A mat that doesn't say where people sit has them round a plain table, clockwise from its near right corner.
    """
    sides: dict[str, list[tuple[float, Seat]]] = {}
    for chair in mat.looks.chairs:
        seat = dict(chair.seats).get(mat.seats)
        area = _around(mat, seat) if seat else None
        if seat and area:
            side = SIDES[round(chair.rotation / 90) % 4]
            sides.setdefault(side, []).append((area.centre[0] / mat.w, seat))
    if sum(map(len, sides.values())) != mat.seats or any(len(sides.get(side, ())) > 1 for side in ("left", "right")):
        near = (mat.seats + 1) // 2
        sides = {
            "near": [(1 - (seat - 0.5) / near, seat) for seat in range(1, near + 1)],
            "far": [((seat - near - 0.5) / (mat.seats - near), seat) for seat in range(near + 1, mat.seats + 1)],
        }
    found: list[Place] = []
    for side, chairs in sides.items():
        found += _row(side, sorted(chairs)) if side in ("near", "far") else _end(side, chairs[0][1])
    return tuple(sorted(found, key=lambda place: place.seat))


def _row(side: str, chairs: list[tuple[float, Seat]]) -> Iterable[Place]:
    """Yield the chairs along a long side: each in its place, but beside the one before it."""
    wide = min(6, COLUMNS // max(1, len(chairs)))
    free = 1
    for i, (x, seat) in enumerate(chairs):
        last = COLUMNS + 1 - wide * (len(chairs) - i)
        column = min(last, max(free, round(x * COLUMNS - wide / 2) + 1))
        free = column + wide
        yield Place(seat, side, column, wide)


def _end(side: str, seat: Seat) -> Iterable[Place]:
    yield Place(seat, side, 1 if side == "left" else COLUMNS - 5, 6)


def _around(mat: Mat, seat: Seat) -> Rect | None:
    """Return the area of a seat: what its zones take up; None if it has none."""
    rects = [zone.rect for zone in mat.zones if zone.name.endswith(f".{seat}")]
    if not rects:
        return None
    x, y = min(r.x for r in rects), min(r.y for r in rects)
    return Rect(x, y, max(r.x + r.w for r in rects) - x, max(r.y + r.h for r in rects) - y)


def drawing(mat: Mat) -> Markup:
    """Draw the mat from above: panels, zones, and each seat's area in a group of its own (`place-1`)."""
    colours: Mapping[str, str] = {**WOOD, **dict(mat.looks.colours)}
    # Lines are their group's, so that a style can mark all of a seat: WebKit filters no part of a drawing.
    lines = f'<g stroke="{escape(colours["line"])}" stroke-width="3">'
    out = [lines, _box(Rect(0, 0, mat.w, mat.h), 26, colours["cloth"]), "</g>"]
    out += [_box(panel.rect, 10, colours.get(panel.tone, colours["panel"])) for panel in mat.looks.panels]
    zones = [zone for zone in mat.zones if not zone.name.rpartition(".")[2].isdigit()]
    out += [lines, *(_box(zone.rect, 6, colours.get(zone.tone, colours["zone"])) for zone in zones), "</g>"]
    for seat in range(1, mat.seats + 1):
        area = _around(mat, seat)
        if area:
            own = [_box(zone.rect, 6, colours["zone"]) for zone in mat.zones if zone.name.endswith(f".{seat}")]
            place = lines.replace("<g", f'<g class="place place-{seat}"')
            out += [place, _box(area, 10, colours["panel"]), *own, "</g>"]
    return Markup(  # noqa: S704 — all numbers and colours are the mat's, and colours are escaped
        f'<svg class="mat" viewBox="{view_box(mat)}" aria-hidden="true"><g id="mat">{"".join(out)}</g></svg>'
    )


def view_box(mat: Mat) -> str:
    """Return what a drawing of the mat shows (mm): all of it, and half of its outline."""
    return f"-3 -3 {mat.w + 6:g} {mat.h + 6:g}"


def _box(rect: Rect, round_: int, fill: str) -> str:
    shape = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>')
    sizes = (f"{number:g}" for number in (rect.x, rect.y, rect.w, rect.h))
    return str(shape.format(*sizes, round_, fill))
