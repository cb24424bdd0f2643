"""What the hall's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.broker import RealBroker, running


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RealBroker]:
    """A running Mosquitto with nobody but the hall."""
    with running(tmp_path / "broker") as one:
        yield one
