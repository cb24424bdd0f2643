"""Learns to find dice and to read their tops: `python -m benchmarks.dice_training FOLDER`.

Trays to learn from are rendered into the folder first (`--trays`); then the two networks of
`companion/eye/dice/six_sided_nets.py` are trained, and their weights written beside it. It needs torch, which nothing
else does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.dice_learning import CLEAR, LEANING, SPOILED, Learned, learning_tray
from benchmarks.dice_photographs import trays_to_learn_from
from benchmarks.nets_training import Course, Kind, Sample, Tops, keep_trays, options, run
from companion.eye.dice.nets import Floats, Pose, sides_of
from companion.eye.dice.pips import PATCH
from companion.eye.dice.six_sided_nets import CLASSES, KERNELS, LEANS, NOTHING, TURNS, USUAL, patches
from companion.untyped import Foreign

TOPS = Tops(USUAL, TURNS, True)
"""Squares look the same after a quarter of a turn; pips may be mirrored."""

SHARES = {"s": 1.0, "p": 1.4, "r": 0.8}
"""How often trays are learned from: simulated ones, photographed ones of `tests/photography`, and others' photographs.
"""

LAST = 64
"""Channels of the reading network's last kernel."""


class Looker(nn.Module):  # type: ignore[misc]
    """Reads a top: what it shows, and how far the place, size and turn that were assumed are off."""

    def __init__(self) -> None:
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


def samples(
    dice: Sequence[Learned], _found: Sequence[Pose], wide: float, high: float, rng: np.random.Generator
) -> list[Sample]:
    """Return poses to look at in a tray of a size (mm): its dice, not quite where they are, and what is none."""
    some: list[Sample] = []

    def off(x: float, y: float, share: float) -> bool:
        return all(math.hypot(other.x - x, other.y - y) > share * other.size for other in dice)

    for die in dice:
        label = {CLEAR: die.value, LEANING: LEANS, SPOILED: NOTHING}.get(die.what)
        if label is not None:
            dx, dy = rng.normal(0, 0.035, 2) * die.size
            turn = die.turn + math.radians(rng.normal(0, 4)) + math.pi / 2 * int(rng.integers(4))
            some.append(
                ((die.x + dx, die.y + dy, die.size * math.exp(rng.normal(0, 0.05)), turn), die.foot, label, die)
            )
        if rng.random() < (0.9 if die.what == LEANING else 0.35):  # a leaning die shows more than one face
            way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.28, 1.1) * die.size
            x, y = die.x + far * math.cos(way), die.y + far * math.sin(way)
            side, turn = die.size * math.exp(rng.normal(0, 0.15)), die.turn if rng.random() < 0.6 else rng.uniform(0, 6)
            if off(x, y, 0.28):
                some.append(((x, y, side, turn), die.foot, NOTHING, None))
    if rng.random() < 0.5:
        x, y = rng.uniform(12, wide - 12), rng.uniform(12, high - 12)
        if off(x, y, 0.4):
            foot = dice[0].foot if dice else (0.0, 0.0)
            some.append(((x, y, rng.uniform(11, 20), rng.uniform(0, 6)), foot, NOTHING, None))
    return some


def views(flat: Floats, poses: Sequence[Pose]) -> tuple[Floats, ...]:
    """Return what is seen of tops in a tray."""
    return (np.asarray(patches(flat, poses)),)


def _layers(net: nn.Module) -> list[nn.Module]:
    return [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.Linear)]


def weights(finder: nn.Module, looker: nn.Module) -> Iterator[tuple[str, Foreign]]:
    """Yield the networks' arrays, named, as `six_sided_nets` wants them: kernels (high, wide, in, out)."""
    for prefix, net in (("find", finder), ("look", looker)):
        for number, layer in enumerate(_layers(net)):
            matrix = layer.weight.detach().numpy()
            if isinstance(layer, nn.Conv2d):
                matrix = matrix.transpose(2, 3, 1, 0)
            else:
                matrix = np.ascontiguousarray((_turned(matrix, (0, 2, 3, 1)) if number == 3 else matrix).T)
            yield f"{prefix}{number}", matrix.astype(np.float16)
            yield f"{prefix}{number}b", layer.bias.detach().numpy().astype(np.float32)


def _turned(matrix: Foreign, order: tuple[int, ...]) -> Foreign:
    """Return the hidden layer's matrix with its flattened part in another order: torch has channels before rows and
    columns, `six_sided_nets` after them; the foot comes last.
    """
    side = sides_of(PATCH, KERNELS)
    sizes = (LAST, side, side) if order == (0, 2, 3, 1) else (side, side, LAST)
    taken = matrix[:, :-2].reshape(len(matrix), *sizes).transpose(order)
    return np.concatenate([taken.reshape(len(matrix), -1), matrix[:, -2:]], axis=1)


def resume(net: nn.Module, name: str, packed: Path) -> None:
    """Let a network start as the packed one of its kind, "find" or "look"."""
    with np.load(packed) as kept, torch.no_grad():
        for number, layer in enumerate(_layers(net)):
            matrix = np.asarray(kept[f"{name}{number}"], np.float32)
            if isinstance(layer, nn.Conv2d):
                matrix = matrix.transpose(3, 2, 0, 1)
            else:
                matrix = _turned(matrix.T, (0, 3, 1, 2)) if number == 3 else matrix.T
            layer.weight.copy_(torch.from_numpy(matrix.copy()))
            layer.bias.copy_(torch.from_numpy(kept[f"{name}{number}b"].astype(np.float32)))


KIND = Kind(
    "", learning_tray, None, SHARES, TOPS, ("look", Looker), CLASSES, 192, samples, views, weights, resume, Course(0)
)


def main() -> None:
    """Render trays, train, or pack the weights."""
    parser = options(__doc__, KIND)
    parser.add_argument("--others", type=Path, help="learn from the photographs in this folder too")
    chosen = parser.parse_args()
    if chosen.others:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        keep_trays(chosen.folder / "r0", list(trays_to_learn_from(chosen.others)))
    run(KIND, chosen)


if __name__ == "__main__":
    main()
