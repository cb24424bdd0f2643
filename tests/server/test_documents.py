"""Documents: what each audience may know, and nothing else."""

from __future__ import annotations

import functools
import re
from typing import get_type_hints

import msgspec
import pytest
from jinja2 import Environment, FileSystemLoader

from companion.files import data
from companion.games.five_cards_collector.laying import Discard
from companion.referee.snapshot import Hint
from companion.rules.kernel import LEGAL, Hole, May, Part, Shelf, fits
from companion.server.documents import Extras, Page, audience_of, document, seat_of
from companion.server.parts import Parts, parts_of
from companion.server.words.pages import dress
from companion.text import plain
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, ShowDesk, snapshot, view
from tests.server.phones import flat
from tests.server.played import GAMES, PlayedDesk


def encoded(desk: ShowDesk, audience: str, shown: object) -> bytes:
    return msgspec.json.encode(document(audience, shown, Extras(), desk), enc_hook=plain)  # type: ignore[arg-type]


def test_a_seats_secret_changes_its_own_document_only() -> None:
    desk = ShowDesk()
    plain = snapshot()
    secret = view(2, shelves=(Shelf("Only Bo knows", ("01C", "01D")),), numbers=(Part("secret coins", 77),))
    changed = msgspec.structs.replace(plain, views=(plain.views[0], plain.views[1], secret, plain.views[3]))
    for audience in ("public", "host", "seat-1", "seat-3"):
        assert encoded(desk, audience, plain) == encoded(desk, audience, changed)
    assert encoded(desk, "seat-2", plain) != encoded(desk, "seat-2", changed)


def test_no_part_of_a_document_hides_a_field_of_another() -> None:
    fields = [name for part in get_type_hints(Page).values() for name in part.__struct_fields__]
    assert sorted(fields) == sorted(set(fields))
    assert set(document("host", snapshot(), Extras(), ShowDesk())) == set(fields)


def test_the_order_in_which_seats_are_asked_for_changes_nothing() -> None:
    desk, shown = ShowDesk(), snapshot()
    first = [encoded(desk, f"seat-{n}", shown) for n in (1, 2, 3)]
    again = [encoded(desk, f"seat-{n}", shown) for n in (3, 2, 1)][::-1]
    assert first == again


def test_what_does_not_go_on_is_said_to_everybody() -> None:
    stood = Extras(stopped=("The robots stumbled.",))
    for audience in ("public", "host", "seat-1"):
        assert document(audience, snapshot(), stood, ShowDesk())["troubles"][-1]["words"] == "The robots stumbled."


def test_what_is_wrong_with_the_box_is_said_to_the_host_alone() -> None:
    hot = Extras(health_issues=("It is too hot.",))
    assert document("host", snapshot(), hot, ShowDesk())["health_issues"] == ["It is too hot."]
    assert document("public", snapshot(), hot, ShowDesk())["health_issues"] == []
    assert "It is too hot." in Parts(page_templates(), document("host", snapshot(), hot, ShowDesk()))["steer"]


@pytest.mark.parametrize("audience", ["seat-0", "seat-4", "seat-", "seat-x", "seat-1000", "seat-²", "", "Public"])
def test_there_are_no_other_audiences(audience: str) -> None:
    with pytest.raises(KeyError):
        document(audience, snapshot(3), Extras(), ShowDesk())


def test_audiences_of_seats_have_a_name_and_back() -> None:
    assert [seat_of(audience_of(n)) for n in range(1, 9)] == list(range(1, 9))


def test_every_choice_of_a_real_match_is_an_action_that_fits_what_is_legal() -> None:
    desk = MatchDesk(3)
    try:
        state = desk.match._referee.state
        legal = list(desk.game.legal(state))
        offered = []
        for may in document("seat-1", desk.snapshot(), Extras(), desk)["may"]:
            offered += [choice["action"] for choice in may["choices"]]
            for hole in may["holes"]:
                offered += [{**hole["action"], hole["field"]: card["piece"]} for card in hole["cards"]]
        actions = [desk.match.decode_action(raw) for raw in offered]
        assert {type(action).__name__ for action in actions} == {"Add", "Discard", "Use", "Nothing"}
        for action in actions:
            assert any(fits(template, action) for template in legal)
            assert desk.game.judge(state, action).ok
    finally:
        desk.close()


def test_a_simulated_hand_is_on_its_own_seats_page_only_and_is_what_can_be_played() -> None:
    desk = MatchDesk(3)
    try:
        extras = Extras(hands={1: ("00N", "00O", "00M", "01P"), 2: ("01C",)})
        plain = {one: document(one, desk.snapshot(), extras, desk) for one in ("public", "host", "seat-1", "seat-3")}
        assert [card["title"] for card in plain["seat-1"]["hand"]] == [
            "Red moon",
            "Blue moon",
            "Blue moon",
            "Draw 3 cards",
        ]
        mays = {may["name"]: may for may in plain["seat-1"]["may"]}
        fitting = {
            name: [card["piece"] for hole in may["holes"] for card in hole["cards"]] for name, may in mays.items()
        }
        assert fitting["discard"] == ["00M"]
        assert fitting["add"] == ["00N"]
        other = Extras(hands={1: extras.hands[1], 2: ("01D", "01E", "01F")})
        for audience, doc in plain.items():
            assert document(audience, desk.snapshot(), other, desk) == doc
        assert plain["seat-3"]["hand"] is None
    finally:
        desk.close()


def test_what_no_card_of_a_known_hand_can_do_is_barred_with_the_reason() -> None:
    desk = MatchDesk(3)
    try:
        may = document("seat-1", desk.snapshot(), Extras(hands={1: ("00Y",)}), desk)["may"]
        discard = next(one for one in may if one["name"] == "discard")
        assert not discard["allowed"]
        assert discard["verdict"]["reason"] == "None of your cards would do for that."
    finally:
        desk.close()


def test_of_copies_that_are_alike_one_is_offered() -> None:
    desk = MatchDesk(3)
    try:
        may = next(
            one for one in document("seat-1", desk.snapshot(), Extras(), desk)["may"] if one["name"] == "discard"
        )
        titles = [card["title"] for card in may["holes"][0]["cards"]]
        assert len(titles) == len(set(titles)) == 9
        red_moon = next(card for card in may["holes"][0]["cards"] if card["title"] == "Red moon")
        assert red_moon["copies"] == 2
    finally:
        desk.close()


def test_a_choice_says_whom_and_which_card_it_is_about() -> None:
    desk = ShowDesk()
    raw = {"type": "take-over", "seat": 1, "card": "00N", "from_seat": 2, "to": "own"}
    views = (
        view(0),
        view(1, may=(May("take-over", "Take over", LEGAL, (desk.match.decode_action(raw),)),)),
        view(2),
        view(3),
    )
    choice = document("seat-1", snapshot(views=views), Extras(), desk)["may"][0]["choices"][0]
    assert choice["action"] == raw
    assert choice["card"]["title"] == "Blue moon"
    assert choice["words"] == "from Bo, to own"


def test_a_piece_that_is_not_in_the_deck_is_shown_by_its_number() -> None:
    odd = view(0, shelves=(Shelf("Odd", ("ZZZ",)),))
    shelves = document("public", snapshot(views=(odd, view(1), view(2), view(3))), Extras(), ShowDesk())["shelves"]
    assert shelves[0]["cards"][0]["title"] == "Card ZZZ"


def test_a_hint_for_one_seat_is_in_no_other_document_but_the_hosts() -> None:
    desk = ShowDesk(3)
    shown = desk.show(hint=Hint(2, "Think of the discard pile."))
    told = [
        audience
        for audience in ("public", "host", "seat-1", "seat-2", "seat-3")
        if "discard pile." in str(document(audience, shown, Extras(), desk)["hint"])
    ]
    assert told == ["host", "seat-2"]


@functools.cache
def page_templates() -> Environment:
    templates = Environment(loader=FileSystemLoader(data("web") / "templates"), autoescape=True)
    dress(templates)
    templates.globals["asset"] = str
    templates.globals["face_size"] = lambda game, kind: (157, 220)
    templates.filters.update(
        {"clock": str, "rank": str, "led_on": lambda text, *_: text, "shortened": lambda *_: [], "in_rulebook": str}
    )
    return templates


@pytest.mark.parametrize("name", GAMES)
def test_no_byte_of_a_seats_page_or_document_depends_on_anothers_hand(name: str) -> None:
    desk, templates = PlayedDesk(name, 3), page_templates()
    try:
        cards = sorted(card.piece for card in desk.game.deck.cards)
        for _ in range(25):
            desk.step()
        shown = desk.snapshot()
        for audience in ("public", "host", "seat-1", "seat-3"):
            both = [
                document(audience, shown, Extras(taken=frozenset((1, 2)), hands={1: (cards[0],), 2: hand}), desk)
                for hand in (tuple(cards[3:9]), tuple(cards[20:22]))
            ]
            assert msgspec.json.encode(both[0], enc_hook=plain) == msgspec.json.encode(both[1], enc_hook=plain)
            assert Parts(templates, both[0]) == Parts(templates, both[1])
    finally:
        desk.close()


def test_who_asks_for_a_seat_is_told_to_the_host_alone() -> None:
    desk = ShowDesk(3)
    extras = Extras(taken=frozenset((1, 2)), asking=frozenset((2,)))
    told = [
        audience
        for audience in ("public", "host", "seat-1", "seat-2", "seat-3")
        if document(audience, desk.snapshot(), extras, desk)["asking"]
    ]
    assert told == ["host"]


@pytest.mark.parametrize("name", GAMES)
def test_no_two_taps_on_a_page_read_the_same(name: str) -> None:
    desk = PlayedDesk(name)
    try:
        for _ in range(45):
            for seat in desk.due():
                for may in document(f"seat-{seat}", desk.snapshot(), Extras(), desk)["may"]:
                    taps = [(one["words"], one["card"] and one["card"]["title"]) for one in may["choices"]]
                    ways = [hole["label"] for hole in may["holes"]]
                    assert len(set(taps)) == len(taps), (may["name"], taps)
                    assert len(set(ways)) == len(ways), (may["name"], ways)
                    assert len(taps) < 2 or all(words or title for words, title in taps), (may["name"], taps)
            desk.step()
    finally:
        desk.close()


def test_a_copy_that_everybody_knows_of_is_named_before_those_that_only_may_be_there() -> None:
    desk = ShowDesk()
    moons = sorted(card.piece for card in desk.game.deck.cards if card.title == "Red moon")
    hole = Hole(1, frozenset(moons), "a red moon")
    for known in moons:
        may = May("discard", "Discard", LEGAL, (Discard(seat=1, card=hole),))
        views = (view(0), view(1, may=(may,), shelves=(Shelf("Known in your hand", (known,)),)), view(2), view(3))
        holes = document("seat-1", snapshot(views=views), Extras(), desk)["may"][0]["holes"]
        assert [card["piece"] for card in holes[0]["cards"]] == [known]


def test_of_several_things_that_come_up_each_is_named(client_of: Clients) -> None:
    """Three buttons that read the same tell nobody whose card is meant."""
    desk = PlayedDesk("five-cards-collector", 3)
    feed = client_of(desk).application.extensions["companion"].feed
    upkeep = feed.parts("host", feed.moment)["upkeep"]
    assert len(re.findall(r"<summary", upkeep)) == 3
    for seat in (1, 2, 3):
        assert re.search(rf'<span class="quiet">the collection card of Seat {seat}</span></summary>', flat(upkeep))


def loaded(templates: Environment) -> set[str]:
    return {name for _, name in templates.cache or ()}


def test_only_what_a_page_shows_is_loaded() -> None:
    templates = page_templates.__wrapped__()
    parts = Parts(templates, document("public", snapshot(), Extras(), ShowDesk()))
    assert parts["aloud"]
    assert loaded(templates) == {"parts/aloud.html"}
    assert set(dict(parts)) == set(parts_of("public"))
    assert {f"parts/{name}.html" for name in parts if parts[name]} < loaded(templates)
    assert not {f"parts/{name}.html" for name in ("clock", "violation", "ending", "event")} & loaded(templates)
