"""How sentences say lists and numbers of things, in every game alike."""

from __future__ import annotations

from collections.abc import Iterable


def all_of(words: Iterable[str]) -> str:
    """Join words with commas and "and": "a, b and c"; none are ""."""
    return listed(words, "and")


def any_of(words: Iterable[str]) -> str:
    """Join words with commas and "or"."""
    return listed(words, "or")


def listed(words: Iterable[str], last: str) -> str:
    """Join words with commas, and this word before the last."""
    some = list(words)
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} {last} {some[-1]}" if some else ""


def vowel(words: str) -> bool:
    """Return whether words begin with a vowel, and so have "an" before them."""
    return words[:1].lower() in tuple("aeiou")


def a(words: str) -> str:
    """Put "a" or "an" before words."""
    return ("an " if vowel(words) else "a ") + words


def counted(count: int, one: str, more: str = "") -> str:
    """Return the words for a number of things: "1 card", "2 cards"; `more` where the plural is not made with an s."""
    return f"1 {one}" if count == 1 else f"{count} {more or one + 's'}"


def so_many_players(count: int) -> str:
    """Return the words for a number of players; written out for translators."""
    return "1 player" if count == 1 else f"{count} players"


def cards(count: int) -> str:
    """Return the words for a number of cards, written out, because translators see these strings."""
    return "1 card" if count == 1 else f"{count} cards"


def sentence(words: str) -> str:
    """Return a clause as a sentence: a capital letter first, a full stop last."""
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if not words or words[-1] in ".!?" else ".")
