"""A hand on a phone: cards to pick from, a photograph read for that phone alone, and nothing kept."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import segno
from PIL import Image

from companion import games
from companion.codes import Code
from companion.eye import untrusted
from companion.eye.reader import Hints, LibraryReader
from companion.games.five_cards_collector.laying import Discard
from companion.press.faces import face_image
from companion.referee.commands import Play
from companion.server import hand_pages
from companion.server.documents import Extras, document
from tests.server.conftest import Clients
from tests.server.desks import GAME, MatchDesk
from tests.server.phones import join
from tests.server.played import GAMES, PlayedDesk

HEADERS = {"X-Companion": "1", "Content-Type": "image/jpeg"}


def photograph(*pieces: str, game: str = GAME) -> bytes:
    """Lay printed cards side by side and take a picture of them."""
    deck, mat = games.load_deck(game), games.load_mat(game, 3)
    cards = deck.by_piece()
    faces = [face_image(cards[one], deck, mat.shape_of(cards[one].kind), "F", 5.0) for one in pieces]
    wide = sum(face.width + 40 for face in faces) + 40
    table = Image.new("RGB", (wide, max(face.height for face in faces) + 80), "#31473f")
    x = 40
    for face in faces:
        table.paste(face, (x, 40))
        x += face.width + 40
    out = io.BytesIO()
    table.save(out, "JPEG", quality=88)
    return out.getvalue()


def test_a_photograph_is_read_for_the_phone_that_sent_it(client_of: Clients) -> None:
    phone = client_of(MatchDesk())
    join(phone, 1)
    answer = phone.post("/hand/1/photo", data=photograph("00N", "00O", "00M", "01P"), headers=HEADERS)
    assert answer.status_code == 200
    assert {card["title"]: card["copies"] for card in answer.get_json()["cards"]} == {
        "Blue moon": 2,
        "Red moon": 1,
        "Draw 3 cards": 1,
    }
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.night
def test_nothing_of_a_photograph_is_kept_or_logged_or_seen_by_others(
    client_of: Clients, caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    desk = MatchDesk()
    phone = client_of(desk)
    other, table = phone.application.test_client(), phone.application.test_client()
    join(phone, 1)
    join(other, 2, "Bo")
    before = [other.get("/state/seat-2").data, table.get("/state/public").data, phone.get("/state/seat-1").data]
    records = desk.snapshot().record
    caplog.set_level(logging.DEBUG)
    # Larger than what a form's file would be kept in memory.
    big = photograph("00N", "00M")
    assert phone.post("/hand/1/photo", data=big + b"\0" * 600_000 + big[-2:], headers=HEADERS).status_code == 200
    assert [other.get("/state/seat-2").data, table.get("/state/public").data, phone.get("/state/seat-1").data] == before
    assert desk.snapshot().record == records
    assert "moon" not in caplog.text.lower()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        (b"", 415, "The photograph is empty: take it again."),
        (b"no picture", 415, "The photograph is not a picture that can be read"),
        (b"\xff\xd8\xff\xe0 cut off", 415, "The photograph is cut short: take it again."),
        (b"x" * (hand_pages.LARGEST_PHOTO + 1), 413, "too much at once"),
    ],
)
def test_what_is_no_photograph_is_refused_with_a_sentence(
    client_of: Clients, data: bytes, status: int, words: str
) -> None:
    phone = client_of(MatchDesk())
    join(phone, 1)
    answer = phone.post("/hand/1/photo", data=data, headers=HEADERS)
    assert answer.status_code == status
    assert words in answer.get_json()["message"]


def test_a_picture_that_is_huge_in_memory_is_refused_before_it_is_decoded(client_of: Clients) -> None:
    out = io.BytesIO()
    Image.new("1", (9000, 6000)).save(out, "PNG")
    phone = client_of(MatchDesk())
    join(phone, 1)
    answer = phone.post("/hand/1/photo", data=out.getvalue(), headers=HEADERS)
    assert answer.status_code == 415
    assert "too many pixels" in answer.get_json()["message"]


@pytest.mark.night
def test_a_photograph_that_would_keep_the_reader_busy_for_minutes_is_given_up(
    client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    """49 million pixels of codes, in a file of less than a megabyte: it took 201 s and 1 GB."""
    tile, out = io.BytesIO(), io.BytesIO()
    segno.make(str(Code("FC", "00N", "F"))).save(tile, kind="png", scale=2, border=2)
    Image.fromarray(np.tile(np.asarray(Image.open(tile).convert("L")), (140, 140))).save(out, "PNG")
    monkeypatch.setattr(untrusted, "PATIENCE", 1.0)
    phone = client_of(MatchDesk())
    join(phone, 1)
    before = time.monotonic()
    answer = phone.post("/hand/1/photo", data=out.getvalue(), headers=HEADERS)
    assert time.monotonic() - before < 15
    assert answer.status_code == 415
    assert "takes too long to read" in answer.get_json()["message"]


@pytest.mark.night
def test_a_large_photograph_is_reduced_before_it_is_read() -> None:
    for kind in ("JPEG", "PNG"):
        out = io.BytesIO()
        Image.new("L", (7000, 7000)).save(out, kind)
        assert untrusted.decoded(out.getvalue()).size <= untrusted.READ_PIXELS


@pytest.mark.night
def test_who_waits_too_long_for_the_photograph_before_is_turned_away(
    client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = client_of(MatchDesk())
    join(phone, 1)
    limits = phone.application.extensions["companion"].limits
    monkeypatch.setattr(limits.reading, "_patience", 0.05)
    with limits.reading.turn("10.0.0.7"):
        answer = phone.post("/hand/1/photo", data=photograph("00N"), headers=HEADERS)
    assert answer.status_code == 429
    assert phone.post("/hand/1/photo", data=photograph("00N"), headers=HEADERS).status_code == 200


def test_photographs_take_no_turn_from_an_import(client_of: Clients) -> None:
    limits = client_of(MatchDesk()).application.extensions["companion"].limits
    with (
        limits.photographs.turn("10.0.0.7"),
        limits.photographs.turn("10.0.0.8"),
        limits.imports.turn("10.0.0.9") as mine,
    ):
        assert mine


def test_zbar_never_sees_what_a_phone_sent() -> None:
    """An old zbar of the system has holes that a picture reaches; where it isn't even loaded it can't."""
    program = f"""
import sys
from companion.eye import untrusted
assert untrusted.shown(untrusted.decoded(sys.stdin.buffer.read()), "FC", {["00N", "00M"]!r}) == {{"00N"}}
assert not [name for name in sys.modules if "zbar" in name]
"""
    subprocess.run([sys.executable, "-c", program], input=photograph("00N"), check=True)


@pytest.mark.parametrize("nearer", [1, 5])
def test_a_card_of_which_a_corner_is_covered_is_read_by_the_decks_reader(nearer: int) -> None:
    image = Image.open(io.BytesIO(photograph("00M") if nearer > 1 else photograph("00N", "00M"))).convert("L")
    picture = np.array(image.resize((image.width * nearer, image.height * nearer)))
    for one in LibraryReader(zbar=False).read(picture):
        if one.payload == str(Code("FC", "00M", "F")):
            begin, end = np.array(one.corners[0]), np.array(one.corners[2])
            (left, high), (right, low) = np.sort([begin, begin + 0.4 * (end - begin)], axis=0).astype(int)
            picture[high : low + 1, left : right + 1] = 90
    codes = {one.payload for one in LibraryReader(zbar=False).read(picture, Hints(thorough=True))}
    assert str(Code("FC", "00M", "F")) not in codes
    deck = [card.piece for card in games.load_deck(GAME).cards]
    assert untrusted.shown(picture, "FC", deck) == {"00M", *(["00N"] if nearer == 1 else [])}


def test_only_the_seats_own_phone_from_its_own_page_may_ask(client_of: Clients) -> None:
    phone = client_of(MatchDesk())
    join(phone, 1)
    stranger = phone.application.test_client()
    picture = photograph("00N")
    assert stranger.post("/hand/1/photo", data=picture, headers=HEADERS).status_code == 403
    assert stranger.get("/hand/1/cards").status_code == 403
    assert phone.post("/hand/2/photo", data=picture, headers=HEADERS).status_code == 403
    assert phone.post("/hand/1/photo", data=picture, headers={"Content-Type": "image/jpeg"}).status_code == 403


@pytest.mark.night
def test_cards_of_another_game_are_not_taken_for_ours(client_of: Clients) -> None:
    phone = client_of(MatchDesk())
    join(phone, 1)
    answer = phone.post("/hand/1/photo", data=photograph("00N", "00M", game="collectors"), headers=HEADERS)
    assert answer.get_json() == {"ok": True, "cards": []}


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_to_pick_are_those_that_a_hidden_hand_may_hold(client_of: Clients, name: str) -> None:
    desk = PlayedDesk(name, 3)
    phone = client_of(desk)
    join(phone, 1)
    hidden = name not in ("collection", "karmic-collections")
    held = {(card.kind, card.title) for card in desk.game.deck.cards if card.kind in KINDS.get(name, ())}
    assert phone.get("/hand/1/cards").text.count("data-pick=") == len(held)
    assert ("data-hand=" in phone.get("/seat/1").text) == hidden
    if hidden:
        assert not document("seat-1", desk.snapshot(), Extras(hands={1: ()}), desk)["holds"]


KINDS = {
    "five-cards-collector": ("symbol", "special"),
    "collectors": ("collectable",),
    "collectible": ("art", "character"),
}


def test_a_log_line_names_the_cards_that_came_out_of_a_hand(client_of: Clients) -> None:
    desk = MatchDesk()
    assert desk.command(Play(seat=1, action=Discard(seat=1, card="00M"))).ok
    line = document("seat-2", desk.snapshot(), Extras(), desk)["log"][0]
    assert line["laid"] == ["symbol|Red moon"]
