"""Where there is room in a zone: robots and people see it from what lies there, whoever laid it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games
from companion.eye.mat import Rect, Shape, ZonePlace
from companion.sim.camera_stage import Carrier
from companion.sim.rows import NARROW_STRIP, NEAR, STRIP, Rows
from companion.sim.stage import HAND, Move
from companion.sim.table import Manner, SimTable

MAT = games.load_mat("karmic-collections", 4)
FAN = "hand.1"


def rows() -> Rows:
    return Rows(MAT, MAT.zone(FAN))


def laid(*places: float) -> dict[str, tuple[float, float]]:
    """Lay pieces in the first row, at places and parts of places."""
    first, second = rows().spots[0], rows().spots[1]
    return {f"p{n}": (first.x + place * (second.x - first.x), first.y) for n, place in enumerate(places)}


def test_a_row_grows_by_the_place_after_the_last() -> None:
    assert rows().free({}) == rows().spots[0]
    assert rows().free(laid(0, 1)) == rows().spots[2]
    assert rows().free(laid(0, 2)) == rows().spots[3]


def test_beside_a_piece_that_a_person_laid_between_two_places_nothing_hides_its_edge() -> None:
    assert rows().free(laid(0, 1.5)) == rows().spots[3]


def test_a_zone_has_as_many_rows_as_fit_into_it_whichever_way_it_is_turned() -> None:
    card = Shape("card", 63.0, 88.0, ())
    for kind, deep, count in (
        ("slots", 92, 4),
        ("strips", 119, 4),
        ("loose", 120, 8),
        ("slots", 80, 4),
        ("pile", 200, 1),
    ):
        zone = ZonePlace("zone", kind, Rect(0, 0, 300, deep), row=30.0, slots=4)
        turned = replace(zone, rect=Rect(0, 0, deep, 300), rotation=90.0)
        assert [zone.places(card), turned.places(card)] == [count, count]


def test_in_a_full_row_the_gap_is_filled_from_under_the_next_piece() -> None:
    spots = rows().spots
    full = {f"p{n}": (spot.x, spot.y) for n, spot in enumerate(spots) if n != 3}
    found = rows().free(full)
    assert (found.x, found.y, found.under) == (spots[3].x, spots[3].y, "p4")


def test_in_a_zone_where_all_is_taken_it_is_the_last_place() -> None:
    spots = rows().spots
    assert rows().free({f"p{n}": (spot.x, spot.y) for n, spot in enumerate(spots)}) == spots[-1]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=12), st.sampled_from(MAT.zones))
@settings(max_examples=30)
def test_a_place_that_is_found_is_one_of_the_zones_and_after_the_last_there_is_nothing_near(
    points: list[tuple[float, float]], zone: object
) -> None:
    place = next(found for found in MAT.zones if found is zone)
    there = Rows(MAT, place)
    lying = {
        f"p{n}": (place.rect.x + u * place.rect.w, place.rect.y + v * place.rect.h) for n, (u, v) in enumerate(points)
    }
    found = there.free(lying)
    assert any((spot.x, spot.y) == (found.x, found.y) for spot in there.spots)
    if place.kind != "pile" and not found.under and found != there.spots[-1]:
        assert all(
            abs(there._ways(x, y, found)[0]) >= NEAR * place.step
            or abs(there._ways(x, y, found)[1]) >= NEAR * place.row
            for x, y in lying.values()
        )


def carried(table: SimTable, carrier: Carrier, *moves: Move) -> None:
    carrier.make_room(list(moves))
    for move in moves:
        carrier.send(move, 1)
    while table.busy:
        table.advance(0.1)


def test_a_robot_lays_beside_what_a_person_laid() -> None:
    table = SimTable(1)
    carrier = Carrier(table, MAT)
    carried(table, carrier, Move("a", HAND, FAN, "F"), Move("b", HAND, FAN, "F"))
    for n in (2, 3):
        table.put(f"person {n}", "F", rows().spots[n].x, rows().spots[n].y)
    carried(table, carrier, Move("c", HAND, FAN, "F"), Move("d", HAND, FAN, "F"))
    places = [rows().nearest(laid.x, laid.y) for laid in table.pieces()]
    assert sorted(places) == list(range(6))


def test_a_piece_that_leaves_makes_room_for_the_next_one_of_the_same_hand() -> None:
    table = SimTable(1)
    carrier = Carrier(table, MAT)
    carried(table, carrier, Move("a", HAND, FAN, "F"))
    carried(table, carrier, Move("a", FAN, HAND, "F"), Move("b", HAND, FAN, "F"))
    there = table.where("b")
    assert there is not None
    assert rows().nearest(there.x, there.y) == 0


@pytest.mark.parametrize("upside", [False, True])
def test_a_row_that_grows_too_long_is_pushed_together_so_that_each_lies_over_the_one_before(upside: bool) -> None:
    table = SimTable(1)
    carrier = Carrier(table, MAT)
    spots = rows().spots
    for n in (5, 3) if upside else (3, 5):
        table.put(f"p{n}", "F", spots[n].x + 9, spots[n].y)
    table.put("last", "F", spots[-1].x, spots[-1].y)
    carried(table, carrier, Move("new", HAND, FAN, "F"))
    assert [rows().nearest(laid.x, laid.y) for laid in table.pieces()] == [0, 1, 2, 3]
    assert [laid.piece for laid in table.pieces()] == ["p3", "p5", "last", "new"]


@pytest.mark.parametrize(
    ("game", "zone"), [("collectors", "skills.1"), ("collectors", "items.2"), ("collection", "cards.3")]
)
def test_of_cards_without_codes_the_eye_needs_strips_of_25_mm_however_inaccurately_they_are_laid(game, zone):
    mat = games.load_mat(game, 3)
    place = mat.zone(zone)
    assert min(place.step, place.row) < 25
    spots = Rows(mat, place, STRIP).spots
    assert len(spots) >= 5
    for spot, after in pairwise(spots):
        assert abs(spot.x - after.x) + abs(spot.y - after.y) >= 25 + 2 * Manner().off_mm


def test_of_cards_without_codes_a_second_row_does_not_lie_over_the_first():
    high = MAT.shape_in(MAT.zone(FAN)).h
    spots = Rows(MAT, MAT.zone(FAN), STRIP).spots
    downs = sorted({round(spot.y) for spot in spots})
    assert len(spots) == 12
    assert len(downs) == 2
    assert downs[1] - downs[0] >= high - 2


@pytest.mark.parametrize(
    ("game", "zone", "counts"),
    [("collectors", "skills.1", (9, 10, 13)), ("karmic-collections", "hand.1", (12, 14, 18))],
)
def test_a_row_that_has_no_room_for_wide_strips_is_laid_closer_and_only_then_as_close_as_the_mat_means(
    game, zone, counts
) -> None:
    table, mat = SimTable(1), games.load_mat(game, 2)
    carrier, place = Carrier(table, mat, STRIP), mat.zone(zone)
    narrow = replace(place, step=min(place.step, NARROW_STRIP))
    ways = Rows(mat, place, STRIP), Rows(mat, narrow, NARROW_STRIP), Rows(mat, place)
    assert tuple(len(way.spots) for way in ways) == counts
    for n in range(counts[1] + 1):
        carried(table, carrier, Move(f"p{n}", HAND, zone, "F"))
        way = ways[0 if n < counts[0] else 1 if n < counts[1] else 2]
        assert [laid.piece for laid in table.pieces()] == [f"p{k}" for k in range(n + 1)]
        for laid, spot in zip(table.pieces(), way.spots, strict=False):
            assert abs(laid.x - spot.x) <= 2.5
            assert abs(laid.y - spot.y) <= 2.5
