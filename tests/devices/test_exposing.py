"""Exposure is found once and held; only light that stays changed makes it move. Webcams are set through Video4Linux."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.devices.camera_base import CameraControl
from companion.devices.cameras import NoCameraError, StreamCamera, open_camera
from companion.devices.device_control import DeviceControl
from companion.devices.exposing import EVERY, Exposing
from companion.eye.exposure import WHITE, Exposure, Limits
from companion.eye.view import Frame

CORNERS = [(0, 0), (160, 0), (160, 120), (0, 120)]


class Room:
    """A table with paper on it, a lamp, and a camera that is set some frames late and in steps of its own."""

    def __init__(self, late: int = 3, step: float = 1e-5) -> None:
        self.light = 1.0
        self.limits = Limits()
        self.mains: float | None = 50.0
        self.now = Exposure(0.002)
        self.focused: list[float | None] = []
        self.asked: list[Exposure] = []
        self._step, self._late = step, late
        self._coming: list[tuple[int, Exposure]] = []
        self.count = 0
        self.scene = np.full((120, 160), 120.0)
        self.scene[:30] = 230.0

    def current(self) -> Exposure | None:
        return self.now

    def auto(self) -> None:
        raise AssertionError("nobody asks for that")

    def expose(self, exposure: Exposure) -> None:
        self.asked.append(exposure)
        rounded = Exposure(max(1, round(exposure.seconds / self._step)) * self._step, exposure.gain)
        self._coming.append((self.count + self._late, rounded))

    def focus(self, metres: float | None) -> None:
        self.focused.append(metres)

    def shoot(self, hand: bool = False) -> Frame:
        self.count += 1
        while self._coming and self._coming[0][0] <= self.count:
            self.now = self._coming.pop(0)[1]
        scene = self.scene.copy()
        if hand:
            scene[:60] = 20
        seconds = self.now.seconds
        linear = (scene / 255) ** 2.2 * seconds * self.now.gain * self.light / 0.01
        gray = np.clip(255 * linear ** (1 / 2.2), 0, 255).astype(np.uint8)
        return Frame(gray, self.count / 10, self.count, exposure=seconds)


def control_of(room: Room) -> CameraControl:
    return room


def watch(room: Room, exposing: Exposing, seconds: float, hand: Callable[[int], bool] = lambda n: False) -> None:
    for n in range(round(seconds * 10)):
        exposing.see(room.shoot(hand(n)), CORNERS)


@pytest.mark.parametrize("light", [0.05, 1.0, 3.0])
def test_an_exposure_is_found_and_held_and_then_the_lens_is_focused(light: float) -> None:
    room = Room()
    room.light = light
    exposing = Exposing(control_of(room))
    watch(room, exposing, 12)
    assert exposing.held
    assert exposing.advice is not None
    assert WHITE[0] <= exposing.advice.white <= WHITE[1]
    assert room.focused == [None]
    found, asked = room.now, len(room.asked)
    watch(room, exposing, 60)
    assert (room.now, len(room.asked)) == (found, asked)


def test_a_sleeve_over_the_table_changes_nothing_but_the_evening_does() -> None:
    room = Room()
    exposing = Exposing(control_of(room))
    watch(room, exposing, 12)
    found = room.now
    watch(room, exposing, 60, hand=lambda n: n % 80 < 40)
    assert room.now == found
    room.light = 0.2
    watch(room, exposing, 4 * EVERY + 8)
    assert exposing.held
    assert room.now.light == pytest.approx(5 * found.light, rel=0.35)
    assert room.focused == [None]


TRAY = [(100, 60), (150, 60), (150, 100), (100, 100)]


def test_white_dice_brighter_than_paper_are_not_burnt_out_and_paper_is_not_dark_for_them() -> None:
    room = Room()
    room.scene[70:78, 110:118] = 290.0
    exposing = Exposing(control_of(room))
    for _ in range(200):
        exposing.see(room.shoot(), CORNERS, lambda: [([TRAY], 0.99)])
    picture = room.shoot().gray
    assert exposing.held
    assert picture[70:78, 110:118].max() < 250
    assert picture[:30].min() > 165
    asked = len(room.asked)
    for _ in range(300):
        exposing.see(room.shoot(), CORNERS, lambda: [([TRAY], 0.99)])
    assert len(room.asked) == asked


def test_a_lamp_mirrored_in_a_tray_makes_the_table_no_darker_than_can_be_read() -> None:
    room = Room()
    room.scene[70:78, 110:118] = 900.0
    exposing = Exposing(control_of(room))
    for _ in range(600):
        exposing.see(room.shoot(), CORNERS, lambda: [([TRAY], 0.99)])
    assert exposing.held
    assert room.shoot().gray[:30].min() > 155


def test_dice_thrown_under_a_held_exposure_make_it_look_again() -> None:
    room = Room()
    exposing = Exposing(control_of(room))
    for n in range(400):
        if n == 150:
            room.scene[70:78, 110:118] = 290.0
        exposing.see(room.shoot(), CORNERS, lambda: [([TRAY], 0.99)])
    assert room.shoot().gray[70:78, 110:118].max() < 250


def test_a_camera_that_rounds_coarsely_is_not_chased_for_ever() -> None:
    room = Room(step=0.02)
    room.limits = Limits(most_gain=1.0, longest=0.1)
    room.mains = None
    exposing = Exposing(control_of(room))
    watch(room, exposing, 20)
    assert exposing.held
    asked = len(room.asked)
    watch(room, exposing, 8)
    assert len(room.asked) == asked


def test_nothing_is_set_before_the_mat_is_found() -> None:
    room = Room()
    exposing = Exposing(control_of(room))
    for _ in range(100):
        exposing.see(room.shoot(), None)
    assert room.asked == []


class Webcam:
    """OpenCV's capture on Video4Linux, with a webcam behind it that may refuse to be set."""

    def __init__(self, backend: str = "V4L2", obeys: bool = True) -> None:
        self.backend, self.obeys = backend, obeys
        self.properties: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 157}
        self.sets: list[tuple[int, float]] = []

    def __call__(self, source: object) -> Webcam:
        return self

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return True

    def getBackendName(self) -> str:  # noqa: N802
        return self.backend

    def set(self, what: int, value: float) -> bool:
        self.sets.append((what, value))
        if what in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE) and not self.obeys:
            return False
        self.properties[what] = value
        return True

    def get(self, what: int) -> float:
        return self.properties.get(what, -1.0)

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, np.full((48, 64, 3), 90, dtype=np.uint8)

    def release(self) -> None:
        return


def test_a_webcam_is_held_in_units_of_video4linux_and_left_to_itself_again() -> None:
    webcam, control = Webcam(), DeviceControl(50.0)
    control.opened()
    control.apply(webcam)
    assert webcam.sets == [(cv2.CAP_PROP_AUTO_EXPOSURE, 1), (cv2.CAP_PROP_EXPOSURE, 200)]
    assert control.current() == Exposure(pytest.approx(0.02))
    control.expose(Exposure(0.01))
    control.focus(None)
    control.apply(webcam)
    control.apply(webcam)
    assert webcam.sets[2:] == [
        (cv2.CAP_PROP_AUTOFOCUS, 0),
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
        (cv2.CAP_PROP_EXPOSURE, 100),
    ]
    control.auto()
    control.apply(webcam)
    assert webcam.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert control.current() is None


def test_a_webcam_that_does_not_let_itself_be_set_goes_on_by_itself() -> None:
    webcam, control = Webcam(obeys=False), DeviceControl(50.0)
    control.apply(webcam)
    assert webcam.sets[-1] == (cv2.CAP_PROP_AUTO_EXPOSURE, 3)
    assert control.current() is None
    exposing = Exposing(control)
    for n in range(100):
        exposing.see(Frame(np.zeros((120, 160), np.uint8), n / 10, n), CORNERS)
    assert not exposing.held
    control.apply(webcam)
    assert (cv2.CAP_PROP_AUTOFOCUS, 0) in webcam.sets


def test_a_webcams_focus_is_locked_once_the_mat_is_found_though_it_exposes_by_itself() -> None:
    webcam, control = Webcam(), open_camera("0").control
    assert isinstance(control, DeviceControl)
    exposing = Exposing(control)
    for n in range(100):
        exposing.see(Frame(np.full((120, 160), 90, np.uint8), n / 10, n), None if n < 50 else CORNERS)
        control.apply(webcam)
        assert webcam.sets == ([] if n < 50 else [(cv2.CAP_PROP_AUTOFOCUS, 0)])


@pytest.mark.parametrize(("backend", "set_so"), [("V4L2", True), ("FFMPEG", False)])
def test_a_device_is_set_by_the_thread_that_reads_it_and_only_on_video4linux(backend: str, set_so: bool) -> None:
    webcam = Webcam(backend)
    camera = StreamCamera(0, capture=webcam, control=DeviceControl(60.0))
    frames = camera.frames()
    next(frames)
    camera.close()
    assert ((cv2.CAP_PROP_EXPOSURE, 167) in webcam.sets) is set_so


def test_a_webcams_exposure_is_left_alone_unless_that_is_asked_for() -> None:
    control = open_camera("device:0?expose=held&mains=60").control
    assert isinstance(control, DeviceControl)
    assert control.mains == 60
    named = open_camera("device:0?mains=60").control
    assert isinstance(named, DeviceControl)
    named.apply(webcam := Webcam())
    assert (cv2.CAP_PROP_EXPOSURE, 167) in webcam.sets
    with pytest.raises(NoCameraError, match="held or auto"):
        open_camera("device:0?expose=yes")
