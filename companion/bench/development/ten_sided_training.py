"""Learns to read ten-sided dice: `python -m companion.bench.development.ten_sided_training FOLDER`.

As `dice_training` does for six-sided ones: trays are rendered into the folder (`--trays`), the two networks of
`companion/eye/ten_sided_nets.py` trained (`--train`), and their weights packed (`--pack`). It needs torch, which
nothing else does.
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

from companion.bench.development.dice_learning import CLEAR, LEANING, LEFT_OUT, SPOILED
from companion.bench.development.dice_training import CROP, FIND_BATCH, Finder, find_loss
from companion.bench.development.ten_sided_learning import LearnedTen, ten_sided_learning_tray
from companion.eye.die_nets import CELL, COARSE, FINE, coarse, normal
from companion.eye.small_nets import Pose
from companion.eye.ten_sided_nets import CLASSES, LEANS, NOTHING, PATCH, USUAL, kites, packed, sides_of
from companion.untyped import Foreign

BATCH = 160

WIDTHS = (20, 40, 56, 64)
"""Channels of the reading network's kernels."""


class Reader(nn.Module):  # type: ignore[misc]
    """Reads a kite: what it shows, and how far the place, length and turn that were assumed are off."""

    def __init__(self) -> None:
        """Create it untrained."""
        super().__init__()
        layers: list[nn.Module] = []
        before = 2
        for number, width in enumerate(WIDTHS):
            layers += [nn.Conv2d(before, width, 3), nn.ReLU()]
            layers += [nn.MaxPool2d(2)] if number < len(WIDTHS) - 1 else []
            before = width
        self.layers = nn.Sequential(*layers, nn.Flatten())
        self.drop = nn.Dropout(0.2)
        self.hidden = nn.Linear(WIDTHS[-1] * sides_of(PATCH) ** 2 + 2, 96)
        self.last = nn.Linear(96, CLASSES + 4)

    def forward(self, seen: Tensor, foot: Tensor) -> Tensor:
        """Return (batch, CLASSES + 4)."""
        flat = torch.cat([self.drop(self.layers(seen)), foot], 1)
        out: Tensor = self.last(torch.relu(self.hidden(flat)))
        return out


class Trays:
    """The trays to learn from."""

    def __init__(self, folder: Path) -> None:
        """Read what is there."""
        self.flats: list[npt.NDArray[np.uint8]] = []
        self.dice: list[list[LearnedTen]] = []
        for path in sorted(folder.glob("t*.npy")):
            truth = path.with_suffix(".pkl")
            if truth.exists():
                self.flats += list(np.load(path, mmap_mode="r"))
                self.dice += [[LearnedTen(*die) for die in dice] for dice in pickle.loads(truth.read_bytes())]  # noqa: S301


def find_batch(trays: Trays, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
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
        matrix = np.array([[c, -s], [s, c]])
        shift = np.array([mid, mid]) - matrix @ (x, y)
        warp = np.column_stack([matrix, shift - 0.5 + matrix @ (0.5, 0.5)])
        crop = cv2.warpAffine(small, warp, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
        crop = crop * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20) + rng.normal(0, rng.uniform(0, 4), crop.shape)
        crops[n, 0] = normal(np.asarray(np.clip(crop, 0, 255), np.float32))
        for die in dice:
            at = (matrix @ (die.x * COARSE, die.y * COARSE) + shift) / CELL
            i, j = math.floor(at[1]), math.floor(at[0])
            pose = (math.log(die.long / USUAL), math.cos(die.turn + turn), math.sin(die.turn + turn))
            for a in (i - 1, i, i + 1):
                for b in (j - 1, j, j + 1):
                    if 0 <= a < cells and 0 <= b < cells:
                        off = at[0] - b - 0.5, at[1] - a - 0.5
                        heat = math.exp(-(off[0] ** 2 + off[1] ** 2) / 2 / 0.6**2)
                        if heat > truth[n, 0, a, b]:
                            truth[n, :, a, b] = (heat, 1.0 if die.what != LEFT_OUT else 0.3, *off, *pose)
    where = torch.from_numpy(truth)
    return torch.from_numpy(crops), where[:, :2], where[:, 2:]


Sample = tuple[Pose, tuple[float, float], int, LearnedTen | None]
"""A pose to look at, where its foot is, what it shows, and the die that is there, if one is."""


def samples(dice: Sequence[LearnedTen], wide: float, high: float, rng: np.random.Generator) -> list[Sample]:
    """Return poses to look at in a tray of a size (mm): its dice, not quite where they are, and what is none."""
    some: list[Sample] = []

    def off(x: float, y: float, share: float) -> bool:
        return all(math.hypot(other.x - x, other.y - y) > share * other.long for other in dice)

    for die in dice:
        label = {CLEAR: die.value, LEANING: LEANS, SPOILED: NOTHING}.get(die.what)
        if label is not None:
            rough = (0.7, 1.0, 1.0, 2.5)[int(rng.integers(4))]  # as it is mended, and as it is found
            dx, dy = rng.normal(0, 0.03 * rough, 2) * die.long
            turn = die.turn + math.radians(rng.normal(0, 4 * rough))
            long = die.long * math.exp(rng.normal(0, 0.04 * rough))
            some.append(((die.x + dx, die.y + dy, long, turn), die.foot, label, die))
        if rng.random() < 0.35:  # another of its faces, or none
            way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.0) * die.long
            x, y = die.x + far * math.cos(way), die.y + far * math.sin(way)
            # The sharp ends of all kites that show are where the top's is.
            tip = (die.x + 0.55 * die.long * math.cos(die.turn), die.y + 0.55 * die.long * math.sin(die.turn))
            turn = math.atan2(tip[1] - y, tip[0] - x) if rng.random() < 0.6 else rng.uniform(0, 6.3)
            if off(x, y, 0.28):
                some.append(((x, y, die.long * math.exp(rng.normal(0, 0.15)), turn), die.foot, NOTHING, None))
        if rng.random() < 0.08:  # the top, but turned: no pose to read in
            turn = die.turn + rng.uniform(0.9, 5.4)
            some.append(((die.x, die.y, die.long, turn), die.foot, NOTHING, None))
    if rng.random() < 0.5:
        x, y = rng.uniform(12, wide - 12), rng.uniform(12, high - 12)
        if off(x, y, 0.4):
            foot = dice[0].foot if dice else (0.0, 0.0)
            some.append(((x, y, rng.uniform(12, 23), rng.uniform(0, 6.3)), foot, NOTHING, None))
    return some


def read_batch(trays: Trays, rng: np.random.Generator, count: int) -> tuple[Tensor, ...]:
    """Return patches, where their dice's feet are, what they show, what is to be mended, and whether it counts."""
    seen = np.zeros((count, 2, PATCH, PATCH), np.float32)
    feet, mend = np.zeros((count, 2), np.float32), np.zeros((count, 4), np.float32)
    what, counts = np.zeros(count, np.int64), np.zeros(count, np.float32)
    n = 0
    while n < count:
        k = int(rng.integers(len(trays.flats)))
        some = samples(trays.dice[k], trays.flats[k].shape[1] / FINE, trays.flats[k].shape[0] / FINE, rng)
        if not some:
            continue
        flat = np.asarray(trays.flats[k], np.float32)
        if rng.random() < 0.3:
            flat = flat * np.float32(rng.uniform(0.7, 1.1))
        views = kites(flat, [pose for pose, *_ in some])
        for (pose, foot, label, true), view in list(zip(some, views, strict=True))[: count - n]:
            seen[n] = view
            if rng.random() < 0.3:
                seen[n, 0] += rng.normal(0, rng.uniform(0, 0.3), view[0].shape)
            c, s = math.cos(-pose[3]), math.sin(-pose[3])
            feet[n] = (foot[0] * c - foot[1] * s, foot[0] * s + foot[1] * c)
            what[n] = label
            if true is not None:
                dx, dy = (true.x - pose[0]) / pose[2], (true.y - pose[1]) / pose[2]
                turn = (true.turn - pose[3] + math.pi) % (2 * math.pi) - math.pi
                mend[n] = (dx * c - dy * s, dx * s + dy * c, math.log(true.long / pose[2]), turn)
                counts[n] = true.what == CLEAR
            n += 1
    return tuple(torch.from_numpy(each) for each in (seen, feet, what, mend, counts))


def read_loss(out: Tensor, what: Tensor, mend: Tensor, counts: Tensor) -> Tensor:
    """Return how wrong readings are, and how far mended poses are off."""
    wrong = F.cross_entropy(out[:, :CLASSES], what)
    off = ((out[:, CLASSES:] - mend).abs().sum(1) * counts).sum() / counts.sum().clamp(min=1)
    total: Tensor = wrong + 0.5 * off
    return total


def weights(net: nn.Module, prefix: str) -> Iterator[tuple[str, Foreign]]:
    """Yield a network's arrays, named, as `ten_sided_nets` wants them: whole numbers, and their steps."""
    number = 0
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            matrix = module.weight.detach().numpy().transpose(2, 3, 1, 0)
        elif isinstance(module, nn.Linear):
            matrix = module.weight.detach().numpy()
            if prefix == "read" and number == len(WIDTHS):  # the flattened part: torch has channels first
                size, last = sides_of(PATCH), WIDTHS[-1]
                taken = matrix[:, :-2].reshape(len(matrix), last, size, size).transpose(0, 2, 3, 1)
                matrix = np.concatenate([taken.reshape(len(matrix), -1), matrix[:, -2:]], axis=1)
            matrix = matrix.T
        else:
            continue
        yield from packed(f"{prefix}{number}", np.ascontiguousarray(matrix), module.bias.detach().numpy())
        number += 1


def train(net: nn.Module, folder: Path, steps: int, out: Path, seed: int) -> None:
    """Train one of the networks, and keep it."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    trays, rng = Trays(folder), np.random.default_rng(seed)
    best = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(best, 3e-3, steps, pct_start=0.1)
    total = 0.0
    for step in range(steps):
        if step % 400 == 399:
            trays = Trays(folder)
        if isinstance(net, Finder):
            crops, heat, pose = find_batch(trays, rng)
            loss = find_loss(net(crops), heat, pose)
        else:
            seen, feet, what, mend, counts = read_batch(trays, rng, BATCH)
            loss = read_loss(net(seen, feet), what, mend, counts)
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
    parser.add_argument("--train", choices=("find", "read"))
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--after", action="store_true", help="start from what the folder has of it")
    parser.add_argument("--pack", type=Path, help="write the weights to this file")
    chosen = parser.parse_args()
    folder: Path = chosen.folder
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.trays:
        first, last = chosen.trays
        for start in range(first, last, 250):
            made = [ten_sided_learning_tray(number) for number in range(start, min(last, start + 250))]
            np.save(folder / f"t{start}.npy", np.stack([flat for flat, _ in made]))
            truth = [[tuple(die) for die in dice] for _, dice in made]
            (folder / f"t{start}.pkl").write_bytes(pickle.dumps(truth))
    if chosen.train:
        net: nn.Module = Finder() if chosen.train == "find" else Reader()
        out = folder / f"{chosen.train}.pt"
        if chosen.after:
            net.load_state_dict(torch.load(out))
        train(net, folder, chosen.steps, out, 1)
    if chosen.pack:
        finder, reader = Finder(), Reader()
        finder.load_state_dict(torch.load(folder / "find.pt"))
        reader.load_state_dict(torch.load(folder / "read.pt"))
        np.savez_compressed(chosen.pack, **dict(weights(finder, "find")), **dict(weights(reader, "read")))


if __name__ == "__main__":
    main()
