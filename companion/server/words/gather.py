"""Gathers what is said to people: `t` and `plural`, marks of templates, scripts, labels of mats, decks and score files.

`python -m companion.server.words` renews the template and every language's file; it needs Babel, which running the
companion does not.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from companion.server.words.pages import braced
from companion.server.words.voice import has_words
from companion.untyped import TomlTable

DATA_WORDS = ("colour", "colours", "figure", "item", "suit")
"""Traits of cards whose values stand in sentences."""
TEMPLATES = {"t": 1, "plural": 2}
"""The functions of `companion.text`, and how many of their arguments are templates."""
MARKS = {"_": 1, "gettext": 1, "ngettext": 2}
"""Those of pages."""
_ASKED = re.compile(r"""\b(?:spoken|say|toast)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")

Message = str | tuple[str, ...]
"""A template, or one for one thing and one for several."""
Found = Iterator[tuple[Message, str]]
"""Messages, each with the path of the file that says it."""


def gathered(top: Path) -> dict[Message, list[str]]:
    """Return every message of a checkout with the files that say it."""
    found: dict[Message, list[str]] = {}
    scripts = ((message, f"web/static/{name}") for message, name in script_words(top / "web" / "static"))
    for message, path in (*_calls(top), *_marks(top), *scripts, *_data(top)):
        if has_words(message if isinstance(message, str) else message[0]):
            found.setdefault(message, []).append(path)
    return found


def _calls(top: Path) -> Found:
    """Yield the templates of `t` and `plural`; Babel passes over calls that stand among the arguments of others."""
    for path in sorted((top / "companion").rglob("*.py")):
        source = path.read_bytes()
        for node in ast.walk(ast.parse(source)) if b"companion.text" in source else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEMPLATES:
                count = TEMPLATES[node.func.id]
                given = tuple(str(one.value) for one in node.args[:count] if isinstance(one, ast.Constant))
                if len(given) == count:
                    yield given if count > 1 else given[0], path.relative_to(top).as_posix()


def _marks(top: Path) -> Found:
    from jinja2.ext import babel_extract

    options = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
    for path in sorted((top / "web" / "templates").rglob("*.html")):
        with path.open("rb") as file:
            for _, function, given, _ in babel_extract(file, list(MARKS), (), options):
                words = (given,) if isinstance(given, str) else given or ()
                made = tuple(braced(one) for one in words[: MARKS[function]] if one is not None)
                if len(made) == MARKS[function]:
                    yield made if len(made) > 1 else made[0], path.relative_to(top).as_posix()


def script_words(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what the scripts of a folder say, the first argument of `spoken`, `say` and `toast`, with their names."""
    for path in sorted(folder.glob("*.js")):
        for found in _ASKED.finditer(path.read_text(encoding="utf-8")):
            yield found[1][1:-1].replace('\\"', '"').replace("\\'", "'"), path.name


def _scores(read: TomlTable) -> Iterator[str]:
    """Yield what a score file says to people, and what the zones are called whose cards it counts."""
    if "score" not in read:
        return
    yield from (read[key] for key in ("title", "words", "coach") if isinstance(read.get(key), str))
    told = (("score", key) for key in ("says", "means", "tells"))
    for part, key in (("entry", "words"), ("option", "words"), *told):
        yield from (one[key] for one in read.get(part, ()) if one.get(key))
    yield from (name for one in read.get("entry", ()) for name in one.get("names", ()))
    for block in read.get("score", ()):
        yield from (zone.replace("_", " ").capitalize() for zone in block.get("cards", ()))


def _data(top: Path) -> Found:
    """Yield what zones are called, without numbers, words on cards that sentences take up, and score files' words."""
    for path in sorted((top / "card_codes").glob("*/*.toml")):
        where = path.relative_to(top).as_posix()
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        labels = [zone.get("label", "") for kind in ("zone", "seat_zone") for zone in read.get(kind, ())]
        for card in read.get("cards", ()):
            labels += [word for name in DATA_WORDS for word in card.get("traits", {}).get(name, "").split(", ")]
            labels.append(card.get("kind", ""))
        yield from ((words, where) for words in _scores(read))
        for label in dict.fromkeys(labels):
            yield re.sub(r"( \d+)+$", "", label.partition(":")[0]), where
