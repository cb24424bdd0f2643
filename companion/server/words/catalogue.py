"""Reads the languages: gettext catalogues under `web/locale/LANGUAGE/LC_MESSAGES/companion.mo`."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from companion.files import data
from companion.server.words.phrasebook import Phrasebook
from companion.server.words.translator import Translator

ENGLISH = "en"
DOMAIN = "companion"
LANGUAGES = {ENGLISH: "English", "sv": "Svenska", "de": "Deutsch"}
"""The languages that there are, by what each calls itself."""
_CONTEXT = "\x04"


class Catalogue(gettext.GNUTranslations):
    """A gettext catalogue that can also be looked through."""

    def messages(self) -> dict[str, str]:
        """Return all messages that have no context."""
        return {message: said for message, said in self._all().items() if message and _CONTEXT not in message}

    def forms(self) -> dict[tuple[str, str], str]:
        """Return those with a context, by context and message."""
        found = {}
        for message, said in self._all().items():
            context, between, text = message.partition(_CONTEXT)
            if between:
                found[context, text] = said
        return found

    def find(self, message: str, context: str = "", several: str = "", count: int = 1) -> str:
        """Return the translation of a message, in a context and for a number of things, if they are named; "" if there
        is none.
        """
        entries: dict[object, str] = getattr(self, "_catalog", {})
        key = f"{context}{_CONTEXT}{message}" if context else message
        if several:
            which: int = getattr(self, "plural", int)(count)
            return entries.get((key, which), "") or entries.get(key, "")
        return entries.get(key, "") or entries.get((key, getattr(self, "plural", int)(1)), "")

    def _all(self) -> dict[str, str]:
        entries: dict[object, str] = getattr(self, "_catalog", {})
        said = {}
        for message, words in entries.items():
            if isinstance(message, str):
                said[message] = words
            elif isinstance(message, tuple) and message[1] == 0:
                said[message[0]] = words
        return said


def folder() -> Path:
    """Return the folder with the languages."""
    return data("web") / "locale"


@cache
def catalogue(language: str) -> Catalogue:
    """Read a language's catalogue; one that is not there is empty."""
    path = folder() / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if not path.is_file():
        return Catalogue()
    with path.open("rb") as file:
        return Catalogue(file)


@cache
def phrasebook(language: str) -> Phrasebook:
    """Make a language's phrasebook, once."""
    read = catalogue(language)
    book = Phrasebook(language, read.messages(), read.forms())
    book.translator = Translator(language, read, book.lower)
    return book
