"""A client for a desk; every application is shut after its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from companion.appliance.settings import owner_for
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app, shut
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.server.phones import join, send

Clients = Callable[..., FlaskClient]


class Address(Rule):
    """An address whose builder of links is compiled once for all applications: that takes longer than most tests."""

    builders: ClassVar[dict[tuple[object, ...], Any]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Any:
        key = (self.rule, self.subdomain, str(self.defaults), append_unknown)
        if key not in self.builders:
            self.builders[key] = super()._compile_builder(append_unknown)
        return self.builders[key]


class Compiled(BytecodeCache):
    """Templates that are compiled once for all applications."""

    codes: ClassVar[dict[tuple[object, ...], Any]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.codes.get((bucket.key, bucket.checksum, bucket.environment.trim_blocks))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.codes[bucket.key, bucket.checksum, bucket.environment.trim_blocks] = bucket.code


Flask.url_rule_class = Address
Flask.jinja_options = {"bytecode_cache": Compiled()}


@pytest.fixture
def client_of() -> Iterator[Clients]:
    """Make clients of applications for desks; what they ask is answered from the desk as it is by then.

    A page outside of tests hears of it a moment later, from the feed's own thread.
    """
    apps = []

    def make(desk: Any, **more: Any) -> FlaskClient:
        app = create_app(desk, close=desk.close, **more)
        app.before_request(lambda: app.extensions["companion"].feed.refresh())
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
