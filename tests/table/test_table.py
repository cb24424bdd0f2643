"""A table put together: what its camera and its journal tell reaches people."""

import os
import subprocess
import sys
import threading

import pytest

from companion import games
from companion.devices.camera_base import Camera
from companion.eye.view import Trouble
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Play
from companion.referee.journal import Header
from companion.referee.lying import pile_sizes
from companion.rules.layout import Back, Exactly, Layout, Pile
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from tests.referee.table import GAME, GOALS, piece


class Unplugged(Camera):
    """A live camera that gives nothing until it is closed."""

    def __init__(self):
        self.closed = threading.Event()

    def frames(self):
        self.closed.wait(20)
        return iter(())

    def close(self):
        self.closed.set()


@pytest.fixture
def table_of(monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    open_tables = []

    def make(camera, mode="assist"):
        setup = {"goals": list(GOALS[:3]), "turned_up": [piece("Red moon")]}
        header = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode=mode, setup=setup)
        mat = games.load_mat(GAME.info.name, 3)
        table = Table(session_maker(GAME, mat, None, camera), header, None, "HTTP://127.0.0.1:8080/J")
        open_tables.append(table)
        table.start()
        return table

    yield make
    for table in open_tables:
        table.close()


def serve(*words, state):
    return subprocess.run(
        [sys.executable, "-m", "companion", "serve", *words, "--host", "127.0.0.1", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COMPANION_STATE": str(state), "COMPANION_DEVICES": "simulated"},
    )


def test_a_lost_camera_is_told_to_everybody_and_the_match_goes_on(table_of):
    table = table_of(Unplugged)
    before = table.snapshot().version
    trouble = Trouble("camera-lost", "The camera 0 doesn't answer. Plug it in.")
    table.session.camera_loop.tell_trouble(trouble)
    assert table.wait(before, 10).troubles == (trouble,)
    reply = table.session.command(Play(seat=1, action=Add(seat=1, card=piece("Red star"))))
    assert reply.ok
    before = table.snapshot().version
    table.session.camera_loop.tell_trouble(None)
    assert table.wait(before, 10).troubles == ()


def test_a_ledger_needs_no_camera_and_misses_none(table_of):
    table = table_of(NoCamera, mode="ledger")
    assert table.session.command(Play(seat=1, action=Nothing(seat=1))).ok
    assert table.snapshot().troubles == ()
    assert table.snapshot().owed == ()


def test_a_table_that_cannot_start_says_why_in_one_sentence(tmp_path):
    done = serve("--camera", "no-such-camera", state=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("No camera is called 'no-such-camera'.")
    assert "Traceback" not in done.stderr
    done = serve("--resume", "0190", "--mode", "ledger", state=tmp_path)
    assert done.returncode == 3
    assert "o match begins with 0190" in done.stderr


def test_a_pile_is_as_large_as_the_rules_know_it_to_be_and_of_a_deck_nobody_knows() -> None:
    zones = {"deck": Pile(Back()), "discard": Pile(Exactly("004"), frozenset({"002", "003"}))}
    assert pile_sizes(Layout(zones)) == {"discard": 3}
