"""`python -m companion.server.words`: gathers what is said to people anew, and renews every language's files.

Needs Babel, and a checkout. Prints what a language still lacks, and ends with 1 if it lacks anything.
"""

from __future__ import annotations

import sys
from copy import deepcopy
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import companion
from companion.server.words.catalogue import DOMAIN, ENGLISH, LANGUAGES
from companion.server.words.gather import gathered

TOP = Path(companion.__file__).parent
LOCALE = TOP.parent / "web" / "locale"
BY_HAND = "by hand"
"""Marks messages that no source has: a sentence with some of its holes filled, or a form of a word."""
WIDTH = 120


def template() -> Catalog:
    """Gather everything that is said."""
    made = Catalog(project="Companion", domain=DOMAIN, fuzzy=False, header_comment="# Words of Companion's pages.")
    found = gathered(TOP.parent).items()
    for message, paths in sorted(found, key=lambda one: (not one[1][0].endswith(".py"), one[1][0])):
        made.add(message, locations=[(path, 0) for path in dict.fromkeys(paths)])
    return made


def path_of(language: str, ending: str) -> Path:
    """Return the place of a language's file."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def read(path: Path) -> Catalog:
    """Read a catalogue."""
    return read_po(BytesIO(path.read_bytes()), domain=DOMAIN)


def merged(old: Catalog, fresh: Catalog) -> Catalog:
    """Bring a language's catalogue up to what is said now; translations and what was added by hand stay."""
    made = deepcopy(old)
    made.update(fresh, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
    for message in made.obsolete.values():
        if BY_HAND in message.auto_comments:
            made[message.id] = message
    made.obsolete.clear()
    return made


def as_po(catalog: Catalog, header: bool = True) -> bytes:
    """Write a catalogue as it is kept: by hand last, without line numbers, so that little changes."""
    out = BytesIO()
    write_po(out, catalog, width=WIDTH, omit_header=not header, include_lineno=False)
    return out.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """Compile a catalogue."""
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def lacking(catalog: Catalog) -> list[Message]:
    """List the messages without a translation."""
    return [
        message
        for message in catalog
        if message.id and not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]


def main() -> int:
    """Renew all files."""
    fresh = template()
    (LOCALE / f"{DOMAIN}.pot").write_bytes(as_po(fresh, header=False))
    lack = 0
    for language in sorted(set(LANGUAGES) - {ENGLISH}):
        path = path_of(language, "po")
        catalog = merged(read(path), fresh)
        path.write_bytes(as_po(catalog))
        path_of(language, "mo").write_bytes(as_mo(catalog))
        for message in lacking(catalog):
            lack += 1
            print(f"{language}: {message.id!r}")
    return 1 if lack else 0


if __name__ == "__main__":
    sys.exit(main())
