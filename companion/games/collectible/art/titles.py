"""What a title says: which motif of which theme it names, and in what order (`titles.toml` beside the pictures)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from companion.files import data

_OTHERWISE = "otherwise"


@dataclass(frozen=True)
class Phrase:
    """A title's phrase about one theme: the motif `figure`, the `hat` that is worn, or a `scene` of the ground."""

    theme: str
    figure: str = ""
    hat: str = ""
    scene: str = ""
    alive: bool = False
    at: int = 999


@cache
def _known() -> dict[str, dict[str, dict[str, str | bool]]]:
    return tomllib.loads(data("card_codes/collectible/art/titles.toml").read_text(encoding="utf-8"))


@cache
def themes() -> tuple[str, ...]:
    """Return the themes in the order of their rarity."""
    return tuple(_known())


def phrases(title: str, themes: list[str]) -> list[Phrase]:
    """Return what a title says of its themes, in its order; themes not named come last, in their usual form."""
    words = title.lower()
    found = []
    for number, theme in enumerate(themes):
        for pattern, told in _known().get(theme, {}).items():
            hit = re.search(rf"\b({pattern})", words) if pattern != _OTHERWISE else None
            if hit or pattern == _OTHERWISE:
                found.append(Phrase(theme, at=hit.start() if hit else 900 + number, **told))  # type: ignore[arg-type]
                break
    return sorted(found, key=lambda phrase: phrase.at)


def themes_of(words: str) -> list[str]:
    """Return the themes of a card, known or not."""
    return [word.strip() for word in words.split(",") if word.strip()]
