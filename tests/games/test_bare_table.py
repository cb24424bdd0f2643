"""Games from files on a table without a mat: zones by seats, large, between loose markers; the nearest counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from companion import games
from companion.eye.loose import IDS, SIDE, Layout
from companion.eye.mat import Marker
from companion.games import bare_table as bare


def layout(w: float = 1100.0, h: float = 620.0) -> Layout:
    spots = ((62, 62), (w - 62, 62), (62, h / 2), (w - 62, h / 2), (62, h - 62), (w - 62, h - 62))
    return Layout(w, h, tuple(Marker(n, x, y, SIDE, 7.0 * n) for n, (x, y) in zip(IDS, spots, strict=True)))


@pytest.fixture
def lay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[Layout | None], None]]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return bare.write


@pytest.mark.parametrize("name", ["hearts", "spades", "oh-hell"])
def test_cards_laid_carelessly_count_to_the_zone_that_was_meant(name: str, lay: Callable[[Layout], None]) -> None:
    lay(layout())
    rng = np.random.default_rng(55)
    mat = games.load_mat(name, 4)
    for spread, least in ((20.0, 0.995), (30.0, 0.98)):
        right = [
            mat.zone_at(*spot) is zone for zone in mat.zones for spot in rng.normal(zone.rect.centre, spread, (500, 2))
        ]
        assert np.mean(right) >= least


def test_no_zone_lies_on_a_marker_or_on_another(lay: Callable[[Layout], None]) -> None:
    lay(layout())
    for name in games.from_files():
        low, high = games.load(name).info.seats
        for seats in range(low, high + 1):
            mat = games.load_mat(name, seats)
            squares = [(one.x - 40, one.y - 40, one.x + 40, one.y + 40) for one in mat.markers]
            boxes = [(z.rect.x, z.rect.y, z.rect.x + z.rect.w, z.rect.y + z.rect.h) for z in mat.zones]
            for n, (x0, y0, x1, y1) in enumerate(boxes):
                assert 0 <= x0 < x1 <= mat.w
                assert 0 <= y0 < y1 <= mat.h
                for a0, b0, a1, b1 in (*squares, *boxes[n + 1 :]):
                    assert x1 <= a0 or a1 <= x0 or y1 <= b0 or b1 <= y0, (name, seats, mat.zones[n].name)


def test_as_many_cards_have_places_as_on_the_printed_mat(lay: Callable[[Layout], None]) -> None:
    lay(layout(1100.0, 506.0))
    for seats in range(2, 7):
        printed, mat = games.load_printed_mat("golf", seats), games.load_mat("golf", seats)
        zone = mat.zone("grid.1")
        assert zone.places(mat.shape_in(zone)) == printed.zone("grid.1").places(mat.shape_in(zone)) == 6
    lay(layout(1100.0, 480.0))
    with pytest.raises(games.GameError, match="needs"):
        games.load_mat("golf", 2)


def test_only_zones_in_which_a_game_counts_cards_are_laid_out(lay: Callable[[Layout], None]) -> None:
    lay(layout())
    assert {zone.name.partition(".")[0] for zone in games.load_mat("hearts", 4).zones} == {"deck", "play", "taken"}


def test_games_with_boards_keep_their_mats(lay: Callable[[Layout | None], None]) -> None:
    before = games.load_mat("collectors", 4)
    lay(layout())
    assert games.load_mat("collectors", 4) == before
    assert games.load_mat("hearts", 4).loose
    lay(None)
    assert not games.load_mat("hearts", 4).loose


def test_too_little_room_is_said_with_what_would_help(lay: Callable[[Layout], None]) -> None:
    lay(layout(600.0, 400.0))
    with pytest.raises(games.GameError, match="further apart"):
        games.load_mat("hearts", 4)


def test_markers_along_all_edges_leave_the_middle(lay: Callable[[Layout], None]) -> None:
    spots = ((45, 45), (500, 45), (955, 45), (955, 555), (500, 555), (45, 555))
    wide = Layout(1000, 600, tuple(Marker(n, x, y, SIDE) for n, (x, y) in zip(IDS, spots, strict=True)))
    free = bare.room(wide)
    assert (free.x, free.w) == (0.0, 1000.0)
    assert free.h == pytest.approx(600 - 2 * (75 + bare.PAPER))
