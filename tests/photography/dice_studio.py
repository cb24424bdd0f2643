"""Photographs trays of dice with mitsuba: the mat, the lamps, the camera, and the command line of its two modules.

Needs mitsuba (see tests/fixtures/photos/README.md).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_outcomes import TrueDie
from benchmarks.dice_photographs import DicePhotograph
from benchmarks.dice_scenes import HIGH, WIDE
from benchmarks.table_lights import MIDDLE
from tests.photography import develop
from tests.photography.develop import Floats
from tests.photography.dice_trays import Look, Points, Tray, crop
from tests.photography.studio import studio

WHITE = 0.62
"""The share of the full level that white paper in the tray has, as the camera meters it."""
FINE = 6
"""Pixels a mm of the mat's print."""
PASS = 9
"""Paths a pixel of one of the pictures whose median is taken."""
BESIDE = 60.0
"""How much of the mat (mm) round the tray is printed."""


class Truth(msgspec.Struct):
    """A folder's truth.json."""

    photos: list[DicePhotograph]


class Solid:
    """Corners, their normals and places on the sheet, and triangles, gathered (mm on the mat, z upwards)."""

    def __init__(self) -> None:
        self.corners: list[Points] = []
        self.normals: list[Points] = []
        self.where: list[Points] = []

    def add(self, corners: list[Points], normals: list[Points], where: list[Points]) -> None:
        """Add a triangle, seen from the side that its normals point to."""
        self.add_all(np.array([corners]), np.array([normals]), np.array([where]))

    def add_all(self, corners: Points, normals: Points, where: Points) -> None:
        """Add triangles, shape (n, 3, 3), and their places on the sheet, shape (n, 3, 2)."""
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        turned = (np.cross(b - a, c - a) * normals.sum(axis=1)).sum(axis=1) < 0
        for kept, added in ((self.corners, corners), (self.normals, normals), (self.where, where)):
            added = added.copy()
            added[turned] = added[turned][:, (0, 2, 1)]
            kept += [added.reshape(-1, added.shape[-1])]


def mesh(mitsuba: Any, name: str, solid: Solid, looks: dict[str, Any]) -> Any:
    """Return a body as mitsuba has it."""
    extra = mitsuba.Properties()
    extra["mesh_bsdf"] = mitsuba.load_dict({"type": "twosided", "bsdf": looks})
    corners = np.concatenate(solid.corners)
    count = len(corners)
    made = mitsuba.Mesh(name, count, count // 3, has_vertex_normals=True, has_vertex_texcoords=True, props=extra)
    # The world is the mat's mirror image, so triangles are turned round.
    order = np.arange(count).reshape(-1, 3)[:, ::-1]
    values = mitsuba.traverse(made)
    values["vertex_positions"] = world(corners).astype(np.float32).ravel()
    values["vertex_normals"] = world(np.concatenate(solid.normals)).astype(np.float32).ravel()
    values["vertex_texcoords"] = np.concatenate(solid.where).astype(np.float32).ravel()
    values["faces"] = order.astype(np.uint32).ravel()
    values.update()
    return made


def bitmap(mitsuba: Any, picture: npt.NDArray[Any], raw: bool) -> dict[str, Any]:
    """Return a texture; a raw one has linear levels."""
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(picture)), "raw": raw, "wrap_mode": "clamp"}


def plastic(mitsuba: Any, solid: Solid, colours: Floats, ink: Floats, gloss: float) -> Any:
    """Return all dice as one mesh: glossy plastic with matt ink in it."""
    body = {"type": "roughplastic", "alpha": gloss, "diffuse_reflectance": bitmap(mitsuba, colours, raw=True)}
    matt = {"type": "diffuse", "reflectance": bitmap(mitsuba, colours, raw=True)}
    looks = {"type": "blendbsdf", "weight": bitmap(mitsuba, ink, raw=True), "body": body, "ink": matt}
    return mesh(mitsuba, "dice", solid, looks)


def sheet(looks: tuple[Look, ...], inks: list[Floats], seed: int) -> tuple[Floats, Floats]:
    """Return the colours of all faces, and where ink is: a row for each die, of which `inks` has the ink."""
    rng = np.random.default_rng(seed)
    colours = []
    for look, ink in zip(looks, inks, strict=True):
        body = np.broadcast_to(np.array(look.body, np.float32), (*ink.shape, 3)).copy()
        if look.veins is not None:
            rough = rng.standard_normal((8, 48)).astype(np.float32)
            share = np.clip(0.5 + cv2.resize(rough, ink.shape[::-1], interpolation=cv2.INTER_CUBIC), 0, 1)[..., None]
            body += (np.array(look.veins, np.float32) - body) * share
        if look.swirl:
            rough = rng.standard_normal((8, 60)).astype(np.float32)
            body += look.swirl * cv2.resize(rough, ink.shape[::-1], interpolation=cv2.INTER_CUBIC)[..., None]
        colours.append(body + (np.array(look.ink, np.float32) - body) * ink[..., None])
    return np.clip(np.concatenate(colours), 0.01, 0.9), np.concatenate(inks)[..., None]


def block(mitsuba: Any, at: Points, halves: Points, way: float, colour: tuple[float, float, float]) -> dict[str, Any]:
    """Return a matt block: its middle and half its length, width and height (mm), its bearing (rad)."""
    moved = mitsuba.ScalarTransform4f()
    put = (
        moved.translate(world(at).tolist()) @ moved.rotate([0, 0, 1], -math.degrees(way)) @ moved.scale(halves.tolist())
    )
    looks = {"type": "diffuse", "reflectance": {"type": "rgb", "value": list(colour)}}
    return {"type": "cube", "to_world": put, "bsdf": looks}


# -------------------------------------------------------------------------------------------------------------- the mat


def patterned(flat: npt.NDArray[np.uint8], pattern: str, seed: int) -> Floats:
    """Return a mat's print on another table: the tray alone, or all but the tray, has a pattern."""
    rng = np.random.default_rng([seed, 1])
    high, wide = flat.shape
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32) / FINE
    inside = (np.abs(x - WIDE / 2 - BESIDE) < WIDE / 2 - 1) & (np.abs(y - HIGH / 2 - BESIDE) < HIGH / 2 - 1)

    def rough(across: float, along: float) -> Floats:
        shape = (math.ceil(high / FINE / across) + 2, math.ceil(wide / FINE / along) + 2)
        few = rng.standard_normal(shape, dtype=np.float32)
        return np.asarray(cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)

    if pattern == "wood":
        change = 0.1 * np.sin(y / 2.2 + 3 * rough(30, 120)) + 0.05 * rough(0.8, 40)
    elif pattern == "checks":
        change = 0.12 * (np.sign(np.sin(x / 5)) + np.sign(np.sin(y / 5)))
    elif pattern == "leather":
        return np.asarray(flat * (1 + 0.09 * rough(1.6, 1.6) * inside), np.float32)
    else:
        return flat.astype(np.float32)
    return np.asarray(flat * (1 + change * ~inside), np.float32)


def ground(taken: Tray) -> npt.NDArray[np.uint8]:
    """Print the mat round the tray: its area as the mat has it, with a line round it and its name above; and grain."""
    wide, high = round((WIDE + 2 * BESIDE) * FINE), round((HIGH + 2 * BESIDE) * FINE)
    flat: npt.NDArray[np.uint8] = np.full((high, wide), round(taken.around), np.uint8)
    low, far = round((BESIDE + 1) * FINE), (round((BESIDE + WIDE - 1) * FINE), round((BESIDE + HIGH - 1) * FINE))
    cv2.rectangle(flat, (low, low), far, taken.felt, -1)
    cv2.rectangle(flat, (low, low), far, 0.5 * taken.felt, 3, cv2.LINE_AA)
    ink = taken.around * 0.4
    cv2.putText(flat, "Dice", (low + 20, low - 14), cv2.FONT_HERSHEY_DUPLEX, 1.4, ink, 3, cv2.LINE_AA)
    rng = np.random.default_rng(taken.number)
    coarse = rng.standard_normal((high // 60 + 2, wide // 60 + 2), dtype=np.float32)
    printed = patterned(flat, taken.pattern, taken.number) + 0.6 * taken.grain * np.asarray(
        cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    )
    threads = rng.standard_normal((high // 2, wide // 2), dtype=np.float32)
    printed += 2 * taken.grain * np.asarray(cv2.resize(threads, (wide, high), interpolation=cv2.INTER_LINEAR))
    return np.repeat(np.clip(printed, 3, 250).astype(np.uint8)[..., None], 3, axis=2)


def _mat(mitsuba: Any, taken: Tray) -> Any:
    (x, y), a = taken.tray, BESIDE
    corners = [(x - a, y - a, 0), (x + WIDE + a, y - a, 0), (x + WIDE + a, y + HIGH + a, 0), (x - a, y + HIGH + a, 0)]
    up, where = np.array([0.0, 0.0, 1.0]), np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    solid = Solid()
    for three in ((0, 1, 2), (0, 2, 3)):
        solid.add([np.array(corners[i], np.float64) for i in three], [up] * 3, [where[i] for i in three])
    looks = {"type": "diffuse", "reflectance": bitmap(mitsuba, ground(taken), raw=False)}
    return mesh(mitsuba, "mat", solid, looks)


# ------------------------------------------------------------------------------------------------------------ the light


def world(points: npt.ArrayLike) -> Points:
    """Turn points (mm on the mat) into the world's: x to the right, y away from the near side, z upwards."""
    return np.asarray(points, np.float64) * [1.0, -1.0, 1.0]


def rendered(mitsuba: Any, taken: Tray, things: dict[str, Any], samples: int) -> Floats:
    """Return the light of the part of a picture that is kept, linear red, green, blue; `things` lie on the mat."""
    camera, moved = taken.camera, mitsuba.ScalarTransform4f()
    left, top, right, bottom = crop(camera, taken.tray)
    look = moved.look_at(origin=world(camera.at).tolist(), target=world((*camera.target, 0.0)).tolist(), up=[0, 1, 0])
    film = {"type": "hdrfilm", "width": camera.size[0], "height": camera.size[1], "rfilter": {"type": "box"}}
    film |= {"crop_offset_x": left, "crop_offset_y": top, "crop_width": right - left, "crop_height": bottom - top}
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 5},
        "sensor": {
            "type": "perspective",
            "fov": camera.fov,
            "fov_axis": "x",
            "to_world": look,
            "film": film,
            "sampler": {"type": "multijitter", "sample_count": samples},
        },
        "ambient": {"type": "constant", "radiance": {"type": "rgb", "value": list(taken.light.ambient)}},
        "mat": _mat(mitsuba, taken),
    }
    for number, lamp in enumerate(taken.light.lamps):
        at = world((lamp.x, lamp.y, lamp.z)).tolist()
        turn = moved.look_at(origin=at, target=world(MIDDLE).tolist(), up=[0.01, 1, 0.02])
        radiance = {"type": "rgb", "value": list(lamp.radiance)}
        parts[f"lamp{number}"] = {
            "type": "rectangle",
            "to_world": turn @ moved.scale(lamp.half),
            "emitter": {"type": "area", "radiance": radiance},
        }
    made = mitsuba.load_dict(parts | things)
    if not taken.later:
        return np.array(mitsuba.render(made, seed=taken.number), np.float32)[..., :3]
    # Small lamps mirrored by dice onto the mat leave single white pixels, as in no photograph: a median has none.
    some = [
        np.array(mitsuba.render(made, spp=PASS, seed=100 * taken.number + n))[..., :3]
        for n in range(max(3, 2 * samples // PASS))
    ]
    return np.asarray(np.median(some, axis=0), np.float32)


# ----------------------------------------------------------------------------------------------------------- the camera


def developed(taken: Tray, light: Floats) -> npt.NDArray[np.uint8]:
    """Send light through the lens to the sensor, metered as white paper in the tray asks for."""
    camera = taken.camera
    seen = cv2.GaussianBlur(light, (0, 0), taken.blur)
    if camera.defocus:
        seen = cv2.filter2D(seen, -1, develop.disc_of(camera.defocus))
    if camera.shake[0]:
        seen = cv2.filter2D(seen, -1, develop.line_of(*camera.shake))
    gain = WHITE / (0.8 * _falling(taken)) * 2**camera.exposure
    return develop.noisy(camera, develop.levels_of(np.asarray(seen * gain, np.float32)), taken.number)


def _falling(taken: Tray) -> float:
    """Return the light that falls on the tray, in what a room of radiance 1 gives."""
    at = np.array([taken.tray[0] + WIDE / 2, taken.tray[1] + HIGH / 2, 0.0])
    total = float(np.mean(taken.light.ambient))
    for lamp in taken.light.lamps:
        to = np.array([lamp.x, lamp.y, lamp.z]) - at
        far = float(np.linalg.norm(to))
        facing = np.array([lamp.x, lamp.y, lamp.z]) - np.array(MIDDLE)
        slant = max(0.0, float(facing @ to) / float(np.linalg.norm(facing)) / far) * lamp.z / far
        total += float(np.mean(lamp.radiance)) * (2 * lamp.half) ** 2 * slant / far**2 / math.pi
    return total


def truth(taken: Tray, image: str, dice: tuple[TrueDie, ...], sides: int, what: str = "") -> DicePhotograph:
    """Return a photograph's truth."""
    camera = taken.camera
    left, top, _, _ = crop(camera, taken.tray)
    seen = (
        f"{len(dice)} dice",
        what,
        ", ".join(taken.troubles) or "decent light",
        taken.light.name,
        f"{camera.tilt:.0f}°",
    )
    return DicePhotograph(
        image,
        (left, top),
        camera.size,
        camera.at,
        camera.target,
        camera.fov,
        (round(taken.tray[0], 3), round(taken.tray[1], 3)),
        dice,
        ", ".join(part for part in seen if part),
        sides,
        taken.troubles,
    )


def keep(shot: DicePhotograph, taken: Tray, light: Floats, folder: Path) -> None:
    """Keep a photograph in a folder, and its truth in the folder's truth.json."""
    (folder / shot.image).write_bytes(develop.packed(taken.camera, developed(taken, light)))
    path = folder / "truth.json"
    photos = msgspec.json.decode(path.read_bytes(), type=Truth).photos if path.exists() else []
    photos = sorted([*(one for one in photos if one.image != shot.image), shot], key=lambda one: one.image)
    lines = ",\n ".join(msgspec.json.encode(one).decode() for one in photos)
    path.write_text(f'{{"photos": [\n {lines}\n]}}\n', encoding="utf-8")


def run(name: str, about: str | None, take: Callable[[Any, int, Path, int], None]) -> None:
    """Run a module's command line; `take` photographs a number's scene into a folder with so many paths a pixel."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numbers", type=int, nargs=2, metavar=("FIRST", "LAST"), required=True)
    parser.add_argument("--samples", type=int, default=42, help="paths a pixel")
    told = parser.parse_args()
    mitsuba = studio()
    told.folder.mkdir(parents=True, exist_ok=True)
    for number in range(told.numbers[0], told.numbers[1] + 1):
        began = time.perf_counter()
        take(mitsuba, number, told.folder, told.samples)
        print(f"{number}: {time.perf_counter() - began:.0f} s", flush=True)
