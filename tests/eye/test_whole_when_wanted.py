"""A camera that sends small pictures all the time, and whole ones when the eye wants them, is seen through as well."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import games
from companion.eye.view import Frame, TableView
from companion.sim.table import SimTable, spot_in
from companion.table.factory import make_eye, simulated_camera

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 3)
STAR, MOON = "00B", "00N"


class Filmed:
    """The simulated table, through a phone that sends ten pictures a second."""

    def __init__(self) -> None:
        self.table = SimTable(1)
        self.camera = simulated_camera(GAME, MAT, self.table, size=(1920, 1080), seed=3)
        self.eye = make_eye(GAME, MAT)
        self.wanted, self.last = True, None
        self.sent: list[bool] = []
        self.view: TableView | None = None

    def lay(self, piece: str, zone: str, index: int = 0) -> None:
        spot = spot_in(MAT.zone(zone), index)
        self.table.put(piece, "F", spot.x, spot.y, spot.rotation)

    def watch(self, seconds: float) -> None:
        for _ in range(round(seconds * self.camera.fps)):
            shot = self.camera.shoot()
            small = np.asarray(cv2.resize(shot.gray, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
            whole = shot if self.wanted or self.last is None else self.last
            frame = Frame(whole.gray, shot.time, shot.number, whole.colour, small)
            frame.whole = whole is shot
            self.last = whole
            self.sent.append(frame.whole)
            view = self.eye.see(frame)
            self.view = view or self.view
            self.wanted = frame.wanted

    def placed(self) -> set[tuple[str, str | None]]:
        assert self.view is not None
        return {(one.piece, one.zone) for one in self.view.placements}


@pytest.mark.night
def test_cards_that_come_and_go_are_seen_though_few_pictures_are_whole() -> None:
    filmed = Filmed()
    filmed.lay(STAR, "discard")
    filmed.watch(3)
    assert filmed.placed() == {(STAR, "discard")}
    filmed.lay(MOON, "collection.1")
    filmed.watch(2)
    assert filmed.placed() == {(STAR, "discard"), (MOON, "collection.1")}
    assert filmed.view is not None
    assert filmed.view.settled
    filmed.table.lift(STAR)
    filmed.watch(2)
    assert filmed.placed() == {(MOON, "collection.1")}
    # A few after each change, and now and then one to go over the table.
    assert sum(filmed.sent) < len(filmed.sent) / 2


@pytest.mark.night
def test_a_table_at_rest_is_asked_for_a_whole_picture_every_few_seconds_alone() -> None:
    filmed = Filmed()
    filmed.lay(STAR, "discard")
    filmed.watch(20)
    filmed.sent.clear()
    filmed.watch(20)
    assert 3 <= sum(filmed.sent) <= 12


def test_without_the_mats_place_every_picture_has_to_be_whole() -> None:
    filmed = Filmed()
    eye, frame = filmed.eye, Frame(np.zeros((90, 160), np.uint8), 0.0, 0, small=np.zeros((45, 80), np.uint8))
    frame.whole = False
    eye.see(frame)
    assert frame.wanted
