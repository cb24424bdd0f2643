"""A match in retrospect, to print and to take home: A4 pages with ladders, scores, help, rolls and what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.letters import laid
from companion.press.chairs import HUES, badge
from companion.press.drawing import Drawing, Loop, text_width, wrap
from companion.press.vector import pdf_of
from companion.referee.course import Course, Track
from companion.referee.publishing import legible
from companion.rules.kernel import Seat
from companion.text import CLOCK, MOMENT, capital, join, local_time, t

W, H, EDGE = 210.0, 297.0, 18.0
INK, SOFT, FAINT, ALARM = "#22302c", "#55625c", "#ddd5c3", "#a0291f"


Say = Callable[[str], str]
"""Translates a finished English sentence."""


def debrief(course: Course, say: Say = str) -> bytes:
    """Print the pages as a PDF. `say` puts what is written beside the course into its language."""
    return pdf_of(pages(course, say), say(t("{title}: looking back", title=course.title)))


def pages(course: Course, say: Say = str) -> list[Drawing]:
    """Draw all pages."""
    course = legible(course, dict(enumerate(course.names, 1)), laid, say)
    sheet = _Sheet(course.title, say)
    when = local_time(course.moments[0].at, MOMENT) if course.moments else ""
    sheet.paragraph(t("{names}. {when}.", names=join(", ", course.names), when=when), colour=SOFT)
    if course.outcome:
        sheet.paragraph(course.outcome, bold=True)
    if course.records:
        sheet.paragraph(
            say(
                t(
                    "Records written down: {records}. The last one's hash: {head}.",
                    records=course.records,
                    head=course.head,
                )
            )
        )
        sheet.paragraph(
            say(t("Keep this page: by these two it shows later whether the match was changed or cut short."))
        )
    for i, track in enumerate(course.ladders):
        sheet.heading(track.title)
        steps = [(n, moment.ladders[i]) for n, moment in enumerate(course.moments) if moment.ladders[i] is not None]
        sheet.chart({0: [(x, float(y)) for x, y in steps if y is not None]}, course, track)
    if _differs(course):
        sheet.heading(say(t("Scores")))
        sheet.chart(
            {
                seat: [(n, float(moment.scores[seat - 1])) for n, moment in enumerate(course.moments)]
                for seat in course.colours
            },
            course,
        )
    _people(sheet, course, say)
    _told(sheet, course, say)
    return sheet.pages


def _differs(course: Course) -> bool:
    return any(len(set(moment.scores)) > 1 for moment in course.moments)


def _people(sheet: _Sheet, course: Course, say: Say) -> None:
    """What everybody did: time, engagements, rolls, help."""
    given, got = [0] * len(course.names), [0] * len(course.names)
    for (helper, helped), amount in course.help().items():
        given[helper - 1] += amount
        got[helped - 1] += amount
    head = [say(t("Time")), *(capital(say(kind)) for kind in course.kinds), say(t("Help given")), say(t("Help got"))]
    rows: list[Sequence[str]] = [("", *head)]
    for seat, name in enumerate(course.names):
        counts = [str(course.count(kind)[seat]) for kind in course.kinds]
        minutes = say(t("{second:.1f} min", second=course.seconds[seat] / 60))
        rows.append((name, minutes, *counts, str(given[seat]), str(got[seat])))
    sheet.heading(say(t("Who did what")))
    sheet.table(rows, course)
    if course.help():
        sheet.heading(say(t("Who helped whom")))
        for (helper, helped), amount in sorted(course.help().items(), key=lambda item: -item[1]):
            times = t("once") if amount == 1 else t("{amount} times", amount=amount)
            sheet.paragraph(
                say(
                    t(
                        "{name} helped {name2} {times}.",
                        name=course.names[helper - 1],
                        name2=course.names[helped - 1],
                        times=times,
                    )
                )
            )


def _told(sheet: _Sheet, course: Course, say: Say) -> None:
    sheet.heading(say(t("What happened")))
    said: dict[int, list[str]] = {n: [] for n, _ in course.remarks}
    for n, remark in course.remarks:
        said[n].append(remark.words)
    for moment in course.moments:
        sheet.paragraph(
            join(" ", filter(None, (moment.words, *said.get(moment.n, ())))), mark=local_time(moment.at, CLOCK)
        )


class _Sheet:
    """A4 pages that are filled from the top; what does not fit begins the next one."""

    def __init__(self, title: str, say: Say) -> None:
        self.pages: list[Drawing] = []
        self._title = title
        self._say = say
        self._y = 0.0
        self._turn()
        self._page.text(EDGE, 28, title, 9.5, align="l", bold=True)
        self._y = 37.0

    @property
    def _page(self) -> Drawing:
        return self.pages[-1]

    def _turn(self) -> None:
        self.pages.append(Drawing(W, H))
        self._page.text(
            W - EDGE,
            H - 10,
            t("{title}, {say}", title=self._title, say=self._say(t("page {pages}", pages=len(self.pages)))),
            3.2,
            colour=SOFT,
            align="r",
        )
        self._y = EDGE + 4

    def _room(self, high: float) -> None:
        if self._y + high > H - EDGE:
            self._turn()

    def heading(self, words: str) -> None:
        """Write a heading; something of what it heads stays on its page."""
        self._room(30)
        self._y += 10
        self._page.text(EDGE, self._y, words, 5.2, align="l", bold=True)
        self._y += 2

    def paragraph(self, words: str, colour: str = INK, bold: bool = False, mark: str = "") -> None:
        """Write a paragraph, with a mark (a time) in the margin."""
        left = EDGE + (13 if mark else 0)
        lines = wrap(words, 3.7, W - EDGE - left, bold)
        self._room(4.9 * len(lines))
        for i, line in enumerate(lines):
            self._y += 4.9
            if mark and i == 0:
                self._page.text(EDGE, self._y, mark, 3.2, colour=SOFT, align="l")
            self._page.text(left, self._y, line, 3.7, colour=colour, align="l", bold=bold)

    def table(self, rows: Sequence[Sequence[str]], course: Course) -> None:
        """Write rows; the first is the head, the others are the seats'."""
        self._room(6.5 * len(rows))
        wide = (W - 2 * EDGE - 45) / max(1, len(rows[0]) - 1)
        for i, row in enumerate(rows):
            self._y += 6.5
            if i > 0:
                self._page.add(badge(i, course.colours[i], EDGE + 2, self._y - 1.3, 1.9))
            for j, cell in enumerate(row):
                x = EDGE + 5.5 if j == 0 else EDGE + 45 + wide * j
                # Words of other languages are longer: they must not touch the next column's.
                room = 37.5 if j == 0 else wide - 2.0
                size = 3.6 * min(1.0, room / max(1.0, text_width(cell, 3.6, i == 0)))
                self._page.text(x, self._y, cell, size, align="l" if j == 0 else "r", bold=i == 0)
            self._page.line(FAINT, 0.2, (EDGE, self._y + 2), (W - EDGE, self._y + 2))

    def chart(
        self,
        series: Mapping[Seat, Sequence[tuple[int, float]]],
        course: Course,
        track: Track | None = None,
    ) -> None:
        """Draw lines of steps over the records, each ending in its seat's badge and name.

        Of a ladder (its seat is 0) all rungs are drawn, and where it becomes dangerous.
        """
        high = 46.0
        self._room(high + 6)
        top, bottom, left, right = self._y + 2, self._y + high - 4, EDGE + 8, W - EDGE - 24
        values = [y for points in series.values() for _, y in points] or [0.0]
        low, most = (track.low, track.high) if track is not None else (min(0.0, *values), max(1.0, *values))
        last = max(1, len(course.moments) - 1)

        def at(x: float, y: float) -> tuple[float, float]:
            return left + (right - left) * x / last, bottom - (bottom - top) * (y - low) / (most - low)

        for rung in _rungs(low, most):
            self._page.line(FAINT, 0.15, at(0, rung), at(last, rung))
            self._page.text(left - 2, at(0, rung)[1] + 1, f"{rung:g}", 2.8, colour=SOFT, align="r")
        if track is not None:
            self._page.line(ALARM, 0.3, at(0, track.alarm), at(last, track.alarm))
        ends: list[float] = []
        for seat, points in series.items():
            if not points:
                continue
            line = [at(x, y) for x, y in _steps(points, last)]
            if seat:
                # Dark round the edges: some of the seats' colours are too light for paper.
                self._page.line(INK, 0.9, *line)
            self._page.line(HUES[course.colours[seat]][0] if seat else ALARM, 0.6, *line)
            y = at(last, points[-1][1])[1] + 1
            while any(abs(y - other) < 3.4 for other in ends):
                y -= 3.4
            ends.append(y)
            if seat:
                self._page.add(badge(seat, course.colours[seat], right + 3, y - 1, 1.6))
                self._page.text(right + 6, y, course.names[seat - 1][:12], 3.0, colour=INK, align="l")
        self._y += high


def _rungs(low: float, most: float) -> list[float]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if (most - low) / step <= 10)
    first = int(low // step) * step
    return [float(rung) for rung in range(first, int(most) + 1, step) if rung >= low]


def _steps(points: Sequence[tuple[int, float]], last: int) -> Loop:
    """Return a line that is level between records and rises at them."""
    line: list[tuple[float, float]] = []
    for x, y in points:
        if line:
            line.append((float(x), line[-1][1]))
        line.append((float(x), y))
    return (*line, (float(last), line[-1][1]))
