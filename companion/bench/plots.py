"""The benchmark's plot: recall over pixels a module. Needs matplotlib.

Readable in print and for the colour-blind: colours of Okabe and Ito (2008), and every line with its own mark and dash.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from companion.bench import readers
from companion.bench.figures import BenchError, optional
from companion.bench.recall import Cell
from companion.untyped import Foreign

MISSING = "matplotlib is not installed (pip install 'companion[bench]'), so there are no plots"

STYLES: dict[str, tuple[str, str, str, float]] = {
    readers.OURS: ("#0072b2", "o", "-", 2.2),
    readers.PLACED: ("#56b4e9", "D", "--", 1.6),
    readers.QUICK: ("#0072b2", ".", ":", 1.2),
    readers.LIBRARIES: ("#999999", "h", "--", 1.2),
    readers.ZXING: ("#e69f00", "s", "-", 1.4),
    readers.ZXING_2: ("#d55e00", "^", "-", 1.4),
    readers.ZBAR: ("#009e73", "v", "-.", 1.4),
    readers.OPENCV: ("#cc79a7", "x", ":", 1.2),
    readers.OPENCV_ARUCO: ("#cc79a7", "P", "-", 1.2),
    readers.WECHAT: ("#000000", "*", "--", 1.2),
}
"""Colour, mark, dash and width of each reader's line."""

LEFT_OUT = (readers.LIBRARIES,)
"""Readers that would lie on another's line: the companion's libraries are zxing-cpp on 2× with pyzbar's help."""

SETTINGS = {"savefig.dpi": 150, "font.size": 8, "axes.spines.top": False, "axes.spines.right": False}


def pyplot() -> Foreign:
    """Return matplotlib's pyplot, set up for files only; raise BenchError if it is not installed."""
    matplotlib = optional("matplotlib")
    if matplotlib is None:
        raise BenchError(MISSING)
    matplotlib.use("agg")
    return optional("matplotlib.pyplot")


def saved(plt: Foreign, figure: Foreign, folder: Path, name: str) -> Path:
    """Write a figure as a PNG into a folder, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    plt.close(figure)
    # Few colours are enough, and make a small file.
    Image.open(drawn).convert("RGB").quantize(64).save(path, optimize=True)
    return path


def draw_recall(cells: Sequence[Cell], folder: Path) -> Path:
    """Draw recall over px a module, panels by condition, into `recall.png`; raise BenchError without matplotlib."""
    plt = pyplot()
    conditions = list(dict.fromkeys(cell.condition for cell in cells))
    names = [name for name in dict.fromkeys(cell.reader for cell in cells) if name not in LEFT_OUT]
    modules = sorted({cell.module for cell in cells})
    across = min(3, len(conditions))
    down = -(-len(conditions) // across)
    with plt.rc_context(SETTINGS):
        figure, panels = plt.subplots(
            down,
            across,
            figsize=(2.9 * across, 1.85 * down + 0.9),
            sharex=True,
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for panel, condition in zip(panels.flat, conditions, strict=False):
            panel.set_title(condition, fontsize=9, loc="left")
            panel.axhline(0.99, color="#bbbbbb", lw=0.7, zorder=0)
            for name in reversed(names):  # ours on top
                mine = [cell for cell in cells if cell.condition == condition and cell.reader == name]
                points = [(cell.module, cell.recall) for cell in mine if cell.recall is not None]
                colour, mark, dash, width = STYLES.get(name, ("#666666", ".", "-", 1.0))
                panel.plot(
                    [x for x, _ in points],
                    [y for _, y in points],
                    color=colour,
                    marker=mark,
                    ls=dash,
                    lw=width,
                    ms=4,
                    label=name,
                    clip_on=False,
                )
            panel.set_xscale("log")
            panel.set_xticks(modules, [f"{module:g}" for module in modules])
            panel.minorticks_off()
            panel.set_ylim(0, 1)
            panel.grid(axis="y", color="#eeeeee", lw=0.6)
        for panel in list(panels.flat)[len(conditions) :]:
            panel.set_axis_off()
        for panel in panels[:, 0]:
            panel.set_ylabel("recall")
        for number, panel in enumerate(panels.flat):
            if number < len(conditions) <= number + across:
                panel.set_xlabel("pixels a module")
                panel.tick_params(labelbottom=True)
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=4, frameon=False)
        return saved(plt, figure, folder, "recall.png")
