"""A match's result as one square picture, to send to friends: who won, the standing, and the course of the scores."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from companion.letters import laid
from companion.press.chairs import HUES, badge
from companion.press.drawing import Drawing, Point, box, text_width, wrap
from companion.press.raster import render
from companion.referee.course import Course
from companion.referee.publishing import legible
from companion.rules.kernel import Seat
from companion.text import t

SIDE, EDGE = 108.0, 7.2
"""The picture, and the empty edge of it, in a unit that is 10 pixels: 1080 are what phones' messengers show uncut."""
PAPER, INK, SOFT, LINE, ACCENT = "#f4efe4", "#1f2b27", "#55625c", "#ddd5c3", "#17614e"


def picture(
    course: Course, when: str, ranked: Sequence[tuple[Seat, int, bool]], say: Callable[[str], str] = str
) -> bytes:
    """Draw the picture as PNG. `when` is a day in words; `ranked` are seats with their score and whether they won.

    `say` puts what is written beside the course into its language.
    """
    out = io.BytesIO()
    render(drawn(course, when, ranked, say), 10.0).save(out, "PNG", optimize=True)
    return out.getvalue()


def drawn(
    course: Course, when: str, ranked: Sequence[tuple[Seat, int, bool]], say: Callable[[str], str] = str
) -> Drawing:
    """Return the same as a drawing."""
    course = legible(course, dict(enumerate(course.names, 1)), laid, say)
    sheet = Drawing(SIDE, SIDE)
    sheet.fill(PAPER, box(0, 0, SIDE, SIDE))
    sheet.fill(ACCENT, box(0, 0, SIDE, 2.4))
    sheet.text(EDGE, 9.3, f"{course.title} · {when}", 3.0, colour=SOFT, align="l")
    y = 10.0
    for line in wrap(course.outcome or say(t("Not finished")), 5.4, SIDE - 2 * EDGE)[:3]:
        y += 6.6
        sheet.text(EDGE, y, line, 5.4, colour=INK, align="l")
    y += 4.0
    chart = any(len(set(moment.scores)) > 1 for moment in course.moments)
    step = min(6.4, ((64.0 if chart else 98.0) - y) / max(1, len(ranked)))
    size = step * 0.62
    for seat, score, won in ranked:
        y += step
        sheet.add(badge(seat, course.colours[seat], EDGE + step * 0.4, y - size * 0.35, step * 0.4))
        sheet.text(EDGE + step, y, _cut(course.names[seat - 1], size, 62.0), size, colour=INK, align="l")
        if won:
            sheet.text(SIDE - EDGE - 24.0, y, say(t("winner")), step * 0.42, colour=ACCENT, align="l")
        sheet.text(SIDE - EDGE, y, str(score), size, colour=INK, align="r")
    if chart:
        _curves(sheet, course, (EDGE, 69.0, SIDE - EDGE, 99.0))
    sheet.text(SIDE - EDGE, SIDE - 3.2, "Companion", 2.6, colour=SOFT, align="r")
    return sheet


def _curves(sheet: Drawing, course: Course, within: tuple[float, float, float, float]) -> None:
    """Draw every seat's score over the records, as steps."""
    left, top, right, bottom = within
    rows = [moment.scores for moment in course.moments]
    low, high = min(0, *(min(row) for row in rows)), max(1, *(max(row) for row in rows))
    sheet.line(LINE, 0.3, (left, bottom), (right, bottom))
    for seat, colour in course.colours.items():
        points: list[Point] = []
        for n, row in enumerate(rows):
            x = left + (right - left) * n / max(1, len(rows) - 1)
            y = bottom - (bottom - top) * (row[seat - 1] - low) / (high - low)
            points += [(x, points[-1][1] if points else y), (x, y)]
        # Dark round the edges: some of the seats' colours are too light for paper.
        sheet.line(INK, 0.8, *points)
        sheet.line(HUES[colour][0], 0.5, *points)


def _cut(words: str, size: float, width: float) -> str:
    while len(words) > 1 and text_width(words, size) > width:
        words = words[:-2].rstrip() + "."
    return words
