"""The mat's dice trays: each is read once it has come to rest, and what was read stays until something moves."""

from __future__ import annotations

from companion.eye.dice import DiceReader
from companion.eye.die_nets import AROUND
from companion.eye.flat import Flat, Window
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.motion import SETTLE, Times
from companion.eye.view import DiceSeen, Frame, Gray

TRAY = "tray"
"""The kind of zone that dice are rolled in."""

CALM = 0.2
"""Seconds after the last motion from which frames show dice at rest; they are averaged when the tray is read."""

AVERAGED = 4
"""Frames that are averaged at most: half the noise."""


class Trays:
    """Follows the trays of one mat; on a mat without any it costs nothing."""

    def __init__(self, mat: Mat, flat: Flat) -> None:
        """Create it for the trays of a mat."""
        self._flat = flat
        self._zones = tuple((zone, _surroundings(mat, zone)) for zone in mat.zones if zone.kind == TRAY)
        self._reader = DiceReader(mat)
        self._seen: dict[str, DiceSeen] = {}
        self._read: dict[str, tuple[float, Calibration]] = {}
        self._still: dict[str, tuple[float, tuple[Gray, ...]]] = {}

    def see(self, frame: Frame, calibration: Calibration | None, moved_at: Times) -> tuple[DiceSeen, ...]:
        """Return the dice in the trays, after reading those that came to rest since they were last read.

        `moved_at` tells when something last moved in each tile.
        """
        for zone, around in self._zones if calibration is not None else ():
            assert calibration is not None  # noqa: S101 (else there are none)
            tiles: Window = self._flat.tile_window_of(self._flat.window(around))
            moved = float(moved_at[tiles].max())
            if self._read.get(zone.name) == (moved, calibration):
                continue
            rest = frame.time - moved
            since, before = self._still.pop(zone.name, (moved, ()))
            still = (*(before if since == moved else ()), frame.gray)[-AVERAGED:] if rest >= CALM else ()
            if rest >= SETTLE:
                self._seen[zone.name] = self._reader.read(still, calibration, zone)
                self._read[zone.name] = (moved, calibration)
            else:
                self._still[zone.name] = moved, still
        return tuple(self._seen.values())


def _surroundings(mat: Mat, zone: ZonePlace) -> Rect:
    """Return the part of the mat in which dice of a tray may lie."""
    r = zone.rect
    x, y = max(0.0, r.x - AROUND), max(0.0, r.y - AROUND)
    return Rect(x, y, min(mat.w, r.x + r.w + AROUND) - x, min(mat.h, r.y + r.h + AROUND) - y)
