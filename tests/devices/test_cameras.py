"""Cameras: folders, videos, devices that come and go, streams over HTTP, and the Pi's child process."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices import cameras
from companion.devices.camera_base import CameraLostError
from companion.devices.cameras import (
    FolderCamera,
    NoCameraError,
    StreamCamera,
    VideoCamera,
    open_camera,
)
from companion.devices.picamera import PiCamera
from companion.devices.service import Backoff
from companion.eye.view import Frame, Trouble

Caplog = pytest.LogCaptureFixture
QUICK = {"first": 0.01, "most": 0.02}


def picture(tone: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), tone, dtype=np.uint8)


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    for name, tone in (("10.png", 100), ("2.png", 20), ("1.jpg", 10)):
        assert cv2.imwrite(str(tmp_path / name), picture(tone))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_a_folder_is_shown_in_natural_order_each_photograph_long_enough_to_settle(photographs: Path) -> None:
    camera = FolderCamera(photographs, fps=10, hold=1.2)
    frames = list(camera.frames())
    assert [round(frame.gray.mean()) for frame in frames[::12]] == [10, 20, 100]
    assert len(frames) == 36
    assert [frame.number for frame in frames] == list(range(36))
    assert [frame.time for frame in frames] == pytest.approx([n / 10 for n in range(36)])
    assert frames[0].colour is not None
    assert not camera.live


def test_a_folder_without_holding_is_a_recording(photographs: Path) -> None:
    camera = open_camera(f"folder:{photographs}?fps=5&hold=0")
    assert [frame.time for frame in camera.frames()] == pytest.approx([0.0, 0.2, 0.4])


def test_a_broken_photograph_is_told_of_and_left_out(photographs: Path) -> None:
    whole = (photographs / "2.png").read_bytes()
    (photographs / "2.png").write_bytes(whole[: len(whole) // 2])
    told: list[Trouble | None] = []
    frames = list(FolderCamera(photographs, hold=0, tell=told.append).frames())
    assert [round(frame.gray.mean()) for frame in frames] == [10, 100]
    assert [(trouble.kind, trouble.words) for trouble in told if trouble] == [
        ("camera-lost", "2.png is cut short: copy it again.")
    ]


def test_a_single_picture_is_a_camera_too(photographs: Path) -> None:
    assert len(list(open_camera(str(photographs / "10.png")).frames())) == 12


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("folder:nowhere", "no folder or picture"),
        ("nowhere.mp4", "no video"),
        ("the camera over there", "No camera is called"),
        ("device:front", "a number"),
        ("folder:.?fps=fast", "takes a number"),
    ],
)
def test_a_name_that_is_no_camera_says_what_to_give(spec: str, words: str) -> None:
    with pytest.raises(NoCameraError, match=words):
        open_camera(spec)


def test_an_empty_folder_is_no_camera(tmp_path: Path) -> None:
    with pytest.raises(NoCameraError, match="no picture in"):
        open_camera(str(tmp_path))


def test_a_new_kind_of_camera_is_added_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = StreamCamera(0)
    kind = cameras.Kind("blank", lambda spec: False, lambda rest, options, tell: blank)
    monkeypatch.setitem(cameras.KINDS, "blank", kind)
    assert open_camera("blank:anything") is blank


@pytest.mark.parametrize(
    ("spec", "source"),
    [
        ("0", 0),
        ("/dev/video7", 7),
        ("video7", 7),
        ("device:3", 3),
        ("/dev/v4l/by-id/usb-A-Webcam-index0?mains=60", "/dev/v4l/by-id/usb-A-Webcam-index0"),
        ("192.168.1.23:8080/video", "http://192.168.1.23:8080/video"),
        ("stream:192.168.1.23/video?x=1", "http://192.168.1.23/video?x=1"),
        ("HTTP://phone.local:8080/Video", "http://phone.local:8080/Video"),
        ("rtsps://phone.local:8322/live", "rtsps://phone.local:8322/live"),
    ],
)
def test_cameras_are_known_by_all_their_names(spec: str, source: int | str) -> None:
    camera = open_camera(spec)
    assert isinstance(camera, StreamCamera)
    assert camera.source == source


def test_an_address_keeps_its_question_marks() -> None:
    camera = open_camera("http://phone.local:8080/video?quality=80&x=1")
    assert isinstance(camera, StreamCamera)
    assert camera.source == "http://phone.local:8080/video?quality=80&x=1"


def test_a_webcams_path_is_resolved_anew_at_each_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, opened = iter([4, None, 2]), list[int | str]()
    monkeypatch.setattr(cameras, "number_of", lambda path: next(numbers))

    def make(source: int | str) -> FakeCapture:
        opened.append(source)
        if source == 2:
            camera._stop.set()
        return FakeCapture([0])(source)

    camera = StreamCamera("/dev/v4l/by-id/usb-A", capture=make, backoff=Backoff(**QUICK))
    camera._grab()
    assert opened == [4, 2]


def test_a_webcam_that_another_program_uses_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "is_taken", lambda device: device == Path("/dev/video3"))
    assert "Another program uses the camera 3" in cameras._refusal("camera 3", 3)
    assert "Another program" not in cameras._refusal("camera 4", 4)


def test_a_silent_stream_is_given_up_sooner_than_a_webcam_that_may_wake() -> None:
    assert StreamCamera("rtsp://127.0.0.1:9/x").silence == 6.0
    assert StreamCamera("/dev/v4l/by-id/usb-A").silence == StreamCamera(0).silence == 30.0


def test_the_log_has_no_line_of_opencvs_own_at_each_attempt() -> None:
    ask = "from companion.devices.cameras import _capture; _capture(97).isOpened(); _capture('rtsp://127.0.0.1:9/x')"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


def test_a_video_gives_every_frame_with_growing_times(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for tone in range(0, 200, 20):
        writer.write(picture(tone))
    writer.release()
    camera = open_camera(str(path))
    assert isinstance(camera, VideoCamera)
    frames = list(camera.frames())
    assert [frame.number for frame in frames] == list(range(10))
    assert all(b.time > a.time for a, b in pairwise(frames))
    assert round(frames[-1].gray.mean()) == pytest.approx(180, abs=3)


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.mp4").write_bytes(b"nothing")
    with pytest.raises(NoCameraError, match="is not a video"):
        open_camera(str(tmp_path / "x.mp4"))


class FakeCapture:
    """OpenCV's capture, which gives so many pictures and is then unplugged; a script says how many each time."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.opened = 0
        self.released = 0

    def __call__(self, source: object) -> FakeCapture:
        self.left = self.script[min(self.opened, len(self.script) - 1)]
        self.opened += 1
        return self

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.left > 0

    def set(self, what: int, value: float) -> bool:
        return True

    def grab(self) -> bool:
        good, self.grabbed = self.read()
        return good

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        return self.grabbed is not None, self.grabbed

    def getBackendName(self) -> str:  # noqa: N802
        return "FFMPEG"

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.left <= 1:
            self.left = 0
            return False, None
        self.left -= 1
        return True, picture(self.left % 200)

    def release(self) -> None:
        self.released += 1


def test_a_camera_unplugged_and_plugged_in_again_goes_on_by_itself() -> None:
    back_again = threading.Event()
    told: list[str] = []

    def tell(trouble: Trouble | None) -> None:
        told.append("back" if trouble is None else trouble.kind)
        if trouble is None:
            back_again.set()

    capture = FakeCapture([5, 0, 0, 0, 100_000_000])
    camera = StreamCamera(0, tell, capture=capture, backoff=Backoff(**QUICK))
    frames: list[Frame] = []
    for frame in camera.frames():
        frames.append(frame)
        if back_again.is_set():
            break
    camera.close()
    assert told == ["camera-lost", "back"]
    assert capture.opened == 5
    assert capture.released == 5
    assert [frame.number for frame in frames] == list(range(len(frames)))


def test_a_camera_that_was_never_there_is_told_of_once_and_tried_again() -> None:
    told: list[str] = []
    capture = FakeCapture([0])
    camera = StreamCamera(0, lambda trouble: told.append(trouble.words if trouble else ""), capture=capture)
    tries = threading.Event()
    camera._backoff = Backoff(**QUICK)
    original = camera._backoff.next

    def counted() -> float:
        if capture.opened >= 5:
            tries.set()
        return original()

    camera._backoff.next = counted  # type: ignore[method-assign]
    runner = threading.Thread(target=lambda: list(camera.frames()))
    runner.start()
    assert tries.wait(10)
    camera.close()
    runner.join(10)
    assert not runner.is_alive()
    assert len(told) == 1
    assert "camera 0 doesn't answer" in told[0]


def test_whatever_a_driver_raises_the_camera_is_tried_again() -> None:
    capture = FakeCapture([5, 5])
    told: list[str] = []
    camera = StreamCamera(
        0, lambda trouble: told.append(trouble.words if trouble else "back"), backoff=Backoff(**QUICK)
    )
    calls = []

    def make(source: object) -> FakeCapture:
        calls.append(source)
        if len(calls) == 1:
            raise RuntimeError("bad driver")
        return capture(source)

    camera._make = make
    assert next(camera.frames()).number == 0
    camera.close()
    assert told[:2] == ["The camera failed: RuntimeError: bad driver.", "back"]


ADDRESS = "http://name:secret@127.0.0.1:9/video?key=secret"


@pytest.mark.parametrize("lives", [[0], [3, 0]])
def test_no_sentence_about_a_camera_has_the_password_of_its_address(lives: list[int], caplog: Caplog) -> None:
    told: list[str] = []
    lost = threading.Event()

    def tell(trouble: Trouble | None) -> None:
        told.append(trouble.words if trouble else "")
        lost.set()

    camera = StreamCamera(ADDRESS, tell, capture=FakeCapture(lives), backoff=Backoff(**QUICK))
    runner = threading.Thread(target=lambda: list(camera.frames()))
    runner.start()
    assert lost.wait(10)
    camera.close()
    runner.join(10)
    assert "camera at http://127.0.0.1:9/…" in told[0]
    assert "secret" not in f"{told}{caplog.text}"


def test_a_drivers_words_about_an_address_are_told_without_its_password() -> None:
    told: list[str] = []
    camera = StreamCamera(ADDRESS, lambda trouble: told.append(trouble.words if trouble else ""))

    def make(source: object) -> cv2.VideoCapture:
        camera._stop.set()
        raise RuntimeError(f"can't open {source}")

    camera._make = make
    camera._grab()
    assert told == ["The camera failed: RuntimeError: can't open http://127.0.0.1:9/…."]


@pytest.mark.parametrize("stream", ["http", "rtsp", "tcp"])
def test_the_log_has_no_password_of_a_stream_that_can_not_be_opened(stream: str) -> None:
    ask = "import sys; from companion.devices.cameras import _capture; _capture(sys.argv[1]).isOpened()"
    command = [sys.executable, "-c", ask, f"{stream}://name:secret@127.0.0.1:9/video"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "secret" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "spec", ["name:secret@cam", "device:secret@cam", "folder:http://n:secret@cam", "n:secret@c.mp4"]
)
def test_a_name_that_is_no_camera_is_said_without_the_password_in_it(spec: str) -> None:
    with pytest.raises(NoCameraError) as caught:
        open_camera(spec)
    assert "secret" not in f"{caught.value}"


class Stuck(FakeCapture):
    """A capture whose third picture never comes, until it is let go."""

    def __init__(self) -> None:
        super().__init__([100_000_000])
        self.reads = 0
        self.let_go = threading.Event()

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.reads += 1
        if self.reads == 3:
            self.let_go.wait(60)
        # A driver gives no pictures faster than its camera.
        threading.Event().wait(0.001)
        return super().read()


def test_a_camera_that_never_answers_is_told_of_once_and_taken_back_when_pictures_come() -> None:
    told: list[str] = []
    capture = Stuck()
    silent = threading.Event()

    def tell(trouble: Trouble | None) -> None:
        told.append("back" if trouble is None else f"{trouble.kind}: {trouble.words}")
        silent.set()

    camera = StreamCamera(0, tell, capture=capture)
    camera.silence = 0.05
    frames: list[Frame] = []

    def look() -> None:
        frames.extend(camera.frames())

    looking = threading.Thread(target=look)
    looking.start()
    assert silent.wait(30)
    # Who waits looks once a second: it is not told again.
    threading.Event().wait(1.2)
    assert len(told) == 1
    assert told[0].startswith("camera-lost: The camera 0 has given no picture for")
    seen = capture.reads
    capture.let_go.set()
    while capture.reads < seen + 20:
        assert looking.is_alive()
        threading.Event().wait(0.005)
    camera.close()
    looking.join(30)
    assert told[1:] == ["back"]


def test_a_camera_whose_pictures_no_program_can_do_with_is_asked_again_and_opened_once() -> None:
    class Odd(FakeCapture):
        def read(self) -> tuple[bool, np.ndarray | None]:
            threading.Event().wait(0.001)
            good, bgr = super().read()
            return good, None if bgr is None else bgr[..., :2]

    capture = Odd([100_000_000])
    camera = StreamCamera(0, capture=capture)
    for _ in range(3):
        with pytest.raises(cv2.error):
            next(camera.frames())
    camera.close()
    assert capture.opened == 1


def test_late_frames_are_dropped_so_that_the_newest_is_next() -> None:
    seen, last_read = threading.Event(), threading.Event()

    class Paced(FakeCapture):
        def read(self) -> tuple[bool, np.ndarray | None]:
            if self.left == 5:
                seen.wait(30)
            if self.left == 1:
                last_read.set()
            return super().read()

    camera = StreamCamera(0, capture=Paced([6]), backoff=Backoff(first=60, most=60))
    camera.rate = 1e9
    stream = camera.frames()
    first = next(stream)
    seen.set()
    assert last_read.wait(30)
    second = next(stream)
    camera.close()
    assert (first.number, second.number) == (0, 1)
    assert (round(first.gray.mean()), round(second.gray.mean())) == (5, 1)
    assert second.time > first.time


class _Phone(BaseHTTPRequestHandler):
    """An old phone that streams MJPEG."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for tone in range(40):
                data = cv2.imencode(".jpg", picture(tone * 4, (320, 240)))[1].tobytes()
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                self.wfile.write(data + b"\r\n")
        except OSError:
            return

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def phone() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Phone)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/video.mjpg"
    server.shutdown()


def test_a_phones_stream_is_a_camera(phone: str) -> None:
    camera = open_camera(phone)
    frames = list(islice(camera.frames(), 2))
    camera.close()
    assert [frame.number for frame in frames] == [0, 1]
    assert frames[0].gray.shape == (240, 320)
    assert frames[0].colour is not None


class Webcam:
    """A webcam at 30 pictures a second of virtual time, as OpenCV shows it on Video4Linux: packed if that is asked."""

    def __init__(self, pictures: int, packs: bool = True) -> None:
        self.left, self.packs, self.time, self.given = pictures, packs, 0.0, 0
        self.properties: dict[int, float] = {}

    def __call__(self, source: object) -> Webcam:
        return self

    def isOpened(self) -> bool:  # noqa: N802
        return self.left > 0

    def getBackendName(self) -> str:  # noqa: N802
        return "V4L2"

    def set(self, what: int, value: float) -> bool:
        self.properties[what] = value
        return True

    def get(self, what: int) -> float:
        return self.properties.get(what, -1.0)

    def grab(self) -> bool:
        self.left, self.time = self.left - 1, self.time + 1 / 30
        return self.left > 0

    def retrieve(self) -> tuple[bool, np.ndarray]:
        self.given += 1
        shot = np.full((48, 64, 3), (90, 120, 150), dtype=np.uint8)
        if self.properties.get(cv2.CAP_PROP_CONVERT_RGB) == 0:
            shot = cv2.imencode(".jpg", shot)[1].reshape(1, -1) if self.packs else shot[..., :2]
        return True, shot

    def release(self) -> None:
        return


def looked_through(webcam: Webcam) -> list[np.ndarray]:
    """The pictures that are taken of a webcam until it ends."""
    camera = StreamCamera(0, capture=webcam, clock=lambda: webcam.time)
    found: list[np.ndarray] = []
    with pytest.raises(CameraLostError):
        found.extend(camera._pictures())
    return found


def test_a_webcam_is_asked_for_ten_pictures_a_second_and_of_thirty_ten_are_taken() -> None:
    webcam = Webcam(301)
    looked_through(webcam)
    assert webcam.properties[cv2.CAP_PROP_FPS] == 10
    assert 99 <= webcam.given <= 101


def test_a_webcams_colour_is_decoded_when_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    how: list[int] = []
    decode = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda data, flag: how.append(flag) or decode(data, flag))
    camera = StreamCamera(0, capture=Webcam(1_000_000))
    frame = next(camera.frames())
    camera.close()
    assert (frame.coloured, how) == (True, [cv2.IMREAD_GRAYSCALE])
    assert abs(int(frame.gray[5, 5]) - 126) < 4
    assert frame.colour is not None
    assert [round(tone, -1) for tone in frame.colour.mean(axis=(0, 1)).tolist()] == [150, 120, 90]
    assert frame.colour is frame.colour


def test_a_webcam_that_does_not_give_its_own_jpeg_is_decoded_by_opencv() -> None:
    webcam = Webcam(20, packs=False)
    assert {shot.shape[2] for shot in looked_through(webcam)} == {3}
    assert webcam.properties[cv2.CAP_PROP_CONVERT_RGB] == 1


def child(tmp_path: Path, source: str) -> list[str]:
    """A program like the real child, with another source of pictures."""
    path = tmp_path / "child.py"
    real = Path(cameras.__file__).with_name("picamera_child.py")
    path.write_text(
        f"import importlib.util, sys, time, os\n"
        f"spec = importlib.util.spec_from_file_location('picamera_child', {str(real)!r})\n"
        f"module = importlib.util.module_from_spec(spec)\n"
        f"spec.loader.exec_module(module)\n" + textwrap.dedent(source) + "\nsys.exit(module.main(Source))\n"
    )
    return [sys.executable, str(path)]


COUNTING = """
import numpy as np
class Source:
    def __init__(self, setup):
        self.size = setup["bytes"]
    def shots(self):
        for n in range(1_000_000):
            yield module.Shot([np.full(self.size, n % 200, np.uint8)])
            time.sleep(0.002)
    def close(self):
        pass
"""


def test_the_pis_frames_come_through_shared_memory(tmp_path: Path) -> None:
    camera = PiCamera((64, 48), command=child(tmp_path, COUNTING))
    frames = list(islice(camera.frames(), 12))
    camera.close()
    tones = [int(frame.gray[0, 0]) for frame in frames]
    assert all((frame.gray == tone).all() for frame, tone in zip(frames, tones, strict=True))
    assert tones == sorted(set(tones))
    assert frames[0].gray.shape == (48, 64)
    assert [frame.number for frame in frames] == list(range(12))
    assert all(b.time > a.time for a, b in pairwise(frames))


DYING = COUNTING.replace("range(1_000_000)", "range(3)")


def test_a_child_that_ends_is_started_again(tmp_path: Path) -> None:
    told: list[str] = []
    camera = PiCamera(
        (64, 48),
        command=child(tmp_path, DYING),
        backoff=Backoff(**QUICK),
        tell=lambda trouble: told.append("back" if trouble is None else trouble.kind),
    )
    frames = list(islice(camera.frames(), 5))
    camera.close()
    assert len(frames) == 5
    assert told[:2] == ["camera-lost", "back"]


def test_without_picamera2_the_message_says_what_to_install(tmp_path: Path) -> None:
    camera = PiCamera((64, 48), command=child(tmp_path, "Source = module.PiSource"))
    with pytest.raises(NoCameraError, match="apt install python3-picamera2"):
        next(camera.frames())


def test_a_child_without_a_camera_is_a_passing_fault(tmp_path: Path) -> None:
    told: list[str] = []
    nothing = "class Source:\n    def __init__(self, setup):\n        raise IndexError('list index out of range')"
    camera = PiCamera((64, 48), command=child(tmp_path, nothing), backoff=Backoff(**QUICK))

    def tell(trouble: Trouble | None) -> None:
        told.append(trouble.words if trouble else "")
        camera.close()

    camera._tell = tell
    assert list(camera.frames()) == []
    assert told == ["No camera is connected to the Pi; check the ribbon cable."]
