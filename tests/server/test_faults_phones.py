"""Phones that behave badly on the wire: slow ones, silent ones, greedy ones, and fifty that come back at once."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.server.door import CONNECTIONS
from companion.server.load import phones
from tests.server.test_serve import Served

ROOT = Path(__file__).resolve().parents[2]


class Strangers(Served):
    """A served match to which this computer is one like any other; a request may be silent for two seconds."""

    def __init__(self, most_streams: int = 60) -> None:
        self.command = ["strangers", "2"]
        super().__init__(most_streams)

    def start(self, most_streams: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.server.served", str(self.port), str(most_streams), *self.command],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

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
