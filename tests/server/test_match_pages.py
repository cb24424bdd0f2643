"""An evening: choosing a game, going on with an earlier match, steps back, packing away, and what was won."""

from __future__ import annotations

import io
import re

import msgspec
import pytest

from companion import games
from companion.games.from_file.saying import Enter, RoundOver
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.record import Record
from companion.rules.gathering import MOST, NAME
from companion.rules.kernel import RuleError, Shown
from companion.server.match_api import MatchSummary
from companion.server.match_pages import players
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table, session_maker
from tests.server.phones import flat, join, send, text_of
from tests.waiting import until

FCC = "five-cards-collector"
FORM = {"seats": "3", "mode": "ledger", "name.1": "Anna", "name.2": "Bo", "option.hand_limit": "9", "bid_seconds": "30"}


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    journal = Journal(tmp_path)

    def make_session(header, version):
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    table = Table(make_session, Header(id=new_id(), at=now(), game=NAME, seats=MOST), journal, "HTTP://10.42.0.1/J")
    table.start()
    return table


@pytest.fixture
def host(table, client_of):
    client = client_of(table)
    assert client.post("/host/enter", data={"pin": table.host_pin}).status_code == 303
    return client


def begin(client, game=FCC, **form):
    return client.post(f"/host/new/{game}", data={**FORM, **form})


def test_people_sit_down_before_there_is_a_game_and_keep_their_seats_in_it(table, host):
    phone = host.application.test_client()
    assert "Take your seats" in phone.get("/").text
    assert join(phone, 2, "Bo").status_code == 303
    assert phone.get("/seat/2").status_code == 200
    assert begin(host).status_code == 303
    snapshot = table.snapshot()
    assert (snapshot.game, snapshot.seats, snapshot.mode, snapshot.names[2]) == (FCC, 3, "ledger", "Bo")
    assert table.match.header.bid_seconds == 30
    assert phone.get("/seat/2").status_code == 200


@pytest.mark.night
def test_a_clock_is_chosen_with_the_match_shown_to_phones_and_the_glass_turned_by_who_sits_there(table, host):
    phone = host.application.test_client()
    join(phone, 2, "Bo")
    assert begin(host, clock="glass", clock_seconds="45").status_code == 303
    assert "The sand glass" in phone.get("/seat/2").text
    assert '<option value="glass" selected>' in host.get(f"/host/new/{FCC}").text
    assert send(host.application.test_client(), {"do": "turn-glass"}).status_code == 403
    assert send(phone, {"do": "turn-glass"}).status_code == 200
    assert table.snapshot().play_timer.ends is not None


@pytest.mark.night
def test_a_seat_that_the_next_game_does_not_have_is_told_so(table, host):
    phone = host.application.test_client()
    join(phone, 7, "Gro")
    begin(host)
    answer = phone.get("/seat/7")
    assert answer.status_code == 404
    assert "the seats of this match are 1 to 3" in answer.text
    assert host.application.extensions["companion"].keys.taken() == frozenset()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"seats": "9"}, "is for 2 to 8 players, not 9"),
        ({"seats": "many"}, "How many players: type a whole number"),
        ({"seats": ""}, "is for 2 to 8 players, not 0"),
        ({"option.hand_limit": "12"}, "7 to 9, not 12"),
        ({"option.hand_limit": "x"}, "type a whole number"),
        ({"bid_seconds": "-1"}, "0 (no clock) to 600 seconds, not -1"),
        ({"mode": "gentle"}, "Choose how strict"),
        ({"clock": "sundial"}, "There is no clock called"),
        ({"clock": "turn", "clock_seconds": "3"}, "A clock has 5 to 7200 seconds, not 3"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused_in_words_and_the_match_goes_on(table, host, form, words):
    before = table.match
    answer = begin(host, **form)
    assert answer.status_code in (400, 409)
    assert words in answer.text
    assert table.match is before


def test_a_seat_that_nobody_has_is_no_first_player_and_such_a_match_leaves_nothing(table, host):
    page = host.get("/host/new/collection?seats=4").text
    assert '<span class="quiet" id="range-first">0 to 4</span>' in flat(page)
    answer = begin(host, "collection", seats="4", **{"option.first": "6"})
    assert "Seat of the first player; 0 is by chance: 0 to 4, not 6." in answer.text
    # Nor is anything written down where only the game's own rules find that it can't begin.
    for options in ({"first": 6}, {"second": 1}):
        header = Header(id=new_id(), at=now(), game="collection", seats=4, options=options, mode="ledger")
        with pytest.raises(RuleError):
            table._put_up(header, 0)
    assert table.matches.summaries() == []


@pytest.mark.night
def test_where_robots_play_no_page_promises_that_a_match_can_be_gone_on_with(table, host):
    first, second = (begin(host) and table.match.header.id for _ in range(2))
    goal = Play(seat=0, action=table.session.match.upkeep()[0], facts=(Shown(place="goal.1", piece="001"),), by="host")
    assert table.session.command(goal).ok
    pages = ("/host/new", f"/host/new/{FCC}", "/matches", f"/matches/{first}")
    # Pages show the moment that their feed has last heard of.
    until(lambda: all("o on with" in host.get(page).text for page in pages))
    assert f"/matches/{second}/resume" not in host.get("/matches").text, "it is being played"
    table.matches.may_resume = False
    assert not any("o on with" in host.get(page).text for page in pages)
    assert "you can look back on it" in host.get(f"/host/new/{FCC}").text


def test_only_the_host_begins_matches_and_only_games_that_there_are(table, host):
    stranger = host.application.test_client()
    assert begin(stranger).status_code == 403
    assert stranger.get("/host/new").status_code == 302
    assert begin(host, game="chess").status_code == 404
    assert stranger.post("/matches").status_code == 403
    assert table.matches.gathering


def chosen_seats(page):
    return re.search(r'name="seats" value="(\d)" checked', flat(page))[1]


@pytest.mark.night
def test_the_next_match_suggests_as_many_players_as_the_last_had_though_fewer_have_phones(table, host):
    phone = host.application.test_client()
    join(phone, 3, "Bo")
    begin(host, seats="4")
    assert chosen_seats(host.get(f"/host/new/{FCC}").text) == "4"
    assert chosen_seats(host.get("/host/new/collectible").text) == "4"
    # Whoever chooses another number sees how the game is set up for that.
    page = host.get(f"/host/new/{FCC}?seats=2").text
    assert chosen_seats(page) == "2"
    assert "with 2 players" in page
    for nonsense in ("9", "0", "x", "-2", "99999999", "²"):
        assert chosen_seats(host.get(f"/host/new/{FCC}", query_string={"seats": nonsense}).text) == "4"


@pytest.mark.night
def test_who_is_the_host_and_plays_finds_the_own_seat_at_the_top(table, host):
    begin(host)
    assert "/seat/" not in host.get("/host").text.split("<main")[0]
    join(host, 2, "Anna")
    assert '<a class="tap" href="/seat/2">My seat 2</a>' in flat(host.get("/host").text).split("<main")[0]


def test_an_earlier_match_is_kept_and_gone_on_with(table, host):
    begin(host)
    first = table.match.header.id
    assert send(host, {"do": "end"}).status_code == 200
    begin(host, seats="2")
    second = table.match.header.id
    assert second != first
    told = table.matches.summaries()
    assert [one.id for one in told] == [second, first]
    assert (told[1].over, told[1].records, told[0].over) == (True, 1, False)
    begin(host, game="collectible", seats="4")
    page = host.get("/matches").text
    assert f"/matches/{second}/resume" in page
    assert f"/matches/{first}/resume" not in page
    assert host.post(f"/matches/{second}/resume").status_code == 303
    assert table.match.header.id == second
    assert table.snapshot().seats == 2
    again = host.post(f"/matches/{second}/resume")
    assert again.status_code == 409
    assert "being played already" in again.text
    assert host.post("/matches/0190/resume").status_code == 404


def test_a_match_goes_out_and_comes_in_again(table, host, tmp_path):
    begin(host)
    send(host, {"do": "end"})
    match = table.match.header.id
    lines = host.get(f"/matches/{match}.jsonl").data
    assert lines.count(b"\n") == 2
    assert host.application.test_client().get(f"/matches/{match}.jsonl").status_code == 403
    twice = host.post("/matches", data={"match": (io.BytesIO(lines), "m.jsonl")})
    assert "in the journal already" in twice.text
    other = lines.replace(match.encode(), new_id().encode())
    changed = host.post("/matches", data={"match": (io.BytesIO(other), "m.jsonl")})
    assert "does not hang on the one before" in changed.text
    begin(host)
    assert host.post("/host/delete", data={"match": match}).status_code == 303
    assert host.post("/matches", data={"match": (io.BytesIO(lines), "m.jsonl")}).status_code == 303
    assert len(table.matches.summaries()) == 2
    for bad, words in ((b"hello", "no exported match"), (b"", "no exported match"), (other + b"{}", "no record of")):
        answer = host.post("/matches", data={"match": (io.BytesIO(bad), "m.jsonl")})
        assert answer.status_code == 400
        assert words in answer.text or "does not fit" in answer.text
    assert "Choose the file" in host.post("/matches", data={}).text
    assert len(table.matches.summaries()) == 2


@pytest.mark.night
def test_a_time_that_is_out_of_bounds_breaks_no_page(table, host, tmp_path):
    begin(host)
    send(host, {"do": "end"})
    journal = table._journal
    early = msgspec.structs.replace(table.match.header, id=new_id(), at="0001-01-01T00:00:00+14:00")
    journal.begin(early)
    journal.append(early.id, Record(n=1, id=new_id(), at=early.at, kind="correction"))
    assert host.get("/matches").status_code == 200
    assert host.get(f"/matches/{early.id}").status_code == 200
    assert host.post(f"/matches/{early.id}/resume").status_code == 303
    for page in ("/", "/host", "/course"):
        assert host.get(page).status_code == 200


@pytest.mark.night
@pytest.mark.usefixtures("far_east")
def test_day_and_hour_of_a_match_are_those_of_the_place(table, host):
    begin(host)
    send(host, {"do": "end"})
    late = msgspec.structs.replace(table.match.header, id=new_id(), at="2026-11-22T23:30:00Z")
    table._journal.begin(late)
    table._journal.append(late.id, Record(n=1, id=new_id(), at=late.at, kind="end"))
    here = "2026-11-23 13:30"
    for page in ("/matches", f"/matches/{late.id}", f"/host/delete?match={late.id}"):
        assert here in host.get(page).text
    assert "2026-11-22" not in text_of(host.get(f"/matches/{late.id}").text)
    assert "2026-11-23.png" in host.get(f"/matches/{late.id}.png").headers["Content-Disposition"]


@pytest.mark.night
def test_the_host_deletes_a_match_after_having_been_asked(table, host):
    begin(host)
    first = table.match.header.id
    begin(host)
    second = table.match.header.id
    table._journal._db.execute("INSERT INTO matches (id, header) VALUES ('a/b?c', 'no header')")
    stranger = host.application.test_client()
    page = host.get("/matches").text
    assert f"/host/delete?match={first}" in page
    assert f"/host/delete?match={second}" not in page
    assert "/host/delete" not in stranger.get("/matches").text
    assert "Delete this match?" in host.get("/host/delete", query_string={"match": first}).text
    assert stranger.get("/host/delete", query_string={"match": first}).status_code == 403
    assert stranger.post("/host/delete", data={"match": first}).status_code == 403
    assert len(table.matches.summaries()) == 3
    for match in (first, "a/b?c"):
        assert host.post("/host/delete", data={"match": match}).status_code == 303
    assert [one.id for one in table.matches.summaries()] == [second]
    again = host.post("/host/delete", data={"match": second})
    assert again.status_code == 409
    assert "being played" in again.text
    assert host.post("/host/delete", data={"match": first}).status_code == 404


@pytest.mark.night
def test_looking_back_on_an_earlier_match_and_its_picture(table, host):
    begin(host)
    send(host, {"do": "end"})
    match = table.match.header.id
    page = host.get(f"/matches/{match}")
    assert page.status_code == 200
    assert "Anna" in page.text
    picture = host.get(f"/matches/{match}.png")
    assert picture.data.startswith(b"\x89PNG")
    assert host.get("/matches/nothing").status_code == 404


@pytest.mark.night
def test_where_few_points_win_they_stand_first_on_the_page_and_in_the_picture(table, host, monkeypatch):
    plan = {key: value for key, value in FORM.items() if not key.startswith("option")}
    assert host.post("/host/new/golf", data={**plan, "seats": "2"}).status_code == 303
    for seat, amount in ((1, 9), (2, 4)):
        assert table.match.command(Play(seat=seat, action=Enter(seat=seat, what="points", amount=amount))).ok
    assert table.match.command(Play(seat=1, action=RoundOver(seat=1))).ok
    send(host, {"do": "end"})
    match = table.match.header.id
    standing = host.get(f"/matches/{match}").text.partition('<ol class="standing">')[2].partition("</ol>")[0]
    assert re.findall(r"<li>(\w+).*?<b>(\d+)</b>", standing) == [("Bo", "4"), ("Anna", "9")]
    drawn = []
    monkeypatch.setattr("companion.press.share._cut", lambda words, size, width: drawn.append(words) or words)
    assert host.get(f"/matches/{match}.png").status_code == 200
    assert drawn == ["Bo", "Anna"]


def test_a_step_back_is_shown_before_it_is_done_and_refused_if_the_match_went_on(table, host):
    begin(host)
    edits = [{"edit": "turns", "seat": 2}]
    assert send(host, {"do": "correct", "edits": edits}).status_code == 200
    assert send(host, {"do": "correct", "edits": [{"edit": "turns", "seat": 3}]}).status_code == 200
    page = host.get("/host/back/1").text
    assert "Back to record 1?" in page
    assert 'name="steps" value="1"' in page
    assert host.post("/host/back/0", data={"steps": "1"}).status_code == 409
    assert host.post("/host/back/0", data={"steps": "2"}).status_code == 303
    assert table.snapshot().record == 3
    assert host.get("/host/back/2").status_code == 404
    assert host.application.test_client().get("/host/back/1").status_code == 403


def test_what_lies_where_is_listed_for_packing_away(table, host):
    begin(host)
    page = host.get("/layout").text
    assert "The deck" in page
    assert "face down" in page


def test_players_are_summed_up_by_name_over_finished_matches():
    def told(names, winners, over=True):
        return MatchSummary(
            id="1",
            at="",
            game=FCC,
            title="Five",
            names=names,
            mode="assist",
            records=9,
            scores=(1, 2),
            over=over,
            winners=winners,
            words="",
        )

    both = ("Anna", "Bo")
    found = players([told(both, (2,)), told(("Bo", "Seat 2"), (1,)), told(both, ()), told(both, (1,), False)])
    assert [(one["name"], one["played"], one["won"]) for one in found] == [("Bo", 2, 2), ("Anna", 1, 0)]


def test_pages_of_the_desk_work_without_a_script(table, host):
    for path in ("/host/new", f"/host/new/{FCC}", "/matches", "/layout"):
        page = host.get(path).text
        assert not re.search(r"<script(?![^>]*src)", page)


def test_one_match_only_has_no_evening(client_of, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game, mat = games.load(FCC), games.load_mat(FCC, 3)
    header = Header(id=new_id(), at=now(), game=FCC, seats=3, mode="ledger")
    table = Table(session_maker(game, mat, None, NoCamera), header, None, "")
    table.matches = None
    table.start()
    assert client_of(table).get("/matches").status_code == 404
