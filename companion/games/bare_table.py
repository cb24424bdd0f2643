"""A table without a mat: where its loose markers lie, and a game's zones between them, laid out by seats.

Kept in `table.json` in the owner's data folder, with `table.png`, the picture of the empty table, beside it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from itertools import product

import cv2
import msgspec
import numpy as np

from companion.eye.loose import DICTIONARY, PAPER, SIDE, Layout
from companion.eye.markers import corners_mm
from companion.eye.mat import Chair, Looks, Mat, Rect, ZonePlace
from companion.eye.view import Gray
from companion.files import owner_dir, written_whole
from companion.games.custom_board import OwnZone, moved
from companion.text import t

LEAST = (560.0, 380.0)
"""Width and height (mm) that must be free between the markers for two rows of seats, at the least."""
BAND = (150.0, 0.27)
"""Height (mm) of the middle that all share, and its share of a large table: people hit 150 mm without lines."""
PILE = 170.0
"""The largest side (mm) of a pile's zone; what lies beside it counts to it all the same."""
SPREAD = 1.15
"""How much further apart than on a printed mat the places of a row may be."""
GAP = 4.0
"""Millimetres between a zone and the end of what belongs to it."""
ALWAYS = ("deck", "drawn")
"""Zones that are kept though nothing is counted there: the deck, and a card that was drawn, have to lie somewhere."""


class TableError(ValueError):
    """Markers between which no game can be laid out; the message is for people."""


def read() -> Layout | None:
    """Return the layout of the table without a mat; None if it has a mat, or the file does not fit."""
    try:
        return msgspec.json.decode((owner_dir() / "table.json").read_bytes(), type=Layout)
    except (OSError, msgspec.DecodeError):
        return None


def write(layout: Layout | None) -> None:
    """Keep a layout, without a picture of the empty table; None: the table has a mat again. OSError if it can't be."""
    home = owner_dir()
    (home / "table.png").unlink(missing_ok=True)
    if layout is None:
        (home / "table.json").unlink(missing_ok=True)
        return
    with written_whole(home / "table.json") as file:
        file.write(msgspec.json.encode(layout))


def write_empty(picture: Gray) -> None:
    """Keep the picture of the whole empty table, seen from straight above; OSError if it can't be."""
    with written_whole(owner_dir() / "table.png") as file:
        file.write(cv2.imencode(".png", picture)[1].tobytes())


def read_empty() -> Gray | None:
    """Return the picture of the empty table; None if there is none."""
    try:
        file = np.frombuffer((owner_dir() / "table.png").read_bytes(), np.uint8)
    except OSError:
        return None
    found = cv2.imdecode(file, cv2.IMREAD_GRAYSCALE) if file.size else None
    return None if found is None else np.asarray(found, np.uint8)


def room(layout: Layout) -> Rect:
    """Return the largest upright rectangle that no marker reaches into."""
    taken = []
    for marker in layout.markers:
        corners = corners_mm(marker)
        (x0, y0), (x1, y1) = corners.min(axis=0) - PAPER, corners.max(axis=0) + PAPER
        taken.append((float(x0), float(y0), float(x1), float(y1)))
    xs = sorted({0.0, layout.w, *(x for x0, _, x1, _ in taken for x in (x0, x1) if 0 < x < layout.w)})
    ys = sorted({0.0, layout.h, *(y for _, y0, _, y1 in taken for y in (y0, y1) if 0 < y < layout.h)})
    best = Rect(0.0, 0.0, 0.0, 0.0)
    for left, right, top, low in product(xs, xs, ys, ys):
        larger = right > left and (right - left) * (low - top) > best.w * best.h
        if larger and not any(x0 < right and x1 > left and y0 < low and y1 > top for x0, y0, x1, y1 in taken):
            best = Rect(left, top, right - left, low - top)
    return best


def laid_out(printed: Mat, layout: Layout, used: Collection[str]) -> Mat:
    """Return a game's mat as places on a table without one: the `used` zones (without seats), large, by seats.

    The seats of the near side, then those of the far one, share the table's length as on the printed mat. Raises
    TableError if there is too little room between the markers.
    """
    free, kept = room(layout), [zone for zone in printed.zones if zone.name.partition(".")[0] in {*used, *ALWAYS}]
    least_w, least_h = _least(kept, printed.seats)
    if free.w < least_w or free.h < least_h:
        raise TableError(
            t(
                "Between the markers are {w:.0f} × {h:.0f} mm free; for {seats} players this game needs "
                "{least_w:.0f} × {least_h:.0f}. Lay them further apart, near the table's edges.",
                w=free.w,
                h=free.h,
                seats=printed.seats,
                least_w=least_w,
                least_h=least_h,
            )
        )
    shared = [zone for zone in kept if "." not in zone.name]
    middle = max(BAND[0], BAND[1] * free.h) if shared else 0.0
    high = (free.h - middle) / 2
    zones = list(_into(shared, Rect(free.x, free.y + high, free.w, middle)))
    near, chairs = math.ceil(printed.seats / 2), []
    for seat in range(1, printed.seats + 1):
        far = seat > near
        count = printed.seats - near if far else near
        column = seat - near - 1 if far else near - seat
        cell = Rect(free.x + column * free.w / count, free.y if far else free.y + high + middle, free.w / count, high)
        zones += _into([zone for zone in kept if zone.name.endswith(f".{seat}")], cell)
        edge = 12.0 if far else layout.h - 12.0
        chairs.append(Chair(cell.centre[0], edge, 180.0 if far else 0.0, ((printed.seats, seat),)))
    return msgspec.structs.replace(
        printed,
        w=layout.w,
        h=layout.h,
        dictionary=DICTIONARY,
        markers=layout.markers,
        zones=tuple(zones),
        frame=SIDE + 2 * PAPER,
        looks=Looks(printed.looks.colours, (), tuple(chairs), printed.looks.seats),
        loose=True,
    )


def _least(zones: list[ZonePlace], seats: int) -> tuple[float, float]:
    """Return the width and height (mm) that a game needs: more where its cards lie in rows before each seat."""
    rows = [zone for zone in zones if zone.kind == "slots" and zone.name.endswith(".1")]
    if not rows:
        return LEAST
    around = _around([zone for zone in zones if zone.name.endswith(".1")])
    return max(LEAST[0], math.ceil(seats / 2) * around.w), max(LEAST[1], 2 * around.h + BAND[0])


def _around(zones: list[ZonePlace]) -> Rect:
    left, top = min(zone.rect.x for zone in zones), min(zone.rect.y for zone in zones)
    right, low = max(zone.rect.x + zone.rect.w for zone in zones), max(zone.rect.y + zone.rect.h for zone in zones)
    return Rect(left, top, right - left, low - top)


def _into(zones: list[ZonePlace], place: Rect) -> Iterable[ZonePlace]:
    """Yield zones spread over a place as they lie to each other, no larger than people need."""
    if not zones:
        return
    around = _around(zones)
    wide, high = place.w / around.w, place.h / around.h
    for zone in zones:
        r = zone.rect
        x, y, w, h = place.x + (r.x - around.x) * wide, place.y + (r.y - around.y) * high, r.w * wide, r.h * high
        if zone.kind == "pile":
            new_w, new_h = min(w - GAP, PILE), min(h - GAP, PILE)
        elif zone.kind == "loose":
            new_w, new_h = w - GAP, h - GAP
        else:
            # Rows keep nearly their spacing, as cards are laid side by side; a tray is as large as it is.
            most = SPREAD if zone.kind == "slots" else 1.0
            new_w, new_h = min(w, most * r.w), min(h, most * r.h)
        to = OwnZone(0, zone.name, x + (w - new_w) / 2, y + (h - new_h) / 2, new_w, new_h, zone.rotation)
        yield moved(zone, to)
