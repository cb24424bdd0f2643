"""Charts as inline SVG: steps over the records of a match. Colours come from the style sheet, by class.

A seat's line has its colour, a pattern of dashes of its own, and ends in the seat's badge: colour is never alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from companion.referee.colours import CORNERS, SHAPES
from companion.referee.course import Course
from companion.rules.kernel import Seat

W, H, LEFT, RIGHT, TOP, BOTTOM = 420, 220, 30, 372, 14, 206
"""The drawing (its own units) is no wider than a phone, so that its figures can be read there."""
BADGE = 20
"""How wide a badge at the end of a line is, and how far apart two of them are."""

DASHES: dict[str, str] = {
    "circle": "",
    "square": "9 4",
    "triangle": "3 3",
    "diamond": "12 4 3 4",
    "hexagon": "6 3",
    "shield": "16 5",
    "octagon": "2 5",
    "arch": "9 3 2 3 2 3",
}
"""The dashes of a line, by the shape of its seat's badge."""


class Line(NamedTuple):
    """A line: its points (record, value), its class, its dashes, and the seat (0: none) and shape of its badge."""

    points: Sequence[tuple[int, float]]
    kind: str
    dashes: str = ""
    seat: Seat = 0
    shape: str = ""


def looks(course: Course, label: str) -> dict[str, object]:
    """Draw what the template `parts/looking-back.html` shows; `label` names the scores."""
    ladders = [(track, ladder(course, i)) for i, track in enumerate(course.ladders)]
    return {
        "scores": scores(course, label) if differ(course) else None,
        "ladders": sorted(ladders, key=lambda one: one[0].title),
        "kinds": course.kinds,
        "badges": [
            {"seat": seat, "colour": colour, "shape": SHAPES[colour]} for seat, colour in course.colours.items()
        ],
    }


def differ(course: Course) -> bool:
    """Return whether seats have scores of their own: in a game that is won together they are all the same."""
    return any(len(set(moment.scores)) > 1 for moment in course.moments)


def scores(course: Course, label: str) -> Markup:
    """Draw every seat's score; the seat's badge stands at the end of its line."""
    lines = []
    for seat, colour in course.colours.items():
        shape = SHAPES[colour]
        points = [(n, float(one.scores[seat - 1])) for n, one in enumerate(course.moments)]
        lines.append(Line(points, f"hue-{colour}", DASHES[shape], seat, shape))
    values = [y for line in lines for _, y in line.points] or [0.0]
    return _chart(lines, min(0.0, *values), max(1.0, *values), len(course.moments), label)


def ladder(course: Course, number: int) -> Markup:
    """Draw one of the ladders that people watched, with the rung from which it is dangerous."""
    track = course.ladders[number]
    points = [(n, float(y)) for n, one in enumerate(course.moments) if (y := one.ladders[number]) is not None]
    return _chart([Line(points, "alarm")], track.low, track.high, len(course.moments), track.title, float(track.alarm))


def _chart(
    lines: Sequence[Line], low: float, high: float, records: int, label: str, alarm: float | None = None
) -> Markup:
    last = max(1, records - 1)

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (RIGHT - LEFT) * x / last, BOTTOM - (BOTTOM - TOP) * (y - low) / (high - low)

    out = []
    for rung in rungs(low, high):
        y = at(0, rung)[1]
        out.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="axis" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{rung:g}</text>')
    if alarm is not None:
        y = at(0, alarm)[1]
        out.append(f'<line class="danger" x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
    drawn = [line for line in lines if line.points]
    for line in drawn:
        places = [at(x, y) for x, y in line.points]
        # Level to the next record, then up or down to where it stood after it.
        path = f"M{places[0][0]:.1f} {places[0][1]:.1f} " + " ".join(f"H{x:.1f} V{y:.1f}" for x, y in places[1:])
        # Dark round the edges: some of the seats' colours are too light for paper.
        for kind in ("edge", line.kind):
            out.append(f'<path class="line {kind}" d="{path} H{RIGHT}" stroke-dasharray="{line.dashes or "none"}"/>')
    seated = [line for line in drawn if line.seat]
    ends = [at(last, line.points[-1][1])[1] for line in seated]
    for line, end, y in zip(seated, ends, spread(ends), strict=True):
        out.append(f'<line class="leader" x1="{RIGHT}" x2="{RIGHT + 12}" y1="{end:.1f}" y2="{y:.1f}"/>')
        out.append(_badge(line, RIGHT + 12 + BADGE / 2, y))
    words = escape(label)
    return Markup(  # noqa: S704 - numbers, and a title that is escaped
        f'<svg class="chart" viewBox="0 0 {W} {H}" role="img" aria-label="{words}">{"".join(out)}</svg>'
    )


def _badge(line: Line, x: float, y: float) -> str:
    half = BADGE / 2
    if line.shape in CORNERS:
        corners = " ".join(f"{x + half * dx:.1f},{y + half * dy:.1f}" for dx, dy in CORNERS[line.shape])
        body = f'<polygon points="{corners}"/>'
    elif line.shape == "arch":
        half *= 0.9
        body = (
            f'<path d="M{x - half:.1f} {y + half:.1f} V{y:.1f} a{half} {half} 0 0 1 {2 * half} 0 V{y + half:.1f} Z"/>'
        )
    else:
        body = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half * 0.95}"/>'
    down = 7 if line.shape == "triangle" else 4.5
    number = f'<text x="{x:.1f}" y="{y + down:.1f}" text-anchor="middle">{line.seat}</text>'
    return f'<g class="end {line.kind}">{body}{number}</g>'


def spread(ends: Sequence[float]) -> list[float]:
    """Move heights apart, as little as need be, so that badges there do not overlap; their order is kept."""
    order = sorted(range(len(ends)), key=lambda i: ends[i])
    placed = [0.0] * len(ends)
    room = float(TOP)
    for i in order:
        placed[i] = max(room, ends[i])
        room = placed[i] + BADGE
    room = float(BOTTOM)
    for i in reversed(order):
        placed[i] = min(room, placed[i])
        room = placed[i] - BADGE
    return placed


def rungs(low: float, high: float) -> list[float]:
    """Choose at most eleven round numbers between two values."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if (high - low) / step <= 10)
    first = int(low // step) * step
    return [float(rung) for rung in range(first, int(high) + 1, step) if rung >= low]
