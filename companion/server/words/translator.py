"""Puts texts into a language: a walk over what they are made of, with gettext's catalogue.

A text's template is looked up, then what stands in its holes is translated in the form that the translation asks for:
`{seat:s}` a genitive by rule (`FORMS`), any other word behind the colon a context (`msgctxt`), in which the template of
the value, or its English, is looked up first. Where a context has nothing, lists hand their form on to their parts.

A catalogue may say a filled template better than the template does. A message whose context is the template itself,
with some holes filled in, goes first: "The crisis in {place} rises." in "{what} in {place} rises."
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from companion.server.words.patterns import FORMS
from companion.text import SHAPES, Text, bare_of, capital_of, filled, pieces, small_of
from companion.text import said as said_by

Leaf = Callable[[str, str], tuple[str, float]]
"""Puts a plain string in a form, and counts the words that stay English."""
Found = tuple[str, float]
"""A translation, and how many words of it are still English."""


class Messages(Protocol):
    """What is asked of a catalogue."""

    def find(self, message: str, context: str = "", several: str = "", count: int = 1) -> str:
        """Return the translation of a message; "" if there is none."""

    def forms(self) -> dict[tuple[str, str], str]:
        """Return those with a context, by context and message."""


LISTS = frozenset({"{some} and {last}", "{some} or {last}"})
"""Templates that hand a form on to what they list, as those without words do."""
NUMBERS = frozenset("bdeEfFgGnxX")
"""Formats of numbers that are one letter; any other word behind a colon is a form."""
_LETTER = re.compile(r"[^\W\d_]")


def stays(value: str, form: str) -> Found:
    """Leave a plain string as it is: a name, or what is printed on a card."""
    return value, 0


class Translator:
    """Translates texts with one catalogue. Any thread may ask."""

    def __init__(self, language: str, catalogue: Messages, lower: Callable[[str], str] = small_of) -> None:
        """Take a language's catalogue; `lower` begins a sentence of it with a small letter, if its first word may."""
        self._catalogue = catalogue
        self._lower = lower
        self._forms = FORMS.get(language, {})
        self._narrow: dict[str, list[tuple[str, str]]] = {}
        for (context, message), said in catalogue.forms().items():
            if "{" in context and said:
                self._narrow.setdefault(context, []).append((message, said))

    def __call__(self, text: Text, form: str = "", leaf: Leaf = stays) -> Found:
        """Translate a text in a form; `leaf` does so for plain strings among its values."""
        message = self._message(text, form)
        inflect = self._forms.get(form) if form and not message else None
        if inflect is not None:
            said, missed = self(text, "", leaf)
            return inflect(said), missed
        wordless = not _LETTER.search(_literal(text.template))
        if message:
            inner = ""
        elif wordless or text.template in LISTS:
            message, inner = self._message(text, "") or text.template, form
        elif form and (anything := self._catalogue.find("{0}", form)):
            said, missed = self(text, "", leaf)
            return anything.replace("{0}", said), missed
        elif form:
            # A phrasebook knows forms of phrases whose parts no template names.
            said, missed = leaf(str(text), form) if leaf is not stays else ("", 1)
            return (said, missed) if missed == 0 else self(text, "", leaf)
        else:
            return leaf(str(text), form)
        said, missed = self._filled(message, text.values, inner, leaf)
        return self._cased(text, said), missed

    def has(self, text: Text) -> bool:
        """Return whether a text's template is translated, or has no words."""
        return bool(self._message(text, "")) or not _LETTER.search(_literal(text.template))

    def _message(self, text: Text, form: str) -> str:
        """Return the translation of a text's template, its holes open; "" if there is none."""
        count = int(str(text.values["count"])) if text.several else 1
        find = self._catalogue.find
        english = str(text)
        if form:
            return (
                find(text.template, form, text.several, count)
                or find(english, form)
                or find(small_of(bare_of(english)), form)
            )
        if text.values and (whole := find(english)):
            return whole
        for narrow, said in self._narrow.get(text.template, ()):
            if filled(narrow, text.values) == english:
                return said
        return find(text.template, "", text.several, count)

    def _filled(self, message: str, values: Mapping[str, object], inner: str, leaf: Leaf) -> Found:
        parts: list[str] = []
        left = 0.0
        for literal, name, form, conversion in pieces(message):
            parts.append(literal)
            if not name:
                continue
            value = values[name]
            words, missed = self._value(value, form, inner, leaf) if not conversion else (repr(value), 0.0)
            parts.append(words)
            left += missed
        return "".join(parts), left

    def _value(self, value: object, form: str, inner: str, leaf: Leaf) -> Found:
        if isinstance(value, BaseException):
            value = said_by(value)
        shape = SHAPES.get(form)
        asked = inner if shape or not form else form
        if isinstance(value, Text):
            said, missed = self(value, asked, leaf)
        elif isinstance(value, str):
            said, missed = self._plain(value, asked, leaf)
        else:
            return self._number(value, form), 0.0
        if shape is None:
            return said, missed
        return (self._lower if form == "small" and isinstance(value, Text) else shape)(said), missed

    def _number(self, value: object, form: str) -> str:
        """Return a number as the language writes it; a form may say it in words."""
        if isinstance(value, float):
            return format(value, form).replace(".", ",")
        if not form.isidentifier() or form in NUMBERS:
            return format(value, form)
        inflect = self._forms.get(form)
        if inflect is not None:
            return inflect(str(value))
        found = self._catalogue.find(str(value), form) or self._catalogue.find("{0}", form).replace("{0}", str(value))
        return found or str(value)

    def _plain(self, value: str, form: str, leaf: Leaf) -> Found:
        """Return a plain string in a form: names and titles have those that are made by a rule or a preposition."""
        if leaf is not stays or not form:
            return leaf(value, form)
        inflect = self._forms.get(form)
        return (inflect(value) if inflect else self._catalogue.find("{0}", form).replace("{0}", value) or value), 0

    def _cased(self, text: Text, said: str) -> str:
        """Begin as the English does, where a sentence begins with a value that the translation has put elsewhere."""
        english = str(text)
        return capital_of(said) if english[:1].isupper() else said


def _literal(template: str) -> str:
    return "".join(text for text, *_ in pieces(template))
