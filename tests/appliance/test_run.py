"""`companion serve` as people start it: what it goes on with when its process dies in the middle of a match."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tests.waiting import until


class Served:
    """A table that is served by a process of its own; its worker can be killed."""

    def __init__(self, state: Path, said: IO[str], *words: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.said = said
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "serve", *words, "--host", "127.0.0.1", "--port", f"{self.port}"],
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COMPANION_STATE": f"{state}", "COMPANION_DEVICES": "simulated"},
        )

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[bytes, Any]:
        """Ask for a page, or post something to it; gives it and its headers."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, names)
        with urllib.request.build_opener(Stay).open(request, timeout=30) as answer:
            return answer.read(), answer.headers

    def state(self) -> dict[str, Any] | None:
        """Give what everybody may know; None if nobody answers."""
        try:
            return json.loads(self.ask("/state/public")[0])
        except (OSError, ValueError):
            return None

    def worker(self) -> int:
        """Give the process that plays."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(until(lambda: children.read_text().split())[0])

    def pins(self) -> list[str]:
        """List the host's PINs, as each start has told them."""
        return re.findall(r"host PIN (\d+)", Path(self.said.name).read_text())


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing, so that a redirect's own cookies can be seen."""

    def redirect_request(self, *what: Any) -> None:
        return None

    def http_error_303(self, request: Any, answer: Any, *rest: Any) -> Any:
        return answer


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with (tmp_path / "said").open("w") as said:
        table = Served(tmp_path / "state", said, "five-cards-collector", "--seats", "3", "--mode", "ledger")
        yield table
        table.process.terminate()
        table.process.wait(30)


@pytest.mark.night
def test_when_its_worker_dies_the_same_match_goes_on_with_the_same_pin_and_seats(served: Served) -> None:
    before = until(served.state)
    until(served.pins)
    form = urllib.parse.urlencode({"pin": served.pins()[0]}).encode()
    _, headers = served.ask("/host/enter", form)
    cookie = headers["Set-Cookie"].split(";")[0]
    wish = json.dumps({"do": "end"}).encode()
    served.ask("/command", wish, Cookie=cookie, Content_Type="application/json", X_Companion="1")
    was = until(served.state)
    assert (was["match"], was["record"]) == (before["match"], 1)
    dead = served.worker()
    os.kill(dead, signal.SIGKILL)
    until(lambda: served.worker() != dead and served.state())
    now = until(served.state)
    assert (now["match"], now["record"]) == (was["match"], 1)
    until(lambda: len(served.pins()) == 2)
    assert len(set(served.pins())) == 1
    assert served.ask("/state/host", Cookie=cookie)[0]
