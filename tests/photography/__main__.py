"""Lays scenes and photographs them; see tests/fixtures/photos/README.md."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from benchmarks.table_scenes import Scene, in_harsh_light, single, without_codes
from companion.eye.symbol import modules
from tests.photography import develop
from tests.photography.develop import Floats
from tests.photography.prints import printed_face
from tests.photography.studio import rendered, studio
from tests.photography.truth import PhotoTruth, Table, shown_face, shown_points, truth_of

SCENE = ".scene.json"
BLEACHED = 232
"""Gray level from which a dark module counts as lost in a lamp's mirror image."""
DARK = 110
"""Gray level of a face's file below which its print is as dark as a code's."""


class Truth(msgspec.Struct):
    """A folder's truth.json."""

    photos: list[PhotoTruth]


def take(mitsuba: Any, path: Path, out: Path, samples: int) -> PhotoTruth:
    """Photograph a scene into a folder, and return its truth."""
    scene = msgspec.json.decode(path.read_bytes(), type=Scene)
    image = path.name.removesuffix(SCENE) + ".jpg"
    light = develop.through_lens(scene.camera, rendered(mitsuba, scene, samples))
    levels = develop.exposed(scene.camera, light, colour=not scene.coded)
    picture = develop.noisy(scene.camera, levels, scene.seed)
    (out / image).write_bytes(develop.packed(scene.camera, picture))
    truth = truth_of(scene, image, path.name)
    mirror(truth, Table(scene), levels if scene.coded else np.asarray(levels @ develop.GRAY, np.float32))
    return truth


def mirror(truth: PhotoTruth, table: Table, levels: Floats) -> None:
    """Note which share of the dark modules that show of each code is bleached, or of a side's dark print."""
    for number, piece in enumerate(truth.pieces):
        for code, (_, place) in zip(piece.codes, table.codes(number), strict=True):
            px, shows = shown_points(table, number, place)
            dark = px[shows & modules(code.payload).ravel()].astype(np.float32)
            if len(dark):
                seen = cv2.remap(levels, dark[None, :, 0], dark[None, :, 1], cv2.INTER_LINEAR)
                code.mirrored = round(float((seen >= BLEACHED).mean()), 3)
        if piece.shown is not None:
            laid = table.scene.pieces[number]
            px, shows = shown_face(table, number)
            face = printed_face(table.scene.game, laid.piece, laid.face, coded=False)
            fine = cv2.resize(face, (px.shape[1], px.shape[0]), interpolation=cv2.INTER_AREA)
            dark = px[shows & (fine @ develop.GRAY < DARK)].astype(np.float32)
            if len(dark):
                seen = cv2.remap(levels, dark[None, :, 0], dark[None, :, 1], cv2.INTER_LINEAR)
                piece.shown.mirrored = round(float((seen >= BLEACHED).mean()), 3)


def keep(truth: PhotoTruth, out: Path) -> None:
    """Enter a photograph into its folder's truth.json, one line each."""
    path = out / "truth.json"
    photos = msgspec.json.decode(path.read_bytes(), type=Truth).photos if path.exists() else []
    photos = sorted([one for one in photos if one.image != truth.image] + [truth], key=lambda one: one.image)
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in photos)
    path.write_text(f'{{"photos": [\n{lines}\n]}}\n', encoding="utf-8")


def draw(picture: Path, truth: PhotoTruth, out: Path) -> None:
    """Draw the outlines of codes, and of sides without, into a copy of a photograph: green where they show, red where
    they are covered.
    """
    image = cv2.imread(str(picture))
    if image is None:
        raise FileNotFoundError(f"{picture} is missing, but truth.json tells of it.")
    sides = [piece.shown for piece in truth.pieces if piece.shown is not None]
    for code in (*sides, *(code for piece in truth.pieces for code in piece.codes)):
        colour = (0, 0, 255) if code.covered > 0.03 else (0, 160, 255) if code.mirrored > 0.03 else (0, 220, 0)
        corners = np.round((np.array(code.corners)) * 16).astype(np.int32)
        cv2.polylines(image, [corners], True, colour, 1, cv2.LINE_AA, 4)
        cv2.circle(image, corners[0].tolist(), 40, colour, -1, cv2.LINE_AA, 4)
    cv2.imwrite(str(out / picture.with_suffix(".png").name), image)


def write(scene: Scene, path: Path) -> None:
    """Keep a scene as a JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(scene), indent=0) + b"\n")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.photography", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    lay = commands.add_parser("lay", help="write the scenes of seeds FIRST to LAST")
    lay.add_argument("folder", type=Path)
    lay.add_argument("--seeds", type=int, nargs=2, metavar=("FIRST", "LAST"), required=True)
    lay.add_argument("--no-codes", action="store_true", help="cards are known by their faces")
    lay.add_argument("--harsh", action="store_true", help="too much light, in a lamp's colour")
    taking = commands.add_parser("take", help="photograph scenes, which takes about half a minute each")
    taking.add_argument("scenes", type=Path, nargs="+")
    taking.add_argument("--out", type=Path, help="another folder than the scene's")
    taking.add_argument("--samples", type=int, default=8, help="paths a pixel")
    drawing = commands.add_parser("draw", help="draw the truth into copies of photographs, to look at")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("out", type=Path)
    told = parser.parse_args()
    if told.command == "lay":
        for seed in range(told.seeds[0], told.seeds[1] + 1):
            laying = without_codes if told.no_codes else single
            scene = in_harsh_light(laying(seed)) if told.harsh else laying(seed)
            write(scene, told.folder / f"{seed:02}{SCENE}")
    elif told.command == "take":
        mitsuba = studio()
        for path in told.scenes:
            began, out = time.perf_counter(), told.out or path.parent
            out.mkdir(parents=True, exist_ok=True)
            truth = take(mitsuba, path, out, told.samples)
            keep(truth, out)
            size = (out / truth.image).stat().st_size / 1000
            print(f"{out / truth.image}: {time.perf_counter() - began:.0f} s, {size:.0f} kB", flush=True)
    else:
        told.out.mkdir(parents=True, exist_ok=True)
        for truth in msgspec.json.decode((told.folder / "truth.json").read_bytes(), type=Truth).photos:
            draw(told.folder / truth.image, truth, told.out)


if __name__ == "__main__":
    main()
