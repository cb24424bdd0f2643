"""The drawn table: what lies where, what differs, what a hand hides; nothing that a look at the table does not show."""

from __future__ import annotations

import random
import re
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from benchmarks.drawn import moments
from companion import games
from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.referee.difference import Seen, mismatches
from companion.referee.lying import Lies
from companion.referee.snapshot import Box, Lying, OnTable, Pointer
from companion.rules.kernel import Part
from companion.rules.layout import Back, Empty, Exactly, Layout, Loose, Pile
from companion.server.documents import Extras, document
from companion.server.drawing import (
    SMALLEST,
    Drawn,
    Places,
    Sign,
    Spot,
    Thing,
    corners,
    drawn,
    labels,
    places_of,
    view_box,
)
from companion.server.parts import Parts
from tests.server.desks import ShowDesk
from tests.server.played import GAMES, PlayedDesk
from tests.server.test_documents import page_templates

NAME = "five-cards-collector"
GAME, MAT = games.load(NAME), games.load_mat(NAME, 3)
CARDS = GAME.deck.by_piece()


def expecting(**zones: Any) -> Any:
    """Stand in for a game that expects this layout."""
    layout = Layout({name.replace("_", "."): area for name, area in zones.items()})
    told = SimpleNamespace(numbers=(Part("deck", 31, thing="deck"), Part("hand", 4, 1, thing="hand")))
    return SimpleNamespace(layout=lambda _: layout, view=lambda *_: told, deck=GAME.deck)


def at(piece: str, zone: str, order: int, dx: float = 0.0) -> Placement:
    x, y = MAT.zone(zone).rect.centre
    faces = frozenset("B" if piece == BACK else "F")
    return Placement(piece, faces, zone, None, x + dx, y, 0.0, order)


def lying(view: TableView | None, *, seen: bool = True, **zones: Any) -> OnTable:
    game = expecting(**zones)
    differing = partial(mismatches, game.layout(None), Seen(view or TableView(0, 0.0, ())))
    return Lies(game, MAT).look(object(), view, differing, seen=seen)


def how(found: OnTable) -> list[tuple[str, str]]:
    return [(one.piece, one.how) for one in found.lying]


def test_what_lies_as_expected_is_drawn_where_the_eye_sees_it() -> None:
    found = lying(TableView(1, 1.0, (at("00N", "collection.1", 1, 7.4),)), collection_1=Loose(frozenset(("00N",))))
    (one,) = found.lying
    assert (one.how, one.x, one.y) == ("lies", round(MAT.zone("collection.1").rect.centre[0] + 7.4), 350)


def test_a_piece_too_many_differs_and_a_missing_one_is_due_in_a_free_place() -> None:
    view = TableView(1, 1.0, (at("00N", "collection.1", 1),))
    assert how(lying(view, collection_1=Loose(frozenset(("00M",))))) == [("00M", "due"), ("00N", "differs")]


def test_what_a_hand_covers_stays_as_it_was_and_nothing_there_is_due() -> None:
    view = TableView(1, 1.0, (at("00N", "collection.1", 1),), covered=frozenset(("collection.1",)))
    found = lying(view, collection_1=Loose(frozenset(("00N", "00M"))))
    assert how(found) == [("00N", "covered")]
    assert found.covered == ("collection.1",)


def test_of_a_pile_the_top_is_drawn_and_how_many_there_are() -> None:
    below = frozenset(("00A", "00B", "00C", "00D"))
    heap = tuple(at(piece, "discard", n) for n, piece in enumerate(("00A", "00B", "00C", "00D", "00N")))
    found = lying(TableView(1, 1.0, heap), discard=Pile(Exactly("00N"), below))
    assert [one.piece for one in found.lying] == ["00C", "00D", "00N"]
    assert found.piles == {"discard": 5}


def test_a_deck_has_the_number_that_everybody_is_told() -> None:
    assert lying(None, seen=False, deck=Pile(Back())).piles == {"deck": 31}
    assert lying(None, seen=False, deck=Pile(Empty())).piles == {}


def test_of_too_many_backs_the_newest_differs() -> None:
    view = TableView(1, 1.0, (at(BACK, "collection.1", 4, -40.0), at(BACK, "collection.1", 9, 40.0)))
    assert [one.how for one in lying(view, collection_1=Loose(backs=1)).lying] == ["lies", "differs"]


def test_without_a_camera_all_lies_as_the_rules_expect_it() -> None:
    found = lying(None, seen=False, deck=Pile(Back()), collection_1=Loose(frozenset(("00N",)), backs=1))
    assert how(found) == [(BACK, "lies"), ("00N", "lies"), (BACK, "lies")]
    assert lying(None).lying == ()


def test_nothing_is_found_anew_as_long_as_table_and_state_are_the_same() -> None:
    lies, state, view = Lies(expecting(), MAT), object(), TableView(1, 1.0, ())
    assert lies.look(state, view, frozenset, seen=True) is lies.look(state, view, frozenset, seen=True)


@pytest.mark.parametrize("name", GAMES)
def test_no_byte_of_a_drawing_depends_on_what_lies_face_down(name: str) -> None:
    """For everybody it is the same, a back is named by no piece, and no hidden piece is anywhere in it."""
    desk, templates = PlayedDesk(name, 3), page_templates()
    try:
        for _ in range(25):
            desk.step()
        shown = desk.snapshot()
        assert shown.on_table.lying
        for one in shown.on_table.lying:
            assert one.piece != BACK or not one.order
        documents = [document(one, shown, Extras(), desk) for one in ("public", "host", "seat-1", "seat-2")]
        tables = [msgspec.json.encode(one["drawn"]) for one in documents]
        assert len(set(tables)) == 1
        for thing in documents[0]["drawn"].things:
            assert (thing.kind == "back") == (thing.face == BACK)
            assert thing.kind != "back" or re.fullmatch(r"(b|due-)\d+(-\d+)?", thing.id), thing.id
        table = Parts(templates, documents[0])["table"]
        hidden = set(desk.deck) - {one.piece for one in shown.on_table.lying}
        assert not hidden & set(re.findall(r'data-(?:id|face)="(\w+)"', table))
    finally:
        desk.close()


def test_ids_stay_with_the_piece_and_never_come_twice() -> None:
    snapshot = msgspec.structs.replace(
        ShowDesk(3).snapshot(),
        on_table=lying(TableView(1, 1.0, (at("00N", "discard", 1), at("00N", "collection.1", 2), at(BACK, "deck", 7)))),
    )
    table = drawn(snapshot, cast(Any, SimpleNamespace(mat=MAT, cards=CARDS, lays=())))
    assert table is not None
    assert [thing.id for thing in table.things] == ["00N", "00N-2", "b7"]


def test_a_view_is_cropped_to_its_zones_and_reaches_as_far_as_what_is_pointed_at() -> None:
    snapshot = msgspec.structs.replace(
        ShowDesk(3).snapshot(), pointers=(Pointer("lay it there", "00N", None, Box(350, 250, 63, 88)),)
    )
    table = drawn(snapshot, cast(Any, SimpleNamespace(mat=MAT, cards=CARDS, lays=())))
    assert table is not None
    deck = MAT.zone("deck").rect
    assert table.box(["deck"]) == (deck.x - 5, deck.y - 5, deck.w + 10, deck.h + 10)
    assert table.box(["deck"], aims=True)[1] < 0  # the arrow comes from beside the mat
    assert view_box(table, ["deck"]).split()[:2] == [f"{deck.x - 5:g}", f"{deck.y - 5:g}"]


@pytest.mark.parametrize("name", games.names())
def test_places_are_small_and_their_words_fit(name: str) -> None:
    places = places_of(games.load_mat(name, games.load(name).info.seats[1]))
    assert len(msgspec.json.encode(places)) < 20_000
    told = list(labels(Drawn(places, (), (), ()), things=False))
    assert told
    for one in told:
        assert one.size >= SMALLEST
        half = len(one.words) * one.size * 0.3
        assert any(z.x < one.x - half and one.x + half < z.x + z.w for z in places.zones), one


def test_words_stand_in_a_zone_where_nothing_lies() -> None:
    zone = Spot("skills", 100, 0, 288, 72, "loose", ("Skills",), "", 0)
    places = Places(900, 500, (zone,), ())
    card = Thing("1", "card", "001", 131.5, 36, 0, 63, 88, "skills")

    def told(*things: Thing, without: tuple[str, ...] = ()) -> list[Sign]:
        return list(labels(Drawn(places, things, (), ()), True, without))

    assert told() == [Sign(244, 36, 0, 24, "Skills")]
    assert told(card) == [Sign((163 + 388) / 2, 36, 0, 24, "Skills")]
    assert told(card, msgspec.structs.replace(card, id="2", x=290)) == [Sign(210.75, 36, 0, 22.9, "Skills")]
    full = [msgspec.structs.replace(card, id=str(n), x=100 + 48 * n) for n in range(7)]
    assert told(*full) == told(card, without=("skills",)) == []
    tall = Places(900, 500, (Spot("quarter", 0, 0, 104, 50, "loose", ("Work: quarter tile",), "", 0),), ())
    assert [one.words for one in labels(Drawn(tall, (), (), ()), True)] == ["Work:", "quarter", "tile"]


def test_zones_that_a_game_does_not_use_are_drawn_once_something_lies_there() -> None:
    game, mat = games.load("hearts"), games.load_mat("hearts", 4)
    session = cast(Any, SimpleNamespace(mat=mat, cards={}, lays=game.info.lays))
    bare = drawn(ShowDesk(4).snapshot(), session)
    assert bare is not None
    assert {"deck", "trump", "tray", "hand.1"} <= set(bare.spare)
    assert not {"play.1", "taken.4"} & set(bare.spare)
    assert {one.words for one in labels(bare, True, bare.spare)} == {"Played", "Tricks", "taken"}
    on_table = OnTable((Lying(BACK, 300, 200, 0, "deck"),))
    busy = drawn(msgspec.structs.replace(ShowDesk(4).snapshot(), on_table=on_table), session)
    assert busy is not None
    assert "deck" not in busy.spare


def test_a_seats_shape_is_the_one_of_its_badge() -> None:
    assert corners("square", 10) == "-8.0,-8.0 8.0,-8.0 8.0,8.0 -8.0,8.0"
    assert corners("circle", 10) == ""


@pytest.mark.night
def test_two_seconds_after_it_came_to_rest_all_is_drawn_where_it_lies() -> None:
    random.seed(1)
    assert list(moments(NAME, 2, seats=2, faults=False)) == [[], []]
