"""Renders a scene with mitsuba: prints on a table, lamps, hands, and a pinhole that the lens is added to afterwards.

Mitsuba's world has its origin in the mat's middle, x to the right, y away from the near side, z upwards.
"""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.table_lights import Lamp
from benchmarks.table_scenes import Points, Scene, axes, outline
from tests.photography.develop import Floats, film_of
from tests.photography.hands import mesh
from tests.photography.prints import printed_mat, sheet_of, table_top, toned
from tests.photography.truth import Table

TABLE = 5200.0
"""Side (mm) of the table's top: more than a tilted camera sees."""
SUNK = 0.4
"""How far (mm) below the mat's print the table's top is."""
SKIN = ((0.72, 0.47, 0.36), (0.52, 0.32, 0.22), (0.34, 0.2, 0.13), (0.16, 0.09, 0.06))
SLEEVES = ((0.05, 0.07, 0.15), (0.2, 0.04, 0.05), (0.55, 0.52, 0.46), (0.04, 0.09, 0.06))

HELP = (
    "Mitsuba is missing: pip install mitsuba, and install LLVM's library (libllvm19 of Debian), whose path goes into "
    "DRJIT_LIBLLVM_PATH if it is not found."
)


def studio() -> Any:
    """Return mitsuba, ready to render.

    Raises:
        SystemExit: if it is not installed.
    """
    try:
        mitsuba: Any = importlib.import_module("mitsuba")
    except ImportError:
        raise SystemExit(HELP) from None
    mitsuba.set_variant("llvm_ad_rgb")
    return mitsuba


def rendered(mitsuba: Any, scene: Scene, samples: int) -> Floats:
    """Return the light of a scene through a pinhole, linear red, green, blue."""
    table = Table(scene)
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 3},
        "sensor": _sensor(mitsuba, scene, (table.mat.w, table.mat.h), samples),
        "ambient": {"type": "constant", "radiance": {"type": "rgb", "value": list(scene.light.ambient)}},
        "table": _table(mitsuba, scene),
        "mat": _mat(mitsuba, table),
        "pieces": _pieces(mitsuba, table),
    }
    for number, one in enumerate(scene.light.lamps):
        parts[f"lamp{number}"] = _lamp(mitsuba, one, (table.mat.w, table.mat.h))
    parts |= _hands(mitsuba, table)
    image = np.array(mitsuba.render(mitsuba.load_dict(parts), seed=scene.seed & 0x7FFFFFFF))
    return np.asarray(image[..., :3], np.float32)


def _world(points: npt.ArrayLike, mat: tuple[float, float]) -> Points:
    """Turn points (x, y, z in mm from the mat's top left corner) into the world's."""
    return np.asarray((np.asarray(points, np.float64) - [mat[0] / 2, mat[1] / 2, 0.0]) * [1.0, -1.0, 1.0])


def _sensor(mitsuba: Any, scene: Scene, mat: tuple[float, float], samples: int) -> dict[str, Any]:
    camera, film = scene.camera, film_of(scene.camera)
    _, down, forward = axes(camera) * np.array([1.0, -1.0, -1.0])
    at = _world([camera.at], mat)[0]
    look = mitsuba.ScalarTransform4f().look_at(
        origin=at.tolist(), target=(at + 100 * forward).tolist(), up=(-down).tolist()
    )
    return {
        "type": "perspective",
        "fov": math.degrees(2 * math.atan(film[0] / 2 / camera.focal)),
        "fov_axis": "x",
        "to_world": look,
        "film": {"type": "hdrfilm", "width": film[0], "height": film[1], "rfilter": {"type": "box"}},
        "sampler": {"type": "multijitter", "sample_count": samples},
    }


def _lamp(mitsuba: Any, lamp: Lamp, mat: tuple[float, float]) -> dict[str, Any]:
    at = _world([(lamp.x, lamp.y, lamp.z)], mat)[0].tolist()
    turn = mitsuba.ScalarTransform4f().look_at(origin=at, target=[0, 0, 0], up=[0.01, 1, 0.02])
    return {
        "type": "rectangle",
        "to_world": turn @ mitsuba.ScalarTransform4f().scale(lamp.half),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": list(lamp.radiance)}},
    }


def _texture(mitsuba: Any, picture: npt.NDArray[Any], raw: bool = False) -> dict[str, Any]:
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(picture)), "raw": raw, "wrap_mode": "clamp"}


def _paper(mitsuba: Any, picture: npt.NDArray[Any], roughness: float) -> dict[str, Any]:
    return {
        "type": "twosided",
        "bsdf": {"type": "roughplastic", "alpha": roughness, "diffuse_reflectance": _texture(mitsuba, picture)},
    }


def _table(mitsuba: Any, scene: Scene) -> Any:
    half = TABLE / 2
    corners = [(-half, -half, -SUNK), (half, -half, -SUNK), (half, half, -SUNK), (-half, half, -SUNK)]
    top = table_top(scene.table, scene.seed, TABLE)
    looks = {"type": "diffuse", "reflectance": _texture(mitsuba, top, raw=True)}
    return _mesh(mitsuba, "table", np.array(corners), [(0, 1, 2), (0, 2, 3)], looks, np.array(_SQUARE, np.float64))


_SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))


def _mat(mitsuba: Any, table: Table) -> Any:
    scene, mat = table.scene, table.mat
    corners = _world([(0, 0, 0), (mat.w, 0, 0), (mat.w, mat.h, 0), (0, mat.h, 0)], (mat.w, mat.h))
    print_ = toned(printed_mat(scene.game, scene.print.seats, scene.print.version == "outlines"), scene.print.mat)
    looks = _paper(mitsuba, print_, max(scene.print.roughness, 0.1))
    return _mesh(mitsuba, "mat", corners, [(0, 2, 1), (0, 3, 2)], looks, np.array(_SQUARE, np.float64))


def _pieces(mitsuba: Any, table: Table) -> Any:
    """Build all pieces as one mesh: their faces, and the sides of what is thick."""
    sheet, areas = sheet_of(table)
    high, wide = sheet.shape[:2]
    middle = [(areas[-1][0] + areas[-1][2]) / 2 / wide, (areas[-1][1] + areas[-1][3]) / 2 / high]
    corners: list[Points] = []
    where: list[npt.ArrayLike] = []
    faces: list[tuple[int, int, int]] = []
    for number, piece in enumerate(table.scene.pieces):
        edge, (low, top) = outline(table.shapes[number], piece), table.heights[number]
        x0, y0, x1, y1 = areas[number]
        upper = np.column_stack([edge, np.full(4, top)])
        quads = [(upper, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) / [wide, high])]
        if top - low > 0.5:
            lower = np.column_stack([edge, np.full(4, low)])
            quads += [
                (np.stack([upper[a], upper[b], lower[b], lower[a]]), np.array([middle] * 4))
                for a, b in ((1, 0), (2, 1), (3, 2), (0, 3))
            ]
        for quad, at in quads:
            first = 4 * len(corners)
            corners.append(_world(quad, (table.mat.w, table.mat.h)))
            where.append(at)
            faces += [(first, first + 2, first + 1), (first, first + 3, first + 2)]
    looks = _paper(mitsuba, toned(sheet, table.scene.print.cards), table.scene.print.roughness)
    return _mesh(mitsuba, "pieces", np.concatenate(corners), faces, looks, np.concatenate(where))


def _hands(mitsuba: Any, table: Table) -> dict[str, Any]:
    made: dict[str, Any] = {}
    per_hand = len(table.hands) // max(1, len(table.scene.hands))
    for number, part in enumerate(table.hands):
        tone = table.scene.hands[number // per_hand].tone
        colour = (SLEEVES if part.sleeve else SKIN)[tone % 4]
        corners, faces = mesh(part)
        looks = {"type": "diffuse", "reflectance": {"type": "rgb", "value": list(colour)}}
        world = _world(corners, (table.mat.w, table.mat.h))
        made[f"hand{number}"] = _mesh(
            mitsuba, f"hand{number}", world, faces.tolist(), {"type": "twosided", "bsdf": looks}
        )
    return made


def _mesh(
    mitsuba: Any, name: str, corners: Points, faces: list[Any], looks: dict[str, Any], where: Points | None = None
) -> Any:
    """Return a mesh; `where` says where on its texture each corner is, from the top left."""
    extra = mitsuba.Properties()
    extra["mesh_bsdf"] = mitsuba.load_dict(looks)
    made = mitsuba.Mesh(name, len(corners), len(faces), has_vertex_texcoords=where is not None, props=extra)
    values = mitsuba.traverse(made)
    values["vertex_positions"] = corners.astype(np.float32).ravel()
    values["faces"] = np.array(faces, dtype=np.uint32).ravel()
    if where is not None:
        values["vertex_texcoords"] = np.asarray(where, np.float32).ravel()
    values.update()
    return made
