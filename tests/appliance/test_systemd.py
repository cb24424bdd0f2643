"""What systemd is told: ready once the table answers, alive as long as it does, stopping at the end; else nothing."""

import os
import socket
import threading

import pytest

from companion.appliance.systemd import Notifier, Watch, listened


@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.bind(str(tmp_path / "notify"))
        there.settimeout(20.0)
        yield there


def taken(manager, **more):
    environ = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "600000", **more, "OTHER": "1"}
    notifier = Notifier.take(environ)
    assert environ == {"OTHER": "1"}  # nobody else shall speak for us
    return notifier


def heard(manager):
    return manager.recv(4096).decode().splitlines()


def test_messages_are_those_of_sd_notify(manager):
    notifier = taken(manager)
    notifier.ready("The table answers")
    notifier.alive("So it does")
    notifier.status("In trouble")
    notifier.stopping()
    assert heard(manager) == ["READY=1", "STATUS=The table answers"]
    assert heard(manager) == ["WATCHDOG=1", "STATUS=So it does"]
    assert heard(manager) == ["STATUS=In trouble"]
    assert heard(manager)[0] == "STOPPING=1"


def test_a_name_without_a_file_is_an_abstract_socket():
    name = f"companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.bind("\0" + name)
        there.settimeout(20.0)
        Notifier("@" + name).stopping()
        assert heard(there)[0] == "STOPPING=1"


def test_a_watchdog_meant_for_another_process_is_not_ours(manager):
    assert taken(manager).watchdog == 0.6
    assert taken(manager, WATCHDOG_PID=str(os.getpid())).watchdog == 0.6
    assert taken(manager, WATCHDOG_PID="1").watchdog is None
    assert taken(manager, WATCHDOG_USEC="0").watchdog is None
    assert taken(manager, WATCHDOG_USEC="soon").watchdog is None


def test_without_a_manager_nothing_is_sent_and_nothing_runs():
    notifier = Notifier.take({})
    assert not notifier
    notifier.ready("unheard")
    watch = Watch(notifier, lambda patience: pytest.fail("nobody wants to know"))
    watch.start()
    watch.close()


def test_a_manager_that_is_gone_stops_no_match(tmp_path, caplog):
    Notifier(str(tmp_path / "nobody")).alive("still")
    assert "can't be told" in caplog.text


def test_ready_comes_with_the_first_good_answer_and_the_watchdog_is_fed_only_by_good_ones(manager):
    answers = iter(["starting", "starting", None, None, "the match does not answer", None])
    told = []
    done = threading.Event()

    def well(patience):
        assert patience == pytest.approx(0.2)
        answer = next(answers, "end")
        if answer == "end":
            done.set()
        return answer

    watch = Watch(taken(manager), well)
    watch.start()
    assert done.wait(30)
    watch.close()
    for _ in range(5):
        told.append(heard(manager)[0])
    assert told == [
        "READY=1",
        "WATCHDOG=1",
        "WATCHDOG=1",
        "STATUS=In trouble: the match does not answer",
        "WATCHDOG=1",
    ]


def test_the_socket_that_systemd_opened_is_known_by_its_address():
    assert listened({}) is None
    assert listened({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) is None
    assert listened({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "0"}) is None
    # In a process of its own, where number 3 is free.
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            there = socket.create_server(("127.0.0.1", 0))
            os.dup2(there.fileno(), 3)
            found = listened({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
            os.write(write, b"same" if found == there.getsockname() else b"other")
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        assert said.read() == "same"
