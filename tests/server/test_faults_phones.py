"""Phones that behave badly on the wire: slow ones, silent ones, greedy ones, and fifty that come back at once."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.phones import phones
from companion.server.limits import CONNECTIONS
from tests.server.test_serve import Served

ROOT = Path(__file__).resolve().parents[2]


class Strangers(Served):
    """A served match to which this computer is one like any other; a request may be silent for two seconds."""

    def __init__(self, most_streams: int = 60, *more: str) -> None:
        self.command = [*(more or ("strangers", "2"))]
        super().__init__(most_streams)

    def start(self, most_streams: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.server.served", str(self.port), str(most_streams), *self.command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def connect(self) -> socket.socket:
        """Open a connection, and say nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@pytest.fixture(scope="module")
def served() -> Iterator[Strangers]:
    one = Strangers()
    yield one
    one.process.kill()
    one.process.wait(10)


def ended(phone: socket.socket) -> bool:
    """Tell whether the server ends a connection (or says no on it, then ends it) before the phone's patience does."""
    try:
        while phone.recv(4096):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_half_a_request_holds_no_thread_for_good(served: Strangers) -> None:
    halves = [served.connect() for _ in range(20)]
    for phone in halves:
        phone.sendall(b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Compan")
    assert served.get("/") == 200
    assert all(ended(phone) for phone in halves)
    for phone in halves:
        phone.close()


def test_a_body_that_never_comes_holds_no_thread_for_good(served: Strangers) -> None:
    phone = served.connect()
    phone.sendall(
        b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Companion: 1\r\nContent-Type: application/json\r\n"
        b'Content-Length: 500\r\n\r\n{"do":'
    )
    assert served.get("/") == 200
    assert ended(phone)
    phone.close()


HEAD = b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Companion: "
BODY = (
    b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Companion: 1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 5000\r\n\r\n{"do":"'
)


@pytest.fixture(scope="module")
def hurried() -> Iterator[Strangers]:
    """A served match in which a head, and a body, have three seconds."""
    one = Strangers(12, "here", "2", "3")
    yield one
    one.process.kill()
    one.process.wait(10)


@pytest.mark.parametrize("begun", [HEAD, BODY])
def test_a_request_that_is_dripped_byte_by_byte_is_ended(hurried: Strangers, begun: bytes) -> None:
    phone, other = hurried.connect(), hurried.stream()
    phone.sendall(begun)
    phone.settimeout(0.3)
    told = b""
    # Never silent for two seconds, and not done for half a minute.
    for _ in range(100):
        try:
            phone.sendall(b"x")
            told = phone.recv(4096)
        except TimeoutError:
            continue
        except ConnectionError:
            break
        break
    else:
        raise AssertionError("it could go on for ever")
    assert told == b"" or b" 400 " in told[:20]
    phone.close()
    # A stream is no request that takes long: it goes on.
    for _ in range(2):
        hurried.turn()
        seen = b""
        while b"event: parts" not in seen:
            more = other.recv(65536)
            assert more
            seen += more
    other.close()


def begin_photograph(served: Strangers, seat: int) -> socket.socket:
    """Take a seat, and send a photograph up to its last byte."""
    phone = served.connect()
    phone.sendall(photograph(served, seat)[:-1])
    return phone


def photograph(served: Strangers, seat: int, size: int = 3_000_000) -> bytes:
    """Take a seat, and give the request with a photograph (that is none) of so many bytes."""
    asking = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    asking.request("POST", "/join", f"seat={seat}&name=Anna", {"Content-Type": "application/x-www-form-urlencoded"})
    key = (asking.getresponse().getheader("Set-Cookie") or "").partition(";")[0]
    asking.close()
    assert key.startswith(f"companion_seat_{seat}=")
    head = f"POST /hand/{seat}/photo HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Companion: 1\r\nCookie: {key}\r\n"
    return f"{head}Content-Length: {size}\r\n\r\n".encode() + b"x" * size


def answer(phone: socket.socket) -> tuple[int, bytes]:
    """Read an answer: its status and its body."""
    read = http.client.HTTPResponse(phone)
    read.begin()
    return read.status, read.read()


def tried(phone: socket.socket, request: bytes, wanted: int) -> tuple[int, bytes]:
    """Send a request until it is answered with a status, for a while: others' come to the server when they do."""
    until = time.monotonic() + 20
    while True:
        phone.sendall(request)
        status, told = answer(phone)
        if status == wanted or time.monotonic() > until:
            return status, told


def test_two_photographs_are_taken_in_at_once_and_a_third_is_told_so_before_it_is_read() -> None:
    served = Strangers(12, "here")
    try:
        held = [begin_photograph(served, seat) for seat in (1, 2)]
        third, whole = served.connect(), photograph(served, 3)
        assert tried(third, whole, 429)[0] == 429
        # Told before its last byte is there; then that byte is let in, so that the answer is not cut off.
        third.sendall(whole[:-1])
        status, told = answer(third)
        assert (status, b"try again in a moment" in told) == (429, True)
        third.sendall(whole[-1:])
        for phone in held:
            phone.close()
        assert tried(third, whole, 415)[0] == 415
        third.close()
    finally:
        served.process.kill()
        served.process.wait(10)


def test_one_phone_cannot_take_all_connections(served: Strangers) -> None:
    # What is held by this computer's other connections ends first.
    deadline = time.monotonic() + 20
    held: list[socket.socket] = []
    while len(held) < CONNECTIONS and time.monotonic() < deadline:
        phone = served.connect()
        phone.setblocking(False)
        held.append(phone)
    one_more = [served.connect() for _ in range(8)]
    assert any(ended(phone) for phone in one_more)
    for phone in (*held, *one_more):
        phone.close()
    while time.monotonic() < deadline:
        try:
            if served.get("/") == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("after the phone had gone nobody else was let in")


@pytest.mark.night
def test_a_phone_that_never_reads_its_stream_keeps_nobody_waiting(served: Strangers) -> None:
    deaf = []
    for _ in range(5):
        phone = served.connect()
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        phone.sendall(b"GET /events/public,pictures HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        deaf.append(phone)
    heard = phones("127.0.0.1", served.port, served.turn, count=10, events=12, pause=0.0)
    assert len(heard.all_) == 120
    for phone in deaf:
        phone.close()


@pytest.mark.night
def test_a_phone_that_reads_slowly_gets_the_newest_at_last(served: Strangers) -> None:
    slow = served.connect()
    slow.sendall(b"GET /events/public HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    for _ in range(6):
        served.turn()
    text = b""
    while text.count(b"event: parts") < 2:
        text += slow.recv(50_000)
    # Not one event a turn is queued for it.
    assert text.count(b"event: parts") <= 7
    slow.close()


@pytest.mark.night
def test_fifty_phones_that_come_back_at_once_all_get_in() -> None:
    # They have addresses of their own; here only this computer's counts, so it is not bounded.
    served = Served(60)
    try:
        for _ in range(2):
            heard = phones("127.0.0.1", served.port, served.turn, count=50, events=2, pause=0.0)
            assert len(heard.all_) == 100
    finally:
        served.process.kill()
        served.process.wait(10)
