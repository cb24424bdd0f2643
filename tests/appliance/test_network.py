"""Where phones find this computer, and that a change is noticed once."""

import ipaddress
import queue

from companion.appliance import network
from companion.appliance.network import AddressMonitor, address, interface_addresses


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
