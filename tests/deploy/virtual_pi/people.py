"""People at the emulated box's table: they sit outside, so a power cut takes nothing from their hands."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from companion import games
from companion.bench.prepared import prepared
from companion.referee.journal import Header, Journal
from companion.rules.kernel import Action, Facts

HOST = "127.0.0.1"
PATIENCE = 600.0
"""Seconds that an answer may take: the processor is emulated."""
GAME, SEATS = "collectors", 4
CUT = (OSError, http.client.HTTPException)
"""What somebody sees whose answer does not come."""


class RefusedError(Exception):
    """The table says no; the message is its sentence."""


class People:
    """Everybody at one table, with what each of them is going to do."""

    def __init__(self, port: int, seed: int) -> None:
        """Prepare a match; `port` is where the table's pages are."""
        self.port = port
        self.header: Header
        self.steps: list[tuple[Action, Facts]]
        self.header, self.steps = prepared(games.load(GAME), SEATS, seed)
        self.told = 0
        """The record that the table last said it had."""
        self._cookies = ""

    def journal(self, folder: Path) -> bytes:
        """Return a journal in which their match has begun; it is made in a folder."""
        journal = Journal(folder)
        journal.take(self.header, ())
        journal.close()
        return (folder / "journal.db").read_bytes()

    def sit(self) -> None:
        """Take all seats.

        Raises:
            RefusedError: if one can't be had.
        """
        cookies = []
        for seat in range(1, SEATS + 1):
            form = urlencode({"name": f"Player {seat}", "seat": seat})
            status, said, kept = self._ask("POST", "/join", form, "application/x-www-form-urlencoded")
            if status != 303:
                raise RefusedError(f"seat {seat}: {status} {said[:200]!r}")
            cookies += [cookie.split(";")[0] for cookie in kept]
        self._cookies = "; ".join(cookies)

    def ask(self, path: str) -> bytes:
        """Return a page; nothing while nobody answers."""
        try:
            status, said, _ = self._ask("GET", path)
        except CUT:
            return b""
        return said if status == 200 else b""

    def record(self) -> int:
        """Return how many records the table says that the match has; -1 while it is not there."""
        state = json.loads(self.ask("/state/public") or b"{}")
        return int(state.get("record", -1))

    def play(self) -> int:
        """Take the next step; return the record that it became. `told` follows.

        Raises:
            RefusedError: if the table says no.
            CUT: if no answer comes.
        """
        if self.told < 0 or self.told >= len(self.steps):
            raise RefusedError(f"there is nothing to do after record {self.told}")
        action, facts = self.steps[self.told]
        wish = msgspec.json.encode({"do": "play", "seat": action.seat, "action": action, "facts": facts})
        status, said, _ = self._ask("POST", "/command", wish, "application/json")
        answer = json.loads(said)
        if status != 200:
            raise RefusedError(f"{answer.get('message', answer)}")
        self.told = int(answer["record"])
        return self.told

    def _ask(
        self, how: str, path: str, body: bytes | str | None = None, kind: str = ""
    ) -> tuple[int, bytes, list[str]]:
        asked = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        headers = {"Cookie": self._cookies, "X-Companion": "1", **({"Content-Type": kind} if kind else {})}
        try:
            asked.request(how, path, body, headers)
            answer = asked.getresponse()
            return answer.status, answer.read(), answer.headers.get_all("Set-Cookie", [])
        finally:
            asked.close()

    def wait(self, seconds: float, given_up: Callable[[], bool]) -> bool:
        """Wait until the table is there; whether it came in time, and before it was `given_up`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not given_up():
            if self.ask("/health"):
                return True
            time.sleep(0.5)
        return False
