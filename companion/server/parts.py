"""The parts of a page: pieces of HTML made from a document. An event carries those that changed, and only those."""

from __future__ import annotations

import re

from jinja2 import Environment
from markupsafe import Markup

from companion.server.documents import HOST, PUBLIC
from companion.server.places import Document

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

_BETWEEN = re.compile(r">\s+<")


def parts_of(audience: str) -> tuple[str, ...]:
    """List the parts of an audience's pages."""
    return PARTS.get(audience, PARTS["seat"])


def render(environment: Environment, doc: Document) -> dict[str, Markup]:
    """Make every part of an audience's pages from its document."""
    made = {}
    for name in parts_of(doc["audience"]):
        html = environment.get_template(f"parts/{name}.html").render(doc=doc)
        # Indentation of templates is a third of the bytes, and every phone gets them over Wi-Fi.
        made[name] = Markup(_BETWEEN.sub("> <", html).strip())  # noqa: S704 - rendered with autoescape
    return made
