"""Photographs of dice that others took: what is known of them, and how readings of them are counted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.dice_labels import convert
from benchmarks.dice_photographs import (
    OTHERS,
    Picture,
    load_others,
    outcome_of,
    read_gray,
    rows_of_others,
    trays_to_learn_from,
)
from companion.bench.figures import BenchError

PHOTOS = Path(__file__).parents[1] / "fixtures" / "photos" / "six-sided-dice-photographed-by-others"
ALL = load_others(PHOTOS)
CLEAR = next(picture for picture in ALL.photographs if picture.image == "dam01.jpg")


def test_each_photograph_is_there_and_its_licence_is_named():
    licences = (PHOTOS / "LICENCES.txt").read_text(encoding="utf-8")
    assert sum(bool(value) for picture in ALL.photographs for _, _, _, value in picture.dice) >= 550
    for picture in ALL.photographs:
        assert (PHOTOS / picture.image).exists()
        assert f"https://github.com/{picture.source}" in licences
        assert picture.source in ALL.sources


def test_dice_of_a_photograph_by_somebody_else_are_read():
    outcome = outcome_of(PHOTOS, CLEAR)
    assert [value for _, value in outcome.dice] == [value for _, _, _, value in CLEAR.dice]
    assert outcome.ghosts == ()


def folder_with(tmp_path, dice):
    """Return a folder with one photograph, of whose dice this is said."""
    shutil.copy(PHOTOS / CLEAR.image, tmp_path)
    photograph = {"image": CLEAR.image, "source": "a", "px_per_mm": 2.1, "decent": True, "dice": dice}
    (tmp_path / OTHERS).write_text(json.dumps({"sources": {"a": "MIT"}, "photographs": [photograph]}), encoding="utf-8")
    return tmp_path


def test_a_photograph_of_which_nobody_said_how_its_dice_are_turned_is_not_learned_from(tmp_path):
    with pytest.raises(BenchError, match="turned is needed"):
        list(trays_to_learn_from(folder_with(tmp_path, CLEAR.dice)))


def test_a_value_that_is_read_where_the_truth_has_another_is_wrong(tmp_path):
    x, y, side, value = CLEAR.dice[0]
    _, *others = CLEAR.dice
    row = rows_of_others(folder_with(tmp_path, [(x, y, side, value % 6 + 1), *others]))[0]
    assert (row.figures["right"], row.figures["wrong"]) == (len(others), 1)


def test_a_value_that_is_read_where_no_die_is_counts_as_wrong(tmp_path):
    row = rows_of_others(folder_with(tmp_path, CLEAR.dice[1:]))[0]
    assert (row.figures["ghosts"], row.figures["wrong"]) == (1, 1)


def test_a_die_that_nobody_can_read_does_not_count(tmp_path):
    x, y, side, _ = CLEAR.dice[0]
    row = rows_of_others(folder_with(tmp_path, [(x, y, side, 0), *CLEAR.dice[1:]]))[0]
    assert (row.figures["dice"], row.figures["wrong"]) == (len(CLEAR.dice) - 1, 0)


def test_a_folder_without_truth_or_with_a_broken_picture_says_so(tmp_path):
    with pytest.raises(BenchError, match="can't be read"):
        load_others(tmp_path)
    folder_with(tmp_path, CLEAR.dice)
    (tmp_path / CLEAR.image).write_bytes(b"no picture")
    with pytest.raises(BenchError, match="is no picture"):
        rows_of_others(tmp_path)


def test_a_bare_table_has_no_dice(tmp_path):
    gray = np.full((400, 400), 180, np.uint8)
    cv2.imwrite(str(tmp_path / "bare.png"), gray)
    assert outcome_of(tmp_path, Picture("bare.png", "a", 2.1, True, ())).wrong == 0


@pytest.mark.night
def test_how_many_dice_of_others_are_read():
    """Floors a little below what was read when the networks were made (python -m benchmarks dice)."""
    decent, bad, *_ = rows_of_others(PHOTOS)
    assert decent.figures["wrong"] == bad.figures["wrong"] == 0
    assert decent.figures["right_share"] > 0.85


def test_labels_of_public_sets_say_where_dice_lie_and_what_they_show(tmp_path: Path) -> None:
    drawn = np.full((120, 200), 90, np.uint8)
    for name in ("boxed/images/train/a.png", "boxed/images/train/unlabelled.png", "sorted/test/5/b.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(tmp_path / name), drawn)
    label = tmp_path / "boxed/labels/train/a.txt"
    label.parent.mkdir(parents=True)
    label.write_text("2 0.25 0.5 0.24 0.4\n5 0.75 0.5 0.24 0.4\n")
    assert convert(tmp_path / "boxed", tmp_path / "out") == 2
    (picture,) = load_others(tmp_path / "out").photographs
    # A box of 48 px is of a top of 40, shown at 38.4: 16 mm; around is as much again as the tray's edge.
    assert picture.dice == (pytest.approx((86, 96, 46.1, 3), abs=0.5), pytest.approx((182, 96, 46.1, 6), abs=0.5))
    assert read_gray(tmp_path / "out" / picture.image).shape == (115 + 2 * 38, 192 + 2 * 38)
    assert convert(tmp_path / "sorted", tmp_path / "out", 38.4) == 1
    (picture,) = load_others(tmp_path / "out").photographs
    assert picture.dice[0][3] == 5
