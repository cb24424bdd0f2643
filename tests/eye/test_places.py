"""Codes to pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from companion.codes import BACK, Code
from companion.eye.geometry import Calibration, calibrate, corners_mm
from companion.eye.mat import CodePlace, Rect, Shape
from companion.eye.places import (
    CodeBook,
    Pile,
    Pose,
    angle_between,
    code_poses,
    find_pieces,
    known_piles,
    measured_height,
)
from companion.eye.reader import sighting
from companion.eye.view import Sighting
from tests.eye.lenses import RealCamera
from tests.eye.tables import test_mat
from tests.eye.test_lenses import large_mat

CARD = Shape(
    "card",
    63.0,
    88.0,
    (
        CodePlace("F", 15.5, 15.5, 22.0),
        CodePlace("F", 47.5, 72.5, 22.0, 180.0),
        CodePlace("B", 15.5, 15.5, 22.0),
        CodePlace("B", 47.5, 72.5, 22.0, 180.0),
    ),
)
LOPSIDED = Shape(
    "board",
    100.0,
    60.0,
    (CodePlace("F", 20.0, 20.0, 20.0), CodePlace("F", 80.0, 20.0, 20.0, 90.0), CodePlace("G", 50.0, 45.0, 15.0)),
)
BOOK = CodeBook("FC", {"001": CARD, "002": CARD, BACK: CARD, "00A": LOPSIDED}, {"001": "Red star"})
TWO_PX = Calibration(
    (1000, 600),
    np.linalg.inv(np.array([[2, 0, 0], [0, 2, 0], [0, 0, 1.0]]))
    @ np.array([[np.hypot(1000, 600) / 2, 0, 499.5], [0, np.hypot(1000, 600) / 2, 299.5], [0, 0, 1]]),
)
"""A camera straight above, two pixels a millimetre."""


def shown(piece: str, face: str, pose: Pose, index: int, shape: Shape = CARD, letters: str = "FC") -> Sighting:
    corners = TWO_PX.to_px(pose.code_quad(shape.codes[index], shape))
    return sighting(str(Code(letters, piece, face)), np.asarray(corners, dtype=np.float64), "test")


def near(pose: Pose, x: float, y: float, rotation: float) -> bool:
    return abs(pose.x - x) < 0.01 and abs(pose.y - y) < 0.01 and angle_between(pose.rotation, rotation) < 0.01


@pytest.mark.parametrize("rotation", [0, 33, 90, 180, 271])
@pytest.mark.parametrize("index", [0, 1])
def test_one_code_gives_the_cards_centre_whichever_corner_it_is_in(rotation: float, index: int) -> None:
    (found,), strays = find_pieces(
        [shown("001", "F", Pose(120, 80, rotation), index)], BOOK, TWO_PX, lambda piece, pose: rotation
    )
    assert near(found.pose, 120, 80, rotation)
    assert found.codes.keys() == {index}
    assert strays == []


def test_both_codes_of_a_card_make_one_piece() -> None:
    codes = [shown("001", "F", Pose(120, 80, 10), index) for index in (0, 1)]
    (found,), _ = find_pieces(codes, BOOK, TWO_PX)
    assert near(found.pose, 120, 80, 10)
    assert found.codes.keys() == {0, 1}


def test_a_card_that_looks_the_same_upside_down_takes_the_rotation_that_is_likelier_there() -> None:
    codes = [shown("001", "F", Pose(120, 80, 10), index) for index in (0, 1)]
    (found,), _ = find_pieces(codes, BOOK, TWO_PX, lambda piece, pose: 180.0)
    assert near(found.pose, 120, 80, 190)


def test_a_card_with_codes_at_odd_places_needs_no_hint() -> None:
    for index in range(3):
        pose = Pose(200, 120, 75)
        sightings = [shown("00A", LOPSIDED.codes[i].face, pose, i, LOPSIDED) for i in (index, (index + 1) % 3)]
        (found,), _ = find_pieces(sightings, BOOK, TWO_PX, lambda piece, pose: 180.0)
        assert near(found.pose, 200, 120, 75)


def test_backs_side_by_side_and_overlapping_are_told_apart() -> None:
    poses = [Pose(60, 100, 0), Pose(91, 100, 2), Pose(122, 101, -3), Pose(300, 200, 90)]
    sightings = [shown(BACK, "B", pose, 2) for pose in poses] + [shown(BACK, "B", poses[3], 3)]
    found, _ = find_pieces(sightings, BOOK, TWO_PX)
    assert len(found) == 4
    for pose in poses:
        assert min(pose.distance(piece.pose) for piece in found) < 0.01


def test_the_same_front_at_two_places_is_found_twice() -> None:
    found, _ = find_pieces([shown("001", "F", Pose(x, 80, 0), 0) for x in (60, 200)], BOOK, TWO_PX)
    assert sorted(round(piece.pose.x) for piece in found) == [60, 200]


def test_codes_of_other_decks_unknown_pieces_and_menus_are_strays() -> None:
    menu = sighting("https://menu", TWO_PX.to_px(Pose(50, 50, 0).code_quad(CARD.codes[0], CARD)), "test")  # type: ignore[arg-type]
    sightings = [shown("001", "F", Pose(60, 80, 0), 0, letters="KC"), shown("0ZZ", "F", Pose(160, 80, 0), 0), menu]
    found, strays = find_pieces(sightings, BOOK, TWO_PX)
    assert found == []
    assert [stray.code and stray.code.game for stray in strays] == ["KC", "FC", None]


def test_a_code_of_quite_another_size_is_no_card() -> None:
    small = CodePlace("F", 15.5, 15.5, 8.0)
    corners = TWO_PX.to_px(Pose(60, 80, 0).code_quad(small, CARD))
    found, _ = find_pieces([sighting(str(Code("FC", "001", "F")), corners, "test")], BOOK, TWO_PX)  # type: ignore[arg-type]
    assert found == []


def test_the_book_knows_its_payloads_and_its_words() -> None:
    assert str(Code("FC", "00A", "G")) in BOOK.payloads()
    assert str(Code("FC", BACK, "B")) in BOOK.payloads()
    assert (BOOK.words("001"), BOOK.words("002"), BOOK.words(BACK)) == ("Red star", "card 002", "a card back")


# ------------------------------------------------------------------------------------------------------------- heights


@cache
def tilted() -> tuple[RealCamera, Calibration]:
    camera = RealCamera(large_mat(), fov=75, tilt=35, azimuth=180, bend=(-0.05, 0.0, 0.0, 0.0))
    rng = np.random.default_rng(2)
    at = camera.placed()
    seen = {m.id: camera.project(corners_mm(m), 0.0, *at) + rng.normal(0, 0.15, (4, 2)) for m in camera.mat.markers}
    found = calibrate(seen, camera.mat, camera.size)
    assert found is not None
    return camera, found


def raised(piece: str, face: str, pose: Pose, z: float, *indices: int, noise: float = 0.0) -> list[Sighting]:
    camera, _ = tilted()
    rng = np.random.default_rng(3)
    return [
        sighting(
            str(Code("FC", piece, face)),
            camera.project(pose.code_quad(CARD.codes[index], CARD), z, *camera.placed()) + rng.normal(0, noise, (4, 2)),
            "test",
        )
        for index in indices
    ]


PILE = Rect(804.0, 202.0, 84.0, 102.0)
"""A pile's zone at the mat's far edge."""

TOP = Pose(847.0, 251.0, 2.0)
FULL = 79 * 0.3
"""The height of a pile of 80 cards."""


@pytest.mark.parametrize("codes", [(2,), (3,), (2, 3)])
def test_the_top_of_a_known_pile_is_put_where_it_is(codes: tuple[int, ...]) -> None:
    sightings = raised(BACK, "B", TOP, FULL, *codes, noise=0.3)
    (found,), _ = find_pieces(sightings, BOOK, tilted()[1], piles=[Pile(PILE, FULL)])
    assert found.height == FULL
    assert found.pose.distance(TOP) > 15, "in the mat's plane it appears elsewhere"
    assert found.lies.distance(TOP) < 3
    assert found.lies.turned_by(TOP) < 2 or found.lies.turned_by(TOP) > 178
    assert PILE.holds(found.lies.x, found.lies.y)


def test_two_codes_show_that_a_card_is_raised_though_nobody_knows_of_a_pile() -> None:
    (found,), _ = find_pieces(raised("001", "F", TOP, FULL, 0, 1), BOOK, tilted()[1])
    assert found.height == pytest.approx(FULL, abs=3)
    assert found.lies.distance(TOP) < 3


def test_one_code_cannot_tell_a_height() -> None:
    (found,), _ = find_pieces(raised("001", "F", TOP, FULL, 0), BOOK, tilted()[1])
    assert found.height == 0
    assert found.lies == found.pose


@pytest.mark.parametrize("x", [846.0, 700.0, 300.0])
def test_a_card_on_the_mat_is_not_lifted_by_a_pile_elsewhere(x: float) -> None:
    there = Pose(x, 90.0, 0.0)
    (found,), _ = find_pieces(
        raised("001", "F", there, 0.0, 0, 1, noise=0.3), BOOK, tilted()[1], piles=[Pile(PILE, FULL)]
    )
    assert found.height == 0
    assert found.lies.distance(there) < 0.5


def test_two_codes_tell_that_a_pile_is_no_longer_there() -> None:
    flat = Pose(*PILE.centre, 0.0)
    (found,), _ = find_pieces(raised("001", "F", flat, 0.0, 0, 1), BOOK, tilted()[1], piles=[Pile(PILE, 40.0)])
    assert found.height == 0


def centres(codes: Mapping[int, Sighting], calibration: Calibration) -> dict[int, tuple[float, float]]:
    """Return where on the mat (mm) a piece's codes appear."""
    poses = code_poses(tuple(codes.values()), calibration)
    return {index: (pose[0], pose[1]) for index, pose in zip(codes, poses, strict=True)}


def test_the_height_measured_has_an_honest_doubt() -> None:
    calibration = tilted()[1]
    for z in (0.0, 10.0, 25.0):
        (found,), _ = find_pieces(raised("001", "F", TOP, z, 0, 1, noise=0.5), BOOK, calibration)
        measured = measured_height(centres(found.codes, calibration), CARD, calibration)
        assert measured is not None
        assert abs(measured[0] - z) < 3 * measured[1]
        assert measured[1] < 8
    (piece,), _ = find_pieces(raised("001", "F", TOP, 10.0, 0), BOOK, calibration)
    assert measured_height(centres(piece.codes, calibration), CARD, calibration) is None


def test_piles_are_known_by_their_number_of_cards() -> None:
    mat = test_mat()
    (pile,) = known_piles(mat, {"pile": 11, "row": 5})
    assert (pile.rect, pile.height) == (mat.zone("pile").rect, pytest.approx(3.0))
    assert known_piles(mat, {"pile": 1}) == ()
    assert known_piles(mat, {"pile": 11}, thick=0.5)[0].height == pytest.approx(5.0)


@pytest.mark.parametrize("rotation", [0.0, 30.0, 90.0, 181.0, 359.0])
def test_a_piece_reaches_as_far_as_its_outline_which_nobody_can_change(rotation: float) -> None:
    shape, pose = Shape("card", 60.0, 90.0, ()), Pose(100.0, 50.0, rotation)
    outline = pose.outline(shape)
    corners = ((0, 0), (60, 0), (60, 90), (0, 90))
    assert outline == pytest.approx(np.array([pose.point(x, y, shape) for x, y in corners]))
    assert pose.bounds(shape) == (*outline.min(axis=0), *outline.max(axis=0))
    with pytest.raises(ValueError, match="read-only"):
        outline[0] = 0
