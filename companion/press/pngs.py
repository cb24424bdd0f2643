"""One PNG a piece face, the mat, and a manifest that says which file is what."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.press.faces import face_image, is_token, shape_faces, shape_for
from companion.press.mats import mat_image
from companion.press.pages import cover_drawing
from companion.press.raster import render
from companion.rules.cards import Deck

CARD_SCALE = 10.0
"""Pixels a millimetre of the cards (254 dpi)."""
MAT_SCALE = 6.0
"""Pixels a millimetre of the mat (152 dpi)."""
COVER_SCALE = 10.0
"""Pixels a millimetre of the box cover."""


def write_pngs(
    deck: Deck, mat: Mat, out: Path, *, card_scale: float = CARD_SCALE, mat_scale: float = MAT_SCALE, codes: bool = True
) -> list[Path]:
    """Write every face, the box cover, the mat in colours and in outlines and `manifest.json` into the folder `out`.

    Without `codes` only tokens carry them; `mat` is for the most seats. Pieces are cards/PPP-F.png, backs
    cards/000-B.png. Raises OSError if a file can't be written.

    Raises:
        PressError: if the mat's marker dictionary is not there.
    """
    written: list[Path] = []

    def save(image: Image.Image, name: str, scale: float) -> str:
        path = out / name
        path.parent.mkdir(exist_ok=True)
        image.save(path, dpi=(scale * 25.4, scale * 25.4))
        written.append(path)
        return name

    pieces: list[dict[str, str | float]] = []
    for card in (*deck.cards, None):
        shape = shape_for(mat, card)
        for face in shape_faces(shape) if card else ("B",):
            piece = card.piece if card else BACK
            name = save(
                face_image(card, deck, shape, face, card_scale, codes=codes or is_token(shape)),
                f"cards/{piece}-{face}.png",
                card_scale,
            )
            pieces.append({"file": name, "piece": piece, "face": face, "w_mm": shape.w, "h_mm": shape.h})
    table = {"file": save(mat_image(mat, mat_scale), "mat.png", mat_scale), "w_mm": mat.w, "h_mm": mat.h}
    save(mat_image(mat, mat_scale, spare=True), "mat-outlines.png", mat_scale)
    save(render(cover_drawing(deck), COVER_SCALE), "cover.png", COVER_SCALE)
    manifest = out / "manifest.json"
    manifest.write_text(json.dumps({"mat": table, "pieces": pieces}, indent=1) + "\n", encoding="utf-8")
    return [*written, manifest]
