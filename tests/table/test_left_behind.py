"""What a match leaves behind when the next one has begun: nothing that is large."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from companion import games
from companion.eye import signatures, symbol
from companion.press.pictures import picture, pictures
from companion.referee.journal import Journal
from companion.server.match_api import Plan
from companion.table import factory
from companion.table.table import Demo, DemoTable
from tests.waiting import until

GAMES = ("collectors", "five-cards-collector", "collectible")


@pytest.mark.night
def test_a_matchs_eye_camera_and_pictures_go_with_it_though_somebody_holds_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own collector, which comes when it likes, is switched off: the table has to see to it."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    demo = Demo(games.load(GAMES[0]), games.load_mat(GAMES[0], 2), seed=2)
    table = DemoTable(demo, Journal(tmp_path), "HTTP://127.0.0.1/J")
    table.start()
    drawn = weakref.ref(picture("standard", pictures("standard")[0]))
    gc.disable()
    try:
        until(lambda: table.session.camera_loop._eye)
        last = table.session
        eye, camera = weakref.ref(last.camera_loop._eye), weakref.ref(last.camera_loop._camera)
        table.matches.begin(Plan(game=GAMES[1], seats=2))
        until(lambda: eye() is None and camera() is None and drawn() is None)
        for thread in last.threads:
            thread.join(60.0)
            assert not thread.is_alive()
        held = weakref.ref(last)
        del last, thread
        until(lambda: gc.collect() >= 0 and held() is None)
    finally:
        gc.enable()
        table.close()


@pytest.mark.night
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
