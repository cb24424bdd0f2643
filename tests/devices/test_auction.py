"""An auction on the display and the buzzer: price, leader, who is asked, the bar that shrinks, the last seconds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.devices import display_pages
from companion.devices.device_manager import Devices
from companion.devices.display_pages import Invitation
from companion.devices.oled import Oled
from companion.devices.pins import SimulatedBoard
from companion.devices.wiring import load
from companion.referee.clock import Timer

from .snapshots import LONG, snapshot
from .test_oled import until

TIMER = Timer(seats=(2,), total=20.0, left=20.0, ends=120.0, price=7, leader=1)


def bar(page: display_pages.Page) -> int:
    """Count the lit pixels within the bar's frame."""
    return int(np.asarray(page[0].convert("L"))[57, 2:126].astype(bool).sum())


def test_the_bar_shrinks_with_the_time_and_is_empty_at_zero() -> None:
    lengths = [
        bar(display_pages.auction(snapshot(timer=TIMER), now)) for now in (100.0, 105.0, 110.0, 115.0, 120.0, 130.0)
    ]
    assert lengths == [124, 93, 62, 31, 0, 0]


def test_a_clock_that_stands_still_says_so_and_none_has_no_bar() -> None:
    standing = Timer(seats=(2,), total=20.0, left=20.0, paused=True)
    assert 0 < bar(display_pages.auction(snapshot(timer=standing), 0.0)) < 124
    assert bar(display_pages.auction(snapshot(timer=Timer(seats=(2,), total=0.0, left=0.0)), 0.0)) == 0


def test_price_leader_and_who_is_asked_all_show() -> None:
    plain = display_pages.auction(snapshot(timer=TIMER), 100.0)[0].tobytes()
    for change in ({"price": 8}, {"leader": 3}, {"seats": (3,)}, {"leader": 0, "price": 0}):
        other = Timer(**{**{name: getattr(TIMER, name) for name in TIMER.__struct_fields__}, **change})
        assert display_pages.auction(snapshot(timer=other), 100.0)[0].tobytes() != plain, change


@pytest.mark.parametrize(("leader", "asked"), list(itertools.permutations(range(1, 9), 2))[::7])
def test_every_name_fits_beside_a_price_of_three_digits(leader: int, asked: int) -> None:
    timer = Timer(seats=(asked,), total=20.0, left=20.0, ends=120.0, price=128, leader=leader)
    page = display_pages.auction(snapshot(8, names=dict(enumerate(LONG, 1)), timer=timer), 100.0)
    assert page[0].size == (128, 64)


def test_the_auction_is_what_the_display_is_about_and_a_violation_comes_first() -> None:
    assert display_pages.occasion(snapshot(timer=TIMER))[0] == "auction"
    assert display_pages.offered(snapshot(timer=TIMER), Invitation("HTTP://X/J"))[:3] == ("auction", "turn", "scores")
    assert display_pages.occasion(snapshot(timer=TIMER, phase="over"))[0] == "ended"


def test_the_last_five_seconds_tick_once_each_and_the_bar_moves_without_a_new_snapshot() -> None:
    now = [114.0]
    devices = Devices(Oled(None, "ssd1306", 0), SimulatedBoard(), load(), Invitation(), clock=lambda: now[0])
    board = devices.board
    assert isinstance(board, SimulatedBoard)
    ticked: list[str] = []
    devices.buzzer.play = ticked.append  # type: ignore[method-assign]
    devices.start()
    devices.show(snapshot(timer=TIMER))
    until(lambda: devices.oled.picture().tobytes() == display_pages.auction(snapshot(timer=TIMER), 114.0)[0].tobytes())
    assert "last-seconds" not in ticked
    for second in range(5):
        now[0] = 115.2 + second
        until(lambda: ticked.count("last-seconds") == second + 1)  # noqa: B023
    until(lambda: devices.oled.picture().tobytes() == display_pages.auction(snapshot(timer=TIMER), 119.2)[0].tobytes())
    now[0] = 121.0
    devices.show(snapshot())
    until(lambda: devices.oled.picture().tobytes() == display_pages.turn(snapshot())[0].tobytes())
    devices.close()
    assert ticked.count("last-seconds") == 5
