"""Gathers what is said to people: `t` and `plural`, marks of templates, scripts, labels of mats, decks and score files.

`python -m companion.server.words` renews the template and every language's file; it needs Babel, which running the
companion does not.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from companion.server.words.pages import braced
from companion.server.words.voice import has_words
from companion.untyped import Foreign, TomlTable

DATA_WORDS = ("colour", "colours", "figure", "item", "suit")
"""Traits of cards whose values stand in sentences."""
KEYWORDS: dict[str, tuple[int, ...] | None] = {"t": None, "plural": (1, 2)}
"""The functions of `companion.text`, and which of their arguments are templates; None is the first."""
MARKS: dict[str, tuple[int, ...] | None] = {"_": None, "gettext": None, "ngettext": (1, 2)}
_ASKED = re.compile(r"""\b(?:spoken|say|toast)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")

Message = str | tuple[str, ...]
"""A template, or one for one thing and one for several."""
Place = tuple[str, int]
"""Where a message stands: file and line."""


def gathered(top: Path) -> dict[Message, list[Place]]:
    """Return every message of a checkout with the places where it is said."""
    found: dict[Message, list[Place]] = {}
    for message, place in (*_calls(top), *_marks(top), *_scripts(top), *_data(top)):
        if has_words(message if isinstance(message, str) else message[0]):
            found.setdefault(message, []).append(place)
    return found


def _calls(top: Path) -> Iterator[tuple[Message, Place]]:
    for path in sorted((top / "companion").rglob("*.py")):
        if b"companion.text" in path.read_bytes():
            yield from _extracted(calls, path, top, KEYWORDS)


def _marks(top: Path) -> Iterator[tuple[Message, Place]]:
    from jinja2.ext import babel_extract

    for path in sorted((top / "web" / "templates").rglob("*.html")):
        for message, place in _extracted(babel_extract, path, top, MARKS):
            yield braced(message) if isinstance(message, str) else tuple(map(braced, message)), place


def _extracted(
    method: Foreign, path: Path, top: Path, keywords: Mapping[str, tuple[int, ...] | None]
) -> Iterator[tuple[Message, Place]]:
    from babel.messages.extract import extract

    options = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
    with path.open("rb") as file:
        for line, message, _, _ in extract(method, file, keywords, options=options):
            yield message, (path.relative_to(top).as_posix(), line)


def calls(
    file: IO[bytes], keywords: Mapping[str, object], tags: Collection[str], options: Mapping[str, object]
) -> Iterator[tuple[int, str, Sequence[str | None], list[str]]]:
    """Yield the calls of these functions in a Python file, as Babel asks for them: line, function, arguments, comments.

    Babel's own method passes over calls that stand among the arguments of other functions' calls.
    """
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords:
            given = [str(one.value) if isinstance(one, ast.Constant) else None for one in node.args]
            yield node.lineno, node.func.id, given, []


def _scripts(top: Path) -> Iterator[tuple[Message, Place]]:
    for path in sorted((top / "web" / "static").glob("*.js")):
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for said in _said_in(text):
                yield said, (f"web/static/{path.name}", line)


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
    told = (("score", key) for key in ("says", "means", "tells"))
    for part, key in (("entry", "words"), ("option", "words"), *told):
        yield from (one[key] for one in read.get(part, ()) if one.get(key))
    yield from (name for one in read.get("entry", ()) for name in one.get("names", ()))
    for block in read.get("score", ()):
        yield from (zone.replace("_", " ").capitalize() for zone in block.get("cards", ()))


def _data(top: Path) -> Iterator[tuple[Message, Place]]:
    """Yield what zones are called, without numbers, words on cards that sentences take up, and score files' words."""
    for path in sorted((top / "card_codes").glob("*/*.toml")):
        where = (f"card_codes/{path.parent.name}/{path.name}", 0)
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        labels = [zone.get("label", "") for zone in read.get("zone", ())]
        labels += [zone.get("label", "") for zone in read.get("seat_zone", ())]
        for card in read.get("cards", ()):
            labels += [word for name in DATA_WORDS for word in card.get("traits", {}).get(name, "").split(", ")]
            labels.append(card.get("kind", ""))
        yield from ((words, where) for words in _scores(read))
        for label in dict.fromkeys(labels):
            yield re.sub(r"( \d+)+$", "", label.partition(":")[0]), where
