"""Where phones find this computer, and that a change is noticed once."""

import ipaddress
import queue
from collections.abc import Callable
from typing import Any

import pytest

from companion.appliance import network, run
from companion.appliance.network import AddressMonitor, address, interface_addresses
from companion.server.app import shut


def test_without_a_route_the_interfaces_are_asked(monkeypatch):
    monkeypatch.setattr(network, "own_address", lambda: None)
    monkeypatch.setattr(network, "interface_addresses", lambda: ["10.42.0.1"])
    assert address() == "10.42.0.1"
    monkeypatch.setattr(network, "interface_addresses", list)
    assert address() is None
    monkeypatch.setattr(network, "own_address", lambda: "192.168.1.7")
    assert address() == "192.168.1.7"


def test_interfaces_have_addresses_of_their_own():
    for one in interface_addresses():
        assert not ipaddress.IPv4Address(one).is_loopback


def test_a_new_address_is_told_once():
    answers = iter(["http://a", "http://a", "http://b", "http://b", "http://a"])
    told = queue.Queue()
    end = queue.Queue()

    def where():
        answer = next(answers, None)
        if answer is None:
            end.put(True)
            return "http://a"
        return answer

    watch = AddressMonitor(where, told.put, every=0.001)
    watch.start()
    assert end.get(timeout=30)
    watch.close()
    assert [told.get_nowait() for _ in range(told.qsize())] == ["http://b", "http://a"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104
def test_what_listens_everywhere_is_found_at_this_computers_own_address(monkeypatch, host):
    monkeypatch.setattr(network, "address", lambda: "10.42.0.1")
    assert network.front(host, 8080) == "http://10.42.0.1:8080/"
    assert network.front("127.0.0.1", 80) == "http://127.0.0.1/"
    assert run.join_url(host, 80) == "HTTP://10.42.0.1/J"


def test_the_terminal_says_the_address_that_phones_reach(monkeypatch, capsys, tmp_path):
    def serve(make: Callable[[], Any], host: str, port: int) -> None:
        shut(make().app)

    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setattr(network, "address", lambda: "10.42.0.1")
    monkeypatch.setattr(run, "kept", lambda make, host, port: make)
    monkeypatch.setattr(run.gc, "freeze", lambda: None)
    monkeypatch.setattr("companion.server.serve.run", serve)
    run.serve_table(run.TablePlan(camera=None, mode="ledger"), "0.0.0.0", 8080)  # noqa: S104
    assert "The table is at http://10.42.0.1:8080/ " in capsys.readouterr().out
