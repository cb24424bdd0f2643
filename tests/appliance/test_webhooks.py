"""What a webhook is sent, and that a bad receiver harms nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest

from companion.appliance.broker_settings import Broker
from companion.appliance.webhooks import Webhooks, events
from companion.hall.messages import SeatView, Snapshot
from companion.referee.snapshot import Violation
from companion.rules.kernel import View
from tests.hall.standin import StandInTable
from tests.waiting import until

SEATS = (SeatView(seat=1, name="Ada", colour="blue"), SeatView(seat=2, name="Bo", colour="orange"))
NOW = Snapshot(match="m", turn=1, text="Ada is due.", seats=SEATS)


def said(before: Snapshot | None, **changes: object) -> list[str]:
    return [one.event for one in events(before, msgspec.structs.replace(NOW, **changes), "Table 4")]


def test_what_is_news() -> None:
    assert said(None) == []
    assert said(NOW) == []
    assert said(NOW, turn=2) == ["turn"]
    assert said(NOW, turn=None) == []
    assert said(NOW, violation="No.") == ["violation"]
    assert said(NOW, over=True, turn=None) == ["end"]
    assert said(NOW, match="another", turn=2) == []
    bad = msgspec.structs.replace(NOW, violation="No.")
    assert said(bad, violation="No.") == []
    assert said(bad) == []


class _Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Receiver)
        server.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(server.answer)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Receiver(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiver)
        self.got: list[dict[str, object]] = []
        self.answer = 200


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_called_with_a_sentence(receiver: Receiver, tmp_path: Path) -> None:
    table = StandInTable(tmp_path)
    hooks = Webhooks(table, f"http://127.0.0.1:{receiver.server_port}/x", Broker(names="initials"))
    hooks.start()
    try:
        until(lambda: hooks.seen)
        table.tell(views=(View(0, "Bo is due.", (2,)),))
        until(lambda: receiver.got)
        assert receiver.got[0] == {
            "event": "turn",
            "text": "B. is due.",
            "table": "Table 4",
            "match": table.header.id,
            "seat": 2,
            "name": "B.",
            "colour": "orange",
        }
        table.waits_for(1, f"{table.names[1]} chooses a card")
        until(lambda: len(receiver.got) == 2)
        assert (receiver.got[1]["text"], receiver.got[1]["seat"]) == ("A. L. chooses a card", 1)
        for answer, words in ((302, "answers 302"), (500, "answers 500")):
            receiver.answer = answer
            table.tell(violation=Violation("illegal", "", f"No {answer}.", ""))
            until(lambda words=words: words in hooks.words)
    finally:
        hooks.close()
        table.journal.close()


def test_an_address_that_is_none_is_said_and_no_more(tmp_path: Path) -> None:
    table = StandInTable(tmp_path)
    hooks = Webhooks(table, "http://127.0.0.1:1/", Broker())
    hooks.start()
    try:
        until(lambda: hooks.seen)
        table.tell(views=(View(0, "Bo is due.", (2,)),))
        until(lambda: "does not answer" in hooks.words)
    finally:
        hooks.close()
        table.journal.close()
