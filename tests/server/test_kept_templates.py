"""The code of templates that is kept on disk: run as it is, so only what was written whole, by what makes it now."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from companion.server import kept_templates
from companion.server.kept_templates import KeptTemplates
from tests.server.desks import ShowDesk


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that were compiled."""
    names: list[str] = []
    plainly = Environment.compile

    def compile_(self, source, name=None, *more, **others):
        names.append(name)
        return plainly(self, source, name, *more, **others)

    monkeypatch.setattr(Environment, "compile", compile_)
    return names


def said(folder: Path, words: str = "one {{ 1 + 1 }}") -> str:
    page = {"page": words, "other": "another"}
    environment = Environment(loader=DictLoader(page), bytecode_cache=KeptTemplates(folder), autoescape=True)
    environment.get_template("other").render()
    return environment.get_template("page").render()


def test_templates_are_compiled_once_and_anew_when_they_change(tmp_path: Path, compiled: list[str]) -> None:
    assert said(tmp_path / "kept") == said(tmp_path / "kept") == "one 2"
    assert compiled == ["other", "page"]
    assert said(tmp_path / "kept", "two") == "two"
    assert compiled == ["other", "page", "page"]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def _cut(file: Path, other: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def _turned(file: Path, other: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-20] ^= 4
    file.write_bytes(data)


def _another(file: Path, other: Path) -> None:
    file.write_bytes(other.read_bytes())


@pytest.mark.parametrize("spoil", [_cut, _turned, _another, lambda file, other: file.write_bytes(b"")])
def test_code_that_is_not_as_it_was_written_is_not_run(spoil, tmp_path: Path, compiled: list[str]) -> None:
    said(tmp_path)
    keys = [tmp_path / KeptTemplates(tmp_path).get_cache_key(name) for name in ("page", "other")]
    spoil(*keys)
    compiled.clear()
    assert said(tmp_path) == said(tmp_path) == "one 2"
    assert compiled == ["page"]


def test_code_made_by_another_version_is_not_run(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(tmp_path)
    (tmp_path / "maker.py").write_text("another")
    monkeypatch.setattr(kept_templates, "_MAKERS", (f"{tmp_path}/maker.py",))
    said(tmp_path)
    assert compiled == ["other", "page"] * 2


def test_where_nothing_can_be_written_templates_are_compiled(tmp_path: Path, compiled: list[str]) -> None:
    (tmp_path / "kept").write_text("a file, not a folder")
    assert said(tmp_path / "kept") == said(tmp_path / "kept") == "one 2"
    assert len(compiled) == 4


def test_a_table_with_keys_on_disk_keeps_its_templates_beside_them(client_of, tmp_path: Path, compiled) -> None:
    for known in (False, True):
        page = client_of(ShowDesk(), key_file=tmp_path / "seats.json").get("/")
        assert "It is the turn of Anna" in page.text
        assert ("table.html" in compiled) is not known
        compiled.clear()
