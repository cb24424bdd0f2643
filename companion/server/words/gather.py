"""Gathers what is said to people outside Python into a catalogue: by templates, scripts, mats, decks and score files.

`python -m companion.server.words` renews the template and every language's file; it needs Babel, which running the
companion does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment
from jinja2.ext import GETTEXT_FUNCTIONS, extract_from_ast
from jinja2.lexer import Token

from companion.server.words.templates import Run, has_words, message, walk
from companion.untyped import TomlTable

DATA_WORDS = ("colour", "colours", "figure", "item", "suit")
"""Traits of cards whose values stand in sentences."""
WORDLESS = frozenset({"main", "It", "Th", "On", "skill-", "seat", "marker"})
"""Strings in templates that look like words and are for the program."""
_ASKED = re.compile(r"""\b(?:spoken|say|toast)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_LOOSE = re.compile(r"[A-Z ].*[a-z]|.* .*")


class Sentence(NamedTuple):
    """A message, and where it was found: file and line."""

    text: str
    where: tuple[str, int]


def gathered(data: Path) -> dict[str, list[tuple[str, int]]]:
    """Return every message with the places where it is said; `data` holds web and card_codes."""
    found: dict[str, list[tuple[str, int]]] = {}
    for one in (*_templates(data / "web" / "templates"), *_scripts(data), *_mats(data)):
        found.setdefault(one.text, []).append(one.where)
    return found


def environment() -> Environment:
    """Return an environment that reads templates as the pages' does."""
    return Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True, autoescape=True)


def _templates(folder: Path) -> Iterator[Sentence]:
    env = environment()
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        source = path.read_text(encoding="utf-8")
        where = f"web/templates/{name}"
        found: list[tuple[int, str]] = []

        def put(run: Run, line: int, found: list[tuple[int, str]] = found) -> Iterable[Token]:
            _, text, _, holes = message(run)
            if has_words(text):
                found.append((line, text))
            for hole in holes:
                found.extend(_constants(hole, branches=True))
            return ()

        rest = list(walk(env._tokenize(source, name, str(path)), put))
        found.extend(_constants(rest, branches=False))
        for line, _, text in extract_from_ast(env.parse(source), GETTEXT_FUNCTIONS):
            said = (text,) if isinstance(text, str) else text or ()
            found.extend((line, one) for one in said if one is not None)
        for line, text in found:
            yield Sentence(text, (where, line))


def _constants(tokens: Iterable[Token], branches: bool) -> Iterator[tuple[int, str]]:
    """Yield strings in expressions that are words: with a blank or a capital, or said in one case only."""
    listed = list(tokens)
    for n, token in enumerate(listed):
        if token.type != "string":
            continue
        text = str(token.value)
        before = listed[n - 1] if n else None
        after = listed[n + 1] if n + 1 < len(listed) else None
        one_of = branches and (
            (before is not None and before.type == "name" and before.value == "else")
            or (after is not None and after.type == "name" and after.value == "if")
        )
        compared = before is not None and before.type in ("eq", "ne")
        if text in WORDLESS or re.search(r"[/%#=<_]|\.html|\.js", text) or compared or not has_words(text):
            continue
        if one_of or _LOOSE.fullmatch(text):
            yield token.lineno, text.replace("{", "{{").replace("}", "}}").strip()


def _scripts(data: Path) -> Iterator[Sentence]:
    for path in sorted((data / "web" / "static").glob("*.js")):
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for said in _said_in(text):
                yield Sentence(said, (f"web/static/{path.name}", line))


def _said_in(script: str) -> Iterator[str]:
    for found in _ASKED.finditer(script):
        yield found[1][1:-1].replace('\\"', '"').replace("\\'", "'")


def script_words(folder: Path) -> list[str]:
    """List what the scripts of a folder say: the first argument of `spoken`, `say` and `toast`."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js"))]
    return list(dict.fromkeys(said for script in scripts for said in _said_in(script)))


def _scores(read: TomlTable) -> Iterator[str]:
    """Yield what a score file says to people, and what the zones are called whose cards it counts."""
    if "score" not in read:
        return
    yield from (read[key] for key in ("title", "words", "coach") if isinstance(read.get(key), str))
    for part, key in (("entry", "words"), ("option", "words"), ("score", "says"), ("score", "tells")):
        yield from (one[key] for one in read.get(part, ()) if one.get(key))
    for block in read.get("score", ()):
        yield from (zone.replace("_", " ").capitalize() for zone in block.get("cards", ()))


def _mats(data: Path) -> Iterator[Sentence]:
    """Yield what zones are called, without numbers, words on cards that sentences take up, and score files' words."""
    for path in sorted((data / "card_codes").glob("*/*.toml")):
        where = (f"card_codes/{path.parent.name}/{path.name}", 0)
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        labels = [zone.get("label", "") for zone in read.get("zone", ())]
        labels += [zone.get("label", "") for zone in read.get("seat_zone", ())]
        for card in read.get("cards", ()):
            labels += [word for name in DATA_WORDS for word in card.get("traits", {}).get(name, "").split(", ")]
            labels.append(card.get("kind", ""))
        yield from (Sentence(words, where) for words in _scores(read))
        for label in dict.fromkeys(labels):
            head = re.sub(r"( \d+)+$", "", label.partition(":")[0])
            if has_words(head):
                yield Sentence(head, where)
