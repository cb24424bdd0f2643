"""Code books on disk: drawing one takes a Pi seconds, reading it milliseconds. What isn't whole is as if not there."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.files import state_dir, written_whole

log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]

MOST = 40
"""Files that are kept: four books, one a blur, for each of the last ten decks. One of 170 codes has half a megabyte."""
_DIGEST = 32


def folder() -> Path:
    """Return the folder of the books."""
    return state_dir() / "books"


@cache
def _version() -> bytes:
    """Return what changes whenever books may be drawn otherwise: the source that draws them."""
    here = Path(__file__)
    return b"".join(here.with_name(name).read_bytes() for name in ("signatures.py", "symbol.py"))


def name_of(*what: str) -> str:
    """Return the name of a book's file: what it is made from, and what makes it."""
    return hashlib.blake2b("\n".join(what).encode() + _version(), digest_size=_DIGEST // 2).hexdigest()


def load(name: str, shapes: Sequence[tuple[int, ...]]) -> tuple[Floats, ...] | None:
    """Return the arrays kept under a name, of these shapes; None if there are none, or they were spoilt."""
    sizes = [math.prod(shape) for shape in shapes]
    try:
        # Mapped, so that nothing is read, and no memory taken, of a file that claims to be larger.
        kept = np.load(folder() / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        if kept.dtype != np.uint8 or kept.shape != (_DIGEST + 4 * sum(sizes),):
            return None
        data = kept.tobytes()
    except (OSError, ValueError, EOFError):
        return None
    if data[:_DIGEST] != _digest(name, data[_DIGEST:]):
        return None
    parts = np.split(np.frombuffer(data, np.float32, offset=_DIGEST), np.cumsum(sizes)[:-1])
    return tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))


def save(name: str, parts: Iterable[Floats]) -> None:
    """Keep numbers under a name, and of other books the newest; a folder that can't be written keeps none."""
    data = b"".join(np.ascontiguousarray(part, np.float32).tobytes() for part in parts)
    try:
        with written_whole(folder() / f"{name}.npy") as file:
            np.save(file, np.frombuffer(_digest(name, data) + data, np.uint8), allow_pickle=False)
        for old in sorted(folder().glob("*.npy"), key=lambda path: path.stat().st_mtime)[:-MOST]:
            old.unlink(missing_ok=True)
    except OSError as error:
        log.info("the drawn codes are not kept: %s", error)


def _digest(name: str, data: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + data, digest_size=_DIGEST).digest()
