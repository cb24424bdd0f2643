"""Bids over HTTP: at the same instant, late, twice, above one's means, by the auctioneer: one right outcome each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.server.app import create_app, shut
from tests.server.desks import BiddingDesk
from tests.server.phones import be_host, join, messages, send, text_of

Phones = Callable[[int], FlaskClient]


@pytest.fixture
def desk(tmp_path: Path) -> BiddingDesk:
    return BiddingDesk(tmp_path)


@pytest.fixture
def phone(desk: BiddingDesk) -> Iterator[Phones]:
    """Give the phone of a seat, joined; seat 0 is the host's."""
    app = create_app(desk, close=desk.close)
    phones: dict[int, FlaskClient] = {}

    def of(seat: int) -> FlaskClient:
        if seat not in phones:
            phones[seat] = app.test_client()
            assert (join(phones[seat], seat, f"Player {seat}") if seat else be_host(phones[seat])).status_code < 400
        return phones[seat]

    yield of
    shut(app)


def bid(phone: FlaskClient, seat: int, amount: int, **headers: str) -> Any:
    return send(
        phone, {"do": "play", "seat": seat, "action": {"type": "bid", "seat": seat, "amount": amount}}, **headers
    )


def bids(desk: BiddingDesk) -> list[tuple[int, int]]:
    block = desk.match.state.block
    return [(one.seat, one.amount) for one in block.auction.bids] if block else []


def test_of_bids_at_the_same_instant_only_the_one_whose_turn_it_is_counts(desk: BiddingDesk, phone: Phones) -> None:
    for seat in desk.bidders:
        phone(seat)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda seat: bid(phone(seat), seat, 3), desk.bidders))
    assert [answer.status_code for answer in answers] == [200, 409, 409, 409]
    assert bids(desk) == [(desk.bidders[0], 3)]
    for answer in answers[1:]:
        told = answer.get_json()
        assert told["rule"].endswith("A4"), told
        assert "Wait" in told["remedy"] or "Bid 4 to" in told["remedy"], told


def test_phones_that_raise_at_once_are_taken_in_the_order_they_come_in(desk: BiddingDesk, phone: Phones) -> None:
    """Everybody sends a bid that is right if it comes in its turn: what counts is a run from the opener on."""
    for seat in desk.bidders:
        phone(seat)
    for _ in range(3):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda pair: bid(phone(pair[1]), pair[1], pair[0] + 1), enumerate(desk.bidders)))
    made = bids(desk)
    assert made == [(seat, n + 1) for n, seat in enumerate(desk.bidders)][: len(made)]
    assert made


def test_the_same_bid_twice_with_its_key_counts_once_and_is_answered_alike(desk: BiddingDesk, phone: Phones) -> None:
    opener = desk.bidders[0]
    first, again = (bid(phone(opener), opener, 2, **{"Idempotency-Key": "tap-1"}) for _ in range(2))
    assert first.get_json() == again.get_json()
    assert first.status_code == 200
    assert bids(desk) == [(opener, 2)]


def test_the_same_bid_twice_without_a_key_is_refused_the_second_time(desk: BiddingDesk, phone: Phones) -> None:
    opener = desk.bidders[0]
    assert bid(phone(opener), opener, 2).status_code == 200
    again = bid(phone(opener), opener, 2)
    assert again.status_code == 409
    assert f"Player {opener} leads with 2" in again.get_json()["message"]
    assert bids(desk) == [(opener, 2)]


def test_a_bid_above_ones_means_is_told_what_one_has(desk: BiddingDesk, phone: Phones) -> None:
    opener = desk.bidders[0]
    answer = bid(phone(opener), opener, 999)
    assert answer.status_code == 409
    coins = desk.match.state.players[opener - 1].coins
    assert f"{coins} coin" in answer.get_json()["message"]
    assert answer.get_json()["rule"].endswith("A4")
    assert bids(desk) == []


def test_the_auctioneer_can_not_bid(desk: BiddingDesk, phone: Phones) -> None:
    answer = bid(phone(desk.auctioneer), desk.auctioneer, 5)
    assert answer.status_code == 409
    assert "auction" in answer.get_json()["message"]


def test_nobody_bids_for_another_seat(desk: BiddingDesk, phone: Phones) -> None:
    opener, other = desk.bidders[:2]
    assert bid(phone(other), opener, 5).status_code == 403
    wish = {"do": "play", "seat": other, "action": {"type": "bid", "seat": opener, "amount": 5}}
    assert send(phone(other), wish).status_code == 403
    assert bids(desk) == []


@pytest.mark.parametrize("amount", [0, -5, 10**30, 1.5, "7", None, True])
def test_a_bid_that_is_no_bid_is_refused_and_changes_nothing(desk: BiddingDesk, phone: Phones, amount: Any) -> None:
    answer = bid(phone(desk.bidders[0]), desk.bidders[0], amount)
    assert answer.status_code in (400, 409)
    assert answer.get_json()["message"]
    assert bids(desk) == []


def test_a_late_bid_is_told_that_the_time_was_up(desk: BiddingDesk, phone: Phones) -> None:
    opener, late = desk.bidders[:2]
    bid(phone(opener), opener, 2)
    desk.lapse()
    answer = bid(phone(late), late, 4)
    assert answer.status_code == 409
    assert answer.get_json()["rule"] == "C5"
    assert "time was up" in answer.get_json()["message"]
    assert bids(desk) == [(opener, 2)]


def test_a_bid_within_the_grace_counts(desk: BiddingDesk, phone: Phones) -> None:
    opener = desk.bidders[0]
    desk.pass_time(20.5)
    assert bid(phone(opener), opener, 2).status_code == 200


def test_the_host_stops_and_extends_the_clock_and_nobody_else_does(desk: BiddingDesk, phone: Phones) -> None:
    for wish in ({"do": "pause"}, {"do": "extend", "seconds": 30}, {"do": "clock", "seconds": 5}):
        assert send(phone(desk.bidders[0]), wish).status_code == 403
        assert send(phone(0), wish).status_code == 200
    assert desk.snapshot().timer is not None
    assert desk.snapshot().timer.total == 5.0  # type: ignore[union-attr]


def test_the_phone_is_offered_its_lowest_and_highest_bid_and_sees_the_clock(desk: BiddingDesk, phone: Phones) -> None:
    opener, other = desk.bidders[:2]
    bid(phone(opener), opener, 2)
    document = phone(other).get(f"/state/seat-{other}").get_json()
    offer = next(may["amount"] for may in document["may"] if may["amount"])
    assert (offer["low"], offer["high"]) == (3, desk.match.state.players[other - 1].coins)
    assert document["auction"]["mine"]
    assert (document["auction"]["price"], document["auction"]["leader_name"]) == (2, f"Player {opener}")
    assert document["auction"]["ends"] == desk.time + 20
    page = phone(other).get(f"/seat/{other}").get_data(as_text=True)
    assert 'data-low="3"' in page
    assert f'data-ends="{desk.time + 20}"' in page


def test_page_stream_and_poll_say_what_time_it_is_by_the_clock_that_counts(desk: BiddingDesk, phone: Phones) -> None:
    page = phone(1).get("/seat/1").get_data(as_text=True)
    assert f'data-now="{desk.time}"' in page
    stamp = page.split('data-stamp="')[1].split('"')[0]
    stream = messages(phone(1).get(f"/events/seat-1?after={stamp}"))
    beat = next(one for one in stream if one.get("event") == "beat")
    assert beat["data"]["now"] == desk.time
    assert phone(1).get("/parts/seat-1").get_json()["now"] == desk.time


def test_everybody_reads_what_the_clock_will_say(desk: BiddingDesk, phone: Phones) -> None:
    opener, second = desk.bidders[:2]
    assert "seconds, then a bid of 1" in text_of(phone(second).get(f"/seat/{second}").text)
    bid(phone(opener), opener, 3)
    assert "seconds, then a pass" in text_of(phone(second).get("/").text)
