"""What a match leaves behind when the next one has begun: nothing that is large."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from companion import games
from companion.eye import signatures, symbol
from companion.referee.journal import Journal
from companion.referee.steady import Steady
from companion.server.match_api import Plan
from companion.table import factory
from companion.table.session import Session
from companion.table.table import Demo, DemoTable
from tests.waiting import until

GAMES = ("collectors", "five-cards-collector", "collectible")


def owned(session: Session) -> list[weakref.ref[object]]:
    """Return what must go with a session, held weakly."""
    loop = session.camera_loop
    return [weakref.ref(one) for one in (session, session.match, loop, loop._eye, loop._camera, *session.threads)]


def test_a_match_takes_session_eye_camera_and_threads_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own collector, which comes when it likes, is switched off: the table has to see to it."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    end = Steady.end
    monkeypatch.setattr(Steady, "end", lambda thread: end(thread, 60.0))
    demo = Demo(games.load(GAMES[0]), games.load_mat(GAMES[0], 2), seed=2)
    table = DemoTable(demo, Journal(tmp_path), "HTTP://127.0.0.1/J")
    table.start()
    gc.disable()
    try:
        until(lambda: table.session.camera_loop._eye)
        last = owned(table.session)
        table.matches.begin(Plan(game=GAMES[1], seats=2))
        assert [one() for one in last] == [None] * len(last)
    finally:
        gc.enable()
        table.close()


def test_only_the_newest_printed_mat_is_kept_and_what_two_matches_need_to_read() -> None:
    for game in GAMES:
        rules, mat = games.load(game), games.load_mat(game, 2)
        factory.printed_mat(game)
        factory.make_eye(rules, mat)
    assert [mat.game for mat, _ in factory._drawn] == [GAMES[-1]]
    assert signatures._drawn_once.cache_info().currsize <= 2
    assert factory._bare.cache_info().currsize <= 2


def test_a_codes_modules_are_kept_without_the_masks_that_were_not_chosen() -> None:
    assert symbol.modules("FC101").base is None
