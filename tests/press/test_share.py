"""The result as a picture to send, and as a PDF: names that the font can't write don't vanish from them."""

from __future__ import annotations

import pytest
from PIL import ImageDraw

from companion.press import share
from companion.press.debrief import pages
from companion.press.drawing import Text
from companion.referee.course import Course, Moment

NAMES = ("Анна", "Άννα", "王小明", "דנה", "😀", "Bo", "Žofie", "Anna 😀")
RANKED = [(1, 0, True), *((seat, seat - 1, False) for seat in range(8, 1, -1))]


def course() -> Course:
    scores = tuple(range(len(NAMES)))
    moments = tuple(Moment(n, "2026-01-01T12:00:00Z", n, f"{name} draws.", scores) for n, name in enumerate(NAMES, 1))
    return Course("0190", "x", "X", NAMES, moments, (), (), (60.0,) * len(NAMES), "Анна wins with one point.")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that are drawn, as they are drawn."""
    written: list[str] = []
    write = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, at: tuple[float, float], words: str, **how: object) -> None:
        written.append(words)
        write(self, at, words, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    return written


def test_who_has_a_letter_that_the_font_lacks_is_called_by_the_seat_in_the_picture(drawn: list[str]) -> None:
    share.picture(course(), "a day", RANKED)
    assert drawn[1] == "Seat 1 wins with one point."
    named = [words.strip() for words in drawn if words.startswith(("Seat", "Bo", "Žofie", "Anna"))][1:]
    assert named == ["Seat 1", "Anna", "Žofie", "Bo", "Seat 5", "Seat 4", "Seat 3", "Seat 2"]


def test_so_is_it_in_the_pdf() -> None:
    told = [item.words for page in pages(course()) for item in page.items if isinstance(item, Text)]
    assert "Seat 1 wins with one point." in told
    assert [f"{who} draws." in told for who in ("Seat 1", "Seat 2", "Seat 3", "Seat 4", "Seat 5", "Bo")] == [True] * 6


def test_the_seat_is_said_in_the_pictures_language(drawn: list[str]) -> None:
    share.picture(course(), "a day", RANKED, lambda words: words.replace("Seat", "Plats"))
    assert drawn[1] == "Plats 1 wins with one point."
