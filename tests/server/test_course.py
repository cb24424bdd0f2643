"""The page that looks back on a match."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.referee.colours import COLOURS
from companion.referee.commands import End, Play
from companion.rules.kernel import Shown
from companion.server.charts import BADGE, BOTTOM, CORNERS, DASHES, rungs, scores, spread
from companion.table.table import Table
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk, RollingDesk
from tests.server.phones import join, send
from tests.server.played import PlayedDesk


def test_it_begins_empty_and_tells_what_happened(client_of: Clients) -> None:
    client = client_of(MatchDesk(3))
    assert "Nothing has happened yet" in client.get("/course").get_data(as_text=True)
    join(client, 1, "<Anna>")
    send(client, {"do": "play", "seat": 1, "action": {"type": "nothing", "seat": 1}})
    page = client.get("/course").get_data(as_text=True)
    assert "&lt;Anna&gt;" in page
    assert "<Anna>" not in page
    assert client.get("/course.pdf").mimetype == "application/pdf"


def test_a_longer_match_has_a_line_for_every_seat(client_of: Clients, tmp_path: Path) -> None:
    desk = RollingDesk(tmp_path)
    page = client_of(desk).get("/course").get_data(as_text=True)
    assert page.count("<tr><th") == 4 + 1
    assert "min</td>" in page


def test_charts_have_few_round_rungs() -> None:
    assert rungs(0.0, 5.0) == [0, 1, 2, 3, 4, 5]
    assert rungs(0.0, 137.0) == [0, 20, 40, 60, 80, 100, 120]
    assert rungs(-3.0, 3.0) == [-3, -2, -1, 0, 1, 2, 3]


def test_lines_have_their_seats_colours_and_are_told_apart_without_them(tmp_path: Path) -> None:
    desk = RollingDesk(tmp_path)
    seats, seen = desk.snapshot().seats, desk.course()
    colours = dict(zip(range(1, seats + 1), COLOURS, strict=False))
    desk.close()
    assert seen.colours == colours
    drawn = str(scores(seen, "Scores of a match"))
    for seat, colour in colours.items():
        assert drawn.count(f'class="line hue-{colour}"') == 1
        assert re.search(rf'class="end hue-{colour}">.*?>{seat}</text></g>', drawn)
    dashes = re.findall(r'class="line hue-\w+" [^>]*stroke-dasharray="([^"]+)"', drawn)
    assert len(set(dashes)) == seats


def test_every_shape_of_a_badge_can_be_drawn_and_has_its_own_dashes() -> None:
    assert set(DASHES) == set(COLOURS.values())
    assert len(set(DASHES.values())) == len(DASHES)
    assert set(COLOURS.values()) - set(CORNERS) == {"circle", "arch"}


def test_badges_at_the_ends_of_lines_keep_their_order_and_do_not_overlap() -> None:
    for ends in ([100.0, 100.0, 100.0], [14.0, 15.0, 16.0, 17.0], [206.0] * 8, [30.0, 180.0]):
        placed = spread(ends)
        order = sorted(placed)
        assert all(later - one >= BADGE - 1e-6 for one, later in pairwise(order))
        assert [ends[placed.index(one)] for one in order] == sorted(ends)
        assert max(placed) <= BOTTOM
    assert spread([30.0, 180.0]) == [30.0, 180.0]


def test_who_has_played_finds_the_way_to_look_back_and_to_a_picture(client_of: Clients) -> None:
    desk = PlayedDesk("five-cards-collector", 3)
    client = client_of(desk)
    feed = client.application.extensions["companion"].feed
    assert "/course" not in feed.parts("public", feed.moment)["turn"]
    assert desk.command(End(by="host")).ok
    feed.refresh()
    for audience in ("public", "host"):
        assert 'href="/course"' in feed.parts(audience, feed.moment)["turn"]
    steer = feed.parts("host", feed.moment)["steer"]
    for wish in ("adopt", "goon", "freeze", "hint", "mode", "end"):
        assert f'"do": "{wish}"' not in steer.replace("&#34;", '"'), wish


@pytest.mark.night
def test_a_kept_match_is_looked_back_on_with_its_picture(table: Table, everybody: dict[str, FlaskClient]) -> None:
    host = everybody["host"]
    picture = f'href="/matches/{table.match.header.id}.png"'
    assert picture not in host.get("/course").text
    state = table.match.state
    wanted = next(action for action in table.session.game.legal(state) if table.session.game.needs(state, action))
    (need,) = table.session.game.needs(state, wanted)
    facts = (Shown(place=need.place, piece=min(need.pieces)),)
    assert table.session.command(Play(seat=wanted.seat, action=wanted, facts=facts, by="phone")).ok
    assert picture in host.get("/course").text
    assert host.get(f"/matches/{table.match.header.id}.png").mimetype == "image/png"
