"""Imports go one way: rules know nothing of the others, the eye no games, and only the top puts things together."""

import ast
from pathlib import Path

import companion

ROOT = Path(companion.__file__).parent
LEAVES = {"codes", "files", "paths", "steady"}
MAY = {
    "rules": set(),
    "eye": set(),
    "referee": {"rules", "eye"},
    "devices": {"rules", "eye", "referee"},
    "server": {"rules", "eye", "referee"},
    "press": {"rules", "eye", "referee"},
    "sim": {"rules", "eye", "referee"},
}


def imports(path):
    """Yield the parts of companion that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names = [node.module or ""]
            if node.module == "companion":
                names = [f"companion.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("companion."):
                yield name.split(".")[1]


def offences(room, files):
    allowed = MAY[room] | LEAVES | {room}
    return [f"{path.name}: {part}" for path in files for part in imports(path) if part not in allowed]


def test_imports_go_one_way():
    for room in MAY:
        assert offences(room, sorted((ROOT / room).rglob("*.py"))) == [], room


def test_leaves_import_nothing_of_the_house():
    for leaf in LEAVES:
        assert set(imports(ROOT / f"{leaf}.py")) == set()


def test_rules_do_no_io_and_know_no_clock_or_chance():
    forbidden = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "sqlite3", "threading", "socket"}
    for path in sorted((ROOT / "rules").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not forbidden & {alias.name.split(".")[0] for alias in node.names}, path
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in forbidden, path


def test_the_rule_notices_an_import_that_goes_up(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def late():\n    from companion.server import app\n")
    assert offences("rules", [bad]) == ["bad.py: server"]
