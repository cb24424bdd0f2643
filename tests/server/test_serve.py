"""The real server, as a process: phones on streams, and a clean end."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.phones import LoadError, phones
from tests.nights import at_night

ROOT = Path(__file__).resolve().parents[2]


class Served:
    """A served match."""

    def __init__(self, most_streams: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process = self.start(most_streams)
        until = time.monotonic() + 20
        while True:
            try:
                if self.get("/state/public") == 200:
                    return
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def start(self, most_streams: int) -> subprocess.Popen[str]:
        """Start the process."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.server.served", str(self.port), str(most_streams)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def get(self, path: str, method: str = "GET") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def turn(self) -> None:
        assert self.get("/turn", "POST") == 200

    def stream(self) -> socket.socket:
        """Open a stream and read its beginning."""
        phone = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        phone.sendall(b"GET /events/public HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in phone.recv(4096)
        return phone


@pytest.fixture
def served() -> Iterator[Served]:
    one = Served(most_streams=12)
    yield one
    if one.process.poll() is None:
        one.process.kill()
    one.process.wait(10)


@pytest.mark.night
def test_every_phone_hears_of_every_turn(served: Served) -> None:
    heard = phones("127.0.0.1", served.port, served.turn, count=12, events=4, pause=0.05)
    assert (heard.phones, heard.events) == (12, 4)
    assert len(heard.all_) == 48
    assert 0 < min(heard.all_) <= max(heard.all_) == max(heard.last)


@pytest.mark.night
def test_phones_that_left_make_room_for_others(served: Served) -> None:
    for _ in range(4):
        phones("127.0.0.1", served.port, served.turn, count=12, events=1, pause=0.0)


@pytest.mark.night
def test_one_phone_too_many_is_turned_away_and_the_others_stay(served: Served) -> None:
    with pytest.raises(LoadError, match="only 12 of 13 phones were let in"):
        phones("127.0.0.1", served.port, served.turn, count=13, events=1, patience=5.0)
    assert served.get("/") == 200


@pytest.mark.parametrize("how", [signal.SIGTERM, *at_night(signal.SIGINT)])
def test_the_server_ends_cleanly_with_streams_open(served: Served, how: signal.Signals) -> None:
    streams = [served.stream() for _ in range(5)]
    served.process.send_signal(how)
    out, _ = served.process.communicate(timeout=15)
    assert served.process.returncode == 0
    assert out == "closed\n"
    for phone in streams:
        while phone.recv(65536):
            pass
        phone.close()
