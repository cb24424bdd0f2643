"""The square of a code: 21×21 modules (QR version 1, error level H), and which of them are the same in every code."""

from __future__ import annotations

import functools
import re

import numpy as np
import numpy.typing as npt
import segno

SIDE = 21
"""Modules along one side of a version 1 QR code, all that our codes are."""

FINDER = 7
"""Modules along one side of a finder pattern; its centre lies 3.5 modules from two sides of the code."""

Cells = npt.NDArray[np.bool_]

_RUN = re.compile(rb"\x00{5,}|\x01{5,}")
_FINDER_LIKE = bytes((1, 0, 1, 1, 1, 0, 1))


def _made(payload: str, mask: int) -> Cells:
    made = segno.make_qr(payload, version=1, error="h", boost_error=False, mask=mask)
    return np.array([list(row) for row in made.matrix], dtype=np.bool_)


@functools.cache
def _masks() -> tuple[Cells, Cells]:
    """Return what each of eight masks turns over, (8, 21, 21), and what is compared, (21, 21): not the format."""
    codes = np.stack([_made("0", mask) for mask in range(8)])
    compared = data_cells()
    compared[:7, :7] = compared[:7, -7:] = compared[-7:, :7] = compared[6, :] = compared[:, 6] = True
    return codes ^ codes[0], compared


def _finder_like(lines: bytes) -> int:
    """Return how often a line, `SIDE` modules and one that ends it, looks as a finder pattern with light beside it."""
    count, at = 0, lines.find(_FINDER_LIKE)
    while at != -1:
        begin, end = at - at % (SIDE + 1), at - at % (SIDE + 1) + SIDE
        before, after = lines[max(at - 4, begin) : at], lines[at + 7 : min(at + 11, end)]
        lonely = not any(before) or not any(after)
        count += lonely
        at = lines.find(_FINDER_LIKE, at + (7 if lonely else 4))
    return count


def _penalties(codes: npt.NDArray[np.uint8]) -> list[int]:
    """Return how hard each code, shape (n, 21, 21), is to read (ISO/IEC 18004, 7.8.3)."""
    blocks = np.ones((len(codes), SIDE - 1, SIDE - 1), dtype=np.bool_)
    corner = codes[:, :-1, :-1]
    for other in (codes[:, 1:, :-1], codes[:, :-1, 1:], codes[:, 1:, 1:]):
        blocks &= corner == other
    lines = np.full((len(codes), 2 * SIDE, SIDE + 1), 2, dtype=np.uint8)
    lines[:, :SIDE, :SIDE], lines[:, SIDE:, :SIDE] = codes, codes.transpose(0, 2, 1)
    scores = []
    for block, line, dark in zip(blocks.sum(axis=(1, 2)), lines, codes.sum(axis=(1, 2)), strict=True):
        both = line.tobytes()
        runs = sum(len(run) - 2 for run in _RUN.findall(both))
        unbalanced = int(abs(float(dark) / SIDE**2 * 100 - 50) / 5)
        scores.append(runs + 3 * int(block) + 40 * _finder_like(both) + 10 * unbalanced)
    return scores


@functools.lru_cache(maxsize=4096)
def _dark(payload: str) -> Cells:
    """Draw a code with the mask that segno would choose, as cards are printed, in half its time."""
    flips, compared = _masks()
    codes = _made(payload, 0) ^ flips
    penalties = _penalties((codes & compared).astype(np.uint8))
    cells: Cells = codes[penalties.index(min(penalties))].copy()  # without the seven other masks
    cells.setflags(write=False)
    return cells


def modules(payload: str) -> Cells:
    """Return a payload's modules, (21, 21), True where dark, read-only; raise ValueError if it doesn't fit."""
    try:
        return _dark(payload)
    except segno.DataOverflowError as error:
        raise ValueError(f'"{payload}" does not fit into a code of 21×21 modules') from error


def data_cells() -> Cells:
    """Return the 208 modules, shape (21, 21), that carry data or error correction (ISO/IEC 18004, 6.3)."""
    cells = np.ones((SIDE, SIDE), dtype=np.bool_)
    cells[:9, :9] = cells[:9, SIDE - 8 :] = cells[SIDE - 8 :, :9] = False
    cells[6, :] = cells[:, 6] = False
    return cells
