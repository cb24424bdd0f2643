"""The bad days that readers are measured on: seeded frames with their truth, at any size, in eight conditions.

They were fixed before a reader was tuned: `TUNING` seeds are for improving one, figures come from `HELD_OUT`.
"""

from __future__ import annotations

import hashlib
import math

import cv2
import msgspec
import numpy as np

from companion import games
from companion.bench import scenes
from companion.bench.pictures import payloads
from companion.bench.scenes import HIGH, INK, WIDE, Floats, Matrix, Scene, Seen
from companion.codes import ALPHABET, Code
from companion.eye.mat import Shape
from companion.eye.symbol import SIDE
from companion.eye.view import Gray
from companion.press.faces import shape_for
from companion.rules.cards import Deck

MODULES_PX = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
"""Pixels a module at which readers are compared."""

NEAR_PX = (10.0, 20.0, 40.0)
"""Pixels a module of cards that somebody holds a phone over; no reader is told the size."""

WIDEST = 4032
"""Width (px) of pictures that show the middle of the table alone."""

TUNING, HELD_OUT = "tuning", "held-out"
"""The two families of seeds: their frames have nothing in common but the conditions."""

BOOK = 400
"""Codes in the code book: the deck's own and enough more of its letters to match a large game's deck."""


class Condition(msgspec.Struct, frozen=True):
    """How a frame is taken. Lengths in pixels of the frame, levels of 255.

    `blur` is the lens's (standard deviation), `disc` a defocused lens's radius, `streak` the motion; `contrast` what is
    left of the light, `floor` no light's level; `noise` the sensor's; `quality` the JPEG's; `glare` and `shadow` count;
    `tilt` in degrees.
    """

    name: str
    words: str
    blur: float = 0.8
    disc: float = 0.0
    streak: float = 0.0
    contrast: float = 1.0
    floor: float = 0.0
    noise: float = 5.0
    quality: int = 90
    glare: int = 0
    shadow: int = 0
    tilt: float = 0.0


AWAY = 1150.0
"""Modules (1.2 m) from a tilted camera to the middle of its picture: a stand at the table's side."""

CONDITIONS = (
    Condition("easy", "blur 0.8 px, noise 5, JPEG 90"),
    # A disc of radius r spreads by r/2 along each axis: as much as a blur of 1.1 px.
    Condition("defocus", "a disc of 2.2 px radius (as wide as a blur of 1.1 px), noise 5", blur=0.0, disc=2.2),
    Condition("motion", "a streak of 2 px in any direction, blur 0.6 px", blur=0.6, streak=2.0),
    Condition("dark", "contrast 0.4 (80 levels), noise 8: 20 dB a pixel", contrast=0.4, floor=16.0, noise=8.0),
    Condition("glare", "spots that saturate parts of cards, sleeves that shine; codes without saturation", glare=22),
    Condition("shadow", "hard and soft shadows of 0.35 to 0.6 of the light across codes", shadow=9),
    Condition("tilt", "the camera 35° from upright, 1.2 m away", tilt=35.0),
    Condition("JPEG", "quality 50", quality=50),
)

NEAR = Condition("near", "a phone over a card or two, blur 1.6 px, noise 7, JPEG 75", blur=1.6, noise=7.0, quality=75)

SPOT, SHINE = 330.0, (20.0, 60.0)
"""Levels that a spot of glare adds in its middle (ink is at 30: it saturates from 225 on), and a sleeve's shine."""

SATURATED = 0.03
"""Share of a code's area in which black is as white as paper, from which the code counts as under glare."""

SHADOWS = (0.35, 0.6)
"""Shares of the light that shadows leave."""


class Shot(msgspec.Struct, frozen=True):
    """A frame with its truth: `codes` to read, `washed` under glare, `foreign` ones; `plane` maps pixels to modules."""

    gray: Gray
    codes: tuple[Seen, ...]
    washed: tuple[Seen, ...]
    foreign: tuple[Seen, ...]
    plane: Matrix | None


def condition(name: str) -> Condition:
    """Return a condition by its name; raise KeyError if there is none of that name."""
    return {condition.name: condition for condition in CONDITIONS}[name]


def book(deck: Deck, codes: int = BOOK) -> list[str]:
    """Return the deck's codes and, up to `codes` in all, further ones that a larger such deck would have."""
    known = payloads(deck)
    pieces = (f"{ALPHABET[n // 36 // 36 % 36]}{ALPHABET[n // 36 % 36]}{ALPHABET[n % 36]}" for n in range(1, 36**3))
    more = (str(Code(deck.code, piece, "F")) for piece in pieces)
    taken = set(known)
    while len(known) < codes:
        payload = next(more)
        if payload not in taken:
            known.append(payload)
    return known


def generator(*words: object) -> np.random.Generator:
    """Return the random generator of a seed in words."""
    digest = hashlib.sha256(" ".join(map(str, words)).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def frame_size(module: float) -> tuple[int, int]:
    """Return the width and height (px) of frames at so many pixels a module: the whole table, or its middle."""
    share = min(1.0, WIDEST / (WIDE * module))
    return round(WIDE * module * share), round(HIGH * module * share)


def shoot(
    how: Condition,
    module: float,
    seed: str,
    number: int = 0,
    game: str = "five-cards-collector",
    codes: int = scenes.CODES,
) -> Shot:
    """Return frame `number` of a family of seeds: a generated table, with `module` px in the middle's longer side."""
    rng = generator(seed, how.name, f"{module:g}", number)
    deck = games.load_deck(game)
    shape = _card_shape(game, deck)
    size = frame_size(module)
    camera = scenes.aslant(module, how.tilt, AWAY) if how.tilt else scenes.straight(module)
    beyond = np.array([WIDE * module - size[0], HIGH * module - size[1]]) / 2
    camera = np.array([[1, 0, -beyond[0]], [0, 1, -beyond[1]], [0, 0, 1]]) @ camera
    what = scenes.scene(deck, shape, camera, size, rng, codes, near=module >= NEAR_PX[0])
    picture = scenes.painted(what, camera, size)
    picture *= _light(size, rng)
    if how.shadow:
        picture *= _shadows(how.shadow, camera, size, rng)
    shine = _glare(how.glare, what, camera, size, rng) if how.glare else None
    if shine is not None:
        picture += shine
    gray = _taken(how, picture, rng)
    seen = [Seen(payload, scenes.through(camera, square)) for payload, square in what.codes]
    under = [shine is not None and washed_share(shine, code.corners) > SATURATED for code in seen]
    return Shot(
        gray,
        tuple(code for code, washed in zip(seen, under, strict=True) if not washed),
        tuple(code for code, washed in zip(seen, under, strict=True) if washed),
        tuple(Seen(payload, scenes.through(camera, square)) for payload, square in what.foreign),
        np.linalg.inv(camera).astype(np.float64) if how.tilt else None,
    )


def _card_shape(game: str, deck: Deck) -> Shape:
    info = games.load(game).info
    return shape_for(games.load_mat(game, info.seats[1]), deck.cards[0])


def _light(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """A lamp at one side (10 % brighter there, 10 % darker opposite) and a lens that is 8 % darker in its corners."""
    u = np.linspace(-1, 1, size[0], dtype=np.float32)[None, :]
    v = np.linspace(-1, 1, size[1], dtype=np.float32)[:, None]
    way = rng.uniform(0, 2 * math.pi)
    return np.asarray(1 + 0.1 * (u * math.cos(way) + v * math.sin(way)) / math.sqrt(2) - 0.04 * (u * u + v * v))


def _ground_of(camera: Matrix, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the place on the table (modules) that every pixel looks at."""
    back = np.linalg.inv(camera).astype(np.float64)
    x, y = np.arange(size[0])[None, :], np.arange(size[1])[:, None]
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    across = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth
    down = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth
    return across.astype(np.float32), down.astype(np.float32)


def _shadows(count: int, camera: Matrix, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Strips of shadow 8 to 90 modules wide (a finger to an arm), every second with a hard edge; darkest wins."""
    x, y = _ground_of(camera, size)
    left = np.ones((size[1], size[0]), dtype=np.float32)
    for number in range(count):
        way = rng.uniform(0, math.pi)
        start = rng.uniform(0, WIDE) * math.cos(way) + rng.uniform(0, HIGH) * math.sin(way)
        half = rng.uniform(4, 45)
        soft = rng.uniform(0.2, 0.6) if number % 2 else rng.uniform(3, 12)
        factor = rng.uniform(*SHADOWS)
        off = np.abs(x * math.cos(way) + y * math.sin(way) - start) - half
        edge = 0.5 + 0.5 * np.tanh(off / soft)
        np.minimum(left, factor + (1 - factor) * edge, out=left)
    return left


def _glare(count: int, what: Scene, camera: Matrix, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Spots on cards, 5 to 16 × 3 to 9 modules to their half height, and a wide faint shine on every second card."""
    added = np.zeros((size[1], size[0]), dtype=np.float32)
    for number, outline in enumerate(what.cards):
        if number % 2:
            _spot(
                added, _inside(outline, rng), rng.uniform(25, 50), rng.uniform(25, 50), rng.uniform(*SHINE), camera, rng
            )
    for _ in range(count):
        outline = what.cards[int(rng.integers(len(what.cards)))]
        _spot(added, _inside(outline, rng), rng.uniform(5, 16), rng.uniform(3, 9), SPOT, camera, rng)
    return added


def _inside(outline: Matrix, rng: np.random.Generator) -> Matrix:
    a, b = rng.random(2)
    return np.asarray(outline[0] + a * (outline[1] - outline[0]) + b * (outline[3] - outline[0]))


def _spot(
    added: Floats, at: Matrix, long: float, short: float, level: float, camera: Matrix, rng: np.random.Generator
) -> None:
    """Add a soft-edged ellipse: flat in its middle, half gone at 0.91 of its half axes, nothing from 1.5 on."""
    reach = 1.6 * max(long, short)
    box = scenes.through(camera, at + np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]]))
    low = np.maximum(np.floor(box.min(axis=0)).astype(int), 0)
    top = np.minimum(np.ceil(box.max(axis=0)).astype(int) + 1, (added.shape[1], added.shape[0]))
    way = rng.uniform(0, math.pi)
    if (top <= low).any():
        return
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ camera
    x, y = _ground_of(shift, (int(top[0] - low[0]), int(top[1] - low[1])))
    dx, dy = x - np.float32(at[0]), y - np.float32(at[1])
    u = (dx * math.cos(way) + dy * math.sin(way)) / long
    v = (dy * math.cos(way) - dx * math.sin(way)) / short
    square = u * u + v * v
    part = added[low[1] : top[1], low[0] : top[0]]
    np.maximum(part, level * np.exp(-square * square), out=part)


def washed_share(shine: Floats, corners: Matrix) -> float:
    """Return in which share of a code (0 to 1) ink shines as white as the sensor can say."""
    side = 4 * SIDE
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    flat = cv2.warpPerspective(shine, cv2.getPerspectiveTransform(corners.astype(np.float32), square), (side, side))
    return float((flat + INK >= 255).mean())


def _disc(radius: float) -> Floats:
    reach, fine = math.ceil(radius), 16
    line = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    full = (line[None, :] ** 2 + line[:, None] ** 2 <= radius**2).astype(np.float32)
    kernel = cv2.resize(full, (2 * reach + 1, 2 * reach + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(kernel / kernel.sum())


def _line(length: float, way: float) -> Floats:
    reach = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    for t in np.linspace(-length / 2, length / 2, 64):
        x, y = reach + t * math.cos(way), reach + t * math.sin(way)
        i, j = int(x), int(y)
        for di, dj in ((0, 0), (1, 0), (0, 1), (1, 1)):
            kernel[j + dj, i + di] += (1 - abs(x - i - di)) * (1 - abs(y - j - dj))
    return np.asarray(kernel / kernel.sum())


def _taken(how: Condition, picture: Floats, rng: np.random.Generator) -> Gray:
    """Through the lens, onto the sensor, into a JPEG and out again."""
    if how.disc:
        picture = np.asarray(cv2.filter2D(picture, cv2.CV_32F, _disc(how.disc)))
    if how.streak:
        picture = np.asarray(cv2.filter2D(picture, cv2.CV_32F, _line(how.streak, rng.uniform(0, math.pi))))
    if how.blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), how.blur))
    picture = picture * how.contrast + how.floor
    picture += rng.standard_normal(picture.shape, dtype=np.float32) * np.float32(how.noise)
    levels = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, how.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
