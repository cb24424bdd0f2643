"""Finds what is English on a page in another language: sentences of the catalogue, and words of English alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

from companion.server.words.catalogue import LANGUAGES, catalogue
from companion.server.words.voice import WORD
from companion.text import pieces

HEARD = ("aria-label", "alt", "title", "placeholder")
EMPTY = frozenset({"img", "input", "br", "meta", "link", "meter", "hr", "use", "path", "circle", "rect", "line"})
SKIPPED = frozenset({"code", "script", "style"})
ENGLISH = frozenset({"the", "your", "are", "which", "with", "this", "that", "there", "from", "have", "has", "not"})
"""Words that no sentence of another language has."""
OWN = 8
"""Letters that a template has at least by which its sentence is known."""


class Texts(HTMLParser):
    """Collects what people read and hear of a page, but for what is in another language or is to be typed."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = given.get("lang", self.language) != self.language
        other = foreign or tag in SKIPPED or bool(self._open and self._open[-1][1])
        if not other:
            self.found += [value for name in HEARD if (value := given.get(name))]
        if tag not in EMPTY:
            self._open.append((tag, other))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not (self._open and self._open[-1][1]):
            self.found.append(" ".join(data.split()))


@cache
def sentences(language: str) -> tuple[frozenset[str], dict[str, re.Pattern[str]]]:
    """Return the English of what is said otherwise in a language: as it is, and what fits a template, by its words."""
    plain, patterns = set(), {}
    for context, message, said in catalogue(language).entries():
        parts = pieces(message)
        literal = max((text for text, *_ in parts), key=len, default="")
        if context or said == message:
            continue
        if len(parts) == 1 and not parts[0][1]:
            plain.add(literal.strip().removesuffix("."))
        elif len(literal.strip()) >= OWN:
            shape = "".join(re.escape(text) + (".+?" if name else "") for text, name, *_ in parts)
            patterns[message] = re.compile(shape, re.DOTALL)
    return frozenset(plain), patterns


def is_english(text: str, language: str) -> bool:
    """Return whether a text is a sentence of the catalogue in English, or has words that only English has."""
    plain, patterns = sentences(language)
    if text.removesuffix(".") in plain or {word.lower() for word in WORD.findall(text)} & ENGLISH:
        return True
    return any(one.fullmatch(text) for one in patterns.values())


def left(html: str, language: str, titles: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield what is English of a page, but for names and titles."""
    texts = Texts(language)
    texts.feed(html)
    for text in dict.fromkeys(texts.found):
        bare = text
        for title in titles:
            bare = bare.replace(title, "…")
        if len({word.lower() for word in WORD.findall(bare)}) < 2 or text in LANGUAGES.values():
            continue
        if is_english(bare, language):
            yield text
