"""Seats, and how a sentence names them before it is known what their players are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from companion.text import Text, capital, t

Seat = int
"""A player's place, numbered clockwise from 1 (ruling C3)."""

TABLE: Seat = 0
"""The table itself, in place of a seat: for upkeep, and for the public."""


MOST_DIGITS = 3
"""No number that people name for a seat, a level or a die is longer; what is may be too long to be read at all."""


def numbered(word: str) -> int | None:
    """Return the whole number that a word is ("2", not "²"), such as the 2 of "hand.2"; None if it is none."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS else None


LONGEST_NAME = 24
"""Letters of a player's name."""
_JOINERS = "\u200c\u200d"
"""Formatting that people type: it joins the parts of a picture (a family), or keeps letters apart."""


def clean_name(typed: str, most: int = LONGEST_NAME) -> str:
    """Return a player's name as it is kept: on one line, without what steers a screen or turns the line round
    (Unicode's categories Cc, Cf, Co, Cs), without "@", which stands for seats. "" if nothing is left to be seen.
    """
    words = " ".join(typed.replace("@", " ").split())
    if words.isascii() and words.isprintable():  # as most are: nothing to leave out, and all of it to be seen
        return words[:most].strip()
    kept = "".join(
        letter for letter in words if letter in _JOINERS or unicodedata.category(letter) not in ("Cc", "Cf", "Co", "Cs")
    )
    name = " ".join(kept[:most].strip(_JOINERS + " ").split())
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else ""


def apart(name: str, others: Iterable[str], most: int = LONGEST_NAME) -> str:
    """Return a name with a number behind it ("Anna 2") if one of the others' reads the same: two people are two."""
    taken, number, found = {unicodedata.normalize("NFKC", other).casefold() for other in others}, 1, name
    while unicodedata.normalize("NFKC", found).casefold() in taken:
        number += 1
        found = f"{name[: most - 1 - len(str(number))].rstrip()} {number}"
    return found


def told_apart(names: Mapping[Seat, str], most: int = LONGEST_NAME) -> dict[Seat, str]:
    """Return the names that there are, no two alike: of equal ones the later seats' have a number."""
    found: dict[Seat, str] = {}
    for seat, name in sorted(names.items()):
        if name:
            found[seat] = apart(name, found.values(), most)
    return found


def at(seat: Seat) -> str:
    """Return a seat as a sentence names it: `@2`. `name_seats` turns it into the player's name where it is shown."""
    return f"@{seat}" if seat > TABLE else t("the table")


def name_seats(sentence: str, names: Mapping[Seat, str]) -> str:
    """Put names for the `@2` of a sentence; a seat without a name is called "seat 2"."""
    if isinstance(sentence, Text):
        named: str = sentence.changed(lambda words: _named(words, names))
    else:
        named = _named(sentence, names)
    return capital(named) if sentence.startswith("@") else named


def _named(words: str, names: Mapping[Seat, str]) -> str:
    if "@" not in words:
        return words
    parts = words.split("@")
    said: str = parts[0]
    for part in parts[1:]:
        number = part[: len(part) - len(part.lstrip("0123456789"))]
        seat = numbered(number)
        if seat is None:
            said += "@" + part
        else:
            said += names[seat] if seat in names else t("seat {number}", number=seat)
            said += part[len(number) :]
    return said
