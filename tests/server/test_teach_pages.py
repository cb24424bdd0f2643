"""The page on which a host teaches a deck: a drawn table, a real eye, and what comes of each tap."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.eye.faces import storing
from companion.server.app import create_app, shut
from tests.server.desks import GAME, MatchDesk
from tests.server.eyes import GOAL, LEAF, MOON, STAR, EyeDesk
from tests.server.phones import be_host, text_of


@pytest.fixture(scope="module")
def table() -> Iterator[EyeDesk]:
    desk = EyeDesk()
    yield desk
    desk.close()


@pytest.fixture
def desk(table: EyeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EyeDesk:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    table.sight.teacher.begin_anew()
    return table


@pytest.fixture
def host(desk: EyeDesk) -> Iterator[FlaskClient]:
    app = create_app(desk)
    client = app.test_client()
    be_host(client)
    yield client
    shut(app)


def lay(desk: EyeDesk, *pieces: str, face: str = "F") -> None:
    """Have these lie on the mat, apart from each other, and nothing else."""
    desk.table.clear()
    for n, piece in enumerate(pieces):
        desk.table.put(piece, face, 150 + 90 * n, 120, 0.0)
    desk.watch(0.5 if pieces else 1.6)


def tap(host: FlaskClient, **form: str) -> str:
    return text_of(host.post("/host/teach", data=form).text)


@pytest.mark.night
def test_the_page_is_the_hosts_and_there_is_none_without_a_camera(host: FlaskClient, client_of) -> None:
    other = host.application.test_client()
    assert other.get("/host/teach").status_code == 403
    ledger = client_of(MatchDesk())
    be_host(ledger)
    assert ledger.get("/host/teach").status_code == 404


def test_cards_are_taught_shown_and_kept_and_one_is_forgotten(desk: EyeDesk, host: FlaskClient) -> None:
    lay(desk, GOAL, LEAF)
    assert "2 pieces with codes lie there: take them away first" in tap(host, do="show")
    lay(desk)
    assert "Clear the mat" in text_of(host.get("/host/teach").text)
    assert "The empty mat is known" in tap(host, do="show")
    assert "No card came" in tap(host, do="show")
    lay(desk, STAR, MOON)
    page = tap(host, do="show", first=STAR)
    taught = storing.load(GAME).faces
    assert len(taught) == 2
    assert taught[0].pieces[0] == STAR
    assert f"Taken: {taught[0].name} and {taught[1].name}." in page
    assert page.count("Forget") >= 2
    assert "Teaching is not done" in page
    assert "Hard to tell apart" not in page
    deck = storing.load(GAME)
    picture = host.get(f"/host/teach/face.png?piece={STAR}&side=F")
    assert picture.data.startswith(b"\x89PNG")
    assert "has been taught already" in tap(host, do="show")
    assert "Forgotten" in tap(host, do="forget", piece=STAR, side="F")
    assert [face.pieces[0] for face in storing.load(GAME).faces] != [STAR]
    assert host.get(f"/host/teach/face.png?piece={STAR}&side=F").status_code == 404
    red, green = deck.faces[0].views[0].copy(), deck.faces[0].views[0].copy()
    red[40:90, 30:90], green[40:90, 30:90] = (200, 0, 0), (0, 102, 0)
    pair = [replace(face, views=(view,)) for face, view in zip(deck.faces, (red, green), strict=True)]
    storing.save(replace(deck, faces=tuple(pair)))
    desk.sight.teacher.begin_anew()
    text = text_of(host.get("/host/teach").text)
    assert "Hard to tell apart" in text
    assert f"{pair[0].name} – {pair[1].name}" in text


@pytest.mark.night
def test_a_card_that_was_taken_for_another_is_called_by_its_name(desk: EyeDesk, host: FlaskClient) -> None:
    lay(desk)
    tap(host, do="show")
    lay(desk, STAR, MOON)
    tap(host, do="show", first=STAR)
    first, second = storing.load(GAME).faces
    page = host.get(f"/host/teach?piece={STAR}&side=F").text
    assert f"It was taken for {first.name}." in text_of(page)
    assert f"That card is {second.name}." in tap(host, do="rename", piece=STAR, side="F", to=second.pieces[0])
    swapped = storing.load(GAME).faces
    assert [face.name for face in swapped] == [second.name, first.name]
    assert (swapped[0].views[0] == first.views[0]).all(), "the picture stays, the name is another's"
    assert [face.pieces for face in swapped] == [second.pieces, first.pieces]
    missing = next(one for one in desk.sight.teacher.state().missing if one.side == "F")
    assert f"That card is {missing.name}." in tap(host, do="rename", piece=STAR, side="F", to=missing.piece)
    assert storing.load(GAME).face_of(STAR) is None, "it is to be taught again"
    assert "no such card" in tap(host, do="rename", piece=missing.piece, side="F", to="zzz")
    assert "has not been taught" in tap(host, do="rename", piece=STAR, side="F", to=missing.piece)


def test_a_deck_goes_out_as_a_file_and_comes_in_again(desk: EyeDesk, host: FlaskClient) -> None:
    lay(desk)
    tap(host, do="show")
    lay(desk, LEAF)
    tap(host, do="show", first=LEAF)
    saved = host.get("/host/teach/deck.zip").data
    tap(host, do="forget", piece=LEAF, side="F")
    assert not storing.load(GAME).faces

    def take_in(data: bytes) -> str:
        return text_of(host.post("/host/teach/deck", data={"file": (io.BytesIO(data), "one.zip")}).text)

    assert "no taught deck" in take_in(saved[:-200])
    assert "Choose the file" in text_of(host.post("/host/teach/deck", data={}).text)
    assert not storing.load(GAME).faces
    assert "The deck has been taken in" in take_in(saved)
    assert [face.pieces[0] for face in storing.load(GAME).faces] == [LEAF]


def test_what_can_not_be_written_is_said(desk: EyeDesk, host: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(desk)
    tap(host, do="show")
    lay(desk, GOAL)

    def full(*_: object) -> None:
        raise storing.DeckError("The deck can't be written: No space left on device.")

    monkeypatch.setattr("companion.table.teaching.storing.save", full)
    answer = host.post("/host/teach", data={"do": "show"})
    assert answer.status_code == 409
    assert "No space left" in text_of(answer.text)


def test_a_deck_that_is_damaged_on_the_disk_is_said(desk: EyeDesk, host: FlaskClient, tmp_path: Path) -> None:
    lay(desk)
    tap(host, do="show")
    lay(desk, LEAF)
    tap(host, do="show", first=LEAF)
    (storing.decks_folder() / GAME / storing.INDEX).write_text("{")
    tap(host, do="anew")
    page = text_of(host.get("/host/teach").text)
    assert f"The deck {GAME} can't be loaded" in page
    assert "is damaged" in page
    lay(desk)
    tap(host, do="show")
    lay(desk, LEAF)
    assert "delete that one first" in tap(host, do="show", first=LEAF)
    assert "The deck has been deleted" in tap(host, do="delete", deck=GAME)
    assert not storing.taught()
    assert "can't be loaded" not in text_of(host.get("/host/teach").text)


@pytest.mark.night
def test_a_deck_is_deleted_on_the_page(desk: EyeDesk, host: FlaskClient) -> None:
    lay(desk)
    tap(host, do="show")
    lay(desk, LEAF)
    tap(host, do="show", first=LEAF)
    assert "Delete the deck" in text_of(host.get("/host/teach").text)
    tap(host, do="delete", deck=GAME)
    assert not storing.taught()
    assert "There is no taught deck" in tap(host, do="delete", deck=GAME)
    assert "is no name for a deck" in tap(host, do="delete", deck="../x")


def test_a_button_that_is_none_is_refused(desk: EyeDesk, host: FlaskClient) -> None:
    assert host.post("/host/teach", data={"do": "fly"}).status_code == 400
