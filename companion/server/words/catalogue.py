"""Reads the languages: gettext catalogues under `web/locale/LANGUAGE/LC_MESSAGES/companion.mo`."""

from __future__ import annotations

import gettext
from functools import cache
from io import BytesIO

from companion.files import data

ENGLISH = "en"
DOMAIN = "companion"
LANGUAGES = {ENGLISH: "English", "sv": "Svenska", "de": "Deutsch"}
"""The languages that there are, by what each calls itself."""
_CONTEXT = "\x04"


class Catalogue(gettext.GNUTranslations):
    """A gettext catalogue that can also be looked through."""

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

    def entries(self) -> list[tuple[str, str, str]]:
        """List all messages: context ("" for none), message and translation; of what is counted that of one thing."""
        found = []
        for key, said in getattr(self, "_catalog", {}).items():
            message = key if isinstance(key, str) else key[0] if key[1] == 0 else ""
            if message:
                context, between, text = message.rpartition(_CONTEXT)
                found.append((context, text, said) if between else ("", message, said))
        return found


@cache
def catalogue(language: str) -> Catalogue:
    """Read a language's catalogue; one that is not there is empty."""
    path = data("web") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    return Catalogue(BytesIO(path.read_bytes())) if path.is_file() else Catalogue()
