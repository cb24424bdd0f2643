"""Cameras that answer over HTTP, well and badly behaved: what each is taken for, and what people are told."""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from companion.devices import web_camera
from companion.devices.camera_base import CameraLostError
from companion.devices.cameras import StreamCamera, open_camera
from companion.devices.service import Backoff
from companion.devices.web_camera import WebCapture, open_web
from companion.eye.view import Trouble


def jpeg(tone: int, size: tuple[int, int] = (64, 48)) -> bytes:
    noise = np.random.default_rng(tone).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


class _App(BaseHTTPRequestHandler):
    """A camera app: /video, /torn (every other picture cut), /halves (all), /unmeasured, /stall, /shot.jpg …"""

    def do_GET(self) -> None:
        name = self.path.partition("?")[0]
        if name == "/":
            return self._answer(200, "text/html", b"<html><style>b{}</style><h1>IP Webcam</h1></html>")
        if name == "/door" and self.headers.get("Authorization") != "Basic bmFtZTpzZWNyZXQ=":
            return self._answer(401, "text/html", b"", {"WWW-Authenticate": 'Basic realm="cam"'})
        if name == "/shot.jpg":
            return self._answer(200, "image/jpeg", jpeg(1))
        if name == "/film":
            return self._answer(200, "video/mp4", b"...")
        if name == "/gone":
            return self._answer(404, "text/plain", b"")
        if name == "/nothing":
            self.server.quiet.wait(20)
            return None
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=--frame")
        self.end_headers()
        try:
            for number in range(2000):
                if name == "/stall" and number == 2:
                    self.server.quiet.wait(20)
                    return None
                data = jpeg(number, (48, 64) if name == "/turned" and number else (64, 48))
                torn = name == "/halves" or (name == "/torn" and number % 2)
                data = data[: len(data) // 2] if torn else data
                length = b"" if name == "/unmeasured" else b"Content-Length: %d\r\n" % len(data)
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + data + b"\r\n")
        except OSError:
            pass
        return None

    def _answer(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for key, value in (more or {}).items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(web_camera, "SILENT", 0.3)
    monkeypatch.setattr(web_camera, "TORN", 0.1)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _App)
    server.daemon_threads = True
    server.quiet = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.quiet.set()
    server.shutdown()


def pictures(address: str, count: int) -> list[tuple[int, ...]]:
    capture = open_web(address)
    assert capture is not None
    found = [capture.retrieve() for _ in range(count) if capture.grab()]
    capture.release()
    shapes = [cv2.imdecode(picture, cv2.IMREAD_COLOR).shape for _, picture in found if picture is not None]
    assert len(shapes) == count
    return shapes


@pytest.mark.parametrize("name", ["/video", "/torn", "/unmeasured", "/shot.jpg"])
def test_whole_pictures_come_from_streams_and_from_single_ones(app: str, name: str) -> None:
    assert pictures(app + name, 3) == [(48, 64, 3)] * 3


def test_a_picture_that_is_asked_for_again_is_never_lost(app: str) -> None:
    told: list[Trouble | None] = []
    camera = open_camera(f"{app}/shot.jpg", told.append)
    assert len(list(islice(camera.frames(), 4))) == 4
    camera.close()
    assert told == []


def test_a_phone_that_is_turned_gives_its_own_size(app: str) -> None:
    assert pictures(f"{app}/turned", 2) == [(48, 64, 3), (64, 48, 3)]


def test_a_name_and_a_password_open_the_door(app: str) -> None:
    assert pictures(f"{app.replace('//', '//name:secret@')}/door", 1) == [(48, 64, 3)]


@pytest.mark.parametrize(
    ("name", "words"),
    [("/", "shows a page, not pictures .“IP Webcam”"), ("/door", "a name and a password"), ("/gone", "answers 404")],
)
def test_what_is_no_camera_is_told_for_what_it_is(app: str, name: str, words: str) -> None:
    with pytest.raises(CameraLostError, match=words):
        open_web(app + name)


@pytest.mark.parametrize(("name", "words"), [("/stall", "sent nothing"), ("/halves", "only parts of pictures")])
def test_a_stream_that_goes_wrong_says_how(app: str, name: str, words: str) -> None:
    capture = open_web(app + name)
    assert capture is not None
    with pytest.raises(CameraLostError, match=words):
        deque(iter(capture.grab, False), 0)
    capture.release()


def test_an_address_that_accepts_and_is_silent_is_told_as_silent(app: str) -> None:
    with pytest.raises(CameraLostError, match="sent nothing"):
        open_web(f"{app}/nothing")


def test_a_film_is_left_to_ffmpeg_and_nobody_at_all_is_no_camera(app: str) -> None:
    assert open_web(f"{app}/film") is None
    nobody = open_web("http://127.0.0.1:9/video")
    assert nobody is not None
    assert not nobody.isOpened()


def test_a_picture_that_claims_too_much_is_not_decoded(app: str) -> None:
    data = bytearray(jpeg(1))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = b"\xff\xdc\xff\xdc"
    assert not web_camera._is_whole(bytes(data))


def test_one_picture_at_each_attempt_does_not_shorten_the_pauses() -> None:
    class Once(WebCapture):
        def __init__(self) -> None:
            super().__init__("", None)
            self.given = False

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def grab(self) -> bool:
            given, self.given = self.given, True
            return not given

        def retrieve(self) -> tuple[bool, np.ndarray | None]:
            return True, np.zeros((4, 4, 3), np.uint8)

    backoff = Backoff(first=0.001, most=0.01)
    tried = threading.Event()

    def make(source: int | str) -> Once:
        if backoff.failures >= 3:
            tried.set()
        return Once()

    camera = StreamCamera("rtsp://x", capture=make, backoff=backoff)
    runner = threading.Thread(target=lambda: list(camera.frames()))
    runner.start()
    assert tried.wait(20)
    camera.close()
    runner.join(20)


@pytest.mark.parametrize("measured", [True, False])
@pytest.mark.parametrize("boundary", ["frame", "--frame"])
def test_pictures_in_a_row_are_split_where_they_end(measured: bool, boundary: str) -> None:
    bodies = [bytes([255, 216, tone, 255, 217]) for tone in range(3)]
    length = b"Content-Length: 5\r\n" if measured else b""
    sent = b"".join(b"--frame\r\n" + length + b"\r\n" + body + b"\r\n" for body in bodies)
    stream: Any = io.BytesIO(sent + b"--frame--\r\n")
    assert [body for body in web_camera.parts(stream, boundary) if body] == bodies


@pytest.mark.parametrize("data", [b"--frame\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 100_000, b""])
def test_a_stream_that_has_no_pictures_ends(data: bytes) -> None:
    stream: Any = io.BytesIO(data)
    assert not any(web_camera.parts(stream, "frame"))
