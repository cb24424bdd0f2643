"""Ladders on the display, and the sound when one climbs."""

from __future__ import annotations

import numpy as np

from companion.devices import display_pages
from companion.devices.buzzer import heard
from companion.devices.display_pages import Invitation
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Ladder, View

from .snapshots import snapshot


def crisis(*values: int) -> Snapshot:
    """A match with so many scenarios, and a response ladder that alarms nobody."""
    watched = tuple(Ladder(f"Crisis in {'ABC'[i]}", value, 1, 10, 8, short="ABC"[i]) for i, value in enumerate(values))
    calm = Ladder("A: DH", 3, 0, 10)
    return snapshot(views=tuple(View(seat, "Move", (1,), ladders=(*watched, calm)) for seat in range(4)))


def lit(page: display_pages.Page) -> int:
    return int(np.asarray(page[0].convert("L"))[:47, 22:108].astype(bool).sum())


def test_the_display_is_about_the_ladders_that_may_ruin_everything() -> None:
    assert display_pages.occasion(crisis(3))[0] == "ladders"
    assert display_pages.offered(crisis(3), Invitation())[:2] == ("ladders", "turn")
    only_calm = snapshot(views=(View(0, "", (1,), ladders=(Ladder("A: DH", 3, 0, 10),)),))
    assert display_pages.occasion(only_calm)[0] == "turn"


def test_every_step_lights_more_of_the_ladder() -> None:
    amounts = [lit(display_pages.ladders(crisis(value, 5, 5))) for value in range(1, 11)]
    assert amounts == sorted(set(amounts))


def test_three_ladders_and_the_turn_fit() -> None:
    pictures = {
        display_pages.ladders(crisis(*values))[0].tobytes() for values in ((1,), (1, 2), (1, 2, 10), (10, 2, 1))
    }
    assert len(pictures) == 4


def test_one_ladder_leaves_no_dark_gap_and_says_what_to_do() -> None:
    """No seventh of the display is dark, and other words make another picture."""
    for values in ((1,), (1, 2), (1, 2, 10)):
        rows = np.asarray(display_pages.ladders(crisis(*values))[0].convert("L")).astype(bool).any(axis=1)
        assert all(rows[top : top + 9].any() for top in range(len(rows) - 9)), values
    told = [
        display_pages.ladders(
            snapshot(views=tuple(View(seat, words, (1,), ladders=(Ladder("A", 3, 1, 10, 8),)) for seat in range(4)))
        )[0].tobytes()
        for words in ("Move", "Roll")
    ]
    assert told[0] != told[1]


def test_a_climbing_ladder_sounds_and_a_falling_one_does_not() -> None:
    assert heard(crisis(3, 4), crisis(3, 5)) == "climb"
    assert heard(crisis(3, 5), crisis(3, 4)) is None
    assert heard(crisis(3), crisis(3, 1)) is None
    calm = [snapshot(views=(View(0, "", (1,), ladders=(Ladder("A: DH", value, 0, 10),)),)) for value in (3, 4)]
    assert heard(*calm) is None
