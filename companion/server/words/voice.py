"""Puts texts into a language: a walk over what they are made of, with gettext's catalogue.

A text's template is looked up, then what stands in its holes is translated in the form that the translation asks for:
`{seat:s}` a genitive by rule (`FORMS`), any other word behind the colon a context (`msgctxt`), in which the template of
the value, or its English, is looked up first. Where a context has nothing, lists hand their form on to their parts.
Plain strings (names, what is printed on cards) stay.

A catalogue may say a filled template better than the template does. A message whose context is the template itself,
with some holes filled in, goes first: "The crisis in {place} rises." in "{what} in {place} rises."
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from companion.server.words.catalogue import ENGLISH, Catalogue, catalogue
from companion.text import SHAPES, Text, bare_of, capital_of, filled, pieces, small_of
from companion.text import said as said_by

Say = Callable[[str], str]
"""Puts what is said into a language."""
LISTS = frozenset({"{some} and {last}", "{some} or {last}"})
"""Templates that hand a form on to what they list, as those without words do."""
NUMBERS = frozenset("bdeEfFgGnxX")
"""Formats of numbers that are one letter; any other word behind a colon is a form."""
NOUNS = frozenset({"de"})
"""Languages that write nouns with a capital wherever they stand."""
MISSED = 500
"""Different texts without a translation that are counted at most."""
WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_LETTER = re.compile(r"[^\W\d_]")
_CAPITAL = re.compile(r"(?<=[^\W\dA-Z_] |[,}] )[A-ZÄÖÜ][^\W\d_]+")
"""A word with a capital in the middle of a translation: behind another word, a comma or a hole."""


def genitive(name: str) -> str:
    """Return a Swedish genitive: Bos, Lars, plats 3:s; of a number alone it is "av 10"."""
    if name.isdigit():
        return f"av {name}"
    if name[-1:].isdigit():
        return f"{name}:s"
    return name if name[-1:].lower() in ("s", "x", "z") else f"{name}s"


FORMS: Mapping[str, Mapping[str, Callable[[str], str]]] = {"sv": {"s": genitive}}
"""What a language can do to what stands in a hole: `{seat:s}`. Any other word after the colon is a context."""


class Voice:
    """Speaks a language, with one catalogue. Any thread may ask."""

    def __init__(self, language: str, messages: Catalogue) -> None:
        """Take a language and its catalogue."""
        self.missed: Counter[str] = Counter()
        """Texts without a translation, which stayed English."""
        self._lock = threading.Lock()
        self._messages = messages
        self._forms = FORMS.get(language, {})
        self._narrow: dict[str, list[tuple[str, str]]] = {}
        every = messages.entries()
        for context, message, said in every:
            if "{" in context and said:
                self._narrow.setdefault(context, []).append((message, said))
        self._nouns = frozenset(nouns(every) if language in NOUNS else ())

    def __call__(self, text: str, form: str = "") -> str:
        """Return a text in the language, in a form; a plain string stays as it is."""
        if not isinstance(text, Text):
            return self._plain(str(text), form) if form else text
        message = self._message(text, form)
        inner = ""
        if not message:
            listed = text.template in LISTS or not has_words(text.template)
            if form and (form in self._forms or not listed):
                return self._plain(self(text), form)
            if not listed:
                self.miss(text)
                return str(text)
            message, inner = self._message(text, "") or text.template, form
        said = "".join(self._parts(message, text.values, inner))
        # It begins as the English does, where a translation has put the value elsewhere that a sentence begins with.
        return capital_of(said) if str(text)[:1].isupper() else said

    def message(self, template: str, several: str = "", count: int = 1) -> str:
        """Return the translation of a template, its holes open; one that has none stays, and is counted."""
        said = self._messages.find(template, "", several, count)
        if not said:
            self.miss(template)
        return said or (several if several and count != 1 else template)

    def value(self, value: object, form: str = "", inner: str = "") -> str:
        """Return what stands in a hole; `inner` is the form that the whole is wanted in."""
        if isinstance(value, BaseException):
            value = said_by(value)
        shape = SHAPES.get(form)
        if not isinstance(value, str):
            return self._number(value, form)
        said = self(value, inner if shape or not form else form)
        first = WORD.match(said) if form == "small" and isinstance(value, Text) else None
        # A noun keeps its capital, in a language that writes those with one.
        return said if shape is None or (first and first[0] in self._nouns) else shape(said)

    def miss(self, text: str) -> None:
        """Count what has no translation."""
        with self._lock:
            if text in self.missed or len(self.missed) < MISSED:
                self.missed[text] += 1

    def _message(self, text: Text, form: str) -> str:
        """Return the translation of a text's template, its holes open; "" if there is none."""
        count = int(str(text.values["count"])) if text.several else 1
        find = self._messages.find
        if form:
            return (
                find(text.template, form, text.several, count)
                or find(str(text), form)
                or find(small_of(bare_of(str(text))), form)
            )
        if text.values and (whole := find(str(text))):
            return whole
        for narrow, said in self._narrow.get(text.template, ()):
            if filled(narrow, text.values) == str(text):
                return said
        return find(text.template, "", text.several, count)

    def _parts(self, message: str, values: Mapping[str, object], inner: str) -> Iterator[str]:
        for literal, name, form, conversion in pieces(message):
            yield literal
            if name:
                yield repr(values[name]) if conversion else self.value(values[name], form, inner)

    def _number(self, value: object, form: str) -> str:
        """Return a number as the language writes it; a form may say it in words."""
        if isinstance(value, float):
            return format(value, form).replace(".", ",")
        if not form.isidentifier() or form in NUMBERS:
            return format(value, form)
        return self._messages.find(str(value), form) or self._plain(str(value), form)

    def _plain(self, value: str, form: str) -> str:
        """Return a plain string in a form: names and titles have those that are made by a rule or a preposition."""
        inflect = self._forms.get(form)
        return inflect(value) if inflect else (self._messages.find("{0}", form) or "{0}").replace("{0}", value)


@lru_cache(8192)
def has_words(template: str) -> bool:
    """Return whether a template has words of its own; "{head}: {rest}" has none, and is the same in all languages."""
    return bool(_LETTER.search("".join(text for text, *_ in pieces(template))))


def nouns(said: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the words of translations that have a capital though they begin no sentence."""
    for _, message, words in said:
        yield from _CAPITAL.findall(words)
        first = WORD.match(words)
        if message[:1].islower() and first and first[0][:1].isupper():
            yield first[0]


@cache
def voice_of(language: str) -> Voice:
    """Return a language's voice, made once."""
    return Voice(language, catalogue(language))


reader: ContextVar[Voice | None] = ContextVar("reader", default=None)
"""The voice of who is spoken to now: whose request it is, whose parts of a page; None is English."""


def speak(language: str) -> None:
    """Speak a language from now on to who is served by this thread."""
    reader.set(None if language == ENGLISH else voice_of(language))


@contextmanager
def spoken_in(language: str) -> Iterator[None]:
    """Speak a language within a `with` block."""
    before = reader.get()
    speak(language)
    try:
        yield
    finally:
        reader.set(before)


def say(text: str) -> str:
    """Return a text in the language of who is spoken to now."""
    voice = reader.get()
    return text if voice is None else voice(text)


def say_in(language: str) -> Say:
    """Return what puts texts into a language; "" is English."""
    return str if language in ("", ENGLISH) else voice_of(language)
