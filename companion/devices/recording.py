"""A recording on disk: a ring of segments that people can copy, and the camera that plays one again.

A recording is a folder. Each segment of it is two files: `recording-000001.mjpg`, gray JPEG pictures one after the
other (video players show them), and `recording-000001.jsonl`, which says when each was taken. A segment needs no other:
old ones are deleted whole, and a copy of some of them is a recording too.

The first line of an index is `{"recording": 1, "t", "utc", "monotonic"}`: the same moment in the recording's own
seconds, in UTC, and in the computer's monotonic seconds. Every other line is a frame, `{"t", "at", "bytes"}` and
perhaps `"exposure"`: the JPEG lies `at` so many bytes from the start of the pictures. A frame that looked as the one
before points to the same JPEG. After a power cut lines or pictures may be cut short; what is whole counts.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import cv2
import msgspec
import numpy as np

from companion.devices.camera_base import Camera, NoCameraError, frame_of_jpeg
from companion.devices.service import PermanentError
from companion.eye.pictures import jpeg
from companion.eye.view import Frame
from companion.text import shown_address, t
from companion.untyped import read_json

log = logging.getLogger(__name__)

SEGMENT = 10.0
"""Seconds in a segment, about: a power cut can't spoil more than the last one, and old ones go in steps of this."""

SYNC = 2.0
"""Seconds after which pictures are forced onto the disk; an SD card should not be bothered for every one."""

SPARE = 256 * 10**6
"""Bytes that a recording leaves free on the disk: the journal of the match needs room more than it."""

READ_ME = """This is a recording of Companion: what the camera above a table saw, in gray. Hands and people who lean
over the table may be in it. Nothing was sent anywhere; whoever has this folder can see it.

To let Companion look at it again: companion watch GAME --seats N --frames THIS-FOLDER
The .mjpg files are JPEG pictures one after the other, and video players show them.
"""

_NAME = re.compile(r"recording-(\d{6,})\.jsonl")


class RecordingError(PermanentError):
    """A recording that can't be kept or read; the message says why and what to do."""


class Head(msgspec.Struct, frozen=True):
    """The first line of an index: one moment on three clocks."""

    recording: int
    t: float
    utc: str
    monotonic: float


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frame of an index: taken at second `t` of the recording; its JPEG is `bytes` long and lies `at` there."""

    t: float
    at: int
    bytes: int
    exposure: float | None = None


def utc_now() -> str:
    """Return the time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def segments(folder: Path) -> list[int]:
    """Return the numbers of a recording's segments, oldest first; none if the folder is no recording."""
    try:
        return sorted(int(found[1]) for file in folder.iterdir() if (found := _NAME.fullmatch(file.name)))
    except OSError:
        return []


def index_file(folder: Path, number: int) -> Path:
    """Return the path of a segment's index."""
    return folder / f"recording-{number:06}.jsonl"


def picture_file(folder: Path, number: int) -> Path:
    """Return the path of a segment's pictures."""
    return folder / f"recording-{number:06}.mjpg"


def lines(folder: Path, number: int) -> Iterator[Line]:
    """Yield a segment's frames; a line that is cut short or spoilt is left out, and so is one that is out of time."""
    last = -1.0
    try:
        data = index_file(folder, number).read_bytes()
    except OSError:
        return
    for raw in data.split(b"\n")[1:]:
        try:
            line = read_json(raw, Line)
        except msgspec.DecodeError:
            continue
        if line.t > last and line.at >= 0 and line.bytes > 0:
            last = line.t
            yield line


def head(folder: Path, number: int) -> Head | None:
    """Return the first line of a segment's index, if it is whole."""
    try:
        with index_file(folder, number).open("rb") as file:
            return read_json(file.readline(), Head)
    except (OSError, msgspec.DecodeError):
        return None


def span(folder: Path) -> tuple[float, float] | None:
    """Return the first and the last second of a recording; None if it has no frame."""
    first = last = None
    numbers = segments(folder)
    for number in numbers:
        first = next((line.t for line in lines(folder, number)), None)
        if first is not None:
            break
    for number in reversed(numbers):
        for line in lines(folder, number):
            last = line.t
        if last is not None:
            break
    return None if first is None or last is None else (first, last)


class Ring:
    """A recording that is being written: the newest `minutes`, in at most `megabytes`. For one thread."""

    def __init__(
        self, folder: Path, minutes: float, megabytes: float, now: Callable[[], str] = utc_now, spare: int = SPARE
    ) -> None:
        """Take hold of a new or empty folder, or of a recording, which is gone on with and loses its oldest parts
        first.

        At most `minutes` (recorded, give or take a segment) and `megabytes` are kept, and `spare` bytes of the disk are
        left free; `now` gives the time of day (UTC).

        Raises:
            RecordingError: if the folder can't be used.
        """
        self.folder = folder
        self._seconds, self._most = minutes * 60, int(megabytes * 10**6)
        self._now, self._spare = now, spare
        self._pictures = self._index = -1
        try:
            _private(folder)
            strange = [file.name for file in folder.iterdir() if not _ours(file.name)]
            if strange:
                raise RecordingError(
                    f"The folder {folder} has other files in it ({min(strange)}): name a new folder, or an empty one."
                )
            self._lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise RecordingError(f"Nothing can be recorded in {folder}: {error.strerror or error}.") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise RecordingError(f"Another companion records into {folder}: stop it, or name another folder.") from None
        for stray in folder.glob("recording-*.mjpg"):  # the power went while an old segment was deleted
            if not stray.with_suffix(".jsonl").exists():
                stray.unlink(missing_ok=True)
        self._kept: deque[tuple[int, float, int]] = deque()  # number, last second, bytes
        for number in segments(folder):
            ends = max((line.t for line in lines(folder, number)), default=0.0)
            self._kept.append((number, ends, _size(folder, number)))
        self._number = self._kept[-1][0] if self._kept else 0
        self.t = max((ends for _, ends, _ in self._kept), default=-1.0)
        """The recording's last second; less than 0 while there is none."""
        self._began = self._synced = 0.0
        self._written = self._at = self._last = 0

    @property
    def size(self) -> int:
        """Bytes used on the disk."""
        return sum(size for _, _, size in self._kept) + self._written

    def wants_picture(self, t: float) -> bool:
        """Return whether a frame at second `t` begins a segment, and so needs a picture of its own."""
        full = self._at > min(self._most // 4, 64 * 10**6)
        return self._index < 0 or t - self._began >= SEGMENT or full

    def add(self, t: float, monotonic: float, jpeg: bytes | None, exposure: float | None = None) -> None:
        """Write a frame; without a JPEG it looked as the one before. Raises OSError.

        Raises:
            RecordingError: if there is too little room on the disk.
        """
        if self.wants_picture(t):
            if jpeg is None:
                raise ValueError("a segment begins with a picture")
            self._roll(t, monotonic)
        if jpeg is not None:
            self._make_room(len(jpeg) + 100)  # and its line
            _write(self._pictures, jpeg)
            self._at += len(jpeg)
            self._last = len(jpeg)
        line = Line(round(t, 6), self._at - self._last, self._last, exposure)
        _write(self._index, msgspec.json.encode(line) + b"\n")
        self._written = self._at + os.lseek(self._index, 0, os.SEEK_CUR)
        self.t = t
        if jpeg is not None and t - self._synced >= SYNC:
            self._sync(t)

    def close(self) -> None:
        """Finish the last segment and release the folder."""
        try:
            self._finish()
        finally:
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def _roll(self, t: float, monotonic: float) -> None:
        self._finish()
        self._make_room(0, t)
        free = shutil.disk_usage(self.folder).free
        if free < self._spare:
            raise RecordingError(
                f"Recording stopped, and the match goes on: less than {self._spare // 10**6} megabytes are free on the "
                f"disk of {self.folder}. Make room, then start again."
            )
        self._number += 1
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        self._pictures = os.open(picture_file(self.folder, self._number), how, 0o600)
        self._index = os.open(index_file(self.folder, self._number), how, 0o600)
        self._began = self._synced = t
        self._at = self._last = 0
        _write(self._index, msgspec.json.encode(Head(1, round(t, 6), self._now(), monotonic)) + b"\n")
        # Without this a power cut may take the new files' names.
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _finish(self) -> None:
        if self._index < 0:
            return
        pictures, index, self._pictures, self._index = self._pictures, self._index, -1, -1
        try:
            os.fsync(pictures)
            os.fsync(index)
        finally:
            os.close(pictures)
            os.close(index)
            self._kept.append((self._number, self.t, _size(self.folder, self._number)))
            self._written = 0

    def _sync(self, t: float) -> None:
        # Pictures first: a line without its picture is left out, a picture without its line is lost.
        os.fsync(self._pictures)
        os.fsync(self._index)
        self._synced = t

    def _make_room(self, coming: int, t: float | None = None) -> None:
        """Delete old segments: those that would make too many bytes; with a time those that are too old as well."""
        while self._kept:
            number, ends, _ = self._kept[0]
            if self.size + coming <= self._most and (t is None or ends >= t - self._seconds):
                return
            # The index goes first: without it the pictures are nothing, and a copy being made leaves them out.
            index_file(self.folder, number).unlink(missing_ok=True)
            picture_file(self.folder, number).unlink(missing_ok=True)
            self._kept.popleft()


class RecordingCamera(Camera):
    """Plays a recording again, frame by frame with its own times (seconds of the recording)."""

    live = False

    def __init__(self, folder: Path, begin: float | None = None, end: float | None = None) -> None:
        """Play a recording from `begin` to `end` (seconds as in `Frame.time`; less than 0 counts back from the end).

        Raises:
            NoCameraError: if it is no recording, or has nothing between those seconds.
        """
        known = span(folder)
        if known is None:
            raise NoCameraError(
                t("There is no recording in {folder}, or nothing of it is whole.", folder=shown_address(f"{folder}"))
            )
        self.folder = folder
        self._begin, self._end = (
            default if given is None else given if given >= 0 else known[1] + given
            for given, default in ((begin, known[0]), (end, known[1]))
        )
        if self._begin > known[1] or self._end < known[0] or self._begin > self._end:
            raise NoCameraError(
                t(
                    "The recording in {folder} goes from second {begin:.1f} to {end:.1f}; from and to choose a part of "
                    "that.",
                    folder=f"{folder}",
                    begin=known[0],
                    end=known[1],
                )
            )
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield every frame whose picture is whole."""
        count, lost, last = 0, 0, -1.0
        for number in segments(self.folder):
            shown, picture = (-1, -1), None
            try:
                pictures = picture_file(self.folder, number).open("rb")
            except OSError:
                continue
            with pictures:
                for line in lines(self.folder, number):
                    if self._closed or line.t > self._end:
                        return
                    if line.t < self._begin or line.t <= last:
                        continue
                    if (line.at, line.bytes) != shown:
                        shown = line.at, line.bytes
                        picture = _read(pictures, line)
                        lost += picture is None
                    if picture is not None:
                        yield picture.again(line.t, count, line.exposure)
                        count, last = count + 1, line.t
        if lost:
            log.info("recording: %d pictures of %s are cut short and left out", lost, self.folder)

    def close(self) -> None:
        """End the frames."""
        self._closed = True


def set_aside(folder: Path, into: Path, minutes: float | None = None) -> Path:
    """Copy a recording, or its last minutes, into a new folder, while it may go on; return that.

    On the same disk only the newest segment is copied; the others get a second name.

    Raises:
        RecordingError: if there is nothing to keep, or `into` can't be used.
    """
    known = span(folder)
    if known is None:
        raise RecordingError(f"Nothing is recorded in {folder}.")
    since = known[1] - minutes * 60 if minutes is not None else known[0]
    try:
        if into.exists() and any(into.iterdir()):
            raise RecordingError(f"The folder {into} is not empty: name a new one.")
        _private(into)
        numbers = segments(folder)
        for number in numbers:
            if max((line.t for line in lines(folder, number)), default=-1.0) < since:
                continue
            # The newest one is perhaps still written to: a second name for it would go on growing.
            whole = number != numbers[-1]
            try:
                _copy(picture_file(folder, number), picture_file(into, number), whole)
                _copy(index_file(folder, number), index_file(into, number), whole)
            except FileNotFoundError:  # the ring has just let go of it
                picture_file(into, number).unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"The recording can't be kept in {into}: {error.strerror or error}.") from None
    return into


def encode(frame: Frame, quality: int = 92) -> bytes:
    """Return a frame as JPEG. At quality 92 the reader finds what it found before (see docs/eye.md)."""
    if frame.colour is None:
        return jpeg(frame.gray, quality)
    high, wide = frame.gray.shape
    full = np.asarray(cv2.resize(frame.colour, (wide, high), interpolation=cv2.INTER_LINEAR), np.int16)
    # Brightness is fine, colour may be coarse.
    finer = frame.gray.astype(np.int16) - cv2.cvtColor(full.astype(np.uint8), cv2.COLOR_RGB2GRAY)
    return jpeg(np.clip(full + finer[..., None], 0, 255).astype(np.uint8), quality)


def _read(pictures: BinaryIO, line: Line) -> Frame | None:
    """Return a picture of a segment; None if it is not whole."""
    try:
        pictures.seek(line.at)
        data = pictures.read(min(line.bytes, 64 * 10**6))
    except (OSError, OverflowError):
        return None
    if len(data) < line.bytes or not data.startswith(b"\xff\xd8") or not data.endswith(b"\xff\xd9"):
        return None
    try:
        return frame_of_jpeg(np.frombuffer(data, dtype=np.uint8), line.t, 0)
    except cv2.error:
        return None


def _ours(name: str) -> bool:
    return name in (".lock", "README.txt") or re.fullmatch(r"recording-\d{6,}\.(jsonl|mjpg)", name) is not None


def _private(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
    if not any(folder.iterdir()):
        handle = os.open(folder / "README.txt", os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            _write(handle, READ_ME.encode())
        finally:
            os.close(handle)


def _size(folder: Path, number: int) -> int:
    return sum(
        file.stat().st_size for file in (picture_file(folder, number), index_file(folder, number)) if file.exists()
    )


def _write(handle: int, data: bytes) -> None:
    """Write all bytes: a nearly full disk silently takes only a part."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _copy(source: Path, target: Path, link: bool) -> None:
    if link:
        try:
            os.link(source, target)
        except FileNotFoundError:
            raise
        except OSError:
            pass  # another disk, or one without second names
        else:
            return
    shutil.copyfile(source, target)
    target.chmod(0o600)
