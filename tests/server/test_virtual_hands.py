"""Moving pieces of the simulated table: own hands only, wishes that are checked, what robots do and what people."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from companion.games.collectors.auctions import Offer
from companion.games.collectors.paying import Put
from companion.games.collectors.setup import Hide
from companion.games.collectors.spaces import Place as PlaceBottle
from companion.games.five_cards_collector.drawing import Draw
from companion.referee.commands import Reply
from companion.referee.record import Record
from companion.rules.kernel import Hole
from companion.sim.stage import target_books
from tests.server.hands import HandsDesk, at, look, top_of
from tests.server.phones import join, send
from tests.waiting import until


@pytest.fixture
def desk():
    return HandsDesk()


@pytest.fixture
def client(desk, client_of):
    made = client_of(desk)
    join(made, 1)
    return made


def test_another_seats_card_can_not_be_laid(desk, client):
    card = desk.world.hands[2][0]
    for seat, status in ((2, 403), (1, 409), (9, 404)):
        wish = {"do": "slide", "piece": card, "seat": seat, **at(desk.mat, "discard")}
        assert send(client, wish).status_code == status
    assert send(client, {"do": "take", "piece": top_of(client, "deck")["tag"], "seat": 2}).status_code == 403
    assert desk.table.where(card) is None


# ------------------------------------------------------------------------------------------------------------ hands


def test_a_card_is_dragged_out_of_the_hand_with_a_hand_over_it_and_then_lies(desk, client):
    card = desk.world.hands[1][0]
    wish = {"do": "slide", "piece": card, "seat": 1, "rotation": 90, **at(desk.mat, "discard")}
    held = send(client, {**wish, "held": True}).get_json()
    sight = desk.table.look()
    assert [one.laid.piece for one in sight.held] == [card]
    assert len(sight.hands) == 1
    assert top_of(client, "")["held"]
    assert card not in [one["piece"] for one in look(client)["hands"]["1"]]
    laid = send(client, wish).get_json()
    assert laid["piece"] == held["piece"]
    desk.pass_time()
    assert not desk.table.look().hands
    thing = top_of(client, "discard")
    assert (thing["piece"], thing["rotation"], thing["tag"]) == (card, 90, held["piece"])


def test_a_card_is_laid_in_a_zone_without_dragging(desk, client):
    first, second = desk.world.hands[1][:2]
    for card in (first, second):
        assert send(client, {"do": "lay", "piece": card, "seat": 1, "zone": "collection.1"}).status_code == 200
        desk.pass_time()
    one, other = desk.table.where(first), desk.table.where(second)
    assert desk.mat.zone_at(one.x, one.y).name == desk.mat.zone_at(other.x, other.y).name == "collection.1"
    assert abs(one.x - other.x) + abs(one.y - other.y) > 30


def test_a_card_of_a_row_is_not_laid_over_the_next_ones_edge(desk, client):
    first, second, third = desk.world.hands[1][:3]
    for card in (first, second):
        send(client, {"do": "lay", "piece": card, "seat": 1, "zone": "collection.1"})
        desk.pass_time()
    was, step = desk.table.where(second), desk.mat.zone("collection.1").step
    send(client, {"do": "take", "piece": desk.table.tag_of(first), "seat": 1})
    desk.pass_time()
    send(client, {"do": "lay", "piece": third, "seat": 1, "zone": "collection.1"})
    desk.pass_time()
    now = desk.table.where(third)
    assert abs(now.x - was.x) + abs(now.y - was.y) == pytest.approx(step)
    assert now.x != desk.mat.zone("collection.1").spot(0, 63, 88)[0]


def test_a_card_in_a_gap_of_a_full_row_is_slid_under_those_after_it(desk, client):
    row, hand = desk.mat.zone("collection.1"), iter(desk.world.hands[1])
    cards = [next(hand) for _ in range(row.slots)]
    for card in cards:
        send(client, {"do": "lay", "piece": card, "seat": 1, "zone": "collection.1"})
        desk.pass_time()
    send(client, {"do": "take", "piece": desk.table.tag_of(cards[1]), "seat": 1})
    desk.pass_time()
    gap = row.spot(1, 63, 88)
    send(client, {"do": "lay", "piece": cards[1], "seat": 1, "zone": "collection.1"})
    desk.pass_time()
    now = desk.table.where(cards[1])
    assert (now.x, now.y) == pytest.approx(gap)
    assert [one.piece for one in desk.table.pieces() if one.piece in cards] == cards


def test_a_card_taken_from_the_table_is_in_that_hand_only(desk, client, client_of):
    card = desk.world.hands[3][0]
    desk.put(card, "discard")
    answer = send(client, {"do": "take", "piece": top_of(client, "discard")["tag"], "seat": 1})
    assert answer.get_json() == {"ok": True}
    desk.pass_time()
    assert card in [held["piece"] for held in look(client)["hands"]["1"]]
    assert card not in client_of(desk).get("/simulated/things").text


def test_the_top_of_the_deck_is_the_worlds_top_card_and_a_draw_that_is_not_allowed_is_said(desk, client):
    top = desk.world.deck[-1]
    answer = send(client, {"do": "take", "piece": top_of(client, "deck")["tag"], "seat": 1}).get_json()
    desk.pass_time()
    assert top in [card["piece"] for card in look(client)["hands"]["1"]]
    # Seven cards are the limit of three players (F4), so this draw is none.
    assert "message" not in answer


def test_the_last_of_two_who_drag_the_same_piece_wins(desk, client):
    card = desk.world.hands[3][0]
    desk.put(card, "discard")
    tag = top_of(client, "discard")["tag"]
    for x, held in ((100, True), (200, True), (150, False), (300, True), (310, False)):
        assert send(client, {"do": "slide", "piece": tag, "x": x, "y": 200, "held": held}).status_code == 200
    assert desk.table.where(card).x == 310


def test_a_piece_that_somebody_forgot_in_the_air_is_laid_down(desk, client):
    card = desk.world.hands[3][0]
    desk.put(card, "discard")
    tag = top_of(client, "discard")["tag"]
    send(client, {"do": "slide", "piece": tag, "x": 222, "y": 200, "held": True})
    desk.pass_time(1.0)
    assert desk.table.where(card) is None
    desk.now += 60
    desk.pass_time(1.0)
    assert desk.table.where(card).x == 222


def test_putting_the_table_right_is_a_wish_of_anybody(desk, client):
    assert send(client, {"do": "tidy"}).get_json()["ok"]
    assert desk.performance.tidy.is_set()


# ----------------------------------------------------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"x": -1}, 400),
        ({"y": 5001}, 400),
        ({"x": "1"}, 400),
        ({"rotation": 361}, 400),
        ({"face": "X"}, 400),
        ({"piece": ""}, 400),
        ({"piece": "1" * 13}, 400),
        ({"piece": "99999"}, 409),
        ({"piece": "00B"}, 409),
        ({"seat": -1}, 400),
        ({"style": "x"}, 400),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_and_moves_nothing(desk, client, change, status):
    wish = {"do": "slide", "piece": top_of(client, "deck")["tag"], "x": 10, "y": 10, **change}
    before = desk.table.pieces()
    answer = send(client, wish)
    assert (answer.status_code, answer.get_json()["ok"]) == (status, False)
    desk.pass_time(1.0)
    assert desk.table.pieces() == before


def test_a_piece_stays_on_the_mat(desk, client):
    tag = top_of(client, "deck")["tag"]
    send(client, {"do": "slide", "piece": tag, "x": 4000, "y": 4000, "held": True, "face": "B"})
    thing = next(thing for thing in look(client)["things"] if thing["tag"] == tag)
    assert (thing["x"], thing["y"]) == (desk.mat.w, desk.mat.h)


def test_a_piece_without_a_back_is_not_turned_over(client_of):
    desk = HandsDesk("collection")
    token = next(
        card.piece for card in desk.performance.game.deck.cards if desk.mat.shape_of(card.kind).name == "token"
    )
    desk.table.put(token, "F", 200, 200)
    client = client_of(desk)
    thing = next(thing for thing in look(client)["things"] if thing["piece"] == token)
    assert not thing["turns"]
    answer = send(client, {"do": "slide", "piece": thing["tag"], "x": 200, "y": 200, "face": "B"})
    assert answer.get_json()["message"] == "That piece has no other side."


def test_what_nobody_holds_in_a_hand_lies_beside_the_table_for_everybody(client_of):
    desk = HandsDesk("collection")
    client = client_of(desk)
    piece = look(client)["box"][0]["piece"]
    assert send(client, {"do": "slide", "piece": piece, "x": 300, "y": 200}).status_code == 200
    desk.pass_time()
    thing = next(thing for thing in look(client)["things"] if thing["piece"] == piece)
    assert piece not in [one["piece"] for one in look(client)["box"]]
    assert send(client, {"do": "take", "piece": thing["tag"]}).status_code == 200
    desk.pass_time()
    assert piece in [one["piece"] for one in look(client)["box"]]


def test_without_a_seat_nobody_has_a_hand(desk, client):
    answer = send(client, {"do": "take", "piece": top_of(client, "deck")["tag"]})
    assert answer.status_code == 409
    assert answer.get_json()["message"].startswith("Take a seat first")
    kinds = {desk.performance.game.deck.by_piece()[one["piece"]].kind for one in look(client)["box"]}
    assert kinds == {"goal", "information"}


# --------------------------------------------------------------------------- what the referee and the robots make of it


def test_a_card_drawn_right_after_another_was_laid_waits_for_what_the_referee_makes_of_it(desk, client):
    """Who lays "Draw 3 cards" and draws is faster than the camera: the first card is no turn of its own."""
    state = desk.performance.state
    then = target_books(desk.performance.game.layout(state), desk.world.piles(), desk.performance.lying())
    for zone, pile in then.items():
        for lying in pile if zone != "deck" else ():
            desk.put(lying.piece, zone, lying.face)
    asked = []
    desk.sandbox._command = lambda command: asked.append(command.action) or Reply(True, 1)
    desk.performance.drawing = lambda seat, zone: Draw(seat=seat)
    laid = desk.world.hands[1][0]
    desk.put(laid, "used")
    desk.sandbox.take(top_of(client, "deck")["tag"], 1)
    desk.pass_time()
    assert asked == []
    desk.table.lift(laid)
    desk.sandbox.take(top_of(client, "deck")["tag"], 1)
    assert asked == [Draw(seat=1)]


def test_while_robots_lay_nothing_is_marked_and_nothing_is_laid_between(desk, client):
    card = desk.performance.hand(1)[0]
    assert look(client)["served"] is False
    desk.performance.laying = True
    now = look(client)
    assert (now["served"], now["goals"]) == (True, {"1": {}})
    answer = send(client, {"do": "lay", "piece": card, "zone": "discard", "seat": 1})
    assert (answer.status_code, answer.get_json()["message"]) == (423, "The table is being laid: wait a moment.")
    desk.performance.laying = False
    assert send(client, {"do": "lay", "piece": card, "zone": "discard", "seat": 1}).status_code == 200


@pytest.mark.parametrize("n", range(3))
def test_the_card_that_a_person_lays_face_down_is_the_one_that_leaves_the_hand(n):
    """The rules only know that some card was hidden; the robots' world took any, and the person lost another card."""
    desk = HandsDesk("collectors")
    hand = desk.performance.hand(1)
    desk.put(hand[n], "treasure.1", "B")
    desk.performance._take_over(Record(n=1, id="r", at="", action=Hide(seat=1), facts=(), seat=1, by="table"))
    assert desk.world.secrets[1] == [hand[n]]
    assert sorted(desk.performance.cards_in_hand(1)) == sorted(set(hand) - {hand[n]})


def follows(desk, wanted):
    """Play robots' actions until seat 1 or 2 may do something of which `wanted` is true; return that action."""
    performance = desk.performance
    performance._live._next_frame = lambda: desk.table.advance(0.1) or True
    for _ in range(200):
        choices = desk.world.choices(performance.state)
        found = [one for one in choices if one.seat in performance.persons and wanted(one)]
        if found:
            performance._lay()
            return found[0]
        action = performance.rng.choice(choices)
        performance._follow(action, desk.world.facts(performance.state, action))
    raise AssertionError("nobody may do it")


def takes_over(desk, action):
    record = Record(n=1, id="r", at="", action=action, facts=(), seat=action.seat, by="phone")
    desk.performance._take_over(record)


@pytest.mark.parametrize(
    ("zone", "wanted"),
    [
        ("income", lambda one: isinstance(one, PlaceBottle) and one.space == "income"),
        ("auctioned", lambda one: isinstance(one, Offer) and one.card == ""),
    ],
)
def test_a_card_that_goes_face_down_is_chosen_by_the_person(client_of, zone, wanted):
    """The robots' world took any, and robots laid it."""
    desk = HandsDesk("collectors")
    performance = desk.performance
    takes_over(desk, place := follows(desk, wanted))
    seat, zone = place.seat, f"{zone}.{place.seat}" if zone == "income" else zone
    assert desk.sandbox.choosing(seat) == {zone: 1}
    assert desk.sandbox.choosing(3 - seat) == {}
    assert performance._wait_for_choice()
    hand = desk.sandbox.hand(seat)
    assert hand == performance.hand(seat)
    assert set(desk.sandbox.goals(seat)) == set(hand)
    desk.hand = performance.hand
    client = client_of(desk)
    join(client, seat)
    taps = re.findall(r"data-command='([^']+)'", client.get(f"/seat/{seat}").text)
    wishes = [json.loads(unescape(tap)) for tap in taps]
    assert [one["piece"] for one in wishes if one["do"] == "lay" and one["zone"] == zone] == sorted(hand)
    # It is the person's turn until then, whoever is next by the rules.
    page, others = client.get(f"/seat/{seat}").text, client.get("/").text
    assert "<h1>Choose a card that goes face down</h1>" in page
    assert f'class="quiet">{desk.mat.zone(zone).label}</span></h2>' in page, "where it goes"
    assert "data-mine" in page
    assert 'class="coach"' not in page
    assert "You can't do anything now" not in unescape(page)
    assert "<h1>Anna chooses a card</h1>" in others
    assert [one["seat"] for one in client.get("/state/public").get_json()["scores"] if one["due"]] == [seat]
    chosen = next(piece for piece in hand if piece not in performance.world.piles()[zone])
    desk.put(chosen, zone, "B")
    desk.pass_time()
    assert not performance._wait_for_choice()
    until(lambda: "chooses a card" not in client.get("/").text)
    assert performance.world.piles()[zone] == (chosen,)
    assert set(desk.sandbox.hand(seat)) == set(hand) - {chosen}
    assert desk.sandbox.choosing(seat) == {}


def test_what_a_person_who_left_has_not_chosen_the_robots_lay():
    desk = HandsDesk("collectors")
    performance = desk.performance
    takes_over(desk, place := follows(desk, lambda one: isinstance(one, PlaceBottle) and one.space == "income"))
    performance.persons.clear()
    assert not performance._wait_for_choice()
    performance._lay()
    assert [one.piece for one in performance.lying()[f"income.{place.seat}"]] == desk.world.income[place.seat]


def test_a_card_that_lay_face_down_and_is_turned_up_changes_nobodys_hand():
    """It fills a hole as a card out of the hand does; the hand was exchanged for it."""
    desk = HandsDesk("collectors")
    performance, hand = desk.performance, list(desk.world.hands[1])
    lot = desk.world.lot = desk.world.deck.pop()
    template = Put(seat=1, role="item", card=Hole(1, performance.state.unseen, "the card that was face down"))
    performance.game = SimpleNamespace(legal=lambda state: [template])
    assert performance._differing_deals(Put(seat=1, role="item", card=lot), ()) == []
    # Another one than the world thinks: the two change places, and the hand stays as it is.
    other = desk.world.deck[-1]
    assert performance._differing_deals(Put(seat=1, role="item", card=other), ()) == [(other, lot)]
    assert desk.world.hands[1] == hand


def test_a_card_that_somebody_clears_away_goes_back_into_the_hand_that_it_belongs_to():
    desk = HandsDesk("collectors")
    theirs = desk.performance.hand(2)[0]
    desk.put(theirs, "treasure.2", "B")
    desk.sandbox.take(desk.table.tag_of(theirs), 1)
    desk.pass_time()
    assert theirs in desk.sandbox.hand(2)
    assert theirs not in desk.sandbox.hand(1)


# ------------------------------------------------------------------------------------------------ the robots' hands


def test_a_card_that_was_dropped_beside_every_zone_is_taken_away_by_the_robots_and_laid_where_it_belongs(desk, client):
    desk.performance._live._next_frame = lambda: desk.table.advance(0.1) or True
    desk.performance._live.look(everything=True)
    top = top_of(client, "deck")
    send(client, {"do": "slide", "piece": top["tag"], "x": 200, "y": 4000, "face": "B"})
    desk.pass_time()
    piece = desk.table.piece_of(top["tag"])
    assert desk.mat.zone_at(*(lambda lies: (lies.x, lies.y))(desk.table.where(piece))) is None
    desk.performance._lay()
    lies = desk.table.where(piece)
    assert desk.mat.zone_at(lies.x, lies.y).name == "deck"
