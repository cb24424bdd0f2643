"""Printed mats: drawn once, and kept large only where a simulated camera photographs them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion import games
from companion.sim.table import SimTable
from companion.table import factory
from tests.printed import printed

NAME = "five-cards-collector"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Nothing is drawn yet; return the scales at which mats are drawn from now on."""
    monkeypatch.setattr(factory, "_drawn", {})
    factory._bare.cache_clear()
    scales: list[float] = []

    def mat_image(mat: object, scale: float, *, spare: bool = False) -> np.ndarray:
        scales.append(scale)
        return np.full((506, 900, 3), 250 if spare else 120, np.uint8)

    monkeypatch.setattr(factory, "mat_image", mat_image)
    yield scales
    factory._bare.cache_clear()


def test_a_real_tables_eye_keeps_no_mat_in_colours(drawn: list[float]) -> None:
    game, mat = games.load(NAME), games.load_mat(NAME, 2)
    factory.make_eye(game, mat)
    factory.make_eye(game, games.load_mat(NAME, 4))
    assert len(drawn) == 1
    assert factory._drawn == {}


@pytest.mark.night
def test_a_simulated_cameras_mat_is_drawn_once_for_its_eye_too(drawn: list[float]) -> None:
    game, mat = games.load(NAME), games.load_mat(NAME, 2)
    for seed in range(2):
        factory.simulated_camera(game, mat, SimTable(seed))
        factory.make_eye(game, mat)
    assert len(drawn) == 1


def test_of_many_mats_only_the_newest_is_kept(drawn: list[float]) -> None:
    for name in (NAME, "collectors", NAME, "collection"):
        factory.printed_mat(name)
    assert [mat.game for mat, _ in factory._drawn] == ["collection"]
    assert len(drawn) == 4


def test_cards_that_differ_in_a_letter_carry_stickers_and_equal_ones_are_copies() -> None:
    game, mat = games.load("collection"), games.load_mat("collection", 3)
    tasking = {card.piece for card in game.deck.cards if card.title.startswith("Priority Tasking")}
    taught = printed("collection")
    decks, stickers = factory.with_stickers(taught, factory.face_pictures(game.deck, mat))
    assert len(tasking) == 3
    assert stickers == tasking
    left = {piece for deck in decks for face in deck.faces for piece in face.pieces}
    assert left == {piece for deck in taught for face in deck.faces for piece in face.pieces} - tasking
    picture = factory.face_pictures(game.deck, mat, codes=False, stickers=stickers)
    coded = factory.face_pictures(game.deck, mat)
    assert np.array_equal(picture(min(tasking), "F"), coded(min(tasking), "F"))
    assert not np.array_equal(picture(min(left - {"000"}), "F"), coded(min(left - {"000"}), "F"))
