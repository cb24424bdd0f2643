"""Draws the numerals of ten-sided dice: `python -m benchmarks.numerals`, which needs Debian's fonts.

Packages: fonts-liberation, fonts-dejavu-core, fonts-dejavu-extra, fonts-roboto-unhinted, fonts-texgyre,
fonts-comfortaa, fonts-dosis, fonts-jura, fonts-lobstertwo, fonts-open-sans, fonts-cabin, fonts-lato, fonts-quicksand,
fonts-tuffy, fonts-linuxlibertine, fonts-cantarell. What is kept are pictures of ten numerals of each
(`companion/sim/numerals.npz`), not the fonts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from companion.sim.ten_sided import NUMERALS, TALL

FONTS = Path("/usr/share")

FACES = {
    "liberation-sans": "fonts/truetype/liberation/LiberationSans-Bold.ttf",
    "dejavu-sans": "fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "roboto": "fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
    "century": "texmf/fonts/opentype/public/tex-gyre/texgyreschola-bold.otf",
    "liberation-serif": "fonts/truetype/liberation/LiberationSerif-Bold.ttf",
    "bookman": "texmf/fonts/opentype/public/tex-gyre/texgyrebonum-bold.otf",
    "comfortaa": "fonts/truetype/comfortaa/Comfortaa-Bold.ttf",
    "dosis": "fonts/opentype/dosis/Dosis-Bold.otf",
    "lobster": "fonts/opentype/lobstertwo/LobsterTwo-Bold.otf",
    "jura": "fonts/opentype/jura/Jura-Bold.otf",
    "lato": "fonts/truetype/lato/Lato-Heavy.ttf",
    "quicksand": "fonts/truetype/quicksand/Quicksand-Bold.ttf",
    "tuffy": "fonts/truetype/tuffy/Tuffy_Bold.ttf",
    "libertine": "fonts/opentype/linux-libertine/LinLibertine_RB.otf",
    "biolinum": "fonts/opentype/linux-libertine/LinBiolinum_RB.otf",
    "cantarell": "fonts/opentype/cantarell/Cantarell-ExtraBold.otf",
    "liberation-mono": "fonts/truetype/liberation/LiberationMono-Bold.ttf",
    "liberation-narrow": "fonts/truetype/liberation/LiberationSansNarrow-Bold.ttf",
    "liberation-italic": "fonts/truetype/liberation/LiberationSerif-BoldItalic.ttf",
    "roboto-condensed": "fonts/truetype/roboto/unhinted/RobotoCondensed-Bold.ttf",
    "roboto-italic": "fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-BlackItalic.ttf",
    "cursor": "texmf/fonts/opentype/public/tex-gyre/texgyrecursor-bold.otf",
    "dejavu-mono": "fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "gothic": "texmf/fonts/opentype/public/tex-gyre/texgyreadventor-bold.otf",
    "dejavu-serif": "fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
    "open-sans": "fonts/truetype/open-sans/OpenSans-Bold.ttf",
    "palatino": "texmf/fonts/opentype/public/tex-gyre/texgyrepagella-bold.otf",
    "cabin": "fonts/opentype/cabin/Cabin-Bold.otf",
}
"""The type faces, and where their fonts are. Their licences: NOTICES.md."""

_NAMES = tuple(FACES)
LEARNED_FACES, TUNING_FACES, JUDGING_FACES = _NAMES[:23], _NAMES[23:25], _NAMES[25:]
"""The type faces to learn from, to set thresholds with, and to judge by, with which nothing is learned or set."""


def drawn(font: Path) -> list[npt.NDArray[np.bool_]]:
    """Return the numerals 0 to 9 of a font, each as high as an 8 of `TALL` pixels asks for."""
    trial = ImageFont.truetype(str(font), 400)
    box = trial.getbbox("8")
    exact = ImageFont.truetype(str(font), round(400 * TALL / (box[3] - box[1])))
    found = []
    for digit in "0123456789":
        left, top, right, bottom = exact.getbbox(digit)
        sheet = Image.new("L", (round(right - left) + 4, round(bottom - top) + 4))
        ImageDraw.Draw(sheet).text((2 - left, 2 - top), digit, font=exact, fill=255)
        ink = np.asarray(sheet) > 127
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        found.append(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    return found


def main() -> None:
    """Draw all faces, and keep them."""
    kept: dict[str, npt.NDArray[np.uint8]] = {}
    for name, file in FACES.items():
        for digit, ink in enumerate(drawn(FONTS / file)):
            kept[f"{name}.{digit}"] = np.concatenate(
                [np.array([ink.shape[1]], np.uint8), np.packbits(ink, axis=1).ravel()]
            )
    np.savez_compressed(NUMERALS, allow_pickle=False, **kept)


if __name__ == "__main__":
    main()
