"""From the light that a pinhole gathers to a camera's JPEG: lens, sensor, and packing."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.table_scenes import Camera

SHARPEST = 0.45
"""How much (sigma in px at a width of 1920) a lens at its best and the sensor's mosaic blur."""

Floats = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]


def straight(camera: Camera, bent: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return where points of the picture (in focal lengths from its middle) would be without distortion."""
    goal = np.linalg.norm(bent, axis=-1, keepdims=True)
    r = goal.copy()
    for _ in range(12):
        r2 = r * r
        value = r * (1 + camera.k1 * r2 + camera.k2 * r2**2) - goal
        r -= value / (1 + 3 * camera.k1 * r2 + 5 * camera.k2 * r2**2)
    return np.asarray(bent * (r / np.maximum(goal, 1e-12)))


def film_of(camera: Camera) -> tuple[int, int]:
    """Return the size (px) of the pinhole's picture that shows all that the lens does, as large in the middle."""
    wide, high = camera.size
    half = np.array([(wide - 1) / 2, (high - 1) / 2]) / camera.focal
    corners = straight(camera, np.array([[half[0], half[1]], [half[0], 0.0], [0.0, half[1]]]))
    reach = np.abs(corners).max(axis=0) * camera.focal
    return 2 * math.ceil(reach[0]) + 6, 2 * math.ceil(reach[1]) + 6


def through_lens(camera: Camera, light: Floats) -> Floats:
    """Bend, dim and blur what the pinhole saw; still linear colours."""
    wide, high = camera.size
    film = np.array([light.shape[1], light.shape[0]])
    xs, ys = np.meshgrid(np.arange(wide) - (wide - 1) / 2, np.arange(high) - (high - 1) / 2)
    far = np.linspace(0, math.hypot(wide, high) / 2, 4096)
    further = straight(camera, np.column_stack([far, 0 * far]) / camera.focal)[:, 0] * camera.focal
    ratio = np.interp(np.hypot(xs, ys), far[1:], further[1:] / far[1:])
    at_x, at_y = (
        (xs * ratio + (film[0] - 1) / 2).astype(np.float32),
        (ys * ratio + (film[1] - 1) / 2).astype(np.float32),
    )
    seen = cv2.remap(light, at_x, at_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    r2 = (xs**2 + ys**2) / (wide**2 + high**2) * 4
    seen = seen * (1 - camera.vignette * r2**1.3)[..., None].astype(np.float32)
    seen = cv2.GaussianBlur(seen, (0, 0), SHARPEST * wide / 1920)
    if camera.defocus:
        seen = cv2.filter2D(seen, -1, disc_of(camera.defocus))
    if camera.shake[0]:
        seen = cv2.filter2D(seen, -1, line_of(*camera.shake))
    return np.asarray(np.maximum(seen, 0), np.float32)


def disc_of(radius: float) -> Floats:
    """Return what a lens out of focus makes of a point: a disc of this radius (px)."""
    reach, fine = math.ceil(radius), 9
    at = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    inside = (np.hypot(at[:, None], at[None, :]) <= radius).astype(np.float32)
    small = cv2.resize(inside, (2 * reach + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)


def line_of(length: float, degrees: float) -> Floats:
    """Return what a motion makes of a point."""
    reach, steps = math.ceil(length / 2) + 1, 32
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, steps):
        x = reach + share * length * math.cos(math.radians(degrees))
        y = reach + share * length * math.sin(math.radians(degrees))
        i, j = int(x), int(y)
        for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
            kernel[j + b, i + a] += abs(1 - a - (x - i)) * abs(1 - b - (y - j)) / steps
    return np.asarray(kernel / kernel.sum(), np.float32)


GRAY = np.array([0.299, 0.587, 0.114])
"""The shares of red, green and blue in a gray level."""


def exposed(camera: Camera, seen: Floats, colour: bool = False) -> Floats:
    """Meter the picture as cameras do, and return levels (0 to 255) before noise and rounding: gray, or in `colour`."""
    bright = seen.mean(axis=-1)
    metered = min(0.22 / float(bright.mean()), 0.95 / float(np.percentile(bright, 98.5))) * 2**camera.exposure
    gain = camera.gain or metered
    return levels_of(seen * gain, colour)


def levels_of(light: Floats, colour: bool = False) -> Floats:
    """Return the levels of linear light of which 1 is white, before noise and rounding: gray, or in `colour`."""
    linear = np.clip(light, 0, 1)
    levels = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055) * 255
    # Cameras smooth what is nearly even; here it takes the grain away that too few paths leave.
    if colour:  # differences of three channels are added up
        return np.asarray(cv2.bilateralFilter(levels.astype(np.float32), 7, 36.0, 2.0), np.float32)
    return np.asarray(cv2.bilateralFilter((levels @ GRAY).astype(np.float32), 7, 12.0, 2.0), np.float32)


def noisy(camera: Camera, levels: Floats, seed: int) -> Picture:
    """Add the sensor's noise, which a dark picture shows more of, and round."""
    rng = np.random.default_rng(seed)
    sigma = camera.noise * (1.3 - 0.6 * levels / 255)
    # A camera smooths its noise; what is left of it hangs together.
    grain = cv2.GaussianBlur(rng.standard_normal(levels.shape).astype(np.float32), (0, 0), 0.6) * 1.9
    return np.asarray(np.clip(np.rint(levels + sigma * grain), 0, 255), np.uint8)


def packed(camera: Camera, picture: Picture) -> bytes:
    """Return a picture, gray or RGB, as a JPEG."""
    if picture.ndim == 3:
        picture = np.ascontiguousarray(picture[..., ::-1])
    how = [cv2.IMWRITE_JPEG_QUALITY, camera.quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    done, data = cv2.imencode(".jpg", picture, how)
    if not done:
        raise OSError("The picture could not be packed as a JPEG.")
    return bytes(data)
