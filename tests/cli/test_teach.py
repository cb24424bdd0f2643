"""`companion teach` takes a deck's faces from a folder of pictures of a table."""

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from companion import games
from companion.cli import teach
from companion.cli.main import cli
from companion.codes import BACK
from companion.devices.cameras import FolderCamera
from companion.eye.faces import storing
from companion.sim.table import SimTable
from companion.table.factory import simulated_camera

GAME = "collectible"
PLACES = ((200, 150), (400, 150), (600, 150), (200, 350))


@pytest.fixture(scope="module")
def cards():
    """The first cards of the game that do not look like others, in the deck's order."""
    return [card for card in games.load(GAME).deck.cards if card.kind != "token"][:3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, cards):
    """Three pictures: the empty mat, a back with two cards, one of these again with the third."""
    made = tmp_path_factory.mktemp("pictures")
    game = games.load(GAME)
    mat = games.load_mat(GAME, game.info.seats[1])
    first, second, third = (card.piece for card in cards)
    for number, laid in enumerate(([], [(first, "B"), (first, "F"), (second, "F")], [(second, "F"), (third, "F")])):
        table = SimTable(1)
        for n, ((x, y), (piece, face)) in enumerate(zip(PLACES, laid, strict=False)):
            table.put(f"{piece}" if face == "F" else third, face, x, y, float(n))
        camera = simulated_camera(game, mat, table, codes=False, seed=2, colour_width=2304)
        picture = camera.shoot().colour
        assert cv2.imwrite(str(made / f"{number}.png"), np.ascontiguousarray(picture[..., ::-1]))
    return made


@pytest.fixture
def owner(tmp_path, monkeypatch):
    monkeypatch.setattr(storing, "owner_dir", lambda: tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli, ["teach", *arguments])


@pytest.mark.night
def test_cards_are_taken_under_the_names_of_the_game_and_a_second_one_is_noticed(folder, cards, owner):
    done = run("mine", "--game", GAME, "--camera", str(folder))
    assert done.exit_code == 0, done.output
    deck = storing.load("mine")
    assert [face.name for face in deck.faces] == ["the back", *(card.title for card in cards)]
    assert [face.pieces[0] for face in deck.faces] == [BACK, *(card.piece for card in cards)]
    assert deck.game == GAME
    assert f"2: (known) {cards[1].title} has been taught already." in done.output
    assert "4 faces are taught, " in done.output


@pytest.mark.night
def test_what_was_taught_is_kept_and_the_lesson_goes_on(folder, cards, owner, tmp_path):
    for number in (0, 1):
        (tmp_path / "few").mkdir(exist_ok=True)
        (tmp_path / "few" / f"{number}.png").write_bytes((folder / f"{number}.png").read_bytes())
    run("mine", "--game", GAME, "--camera", str(tmp_path / "few"))
    assert len(storing.load("mine").faces) == 3
    done = run("mine", "--game", GAME, "--camera", str(folder))
    assert len(storing.load("mine").faces) == 4
    assert f"2: {cards[2].title}" in done.output


@pytest.mark.night
def test_without_a_game_a_deck_is_measured_and_named_from_a_list(folder, owner, tmp_path, monkeypatch):
    # The pictures show the game's own mat.
    monkeypatch.setattr(games, "load_neutral_mat", lambda name, seats: games.load_mat(GAME, seats))
    (tmp_path / "names.txt").write_text("the fool\n\nthe magician\n", encoding="utf-8")
    done = run("mine", "--camera", str(folder), "--names", str(tmp_path / "names.txt"))
    deck = storing.load("mine")
    # A card's shadow is measured with it.
    assert (deck.w, deck.h) == pytest.approx((63, 88), abs=2.5)
    assert [(face.name, face.pieces) for face in deck.faces] == [("the fool", ("001",)), ("the magician", ("002",))]
    assert "1: (over) All cards have been taught; this is another one." in done.output


@pytest.mark.night
def test_a_live_camera_is_looked_at_when_people_say_that_all_lies(folder, cards, owner, monkeypatch):
    class Live(FolderCamera):
        live = True

    monkeypatch.setattr(teach, "open_camera", lambda spec: Live(folder, hold=0.5))
    done = CliRunner().invoke(cli, ["teach", "mine", "--game", GAME], input="\n\nq\n")
    assert done.exit_code == 0, done.output
    assert [face.name for face in storing.load("mine").faces] == ["the back", cards[0].title, cards[1].title]
    assert "Lay cards, the back first" in done.output


def test_what_cannot_be_done_is_said_in_a_sentence(owner, tmp_path):
    assert "is no name for a deck" in run("My Deck").output
    assert "can't be read" in run("mine", "--names", str(tmp_path / "none.txt")).output
    assert "No camera is called" in run("mine", "--camera", str(tmp_path / "none")).output
