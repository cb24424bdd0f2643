"""The figures of ten-sided dice: decent light apart from bad, wrong readings against what is allowed."""

from __future__ import annotations

from companion.bench.conditions import generator
from companion.bench.development.dice_outcomes import Outcome, TrueDie
from companion.bench.development.ten_sided import TABLE, _only, ten_sided_rows
from companion.bench.development.ten_sided_scenes import JUDGING_FACES, ten_sided_tray


def test_rows_say_decent_and_bad_light_apart_and_hold_what_is_asked_for():
    rows = {row.what: row for row in ten_sided_rows(12)}
    assert all(row.table == TABLE for row in rows.values())
    every = rows["all rendered"]
    assert rows["decent light"].figures["dice"] + rows["bad light"].figures["dice"] == every.figures["dice"] >= 12
    assert every.budget.limit == 0.001
    assert every.figures["right_share"] > 0.2
    assert every.figures["bound_ppm"] > 0
    parts = [rows[f"decent, {face}"].figures["dice"] for face in JUDGING_FACES]
    assert sum(parts) == rows["decent light"].figures["dice"]
    assert rows["decent, 12 to 14 mm"].figures["dice"] + rows["decent, 16 to 19 mm"].figures["dice"] == sum(parts)


def test_of_some_of_a_scene_s_dice_only_these_count():
    scene = ten_sided_tray(generator("test", "ten-sided dice", 1), 1, JUDGING_FACES)
    truth = tuple((TrueDie(die.x, die.y, die.side, die.value), die.value) for die in scene.dice)
    small = _only(Outcome(truth, (7,), True), scene, lambda die: die is scene.dice[0])
    assert small == Outcome(truth[:1], (), False)
