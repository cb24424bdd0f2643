"""All matches and settings in one file, and back again.

A zip: `companion-backup.json` (format, version, time, each file's length and SHA-256), `journal.db` by SQLite's online
backup (a match may go on), the settings, and the owner's files under `data/`. Recordings stay out (large, private), and
so do phones' keys, which must not count again.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import logging
import os
import shutil
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Annotated

import msgspec

from companion.appliance.health import own_version
from companion.files import held, names_kept, owner_dir, settle_exchanges, written_whole
from companion.untyped import read_json

log = logging.getLogger(__name__)

MANIFEST = "companion-backup.json"
FORMAT = 1
JOURNAL = "journal.db"
OWN = "data"
"""The folder in the state folder that holds the owner's files."""
KEYS = "seats.json"
READ_ONLY = (".toml", ".txt")
"""Endings of the owner's files that are read and no more: cards, boards, wiring. All others may be run by a page."""
DECKS, PICTURES = "decks", (".json", ".png")
"""The folder of taught decks, and the endings of its files, which are read and checked, never run."""
PAGES = "web"
"""The folder of the owner's that pages are made of: a template in it is a program."""
RESTORING = ".restoring-"
"""Begins the name of the folder in the state folder in which a restore works."""
FRESH, PLAN = "fresh", "plan"
"""In that folder: what was unpacked, and, as long as things change places, which."""
STOP = "on a box: sudo systemctl stop companion.socket companion"
LARGEST = 4 * 1024**3
"""Bytes that a backup may unpack to."""
CHUNK = 1 << 20
"""Bytes that are held in memory at a time, however large a file is."""
TABLES = {"matches", "records", "names"}
"""What a journal has had from the beginning."""


class BackupError(Exception):
    """A backup that can't be made or taken back; the message is one sentence that says what to do."""


class Part(msgspec.Struct, frozen=True):
    """A file in a backup."""

    size: Annotated[int, msgspec.Meta(ge=0)]
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup says of itself. `matches` is how many there are in its journal."""

    format: int
    version: str
    at: str
    matches: int
    files: dict[str, Part]


class Plan(msgspec.Struct, frozen=True):
    """A restore by names in the state folder: first `old` goes to the folder `aside`, then `new` comes."""

    aside: str
    old: list[str]
    new: list[str]


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a backup: its `manifest`, files `left_out`, and the folder `aside` of former ones (None: none)."""

    manifest: Manifest
    aside: Path | None
    left_out: list[str]


def backup(folder: Path, out: IO[bytes]) -> Manifest:
    """Write a state folder's irreplaceable files as one zip; raise BackupError if there are none, or it fails."""
    undo_cut_restore(folder)
    try:
        with tempfile.TemporaryDirectory(dir=roomy()) as made:
            copies, matches = _copied(folder, Path(made))
            if not copies:
                raise BackupError(
                    f"there is nothing to keep in {folder} yet; is it the right folder (COMPANION_STATE)?"
                )
            # Of the copies, which nobody changes: what is said of a file must be true of what goes in.
            manifest = Manifest(
                format=FORMAT,
                version=own_version(),
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                matches=matches,
                files={name: _part(copies[name]) for name in sorted(copies)},
            )
            with zipfile.ZipFile(out, "w") as file:
                file.writestr(_entry(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest)))
                for name, part in manifest.files.items():
                    with copies[name].open("rb") as source, file.open(_entry(name, part.size), "w") as to:
                        shutil.copyfileobj(source, to, CHUNK)
    except sqlite3.Error as error:
        raise BackupError(f"the journal in {folder} can't be copied: {error}") from None
    except OSError as error:
        raise BackupError(
            f"the backup can't be made: {error.strerror or error} ({error.filename or 'the file'})"
        ) from None
    return manifest


def backup_to(folder: Path, path: Path) -> Manifest:
    """Write a backup to a new file, whole and the owner's only; raise BackupError as `backup`, or if it exists."""
    if path.exists():
        raise BackupError(f"{path} is there already: choose another name")
    try:
        with written_whole(path, 0o600) as file:
            return backup(folder, file)
    except OSError as error:
        raise BackupError(f"{path} can't be written: {error.strerror or error}") from None


def roomy() -> str | None:
    """Name the folder for what is large and soon gone; None: the usual one, which is memory on Debian 13."""
    large = "/var/tmp"  # noqa: S108  (what is made in it gets names of its own)
    return large if "TMPDIR" not in os.environ and os.access(large, os.W_OK) else None


def restore(
    folder: Path, given: IO[bytes], *, pages: bool = False, fault: Callable[[str], None] = lambda _: None
) -> Restored:
    """Take a backup back: check all of it first, put aside what is there, then put it in place.

    Keys of phones are left out; without `pages` also whatever this computer might run (templates): a backup's sums find
    damage, not malice. `fault` is called with a name after each step, for tests to stop there.

    Raises:
        BackupError: if it is none, or damaged, the companion is running, or something can't be moved; nothing has
            changed then.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder, f"a companion is using {folder}: stop it first ({STOP})"):
            _undo_all(folder, fault)
            work = Path(tempfile.mkdtemp(prefix=RESTORING, dir=folder))
            try:
                manifest, left_out = _unpack(given, work / FRESH, shutil.disk_usage(folder).free, pages)
                fault("unpacked")
                aside = _change_places(folder, work, fault)
            finally:
                # While there is a plan it is not undone yet, and the next start has to know how.
                if not (work / PLAN).exists():
                    shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        disk = " (is it a disk of its own? Unmount it first)" if error.errno == errno.EBUSY else ""
        raise BackupError(
            f"the backup can't be taken back, and all is as it was before: {error.strerror or error}, "
            f"{error.filename}{disk}"
        ) from None
    return Restored(manifest=manifest, aside=aside, left_out=left_out)


def undo_cut_restore(folder: Path, fault: Callable[[str], None] = lambda _: None) -> None:
    """Put everything back if a restore was cut short, so that no table begins on half of it; call it first.

    What was unpacked is thrown away; folders that were being exchanged are whole again.

    Raises:
        BackupError: if it can't be undone, or a backup is being taken back at this moment.
    """
    try:
        if any(folder.glob(f"{RESTORING}*")):
            with _alone(folder, f"a backup is being taken back in {folder}: start again when that is done"):
                _undo_all(folder, fault)
        for home in {folder / OWN, owner_dir()}:
            settle_exchanges(home)
    except OSError as error:
        raise BackupError(
            f"a restore was cut short, and {folder} can't be written to undo it ({error.strerror or error}): what was "
            f"there before lies in its newest folder replaced-…"
        ) from None


def _copied(folder: Path, into: Path) -> tuple[dict[str, Path], int]:
    """Copy what belongs in a backup, for it may change meanwhile: {name in the backup: the copy}, and the matches."""
    copies: dict[str, Path] = {}
    matches = 0
    with ExitStack() as still:
        # What is more than one file is copied before or after it is exchanged.
        for place in sorted((folder / OWN).glob("*/")):
            still.enter_context(held(place, share=True))
        for path in _settings(folder):
            name = path.relative_to(folder).as_posix()
            if not _belongs(name):
                raise BackupError(f"a file has letters in its name that can't be kept: rename {str(path)!a}")
            copies[name] = into / name
            copies[name].parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copies[name])
    if (folder / JOURNAL).is_file():
        copies[JOURNAL] = into / JOURNAL
        matches = _copy_journal(folder / JOURNAL, copies[JOURNAL])
    return copies, matches


def _settings(folder: Path) -> Iterator[Path]:
    """Yield the settings and the owner's files."""
    for path in sorted(folder.glob("*.json")):
        # The list of contents of another backup, which somebody has unpacked here, is none of ours.
        if path.is_file() and path.name not in (KEYS, MANIFEST):
            yield path
    for path in sorted((folder / OWN).rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        return Part(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _entry(name: str, size: int = 0) -> zipfile.ZipInfo:
    """Make a file's entry in the archive. A Pi without a network may live in 1970; a zip knows 1980 to 2107."""
    now = datetime.now(UTC).timetuple()[:6]
    info = zipfile.ZipInfo(name, min(max(now, (1980, 1, 1, 0, 0, 0)), (2107, 12, 31, 23, 59, 58)))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    info.file_size = size
    return info


def _copy_journal(path: Path, to: Path) -> int:
    """Copy a journal while it may be written, check the copy, and count its matches."""
    source = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(source, uri=True)) as live, closing(sqlite3.connect(to)) as copy:
        live.backup(copy)
        # One file, without a log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
    return _check_journal(to)


def _check_journal(path: Path) -> int:
    """Count the matches in a journal; raise BackupError if it is none, or damaged."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables >= TABLES:
                raise BackupError("the journal in it is none of Companion's")
            said = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if said != "ok":
                raise BackupError(f"the journal in it is damaged ({said})")
            return int(db.execute("SELECT count(*) FROM matches").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise BackupError(f"the journal in it is damaged ({error})") from None


def _unpack(given: IO[bytes], into: Path, free: int, pages: bool) -> tuple[Manifest, list[str]]:
    """Unpack and check every file that is taken, and list the others; the names in a backup are not trusted."""
    into.mkdir()
    try:
        with zipfile.ZipFile(given) as file:
            if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in file.infolist()):
                raise BackupError("this is no backup of Companion: it is packed in another way. Try another file")
            manifest = _manifest(file)
            taken = {name: part for name, part in manifest.files.items() if _wanted(name, pages)}
            if not taken:
                raise BackupError("there is nothing in this backup that could be taken back: try another file")
            total = sum(part.size for part in taken.values())
            if total > min(LARGEST, free):
                raise BackupError(f"it needs {total / 1e6:.0f} MB, and there is less room on the disk: make some")
            for name, part in taken.items():
                _unpack_one(file, name, part, into)
    except (zipfile.BadZipFile, EOFError, RuntimeError, ValueError, struct.error, zlib.error) as error:
        raise BackupError(f"this is no backup of Companion, or a damaged one ({error}): try another file") from None
    if JOURNAL in manifest.files:
        _check_journal(into / JOURNAL)
    for place in (into, *(path for path in into.rglob("*") if path.is_dir())):
        names_kept(place)
    return manifest, sorted(manifest.files.keys() - taken.keys())


def _manifest(file: zipfile.ZipFile) -> Manifest:
    try:
        info = file.getinfo(MANIFEST)
        if info.file_size > 1024**2:
            raise BackupError("this is no backup of Companion: its list of contents is too long")
        raw = file.read(info)
        said = read_json(raw, dict[str, msgspec.Raw])
        made = read_json(said.get("format", b"0"), int)
        if made > FORMAT:
            raise BackupError("this backup was made by a newer Companion: run companion-update first")
        manifest = read_json(raw, Manifest)
    except KeyError:
        raise BackupError("this is no backup of Companion: it has no list of contents. Try another file") from None
    except msgspec.DecodeError as error:
        raise BackupError(f"this is no backup of Companion, or a damaged one ({error})") from None
    for name in manifest.files:
        if not _belongs(name):
            raise BackupError(f"this backup has a file in it that doesn't belong there ({name[:60]!r})")
    return manifest


def _belongs(name: str) -> bool:
    """Return whether a backup may have a file of that name: the journal, settings, and what lies in `data/`."""
    parts = PurePosixPath(name).parts
    settings = len(parts) == 1 and name.endswith(".json") and name != MANIFEST
    own = len(parts) > 1 and parts[0] == OWN
    proper = ".." not in parts and name == PurePosixPath(*parts).as_posix() and name.isprintable()
    return (name == JOURNAL or settings or own) and proper


def _wanted(name: str, pages: bool) -> bool:
    """Return whether a file of a backup gives nobody a key, and, without `pages`, that no page may run it."""
    parts = PurePosixPath(name).parts
    if len(parts) == 1:
        return name != KEYS
    harmless = (*READ_ONLY, *PICTURES) if parts[1] == DECKS else READ_ONLY
    return pages or (parts[1] != PAGES and name.endswith(harmless))


def _unpack_one(file: zipfile.ZipFile, name: str, part: Part, into: Path) -> None:
    path = into / name
    path.parent.mkdir(parents=True, exist_ok=True)
    seen = hashlib.sha256()
    left = part.size
    try:
        source = file.open(name)
    except KeyError:
        raise BackupError(f"the backup is damaged: {name} is missing. Try another file") from None
    with source, path.open("wb") as to:
        # Never more than was promised, whatever the archive says.
        while chunk := source.read(min(CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                break
            seen.update(chunk)
            to.write(chunk)
        to.flush()
        os.fsync(to.fileno())
    if left != 0 or seen.hexdigest() != part.sha256:
        raise BackupError(f"the backup is damaged: {name} is not as it was. Try another file")
    path.chmod(0o600)


@contextmanager
def _alone(folder: Path, otherwise: str) -> Iterator[None]:
    """Hold the journal's lock; raise BackupError, with the words `otherwise`, if somebody has it."""
    with (folder / "journal.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BackupError(otherwise) from None
        yield


def _change_places(folder: Path, work: Path, fault: Callable[[str], None]) -> Path | None:
    """Move what is there to a folder of its own, and what was unpacked into its place: all of it, or nothing."""
    # Main file and log of a journal in this order, so that it is back last: nobody opens one without its log.
    known = (JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", OWN, *sorted(path.name for path in folder.glob("*.json")))
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    plan = Plan(
        aside=f"replaced-{now}-{work.name.removeprefix(RESTORING)}",
        old=[name for name in known if os.path.lexists(folder / name)],
        new=sorted(path.name for path in (work / FRESH).iterdir()),
    )
    aside = folder / plan.aside
    with written_whole(work / PLAN, 0o600) as file:
        file.write(msgspec.json.encode(plan))
    try:
        if plan.old:
            aside.mkdir(mode=0o700)
        names_kept(folder)
        fault("planned")
        for name in plan.old:
            (folder / name).rename(aside / name)
            fault(f"{name} is aside")
        for name in plan.new:
            (work / FRESH / name).rename(folder / name)
            fault(f"{name} is in its place")
        for place in (aside, folder) if plan.old else (folder,):
            names_kept(place)
        (work / PLAN).unlink()
        names_kept(work)
    except BaseException:
        _put_back(folder, work, plan, lambda _: None)
        raise
    fault("done")
    return aside if plan.old else None


def _undo_all(folder: Path, fault: Callable[[str], None]) -> None:
    """Undo every restore that was cut short, and throw away what it had unpacked. The lock has to be held."""
    for work in sorted(folder.glob(f"{RESTORING}*")):
        path = work / PLAN
        if path.exists():
            try:
                plan = read_json(path.read_bytes(), Plan)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                raise BackupError(
                    f"a restore was cut short, and {path} can't be read ({error}): move what lies in the newest "
                    f"{folder}/replaced-… back to {folder}, then delete {work}"
                ) from None
            _put_back(folder, work, plan, fault)
            log.warning("a restore in %s had been cut short: all is as it was before it", folder)
        shutil.rmtree(work, ignore_errors=True)


def _put_back(folder: Path, work: Path, plan: Plan, fault: Callable[[str], None]) -> None:
    """Undo a restore, or an undoing, however far it came; raise BackupError if something can't be moved back."""
    aside, fresh = folder / plan.aside, work / FRESH
    try:
        for name in reversed(plan.new):
            if not os.path.lexists(fresh / name) and os.path.lexists(folder / name):
                (folder / name).rename(fresh / name)
                fault(f"{name} is out of its place")
        for name in reversed(plan.old):
            if os.path.lexists(aside / name):
                if os.path.lexists(folder / name):
                    raise FileExistsError(
                        errno.EEXIST, "what is new in its place has to be moved away first", folder / name
                    )
                (aside / name).rename(folder / name)
                fault(f"{name} is back")
        with suppress(OSError):
            aside.rmdir()
        names_kept(folder)
        (work / PLAN).unlink(missing_ok=True)
        fault("undone")
    except OSError as error:
        raise BackupError(
            f"a restore was cut short, and can't be undone ({error.strerror or error}: {error.filename}): what was "
            f"there before lies in {aside}. It is tried again at the next start"
        ) from None
