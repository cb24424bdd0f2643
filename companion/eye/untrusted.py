"""Reads an untrusted photograph in a process of its own, which is ended if it takes too much time or memory.

The table's own process never decodes such bytes, and zbar, whose old versions have known holes, never reads them.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from statistics import median

import msgspec
import numpy as np
from PIL import Image, UnidentifiedImageError

from companion.codes import Code, parse
from companion.eye.deck_reader import DeckReader
from companion.eye.pictures import PictureError, cut_short
from companion.eye.reader import Hints, LibraryReader, merged, quad
from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Sighting
from companion.text import plain

PATIENCE = 25.0
"""Seconds allowed for a photograph, including the start of the process."""
MOST_PIXELS = 50_000_000
"""Pixels above which a picture is not decoded: a small file may be huge in memory."""
READ_PIXELS = 12_500_000
"""Pixels to which larger pictures are reduced, just above the 4032×3024 of most phones."""
MEMORY = 768 * 1024 * 1024
"""Bytes of memory allowed for the process."""
FORMATS = ("JPEG", "PNG", "WEBP")
"""Kinds of pictures that are read, as Pillow names them: what phones send."""
TOO_LONG = "takes too long to read: take another, of the cards alone."
SIZES = (32.0, 26.7, 22.2, 18.5, 15.4, 12.9, 10.7, 8.9, 7.4, 5.6, 4.0, 2.8, 2.0)
"""Pixels a module to try where the size of the codes is unknown, from a card that fills the picture: cheapest first."""
FEWEST = 20
"""Fewest payloads from which the deck's reader can tell its codes from anything else."""


class Asked(msgspec.Struct):
    """Request to the process, sent as the first line; the picture's bytes follow."""

    game: str
    pieces: list[str]


class Answer(msgspec.Struct):
    """Reply of the process: the pieces in the picture, or what is wrong with it."""

    pieces: list[str] = []
    wrong: str = ""


def read_untrusted(data: bytes, name: str, game: str, pieces: Iterable[str]) -> set[str]:
    """Return which of a game's pieces (by its two letters) show in a picture that errors call `name`.

    Raises:
        PictureError: if it is no picture, cut short or too large, or takes too long.
    """
    asked = msgspec.json.encode(Asked(game, sorted(pieces)), enc_hook=plain)
    # No option that a folder could change: -P keeps the current one from being looked into.
    command = [sys.executable, "-P", "-m", "companion.eye.untrusted"]
    try:
        done = subprocess.run(command, input=asked + b"\n" + data, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise PictureError(f"{name} {TOO_LONG}") from None
    try:
        answer = msgspec.json.decode(done.stdout, type=Answer)
    except msgspec.MsgspecError:
        # The process died: out of memory, or the picture crashed a decoder.
        raise PictureError(f"{name} {TOO_LONG}") from None
    if answer.wrong:
        raise PictureError(f"{name} {answer.wrong}")
    return set(answer.pieces)


def decoded(data: bytes) -> Gray:
    """Decode a picture in gray, reduced to READ_PIXELS; raise PictureError if it is empty, cut short or too large."""
    if not data:
        raise PictureError("is empty: take it again.")
    if cut_short(data):
        raise PictureError("is cut short: take it again.")
    try:
        # Only these formats: Pillow's other decoders have not been reviewed.
        picture = Image.open(io.BytesIO(data), formats=FORMATS)
        wide, high = picture.size
        if wide * high > MOST_PIXELS:
            raise PictureError("has too many pixels: take it with fewer.")
        share = (READ_PIXELS / (wide * high)) ** 0.5
        if share < 1:
            size = max(1, int(wide * share)), max(1, int(high * share))
            picture.draft("L", size)
            return np.asarray(picture.convert("L").resize(size, Image.Resampling.BOX), dtype=np.uint8)
        return np.asarray(picture.convert("L"), dtype=np.uint8)
    except Image.DecompressionBombError:
        raise PictureError("has too many pixels: take it with fewer.") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, TypeError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError("is not a picture that can be read: PNG and JPEG can.") from None


def shown(gray: Gray, game: str, pieces: Iterable[str]) -> set[str]:
    """Return which of these pieces of a game show in a picture."""
    known = {str(Code(game, piece, "F")): piece for piece in pieces}
    found = LibraryReader(zbar=False).read(gray, Hints(thorough=True))
    sides = [_side(seen) for seen in found if (code := parse(seen.payload)) is not None and code.game == game]
    deck = DeckReader()
    # The deck's reader reads partly covered codes too, once their size is known.
    sizes = (median(sides) / SIDE,) if sides else SIZES
    for module in sizes if len(known) >= FEWEST else ():
        partly = deck.read(gray, Hints(module=module, payloads=frozenset(known), thorough=True))
        found = merged([*found, *partly])
        if partly:
            break
    return {known[seen.payload] for seen in found if seen.payload in known}


def _side(seen: Sighting) -> float:
    corners = quad(seen)
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def main() -> None:
    """Read one picture from standard input and write the answer to standard output."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    # In case the parent dies and can't end it.
    seconds = int(4 * PATIENCE)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    os.nice(10)
    asked = msgspec.json.decode(sys.stdin.buffer.readline(), type=Asked)
    try:
        answer = Answer(sorted(shown(decoded(sys.stdin.buffer.read()), asked.game, asked.pieces)))
    except PictureError as error:
        answer = Answer(wrong=f"{error}")
    sys.stdout.buffer.write(msgspec.json.encode(answer, enc_hook=plain))


if __name__ == "__main__":
    main()
