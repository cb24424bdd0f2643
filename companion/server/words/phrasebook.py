"""A phrasebook: all that is known of one language, to put finished English sentences into it when they are shown.

Rules, referee and eye say named templates, which need none of this; what comes over a wire, or from a game of another
package, may be plain English. A *phrasebook* has patterns (`{0} bids {1}.`) with their translations. `voice.Voice`
looks sentences up in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.server.words.patterns import HOLE, NOUNS, WORD, Pattern, bare, lower, numbered_holes, plain, upper
from companion.text import Text

Found = tuple[str, float]
"""A translation, and how many words of it are still English."""
Leaf = Callable[[str, str], Found]
"""Translates a plain string, in a form or context ("": in none)."""
BESIDE = (", and ", ", or ", " and ", " or ")
"""What stands between the last two of a list."""

_CAPITAL = re.compile(r"(?<=[^\W\dA-Z_] |[,}] )[A-ZÄÖÜ][^\W\d_]+")
"""A word with a capital in the middle of a translation: behind another word, a comma or a hole."""
_WALKED = frozenset(
    {
        "a {thing}",
        "an {thing}",
        "{some} and {last}",
        "{some} or {last}",
        "the {card}",
        "the {card:small}",
        "{count} {colour}",
        "{colour} {have} of {need}",
        "{colour} on {spot}",
        "{collector} of {scenario}",
    }
)
"""Templates that as patterns would fit too much."""


def nouns(said: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the words that have a capital though they begin no sentence."""
    for message, words in said:
        yield from _CAPITAL.findall(words)
        first = WORD.match(words)
        if message[:1].islower() and first and first[0][:1].isupper():
            yield first[0]


class Phrasebook:
    """All sentences of one language. Made once, and asked by all threads."""

    def __init__(
        self,
        language: str,
        said: Mapping[str, str],
        forms: Mapping[tuple[str, str], str],
        translator: Callable[[Text, str, Leaf], Found] | None = None,
    ) -> None:
        """Take translations by message, and those of a context by (context, message); empty ones are left out.

        `translator` walks over texts, which are looked up as plain strings without it.
        """
        said = dict(map(numbered_holes, ((one, words) for one, words in said.items() if one not in _WALKED)))
        forms = {
            (context, message): words
            for (context, text), given in forms.items()
            if "{" not in context
            for message, words in (numbered_holes((text, given)),)
        }
        self.translator = translator
        self.language = language
        self.said = {message: words for message, words in said.items() if words}
        self._forms = {(context, lower(bare(text))): bare(words) for (context, text), words in forms.items() if words}
        self._shaped: dict[str, list[Pattern]] = {}
        for (context, text), words in forms.items():
            if words and HOLE.search(text):
                self._shaped.setdefault(context, []).append(Pattern(text, words))
        for shaped in self._shaped.values():
            shaped.sort(key=lambda pattern: -pattern.literal)
        every = [*self.said.items(), *((text, words) for (_, text), words in forms.items())]
        self._nouns = frozenset(nouns(every) if language in NOUNS else ())
        self._exact: dict[str, tuple[str, str]] = {}
        patterns = []
        for message, words in (*self.said.items(), *self._fragments()):
            if HOLE.search(message):
                pattern = Pattern(message, words)
                patterns.append(pattern)
            else:
                known = bare(plain(message)), bare(plain(words))
                self._exact[known[0]] = known
                self._exact.setdefault(lower(known[0]), known)
        frequency = Counter(word for pattern in patterns for word in pattern.words)
        patterns.sort(key=lambda pattern: (-pattern.literal, len(pattern.order), pattern.message))
        self._ranked: dict[str, list[tuple[int, Pattern]]] = {}
        self._wordless = [pattern for pattern in patterns if not pattern.words]
        for rank, pattern in enumerate(patterns):
            if not pattern.words:
                continue
            rarest = min(pattern.words, key=lambda word: (frequency[word], word))
            self._ranked.setdefault(rarest, []).append((rank, pattern))
        self._spread = {part: self._joint(part) for part in BESIDE}

    def _fragments(self) -> Iterator[tuple[str, str]]:
        """Yield what is put behind something else, "; nobody wins", also by itself."""
        for message, words in self.said.items():
            if message[:1] in ";:,." and message[1:2] == " ":
                yield message[2:], words.lstrip(";:,. ")
            # So is what stands in parentheses behind something else: " (the one on top)".
            if message[:2] == " (" and message[-1:] == ")" and words[:2] == " (" and words[-1:] == ")":
                yield message[2:-1], words[2:-1]
            # So is what is said after another sentence: "{0} Now {1}."
            if message[:4] == "{0} " and message[4:5].isupper() and words[:4] == "{0} ":
                yield message[4:], words[4:]

    def _joint(self, part: str) -> str:
        word = part.strip(", ")
        return f" {self._exact.get(word, (word, word))[1]} "

    def exact(self, text: str) -> str | None:
        """Find the translation of a text without holes, its first letter and full stop as they are there."""
        found = self._exact.get(text) or self._exact.get(lower(text))
        if found is None:
            return None
        message, said = found
        if text[:1].isupper():
            return upper(said)
        return self.lower(said) if message[:1].isupper() else said

    def lower(self, text: str) -> str:
        """Begin with a small letter, but not a noun in a language that writes those with a capital."""
        first = WORD.match(text)
        return text if first and first[0] in self._nouns else lower(text)

    def shaped(self, context: str) -> Iterable[Pattern]:
        """Return the patterns of a context, those with the most of their own first."""
        return self._shaped.get(context, ())

    def form(self, context: str, text: str) -> str | None:
        """Find the translation of a text in a context."""
        return self._forms.get((context, lower(text)))

    def candidates(self, text: str) -> Iterator[Pattern]:
        """Yield the patterns that may fit a text, those with the most words of their own first."""
        words = {word.lower() for word in WORD.findall(text)}
        found = [ranked for word in words for ranked in self._ranked.get(word, ()) if ranked[1].words <= words]
        found.sort(key=lambda ranked: ranked[0])
        for _, pattern in found:
            yield pattern
        yield from self._wordless

    def joint(self, part: str) -> str:
        """Translate what stands between the last two of a list."""
        return self._spread[part]
