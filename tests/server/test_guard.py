"""Who gets in: own names, nobody more than a share, and phones that look for the internet."""

from __future__ import annotations

import threading

import pytest

from companion.server import guard
from companion.server.guard import PROBES, is_own_name
from companion.server.keys import Keys, kept_pin
from companion.server.limits import BURST, STREAMS, ConcurrencyLimit, Limits, Share, machine
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.phones import join, send

PHONE = {"REMOTE_ADDR": "10.42.0.17"}


@pytest.mark.parametrize(
    "host",
    [
        "10.42.0.1",
        "10.42.0.1:8080",
        "[fe80::1]:80",
        "::1",
        "localhost",
        "companion",
        "tisch3.local",
        "TISCH3.LOCAL.:80",
        "companion.fritz.box",
    ],
)
def test_addresses_and_names_of_a_home_network_are_ours(host):
    assert is_own_name(host)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "10.42.0.1.evil.example", "local", "", "a.b.c"])
def test_other_names_are_not_ours(host):
    assert is_own_name(host) == (host == "local")


def test_a_name_that_the_owner_gave_is_ours(monkeypatch, client_of):
    client = client_of(ShowDesk())
    assert client.get("/", headers={"Host": "tables.example"}).status_code == 302
    monkeypatch.setenv(guard.NAMES, "tables.example other.example")
    assert client.get("/", headers={"Host": "tables.example"}).status_code == 200


def test_a_name_made_to_point_here_reads_and_changes_nothing(client_of):
    desk = MatchDesk()
    client = client_of(desk)
    join(client, 1)
    read = client.get("/state/public", headers={"Host": "evil.example"})
    assert read.status_code == 302
    assert read.headers["Location"] == "http://10.42.0.1:8000/"
    wish = {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}}
    answer = send(client, wish, Host="evil.example")
    assert answer.status_code == 421
    assert "10.42.0.1" in answer.json["message"]
    assert desk.match.records() == []


@pytest.mark.parametrize("path", PROBES)
def test_a_phone_on_the_tables_wifi_is_shown_the_way_and_then_stays(client_of, path):
    client = client_of(ShowDesk())
    foreign = {"Host": "connectivity.example"}
    first = client.get(path, headers=foreign, environ_base=PHONE)
    assert first.status_code == 302
    assert first.headers["Location"] == "http://10.42.0.1:8000/welcome"
    page = client.get("/welcome", environ_base=PHONE)
    assert "Stay on this Wi-Fi" in page.text
    done = client.post("/welcome", environ_base=PHONE)
    assert "open your browser" in done.text
    status, body, _ = PROBES[path]
    again = client.get(path, headers=foreign, environ_base=PHONE)
    assert (again.status_code, again.text) == (status, body)
    assert client.get(path, headers=foreign, environ_base={"REMOTE_ADDR": "10.42.0.18"}).status_code == 302


def test_a_welcome_lasts_for_an_evening():
    time = [0.0]
    limits = Limits(lambda: time[0])
    limits.welcome("a")
    assert limits.welcomed("a")
    time[0] = 13 * 3600.0
    assert not limits.welcomed("a")


def test_an_address_that_sends_too_much_waits_and_no_other_with_it():
    time = [0.0]
    limits = Limits(lambda: time[0])
    assert all(limits.allow_request("a") for _ in range(int(BURST)))
    assert not limits.allow_request("a")
    assert limits.allow_request("b")
    time[0] = 0.1
    assert limits.allow_request("a")
    assert limits.allow_request("a")
    assert not limits.allow_request("a")
    time[0] = 3600.0  # an hour of silence saves up no more than there was
    assert sum(limits.allow_request("a") for _ in range(2 * int(BURST))) == BURST


def test_too_much_at_once_is_told_in_a_sentence(client_of):
    client = client_of(ShowDesk())
    client.application.extensions["companion"].limits._clock = lambda: 0.0
    answers = [client.post("/host/enter", data={"pin": "1"}, environ_base=PHONE) for _ in range(int(BURST) + 5)]
    assert answers[-1].status_code == 429
    assert "too much at once" in answers[-1].text


def test_one_address_has_a_share_of_the_streams_and_gives_them_back():
    limits = Limits()
    assert all(limits.enter("10.42.0.9") for _ in range(STREAMS))
    assert not limits.enter("10.42.0.9")
    assert limits.enter("10.42.0.8")
    limits.leave("10.42.0.9")
    assert limits.enter("10.42.0.9")
    assert all(limits.enter("127.0.0.1") for _ in range(STREAMS * 2))


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.42.0.9", "10.42.0.9"),
        ("::ffff:10.42.0.9", "10.42.0.9"),
        ("fd00::1:2:3:4", "fd00::/64"),
        ("fd00::ffff", "fd00::/64"),
        ("fd00:0:0:1::1", "fd00:0:0:1::/64"),
        ("fe80::1%wlan0", "fe80::/10"),
        ("febf:1::2", "fe80::/10"),
        ("?", "?"),
    ],
)
def test_addresses_that_one_machine_can_give_itself_count_as_one(address, counted):
    assert machine(address) == counted


def test_a_machine_has_no_more_by_having_more_addresses():
    limits, connections = Limits(lambda: 0.0), Share(2)
    assert all(limits.enter(f"fd00::{n:x}") for n in range(1, STREAMS + 1))
    assert not limits.enter("fd00::ffff:1")
    limits.leave("fd00::1")
    assert limits.enter("fd00::ffff:1")
    assert all(limits.allow_request(f"fe80::{n:x}%wlan0") for n in range(1, int(BURST) + 1))
    assert not limits.allow_request("fe80::ffff%wlan0")
    assert connections.enter("10.42.0.9")
    assert connections.enter("::ffff:10.42.0.9")
    assert not connections.enter("10.42.0.9")
    assert all(connections.enter("::ffff:127.0.0.1") for _ in range(5))
    assert all(connections.enter("::1") for _ in range(5))


def test_something_costly_is_done_once_for_an_address_and_few_times_in_all():
    few = ConcurrencyLimit(2)
    with few.turn("10.42.0.1") as first, few.turn("10.42.0.1") as again, few.turn("10.42.0.2") as second:
        assert (first, again, second) == (True, False, True)
        with few.turn("10.42.0.3") as third:
            assert not third
    with pytest.raises(ValueError, match="broken"), few.turn("10.42.0.3"):
        raise ValueError("broken")
    with few.turn("10.42.0.3") as third:
        assert third


def test_whoever_finds_all_turns_taken_waits_for_one():
    few = ConcurrencyLimit(1, patience=20.0)
    began, got = threading.Event(), []

    def other() -> None:
        began.set()
        with few.turn("10.42.0.2") as mine:
            got.append(mine)

    waiting = threading.Thread(target=other)
    with few.turn("10.42.0.1"):
        waiting.start()
        assert began.wait(10)
        assert got == []
    waiting.join(10)
    assert got == [True]


def test_streams_of_one_phone_are_bounded(client_of):
    client = client_of(ShowDesk())
    open_ = [client.get("/events/public", environ_base=PHONE) for _ in range(STREAMS)]
    assert {one.status_code for one in open_} == {200}
    assert client.get("/events/public", environ_base=PHONE).status_code == 503
    for one in open_:
        one.close()
    last = client.get("/events/public", environ_base=PHONE)
    assert last.status_code == 200
    last.close()


def test_of_a_chosen_pin_only_a_slow_hash_is_kept():
    kept = kept_pin("20468")
    assert kept.startswith("$argon2id$")
    assert "20468" not in kept
    keys = Keys("0190", kept)
    assert keys.enter("20467") is None
    assert keys.enter(kept) is None
    assert keys.enter(" 20468 ") is not None
    assert Keys("0190", "$argon2id$damaged").enter("20468") is None
