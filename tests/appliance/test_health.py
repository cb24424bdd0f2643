"""Health: a request all the way through the match's thread, and what the watchdog and an update make of it."""

import threading
from types import SimpleNamespace

import pytest
from flask import Flask
from werkzeug.serving import make_server

from companion import games
from companion.appliance.health import Served, add_health, kept, own_version, probe
from companion.referee.journal import Header
from companion.referee.match import Match
from companion.server.app import create_app, shut
from companion.table.table import Table, session_maker
from tests.referee.table import GAME


@pytest.fixture
def served():
    """Serve applications; gives a function that starts one and returns its port."""
    servers = []

    def serve(app):
        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server.server_port

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def page(answers):
    app = Flask("test")
    add_health(app, answers, lambda: "Collectors")
    return app


def test_the_page_says_how_it_is():
    answer = page(lambda patience: True).test_client().get("/health")
    assert (answer.status_code, answer.json) == (200, {"ok": True, "version": own_version(), "playing": "Collectors"})
    assert answer.headers["Cache-Control"] == "no-store"
    answer = page(lambda patience: False).test_client().get("/health")
    assert (answer.status_code, answer.json["ok"]) == (503, False)


def test_a_probe_tells_what_is_wrong(served):
    assert probe("0.0.0.0", served(page(lambda patience: True)), 20) is None  # noqa: S104
    assert probe("127.0.0.1", served(page(lambda patience: False)), 20) == "the match does not answer"
    other = Flask("another")
    other.add_url_rule("/health", view_func=lambda: "fine!")
    assert "do not answer" in probe("127.0.0.1", served(other), 20)
    assert "do not answer" in probe("127.0.0.1", 1, 1)


def test_an_eye_that_has_ended_is_named_and_restarted_for(served):
    app = Flask("test")
    ended = SimpleNamespace(ailing="the eye thread has ended", vital=True)
    add_health(app, lambda patience: True, lambda: "Collectors", lambda: [ended])
    answer = app.test_client().get("/health")
    assert (answer.status_code, answer.json["ok"]) == (503, False)
    assert answer.json["wrong"] == "the eye thread has ended"
    assert probe("127.0.0.1", served(app), 20) == "the eye thread has ended"


def test_a_match_answers_as_long_as_its_thread_works_off_its_letters():
    header = Header(id="01", at="", game="five-cards-collector", seats=2, mode="ledger")
    match = Match(GAME, games.load_mat("five-cards-collector", 2), header, None)
    assert not match.answers(0.05)
    match.start()
    assert match.answers(20)
    let_go, held = threading.Event(), threading.Event()

    def hold(time):
        held.set()
        let_go.wait(30)

    match._referee.on_tick = hold
    match.tick(1.0)
    assert held.wait(20)
    assert not match.answers(0.05)
    let_go.set()
    assert match.answers(20)
    match.close()
    assert not match.answers(0.05)


def test_what_is_kept_has_the_page_and_says_goodbye_before_it_closes():
    closed = []
    app = Flask("test")
    app.extensions["companion.close"] = lambda: closed.append("table")
    made = kept(lambda: Served(app, lambda patience: True, lambda: ""), "127.0.0.1", 1)()
    assert made.test_client().get("/health").json["ok"] is True
    made.extensions["companion.close"]()
    assert closed == ["table"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_table_whose_eyes_thread_has_ended_is_not_well(monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")

    def ends():
        raise SystemExit

    header = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=2)
    make_session = session_maker(GAME, games.load_mat(GAME.info.name, 2), None, ends)
    table = Table(make_session, header, None, "HTTP://127.0.0.1:8080/J")

    def make():
        table.start()
        return Served(create_app(table, close=table.close), table.match.answers, lambda: "")

    app = kept(make, "127.0.0.1", 1)()
    table.session.camera_loop.thread.join(60)
    answer = app.test_client().get("/health")
    assert (answer.status_code, answer.json["wrong"]) == (503, "the eye thread has ended")
    shut(app)
