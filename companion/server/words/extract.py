"""Extracts the templates of messages from the source, by Babel: the arguments of `t` and `plural`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from babel.messages.extract import extract

from companion.text import pieces
from companion.untyped import Foreign

KEYWORDS: dict[str, tuple[int, ...] | None] = {"t": None, "plural": (1, 2)}
"""The functions of `companion.text`, and which of their arguments are templates; None is the first."""
LETTER = re.compile(r"[^\W\d_]")

Message = str | tuple[str, ...]
"""A template, or one for one thing and one for several."""
Found = tuple[Message, list[tuple[str, int]]]
"""A message, and where it stands: files with lines."""


def extracted(top: Path) -> Iterator[Found]:
    """Yield the messages of a package in the order of its files."""
    method: Foreign = calls  # Babel's own type for it is narrower than what it takes
    for path in sorted(top.rglob("*.py")):
        if b"companion.text" not in path.read_bytes():
            continue
        where = path.relative_to(top.parent).as_posix()
        with path.open("rb") as file:
            for line, message, _, _ in extract(method, file, KEYWORDS):
                if has_words(message if isinstance(message, str) else message[0]):
                    yield message, [(where, line)]


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


def has_words(template: str) -> bool:
    """Return whether a template has words of its own; "{head}: {rest}" has none, and is the same in all languages."""
    return bool(LETTER.search("".join(text for text, *_ in pieces(template))))
