"""Short soaks. A long one: `python -m benchmarks.hall_soak TABLES SECONDS FAULTS PACE RECORDS`."""

from __future__ import annotations

import os
import subprocess

import pytest

from benchmarks.hall_soak import shows, soak
from companion.hall.messages import SeatView, Snapshot

CARD = (
    '<li class="score"><span class="name">Ada</span></span><span class="points"><b>3</b></span></li>'
    '<li class="score"><span class="name">Bo</span></span></li><p class="said">Ada&#39;s turn.</p>'
)


@pytest.mark.parametrize("network", [False, True])
@pytest.mark.night
def test_every_record_is_there_once_and_the_wall_is_right_though_all_parts_are_broken(network):
    if network and (os.geteuid() or subprocess.run(["ip", "netns"], capture_output=True, check=False).returncode):
        network = False  # namespaces are root's: then only the parts themselves are broken
    found = soak(6, 20, 12, 0.1, seed=3, network=network)
    assert sum(found.faults.values()) == 12
    assert found.records > 100
    assert (found.missing, found.wrong) == (0, 0)
    assert -1.0 not in found.recovered


@pytest.mark.parametrize(
    ("snapshot", "right"),
    [
        (
            Snapshot(seats=(SeatView(seat=1, name="Ada", score=3), SeatView(seat=2, name="Bo")), text="Ada's turn."),
            True,
        ),
        (
            Snapshot(seats=(SeatView(seat=1, name="Ada", score=4), SeatView(seat=2, name="Bo")), text="Ada's turn."),
            False,
        ),
        (Snapshot(seats=(SeatView(seat=1, name="Ada", score=3),), text="Ada's turn."), False),
        (
            Snapshot(seats=(SeatView(seat=1, name="Ada", score=3), SeatView(seat=2, name="Bo")), text="Bo's turn."),
            False,
        ),
    ],
)
def test_a_card_of_the_wall_is_compared_with_what_the_table_says(snapshot, right):
    assert shows(CARD, snapshot) is right
