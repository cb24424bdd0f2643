"""The simulated table's page: what lies there, own hands only, what is marked and offered, pictures."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from companion.sim.world import agree
from tests.server.desks import MatchDesk
from tests.server.hands import HandsDesk, at, look, top_of
from tests.server.phones import join, send
from tests.server.played import PlayedDesk


@pytest.fixture
def desk():
    return HandsDesk()


@pytest.fixture
def client(desk, client_of):
    made = client_of(desk)
    join(made, 1)
    return made


# ------------------------------------------------------------------------------------------------------ where it is


def test_only_a_simulated_table_has_the_page_and_takes_the_wishes(client_of):
    real = client_of(MatchDesk())
    assert "/simulated" not in real.get("/").text
    refused = real.get("/simulated")
    assert refused.status_code == 404
    assert "real one" in refused.text
    for wish in (
        {"do": "slide", "piece": "1", "x": 1, "y": 1},
        {"do": "lay", "piece": "1", "zone": "deck"},
        {"do": "take", "piece": "1", "seat": 1},
        {"do": "tidy"},
    ):
        join(real, 1)
        answer = send(real, wish)
        assert answer.status_code == 404
        assert "real one" in answer.get_json()["message"]


def test_the_table_page_of_a_simulated_table_leads_there(client):
    assert 'href="/simulated"' in client.get("/").text
    page = client.get("/simulated")
    assert page.status_code == 200
    assert "style=" not in page.text
    assert "Your hand" in page.text


def test_who_only_looks_on_has_no_hand_there(desk, client_of):
    page = client_of(desk).get("/simulated").text
    assert "take a seat" in page
    assert "Your hand" not in page


# ---------------------------------------------------------------------------------------------------------- secrecy


def test_nothing_tells_what_lies_face_down_or_in_other_hands(desk, client):
    hidden, deck = desk.world.hands[2][0], desk.world.deck[3]
    pages = ["/simulated", "/simulated/things", "/state/public", "/state/seat-1", "/seat/1"]
    before = [client.get(page).data for page in pages]
    agree(desk.world, [(hidden, deck), (desk.world.deck[-1], desk.world.hands[3][0])])
    desk.table.clear()
    desk.table._stamp = 0
    for piece in desk.world.deck:
        desk.put(piece, "deck", "B")
    assert hidden not in desk.world.hands[2]
    assert [client.get(page).data for page in pages] == before
    assert [card["piece"] for card in look(client)["hands"]["1"]] == sorted(desk.world.hands[1])  # as the deck is
    assert list(look(client)["hands"]) == ["1"]


def test_what_lies_face_down_is_a_back_and_of_a_deck_only_the_top_is_shown(desk, client):
    things = look(client)["things"]
    assert 1 <= len(things) <= 3
    assert {(thing["piece"], thing["title"], thing["face"]) for thing in things} == {("", "", "B")}
    assert things[-1]["count"] == len(desk.world.deck)


def test_a_card_that_was_laid_face_down_can_not_be_followed(desk, client):
    card = desk.world.hands[1][0]
    assert (
        send(client, {"do": "slide", "piece": card, "seat": 1, "face": "B", **at(desk.mat, "used")}).status_code == 200
    )
    desk.pass_time()
    thing = top_of(client, "used")
    assert thing["piece"] == ""
    assert card not in json.dumps(look(client))


def test_what_lies_there_names_its_match_as_the_page_does(client):
    """The page begins anew with another match: it asked for the pieces of one game among the pictures of another."""
    match = look(client)["match"]
    assert match
    assert f'data-match="{match}"' in client.get("/simulated").text


def test_nothing_new_is_not_sent_again(client):
    first = client.get("/simulated/things")
    assert client.get(f"/simulated/things?after={first.headers['X-Stamp']}").status_code == 204


# ------------------------------------------------------------------------------------------------------ what is offered


@pytest.mark.parametrize("simulated", [True, False])
def test_who_hides_a_card_chooses_on_the_phone_which(client_of, simulated):
    """A tap on "Hide a secret item" hid any. At a real table a tap only says that it is done."""
    desk = PlayedDesk("collectors", 3, mode="assist")
    hand = tuple(sorted(desk.match.state.unseen))[:3]
    desk.sandbox = (
        SimpleNamespace(hand=lambda seat: hand, choosing=lambda seat: {}, attended=bool, taking=lambda seat: ("", ()))
        if simulated
        else None
    )
    desk.hand = lambda seat: hand if seat == 1 else None
    client = client_of(desk)
    join(client, 1)
    taps = re.findall(r"data-command='([^']+)'", client.get("/seat/1").text)
    wishes = [json.loads(unescape(tap)) for tap in taps]
    laid = [(one["piece"], one["zone"], one["face"], one["seat"]) for one in wishes if one["do"] == "lay"]
    assert laid == ([(card, "treasure.1", "B", 1) for card in hand] if simulated else [])
    said = [one for one in wishes if one["do"] == "play" and one["action"]["type"] == "hide"]
    assert len(said) == (0 if simulated else 1)


def test_a_card_that_was_hidden_is_not_offered_again(client_of):
    desk = PlayedDesk("collectors", 3, mode="assist")
    hand = tuple(sorted(desk.match.state.unseen))[:3]
    desk.hand = lambda seat: hand if seat == 1 else None
    desk.sandbox = SimpleNamespace(
        hand=lambda seat: hand[1:], choosing=lambda seat: {}, attended=bool, taking=lambda seat: ("", ())
    )
    client = client_of(desk)
    join(client, 1)
    page = client.get("/seat/1").text
    assert "A card lies there: the camera looks at it." in page
    assert '"do": "lay"' not in unescape(page)


def test_while_a_card_of_the_hand_is_on_its_way_no_other_is_marked():
    desk = HandsDesk("collectors")
    seat, hand = 1, desk.performance.hand(1)
    assert set(desk.sandbox.goals(seat)) >= set(hand)
    desk.sandbox.place(hand[0], seat, "treasure.1", "B", seat)
    assert desk.sandbox.goals(seat) == {}


def test_a_hand_that_lies_open_on_the_table_is_not_on_its_way():
    """In Karmic Collections all do; nothing was marked any more."""
    desk = HandsDesk("collectors")
    hand = desk.performance.hand(1)
    for piece in hand:
        desk.put(piece, "open")
    assert not desk.table.brings(hand)
    desk.sandbox.slide(desk.table.tag_of(hand[0]), 0, 10, 10, 0, "F", True, 1)
    assert desk.table.brings(hand)
