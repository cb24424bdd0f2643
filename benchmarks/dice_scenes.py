"""Trays with six- or ten-sided dice, drawn from a seed: layouts, looks, cameras, light, and pictures of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.bench.conditions import generator
from companion.eye.geometry import Calibration, calibrate, corners_mm
from companion.eye.mat import Mat, ZonePlace, parse_mat
from companion.eye.view import Gray
from companion.sim.dice import Die, Points, Project, Shine
from companion.sim.lens import Glass, Lens, Pose
from companion.sim.ten_sided import MARKS, AnyDie, TenSided, paint_die, shade_die

Floats = npt.NDArray[np.float32]

FINE = 3
"""Resolution at which a scene is painted, relative to the picture."""

SIZES = {2.4: (2304, 1296), 1.7: (1632, 918)}
"""The pictures' width and height, by about how many pixels a millimetre of the mat has."""

COLOURS = (
    (228, 28),
    (210, 45),
    (225, 95),
    (190, 35),
    (36, 225),
    (60, 228),
    (75, 232),
    (95, 222),
    (120, 28),
    (125, 232),
    (150, 240),
)
"""Gray levels of dice and their pips: white, ivory, white with red pips, yellow, black, blue, red, green and others."""

MIRRORED = 150.0
"""Gray levels from which a shine on a die is the image of a lamp: it burns out what lies under it."""

LAYOUTS = ("apart", "row", "block", "heap")
"""Dice lie anywhere, touch in a straight row, make a block without gaps, or touch as they fell."""

WIDE, HIGH = 150.0, 100.0
"""The tray (mm)."""

_APART = 1000
"""How far the seeds of two rolls' lamps are apart: more than a tray has dice."""


class Tray(msgspec.Struct, frozen=True):
    """A scene: a tray on a mat, the dice in and around it, the camera, the light, and what the camera adds.

    `felt` is the tray's gray level; `shadow` what an edge of shadow leaves of the light (1: none); `blur` (standard
    deviation, pixels), `disc` (radius of a lens out of focus, pixels), `noise` and `quality` as in `Condition`. `roll`
    tells pictures of one tray in the same light apart: each has noise of its own, and a lamp is mirrored elsewhere.
    """

    zone: ZonePlace
    dice: tuple[AnyDie, ...]
    size: tuple[int, int]
    tilt: float
    pose: Pose
    glass: Glass
    layout: str
    felt: float
    around: float
    grain: float
    shine: Shine
    gain: float
    shadow: float
    blur: float
    disc: float
    noise: float
    quality: int
    seed: int
    roll: int = 0
    pool: tuple[float, float, float] | None = None
    """A lamp's pool: its middle (shares of what is painted, from the middle), and how much light it adds there."""


class Shot(msgspec.Struct, frozen=True):
    """A picture of a tray, and how the camera saw the mat."""

    gray: Gray
    calibration: Calibration


class Kind(NamedTuple):
    """A kind of dice: what their seeds are called, and what makes a scene of a number."""

    name: str
    tray: Callable[[np.random.Generator, int], Tray]


def tray_mat(
    x: float,
    y: float,
    size: tuple[float, float] = (WIDE, HIGH),
    mat: tuple[float, float] = (900.0, 506.0),
    across: int = 9,
) -> Mat:
    """Return a mat of a size (mm) with a dice tray of another whose top left corner is at (x, y); so many markers lie
    along its upper edge.
    """
    return parse_mat(
        {
            "mat": {"game": "dice", "title": "Dice", "w": mat[0], "h": mat[1]},
            "markers": {
                "dictionary": "DICT_5X5_250",
                "first": 0,
                "size": 18.0,
                "margin": 3.0,
                "across": across,
                "down": 5,
            },
            "shape": {"card": {"w": 63.0, "h": 88.0, "codes": []}},
            "zone": [{"name": "tray", "kind": "tray", "x": x, "y": y, "w": size[0], "h": size[1]}],
            "seating": {"2": []},
        },
        2,
    )


def place(die: AnyDie, zone: ZonePlace) -> str:
    """Return where a die lies: "in" the tray, on its "edge", or "out" of it."""
    r = zone.rect
    at = die.corners()
    inside = (at[:, 0] >= r.x) & (at[:, 0] < r.x + r.w) & (at[:, 1] >= r.y) & (at[:, 1] < r.y + r.h)
    return "in" if inside.all() else "edge" if inside.any() or r.holds(die.x, die.y) else "out"


def trays(seed: str, count: int, start: int = 0, kind: Kind | None = None) -> list[Tray]:
    """Return scenes of a family of seeds, of six-sided dice if no `kind` is named, that hold at least so many dice."""
    kind = kind or SIX_SIDED
    found: list[Tray] = []
    total = 0
    while total < count:
        number = start + len(found)
        found.append(kind.tray(generator(seed, kind.name, number), number))
        total += len(found[-1].dice)
    return found


def decent(scene: Tray) -> bool:
    """Return whether a person would call a scene's light good: in focus, no lamp mirrored in a face, at least half the
    light everywhere, a tilt of 20° at most. Dice may be of any two colours, and touch; none of them leans.
    """
    return (
        scene.disc == 0
        and scene.shine.gloss < MIRRORED
        and scene.gain * scene.shadow >= 0.5
        and scene.tilt <= 20
        and not any(die.lean for die in scene.dice)
    )


def cocked(seed: str, count: int, start: int = 0, kind: Kind | None = None) -> list[Tray]:
    """Return a number of scenes in each of which one die leans by 8 to 45 degrees, on another or on an edge."""
    name, tray = kind or SIX_SIDED
    return [
        tip(tray(generator(seed, f"{name} under cocked ones", n), n), generator(seed, f"cocked {name}", n))
        for n in range(start, start + count)
    ]


def tip(scene: Tray, rng: np.random.Generator) -> Tray:
    """Return a scene with one die leaning: on the nearest other die if one is near, else on something flat."""
    inside = [die for die in scene.dice if place(die, scene.zone) == "in"]
    die = inside[int(rng.integers(len(inside)))]
    others = [other for other in scene.dice if other is not die]
    near = min(others, key=lambda other: math.hypot(other.x - die.x, other.y - die.y), default=None)
    way = float(rng.uniform(0, 360))
    if near is not None and math.hypot(near.x - die.x, near.y - die.y) < 1.6 * die.side:
        way = math.degrees(math.atan2(near.y - die.y, near.x - die.x))
    leaning = msgspec.structs.replace(die, lean=float(rng.uniform(8, 45)), uphill=way % 360)
    return msgspec.structs.replace(scene, dice=tuple(leaning if other is die else other for other in scene.dice))


def _pose(rng: np.random.Generator, tilt: float) -> Pose:
    foot_x, foot_y, aim_x, aim_y = (float(v) for v in rng.uniform(-20, 20, 4))
    roll, azimuth = float(rng.uniform(-3, 3)), float(rng.uniform(0, 360))
    return Pose(foot_x, foot_y, aim_x, aim_y, roll, tilt, azimuth, 1.05)


def some_tray(rng: np.random.Generator, number: int) -> Tray:
    """Return one random scene."""
    mat = tray_mat(float(rng.uniform(30, 720)), float(rng.uniform(30, 370)))
    zone = mat.zones[0]
    layout = LAYOUTS[number % len(LAYOUTS)]
    tilt = float(rng.uniform(5, 35)) if rng.random() < 0.5 else 0.0
    strong = rng.random()
    return Tray(
        zone=zone,
        dice=laid(rng, zone, layout),
        size=SIZES[2.4 if number // len(LAYOUTS) % 2 == 0 else 1.7],
        tilt=tilt,
        pose=_pose(rng, tilt),
        glass=Glass(float(rng.uniform(46, 75)), float(rng.uniform(0, 0.04))),
        layout=layout,
        felt=float(rng.uniform(25, 205)),
        around=float(rng.uniform(60, 235)),
        grain=float(rng.uniform(1, 7)),
        shine=Shine(
            way=float(rng.uniform(0, 360)),
            far=float(rng.uniform(0.15, 0.9)),
            dark=float(rng.uniform(0.15, 0.6)),
            even=float(rng.uniform(0.35, 0.8)),
            gloss=0.0 if strong < 0.5 else float(rng.uniform(*((20, 120) if strong < 0.9 else (150, 300)))),
            spot=float(rng.uniform(0.08, 0.5)),
        ),
        gain=float(rng.uniform(0.35, 1.12)),
        shadow=float(rng.uniform(0.4, 0.8)) if rng.random() < 0.25 else 1.0,
        blur=float(rng.uniform(0.45, 1.1)),
        disc=float(rng.uniform(1.0, 2.2)) if rng.random() < 0.25 else 0.0,
        noise=float(rng.uniform(1.5, 6)),
        quality=int(rng.integers(60, 96)),
        seed=int(rng.integers(1 << 31)),
    )


SIX_SIDED = Kind("dice", some_tray)

HUES = 0.25
"""By which share, at most, a coloured light makes bodies and inks brighter or darker than white light of its level."""


def harsh_tray(rng: np.random.Generator, number: int) -> Tray:
    """Return a scene in too much or coloured light: pale dice and felt are clipped evenly, or in a corner of the tray.

    A colour changes red, blue and green things by shares of their own: as tungsten, blue shade and purple LEDs do.
    """
    scene = some_tray(rng, number)
    gain, corner = float(rng.uniform(1.0, 1.7)), rng.choice([-0.25, 0.25], 2)
    pool = (float(corner[0]), float(corner[1]), float(rng.uniform(0.4, 1.2))) if rng.random() < 0.4 else None
    body, ink = (float(share) for share in rng.uniform(1 - HUES, 1 + HUES, 2))
    lit = [msgspec.structs.replace(die, body=die.body * body, ink=die.ink * ink) for die in scene.dice]
    dice = tuple(die if abs(die.body - die.ink) >= 60 else white for die, white in zip(lit, scene.dice, strict=True))
    return msgspec.structs.replace(scene, dice=dice, gain=gain if pool is None else gain * 0.7, pool=pool)


HARSH = Kind("dice in harsh light", harsh_tray)


# ------------------------------------------------------------------------------------------------------------- layouts


AnyOne = TypeVar("AnyOne", bound=AnyDie)


def add_fallen(dice: list[AnyOne], fall: Callable[[], AnyOne | None], tries: int) -> None:
    """Let a die fall beside others until it lies clear of them, so many times at most."""
    for _ in range(tries):
        die = fall()
        if die is not None and not any(meet(die, other) for other in dice):
            dice.append(die)
            return


def laid(rng: np.random.Generator, zone: ZonePlace, layout: str) -> tuple[Die, ...]:
    """Return one to eight dice, of one or several kinds; in one scene of ten one lies beside it or on its edge."""
    count = int(rng.integers(1, 7)) if layout == "apart" else int(rng.integers(2, 7))
    count += 2 if rng.random() < 0.1 else 0
    one_kind = rng.random() < 0.6
    like = kind(rng)
    dice: list[Die] = []
    looks = [rolled(rng, like if one_kind else kind(rng)) for _ in range(count)]
    if layout in ("row", "block") and not one_kind:
        looks = [msgspec.structs.replace(look, side=like.side) for look in looks]
    r = zone.rect
    if layout in ("row", "block"):
        across = count if layout == "row" else max(2, math.ceil(count / 2))
        step = like.side + float(rng.uniform(0.02, 0.6))
        turn = math.radians(float(rng.uniform(0, 90)))
        long = across * step / 2 + 4
        middle = (
            float(rng.uniform(r.x + min(long, r.w / 2), r.x + max(r.w - long, r.w / 2))),
            float(rng.uniform(r.y + r.h * 0.35, r.y + r.h * 0.65)),
        )
        if long > r.h * 0.45:
            turn = math.radians(float(rng.uniform(-15, 15)))
        for i, look in enumerate(looks):
            u = (i % across - (across - 1) / 2) * step
            v = (i // across - (0 if layout == "row" else 0.5)) * step
            x, y = (
                middle[0] + u * math.cos(turn) - v * math.sin(turn),
                middle[1] + u * math.sin(turn) + v * math.cos(turn),
            )
            dice.append(_put(look, x, y, math.degrees(turn) + 90 * int(rng.integers(4)) + float(rng.normal(0, 0.6))))
    else:
        for look in looks:
            add_fallen(dice, partial(fallen, rng, look, zone, dice if layout == "heap" else []), 200)
    if rng.random() < 0.1:
        look = kind(rng)
        side = look.side / 2
        x, y = float(rng.uniform(r.x + 20, r.x + r.w - 20)), r.y + float(rng.choice([-side - 4, -1.0, 0.5 * side]))
        die = _put(look, x, y, float(rng.uniform(0, 360)))
        dice += [] if any(meet(die, other) for other in dice) else [die]
    return tuple(dice)


def kind(rng: np.random.Generator) -> Die:
    """Return a die of random look and value, not placed yet."""
    body, ink = COLOURS[int(rng.integers(len(COLOURS)))]
    return Die(
        0.0,
        0.0,
        0.0,
        side=float(rng.choice([12.0, 14.0, 16.0, 16.0, 18.0, 19.0])) + float(rng.uniform(-0.2, 0.2)),
        value=int(rng.integers(1, 7)),
        body=float(np.clip(body + rng.normal(0, 6), 15, 245)),
        ink=float(np.clip(ink + rng.normal(0, 6), 10, 250)),
        pip=round(float(rng.uniform(0.085, 0.12)), 3),
        apart=round(float(rng.uniform(0.235, 0.285)), 3),
        round=float(rng.uniform(0.04, 0.2)),
        ahead=int(rng.integers(4)),
        one=1.0 if rng.random() < 0.85 else round(float(rng.uniform(1.2, 1.9)), 2),
    )


def rolled(rng: np.random.Generator, look: AnyOne) -> AnyOne:
    """Return a die of the same set that shows something else."""
    sides = 6 if isinstance(look, Die) else 10
    return msgspec.structs.replace(look, value=int(rng.integers(1, sides + 1)), ahead=int(rng.integers(4)))


def _put(look: Die, x: float, y: float, turn: float) -> Die:
    return msgspec.structs.replace(look, x=x, y=y, turn=turn % 360)


def fallen(rng: np.random.Generator, look: AnyOne, zone: ZonePlace, others: Sequence[AnyOne]) -> AnyOne | None:
    """Return a die at a random place: anywhere in the tray, or moved against another until they touch; None if it
    would lie outside.
    """
    room, apart, step = (0.75, 0.72, 0.25) if isinstance(look, Die) else (0.8, 0.85, 0.5)
    r, edge = zone.rect, look.side * room
    at = msgspec.structs.replace(look, turn=float(rng.uniform(0, 360)))
    if not others:
        x, y = rng.uniform(r.x + edge, r.x + r.w - edge), rng.uniform(r.y + edge, r.y + r.h - edge)
        return msgspec.structs.replace(at, x=float(x), y=float(y))
    to = others[int(rng.integers(len(others)))]
    way, far = float(rng.uniform(0, 2 * math.pi)), (look.side + to.side) * apart

    def moved(far: float) -> AnyOne:
        return msgspec.structs.replace(at, x=to.x + far * math.cos(way), y=to.y + far * math.sin(way))

    while far > 5 and not any(meet(moved(far - step), other) for other in others):
        far -= step
    die = moved(far)
    return die if r.x + edge < die.x < r.x + r.w - edge and r.y + edge < die.y < r.y + r.h - edge else None


def meet(a: AnyDie, b: AnyDie) -> bool:
    """Return whether two dice overlap."""
    shared, _ = cv2.intersectConvexConvex(a.corners().astype(np.float32), b.corners().astype(np.float32))
    return bool(shared > 0.01)


# ------------------------------------------------------------------------------------------------------------- pictures


def lens_of(scene: Tray) -> Lens:
    """Return the optics of a scene's camera."""
    return Lens(tray_mat(scene.zone.rect.x, scene.zone.rect.y), scene.size, scene.pose, scene.glass)


def photographed(scene: Tray) -> Shot:
    """Return the picture of a scene; only the tray and its surroundings are painted, the rest is gray."""
    return next(photographs_of(scene))


def photographs_of(scene: Tray) -> Iterator[Shot]:
    """Yield one picture after the other of a scene in which nothing moves: they differ by the sensor's noise."""
    mat = tray_mat(scene.zone.rect.x, scene.zone.rect.y)
    lens, rng = lens_of(scene), np.random.default_rng(scene.seed)
    seen: dict[int, Points] = {
        marker.id: lens.to_px(corners_mm(marker)) + rng.normal(0, 0.1, (4, 2)) for marker in mat.markers
    }
    calibration = calibrate(seen, mat, scene.size)
    assert calibration is not None  # noqa: S101 (all markers are there)
    r = scene.zone.rect
    around = np.array(
        [(r.x - 45, r.y - 45), (r.x + r.w + 45, r.y - 45), (r.x + r.w + 45, r.y + r.h + 45), (r.x - 45, r.y + r.h + 45)]
    )
    px = lens.to_px(around)
    low = np.maximum(np.floor(px.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(px.max(axis=0)).astype(int), scene.size)
    shape = (int(high[1] - low[1]), int(high[0] - low[0]))

    def project(points: Points, z: float | Points) -> Points:
        fine: Points = (lens.to_px(points, z) - low + 0.5) * FINE - 0.5
        return fine

    canvas = _ground(scene, project, shape, rng)
    for die in scene.dice:
        shade_die(canvas, die, project, scene.shine)
    at = calibration.camera_mm() or (mat.w / 2, mat.h / 2, 1000.0)
    for number, die in sorted(enumerate(scene.dice), key=lambda entry: -math.dist(at[:2], (entry[1].x, entry[1].y))):
        paint_die(canvas, die, project, scene.shine, scene.seed + number + _APART * scene.roll)
    picture = _seen(scene, canvas, shape, rng)
    if scene.roll:
        rng = np.random.default_rng((scene.seed, scene.roll))
    while True:
        gray: Gray = np.full((scene.size[1], scene.size[0]), 128, np.uint8)
        gray[low[1] : high[1], low[0] : high[0]] = _taken(scene, picture, rng)
        yield Shot(gray, calibration)


def _ground(scene: Tray, project: Project, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Paint the mat and the tray on it, with the grain of felt and the printed line round it."""
    high, wide = shape[0] * FINE, shape[1] * FINE
    canvas: npt.NDArray[np.float32] = np.full((high, wide), scene.around, np.float32)
    r = scene.zone.rect
    box = np.array([(r.x, r.y), (r.x + r.w, r.y), (r.x + r.w, r.y + r.h), (r.x, r.y + r.h)])
    corners = np.round(project(box, 0.0) * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, corners, scene.felt, cv2.LINE_AA, 4)
    cv2.polylines(canvas, [corners], True, scene.felt * 0.5, 3, cv2.LINE_AA, 4)
    coarse = rng.standard_normal((high // 40 + 2, wide // 40 + 2), dtype=np.float32)
    canvas += 0.6 * scene.grain * np.asarray(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC))
    threads = rng.standard_normal((high // 2 + 1, wide // 2 + 1), dtype=np.float32)
    canvas += 1.5 * scene.grain * np.asarray(cv2.resize(threads, (wide, high), interpolation=cv2.INTER_NEAREST))
    return np.asarray(np.clip(canvas, 0, 255), np.float32)


def _seen(scene: Tray, canvas: Floats, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Light the scene and send it through the lens."""
    high, wide = shape
    picture = np.asarray(cv2.resize(canvas, (wide, high), interpolation=cv2.INTER_AREA), np.float32)
    x, y = (
        np.arange(wide, dtype=np.float32)[None, :] / wide - 0.5,
        np.arange(high, dtype=np.float32)[:, None] / high - 0.5,
    )
    way = rng.uniform(0, 2 * math.pi)
    along = x * math.cos(way) + y * math.sin(way)
    picture *= scene.gain * (1 + 0.15 * along)
    if scene.pool is not None:
        at_x, at_y, more = scene.pool
        picture *= 1 + more * np.exp(-(((x - at_x) ** 2 + (y - at_y) ** 2) / 0.08))
    if scene.shadow < 1:
        edge = 0.5 + 0.5 * np.tanh((along - rng.uniform(-0.2, 0.2)) * rng.uniform(8, 120))
        picture *= scene.shadow + (1 - scene.shadow) * edge
    if scene.disc:
        reach = math.ceil(scene.disc)
        grid = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
        disc = np.clip(scene.disc + 0.5 - grid, 0, 1)
        picture = np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.float32)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), scene.blur), np.float32)


def _taken(scene: Tray, picture: Floats, rng: np.random.Generator) -> Gray:
    """Send what the lens lets through to the sensor, and through JPEG."""
    picture = picture + rng.standard_normal(picture.shape, dtype=np.float32) * np.float32(scene.noise)
    levels = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    done, packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, scene.quality])
    assert done  # noqa: S101
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)


UNMARKED = 0.1
"""How many sets have no marks, so that a 6 can't be told from a 9."""


def ten_sided(faces: tuple[str, ...]) -> Kind:
    """Return ten-sided dice with numerals of some type faces as a kind."""
    return Kind("ten-sided dice", partial(ten_sided_tray, faces=faces))


def ten_sided_tray(rng: np.random.Generator, number: int, faces: tuple[str, ...]) -> Tray:
    """Return one random scene, at about 2.4 pixels a millimetre; in every second one dice touch as they fell."""
    scene = some_tray(rng, number)
    touching = number % 2 == 1
    like, one_kind = a_set(rng, faces), rng.random() < 0.7
    dice: list[TenSided] = []
    for _ in range(int(rng.integers(1, 8))):
        look = rolled(rng, like if one_kind else a_set(rng, faces))
        add_fallen(dice, partial(fallen, rng, look, scene.zone, dice if touching else []), 60)
    zone = msgspec.structs.replace(scene.zone, sides=10)
    layout = "heap" if touching else "apart"
    return msgspec.structs.replace(scene, zone=zone, dice=tuple(dice), size=SIZES[2.4], layout=layout)


def a_set(rng: np.random.Generator, faces: tuple[str, ...]) -> TenSided:
    """Return a die of a set of random look, not rolled yet."""
    body, ink = COLOURS[int(rng.integers(len(COLOURS)))]
    return TenSided(
        0.0,
        0.0,
        0.0,
        side=float(rng.choice([12.0, 14.0, 16.0, 16.0, 18.0, 19.0])) + float(rng.uniform(-0.2, 0.2)),
        value=1,
        body=float(np.clip(body + rng.normal(0, 6), 15, 245)),
        ink=float(np.clip(ink + rng.normal(0, 6), 10, 250)),
        face=str(rng.choice(faces)),
        mark="" if rng.random() < UNMARKED else MARKS[int(rng.integers(1, 3))],
        tall=round(float(rng.uniform(0.34, 0.46)), 2),
        low=round(float(rng.uniform(-0.03, 0.04)), 2),
        upright=bool(rng.random() < 0.5),
        sharp=round(float(rng.uniform(0.9, 1.12)), 2),
        round=round(float(rng.uniform(0.02, 0.09)), 2),
        swirl=0.0 if rng.random() < 0.7 else float(rng.uniform(2, 10)),
    )
