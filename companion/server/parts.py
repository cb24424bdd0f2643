"""The parts of a page: pieces of HTML made from a document. An event carries those that changed, and only those."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jinja2 import Environment
from markupsafe import Markup

from companion.server.documents import HOST, PUBLIC
from companion.server.places import Document
from companion.server.words.catalogue import ENGLISH
from companion.server.words.voice import spoken_in

PARTS: dict[str, tuple[str, ...]] = {
    PUBLIC: (
        "turn",
        "call",
        "laying",
        "auction",
        "alarm",
        "table",
        "aims",
        "robots",
        "said",
        "scores",
        "tally",
        "shelves",
        "troubles",
        "filming",
        "log",
        "demo",
        "clock",
        "stage",
        "events",
        "aloud",
    ),
    HOST: (
        "turn",
        "laying",
        "auction",
        "ladders",
        "alarm",
        "show",
        "robots",
        "said",
        "upkeep",
        "steer",
        "people",
        "scores",
        "troubles",
        "filming",
        "log",
    ),
    "seat": (
        "my-turn",
        "laying",
        "auction",
        "coach",
        "ladders",
        "alarm",
        "point",
        "aims",
        "robots",
        "hand",
        "my-hand",
        "may",
        "asked",
        "owed",
        "barred",
        "upkeep",
        "said",
        "since",
        "mine",
        "board",
        "others",
        "troubles",
        "recent",
        "foot",
        "aloud",
    ),
}
"""Which parts the pages of an audience have, each a template `parts/NAME.html` that is given the document as `doc`."""

ONLY_WITH = frozenset({"clock", "coach", "filming", "laying", "shelves"})
"""Parts that are empty where the document has nothing under their name: then nothing is loaded for them."""
_BETWEEN = re.compile(r">\s+<")


def parts_of(audience: str) -> tuple[str, ...]:
    """List the parts of an audience's pages."""
    return PARTS.get(audience, PARTS["seat"])


class Parts(Mapping[str, Markup]):
    """The parts of an audience's pages, each made from its document when it is first asked for: pages show some."""

    def __init__(self, environment: Environment, doc: Document, language: str = ENGLISH) -> None:
        """Take a document, and the language that they are said in."""
        self._environment = environment
        self._doc = doc
        self._language = language
        self._made: dict[str, Markup] = {}

    def __getitem__(self, name: str) -> Markup:
        """Return a part; whoever asks at the same time gets one that is equal."""
        if name in ONLY_WITH and not self._doc[name]:
            return Markup()
        if name not in self._made:
            with spoken_in(self._language):
                html = self._environment.get_template(f"parts/{name}.html").render(doc=self._doc)
            # Indentation of templates is a third of the bytes, and every phone gets them over Wi-Fi.
            self._made[name] = Markup(_BETWEEN.sub("> <", html).strip())  # noqa: S704 - rendered with autoescape
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Go through their names."""
        return iter(parts_of(self._doc["audience"]))

    def __len__(self) -> int:
        """Count them."""
        return len(parts_of(self._doc["audience"]))
