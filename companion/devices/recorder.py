"""The recorder: keeps the last minutes of a camera's frames on disk, while a match runs or by itself.

Off unless asked for; nothing leaves the computer. A thread packs and writes: frames for which there is no time are left
out, and a fault is reported once and ends the recording, never the match.
"""

from __future__ import annotations

import threading
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

import cv2

from companion.devices.camera_base import Camera
from companion.devices.recording import RecordingError, Ring, encode, set_aside
from companion.devices.service import Service
from companion.eye.flat import reduced
from companion.eye.view import Frame, Gray
from companion.files import state_dir

MINUTES, MEGABYTES = 5.0, 1000.0
"""Default limits: minutes and megabytes that are kept."""

CALM = 1.2
"""Seconds after motion in which each frame has its own picture: a replay must be able to look as often as the eye."""

_ROOM = 48 * 10**6
"""Bytes of frames that may wait to be written."""

_NOISE, _PIXELS = 12, 3
"""Motion: gray levels above noise, and the pixels of the reduced picture that must change by more than that."""


def ring_folder() -> Path:
    """Return the folder in which the last minutes are kept if no other is named."""
    return state_dir() / "recordings" / "now"


class Recorder(Service):
    """Records frames. `take` may be called from one thread, `keep` and `stop` from any."""

    def __init__(
        self,
        folder: Path | None = None,
        minutes: float = MINUTES,
        megabytes: float = MEGABYTES,
        fps: float | None = None,
    ) -> None:
        """Take hold of the folder (None: in the state folder); `start` begins.

        At most `minutes`, `megabytes` and `fps` frames a second (None: all) are kept.

        Raises:
            RecordingError: if the folder can't be used.
        """
        super().__init__("recorder")
        self.folder = ring_folder() if folder is None else folder
        self.minutes = minutes
        self.frames = 0
        """Frames written so far."""
        self.pictures = 0
        """Pictures among them; the other frames looked as the one before."""
        self.missed = 0
        """Frames that were left out because the disk was too slow."""
        self._ring = Ring(self.folder, minutes, megabytes)
        self._least = 0.0 if fps is None else 0.9 / fps
        self._offset: float | None = None
        self._last = -1e9
        self._waiting: deque[Frame] = deque()
        self._size = 0
        self._busy = False
        self._change = threading.Condition()
        self._shown: Gray | None = None
        self._moved = -1e9

    @property
    def words(self) -> str:
        """Return what it does, for people who are about to be recorded."""
        return (
            f"The last {self.minutes:g} minutes of the camera's pictures are kept in {self.folder}. "
            "Nothing leaves this computer. Hands, and who leans over the table, may be in them: tell the players."
        )

    @property
    def over(self) -> bool:
        """Whether recording has ended: the disk is full, say. `health.words` tells why."""
        return self.health.state == "broken"

    def take(self, frame: Frame, wait: bool = False) -> None:
        """Queue a frame; with `wait`, block until there is room for it (for a camera that can be made to wait)."""
        if self.over or frame.time - self._last < self._least:
            return
        with self._change:
            if wait:
                while self._full(frame) and not (self.over or self.stopping.is_set()):
                    self._change.wait(0.5)
            elif self._full(frame):
                self.missed += 1
                return
            self._last = frame.time
            self._waiting.append(frame)
            self._size += frame.gray.nbytes
            self._change.notify_all()

    def done(self) -> dict[str, str | int]:
        """Return what was recorded so far, in words."""
        counts = {"frames": self.frames, "pictures": self.pictures, "missed": self.missed}
        return {"folder": str(self.folder), **counts}

    def flush(self, timeout: float = 30.0) -> None:
        """Wait until every queued frame is written, or recording is over."""
        with self._change:
            self._change.wait_for(lambda: self.over or not (self._waiting or self._busy), timeout)

    def keep(self, into: Path | None = None, minutes: float | None = None) -> Path:
        """Keep what is recorded, or its last minutes, from being overwritten; return its folder.

        Raises:
            RecordingError: if there is nothing yet, or the folder can't be used.
        """
        self.flush(5.0)
        return keep(self.folder, into, minutes)

    def setup(self) -> None:
        """Do nothing: the folder is locked since the recorder was created."""

    def run(self) -> None:
        """Write queued frames until stopped; those queued by then are still written."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self.stopping.is_set())
                if not self._waiting:
                    return
                frame = self._waiting.popleft()
                self._busy = True
            try:
                self._write(frame)
            except OSError as error:
                raise RecordingError(
                    f"Recording stopped, and the match goes on: {self.folder} can't be written "
                    f"({error.strerror or error}). Make room on the disk, then start again."
                ) from None
            finally:
                with self._change:
                    self._busy = False
                    self._size -= frame.gray.nbytes
                    self._change.notify_all()

    def teardown(self) -> None:
        """Release whoever waits for frames that will not be written."""
        self.wake()

    def wake(self) -> None:
        """Wake `run`."""
        with self._change:
            self._change.notify_all()

    def stop(self, timeout: float = 10.0) -> None:
        """Write the queued frames and release the folder."""
        super().stop(timeout)
        try:
            self._ring.close()
        except OSError:  # the disk is full, and that was said
            return

    def _full(self, frame: Frame) -> bool:
        return self._size > 0 and self._size + frame.gray.nbytes > _ROOM

    def _write(self, frame: Frame) -> None:
        if self._offset is None:
            self._offset = (self._ring.t + 1.0 if self._ring.t >= 0 else 0.0) - frame.time
        t = frame.time + self._offset
        if t <= self._ring.t:
            return
        small = reduced(frame.gray)[0] if frame.small is None else frame.small
        if self._shown is None or _differ(self._shown, small):
            self._moved = t
        jpeg = None
        if t - self._moved <= CALM or self._ring.wants_picture(t):
            jpeg = encode(frame)
            self._shown = small
            self.pictures += 1
        self._ring.add(t, frame.time, jpeg, frame.exposure)
        self.frames += 1


def keep(folder: Path, into: Path | None = None, minutes: float | None = None) -> Path:
    """Keep a recording in `into`, or a new folder beside it, named by the time (UTC); return that.

    Raises:
        RecordingError: if there is nothing to keep, or the folder can't be used.
    """
    if into is None:
        into = folder.parent / datetime.now(UTC).strftime("kept-%Y-%m-%d-%H%M%S")
    return set_aside(folder, into, minutes)


def record(camera: Camera, recorder: Recorder) -> None:
    """Record a camera until it ends or recording stops; raise PermanentError (RecordingError) if that is a fault."""
    recorder.start()
    try:
        for frame in camera.frames():
            recorder.take(frame, wait=not camera.live)
            if recorder.over:
                break
        recorder.flush()
    finally:
        camera.close()
        recorder.stop()
    if recorder.over:
        raise RecordingError(recorder.health.words)


def _differ(before: Gray, other: Gray) -> bool:
    if before.shape != other.shape:
        return True
    changed = cv2.threshold(cv2.absdiff(before, other), _NOISE, 255, cv2.THRESH_BINARY)[1]
    return cv2.countNonZero(changed) >= _PIXELS
