"""What the hall's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.local import LocalDatabase
from tests.hall.broker import RealBroker, running
from tests.hall.database import emptied, running_database


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RealBroker]:
    """A running Mosquitto with nobody but the hall."""
    with running(tmp_path / "broker") as one:
        yield one


@pytest.fixture(scope="session")
def database_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalDatabase]:
    """A running database, shared by a process's tests."""
    with running_database(tmp_path_factory.mktemp("database")) as one:
        yield one


@pytest.fixture
def database(database_here: LocalDatabase) -> LocalDatabase:
    """A running database with nothing in it."""
    emptied(database_here).close()
    return database_here
