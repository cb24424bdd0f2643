"""Events: what was missed and no more, newest only, heartbeats, bounds; and the same by asking."""

from __future__ import annotations

import time

import msgspec
import pytest

from companion.referee.snapshot import Question
from companion.rules.cards import Card
from companion.rules.kernel import Part
from companion.server import live
from companion.server.context import HOST_COOKIE, Server
from tests.server.conftest import Clients
from tests.server.desks import NAMES, MatchDesk, ShowDesk, view
from tests.server.phones import be_host, join, messages, send


def views(seats: int = 3, **changed: str) -> tuple[object, ...]:
    """Views of all seats, some with another headline: seat_2="…"."""
    return tuple(view(n, changed.get(f"seat_{n}", "It is the turn of Anna.")) for n in range(seats + 1))


def test_a_stream_begins_with_everything_and_says_when_to_come_back(client_of: Clients) -> None:
    stream = messages(client_of(ShowDesk()).get("/events/public"))
    first, second = next(stream), next(stream)
    assert first == {"retry": "2000"}
    assert second["event"] == "parts"
    assert second["data"]["stamp"] == second["id"]
    assert {"turn", "scores", "log", "alarm"} <= set(second["data"]["parts"])


def test_an_event_brings_only_the_parts_that_changed(client_of: Clients) -> None:
    desk = ShowDesk()
    stream = messages(client_of(desk).get("/events/public"))
    next(stream), next(stream)
    desk.show(sentence="Cleo draws a card.")
    event = next(stream)
    assert set(event["data"]["parts"]) == {"said", "aloud"}
    assert "Cleo draws a card." in event["data"]["parts"]["said"]


def test_what_changes_for_another_seat_only_sends_nothing(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT", 0.05)
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    stream = messages(client.get("/events/seat-1"))
    next(stream), next(stream)
    desk.show(views=(view(0), view(1), view(2, numbers=(Part("secret", 5),)), view(3)))
    assert next(stream)["event"] == "beat"


def test_last_event_id_gets_what_was_missed_since(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    stream = messages(client.get("/events/public"))
    next(stream)
    seen = next(stream)["id"]
    desk.show(sentence="One.")
    next(stream)
    desk.show(sentence="Two.")
    next(stream)
    again = messages(client.get("/events/public", headers={"Last-Event-ID": seen}))
    next(again)
    missed = next(again)
    assert set(missed["data"]["parts"]) == {"said", "aloud"}
    assert "Two." in missed["data"]["parts"]["said"]


@pytest.mark.parametrize("seen", ["", "5", "other-1", "x", "-", "ffffff-99999999999999999999", "-²"])
def test_an_unknown_last_event_id_gets_everything(client_of: Clients, seen: str) -> None:
    stream = messages(client_of(ShowDesk()).get("/events/public", headers={"Last-Event-ID": seen}))
    next(stream)
    assert {"turn", "scores", "log", "said"} <= set(next(stream)["data"]["parts"])


def test_a_stamp_of_an_earlier_run_is_not_taken_for_one_of_this(client_of: Clients) -> None:
    stream = messages(client_of(ShowDesk()).get("/events/public"))
    next(stream)
    old = next(stream)["id"]
    restarted = messages(client_of(ShowDesk()).get("/events/public", headers={"Last-Event-ID": old}))
    next(restarted)
    assert "scores" in next(restarted)["data"]["parts"]


def test_who_comes_back_from_before_a_restart_is_told_the_time_at_once(client_of: Clients) -> None:
    stream = messages(client_of(ShowDesk()).get("/events/public?after=000000-7"))
    _, parts, beat = next(stream), next(stream), next(stream)
    assert beat["event"] == "beat"
    assert beat["data"]["stamp"] == parts["id"]


def test_a_slow_reader_gets_the_newest_and_skips_the_rest(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    stream = messages(client.get("/events/public"))
    next(stream), next(stream)
    for n in range(100):
        desk.show(sentence=f"Sentence {n}.")
    feed = client.application.extensions["companion"].feed
    feed.refresh()
    assert "Sentence 99." in next(stream)["data"]["parts"]["said"]


def test_silence_is_broken_by_heartbeats(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT", 0.02)
    stream = messages(client_of(ShowDesk()).get("/events/public"))
    next(stream), next(stream)
    assert [next(stream)["event"] for _ in range(3)] == ["beat", "beat", "beat"]


def test_one_stream_carries_several_audiences(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 2, "Bo")
    stream = messages(client.get("/events/public,seat-2"))
    next(stream)
    assert {next(stream)["data"]["audience"], next(stream)["data"]["audience"]} == {"public", "seat-2"}


def test_pictures_are_announced_to_those_who_show_them(client_of: Clients) -> None:
    desk = ShowDesk()
    stream = messages(client_of(desk).get("/events/pictures"))
    versions = [
        message["data"]["camera"] for message in (next(stream), next(stream), next(stream)) if "data" in message
    ]
    desk.shot = 7
    while versions[-1] != 7:
        versions.append(next(stream)["data"]["camera"])
    assert versions[0] == -1


def test_a_seats_stream_needs_its_key(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    for path in ("/events/seat-1", "/state/seat-1", "/state/host", "/events/host"):
        answer = client.get(path)
        assert answer.status_code == 403
        assert answer.get_json()["message"] == "This browser has no key for that: join the seat first."


def test_without_a_seats_key_the_rest_of_the_stream_goes_on(client_of: Clients) -> None:
    stream = messages(client_of(ShowDesk()).get("/events/public,seat-1"))
    next(stream)
    refused, parts = next(stream), next(stream)
    assert (refused["event"], refused["data"]) == ("refused", {"audience": "seat-1"})
    assert parts["data"]["audience"] == "public"


def test_a_seat_that_is_freed_hears_no_more(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    stream = messages(client.get("/events/seat-1"))
    next(stream), next(stream)
    be_host(client)
    assert send(client, {"do": "free", "seat": 1}).status_code == 200
    assert next(stream)["data"] == {"audience": "seat-1"}
    desk.show(sentence="Secret.")
    assert list(stream) == []


def test_whoever_stops_being_the_host_hears_no_more_with_the_same_key(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    be_host(client)
    copied = client.get_cookie(HOST_COOKIE)
    assert copied is not None
    stream = messages(client.get("/events/host"))
    next(stream), next(stream)
    assert client.post("/host/leave").status_code == 303
    assert next(stream) == {"event": "refused", "data": {"audience": "host"}}
    desk.show(sentence="Secret.")
    assert list(stream) == []
    client.set_cookie(HOST_COOKIE, copied.value)
    assert client.get("/state/host").status_code == 403
    assert send(client, {"do": "free", "seat": 1}).status_code == 403


def test_the_host_hears_of_a_robots_seat_until_a_person_joins_it(client_of: Clients) -> None:
    desk = ShowDesk()
    host = client_of(desk)
    phone = host.application.test_client()
    be_host(host)
    assert send(host, {"do": "sit-in", "seat": 2}).status_code == 200
    stream = messages(host.get("/events/seat-2,public"))
    next(stream), next(stream), next(stream)
    desk.show(views=views(seat_2="It is your turn, robot."))
    told = next(stream)
    assert (told["data"]["audience"], "It is your turn, robot." in str(told)) == ("seat-2", True)
    desk.robots_there = {}
    join(phone, 2, "Bo")
    while (message := next(stream))["event"] != "refused":
        assert message["data"]["audience"] == "public"
    assert message["data"] == {"audience": "seat-2"}
    desk.show(sentence="Two.")
    while "Two." not in str(message["data"]):
        message = next(stream)
        assert message["data"]["audience"] == "public"


@pytest.mark.parametrize("name", ["foo", "seat-9", "public,foo", "", "seat-1,,", "..", "seat-one"])
def test_an_audience_that_does_not_exist_is_named(client_of: Clients, name: str) -> None:
    answer = client_of(ShowDesk(3)).get(f"/events/{name}")
    assert answer.status_code == 404


def test_streams_are_bounded_and_given_back(client_of: Clients) -> None:
    client = client_of(ShowDesk(), most_streams=2)
    one, two = client.get("/events/public"), client.get("/events/public")
    full = client.get("/events/public")
    assert (full.status_code, full.headers["Retry-After"]) == (503, "30")
    one.close()
    assert client.get("/events/public").status_code == 200
    two.close()
    two.close()
    here: Server = client.application.extensions["companion"]
    assert here.feed._streams == 1


def test_streams_end_when_the_server_stops(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    stream = messages(client.get("/events/public"))
    next(stream), next(stream)
    client.application.extensions["companion"].feed.close()
    assert list(stream) == []


def test_what_is_the_same_again_is_no_news(client_of: Clients) -> None:
    desk = ShowDesk()
    feed = client_of(desk).application.extensions["companion"].feed
    before = feed.moment
    for _ in range(5):
        desk.show()
        feed.refresh()
    assert feed.moment is before


def test_an_older_snapshot_that_comes_late_is_not_shown(client_of: Clients) -> None:
    desk = ShowDesk()
    feed = client_of(desk).application.extensions["companion"].feed
    old = desk.snapshot()
    new = desk.show(sentence="New.")
    feed.refresh(new)
    feed.refresh(old)
    assert feed.moment.snapshot.sentence == "New."


def test_a_new_match_is_shown_though_its_versions_start_again(client_of: Clients) -> None:
    desk = ShowDesk(version=50)
    feed = client_of(desk).application.extensions["companion"].feed
    feed.refresh(desk.show(match="0199", version=1, sentence="Anew."))
    assert feed.moment.snapshot.sentence == "Anew."


def test_a_desk_that_fails_once_is_asked_again(client_of: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ShowDesk()
    wait, failed = desk.wait, []

    def sometimes(version: int, timeout: float) -> object:
        if not failed:
            failed.append(1)
            raise RuntimeError("a loose wire")
        return wait(version, timeout)

    monkeypatch.setattr(desk, "wait", sometimes)
    stream = messages(client_of(desk).get("/events/public"))
    next(stream), next(stream)
    desk.show(sentence="Well again.")
    assert "Well again." in next(stream)["data"]["parts"]["said"]


# ---------------------------------------------------------------------------------------------------------- asking


def test_asking_brings_what_a_stream_would_have(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    stamp = client.get("/parts/public").get_json()["stamp"]
    assert client.get(f"/parts/public?after={stamp}").get_json()["changes"] == []
    desk.show(sentence="News.")
    client.application.extensions["companion"].feed.refresh()
    news = client.get(f"/parts/public?after={stamp}").get_json()
    assert [set(change["parts"]) for change in news["changes"]] == [{"said", "aloud"}]


def test_the_document_is_json_and_known_versions_cost_nothing(client_of: Clients) -> None:
    client = client_of(ShowDesk(version=12))
    answer = client.get("/state/public?after=11")
    assert answer.get_json()["version"] == 12
    assert client.get("/state/public?after=12").status_code == 204


def test_documents_are_made_once_a_moment(client_of: Clients) -> None:
    asked: list[str] = []

    class Noted(dict[str, Card]):
        def __getitem__(self, piece: str) -> Card:
            asked.append(piece)
            return super().__getitem__(piece)

    desk = ShowDesk()
    desk.cards = Noted(desk.cards)
    client = client_of(desk)
    first = client.get("/state/public").data
    seen = len(asked)
    assert seen > 0
    assert client.get("/state/public").data == first
    next(messages(client.get("/events/public")))
    assert "Anna" in client.get("/").text
    assert len(asked) == seen


def test_a_question_may_be_read_by_all_and_answered_by_those_asked(client_of: Clients) -> None:
    question = Question("q", "which", "What happened?", (2,), ())
    client = client_of(ShowDesk(question=question))
    join(client, 1)
    join(client, 2, "Bo")
    mine = [client.get(f"/state/seat-{n}").get_json()["question"]["mine"] for n in (1, 2)]
    assert mine == [False, True]


def test_a_real_match_plays_on_through_the_stream(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    join(client, 1)
    stream = messages(client.get("/events/seat-1"))
    next(stream), next(stream)
    assert send(client, {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}}).status_code == 200
    seen: dict[str, str] = {}
    while "my-turn" not in seen:
        seen |= next(stream)["data"].get("parts", {})
    assert "data-mine" not in seen["my-turn"]


def test_stamps_grow(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    stamps = []
    for name in list(NAMES.values())[:4]:
        desk.show(sentence=name)
        deadline = time.monotonic() + 5
        while client.get("/state/public").get_json()["sentence"] != name and time.monotonic() < deadline:
            time.sleep(0.01)
        stamps.append(int(client.get("/parts/public").get_json()["stamp"].split("-")[1]))
    assert stamps == sorted(set(stamps))


def test_equal_snapshots_give_equal_bytes(client_of: Clients) -> None:
    shown = ShowDesk().snapshot()
    one, two = ShowDesk(), ShowDesk()
    one._snapshot = two._snapshot = msgspec.structs.replace(shown, sentence="Same.")
    assert client_of(one).get("/state/public").data == client_of(two).get("/state/public").data


def test_a_new_card_in_a_simulated_hand_is_told_to_its_seat_only(
    client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT", 0.05)
    desk = ShowDesk()
    desk.hands = {1: ("00N",)}
    client = client_of(desk)
    join(client, 1)
    join(client, 2, "Bo")
    mine, other = messages(client.get("/events/seat-1")), messages(client.get("/events/seat-2,public"))
    for stream in (mine, other):
        next(stream), next(stream)
    next(other)
    desk.hands = {1: ("00N", "01C")}
    client.application.extensions["companion"].feed.refresh()
    assert set(next(mine)["data"]["parts"]) == {"hand"}
    assert next(other)["event"] == "beat"
