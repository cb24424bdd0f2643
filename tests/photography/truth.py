"""What a scene's photograph shows: where every code is in the picture, and how much of it is hidden."""

from __future__ import annotations

from typing import Any

import cv2
import msgspec
import numpy as np

from benchmarks.table_layouts import Piece
from benchmarks.table_scenes import (
    Points,
    Scene,
    heights,
    outline,
    project,
    resolution,
    shape_of,
)
from companion import games
from companion.codes import Code
from companion.eye.mat import CodePlace, Mat, Shape
from companion.eye.places import Pose
from companion.eye.symbol import SIDE
from companion.press.faces import is_token
from tests.photography.hands import Capsule, capsules, hides

GRID = 21
"""Points along a code's side at which is looked whether it shows: one in each module."""
LAYER = 1.5
"""Distance (mm) of the slices by which a pile's sides hide what is behind it."""
APART = 0.05
"""What lies less than this (mm) higher hides nothing."""


class CodeTruth(msgspec.Struct):
    """A code: its corners (px), the shares of it that are covered and mirrored, and a module's side (px)."""

    payload: str
    corners: tuple[tuple[float, float], ...]
    covered: float
    mirrored: float
    module: float


class FaceTruth(msgspec.Struct):
    """A side without codes: its corners (px), the shares of it that are covered and mirrored, and how wide it shows.

    `strip` is the diameter (mm) of the largest circle of it that nothing covers: of a row's cards the visible width.
    """

    corners: tuple[tuple[float, float], ...]
    covered: float
    mirrored: float
    strip: float


class PieceTruth(msgspec.Struct, omit_defaults=True):
    """A piece: where it lies (mm, degrees clockwise), how high, and its codes in the picture, or else its side."""

    piece: str
    face: str
    zone: str | None
    x: float
    y: float
    rotation: float
    height: float
    codes: list[CodeTruth]
    shown: FaceTruth | None = None


class PhotoTruth(msgspec.Struct, omit_defaults=True):
    """All that is true of a photograph; tests/fixtures/photos/README.md tells what the fields mean."""

    image: str
    scene: str
    game: str
    seats: int
    print: str
    mat_seats: int
    light: str
    tilt: float
    finish: str
    size: tuple[int, int]
    module: dict[str, float]
    hands: int
    time: float
    camera: str
    pieces: list[PieceTruth]
    hidden: dict[str, float]
    coded: bool = True
    px_per_mm: float = 0.0


class Table:
    """A scene's pieces with their shapes and heights."""

    def __init__(self, scene: Scene) -> None:
        """Work out on what each piece lies."""
        self.scene = scene
        self.game = games.load(scene.game)
        self.mat: Mat = games.load_printed_mat(scene.game, scene.seats)
        self.shapes = [shape_of(self.game, self.mat, piece) for piece in scene.pieces]
        self.heights = heights(self.shapes, scene.pieces)
        self.hands: list[Capsule] = [part for hand in scene.hands for part in capsules(hand)]

    def coded(self, number: int) -> bool:
        """Return whether a piece is printed with codes."""
        piece, shape = self.scene.pieces[number], self.shapes[number]
        return self.scene.coded or is_token(shape) or piece.piece in self.scene.stickers

    def codes(self, number: int) -> list[tuple[str, CodePlace]]:
        """Return what the codes on a piece's upper side say, and where they are printed."""
        piece, shape = self.scene.pieces[number], self.shapes[number]
        if not self.coded(number):
            return []
        return [
            (str(Code(self.game.deck.code, piece.piece, place.face)), place)
            for place in shape.codes
            if place.on == piece.face
        ]


def spread(piece: Piece, shape: Shape, place: CodePlace, z: float) -> Points:
    """Return the middles of a code's modules (x, y, z in mm), row by row, shape (441, 3)."""
    quad = Pose(piece.x, piece.y, piece.rotation).code_quad(place, shape)
    share = (np.arange(GRID) + 0.5) / GRID
    across, down = (quad[1] - quad[0]), (quad[3] - quad[0])
    flat = quad[0] + (share[None, :, None] * across + share[:, None, None] * down).reshape(-1, 2)
    return np.column_stack([flat, np.full(len(flat), z)])


def hidden_points(table: Table, points: Points, own: int) -> Any:
    """Tell which points of a piece (or of the mat: -1) something lies over, or stands before."""
    eye = table.scene.camera.at
    hidden = hides(table.hands, points, eye)
    height = float(points[0, 2])
    for number, (low, high) in enumerate(table.heights):
        if number == own or high < height + APART:
            continue
        edge = outline(table.shapes[number], table.scene.pieces[number])
        bottom = max(low, height + APART)
        for z in np.unique([*np.arange(bottom, high, LAYER), high]):
            share = (z - height) / (eye[2] - height)
            at = points[:, :2] + share * (np.array(eye[:2]) - points[:, :2])
            hidden |= _inside(edge, at)
    return hidden


def _inside(edge: Points, at: Points) -> Any:
    """Tell which points lie inside a convex outline, whose corners follow each other clockwise (y down)."""
    inside = np.ones(len(at), dtype=np.bool_)
    for a, b in zip(edge, np.roll(edge, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (at[:, 1] - a[1]) - (b[1] - a[1]) * (at[:, 0] - a[0]) > 0
    return inside


def shown_points(table: Table, number: int, place: CodePlace) -> tuple[Points, Any]:
    """Return the pixels of a code's modules and which of them show."""
    return _shown(table, number, spread(table.scene.pieces[number], table.shapes[number], place, _top(table, number)))


def shown_face(table: Table, number: int) -> tuple[Points, Any]:
    """Return the pixels of a piece's upper side, one for each square millimetre, row by row, and which of them show.

    Both have the side's rows and columns.
    """
    piece, shape = table.scene.pieces[number], table.shapes[number]
    a, b, _, d = outline(shape, piece)
    wide, high = round(shape.w), round(shape.h)
    across, down = (np.arange(wide) + 0.5) / wide, (np.arange(high) + 0.5) / high
    flat = a + (across[None, :, None] * (b - a) + down[:, None, None] * (d - a)).reshape(-1, 2)
    px, shows = _shown(table, number, np.column_stack([flat, np.full(len(flat), _top(table, number))]))
    return px.reshape(high, wide, 2), shows.reshape(high, wide)


def _top(table: Table, number: int) -> float:
    return table.heights[number][1]


def _shown(table: Table, number: int, points: Points) -> tuple[Points, Any]:
    camera = table.scene.camera
    px = project(camera, points)
    outside = ((px < 0) | (px > np.array(camera.size) - 1)).any(axis=1)
    return px, ~(hidden_points(table, points, number) | outside)


def truth_of(scene: Scene, image: str, name: str) -> PhotoTruth:
    """Return what is true of a scene's photograph; what mirrors a lamp is not known before it is taken."""
    table = Table(scene)
    pieces = []
    for number, piece in enumerate(scene.pieces):
        zone = table.mat.zone_at(piece.x, piece.y)
        codes = [_code(table, number, payload, place) for payload, place in table.codes(number)]
        pieces.append(
            PieceTruth(
                piece.piece,
                piece.face,
                zone.name if zone else None,
                piece.x,
                piece.y,
                piece.rotation,
                round(_top(table, number), 1),
                codes,
                None if table.coded(number) else _side(table, number),
            )
        )
    sizes = [code.module for piece in pieces for code in piece.codes if code.covered < 1]
    module = {"least": min(sizes), "median": round(float(np.median(sizes)), 3)} if sizes else {}
    return PhotoTruth(
        image=image,
        scene=name,
        game=scene.game,
        seats=scene.seats,
        print=scene.print.version,
        mat_seats=scene.print.seats,
        light=scene.light.name,
        tilt=round(scene.camera.tilt, 1),
        finish=scene.print.finish,
        size=scene.camera.size,
        module=module,
        hands=len(scene.hands),
        time=scene.time,
        camera=scene.camera.name,
        pieces=pieces,
        hidden=_hidden_zones(table),
        coded=scene.coded,
        px_per_mm=0.0 if scene.coded else round(resolution(scene.camera, table.mat), 2),
    )


def _side(table: Table, number: int) -> FaceTruth:
    piece, shape = table.scene.pieces[number], table.shapes[number]
    corners = project(table.scene.camera, np.column_stack([outline(shape, piece), np.full(4, _top(table, number))]))
    _, shows = shown_face(table, number)
    inner = cv2.distanceTransform(np.pad(shows.astype(np.uint8), 1), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return FaceTruth(
        tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners),
        round(1 - float(shows.mean()), 3),
        0.0,
        round(max(0.0, 2 * float(inner.max()) - 1), 1),
    )


def _code(table: Table, number: int, payload: str, place: CodePlace) -> CodeTruth:
    piece, shape, z = table.scene.pieces[number], table.shapes[number], _top(table, number)
    quad = Pose(piece.x, piece.y, piece.rotation).code_quad(place, shape)
    px = project(table.scene.camera, np.column_stack([quad, np.full(4, z)]))
    a, b = px[2] - px[0], px[3] - px[1]
    side = float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0]) / 2)) / SIDE
    _, shows = shown_points(table, number, place)
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in px)
    return CodeTruth(payload, corners, round(1 - float(shows.mean()), 3), 0.0, round(side, 3))


def _hidden_zones(table: Table) -> dict[str, float]:
    """Return which share of each zone a hand hides, zones left out of which it hides nothing."""
    if not table.hands:
        return {}
    share = (np.arange(40) + 0.5) / 40
    hidden = {}
    for zone in table.mat.zones:
        r = zone.rect
        xs, ys = np.meshgrid(r.x + r.w * share, r.y + r.h * share)
        points = np.column_stack([xs.ravel(), ys.ravel(), np.zeros(xs.size)])
        part = float(hides(table.hands, points, table.scene.camera.at).mean())
        if part > 0:
            hidden[zone.name] = round(part, 4)
    return hidden
