"""The camera that is there: looked for at every attempt, so that it may be plugged in, or changed, at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.devices import v4l2
from companion.devices.camera_base import Camera, CameraControl, Tell, log_trouble
from companion.devices.service import Backoff
from companion.eye.exposure import Exposure, Limits
from companion.eye.view import Frame, Trouble

RECEIVERS = ("unicam", "rp1-cfe")
"""Begins the name of the video device that a ribbon camera gets on a Pi 4 and a Pi 5; it gives no finished pictures."""

NO_CAMERAS = ("codec", "isp", "pispbe", "rpi", "rp1-", "unicam", "hevc")
"""Parts of the names of video devices that take no pictures by themselves."""

VIDEO_DEVICES = Path("/sys/class/video4linux")


def video_devices(known: Path = VIDEO_DEVICES) -> dict[str, str]:
    """Return the names of all video devices that Linux knows, by "video0" and so on, in the order of their numbers."""
    found = {}
    for entry in sorted(known.glob("video*"), key=lambda path: (len(path.name), path.name)):
        try:
            found[entry.name] = (entry / "name").read_text(errors="replace").strip()
        except OSError:
            continue
    return found


def takes_pictures(video: str, name: str, devices: Path = Path("/dev")) -> bool:
    """Whether a video device, "video0" and its name, is a camera: a Pi lists codecs and image processors as well."""
    return not any(part in name for part in NO_CAMERAS) and v4l2.takes_pictures(devices / video) is not False


def find_camera(known: Path = VIDEO_DEVICES) -> str | None:
    """Return the camera that is there: the Pi's, a USB camera, or number 0 where that is unknown; None if none."""
    if not known.parent.is_dir():
        return "0"
    devices = video_devices(known)
    if any(name.startswith(RECEIVERS) for name in devices.values()):
        return "picamera"
    cameras = [video for video, name in devices.items() if takes_pictures(video, name)]
    # A USB camera hangs on the bus of that name.
    cameras.sort(key=lambda video: "usb" not in str((known / video / "device").resolve()))
    return cameras[0].removeprefix("video") if cameras else None


class FoundCamera(Camera):
    """Frames of whichever camera is there. One that is lost is looked for anew, and may come back as another."""

    def __init__(
        self,
        open_it: Callable[[str, Tell], Camera],
        tell: Tell = log_trouble,
        find: Callable[[], str | None] = find_camera,
        backoff: Backoff | None = None,
    ) -> None:
        """Create it; nothing is looked for before `frames`.

        `open_it` opens a camera that `find` names ("picamera" or a number; None: none); `tell` hears when it is lost or
        back.
        """
        self._open = open_it
        self._tell = tell
        self._find = find
        self._backoff = backoff or Backoff()
        self._stop = threading.Event()
        self._camera: Camera | None = None
        self._lost = False
        self.control: CameraControl = _ControlOf(lambda: self._camera)

    def frames(self) -> Iterator[Frame]:
        """Yield frames, numbered from 0 whatever camera they come from; raise PermanentError if a person is needed."""
        number = 0
        while not self._stop.is_set():
            name = self._find()
            if name is None:
                self._lose(Trouble("camera-lost", "There is no camera. Plug one in; it is looked for by itself."))
            else:
                for frame in self._frames_of(name):
                    frame.number = number
                    number += 1
                    yield frame
            self._stop.wait(self._backoff.next())

    def close(self) -> None:
        """End the frames."""
        self._stop.set()
        if self._camera is not None:
            self._camera.close()

    def _frames_of(self, name: str) -> Iterator[Frame]:
        """Yield the frames of one camera until it is lost."""

        def tell(trouble: Trouble | None) -> None:
            if trouble is not None:
                self._lose(trouble)
                camera.close()

        camera = self._camera = self._open(name, tell)
        try:
            for frame in camera.frames():
                if self._lost:
                    self._lost = False
                    self._tell(None)
                self._backoff.worked()
                yield frame
                if self._stop.is_set():
                    return
        finally:
            self._camera = None
            camera.close()

    def _lose(self, trouble: Trouble) -> None:
        if not self._lost and not self._stop.is_set():
            self._lost = True
            self._tell(trouble)


def control_of(camera: Callable[[], Camera | None]) -> CameraControl:
    """Return the control of whichever camera is there."""
    return _ControlOf(camera)


class _ControlOf:
    """Exposure and focus of whichever camera is there now; nothing is set while there is none."""

    def __init__(self, camera: Callable[[], Camera | None]) -> None:
        self._camera = camera

    def _control(self) -> CameraControl | None:
        camera = self._camera()
        return camera.control if camera is not None else None

    @property
    def limits(self) -> Limits:
        control = self._control()
        return control.limits if control is not None else Limits()

    @property
    def mains(self) -> float | None:
        control = self._control()
        return control.mains if control is not None else None

    def current(self) -> Exposure | None:
        control = self._control()
        return control.current() if control is not None else None

    def auto(self) -> None:
        if (control := self._control()) is not None:
            control.auto()

    def expose(self, exposure: Exposure) -> None:
        if (control := self._control()) is not None:
            control.expose(exposure)

    def focus(self, metres: float | None) -> None:
        if (control := self._control()) is not None:
            control.focus(metres)
