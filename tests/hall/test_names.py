"""By which names the hall's pages are to be had: another site's name that was made to point here gets nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.hall.app import create_app
from companion.server.app import shut
from companion.server.keys import kept_pin


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("COMPANION_NAMES", "wall.club.example")
    app = create_app("host=/nowhere", kept_pin("secret"), public="hall.example.org")
    yield app.test_client()
    shut(app)


@pytest.mark.parametrize("path", ["/", "/host", "/static/companion.css", "/tables/t1"])
def test_by_another_name_the_hall_gives_nothing(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "no such name" in answer.text


def test_by_another_name_nothing_is_sent_to_the_hall(client: FlaskClient) -> None:
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert client.post("/host/enter", data={"password": "secret"}, headers=headers).status_code == 421


@pytest.mark.parametrize(
    "host", ["hall.example.org:8090", "wall.club.example", "10.0.0.2:8090", "[fd00::1]", "hall.lan", "hall"]
)
def test_by_its_own_names_the_hall_answers(client: FlaskClient, host: str) -> None:
    assert client.get("/no-such-page", headers={"Host": host}).status_code == 404
