"""Picture files, what the command line reads from them, and the picture that people are shown."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.codes import Code
from companion.eye import read_images
from companion.eye.mat import Rect
from companion.eye.overlay import HATCH, PIECE, Colour, draw
from companion.eye.pictures import PictureError, decode, jpeg, load
from companion.eye.places import angle_between
from companion.eye.read_images import READERS, Deck, ImageReader, ReadError
from companion.eye.view import Gray
from tests.eye.tables import Card, Session, Table, back, book, test_mat
from tests.nights import at_night


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    table = Table(test_mat(), [Card("001", 61, 100), Card("002", 134, 97, 90), Card("003", 287, 100, letters="KC")])
    path = tmp_path_factory.mktemp("photographs") / "table.jpg"
    assert cv2.imwrite(str(path), table.picture())
    return path


def test_a_packed_picture_keeps_its_colours() -> None:
    picture = np.zeros((16, 32, 3), np.uint8)
    picture[:, :16] = 220, 60, 30
    _, again = decode(jpeg(picture, 90), "red.jpg")
    assert np.abs(again[:, 4:12].astype(int) - (220, 60, 30)).max() < 12
    assert decode(jpeg(picture[..., 0], 90), "gray.jpg")[0].shape == (16, 32)


def test_an_image_gives_every_code_with_its_corners(photograph: Path) -> None:
    result = ImageReader().read(photograph)
    assert result["image"] == str(photograph)
    assert result["ms"] > 0
    codes = [(seen["code"], seen["piece"], seen["face"]) for seen in result["sightings"]]
    assert codes == sorted(
        2 * [(str(Code(game, piece, "F")), piece, "F") for game, piece in (("FC", "001"), ("FC", "002"), ("KC", "003"))]
    )
    table = Table(test_mat())
    first = [seen["corners"] for seen in result["sightings"] if seen["piece"] == "001"]
    corner = table.to_px(61 - 31.5 + 4.5, 100 - 44 + 4.5)
    assert min(np.abs(np.array(corners[0]) - corner).max() for corners in first) < 1.5


def test_only_one_decks_codes_are_given_if_asked(photograph: Path) -> None:
    result = reader_of(None).read(photograph)
    assert {seen["piece"] for seen in result["sightings"]} == {"001", "002"}
    assert result["ignored"] == 2


def decks(*sizes: float) -> list[Deck]:
    """Prints of the test's deck whose codes are so large (mm)."""
    found = []
    for size in sizes or (22.0,):
        mat = test_mat()
        [shape] = mat.shapes
        codes = tuple(msgspec.structs.replace(code, size=size) for code in shape.codes)
        mat = msgspec.structs.replace(mat, shapes=(msgspec.structs.replace(shape, codes=codes),))
        found.append(Deck(mat, book(mat)))
    return found


@functools.cache
def reader_of(which: str | None, *sizes: float) -> ImageReader:
    """A reader for several tests: drawing the codes of its deck takes a second."""
    return ImageReader(decks(*sizes), which)


LAID = [Card("001", 61, 100), Card("002", 134, 97, 90), back(287, 100, 181)]
CODES = sorted([(card.piece, card.face) for card in LAID] * 2)


def small(**how: float) -> Gray:
    """A picture with a module and a half a pixel, in which no library reads anything."""
    return Table(test_mat(), LAID, size=(560, 315), **how).picture()  # type: ignore[arg-type]


def codes_in(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((seen["piece"], seen["face"]) for seen in answer["sightings"])


@pytest.mark.parametrize("how", [{}, {"tilt": 30.0}, {"lens": -0.12}, {"turn": 4.0, "lens": 0.06}], ids=str)
def test_with_the_mat_the_deck_is_read_where_libraries_read_nothing_and_placed(how: dict[str, float]) -> None:
    picture = small(**how)
    assert reader_of("libraries").read_picture(picture, "")["sightings"] == []
    answer = reader_of("deck").read_picture(picture, "small")
    assert codes_in(answer) == CODES
    assert answer["markers"] >= 4
    assert [(piece["piece"], piece["faces"], piece["zone"]) for piece in answer["pieces"]] == [
        ("000", ["B"], "loose"),
        ("001", ["F"], "pile"),
        ("002", ["F"], "row"),
    ]
    for piece, card in zip(answer["pieces"], [LAID[2], *LAID[:2]], strict=True):
        assert math.dist((piece["x"], piece["y"]), (card.x, card.y)) < 1.5
        # The cards look the same upside down.
        assert angle_between(2 * piece["rotation"], 2 * card.rotation) < 4
    assert answer["pieces"][1]["name"] == "card 001"


def test_the_codes_sizes_tell_which_print_lies_there() -> None:
    answer = reader_of("deck", 15.0, 22.0).read_picture(small(), "small")
    assert codes_in(answer) == CODES
    assert len(answer["pieces"]) == 3
    assert math.dist((answer["pieces"][1]["x"], answer["pieces"][1]["y"]), (61, 100)) < 1.5


@pytest.mark.parametrize(("tilt", "scale"), [(0.0, 1.0), (25.0, 1.0), (0.0, 2.2), (25.0, 2.2), (0.0, 8.0)])
def test_without_a_mat_a_few_cards_are_read_at_any_size_and_from_the_side(tilt: float, scale: float) -> None:
    table = Table(test_mat(), LAID, size=(560, 315), tilt=tilt)
    left, top = (round(value) for value in table.to_px(24, 40))
    right, low = (round(value) for value in table.to_px(336, 158))
    crop = cv2.resize(table.picture()[top:low, left:right], None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    answer = reader_of("deck", 15.0, 22.0).read_picture(np.asarray(crop, dtype=np.uint8), "crop")
    assert codes_in(answer) == CODES
    assert answer["markers"] == 0
    assert "pieces" not in answer


@pytest.mark.parametrize("size", [(120, 160), *at_night(((240, 320),))])
def test_nothing_is_read_in_noise(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, size).astype(np.uint8)
    answer = reader_of(None).read_picture(noise, "noise")
    assert (answer["sightings"], answer["markers"], answer["ignored"]) == ([], 0, 0)


@pytest.mark.parametrize(
    ("reader", "read_by"),
    [
        ("deck", {"deck"}),
        ("zxing-cpp", {"zxing-cpp"}),
        ("pyzbar", {"pyzbar"}),
        ("libraries", {"zxing-cpp"}),
        ("all", {"deck"}),
        (None, {"deck"}),
    ],
)
def test_the_reader_can_be_chosen(photograph: Path, reader: str | None, read_by: set[str]) -> None:
    answer = reader_of(reader).read(photograph)
    assert {seen["reader"] for seen in answer["sightings"]} == read_by
    assert len(answer["pieces"]) == 2


def test_a_reader_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReadError, match="there is no reader called zbar; there are: deck, zxing-cpp"):
        ImageReader(decks(), "zbar")
    with pytest.raises(ReadError, match="name the game with --game"):
        ImageReader((), "deck")
    monkeypatch.setattr(read_images, "libraries", lambda: {"zxing-cpp": True, "pyzbar": False})
    with pytest.raises(ReadError, match="pyzbar is not installed here"):
        ImageReader((), "pyzbar")
    assert {"zxing-cpp", "pyzbar"} < set(READERS)


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
    result = ImageReader().read(path)
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
