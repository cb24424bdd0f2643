"""Which picture a card shows: by the words of its title, else by what it does (`pictures.toml` beside the pictures)."""

from __future__ import annotations

import functools
import re
import tomllib

from companion.files import data
from companion.games.collection.art.brush import HALF, HIGH
from companion.kept import kept
from companion.press.drawing import Item, cut
from companion.press.pictures import drawn, pictures

STORM, CAPITAL = "events/storm", "countries/capital"
"""What stands for a card and for a country that nobody has drawn yet."""


@functools.cache
def index() -> dict[str, dict[str, str]]:
    """Return the pictures' names by phrase: "cards", "effects" and "countries"."""
    return tomllib.loads(data("card_codes/collection/art/pictures.toml").read_text(encoding="utf-8"))


def picture_for(title: str, effect: str) -> str:
    """Name the picture of a card: the longest phrase that the title has wins."""
    told, effects = index()["cards"], index()["effects"]
    for phrase in sorted(told, key=len, reverse=True):
        if re.search(rf"\b{re.escape(phrase)}", title.lower()):
            return f"events/{told[phrase]}"
    verb, *rest = effect.split(";")[0].split() or [""]
    sign = "-" if rest and rest[-1].startswith("-") else "+"
    found = effects.get(verb) or effects.get(f"{verb}{sign}")
    return f"events/{found}" if found else STORM


def country_for(title: str, text: str) -> str:
    """Name the picture of a scenario: by the country's name, then by a word of its story."""
    for said in (title.lower(), text.lower()):
        for word, name in index()["countries"].items():
            if re.search(rf"\b{re.escape(word)}", said):
                return f"countries/{name}"
    return CAPITAL


@kept()
def picture(name: str) -> tuple[Item, ...]:
    """Return a picture, cut to its edge."""
    return tuple(cut(drawn("collection", name), -HALF, -HIGH, HALF, 0))


def role(folder: str, name: str) -> list[Item]:
    """Return a role's picture on y = 0: "analysts" about 10 × 12.4 mm, or the things of "roles", 15 × 12 mm."""
    known = f"{folder}/{name}" in pictures("collection", folder)
    return drawn("collection", f"{folder}/{name}" if known else _ANYONE[folder])


_ANYONE = {"analysts": "analysts/anyone", "roles": "roles/collection"}
