"""Reads the codes in picture files: what `companion read` prints."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from companion.codes import parse
from companion.eye.pictures import PictureError, load
from companion.eye.reader import Hints, LibraryReader, Reader
from companion.eye.view import Gray


def read_image(path: Path | str, reader: Reader | None = None, letters: str | None = None) -> dict[str, Any]:
    """Read every code of ours in a picture file.

    Args:
        path: the file.
        reader: reads codes; the libraries' one if none is given.
        letters: only codes of the deck with these two letters; of any deck if None.

    Returns:
        `{"image", "sightings": [{"code", "piece", "face", "corners": [[x, y] × 4], "reader"}], "ignored", "ms"}`, where
        corners are pixels, top left as the code is printed and then clockwise, and `ignored` counts codes that are
        none of ours (or of another deck); or `{"image", "error"}` with a sentence.
    """
    try:
        gray, _ = load(Path(path))
    except PictureError as error:
        return {"image": str(path), "error": str(error)}
    return read_picture(gray, str(path), reader, letters)


def read_picture(gray: Gray, name: str, reader: Reader | None = None, letters: str | None = None) -> dict[str, Any]:
    """Read every code of ours in a picture that is called `name`; gives what `read_image` gives."""
    started = time.perf_counter()
    found = (reader or LibraryReader()).read(gray, Hints(thorough=True))
    sightings, ignored = [], 0
    for one in sorted(found, key=lambda one: (one.payload, one.corners)):
        code = parse(one.payload)
        if code is None or (letters is not None and code.game != letters):
            ignored += 1
            continue
        corners = [[round(x, 2), round(y, 2)] for x, y in one.corners]
        sightings.append(
            {"code": one.payload, "piece": code.piece, "face": code.face, "corners": corners, "reader": one.reader}
        )
    ms = round((time.perf_counter() - started) * 1000, 1)
    return {"image": name, "sightings": sightings, "ignored": ignored, "ms": ms}
