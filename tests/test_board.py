"""The owner's own board: zones and markers elsewhere than printed, kept as what differs, and what can't be."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.eye.mat import PRINTS, Mat, Rect
from companion.games import custom_board as board
from companion.games.custom_board import Own, OwnMarker, OwnZone
from companion.table.factory import make_eye

GAME = "five-cards-collector"
PRINTED = games.load_printed_mat(GAME, 3)
WORDS = {zone.name: f"the {zone.name}" for zone in PRINTED.zones}
CORNERS = tuple(OwnMarker(n, x, y, 30.0) for n, (x, y) in enumerate([(20, 20), (680, 20), (680, 480), (20, 480)]))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def moved(name: str, **to: float) -> OwnZone:
    zone = PRINTED.zone(name)
    plain = {"x": zone.rect.x, "y": zone.rect.y, "w": zone.rect.w, "h": zone.rect.h, "rotation": zone.rotation}
    return OwnZone(3, name, **{**plain, **to})


def wrong(*zones: OwnZone, **more: object) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, words in board.wrong(PRINTED, board.laid_over(PRINTED, Own(zone=zones, **more)), WORDS):  # type: ignore[arg-type]
        found[name] = f"{found.get(name, '')} {words}".strip()
    return found


def test_without_a_file_the_printed_mat_counts() -> None:
    assert games.load_mat(GAME, 3) == PRINTED
    assert board.difference(PRINTED, games.load_mat(GAME, 3)) == Own()


def test_what_is_kept_comes_back_and_only_for_its_seats(own_folder: Path) -> None:
    own = Own(zone=(moved("deck", x=290.5, rotation=180.0),))
    board.write(GAME, own)
    assert board.read(GAME) == own
    mat = games.load_mat(GAME, 3)
    assert mat.zone("deck").rect == Rect(290.5, 202.0, 84.0, 102.0)
    assert mat.zone("deck").rotation == 180.0
    assert mat.zone("discard") == PRINTED.zone("discard")
    assert board.difference(PRINTED, mat) == own
    assert games.load_mat(GAME, 4) == games.load_printed_mat(GAME, 4)
    board.write(GAME, Own())
    assert not board.file_of(GAME).exists()
    assert games.load_mat(GAME, 3) == PRINTED
    assert not (own_folder / "card_codes" / GAME).exists()


def test_one_seating_is_changed_and_the_others_stay() -> None:
    three, four = moved("deck", x=290.0), msgspec.structs.replace(moved("deck", x=295.0), seats=4)
    kept = board.with_seats(Own(zone=(three, four)), Own(zone=(moved("deck", x=280.0),)), 3)
    assert [(zone.seats, zone.x) for zone in kept.zone] == [(3, 280.0), (4, 295.0)]


@pytest.mark.night
def test_an_own_board_has_its_own_size_and_markers_and_no_printed_picture() -> None:
    board.write(GAME, Own(w=700.0, h=506.0, marker=CORNERS))
    mat = games.load_mat(GAME, 3)
    assert (mat.w, mat.h, len(mat.markers)) == (700.0, 506.0, 4)
    game = games.load(GAME)
    assert not make_eye(game, mat)._memory.surface.scene.complete
    assert make_eye(game, PRINTED)._memory.surface.scene._reference is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[zone]\n", "delete it to go back to the printed mat"),
        ("[[zone]]\nseats = 3\nname = 'deck'\n", "missing required field `x`"),
        ("[[zone]]\nseats = 3\nname = 'attic'\nx = 1\ny = 1\nw = 9\nh = 9\n", "moves the zone attic"),
        ("zones = 3\n", "unknown field `zones`"),
        ("print = 'second'\n", "there is no print called second; write colours, outlines or first"),
    ],
)
def test_a_broken_file_is_told_with_its_name_and_the_way_out(text: str, says: str) -> None:
    file = board.file_of(GAME)
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(games.GameError, match=r"zones\.toml") as told:
        games.load_mat(GAME, 3)
    assert says in str(told.value)


@pytest.mark.night
def test_the_print_on_the_table_is_kept_and_tells_the_eye_what_bare_mat_looks_like() -> None:
    game, pictures = games.load(GAME), {}
    for one in PRINTS:
        board.write(GAME, Own(print=one))
        mat = games.load_mat(GAME, 3)
        assert mat.print == one
        assert board.difference(PRINTED, mat) == board.read(GAME)
        pictures[one] = make_eye(game, mat)._memory.surface.scene._reference
    assert pictures["outlines"].mean() > 200 > 150 > pictures["colours"].mean()
    assert pictures["first"] is None, "nobody draws the mat of the first print any more"


def test_cards_of_the_first_print_have_their_codes_elsewhere() -> None:
    board.write(GAME, Own(print="first"))
    (now,), (then,) = PRINTED.shapes, games.load_mat(GAME, 3).shapes
    assert [place.size for place in now.codes] == [16.0] * 4
    assert [(place.size, place.x) for place in then.codes] == [(22.0, 15.5), (22.0, 47.5)] * 2
    assert [place.face for place in then.codes] == [place.face for place in now.codes]


def test_a_longer_row_has_its_places_further_apart() -> None:
    mat = board.laid_over(PRINTED, Own(zone=(moved("collection.1", w=426.0),)))
    assert mat.zone("collection.1").step == 2 * PRINTED.zone("collection.1").step
    turned = board.laid_over(PRINTED, Own(zone=(moved("collection.1", w=88.0, h=213.0, rotation=90.0),)))
    assert turned.zone("collection.1").step == PRINTED.zone("collection.1").step


def test_what_cannot_be_is_said() -> None:
    assert wrong(moved("deck", x=302.0)) == {}
    assert "beyond the board's edge" in wrong(moved("deck", x=850.0))["deck"]
    assert wrong(moved("deck", x=330.0))["deck"] == "The deck and the discard overlap by 6 mm: move one of them."
    assert "too small for a card of 63 × 88 mm" in wrong(moved("deck", w=50.0))["deck"]
    assert "needs a width" in wrong(moved("deck", w=-5.0))["deck"]
    assert "turned by 0, 90, 180 or 270" in wrong(moved("deck", rotation=45.0))["deck"]
    assert "too small for 5 cards" in wrong(moved("collection.1", w=110.0))["collection.1"]
    assert "lies over the marker" in wrong(moved("collection.1", y=400.0, x=3.0))["collection.1"]


def test_markers_that_cannot_be_are_said() -> None:
    marker = OwnMarker(0, 20.0, 20.0, 30.0)
    assert "needs 4 markers at least" in wrong(w=700.0, h=506.0, marker=(marker,))[""]
    assert "close together" in wrong(marker=tuple(OwnMarker(n, 20.0 + 30 * n, 20.0, 20.0) for n in range(4)))[""]
    far = (*CORNERS[:3], OwnMarker(3, 2000.0, 20.0, 30.0))
    assert "beyond the board's edge" in wrong(w=700.0, h=506.0, marker=far)["marker 3"]
    assert "there twice" in wrong(marker=(*CORNERS, marker))["marker 0"]
    assert "not what is meant" in wrong(w=7.0, h=506.0)[""]


@pytest.mark.parametrize("name", games.packages())
def test_nothing_is_wrong_with_any_printed_mat(name: str) -> None:
    low, high = games.load(name).info.seats
    for seats in range(low, high + 1):
        printed = games.load_printed_mat(name, seats)
        words = {zone.name: zone.name for zone in printed.zones}
        assert board.wrong(printed, printed, words) == []
        # nor if every zone is looked at, as on a board of another size
        other: Mat = msgspec.structs.replace(printed, h=printed.h + 1)
        assert board.wrong(printed, other, words) == []
