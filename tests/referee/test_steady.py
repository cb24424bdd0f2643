"""Threads of a table: one that a fault ends is said, and started anew."""

import threading

import pytest
from flask import Flask

from companion.appliance.health import add_health
from companion.referee import steady
from companion.referee.steady import Steady
from tests.waiting import until


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(steady, "FIRST", 0.01)


def test_a_thread_that_a_fault_ends_is_started_anew_and_said_until_it_has_proven_itself():
    now, calls, go = [100.0], [], threading.Event()

    def work():
        calls.append(1)
        if len(calls) == 1:
            raise KeyError("")
        go.wait(60)

    thread = Steady("robots", work, words="The robots stumbled.", clock=lambda: now[0])
    assert (thread.ailing, thread.words) == ("", "")
    thread.start()
    until(lambda: len(calls) == 2)
    assert thread.ailing == "the robots thread had ended and was started anew"
    assert thread.words == "The robots stumbled."
    now[0] += steady.PROVEN
    assert (thread.ailing, thread.words) == ("", "")
    go.set()
    thread.join(60)
    assert thread.ailing == ""


def test_the_pauses_grow_while_the_same_fault_comes_again(monkeypatch):
    pauses = []
    thread = Steady("robots", lambda: 1 / 0)
    monkeypatch.setattr(thread._stopping, "wait", lambda pause: pauses.append(pause) or len(pauses) == 14)
    thread.run()
    assert pauses[:3] == [0.01, 0.02, 0.04]
    assert max(pauses) == steady.LONGEST


def test_a_thread_that_its_owner_ends_is_not_begun_anew_and_is_not_missed():
    last, calls = [], []

    def work():
        calls.append(1)
        raise OSError

    thread = Steady("robots", work, last=lambda: last.append(1))
    thread.start()
    until(lambda: calls)
    thread.end()
    assert not thread.is_alive()
    assert (thread.ailing, last) == ("", [1])


@pytest.mark.parametrize(("vital", "status", "where"), [(True, 503, "wrong"), (False, 200, "besides")])
def test_health_names_a_thread_that_had_ended(vital, status, where):
    go = threading.Event()
    fails = iter((True, False))
    thread = Steady("robots", lambda: 1 / 0 if next(fails) else go.wait(60), vital=vital)
    thread.start()
    until(lambda: thread.ailing)
    app = Flask("test")
    add_health(app, lambda patience: True, lambda: "Collectors", lambda: [thread])
    answer = app.test_client().get("/health")
    assert answer.status_code == status
    assert "the robots thread had ended" in str(answer.json[where])
    go.set()
