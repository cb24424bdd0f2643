"""The mat's dice trays: each is read once it has come to rest, and again only when something changed in it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.dice.reader import DiceReader
from companion.eye.dice.sets import DiceSet
from companion.eye.dice.straight import AROUND
from companion.eye.flat import Flat, Window
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.motion import SETTLE, Times
from companion.eye.view import SIDES_READ, DiceSeen, Frame, Gray

TRAY = "tray"
"""The kind of zone that dice are rolled in."""

CALM = 0.2
"""Seconds after the last motion from which frames show dice at rest; they are averaged when the tray is read."""

AVERAGED = 4
"""Frames that are averaged at most: half the noise."""

CHANGED = 12.0
"""Gray levels by which a place of 3 mm differs if something lies otherwise: a third of what a die's edge does."""

_BESIDE = 3.0
"""How far (mm) beside other zones what changes may still be a piece that lies there."""

Floats = npt.NDArray[np.float32]


class _Glance:
    """What a tray and its surroundings look like, a pixel a millimetre; what lies in other zones is left out."""

    def __init__(self, mat: Mat, around: Rect, zone: ZonePlace) -> None:
        wide, high = round(around.w), round(around.h)
        x, y = np.meshgrid(around.x + np.arange(wide) + 0.5, around.y + np.arange(high) + 0.5)
        self._mm = np.stack([x.ravel(), y.ravel()], axis=1)
        self._meant = np.ones((high, wide), dtype=bool)
        for other in mat.zones:
            r = other.rect
            if other is not zone:
                beside = (x > r.x - _BESIDE) & (x < r.x + r.w + _BESIDE)
                self._meant &= ~(beside & (y > r.y - _BESIDE) & (y < r.y + r.h + _BESIDE))
        r = zone.rect
        self._meant |= (x > r.x) & (x < r.x + r.w) & (y > r.y) & (y < r.y + r.h)
        self._seen_by: Calibration | None = None
        self._px: tuple[Floats, Floats] = (np.zeros((high, wide), np.float32), np.zeros((high, wide), np.float32))
        self._before: Floats | None = None

    def changed(self, grays: Sequence[Gray], calibration: Calibration) -> bool:
        """Return whether something lies otherwise there than when this was last so, with this calibration."""
        if calibration != self._seen_by:
            at = calibration.to_px(self._mm).astype(np.float32).reshape((*self._meant.shape, 2))
            self._px = at[:, :, 0].copy(), at[:, :, 1].copy()
            self._seen_by, self._before = calibration, None
        now = sum(cv2.remap(gray, *self._px, cv2.INTER_LINEAR).astype(np.float32) for gray in grays)
        now = np.asarray(cv2.blur(np.asarray(now, np.float32) / len(grays), (3, 3)), np.float32)
        if self._before is not None:
            differs = (now - self._before)[self._meant]
            if not (np.abs(differs - np.median(differs)) > CHANGED).any():
                return False
        self._before = now
        return True


class Trays:
    """Follows the trays of one mat; on a mat without any it costs nothing."""

    def __init__(self, mat: Mat, flat: Flat) -> None:
        self._flat = flat
        trays = (zone for zone in mat.zones if zone.kind == TRAY and zone.sides in SIDES_READ)
        self._zones = tuple((zone, _surroundings(mat, zone)) for zone in trays)
        self._glances = {zone.name: _Glance(mat, around, zone) for zone, around in self._zones}
        self._reader = DiceReader(mat)
        self._known = {zone.name: DiceSet() for zone, _ in self._zones}
        self._seen: dict[str, DiceSeen] = {}
        self._read: dict[str, tuple[float, Calibration]] = {}
        self._still: dict[str, tuple[float, tuple[Gray, ...]]] = {}

    def see(self, frame: Frame, calibration: Calibration | None, moved_at: Times) -> tuple[DiceSeen, ...]:
        """Return the dice in the trays, reading those that came to rest and look otherwise; `moved_at` is by tile."""
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
                if self._glances[zone.name].changed(still, calibration):
                    self._seen[zone.name] = self._reader.read(still, calibration, zone, self._known[zone.name])
                self._read[zone.name] = (moved, calibration)
            else:
                self._still[zone.name] = moved, still
        return tuple(self._seen.values())


def _surroundings(mat: Mat, zone: ZonePlace) -> Rect:
    """Return the part of the mat in which dice of a tray may lie."""
    r = zone.rect
    x, y = max(0.0, r.x - AROUND), max(0.0, r.y - AROUND)
    return Rect(x, y, min(mat.w, r.x + r.w + AROUND) - x, min(mat.h, r.y + r.h + AROUND) - y)
