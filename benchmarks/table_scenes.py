"""Scenes to photograph: a table in the middle of a match, its light, its camera and hands, each laid out by a seed.

A scene is one JSON document with everything a renderer needs; `tests/photography` is the renderer. Millimetres as in
`companion.eye.mat`: origin at the mat's top left corner, x to the right, y down; z is the height above the mat, and
rotations are degrees clockwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.table_layouts import Layer, Piece, astray, fill_up, middle_of_a_match, resting_hand, shown_pieces
from benchmarks.table_lights import LIGHTS, TABLES, Light, Surface, harsh
from benchmarks.table_watch import stickered
from companion import games
from companion.codes import BACK
from companion.eye.mat import Mat, Shape
from companion.eye.places import THICK_MM, Pose
from companion.press.faces import is_token
from companion.rules.kernel import AnyGame
from companion.sim.rows import STRIP
from companion.sim.table import Hand

Points = npt.NDArray[np.float64]

SIZES = ((1920, 1080), (2304, 1296), (2560, 1440), (2592, 1944), (3264, 1836), (3840, 2160))
"""Pictures that common cameras take (px); a scene has the smallest that shows codes as large as they should be."""
LEAST = 1.2
"""Pixels that a module has at least, anywhere on the mat."""
TOKEN_MM = 2.0
"""Thickness of a token: a print glued to board."""


class Tones(msgspec.Struct, frozen=True):
    """How a print differs from its file: gamma, the gray (0 to 1) that black has faded to, white as colours."""

    gamma: float
    black: float
    white: tuple[float, float, float]


class Print(msgspec.Struct, frozen=True):
    """What lies on the table: the mat's version ("colours" or "outlines") and the number of seats it is printed for.

    `roughness` is that of the surface's microfacets: 0.3 and more is matt, about 0.1 laminated. `wear` says how
    grubby and scratched the cards are: 0 for new ones, 1 for those of many evenings.
    """

    version: str
    seats: int
    mat: Tones
    cards: Tones
    finish: str
    roughness: float
    wear: float = 0.0


class Camera(msgspec.Struct, frozen=True):
    """Where the camera hangs, which point it looks at (mm), and what it does to the picture.

    `fov` (degrees) is the angle of view along the picture's width of a lens without distortion; a point at the
    distance r from the middle (in focal lengths) then moves to r (1 + k1 r² + k2 r⁴). `vignette` is the share of light
    lost in the corners, `defocus` the radius of the disc of confusion (px), `shake` a motion's length (px) and
    direction (degrees), `noise` gray levels at a medium gray, `exposure` stops above what the meter says; where
    there is a `gain`, nothing is metered, and light is so many times as bright.
    `name` changes when the camera was bumped.
    """

    name: str
    at: tuple[float, float, float]
    target: tuple[float, float]
    roll: float
    fov: float
    size: tuple[int, int]
    k1: float = 0.0
    k2: float = 0.0
    vignette: float = 0.0
    defocus: float = 0.0
    shake: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.0
    exposure: float = 0.0
    quality: int = 75
    gain: float = 0.0

    @property
    def focal(self) -> float:
        """The focal length (px)."""
        return self.size[0] / 2 / math.tan(math.radians(self.fov) / 2)

    @property
    def tilt(self) -> float:
        """The angle between its axis and the vertical (degrees)."""
        away = math.dist(self.at[:2], self.target)
        return math.degrees(math.atan2(away, self.at[2]))


class Scene(msgspec.Struct, frozen=True):
    """A photograph to be taken. `pieces` are listed from the bottom up; `time` is when it is taken (seconds).

    Cards that are not `coded` are printed without codes, but for those with `stickers`, and photographed in colour.
    """

    seed: int
    game: str
    seats: int
    print: Print
    table: Surface
    light: Light
    camera: Camera
    hands: tuple[Hand, ...]
    pieces: tuple[Piece, ...]
    time: float = 0.0
    coded: bool = True
    stickers: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------------- the geometry


def axes(camera: Camera) -> Points:
    """Return the camera's right, down and forward as unit vectors, shape (3, 3), with depth instead of height.

    In x, y, depth the coordinates are right-handed.
    """
    forward = np.array([camera.target[0] - camera.at[0], camera.target[1] - camera.at[1], camera.at[2]])
    forward /= np.linalg.norm(forward)
    roll = math.radians(camera.roll)
    right = np.array([math.cos(roll), math.sin(roll), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def project(camera: Camera, points: npt.ArrayLike) -> Points:
    """Return the pixels of points (x, y, z in mm), shape (n, 3); a pixel's centre is at whole numbers."""
    off = (np.asarray(points, dtype=np.float64) - np.array(camera.at)) * np.array([1.0, 1.0, -1.0])
    seen = off @ axes(camera).T
    flat = seen[:, :2] / np.maximum(seen[:, 2:], 1.0)
    r2 = (flat**2).sum(axis=1, keepdims=True)
    middle = (np.array(camera.size) - 1) / 2
    return np.asarray(flat * (1 + camera.k1 * r2 + camera.k2 * r2**2) * camera.focal + middle)


def shape_of(game: AnyGame, mat: Mat, piece: Piece) -> Shape:
    """Return the shape of a piece in a scene."""
    if piece.piece == BACK:
        return mat.shape_of("back")
    return mat.shape_of(game.deck.by_piece()[piece.piece].kind)


def outline(shape: Shape, piece: Piece) -> Points:
    """Return a piece's corners on the mat (mm), top left as printed first, then clockwise."""
    return np.asarray(Pose(piece.x, piece.y, piece.rotation).outline(shape), dtype=np.float64)


def heights(shapes: Sequence[Shape], pieces: Sequence[Piece]) -> list[tuple[float, float]]:
    """Return the lower and upper height (mm) of each piece with the pile beneath it, on whatever it overlaps."""
    lying: list[tuple[float, float]] = []
    outlines = [outline(*pair).astype(np.float32) for pair in zip(shapes, pieces, strict=True)]
    for number, (shape, piece) in enumerate(zip(shapes, pieces, strict=True)):
        below = [
            top
            for other, (_, top) in enumerate(lying)
            if cv2.intersectConvexConvex(outlines[number], outlines[other])[0] > 1.0
        ]
        thick = TOKEN_MM if is_token(shape) else THICK_MM
        bottom = max(below, default=0.0)
        lying.append((bottom, bottom + thick * (1 + piece.under)))
    return lying


# ---------------------------------------------------------------------------------------------------------- the camera


def _grid(mat: Mat) -> Points:
    xs, ys = np.meshgrid(np.linspace(0, mat.w, 7), np.linspace(0, mat.h, 5))
    return np.column_stack([xs.ravel(), ys.ravel(), np.zeros(xs.size)])


def modules(camera: Camera, mat: Mat) -> Points:
    """Return how many pixels a module of the game's cards has at places all over the mat."""
    grid, step = _grid(mat), 5.0
    across = project(camera, grid + [step, 0, 0]) - project(camera, grid - [step, 0, 0])
    down = project(camera, grid + [0, step, 0]) - project(camera, grid - [0, step, 0])
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / (2 * step) ** 2
    return np.asarray(np.sqrt(area) * mat.shapes[0].codes[0].size / 21)


def resolution(camera: Camera, mat: Mat) -> float:
    """Return how many pixels a millimetre of the mat has, in the middle of all places."""
    return float(np.median(modules(camera, mat))) * 21 / mat.shapes[0].codes[0].size


def _hung(camera: Camera, mat: Mat, tilt: float, azimuth: float, far: float) -> tuple[Camera, bool]:
    """Hang a camera `far` mm from the mat so that the mat is in the picture's middle, and say whether it fits."""
    lean, side = math.radians(tilt), math.radians(azimuth)
    way = np.array([math.sin(lean) * math.cos(side), math.sin(lean) * math.sin(side), math.cos(lean)])
    aim = np.array([mat.w / 2, mat.h / 2])
    edge = _grid(mat)
    for _ in range(6):
        at = np.array([*aim, 0.0]) + far * way
        camera = msgspec.structs.replace(
            camera,
            at=(round(float(at[0]), 1), round(float(at[1]), 1), round(float(at[2]), 1)),
            target=(round(float(aim[0]), 1), round(float(aim[1]), 1)),
        )
        px = project(camera, edge)
        off = (px.min(axis=0) + px.max(axis=0)) / 2 - (np.array(camera.size) - 1) / 2
        aim = aim + (off @ axes(camera)[:2, :2]) * far / camera.focal * 0.8
    px, air = project(camera, edge), 0.004 * camera.size[0]
    return camera, bool((px > air).all() and (px < np.array(camera.size) - air).all())


def hang(
    camera: Camera,
    mat: Mat,
    tilt: float,
    azimuth: float,
    module: float,
    least: float = LEAST,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> Camera:
    """Hang a camera so high that the middle of all modules has `module` pixels, and the whole mat is in the picture.

    It gets the smallest of the sizes that can do so, with `least` pixels a module anywhere.
    """
    hung = camera
    for size in sizes:
        camera = msgspec.structs.replace(camera, size=size)
        low, high = 200.0, 6000.0
        for _ in range(24):  # the nearest at which the whole mat fits
            far = math.sqrt(low * high)
            low, high = (low, far) if _hung(camera, mat, tilt, azimuth, far)[1] else (far, high)
        nearest, high = high, 3 * high
        hung = _hung(camera, mat, tilt, azimuth, nearest)[0]
        if not _large_enough(hung, mat, module, least):
            continue
        low = nearest
        for _ in range(24):  # the farthest at which modules are large enough
            far = math.sqrt(low * high)
            enough = _large_enough(_hung(camera, mat, tilt, azimuth, far)[0], mat, module, least)
            low, high = (far, high) if enough else (low, far)
        return _hung(camera, mat, tilt, azimuth, low)[0]
    return hung


def _large_enough(camera: Camera, mat: Mat, module: float, least: float) -> bool:
    sizes = modules(camera, mat)
    return bool(np.median(sizes) >= module and sizes.min() >= least)


def draw_camera(
    rng: random.Random,
    mat: Mat,
    module: float,
    tilt: float,
    evening: bool,
    least: float = LEAST,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> Camera:
    """Draw a camera: a phone's, a webcam's or a wider lens, more or less well focused and steady; hung as by `hang`."""
    fov = rng.choice((rng.uniform(48, 60), rng.uniform(60, 75), rng.uniform(75, 88)))
    corner = math.tan(math.radians(fov) / 2) * 1.147  # in focal lengths, of a picture of 16:9
    barrel = rng.uniform(0.01, 0.05) if fov < 60 else rng.uniform(0.03, 0.09)
    camera = Camera(
        name="a",
        at=(0.0, 0.0, 0.0),
        target=(0.0, 0.0),
        roll=round(rng.choice((0.0, 0.0, 0.0, 180.0)) + rng.gauss(0, 1.5), 2),
        fov=round(fov, 1),
        size=SIZES[0],
        k1=round(-barrel / corner**2, 4),
        k2=round(0.15 * barrel / corner**4, 4),
        vignette=round(rng.uniform(0.05, 0.45), 2),
        defocus=round(rng.choice((0.0, 0.0, rng.uniform(0.5, 1.1))), 2),
        shake=(round(rng.uniform(0.6, 1.4), 2) if rng.random() < 0.12 else 0.0, round(rng.uniform(0, 180))),
        noise=round(rng.uniform(1.0, 2.0) if evening else rng.uniform(0.4, 1.4), 2),
        exposure=round(rng.uniform(-0.7, 0.0) if evening else rng.uniform(-0.4, 0.3), 2),
        quality=rng.choice((70, 72, 75)),
    )
    # Leaning towards one of the mat's four sides, most often the near one.
    azimuth = rng.choice((90.0, 90.0, 90.0, 270.0) if tilt > 20 else (90.0, 90.0, 270.0, 0.0, 180.0)) + rng.gauss(0, 15)
    return hang(camera, mat, tilt, azimuth, module, least, sizes)


# ----------------------------------------------------------------------------------------------------------- the print


def _tones(rng: random.Random) -> Tones:
    white = rng.uniform(0.8, 0.95)
    cast = [white * rng.uniform(0.9, 1.0) for _ in range(3)]
    return Tones(
        gamma=round(math.exp(rng.uniform(math.log(0.7), math.log(1.4))), 2),
        black=round(rng.choice((rng.uniform(0.02, 0.1), rng.uniform(0.1, 0.28))), 2),
        white=(round(cast[0], 2), round(cast[1], 2), round(cast[2], 2)),
    )


def draw_print(rng: random.Random, version: str, seats: int) -> Print:
    """Draw how mat and cards were printed, each by a printer of its own, and whether they were laminated."""
    laminated = rng.random() < 0.4
    return Print(
        version=version,
        seats=seats,
        mat=_tones(rng),
        cards=_tones(rng),
        finish="laminated" if laminated else "matt",
        roughness=round(rng.uniform(0.07, 0.14) if laminated else rng.uniform(0.25, 0.5), 2),
    )


# ---------------------------------------------------------------------------------------------------------- the scenes


def single(seed: int) -> Scene:
    """Return the scene of a seed. Games, prints and sizes of codes take turns, all else is random."""
    rng = random.Random(f"photograph {seed}")
    game, turn, seats, mat = drawn_game(seed)
    module = rng.uniform(1.28, 1.58) if turn % 2 else _large(rng)
    tilt = rng.choice((rng.uniform(0, 8), rng.uniform(8, 16), rng.uniform(14, 24), rng.uniform(24, 35)))
    if module < 1.4:
        tilt = min(tilt, rng.uniform(4, 20))
    version = ("colours", "outlines")[(seed + turn // 2) % 2]
    camera = partial(draw_camera, rng, mat, module, tilt)
    return laid_out(rng, seed, game, seats, mat, version, camera, (0, 1, 2, 3, 4, 6))


PAPER = 0.75
"""The share of light that printed paper sends back."""


def in_harsh_light(scene: Scene) -> Scene:
    """Return a scene in a lamp's colour and up to 1.7 times too bright: paper is clipped evenly, or in a corner."""
    rng = random.Random(f"harsh light {scene.seed}")
    light = harsh(rng)
    gain = round(rng.uniform(0.9, 1.7) / (PAPER * light.level), 3)
    return msgspec.structs.replace(scene, light=light, camera=msgspec.structs.replace(scene.camera, gain=gain))


def drawn_game(seed: int) -> tuple[AnyGame, int, int, Mat]:
    """Return the game whose turn it is, how often it was its turn before, for how many players, and its printed mat."""
    names = games.packages()
    game, turn = games.load(names[seed % len(names)]), seed // len(names)
    low, high = game.info.seats
    seats = low + (turn * 2 + seed % 3) % (high - low + 1)
    return game, turn, seats, games.load_printed_mat(game.info.name, seats)


def laid_out(
    rng: random.Random,
    seed: int,
    game: AnyGame,
    seats: int,
    mat: Mat,
    version: str,
    camera: Callable[[bool], Camera],
    strays: Sequence[int],
    strip: float = 0.0,
) -> Scene:
    """Return a scene in the middle of a match, of each card of a row `strip` mm show, or as much as the mat means.

    `camera` draws one, for an evening or for more light; `strays` are how many pieces may lie where nobody means it.
    """
    turn = seed // len(games.packages())
    name = sorted(LIGHTS)[(turn + 2 * seed) % len(LIGHTS)]
    layer = Layer(mat, rng, rng.uniform(0.4, 1.8), strip)
    layer.show(middle_of_a_match(game, mat, rng))
    fill_up(game, mat, layer, rng)
    astray(game, mat, layer.table, rng, rng.choice(strays))
    return Scene(
        seed=seed,
        game=game.info.name,
        seats=seats,
        print=draw_print(rng, version, rng.choice((seats, game.info.seats[1]))),
        table=TABLES[rng.choice(sorted(TABLES))],
        light=LIGHTS[name](rng),
        camera=camera(name == "evening"),
        hands=tuple(resting_hand(mat, seats, rng) for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 1, 2)))),
        pieces=shown_pieces(mat, layer.table.pieces()),
    )


def _large(rng: random.Random) -> float:
    """Draw a size of modules (px) of at least 1.6; three is rare."""
    chance = rng.random()
    return rng.uniform(1.6, 1.68) if chance < 0.8 else rng.uniform(1.7, 2.0) if chance < 0.92 else rng.uniform(2.1, 3.0)


SMALL = (1536, 864)
"""The smallest picture (px) that shows a mat with FEW pixels a millimetre: a Pi's camera takes it."""
FEW, ENOUGH, MANY = 1.5, 2.4, 2.7
"""Pixels a millimetre that illustrated cards need, that a standard deck needs, and that scenes have at most."""
LEAST_SHARE = 0.75
"""Share of its pixels a millimetre that a picture has at least, anywhere on the mat."""


def without_codes(seed: int) -> Scene:
    """Return the scene of a seed of a table whose cards have no codes, laid as docs/decks.md tells owners.

    Games take turns, and prints and resolutions within a game; all else is random. Half of the scenes, all with a
    standard deck among them, have ENOUGH pixels a millimetre and more.
    """
    rng = random.Random(f"photograph without codes {seed}")
    game, turn, seats, mat = drawn_game(seed)
    standard = any("suit" in card.traits for card in game.deck.cards)
    fine = standard or turn % 8 in (1, 4, 6)
    coarse = rng.choice((rng.uniform(FEW, 1.7), rng.uniform(1.7, ENOUGH)))
    px_per_mm = rng.uniform(ENOUGH, MANY) if fine else coarse
    tilt = rng.choice((rng.uniform(0, 8), rng.uniform(8, 16), rng.uniform(14, 21)))
    # A standard deck wants a mat that is darker than its cards.
    version = "colours" if standard else ("colours", "outlines")[(seed + turn // 2) % 2]
    camera = partial(_camera, rng, mat, px_per_mm, tilt)
    scene = laid_out(rng, seed, game, seats, mat, version, camera, (0, 0, 1, 2, 3), STRIP)
    return msgspec.structs.replace(scene, coded=False, stickers=tuple(sorted(stickered(game.info.name)[1])))


def _camera(rng: random.Random, mat: Mat, px_per_mm: float, tilt: float, evening: bool) -> Camera:
    module = px_per_mm * mat.shapes[0].codes[0].size / 21
    camera = draw_camera(rng, mat, module, tilt, evening, LEAST_SHARE * module, (SMALL, *SIZES))
    return msgspec.structs.replace(camera, quality=rng.choice((78, 80, 82)))
