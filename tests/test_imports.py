"""Imports go one way: rules know nothing of the others, the eye no games, and only the top puts things together."""

import ast
from functools import cache
from pathlib import Path

import companion

ROOT = Path(companion.__file__).parent
LEAVES = {"codes", "files", "kept", "letters", "text", "untyped"}
MAY = {
    "rules": set(),
    "eye": set(),
    "referee": {"rules", "eye"},
    "devices": {"rules", "eye", "referee"},
    "server": {"rules", "eye", "referee"},
    "press": {"rules", "eye", "referee"},
    "sim": {"rules", "eye", "referee"},
}
SHARED = {"rules", "eye", "referee", "devices", "server", "press", "sim", "games"}
MAY["table"] = SHARED
MAY["hall"] = {*SHARED, "table"}
MAY["appliance"] = {*SHARED, "table", "hall"}
MAY["bench"] = {*SHARED, "table", "appliance", "hall"}
MAY["cli"] = {*SHARED, "table", "appliance", "bench", "hall"}
GAMES = sorted(path for path in (ROOT / "games").iterdir() if (path / "__init__.py").is_file())
"""The folders of the games: rules, and what nobody needs for judging: `art` and `bots`."""
OF_A_GAME = {"rules": set(), "art": {"press", "eye"}, "bots": {"sim"}}


@cache
def statements(path):
    """Return what imports in a file, wherever it stands: each file is read once for all that is asked of it."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(path):
    """Yield the parts of companion that a file imports, wherever in the file."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
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


def part_of(path, game):
    first = path.relative_to(game).parts[0].removesuffix(".py")
    return first if first in OF_A_GAME else "rules"


def imported(path):
    """Yield the modules of companion that a file imports, with their packages."""
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion."):
            yield node.module.split(".")[1:]
            yield from ([*node.module.split(".")[1:], alias.name] for alias in node.names)


def test_a_games_rules_know_neither_its_art_nor_its_bots_nor_another_game():
    for game in GAMES:
        for path in sorted(game.rglob("*.py")):
            part = part_of(path, game)
            for module in imported(path):
                if module[0] == "games":
                    assert module[1:] == [] or module[1] == game.name, path
                    other = {"art", "bots"} - {part}
                    assert len(module) < 3 or module[2] not in other, path
                else:
                    assert module[0] in {"rules", *LEAVES, *OF_A_GAME[part]}, f"{path}: {module}"


def test_leaves_import_nothing_of_the_house():
    for leaf in LEAVES:
        assert set(imports(ROOT / f"{leaf}.py")) == set()


def test_a_table_needs_of_the_hall_only_what_goes_over_the_wire():
    assert not {*imports(ROOT / "hall" / "messages.py"), *imports(ROOT / "hall" / "connections.py")}
    assert set(imports(ROOT / "hall" / "sentences.py")) == {"hall", "text"}
    for path in sorted((ROOT / "appliance").rglob("*.py")):
        of_hall = [module for module in imported(path) if module[0] == "hall" and len(module) > 1]
        assert all(module[1] in ("messages", "sentences", "connections") for module in of_hall), path


def test_a_table_that_tells_nobody_loads_no_mqtt():
    """What speaks MQTT is imported inside functions only, where a broker is named."""
    speaks = {"publisher", "broker_link"}
    rooms = [room for room in MAY if room not in ("hall", "cli")]
    for path in sorted(path for room in rooms for path in (ROOT / room).rglob("*.py")):
        if path.parent.name == "appliance" and path.stem in speaks:
            continue
        if path.parent.name == "bench" and path.stem.startswith("hall"):
            continue  # what measures a hall names one
        for node in statements(path):
            told = "" if node.col_offset else ast.unparse(node)
            assert "paho" not in told, path
            assert not any(f"appliance.{one} " in told for one in speaks), path


def test_rules_do_no_io_and_know_no_clock_or_chance():
    forbidden = {"os", "io", "pathlib", "time", "datetime", "random", "secrets", "sqlite3", "threading", "socket"}
    of_games = [path for game in GAMES for path in game.rglob("*.py") if part_of(path, game) == "rules"]
    for path in sorted([*(ROOT / "rules").rglob("*.py"), *of_games]):
        for node in statements(path):
            if isinstance(node, ast.Import):
                assert not forbidden & {alias.name.split(".")[0] for alias in node.names}, path
            else:
                assert (node.module or "").split(".")[0] not in forbidden, path


def test_the_rule_notices_an_import_that_goes_up(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def late():\n    from companion.server import app\n")
    assert offences("rules", [bad]) == ["bad.py: server"]


NAMES_ANY = {
    "untyped.py",
    "devices/picamera_child.py",
    "devices/pins_child.py",
    "hall/database.py",
    "hall/messages.py",
    "referee/command_handlers.py",
    "referee/publishing.py",
    "rules/engine.py",
    "rules/kernel/game.py",
    "server/feed.py",
    "sim/copies.py",
    "table/camera_view.py",
}
"""Where `Any` stands, each time with its reason beside it; everybody else names JSON or a library's thing as such."""


def test_any_is_named_only_where_there_is_a_reason():
    found = set()
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        nodes = ast.walk(ast.parse(text)) if "Any" in text else ()
        if any(isinstance(node, ast.Name) and node.id == "Any" for node in nodes):
            found.add(path.relative_to(ROOT).as_posix())
    assert found == NAMES_ANY, "name what comes in as JSON by companion.untyped, give anything else its type"
