import importlib
import io
import math
import types
from collections.abc import Mapping

import msgspec
import pytest
from rich.console import Console

import benchmarks
from companion import bench
from companion.bench import figures
from companion.bench.figures import Budget, Row, Section, at_least, at_most, median, percentile, plain, shown, tell


def test_a_percentile_is_a_value_that_occurred() -> None:
    values = [5.0, 1.0, 3.0, 2.0, 4.0]
    assert [percentile(values, part) for part in (0.0, 0.2, 0.5, 0.99, 1.0)] == [1.0, 1.0, 3.0, 5.0, 5.0]
    assert math.isnan(percentile([], 0.5))


def test_the_median_of_an_even_number_lies_between_the_two_in_the_middle() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.5
    assert median([9.0, 1.0, 2.0]) == 2.0
    assert math.isnan(median([]))


def test_a_budget_that_is_missed_says_by_how_much() -> None:
    assert at_most("under 3 s", 2.5, 3.0, " s") == Budget("under 3 s", 2.5, 3.0, True, "")
    assert at_most("under 3 s", 4.25, 3.0, " s").gap == "missed by 1.25 s"
    assert at_least("2 × chess", 1.5, 2.0, " × chess").gap == "missed by 0.50 × chess"
    assert at_least("2 × chess", 2.0, 2.0).met


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        (math.nan, "–"),
        (0.0, "0"),
        (7, "7"),
        (2000, "2 000"),
        (0.0042, "0.0042"),
        (0.25, "0.25"),
        (12.34, "12.3"),
        (1234.5, "1 234"),
    ],
)
def test_numbers_are_shown_with_the_digits_that_tell_something(value: float | None, words: str) -> None:
    assert shown(value) == words


def test_a_table_shows_every_figure_the_budget_and_the_notes() -> None:
    rows = (
        Row("ours", {"median_ms": 12.5, "runs": 3}, at_most("under 10 ms", 12.5, 10.0, " ms")),
        Row("theirs", {"median_ms": None, "share": 0.25}, note="not here"),
    )
    out = io.StringIO()
    tell(Console(file=out, width=200), "things", Section(rows, ("chess is not installed.",)))
    text = out.getvalue()
    for words in ("things", "median", "12.5", "share", "0.25", "under 10 ms: missed by 2.50 ms", "not here", "–"):
        assert words in text
    assert "chess is not installed." in text


def test_json_has_no_nan() -> None:
    document = plain(Section((Row("nothing", {"p50_ms": math.nan}),)))
    assert document["rows"][0]["figures"] == {"p50_ms": None}
    assert document["rows"][0]["budget"] is None


def test_an_unknown_section_is_refused_with_the_list() -> None:
    with pytest.raises(bench.BenchError, match="there is no section speed; there are: eye, frames, match, start"):
        bench.run("speed", False)


@pytest.mark.parametrize("package", [bench, benchmarks])
def test_every_section_has_a_module_that_measures(package: types.ModuleType) -> None:
    for name in package.SECTIONS:
        assert callable(importlib.import_module(f"{package.__name__}.{name}").measure)


def test_a_section_that_only_a_checkout_has_is_refused_with_its_command() -> None:
    assert sorted(bench.IN_A_CHECKOUT) == sorted(benchmarks.SECTIONS)
    with pytest.raises(bench.BenchError, match=r"rules is measured in a checkout .*: python -m benchmarks rules$"):
        bench.measure("rules")


def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put sections in place that take no time: one that fails, the rest with one row each."""

    def measure(section: str, _sections: Mapping[str, str], _package: str) -> Section:
        if section == "match":
            raise bench.BenchError("no card was laid")
        return Section((Row(section, {"count": 1}),))

    monkeypatch.setattr(bench, "measure", measure)


def test_json_is_one_document_by_section(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    tiny(monkeypatch)
    bench.run("start", True)
    document = msgspec.json.decode(capfdbinary.readouterr().out)
    assert list(document) == ["start"]
    [row] = document["start"]["rows"]
    assert row == {"what": "start", "figures": {"count": 1}, "budget": None, "note": "", "table": ""}
    assert "cores" in document["start"]["notes"][-1]


def test_of_all_sections_one_that_fails_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    tiny(monkeypatch)
    bench.run(None, True)
    document = msgspec.json.decode(capfdbinary.readouterr().out)
    assert list(document) == list(bench.SECTIONS)
    assert document["match"]["rows"] == []
    assert document["match"]["notes"][0] == "Not measured: no card was laid."
    with pytest.raises(bench.BenchError, match="no card"):
        bench.run("match", True)


def test_a_peer_that_is_not_installed_is_none() -> None:
    assert figures.optional("there_is_no_such_library") is None
    assert figures.optional("math") is math


def test_a_section_of_several_tables_shows_each_with_its_own_columns() -> None:
    out = io.StringIO()
    rows = (Row("a", {"1_px": 0.5}, table="dark"), Row("b", {"median_ms": 7}, table="times"))
    tell(Console(file=out, width=80), "eye", Section(rows, ("That was all.",)))
    first, second = out.getvalue().split("eye: times")
    assert "eye: dark" in first
    assert "1 px" in first
    assert "median" not in first
    assert "1 px" not in second
    assert out.getvalue().count("That was all.") == 1


def test_an_option_that_a_section_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(bench.BenchError, match="the section start has no option --plots"):
        bench.run("start", False, plots="here", frames=None)
    with pytest.raises(bench.BenchError, match="--frames belongs to one section; name it: eye,"):
        bench.run(None, False, frames=2)


@pytest.mark.parametrize("width", [80, 100, 150])
def test_a_table_has_what_people_compare_in_100_columns_and_names_what_else_json_has(width: int) -> None:
    many: dict[str, figures.Figure] = {"median_ms": 12.5, **{f"part_{n}_of_it_ms": 1000.0 + n for n in range(11)}}
    budget = at_most("under 1/10 of a whole-frame zxing-cpp read", 0.2, 0.1)
    ours = Row("1280×720: a frame in which nothing changed", {**many, "to_zxing": 0.2}, budget, "the eye alone")
    theirs = Row("1280×720: zxing-cpp, whole frame", {**many, "to_zxing": 1.0})
    out = io.StringIO()
    tell(Console(file=out, width=width), "frames", Section((ours, theirs)))
    lines = out.getvalue().splitlines()
    assert max(len(line) for line in lines) <= min(width, 100)
    head = next(n for n, line in enumerate(lines) if "median" in line)
    assert "zxing" in " ".join(lines[head : head + 2])
    assert "part 10 of it ms" in " ".join(line.strip() for line in lines if "│" not in line and "┃" not in line)
    assert len([line for line in lines if "│" in line]) <= 8
