"""Sentences on their way from a table to a hall: templates with their values, for readers of every language."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter

import msgspec

from companion.hall.messages import Said
from companion.text import SHAPES, Text, filled


def told(words: str) -> Said | None:
    """Return how a sentence was made; None of plain English."""
    if not isinstance(words, Text):
        return None
    values = {name: _told(value) for name, value in words.values.items()}
    return Said(template=words.template, several=words.several, values=values)


def _told(value: object) -> int | float | str | Said:
    if isinstance(value, str):
        return told(value) or str(value)
    return value if isinstance(value, int | float) else str(value)


def heard(said: Said | None, text: str) -> str:
    """Return a sentence as it was made, if that reads as the text beside it; else the text, in plain English."""
    try:
        made = text if said is None else _made(said)
    except (LookupError, ValueError, TypeError, RecursionError):
        return text
    return made if made == text else text


def _made(said: Said) -> Text:
    """Make a text anew.

    Raises:
        LookupError, ValueError, TypeError: if its template and values don't go together, or a value would grow.
    """
    for template in (said.template, said.several):
        for _, _, form, conversion in Formatter().parse(template):
            if conversion or (form and form not in SHAPES and len(form) > len(".1f")):
                raise ValueError(template)
    values = {name: _made(one) if isinstance(one, Said) else one for name, one in said.values.items()}
    return filled(said.template, values, said.several)


def changed(said: Said | None, change: Callable[[str], str]) -> Said | None:
    """Return a sentence with other words for the plain strings in it, such as names."""
    if said is None:
        return None
    values = {
        name: changed(one, change) if isinstance(one, Said) else change(one) if isinstance(one, str) else one
        for name, one in said.values.items()
    }
    return msgspec.structs.replace(said, template=change(said.template), several=change(said.several), values=values)
