"""Files that are there whole or as they were before, even if the plug is pulled while they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def written_whole(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Yield a file to write (and to read back) that takes the name `path` once it is complete and on disk.

    Its folder is made if need be; `mode` is what is allowed to whom. If anything fails the file of that name stays as
    it was, and nothing else is left behind.

    Raises:
        OSError: if the folder can't be written, or the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode), "w+b") as file:
            os.fchmod(file.fileno(), mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        names_kept(path.parent)
    finally:
        fresh.unlink(missing_ok=True)


def names_kept(folder: Path) -> None:
    """Have a folder's new names on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
