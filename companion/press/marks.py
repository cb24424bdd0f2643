"""What the camera reads: QR codes and ArUco markers as exact rectangles."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.codes import Code
from companion.eye.mat import CodePlace, Mat, Shape
from companion.eye.symbol import SIDE, modules
from companion.kept import kept
from companion.press import PressError
from companion.press.drawing import Item, Loop, box, moved
from companion.press.drawing import Shape as Filled

INK, PAPER = "#000000", "#ffffff"
QUIET = 4
"""Modules of white that a QR code needs on every side (ISO/IEC 18004)."""

Cells = npt.NDArray[np.bool_]


@kept(2048)
def _cells(payload: str) -> tuple[Loop, ...]:
    """Return a payload's dark modules as rectangles, in modules from the code's centre."""
    return rectangles(modules(payload))


def rectangles(dark: Cells) -> tuple[Loop, ...]:
    """Return few rectangles that cover a square grid's dark cells without overlap, in cells from its centre."""
    left = dark.copy()
    half = len(dark) / 2
    loops = []
    for row in range(len(dark)):
        column = 0
        while column < len(dark):
            if not left[row, column]:
                column += 1
                continue
            end = column
            while end < len(dark) and left[row, end]:
                end += 1
            bottom = row + 1
            while bottom < len(dark) and left[bottom, column:end].all():
                bottom += 1
            left[row:bottom, column:end] = False
            loops.append(box(column - half, row - half, end - column, bottom - row))
            column = end
    return tuple(loops)


def quiet_side(place: CodePlace) -> float:
    """Return the side (mm) of the square that a code and its quiet zone need."""
    return place.size * (SIDE + 2 * QUIET) / SIDE


def qr(payload: str, place: CodePlace) -> list[Item]:
    """Draw a code with its quiet zone where the mat file puts it."""
    module = place.size / SIDE
    side = SIDE + 2 * QUIET
    paper = Filled((box(-side / 2, -side / 2, side, side),), PAPER)
    # whole quarters are turned on the grid: rectangles stay upright and so exact
    quarter = round(place.rotation / 90)
    if abs(place.rotation - 90 * quarter) < 1e-6:
        turned = tuple(_quarter(loop, quarter % 4) for loop in _cells(payload))
        return moved([paper, Filled(turned, INK)], place.x, place.y, scale=module)
    return moved([paper, Filled(_cells(payload), INK)], place.x, place.y, scale=module, rotation=place.rotation)


def _quarter(loop: Loop, quarter: int) -> Loop:
    for _ in range(quarter):
        loop = tuple((-y, x) for x, y in loop)
    return loop


def face_codes(game: str, piece: str, face: str, shape: Shape) -> list[Item]:
    """Draw all codes of one side of a piece (for most pieces a side is one face)."""
    items: list[Item] = []
    for place in shape.codes:
        if place.on == face:
            items += qr(str(Code(game, piece, place.face)), place)
    return items


def markers(mat: Mat) -> list[Item]:
    """Draw the mat's ArUco markers, each on a white square that reaches to the edge of the frame.

    Raises:
        PressError: if OpenCV knows no such dictionary, or it has no marker of that number.
    """
    items: list[Item] = []
    for marker in mat.markers:
        drawn = marker_items(mat.dictionary, marker.id, marker.size, mat.frame)
        items += moved(drawn, marker.x, marker.y, rotation=marker.rotation)
    return items


def marker_items(dictionary: str, number: int, size: float, white: float) -> list[Item]:
    """Draw a marker of `size` mm round the origin on a white square of `white` mm; raise PressError if unknown."""
    known = getattr(cv2.aruco, dictionary, None)
    if known is None:
        raise PressError(f"the mat file names the marker dictionary {dictionary}, which OpenCV does not know")
    all_markers = cv2.aruco.getPredefinedDictionary(known)
    cells = all_markers.markerSize + 2
    if number >= len(all_markers.bytesList):
        raise PressError(f"{dictionary} has no marker {number}; choose a smaller `first` in the mat file")
    dark = np.asarray(cv2.aruco.generateImageMarker(all_markers, number, cells)) < 128
    side = white / size * cells
    paper = Filled((box(-side / 2, -side / 2, side, side, side * 0.06),), PAPER)
    return moved([paper, Filled(rectangles(dark), INK)], 0, 0, scale=size / cells)
