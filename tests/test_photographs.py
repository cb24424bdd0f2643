"""The photographs under fixtures: every visible code is read, none wrongly; the sequence tells legal turns."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.eye.reader import LibraryReader
from companion.games import load, load_mat
from companion.rules.layout import Exactly, Loose, Pile, Slots
from companion.watching import watch

PHOTOS = Path(__file__).parent / "fixtures" / "photos"
COVERED = 0.03
"""A code of which more than this share is covered need not be read."""

SHOTS = [
    (place, photo)
    for place in ("four-players", "evening", "a-few-turns")
    for photo in json.loads((PHOTOS / place / "truth.json").read_text(encoding="utf-8"))["photos"]
]


@pytest.mark.parametrize(("place", "photo"), SHOTS, ids=[f"{place}/{photo['image']}" for place, photo in SHOTS])
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


def test_watching_the_sequence_understands_every_action_without_a_question():
    folder = PHOTOS / "a-few-turns"
    game = load("five-cards-collector")
    setup = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
    lines = list(watch(game, load_mat("five-cards-collector", 3), 3, {}, str(folder), setup))
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
