"""Public sets of labelled dice as `dice --photographs` reads them: `python -m benchmarks.dice_labels SET OUT [SIDE]`.

A set has the boxes of YOLO (`labels/…/1.txt` for `images/…/1.jpg`: a class, 0 for a one, and its box as shares of the
picture), or folders named 1 to 6 of pictures of one die each, which may lie anywhere in its picture: then SIDE is the
usual side of a top (px). What judges is kept apart from what tunes by what the files are called.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

import cv2
import msgspec

from benchmarks.dice_photographs import EDGE, OTHERS, Others, Picture, read_gray

SIDE, PX_PER_MM = 16.0, 2.4
"""A usual die's side (mm), and how large dice are shown."""
BOX = 1.2
"""A box's side in those of the top in it, which is turned anyhow."""
Boxes = list[tuple[float, float, float, float, int]]


def boxes(path: Path) -> Boxes:
    """Return a picture's dice: x, y, width and height as shares of it, and the value; none where it has no label."""
    label = Path(*("labels" if part == "images" else part for part in path.with_suffix(".txt").parts))
    if "images" in path.parts and label.is_file():
        lines = [[float(number) for number in line.split()] for line in label.read_text().splitlines()]
        return [(x, y, w, h, int(kind) + 1) for kind, x, y, w, h in lines]
    return [(0.5, 0.5, 1.0, 1.0, int(path.parent.name))] if path.parent.name in tuple("123456") else []


def convert(folder: Path, out: Path, side: float | None = None) -> int:
    """Write a set's pictures, in gray and as large as a table shows dice, with their truth; return how many dice."""
    told: list[Picture] = []
    out.mkdir(parents=True, exist_ok=True)
    border = round(2 * EDGE * PX_PER_MM)
    around = (border, border, border, border)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".bmp") or not (dice := boxes(path)):
            continue
        gray = read_gray(path)
        h, w = gray.shape
        top = side or median((a * w * b * h) ** 0.5 / BOX for _, _, a, b, _ in dice)
        scale = PX_PER_MM * SIDE / top
        small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        name = "-".join(path.relative_to(folder).with_suffix(".png").parts)
        cv2.imwrite(str(out / name), cv2.copyMakeBorder(small, *around, cv2.BORDER_REPLICATE))
        h, w = small.shape[:2]
        truth = tuple((x * w + border, y * h + border, (a * w * b * h) ** 0.5, value) for x, y, a, b, value in dice)
        told.append(Picture(name, folder.name, PX_PER_MM, True, truth))
    (out / OTHERS).write_bytes(msgspec.json.encode(Others({folder.name: "its own"}, tuple(told))))
    return sum(len(picture.dice) for picture in told)


if __name__ == "__main__":
    print(convert(Path(sys.argv[1]), Path(sys.argv[2]), *map(float, sys.argv[3:])), "dice")
