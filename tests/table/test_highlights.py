"""What stands out in the camera's picture."""

from __future__ import annotations

import numpy as np

from companion.eye import overlay
from companion.referee.snapshot import Box, Pointer
from companion.table.highlights import pointed
from tests.eye.tables import Card, Session, Table, test_mat


def colours(picture: np.ndarray) -> set[tuple[int, int, int]]:
    packed = np.unique(picture.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32))
    return {(int(one) >> 16, int(one) >> 8 & 255, int(one) & 255) for one in packed}


def seen(*cards: Card) -> Session:
    watched = Session(Table(test_mat(), list(cards)), True)
    watched.run(14)
    return watched


def test_what_is_wrong_and_where_it_goes_are_outlined_and_joined_by_an_arrow():
    watched = seen(Card("001", 61.0, 100.0))
    watched.run(60)
    box = Box(61.0, 100.0, 63.0, 88.0)
    pointer = Pointer("move it", "001", box, Box(287.0, 100.0, 98.0, 100.0))
    plain, shown = pointed(watched.eye, ()), pointed(watched.eye, (pointer,))
    assert {overlay.WRONG, overlay.GOAL, (255, 255, 255)} <= colours(shown) - (colours(plain) - {(255, 255, 255)})
    middle = tuple(int(part) for part in watched.eye.calibration.to_px([(174.0, 100.0)])[0])
    ratio = shown.shape[1] / watched.eye.frame.gray.shape[1]
    x, y = (round(part * ratio) for part in middle)
    assert (shown[y - 3 : y + 4, x] == 255).all(axis=-1).any()
