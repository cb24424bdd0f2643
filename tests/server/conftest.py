"""A client for a desk; every application is shut after its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.server.app import create_app, shut

Clients = Callable[..., FlaskClient]


@pytest.fixture
def client_of() -> Iterator[Clients]:
    """Make clients of applications for desks."""
    apps = []

    def make(desk: Any, **more: Any) -> FlaskClient:
        app = create_app(desk, close=desk.close, **more)
        apps.append(app)
        return app.test_client()

    yield make
    for app in apps:
        shut(app)
