"""The Pi's own camera, through a child process under the system's Python (see `picamera_child`)."""

from __future__ import annotations

import json
import mmap
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.devices.camera import Camera, CameraLostError, NoCameraError, Tell, log_trouble
from companion.devices.pins import SYSTEM_PYTHON
from companion.devices.service import Backoff
from companion.eye.view import Frame, Gray, Trouble

CHILD = Path(__file__).with_name("picamera_child.py")
SLOTS = 3


class PiCamera(Camera):
    """Gray pictures from picamera2."""

    def __init__(
        self,
        size: tuple[int, int] = (2304, 1296),
        fps: float = 10.0,
        focus: float | None = None,
        tell: Tell = log_trouble,
        command: Sequence[str] | None = None,
        backoff: Backoff | None = None,
        patience: float = 10.0,
    ) -> None:
        """Prepare; nothing is started before `frames`.

        Args:
            size: picture size (width, height).
            fps: pictures a second.
            focus: lens position in dioptres (1 / metres to the table); None leaves the focus to the camera.
            tell: is told when the camera is lost, and when it is back.
            command: how to run the child.
            backoff: the pauses between attempts.
            patience: seconds without a frame after which the camera counts as lost.
        """
        python = SYSTEM_PYTHON if Path(SYSTEM_PYTHON).exists() else sys.executable
        self._command = tuple(command or (python, "-I", str(CHILD)))
        self._size = size
        self._setup = {"size": list(size), "fps": fps, "focus": focus, "slots": SLOTS}
        self._tell = tell
        self._backoff = backoff or Backoff()
        self._patience = patience
        self._stop = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Give frames; a child that ends is started again, with growing pauses.

        Raises:
            NoCameraError: if picamera2 is not installed.
        """
        number, lost = 0, False
        while not self._stop.is_set():
            try:
                for gray, at in self._child():
                    if lost:
                        self._tell(None)
                        lost = False
                    self._backoff.reset()
                    yield Frame(gray, at, number)
                    number += 1
            except CameraLostError as error:
                if not lost:
                    self._tell(Trouble("camera-lost", str(error)))
                    lost = True
                self._stop.wait(self._backoff.next())

    def close(self) -> None:
        """End the frames and the child."""
        self._stop.set()

    def _child(self) -> Iterator[tuple[Gray, float]]:
        wide, high = self._size
        shared = Path("/dev/shm")  # noqa: S108 (memory, not a disk; the file gets a name of its own)
        with tempfile.NamedTemporaryFile(prefix="companion-", dir=shared if shared.is_dir() else None) as file:
            file.truncate(wide * high * SLOTS)
            with mmap.mmap(file.fileno(), wide * high * SLOTS) as memory:
                process = subprocess.Popen(  # noqa: S603 (our own program)
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
                )
                try:
                    yield from self._talk(process, memory, file.name)
                finally:
                    process.kill()
                    process.communicate()

    def _talk(self, process: subprocess.Popen[str], memory: mmap.mmap, name: str) -> Iterator[tuple[Gray, float]]:
        wide, high = self._size
        size = wide * high
        self._say(process, {**self._setup, "memory": name})
        for message in self._messages(process):
            if "broken" in message:
                words = str(message["broken"])
                raise (NoCameraError if message.get("permanent") else CameraLostError)(
                    words[:1].upper() + words[1:] + "."
                )
            if "frame" in message:
                slot, at = int(message["frame"][0]), float(message["frame"][1])
                # Copied out at once: the child writes the next picture into the slot as soon as it is free.
                gray = np.frombuffer(memory[slot * size : (slot + 1) * size], dtype=np.uint8).reshape(high, wide)
                self._say(process, {"free": slot})
                yield gray, at

    def _messages(self, process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
        """Give the child's messages; a child that falls silent or ends is a lost camera."""
        assert process.stdout is not None  # noqa: S101 (it was asked for)
        handle, rest, last = process.stdout.fileno(), b"", time.monotonic()
        while not self._stop.is_set():
            if not select.select([handle], [], [], 0.25)[0]:
                if time.monotonic() - last > self._patience:
                    raise CameraLostError("The Pi's camera gives no more pictures; it is started again.")
                continue
            last = time.monotonic()
            piece = os.read(handle, 65536)
            if not piece:
                raise CameraLostError("The Pi's camera program ended; it is started again.")
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                try:
                    message = json.loads(line)
                except ValueError:
                    continue  # libcamera writes its own lines on some systems
                if isinstance(message, dict):
                    yield message

    @staticmethod
    def _say(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
        assert process.stdin is not None  # noqa: S101
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return  # what it said last is still to be read
