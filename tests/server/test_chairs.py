"""Joining by chair: a chair for every seat where it stands at the mat, and who sits there."""

from __future__ import annotations

import re

import msgspec
import pytest

from companion import games
from companion.eye.mat import Mat
from companion.rules.gathering import MOST
from companion.server import chairs
from companion.server.chairs import COLUMNS, Place
from tests.server.conftest import Clients
from tests.server.desks import ShowDesk
from tests.server.phones import join

EVERY = [
    (name, seats)
    for name in games.packages()
    for seats in range(games.load(name).info.seats[0], games.load(name).info.seats[1] + 1)
]


def table(seats: int) -> Mat:
    return Mat("gathering", "Companion", 900, 506, "", (), (), (), seats, 0)


def apart(row: list[Place]) -> bool:
    row = sorted(row, key=lambda place: place.column)
    ends = [place.column + place.wide for place in row]
    return all(end <= after.column for end, after in zip(ends, row[1:], strict=False)) and ends[-1] <= COLUMNS + 1


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_every_seat_has_a_chair_on_the_side_and_in_the_order_in_which_the_mat_has_it(name: str, seats: int) -> None:
    mat = games.load_mat(name, seats)
    found = chairs.places(mat)
    assert [place.seat for place in found] == list(range(1, seats + 1))
    printed = {dict(chair.seats)[seats]: chair for chair in mat.looks.chairs if seats in dict(chair.seats)}
    for side, turn in (("near", 0), ("far", 180)):
        row = [place for place in found if place.side == side]
        assert {place.seat for place in row} == {seat for seat, chair in printed.items() if chair.rotation == turn}
        assert apart(row)
        across = [place.seat for place in sorted(row, key=lambda place: place.column)]
        assert across == sorted(across, key=lambda seat: printed[seat].x)


@pytest.mark.parametrize("seats", range(1, MOST + 1))
def test_at_a_plain_table_people_sit_round_it_clockwise(seats: int) -> None:
    found = chairs.places(table(seats))
    assert [place.seat for place in found] == list(range(1, seats + 1))
    near = [place for place in found if place.side == "near"]
    far = [place for place in found if place.side == "far"]
    assert [place.seat for place in near] + [place.seat for place in far] == list(range(1, seats + 1))
    assert near == sorted(near, key=lambda place: -place.column)
    assert far == sorted(far, key=lambda place: place.column)
    assert apart(near)


def test_the_drawing_has_an_area_for_every_seat_and_nothing_of_a_mat_file_gets_out_of_its_attribute() -> None:
    drawn = chairs.drawing(games.load_mat("collectors", 4))
    assert re.findall(r'class="place (place-\d)"', drawn) == ["place-1", "place-2", "place-3", "place-4"]
    mat = games.load_mat("collectors", 2)
    bad = chairs.drawing(_with_colour(mat, '"><script>'))
    assert "<script" not in bad


def _with_colour(mat: Mat, colour: str) -> Mat:
    looks = msgspec.structs.replace(mat.looks, colours=(("cloth", colour), ("line", colour)))
    return msgspec.structs.replace(mat, looks=looks)


def chair(page: str, seat: int) -> str:
    found = re.search(
        rf'<label class="chair [^>]*><input type="radio" name="seat" value="{seat}".*?</label>', page, re.S
    )
    assert found is not None
    return found[0]


def test_a_chair_says_who_sits_there_and_a_taken_one_cannot_be_chosen(client_of: Clients) -> None:
    desk = ShowDesk(4)
    desk.robots_there = {3: ""}
    client = client_of(desk)
    join(client, 2, "Bo")
    desk.show(names={**desk.snapshot().names, 2: "Bo"})
    page = client.application.test_client().get("/join").text
    assert "Bo" in chair(page, 2)
    assert "disabled" in chair(page, 2)
    assert "free" in chair(page, 1)
    assert "disabled" not in chair(page, 1)
    assert "robot" in chair(page, 3)
    assert "disabled" not in chair(page, 3), "a robot steps aside for a person"
    assert "you" in chair(client.get("/join").text, 2)


def test_where_robots_play_the_seats_that_wait_for_people_are_free(client_of: Clients) -> None:
    desk = ShowDesk(4)
    desk.pace, desk.people = 1.0, frozenset({1})
    page = client_of(desk).get("/join").text
    assert "free" in chair(page, 1)
    assert all("robot" in chair(page, seat) for seat in (2, 3, 4))


def test_where_pieces_give_the_colours_the_form_offers_none(client_of: Clients) -> None:
    assert 'name="colour"' in client_of(ShowDesk(3)).get("/join").text
    page = client_of(ShowDesk(3, coloured=True, colours={1: "red", 2: "blue", 3: "violet"})).get("/join").text
    assert 'name="colour"' not in page
    assert "hue-violet shape-diamond" in chair(page, 3)


def test_a_colour_that_comes_along_where_pieces_give_them_is_left_out(client_of: Clients) -> None:
    desk = ShowDesk(3, coloured=True)
    client_of(desk).post("/join", data={"seat": "2", "name": "Bo", "colour": "pink"})
    assert [command.colour for command in desk.commands] == [""]  # type: ignore[union-attr]
