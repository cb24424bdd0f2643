"""The small faces that pages show."""

from __future__ import annotations

import io

import msgspec
import pytest
from PIL import Image

from companion import games
from companion.press.thumbnails import kept_thumbnail, thumbnail_size
from companion.server.camera_api import PrintError
from companion.table.print_queue import Printed

GAME = "five-cards-collector"
DECK = games.load_deck(GAME)
SHAPE = games.load_printed_mat(GAME, 8).shape_of("symbol")


def test_a_small_face_is_drawn_once_and_then_read_from_its_folder(tmp_path, monkeypatch):
    card = DECK.by_piece()["00M"]
    first = kept_thumbnail(tmp_path, card, DECK, SHAPE)
    assert Image.open(io.BytesIO(first)).size == thumbnail_size(SHAPE)
    monkeypatch.setattr("companion.press.thumbnails.draw_thumbnail", lambda *_: pytest.fail("it was drawn again"))
    assert kept_thumbnail(tmp_path, card, DECK, SHAPE) == first


def test_a_small_face_is_drawn_anew_when_its_card_changes(tmp_path):
    card = DECK.by_piece()["00M"]
    kept_thumbnail(tmp_path, card, DECK, SHAPE)
    kept_thumbnail(tmp_path, msgspec.structs.replace(card, title="Another"), DECK, SHAPE)
    assert len(list((tmp_path / GAME).iterdir())) == 2


def test_a_small_face_is_shown_though_its_folder_can_not_be_written(tmp_path):
    (tmp_path / GAME).write_text("a file is in the way")
    assert kept_thumbnail(tmp_path, None, DECK, SHAPE)


def test_a_game_without_anything_to_print_has_no_small_faces():
    prints = Printed()
    assert prints.small_size("no-such-game", "card") is None
    with pytest.raises(PrintError):
        prints.small_face(GAME, "ZZZ")
