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
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.devices.camera_base import Camera, CameraLostError, NoCameraError, Tell, log_trouble
from companion.devices.pins import SYSTEM_PYTHON
from companion.devices.service import Backoff, DeviceError
from companion.eye.exposure import Exposure, Limits
from companion.eye.pictures import means
from companion.eye.view import Frame, Gray, Trouble
from companion.text import said, t
from companion.untyped import JsonObject

Shot = tuple[Gray, Gray, Gray | None, float, Exposure | None]
"""A picture, its U and V one after the other, the small picture, monotonic seconds, and how it was taken."""

CHILD = Path(__file__).with_name("picamera_child.py")
SLOTS = 3


def small_size(size: tuple[int, int], wide: int = 576) -> tuple[int, int] | None:
    """Return the size of the Pi's small picture: a whole part of the big one, about `wide` px, with even sides."""
    factor = max(1, round(size[0] / wide))
    small = size[0] // factor, size[1] // factor
    whole = all(part * factor == side and part % 2 == 0 for part, side in zip(small, size, strict=True))
    return small if whole and factor > 1 else None


def _broken(kind: str, detail: str) -> DeviceError:
    if kind == "missing":
        return NoCameraError(
            t(
                "picamera2 is not installed for the system's Python ({detail}): apt install python3-picamera2.",
                detail=detail,
            )
        )
    if kind == "numpy":
        return NoCameraError(
            t(
                "The NumPy of the system's Python doesn't fit its picamera2 ({detail}). One that was installed beside "
                "it has to go: sudo pip uninstall --break-system-packages numpy.",
                detail=detail,
            )
        )
    if kind == "held":
        return CameraLostError(
            t(
                "Another program has the Pi's camera ({detail}): end it; `sudo fuser -v /dev/media*` names it.",
                detail=detail,
            )
        )
    if kind == "display":
        return CameraLostError(
            t(
                "There is no memory for the Pi camera's pictures ({detail}): in /boot/firmware/config.txt the display "
                "driver has to be dtoverlay=vc4-kms-v3d, not vc4-fkms-v3d. Restart the Pi then.",
                detail=detail,
            )
        )
    if kind == "none":
        return CameraLostError(t("No camera is connected to the Pi; check the ribbon cable."))
    if kind == "shut":
        return CameraLostError(t("The Pi's camera can't be opened: {detail}.", detail=detail))
    return CameraLostError(t("The Pi's camera stopped: {detail}.", detail=detail))


class PiControl:
    """Exposure and focus of the Pi's camera: a `CameraControl`. Wishes go to the child, also to the next one."""

    def __init__(
        self, fps: float, mains: float | None, send: Callable[[JsonObject], None], fixed: bool = False
    ) -> None:
        """Create it with automatic exposure; `send` hands wishes to the child, `mains` is in hertz.

        `fps` bounds the shutter; with `fixed` people have set the lens, which is then not searched for.
        """
        self.limits = Limits(longest=min(Limits().longest, 1 / fps))
        self.mains = mains
        self._send = send
        self._fixed = fixed
        self._wishes: dict[str, JsonObject] = {}
        self.newest: Exposure | None = None

    def current(self) -> Exposure | None:
        """Return how the newest frame was taken."""
        return self.newest

    def auto(self) -> None:
        """Leave exposure to the camera."""
        self._wish("exposure", {"auto": True})

    def expose(self, exposure: Exposure) -> None:
        """Hold the exposure; see `CameraControl`."""
        self._wish("exposure", {"seconds": exposure.seconds, "gain": exposure.gain})

    def focus(self, metres: float | None) -> None:
        """Lock the lens at a distance; None: search once."""
        if metres is None and self._fixed:
            return
        self._wish("focus", {"focus": None if metres is None else 1 / max(metres, 0.02)})

    def again(self) -> None:
        """Send all settings to a new child process."""
        for wish in tuple(self._wishes.values()):
            self._send(wish)

    def _wish(self, kind: str, wish: JsonObject) -> None:
        self._wishes[kind] = wish
        self._send(wish)


def _half_in_colour(gray: Gray, chroma: Gray) -> Gray:
    """Return a picture of half the size in RGB: U and V come in that size, and have black at 0 and white at 255."""
    u, v = chroma.reshape(2, gray.shape[0] // 2, gray.shape[1] // 2)
    return np.asarray(cv2.cvtColor(cv2.merge([means(gray, 2), v, u]), cv2.COLOR_YCrCb2RGB), dtype=np.uint8)


class PiCamera(Camera):
    """Pictures from picamera2, in colour where that is wanted, and the small ones that come with them."""

    def __init__(
        self,
        size: tuple[int, int] = (2304, 1296),
        fps: float = 10.0,
        focus: float | None = None,
        tell: Tell = log_trouble,
        command: Sequence[str] | None = None,
        backoff: Backoff | None = None,
        patience: tuple[float, float] = (60.0, 10.0),
        mains: float | None = 50.0,
    ) -> None:
        """Create it; nothing is started before `frames`.

        `size` is (width, height), `focus` in dioptres (1 / metres; None: one search), `mains` the lamps' hertz (None by
        daylight). `command` runs the child, `backoff` has the pauses between attempts, `tell` hears of losses: after
        `patience` seconds without a first, or a further, frame (a cold Pi takes long to import picamera2).
        """
        python = SYSTEM_PYTHON if Path(SYSTEM_PYTHON).exists() else sys.executable
        self._command = tuple(command or (python, "-I", str(CHILD)))
        self._size = size
        self._small = small_size(size)
        self._setup = {
            "size": list(size),
            "small": list(self._small) if self._small else None,
            "fps": fps,
            "focus": focus,
            "mains": mains,
            "slots": SLOTS,
            "bytes": self._bytes(),
        }
        self._process: subprocess.Popen[str] | None = None
        self._saying = threading.Lock()
        self.control = self._control = PiControl(fps, mains, self._wish, fixed=focus is not None)
        self._tell = tell
        self._backoff = backoff or Backoff()
        self._patience = patience
        self._stop = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yield frames, starting an ended child again; raise NoCameraError if picamera2 is not installed."""
        number, lost = 0, False
        while not self._stop.is_set():
            try:
                for gray, chroma, small, at, exposure in self._child():
                    if lost:
                        self._tell(None)
                        lost = False
                    self._backoff.worked()
                    self._control.newest = exposure
                    colour = partial(_half_in_colour, gray, chroma)
                    yield Frame(gray, at, number, colour, small, exposure.seconds if exposure else None)
                    number += 1
            except CameraLostError as error:
                if not lost:
                    self._tell(Trouble("camera-lost", said(error)))
                    lost = True
                self._stop.wait(self._backoff.next())

    def close(self) -> None:
        """End the frames and the child."""
        self._stop.set()

    def _wish(self, wish: JsonObject) -> None:
        if self._process is not None:
            self._say(self._process, {"set": wish})

    def _child(self) -> Iterator[Shot]:
        size = self._bytes()
        shared = Path("/dev/shm")  # noqa: S108 (memory, not a disk; the file gets a name of its own)
        with tempfile.NamedTemporaryFile(prefix="companion-", dir=shared if shared.is_dir() else None) as file:
            file.truncate(size * SLOTS)
            with mmap.mmap(file.fileno(), size * SLOTS) as memory:
                process = subprocess.Popen(  # noqa: S603 (our own program)
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
                )
                try:
                    yield from self._talk(process, memory, file.name)
                finally:
                    self._process = None
                    process.kill()
                    process.communicate()

    def _bytes(self) -> int:
        small = self._small or (0, 0)
        return self._size[0] * self._size[1] * 3 // 2 + small[0] * small[1]

    def _talk(self, process: subprocess.Popen[str], memory: mmap.mmap, name: str) -> Iterator[Shot]:
        size = self._bytes()
        self._say(process, {**self._setup, "memory": name})
        self._process = process
        self._control.again()
        for message in self._messages(process):
            if "broken" in message:
                raise _broken(str(message["broken"]), str(message.get("detail", "")))
            if "frame" in message:
                slot, at, seconds, gain = message["frame"]
                # Copied out at once: the child writes the next picture into the slot as soon as it is free.
                both = np.frombuffer(memory[slot * size : (slot + 1) * size], dtype=np.uint8)
                self._say(process, {"free": slot})
                (wide, high), area = self._size, self._size[0] * self._size[1]
                gray, chroma = both[:area].reshape(high, wide), both[area : area * 3 // 2]
                small = both[area * 3 // 2 :].reshape(self._small[1], self._small[0]) if self._small else None
                known = seconds is not None and gain is not None
                yield gray, chroma, small, float(at), Exposure(float(seconds), float(gain)) if known else None

    def _messages(self, process: subprocess.Popen[str]) -> Iterator[JsonObject]:
        """Yield the child's messages; a child that falls silent or ends is a lost camera."""
        assert process.stdout is not None  # noqa: S101 (it was asked for)
        handle, rest, last = process.stdout.fileno(), b"", time.monotonic()
        patience, later = self._patience
        while not self._stop.is_set():
            if not select.select([handle], [], [], 0.25)[0]:
                if time.monotonic() - last > patience:
                    raise CameraLostError(t("The Pi's camera gives no more pictures; it is started again."))
                continue
            last = time.monotonic()
            piece = os.read(handle, 65536)
            if not piece:
                raise CameraLostError(t("The Pi's camera program ended; it is started again."))
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                try:
                    message = json.loads(line)
                except ValueError:
                    continue  # libcamera writes its own lines on some systems
                if isinstance(message, dict):
                    if "frame" in message:
                        patience = later
                    yield message

    def _say(self, process: subprocess.Popen[str], message: JsonObject) -> None:
        assert process.stdin is not None  # noqa: S101
        try:
            with self._saying:
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return  # what it said last is still to be read
