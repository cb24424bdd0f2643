"""The lists in docs/any-game.md, made from the form of score files: `python -m docs.score_keys` renews them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion.games.from_file import score_file

PAGE = Path(__file__).parent / "any-game.md"
BEGIN, END = "<!-- made by python -m docs.score_keys -->\n", "<!-- end -->\n"


def choices(kind: Any) -> Iterator[str]:
    """Yield the words that may stand for a key."""
    if get_origin(kind) is Literal:
        yield from (f'"{word}"' if isinstance(word, str) else f"{word}".lower() for word in get_args(kind))
    else:
        for part in get_args(kind):
            yield from choices(part)


def keys(part: type[msgspec.Struct]) -> str:
    """Return the keys of a part of a score file, with the words that may stand there."""
    kinds = get_type_hints(part)
    told = {name: " ".join(choices(kinds[name])) for name in part.__struct_fields__ if name != "op"}
    return ", ".join(f"`{name}` ({words})" if words else f"`{name}`" for name, words in told.items())


def tables() -> str:
    """Return the keys of every part, and the operators with what they take."""
    parts = {name: kind for name, kind in score_file.PARTS.items() if name != "score"}
    rows = [f"- `{name}`: {keys(kind)}" for name, kind in parts.items()]
    rows += ["", "Operators, and what they take:", ""]
    for name, (value, taken) in score_file.OPERATORS.items():
        rows.append(f"- `{name}`: {value}" + (f" ({', '.join(f'`{key}`' for key in taken)})" if taken else ""))
    return "\n".join(rows) + "\n"


def renewed(page: str) -> str:
    """Return the page with the lists of today."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n" + tables() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
