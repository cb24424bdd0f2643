"""Photographs trays with ten-sided dice: `python -m tests.photography.ten_sided_studio FOLDER --numbers 1 66`.

Needs mitsuba (see tests/fixtures/photos/README.md) and the fonts that `companion.bench.development.numerals` names,
fonts-adf-universalis, fonts-adf-accanthis, fonts-okolaks and fonts-ubuntu-title besides.
"""

from __future__ import annotations

import argparse
import math
import time
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.bench.development.dice_outcomes import TrueDie
from companion.bench.development.dice_photographs import DicePhotograph
from companion.bench.development.dice_scenes import HIGH, WIDE, place, tray_mat
from companion.bench.development.numerals import FONTS as FONTS_AT
from companion.bench.development.numerals import drawn
from companion.bench.development.table_lights import MIDDLE
from companion.sim.ten_sided import TALL, TenSided, middle_of
from tests.photography import develop
from tests.photography.develop import Floats
from tests.photography.studio import studio
from tests.photography.ten_sided import FONTS, Chip, Points, Scene, crop, scene

CELL = 192
"""Pixels of a face's drawing, which shows `SPAN` sides."""
SPAN = 1.5
ARC = 3
"""Strips that a rounded edge is made of."""
WHITE = 0.62
"""The share of the full level that white paper in the tray has, as the camera meters it."""
FINE = 6
"""Pixels a mm of the mat's print."""
BESIDE = 60.0
"""How much of the mat (mm) round the tray is printed."""


class Truth(msgspec.Struct):
    """A folder's truth.json."""

    photos: list[DicePhotograph]


# ---------------------------------------------------------------------------------------------------------- the dice


@lru_cache(maxsize=64)
def _glyphs(face: str) -> list[npt.NDArray[np.bool_]]:
    return drawn(FONTS_AT / FONTS[face])


def fitted(die: TenSided, edge: float) -> TenSided:
    """Return a die whose numerals are so far up and so small that a 6 and a 9 with their marks end before its edges."""
    points, kites = die.vertices()
    at = points[list(kites[0])]
    up, right = at[0] - at[2], at[1] - at[3]
    away = (at - middle_of(at)) / (SPAN * die.side)
    corners = 0.5 + np.stack([away @ right / np.linalg.norm(right), -away @ up / np.linalg.norm(up)], axis=1)
    face: npt.NDArray[np.uint8] = np.zeros((CELL, CELL), np.uint8)
    cv2.fillConvexPoly(face, np.round(corners * CELL).astype(np.int32), 1)
    flat = cv2.distanceTransform(face, cv2.DIST_L2, 5) > edge * CELL / SPAN
    while True:
        for moved in (0.0, 0.03, 0.06, 0.09, 0.12):
            moved_die = msgspec.structs.replace(die, low=die.low - moved)
            if not any(printed(moved_die, numeral)[~flat].any() for numeral in (6, 9)):
                return moved_die
        die = msgspec.structs.replace(die, tall=die.tall * 0.97)


def printed(die: TenSided, numeral: int) -> Floats:
    """Return how much ink each place of a face has, 0 to 1: its sharp end is above, its broad part in the middle."""
    fine = 2
    unit = CELL * fine / SPAN
    glyph = _glyphs(die.face)[numeral].astype(np.float32)
    scale = die.tall * unit / TALL
    size = (max(1, round(glyph.shape[1] * scale)), max(1, round(glyph.shape[0] * scale)))
    glyph = np.asarray(cv2.resize(glyph, size, interpolation=cv2.INTER_AREA), np.float32)
    sheet: Floats = np.zeros((CELL * fine, CELL * fine), np.float32)
    high, broad = glyph.shape
    bar = die.mark == "bar" and numeral in (6, 9)
    left = CELL * fine // 2 - broad // 2
    top = CELL * fine // 2 - high // 2 + round(die.low * unit) * (1 if die.upright else -1) - bar * round(0.05 * unit)
    sheet[top : top + high, left : left + broad] = glyph
    if bar:
        y = top + high + round(0.05 * unit)
        cv2.rectangle(sheet, (left, y), (left + broad, y + round(0.055 * unit)), 1.0, -1)
    elif die.mark == "dot" and numeral in (6, 9):
        radius = round(0.045 * unit)
        cv2.circle(sheet, (left + broad + round(0.07 * unit), top + high - radius), radius, 1.0, -1)
    sheet = sheet if die.upright else sheet[::-1, ::-1]
    return np.asarray(cv2.resize(sheet, (CELL, CELL), interpolation=cv2.INTER_AREA), np.float32)


def sheets(taken: Scene) -> tuple[Floats, Floats]:
    """Return the colours of all faces, and where ink is: a row of ten cells for each die."""
    rng = np.random.default_rng(taken.number)
    colours, inks = [], []
    for laid, look in zip(taken.dice, taken.looks, strict=True):
        die = fitted(laid, taken.round)
        ink = np.concatenate([printed(die, numeral) for numeral in die.numerals()], axis=1)
        body = np.broadcast_to(np.array(look.body, np.float32), (*ink.shape, 3)).copy()
        if look.swirl:
            rough = rng.standard_normal((8, 60)).astype(np.float32)
            body += look.swirl * cv2.resize(rough, (ink.shape[1], CELL), interpolation=cv2.INTER_CUBIC)[..., None]
        colours.append(body + (np.array(look.ink, np.float32) - body) * ink[..., None])
        inks.append(ink)
    return np.clip(np.concatenate(colours), 0.01, 0.9), np.concatenate(inks)[..., None]


class Solid:
    """Corners, their normals and places on the sheet, and triangles, gathered (mm on the mat, z upwards)."""

    def __init__(self) -> None:
        self.corners: list[Points] = []
        self.normals: list[Points] = []
        self.where: list[Points] = []

    def add(self, corners: list[Points], normals: list[Points], where: list[Points]) -> None:
        """Add a triangle, seen from the side that its normals point to."""
        a, b, c = corners
        turned = float(np.cross(b - a, c - a) @ sum(normals)) < 0
        order = (0, 2, 1) if turned else (0, 1, 2)
        self.corners += [corners[i] for i in order]
        self.normals += [normals[i] for i in order]
        self.where += [where[i] for i in order]


def add_die(solid: Solid, die: TenSided, row: int, rows: int, edge: float) -> None:
    """Add a die whose edges are rounded with a radius of `edge` sides; its faces are in a row of the sheet."""
    points, kites = die.vertices()
    middle = points.mean(axis=0)
    radius = edge * die.side
    inner = middle + (points - middle) * (1 - 2 * radius / die.side)
    plain = np.array([0.02 / 10, (row + 0.02) / rows])
    outs: list[Points] = []
    for number, kite in enumerate(kites):
        at = points[list(kite)]
        out = np.cross(at[1] - at[0], at[2] - at[1])
        out *= np.sign(out @ (at.mean(axis=0) - middle)) / np.linalg.norm(out)
        outs.append(out)
        up = at[0] - at[2]
        up = up / np.linalg.norm(up)
        right = at[1] - at[3]
        right = right / np.linalg.norm(right)
        shown = inner[list(kite)] + radius * out
        away = (shown - middle_of(at)) / (SPAN * die.side)
        u, v = 0.5 + away @ right, 0.5 - away @ up
        where = np.stack([(number + u) / 10, (row + v) / rows], axis=1)
        for i, j, k in ((0, 1, 2), (0, 2, 3)):
            solid.add([shown[i], shown[j], shown[k]], [out] * 3, [where[i], where[j], where[k]])
    for a in range(len(points)):
        mine = [number for number, kite in enumerate(kites) if a in kite]
        tip = sum(outs[number] for number in mine)
        tip = tip / np.linalg.norm(tip)
        for b in range(len(points)):
            both = [number for number in mine if b in kites[number]]
            if a == b or len(both) != 2 or not any(_beside(kites[number], a, b) for number in both):
                continue
            arc = [outs[both[0]] * (1 - t) + outs[both[1]] * t for t in np.linspace(0, 1, ARC + 1)]
            arc = [one / np.linalg.norm(one) for one in arc]
            for p, q in pairwise(arc):
                ends = [inner[a] + radius * p, inner[a] + radius * q, inner[b] + radius * q, inner[b] + radius * p]
                solid.add([ends[0], ends[1], inner[a] + radius * tip], [p, q, tip], [plain] * 3)
                if a < b:
                    solid.add([ends[0], ends[1], ends[2]], [p, q, q], [plain] * 3)
                    solid.add([ends[0], ends[2], ends[3]], [p, q, p], [plain] * 3)


def _beside(kite: tuple[int, ...], a: int, b: int) -> bool:
    return abs(kite.index(a) - kite.index(b)) in (1, 3)


# ------------------------------------------------------------------------------------------------------------ the light


def _world(points: npt.ArrayLike) -> Points:
    """Turn points (mm on the mat) into the world's: x to the right, y away from the near side, z upwards."""
    return np.asarray(points, np.float64) * [1.0, -1.0, 1.0]


def rendered(mitsuba: Any, taken: Scene, samples: int) -> Floats:
    """Return the light of the part of a scene's picture that is kept, linear red, green, blue."""
    camera, moved = taken.camera, mitsuba.ScalarTransform4f()
    left, top, right, bottom = crop(camera, taken.tray)
    look = moved.look_at(origin=_world(camera.at).tolist(), target=_world((*camera.target, 0.0)).tolist(), up=[0, 1, 0])
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
        "dice": _dice(mitsuba, taken),
    }
    for number, lamp in enumerate(taken.light.lamps):
        at = _world((lamp.x, lamp.y, lamp.z)).tolist()
        turn = moved.look_at(origin=at, target=_world(MIDDLE).tolist(), up=[0.01, 1, 0.02])
        radiance = {"type": "rgb", "value": list(lamp.radiance)}
        parts[f"lamp{number}"] = {
            "type": "rectangle",
            "to_world": turn @ moved.scale(lamp.half),
            "emitter": {"type": "area", "radiance": radiance},
        }
    for number, chip in enumerate(taken.chips):
        parts[f"chip{number}"] = _chip(mitsuba, chip)
    image = np.array(mitsuba.render(mitsuba.load_dict(parts), seed=taken.number))
    return np.asarray(image[..., :3], np.float32)


def _chip(mitsuba: Any, chip: Chip) -> dict[str, Any]:
    moved = mitsuba.ScalarTransform4f()
    put = moved.translate(_world((chip.x, chip.y, chip.high / 2)).tolist())
    put = put @ moved.rotate([0, 0, 1], -math.degrees(chip.way)) @ moved.scale([chip.half, chip.half, chip.high / 2])
    looks = {"type": "diffuse", "reflectance": {"type": "rgb", "value": [0.35, 0.22, 0.12]}}
    return {"type": "cube", "to_world": put, "bsdf": looks}


def _bitmap(mitsuba: Any, picture: npt.NDArray[Any], raw: bool) -> dict[str, Any]:
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(picture)), "raw": raw, "wrap_mode": "clamp"}


def ground(taken: Scene) -> npt.NDArray[np.uint8]:
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
    sheet = flat + 0.6 * taken.grain * np.asarray(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC))
    threads = rng.standard_normal((high // 2, wide // 2), dtype=np.float32)
    sheet += 2 * taken.grain * np.asarray(cv2.resize(threads, (wide, high), interpolation=cv2.INTER_LINEAR))
    return np.repeat(np.clip(sheet, 3, 250).astype(np.uint8)[..., None], 3, axis=2)


def _mat(mitsuba: Any, taken: Scene) -> Any:
    (x, y), a = taken.tray, BESIDE
    corners = [(x - a, y - a, 0), (x + WIDE + a, y - a, 0), (x + WIDE + a, y + HIGH + a, 0), (x - a, y + HIGH + a, 0)]
    up, where = np.array([0.0, 0.0, 1.0]), np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    solid = Solid()
    for three in ((0, 1, 2), (0, 2, 3)):
        solid.add([np.array(corners[i], np.float64) for i in three], [up] * 3, [where[i] for i in three])
    looks = {"type": "diffuse", "reflectance": _bitmap(mitsuba, ground(taken), raw=False)}
    return _mesh(mitsuba, "mat", solid, looks)


def _dice(mitsuba: Any, taken: Scene) -> Any:
    """Build all dice as one mesh: glossy plastic, with matt ink in it."""
    colours, ink = sheets(taken)
    solid = Solid()
    for row, die in enumerate(taken.dice):
        add_die(solid, die, row, len(taken.dice), taken.round)
    plastic = {"type": "roughplastic", "alpha": taken.gloss, "diffuse_reflectance": _bitmap(mitsuba, colours, raw=True)}
    matt = {"type": "diffuse", "reflectance": _bitmap(mitsuba, colours, raw=True)}
    looks = {"type": "blendbsdf", "weight": _bitmap(mitsuba, ink, raw=True), "body": plastic, "ink": matt}
    return _mesh(mitsuba, "dice", solid, looks)


def _mesh(mitsuba: Any, name: str, solid: Solid, looks: dict[str, Any]) -> Any:
    extra = mitsuba.Properties()
    extra["mesh_bsdf"] = mitsuba.load_dict({"type": "twosided", "bsdf": looks})
    count = len(solid.corners)
    made = mitsuba.Mesh(name, count, count // 3, has_vertex_normals=True, has_vertex_texcoords=True, props=extra)
    # The world is the mat's mirror image, so triangles are turned round.
    order = np.arange(count).reshape(-1, 3)[:, ::-1]
    values = mitsuba.traverse(made)
    values["vertex_positions"] = _world(solid.corners).astype(np.float32).ravel()
    values["vertex_normals"] = _world(solid.normals).astype(np.float32).ravel()
    values["vertex_texcoords"] = np.asarray(solid.where, np.float32).ravel()
    values["faces"] = order.astype(np.uint32).ravel()
    values.update()
    return made


# --------------------------------------------------------------------------------------------------------- the camera


def developed(taken: Scene, light: Floats) -> npt.NDArray[np.uint8]:
    """Send light through the lens to the sensor, metered as white paper in the tray asks for."""
    camera = taken.camera
    seen = cv2.GaussianBlur(light, (0, 0), taken.blur)
    if camera.defocus:
        seen = cv2.filter2D(seen, -1, develop.disc_of(camera.defocus))
    if camera.shake[0]:
        seen = cv2.filter2D(seen, -1, develop.line_of(*camera.shake))
    gain = WHITE / (0.8 * _falling(taken)) * 2**camera.exposure
    return develop.noisy(camera, develop.levels_of(np.asarray(seen * gain, np.float32)), taken.number)


def _falling(taken: Scene) -> float:
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


def uppermost(die: TenSided) -> int:
    """Return what a die shows, 1 to 10: of one that leans far another face than the top may lie highest."""
    points, kites = die.vertices()
    middles = np.array([points[list(kite)].mean(axis=0) for kite in kites])
    return die.numerals()[int(np.argmax(middles[:, 2]))] or 10


def truth_of(taken: Scene, image: str) -> DicePhotograph:
    """Return a photograph's truth."""
    camera, zone = taken.camera, tray_mat(*taken.tray).zones[0]
    left, top, _, _ = crop(camera, taken.tray)
    dice = tuple(
        TrueDie(
            round(die.x, 2),
            round(die.y, 2),
            round(die.side, 2),
            uppermost(die),
            place(die, zone),
            round(die.lean, 1),
            die.face,
            die.mark,
        )
        for die in taken.dice
    )
    what = f"{len(dice)} dice, {', '.join(taken.troubles) or 'decent light'}, {taken.light.name}, {camera.tilt:.0f}°"
    tray = (round(taken.tray[0], 3), round(taken.tray[1], 3))
    return DicePhotograph(
        image, (left, top), camera.size, camera.at, camera.target, camera.fov, tray, dice, what, 10, taken.troubles
    )


def photograph(mitsuba: Any, number: int, folder: Path, samples: int) -> None:
    """Photograph a number's scene into a folder, and enter it into the folder's truth.json."""
    began, taken, image = time.perf_counter(), scene(number), f"{number:02}.jpg"
    picture = developed(taken, rendered(mitsuba, taken, samples))
    (folder / image).write_bytes(develop.packed(taken.camera, picture))
    path = folder / "truth.json"
    photos = msgspec.json.decode(path.read_bytes(), type=Truth).photos if path.exists() else []
    photos = sorted([*(one for one in photos if one.image != image), truth_of(taken, image)], key=lambda one: one.image)
    lines = ",\n ".join(msgspec.json.encode(one).decode() for one in photos)
    path.write_text(f'{{"photos": [\n {lines}\n]}}\n', encoding="utf-8")
    print(f"{image}: {time.perf_counter() - began:.0f} s", flush=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.photography.ten_sided_studio", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numbers", type=int, nargs=2, metavar=("FIRST", "LAST"), required=True)
    parser.add_argument("--samples", type=int, default=42, help="paths a pixel")
    told = parser.parse_args()
    mitsuba = studio()
    told.folder.mkdir(parents=True, exist_ok=True)
    for number in range(told.numbers[0], told.numbers[1] + 1):
        photograph(mitsuba, number, told.folder, told.samples)


if __name__ == "__main__":
    main()
