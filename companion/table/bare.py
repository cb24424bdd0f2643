"""The table without a mat, as the host measures it: markers in one picture, and what the table looks like empty."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.eye.flat import mapped
from companion.eye.geometry import calibrate
from companion.eye.loose import DICTIONARY, IDS, Layout, look
from companion.eye.markers import MarkerFinder
from companion.eye.mat import Mat, Rect
from companion.eye.view import Gray
from companion.games import bare_table
from companion.server.camera_api import SightError
from companion.text import join, t

RULER = (80.0, 120.0)
"""Lengths (mm) that the sheet's line of 100 mm may have on paper."""
SCALE = 1.5
"""Pixels a millimetre of the picture of the empty table."""
_CELL = 8


class BareTable:
    """Measures a table through the camera that is being aimed. A `companion.server.camera_api.BareService`."""

    def __init__(self, gray: Callable[[], Gray | None]) -> None:
        """`gray` gives the camera's newest whole picture; None while there is none."""
        self._gray = gray

    def layout(self) -> tuple[Layout, Rect] | None:
        """Return how the markers were measured, and what is free between them; None if there is a mat."""
        found = bare_table.read()
        return None if found is None else (found, bare_table.room(found))

    def emptied(self) -> bool:
        """Whether there is a picture of the empty table."""
        return bare_table.read_empty() is not None

    def measure(self, ruler: float) -> str:
        """Measure where the markers lie; `ruler` is how long (mm) the sheet's line of 100 mm is on paper."""
        if not RULER[0] <= ruler <= RULER[1]:
            raise SightError(
                t("The sheet's line can't be {ruler:g} mm long: measure it from end to end, in mm.", ruler=ruler)
            )
        found = look(self._picture(), ruler / 100)
        if found is None:
            raise SightError(
                t(
                    "Fewer than four of the sheet's six markers are seen that fit together. Lay them flat, all in the "
                    "picture, with nothing on them, and make more light."
                )
            )
        self._keep(found)
        free = bare_table.room(found)
        words = t(
            "The table is measured by {count} markers: {w:.0f} × {h:.0f} mm are free between them.",
            count=len(found.markers),
            w=free.w,
            h=free.h,
        )
        if found.bent:
            numbers = join(", ", [f"{IDS.index(one) + 1}" for one in found.bent])
            words += " " + t("Left out, as not flat or of another size: marker {numbers}.", numbers=numbers)
        return words

    def empty(self) -> str:
        """Keep what the table looks like with nothing on it."""
        layout, gray = bare_table.read(), self._picture()
        if layout is None:
            raise SightError(t("Measure the table first."))
        mat = Mat("", "", layout.w, layout.h, DICTIONARY, layout.markers, (), (), 0, 0, loose=True)
        known = calibrate(MarkerFinder(mat).find(gray), mat, (gray.shape[1], gray.shape[0]))
        if known is None:
            raise SightError(t("The markers no longer lie where they were measured. Measure the table again."))
        places = mapped(known, (round(layout.h * SCALE), round(layout.w * SCALE)), SCALE, _CELL)
        flat = cv2.remap(gray, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        try:
            bare_table.write_empty(np.asarray(flat, np.uint8))
        except OSError as error:
            raise _unkept(error) from None
        return t("The camera knows the empty table. Now you can begin a match.")

    def forget(self) -> str:
        """Play on printed mats again."""
        self._keep(None)
        return t("Games are played on their printed mats again.")

    def _picture(self) -> Gray:
        if (gray := self._gray()) is None:
            raise SightError(t("There is no camera picture yet."))
        return gray

    def _keep(self, layout: Layout | None) -> None:
        try:
            bare_table.write(layout)
        except OSError as error:
            raise _unkept(error) from None


def _unkept(error: OSError) -> SightError:
    return SightError(t("The table can't be kept: {error}.", error=error.strerror or f"{error}"))
