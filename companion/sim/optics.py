"""What a photograph has and a drawing has not: a print that differs from its file, a lamp, a sensor, a lens.

Defaults are plain, fast and easy to read; `draw_print`, `draw_lamp` and `draw_rig` choose what people have.
"""

from __future__ import annotations

import math
import random
from typing import TypedDict, cast

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Mat
from companion.sim.lens import GLASSES, PLAIN, Glass, Lens, Pose

Floats = npt.NDArray[np.float32]

_COARSE = 16
"""Pixels between two points at which light that falls off softly is worked out."""

_MODULES = 21
"""A code's modules along a side."""

FEWEST_PX = 1.3
"""Pixels a module that a rig gives everywhere on the mat at least: what the documents ask people for."""

_LAMPS = 0.75
"""The share of a room's light that comes from its lamp; the rest comes from everywhere."""

_EXPOSED = 0.8
"""The mean light on the mat, as a share of what shows white paper at its level: a camera exposes for the whole."""


class Print(msgspec.Struct, frozen=True):
    """How a printer, its ink and its paper show a file.

    A channel's gray level is `black` + (`white` - `black`) × `cast` × (level of the file / 255) ^ `gamma`, in a picture
    exposed so that white paper under the lamp has the level `white`. A `gamma` above 1 prints darker.
    """

    gamma: float = 1.0
    black: float = 22.0
    white: float = 220.9
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def shown(self, image: npt.NDArray[np.uint8], colour: bool) -> npt.NDArray[np.uint8]:
        """Return a picture of a file, gray or RGB, as it looks when it is printed; RGB if `colour` is set."""
        even = self.cast == (1.0, 1.0, 1.0)
        if image.ndim == 2 and (colour or not even):
            image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB), np.uint8)
        elif image.ndim == 3 and not colour and even:
            image = np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
        casts = np.array(self.cast if image.ndim == 3 else [1.0])
        tone = (np.arange(256) / 255)[:, None] ** self.gamma * casts[None, :]
        levels = np.clip(np.rint(self.black + (self.white - self.black) * tone), 0, 255).astype(np.uint8)
        printed = np.asarray(cv2.LUT(image, levels.reshape(1, 256, -1)), np.uint8)
        if printed.ndim == 3 and not colour:
            printed = np.asarray(cv2.cvtColor(printed, cv2.COLOR_RGB2GRAY), np.uint8)
        return printed


class Lamp(msgspec.Struct, frozen=True):
    """A lamp over the table: `x` and `y` (mm from the mat's middle), `height` (mm; 0: light from everywhere).

    `gain` is the room's brightness; `shine` the gray levels that a glossy print mirrors, `radius` (mm) their width.
    """

    x: float = 0.0
    y: float = 0.0
    height: float = 0.0
    gain: float = 1.0
    shine: float = 0.0
    radius: float = 220.0


class Sensor(msgspec.Struct, frozen=True):
    """What a sensor and its lens do to brightness.

    `shot` is the variance of the noise that a gray level adds; `uneven` is by what share pixels differ, always the
    same; `vignette` is what share of the light is lost as far from the middle as the picture is half wide.
    """

    shot: float = 0.0
    uneven: float = 0.0
    vignette: float = 0.05


class RigOptions(TypedDict, total=False):
    """The options of a `SimulatedCamera` that say how it is put up."""

    size: tuple[int, int]
    pose: Pose
    lens: Glass
    sensor: Sensor
    noise: float
    blur: float


class Rig(msgspec.Struct, frozen=True):
    """A camera as it is put up: its picture's size, how it hangs, its lens and its sensor.

    `noise` is gray levels in the dark; `blur` the lens's softness, in pixels of a 2304-pixel wide picture.
    """

    size: tuple[int, int] = (2304, 1296)
    pose: Pose = Pose()
    lens: Glass = PLAIN
    sensor: Sensor = Sensor()
    noise: float = 2.5
    blur: float = 0.6

    def options(self) -> RigOptions:
        """Return it as options of a `SimulatedCamera`."""
        return cast(RigOptions, msgspec.structs.asdict(self))


def draw_print(rng: random.Random) -> Print:
    """Choose a print: too dark or too light, its black faded, its white not white, with a cast."""
    return Print(
        gamma=0.7 * 2 ** rng.random(),
        black=rng.uniform(25, 65),
        white=rng.uniform(165, 210),
        cast=(rng.uniform(0.92, 1.0), rng.uniform(0.92, 1.0), rng.uniform(0.84, 1.0)),
    )


def draw_lamp(rng: random.Random) -> Lamp:
    """Choose a lamp, 35 cm (on a desk) to 1 m over the table, beside its middle; prints mirror it a little."""
    turn, away = rng.uniform(0, 2 * math.pi), rng.uniform(200, 600)
    return Lamp(
        x=away * math.cos(turn),
        y=away * math.sin(turn),
        height=350 * 3 ** rng.random(),
        gain=rng.uniform(0.75, 1.05),
        shine=rng.uniform(10, 60),
        radius=rng.uniform(150, 320),
    )


def switched_off(lamp: Lamp) -> Lamp:
    """Return what light a room has left without its lamp."""
    return Lamp(gain=0.5 * lamp.gain)


_SIZES, _FINE_SIZES = ((1920, 1080), (2304, 1296)), ((2560, 1440), (3072, 1728))
_FINE = 2.0
"""Pictures (px) of usual cameras, and of those that have to see so many pixels a millimetre everywhere, or more."""


def draw_rig(mat: Mat, rng: random.Random, px_per_mm: float = 0.0) -> Rig:
    """Choose and hang a camera: a module has `FEWEST_PX` px everywhere on the mat, a millimetre `px_per_mm`."""
    side = min(code.size for shape in mat.shapes for code in shape.codes) / _MODULES
    while True:
        size = rng.choice(_SIZES if px_per_mm < _FINE else _FINE_SIZES)
        glass = GLASSES[rng.choice(("plain", "plain", "webcam"))]
        foot_x, foot_y = rng.uniform(-15, 15), rng.uniform(-20, 20)
        roll, tilt = rng.uniform(-3, 3), rng.choice((0.0, rng.uniform(3, 15)))
        pose = Pose(
            foot_x=foot_x, foot_y=foot_y, roll=roll, tilt=tilt, azimuth=rng.uniform(0, 360), room=rng.uniform(1.03, 1.1)
        )
        if fewest_px(mat, size, pose, glass, side) >= FEWEST_PX and fewest_px(mat, size, pose, glass, 1) >= px_per_mm:
            break
    sensor = Sensor(shot=rng.uniform(0.02, 0.06), uneven=rng.uniform(0.008, 0.02), vignette=rng.uniform(0.08, 0.3))
    return Rig(size, pose, glass, sensor, noise=rng.uniform(1.5, 2.5), blur=rng.uniform(0.6, 1.0) * 2304 / size[0])


def fewest_px(mat: Mat, size: tuple[int, int], pose: Pose, glass: Glass, side: float) -> float:
    """Return the fewest pixels that a module of `side` mm has, along either of its sides, anywhere on the mat."""
    lens = Lens(mat, size, pose, glass)
    places = [(mat.w * u, mat.h * v) for u in (0.08, 0.5, 0.92) for v in (0.08, 0.5, 0.92)]
    return side * min(float(np.linalg.norm(lens.scales(x, y), axis=1).min()) for x, y in places)


def falloff(mat: Mat, size: tuple[int, int], pose: Pose, glass: Glass, lamp: Lamp, sensor: Sensor, seed: int) -> Floats:
    """Return what share of the full light every pixel gets: from the lamp, through the lens, on an uneven sensor."""
    x, y = _on_table(mat, size, pose, glass)
    light = np.full(x.shape, lamp.gain, np.float32)
    if lamp.height:
        slant = lamp.height / np.sqrt((x - lamp.x) ** 2 + (y - lamp.y) ** 2 + lamp.height**2)
        light *= 1 - _LAMPS + _LAMPS * slant**3
        mat_there = (abs(x) < mat.w / 2) & (abs(y) < mat.h / 2)
        light *= _EXPOSED / float((light[mat_there] / lamp.gain).mean())
    spread = _spread(light, size)
    u = np.linspace(-1, 1, size[0], dtype=np.float32)[None, :]
    v = np.linspace(-1, 1, size[1], dtype=np.float32)[:, None]
    spread *= 1 - sensor.vignette * (u**2 + v**2)
    if sensor.uneven:
        grain = np.random.default_rng(seed).standard_normal((size[1], size[0]), dtype=np.float32)
        spread *= 1 + sensor.uneven * grain
    return spread


def shine(mat: Mat, size: tuple[int, int], pose: Pose, glass: Glass, lamp: Lamp) -> Floats | None:
    """Return the gray levels that every pixel gains because prints mirror the lamp a little; None if they don't."""
    if not lamp.shine:
        return None
    x, y = _on_table(mat, size, pose, glass)
    camera = Lens(mat, size, pose, glass).at()
    # In a mirror on the table the lamp is seen where the way there and back has equal angles.
    share = lamp.height / max(1.0, lamp.height + camera[2])
    foot = camera[0] - mat.w / 2, camera[1] - mat.h / 2
    spot = [lamp.x + (foot[i] - lamp.x) * share for i in range(2)] if lamp.height else foot
    away = ((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / lamp.radius**2
    return _spread((lamp.shine * lamp.gain * (0.2 + 0.8 * np.exp(-away))).astype(np.float32), size)


def _on_table(mat: Mat, size: tuple[int, int], pose: Pose, glass: Glass) -> tuple[Floats, Floats]:
    """Return what points of the table (mm from the mat's middle) a few pixels show, in rows and columns."""
    few = max(2, size[0] // _COARSE), max(2, size[1] // _COARSE)
    x, y = Lens(mat, few, pose, glass).table()
    near = 3 * mat.w
    return (
        np.clip(x - mat.w / 2, -near, near).astype(np.float32),
        np.clip(y - mat.h / 2, -near, near).astype(np.float32),
    )


def _spread(few: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(few, size, interpolation=cv2.INTER_LINEAR), np.float32)


class Noise:
    """A sensor's noise, cut out of one larger picture of noise: pictures cost a few passes over their pixels."""

    ROLL = 64
    """A picture's noise begins at a place chosen by chance, up to this far away (pixels)."""

    _FINE = 16.0
    """Steps a gray level in which noise that depends on brightness is kept."""

    def __init__(self, size: tuple[int, int], dark: float, sensor: Sensor, seed: int) -> None:
        """Make noise for pictures of a size (width, height), with a sigma of `dark` gray levels where it is black."""
        shape = size[1] + self.ROLL, size[0] + self.ROLL
        noise = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
        self._sigma: npt.NDArray[np.uint8] | None = None
        if sensor.shot:
            sigma = np.sqrt(dark**2 + sensor.shot * np.arange(256))
            self._sigma = np.clip(np.rint(self._FINE * sigma), 0, 255).astype(np.uint8)
            levels = np.rint(self._FINE * noise)
        else:
            levels = np.rint(dark * noise)
        self._brighter = np.clip(levels, 0, 255).astype(np.uint8)
        self._darker = np.clip(-levels, 0, 255).astype(np.uint8)

    def add(self, picture: npt.NDArray[np.uint8], rng: random.Random) -> None:
        """Add noise to a gray picture, in place."""
        x, y = rng.randrange(self.ROLL), rng.randrange(self.ROLL)
        cut = slice(y, y + picture.shape[0]), slice(x, x + picture.shape[1])
        brighter, darker = self._brighter[cut], self._darker[cut]
        if self._sigma is not None:
            sigma = cv2.LUT(picture, self._sigma)
            brighter = np.asarray(cv2.multiply(sigma, brighter, scale=self._FINE**-2), np.uint8)
            darker = np.asarray(cv2.multiply(sigma, darker, scale=self._FINE**-2), np.uint8)
        cv2.add(picture, brighter, dst=picture)
        cv2.subtract(picture, darker, dst=picture)
