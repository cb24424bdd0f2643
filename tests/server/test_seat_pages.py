"""Seats and the host: keys given, kept, taken back; PINs tried too often."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from companion.referee import commands as say
from companion.referee.commands import Reply
from companion.rules.kernel import illegal
from companion.server.context import MONTH
from companion.server.keys import STAYS, TRIES, WINDOW, Keys, TakenError
from tests.server.conftest import Clients
from tests.server.desks import PIN, MatchDesk, ShowDesk
from tests.server.phones import be_host, join, send, text_of


def test_joining_gives_a_key_a_name_and_the_seats_page(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    answer = join(client, 2, "  Bo   Berg ")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/seat/2")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert desk.commands == [say.Name(seat=2, name="Bo Berg", by="phone")]
    assert desk.sat == [(2, True)]
    assert client.get("/seat/2").status_code == 200


def test_a_taken_seat_stays_taken(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 2, "Bo")
    other = client.application.test_client()
    answer = join(other, 2, "Eve")
    assert answer.status_code == 409
    assert "Another phone has seat 2 already" in answer.text
    assert other.get("/seat/2").headers["Location"] == "/join/2"
    assert len(desk.commands) == 1


def test_joining_again_with_the_key_leads_to_the_seat(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 2, "Bo")
    assert join(client, 2, "Bo").headers["Location"] == "/seat/2"
    assert client.get("/join/2").headers["Location"] == "/seat/2"


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        ({}, 400, "Choose a seat"),
        ({"seat": "two", "name": "Bo"}, 400, "Choose a seat"),
        ({"seat": "²", "name": "Bo"}, 400, "Choose a seat"),
        ({"seat": "9", "name": "Bo"}, 404, "There is no seat 9: the seats of this match are 1 to 3."),
        ({"seat": "0", "name": "Bo"}, 404, "There is no seat 0"),
        ({"seat": "2", "name": "   "}, 400, "Type your name first"),
        ({"seat": "2", "name": "B" * 25}, 400, "That name has 25 letters; 24 are the most."),
    ],
)
def test_a_form_that_does_not_do_says_why(client_of: Clients, data: dict[str, str], status: int, words: str) -> None:
    client = client_of(ShowDesk(3))
    answer = client.post("/join", data=data)
    assert answer.status_code == status
    assert words in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_refused_name_leaves_the_seat_free(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.reply = Reply(False, verdict=illegal("C3", "a name needs a letter", "Type a name."))
    client = client_of(desk)
    answer = join(client, 1, "Bo")
    assert "A name needs a letter." in answer.text
    assert client.application.extensions["companion"].keys.taken() == frozenset()


def test_names_are_text_and_never_markup(client_of: Clients) -> None:
    desk = ShowDesk(names={1: "<script>x</script>", 2: "'\"><b>", 3: "Cleo"})
    client = client_of(desk)
    join(client, 1, "x")
    be_host(client)
    for page in ("/", "/seat/1", "/host", "/join"):
        assert "<script>x" not in client.get(page).text
        assert "'\"><b>" not in client.get(page).text


def test_leaving_makes_the_key_worthless(client_of: Clients) -> None:
    desk = ShowDesk()
    client = client_of(desk)
    join(client, 1)
    assert client.post("/leave", data={"seat": "1"}).headers["Location"] == "/"
    assert client.get("/seat/1").headers["Location"] == "/join/1"
    assert desk.sat == [(1, True), (1, False)]
    assert client.post("/leave", data={"seat": "1"}).status_code == 403


def test_the_host_frees_a_seat_for_another_phone(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    host = client.application.test_client()
    be_host(host)
    assert send(host, {"do": "free", "seat": 1}).status_code == 200
    assert send(host, {"do": "free", "seat": 1}).get_json()["message"] == "Nobody has seat 1."
    assert client.get("/seat/1").status_code == 302
    assert join(host, 1).status_code == 303


def test_a_phone_may_hold_two_seats(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 1)
    join(client, 2, "Bo")
    assert client.get("/seat/1").status_code == client.get("/seat/2").status_code == 200


def test_the_short_address_leads_to_the_form(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    assert client.get("/J").headers["Location"] == "/join"
    assert client.get("/J/2").headers["Location"] == "/join/2"


def test_the_hosts_page_wants_the_pin(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    assert "Are you the host?" in client.get("/host").text
    wrong = client.post("/host/enter", data={"pin": "000000"})
    assert wrong.status_code == 403
    assert "not the host&#39;s PIN" in wrong.text
    assert be_host(client).status_code == 303
    assert "Who sits where" in client.get("/host").text
    client.post("/host/leave")
    assert "Are you the host?" in client.get("/host").text


def test_another_sites_form_neither_joins_nor_hosts(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    for path, data in (("/join", {"seat": "1", "name": "Eve"}), ("/host/enter", {"pin": PIN})):
        assert client.post(path, data=data, headers={"Origin": "http://evil.example"}).status_code == 403


def test_a_pin_cannot_be_guessed_by_trying(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    answers = [client.post("/host/enter", data={"pin": f"{n:06}"}).status_code for n in range(TRIES + 3)]
    assert answers == [403] * (TRIES - 1) + [429] * 4
    assert be_host(client).status_code == 429


# -------------------------------------------------------------------------------------------------------------- keys


def test_the_right_pin_counts_again_after_the_window() -> None:
    now = [0.0]
    keys = Keys("m", PIN, clock=lambda: now[0])
    for _ in range(TRIES):
        assert keys.enter("1") is None
    assert keys.enter(PIN) is None
    now[0] = WINDOW + 1
    assert keys.enter(PIN) is not None


def test_keys_outlive_the_program_as_hashes_only(tmp_path: Path) -> None:
    file = tmp_path / "state" / "keys.json"
    keys = Keys("m", PIN, file)
    token, host = keys.take(3), keys.enter(PIN)
    again = Keys("m", "another pin", file)
    assert again.holds(3, token)
    assert again.is_host_token(host)
    assert token not in file.read_text()
    assert str(host) not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_hosts_key_counts_for_a_month_over_restarts_and_lapses_between_matches(tmp_path: Path) -> None:
    file, now = tmp_path / "keys.json", [1_700_000_000.0]

    def again() -> Keys:
        return Keys("m", PIN, file, lambda: now[0], lambda: now[0])

    assert STAYS == MONTH
    host = again().enter(PIN)
    now[0] += STAYS - 3600
    keys = again()
    late = keys.enter(PIN)
    assert keys.is_host_token(host)
    now[0] += 7200
    assert keys.is_host_token(host), "nobody stops being the host in the middle of a match"
    keys.follow("n", 2)
    assert (keys.is_host_token(host), keys.is_host_token(late)) == (False, True)
    assert not Keys("n", PIN, file).is_host_token(host)
    now[0] += STAYS
    assert not again().is_host_token(late)


def test_a_date_that_jumps_leaves_those_the_host_who_entered_the_pin_since_the_start(tmp_path: Path) -> None:
    file, clock, date = tmp_path / "keys.json", [0.0], [0.0]
    keys = Keys("m", PIN, file, lambda: clock[0], lambda: date[0])
    host = keys.enter(PIN)
    clock[0], date[0] = 60.0, 1_700_000_000.0
    keys.follow("n", 2)
    assert keys.is_host_token(host)
    assert Keys("n", PIN, file, date=lambda: date[0] + STAYS - 120).is_host_token(host)
    assert not Keys("n", PIN, file, date=lambda: date[0] + STAYS).is_host_token(host)


def test_hosts_of_a_key_file_without_dates_stay_for_a_month_from_now(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    token = Keys("m", PIN, file).enter(PIN)
    kept = json.loads(file.read_text())
    del kept["entered"]
    file.write_text(json.dumps(kept))
    assert Keys("m", PIN, file, date=lambda: 1e9).is_host_token(token)
    assert not Keys("m", PIN, file, date=lambda: 1e9 + STAYS).is_host_token(token)


def test_keys_of_another_match_open_no_seat(tmp_path: Path) -> None:
    token = Keys("m", PIN, tmp_path / "keys.json").take(1)
    assert not Keys("n", PIN, tmp_path / "keys.json").holds(1, token)


DAMAGED = [b"", b"{", b"[]", b'{"seats": 5}', b"\xff", b'{"match": "\xff"}', b'{"x": ' + b"[" * 9000]


@pytest.mark.parametrize("damage", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_key_file_only_means_joining_again(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(damage)
    keys = Keys("m", PIN, file)
    assert keys.taken() == frozenset()
    assert keys.holds(1, keys.take(1))


def test_keys_are_not_guessed_by_empty_or_odd_tokens() -> None:
    keys = Keys("m", PIN)
    keys.take(1)
    for token in (None, "", "x", "é", "\x00"):
        assert not keys.holds(1, token)
        assert not keys.is_host_token(token)
    with pytest.raises(TakenError):
        keys.take(1)


def test_a_disk_that_cannot_be_written_keeps_nobody_from_their_seat(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    keys = Keys("m", PIN, tmp_path / "state" / "keys.json")
    assert keys.holds(1, keys.take(1))


def test_a_name_of_which_nothing_can_be_seen_takes_no_seat(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    answer = client.post("/join", data={"seat": "1", "name": "\u200b\u202e"})
    assert answer.status_code == 400
    assert "Type your name first" in answer.get_data(as_text=True)
    assert client.get_cookie("companion_seat_1") is None


def test_whoever_is_host_steers_from_the_seats_menu(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    join(client, 2)
    menu = client.get("/seat/2").text.partition('id="settings"')[2]
    assert ("Be the host" in menu, "Host: steer the match" in menu) == (True, False)
    be_host(client)
    menu = client.get("/seat/2").text.partition('id="settings"')[2]
    assert ("Be the host" in menu, "Host: steer the match" in menu) == (False, True)


def test_a_second_chair_asks_whether_to_move_or_to_play_both(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1, "Ann")
    asked = join(phone, 2, "Ann", choice="")
    assert "Move there, or play both?" in asked.text
    assert phone.application.extensions["companion"].keys.taken() == {1}
    join(phone, 2, "Ann", choice="move")
    assert phone.application.extensions["companion"].keys.taken() == {2}
    assert desk.snapshot().names == {2: "Ann", 3: "Seat 3"}


def test_a_phone_that_plays_for_two_has_two_names_and_the_table_page_says_so(client_of: Clients) -> None:
    phone = client_of(MatchDesk())
    assert "One phone" not in phone.get("/").text
    join(phone, 1, "Ann")
    join(phone, 2, "Ann", choice="both")
    assert "One phone plays for Ann and Ann 2." in phone.get("/").text
    phone.post("/leave", data={"seat": "1"})
    assert "One phone" not in phone.get("/").text


def test_a_seat_that_is_handed_over_is_counted_with_the_new_phones_seats(tmp_path: Path) -> None:
    keys = Keys("m", PIN, tmp_path / "keys")
    keys.take(1)
    keys.take(2)
    keys.ask(2, own=[1])
    assert keys.together() == ()
    keys.hand_over(2)
    assert Keys("m", PIN, tmp_path / "keys").together() == ((1, 2),)


def test_a_robots_chair_is_asked_for(client_of: Clients) -> None:
    desk = ShowDesk()
    desk.pace = 1.0
    phone = client_of(desk)
    assert "Take the robot's place?" in join(phone, 2, "Ann", choice="").text
    assert desk.sat == []
    assert join(phone, 2, "Ann", choice="take").status_code == 303
    assert desk.sat == [(2, True)]


def test_nobody_is_told_that_it_is_not_their_turn_but_one_of_the_same_names(client_of: Clients) -> None:
    desk = MatchDesk()
    phone = client_of(desk)
    join(phone, 1, "Ann")
    join(phone, 2, "ann")
    told = send(phone, {"do": "done", "seat": 2}).get_json()
    assert told["message"] == "It is the turn of Ann, not of ann 2. Wait for Ann."


def test_the_table_page_says_in_letters_what_to_type_and_small_ones_do(client_of: Clients) -> None:
    client = client_of(ShowDesk())
    assert "or open 10.42.0.1:8000/J ." in text_of(client.get("/").text)
    assert client.get("/j").headers["Location"] == "/join"
