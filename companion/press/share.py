"""A match's result as one square picture, to send to friends: who won, the standing, and the course of the scores."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from companion.press.debrief import COLOURS
from companion.press.drawing import font, plain
from companion.referee.course import Course
from companion.referee.publishing import legible
from companion.rules.kernel import Seat
from companion.text import t

SIDE = 1080
"""Pixels: what phones' messengers show without cutting."""
EDGE = 72
PAPER, INK, SOFT, LINE, ACCENT = "#f4efe4", "#1f2b27", "#55625c", "#ddd5c3", "#17614e"


def picture(
    course: Course, when: str, ranked: Sequence[tuple[Seat, int, bool]], say: Callable[[str], str] = str
) -> bytes:
    """Draw the PNG for a day `when`, in words; `ranked` has seats, scores and whether they won, `say` the language."""
    course = legible(course, dict(enumerate(course.names, 1)), plain, say)
    image = Image.new("RGB", (SIDE, SIDE), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIDE, 24), fill=ACCENT)
    draw.text((EDGE, 64), plain(f"{course.title} · {when}"), fill=SOFT, font=font(30))
    y = 112.0
    for line in _wrapped(draw, plain(course.outcome or say(t("Not finished"))), 54, SIDE - 2 * EDGE)[:3]:
        draw.text((EDGE, y), line, fill=INK, font=font(54))
        y += 66
    y += 28
    chart = any(len(set(moment.scores)) > 1 for moment in course.moments)
    step = min(64.0, ((640 if chart else 980) - y) / max(1, len(ranked)))
    for seat, score, won in ranked:
        i = seat - 1
        draw.ellipse((EDGE, y + step * 0.2, EDGE + step * 0.5, y + step * 0.7), fill=COLOURS[i % len(COLOURS)])
        draw.text(
            (EDGE + step * 0.75, y),
            _cut(draw, plain(course.names[i]), step * 0.62, 640),
            fill=INK,
            font=font(step * 0.62),
        )
        if won:
            draw.text(
                (SIDE - EDGE - 240, y + step * 0.16), plain(say(t("winner"))), fill=ACCENT, font=font(step * 0.42)
            )
        draw.text((SIDE - EDGE, y), str(score), fill=INK, font=font(step * 0.62), anchor="ra")
        y += step
    if chart:
        _curves(draw, course, (EDGE, 690, SIDE - EDGE, 990))
    draw.text((SIDE - EDGE, SIDE - 54), "Companion", fill=SOFT, font=font(26), anchor="ra")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _curves(draw: ImageDraw.ImageDraw, course: Course, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    rows = [moment.scores for moment in course.moments]
    low, high = min(0, *(min(row) for row in rows)), max(1, *(max(row) for row in rows))
    draw.line((left, bottom, right, bottom), fill=LINE, width=3)
    for i in range(len(course.names)):
        points: list[tuple[float, float]] = []
        for n, row in enumerate(rows):
            x = left + (right - left) * n / max(1, len(rows) - 1)
            y = bottom - (bottom - top) * (row[i] - low) / (high - low)
            points += [(x, points[-1][1] if points else y), (x, y)]
        draw.line(points, fill=COLOURS[i % len(COLOURS)], width=6, joint="curve")


def _wrapped(draw: ImageDraw.ImageDraw, words: str, size: float, width: float) -> list[str]:
    lines: list[str] = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=font(size)) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line for line in lines if line]


def _cut(draw: ImageDraw.ImageDraw, words: str, size: float, width: float) -> str:
    while len(words) > 1 and draw.textlength(words, font=font(size)) > width:
        words = words[:-2].rstrip() + "."
    return words
