"""A voice speaks a language about one match: it puts English sentences into it by what stands in a phrasebook.

A sentence is looked up as it is, then among the patterns, from the one with the most words of its own to the one with
the fewest, and what stands in the holes is translated in the same way: it may be a name (which stays), a card's title
(which stays as it is printed), a number, a list, or a sentence again. What can't be found stays English, and is
counted.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import count

from companion.server.words.patterns import FORMS, WORD, Pattern, bare, lower, upper
from companion.server.words.phrasebook import BESIDE, Found, Phrasebook
from companion.text import Text

DEEP = 10
"""Sentences within sentences that are followed at most."""
KEPT = 8192
"""Translations that are kept."""
MISSED = 500
"""Different texts without a translation that are counted at most."""

_ENDS = re.compile("(?<=[.!?])\\s+(?=[\"'“(]?(?:[^\\W_a-z]|[\ue000-\uf8ff]))")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_PARENTHESIS = re.compile(r"(.+?)( ?\()([^()]+)(\)[.!?:]?)$", re.DOTALL)
_COUNTED = re.compile(r"([+−-]?\d+(?:\.\d+)?)(\s+)(\D.*)|(.*\D)(\s+)([+−-]?\d+(?:\.\d+)?)([.,:;!?]?)", re.DOTALL)
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_ADDRESS = re.compile(r"\S*/\S*[^\s.]")
_ARTICLES = ("a", "an", "the")
_MASK = 0xE000
_SIGNS = re.compile("[\ue000-\uf8ff]")
_UNFORMED = 0.01
"""What counts for a word whose form is not foreseen."""


class Voice:
    """Speaks a language about one match: it knows which words are names and which are printed on cards."""

    def __init__(self, book: Phrasebook) -> None:
        """Know nobody yet."""
        self.book = book
        self.missed: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._known: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._speaker = _Speaker(book, (), frozenset())

    def know(self, names: Iterable[str], titles: Iterable[str]) -> None:
        """Take these names and titles for what they are, and forget those before."""
        known = frozenset(names), frozenset(titles)
        with self._lock:
            if known != self._known:
                self._known = known
                self._speaker = _Speaker(self.book, sorted(known[0]), known[1])

    def __call__(self, text: str) -> str:
        """Translate a text; what can't be found stays as it is, and is counted."""
        said, missed = self._said(text, "")
        if missed >= 1:
            self._miss(text)
        return said

    def form(self, context: str, text: str) -> str:
        """Translate what stands in a hole, in a form: `{0:s}`."""
        return self._said(text, context)[0]

    def _said(self, text: str, form: str) -> Found:
        """Walk over a text; look a plain string up among the phrases."""
        speaker = self._speaker
        if isinstance(text, Text) and self.book.translator is not None:
            return self.book.translator(text, form, speaker.value)
        return speaker.leaf(str(text), form)

    def message(self, message: str) -> str:
        """Return the translation of a pattern, its holes open."""
        said = self.book.said.get(message)
        if said is None:
            self._miss(message)
            return message
        return said

    def _miss(self, text: str) -> None:
        with self._lock:
            if text in self.missed or len(self.missed) < MISSED:
                self.missed[text] += 1


class _Speaker:
    """What a voice knows, with what it has translated so far."""

    def __init__(self, book: Phrasebook, names: Iterable[str], titles: Iterable[str]) -> None:
        self._book = book
        self._names = frozenset(names)
        self._titles = {title.lower(): title for title in titles}
        # What is several words could be taken apart: while a sentence is looked up a sign stands for it.
        signs = (chr(n) for n in count(_MASK))
        odd = sorted((name for name in self._names if not name.isalnum() and len(name) > 1), key=len, reverse=True)
        self._unmasks = {sign: name for name, sign in zip(odd, signs, strict=False)}
        self._masks = [(re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"), sign) for sign, name in self._unmasks.items()]
        self._printed: dict[str, str] = {}
        for low, title in sorted(self._titles.items()):
            self._printed[low] = sign = next(signs)
            self._unmasks[sign] = title
        longest = sorted(self._titles.values(), key=len, reverse=True)
        named = "|".join(re.escape(title) for title in longest if " " in title)
        whole = "|".join(re.escape(title) for title in longest)
        quotation = rf'"(?P<quoted>{whole or "(?!)"})"'
        self._quoted = re.compile(quotation, re.IGNORECASE)
        self._cards = re.compile(rf"{quotation}|(?<!\w)(?P<bare>{named or '(?!)'})(?!\w)", re.IGNORECASE)
        subject = "|".join([*map(re.escape, sorted(self._names)), *(f'"?{sign}"?' for sign in self._unmasks)])
        one = rf"(?:{subject or '(?!)'}|[Ss]eat \d+)"
        self._subject_of = re.compile(rf"({one}(?:, {one})*(?: and {one})?) (.+)", re.DOTALL)
        self._forms = FORMS.get(book.language, {})
        self._splits = (self._sentences, self._subject, self._tail, self._listed, self._number)
        self.say = lru_cache(KEPT)(self._say)
        self._resolve = lru_cache(KEPT)(self._look_up)

    def leaf(self, text: str, form: str) -> Found:
        """Translate a plain string, in a form if one is named."""
        return self.form(form, text, 0) if form else self.say(text)

    def value(self, text: str, form: str) -> Found:
        """Translate a plain string in a hole of a text. A card's title of several words stays, though a score file may
        call something else so, too: "Queen of spades".
        """
        if not form and " " in text and self._titles.get(text.lower()) == text:
            return text, 0
        return self.leaf(text, form)

    def _say(self, text: str) -> Found:
        body = text.strip()
        if not body:
            return text, 0
        lead = text[: len(text) - len(text.lstrip())]
        trail = text[len(text.rstrip()) :]
        if self._book.exact(bare(body)) is None:
            for name, sign in self._masks:
                body = name.sub(sign, body)
            masked = self._cards.sub(self._sign, body)
            said, missed = self._resolve(masked, 0)
            if missed and masked != body:
                # A card may be called what a sentence says: "the first green pawn".
                plainly = self._resolve(self._quoted.sub(self._sign, body), 0)
                if plainly[1] < missed:
                    said, missed = plainly
        else:
            said, missed = self._resolve(body, 0)
        if 2 * missed > len(WORD.findall(body)):
            # Half a translation helps nobody.
            return text, missed
        return lead + self._unmask(said) + trail, missed

    def _sign(self, found: re.Match[str]) -> str:
        """Return the sign of a card's title."""
        if found["quoted"] is not None:
            return f'"{self._printed[found["quoted"].lower()]}"'
        return self._printed[found["bare"].lower()]

    def _unmask(self, text: str) -> str:
        return _SIGNS.sub(lambda sign: self._unmasks.get(sign[0], sign[0]), text)

    # ------------------------------------------------------------------------------------------------------- holes

    def form(self, context: str, text: str, deep: int) -> Found:
        """Translate what stands in a hole, in a form or a context."""
        inflect = self._forms.get(context)
        if inflect is not None:
            said, missed = self._resolve(text, deep)
            return inflect(self._unmask(said)), missed
        if not context:
            return self._resolve(text, deep)
        found = self._book.form(context, text)
        if found is not None:
            return found, 0
        shaped = self._form_shaped(context, text, deep)
        if shaped is not None:
            return shaped
        for between in (*BESIDE, ", "):
            if between in text and deep < DEEP:
                # A list has the form in each of its parts.
                head, tail = text.rsplit(between, 1)
                (first, left), (last, more) = self.form(context, head, deep + 1), self.form(context, tail, deep + 1)
                return first + (between if between == ", " else self._book.joint(between)) + last, left + more
        said, missed = self._resolve(text, deep)
        if (anything := self._book.form(context, "{0}")) is not None:
            return anything.replace("{0}", said), missed
        # A form that is not foreseen is better than English, and worse than another way to read the sentence.
        return said, missed or (_UNFORMED if WORD.search(text) and self._atom(text) is None else 0)

    def _form_shaped(self, context: str, text: str, deep: int) -> Found | None:
        """Find a pattern of a context that leaves nothing untranslated."""
        for pattern in self._book.shaped(context) if deep < DEEP else ():
            match = pattern.expressions[0].fullmatch(text) if pattern.literal else None
            if match is not None:
                found = self._filled(pattern, text, match.groups(), deep)
                if found[1] == 0:
                    return found
        return None

    def _atom(self, text: str) -> str | None:
        """Return a name as it is, and a card's title as it is printed, without the article that sentences put there."""
        if text in self._names:
            return text
        low = text.lower()
        if low in self._titles:
            return self._titles[low]
        for article in ("the ", "a ", "an "):
            if low.startswith(article) and low[len(article) :] in self._titles:
                return self._titles[low[len(article) :]]
            if low.startswith(article) and text[len(article) :] in self._unmasks:
                return text[len(article) :]
        return None

    # ------------------------------------------------------------------------------------------------------ looking

    def _look_up(self, text: str, deep: int) -> Found:
        if all(word.isupper() for word in WORD.findall(text)) and text not in _ARTICLES:
            # Numbers, and what is written in capitals: a code, a rule, the name of a space.
            return _DECIMAL.sub(lambda number: number[0].replace(".", ","), text), 0
        if text in self._names:
            return text, 0
        stop = "." if text.endswith(".") and not text.endswith("..") else ""
        body = text[: len(text) - len(stop)]
        exact = self._book.exact(body)
        if exact is not None:
            return exact + stop, 0
        atom = self._atom(body)
        if atom is not None:
            return atom + stop, 0
        if _QUOTED.fullmatch(body) or _ADDRESS.fullmatch(body):
            return text, 0
        if deep >= DEEP:
            return text, len(WORD.findall(text))
        if body in _ARTICLES:
            # What it belonged to was cut off.
            return text, 1
        head, colon, rest = text.partition(": ")
        heading = head if _QUOTED.fullmatch(head) else self._book.exact(head)
        if colon and heading is not None:
            # A heading, or a card, with what belongs to it: no pattern says it better.
            said, missed = self._resolve(rest, deep + 1)
            if missed == 0:
                return f"{heading}: {said}", 0
        best: Found | None = None
        for way in (self._strong, *self._splits, self._weak):
            found = way(text, deep)
            if found is not None and (best is None or found[1] < best[1]):
                best = found
                if best[1] == 0:
                    break
        return best if best is not None else (text, len(WORD.findall(text)))

    def _strong(self, text: str, deep: int) -> Found | None:
        return self._patterns(text, deep, weak=False)

    def _weak(self, text: str, deep: int) -> Found | None:
        return self._patterns(text, deep, weak=True)

    def _patterns(self, text: str, deep: int, weak: bool) -> Found | None:
        stop = "." if text.endswith(".") and not text.endswith("..") else ""
        found = self._pattern(text[: len(text) - len(stop)], deep, weak)
        return None if found is None else (found[0] + stop, found[1])

    def _pattern(self, body: str, deep: int, weak: bool) -> Found | None:
        """Find the pattern that leaves the fewest words untranslated, of equals the one with the most of its own."""
        best: Found | None = None
        for pattern in self._book.candidates(body):
            if pattern.weak != weak:
                continue
            tried = None
            for expression in pattern.expressions:
                match = expression.fullmatch(body)
                if match is None:
                    break
                if match.groups() == tried:
                    break
                tried = match.groups()
                found = self._fill(pattern, body, tried, deep)
                if best is None or found[1] < best[1]:
                    best = found
                if best[1] == 0:
                    return best
        return best

    def _fill(self, pattern: Pattern, body: str, groups: tuple[str, ...], deep: int) -> Found:
        whole, missed = self._filled(pattern, body, groups, deep)
        if body[:1].isupper():
            whole = upper(whole)
        elif body[:1].islower() and pattern.message[:1].isupper() and not pattern.said.startswith("{"):
            whole = self._book.lower(whole)
        return whole, missed

    def _filled(self, pattern: Pattern, body: str, groups: tuple[str, ...], deep: int) -> Found:
        holes = dict(zip(pattern.order, groups, strict=True))
        missed = 0.0
        said: list[str] = []
        for n, part in enumerate(pattern.spoken):
            if isinstance(part, str):
                said.append(part)
                continue
            content = holes[part[0]]
            if n and content[:1].isupper() and body.startswith(content) and self._moved(content):
                content = lower(content)
            words, left = self.form(part[1], content, deep + 1)
            said.append(words)
            missed += left
        return "".join(said), missed

    def _moved(self, content: str) -> bool:
        """Return whether something has its capital only because it began the sentence."""
        return self._atom(content) is None and not (content[:2].isalpha() and content[:2].isupper())

    # ---------------------------------------------------------------------------------------------------- splitting

    def _all(self, parts: Iterable[str], deep: int) -> tuple[list[str], float]:
        said, missed = [], 0.0
        for part in parts:
            words, left = self._resolve(part, deep + 1)
            said.append(words)
            missed += left
        return said, missed

    def _sentences(self, text: str, deep: int) -> Found | None:
        parts = _ENDS.split(text)
        if len(parts) < 2:
            return None
        said, missed = self._all(parts, deep)
        return " ".join(said), missed

    def _subject(self, text: str, deep: int) -> Found | None:
        """Take who does it for itself."""
        found = self._subject_of.fullmatch(text)
        if found is None:
            return None
        (who, does), missed = self._all((found[1], found[2]), deep)
        return f"{who} {self._book.lower(does)}", missed

    def _tail(self, text: str, deep: int) -> Found | None:
        """Take what stands in parentheses at the end for itself."""
        found = _PARENTHESIS.fullmatch(text)
        if found is None:
            return None
        (head, inside), missed = self._all((found[1], found[3]), deep)
        return head + found[2] + inside + found[4], missed

    def _listed(self, text: str, deep: int) -> Found | None:
        best: Found | None = None
        for between in ("; ", ": ", " · ", ", ", *BESIDE):
            if between not in text:
                continue
            parts = text.split(between)
            joint = between
            if between in BESIDE:
                parts, joint = [between.join(parts[:-1]), parts[-1]], self._book.joint(between)
            elif between == ": ":
                parts = [parts[0], between.join(parts[1:])]
            if not all(parts):
                continue
            said, missed = self._all(parts, deep)
            if best is None or missed < best[1]:
                best = joint.join(said), missed
                if missed == 0:
                    break
        return best

    def _number(self, text: str, deep: int) -> Found | None:
        """Take a number at the beginning or the end for itself."""
        found = _COUNTED.fullmatch(text)
        if found is None:
            return None
        if found[1] is not None:
            # English says "2 political"; a language that has a plural for it says so under the context "pl".
            several = None if found[1].lstrip("+−-") == "1" else self._book.form("pl", found[3])
            said, missed = (several, 0.0) if several else self._resolve(found[3], deep + 1)
            return found[1].replace(".", ",") + found[2] + said, missed
        said, missed = self._resolve(found[4], deep + 1)
        return said + found[5] + found[6].replace(".", ",") + found[7], missed
