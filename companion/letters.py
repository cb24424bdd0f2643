"""The letters in which pictures and prints are set, and the direction in which they run.

What Aileron (public domain) has, which Pillow brings along, is set in it: that is English. A line with any other letter
is set whole in Arimo (SIL Open Font License, package `fontpkg-arimo`), which is drawn like it and has Latin, Cyrillic,
Greek and Hebrew. It is read only when such a line is set.
"""

from __future__ import annotations

import io
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

SIGNS = str.maketrans({"×": "x", "–": "-", "—": "-", "−": "-", "\u00a0": " "})
"""Signs that Aileron lacks, with those that stand for them: a card's line is not set in Arimo for their sake."""
HEBREW = re.compile("[\u0590-\u05ff\ufb1d-\ufb4f]")
_BRACKETS = r"()\[\]{}<>«»‹›"
_RUN = re.compile(rf"{HEBREW.pattern}(?:(?:{HEBREW.pattern}|[^\w{_BRACKETS}]|[\d_])*{HEBREW.pattern})?")
"""From a Hebrew letter to the last one before a letter of another script, or a bracket."""
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


@cache
def aileron() -> bytes:
    """Return the TrueType file of the font for English."""
    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType; install it from a wheel: pip install pillow")
    return bytes(font.font_bytes)


@cache
def arimo() -> Path:
    """Return the TrueType file of the font for everything else; its default weight is the regular one."""
    import fontpkg_arimo

    return Path(fontpkg_arimo.ROOT) / "files" / "Arimo[wght].ttf"


@cache
def _in_aileron() -> frozenset[int]:
    return _letters(io.BytesIO(aileron()))


@cache
def _in_arimo() -> frozenset[int]:
    return _letters(arimo())


def _letters(file: io.BytesIO | Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    return frozenset(TTFont(file, lazy=True).getBestCmap())


def english(words: str) -> bool:
    """Return whether a line is set in Aileron."""
    # It has all of ASCII: without another sign nothing is asked of the font's table, which takes 5 MB to read.
    return (words.isascii() and words.isprintable()) or all(ord(letter) in _in_aileron() for letter in words)


def font(size: float, words: str = "") -> ImageFont.FreeTypeFont:
    """Return the font that a line (see `laid`) is set in, at a size in pixels."""
    return _sized(size, english(words))


@lru_cache(maxsize=64)  # fifty kilobytes each, of Arimo two hundred
def _sized(size: float, in_english: bool) -> ImageFont.FreeTypeFont:
    file = io.BytesIO(aileron()) if in_english else arimo()
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def laid(words: str) -> str:
    """Return a line as it is set: with the letters that the fonts have, from left to right.

    A letter that they lack is set without its accent, or left out.
    """
    words = unicodedata.normalize("NFC", words)
    if english(words.translate(SIGNS)):
        return words.translate(SIGNS)
    known = _in_arimo()
    spelled = (one if ord(one) in known else unicodedata.normalize("NFKD", one) for one in words)
    return leftward("".join(one for letter in spelled for one in letter if ord(one) in known))


def leftward(words: str) -> str:
    """Turn round the Hebrew in a line, so that it can be set from left to right.

    A line with no letters of another script runs to the left as a whole. Vowel points are left out, as in everyday
    writing.
    """
    if not HEBREW.search(words):
        return words
    others = any(letter.isalpha() and not HEBREW.match(letter) for letter in words)
    return _RUN.sub(lambda run: _turned(run[0]), words) if others else _turned(words)


def _turned(run: str) -> str:
    parts = re.findall(r"\d+(?:[.,:]\d+)*|\D", run)
    return "".join(part.translate(_MIRRORED) for part in reversed(parts) if not unicodedata.combining(part[0]))
