"""Finds free places (mm) in a zone, from what lies there: rows of pieces, each over the edge of the one before."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from companion.eye.mat import EDGE, Mat, Shape, ZonePlace
from companion.sim.table import Spot

NEAR = 0.7
"""Share of a row's step; a piece nearer than this to another would hide its code."""


STRIP, NARROW_STRIP = 30.0, 25.0
"""Millimetres between cards of a row known by faces: 25 mm must show, and people lay inexactly; and in less room."""

_OVER = 2.0
"""Millimetres by which a piece may lie over another."""


class Rows:
    """The places of one zone, in the order in which they are filled."""

    def __init__(self, mat: Mat, zone: ZonePlace, strip: float = 0.0) -> None:
        """Create the places for pieces of the zone's shape; of each that others cover so much (mm) shows at least."""
        shape = mat.shape_in(zone)
        zone = apart(zone, shape, strip) if strip else zone
        places = range(zone.places(shape))
        self.spots = tuple(Spot(*zone.spot(place, shape.w, shape.h), zone.rotation) for place in places)
        self._zone = zone

    def nearest(self, x: float, y: float) -> int:
        """Return the place that a point (mm) is nearest to."""
        return min(range(len(self.spots)), key=lambda place: math.dist((x, y), _point(self.spots[place])))

    def order(self, x: float, y: float) -> tuple[int, float]:
        """Return the sort key of a piece from where it lies (mm): by row, then along the row."""
        place = self.nearest(x, y)
        return place, self._ways(x, y, self.spots[place])[0]

    def free(self, lying: Mapping[str, tuple[float, float]]) -> Spot:
        """Return the spot for one more piece beside those that lie there, by name and centre (mm).

        It is after the last one taken; in a full row the first free one, under later cards; if all are taken, the last.
        """
        if self._zone.kind == "pile":
            return self.spots[0]
        taken = {place for x, y in lying.values() for place in self._taken(x, y)}
        after = max(taken, default=-1) + 1
        if after < len(self.spots):
            return self.spots[after]
        gap = next((place for place in range(len(self.spots)) if place not in taken), len(self.spots) - 1)
        # Laid over the next card it would hide the code that shows at that card's edge.
        lowest = next((name for name, at in lying.items() if self.nearest(*at) > gap), "")
        return Spot(self.spots[gap].x, self.spots[gap].y, self.spots[gap].rotation, lowest)

    def _taken(self, x: float, y: float) -> set[int]:
        """Return the places that a piece at this point blocks: often one, at most a few."""
        near = {self.nearest(x, y)}
        for place, spot in enumerate(self.spots):
            along, down = self._ways(x, y, spot)
            if abs(along) < NEAR * self._zone.step and abs(down) < NEAR * self._zone.row:
                near.add(place)
        return near

    def _ways(self, x: float, y: float, spot: Spot) -> tuple[float, float]:
        """Return how far (mm) a point lies along the row, and down from it, seen from a spot."""
        turn, dx, dy = math.radians(self._zone.rotation), x - spot.x, y - spot.y
        return dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)


def apart(zone: ZonePlace, shape: Shape, strip: float) -> ZonePlace:
    """Return a zone in which so much (mm) of each covered piece shows, its rows apart."""
    across = round(zone.rotation / 90) % 2 == 0
    wide, high = (zone.rect.w, zone.rect.h) if across else (zone.rect.h, zone.rect.w)
    if zone.kind != "loose":
        return zone
    if zone.slots > 1 and zone.step < shape.w - _OVER:
        step = max(zone.step, strip)
        zone = replace(zone, step=step, slots=1 + int(max(0.0, wide - EDGE - shape.w) // step))
    if zone.row < shape.h - _OVER and high > shape.h + EDGE + zone.row:
        zone = replace(zone, row=max(zone.row, strip if zone.slots == 1 else shape.h - _OVER))
    return zone


def _point(spot: Spot) -> tuple[float, float]:
    return spot.x, spot.y
