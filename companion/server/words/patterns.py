"""Patterns: sentences with holes, `{0} bids {1}.`, and the forms that what stands in a hole can take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from companion.text import SHAPES

WEAK = 6
"""Characters: a pattern that has fewer of its own, `{0} of {1}`, is tried when nothing else fits."""

WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
HOLE = re.compile(r"\{(\d+)(?::(\w+))?\}")
_NAMED = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)(?:![rs])?(?::([^{}]*))?\}")
"""A hole of a template with named values."""
_HELD = r"((?:(?![.!?]\s).)"
"""What a hole holds: anything up to the end of a sentence; how much of it is still to be said."""

Inflect = Callable[[str], str]


def genitive(name: str) -> str:
    """Return a Swedish genitive: Bos, Lars, plats 3:s; of a number alone it is "av 10"."""
    if name.isdigit():
        return f"av {name}"
    if name[-1:].isdigit():
        return f"{name}:s"
    return name if name[-1:].lower() in ("s", "x", "z") else f"{name}s"


FORMS: Mapping[str, Mapping[str, Inflect]] = {"sv": {"s": genitive}}
"""What a language can do to what stands in a hole: `{0:s}`. Any other word after the colon is a context (`msgctxt`)."""


NOUNS = frozenset({"de"})
"""Languages that write nouns with a capital wherever they stand."""


class Pattern:
    """A sentence with holes, and its translation. Its expressions are made when it is first tried."""

    def __init__(self, message: str, said: str) -> None:
        """Take both in the form of `str.format`."""
        self.message = message
        self.said = said
        self.parts = pieces(bare(message))
        text = [part for part in self.parts if isinstance(part, str)]
        self.words = frozenset(word.lower() for part in text for word in WORD.findall(part))
        self.literal = sum(len(part) for part in text)
        self.order = [part[0] for part in self.parts if not isinstance(part, str)]
        self.weak = len(self.words) < 2 and self.literal < WEAK

    @cached_property
    def spoken(self) -> list[str | tuple[int, str]]:
        """The translation, taken apart."""
        return pieces(bare(self.said))

    @cached_property
    def expressions(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """What fits: with the first holes as short as can be, and as long as can be."""
        # Of two holes side by side the second may be empty: what is there or not.
        written = "".join(
            re.escape(part)
            if isinstance(part, str)
            else _HELD + ("*?)" if n and not isinstance(self.parts[n - 1], str) else "+?)")
            for n, part in enumerate(self.parts)
        )
        if written[:1].isalpha():
            written = f"[{written[0].upper()}{written[0].lower()}]{written[1:]}"
        long = written.replace("+?)", "+)").replace("*?)", "*)")
        return re.compile(written, re.DOTALL), re.compile(long, re.DOTALL)


def pieces(text: str) -> list[str | tuple[int, str]]:
    """Take a pattern apart: its text, and (number, form) for each hole."""
    found: list[str | tuple[int, str]] = []
    last = 0
    for hole in HOLE.finditer(text):
        if hole.start() > last:
            found.append(plain(text[last : hole.start()]))
        found.append((int(hole[1]), hole[2] or ""))
        last = hole.end()
    if last < len(text):
        found.append(plain(text[last:]))
    return found


def numbered_holes(entry: tuple[str, str]) -> tuple[str, str]:
    """Return a message and its translation with numbers for the names of their holes, in the message's order."""
    names: dict[str, str] = {}

    def number(hole: re.Match[str]) -> str:
        name = names.setdefault(hole[1], str(len(names)))
        form = f":{hole[2]}" if hole[2] and hole[2].isidentifier() and hole[2] not in SHAPES else ""
        return f"{{{name}{form}}}"

    message, said = entry
    if not _NAMED.search(message):
        return entry
    return _NAMED.sub(number, message), _NAMED.sub(number, said)


def plain(text: str) -> str:
    """Undo the doubling of braces."""
    return text.replace("{{", "{").replace("}}", "}")


def bare(text: str) -> str:
    """Take blanks off both ends, and a full stop off the last."""
    text = text.strip()
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def upper(text: str) -> str:
    """Begin with a capital."""
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    """Begin with a small letter."""
    return text[:1].lower() + text[1:]
