"""Finds free places in a zone, for robots and people alike, from what lies there now.

Pieces of a zone lie in rows, each over the edge of the one before, so that the code at the other edge still shows.
Millimetres as in `companion.eye.mat`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.eye.mat import Mat, ZonePlace
from companion.sim.table import Spot

NEAR = 0.7
"""Share of a row's step; a piece nearer than this to another would hide its code."""


class Rows:
    """The places of one zone, in the order in which they are filled."""

    def __init__(self, mat: Mat, zone: ZonePlace) -> None:
        """Create the places for pieces of the zone's shape."""
        shape = mat.shape_in(zone)
        high = zone.rect.h if round(zone.rotation / 90) % 2 == 0 else zone.rect.w
        # The first row begins 2 mm from the edge (`ZonePlace.spot`).
        rows = 1 + int(max(0.0, high - 2 - shape.h) // zone.row)
        count = 1 if zone.kind == "pile" else zone.slots * rows
        self.spots = tuple(Spot(*zone.spot(place, shape.w, shape.h), zone.rotation) for place in range(count))
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

        It is the place after the last one taken, as cards of a row cover each other's edge. If the row is full it is
        the first free one, under the cards after it; if all are taken, the last.
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


def _point(spot: Spot) -> tuple[float, float]:
    return spot.x, spot.y
