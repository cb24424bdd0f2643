"""Dice thrown on the printed mats, through the camera: what is printed in a tray is taken for no die."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.referee.tray import Awaited, Thrown, Tray
from companion.rules.kernel import Action, Need
from companion.table.stages import camera_stages

ROLL = Awaited(Action(seat=1), Need("dice", "rolled", "", count=2, sides=6))


class Watcher:
    """Keeps the newest view."""

    def on_view(self, view):
        self.view = view

    def on_tick(self, time):
        pass


@pytest.mark.night
def test_dice_are_read_surely_though_a_word_is_printed_in_the_tray():
    watcher, mat = Watcher(), games.load_mat("collectible", 3)
    stage = camera_stages(games.load("collectible"), mat, False)(watcher, random.Random(4))
    tray = Tray(mat)
    for n, values in enumerate(((), (2, 5))):
        if values:
            tray.wait(None, watcher.view)
            tray.wait(ROLL, watcher.view)
            assert stage.throw(values)
        for _ in range(3):
            stage.rest()
        thrown = tray.look(watcher.view)
        assert watcher.view.dice[0].things  # else there is nothing to be taken for a die
        assert thrown == (Thrown(values, sure=True) if n else None)
