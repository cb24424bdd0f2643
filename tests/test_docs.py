"""README and docs say what the program does: commands, links, examples, names of functions, quoted code."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from companion.cli.main import cli
from companion.games.from_file import score_file
from docs import commands, score_keys
from tests.nights import at_night

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")), *(ROOT / "docs").rglob("*.md")]
)
PROGRAMS = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
ANY = "…"
"""In an example: anything, as a value; more keys, as a key; more items, as a list's last item."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fenced blocks of a page: what follows the fence, and the lines inside."""
    for found in re.finditer(r"^```([^\n`]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield found[1], found[2]


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(text: str) -> set[str]:
    """Give the anchors that GitHub makes of a page's headings."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def agrees(shown: Any, real: Any) -> bool:
    """Tell whether an example is what was answered, where … stands for anything."""
    if shown == ANY:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        more = shown.get(ANY) == ANY
        same = all(key in real and agrees(value, real[key]) for key, value in shown.items() if key != ANY)
        return same and (more or shown.keys() == real.keys())
    if isinstance(shown, list) and isinstance(real, list):
        if shown and shown[-1] == ANY:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(map(agrees, shown, real))
    return bool(shown == real)


def run(words: str, given: str | None = None) -> list[Any]:
    done = CliRunner().invoke(cli, shlex.split(words), input=given)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def examples(command: str) -> list[tuple[str, str]]:
    return [(head, body) for head, body in blocks(PROGRAMS) if head.split(" ")[0] == command]


def test_an_example_that_is_wrong_is_noticed() -> None:
    real = {"ok": True, "seats": [1, 2], "goal": 5}
    assert agrees({"ok": True, "…": "…"}, real)
    assert agrees({"ok": True, "seats": [1, "…"], "goal": "…"}, real)
    for wrong in (
        {"ok": True},
        {"ok": False, "…": "…"},
        {"more": 1, "…": "…"},
        {"seats": [2, "…"], "…": "…"},
        {"seats": [1], "…": "…"},
        {"seats": [1, 2, 3, "…"], "…": "…"},
    ):
        assert not agrees(wrong, real)


def test_every_command_and_option_is_listed_and_no_other() -> None:
    page = commands.PAGE.read_text(encoding="utf-8")
    assert page == commands.renewed(page), "python -m docs.commands renews the list"
    listed = {tuple(re.findall(r"`(companion [\w -]+?|--[\w-]+)(?: [A-Z.\\|]+)*`", row)) for row in page.splitlines()}
    group: Any = typer.main.get_command(cli)
    for name, command in commands.commands(group):
        options = [part.opts[0] for part in command.params if part.param_type_name == "option"]
        assert (name, *options) in listed, name


def test_every_key_and_operator_of_a_score_file_is_listed() -> None:
    page = score_keys.PAGE.read_text(encoding="utf-8")
    assert page == score_keys.renewed(page), "python -m docs.score_keys renews the lists"
    assert set(score_file.OPERATORS) == {*get_args(score_file.Op)}
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", page))))
    for part in (score_file.Score, *score_file.PARTS.values(), score_file.When):
        assert {*part.__struct_fields__} <= named | {"score", "match"}, part
    assert len(page.split()) <= 1500


def test_every_command_that_the_pages_name_is_there_with_its_options() -> None:
    known: dict[str, set[str]] = {}
    for name, command in commands.commands(typer.main.get_command(cli)):
        known[name] = {option for part in command.params for option in (*part.opts, *part.secondary_opts)}
        assert command.help, name
    known["companion hall"] = set()
    for page in PAGES:
        spans = re.findall(
            r"`([^`\n]+)`|^((?:sudo )?companion [^\n#]*)", page.read_text(encoding="utf-8"), re.MULTILINE
        )
        for span in map("".join, spans):
            if found := re.match(r"(?:sudo )?(companion (?:hall [a-z-]+|[a-z]+))(?: |$)", span):
                name, options = found[1], set(re.findall(r"(?<!\S)--[a-z][a-z-]*", span))
                assert name in known, f"{page.name}: {span}"
                assert options <= known[name] | {"--help"}, f"{page.name}: {span}"


def test_the_variables_are_documented() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "companion").rglob("*.py"))
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    used = set(re.findall(r"\bCOMPANION_[A-Z]+\b", code))
    assert {"COMPANION_STATE", "COMPANION_DATA", "COMPANION_DEVICES"} <= used
    assert [name for name in sorted(used) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        assert not target.startswith("/"), target
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), target
        assert there.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), target


def test_pages_are_short_enough_to_be_read() -> None:
    words = {page.relative_to(ROOT): len(page.read_text(encoding="utf-8").split()) for page in PAGES}
    assert {page: count for page, count in words.items() if count > 2500} == {}
    assert sum(words.values()) <= 45_000


def test_the_newest_release_of_the_changelog_is_the_version_of_the_package() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    releases = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert releases[0] == package["version"]


def test_every_picture_is_small_and_shown_somewhere() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    for picture in (ROOT / "docs" / "images").iterdir():
        if picture.suffix in {".jpg", ".png", ".svg"}:
            assert picture in shown, f"{picture.name} is on no page"
            assert picture.stat().st_size < 200_000, picture.name
            if picture.suffix != ".svg":
                with Image.open(picture) as image:
                    image.verify()


def test_every_page_of_the_list_has_a_picture() -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown: set[str] = set()
    for head, rows in re.findall(r"^(\| .*)\n\|[ |-]+\|\n((?:\|.*\n?)+)", gallery, re.MULTILINE):
        titles = head.strip("|").split("|")
        for row in rows.splitlines():
            cells = row.strip().strip("|").split("|")
            assert len(cells) == len(titles), row
            shown |= {
                address
                for title, cell in zip(titles, cells, strict=True)
                if "![" in cell
                for address in re.findall(r"`(/[^`]*)`", title)
            }
    listed = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8").partition("## Which page is where")[2]
    table = listed.partition("\n\n|")[2].partition("\n\n")[0]
    pages = {
        address
        for row in table.splitlines()
        for address in re.findall(r"`(/[^`]*)`", row.split(" | ")[0])
        if "." not in address and not re.fullmatch(r"/J(/\d+)?|/join/\d+", address)
    }
    assert len(pages) > 20
    assert pages - shown == set()


@pytest.mark.parametrize(("head", "body"), examples("referee"), ids=lambda text: text[:20])
def test_the_referee_answers_as_shown(head: str, body: str) -> None:
    lines = body.splitlines()
    said, shown = lines[::2], lines[1::2]
    assert all(line.startswith("> ") for line in said)
    assert all(line.startswith("< ") for line in shown)
    real = run(head, "".join(line[2:] + "\n" for line in said))
    assert len(real) == len(shown)
    for line, answer in zip(shown, real, strict=True):
        assert agrees(json.loads(line[2:]), answer), f"{line}\n{json.dumps(answer)}"


@pytest.mark.parametrize(
    ("head", "body"), [*examples("read"), *at_night(*examples("watch"))], ids=lambda text: text[:20]
)
def test_reading_and_watching_print_what_is_shown(head: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    real = iter(run(head))
    for line in body.splitlines():
        shown = json.loads(line)
        assert any(agrees(shown, one) for one in real), f"not printed, or not in this order: {line}"


def test_there_are_examples_of_everything_that_answers_in_json() -> None:
    assert len(examples("referee")) >= 3
    assert examples("read")
    assert examples("watch")
    asked = {
        json.loads(line[2:]).get("ask")
        for _, body in examples("referee")
        for line in body.splitlines()[::2]
        if line.startswith("> {")
    }
    assert {"legal", "standing", "layout", "view"} <= asked


def test_the_functions_that_the_architecture_names_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.(?:py|js))`: ((?:`[\w.]+`(?:, )?)+)", text)
    assert len(named) >= 12
    for file, names in named:
        folder = ROOT if file.startswith("web/") else ROOT / "companion"
        code = (folder / file).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w.]+)`", names):
            last = name.rpartition(".")[2]
            assert re.search(rf"\b(?:def|class|function) {last}\b|\b{last}: |\b{last} = ", code), f"{file}: {name}"


def test_what_a_function_does_is_said_with_a_standard_verb() -> None:
    files = sorted((ROOT / "companion").rglob("*.py"))
    functions = (
        (file, node)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    first = {
        f"{file.relative_to(ROOT)}:{node.lineno}": (ast.get_docstring(node) or "-").split()[0].rstrip(".,:")
        for file, node in functions
    }
    assert len(first) > 5000
    assert [where for where, word in first.items() if word in {"Give", "Have", "Say", "Tell"}] == []


def test_every_module_of_the_eye_is_told_what_it_is_for() -> None:
    text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("eye.md", "decks.md"))
    eye = ROOT / "companion" / "eye"
    modules = {file.stem for folder in (eye, eye / "faces") for file in folder.glob("*.py")} - {"__init__"}
    assert sorted(name for name in modules if not re.search(rf"[`/]{name}\.\w", text)) == []


def test_the_example_game_is_quoted_as_it_is() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    folder = ROOT / "tests" / "example_game"
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}
    quoted = 0
    for head, body in blocks(text):
        language, _, name = head.partition(" ")
        if language in {"python", "toml"} and name:
            for part in re.split(r"^\s*# …\n", body, flags=re.MULTILINE):
                assert part.strip("\n") in files[name], f"{name} is quoted otherwise than it is:\n{part}"
                quoted += part.count("\n")
    assert quoted > 100


def test_every_line_of_the_example_games_actions_is_quoted() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    rules = (ROOT / "tests" / "example_game" / "rules.py").read_text(encoding="utf-8")
    own = rules[rules.index("class SevensAction(") :].splitlines()
    assert len(own) > 60
    assert [line for line in own if line not in text.splitlines()] == []


@pytest.mark.night
def test_troubleshooting_quotes_what_the_program_says() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    box = [path for path in (ROOT / "deploy").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    files = [*(ROOT / "companion").rglob("*.py"), *box]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    code = re.sub(r'"\s*\n\s*f?"', "", code).replace("{enough}", "4")
    code += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web" / "templates").rglob("*.html"))
    quoted = [part for cell in re.findall(r'"([^"]+)"', text) for part in re.split(r"…", cell)]
    assert len(quoted) > 40
    known = code.lower()
    # A sentence that starts with what differs may be split by an expression: compare it piece by piece.
    plain = re.sub(r"\{[^{}]*\}", "\0", known)
    missing = [part for part in quoted if len(part) > 3 and part.lower().strip(" .") not in plain + known]
    assert missing == []
    kinds = set(re.findall(r'"([a-z-]+)"', (ROOT / "companion/eye/view.py").read_text().partition("Kinds:")[2][:200]))
    assert len(kinds) == 12
    assert kinds <= set(re.findall(r"`([a-z-]+)`", text))
