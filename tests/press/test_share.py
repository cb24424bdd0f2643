"""The result as a picture to send, and as a PDF: names are drawn, and those that no font can write don't vanish."""

from __future__ import annotations

from collections.abc import Callable

from companion.press.chairs import HUES
from companion.press.debrief import pages
from companion.press.drawing import Drawing, Shape, Text
from companion.press.share import drawn
from companion.referee.colours import worn
from companion.referee.course import Course, Moment

NAMES = ("Анна", "Άννα", "王小明", "דנה", "😀", "Bo", "Žofie", "Anna 😀")
CALLED = ("Анна", "Άννα", "Seat 3", "דנה", "Seat 5", "Bo", "Žofie", "Anna 😀")
RANKED = [(1, 0, True), *((seat, seat - 1, False) for seat in range(8, 1, -1))]


def course() -> Course:
    scores = tuple(range(len(NAMES)))
    moments = tuple(Moment(n, "2026-01-01T12:00:00Z", n, f"{name} draws.", scores) for n, name in enumerate(NAMES, 1))
    told = "王小明 wins with one point."
    colours = worn({2: "red"}, len(NAMES))
    return Course("0190", "x", "Дурак", NAMES, moments, (), (), (60.0,) * len(NAMES), told, colours=colours)


def words(*sheets: Drawing) -> list[str]:
    return [item.words for sheet in sheets for item in sheet.items if isinstance(item, Text)]


def hues(*sheets: Drawing) -> set[str]:
    return {item.fill for sheet in sheets for item in sheet.items if isinstance(item, Shape)}


def picture(say: Callable[[str], str] = str) -> Drawing:
    return drawn(course(), "a day", RANKED, say)


def test_the_picture_names_everybody_and_by_the_seat_who_has_a_letter_that_no_font_has() -> None:
    told = words(picture())
    assert told[:2] == ["Дурак · a day", "Seat 3 wins with one point."]
    assert [one for one in told if one in CALLED] == [CALLED[seat - 1] for seat, _, _ in RANKED]


def test_so_does_the_pdf() -> None:
    told = words(*pages(course()))
    assert "Дурак" in told
    assert "Seat 3 wins with one point." in told
    assert [f"{who} draws." in told for who in CALLED] == [True] * len(CALLED)


def test_a_seat_has_its_sign_in_both() -> None:
    signs = {HUES[colour][0] for colour in course().colours.values()}
    assert len(signs) == len(NAMES)
    assert signs <= hues(picture())
    assert signs <= hues(*pages(course()))


def test_the_seat_is_said_in_the_pictures_language() -> None:
    assert words(picture(lambda told: told.replace("Seat", "Plats")))[1] == "Plats 3 wins with one point."
