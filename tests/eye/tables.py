"""A small table for the eye's tests: a printed mat, cards with real codes, a camera with a lens, tilt and noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import segno

from companion.codes import BACK, Code
from companion.eye.eye import Eye
from companion.eye.mat import CodePlace, Mat, Shape, parse_mat
from companion.eye.places import CodeBook
from companion.eye.reader import Reader
from companion.eye.view import Frame, Gray, Placement, TableView

SCALE = 3.0
"""Pixels a millimetre of the drawn table, before the camera looks at it."""

SPEC = {
    "mat": {"game": "test", "title": "Test", "w": 360.0, "h": 204.0},
    "markers": {"dictionary": "DICT_5X5_250", "first": 0, "size": 18.0, "margin": 3.0, "across": 5, "down": 3},
    "shape": {
        "card": {
            "w": 63.0,
            "h": 88.0,
            "kinds": ["back"],
            "codes": [
                {"face": "F", "x": 15.5, "y": 15.5, "size": 22.0},
                {"face": "F", "x": 47.5, "y": 72.5, "size": 22.0, "rotation": 180.0},
                {"face": "B", "x": 15.5, "y": 15.5, "size": 22.0},
                {"face": "B", "x": 47.5, "y": 72.5, "size": 22.0, "rotation": 180.0},
            ],
        }
    },
    "zone": [
        {"name": "pile", "kind": "pile", "x": 26.0, "y": 50.0, "w": 70.0, "h": 100.0},
        {"name": "row", "kind": "slots", "x": 100.0, "y": 50.0, "w": 134.0, "h": 100.0, "slots": 2},
        {"name": "loose", "kind": "loose", "x": 238.0, "y": 50.0, "w": 98.0, "h": 100.0, "rotation": 180.0},
    ],
    "area": [],
    "seating": {"2": []},
}


def test_mat() -> Mat:
    return parse_mat(SPEC, 2)


test_mat.__test__ = False  # type: ignore[attr-defined]


def book(mat: Mat, letters: str = "FC", pieces: int = 40) -> CodeBook:
    shape = mat.shapes[0]
    return CodeBook(letters, {**{f"{n:03d}": shape for n in range(1, pieces)}, BACK: shape})


def code_modules(payload: str) -> Gray:
    made = segno.make(payload, version=1, error="h", mode="alphanumeric", micro=False, boost_error=False)
    return np.array([[0 if dark else 255 for dark in row] for row in made.matrix], dtype=np.uint8)


@dataclass(frozen=True)
class Card:
    """A piece lying on the table: centre in mm, rotation clockwise."""

    piece: str
    x: float
    y: float
    rotation: float = 0.0
    face: str = "F"
    letters: str = "FC"

    def at(self, x: float, y: float, rotation: float | None = None) -> Card:
        return replace(self, x=x, y=y, rotation=self.rotation if rotation is None else rotation)


def back(x: float, y: float, rotation: float = 0.0) -> Card:
    return Card(BACK, x, y, rotation, "B")


def card_picture(card: Card, shape: Shape) -> Gray:
    picture = np.full((round(shape.h * SCALE), round(shape.w * SCALE)), 235, dtype=np.uint8)
    if card.face == "B":
        picture[::9, :] = 120
    cv2.circle(picture, (round(shape.w * SCALE * 0.68), round(shape.h * SCALE * 0.3)), round(9 * SCALE), 90, -1)
    cv2.rectangle(picture, (0, 0), (picture.shape[1] - 1, picture.shape[0] - 1), 60, round(SCALE))
    modules = code_modules(str(Code(card.letters, card.piece, card.face)))
    for place in shape.codes:
        if place.face == card.face:
            _stamp(picture, modules, place)
    return picture


def _stamp(picture: Gray, modules: Gray, place: CodePlace) -> None:
    quiet = 2.5 * SCALE
    side = round(place.size * SCALE)
    code = cv2.resize(modules, (side, side), interpolation=cv2.INTER_NEAREST)
    code = np.rot90(code, -round(place.rotation / 90) % 4)
    x, y = round((place.x - place.size / 2) * SCALE), round((place.y - place.size / 2) * SCALE)
    q = round(quiet)
    picture[max(0, y - q) : y + side + q, max(0, x - q) : x + side + q] = 255
    picture[y : y + side, x : x + side] = code


def mat_picture(mat: Mat, tone: int = 150) -> Gray:
    picture = np.full((round(mat.h * SCALE), round(mat.w * SCALE)), tone, dtype=np.uint8)
    for zone in mat.zones:
        r = zone.rect
        cv2.rectangle(
            picture,
            (round(r.x * SCALE), round(r.y * SCALE)),
            (round((r.x + r.w) * SCALE), round((r.y + r.h) * SCALE)),
            70,
            round(SCALE),
        )
        cv2.putText(picture, zone.name, (round((r.x + 8) * SCALE), round((r.y + 20) * SCALE)), 0, 1.6, 90, 3)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    for marker in mat.markers:
        side, edge = round(marker.size * SCALE), round(3 * SCALE)
        x, y = round((marker.x - marker.size / 2) * SCALE), round((marker.y - marker.size / 2) * SCALE)
        picture[max(0, y - edge) : y + side + edge, max(0, x - edge) : x + side + edge] = 255
        picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
    return picture


@dataclass
class Table:
    """What lies on the mat, and the camera above it. `shot()` takes the next picture."""

    mat: Mat
    cards: list[Card] = field(default_factory=list)
    size: tuple[int, int] = (960, 540)
    fps: float = 10.0
    tilt: float = 0.0
    turn: float = 0.0
    lens: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0
    blur: float = 0.6
    light: float = 1.0
    slope: float = 0.0
    hands: list[tuple[float, float, float]] = field(default_factory=list)
    """Hands as (x, y, reach angle in degrees): a forearm that ends there, in mm."""
    glare: list[tuple[float, float, float]] = field(default_factory=list)
    """Glare as (x, y, radius) in mm."""
    covers: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Rectangles of dark stuff (x, y, w, h) that lie on everything."""
    seed: int = 1

    def __post_init__(self) -> None:
        self._ground = mat_picture(self.mat)
        self._number = 0
        self._time = 100.0
        self._random = np.random.default_rng(self.seed)
        # Drawing noise anew for every picture would take longer than all the rest.
        wide, high = self.size
        self._grain = self._random.normal(0, 1, (high + 64, wide + 64)).astype(np.float32)
        self._state = ""
        self._still = np.zeros((high, wide), dtype=np.float32)
        self._pictures: dict[tuple[str, str, str], Gray] = {}

    # -- geometry: mm -> ideal picture (homography) -> lens
    def homography(self) -> np.ndarray:
        wide, high = self.size
        f = wide * 1.1
        t, r = math.radians(self.tilt), math.radians(self.turn)
        rotate_x = np.array([[1, 0, 0], [0, math.cos(t), -math.sin(t)], [0, math.sin(t), math.cos(t)]])
        rotate_z = np.array([[math.cos(r), -math.sin(r), 0], [math.sin(r), math.cos(r), 0], [0, 0, 1]])
        rotation = rotate_x @ rotate_z
        fit = min(wide / (self.mat.w * 1.08), high / (self.mat.h * 1.08))
        centre = np.array([[1, 0, -self.mat.w / 2], [0, 1, -self.mat.h / 2], [0, 0, 1.0]])
        pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, f / fit]])
        k = np.array([[f, 0, (wide - 1) / 2 + self.shift[0]], [0, f, (high - 1) / 2 + self.shift[1]], [0, 0, 1.0]])
        return k @ pose @ centre

    def to_px(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the mat is in the picture."""
        p = self.homography() @ [x, y, 1]
        return self._bent(np.array([p[:2] / p[2]]))[0]

    def _bent(self, ideal: np.ndarray) -> np.ndarray:
        """The lens: ideal pixels to those of the picture (the inverse of a division by 1 + k r2)."""
        centre = np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])
        unit = math.hypot(*self.size) / 2
        straight = (ideal - centre) / unit
        around = straight.copy()
        for _ in range(30):
            around = straight / (1 + self.lens * (around**2).sum(axis=1, keepdims=True))
        return around * unit + centre

    def from_above(self) -> Gray:
        """The table as drawn, at SCALE pixels a millimetre, before the camera."""
        picture = self._ground.copy()
        for card in self.cards:
            key = (card.letters, card.piece, card.face)
            if key not in self._pictures:
                self._pictures[key] = card_picture(card, self.mat.shapes[0])
            face = self._pictures[key]
            a = math.radians(card.rotation)
            c, s = math.cos(a), math.sin(a)
            half = np.array([face.shape[1], face.shape[0]]) / 2
            move = np.array([[c, -s, 0.0], [s, c, 0.0]])
            move[:, 2] = np.array([card.x, card.y]) * SCALE - move[:, :2] @ half
            cv2.warpAffine(
                face, move, picture.shape[::-1], dst=picture, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_LINEAR
            )
        for x, y, w, h in self.covers:
            cv2.rectangle(
                picture, (round(x * SCALE), round(y * SCALE)), (round((x + w) * SCALE), round((y + h) * SCALE)), 40, -1
            )
        for x, y, angle in self.hands:
            a = math.radians(angle)
            back_x, back_y = x - 400 * math.cos(a), y - 400 * math.sin(a)
            tip, end = (round(x * SCALE), round(y * SCALE)), (round(back_x * SCALE), round(back_y * SCALE))
            cv2.line(picture, end, tip, 120, round(55 * SCALE))
            cv2.line(picture, end, tip, 185, round(48 * SCALE))
            cv2.line(picture, end, tip, 200, round(20 * SCALE))
        return picture

    def picture(self) -> Gray:
        """What the camera sees, noise and all."""
        wide, high = self.size
        state = repr({name: value for name, value in vars(self).items() if not name.startswith("_")})
        if state != self._state:
            self._state, self._still = state, self._without_noise()
        value = self._still
        if self.noise:
            y, x = self._random.integers(0, 64, 2)
            value = value + self.noise * self._grain[y : y + high, x : x + wide]
        return np.clip(value, 0, 255).astype(np.uint8)

    def _without_noise(self) -> np.ndarray:
        above = self.from_above()
        if self.glare:
            bright = above.astype(np.float32)
            yy, xx = np.mgrid[: above.shape[0], : above.shape[1]]
            for x, y, r in self.glare:
                away = np.hypot(xx - x * SCALE, yy - y * SCALE) / (r * SCALE)
                bright += 400 * np.exp(-(away**4))
            above = np.clip(bright, 0, 255).astype(np.uint8)
        wide, high = self.size
        scale = np.diag([1 / SCALE, 1 / SCALE, 1.0])
        scale[:2, 2] = 0.5 / SCALE
        matrix = self.homography() @ scale
        step = np.sqrt(abs(np.linalg.det((matrix / matrix[2, 2])[:2, :2])))
        if step < 0.7:  # what falls on one pixel is averaged, as in a camera
            above = cv2.GaussianBlur(above, (0, 0), 0.42 / step)
        if self.lens:
            xs, ys = np.meshgrid(np.arange(wide, dtype=np.float64), np.arange(high, dtype=np.float64))
            centre = np.array([(wide - 1) / 2, (high - 1) / 2])
            unit = math.hypot(wide, high) / 2
            around = (np.stack([xs, ys], axis=-1).reshape(-1, 2) - centre) / unit
            ideal = around * (1 + self.lens * (around**2).sum(axis=1, keepdims=True)) * unit + centre
            source = np.linalg.inv(matrix) @ np.column_stack([ideal, np.ones(len(ideal))]).T
            source = (source[:2] / source[2]).T.reshape(high, wide, 2).astype(np.float32)
            shot = cv2.remap(above, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderValue=80)
        else:
            shot = cv2.warpPerspective(above, matrix, (wide, high), flags=cv2.INTER_LINEAR, borderValue=80)
        value = cv2.GaussianBlur(shot, (0, 0), self.blur).astype(np.float32) if self.blur else shot.astype(np.float32)
        value *= self.light * (1 + self.slope * np.linspace(-1, 1, wide, dtype=np.float32))
        return value

    def shot(self) -> Frame:
        frame = Frame(self.picture(), self._time, self._number)
        self._number += 1
        self._time += 1 / self.fps
        return frame

    def wait(self, seconds: float) -> None:
        """Let time go by without a picture (dropped frames)."""
        self._time += seconds


class Session:
    """An eye that watches a table. `views` are all that it gave."""

    def __init__(
        self, table: Table, reference: bool = False, reader: Reader | None = None, letters: str = "FC"
    ) -> None:
        self.table = table
        printed = cv2.resize(mat_picture(table.mat, 170), None, fx=0.5, fy=0.5) if reference else None
        self.eye = Eye(table.mat, book(table.mat, letters), reader, printed)
        self.views: list[TableView] = []

    def run(self, frames: int = 12) -> list[TableView]:
        """Let so many frames pass; give the views that came of them."""
        views = [view for view in (self.eye.see(self.table.shot()) for _ in range(frames)) if view is not None]
        self.views += views
        return views

    @property
    def view(self) -> TableView:
        assert self.eye.view is not None
        return self.eye.view

    def pieces(self) -> dict[str, Placement]:
        return {placement.piece: placement for placement in self.view.placements}

    def kinds(self) -> set[str]:
        return {trouble.kind for trouble in self.view.troubles}

    def reach(self, x: float, y: float, still: int = 0) -> None:
        """A hand comes in from below, rests for `still` frames, and goes."""
        way = [(x + (1 - t) * 30, y + (1 - t) * 180) for t in (0.3, 0.6, 0.85, 1.0)]
        for at in way:
            self.table.hands = [(*at, -80)]
            self.run(1)
        self.run(still)
        for at in reversed(way):
            self.table.hands = [(*at, -80)]
            self.run(1)
        self.table.hands = []

    def carry(self, number: int, x: float, y: float) -> None:
        """A hand takes a card, carries it somewhere in three steps, and goes."""
        card = self.table.cards.pop(number)
        self.table.cards.append(card)
        for t in (0.0, 0.3, 0.7, 1.0):
            now = card.at(card.x + t * (x - card.x), card.y + t * (y - card.y))
            self.table.cards[-1] = now
            self.table.hands = [(now.x, now.y + 30, -85)]
            self.run(1)
        self.table.hands = [(x + 20, y + 110, -80)]
        self.run(1)
        self.table.hands = []
