import pytest

from companion import games
from companion.bench import frames
from companion.codes import BACK

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 8)
LABEL = "1920×1080: "
SMALL = [
    f"1920×1080, a small picture from the camera: one card came or went: {frame}"
    for frame in ("the dearest frame", "a frame, in the median", "all frames until settled")
]


def test_a_full_table_has_every_card_once_then_backs_and_leaves_the_markers_free() -> None:
    laid = frames.full_table(GAME, MAT, 90).pieces()
    fronts = [card.piece for card in laid if card.face == "F"]
    assert sorted(fronts) == sorted(card.piece for card in GAME.deck.cards)
    assert len(laid) == 90
    assert {card.piece[: len(BACK)] for card in laid if card.face == "B"} == {BACK}
    shape = MAT.shapes[0]
    for card in laid:
        assert MAT.frame < card.x - shape.w / 2
        assert card.x + shape.w / 2 < MAT.w - MAT.frame
        assert MAT.frame < card.y - shape.h / 2
        assert card.y + shape.h / 2 < MAT.h - MAT.frame


@pytest.mark.night
def test_all_rows_are_there_and_a_cold_start_sees_the_whole_table() -> None:
    section = frames.measure(sizes=[(1920, 1080)], cards=26, idle=20, changes=1, starts=1)
    rows = {row.what.removeprefix(LABEL): row for row in section.rows}
    assert list(rows) == [
        "a frame in which nothing changed",
        "idle table at 10 frames a second",
        "one card came or went: the dearest frame",
        "one card came or went: a frame, in the median",
        "one card came or went: all frames until settled",
        *SMALL,
        "cold start of a full table",
        "zxing-cpp, whole frame",
    ]
    assert rows["cold start of a full table"].figures["recall"] == 1.0
    taken = rows["one card came or went: all frames until settled"].figures["frames"]
    assert taken is not None
    assert 2 < taken < frames.LONGEST
    held = [row.what.removeprefix(LABEL) for row in section.rows if row.budget]
    assert held == [*list(rows)[:4], *SMALL[:2]]
    for row in section.rows:
        assert all(value is not None and value >= 0 for value in row.figures.values()), row


@pytest.mark.night
def test_without_the_peer_nothing_is_held_against_it(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(frames, "optional", lambda name: None)
    section = frames.measure(sizes=[(1920, 1080)], cards=13, idle=3, changes=1, starts=1)
    assert [row.what.removeprefix(LABEL) for row in section.rows if row.budget] == ["idle table at 10 frames a second"]
    assert "zxing-cpp is not installed" in " ".join(section.notes)
