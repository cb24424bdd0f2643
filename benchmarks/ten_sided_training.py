"""Learns to read ten-sided dice: `python -m benchmarks.ten_sided_training FOLDER`.

As `dice_training` does for six-sided ones: trays are rendered into the folder (`--trays`), the two networks of
`companion/eye/ten_sided_nets.py` trained (`--train`), and their weights packed (`--pack`). It needs torch, which
nothing else does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from benchmarks.dice_learning import CLEAR, LEANING, LEFT_OUT, SPOILED, Learned
from benchmarks.nets_training import Course, Kind, Sample, Tops, options, run
from benchmarks.ten_sided_learning import ten_sided_learning_tray as learning_tray
from companion.eye.dice.nets import Floats, Pose, sides_of
from companion.eye.dice.straight import coarse
from companion.eye.dice.ten_sided_nets import CLASSES, LEANS, NOTHING, PATCH, USUAL, WHOLE, find, kites, packed, wholes
from companion.untyped import Foreign

TOPS = Tops(USUAL, 1, False)
"""Kites look the same after a whole turn only, and numerals can't be mirrored."""

SHARES = {"ten-s": 1.0, "ten-p": 1.5}
"""How often trays are learned from: simulated ones, and photographed ones of `tests/photography`."""

WIDTHS, WIDTHS_WHOLE, HIDDEN = (24, 48, 64, 64), (16, 32, 32), 128
"""Channels of the kernels that see a kite and a whole die, and what is made of both."""


class Reader(nn.Module):  # type: ignore[misc]
    """Reads a kite: what it shows, and how far the place, length and turn that were assumed are off."""

    def __init__(self) -> None:
        super().__init__()
        self.kite, self.whole = _kernels(2, WIDTHS), _kernels(1, WIDTHS_WHOLE)
        self.drop = nn.Dropout(0.2)
        seen = sum(widths[-1] * side**2 for widths, side in _flattened())
        self.hidden = nn.Linear(seen + 2, HIDDEN)
        self.last = nn.Linear(HIDDEN, CLASSES + 4)

    def forward(self, kite: Tensor, whole: Tensor, foot: Tensor) -> Tensor:
        """Return (batch, CLASSES + 4)."""
        flat = torch.cat([self.drop(self.kite(kite)), self.drop(self.whole(whole)), foot], 1)
        out: Tensor = self.last(torch.relu(self.hidden(flat)))
        return out


def _kernels(before: int, widths: Sequence[int]) -> nn.Sequential:
    """Return kernels of 3 by 3, halved between them."""
    layers: list[nn.Module] = []
    for number, width in enumerate(widths):
        layers += [nn.Conv2d(before, width, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        layers += [nn.MaxPool2d(2)] if number < len(widths) - 1 else []
        before = width
    return nn.Sequential(*layers, nn.Flatten())


def _flattened() -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the channels and the cells a side of what kernels see in the end, of a kite and of a whole die."""
    return ((WIDTHS, sides_of(PATCH, len(WIDTHS))), (WIDTHS_WHOLE, sides_of(WHOLE, len(WIDTHS_WHOLE))))


LABELS = {CLEAR: None, LEANING: LEANS, SPOILED: NOTHING}
"""What is learned of a die, None: its value."""


def samples(
    dice: Sequence[Learned], found: Sequence[Pose], wide: float, high: float, rng: np.random.Generator
) -> list[Sample]:
    """Return poses to look at in a tray of a size (mm): its dice, not quite where they are, and what is none.

    `found` is where tops were seen, rightly or wrongly.
    """
    some: list[Sample] = []

    def nothing(pose: Pose, foot: tuple[float, float], share: float = 0.28) -> None:
        if all(math.hypot(other.x - pose[0], other.y - pose[1]) > share * other.size for other in dice):
            some.append((pose, foot, NOTHING, None))

    for die in dice:
        if die.what != LEFT_OUT:
            rough = (0.7, 1.0, 1.0, 2.5)[int(rng.integers(4))]  # as it is mended, and as it is found
            some.append((_off(_pose_of(die), rng, rough), die.foot, _label(die), die))
        if die.others and rng.random() < 0.45:
            nothing(_off(die.others[int(rng.integers(len(die.others)))], rng, 1.0), die.foot)
        if rng.random() < 0.2:
            nothing(_beside(die, rng), die.foot)
        if rng.random() < 0.08:  # the top, but turned: no pose to read in
            turn = die.turn + rng.uniform(0.9, 5.4)
            some.append(((die.x, die.y, die.size, turn), die.foot, NOTHING, None))
    for pose in found:
        if rng.random() < 0.6:
            some += _as_found(pose, dice)
    x, y = rng.uniform(12, wide - 12), rng.uniform(12, high - 12)
    nothing((x, y, rng.uniform(12, 23), rng.uniform(0, 6.3)), dice[0].foot if dice else (0.0, 0.0), 0.4)
    return some


def _beside(die: Learned, rng: np.random.Generator) -> Pose:
    """Return the pose of a part of a die, or of what is beside it."""
    way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.0) * die.size
    x, y = die.x + far * math.cos(way), die.y + far * math.sin(way)
    # The sharp ends of all kites that show are where the top's is.
    tip = (die.x + 0.55 * die.size * math.cos(die.turn), die.y + 0.55 * die.size * math.sin(die.turn))
    turn = math.atan2(tip[1] - y, tip[0] - x) if rng.random() < 0.6 else rng.uniform(0, 6.3)
    return x, y, die.size * math.exp(rng.normal(0, 0.15)), turn


def _pose_of(die: Learned) -> Pose:
    return die.x, die.y, die.size, die.turn


def _label(die: Learned) -> int:
    label = LABELS[die.what]
    return die.value if label is None else label


def _off(pose: Pose, rng: np.random.Generator, rough: float) -> Pose:
    """Return a pose that is a little off."""
    x, y, long, turn = pose
    dx, dy = rng.normal(0, 0.03 * rough, 2) * long
    turn += math.radians(rng.normal(0, 4 * rough))
    return float(x + dx), float(y + dy), long * math.exp(rng.normal(0, 0.04 * rough)), turn


def _as_found(pose: Pose, dice: Sequence[Learned]) -> list[Sample]:
    """Return what is to be learned where a top was seen: the die's value if it is there, nothing if none is."""
    x, y, _, turn = pose
    near = min(dice, key=lambda die: math.hypot(die.x - x, die.y - y), default=None)
    if near is None:
        return [(pose, (0.0, 0.0), NOTHING, None)]
    away = math.hypot(near.x - x, near.y - y) / near.size
    askew = abs((near.turn - turn + math.pi) % (2 * math.pi) - math.pi)
    if away < 0.22 and askew < 0.7:
        return [] if near.what == LEFT_OUT else [(pose, near.foot, _label(near), near)]
    if (near.what in (LEFT_OUT, LEANING) and away < 0.8) or (away < 0.28 and askew < 0.9):
        return []
    return [(pose, near.foot, NOTHING, None)]


def views(flat: Floats, poses: Sequence[Pose]) -> tuple[Floats, ...]:
    """Return what is seen of kites in a tray, and of the whole dice."""
    return np.asarray(kites(flat, poses)), np.asarray(wholes(coarse(flat), poses))


def weights(finder: nn.Module, reader: Reader) -> Iterator[tuple[str, Foreign]]:
    """Yield the networks' arrays, named, as `ten_sided_nets` wants them: whole numbers, and their steps."""
    kernels = [module for module in finder.modules() if isinstance(module, nn.Conv2d)]
    for number, kernel in enumerate(kernels):
        yield from packed(f"find{number}", _last(kernel.weight), kernel.bias.detach().numpy())
    for name, layers in (("read", reader.kite), ("whole", reader.whole)):
        pairs = [(layers[i], layers[i + 1]) for i in range(len(layers)) if isinstance(layers[i], nn.Conv2d)]
        for number, (kernel, norm) in enumerate(pairs):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            bias = (norm.bias - norm.running_mean * scale).detach().numpy()
            yield from packed(f"{name}{number}", _last(kernel.weight * scale[:, None, None, None]), bias)
    matrix, parts = reader.hidden.weight.detach().numpy(), []
    for widths, side in _flattened():  # torch has channels first
        count = widths[-1] * side**2
        part, matrix = matrix[:, :count], matrix[:, count:]
        parts.append(part.reshape(HIDDEN, widths[-1], side, side).transpose(0, 2, 3, 1).reshape(HIDDEN, count))
    whole = np.concatenate([*parts, matrix], axis=1)
    yield from packed("last0", np.ascontiguousarray(whole.T), reader.hidden.bias.detach().numpy())
    yield from packed("last1", reader.last.weight.detach().numpy().T.copy(), reader.last.bias.detach().numpy())


def _last(weight: Tensor) -> npt.NDArray[np.float32]:
    """Return a kernel whose channels are last, as `ten_sided_nets` has it."""
    return np.ascontiguousarray(weight.detach().numpy().transpose(2, 3, 1, 0))


def resume(net: nn.Module, _name: str, file: Path) -> None:
    """Let a network start as one that a training kept."""
    net.load_state_dict(torch.load(file))


COURSE = Course(0, decay=1e-3, half=True)
KIND = Kind(
    "ten-", learning_tray, find, SHARES, TOPS, ("read", Reader), CLASSES, 160, samples, views, weights, resume, COURSE
)

if __name__ == "__main__":
    run(KIND, options(__doc__, KIND).parse_args())
