"""Score files as text: what a form holds, written as a person would write it, one block a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from companion.games.from_file.score_file import Score

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(contents: Mapping[str, object]) -> str:
    """Return a score file as text, lists of sections with one entry a line; ValueError if TOML can't hold it."""
    order = [name for name in Score.__struct_fields__ if name in contents]
    lines: list[str] = []
    for name in (*order, *sorted(set(contents) - set(order))):
        value = contents[name]
        if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
            lines += [f"{_key(name)} = [", *(f"  {_value(one)}," for one in value), "]"]
        else:
            lines.append(f"{_key(name)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(words: str) -> str:
    # What JSON escapes TOML does, too; it wants DEL escaped as well.
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(str(key))} = {_value(one)}" for key, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    raise ValueError(f"{value!r} has no form in TOML")
