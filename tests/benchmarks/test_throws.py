"""What is counted of throws on printed mats: what the referee makes of each."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from benchmarks import throws
from companion import games
from companion.eye.view import TableView, Unread
from companion.referee.tray import Thrown

MAT = games.load_mat("collectible", 3)


class Stage:
    """A stage of which the referee's tray says one thing after the other, a rest each."""

    def __init__(self) -> None:
        self.eye = SimpleNamespace(view=TableView(1, 1.0, ()))
        self.values: tuple[int, ...] = ()

    def throw(self, values: tuple[int, ...]) -> None:
        self.values = values

    def rest(self) -> None:
        pass


class Says:
    """A tray of which a test says what it makes of a throw."""

    def __init__(self, stage: Stage, *thrown: str) -> None:
        self.stage, self.thrown = stage, list(thrown)

    def wait(self, roll: object, view: object) -> None:
        pass

    def look(self, view: object) -> Thrown | None:
        values = self.stage.values
        return {
            "": None,
            "all": Thrown(values, sure=True),
            "unsure": Thrown(values),
            "one": Thrown(values[:1], missing=Unread.LEANS),
            "other": Thrown((7, 8), sure=True),
            "other one": Thrown((7,), missing=Unread.LEANS),
            "words": Thrown(words="roll again"),
        }[self.thrown.pop(0) if self.thrown else ""]


@pytest.mark.parametrize(
    ("thrown", "end"),
    [
        (("all",), "sure"),
        (("", "", "all"), "sure"),
        (("words", "all"), "sure"),
        (("unsure",), "asked"),
        (("one",), "tapped"),
        (("other",), "wrong"),
        (("other one",), "wrong"),
        (("words", "words"), "typed"),
        ((), "unnoticed"),
    ],
)
def test_each_throw_counts_as_what_the_referee_makes_of_it(thrown: tuple[str, ...], end: str) -> None:
    stage = Stage()
    assert throws._throw(stage, Says(stage, *thrown), MAT, random.Random(1)) == end


@pytest.mark.night
def test_the_throws_at_a_table_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throws, "MATS", (("collectible", 3),))
    monkeypatch.setattr(throws, "THROWS", 1)
    (row,) = throws.throw_rows(1)
    assert row.what == "collectible, 3 players"
    assert row.figures["throws"] == 1
    assert sum(count for end, count in row.figures.items() if end != "throws") == 1
