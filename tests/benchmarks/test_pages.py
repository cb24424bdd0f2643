"""Pages are visited and events counted in small; the figures are `python -m benchmarks pages`."""

from __future__ import annotations

import pytest

from benchmarks import browser, pages
from companion.bench.figures import BenchError


@pytest.mark.night
@pytest.mark.browser
def test_every_page_is_visited_and_an_event_costs_less_than_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SLOWER", 1)
    section = pages.measure(visits=1, events=3)
    visits = {row.what: row.figures for row in section.rows if row.table == "first visit"}
    assert list(visits) == [
        "join, on a phone",
        "a seat, on a phone",
        "the table, on a screen",
        "the host's desk, on a screen",
        "the simulated table",
        "the largest first visit",
    ]
    for name, figures in visits.items():
        assert (figures["visit_kb"] or 0) > 1
        if name != "the largest first visit":
            assert 0 < (figures["first_paint_ms"] or 0) <= (figures["slowest_ms"] or 0)
            assert (figures["requests"] or 0) >= 3
    largest = visits.pop("the largest first visit")
    assert largest["visit_kb"] == max(figures["visit_kb"] or 0 for figures in visits.values())
    events = [row.figures for row in section.rows if row.table == "an event"]
    assert len(events) == 2
    for figures in events:
        assert (figures["sent_kb"] or 0) > 0
        assert 0 < (figures["painted"] or 0) < (figures["of_elements"] or 0)


def test_without_a_browser_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "_chromium", lambda: None)
    with pytest.raises(BenchError, match="Chromium is not installed"):
        pages.measure()
    monkeypatch.setattr(browser, "optional", lambda name: None)
    with pytest.raises(BenchError, match="playwright is not installed"):
        pages.measure()
