"""The display's picture of what has to be moved."""

from __future__ import annotations

import numpy as np
import pytest

from companion.devices.display_pages import alert, steps
from companion.devices.pointing_page import point
from companion.referee.snapshot import Box, Pointer, Violation
from tests.devices.snapshots import snapshot

HERE, THERE = Box(450.0, 253.0, 63.0, 88.0), Box(200.0, 100.0, 63.0, 88.0)


def lit(pointer: Pointer) -> np.ndarray:
    (image,) = point(snapshot(pointers=(pointer,), mat=(900.0, 506.0)))
    assert (image.width, image.height) == (128, 64)
    return np.asarray(image)


def test_what_is_moved_leaves_towards_its_place():
    both = lit(Pointer("move it", "00B", HERE, THERE))
    only = lit(Pointer("put it there", "00B", None, THERE))
    between = np.s_[28:34, 45:55]
    assert both[between].any()
    assert not only[between].any()


@pytest.mark.parametrize("x", [100.0, 800.0])
def test_what_goes_away_leaves_over_the_nearer_side(x: float):
    picture = lit(Pointer("take it away", "00B", Box(x, 253.0, 63.0, 88.0)))
    left, right = picture[16:, :18].sum(), picture[16:, -18:].sum()
    assert (left > right) == (x < 450)


def test_without_a_mat_or_a_place_there_is_no_picture():
    assert point(snapshot(pointers=(Pointer("move it", "00B", HERE, THERE),))) == ()
    assert point(snapshot(pointers=(Pointer("", "00B", HERE),), mat=(900.0, 506.0))) == ()


def test_a_violation_and_putting_right_end_with_the_picture():
    pointed = {"pointers": (Pointer("move it", "00B", HERE, THERE),), "mat": (900.0, 506.0)}
    wrong = snapshot(violation=Violation("illegal", "4", "it does not fit", "Take it back."), **pointed)
    last = point(wrong)[0].tobytes()
    assert alert(wrong)[-1].tobytes() == last
    assert steps(snapshot(phase="restoring", owed=("move it",), **pointed))[-1].tobytes() == last
