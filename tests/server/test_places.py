"""What a seat's page makes of a document: calls, things that are counted, sets of cards, offers, lines of taps."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.kernel import TABLE, Part
from companion.server.documents import Extras, document
from companion.server.places import lines, merged, number
from tests.nights import at_night, every
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import join
from tests.server.played import GAMES, PlayedDesk

STEPS = 60
SETS = 200
"""Actions within which a partner with several ways to conceal is asked."""


def way(card: str, field: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """An entry with one action; `field` are the cards in it."""
    action = {"type": "conceal", "seat": 1, "cards": field or []}
    choice = {"action": action, "words": "", "card": None, "needs": []}
    entry = {"name": "conceal", "words": card, "allowed": True, "choices": [choice], "holes": [], "amount": None}
    return {**entry, "sets": None, **more}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.night
def test_a_seat_that_is_due_is_called_upon_in_at_most_eight_words(name: str) -> None:
    desk = PlayedDesk(name)
    try:
        for _ in range(STEPS):
            for seat in range(1, 5):
                call = document(f"seat-{seat}", desk.snapshot(), Extras(), desk)["call"]
                if seat in desk.due():
                    assert 2 <= len(call.split()) <= 8, call
                else:
                    assert call == ""
            if not desk.step():
                break
    finally:
        desk.close()


def test_a_number_says_what_is_drawn_for_it_and_whose_it_is() -> None:
    assert number(Part("coins of Bo of Lund", 4, 2, what="coins", thing="coin")) == {
        "name": "coins of Bo of Lund",
        "value": 4,
        "seat": 2,
        "short": "coins",
        "thing": "coin",
        "face": 0,
    }
    assert number(Part("paid pile", 1))["short"] == "paid pile"
    # Words mean nothing to the pages.
    assert number(Part("your dice showing 5", 3, 1)) == {
        "name": "your dice showing 5",
        "value": 3,
        "seat": 1,
        "short": "your dice showing 5",
        "thing": "",
        "face": 0,
    }


@pytest.mark.parametrize("name", [*every(2, GAMES), "whist", *at_night("scopa")])
@pytest.mark.night
def test_every_number_of_somebody_says_what_is_counted_without_saying_of_whom(name: str) -> None:
    desk = PlayedDesk(name)
    try:
        for _ in range(STEPS):
            for audience in ("public", "seat-1"):
                for one in document(audience, desk.snapshot(), Extras(), desk)["numbers"]:
                    if one["seat"] == TABLE:
                        assert one["short"] == one["name"], one
                    assert "Seat" not in one["short"], one
                    assert not one["short"].startswith("your "), one
                    assert (one["thing"] == "die") == ("dice showing" in one["name"]) == (one["face"] > 0), one
            if not desk.step():
                break
    finally:
        desk.close()


def test_entries_that_differ_in_a_set_of_cards_are_one_entry_to_tap() -> None:
    ways = [way("Conceal a and b", ["a", "b"]), way("Conceal a and c", ["a", "c"]), way("Conceal b", ["b"])]
    other = way("Keep", None, name="keep-open", choices=[{**way("")["choices"][0], "action": {"type": "keep-open"}}])
    barred = way("Conceal d", ["d"], allowed=False)
    made = merged([*ways, other, barred], lambda piece: {"piece": piece})
    assert made[1:] == [other, barred]
    assert made[0]["choices"] == []
    assert [card["piece"] for card in made[0]["sets"]["cards"]] == ["a", "b", "c"]
    assert made[0]["sets"]["ways"] == [[0, 1], [0, 2], [1]]
    assert made[0]["sets"]["words"] == ["Conceal a and b", "Conceal a and c", "Conceal b"]


def test_one_set_of_cards_alone_stays_a_button() -> None:
    assert merged([way("Conceal a", ["a"])], lambda piece: {"piece": piece}) == [way("Conceal a", ["a"])]


@pytest.mark.night
def test_every_way_to_conceal_is_in_a_document_but_listed_nowhere() -> None:
    desk = PlayedDesk("karmic-collections")
    try:
        for _ in range(SETS):
            assert desk.step()
            sets = [
                (one["sets"], seat)
                for seat in desk.due()
                for one in document(f"seat-{seat}", desk.snapshot(), Extras(), desk)["may"]
                if one["sets"]
            ]
            if sets:
                break
        (found, seat) = sets[0]
        pieces = [card["piece"] for card in found["cards"]]
        ways = {tuple(pieces[n] for n in one) for one in found["ways"]}
        legal = {one.cards for one in desk.game.legal(desk.state) if one.seat == seat and hasattr(one, "cards")}
        assert ways == legal
        assert len(ways) > 1
    finally:
        desk.close()


def test_taps_that_share_a_verb_share_a_line() -> None:
    words = ("Buy item 1 (pay $1)", "Buy item 2", "The quarter tile", "Raise value 3")
    plain = {"action": {}, "facts": "", "percent": None}
    made = lines([{"words": one, **plain} for one in words])
    assert [one["head"] for one in made] == ["Buy item", ""]
    assert [(one["words"], one["more"], one["full"]) for one in made[0]["taps"]] == [
        ("1", "pay $1", "Buy item 1 (pay $1)"),
        ("2", "", "Buy item 2"),
    ]
    assert [one["words"] for one in made[1]["taps"]] == ["The quarter tile", "Raise value 3"]
    people = lines([{"words": f"Seat {n}", **plain, "who": n} for n in (1, 2)])
    assert [one["head"] for one in people] == [""]


def test_a_card_of_a_known_hand_offers_what_it_can_do() -> None:
    desk = MatchDesk(3)
    try:
        offered = document("seat-1", desk.snapshot(), Extras(hands={1: ("00N", "00O")}), desk)["offers"]
        assert offered
        assert set(offered) <= {"00N", "00O"}
        for piece, said in offered.items():
            for one in said:
                assert piece in one["action"].values()
                assert one["words"]
        assert document("seat-1", desk.snapshot(), Extras(), desk)["offers"] == {}
    finally:
        desk.close()


def test_a_turn_is_not_said_to_be_over_where_nothing_was_seen(client_of: Clients) -> None:
    client = client_of(PlayedDesk("five-cards-collector", mode="assist"))
    join(client, 1)
    page = client.get("/seat/1").text
    assert "My turn is over" not in page
