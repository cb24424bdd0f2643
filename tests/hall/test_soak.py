"""A short soak. A long one: `python -m companion.bench.development.hall_soak` (docs/hall.md)."""

from __future__ import annotations

import pytest

from companion.bench.development.hall_soak import soak


@pytest.mark.night
def test_every_record_is_there_once_though_broker_database_and_consumers_are_killed():
    found = soak(6, 20, 6, 0.1, seed=3, network=False)
    assert sum(found.faults.values()) == 6
    assert found.records > 100
    assert (found.missing, found.wrong) == (0, 0)
