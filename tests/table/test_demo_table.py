"""The demo's table in one process: robots play, people meddle, the host takes back, the camera fails."""

import time

import pytest

from companion import games
from companion.appliance.public import snapshot_told
from companion.appliance.reporter import ReportedTable
from companion.appliance.run import join_url
from companion.games.five_cards_collector.drawing import Keep
from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Correct, End, Name, Play, Undo
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.rules.kernel import Turns
from companion.server.match_api import MatchesError
from companion.sim.camera import CameraLostError
from companion.table import next_match
from companion.table.next_match import PAUSE, NextMatch
from companion.table.session import LOST, Robots, SimulatedSession
from companion.table.table import Demo, DemoTable, Table, session_maker
from tests.referee.table import GAME
from tests.waiting import until


@pytest.fixture
def demo(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    mat = games.load_mat("five-cards-collector", 2)
    table = DemoTable(Demo(GAME, mat, seed=2, speed=8.0), Journal(tmp_path), "HTTP://127.0.0.1/J")
    table.start()
    yield table
    table.close()


def test_a_seed_of_0_is_a_seed_too(monkeypatch):
    """The same is dealt again, whatever number somebody chose."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    game = games.load("collectors")

    def dealt(seed):
        table = DemoTable(Demo(game, games.load_mat("collectors", 4), seed, 8.0), None, "HTTP://127.0.0.1/J")
        try:
            return table.performance.world.save()
        finally:
            table.devices.close()

    assert dealt(0) == dealt(0)
    assert dealt(0) != dealt(1)


def test_a_match_of_fewer_has_no_robots_of_those_who_are_not_there(monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    header, robots = (
        Header(id=new_id(), at=now(), game=GAME.info.name, seats=2),
        Robots(2, levels={1: "easy", 5: "easy"}),
    )
    session = SimulatedSession(GAME, games.load_mat(GAME.info.name, 2), header, None, robots)
    assert session.levels() == {1: "easy", 2: "normal"}
    session.close()


def understood(table, count):
    return until(lambda: len(table.match.records()) >= count and table.match.records())


def test_robots_play_and_everything_shows_it(demo):
    records = understood(demo, 4)
    assert [record.action.__class__.__name__ for record in records[:3]].count("DrawGoal") == 2
    assert all(record.by in ("table", "robot") for record in records)
    assert until(demo.session.camera_loop.picture)[:2] == b"\xff\xd8"
    version = demo.session.camera_loop.picture_version
    until(lambda: demo.session.camera_loop.picture() and demo.session.camera_loop.picture_version > version)
    assert demo.devices.oled_png()[:4] == b"\x89PNG"
    assert demo.snapshot().views[0].headline
    assert set(demo.devices.page_buttons) == {"next", "page", "undo"}


@pytest.mark.night
def test_robots_play_with_cards_that_have_no_codes(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    mat = games.load_mat("five-cards-collector", 2)
    plan = Demo(GAME, mat, seed=2, speed=8.0, codes=False)
    table = DemoTable(plan, Journal(tmp_path), "HTTP://127.0.0.1/J")
    read = []
    see = Match.see
    monkeypatch.setattr(Match, "see", lambda match, view: read.append(view) or see(match, view))
    table.start()
    try:
        assert [record.by for record in understood(table, 4)].count("table") >= 2
        assert any(view.alike for view in read)
    finally:
        table.close()


@pytest.mark.night
def test_why_shows_pictures_before_and_after_and_the_candidates(demo):
    seen = next(record for record in understood(demo, 7) if record.by == "table" and record.seat)
    evidence = until(lambda: demo.match.evidence(seen.n))
    assert evidence.after[:2] == evidence.before[:2] == b"\xff\xd8"
    assert evidence.candidates


@pytest.mark.night
def test_a_person_takes_a_robots_seat_and_the_table_follows_the_phone(demo):
    understood(demo, 4)
    demo.set_occupied(1, True)
    demo.set_occupied(2, True)
    until(lambda: demo.session.game.actors(demo.match.state) != (0,) and demo.snapshot().question is None)
    time.sleep(1.0)  # a robot that was about to act has acted
    state = demo.match.state
    seat = state.turn
    assert demo.session.hand(seat)
    action = Keep(seat=seat) if state.phase == "drawn" else Nothing(seat=seat)
    count = len(demo.match.records())
    reply = demo.session.command(Play(seat=seat, action=action))
    assert reply.ok, reply
    assert len(demo.match.records()) == count + 1
    other = until(
        lambda: demo.session.game.actors(demo.match.state)[0] != seat and demo.session.game.actors(demo.match.state)[0]
    )
    cards = GAME.deck.by_piece()
    held = {cards[piece].title for piece in demo.session.hand(other)}
    foreign = next(card.piece for card in GAME.deck.of_kind("symbol") if card.title not in held)
    refused = demo.session.command(Play(seat=other, action=Discard(seat=other, card=foreign)))
    assert not refused.ok
    assert "simulated hand" in refused.verdict.reason
    assert not demo.session.command(Play(seat=other, action=Discard(seat=other, card="ZZZ"))).ok


@pytest.mark.night
def test_the_hosts_undo_is_followed_on_the_simulated_table(demo):
    understood(demo, 8)
    demo.session.set_speed(0)
    time.sleep(1.0)
    until(lambda: demo.snapshot().phase == "playing" and not demo.snapshot().provisional)
    records = demo.match.records()
    assert demo.session.command(Undo(steps=2, by="host")).ok
    until(lambda: demo.snapshot().phase == "playing" and not demo.snapshot().owed)
    assert demo.match.records()[: len(records) - 2] == records[:-2]


@pytest.mark.night
def test_robots_that_a_fault_ended_are_said_begin_anew_and_play_on(demo, monkeypatch):
    count = len(understood(demo, 4))
    plainly, fails = demo.performance.stage.carry, iter((True,))

    def stumble(moves, seat):
        if next(fails, False):
            raise KeyError("the mat has no zone called")
        plainly(moves, seat)

    monkeypatch.setattr(demo.performance.stage, "carry", stumble)
    assert until(demo.stopped) == ("The robots stumbled over a fault; they begin again by themselves.",)
    understood(demo, count + 4)


@pytest.mark.night
def test_robots_that_can_not_follow_a_correction_say_so_and_play_on_once_it_is_taken_back(demo):
    understood(demo, 4)
    demo.session.set_speed(0)
    until(lambda: demo.snapshot().phase == "playing" and not demo.snapshot().provisional)
    assert demo.session.command(Correct(edits=(Turns(3 - demo.match.state.turn),), by="host")).ok
    assert until(demo.stopped) == (LOST,)
    records = demo.match.records()  # a robot may just have acted
    count = [record.kind for record in records].index("correction")
    assert demo.session.command(Undo(steps=len(records) - count, by="host")).ok
    demo.session.set_speed(8)
    understood(demo, count + 3)
    assert demo.stopped() == ()


@pytest.mark.night
def test_half_a_minute_after_a_match_robots_begin_another_game_unless_people_want_to_stay(demo, monkeypatch):
    now = [0.0]
    rounds = NextMatch(lambda: demo.match, demo.matches, frozenset, named=False, clock=lambda: now[0])
    rounds.look()
    assert rounds.coming() == ("", 0.0)
    assert demo.session.command(End(by="host")).ok
    assert rounds.coming() == ("Gin Rummy", 0.0)
    rounds.look()
    assert rounds.coming() == ("Gin Rummy", PAUSE)
    first, now[0] = demo.match.header.id, PAUSE - 1
    rounds.look()
    rounds.stay()
    now[0] = PAUSE
    rounds.look()
    assert (rounds.coming(), demo.match.header.id) == (("", 0.0), first)
    monkeypatch.setattr(rounds, "_stays", "")
    rounds.look()
    assert (demo.match.header.game, demo.match.header.seats) == ("gin-rummy", 2)
    understood(demo, 1)


@pytest.mark.night
def test_where_a_game_was_named_the_next_match_is_of_it_too(demo, monkeypatch):
    monkeypatch.setattr(next_match, "PAUSE", 0.2)
    first = demo.match.header.id
    assert demo.session.command(End(by="host")).ok
    assert until(lambda: demo.next_match.coming()[0]) == "Five Cards Collector"
    until(lambda: demo.match.header.id != first)
    assert demo.match.header.game == "five-cards-collector"
    understood(demo, 1)


@pytest.mark.night
def test_in_the_next_match_people_keep_their_names_and_robots_have_theirs(demo):
    """Robots began the next match with the name that the seat had before a person sat down there."""
    now = [0.0]
    rounds = NextMatch(lambda: demo.match, demo.matches, lambda: demo._persons, named=True, clock=lambda: now[0])
    for seat, name in ((1, "Sam"), (2, "Kim")):
        assert demo.session.command(Name(seat=seat, name=name, by="phone")).ok
        demo.set_occupied(seat, True)
    demo.set_occupied(2, False)
    first = demo.match.header.id
    assert demo.session.command(End(by="host")).ok
    rounds.look()
    now[0] = PAUSE
    rounds.look()
    assert demo.match.header.id != first
    assert demo.snapshot().names == {1: "Sam", 2: "Bo"}


@pytest.mark.night
def test_a_robot_that_comes_back_has_its_own_name(demo):
    demo.set_occupied(2, True)
    assert demo.session.command(Name(seat=2, name="Kim", by="phone")).ok
    demo.set_occupied(2, False)
    assert demo.snapshot().names == {1: "Ada", 2: "Bo"}


@pytest.mark.night
def test_the_little_screen_and_a_broker_say_who_has_to_choose_a_card(demo, monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr(demo.devices, "show", shown.append)
    demo.set_occupied(1, True)
    monkeypatch.setattr(demo.session.sandbox, "choosing", lambda seat: {"income.1": 2} if seat == 1 else {})
    until(lambda: shown and shown[-1].views[0].headline == "Ada chooses 2 cards" and shown[-1].views[0].waiting == (1,))
    outside = ReportedTable(demo, tmp_path).wait(-1, 0.0)
    assert snapshot_told(outside, "full", (), 0.0).text == "Ada chooses 2 cards"
    monkeypatch.setattr(demo.session.sandbox, "choosing", lambda seat: {})
    until(lambda: "chooses" not in shown[-1].views[0].headline)


@pytest.mark.night
def test_a_match_that_the_host_began_meanwhile_is_left_alone(demo):
    plan, first = demo.matches.plan(), demo.match.header.id
    demo.matches.begin(plan)
    second = demo.match.header.id
    with pytest.raises(MatchesError, match="meanwhile"):
        demo.matches.begin(plan, instead_of=first)
    assert demo.match.header.id == second


class FlakyCamera:
    """Gives nothing, then comes back, then ends."""

    live, control = False, None

    def __init__(self):
        self.asked = 0

    def frames(self):
        self.asked += 1
        if self.asked < 3:
            raise CameraLostError("unplugged")
        yield from ()

    def close(self):
        pass


def test_a_camera_that_fails_is_said_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    header = Header(
        id="01", at="", game="five-cards-collector", seats=2, setup={"goals": ["001", "002"], "turned_up": ["00V"]}
    )
    camera = FlakyCamera()
    mat = games.load_mat("five-cards-collector", 2)
    journal = Journal(tmp_path)
    table = Table(session_maker(GAME, mat, journal, lambda: camera), header, journal, "")
    table.start()
    try:
        assert until(lambda: table.snapshot().troubles)[0].kind == "camera-lost"
        assert table.session.command(Play(seat=1, action=Nothing(seat=1))).ok
        until(lambda: camera.asked == 3)
    finally:
        table.close()


def test_the_join_address_is_short_enough_for_the_oled():
    assert join_url("0.0.0.0", 8080).isupper()  # noqa: S104
    assert len(join_url("192.168.178.123", 80)) <= 25
