from pathlib import Path

from typer.testing import CliRunner

from benchmarks import results
from benchmarks.__main__ import app
from companion.bench.figures import Row, Section, at_most


def test_a_section_is_written_in_place_of_its_last_run_and_the_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    results.keep("rules", "random playouts", Section((Row("chess", {"per_second": 9}),)), file)
    results.keep("kills", "a process killed", Section((Row("all", {"lost": 0}, at_most("none", 0, 0)),)), file)
    results.keep("rules", "random playouts", Section((Row("chess", {"per_second": 12}),)), file)
    text = file.read_text(encoding="utf-8")
    assert text.index("## kills") < text.index("## rules")
    assert text.count("## rules") == 1
    assert "| chess | 12 |" in text
    assert "| chess | 9 |" not in text
    assert "| all | 0 | none: met |" in text


def test_each_table_of_a_section_has_its_own_columns(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    rows = (Row("a|b", {"share": 0.5}, table="dark"), Row("c", {"p50_ms": None}, table="times", note="alone"))
    results.keep("eye", "reading", Section(rows), file)
    dark, times = file.read_text(encoding="utf-8").split("**times**")
    assert "|  | share |" in dark
    assert "a\\|b" in dark
    assert "| c (alone) | – |" in times


def test_the_command_says_when_a_folder_has_no_photographs_and_which_option_a_section_lacks(tmp_path: Path) -> None:
    def told(*words: str) -> str:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 1
        return done.stderr

    assert "has no photographs of tables" in told("table", str(tmp_path))
    assert "takes no folders" in told("rules", str(tmp_path))
    assert "has no option --frames" in told("rules", "--frames", "3")
