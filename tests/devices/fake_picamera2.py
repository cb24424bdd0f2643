"""A stand-in for picamera2 with its real names, signatures and refusals (0.3.38), to check our calls against.

Controls that a camera does not have are refused, streams have padded rows, a control shows only some frames after it
was set, and every request has to be given back, as with the real one.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

LATE = 3
"""A control that is set shows in the so-manieth picture after it."""

MODULE_3 = {
    "AeEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1000000, None),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ExposureTime": (1, 66666, 20000),
    "FrameDurationLimits": (33333, 120000, 33333),
    "LensPosition": (0.0, 15.0, 1.0),
}
"""Camera Module 3: (least, most, default)."""

WHOLE, PART = (0, 0, 4608, 2592), (768, 432, 3072, 1728)
MODES_3 = [
    {"size": (1536, 864), "bit_depth": 10, "fps": 120.13, "crop_limits": PART},
    {"size": (2304, 1296), "bit_depth": 10, "fps": 56.03, "crop_limits": WHOLE},
    {"size": (4608, 2592), "bit_depth": 10, "fps": 14.35, "crop_limits": WHOLE},
]
"""Camera Module 3's sizes."""

MODES_2 = [
    {"size": (640, 480), "bit_depth": 10, "fps": 206.65, "crop_limits": (1000, 752, 1280, 960)},
    {"size": (1640, 1232), "bit_depth": 10, "fps": 83.7, "crop_limits": (0, 0, 3280, 2464)},
    {"size": (1920, 1080), "bit_depth": 10, "fps": 47.57, "crop_limits": (680, 692, 1920, 1080)},
    {"size": (3280, 2464), "bit_depth": 10, "fps": 21.19, "crop_limits": (0, 0, 3280, 2464)},
]
"""Camera Module 2's sizes: 1920x1080 is the middle of its sensor."""

GLOBAL_SHUTTER = {name: span for name, span in MODULE_3.items() if not name.startswith(("Af", "Lens", "AeFlicker"))}
"""A camera without a lens that moves, on a libcamera that knows nothing of flicker."""


SYCC = "sYCC"


class ColorSpace:
    """libcamera's, as far as it is asked for."""

    @staticmethod
    def Sycc() -> str:  # noqa: N802
        return SYCC


class CompletedRequest:
    def __init__(self, camera: Picamera2, number: int) -> None:
        self._camera, self._number, self._held = camera, number, True
        camera.out += 1
        assert camera.out <= camera.config["buffer_count"], "requests were not given back"

    def make_array(self, name: str) -> np.ndarray:
        assert self._held
        config = self._camera.config[name]
        if config is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        wide, high = config["size"]
        stride = -(-wide // 64) * 64
        array = np.full((high * 3 // 2, stride), 255, dtype=np.uint8)
        # Rows of U, then of V, have half the stride, and lie two and two in what make_array shows as one row.
        half = array[high:].reshape(-1, stride // 2)
        half[: high // 2, : wide // 2], half[high // 2 :, : wide // 2] = self._camera.chroma
        level = (self._number + (100 if name == "lores" else 0)) % 200
        if self._camera.burnt:
            level = 255
        # Video's own colour spaces have black at 16 and white at 235.
        array[:high, :wide] = level if self._camera.config["colour_space"] == SYCC else 16 + level * 219 // 255
        array[:high, wide:] = 255
        return array

    def get_metadata(self) -> dict[str, Any]:
        assert self._held
        return {**self._camera.shown, "DigitalGain": 1.25, "SensorTimestamp": self._number * 33_000_000}

    def release(self) -> None:
        assert self._held
        self._held = False
        self._camera.out -= 1


class Picamera2:
    controls_of: dict[str, Any] = MODULE_3
    frames = 40
    cameras = 1
    rounds_to: tuple[int, int] | None = None
    has_only: str | None = None
    modes: list[dict[str, Any]] = MODES_3
    tunings: dict[str, dict[str, Any]] = {}  # noqa: RUF012
    burnt = False
    chroma = (128, 128)
    last: Picamera2

    def __init__(
        self, camera_num: int = 0, verbose_console: int | None = None, tuning: dict | None = None, allocator: Any = None
    ) -> None:
        if camera_num >= self.cameras:
            raise RuntimeError(
                f'No camera number {camera_num} found - use "rpicam-hello --list-cameras" to check connected cameras'
            )
        Picamera2.last = self
        self.tuning = tuning
        self.log: list[dict[str, Any]] = []
        self.config: dict[str, Any] = {}
        self.out = self.count = 0
        self.started = self.closed = False
        self.shown = {"ExposureTime": 20000, "AnalogueGain": 2.0}
        self._coming: deque[dict[str, Any]] = deque([{}] * LATE)

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return self.controls_of

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        assert not self.started
        return self.modes

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708_wide", "Num": 0}]

    @staticmethod
    def load_tuning_file(tuning_file, dir=None):
        if tuning_file not in Picamera2.tunings:
            raise RuntimeError("Tuning file not found")
        return Picamera2.tunings[tuning_file]

    @staticmethod
    def find_tuning_algo(tuning, name):
        return next(algo for algo in tuning["algorithms"] if name in algo)[name]

    def create_video_configuration(
        self,
        main={},  # noqa: B006
        lores=None,
        raw={},  # noqa: B006
        transform=None,
        colour_space=None,
        buffer_count=6,
        controls={},  # noqa: B006
        display="main",
        encode="main",
        queue=True,
        sensor={},  # noqa: B006
        use_case="video",
    ) -> dict:
        return {
            "main": {"format": "XBGR8888", **main},
            "lores": lores and {"format": "YUV420", **lores},
            "raw": raw,
            "colour_space": colour_space,
            "controls": controls,
            "buffer_count": buffer_count,
        }

    def configure(self, camera_config: dict | None = None) -> None:
        assert camera_config is not None
        for name in ("main", "lores"):
            stream = camera_config[name]
            if stream is not None:
                size = stream["size"]
                if type(size) is not tuple or len(size) != 2:
                    raise RuntimeError("size in " + name + " stream should be (width, height)")
                if size[0] % 2 or size[1] % 2:
                    raise RuntimeError("width and height should be even")
                assert stream["format"] == "YUV420"
        lores = camera_config["lores"]
        if lores is not None and any(a > b for a, b in zip(lores["size"], camera_config["main"]["size"], strict=True)):
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        if self.rounds_to is not None:
            camera_config["main"]["size"] = self.rounds_to
        if self.has_only is not None:
            camera_config["main"]["format"] = self.has_only
        self.config = camera_config
        self._check(camera_config["controls"])

    def camera_configuration(self) -> dict:
        return self.config

    def set_controls(self, controls: dict) -> None:
        self._check(controls)
        self._coming[-1] = {**self._coming[-1], **controls}

    def _check(self, controls: dict) -> None:
        for name, value in controls.items():
            if name not in self.controls_of:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            low, high, _ = self.controls_of[name]
            values = value if isinstance(value, tuple) else (value,)
            if name != "FrameDurationLimits":
                assert all(low <= number <= high for number in values), (name, value)
            kind = type(low)
            assert all(type(number) is kind for number in values), (name, value)
        self.log.append(dict(controls))

    def start(self, config: Any = None, show_preview: bool = False) -> None:
        assert self.config
        self.started = True

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> CompletedRequest:
        assert self.started
        self.count += 1
        if self.count > self.frames:
            raise RuntimeError("the ribbon cable came off")
        self._coming.append({})
        taken = {name: value for name, value in self._coming.popleft().items() if name in self.shown}
        self.shown = {**self.shown, **taken}
        return CompletedRequest(self, self.count)

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True
