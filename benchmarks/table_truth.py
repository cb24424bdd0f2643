"""What lies on photographed tables: a folder's truth.json, brought into one form however much of it is told.

Photographs of the first print list codes only; later ones say where each piece lies, and what is not told is worked out
from the picture's markers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion import games
from companion.bench.figures import BenchError
from companion.codes import Code, parse
from companion.eye.geometry import Calibration, MarkerFinder, calibrate
from companion.eye.mat import CodePlace, Mat, Shape
from companion.eye.places import CodeBook, Pose, find_pieces
from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Placement, Sighting
from companion.games import custom_board as board
from companion.untyped import Json

PHOTOS = Path(__file__).parents[1] / "tests" / "fixtures" / "photos"
"""The photographs of the checkout."""

SAME_MM = 45.0
"""How far a piece on a high pile may appear from where it lies."""

VISIBLE = 0.03
"""A code counts as visible if at most this share of it is covered, and at most this share mirrors a lamp.

Error correction H mends 30 % of the codewords, but a finder pattern that is lost can't be mended: 3 % is less than a
third of one.
"""

Spot = tuple[float, float]
Corner = tuple[float, float]


class TrueCode(msgspec.Struct, frozen=True):
    """A code in the picture: its corners (px, top left as printed first, then clockwise).

    `covered` is the share of it (0 to 1) that cards, hands or the picture's edge hide, `mirrored` the share that is
    lost in a lamp's mirror image; `told` is the side of a module (px) if the truth says it.
    """

    payload: str
    corners: tuple[Corner, Corner, Corner, Corner]
    covered: float
    mirrored: float = 0.0
    told: float = msgspec.field(default=0.0, name="module")

    @property
    def visible(self) -> bool:
        """Whether readers are expected to read it."""
        return self.covered <= VISIBLE and self.mirrored <= VISIBLE

    @property
    def middle(self) -> Corner:
        """Return the mean of its corners (px)."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    @property
    def module(self) -> float:
        """Return the side of a module (px): of a square that is as large as the code in the picture."""
        return math.sqrt(abs(cv2.contourArea(np.array(self.corners, np.float32)))) / SIDE

    @property
    def px(self) -> float:
        """The side of one of its modules (px)."""
        return self.told or self.module


class Shown(msgspec.Struct, frozen=True):
    """A side without codes in the picture: its corners (px), and the shares of it that are covered and mirrored.

    `strip` is the diameter (mm) of the largest circle of it that nothing covers.
    """

    corners: tuple[Corner, Corner, Corner, Corner]
    covered: float
    mirrored: float = 0.0
    strip: float = 0.0


class TruePiece(msgspec.Struct, frozen=True):
    """A piece on the table: where it lies (mm, degrees clockwise), and its codes, or its side, as the camera sees them.

    `spots` are the places (mm) that are right answers: where it lies and, if it lies on a pile whose height nobody
    tells the eye, where it appears.
    """

    piece: str
    face: str = "F"
    zone: str | None = None
    x: float = 0.0
    y: float = 0.0
    rotation: float = 0.0
    codes: tuple[TrueCode, ...] = ()
    spots: tuple[Spot, ...] = ()
    shown: Shown | None = None

    @property
    def visible(self) -> bool:
        """Whether one of its codes should be read, or its side shows wholly."""
        if self.shown is not None:
            return self.shown.covered <= VISIBLE and self.shown.mirrored <= VISIBLE
        return any(code.visible for code in self.codes)

    @property
    def clearest(self) -> TrueCode:
        """The code that is easiest to read: of those that are visible the largest, else the one covered least."""
        return max(self.codes, key=lambda code: (code.visible, code.px if code.visible else -code.covered))

    @property
    def peeps(self) -> bool:
        """Whether it shows and yet can't be read: no code of it is visible, and one of them is not wholly hidden."""
        sides = (self.shown,) if self.shown is not None else self.codes
        return not self.visible and any(side.covered < 0.97 for side in sides)

    def off(self, at: Placement) -> float:
        """Return how far (mm) a placement is from the nearest right answer."""
        return min(math.dist(spot, (at.x, at.y)) for spot in self.spots or ((self.x, self.y),))


class TablePhoto(msgspec.Struct, frozen=True):
    """One photograph as its truth tells it; None and "" stand for what is not told.

    `tilt` is in degrees, `time` in seconds (of a sequence); `hidden` gives the share of every zone that something
    hides, zones of which nothing is hidden left out. Of a photograph in colour whose cards are not `coded` it is told
    how many pixels a millimetre has in its middle.
    """

    image: str
    game: str
    seats: int
    print: str = "colours"
    light: str = ""
    tilt: float | None = None
    finish: str = ""
    hands: int | None = None
    time: float | None = None
    camera: Json = None
    pieces: tuple[TruePiece, ...] | None = None
    codes: tuple[TrueCode, ...] = ()
    hidden: dict[str, float] | None = None
    coded: bool = True
    px_per_mm: float = 0.0


class _Truth(msgspec.Struct):
    photos: tuple[TablePhoto, ...]


class Show(msgspec.Struct, frozen=True):
    """The input of one eye: a photograph, or several in order (`sequence`)."""

    folder: Path
    photos: tuple[TablePhoto, ...]
    sequence: bool = False

    @property
    def name(self) -> str:
        """The folder, as short as it is clear."""
        return str(self.folder.relative_to(PHOTOS)) if self.folder.is_relative_to(PHOTOS) else self.folder.name


def find_folders(named: Sequence[Path]) -> list[Path]:
    """Return the folders of photographs of tables among and below those named; all of the checkout if none is.

    Raises:
        BenchError: if there are none.
    """
    roots = [path if path.exists() else PHOTOS / path for path in named] or [PHOTOS]
    folders = []
    for root in roots:
        found = [path.parent for path in sorted(root.rglob("truth.json")) if _of_tables(path)]
        if not found:
            raise BenchError(f"{root} has no photographs of tables; it takes a truth.json beside them that lists codes")
        folders += found
    return folders


def _of_tables(path: Path) -> bool:
    try:
        photos = msgspec.json.decode(path.read_bytes())["photos"]
        return any("codes" in photo or "pieces" in photo for photo in photos)
    except (OSError, msgspec.MsgspecError, LookupError, TypeError) as error:
        raise BenchError(f"{path} is not the truth of photographs: {error!r}.") from error


def load_shows(folder: Path) -> list[Show]:
    """Return a folder's truth: one show for every photograph, or one of all if they are a sequence.

    Raises:
        BenchError: if it can't be understood.
    """
    path = folder / "truth.json"
    try:
        photos = msgspec.json.decode(path.read_bytes(), type=_Truth).photos
    except (OSError, msgspec.MsgspecError) as error:
        raise BenchError(f"{path} is not the truth of photographs: {error}.") from error
    times = {photo.time for photo in photos}
    if (folder / "setup.json").exists() or 1 < len(times) == len(photos):
        return [Show(folder, photos, sequence=True)]
    return [Show(folder, (photo,)) for photo in photos]


def mat_of(photo: TablePhoto) -> Mat:
    """Return the printed mat that a photograph shows.

    Raises:
        BenchError: if there is no such game, or not for so many players.
    """
    try:
        return board.laid_over(games.load_printed_mat(photo.game, photo.seats), board.Own(print=photo.print))
    except games.GameError as error:
        raise BenchError(f"{photo.image}: {error}") from error


def load_picture(show: Show, photo: TablePhoto) -> Gray:
    """Read a photograph: gray, or RGB if its cards have no codes; BenchError if it is missing or broken."""
    how = cv2.IMREAD_GRAYSCALE if photo.coded else cv2.IMREAD_COLOR_RGB
    picture = cv2.imread(str(show.folder / photo.image), how)
    if picture is None:
        raise BenchError(f"{show.folder / photo.image} is missing or broken, but truth.json tells of it.")
    return np.asarray(picture, dtype=np.uint8)


def gray_of(picture: Gray) -> Gray:
    """Return a picture, gray or RGB, in gray."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def geometry(gray: Gray, mat: Mat) -> Calibration | None:
    """Return how the camera of a picture sees the mat, from its markers alone."""
    return calibrate(MarkerFinder(mat).find(gray), mat, (gray.shape[1], gray.shape[0]))


def complete(photo: TablePhoto, mat: Mat, book: CodeBook, calibration: Calibration | None) -> TablePhoto:
    """Return a photograph's truth with all that `TruePiece` has, and the tilt.

    Raises:
        BenchError: if it doesn't say where pieces lie, and the markers don't either.
    """
    told = photo.pieces
    if calibration is None:
        if told is None or not all(piece.codes or piece.shown is not None for piece in told):
            raise BenchError(f"{photo.image}: its markers are not found, and truth.json does not say enough without.")
        return msgspec.structs.replace(photo, pieces=tuple(_named(piece) for piece in told))
    if told is None:
        pieces = _from_codes(photo.codes, mat, book, calibration)
    else:
        pieces = [_placed(_named(_with_codes(piece, book, calibration)), mat, book, calibration) for piece in told]
    tilt = calibration.tilt() if photo.tilt is None else photo.tilt
    return msgspec.structs.replace(photo, pieces=tuple(pieces), tilt=tilt)


def _named(piece: TruePiece) -> TruePiece:
    """Return a piece under the name and face that its codes have: a card that lies face down is a back."""
    code = parse(piece.codes[0].payload) if piece.codes else None
    return piece if code is None else msgspec.structs.replace(piece, piece=code.piece, face=code.face)


def _with_codes(piece: TruePiece, book: CodeBook, calibration: Calibration) -> TruePiece:
    """Return a piece with its codes where they must be in the picture, if the truth doesn't list them."""
    if piece.codes or piece.shown is not None:
        return piece
    shape = book.shapes[piece.piece]
    side = side_of(shape, piece.face)
    codes = [_code(piece, place, shape, book, calibration) for place in shape.codes if place.on == side]
    return msgspec.structs.replace(piece, codes=tuple(codes))


def _code(piece: TruePiece, place: CodePlace, shape: Shape, book: CodeBook, calibration: Calibration) -> TrueCode:
    corners = calibration.to_px(Pose(piece.x, piece.y, piece.rotation).code_quad(place, shape))
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return TrueCode(str(Code(book.letters, piece.piece, place.face)), (a, b, c, d), 0.0)


def _placed(piece: TruePiece, mat: Mat, book: CodeBook, calibration: Calibration) -> TruePiece:
    """Return a piece with its zone, and the places that are right answers."""
    found, _ = find_pieces((_sighting(code) for code in piece.codes), book, calibration)
    spots = [(piece.x, piece.y), *itertools.chain.from_iterable(_spots(piece.pose, piece.lies) for piece in found)]
    if piece.shown is not None:
        x, y = calibration.to_mm(np.array(piece.shown.corners)).mean(axis=0)
        spots.append((float(x), float(y)))
    near = tuple(dict.fromkeys(spot for spot in spots if math.dist(spot, spots[0]) < SAME_MM))
    return msgspec.structs.replace(piece, zone=piece.zone or zone_at(mat, piece.x, piece.y), spots=near)


def _from_codes(codes: Sequence[TrueCode], mat: Mat, book: CodeBook, calibration: Calibration) -> list[TruePiece]:
    """Return the pieces from where their codes are in the picture."""
    sightings = [_sighting(code) for code in codes]
    of = {id(sighting): code for sighting, code in zip(sightings, codes, strict=True)}
    found, _ = find_pieces(sightings, book, calibration)
    pieces = []
    for seen in found:
        mine = tuple(of[id(sighting)] for sighting in seen.codes.values())
        lies = seen.lies
        piece = TruePiece(
            seen.piece,
            zone=zone_at(mat, lies.x, lies.y),
            x=lies.x,
            y=lies.y,
            rotation=lies.rotation,
            codes=mine,
            spots=tuple(dict.fromkeys(_spots(seen.pose, lies))),
        )
        pieces.append(_named(piece))
    return pieces


def _spots(*poses: Pose) -> list[Spot]:
    return [(pose.x, pose.y) for pose in poses]


def _sighting(code: TrueCode) -> Sighting:
    return Sighting(code.payload, code.corners, "truth")


def zone_at(mat: Mat, x: float, y: float) -> str | None:
    """Return the name of the zone that a point (mm) lies in."""
    zone = mat.zone_at(x, y)
    return None if zone is None else zone.name


def side_of(shape: Shape, face: str) -> str:
    """Return the side of a piece that a face is on; several faces may be strips of one side."""
    return next((place.on for place in shape.codes if place.face == face), face)
