"""Rolling over HTTP, and the page that shows every roll and how it can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import games
from companion.referee.commands import Mode
from companion.server.app import create_app, shut
from companion.server.documents import PUBLIC, Extras, document
from tests.server.desks import RollingDesk, ShowDesk
from tests.server.phones import join, send


@pytest.fixture
def desk(tmp_path: Path) -> RollingDesk:
    return RollingDesk(tmp_path)


@pytest.fixture
def phone(desk: RollingDesk) -> Iterator[FlaskClient]:
    """The phone of whoever has to roll."""
    app = create_app(desk, close=desk.close)
    client = app.test_client()
    join(client, desk.seat, "Anna")
    yield client
    shut(app)


def roll(phone: FlaskClient, seat: int, **more: object) -> int:
    return send(phone, {"do": "roll", "seat": seat, "action": {"type": "roll", "seat": seat}, **more}).status_code


def test_a_phone_rolls_and_everybody_sees_the_dice(desk: RollingDesk, phone: FlaskClient) -> None:
    sealed = phone.get("/dice").get_data(as_text=True)
    commitment = desk.snapshot().dice.commitment
    assert commitment in sealed
    assert "Nobody has rolled yet" in sealed
    assert roll(phone, desk.seat, salt="pepper") == 200
    throw = desk.snapshot().dice.throws[-1]
    assert phone.get("/state/public").get_json()["throw"]["values"] == list(throw.values)
    page = phone.get("/dice").get_data(as_text=True)
    assert throw.secret in page
    assert "pepper" in page
    assert desk.snapshot().dice.commitment in page


def test_a_phone_throws_something_in_for_its_own_seat_only(desk: RollingDesk, phone: FlaskClient) -> None:
    assert send(phone, {"do": "stir", "seat": desk.seat, "salt": "x"}).status_code == 200
    assert send(phone, {"do": "stir", "seat": desk.seat % 4 + 1, "salt": "x"}).status_code == 403
    assert send(phone, {"do": "stir", "seat": desk.seat, "salt": "x" * 65}).status_code == 400
    assert desk.snapshot().dice.stirred == (desk.seat,)


def test_nobody_rolls_for_another_seat(desk: RollingDesk, phone: FlaskClient) -> None:
    other = desk.seat % 4 + 1
    assert roll(phone, other) == 403
    wish = {"do": "roll", "seat": desk.seat, "action": {"type": "roll", "seat": other}}
    assert send(phone, wish).status_code == 403
    assert desk.snapshot().dice.throws == ()


@pytest.mark.parametrize("dice", [(), (1,), (1, 2, 3), (0, 1), (7, 1)])
def test_entered_dice_that_can_not_be_are_refused(desk: RollingDesk, phone: FlaskClient, dice: tuple[int, ...]) -> None:
    facts = [{"type": "rolled", "place": "dice", "values": dice}]
    wish = {"do": "play", "seat": desk.seat, "action": {"type": "roll", "seat": desk.seat}, "facts": facts}
    answer = send(phone, wish)
    assert (answer.status_code, answer.get_json()["rule"]) == (409, "C9")


def test_the_page_offers_to_roll_and_to_enter_real_dice(desk: RollingDesk, phone: FlaskClient) -> None:
    page = phone.get(f"/seat/{desk.seat}").get_data(as_text=True)
    assert "Roll 2 dice" in page
    assert "Real dice" in page
    assert 'aria-label="Die 2"' in page
    assert "Roll in the tray" not in page  # no camera looks at it


def test_where_a_camera_looks_on_the_page_offers_the_tray_and_says_where_it_is(
    desk: RollingDesk, phone: FlaskClient
) -> None:
    assert desk.command(Mode(mode="assist", by="host")).ok
    # Any wish that came through the page has it drawn anew at once; a change from elsewhere is seen a moment later.
    assert send(phone, {"do": "stir", "seat": desk.seat, "salt": "x"}).status_code == 200
    page = phone.get(f"/seat/{desk.seat}").get_data(as_text=True)
    assert "Roll in the tray" in page
    assert "on the right: the camera reads them" in page
    wish = {"do": "throw", "seat": desk.seat, "action": {"type": "roll", "seat": desk.seat}}
    # Until the camera has seen the table there is nothing to roll before.
    assert send(phone, wish).get_json()["message"].endswith("Type what they show.")
    other = {**wish, "action": {"type": "roll", "seat": desk.seat % 4 + 1}}
    assert send(phone, other).status_code == 403


@pytest.mark.parametrize(("sides", "read"), [(6, True), (10, True), (8, False)])
def test_phones_are_told_whether_the_camera_reads_dice_of_a_tray_s_kind(sides: int, read: bool) -> None:
    mat = games.load_mat("collection", 4)
    zones = tuple(replace(zone, sides=sides) if zone.kind == "tray" else zone for zone in mat.zones)
    told = {"sides": sides, "read": read, "place": "at the far edge"}
    desk = ShowDesk()
    desk.mat = replace(mat, zones=zones)
    assert document(PUBLIC, desk.snapshot(), Extras(), desk)["tray"] == told
