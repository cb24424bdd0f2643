"""What training the networks of six-sided and of ten-sided dice has in common; it needs torch."""

from __future__ import annotations

import argparse
import math
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from benchmarks.dice_learning import CLEAR, LEFT_OUT, Learned, Made
from companion.eye.dice.nets import CELL, Floats, Pose
from companion.eye.dice.straight import COARSE, FINE, coarse, normal
from companion.untyped import Foreign

CROP = 112
"""Side of the crops (coarse pixels) in which finding is learned; a multiple of `CELL`."""

FIND_BATCH = 24

OF_A_TRAY = 12
"""Samples of a tray in a batch, at most."""

AT_ONCE = 250
"""Trays of a file."""

SEED = 1
"""What training takes by chance follows from it."""


class Tops(NamedTuple):
    """A kind of tops: their usual size (mm), after which part of a full turn they look the same, whether they may be
    mirrored.
    """

    usual: float
    turns: int
    mirrored: bool


class Finder(nn.Module):  # type: ignore[misc]
    """Finds dice: for every cell how surely a top's middle is in it, and the top's place, size and turn."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 12, 5, 2, 2),
            nn.ReLU(),
            nn.Conv2d(12, 24, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(24, 32, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, 1, 2, 2),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, 1, 2, 2),
            nn.ReLU(),
            nn.Conv2d(32, 6, 1),
        )

    def forward(self, seen: Tensor) -> Tensor:
        """Return (batch, 6, rows, columns)."""
        out: Tensor = self.layers(seen)
        return out


class Trays:
    """The trays to learn from."""

    def __init__(self, folder: Path, shares: Mapping[str, float]) -> None:
        """Read what is there of each name, as often as its share asks for beside the first's trays, at least once."""
        self.flats: list[npt.NDArray[np.uint8]] = []
        self.dice: list[list[Learned]] = []
        self.found: list[list[Pose]] = []
        """Where an earlier network of the kind has seen tops, rightly or wrongly, if it was asked."""
        first = 0
        for name, share in shares.items():
            before = len(self.flats)
            for path in sorted(folder.glob(f"{name}*.npy")):
                truth = path.with_suffix(".pkl")
                if truth.exists():
                    self._read(path, truth)
            count = len(self.flats) - before
            first = first or count
            for _ in range(round(share * first / count) - 1 if count else 0):
                self.flats += self.flats[before : before + count]
                self.dice += self.dice[before : before + count]
                self.found += self.found[before : before + count]

    def _read(self, path: Path, truth: Path) -> None:
        self.flats += list(np.load(path, mmap_mode="r"))
        self.dice += [[Learned(*die) for die in dice] for dice in pickle.loads(truth.read_bytes())]  # noqa: S301
        found = path.with_suffix(".found")
        seen = pickle.loads(found.read_bytes()) if found.exists() else []  # noqa: S301
        self.found += [[pose for pose, _ in each] for each in seen]
        self.found += [[] for _ in range(len(self.dice) - len(self.found))]


def keep_trays(path: Path, made: Sequence[Made], find: Callable[[Floats], object] | None = None) -> None:
    """Keep trays of one size to learn from, in files of a path without its ending; `find` says where dice are seen."""
    if find is not None:
        seen = [find(np.asarray(flat, np.float32)) for flat, _ in made]
        path.with_suffix(".found").write_bytes(pickle.dumps(seen))
    np.save(path.with_suffix(".npy"), np.stack([flat for flat, _ in made]))
    truth = [[tuple(die) for die in dice] for _, dice in made]
    path.with_suffix(".pkl").write_bytes(pickle.dumps(truth))


def find_batch(trays: Trays, rng: np.random.Generator, tops: Tops) -> tuple[Tensor, Tensor, Tensor]:
    """Return crops of trays, and for each cell whether a top is there, how much that counts, and its pose."""
    crops = np.zeros((FIND_BATCH, 1, CROP, CROP), np.float32)
    cells = CROP // CELL
    truth = np.zeros((FIND_BATCH, 7, cells, cells), np.float32)
    for n in range(FIND_BATCH):
        k = int(rng.integers(len(trays.flats)))
        small = coarse(np.asarray(trays.flats[k], np.float32))
        high, wide = small.shape
        dice = trays.dice[k]
        if dice and rng.random() < 0.85:
            die = dice[int(rng.integers(len(dice)))]
            x, y = die.x * COARSE + rng.uniform(-45, 45), die.y * COARSE + rng.uniform(-45, 45)
        else:
            x, y = rng.uniform(0, wide), rng.uniform(0, high)
        turn = float(rng.uniform(0, 2 * math.pi))
        c, s, mid = math.cos(turn), math.sin(turn), CROP / 2
        flip = -1.0 if tops.mirrored and rng.random() < 0.5 else 1.0
        matrix = np.array([[c, -s], [s, c]]) @ np.diag([1.0, flip])
        shift = np.array([mid, mid]) - matrix @ (x, y)
        warp = np.column_stack([matrix, shift - 0.5 + matrix @ (0.5, 0.5)])
        crop = cv2.warpAffine(small, warp, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
        crop = crop * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20) + rng.normal(0, rng.uniform(0, 4), crop.shape)
        crops[n, 0] = normal(np.asarray(np.clip(crop, 0, 255), np.float32))
        for die in dice:
            _put(truth[n], die, matrix, shift, tops)
    where = torch.from_numpy(truth)
    return torch.from_numpy(crops), where[:, :2], where[:, 2:]


def _put(
    truth: Floats, die: Learned, matrix: npt.NDArray[np.float64], shift: npt.NDArray[np.float64], tops: Tops
) -> None:
    """Write a die into the truth of a crop's cells; `matrix` and `shift` (coarse pixels) lead there from the tray."""
    cells = truth.shape[1]
    at = (matrix @ (die.x * COARSE, die.y * COARSE) + shift) / CELL
    i, j = math.floor(at[1]), math.floor(at[0])
    way = matrix @ (math.cos(die.turn), math.sin(die.turn))
    turn = tops.turns * math.atan2(way[1], way[0])
    pose = (math.log(die.size / tops.usual), math.cos(turn), math.sin(turn))
    for a in (i - 1, i, i + 1):
        for b in (j - 1, j, j + 1):
            if 0 <= a < cells and 0 <= b < cells:
                off = at[0] - b - 0.5, at[1] - a - 0.5
                heat = math.exp(-(off[0] ** 2 + off[1] ** 2) / 2 / 0.6**2)
                if heat > truth[0, a, b]:
                    truth[:, a, b] = (heat, 1.0 if die.what != LEFT_OUT else 0.3, *off, *pose)


def find_loss(out: Tensor, heat: Tensor, pose: Tensor) -> Tensor:
    """Return how far found poses are off."""
    there = heat[:, 0]
    each = F.binary_cross_entropy_with_logits(out[:, 0], there, reduction="none")
    soft = torch.sigmoid(out[:, 0])
    focal = (each * ((soft - there).abs() ** 1.0 + 0.05)).sum()
    away = ((out[:, 1:] - pose).abs().sum(1) * there * heat[:, 1]).sum()
    total: Tensor = (4 * focal + away) / there.sum().clamp(min=1)
    return total


def read_loss(out: Tensor, classes: int, what: Tensor, mend: Tensor, counts: Tensor) -> Tensor:
    """Return how wrong readings are, and how far mended poses are off."""
    wrong = F.cross_entropy(out[:, :classes], what)
    off = ((out[:, classes:] - mend).abs().sum(1) * counts).sum() / counts.sum().clamp(min=1)
    total: Tensor = wrong + 0.5 * off
    return total


def along(way: tuple[float, float], turn: float) -> tuple[float, float]:
    """Return a way along axes that are turned so far."""
    c, s = math.cos(-turn), math.sin(-turn)
    return way[0] * c - way[1] * s, way[0] * s + way[1] * c


def mend_of(pose: Pose, true: Learned, turns: int) -> tuple[float, float, float, float]:
    """Return by what a pose is to be mended: its place (sizes, along its own axes), size and turn."""
    dx, dy = along(((true.x - pose[0]) / pose[2], (true.y - pose[1]) / pose[2]), pose[3])
    step = 2 * math.pi / turns
    turn = true.turn - pose[3]
    return dx, dy, math.log(true.size / pose[2]), turn - round(turn / step) * step


class Course(NamedTuple):
    """How long is trained, at what rate at most, with what decay; `half`: in numbers of 16 bits."""

    steps: int
    most: float = 3e-3
    decay: float = 1e-4
    half: bool = False


Sample = tuple[Pose, tuple[float, float], int, Learned | None]
"""A pose to look at, where its foot is, what it shows, and the die that is there, if one is."""


class Kind(NamedTuple):
    """What training knows of a kind of dice: what its files begin with, how its trays are rendered and how often each
    sort of them is learned from; its tops, the network that reads them, in how many classes, in batches of which size;
    samples of a tray of a size (mm) and what is seen of them; the packed weights, and how to start from a file.
    """

    prefix: str
    tray: Callable[[int], Made]
    find: Callable[[Floats], object] | None
    shares: Mapping[str, float]
    tops: Tops
    reader: tuple[str, Callable[[], Foreign]]
    classes: int
    batch: int
    samples: Callable[[Sequence[Learned], Sequence[Pose], float, float, np.random.Generator], list[Sample]]
    views: Callable[[Floats, Sequence[Pose]], tuple[Floats, ...]]
    weights: Callable[[nn.Module, Foreign], Iterator[tuple[str, Foreign]]]
    resume: Callable[[nn.Module, str, Path], None]
    course: Course


def read_batch(trays: Trays, rng: np.random.Generator, kind: Kind) -> tuple[Tensor, ...]:
    """Return what is seen of samples, where their feet are, what they show, what is to be mended, whether it counts."""
    count = kind.batch
    seen: list[tuple[Floats, ...]] = []
    feet, mend = np.zeros((count, 2), np.float32), np.zeros((count, 4), np.float32)
    what, counts = np.zeros(count, np.int64), np.zeros(count, np.float32)
    while len(seen) < count:
        k = int(rng.integers(len(trays.flats)))
        flat = np.asarray(trays.flats[k], np.float32)
        if rng.random() < 0.3:
            flat = flat * np.float32(rng.uniform(0.7, 1.1))
        some = kind.samples(trays.dice[k], trays.found[k], flat.shape[1] / FINE, flat.shape[0] / FINE, rng)
        some = [some[i] for i in rng.permutation(len(some))[: min(OF_A_TRAY, count - len(seen))]]
        views = zip(*kind.views(flat, [pose for pose, *_ in some]), strict=True) if some else ()
        for (pose, foot, label, true), (first, *rest) in zip(some, views, strict=True):
            n = len(seen)
            flip = -1.0 if kind.tops.mirrored and rng.random() < 0.5 else 1.0
            view = np.array(first[:, :, ::-1] if flip < 0 else first)
            if rng.random() < 0.3:
                view[0] += rng.normal(0, rng.uniform(0, 0.3), view[0].shape)
            seen.append((view, *rest))
            fx, fy = along(foot, pose[3])
            feet[n], what[n] = (flip * fx, fy), label
            if true is not None:
                dx, dy, larger, turn = mend_of(pose, true, kind.tops.turns)
                mend[n], counts[n] = (flip * dx, dy, larger, flip * turn), true.what == CLEAR
    parts = [np.stack(part) for part in zip(*seen, strict=True)]
    return tuple(torch.from_numpy(each) for each in (*parts, feet, what, mend, counts))


def learned(kind: Kind, net: nn.Module, trays: Trays, rng: np.random.Generator) -> Tensor:
    """Return how far a network is off in a batch."""

    def laid(seen: Tensor) -> Tensor:
        return seen.contiguous(memory_format=torch.channels_last) if kind.course.half else seen

    if isinstance(net, Finder):
        crops, heat, pose = find_batch(trays, rng, kind.tops)
        return find_loss(net(laid(crops)).float(), heat, pose)
    *seen, feet, what, mend, counts = read_batch(trays, rng, kind)
    return read_loss(net(*map(laid, seen), feet).float(), kind.classes, what, mend, counts)


def options(about: str | None, kind: Kind) -> argparse.ArgumentParser:
    """Return the command line of a training."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trays", type=int, nargs=2, metavar=("FROM", "TO"))
    parser.add_argument("--train", choices=("find", kind.reader[0]))
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--most", type=float, default=3e-3, help="the highest rate of learning")
    parser.add_argument("--after", type=Path, help="start from the weights in this file")
    parser.add_argument("--pack", type=Path, help="write the weights to this file")
    return parser


def run(kind: Kind, chosen: argparse.Namespace) -> None:
    """Render trays, train, or pack the weights."""
    folder: Path = chosen.folder
    folder.mkdir(parents=True, exist_ok=True)
    first, last = chosen.trays or (0, 0)
    for start in range(first, last, AT_ONCE):
        made = [kind.tray(number) for number in range(start, min(last, start + AT_ONCE))]
        keep_trays(folder / f"{kind.prefix}s{start}", made, kind.find)
    name, reader = kind.reader
    files = {each: folder / f"{kind.prefix}{each}.pt" for each in ("find", name)}
    if chosen.train:
        net: nn.Module = Finder() if chosen.train == "find" else reader()
        if chosen.after:
            kind.resume(net, chosen.train, chosen.after)
        course = kind.course._replace(steps=chosen.steps, most=chosen.most)
        train(net, lambda: Trays(folder, kind.shares), partial(learned, kind), course, files[chosen.train])
    if chosen.pack:
        nets = Finder(), reader()
        for each, file in zip(nets, files.values(), strict=True):
            each.load_state_dict(torch.load(file))
        np.savez_compressed(chosen.pack, **dict(kind.weights(*nets)))


def train(
    net: nn.Module,
    read: Callable[[], Trays],
    loss: Callable[[nn.Module, Trays, np.random.Generator], Tensor],
    course: Course,
    out: Path,
) -> None:
    """Train a network, and keep it; trays that are rendered meanwhile are read as well."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(SEED)
    trays, rng = read(), np.random.default_rng(SEED)
    if course.half:
        net = net.to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), course.most, weight_decay=course.decay)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, course.most, course.steps, pct_start=0.1)
    total = 0.0
    for step in range(course.steps):
        if step % 400 == 399:
            trays = read()
        with torch.autocast("cpu", torch.bfloat16, enabled=course.half):
            off = loss(net, trays, rng)
        best.zero_grad()
        off.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        rate.step()
        total += off.item()
        if step % 100 == 99:
            print(f"{step + 1} of {course.steps}: {total / 100:.4f} ({len(trays.flats)} trays)", flush=True)
            total = 0.0
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)
