"""The Pi's camera: our calls of picamera2, exposure and focus through the child process, two streams."""

from __future__ import annotations

import ast
import importlib.util
import io
import itertools
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from companion.devices import picamera, picamera_child
from companion.devices.camera_base import CameraLostError
from companion.devices.cameras import NoCameraError, open_camera
from companion.devices.picamera import PiCamera, PiControl, small_size
from companion.devices.picamera_child import PiSource, whole_field
from companion.devices.service import Backoff
from companion.eye.exposure import Exposure
from companion.eye.flat import glimpsed, reduced
from tests.devices import fake_picamera2, picamera2_signatures
from tests.devices.fake_picamera2 import GLOBAL_SHUTTER, LATE, MODES_2, MODES_3, Picamera2

SETUP = {"size": [192, 108], "small": [48, 28], "fps": 10, "focus": 1.2, "mains": 50.0, "slots": 3}


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = ModuleType("picamera2")
    module.Picamera2 = type("Picamera2", (Picamera2,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    libcamera = ModuleType("libcamera")
    libcamera.ColorSpace = fake_picamera2.ColorSpace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return module.Picamera2  # type: ignore[no-any-return, attr-defined]


def source(**changed: Any) -> tuple[PiSource, Picamera2]:
    made = PiSource({**SETUP, **changed})
    return made, Picamera2.last


def asked(camera: Picamera2, name: str) -> list[Any]:
    return [controls[name] for controls in camera.log if name in controls]


def test_it_starts_with_the_lens_locked_and_lamps_that_dont_flicker(library: Any) -> None:
    _, camera = source()
    assert camera.config["main"] == {"size": (192, 108), "format": "YUV420"}
    assert camera.config["lores"] == {"size": (48, 28), "format": "YUV420"}
    assert camera.config["controls"] == {
        "FrameDurationLimits": (100_000, 100_000),
        "AeEnable": True,
        "AeFlickerMode": 1,
        "AeFlickerPeriod": 10_000,
        "AfMode": 0,
        "LensPosition": 1.2,
    }
    assert camera.started


@pytest.mark.parametrize(("mains", "period"), [(60.0, [8333]), (None, [])])
def test_other_mains_and_daylight(library: Any, mains: float | None, period: list[int]) -> None:
    _, camera = source(mains=mains)
    assert asked(camera, "AeFlickerPeriod") == period
    assert asked(camera, "AeFlickerMode") == [int(bool(period))]


def test_without_a_distance_the_lens_is_looked_for_once_and_stays(library: Any) -> None:
    _, camera = source(focus=None)
    # picamera2 leaves the lens alone unless it is told; 1 is "auto", which moves it only when triggered.
    assert asked(camera, "AfMode") == [1]
    assert asked(camera, "AfTrigger") == [0]
    assert asked(camera, "LensPosition") == []


def test_a_distance_the_lens_cannot_do_is_brought_into_its_range(library: Any) -> None:
    assert asked(source(focus=40)[1], "LensPosition") == [15.0]


def test_a_camera_without_focus_or_flicker_control_is_asked_for_neither(library: Any) -> None:
    library.controls_of = GLOBAL_SHUTTER
    made, camera = source(focus=None)
    made.wish({"focus": 2.0})
    made.wish({"seconds": 0.01, "gain": 1.0})
    assert len(list(islice(made.shots(), 3))) == 3
    assert set().union(*camera.log) <= set(GLOBAL_SHUTTER)
    assert asked(camera, "ExposureTime") == [10_000]


def test_pictures_come_without_padding_with_the_small_one_and_how_they_were_taken(library: Any) -> None:
    made, camera = source()
    shots = list(islice(made.shots(), 10))
    assert [shot.planes[0].tobytes() for shot in shots] == [bytes([n]) * 192 * 108 for n in range(1, 11)]
    assert [shot.planes[3].tobytes() for shot in shots] == [bytes([100 + n]) * 48 * 28 for n in range(1, 11)]
    assert (shots[0].seconds, shots[0].gain) == (0.02, 2.5)
    assert camera.out == 0
    made.close()
    assert (camera.started, camera.closed) == (False, True)


def test_what_is_burnt_out_is_255(library: Any) -> None:
    library.burnt = True
    made, _ = source()
    assert (next(made.shots()).planes[0] == 255).all()


@pytest.mark.parametrize(
    ("modes", "asked_for", "read"),
    [
        (MODES_3, (2304, 1296), (2304, 1296)),
        (MODES_3, (3840, 2160), (4608, 2592)),
        (MODES_2, (2304, 1296), (3280, 2464)),
        (MODES_2, (1280, 720), (1640, 1232)),
        # More than the sensor has, or faster than it can give so much.
        (MODES_2, (4608, 2592), (3280, 2464)),
        ([{"format": "YUYV"}], (1280, 720), (1280, 720)),
    ],
)
def test_the_sensor_is_read_whole_not_its_middle_alone(
    modes: list[dict[str, Any]], asked_for: tuple[int, int], read: tuple[int, int]
) -> None:
    assert whole_field(modes, asked_for, 10.0) == read


def test_a_size_for_which_the_sensor_is_too_slow_is_not_taken() -> None:
    assert whole_field(MODES_2, (2304, 1296), 30.0) == (1640, 1232)


def test_the_camera_is_configured_with_that_size(library: Any) -> None:
    library.modes = MODES_2
    assert source(size=[1920, 1080], small=None)[1].config["raw"] == {"size": (3280, 2464)}


def test_the_cameras_own_contrast_is_switched_off(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"version": 2.0, "algorithms": [{"rpi.agc": {}}, {"rpi.contrast": {"ce_enable": 1, "gamma": [1]}}]}
    monkeypatch.setitem(Picamera2.tunings, "imx708_wide.json", own)
    assert source()[1].tuning["algorithms"][1] == {"rpi.contrast": {"ce_enable": 0, "gamma": [1]}}


def test_a_camera_without_a_tuning_is_taken_as_it_comes(library: Any) -> None:
    assert source()[1].tuning is None


def test_without_a_small_stream_there_is_none(library: Any) -> None:
    made, camera = source(small=None)
    assert camera.config["lores"] is None
    assert len(next(made.shots()).planes) == 3


def test_a_size_that_the_camera_rounds_is_refused_and_the_camera_let_go(library: Any) -> None:
    library.rounds_to = (192, 120)
    with pytest.raises(ValueError, match="192x120, not 192x108"):
        source()
    assert Picamera2.last.closed


def test_a_camera_without_the_format_is_refused_and_let_go(library: Any) -> None:
    # As picamera2 0.3.27 did with libcamera 0.4's camera of the kernel (vimc), which has no YUV.
    library.has_only = "BGR888"
    with pytest.raises(ValueError, match="BGR888, not YUV420"):
        source()
    assert Picamera2.last.closed


def test_a_held_exposure_switches_the_automatic_off_and_on_again(library: Any) -> None:
    made, camera = source()
    shots = made.shots()
    next(shots)
    made.wish({"seconds": 0.01, "gain": 4.0})
    taken = [next(shots).seconds for _ in range(LATE + 3)]
    assert camera.log[-1] == {"AeEnable": False, "ExposureTime": 10_000, "AnalogueGain": 4.0}
    assert (taken[0], taken[-1]) == (0.02, 0.01)
    made.wish({"auto": True})
    next(shots)
    assert camera.log[-1]["AeEnable"] is True


def test_no_shutter_is_open_longer_than_a_frame_lasts(library: Any) -> None:
    made, camera = source(fps=20)
    made.wish({"seconds": 3.0, "gain": 1.0})
    next(made.shots())
    assert asked(camera, "ExposureTime") == [50_000]


def test_a_new_focus_is_searched_for_or_locked(library: Any) -> None:
    made, camera = source()
    shots = made.shots()
    for wish in ({"focus": None}, {"focus": 2.0}):
        made.wish(wish)
        next(shots)
    assert camera.log[-3:] == [{"AfMode": 1}, {"AfTrigger": 0}, {"AfMode": 0, "LensPosition": 2.0}]


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((2304, 1296), (576, 324)),
        ((4608, 2592), (576, 324)),
        ((1920, 1080), (640, 360)),
        ((1536, 864), (512, 288)),
        ((640, 480), None),
        ((2306, 1296), None),
        ((1640, 1232), None),
    ],
)
def test_the_small_picture_is_a_whole_part_of_the_big_one(size: tuple[int, int], small: tuple[int, int] | None) -> None:
    assert small_size(size) == small
    if small is not None:
        # The eye puts the two together by this size.
        big = np.zeros((size[1], size[0]), dtype=np.uint8)
        assert glimpsed(big).shape == reduced(big)[0].shape == (small[1], small[0])


# ------------------------------------------------------------------------------------------ the stand-in and the real

RECORDED: list[dict[str, Any]] = json.loads(picamera2_signatures.FILE.read_text())


@pytest.mark.parametrize("name", ["Picamera2", "CompletedRequest"])
def test_the_stand_in_has_the_real_ones_signatures(name: str) -> None:
    tree = ast.parse(Path(fake_picamera2.__file__).read_text())
    [made] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    ours = {node.name: picamera2_signatures.signature(node) for node in made.body if isinstance(node, ast.FunctionDef)}
    real = RECORDED[-1][name]
    compared = set(ours) & set(real) - ({"__init__"} if name == "CompletedRequest" else set())
    assert compared >= set(real) - {"global_camera_info"}
    for method in compared:
        plain = [
            [parameter, default if default != "libcamera.Transform()" else "None"]
            for parameter, default in real[method]
        ]
        assert ours[method] == plain, method


def test_the_stand_in_refuses_in_the_real_ones_words() -> None:
    tree = ast.parse(Path(fake_picamera2.__file__).read_text())
    ours = {
        said
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for said in picamera2_signatures.refusals(node)
    }
    assert len(ours) >= 6
    assert ours - set(RECORDED[-1]["refuses"]) == {"the ribbon cable came off"}


@pytest.mark.parametrize("real", RECORDED, ids=lambda real: str(real["version"]))
def test_every_call_we_make_fits_every_version(real: dict[str, Any]) -> None:
    tree = ast.parse(Path(picamera_child.__file__).read_text())
    every = {**real["CompletedRequest"], **real["Picamera2"]}
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) in ("self._camera", "request", "library")
    ]
    assert len(calls) >= 10
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        parameters = every[call.func.attr]
        names = [name for name, _ in parameters]
        given = [*names[: len(call.args)], *(word.arg for word in call.keywords if word.arg)]
        assert len(call.args) <= len(names)
        assert set(given) <= set(names)
        if not any(word.arg is None for word in call.keywords):
            assert {name for name, default in parameters if default is None} <= set(given)


def test_the_installed_picamera2_is_like_a_recorded_one() -> None:
    """On a Pi the real one is there; elsewhere what is recorded is compared with itself, read from source once more."""
    spec = importlib.util.find_spec("picamera2")
    if spec is None or spec.origin is None:
        assert [version["version"] for version in RECORDED] == ["0.3.12", "0.3.27", "0.3.38"]
        return
    source = Path(spec.origin).parent / "picamera2.py"
    tree = ast.parse(source.read_text())
    [real] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Picamera2"]
    methods = {node.name for node in real.body if isinstance(node, ast.FunctionDef)}
    assert set(RECORDED[-1]["Picamera2"]) <= methods


def test_signatures_are_read_from_source(tmp_path: Path) -> None:
    (tmp_path / "PKG-INFO").write_text("Name: picamera2\nVersion: 9.9\n")
    (tmp_path / "picamera2").mkdir()
    (tmp_path / "picamera2" / "picamera2.py").write_text(
        "class Picamera2:\n"
        "    @overload\n    def start(self, odd): ...\n"
        "    def start(self, config=None, *, x=1) -> None: ...\n"
        "    def check_stream_config(self, name):\n"
        "        raise RuntimeError(name + f' is {name!r}, odd')\n"
    )
    for file in ("request.py", "controls.py"):
        (tmp_path / "picamera2" / file).write_text("class Other: ...\n")
    assert picamera2_signatures.read(tmp_path) == {
        "version": "9.9",
        "refuses": ["{} is {}, odd"],
        "Picamera2": {"start": [["config", "None"]]},
    }


@pytest.mark.parametrize("fault", [IndexError("list index out of range"), None])
def test_a_pi_without_a_camera_is_told_so_in_old_versions_and_new(library: Any, fault: Exception | None) -> None:
    library.cameras = 0

    def older(setup: dict[str, Any]) -> Any:
        raise fault if fault else AssertionError

    out = io.StringIO()
    status = picamera_child.main(older if fault else PiSource, io.StringIO(json.dumps(SETUP) + "\n"), out)
    assert status == 1
    assert json.loads(out.getvalue())["broken"] == "none"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ImportError("No module named 'picamera2'"), "missing"),
        (ImportError("numpy.core.multiarray failed to import"), "numpy"),
        (ValueError("numpy.dtype size changed, may indicate binary incompatibility"), "numpy"),
        (RuntimeError("Failed to acquire camera: Device or resource busy"), "held"),
        (RuntimeError("Camera __init__ sequence did not complete."), "held"),
        (RuntimeError("Could not open any dmaHeap device"), "display"),
        (OSError(12, "Cannot allocate memory"), "display"),
        (RuntimeError("something new"), "shut"),
    ],
)
def test_why_the_camera_is_not_opened_is_known_from_what_picamera2_raises(error: Exception, kind: str) -> None:
    assert picamera_child.kind_of(error) == kind


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("missing", NoCameraError, "picamera2 is not installed for the system's Python (why): apt install"),
        ("numpy", NoCameraError, "The NumPy of the system's Python doesn't fit its picamera2 (why)."),
        ("held", CameraLostError, "Another program has the Pi's camera (why): end it"),
        ("display", CameraLostError, "There is no memory for the Pi camera's pictures (why): in /boot"),
        ("none", CameraLostError, "No camera is connected to the Pi; check the ribbon cable."),
        ("shut", CameraLostError, "The Pi's camera can't be opened: why."),
        ("stopped", CameraLostError, "The Pi's camera stopped: why."),
    ],
)
def test_why_the_child_gave_up_is_said_in_a_sentence(kind: str, error: type[Exception], words: str) -> None:
    found = picamera._broken(kind, "why")
    assert type(found) is error
    assert str(found).startswith(words)


CHILD = f"""
import importlib.util, sys, types
def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made
fake = load("picamera2", {str(Path(fake_picamera2.__file__))!r})
fake.Picamera2.frames = 10**9
import time
capture = fake.Picamera2.capture_request
fake.Picamera2.capture_request = lambda self: (time.sleep(0.002), capture(self))[1]
sys.modules["libcamera"] = fake
sys.exit(load("picamera_child", {str(Path(picamera_child.__file__))!r}).main())
"""


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[PiCamera]:
    (tmp_path / "child.py").write_text(CHILD)
    camera = PiCamera((1152, 648), command=[sys.executable, str(tmp_path / "child.py")])
    yield camera
    camera.close()


def test_through_the_child_both_pictures_arrive_and_a_held_exposure_takes(pi: PiCamera) -> None:
    frames = pi.frames()
    first = next(frames)
    assert first.gray.shape == (648, 1152)
    assert first.small is not None
    assert first.small.shape == (324, 576)
    assert (first.small == first.gray[0, 0] + 100).all()
    assert first.exposure == pytest.approx(0.02)
    assert pi.control is not None
    assert pi.control.current() == Exposure(0.02, 2.5)
    pi.control.expose(Exposure(0.01, 4.0))
    assert any(frame.exposure == pytest.approx(0.01) for frame in islice(frames, 400))
    assert pi.control.current() == Exposure(0.01, 5.0)
    frames.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(1152, 648), (1000, 750)])
def test_colour_is_in_the_pictures_of_the_pis_camera(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "child.py").write_text(CHILD.replace("10**9", "10**9; fake.Picamera2.chroma = (90, 200)"))
    camera = PiCamera(size, command=[sys.executable, str(tmp_path / "child.py")])
    frame = next(frame for frame in camera.frames() if frame.gray[0, 0] > 60)
    camera.close()
    assert frame.colour is not None
    assert frame.colour.shape == (size[1] // 2, size[0] // 2, 3)
    # BT.601 with the full range: what sYCC means.
    level, blue, red = int(frame.gray[0, 0]), 90 - 128, 200 - 128
    rgb = level + 1.402 * red, level - 0.344 * blue - 0.714 * red, level + 1.772 * blue
    assert np.abs(frame.colour - np.clip(rgb, 0, 255)).max() <= 2
    assert (frame.gray == level).all()


def memories() -> set[str]:
    """List the shared memory that frames go through."""
    folder = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())  # noqa: S108
    return {path.name for path in folder.glob("companion-*")}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
def test_a_helper_that_is_killed_is_replaced_with_what_was_wished_and_its_memory_is_given_back(
    pi: PiCamera, how: signal.Signals
) -> None:
    before = memories()
    told: list[str] = []
    pi._tell = lambda trouble: told.append("back" if trouble is None else trouble.kind)
    pi._backoff = Backoff(0.01, 0.02)
    frames = pi.frames()
    next(frames)
    assert len(memories() - before) == 1
    assert pi.control is not None
    pi.control.expose(Exposure(0.01, 4.0))
    first = pi._process
    assert first is not None
    held = next(frames)
    kept = held.gray.copy()
    first.send_signal(how)
    # What was on its way may still come; then the next one starts counting its pictures anew.
    after = list(islice(frames, 12))
    assert pi._process is not first
    assert first.returncode == -how
    assert told == ["camera-lost", "back"]
    assert [frame.number for frame in after] == list(range(held.number + 1, held.number + 13))
    assert (held.gray == kept).all()  # a frame handed out is nobody else's memory
    assert any(frame.exposure == pytest.approx(0.01) for frame in islice(frames, 400))
    frames.close()  # type: ignore[attr-defined]
    assert memories() == before


def test_a_helper_that_hangs_is_ended_and_replaced(tmp_path: Path) -> None:
    """It is alive but gives nothing: a driver that waits for ever."""
    mark = tmp_path / "mark"
    (tmp_path / "child.py").write_text(
        CHILD.replace(
            "import time\n",
            f"import time, pathlib\nmark = pathlib.Path({str(mark)!r})\nfirst = not mark.exists()\nmark.touch()\n",
        ).replace("(time.sleep(0.002), capture(self))", "(time.sleep(9999 if first else 0.002), capture(self))")
    )
    told: list[str] = []
    camera = PiCamera(
        (1152, 648),
        command=[sys.executable, str(tmp_path / "child.py")],
        tell=lambda trouble: told.append("" if trouble is None else trouble.words),
        backoff=Backoff(0.01, 0.02),
        patience=(1.5, 1.5),
    )
    frames = camera.frames()
    assert next(frames).number == 0
    assert (told[0], told[-1]) == ("The Pi's camera gives no more pictures; it is started again.", "")
    frames.close()  # type: ignore[attr-defined]
    camera.close()


def test_what_was_wished_is_told_to_the_next_child_too() -> None:
    sent: list[dict[str, Any]] = []
    control = PiControl(10.0, 50.0, sent.append)
    control.expose(Exposure(0.01, 2.0))
    control.expose(Exposure(0.02, 2.0))
    control.focus(0.8)
    sent.clear()
    control.again()
    assert sent == [{"seconds": 0.02, "gain": 2.0}, {"focus": 1.25}]


def test_a_lens_that_people_have_set_is_not_searched_for() -> None:
    sent: list[dict[str, Any]] = []
    control = PiControl(10.0, 50.0, sent.append, fixed=True)
    control.focus(None)
    assert sent == []


def test_the_options_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = open_camera("picamera?mains=60&fps=5")
    assert camera.control is not None
    assert (camera.control.mains, camera.control.limits.longest) == (60, 1 / 12)
    assert open_camera("picamera?expose=auto").control is None
    assert open_camera("picamera?mains=0").control.mains is None  # type: ignore[union-attr]
    for wrong in ("mains=55", "expose=bright", "focus=near"):
        with pytest.raises(NoCameraError):
            open_camera(f"picamera?{wrong}")


def test_a_camera_that_breaks_off_is_told_by_the_child(library: Any) -> None:
    library.frames = 5
    made, camera = source()
    with pytest.raises(RuntimeError, match="ribbon"):
        list(itertools.islice(made.shots(), 20))
    assert camera.out == 0
