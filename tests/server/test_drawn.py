"""What takes long to make: equal questions are drawn once, and nobody has more than one made at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.server.drawn import MOST, Drawn
from companion.server.limits import COSTLY
from companion.table.table import Table
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import join, send


class SlowDesk(MatchDesk):
    """A desk whose PDF is not done before it is told to be."""

    def __init__(self) -> None:
        self.begun, self.go_on, self.drawn = threading.Event(), threading.Event(), 0
        super().__init__()

    def debrief(self) -> bytes:
        self.drawn += 1
        self.begun.set()
        assert self.go_on.wait(20)
        return super().debrief()


def ask(client: FlaskClient, n: int, path: str = "/course.pdf") -> Any:
    """Ask from the n-th phone."""
    return client.application.test_client().get(path, environ_base={"REMOTE_ADDR": f"10.42.0.{n}"})


@pytest.fixture
def desk() -> Iterator[SlowDesk]:
    made = SlowDesk()
    yield made
    made.go_on.set()


def test_an_address_has_one_costly_page_made_at_a_time(client_of: Clients, desk: SlowDesk) -> None:
    client = client_of(desk)
    first = threading.Thread(target=ask, args=(client, 1))
    first.start()
    assert desk.begun.wait(20)
    match = desk.snapshot().match
    for path in (
        "/course.pdf",
        "/course",
        f"/cards/{desk.game.info.name}",
        f"/matches/{match}",
        f"/matches/{match}.png",
    ):
        answer = ask(client, 1, path)
        assert answer.status_code == 429, path
        assert "try again in a moment" in answer.text
    assert ask(client, 1, "/").status_code == 200
    assert ask(client, 2, "/course").status_code == 200
    desk.go_on.set()
    first.join(20)
    assert ask(client, 1).status_code == 200


def test_equal_questions_are_drawn_once_and_others_anew(client_of: Clients, desk: SlowDesk) -> None:
    client = client_of(desk)
    answers: list[Any] = []
    asking = [threading.Thread(target=lambda n=n: answers.append(ask(client, n))) for n in range(1, COSTLY + 4)]
    for one in asking:
        one.start()
    assert desk.begun.wait(20)
    desk.go_on.set()
    for one in asking:
        one.join(20)
    assert [answer.data for answer in answers] == [b"%PDF-1.3 a few pages"] * len(asking)
    assert desk.drawn == 1
    join(client, 1, "Anna")
    assert ask(client, 1).status_code == 200
    assert desk.drawn == 2
    send(client, {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}})
    assert ask(client, 1).status_code == 200
    assert desk.drawn == 3


@pytest.mark.night
def test_a_matchs_picture_is_drawn_once_until_something_happens(
    table: Table, everybody: dict[str, FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    plainly = table.matches.picture
    monkeypatch.setattr(table.matches, "picture", lambda match: drawn.append(match) or plainly(match))
    match, seat = table.match.header.id, everybody["seat 1"]
    first = seat.get(f"/matches/{match}.png").data
    assert seat.get(f"/matches/{match}.png").data == first
    assert drawn == [match]
    assert send(everybody["host"], {"do": "correct", "edits": [{"edit": "turns", "seat": 2}]}).status_code == 200
    assert seat.get(f"/matches/{match}.png").status_code == 200
    assert drawn == [match] * 2


def test_few_drawings_are_kept_and_none_that_failed() -> None:
    drawn, made = Drawn(), []

    def draw(n: int) -> bytes:
        made.append(n)
        return b"%d" % n

    for n in (*range(MOST), 0, MOST, 0):
        assert drawn.get(n, lambda n=n: draw(n)) == b"%d" % n  # type: ignore[misc]
    assert made == [*range(MOST), MOST]
    drawn.get(1, lambda: draw(1))
    assert made[-1] == 1
    with pytest.raises(ZeroDivisionError):
        drawn.get("no", lambda: b"%d" % (1 // 0))
    assert drawn.get("no", lambda: b"yes") == b"yes"


def test_the_pdf_is_drawn_anew_when_somebody_takes_another_colour(client_of: Clients, desk: SlowDesk) -> None:
    desk.go_on.set()
    client = client_of(desk)
    join(client, 1, "Ada")
    for colour in ("blue", "blue", "pink"):
        assert send(client, {"do": "name", "seat": 1, "name": "Ada", "colour": colour}).status_code == 200
        assert client.get("/course.pdf").data.startswith(b"%PDF")
    assert desk.drawn == 2
