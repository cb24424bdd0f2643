"""The photographs under fixtures: every visible code is read, none wrongly; the sequence tells legal turns."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli.watch import watch
from companion.eye.deck_reader import DeckReader
from companion.eye.geometry import MarkerFinder, calibrate
from companion.eye.reader import Hints, LibraryReader
from companion.eye.view import Frame
from companion.games import code_book, load, load_mat
from companion.games import custom_board as board
from companion.rules.layout import Exactly, Loose, Pile, Slots
from companion.table.factory import make_eye
from tests.nights import at_night, every

PHOTOS = Path(__file__).parent / "fixtures" / "photos"
COVERED = 0.03
"""A code of which more than this share is covered need not be read."""

SHOTS = [
    (place, photo)
    for place in ("four-players", "evening", "a-few-turns")
    for photo in json.loads((PHOTOS / place / "truth.json").read_text(encoding="utf-8"))["photos"]
]


@pytest.mark.parametrize(
    ("place", "photo"), every(4, SHOTS), ids=[f"{place}/{photo['image']}" for place, photo in SHOTS]
)
def test_every_visible_code_is_read_and_none_wrongly(place, photo):
    gray = cv2.imread(str(PHOTOS / place / photo["image"]), cv2.IMREAD_GRAYSCALE)
    assert [gray.shape[1], gray.shape[0]] == photo["size"]
    unread = [code for code in photo["codes"] if code["covered"] <= COVERED]
    assert unread
    there = list(photo["codes"])
    for sighting in LibraryReader().read(gray):
        middle = np.mean(sighting.corners, axis=0)
        same = [
            code
            for code in there
            if code["payload"] == sighting.payload and np.linalg.norm(np.mean(code["corners"], axis=0) - middle) < 12
        ]
        same.sort(key=lambda code: code["covered"])  # of the deck's backs the top one is seen
        assert same, f"{sighting.payload} is read at {middle}, where it is not"
        there.remove(same[0])
        if same[0] in unread:
            unread.remove(same[0])
    assert not unread, f"not read: {[code['payload'] for code in unread]}"


BAD_DAY = json.loads((PHOTOS / "bad-day" / "truth.json").read_text(encoding="utf-8"))["photos"]
GAME = load("five-cards-collector")
# The photographs show the first print: codes of 22 mm on a pale mat.
MAT = board.laid_over(load_mat("five-cards-collector", 8), board.Own(print="first"))
PAYLOADS = code_book(GAME.deck, MAT).payloads()
SIDE_MM = MAT.shapes[0].codes[0].size / 21
READER = DeckReader()


def read_as_the_eye_does(gray):
    """Find the mat, then its codes: payloads and their middles (px)."""
    size = (gray.shape[1], gray.shape[0])
    calibration = calibrate(MarkerFinder(MAT).find(gray), MAT, size)
    assert calibration is not None, "the mat is not found"
    corners = np.array([[0, 0], [size[0], 0], [*size], [0, size[1]]], dtype=np.float32)
    mm = cv2.getPerspectiveTransform(corners, calibration.to_mm(corners).astype(np.float32))
    module = calibration.px_per_mm(MAT.w / 2, MAT.h / 2) * SIDE_MM
    plane = np.diag([1 / SIDE_MM, 1 / SIDE_MM, 1.0]) @ mm
    found = READER.read(gray, Hints(module=module, plane=plane, payloads=PAYLOADS, thorough=True))
    return [(one.payload, np.mean(one.corners, axis=0)) for one in found]


@pytest.mark.parametrize("photo", every(8, BAD_DAY), ids=[photo["image"] for photo in BAD_DAY])
def test_on_a_bad_day_no_code_is_read_wrongly_and_at_most_one_that_shows_is_missed(photo):
    """Down to one pixel a module, tilted by 35°, out of focus, shaken, in the dark, under a lamp that shines back."""
    gray = cv2.imread(str(PHOTOS / "bad-day" / photo["image"]), cv2.IMREAD_GRAYSCALE)
    found = read_as_the_eye_does(gray)

    def reads(code):
        middle = np.mean(code["corners"], axis=0)
        return any(text == code["payload"] and np.linalg.norm(middle - at) < 12 for text, at in found)

    for text, at in found:
        assert any(
            text == code["payload"] and np.linalg.norm(np.mean(code["corners"], axis=0) - at) < 12
            for code in photo["codes"]
        ), f"{text} is read at {at}, where it is not"
    shows = [code for code in photo["codes"] if code["covered"] <= COVERED and code.get("mirrored", 0) <= COVERED]
    assert shows
    missed = [code["payload"] for code in shows if not reads(code)]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize(("place", "photo"), every(2, SHOTS[:2]), ids=["four-players", "evening"])
def test_at_half_the_size_the_deck_is_still_read_where_libraries_read_nothing(place, photo):
    """1.2 pixels a module: what a webcam with 1,100 pixels across sees of the large mat."""
    gray = cv2.imread(str(PHOTOS / place / photo["image"]), cv2.IMREAD_GRAYSCALE)
    small = cv2.resize(gray, None, fx=0.48, fy=0.48, interpolation=cv2.INTER_AREA)
    shows = {code["payload"] for code in photo["codes"] if code["covered"] <= COVERED}
    assert {text for text, _ in read_as_the_eye_does(small)} == shows
    assert len(LibraryReader().read(small)) <= 1


@pytest.mark.night
def test_watching_the_sequence_understands_every_action_without_a_question():
    folder = PHOTOS / "a-few-turns"
    game = load("five-cards-collector")
    setup = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
    mat = board.laid_over(load_mat("five-cards-collector", 3), board.Own(print="first"))
    lines = list(watch(game, mat, 3, {}, str(folder), setup))
    understood = [msgspec.to_builtins(line["record"]) for line in lines if "record" in line]
    told = json.loads((folder / "records.json").read_text(encoding="utf-8"))
    assert [one["action"] for one in understood] == [{**one["action"], "seat": one["seat"]} for one in told]
    assert [line for line in lines if "question" in line or "violation" in line] == []


def test_the_sequence_is_a_legal_beginning_of_a_match_and_ends_as_the_last_photograph_shows():
    folder = PHOTOS / "a-few-turns"
    game = load("five-cards-collector")
    setup = msgspec.convert(json.loads((folder / "setup.json").read_text(encoding="utf-8")), game.setup_type)
    state = game.setup(3, {}, setup)
    for line in json.loads((folder / "records.json").read_text(encoding="utf-8")):
        action = msgspec.convert({"seat": line["seat"], **line["action"]}, game.action_type)
        assert game.judge(state, action).ok, game.judge(state, action)
        assert game.needs(state, action) == (), "the table alone must tell it"
        state = game.play(state, action)
    expected = set()
    for area in game.layout(state).zones.values():
        if isinstance(area, Loose):
            expected |= area.pieces
        tops = area.places if isinstance(area, Slots) else (area.top,) if isinstance(area, Pile) else ()
        expected |= {top.piece for top in tops if isinstance(top, Exactly)}
    last = SHOTS[-1][1]
    seen = {code["piece"] for code in last["codes"] if code["covered"] <= COVERED and code["face"] == "F"}
    assert seen == expected


NEW_PRINTS = json.loads((PHOTOS / "four-games-second-print" / "truth.json").read_text(encoding="utf-8"))["photos"]


@pytest.mark.night
@pytest.mark.parametrize("photo", every(5, NEW_PRINTS), ids=[photo["game"] for photo in NEW_PRINTS])
def test_the_eye_opened_on_a_laid_table_of_the_new_prints_places_every_piece(photo):
    gray = cv2.imread(str(PHOTOS / "four-games-second-print" / photo["image"]), cv2.IMREAD_GRAYSCALE)
    noise = np.random.default_rng(1).normal(0, 2.5, gray.shape)
    eye = make_eye(load(photo["game"]), load_mat(photo["game"], photo["seats"]))
    for number in range(15):
        seen = np.clip(gray + np.roll(noise, 131 * number), 0, 255).astype(np.uint8)
        eye.see(Frame(seen, number / 10, number))
    lies = sorted(piece["piece"] for piece in photo["pieces"])
    assert sorted(one.piece for one in eye.view.placements) == lies
    for piece in photo["pieces"]:
        assert any(
            one.piece == piece["piece"] and np.hypot(one.x - piece["x"], one.y - piece["y"]) < 3
            for one in eye.view.placements
        ), piece


TABLES = {
    photo["image"]: photo
    for photo in json.loads((PHOTOS / "tables" / "tuning" / "truth.json").read_text(encoding="utf-8"))["photos"]
}


@pytest.mark.parametrize("image", at_night("02.jpg", "10.jpg"), ids=["window", "lamp mirrored by a laminated mat"])
def test_light_from_a_window_or_a_mirrored_lamp_covers_no_zone(image):
    photo = TABLES[image]
    gray = cv2.imread(str(PHOTOS / "tables" / "tuning" / image), cv2.IMREAD_GRAYSCALE)
    mat = msgspec.structs.replace(load_mat(photo["game"], photo["seats"]), print=photo["print"])
    eye = make_eye(load(photo["game"]), mat)
    noise = np.random.default_rng(2).normal(0, 2.5, gray.shape)
    for number in range(30):
        seen = np.clip(gray + np.roll(noise, 131 * number), 0, 255).astype(np.uint8)
        eye.see(Frame(seen, number / 10, number))
    assert eye.view.covered == frozenset()
    shows = {p["piece"] for p in photo["pieces"] if any(code["covered"] <= COVERED for code in p["codes"])}
    assert shows <= {one.piece for one in eye.view.placements}
