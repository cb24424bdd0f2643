"""A client for a desk; every application is shut after its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Map, RuleFactory

from companion.appliance.settings import owner_for
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server import app as application
from companion.server.app import create_app, shut
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.server.phones import join, send

Clients = Callable[..., FlaskClient]


class Addresses(Map):
    """The addresses of every application of the tests: the same, and to compile them takes longer than most tests."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self._known: set[tuple[str, str]] = set()
        super().__init__(*args, **more)

    def add(self, rulefactory: RuleFactory) -> None:
        """Add the addresses that are new."""
        for rule in rulefactory.get_rules(self):
            if (rule.rule, rule.endpoint) not in self._known:
                self._known.add((rule.rule, rule.endpoint))
                super().add(rule)


ADDRESSES = Addresses()
application._Application.url_map_class = staticmethod(lambda host_matching: ADDRESSES)  # type: ignore[assignment]


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


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A real table, kept by phones, with an evening of matches."""
    patch = pytest.MonkeyPatch()
    patch.setenv("COMPANION_DEVICES", "simulated")
    journal = Journal(tmp_path_factory.mktemp("journal"))

    def make_session(header: Header, version: int) -> Session:
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    header = Header(id=new_id(), at=now(), game=GATHERING, seats=MOST)
    made = Table(make_session, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    made.start()
    yield made
    patch.undo()


@pytest.fixture(scope="module")
def everybody(table: Table) -> Iterator[dict[str, FlaskClient]]:
    """A stranger, who guesses keys, players, one whose seat was freed, and the host, who does not play."""
    app = create_app(table, close=table.close)
    host = app.test_client()
    host.post("/host/enter", data={"pin": table.host_pin})
    form = {"seats": "3", "mode": "ledger", "option.hand_limit": "7", "bid_seconds": "0"}
    assert host.post("/host/new/five-cards-collector", data=form).status_code == 303
    people = {name: app.test_client() for name in ("stranger", "guesser", "seat 1", "seat 2", "freed")}
    join(people["seat 1"], 1, "Anna")
    join(people["seat 2"], 2, "Bo")
    join(people["freed"], 3, "Cleo")
    assert send(host, {"do": "free", "seat": 3}).status_code == 200
    for name in ("companion_host", *(f"companion_seat_{n}" for n in (1, 2, 3))):
        people["guesser"].set_cookie(name, "x" * 43)
    yield {**people, "host": host}
    shut(app)
