"""Where data and state lie, and files that are there whole or as they were before, even if the plug is pulled."""

from __future__ import annotations

import fcntl
import os
import shutil
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
    """List the files of a data folder that fit a pattern, an owner's own before the packaged ones.

    What lies in a folder whose name begins with a dot is half written, and none of them.
    """
    found = (path for root in _roots() for path in sorted((root / folder).glob(pattern)))
    return [path for path in found if not path.parent.name.startswith(".")]


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


@contextmanager
def exchanged(folder: Path) -> Iterator[Path]:
    """Yield a copy of a folder, to be changed, which takes its place once all of it is on disk; an empty one, none.

    Its files are shared with the folder, so they are exchanged (`written_whole`) or deleted, and not written into. The
    folder need not be there. If anything fails it stays as it was; what a power cut leaves, `settle_exchanges` settles.

    Raises:
        OSError: if it can't be written.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with held(folder.parent):
        fresh, old = _settled(folder)
        try:
            if folder.is_dir():
                shutil.copytree(folder, fresh, symlinks=True, copy_function=_linked)
            else:
                fresh.mkdir()
            yield fresh
            for place in (fresh, *(path for path in fresh.rglob("*") if path.is_dir() and not path.is_symlink())):
                names_kept(place)
            if not any(fresh.iterdir()):
                fresh.rmdir()
                if folder.is_dir():
                    folder.rename(fresh)
            else:
                if folder.is_dir():
                    folder.rename(old)
                fresh.rename(folder)
            names_kept(folder.parent)
        finally:
            _settled(folder)


def settle_exchanges(home: Path) -> None:
    """Finish, or undo, what a power cut left of the exchanges in the folders of a folder."""
    for path in (*home.glob("*/.*.old"), *home.glob("*/.*.new")):
        if path.is_dir():
            with held(path.parent):
                _settled(path.with_name(path.name[1:-4]))


def _settled(folder: Path) -> tuple[Path, Path]:
    """Throw away what lies beside a folder of an exchange; return where a fresh and the old one lie in the next."""
    fresh, old = (folder.with_name(f".{folder.name}.{end}") for end in ("new", "old"))
    if old.exists() and not folder.exists():
        old.rename(folder)
    for path in (fresh, old):
        shutil.rmtree(path, ignore_errors=True)
    return fresh, old


def _linked(source: str, to: str) -> None:
    try:
        os.link(source, to, follow_symlinks=False)
    except OSError:  # a FAT stick knows no links, and Linux allows none to a file of somebody else's
        with written_whole(Path(to)) as file:
            file.write(Path(source).read_bytes())


@contextmanager
def held(folder: Path, share: bool = False) -> Iterator[None]:
    """Wait until no other thread or program exchanges folders in a folder, and hold it; `share`: to read from it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if share else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def names_kept(folder: Path) -> None:
    """Write a folder's new names to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
