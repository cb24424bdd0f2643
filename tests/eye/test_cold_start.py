"""An eye that is opened on a laid table, before a mat whose print it has a picture of."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.eye.eye import Eye
from companion.eye.flat import Flat, Floats
from companion.eye.scene import Scene, tones, white_and_black
from companion.eye.view import Gray
from tests.eye.tables import Card, Session, Table, book, mat_picture, test_mat

RANDOM = np.random.default_rng(5)


def looks_like(table: Table) -> Gray:
    """Return a picture of the mat as if the cards that lie on it were printed there."""
    shot = table.shot()
    eye = Eye(table.mat, book(table.mat, "FC"))
    eye.see(shot)
    assert eye.calibration is not None
    mm = [(x, y) for y in np.arange(0.5, table.mat.h) for x in np.arange(0.5, table.mat.w)]
    px = eye.calibration.to_px(np.array(mm)).astype(np.float32).reshape(round(table.mat.h), round(table.mat.w), 2)
    return np.asarray(cv2.remap(shot.gray, px[..., 0], px[..., 1], cv2.INTER_LINEAR), dtype=np.uint8)


def test_cards_that_look_just_like_the_mat_are_read_all_the_same() -> None:
    table = Table(test_mat(), [Card("001", 61, 100), Card("002", 140, 100)])
    session = Session(table)
    session.eye = Eye(table.mat, book(table.mat, "FC"), reference=looks_like(table))
    session.run(5)
    assert {placement.piece for placement in session.view.placements} == {"001", "002"}


@pytest.mark.night
def test_a_card_laid_on_its_like_is_read_by_the_sweep_within_three_seconds() -> None:
    table = Table(test_mat(), [Card("001", 61, 100)])
    reference = looks_like(table)
    table.cards.clear()
    session = Session(table)
    session.eye = Eye(table.mat, book(table.mat, "FC"), reference=reference)
    session.run(60)
    table.cards.append(Card("001", 61, 100))
    session.run(30)
    assert {placement.piece for placement in session.view.placements} == {"001"}


# ------------------------------------------------------------------------------------------------- the print's tones


def flat_print() -> tuple[Flat, Floats]:
    mat = test_mat()
    flat = Flat(mat)
    size = round(mat.w / 2), round(mat.h / 2)
    shrunk = cv2.resize(mat_picture(mat, 170), size, interpolation=cv2.INTER_AREA)
    whole = cv2.copyMakeBorder(shrunk, 0, flat.shape[0] - size[1], 0, flat.shape[1] - size[0], cv2.BORDER_REPLICATE)
    return flat, (whole / 255).astype(np.float32)


def photographed(printed: Floats, power: float, white: float, black: float, fall: float) -> Floats:
    """Return a print under light that falls off to the right by a share, with tones bent by a power."""
    light = 1 - fall * np.linspace(0, 1, printed.shape[1], dtype=np.float32)
    noise = RANDOM.normal(0, 1, printed.shape)
    return np.asarray((black + printed**power * (white - black)) * light + noise, dtype=np.float32)


def test_the_markers_tell_how_bright_paper_and_black_are_everywhere() -> None:
    _, printed = flat_print()
    white, black = white_and_black(photographed(printed, 1.0, 200, 30, 0.4), printed, test_mat())
    light = 1 - 0.4 * np.linspace(0, 1, printed.shape[1])
    assert np.abs(white - 200 * light).max() < 12
    assert np.abs(black - 30 * light).max() < 12


def test_tones_are_found_though_cards_hide_most_of_the_mat() -> None:
    _, printed = flat_print()
    for power in (0.7, 1.0, 1.4):
        now = photographed(printed, power, 1.0, 0.0, 0.0) * 0 + printed**power
        now[10:-10, 15 : round(0.6 * now.shape[1])] = 0.95
        found = tones(printed, now.astype(np.float32))
        inside = (slice(10, -10), slice(round(0.62 * now.shape[1]), -15))
        assert np.abs(found - printed**power)[inside].max() < 0.1, power


def test_a_lamps_pool_in_the_middle_is_told_by_the_mat_that_shows_and_guessed_under_cards() -> None:
    flat, printed = flat_print()
    y, x = np.mgrid[: flat.shape[0], : flat.shape[1]]
    middle = flat.shape[0] // 2, flat.shape[1] // 2
    pool = 1 + 0.6 * np.exp(-((y - middle[0]) ** 2 + (x - middle[1]) ** 2) / (2 * 45.0**2))
    empty = photographed(printed, 1.0, 130, 20, 0.0) * pool.astype(np.float32)
    laid = empty.copy()
    card = (slice(middle[0] - 16, middle[0] + 16), slice(middle[1] - 12, middle[1] + 12))
    laid[card] = 235
    scene, whole = Scene(flat, (printed * 255).astype(np.uint8)), (slice(0, flat.shape[0]), slice(0, flat.shape[1]))
    scene.seed(np.clip(laid, 0, 255).astype(np.uint8), test_mat())
    assert scene.is_mat(empty, whole).mean() > 0.97
    assert scene.is_mat(empty, whole)[card].mean() > 0.98
    assert scene.is_mat(laid, whole)[card].mean() < 0.02


def test_a_gleam_that_grows_smoothly_is_seen_through_and_a_card_in_it_is_not() -> None:
    flat, printed = flat_print()
    scene = Scene(flat, (printed * 255).astype(np.uint8))
    scene.base[:], scene.known[:] = printed * 170, True
    y, x = np.mgrid[: flat.shape[0], : flat.shape[1]]
    middle = flat.shape[0] // 2, flat.shape[1] // 2
    gleam = 70 * np.exp(-((y - middle[0]) ** 2 + (x - middle[1]) ** 2) / (2 * 18.0**2))
    picture = (scene.base + gleam).astype(np.float32)
    card = (slice(middle[0] - 8, middle[0] + 8), slice(middle[1] - 6, middle[1] + 6))
    picture[card] += 50
    bare = scene.is_mat(picture, (slice(0, flat.shape[0]), slice(0, flat.shape[1])))
    grown = scene.grown_bare(picture, bare, np.ones(flat.shape, dtype=np.bool_))
    off_card = np.ones(flat.shape, dtype=np.bool_)
    off_card[middle[0] - 10 : middle[0] + 10, middle[1] - 8 : middle[1] + 8] = False
    assert (~bare & off_card).sum() > 400
    assert (~grown & off_card).sum() < 40
    assert grown[card].mean() < 0.2


class BurntOut(Table):
    """A table with a lamp so near to its right side that all there is as bright as a picture can be."""

    def _without_noise(self) -> np.ndarray:
        seen = super()._without_noise()
        (left, top), (y, x) = self.to_px(300, 110), np.mgrid[: seen.shape[0], : seen.shape[1]]
        lamp = np.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * 200.0**2))
        return np.asarray(seen * (1 + 0.5 * lamp) + 250 * lamp)


def test_where_a_dark_mat_is_burnt_out_a_zone_is_not_said_to_be_empty() -> None:
    session = Session(BurntOut(test_mat(), [Card("001", 288, 100)]), reference=True)
    session.run(40)
    assert not session.view.placements
    assert session.view.settled
    assert "loose" in session.view.covered
    assert "pile" not in session.view.covered
