"""What a seat's page says of what others did since its last turn, and of the auction that has ended."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec
import pytest

from companion.referee.clock import Timer
from companion.referee.snapshot import Change, LogLine
from companion.rules.kernel import Part, Sale
from companion.server.since import MOST_LINES
from tests.server.conftest import Clients
from tests.server.desks import ShowDesk
from tests.server.phones import join

COINS = Part("coins of Anna", -3, 1, what="coins", thing="coin")
AUCTION = Timer(seats=(3,), total=20.0, left=12.0, price=4, leader=2)


def log(*lines: tuple[int, int, str], **more: dict[str, Any]) -> tuple[LogLine, ...]:
    """Make a log of (turn, seat, words); `more` are other fields of the line with these words."""
    numbers = count(1)
    return tuple(
        LogLine(next(numbers), "2026-11-26T10:00:00Z", seat, words, "table", turn=turn, **more.get(words, {}))
        for turn, seat, words in lines
    )


def told(client_of: Clients, lines: tuple[LogLine, ...], **more: Any) -> dict[str, Any]:
    """Give what the document of seat 1 says of it."""
    client = client_of(ShowDesk(log=lines, **more))
    join(client, 1)
    found: dict[str, Any] = client.get("/state/seat-1").get_json()["since"]
    return found


def words(found: dict[str, Any]) -> list[str]:
    return [line["words"] for line in found["lines"]]


def test_what_others_did_since_my_last_turn_comes_newest_first(client_of: Clients) -> None:
    lines = log((3, 3, "long ago"), (1, 1, "mine"), (2, 2, "Bo"), (2, 0, "the table"), (3, 3, "Cleo"))
    assert words(told(client_of, lines)) == ["Cleo", "the table", "Bo"]


def test_it_stays_through_my_turn_with_what_others_do_in_it(client_of: Clients) -> None:
    lines = log((1, 1, "mine"), (2, 2, "Bo"), (1, 1, "mine now"), (1, 2, "Bo answers"), (1, 1, "mine again"))
    assert words(told(client_of, lines)) == ["Bo answers", "Bo"]


def test_right_after_my_turn_what_came_before_it_is_not_told_again(client_of: Clients) -> None:
    lines = log((1, 1, "mine"), (2, 2, "Bo"), (1, 1, "mine now"), (1, 2, "Bo answers"))
    assert words(told(client_of, lines, turn=1)) == ["Bo answers", "Bo"]
    assert words(told(client_of, lines, turn=2)) == ["Bo answers"]
    assert words(told(client_of, lines[:3], turn=2)) == []


def test_my_answers_in_others_turns_are_no_turn_of_mine(client_of: Clients) -> None:
    lines = log((1, 1, "mine"), (2, 2, "Bo"), (2, 1, "my answer"), (2, 2, "Bo goes on"))
    assert words(told(client_of, lines)) == ["Bo goes on", "Bo"]


def test_what_the_clock_did_in_my_name_is_told_as_that(client_of: Clients) -> None:
    pass_, bid = {"by": "clock", "bid": True}, {"bid": True}
    lines = log((2, 2, "Bo bids."), (2, 1, "Anna passes."), (2, 3, "Cleo passes."), **{"Cleo passes.": bid})
    late = tuple(msgspec.structs.replace(line, **(pass_ if line.seat == 1 else {})) for line in lines)
    found = told(client_of, late)
    assert words(found) == ["Cleo passes.", "Your time was up: Anna passes.", "Bo bids."]
    assert [line["took"] for line in found["lines"]] == [False, True, False]


def test_what_was_taken_back_is_not_told(client_of: Clients) -> None:
    lines = log((1, 1, "mine"), (2, 2, "Bo"), (2, 2, "a mistake"), **{"a mistake": {"undone": True}})
    assert words(told(client_of, lines)) == ["Bo"]


def test_no_more_lines_are_told_than_fit(client_of: Clients) -> None:
    lines = log((1, 1, "mine"), *((2, 2, f"Bo {n}") for n in range(20)))
    assert words(told(client_of, lines, seats=3)) == [f"Bo {n}" for n in range(19, 12, -1)]
    assert words(told(client_of, lines, seats=8)) == [f"Bo {n}" for n in range(19, 16, -1)]


def test_what_gave_or_took_something_is_told_however_many_others_play(client_of: Clients) -> None:
    marks = {f"Bo {n}": {"changes": (Change(1, (COINS,)),)} for n in range(0, 20, 2)}
    lines = log((1, 1, "mine"), *((2, 2, f"Bo {n}") for n in range(20)), **marks)
    wanted = [19, 18, 17, *range(16, 4, -2)]
    assert words(told(client_of, lines, seats=8)) == [f"Bo {n}" for n in wanted]
    assert len(wanted) == MOST_LINES


@pytest.mark.parametrize(
    ("change", "gave", "took"),
    [
        (Change(1, (COINS,)), False, True),
        (Change(1, (), ("00B",)), True, False),
        (Change(1, (), (), ("00B",)), False, True),
        (Change(2, (COINS,)), False, False),
    ],
)
def test_what_gave_or_took_something_is_marked(client_of: Clients, change: Change, gave: bool, took: bool) -> None:
    (line,) = told(client_of, log((2, 2, "Bo"), Bo={"changes": (change,), "cards": ("00B",)}))["lines"]
    assert (line["gave"], line["took"]) == (gave, took)
    assert [card["title"] for card in line["cards"]] == ["Red star"]


BIDS = ((2, 2, "Bo opens"), (2, 3, "Cleo bids 2"), (2, 1, "I bid 3"), (2, 3, "Cleo bids 4"), (2, 1, "I pass"))
BID = {"bid": True}
SOLD = {"bid": True, "sale": Sale(3, 4, "00B")}


def test_of_a_running_auction_the_last_bid_is_told(client_of: Clients) -> None:
    found = told(client_of, log(*BIDS[:4], **{line[2]: BID for line in BIDS[1:4]}))
    assert words(found) == ["Cleo bids 4", "Bo opens"]
    assert found["sale"] is None


def test_who_lost_an_auction_is_told_who_won_it_for_how_much_until_something_is_done(client_of: Clients) -> None:
    bids = {**{line[2]: BID for line in BIDS[1:4]}, "I pass": SOLD}
    found = told(client_of, log(*BIDS, **bids))
    assert words(found) == ["Bo opens"]
    assert found["sale"]["words"] == "Cleo won Red star for 4."
    assert not found["sale"]["mine"]
    later = told(client_of, log(*BIDS, (3, 3, "Cleo"), **bids))
    assert later["sale"] == found["sale"]
    assert words(later) == ["Cleo", "Bo opens"]
    assert told(client_of, log(*BIDS, (1, 1, "mine"), **bids))["sale"] is None
    # Then it is a line among others.
    again = told(client_of, log(*BIDS, **bids), timer=AUCTION)
    assert again["sale"] is None
    assert words(again) == ["Cleo won Red star for 4.", "Bo opens"]


def test_where_the_highest_bidder_could_not_pay_it_is_said_who_really_got_it(client_of: Clients) -> None:
    lines = (*BIDS, (2, 3, "Cleo can't pay"))
    sales = {"I pass": SOLD, "Cleo can't pay": {"sale": Sale(2, 1, "00B", instead=True)}}
    found = told(client_of, log(*lines, **sales))
    assert (found["sale"]["words"], found["sale"]["badge"]["seat"]) == ("Bo won Red star for 1.", 2)
    assert not [line for line in words(found) if line.startswith("Cleo won")]
    later = told(client_of, log(*lines, **sales), timer=AUCTION)
    assert words(later)[0] == "Bo won Red star for 1."
    assert not [line for line in words(later) if line.startswith("Cleo won")]
    sales["Cleo can't pay"] = {"sale": Sale(0, 0, "00B", instead=True)}
    nobody = told(client_of, log(*lines, **sales))
    assert nobody["sale"]["words"] == "Nobody who bid could pay: nobody won the auction."
    assert not [line for line in words(nobody) if " won " in line]


def test_a_card_nobody_saw_is_sold_without_its_name(client_of: Clients) -> None:
    bids = {**{line[2]: BID for line in BIDS[1:4]}, "I pass": {"bid": True, "sale": Sale(1, 4)}}
    sale = told(client_of, log(*BIDS, **bids))["sale"]
    assert (sale["words"], sale["mine"], sale["card"]) == ("Anna won the auction for 4.", True, None)


def test_the_page_shows_it_with_pictures_and_what_it_took_below_the_choices(client_of: Clients) -> None:
    change = Change(1, (COINS,), (), ("00Z",))
    lines = log((1, 1, "mine"), (2, 2, "Bo takes it"), **{"Bo takes it": {"changes": (change,), "cards": ("00B",)}})
    client = client_of(ShowDesk(log=lines, sentence="Bo takes it"))
    join(client, 1)
    page = client.get("/seat/1").text
    part = page.split('data-part="since"')[1].split("data-part=")[0]
    assert '<li class="took">' in part
    assert "/small/00B.webp" in part
    assert "−3" in part
    assert "−1" in part
    # It is told once, and not again as what the referee says.
    assert "Bo takes it" not in page.split('data-part="said"')[1].split("data-part=")[0]
    assert page.index('data-part="may"') < page.index('data-part="since"') < page.index('data-part="recent"')


def test_nobody_else_is_told_what_a_seat_missed(client_of: Clients) -> None:
    client = client_of(ShowDesk(log=log((2, 2, "Bo"))))
    assert client.get("/state/public").get_json()["since"] is None
