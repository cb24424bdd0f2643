"""The square of a code: 21×21 modules (QR version 1, error level H), and which of them are the same in every code."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt
import segno

SIDE = 21
"""Modules along one side of a version 1 QR code, all that our codes are."""

FINDER = 7
"""Modules along one side of a finder pattern; its centre lies 3.5 modules from two sides of the code."""

Cells = npt.NDArray[np.bool_]


@functools.lru_cache(maxsize=4096)
def _dark(payload: str) -> Cells:
    made = segno.make_qr(payload, version=1, error="h", boost_error=False)
    cells = np.array([[bool(cell) for cell in row] for row in made.matrix])
    cells.setflags(write=False)
    return cells


def modules(payload: str) -> Cells:
    """Return a payload's modules, shape (21, 21), True where dark; not to be written to.

    Raises:
        ValueError: if the payload doesn't fit into a version 1 code of level H.
    """
    try:
        return _dark(payload)
    except segno.DataOverflowError as error:
        raise ValueError(f'"{payload}" does not fit into a code of 21×21 modules') from error


def data_cells() -> Cells:
    """Return which modules carry data or its error correction, shape (21, 21): 208 of them.

    The others are finder patterns with their separators, timing patterns, the format information and the one dark
    module (ISO/IEC 18004, 6.3): they say little or nothing about the payload.
    """
    cells = np.ones((SIDE, SIDE), dtype=np.bool_)
    cells[:9, :9] = cells[:9, SIDE - 8 :] = cells[SIDE - 8 :, :9] = False
    cells[6, :] = cells[:, 6] = False
    return cells
