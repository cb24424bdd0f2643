"""Where data and state lie, and files that are there whole or as they were before, even if the plug is pulled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_HERE = Path(__file__).resolve().parent


def state_dir() -> Path:
    """Return the folder for journals, settings and recordings: `COMPANION_STATE`, else the user's state folder."""
    named = os.environ.get("COMPANION_STATE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "companion"


def owner_dir() -> Path:
    """Return the folder whose files lie over the packaged ones: `COMPANION_DATA`, else `data` in the state folder."""
    named = os.environ.get("COMPANION_DATA")
    return Path(named) if named else state_dir() / "data"


def data(name: str) -> Path:
    """Find a data file or folder such as "card_codes/five-cards-collector/deck.toml".

    An owner's own file comes first, then the packaged one, then the checkout's.

    Raises:
        FileNotFoundError: if it is in none of them.
    """
    tried = [root / name for root in _roots()]
    for path in tried:
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is not there; looked in " + ", ".join(str(path.parent) for path in tried))


def everywhere(folder: str, pattern: str) -> list[Path]:
    """List the files of a data folder that fit a pattern, an owner's own before the packaged ones."""
    return [path for root in _roots() for path in sorted((root / folder).glob(pattern))]


def _roots() -> list[Path]:
    return [owner_dir(), _HERE / "data", _HERE.parent]


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
    """Write a folder's new names to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
