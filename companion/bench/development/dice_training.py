"""Learns to find dice and to read their tops: `python -m companion.bench.development.dice_training FOLDER`.

Trays to learn from are rendered into the folder first (`--trays`); then the two networks of `companion/eye/die_nets.py`
are trained, and their weights written to `companion/eye/die_nets.npz`. It needs torch, which nothing else does.
"""

from __future__ import annotations

import argparse
import math
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from companion.bench.development.dice_learning import CLEAR, LEANING, LEFT_OUT, SPOILED, Learned, learning_tray
from companion.eye.die_nets import (
    CELL,
    CLASSES,
    COARSE,
    FINE,
    KERNELS,
    LEANS,
    NOTHING,
    PATCH,
    coarse,
    normal,
    patches,
)
from companion.eye.small_nets import Pose, sides_of
from companion.untyped import Foreign

CROP = 112
"""Side of the crops (coarse pixels) in which finding is learned; a multiple of `CELL`."""

BATCH, FIND_BATCH = 192, 24

LAST = 64
"""Channels of the reading network's last kernel."""


class Finder(nn.Module):  # type: ignore[misc]
    """Finds dice: for every cell how surely a top's middle is in it, and the top's place, size and turn."""

    def __init__(self) -> None:
        """Create it untrained."""
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


class Looker(nn.Module):  # type: ignore[misc]
    """Reads a top: what it shows, and how far the place, size and turn that were assumed are off."""

    def __init__(self) -> None:
        """Create it untrained."""
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(2, 24, 3),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(24, 48, 3),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(48, LAST, 3),
            nn.ReLU(),
            nn.Flatten(),
        )
        size = sides_of(PATCH, KERNELS)
        self.hidden = nn.Linear(LAST * size * size + 2, 128)
        self.last = nn.Linear(128, CLASSES + 4)

    def forward(self, seen: Tensor, foot: Tensor) -> Tensor:
        """Return (batch, CLASSES + 4)."""
        out: Tensor = self.last(torch.relu(self.hidden(torch.cat([self.layers(seen), foot], 1))))
        return out


class Trays:
    """The trays to learn from."""

    def __init__(self, folder: Path) -> None:
        """Read what is there."""
        self.flats: list[npt.NDArray[np.uint8]] = []
        self.dice: list[list[Learned]] = []
        for path in sorted(folder.glob("s*.npy")):
            truth = path.with_suffix(".pkl")
            if truth.exists():
                self.flats += list(np.load(path, mmap_mode="r"))
                self.dice += [[Learned(*die) for die in dice] for dice in pickle.loads(truth.read_bytes())]  # noqa: S301


def find_batch(trays: Trays, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return crops of trays, and for each cell whether a die is there, how much that counts, and its pose."""
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
        flip = -1.0 if rng.random() < 0.5 else 1.0
        matrix = np.array([[c, -s], [s, c]]) @ np.diag([1.0, flip])
        shift = np.array([mid, mid]) - matrix @ (x, y)
        warp = np.column_stack([matrix, shift - 0.5 + matrix @ (0.5, 0.5)])
        crop = cv2.warpAffine(small, warp, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
        crop = crop * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20) + rng.normal(0, rng.uniform(0, 4), crop.shape)
        crops[n, 0] = normal(np.asarray(np.clip(crop, 0, 255), np.float32))
        for die in dice:
            at = (matrix @ (die.x * COARSE, die.y * COARSE) + shift) / CELL
            i, j = math.floor(at[1]), math.floor(at[0])
            way = matrix @ (math.cos(die.turn), math.sin(die.turn))
            four = 4 * math.atan2(way[1], way[0])
            pose = (math.log(die.side / 15), math.cos(four), math.sin(four))
            for a in (i - 1, i, i + 1):
                for b in (j - 1, j, j + 1):
                    if 0 <= a < cells and 0 <= b < cells:
                        off = at[0] - b - 0.5, at[1] - a - 0.5
                        heat = math.exp(-(off[0] ** 2 + off[1] ** 2) / 2 / 0.6**2)
                        if heat > truth[n, 0, a, b]:
                            truth[n, :, a, b] = (heat, 1.0 if die.what != LEFT_OUT else 0.3, *off, *pose)
    where = torch.from_numpy(truth)
    return torch.from_numpy(crops), where[:, :2], where[:, 2:]


def find_loss(out: Tensor, heat: Tensor, pose: Tensor) -> Tensor:
    """Return how far found poses are off."""
    there = heat[:, 0]
    each = F.binary_cross_entropy_with_logits(out[:, 0], there, reduction="none")
    soft = torch.sigmoid(out[:, 0])
    focal = (each * ((soft - there).abs() ** 1.0 + 0.05)).sum()
    away = ((out[:, 1:] - pose).abs().sum(1) * there * heat[:, 1]).sum()
    total: Tensor = (4 * focal + away) / there.sum().clamp(min=1)
    return total


Sample = tuple[Pose, tuple[float, float], int, Learned | None]
"""A pose to look at, where its foot is, what it shows, and the die that is there, if one is."""


def samples(dice: Sequence[Learned], wide: float, high: float, rng: np.random.Generator) -> list[Sample]:
    """Return poses to look at in a tray of a size (mm): its dice, not quite where they are, and what is none."""
    some: list[Sample] = []

    def off(x: float, y: float, share: float) -> bool:
        return all(math.hypot(other.x - x, other.y - y) > share * other.side for other in dice)

    for die in dice:
        label = {CLEAR: die.value, LEANING: LEANS, SPOILED: NOTHING}.get(die.what)
        if label is not None:
            dx, dy = rng.normal(0, 0.035, 2) * die.side
            turn = die.turn + math.radians(rng.normal(0, 4)) + math.pi / 2 * int(rng.integers(4))
            some.append(
                ((die.x + dx, die.y + dy, die.side * math.exp(rng.normal(0, 0.05)), turn), die.foot, label, die)
            )
        if rng.random() < (0.9 if die.what == LEANING else 0.35):  # a leaning die shows more than one face
            way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.28, 1.1) * die.side
            x, y = die.x + far * math.cos(way), die.y + far * math.sin(way)
            side, turn = die.side * math.exp(rng.normal(0, 0.15)), die.turn if rng.random() < 0.6 else rng.uniform(0, 6)
            if off(x, y, 0.28):
                some.append(((x, y, side, turn), die.foot, NOTHING, None))
    if rng.random() < 0.5:
        x, y = rng.uniform(12, wide - 12), rng.uniform(12, high - 12)
        if off(x, y, 0.4):
            foot = dice[0].foot if dice else (0.0, 0.0)
            some.append(((x, y, rng.uniform(11, 20), rng.uniform(0, 6)), foot, NOTHING, None))
    return some


def look_batch(trays: Trays, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
    """Return patches, where their dice's feet are, what they show, what is to be mended, and whether it counts."""
    seen = np.zeros((count, 2, PATCH, PATCH), np.float32)
    feet, mend = np.zeros((count, 2), np.float32), np.zeros((count, 4), np.float32)
    what, counts = np.zeros(count, np.int64), np.zeros(count, np.float32)
    n = 0
    while n < count:
        k = int(rng.integers(len(trays.flats)))
        flat = np.asarray(trays.flats[k], np.float32)
        if rng.random() < 0.3:
            flat = flat * np.float32(rng.uniform(0.7, 1.1))
        some = samples(trays.dice[k], flat.shape[1] / FINE, flat.shape[0] / FINE, rng)
        views = patches(flat, [pose for pose, *_ in some])
        for (pose, foot, label, true), view in list(zip(some, views, strict=True))[: count - n]:
            flip = -1.0 if rng.random() < 0.5 else 1.0
            seen[n] = view[:, :, ::-1] if flip < 0 else view
            if rng.random() < 0.3:
                seen[n, 0] += rng.normal(0, rng.uniform(0, 0.3), view[0].shape)
            c, s = math.cos(-pose[3]), math.sin(-pose[3])
            feet[n] = (flip * (foot[0] * c - foot[1] * s), foot[0] * s + foot[1] * c)
            what[n] = label
            if true is not None:
                dx, dy = (true.x - pose[0]) / pose[2], (true.y - pose[1]) / pose[2]
                turn = true.turn - pose[3]
                turn -= round(turn / (math.pi / 2)) * math.pi / 2
                mend[n] = (flip * (dx * c - dy * s), dx * s + dy * c, math.log(true.side / pose[2]), flip * turn)
                counts[n] = true.what == CLEAR
            n += 1
    return tuple(torch.from_numpy(each) for each in (seen, feet, what, mend, counts))


def look_loss(out: Tensor, what: Tensor, mend: Tensor, counts: Tensor) -> Tensor:
    """Return how wrong readings are, and how far mended poses are off."""
    wrong = F.cross_entropy(out[:, :CLASSES], what)
    off = ((out[:, CLASSES:] - mend).abs().sum(1) * counts).sum() / counts.sum().clamp(min=1)
    total: Tensor = wrong + 0.5 * off
    return total


def weights(net: nn.Module, prefix: str) -> Iterator[tuple[str, Foreign]]:
    """Yield a network's arrays, named, as `die_nets` wants them: kernels (high, wide, in, out)."""
    number = 0
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            yield f"{prefix}{number}", module.weight.detach().numpy().transpose(2, 3, 1, 0).astype(np.float16)
            yield f"{prefix}{number}b", module.bias.detach().numpy().astype(np.float32)
            number += 1
        elif isinstance(module, nn.Linear):
            matrix = module.weight.detach().numpy()
            if number == 3:  # the flattened part: torch has channels first, die_nets last
                size = sides_of(PATCH, KERNELS)
                taken = matrix[:, :-2].reshape(len(matrix), LAST, size, size).transpose(0, 2, 3, 1)
                matrix = np.concatenate([taken.reshape(len(matrix), -1), matrix[:, -2:]], axis=1)
            yield f"{prefix}{number}", np.ascontiguousarray(matrix.T).astype(np.float16)
            yield f"{prefix}{number}b", module.bias.detach().numpy().astype(np.float32)
            number += 1


def resume(net: nn.Module, prefix: str, packed: Path) -> None:
    """Let a network start as a packed one of its kind, as large or smaller, so that it says the same as that one.

    What is new in it sees something at random, and has no say yet.
    """
    layers = [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.Linear)]
    size = sides_of(PATCH, KERNELS)
    with np.load(packed) as kept, torch.no_grad():
        before: int | None = None  # how many channels the layer before had
        for number, layer in enumerate(layers):
            old = np.asarray(kept[f"{prefix}{number}"], np.float32)
            if isinstance(layer, nn.Conv2d):
                weight = torch.from_numpy(old.transpose(3, 2, 0, 1).copy())
            elif number == 3:
                spread = old[:-2].reshape(size, size, -1, old.shape[1]).transpose(3, 2, 0, 1)
                weight = torch.from_numpy(spread.copy())
            else:
                weight = torch.from_numpy(old.T.copy())
            count = len(weight)
            if isinstance(layer, nn.Linear) and number == 3:
                new = layer.weight[:, :-2].reshape(len(layer.weight), -1, size, size)
                new[:count, before:] = 0
                new[:count, : weight.shape[1]] = weight
                layer.weight[:, :-2] = new.reshape(len(layer.weight), -1)
                layer.weight[:count, -2:] = torch.from_numpy(old[-2:].T.copy())
            else:
                layer.weight[:count, before or weight.shape[1] :] = 0
                layer.weight[:count, : weight.shape[1]] = weight
            layer.bias[:count] = torch.from_numpy(np.asarray(kept[f"{prefix}{number}b"], np.float32))
            before = count


def train(net: nn.Module, folder: Path, steps: int, out: Path, seed: int) -> None:
    """Train one of the networks, and keep it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    trays, rng = Trays(folder), np.random.default_rng(seed)
    best = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-4)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, 3e-3, steps, pct_start=0.1)
    total = 0.0
    for step in range(steps):
        if step % 400 == 399:
            trays = Trays(folder)
        if isinstance(net, Finder):
            crops, heat, pose = find_batch(trays, rng)
            loss = find_loss(net(crops), heat, pose)
        else:
            seen, feet, what, mend, counts = look_batch(trays, rng, BATCH)
            loss = look_loss(net(seen, feet), what, mend, counts)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        rate.step()
        total += loss.item()
        if step % 100 == 99:
            print(f"{step + 1} of {steps}: {total / 100:.4f} ({len(trays.flats)} trays)", flush=True)
            total = 0.0
            torch.save(net.state_dict(), out)


def main() -> None:
    """Render trays, train, or pack the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trays", type=int, nargs=2, metavar=("FROM", "TO"))
    parser.add_argument("--train", choices=("find", "look"))
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--after", type=Path, help="start from these packed weights")
    parser.add_argument("--pack", type=Path, help="write the weights to this file")
    chosen = parser.parse_args()
    folder: Path = chosen.folder
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.trays:
        first, last = chosen.trays
        for start in range(first, last, 500):
            made = [learning_tray(number) for number in range(start, min(last, start + 500))]
            np.save(folder / f"s{start}.npy", np.stack([flat for flat, _ in made]))
            truth = [[tuple(die) for die in dice] for _, dice in made]
            (folder / f"s{start}.pkl").write_bytes(pickle.dumps(truth))
    if chosen.train:
        net: nn.Module = Finder() if chosen.train == "find" else Looker()
        if chosen.after:
            resume(net, chosen.train, chosen.after)
        train(net, folder, chosen.steps, folder / f"{chosen.train}.pt", 1)
    if chosen.pack:
        finder, looker = Finder(), Looker()
        finder.load_state_dict(torch.load(folder / "find.pt"))
        looker.load_state_dict(torch.load(folder / "look.pt"))
        np.savez_compressed(chosen.pack, **dict(weights(finder, "find")), **dict(weights(looker, "look")))


if __name__ == "__main__":
    main()
