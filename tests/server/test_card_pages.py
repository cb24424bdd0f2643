"""All cards of a game as they are printed: found by words, without a script; sheets to print, made aside."""

from __future__ import annotations

import io
import re
import subprocess
import time
from typing import Any

import pytest
from PIL import Image

from companion import games
from companion.server.camera_api import PrintError
from companion.table.print_queue import Printed
from tests.server.conftest import Clients
from tests.server.desks import GAME, MatchDesk
from tests.server.phones import be_host
from tests.waiting import until


def pieces(page: str) -> list[str]:
    return re.findall(r"/face/(\w+)\.webp", page)


def test_all_cards_are_there_and_words_and_kinds_find_some(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    assert client.get("/cards").location == f"/cards/{GAME}"
    deck = games.load_deck(GAME)
    assert pieces(client.get(f"/cards/{GAME}").text) == [card.piece for card in deck.cards]
    stars = client.get(f"/cards/{GAME}?q=STAR+red&kind=symbol").text
    assert pieces(stars) == [card.piece for card in deck.cards if card.title == "Red star"]
    assert "82 cards" in stars
    assert pieces(client.get(f"/cards/{GAME}?q=nonsense").text) == []
    assert "style=" not in stars


@pytest.mark.parametrize("game", games.packages())
def test_every_game_has_its_cards(client_of: Clients, game: str) -> None:
    client = client_of(MatchDesk())
    page = client.get(f"/cards/{game}").text
    deck = games.load_deck(game)
    assert len(pieces(page)) == len(deck.cards)
    last = client.get(f"/cards/{game}/face/{deck.cards[-1].piece}.webp")
    assert last.data[:4] == b"RIFF"
    box = client.get(f"/cards/{game}/cover.webp")
    assert Image.open(io.BytesIO(box.data)).size == (480, 480)
    assert f'src="/cards/{game}/cover.webp"' in page
    assert "max-age" in last.headers["Cache-Control"]


def test_a_games_deck_is_read_from_its_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plainly = games.load_deck
    monkeypatch.setattr(games, "load_deck", lambda game: read.append(game) or plainly(game))
    prints = Printed()
    for _ in range(3):
        assert dict(prints.games())[GAME] == prints.deck(GAME).title
    assert sorted(read) == sorted([*games.names(), games.STANDARD])


def test_what_is_not_there_is_said(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    assert "Collectible" in client.get("/cards/chess").text
    for path in (
        "/cards/chess",
        f"/cards/{GAME}/face/zzz.webp",
        f"/cards/{GAME}/print/a4/cards.pdf",
        f"/cards/{GAME}/print/a4/..%2F..%2Fpasswd",
    ):
        assert client.get(path).status_code == 404
    assert client.post(f"/cards/{GAME}/print", data={"paper": "a4"}).status_code == 403
    be_host(client)
    assert client.post(f"/cards/{GAME}/print", data={"paper": "papyrus"}).status_code == 400


@pytest.mark.night
def test_sheets_are_made_aside_and_then_there_for_everybody(client_of: Clients) -> None:
    desk = MatchDesk()
    desk.prints = Printed()
    client = client_of(desk)
    assert "The host can have these sheets made" in client.get(f"/cards/{GAME}").text
    be_host(client)
    assert client.post(f"/cards/{GAME}/print", data={"paper": "letter"}).status_code == 303
    part = client.get(f"/cards/{GAME}/papers").text
    assert "are being made" in part
    end = time.monotonic() + 120
    while "are being made" in part and time.monotonic() < end:
        time.sleep(0.1)
        part = client.get(f"/cards/{GAME}/papers").text
    links = re.findall(r'href="([^"]+\.pdf)"', part)
    assert [link.rpartition("/")[2] for link in links] == [
        "cards.pdf",
        "markers.pdf",
        "mat-large.pdf",
        "mat-outlines.pdf",
        "mat-tiled.pdf",
        "quick.pdf",
        "stickers.pdf",
        "test-page.pdf",
    ]
    sheet = client.get(links[0])
    assert sheet.data[:5] == b"%PDF-"
    assert f"{GAME}-letter-cards.pdf" in sheet.headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (subprocess.CompletedProcess([], 2, "", "warned\nThe disk is full; choose another folder"), "The disk is full"),
        (subprocess.TimeoutExpired(["companion"], 900), "timed out after 900 seconds"),
    ],
)
def test_printing_that_fails_says_why_and_can_be_tried_again(monkeypatch: Any, how: Any, says: str) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **more: Any) -> Any:
        asked.append(command)
        if isinstance(how, Exception):
            raise how
        return how

    monkeypatch.setattr(subprocess, "run", run)
    prints = Printed()
    for times in (1, 2):
        prints.order(GAME, "a4")
        end = time.monotonic() + 60
        while prints.papers(GAME)[0].state == "busy" and time.monotonic() < end:
            time.sleep(0.01)
        paper = prints.papers(GAME)[0]
        assert paper.state == "failed"
        assert says in paper.why
        assert "warned" not in paper.why
        assert len(asked) == times
    assert asked[0][-7:] == ["press", GAME, "--out", asked[0][-4], "--paper", "a4", "--stickers"]
    with pytest.raises(PrintError):
        prints.file(GAME, "a4", "cards.pdf")


def test_sheets_that_can_not_even_be_begun_are_said_to_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the page said "being made" for ever: the thread had died of a full disk."""

    def full(**how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.table.print_queue.tempfile.TemporaryDirectory", full)
    prints = Printed()
    prints.order("karmic-collections", "a4")
    until(lambda: prints.papers("karmic-collections")[0].state != "busy")
    assert prints.papers("karmic-collections")[0].state == "failed"
