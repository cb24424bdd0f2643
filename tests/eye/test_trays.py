"""When a tray is read: once it has come to rest, and then not before something moves in it or round it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.dice_scenes import tray_mat
from companion import games
from companion.eye.dice import trays
from companion.eye.dice.sets import DiceSet
from companion.eye.dice.straight import AROUND
from companion.eye.dice.trays import Trays
from companion.eye.flat import Flat
from companion.eye.geometry import Calibration, calibrate, corners_mm
from companion.eye.mat import Mat, Rect, ZonePlace
from companion.eye.motion import SETTLE
from companion.eye.view import DiceSeen, DieSeen, Frame

MAT = tray_mat(375.0, 200.0)
START = 100.0
"""When everything moved for the last time before a test begins."""


class CountingReader:
    """Reads another die each time that it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.frames: list[int] = []
        self.known: list[DiceSet] = []

    def read(self, grays: tuple[object, ...], calibration: Calibration, zone: ZonePlace, known: DiceSet) -> DiceSeen:
        self.asked.append(zone.name)
        self.known.append(known)
        self.frames.append(len(grays))
        return DiceSeen(zone.name, (DieSeen(400.0, 250.0, 0.0, 16.0, len(self.asked)),))


class Watched:
    """Trays before a reader that counts; what moves is said outright."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, mat: Mat = MAT) -> None:
        reader = CountingReader()
        self.asked, self.frames, self.known = reader.asked, reader.frames, reader.known
        monkeypatch.setattr(trays, "DiceReader", lambda mat: reader)
        self.flat = Flat(mat)
        self.moved_at = np.full(self.flat.grid, START)
        self.trays = Trays(mat, self.flat)
        self.picture = np.full((1012, 1800), 90, dtype=np.uint8)

    def see(self, time: float, calibration: Calibration | None) -> tuple[int | None, ...]:
        """Return the values that are known after a frame."""
        frame = Frame(self.picture.copy(), time, 0)
        return tuple(die.value for seen in self.trays.see(frame, calibration, self.moved_at) for die in seen.dice)

    def move(self, x: float, y: float, time: float, leaves: int = 200) -> None:
        """Let something move at a point (mm), and lie there afterwards as something of 4 mm of a gray level."""
        tiles = self.flat.tile_window(np.array([[x, y]]))
        self.moved_at[tiles] = time
        self.picture[int(2 * y) - 4 : int(2 * y) + 4, int(2 * x) - 4 : int(2 * x) + 4] = leaves


def seen_from(shift: float) -> Calibration:
    """How a camera straight above sees the mat, moved along by some pixels."""
    found = calibrate({marker.id: corners_mm(marker) * 2.0 + shift for marker in MAT.markers}, MAT, (1800, 1012))
    assert found is not None
    return found


STEADY = seen_from(0.0)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def test_a_tray_is_read_once_when_it_has_come_to_rest(watched: Watched) -> None:
    assert watched.see(START + SETTLE - 0.1, STEADY) == ()
    assert watched.see(START + SETTLE, STEADY) == (1,)
    assert watched.see(START + 60.0, STEADY) == (1,)
    assert watched.asked == ["tray"]


@pytest.mark.parametrize(("sides", "asked"), [(6, ["tray"]), (10, ["tray"]), (8, [])])
def test_trays_for_dice_of_six_and_of_ten_sides_are_read(monkeypatch: pytest.MonkeyPatch, sides: int, asked: list[str]):
    watched = Watched(monkeypatch, replace(MAT, zones=(replace(MAT.zones[0], sides=sides),)))
    watched.see(START + 1.0, STEADY)
    assert watched.asked == asked


def test_the_frames_in_which_the_dice_lay_still_are_read_together_and_none_from_before(watched: Watched) -> None:
    for n in range(8):
        watched.see(START + n / 10, STEADY)
    assert watched.frames == [4], "from 0.2 s on, 0.5 s is when it is read"
    watched.move(450.0, 250.0, START + 2.0)
    watched.see(START + 2.3, STEADY)
    watched.move(450.0, 250.0, START + 2.4)
    watched.see(START + 2.7, STEADY)
    watched.see(START + 2.9, STEADY)
    assert watched.frames == [4, 2], "what lay there before it moved again is no part of it"


@pytest.mark.parametrize("beside", [0.0, AROUND - 5.0])
def test_what_moves_in_a_tray_or_just_beside_it_has_it_read_anew(watched: Watched, beside: float) -> None:
    watched.see(START + 1.0, STEADY)
    watched.move(377.0 - beside, 250.0, START + 2.0)
    assert watched.see(START + 2.0, STEADY) == (1,), "what was read stays until there is a new reading"
    assert watched.see(START + 2.0 + SETTLE, STEADY) == (2,)
    assert watched.see(START + 9.0, STEADY) == (2,)


def test_what_was_learned_of_a_tray_s_dice_is_kept_for_the_next_roll_and_for_that_tray_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = replace(MAT.zones[0], name="other", rect=Rect(40.0, 380.0, 150.0, 100.0))
    watched = Watched(monkeypatch, replace(MAT, zones=(*MAT.zones, other)))
    watched.see(START + 1.0, STEADY)
    watched.move(450.0, 250.0, START + 2.0)
    watched.see(START + 9.0, STEADY)
    assert watched.asked == ["tray", "other", "tray"]
    first, beside, again = watched.known
    assert again is first
    assert beside is not first


def test_a_hand_that_went_over_a_tray_and_changed_nothing_costs_no_reading(watched: Watched) -> None:
    watched.see(START + 1.0, STEADY)
    watched.move(450.0, 250.0, START + 2.0, leaves=90)
    assert watched.see(START + 9.0, STEADY) == (1,)
    watched.picture += 20  # a lamp
    watched.move(450.0, 250.0, START + 10.0, leaves=110)
    assert watched.see(START + 19.0, STEADY) == (1,)
    watched.move(460.0, 240.0, START + 20.0)
    assert watched.see(START + 29.0, STEADY) == (2,)
    assert watched.asked == ["tray", "tray"]


def test_small_changes_add_up_until_the_tray_is_read_again(watched: Watched) -> None:
    watched.see(START + 1.0, STEADY)
    watched.move(450.0, 250.0, START + 2.0, leaves=100)
    assert watched.see(START + 9.0, STEADY) == (1,)
    watched.move(450.0, 250.0, START + 12.0, leaves=110)
    assert watched.see(START + 19.0, STEADY) == (2,)


def test_a_card_that_is_laid_in_a_zone_beside_a_tray_costs_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = ZonePlace("deck", "pile", Rect(335.0, 220.0, 38.0, 60.0))
    watched = Watched(monkeypatch, replace(MAT, zones=(*MAT.zones, beside)))
    watched.see(START + 1.0, STEADY)
    watched.move(360.0, 250.0, START + 2.0)
    assert watched.see(START + 9.0, STEADY) == (1,)
    watched.move(380.0, 250.0, START + 12.0)
    assert watched.see(START + 19.0, STEADY) == (2,)


def test_what_moves_elsewhere_on_the_mat_changes_nothing(watched: Watched) -> None:
    watched.see(START + 1.0, STEADY)
    watched.move(60.0, 60.0, START + 2.0)
    assert watched.see(START + 9.0, STEADY) == (1,)


def test_a_hand_that_stays_in_a_tray_puts_the_reading_off(watched: Watched) -> None:
    for n in range(20):
        watched.move(450.0, 250.0, START + n / 10)
        assert watched.see(START + n / 10, STEADY) == ()
    assert watched.asked == []


def test_a_camera_that_hangs_otherwise_has_every_tray_read_anew(watched: Watched) -> None:
    watched.see(START + 1.0, STEADY)
    assert watched.see(START + 2.0, seen_from(3.0)) == (2,)


def test_while_nobody_knows_how_the_camera_hangs_what_was_read_stays(watched: Watched) -> None:
    assert watched.see(START + 1.0, None) == ()
    watched.see(START + 1.0, STEADY)
    watched.move(450.0, 250.0, START + 2.0)
    assert watched.see(START + 9.0, None) == (1,)
    assert watched.asked == ["tray"]


def test_a_mat_without_a_tray_has_nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, replace(MAT, zones=()))
    assert watched.see(START + 9.0, STEADY) == ()
    assert watched.asked == []


TRAYS = [
    *(("collectible", seats) for seats in (2, 3, 4, 5, 6)),
    *(("collection", seats) for seats in (3, 4, 5, 6, 7)),
    *(("karmic-collections", seats) for seats in (2, 3, 4, 5)),
    *((name, 6) for name in ("grid", "melds", "show", "tricks")),
    *((name, seats) for name in ("piles", "row") for seats in (2, 3, 4, 5)),
]
NO_ROOM = (("karmic-collections", 6), ("piles", 6), ("row", 6))


def mat_of(name: str, seats: int) -> Mat:
    return games.load_neutral_mat(name, seats) if name in games.neutral_mats() else games.load_mat(name, seats)


@pytest.mark.parametrize(("name", "seats"), NO_ROOM)
def test_where_every_place_is_taken_a_mat_has_no_tray(name: str, seats: int) -> None:
    assert mat_of(name, seats).tray is None


@pytest.mark.parametrize(("name", "seats"), TRAYS)
def test_a_mat_s_tray_is_where_nothing_else_lies(name: str, seats: int) -> None:
    mat = mat_of(name, seats)
    assert mat.tray is not None
    tray = mat.tray.rect
    # COLLECTION!'s mat is full: its tray is a strip as deep as a seat's, and longer.
    assert min(tray.w, tray.h) >= (44 if name == "collection" else 95)
    assert tray.w * tray.h >= 9000
    assert mat.tray.sides == (10 if name == "collection" else 6)
    for zone in mat.zones:
        r = zone.rect
        apart = r.x >= tray.x + tray.w or tray.x >= r.x + r.w or r.y >= tray.y + tray.h or tray.y >= r.y + r.h
        assert apart or zone.kind == "tray", zone.name
