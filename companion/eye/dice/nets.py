"""What small networks do, in plain array arithmetic: kernels, halving, and finding tops in a coarse picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Pose = tuple[float, float, float, float]
"""Where a top is in the straightened tray: its middle and size (mm), how it is turned (radians)."""
Weights = Mapping[str, Floats]
"""A network's arrays: kernels (high, wide, in, out) and matrices (in, out) by name; what is added, by that and "b"."""

FOUND = 0.2
"""How surely a top is found, at least, to be looked at."""

CELL = 4
"""Side (coarse pixels) of the cells in which a top's middle is looked for."""


class Found(NamedTuple):
    """What may be a top: its pose, and how surely each class of its kind is what it shows; shape (4 looks, classes).

    `larger` than its held size it seems by so much (logarithm); `wiped` is how far a mirrored lamp may have changed it,
    0 to 1; `turned` if it was seen only in another turn than it was found in.
    """

    pose: Pose
    shares: Floats
    larger: float = 0.0
    wiped: float = 0.0
    turned: bool = False


def load_weights(path: Path) -> dict[str, Floats]:
    """Return a file's arrays; what was kept in whole numbers is scaled by its steps, by channel (name and "s")."""
    with np.load(path) as kept:
        arrays = {name: np.asarray(kept[name], np.float32) for name in kept.files}
    return {
        name: np.asarray(array * arrays[name + "s"], np.float32) if name + "s" in arrays else array
        for name, array in arrays.items()
        if not name.endswith("s")
    }


def convolved(weights: Weights, seen: Floats, name: str, step: int = 1, pad: int = 0, apart: int = 1) -> Floats:
    """Return a layer's answer to (pictures, rows, columns, channels); `apart` is the distance of a kernel's places."""
    kernel, bias = weights[name], weights[name + "b"]
    if pad:
        seen = np.pad(seen, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    high, wide = kernel.shape[:2]
    rows = (seen.shape[1] - apart * (high - 1) - 1) // step + 1
    columns = (seen.shape[2] - apart * (wide - 1) - 1) // step + 1
    parts = [
        seen[:, i * apart : i * apart + rows * step : step, j * apart : j * apart + columns * step : step]
        for i in range(high)
        for j in range(wide)
    ]
    answer = np.concatenate(parts, axis=3) @ kernel.reshape(-1, kernel.shape[3])
    answer += bias
    return np.asarray(answer, np.float32)


def positive(seen: Floats) -> Floats:
    """Return what is positive, else 0; it changes what it is given."""
    return np.maximum(seen, 0, out=seen)


def halved(seen: Floats) -> Floats:
    """Return the strongest of every two by two places."""
    high, wide = seen.shape[1] // 2 * 2, seen.shape[2] // 2 * 2
    up = np.maximum(seen[:, 0:high:2, :wide], seen[:, 1:high:2, :wide])
    return np.maximum(up[:, :, 0::2], up[:, :, 1::2])


def tops(
    weights: Weights, seen: Floats, cell: float, told: Callable[[Sequence[float]], tuple[float, float]], least: float
) -> list[tuple[Pose, float]]:
    """Return poses of tops, and how surely (from `least`), in a coarse picture with cells of so many mm.

    `told` makes a size (mm) and a turn of an answer; of two nearer than half a size the surer counts.
    """
    layer = seen[None, :, :, None]
    layer = positive(convolved(weights, layer, "find0", step=2, pad=2))
    layer = positive(convolved(weights, layer, "find1", step=2, pad=1))
    layer = positive(convolved(weights, layer, "find2", pad=1))
    layer = positive(convolved(weights, layer, "find3", pad=2, apart=2))
    layer = positive(convolved(weights, layer, "find4", pad=2, apart=2))
    answer = convolved(weights, layer, "find5")[0]
    heat = 1 / (1 + np.exp(-answer[:, :, 0]))
    peaks = np.argwhere((heat >= least) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))))
    found: list[tuple[Pose, float]] = []
    for i, j in sorted(peaks.tolist(), key=lambda at: -heat[at[0], at[1]]):
        _, dx, dy, *rest = answer[i, j].tolist()
        size, turn = told(rest)
        pose = ((j + 0.5 + dx) * cell, (i + 0.5 + dy) * cell, size, turn)
        if not any(math.hypot(pose[0] - x, pose[1] - y) < 0.5 * min(size, other) for (x, y, other, _), _ in found):
            found.append((pose, float(heat[i, j])))
    return found


def sides_of(patch: int, kernels: int) -> int:
    """Return how many cells a side of a patch has after so many kernels of 3 by 3, halved between them."""
    for _ in range(kernels - 1):
        patch = (patch - 2) // 2
    return patch - 2


def leveled(seen: Floats) -> Floats:
    """Return levels of the mean 0 and the spread 1."""
    return np.asarray(np.clip((seen - seen.mean()) / (seen.std() + 4.0), -4, 4), np.float32)


def burnt_out(seen: Floats) -> Floats:
    """Return how far places are burnt out, 0 to 1."""
    return np.asarray(np.clip((seen - 230) / 20, 0, 1), np.float32)


def seen_by(weights: Weights, views: Floats, name: str, kernels: int) -> Floats:
    """Return what so many kernels see in views (views, layers, rows, columns), halved between them, as a row a view."""
    seen = np.ascontiguousarray(views.transpose(0, 2, 3, 1))
    for layer in range(kernels - 1):
        seen = halved(positive(convolved(weights, seen, f"{name}{layer}")))
    return positive(convolved(weights, seen, f"{name}{kernels - 1}")).reshape(len(seen), -1)


def answered(weights: Weights, seen: Sequence[Floats], names: tuple[str, str], classes: int) -> tuple[Floats, Floats]:
    """Return what two last layers make of what is seen: classes, as shares of one, and how far poses are off."""
    hidden, last = names
    made = np.concatenate(seen, axis=1) @ weights[hidden] + weights[hidden + "b"]
    answer = np.asarray(np.maximum(made, 0) @ weights[last] + weights[last + "b"], np.float32)
    return shares(answer[:, :classes]), answer[:, classes:]


def mended(pose: Pose, by: Sequence[float], held: bool = False) -> Pose:
    """Return a pose mended by a network: its place (sizes, along its axes), its turn, and its size unless `held`."""
    x, y, size, turn = pose
    dx, dy, larger, more = by
    c, s = math.cos(turn), math.sin(turn)
    return (
        x + size * (dx * c - dy * s),
        y + size * (dx * s + dy * c),
        size if held else size * math.exp(min(0.3, max(-0.3, larger))),
        turn + more,
    )


def feet_from(poses: Sequence[Pose], feet: Sequence[tuple[float, float]]) -> Floats:
    """Return where dice's feet are seen, along their tops' own axes."""
    turned = [
        (x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn))
        for (x, y), (_, _, _, turn) in zip(feet, poses, strict=True)
    ]
    return np.array(turned, np.float32).reshape(-1, 2)


def shares(answer: Floats) -> Floats:
    """Return what a network says of classes as shares of one."""
    says = np.exp(answer - answer.max(axis=1, keepdims=True))
    return np.asarray(says / says.sum(axis=1, keepdims=True), np.float32)
