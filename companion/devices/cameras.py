"""Cameras: a folder of photographs, a recording, a video file, any OpenCV device or stream, the Pi's own camera."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.camera_base import (
    HANGS,
    Camera,
    CameraLostError,
    NoCameraError,
    Tell,
    frame_of_jpeg,
    is_jpeg,
    log_trouble,
)
from companion.devices.device_control import DeviceControl
from companion.devices.found_camera import FoundCamera
from companion.devices.recording import RecordingCamera, segments
from companion.devices.service import Backoff, Clock
from companion.devices.v4l2 import is_taken, number_of
from companion.devices.web_camera import SILENT, WebCapture, open_web, silent
from companion.eye.pictures import PictureError, load
from companion.eye.view import Frame, Trouble
from companion.text import join, said, shown_address, t

log = logging.getLogger(__name__)
# FFmpeg logs addresses of streams that it can't open with the passwords in them. What is wrong is said here.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# OpenCV's own lines at every attempt would fill the log: what is wrong is told once, in a sentence.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)

Picture = npt.NDArray[np.uint8]
Capture = cv2.VideoCapture | WebCapture
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_NOTHING: Picture = np.zeros((0, 0), np.uint8)
_EARLY = 0.1
"""How much of the time between two pictures one may come early, and still be it."""
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})
VIDEOS = frozenset({".mp4", ".mkv", ".avi", ".mov", ".webm", ".mjpeg", ".mjpg", ".ts", ".m4v"})
STREAMS = ("http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://", "tcp://")
BY_NAME = "/dev/v4l/"
"""Begins the paths by which a webcam is known whatever number it gets."""


def natural(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts 2.png before 10.png."""
    return [(int(part), "") if part.isdigit() else (-1, part.lower()) for part in re.split(r"(\d+)", name) if part]


class FolderCamera(Camera):
    """Photographs of a folder in natural order (2 before 10), or a single one, in virtual time.

    Each is shown for `hold` seconds at `fps` frames a second, long enough to settle; with 0 as one frame.
    """

    live = False

    def __init__(self, path: Path, fps: float = 10.0, hold: float = 1.2, tell: Tell = log_trouble) -> None:
        """Create it from the pictures of a folder, or one file; raise NoCameraError if there is none."""
        if not path.exists():
            raise NoCameraError(t("There is no folder or picture called {path}.", path=shown_address(f"{path}")))
        files = [path] if path.is_file() else [file for file in path.iterdir() if file.suffix.lower() in PICTURES]
        if not files:
            raise NoCameraError(
                t("There is no picture in {path}; PNG and JPEG files are looked for.", path=shown_address(f"{path}"))
            )
        self.files = sorted(files, key=lambda file: natural(file.name))
        self._step = 1 / fps
        self._each = max(1, round(hold * fps))
        self._tell = tell
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield every photograph as often as it is held; an unreadable one is reported and skipped."""
        number = 0
        for path in self.files:
            try:
                gray, colour = load(path)
            except PictureError as error:
                self._tell(Trouble("camera-lost", said(error)))
                continue
            for _ in range(self._each):
                if self._closed:
                    return
                yield Frame(gray, number * self._step, number, colour)
                number += 1

    def close(self) -> None:
        """End the frames."""
        self._closed = True


class VideoCamera(Camera):
    """A video file, every frame of it, with the times of the file."""

    live = False

    def __init__(self, path: Path) -> None:
        """Open the file; raise NoCameraError if it isn't there or is no video."""
        if not path.exists():
            raise NoCameraError(t("There is no video called {path}.", path=shown_address(f"{path}")))
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise NoCameraError(t("{name} is not a video that can be read; MP4, MKV and AVI can.", name=path.name))
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yield every frame."""
        number, last = 0, -1.0
        while not self._closed:
            good, colour = self._capture.read()
            if not good:
                break
            at = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            # Some containers carry no times; frames must never go back.
            last = at if at > last else last + 1 / self._fps
            yield _frame(np.asarray(colour, dtype=np.uint8), last, number)
            number += 1
        self._capture.release()

    def close(self) -> None:
        """End the frames."""
        self._closed = True


def _frame(bgr: Picture, at: float, number: int) -> Frame:
    if bgr.ndim == 2:
        return Frame(bgr, at, number)
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return Frame(gray, at, number, partial(_to_rgb, bgr))


def _to_rgb(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def _capture(source: int | str) -> Capture:
    if isinstance(source, int):
        return cv2.VideoCapture(source)
    web = open_web(source) if source.startswith(("http://", "https://")) else None
    patience = round(1000 * SILENT)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience]
    return web or cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)


class StreamCamera(Camera):
    """A webcam by its number or path, or a stream by its address, read by a thread: `frames` yields the newest."""

    silence = HANGS
    """Seconds without a frame after which the camera is lost though its driver is silent: some never come back."""
    rate = 10.0
    """Pictures a second: a webcam is asked for them, and of a faster stream no more are decoded."""

    def __init__(
        self,
        source: int | str,
        tell: Tell = log_trouble,
        size: tuple[int, int] | None = (1920, 1080),
        capture: Callable[[int | str], Capture] = _capture,
        backoff: Backoff | None = None,
        clock: Clock = time.monotonic,
        patience: float = 5.0,
        control: DeviceControl | None = None,
    ) -> None:
        """Create it for a device's number or path, or an address; nothing is opened before `frames`.

        A device is asked for a `size`, and may give another. `tell` hears when the camera is lost (after `patience`
        seconds without a frame) and back; `backoff` has the pauses between attempts. `capture` makes OpenCV's capture,
        `clock` counts monotonic seconds, `control` sets a device's exposure.

        Raises:
            NoCameraError: if the device is there but may not be used.
        """
        device = Path(f"/dev/video{source}")
        if isinstance(source, int) and device.exists() and not os.access(device, os.R_OK | os.W_OK):
            raise NoCameraError(
                t(
                    "{device} may not be used by this user: add the user to the group video, then log in again.",
                    device=device,
                )
            )
        self.source = source
        self._streams = isinstance(source, str) and not source.startswith(BY_NAME)
        self.silence = SILENT if self._streams else HANGS
        """Seconds without a frame after which the camera is lost though its driver is silent: some never come back."""
        self._tell = tell
        self._size = size
        self._make = capture
        self._backoff = backoff or Backoff()
        self._clock = clock
        self._patience = patience
        self._lost = False
        self._telling = threading.Lock()
        self.control = self._device = control
        self._stop = threading.Event()
        self._fresh = threading.Condition()
        self._newest: tuple[Picture, float] | None = None
        self._thread: threading.Thread | None = None

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame each time; wait while there is none, and report if that takes too long."""
        # After a fault frames are asked for again, while the thread still reads: two would fight for the device.
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._grab, name="camera", daemon=True)
            self._thread.start()
        number, last = 0, self._clock()
        while not self._stop.is_set():
            with self._fresh:
                self._fresh.wait_for(lambda: self._newest is not None or self._stop.is_set(), timeout=1.0)
                newest, self._newest = self._newest, None
            make = frame_of_jpeg if newest is not None and is_jpeg(newest[0]) else _frame
            frame = None if newest is None else make(*newest, number)
            if frame is not None:
                yield frame
                number, last = number + 1, self._clock()
            elif self._clock() - last >= self.silence and not self._stop.is_set():
                self._lose(
                    said(silent(f"{self.source}"))
                    if self._streams
                    else t(
                        "The {what} has given no picture for {silence:.0f} seconds. Unplug it and plug it in "
                        "again; if that doesn't help, start the companion again.",
                        what=self._what,
                        silence=self.silence,
                    )
                )

    def close(self) -> None:
        """Stop reading and release the device."""
        self._stop.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)

    @property
    def _what(self) -> str:
        return (
            t("camera {source}", source=self.source)
            if isinstance(self.source, int)
            else t("camera at {source}", source=shown_address(self.source))
        )

    def _lose(self, words: str) -> None:
        """Report once that the camera is lost; its reading thread and the consumer of frames may both notice."""
        with self._telling:
            if not self._lost:
                self._lost = True
                self._tell(Trouble("camera-lost", words))

    def _find(self) -> None:
        """Report that the camera is back, if it was lost."""
        with self._telling:
            if self._lost:
                self._lost = False
                self._tell(None)

    def _grab(self) -> None:
        while not self._stop.is_set():
            try:
                for picture in self._pictures():
                    self._find()
                    self._backoff.worked()
                    with self._fresh:
                        self._newest = (picture, self._clock())
                        self._fresh.notify()
            except Exception as error:  # whatever a driver raises: the match goes on, and the camera is tried again
                if isinstance(error, CameraLostError):
                    self._lose(said(error))
                else:
                    words = f"{error}".replace(f"{self.source}", shown_address(f"{self.source}"))
                    self._lose(t("The camera failed: {name}: {error}.", name=type(error).__name__, error=words))
                self._stop.wait(self._backoff.next())

    def _ready(self, capture: Capture, device: bool) -> tuple[DeviceControl | None, bool]:
        """Ask a capture for what is wanted; return what controls it, and whether it gives its pictures packed."""
        if device and self._size is not None:
            # Webcams give 1080p only as MJPEG; uncompressed it would not fit through USB 2.
            capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            capture.set(cv2.CAP_PROP_FPS, self.rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        # Other backends understand the same properties in other numbers.
        if isinstance(capture, WebCapture) or not device or capture.getBackendName() != "V4L2":
            return None, False
        if self._device is not None:
            self._device.opened()
        # As it comes: to decode gray alone takes two thirds of the time, and colour is not always wanted.
        packed = capture.get(cv2.CAP_PROP_FOURCC) == _MJPG and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        return self._device, packed

    def _pictures(self) -> Iterator[Picture]:
        what = self._what
        source = self.source if self._streams or isinstance(self.source, int) else number_of(self.source)
        if source is None:
            raise CameraLostError(_refusal(what, self.source))
        capture = self._make(source)
        try:
            if not capture.isOpened():
                raise CameraLostError(_refusal(what, source))
            control, packed = self._ready(capture, isinstance(source, int))
            last = due = self._clock()
            while not self._stop.is_set():
                if control is not None and not isinstance(capture, WebCapture):
                    control.apply(capture)
                good, picture = capture.grab(), _NOTHING
                if good and (now := self._clock()) < due - _EARLY / self.rate:
                    last = now
                    continue
                if good:
                    got = capture.retrieve()[1]
                    picture = _NOTHING if got is None else np.asarray(got, np.uint8)
                if picture.size:
                    last = self._clock()
                    due = max(due + 1 / self.rate, last)
                    if packed and not is_jpeg(picture):
                        packed = not capture.set(cv2.CAP_PROP_CONVERT_RGB, 1)
                        continue
                    yield picture
                elif not capture.isOpened() or self._clock() - last > self._patience or self._streams:
                    raise CameraLostError(self._ended())
                else:
                    self._stop.wait(0.05)
        finally:
            capture.release()

    def _ended(self) -> str:
        if self._streams:
            return t("The {what} gives no more pictures; it is tried again by itself.", what=self._what)
        return t(
            "The {what} gives no more pictures. Check its cable; it is tried again by itself.",
            what=self._what,
        )


def _refusal(what: str, source: int | str) -> str:
    """Return why a camera could not be opened."""
    if isinstance(source, int) and is_taken(Path(f"/dev/video{source}")):
        return t(
            "Another program uses the {what}: close it (a video call, a browser's page). It is tried again by itself.",
            what=what,
        )
    if isinstance(source, str) and not source.startswith(BY_NAME):
        return t(
            "The {what} doesn't answer. Is its app running, the address right, and the Wi-Fi the same? It is tried "
            "again by itself.",
            what=what,
        )
    return t("The {what} doesn't answer. Plug it in or switch it on; it is tried again by itself.", what=what)


class Kind:
    """A kind of camera: its name (`name:` before what it needs), which bare names it claims, and how to open it."""

    def __init__(
        self, name: str, claims: Callable[[str], bool], make: Callable[[str, dict[str, str], Tell], Camera]
    ) -> None:
        self.name = name
        self.claims = claims
        self.make = make


def _number(options: dict[str, str], name: str, default: float) -> float:
    try:
        return float(options.get(name, default))
    except ValueError:
        raise NoCameraError(
            t("The camera's option {name} takes a number, not {option!r}.", name=name, option=options[name])
        ) from None


def _mains(options: dict[str, str]) -> float | None:
    hertz = _number(options, "mains", 50.0)
    if hertz not in (0, 50, 60):
        raise NoCameraError(
            t("The camera's option mains is 50, 60 or, by daylight, 0; not {mains!r}.", mains=options["mains"])
        )
    return hertz or None


def _held(options: dict[str, str], default: str) -> bool:
    given = options.get("expose", default)
    if given not in ("held", "auto"):
        raise NoCameraError(t("The camera's option expose is held or auto, not {given!r}.", given=given))
    return given == "held"


def _folder(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    if segments(Path(rest)):
        return _recording(rest, options, tell)
    return FolderCamera(Path(rest), _number(options, "fps", 10.0), _number(options, "hold", 1.2), tell)


def _recording(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    begin, end = (_number(options, name, 0.0) if name in options else None for name in ("from", "to"))
    return RecordingCamera(Path(rest), begin, end)


def _video(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    return VideoCamera(Path(rest))


def _device(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    size = int(_number(options, "width", 1920)), int(_number(options, "height", 1080))
    # Who names the mains has bands in the picture: only a shutter that is held takes their time into account.
    control = DeviceControl(_mains(options), _held(options, "held" if "mains" in options else "auto"))
    return StreamCamera(rest if rest.startswith(BY_NAME) else int(rest or 0), tell, size, control=control)


def _stream(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    scheme, slashes, more = rest.partition("://")
    # Nobody types a scheme with the address that an app shows.
    return StreamCamera(f"{scheme.lower()}://{more}" if slashes else f"http://{rest}", tell)


def is_stream(spec: str) -> bool:
    """Whether a camera's name is an address: with a scheme, or a number or a name with a port, as apps show it."""
    return spec.lower().startswith((*STREAMS, "stream:")) or (
        re.fullmatch(r"([^@/\s]+@)?((\d+\.){3}\d+(:\d+)?|[\w.-]+:\d+)(/\S*)?", spec) is not None
    )


def _picamera(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    from companion.devices.picamera import PiCamera  # only here: it knows the Pi

    size = int(_number(options, "width", 2304)), int(_number(options, "height", 1296))
    focus = _number(options, "focus", 0.0) if "focus" in options else None
    fps, held = _number(options, "fps", 10.0), _held(options, "held")
    camera = PiCamera(size, fps, focus, tell, mains=_mains(options))
    if not held:
        camera.control = None
    return camera


def _found(rest: str, options: dict[str, str], tell: Tell) -> Camera:
    query = f"?{urlencode(options)}" if options else ""
    return FoundCamera(lambda name, lost: open_camera(name + query, lost), tell)


def _is_picture(spec: str) -> bool:
    return Path(spec).is_dir() or Path(spec).suffix.lower() in PICTURES


_DEVICE = re.compile(rf"((?:/dev/)?video)?(\d+)|{BY_NAME}\S+")

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("stream", is_stream, _stream),
        Kind("device", lambda spec: _DEVICE.fullmatch(spec) is not None, _device),
        Kind("picamera", lambda spec: spec == "picamera", _picamera),
        Kind("find", lambda spec: spec == "find", _found),
        Kind("recording", lambda spec: bool(segments(Path(spec))), _recording),
        Kind("folder", _is_picture, _folder),
        Kind("video", lambda spec: Path(spec).suffix.lower() in VIDEOS, _video),
    )
}
"""Kinds of camera by name. A new kind is registered by adding it here."""


def open_camera(spec: str, tell: Tell = log_trouble) -> Camera:
    """Open a camera by its name.

    `folder:PATH`, `recording:PATH`, `video:PATH`, `device:0`, `stream:ADDRESS`, `picamera:`, `find:` (the one that is
    there); or just a path, a number, an address, "picamera" or "find". Options: `folder:photos?fps=10&hold=2`,
    `picamera?focus=1.2`.

    Raises:
        NoCameraError: if the name fits no kind of camera, or the kind says that there is none.
    """
    bare = spec.strip()
    head, colon, rest = bare.partition(":")
    kind = KINDS.get(head) if colon else None
    if kind is None:
        rest = bare
    options: dict[str, str] = {}
    # An address has question marks of its own, and so may a file's name.
    streams = kind is KINDS["stream"] or (kind is None and is_stream(rest))
    if "?" in rest and not streams and not Path(rest).exists():
        rest, _, query = rest.partition("?")
        options = dict(parse_qsl(query))
    if kind is None:
        kind = next((kind for kind in KINDS.values() if kind.claims(rest)), None)
        if kind is KINDS["picamera"]:
            rest = ""
    if kind is None:
        raise NoCameraError(
            t(
                "No camera is called {spec!r}. Give a folder of pictures, a recording, a video file, "
                "a device number such as 0, a stream's address, or one of {names}.",
                spec=shown_address(spec),
                names=join(", ", sorted(name + ":" for name in KINDS)),
            )
        )
    if kind is KINDS["device"]:
        rest = rest.removeprefix("/dev/").removeprefix("video") if not rest.startswith(BY_NAME) else rest
        if rest and not _DEVICE.fullmatch(rest):
            raise NoCameraError(t("A device is a number such as 0, not {rest!r}.", rest=shown_address(rest)))
    return kind.make(rest, options, tell)
