"""The camera's pages: what is seen and how well, telling what lies at a place, and where the zones are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion import games
from companion.eye.eye import Eye
from companion.eye.faces import storing
from companion.eye.faces.asking import Answered, Doubt
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.eye.faces.likeness import FaceBook
from companion.eye.mat import Rect
from companion.eye.places import Pose
from companion.eye.view import Frame
from companion.games import custom_board as board
from companion.server.app import create_app, shut
from companion.table.camera_loop import CameraLoop
from tests.server.desks import GAME, MatchDesk
from tests.server.eyes import GOAL, LEAF, MOON, STAR, EyeDesk
from tests.server.phones import be_host, flat, text_of


@pytest.fixture(scope="module")
def table() -> Iterator[EyeDesk]:
    desk = EyeDesk()
    yield desk
    desk.close()


@pytest.fixture
def desk(table: EyeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EyeDesk:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    table.forget()
    return table


@pytest.fixture
def client(desk: EyeDesk) -> Iterator[FlaskClient]:
    app = create_app(desk)
    yield app.test_client()
    shut(app)


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    be_host(client)
    return client


def middle(desk: EyeDesk, zone: str) -> dict[str, Any]:
    x, y = desk.mat.zone(zone).rect.centre
    return {"x": x, "y": y}


# ---------------------------------------------------------------------------------------------------- what is seen


def test_the_page_is_the_hosts_and_there_is_none_without_a_camera(desk: EyeDesk, client_of: Any) -> None:
    client = client_of(MatchDesk())
    assert "the host's" in text_of(client.get("/host/eye").text)
    assert client.get("/host/eye").status_code == 403
    assert client.post("/host/zones", data={"do": "printed"}).status_code == 403
    assert client.post("/host/eye/tell", data={"x": 1, "y": 1, "what": "nothing"}).status_code == 403
    be_host(client)
    for path in ("/host/eye", "/host/eye.jpg", "/host/zones", "/cards/test"):
        assert client.get(path).status_code == 404
        assert "No camera watches here" in client.get(path).text


def test_it_says_what_is_seen_and_how_well(client: FlaskClient) -> None:
    words = text_of(client.get("/host/eye").text)
    assert "The camera sees the table well." in words
    assert "Markers 24 of 24" in words
    assert re.search(r"Pixels a module 1\.\d( to 1\.\d)? 1\.4 needed", words)
    assert "7 are read" in words or "8 are read" in words
    assert "Red star the discard pile" in words
    assert "Blue moon Seat 1's collection" in words
    assert "style=" not in client.get("/host/eye").text
    assert text_of(client.get("/host/eye/now").text) in words


def test_the_pictures_are_there(client: FlaskClient) -> None:
    for path in ("/host/eye.jpg", "/host/board.jpg"):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
        assert answer.data[:2] == b"\xff\xd8"


def test_before_the_first_picture_it_says_so(client_of: Any, desk: EyeDesk) -> None:
    blind = EyeDesk.__new__(EyeDesk)
    blind.__dict__.update(desk.__dict__)

    class Nothing:
        def look(self) -> None:
            return None

        def cards(self) -> tuple[()]:
            return ()

    blind.session = blind
    blind.sight = Nothing()  # type: ignore[assignment]
    blind.close = lambda: None  # type: ignore[method-assign]
    assert "There is no picture" in client_of(blind).get("/host/eye").text


# ------------------------------------------------------------------------------------------------------- pointing


def test_a_place_in_the_picture_is_named(desk: EyeDesk, client: FlaskClient) -> None:
    known = desk.eye.calibration
    assert known is not None
    (px, py), (bare_px, bare_py) = known.to_px([desk.mat.zone("discard").rect.centre, (700.0, 253.0)])
    wide, high = known.size
    there = client.get(f"/host/eye/spot?u={px / wide}&v={py / high}").text
    assert "Red star lies here, I think" in text_of(there)
    assert "The discard pile" in text_of(there)
    bare = text_of(client.get(f"/host/eye/spot?u={bare_px / wide}&v={bare_py / high}").text)
    assert "Nothing lies here, I think" in bare
    assert "Beside the zones; the nearest: Seat 1's collection, the used specials" in bare
    assert "beside the mat" in text_of(client.get("/host/eye/spot?u=0&v=0").text)
    assert text_of(client.get("/host/eye/spot?u=nan&v=1").text) == ""


def test_cards_are_found_by_words_in_any_order(desk: EyeDesk, client: FlaskClient) -> None:
    page = client.get("/host/eye", query_string={**middle(desk, "discard"), "q": "moon BLUE"}).text
    assert re.findall(r'name="piece" value="(\w+)"', page) == [MOON]
    none = client.get("/host/eye", query_string={**middle(desk, "discard"), "q": "purple cow"}).text
    assert "No card has these words." in none


def test_what_is_told_counts_in_the_match_until_a_hand_comes(desk: EyeDesk, client: FlaskClient) -> None:
    assert desk.matched() == {STAR: "discard", GOAL: "goal.1", MOON: "collection.1", LEAF: "collection.1"}
    told = client.post("/host/eye/tell", data={**middle(desk, "discard"), "what": "is", "piece": "01B"})
    assert told.status_code == 303
    assert "counts until a hand comes there" in text_of(client.get(told.location).text)
    assert desk.matched()["01B"] == "discard"
    assert STAR not in desk.matched()
    page = text_of(client.get("/host/eye").text)
    assert "the discard pile · you said so" in page

    client.post("/host/eye/tell", data={**middle(desk, "goal.1"), "what": "nothing"})
    client.post("/host/eye/tell", data={**middle(desk, "used"), "what": "down"})
    assert desk.matched() == {"01B": "discard", "000": "used", MOON: "collection.1", LEAF: "collection.1"}
    assert "Forget my correction" in client.get("/host/eye", query_string=middle(desk, "goal.1")).text

    desk.table.reach(*desk.mat.zone("discard").rect.centre, (450.0, 700.0), seconds=0.6)
    for _ in range(30):
        desk.table.advance(0.1)
        desk.watch(0.1)
    assert desk.matched()[STAR] == "discard"
    assert "01B" not in desk.matched()


def test_a_correction_is_forgotten(desk: EyeDesk, client: FlaskClient) -> None:
    client.post("/host/eye/tell", data={**middle(desk, "discard"), "what": "nothing"})
    assert STAR not in desk.matched()
    number = desk.told.corrections[0].n
    assert client.post("/host/eye/forget", data={"n": number}).status_code == 303
    assert desk.matched()[STAR] == "discard"
    again = client.post("/host/eye/forget", data={"n": number})
    assert "A hand has been there" in text_of(client.get(again.location).text)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"what": "is", "piece": STAR}, "Point at a place"),
        ({"x": 450, "y": 250, "what": "is", "piece": "zzz"}, "no such card"),
        ({"x": 450, "y": 250, "what": "eaten"}, "say what lies there"),
        ({"x": "inf", "y": 250, "what": "nothing"}, "Point at a place"),
    ],
)
def test_what_makes_no_sense_is_turned_down(client: FlaskClient, data: dict[str, Any], says: str) -> None:
    answer = client.post("/host/eye/tell", data=data)
    assert answer.status_code in (400, 409)
    assert says in answer.text
    foreign = client.post("/host/eye/tell", data=data, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403


# ------------------------------------------------------------------------------------------------------- the zones


def fields(page: str) -> dict[str, Any]:
    """Read the form of the zones as a browser would send it."""
    found: dict[str, Any] = {}
    page = flat(page)
    for name, value in re.findall(r'<input type="number" name="([^"]+)" value="([^"]*)"', page):
        found[name] = value
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', page, re.S):
        found[name] = re.findall(r'value="(\d+)" selected', options)[0]
    found["marker"] = re.findall(r'name="marker" value="(\d+)"', page)
    return found


def test_zones_that_are_kept_unchanged_change_nothing(host: FlaskClient) -> None:
    form = fields(host.get("/host/zones").text)
    assert len(form["marker"]) == 24
    assert host.post("/host/zones", data={**form, "do": "keep"}).status_code == 303
    assert not board.file_of(GAME).exists()


def test_a_moved_zone_is_kept_for_the_next_match_and_can_go_back(desk: EyeDesk, host: FlaskClient) -> None:
    form = {**fields(host.get("/host/zones").text), "do": "keep", "deck:x": "290,5", "deck:rotation": "180"}
    kept = host.post("/host/zones", data=form)
    assert kept.status_code == 303
    assert "the next match uses them" in text_of(host.get(kept.location).text)
    mat = games.load_mat(GAME, 3)
    assert (mat.zone("deck").rect, mat.zone("deck").rotation) == (Rect(290.5, 202.0, 84.0, 102.0), 180.0)
    assert desk.mat.zone("deck").rect.x == 300.0
    assert 'value="290.5"' in host.get("/host/zones").text
    assert host.post("/host/zones", data={"do": "printed"}).status_code == 303
    assert games.load_mat(GAME, 3) == desk.mat


def test_what_is_wrong_is_said_and_what_was_typed_stays(host: FlaskClient) -> None:
    form = {**fields(host.get("/host/zones").text), "do": "keep", "deck:x": "380", "goal.1:w": "wide"}
    refused = host.post("/host/zones", data=form)
    assert refused.status_code == 409
    assert "is no number of millimetres" in text_of(refused.text)
    refused = host.post("/host/zones", data={**form, "goal.1:w": "70"})
    assert refused.status_code == 409
    assert "The deck and the discard pile overlap by 56 mm: move one of them." in text_of(refused.text)
    assert 'href="#f-deck"' in refused.text
    assert 'name="deck:x" value="380"' in refused.text
    assert not board.file_of(GAME).exists()


def test_markers_of_an_own_board_are_added_and_taken_away(host: FlaskClient) -> None:
    form = fields(host.get("/host/zones").text)
    added = host.post("/host/zones", data={**form, "do": "marker"})
    assert added.status_code == 200
    more = fields(added.text)
    assert len(more["marker"]) == 25
    more.update({"do": "keep", "marker 24:x": "250", "marker 24:y": "253"})
    more.update({f"marker {n}:gone": "1" for n in range(4, 20)})
    assert host.post("/host/zones", data=more).status_code == 303
    assert [marker.id for marker in games.load_mat(GAME, 3).markers] == [0, 1, 2, 3, 20, 21, 22, 23, 24]
    few = fields(host.get("/host/zones").text)
    few.update({f"marker {n}:gone": "1" for n in range(6)} | {"do": "keep"})
    assert "needs 4 markers at least" in host.post("/host/zones", data=few).text


def test_a_broken_file_is_told_and_the_printed_mat_brings_it_back(host: FlaskClient) -> None:
    file = board.file_of(GAME)
    file.parent.mkdir(parents=True)
    file.write_text("zone = 3\n")
    page = host.get("/host/zones")
    assert page.status_code == 200
    assert "delete it to go back to the printed mat" in text_of(page.text)
    host.post("/host/zones", data={"do": "printed"})
    assert not file.exists()


def test_at_a_simulated_table_a_stranger_looks_at_the_zones_and_keeps_none(desk: EyeDesk, client: FlaskClient) -> None:
    assert desk.simulated
    page = client.get("/host/zones").text
    assert "only the host moves them" in text_of(page)
    assert 'href="/host">Enter the host' in page
    assert 'action="/host/zones"' not in page
    assert 'name="do"' not in page
    file = board.file_of(GAME)
    file.parent.mkdir(parents=True)
    file.write_text("# the owner's own board\n")
    moved = {**fields(page), "deck:x": "290.5"}
    for do in ("keep", "printed", "marker"):
        refused = client.post("/host/zones", data={**moved, "do": do})
        assert (refused.status_code, "Only the host may do that" in refused.text) == (403, True)
    assert file.read_text() == "# the owner's own board\n"
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    be_host(client)
    assert "Keep this for the next match" in client.get("/host/zones").text


# ------------------------------------------------------------------------------------------------------ the test page


def test_the_test_page_says_which_cards_are_read_and_how_surely(client: FlaskClient) -> None:
    page = client.get("/cards/test").text
    for title in ("Red star", "Blue moon", "Green leaf", "Collection 1"):
        assert re.search(rf"{title} .{{0,60}} 1\.\d pixels a module Read (very )?surely", text_of(page)), title
    assert text_of(client.get("/cards/test?part=1").text) in text_of(page)


# ---------------------------------------------------------------------------------------------------- what is asked


class Learner:
    """Stands in for what reads faces: keeps what it was taught, and how the camera loop was called meanwhile."""

    def __init__(self, deck: TaughtDeck, loop: CameraLoop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.deck = self.taught = deck
        self.learnt: list[tuple[Doubt, str]] = []
        self.steps: list[tuple[str, str]] = []
        self.within = ""
        self.prepared: FaceBook | None = None
        for name in ("ask", "change"):
            monkeypatch.setattr(loop, name, self._noted(name, getattr(loop, name)))

    def _noted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(what: Any) -> Any:
            self.within = name
            try:
                return call(what)
            finally:
                self.within = ""

        return noted

    def answered(self, frame: Frame, doubt: Doubt, piece: str) -> Answered:
        self.steps.append(("answered", self.within))
        self.learnt.append((doubt, piece))
        return Answered(doubt, self.deck, self.taught, True)

    def prepare(self, plainly: Callable[[Answered], FaceBook]) -> Callable[[Answered], FaceBook]:
        def prepared(answered: Answered) -> FaceBook:
            self.steps.append(("prepare", self.within))
            return plainly(answered)

        return prepared

    def learn(self, answered: Answered, faces: FaceBook) -> bool:
        self.steps.append(("learn", self.within))
        self.prepared = faces
        return True


def test_a_card_that_is_not_sure_is_asked_about_and_one_tap_answers(
    desk: EyeDesk, host: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = desk.mat.zone("collection.2").rect.centre
    doubt = Doubt(Pose(x, y, 0.0), (LEAF, STAR, MOON))
    deck = TaughtDeck("mine", "Mine", 63, 88, (), GAME)
    learner = Learner(deck, desk.camera_loop, monkeypatch)
    monkeypatch.setattr(Answered, "prepared", learner.prepare(Answered.prepared))
    monkeypatch.setattr(Eye, "doubts", (doubt,))
    monkeypatch.setattr(desk.eye, "faces", learner)
    page = host.get("/host/eye/now").text
    assert "Is this the green leaf?" in text_of(page)
    assert f'name="piece" value="{STAR}"' in flat(page)
    picture = host.get(f"/host/eye/doubt.jpg?x={x}&y={y}")
    assert picture.data[:3] == b"\xff\xd8\xff"
    assert host.get("/host/eye/doubt.jpg?x=1&y=1").status_code == 404
    storing.save(deck)
    learner.taught = deck.with_face(TaughtFace("green leaf", (LEAF,), (np.zeros((176, 126, 3), np.uint8),)))
    told = host.post("/host/eye/tell", data={"x": x, "y": y, "what": "is", "piece": LEAF})
    assert told.status_code == 303
    assert learner.learnt == [(doubt, LEAF)]
    assert learner.steps == [("answered", "ask"), ("prepare", ""), ("learn", "change")]
    assert learner.prepared is not None
    assert learner.prepared.deck is learner.taught
    assert storing.load("mine") != deck
    assert desk.matched()[LEAF] == "collection.2"
    # What is told of another place teaches nothing.
    host.post("/host/eye/tell", data={"x": x + 200, "y": y, "what": "is", "piece": LEAF})
    assert len(learner.learnt) == 1
