"""The simulated camera: a real one's interface, pictures of the simulated table, and faults on request."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Unpack

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Mat
from companion.eye.view import Frame, Gray, Trouble
from companion.sim.faults import NONE, Effects, FaultInjector, Faults, Shade
from companion.sim.lens import Lens, Points
from companion.sim.optics import Lamp, Noise, Print, Rig, RigOptions
from companion.sim.painter import Images, Light, Painter
from companion.sim.table import Sight, SimTable

Tell = Callable[[Trouble | None], None]
"""Callback for a trouble, and for None once it is over."""


class CameraLostError(OSError):
    """The camera gives no pictures at the moment; ask again later."""


class CameraOptions(RigOptions, total=False):
    """Options of a `CameraSetup`, for those who hand them on."""

    fps: float
    faults: Faults
    seed: int
    light: Light
    jpeg: int
    speed: float
    colour_width: int
    printed: Print
    lamp: Lamp
    tell: Tell


class CameraSetup(Rig, frozen=True, kw_only=True):
    """How a simulated camera is put up, and what it photographs with which faults."""

    fps: float = 10.0
    """Pictures a second of virtual time."""
    faults: Faults = NONE
    seed: int = 0
    """What noise and faults are drawn from."""
    light: Light = Light()
    jpeg: int = 0
    """Quality of a webcam's packing; 0: none."""
    speed: float = 0.0
    """How much faster than real time frames come; 0: as fast as possible."""
    colour_width: int = 960
    """Width of the RGB pictures in pixels."""
    printed: Print = Print()
    lamp: Lamp = Lamp()
    tell: Tell = lambda trouble: None
    """Hears the trouble of a lost camera, and None once it is back."""


class SimulatedCamera:
    """Photographs a `SimTable`. One thread takes pictures; any thread may call `misbehave` and `close`.

    Every picture advances the table's time by 1 / `fps`, more when frames are dropped, so nobody else should.
    """

    live = False
    """False: time is virtual, a picture is painted on demand, and none is missed."""
    control: None = None
    """None: nobody sets its exposure."""

    def __init__(
        self,
        table: SimTable,
        mat: Mat,
        images: Images,
        mat_image: npt.NDArray[np.uint8],
        card_scale: float,
        **options: Unpack[CameraOptions],
    ) -> None:
        """Mount the camera over a table on which a mat lies; with a margin of 5 % the mat fills the picture.

        `images` gives a piece's face as an array at `card_scale` pixels a millimetre (backs as BACK); `mat_image` is
        the mat as printed, edge to edge, at any resolution, gray or RGB. The `options` are those of `CameraSetup`.
        """
        setup = CameraSetup(**options)
        self.table = table
        self.fps = setup.fps
        self.speed = setup.speed
        self.show_colour = False
        self._tell = setup.tell
        self._mat, self._jpeg = mat, setup.jpeg
        self._lock = threading.Lock()
        self._fault_injector = FaultInjector(mat, setup.faults, setup.light, setup.pose, setup.seed)
        self._rng = random.Random(f"camera {setup.seed}")
        paint: Callable[..., Painter] = partial(
            Painter,
            mat,
            images,
            mat_image,
            card_scale,
            blur=setup.blur,
            glass=setup.lens,
            seed=setup.seed,
            printed=setup.printed,
            sensor=setup.sensor,
        )
        self._painter = paint(setup.size, lamp=setup.lamp, pose=setup.pose)
        self._pose, self._lamp = setup.pose, setup.lamp
        self._colour_size = setup.colour_width, round(setup.size[1] * setup.colour_width / setup.size[0])
        self._colour: Painter | None = None
        self._make_colour = partial(paint, self._colour_size, colour=True)
        self._noise = Noise(setup.size, setup.noise, setup.sensor, setup.seed)
        self._number = 0
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yield pictures until `close`. While the camera is lost there are none; the table's time goes on."""
        due = time.monotonic()
        lost = False
        while not self._closed.is_set():
            if self.speed > 0:
                due = max(due + 1 / (self.fps * self.speed), time.monotonic() - 0.5)
                if self._closed.wait(max(0.0, due - time.monotonic())):
                    return
            try:
                frame = self.shoot()
            except CameraLostError as error:
                if not lost:
                    self._tell(Trouble("camera-lost", str(error)))
                lost = True
                continue
            if lost:
                self._tell(None)
                lost = False
            yield frame

    def shoot(self) -> Frame:
        """Advance the table by a frame's time and return the picture; raise CameraLostError while it is lost."""
        with self._lock:
            self.table.advance(1 / self.fps)
            effects = self._fault_injector.step(self.table.look())
            if effects.skip:
                self.table.advance(effects.skip / self.fps)
            if effects.lost:
                raise CameraLostError(
                    "The simulated camera gives no picture: its cable is out. Wait, it comes back by itself."
                )
            sight = self.table.look()
            frame = Frame(self._picture(sight, effects), sight.time, self._number, self._in_colour(sight, effects))
            self._number += 1
            return frame

    def close(self) -> None:
        """End `frames`."""
        self._closed.set()

    @property
    def faults(self) -> Faults:
        """The chances of faults; may be set at any time."""
        return self._fault_injector.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        with self._lock:
            self._fault_injector.faults = faults

    @property
    def occurred(self) -> Counter[str]:
        """Count of begun faults by name."""
        with self._lock:
            return Counter(self._fault_injector.counts)

    def misbehave(
        self,
        name: str,
        *,
        zone: str | None = None,
        at: tuple[float, float] | None = None,
        piece: str | None = None,
        frames: int | None = None,
    ) -> None:
        """Start one of `faults.NAMES` with the next frame: over a zone, a point (mm) or a piece, for so many frames.

        What is not given is drawn at random.

        Raises:
            ValueError: if there is no such fault, or no such zone.
        """
        with self._lock:
            self._fault_injector.ask(name, zone=zone, at=at, piece=piece, frames=frames)

    @property
    def lamp(self) -> Lamp:
        """What lights the table; may be set at any time."""
        return self._lamp

    @lamp.setter
    def lamp(self, lamp: Lamp) -> None:
        with self._lock:
            self._lamp = lamp
            self._painter.switch(lamp)
            if self._colour is not None:
                self._colour.switch(lamp)

    @property
    def lens(self) -> Lens:
        """The projection of the camera as it hangs now."""
        return self._painter.lens

    def outline(self, piece: str) -> Points | None:
        """Return a lying piece's corners in pixels: top left as printed, then clockwise. None if it is away."""
        with self._lock:
            lying = self.table.where(piece)
            return None if lying is None else self._painter.outline(lying)

    def _picture(self, sight: Sight, effects: Effects) -> Gray:
        if effects.pose != self._pose:
            self._pose = effects.pose
            self._painter.aim(effects.pose)
            if self._colour is not None:
                self._colour.aim(effects.pose)
        picture = self._spoil(self._painter, sight, effects)
        self._noise.add(picture, self._rng)
        if self._jpeg:
            packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg])[1]
            picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
        return picture

    def _in_colour(self, sight: Sight, effects: Effects) -> npt.NDArray[np.uint8] | None:
        if not self.show_colour:
            return None
        if self._colour is None:
            self._colour = self._make_colour(lamp=self._lamp, pose=self._pose)
        return self._spoil(self._colour, sight, effects)

    def _spoil(self, painter: Painter, sight: Sight, effects: Effects) -> npt.NDArray[np.uint8]:
        """Return the painted table with every fault of the picture itself."""
        picture = painter.paint(sight, effects.light, effects.arms)
        for shade in effects.shadows:
            _shaded(picture, painter.lens, shade)
        for piece in effects.pale:
            for i, lying in enumerate(sight.laid):
                if lying.piece == piece:
                    _pale(picture, painter.outline(lying), [painter.outline(other) for other in sight.laid[i + 1 :]])
        for glare in effects.glares:
            centre = painter.lens.to_px([(glare.x, glare.y)])[0]
            radius = glare.radius * painter.lens.scale_at(glare.x, glare.y)
            _glare(picture, float(centre[0]), float(centre[1]), radius, glare.strength)
        wide = picture.shape[1] / 2304
        if effects.shake:
            picture = _shaken(picture, effects.shake * wide, effects.shake_angle)
        if effects.defocus:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), effects.defocus * wide), np.uint8)
        return picture


def _window(shape: tuple[int, ...], low: tuple[float, float], high: tuple[float, float]) -> tuple[slice, slice] | None:
    x0, y0 = max(0, math.floor(low[0])), max(0, math.floor(low[1]))
    x1, y1 = min(shape[1], math.ceil(high[0])), min(shape[0], math.ceil(high[1]))
    return (slice(y0, y1), slice(x0, x1)) if x1 > x0 and y1 > y0 else None


def _glare(picture: npt.NDArray[np.uint8], x: float, y: float, radius: float, strength: float) -> None:
    reach = 1.6 * radius
    window = _window(picture.shape, (x - reach, y - reach), (x + reach, y + reach))
    if window is None:
        return
    rows, columns = window
    dx = np.arange(columns.start, columns.stop, dtype=np.float32) - x
    dy = np.arange(rows.start, rows.stop, dtype=np.float32) - y
    away = (dx[None, :] ** 2 + dy[:, None] ** 2) / radius**2
    spot = np.minimum(strength * np.exp(-(away**2)), 255).astype(np.uint8)
    if picture.ndim == 3:
        spot = np.repeat(spot[:, :, None], 3, axis=2)
    picture[window] = cv2.add(np.ascontiguousarray(picture[window]), spot)


def _shaded(picture: npt.NDArray[np.uint8], lens: Lens, shade: Shade) -> None:
    """Darken a large round part with a very soft rim, in place: somebody stands in the light."""
    around = [(shade.x + shade.radius * u, shade.y + shade.radius * v) for u, v in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    px = lens.to_px(around)
    (x, y), (a, b) = px.mean(axis=0), np.maximum(np.linalg.norm([px[1] - px[0], px[3] - px[2]], axis=1) / 2, 1.0)
    small = 16
    rows, columns = -(-picture.shape[0] // small), -(-picture.shape[1] // small)
    dx = ((np.arange(columns, dtype=np.float32) + 0.5) * small - x) / a
    dy = ((np.arange(rows, dtype=np.float32) + 0.5) * small - y) / b
    away = dx[None, :] ** 2 + dy[:, None] ** 2
    keep = (255 * (1 - shade.strength * np.exp(-(away**1.5)))).astype(np.uint8)
    whole = cv2.resize(keep, (columns * small, rows * small), interpolation=cv2.INTER_LINEAR)
    whole = whole[: picture.shape[0], : picture.shape[1]]
    cv2.multiply(picture, whole if picture.ndim == 2 else cv2.merge([whole] * 3), dst=picture, scale=1 / 255)


def _pale(picture: npt.NDArray[np.uint8], outline: Points, above: list[Points]) -> None:
    """Wash out a card in place, as if it mirrored a lamp: little contrast is left. What lies on it is spared."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    window = _window(picture.shape, (low[0], low[1]), (high[0] + 1, high[1] + 1))
    if window is None:
        return
    there = np.ascontiguousarray(picture[window])
    mask = np.zeros(there.shape[:2], np.uint8)
    corner = np.array([window[1].start, window[0].start])
    cv2.fillConvexPoly(mask, np.round(outline - corner).astype(np.int32), 255)
    for other in above:
        cv2.fillConvexPoly(mask, np.round(other - corner).astype(np.int32), 0)
    cv2.copyTo(cv2.convertScaleAbs(there, alpha=0.05, beta=205), mask, there)
    picture[window] = there


def _shaken(picture: npt.NDArray[np.uint8], length: float, angle: float) -> npt.NDArray[np.uint8]:
    """Return a picture with motion blur: its length in pixels, its direction in degrees."""
    side = max(3, math.ceil(length) | 1)
    kernel = np.zeros((side, side), np.float32)
    half = (side - 1) / 2
    dx, dy = math.cos(math.radians(angle)) * half, math.sin(math.radians(angle)) * half
    ends = (round(half - dx), round(half - dy)), (round(half + dx), round(half + dy))
    cv2.line(kernel, *ends, 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
