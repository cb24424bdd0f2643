import cv2
import numpy as np
import pytest

from companion import games
from companion.bench import scenes
from companion.bench.conditions import (
    CONDITIONS,
    HELD_OUT,
    SATURATED,
    TUNING,
    book,
    condition,
    frame_size,
    shoot,
    washed_share,
)
from companion.bench.pictures import payloads
from companion.codes import parse
from companion.eye.reader import read_zxing

DECK = games.load_deck("five-cards-collector")


def middles(shot):
    return {(code.payload, *np.round(code.corners.mean(axis=0), 3)) for code in shot.codes}


@pytest.fixture(scope="module")
def shots():
    """A frame of every condition; they take as long as a hundred other tests."""
    return {how.name: shoot(how, 2.0, TUNING, codes=12) for how in CONDITIONS}


@pytest.mark.night
def test_the_two_families_of_seeds_have_no_frame_in_common(shots):
    for how in CONDITIONS[:3]:
        held = shoot(how, 2.0, HELD_OUT, codes=12)
        assert not np.array_equal(held.gray, shots[how.name].gray)
        assert middles(held).isdisjoint(middles(shots[how.name]))


@pytest.mark.night
def test_a_frame_is_the_same_every_time_and_another_by_its_number():
    once, again = (shoot(condition("easy"), 2.0, TUNING, codes=12) for _ in range(2))
    assert np.array_equal(again.gray, once.gray)
    assert middles(shoot(condition("easy"), 2.0, TUNING, 1, codes=12)).isdisjoint(middles(again))


@pytest.mark.night
def test_every_condition_has_all_codes_in_the_picture(shots):
    wide, high = frame_size(2.0)
    for name, shot in shots.items():
        assert shot.gray.shape == (high, wide)
        assert len(shot.codes) + len(shot.washed) == 12, name
        assert bool(shot.washed) <= (name == "glare")
        for code in (*shot.codes, *shot.washed):
            assert (code.corners > 0).all()
            assert (code.corners < (wide - 1, high - 1)).all()


@pytest.mark.night
def test_codes_lie_where_the_truth_says():
    for name in ("easy", "tilt"):
        shot = shoot(condition(name), 4.0, TUNING, codes=12)
        found = read_zxing(shot.gray, 1.0)
        off = [
            np.subtract(read.corners, code.corners)
            for read in found
            for code in shot.codes
            if read.payload == code.payload and np.abs(np.subtract(read.corners, code.corners)).max() < 12
        ]
        assert len(off) >= 10
        # single corners are a pixel or two off, as libraries are; all together they must not be
        assert np.abs(np.mean(off, axis=(0, 1))).max() < 0.4


@pytest.mark.night
def test_codes_of_other_decks_are_no_codes_of_the_deck(shots):
    known = set(book(DECK))
    for shot in shots.values():
        assert len(shot.foreign) == 4
        assert not known & {code.payload for code in shot.foreign}
        assert {code.payload for code in shot.codes} <= known


@pytest.mark.night
def test_cards_lie_every_way_round(shots):
    turns = []
    for shot in shots.values():
        for code in (*shot.codes, *shot.washed):
            x, y = code.corners[1] - code.corners[0]
            turns.append(np.degrees(np.arctan2(y, x)) % 360)
    assert min(np.histogram(turns, bins=8, range=(0, 360))[0]) > 2


@pytest.mark.night
def test_a_code_keeps_its_quiet_room_when_cards_overlap():
    shot = shoot(CONDITIONS[0], 4.0, TUNING, 3)
    for code in shot.codes:
        # a ring two modules outside the code is paper on all sides
        grown = code.corners + (code.corners - code.corners.mean(axis=0)) * (4 / 21)
        ring = np.concatenate(
            [np.linspace(a, b, 40) for a, b in zip(grown, np.roll(grown, -1, axis=0), strict=True)]
        ).astype(np.float32)
        if (ring < 0).any() or (ring > np.array(shot.gray.shape[::-1]) - 1).any():
            continue
        levels = cv2.remap(shot.gray, ring[:, 0], ring[:, 1], cv2.INTER_LINEAR)
        assert np.percentile(levels, 5) > 150


def test_a_tilted_camera_sees_the_given_size_in_the_middle_and_less_across():
    camera = scenes.aslant(2.0, 35.0, 1150.0)
    middle = np.array([scenes.WIDE / 2, scenes.HIGH / 2])
    at, right, down = scenes.through(camera, [middle, middle + (1, 0), middle + (0, 1)])
    assert np.allclose(at, np.array(frame_size(2.0)) / 2 - 0.5)
    assert np.linalg.norm(right - at) == pytest.approx(2.0, rel=0.01)
    assert np.linalg.norm(down - at) == pytest.approx(2.0 * np.cos(np.radians(35)), rel=0.01)


@pytest.mark.night
def test_the_dark_room_has_the_contrast_and_the_noise_that_are_written():
    dark = shoot(condition("dark"), 2.0, TUNING, codes=12)
    how = condition("dark")
    codes = dark.codes
    levels = np.concatenate([dark.gray[tuple(np.int32(code.corners.mean(axis=0))[::-1])][None] for code in codes])
    assert levels.max() < 16 + 0.4 * 255 * 1.1 + 4 * how.noise
    paper = shoot(how, 4.0, TUNING, codes=2).gray.astype(float)
    smooth = paper - cv2.GaussianBlur(paper, (0, 0), 1.5)
    # what a blur of 1.5 px leaves of white noise, over the quietest half of the picture
    blocks = smooth[: paper.shape[0] // 16 * 16, : paper.shape[1] // 16 * 16]
    blocks = blocks.reshape(paper.shape[0] // 16, 16, -1, 16).std(axis=(1, 3))
    assert 0.6 * how.noise < np.median(blocks) < 1.1 * how.noise


def test_shadows_leave_the_light_that_is_written():
    camera = scenes.straight(2.0)
    from companion.bench import conditions

    left = conditions._shadows(9, camera, frame_size(2.0), np.random.default_rng(3))
    assert left.max() <= 1.0
    assert 0.35 <= left.min() <= 0.6
    assert 0.2 < (left < 0.65).mean() < 0.9
    # hard edges too: somewhere the light falls by a quarter within a module
    assert np.abs(np.diff(left, axis=1)).max() > 0.1


@pytest.mark.night
def test_only_codes_in_which_ink_is_as_white_as_paper_are_counted_apart():
    shine = np.zeros((200, 200), np.float32)
    corners = np.array([[50.0, 50], [100, 50], [100, 100], [50, 100]])
    assert washed_share(shine, corners) == 0
    shine[50:100, 50:75] = 200  # faded, but ink is still darker than paper
    assert washed_share(shine, corners) == 0
    shine[50:100, 50:75] = 230
    assert washed_share(shine, corners) == pytest.approx(0.5, abs=0.05)
    washed = [shoot(condition("glare"), 1.5, TUNING, number) for number in range(3)]
    assert sum(len(shot.washed) for shot in washed) > 5
    assert sum(len(shot.codes) for shot in washed) > 40
    assert SATURATED < 0.05


def test_the_book_is_the_deck_and_more_of_its_letters():
    codes = book(DECK)
    assert codes[: len(DECK.cards) + 1] == payloads(DECK)
    assert len(set(codes)) == len(codes) == 400
    assert {parse(code).game for code in codes} == {DECK.code}
