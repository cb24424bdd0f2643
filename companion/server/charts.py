"""Charts as inline SVG: steps over the records of a match. Colours come from the style sheet, by class."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from companion.referee.course import Course

W, H, LEFT, RIGHT, TOP, BOTTOM = 720, 260, 34, 610, 12, 240


def differ(course: Course) -> bool:
    """Tell whether seats have scores of their own: in a game that is won together they are all the same."""
    return any(len(set(moment.scores)) > 1 for moment in course.moments)


def kinds(course: Course) -> list[str]:
    """List the kinds of remarks that are counted seat by seat."""
    return [kind for kind in dict.fromkeys(one.kind for _, one in course.remarks) if kind != "help"]


def scores(course: Course) -> Markup:
    """Draw every seat's score; its name stands at the end of its line."""
    series = [
        (name, f"seat-{seat % 8 + 1}", [(n, float(one.scores[seat])) for n, one in enumerate(course.moments)])
        for seat, name in enumerate(course.names)
    ]
    values = [y for _, _, points in series for _, y in points] or [0.0]
    return _chart(series, min(0.0, *values), max(1.0, *values), len(course.moments), f"Scores of {course.title}")


def ladder(course: Course, number: int) -> Markup:
    """Draw one of the ladders that people watched, with the rung from which it is dangerous."""
    track = course.ladders[number]
    points = [(n, float(y)) for n, one in enumerate(course.moments) if (y := one.ladders[number]) is not None]
    series = [("", "alarm", points)]
    return _chart(series, track.low, track.high, len(course.moments), track.title, float(track.alarm))


def _chart(
    series: Sequence[tuple[str, str, Sequence[tuple[int, float]]]],
    low: float,
    high: float,
    records: int,
    label: str,
    alarm: float | None = None,
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
    ends: list[float] = []
    for name, kind, points in series:
        if not points:
            continue
        places = [at(x, y) for x, y in points]
        # Level to the next record, then up or down to where it stood after it.
        path = f"M{places[0][0]:.1f} {places[0][1]:.1f} " + " ".join(f"H{x:.1f} V{y:.1f}" for x, y in places[1:])
        out.append(f'<path class="line {kind}" d="{path} H{RIGHT}"/>')
        y = at(last, points[-1][1])[1] + 4
        while any(abs(y - other) < 15 for other in ends):
            y -= 15
        ends.append(y)
        out.append(f'<text class="name {kind}" x="{RIGHT + 6}" y="{y:.1f}">{escape(name)}</text>')
    words = escape(label)
    return Markup(  # noqa: S704 - numbers, and names that are escaped
        f'<svg class="chart" viewBox="0 0 {W} {H}" role="img" aria-label="{words}">{"".join(out)}</svg>'
    )


def rungs(low: float, high: float) -> list[float]:
    """Choose at most eleven round numbers between two values."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if (high - low) / step <= 10)
    first = int(low // step) * step
    return [float(rung) for rung in range(first, int(high) + 1, step) if rung >= low]
