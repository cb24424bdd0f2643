"""The port where a phone's browser brings its camera's pictures: it speaks TLS, knows one phone, and little else."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import psutil
import pytest
from flask.testing import FlaskClient

from companion.eye import phone_link
from companion.eye.decoding import Decoder, DecodingError
from companion.eye.phone_link import PhoneLink
from companion.eye.pictures import jpeg_size
from companion.server import camera_port
from companion.server.app import create_app, shut
from companion.server.camera_port import CameraPort
from companion.server.certificate import certificate
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, text_of

HOST = "127.0.0.1"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/X) AppleWebKit/537.36"


def jpeg(wide: int, high: int, tone: int = 90) -> bytes:
    return cv2.imencode(".jpg", np.full((high, wide, 3), tone, np.uint8))[1].tobytes()


def claiming(wide: int, high: int) -> bytes:
    """A file of some hundred bytes that says it has so many pixels."""
    data = bytearray(jpeg(16, 16))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = high.to_bytes(2) + wide.to_bytes(2)
    return bytes(data)


SMALL, WHOLE = jpeg(64, 36), jpeg(128, 72)


class Phone:
    """A browser that has the page, or pretends to."""

    def __init__(self, port: CameraPort, folder: Path) -> None:
        self.port, self.tls = port, ssl.create_default_context(cafile=folder / "camera-certificate.pem")
        self.secret, self.page, self.number = "", "a", 0

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, Any] | bytes]:
        connection = HTTPSConnection(HOST, self.port.port, timeout=20, context=self.tls)
        plain = {"Origin": f"https://{HOST}:{self.port.port}", "User-Agent": ANDROID}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in {**plain, **given}.items() if value}
        connection.request("GET" if body is None else "POST", path, body, sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        kind = answer.headers["Content-Type"]
        return answer.status, json.loads(content) if kind == "application/json" else content

    def join(self, key: str) -> int:
        status, told = self.ask("/camera/join", b"", X_Camera_Key=key)
        self.secret = told["secret"] if isinstance(told, dict) and status == 200 else self.secret
        return status

    def send(self, small: bytes = SMALL, whole: bytes = b"", number: int | None = None, **more: str) -> tuple[int, Any]:
        self.number += 1
        headers = {
            "X_Camera_Secret": self.secret,
            "X_Camera_Page": self.page,
            "X_Camera_Number": str(self.number if number is None else number),
            "X_Camera_Small": str(len(small)),
        }
        return self.ask("/camera/picture", small + whole, **{**headers, **more})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def door(folder: Path) -> Iterator[CameraPort]:
    patch = pytest.MonkeyPatch()
    patch.setattr(camera_port, "PORT", 18443)
    patch.setattr(phone_link, "MOST_A_SECOND", 10_000)
    desk = MatchDesk(2, "ledger")
    app = create_app(desk, close=desk.close)
    made = CameraPort(app, PhoneLink(), folder, lambda: [HOST, "table.local"], HOST)
    app.extensions["companion.camera_port"] = made
    made.address()
    yield made
    made.close()
    shut(app)
    patch.undo()


@pytest.fixture
def port(door: CameraPort, tmp_path: Path) -> Iterator[CameraPort]:
    table = door.app.extensions["companion"].table
    table.phone = door.link = PhoneLink(tmp_path / "phone-camera.json")
    yield door
    door.link.rest()


@pytest.fixture
def phone(port: CameraPort, folder: Path) -> Phone:
    return Phone(port, folder)


@pytest.fixture
def joined(phone: Phone) -> Phone:
    assert phone.join(phone.port.link.key) == 200
    return phone


def test_the_page_comes_over_tls_under_the_tables_own_certificate(phone: Phone) -> None:
    status, page = phone.ask("/camera", Accept_Language="en")
    assert status == 200
    assert b"This phone is the camera" in bytes(page)  # type: ignore[arg-type]
    assert [phone.ask(f"/camera/{name}")[0] for name in camera_port.FILES] == [200] * len(camera_port.FILES)


@pytest.mark.parametrize("path", ["/", "/host", "/camera/", "/camera/../host", "/static/companion.css", "/command"])
def test_nothing_else_is_on_that_port(phone: Phone, path: str) -> None:
    assert phone.ask(path)[0] == 404
    assert phone.ask(path, b"x")[0] in (403, 404)


def test_plain_http_is_not_answered_there(phone: Phone) -> None:
    with socket.create_connection((HOST, phone.port.port), timeout=20) as plain:
        plain.sendall(b"GET /camera HTTP/1.1\r\nHost: x\r\n\r\n")
        with suppress(ConnectionResetError):
            assert b"HTTP/1" not in plain.recv(100)


def test_who_begins_a_handshake_and_falls_silent_keeps_nobody_waiting(phone: Phone) -> None:
    silent = [socket.create_connection((HOST, phone.port.port)) for _ in range(4)]
    assert phone.ask("/camera")[0] == 200
    for one in silent:
        one.close()


def test_idle_connections_make_room_for_others(port: CameraPort, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_port, "MOST", 3)
    silent = [socket.create_connection((HOST, port.port)) for _ in range(6)]
    assert phone.ask("/camera")[0] == 200
    for one in silent:
        one.close()


def test_the_key_is_traded_once_for_a_secret(phone: Phone) -> None:
    key = phone.port.link.key
    assert phone.join("x" + key) == 403
    assert phone.join(key) == 200
    assert phone.port.link.holder == "Pixel 7"
    assert phone.send(SMALL, WHOLE)[0] == 200
    assert key not in phone.port.link.key


def test_a_second_phone_is_refused_until_the_host_lets_the_first_go(joined: Phone, folder: Path) -> None:
    link, second = joined.port.link, Phone(joined.port, folder)
    status, told = second.ask("/camera/join", b"", X_Camera_Key=link.key)
    assert status == 409
    assert "Another phone is the camera" in str(told)
    link.release()
    assert second.join(link.key) == 200
    status, told = joined.send()
    assert status == 403
    assert "not the camera any more" in told["message"]


def test_a_table_that_starts_again_knows_its_phone(joined: Phone, tmp_path: Path) -> None:
    again = PhoneLink(tmp_path / "phone-camera.json")
    again.check(joined.secret)
    assert again.holder == "Pixel 7"
    assert joined.secret not in (tmp_path / "phone-camera.json").read_text()


def test_a_page_that_was_loaded_later_takes_over_and_the_old_one_ends(joined: Phone) -> None:
    assert joined.send(SMALL, WHOLE)[0] == 200
    joined.page = "b"
    assert joined.send(number=1)[0] == 200
    joined.page = "a"
    assert joined.send()[0] == 409


def test_a_picture_that_comes_late_is_not_shown_after_a_newer_one(joined: Phone) -> None:
    joined.send(SMALL, WHOLE, number=5)
    assert joined.port.link.frame(0) is not None
    assert joined.send(jpeg(64, 36, 200), number=4)[0] == 200
    assert joined.port.link.frame(0) is None


def test_a_whole_picture_is_wanted_first_and_after_the_phone_was_turned(joined: Phone) -> None:
    assert joined.send()[1] == {"whole": True}
    assert joined.port.link.frame(0) is None
    assert joined.send(SMALL, WHOLE)[1] == {"whole": False}
    whole = joined.port.link.frame(0)
    assert whole is not None
    assert (whole.whole, whole.gray.shape, whole.small.shape) == (True, (72, 128), (36, 64))  # type: ignore[union-attr]
    assert joined.send()[1] == {"whole": False}
    small = joined.port.link.frame(0)
    assert small is not None
    assert not small.whole
    assert small.gray is whole.gray
    assert joined.send(jpeg(36, 64))[1] == {"whole": True}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "evil.example", "Origin": "https://evil.example"}, 403),
        ({"X_Camera_Secret": "guessed"}, 403),
        ({"Content_Length": "99999999"}, 413),
        ({"Content_Length": "+5"}, 413),
        ({"X_Camera_Small": "-1"}, 400),
        ({"X_Camera_Small": "999999999"}, 200),
    ],
)
def test_what_is_not_the_phones_own_page_brings_nothing(joined: Phone, headers: dict[str, str], status: int) -> None:
    assert joined.send(**headers)[0] == status  # type: ignore[arg-type]
    assert joined.port.link.frame(0) is None


HOSTILE = [
    claiming(65500, 65500),
    claiming(3001, 3000),
    claiming(0, 0),
    WHOLE[:-400],
    WHOLE[:20],
    b"",
    b"\xff\xd8\xff",
    b"\xff\xd8" + b"\xff" * 5000,
    b"\xff\xd8\xff\xe0\x00\x00" * 50,
    b"\x89PNG\r\n\x1a\n" + b"\0" * 200,
    b"GIF89a" + b"\0" * 200,
    WHOLE + b"\0" * 6_000_000,
    claiming(2000, 2000),
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_nothing_that_is_no_picture_or_too_large_is_decoded(
    joined: Phone, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[tuple[int, int]] = []
    real = Decoder.decode
    monkeypatch.setattr(Decoder, "decode", lambda self, data, size: decoded.append(size) or real(self, data, size))
    assert joined.send(HOSTILE[number])[0] == 400
    assert joined.send(SMALL, HOSTILE[number] or b"x")[0] == 400
    assert all(wide * high <= 9_000_000 for wide, high in decoded)
    assert joined.send(SMALL, WHOLE)[0] == 200


def test_more_than_a_dozen_pictures_a_second_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_link, "MOST_A_SECOND", 12)
    link = PhoneLink(clock=lambda: 5.0)
    secret = link.join(link.key, "x")
    for number in range(12):
        link.take(secret, "a", number, SMALL, WHOLE)
    with pytest.raises(phone_link.PhoneError) as refused:
        link.take(secret, "a", 12, SMALL, WHOLE)
    assert refused.value.status == 429
    link.rest()


def test_a_process_that_hangs_is_ended_and_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = Decoder()
    assert decoder.decode(SMALL, (64, 36)).shape == (36, 64, 3)
    first = decoder._process
    assert first is not None
    assert decoder.decode(WHOLE, (128, 72)).shape == (72, 128, 3)
    assert decoder._process is first
    monkeypatch.setattr("companion.eye.decoding.PATIENCE", 0.2)
    psutil.Process(first.pid).suspend()
    with pytest.raises(DecodingError):
        decoder.decode(WHOLE, (128, 72))
    assert first.poll() is not None
    monkeypatch.undo()
    with pytest.raises(DecodingError):
        decoder.decode(WHOLE, (64, 36))
    decoder.close()
    assert not [child for child in psutil.Process().children() if "companion.eye.decoding" in child.cmdline()]


def test_a_header_tells_the_size_without_decoding() -> None:
    assert jpeg_size(jpeg(300, 200)) == (300, 200)
    assert jpeg_size(claiming(65500, 65500)) == (65500, 65500)
    assert jpeg_size(b"\xff\xd8" + b"\xff" * 100) is None


def test_the_certificate_has_all_names_and_stays_until_one_is_new(tmp_path: Path) -> None:
    where, key = certificate(tmp_path, ["192.168.1.5", "table.local"])
    first = where.read_bytes(), key.read_bytes()
    assert certificate(tmp_path, ["192.168.1.5"]) == (where, key)
    assert (where.read_bytes(), key.read_bytes()) == first
    certificate(tmp_path, ["10.0.0.7"])
    assert where.read_bytes() != first[0]
    assert key.read_bytes() == first[1]
    assert key.stat().st_mode & 0o777 == 0o600
    names = {value for _, value in ssl._ssl._test_decode_cert(str(where))["subjectAltName"]}  # type: ignore[attr-defined]
    assert names == {"192.168.1.5", "table.local", "10.0.0.7"}


def test_the_host_shows_the_way_and_lets_a_phone_go(port: CameraPort, phone: Phone) -> None:
    client: FlaskClient = port.app.test_client()
    assert client.get("/host/phone.svg").status_code == 403
    assert client.post("/host/phone/release").status_code == 403
    be_host(client)
    page = text_of(client.get("/host/phone").text)
    assert f"https://{HOST}:{port.port}/camera#k={port.link.key}" in page
    assert client.get("/host/phone.svg").mimetype == "image/svg+xml"
    phone.join(port.link.key)
    port.app.extensions["companion"].feed.refresh()
    assert "The camera is the browser of a phone: Pixel 7." in text_of(client.get("/").text)
    assert "Let this phone go" in text_of(client.get("/host/phone").text)
    assert client.post("/host/phone/release").status_code == 303
    assert port.link.holder == ""


def test_pages_are_answered_while_pictures_come(joined: Phone) -> None:
    stop = threading.Event()

    def flood() -> None:
        while not stop.is_set():
            joined.send(SMALL, WHOLE)

    flooding = threading.Thread(target=flood)
    flooding.start()
    assert joined.port.app.test_client().get("/").status_code == 200
    stop.set()
    flooding.join(20)
