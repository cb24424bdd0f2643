"""Picture files, what the command line reads from them, and the picture that people are shown."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.codes import Code
from companion.eye.mat import Rect
from companion.eye.overlay import HATCH, PIECE, Colour, draw
from companion.eye.pictures import PictureError, load
from companion.eye.read_images import read_image
from companion.eye.view import Gray
from tests.eye.tables import Card, Session, Table, test_mat


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    table = Table(test_mat(), [Card("001", 61, 100), Card("002", 134, 97, 90), Card("003", 287, 100, letters="KC")])
    path = tmp_path_factory.mktemp("photographs") / "table.jpg"
    assert cv2.imwrite(str(path), table.picture())
    return path


def test_an_image_gives_every_code_with_its_corners(photograph: Path) -> None:
    result = read_image(photograph)
    assert result["image"] == str(photograph)
    assert result["ms"] > 0
    codes = [(one["code"], one["piece"], one["face"]) for one in result["sightings"]]
    assert codes == sorted(
        2 * [(str(Code(game, piece, "F")), piece, "F") for game, piece in (("FC", "001"), ("FC", "002"), ("KC", "003"))]
    )
    table = Table(test_mat())
    first = [one["corners"] for one in result["sightings"] if one["piece"] == "001"]
    corner = table.to_px(61 - 31.5 + 4.5, 100 - 44 + 4.5)
    assert min(np.abs(np.array(corners[0]) - corner).max() for corners in first) < 1.5


def test_only_one_decks_codes_are_given_if_asked(photograph: Path) -> None:
    result = read_image(photograph, letters="FC")
    assert {one["piece"] for one in result["sightings"]} == {"001", "002"}
    assert result["ignored"] == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "is not there"),
        (b"", "is empty"),
        (b"no picture at all", "is not a picture"),
        (b"\x89PNG\r\n\x1a\nbroken", "is cut short"),
    ],
)
def test_a_bad_file_gives_a_sentence(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "bad.png"
    if content is not None:
        path.write_bytes(content)
    result = read_image(path)
    assert set(result) == {"image", "error"}
    assert sentence in result["error"]


def test_a_truncated_photograph_is_not_read_as_half_a_table(photograph: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.jpg"
    path.write_bytes(photograph.read_bytes()[:-9000])
    with pytest.raises(PictureError, match=r"half\.jpg is cut short"):
        load(path)


def in_colour(picture: Gray, colour: Colour) -> int:
    """Count the pixels that are nearly of a colour (lines and letters are blended with what is below)."""
    return int((np.abs(picture.astype(int) - np.array(colour)).max(axis=2) < 70).sum())


def test_the_drawn_picture_shows_pieces_and_covered_zones() -> None:
    watched = Session(Table(test_mat(), [Card("001", 61, 100)]), reference=True)
    assert draw(watched.eye) is None
    watched.run(12)
    watched.table.hands = [(200, 110, -80)]
    watched.run(4)
    assert "row" in watched.view.covered
    picture = draw(watched.eye, lambda placement: f"Karte {placement.piece} – grün", width=700)
    assert picture is not None
    assert picture.shape == (394, 700, 3)
    assert in_colour(picture, PIECE) > 100
    assert in_colour(picture, HATCH) > 100


def test_before_the_mat_is_found_the_trouble_is_written_into_the_picture() -> None:
    watched = Session(Table(test_mat(), covers=[(-50, -50, 500, 400)]))
    watched.run(3)
    picture = draw(watched.eye, width=600)
    assert picture is not None
    assert in_colour(picture, HATCH) > 20


def test_evidence_is_cut_out_of_the_last_frame() -> None:
    watched = Session(Table(test_mat(), [Card("001", 61, 100)]))
    assert watched.eye.crop("pile") is None
    watched.run(8)
    zone = watched.eye.crop("pile", margin=0)
    piece = watched.eye.crop(watched.view.placements[0])
    rect = watched.eye.crop(Rect(40, 60, 30, 30))
    assert zone is not None
    assert piece is not None
    assert rect is not None
    scale = 960 / (360 * 1.08)
    assert zone.shape[0] == pytest.approx(100 * scale, abs=3)
    assert zone.shape[1] == pytest.approx(70 * scale, abs=3)
    assert watched.eye.crop(Rect(5000, 5000, 10, 10)) is None
    with pytest.raises(KeyError):
        watched.eye.crop("no such zone")
