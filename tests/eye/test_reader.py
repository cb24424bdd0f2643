"""Readers: payloads and corners, on all sides and without one library or the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from companion.codes import Code
from companion.eye import reader
from companion.eye.reader import Hints, LibraryReader, in_strips, merged, quad, read_zbar, read_zxing, sighting
from companion.eye.view import Gray
from tests.eye.tables import code_modules

PAYLOAD = str(Code("FC", "00B", "F"))


def scene(turn: float, module: float = 3.0, at: tuple[float, float] = (110.0, 100.0)) -> tuple[Gray, np.ndarray]:
    """One code, turned clockwise, in a picture; and its true corners."""
    card = np.full((29, 29), 255, dtype=np.uint8)
    card[4:25, 4:25] = code_modules(PAYLOAD)
    big = cv2.GaussianBlur(cv2.resize(card, None, fx=10, fy=10, interpolation=cv2.INTER_NEAREST), (0, 0), 2.0)
    a = np.deg2rad(turn)
    rotate = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * module
    move = np.column_stack([rotate / 10, np.array(at) + rotate @ np.array([0.05 - 14.5, 0.05 - 14.5])])
    picture = np.full((200, 220), 170, dtype=np.uint8)
    cv2.warpAffine(big, move, (220, 200), dst=picture, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_LINEAR)
    corners = [np.array(at) + rotate @ (np.array(p) - 10.5) for p in ((0, 0), (21, 0), (21, 21), (0, 21))]
    return picture, np.array(corners)


@pytest.mark.parametrize("turn", [0, 17, 44, 46, 90, 134, 180, 225, 270, 315])
@pytest.mark.parametrize("read", [read_zxing, read_zbar])
def test_corners_start_at_the_top_left_as_printed_and_go_clockwise(read: object, turn: int) -> None:
    picture, corners = scene(turn)
    (found,) = read(picture)  # type: ignore[operator]
    assert found.payload == PAYLOAD
    assert np.abs(quad(found) - corners).max() < 2.0


def test_the_readers_name_goes_with_what_it_read() -> None:
    picture, _ = scene(0)
    assert [seen.reader for seen in read_zxing(picture)] == ["zxing-cpp"]
    assert [seen.reader for seen in read_zbar(picture)] == ["pyzbar"]


def test_without_zxing_pyzbar_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "zxingcpp", None)
    (found,) = LibraryReader().read(scene(20)[0])
    assert (found.payload, found.reader) == (PAYLOAD, "pyzbar")


def test_without_libzbar_zxing_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "pyzbar", lambda: None)
    (found,) = LibraryReader().read(scene(20)[0], Hints(thorough=True))
    assert (found.payload, found.reader) == (PAYLOAD, "zxing-cpp")


def test_a_thorough_look_asks_pyzbar_where_zxing_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "read_zxing", lambda *_args, **_more: [])
    assert LibraryReader().read(scene(0)[0]) == []
    assert [seen.reader for seen in LibraryReader().read(scene(0)[0], Hints(thorough=True))] == ["pyzbar"]


def test_an_empty_picture_has_no_codes() -> None:
    assert LibraryReader().read(np.full((300, 300), 90, dtype=np.uint8), Hints(thorough=True)) == []
    assert LibraryReader().read(np.zeros((3, 5), dtype=np.uint8), Hints(thorough=True)) == []


def test_small_codes_are_read_because_the_picture_is_enlarged() -> None:
    picture, corners = scene(8, module=2.0)
    (found,) = LibraryReader().read(picture)
    assert np.abs(quad(found) - corners).max() < 1.5


@pytest.mark.parametrize("module", [20, 33])
def test_a_code_that_fills_a_picture_is_read_though_nobody_knows_its_size(module: int) -> None:
    """A card under a phone: larger than 350 px, and than a strip of the picture."""
    card = np.pad(np.kron(code_modules(PAYLOAD), np.ones((module, module), np.uint8)), 300, constant_values=255)
    (found,) = LibraryReader(zbar=False).read(np.asarray(cv2.GaussianBlur(card, (0, 0), 1.6), dtype=np.uint8))
    assert found.payload == PAYLOAD
    assert np.abs(quad(found)[[0, 2]] - [[299.5] * 2, [299.5 + 21 * module] * 2]).max() < module


def test_a_code_on_the_seam_of_two_strips_is_read_once() -> None:
    tall = np.full((1000, 220), 170, dtype=np.uint8)
    picture, corners = scene(5)
    tall[400:600] = picture
    tall[20:220] = picture
    with ThreadPoolExecutor(2) as pool:
        found = in_strips(tall, read_zxing, pool, overlap=160)
    assert len(found) == 2
    low = max(found, key=lambda seen: seen.corners[0][1])
    assert np.abs(quad(low) - corners - (0, 400)).max() < 1.5


def test_the_same_code_at_two_places_is_two_sightings_and_twice_at_one_place_is_one() -> None:
    square = np.array([[0.0, 0], [50, 0], [50, 50], [0, 50]])
    a, b, c = (sighting(PAYLOAD, square + shift, "x") for shift in (0.0, 3.0, 80.0))
    assert merged([a, b, c]) == [a, c]
