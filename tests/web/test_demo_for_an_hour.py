"""Ten matches in a row, of changing games, with two pages open: with COMPANION_LONG=1 only.

A table holds no more memory after them than it held after the third: a demo, and one that plays from a recording.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from companion import games
from companion.bench.processes import free_port, memory_mb, serving
from companion.devices.recorder import Recorder
from companion.sim.table import SimTable
from companion.table.factory import simulated_camera
from tests.web.conftest import SCREEN, Watched
from tests.web.test_played_by_hand import LONG

GAMES = ("collection", "collectors", "collectible", "karmic-collections", "five-cards-collector")
ORDER = (0, 1, 2, 3, 4, 0, 1, 3, 4, 2)
"""Which game each match plays: the third's is the last's too, for a match of one takes 40 MB more than of another."""
MATCHES, THIRD = len(ORDER), 2
SECONDS = float(os.environ.get("COMPANION_MATCH_SECONDS", "360"))
"""How long each match is watched: ten take an hour."""
PULSE = 0.5
"""Seconds between two looks. The last half minute's least stands for a match: what is free is given back every 15 s,
and taken again by the next pictures within a second or two."""
MOST_MB, GROWTH = 600.0, 1.05
"""All processes at most, and how much of the third match's memory the last one may take."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.night,
    pytest.mark.skipif(LONG not in os.environ, reason="it takes an hour: COMPANION_LONG=1"),
]
Browse = Callable[..., Watched]


def begin(port: int, pin: str, game: str) -> None:
    """Begin a match as the host does."""
    base = f"http://127.0.0.1:{port}"
    host = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    host.open(f"{base}/host/enter", urlencode({"pin": pin}).encode())
    seats = min(5, games.load(game).info.seats[1])
    host.open(f"{base}/host/new/{game}", urlencode({"seats": seats, "mode": "assist", "bid_seconds": 20}).encode())


def curve(browse: Browse, command: list[str], paths: tuple[str, ...]) -> list[float]:
    """Return the memory (MB) of all the table's processes at the end of each of ten matches."""
    port, held = free_port(), []
    with serving(["-m", "companion", *command, "--port", str(port)], port) as running:
        pin = re.search(r"host PIN (\d+)", running.said.read_text("utf-8"))
        assert pin is not None
        pages: list[Page] = []
        for path in paths:
            pages.append(browse(**SCREEN).page())
            pages[-1].goto(f"http://127.0.0.1:{port}{path}", timeout=120_000)
        played = []
        for game in (GAMES[number] for number in ORDER):
            begin(port, pin[1], game)
            looks = []
            for _ in range(int(SECONDS / PULSE)):
                for page in pages:
                    page.wait_for_timeout(PULSE * 1000 / len(pages))
                looks.append(memory_mb(running.pid) or 0.0)
            held.append(min(looks[-int(30 / PULSE) :]))
            print(f"{game}: {held[-1]:.0f} MB")
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/state/public") as answer:
                played.append(json.load(answer)["match"])
        assert len(set(played)) == MATCHES
        for page in pages:
            page.close()
    return held


def test_a_demo_holds_after_ten_matches_what_it_held_after_the_third(browse: Browse) -> None:
    held = curve(browse, ["demo", "--speed", "4", "--faults"], ("/", "/simulated"))
    assert max(held) < MOST_MB, held
    assert held[-1] <= GROWTH * held[THIRD], held


def test_a_table_before_a_recording_holds_after_ten_matches_what_it_held_after_the_third(
    browse: Browse, tmp_path: Path
) -> None:
    game, mat = games.load(GAMES[0]), games.load_mat(GAMES[0], 5)
    camera, recorder = simulated_camera(game, mat, SimTable(1)), Recorder(tmp_path / "ring")
    recorder.start()
    for _ in range(100):
        recorder.take(camera.shoot(), wait=True)
    recorder.flush()
    recorder.stop()
    held = curve(browse, ["serve", GAMES[0], "--camera", str(tmp_path / "ring")], ("/", "/join"))
    assert max(held) < MOST_MB, held
    assert held[-1] <= GROWTH * held[THIRD], held
