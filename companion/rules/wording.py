"""How sentences say lists and numbers of things, in every game alike."""

from __future__ import annotations

from collections.abc import Iterable

from companion.text import join, plural, t


def all_of(words: Iterable[str]) -> str:
    """Join words with commas and "and": "a, b and c"; none are ""."""
    return listed(words, "and")


def any_of(words: Iterable[str]) -> str:
    """Join words with commas and "or"."""
    return listed(words, "or")


def listed(words: Iterable[str], last: str) -> str:
    """Join words with commas, and "and" or "or" before the last."""
    some = tuple(words)
    if len(some) < 2:
        return some[0] if some else ""
    first = join(", ", some[:-1])
    if last == "or":
        return t("{some} or {last}", some=first, last=some[-1])
    return t("{some} and {last}", some=first, last=some[-1])


def vowel(words: str) -> bool:
    """Return whether words begin with a vowel, and so have "an" before them."""
    return words[:1].lower() in tuple("aeiou")


def a(words: str) -> str:
    """Put "a" or "an" before words."""
    return t("an {thing}", thing=words) if vowel(words) else t("a {thing}", thing=words)


def counted(count: int, one: str, more: str = "") -> str:
    """Return the words for a number of things: "1 card", "2 cards"; `more` where the plural is not made with an s."""
    return f"1 {one}" if count == 1 else f"{count} {more or one + 's'}"


def so_many_players(count: int) -> str:
    """Return the words for a number of players."""
    return plural("{count} player", "{count} players", count=count)


def cards(count: int) -> str:
    """Return the words for a number of cards."""
    return plural("{count} card", "{count} cards", count=count)
