"""What photographed trays to learn dice from have in common: wider looks, cameras and lamps than those that judge."""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_photographs import DicePhotograph, calibrated, camera_of
from benchmarks.dice_scenes import HIGH, WIDE, Shot, tray_mat
from benchmarks.nets_training import keep_trays
from benchmarks.table_lights import Light
from benchmarks.table_scenes import Camera
from companion.eye.dice.nets import Floats
from tests.photography import develop, dice_studio
from tests.photography.dice_trays import MORE_LIGHTS, PATTERNS, Look, Top, Tray, crop, dyed, level, lit, plastic
from tests.photography.studio import studio

SIZE = (1600, 1200)
"""The whole pictures, of which the tray is a part (px)."""

SAMPLES = 6
"""Paths a pixel: coarser than in photographs that judge, and several times as fast."""

STRAY = 4.0
"""How many times as bright as those around it a pixel is, at least, that only a stray path has lit."""


def some_view(rng: np.random.Generator, coarsest: float) -> tuple[tuple[float, float], Camera]:
    """Return where a tray is on the mat, and a camera above it, 0.3 to 1.2 m away, that sees all of it at `coarsest`
    to 2.9 pixels a millimetre.
    """
    while True:
        tray = (float(rng.uniform(30, 720)), float(rng.uniform(30, 370)))
        far = 300 * 4 ** float(rng.random())
        fine = float(rng.uniform(coarsest, 2.9))
        tilt = math.radians(float(rng.uniform(0, 25) if rng.random() < 0.7 else rng.uniform(0, 40)))
        way = float(rng.uniform(0, 2 * math.pi))
        target = tray[0] + WIDE / 2 + float(rng.normal(0, 60)), tray[1] + HIGH / 2 + float(rng.normal(0, 60))
        at = (
            round(target[0] + far * math.sin(tilt) * math.cos(way) + 0.01, 2),
            round(target[1] + far * math.sin(tilt) * math.sin(way) + 0.01, 2),
            round(far * math.cos(tilt), 2),
        )
        camera = Camera(
            "a",
            at,
            (round(target[0], 2), round(target[1], 2)),
            0.0,
            round(math.degrees(2 * math.atan(SIZE[0] / 2 / (fine * far))), 4),
            SIZE,
            defocus=float(rng.uniform(0.8, 2.2)) if rng.random() < 0.2 else 0.0,
            shake=(float(rng.uniform(1.5, 4)), float(rng.uniform(0, 180))) if rng.random() < 0.1 else (0.0, 0.0),
            noise=float(rng.uniform(0.5, 4)),
            exposure=float(rng.uniform(-0.9, 0.5) if rng.random() < 0.8 else rng.uniform(-2.5, -0.9)),
            quality=int(rng.integers(55, 95)),
        )
        box = crop(camera, tray)
        if min(box[:2]) >= 0 and box[2] <= SIZE[0] and box[3] <= SIZE[1]:
            return tray, camera


def some_plastic(rng: np.random.Generator) -> Look:
    """Return any plastic: of one colour, swirled, or marbled with a second one that marks still differ from."""
    while True:
        body, ink = plastic(rng)
        look = dyed(body, ink, 0.0 if rng.random() < 0.6 else float(rng.uniform(0.03, 0.15)))
        if rng.random() < 0.7:
            return look
        veins, _ = plastic(rng)
        if abs(level(veins) - level(ink)) > 50:
            red, green, blue = veins.tolist()
            return msgspec.structs.replace(look, veins=(red, green, blue))


def some_light(rng: np.random.Generator, camera: Camera, tops: Sequence[Top], gloss: float) -> Light:
    """Return any light, sometimes one that a top mirrors."""
    if rng.random() < 0.15:
        return lit(rng, camera, tops, gloss, glare=True, lights=MORE_LIGHTS)
    draw = random.Random(int(rng.integers(1 << 31)))
    return MORE_LIGHTS[draw.choice(list(MORE_LIGHTS))](draw)


def some_table(rng: np.random.Generator, number: int, camera: Camera, tops: Sequence[Top]) -> dict[str, Any]:
    """Return what the table of a scene's number is like: any light, felt, and what is round the tray."""
    gloss = float(rng.uniform(0.02, 0.25))
    return {
        "number": number,
        "camera": camera,
        "light": some_light(rng, camera, tops, gloss),
        "felt": float(rng.uniform(15, 240)),
        "around": float(rng.uniform(40, 240)),
        "grain": float(rng.uniform(0.5, 6)),
        "gloss": gloss,
        "troubles": (),
        "pattern": PATTERNS[number % len(PATTERNS)],
    }


def taken_by_camera(taken: Tray, shot: DicePhotograph, light: Floats, rng: np.random.Generator) -> Shot:
    """Return the picture of a tray's light: some are sharpened, as telephones do."""
    usual = cv2.medianBlur(light, 3)
    levels = dice_studio.developed(taken, np.where(light > STRAY * usual + 0.05, usual, light)).astype(np.float32)
    if rng.random() < 0.4:
        levels += float(rng.uniform(0.3, 1.5)) * (levels - cv2.GaussianBlur(levels, (0, 0), 1.2))
    jpeg = develop.packed(taken.camera, np.clip(levels, 0, 255).astype(np.uint8))
    part = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    gray: npt.NDArray[np.uint8] = np.full((shot.size[1], shot.size[0]), 128, np.uint8)
    left, low = shot.offset
    gray[low : low + part.shape[0], left : left + part.shape[1]] = part
    return Shot(gray, calibrated(camera_of(shot), tray_mat(*shot.tray), shot.image))


def run(
    about: str | None,
    name: str,
    tray: Callable[[Any, int], tuple[npt.NDArray[np.uint8], tuple[tuple[object, ...], ...]]],
    find: Callable[[Floats], object] | None = None,
) -> None:
    """Run a module's command line: photograph trays into files of a name, which a training reads."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trays", type=int, nargs=2, metavar=("FROM", "TO"), required=True)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    mitsuba = studio()
    first, last = chosen.trays
    for start in range(first, last, 100):
        made = [tray(mitsuba, number) for number in range(start, min(last, start + 100))]
        keep_trays(chosen.folder / f"{name}{start}", made, find)
