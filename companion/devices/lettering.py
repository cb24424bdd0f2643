"""Letters for a small black-and-white display: measure, fit, wrap and shorten text, and stamp it on a picture.

The letters are the ones that come inside OpenCV ("sans": Rubik, with WenQuanYi for what it lacks), so umlauts,
Cyrillic, Hebrew and Chinese names work and nothing has to be installed. A picture is a bool array of shape
(height, width), True is lit.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.letters import HEBREW, leftward
from companion.referee.publishing import writes

Bits = npt.NDArray[np.bool_]

WEIGHT = 560
"""A little bolder than regular: strokes of two pixels from 16 px up, which carry further on an OLED."""
_COVERED = 100
"""How much of a pixel (of 255) a letter must cover to light it; lower is bolder."""

_SPARING = 140
"""The same for small letters with two dots over them, which would else run together: "ä" is no "ā"."""
SMALL = 18
"""Below this size in pixels letters are small."""

_fonts = threading.local()


def _font() -> cv2.FontFace:
    # One a thread: a FontFace caches glyphs and is not said to be safe to share.
    if not hasattr(_fonts, "face"):
        _fonts.face = cv2.FontFace("sans")
    face: cv2.FontFace = _fonts.face
    return face


def pitch(size: int) -> int:
    """Return the distance of two base lines in pixels for a font size in pixels (capitals are three quarters of it)."""
    return round(size * 1.1)


@lru_cache(maxsize=1024)
def stamp(text: str, size: int) -> Bits:
    """Draw a line of text, from the top of an accent on a capital to the foot of a "g", as wide as the pen moved."""
    up, down = round(size * 0.98), round(size * 0.27)
    canvas = np.zeros((up + down, max(1, len(text)) * size * 2 + 8), np.uint8)
    # A space in front and a crop after it, as some letters begin left of the pen.
    (end, _), _ = cv2.putText(canvas, leftward(text), (4, up), (255.0,), _font(), size, WEIGHT)
    dotted = size < SMALL and "\u0308" in unicodedata.normalize("NFD", text)
    bits: Bits = canvas[:, 4 : max(5, end)] >= (_SPARING if dotted else _COVERED)
    bits.setflags(write=False)
    return bits


def has(letter: str) -> bool:
    """Return whether the font has a letter and can set it: of what runs from right to left only Hebrew."""
    if unicodedata.bidirectional(letter) in ("R", "AL"):
        return HEBREW.match(letter) is not None
    return letter == "?" or not np.array_equal(stamp(letter, SMALL), stamp("?", SMALL))


def width(text: str, size: int) -> int:
    """Return the width of a line of text in pixels."""
    return int(stamp(text, size).shape[1]) if text else 0


def ink(text: str, size: int) -> Bits:
    """Draw a line of text cropped to what is lit (an empty array if nothing is)."""
    bits = stamp(text, size)
    rows, columns = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    if not len(rows):
        return np.zeros((0, 0), np.bool_)
    return bits[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def paste(picture: Bits, bits: Bits, x: int, y: int, lit: bool = True) -> None:
    """Set the lit pixels of `bits` in `picture` to `lit`, its top left corner at (x, y); what lies outside is cut."""
    top, left = max(0, y), max(0, x)
    bottom, right = min(picture.shape[0], y + bits.shape[0]), min(picture.shape[1], x + bits.shape[1])
    if top < bottom and left < right:
        picture[top:bottom, left:right][bits[top - y : bottom - y, left - x : right - x]] = lit


def write(picture: Bits, text: str, x: int, y: int, size: int, lit: bool = True) -> None:
    """Write a line whose capitals begin at height `y`."""
    paste(picture, stamp(text, size), x, y - round(size * 0.98) + round(size * 0.75), lit)


def largest(text: str, wide: int, high: int, low: int, top: int) -> int | None:
    """Return the largest font size between `low` and `top` at which a line's ink fits; None if even `low` does not."""
    for size in range(top, low - 1, -1):
        bits = ink(text, size)
        if bits.shape[0] <= high and bits.shape[1] <= wide:
            return size
    return None


def cut(text: str, wide: int, size: int) -> str:
    """Return a line, cut and ended with "…" if it is too wide (px)."""
    if width(text, size) <= wide:
        return text
    for end in range(len(text) - 1, 0, -1):
        shorter = text[:end].rstrip(" ,;:.") + "…"
        if width(shorter, size) <= wide:
            return shorter
    return "…"


def wrap(text: str, wide: int, size: int) -> tuple[str, ...]:
    """Return text in lines of at most `wide` pixels, broken between words; wider words are broken inside."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width(joined, size) <= wide:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while width(line, size) > wide and len(line) > 1:
            end = len(line) - 1
            while end > 1 and width(line[:end], size) > wide:
                end -= 1
            end = line.rfind("-", 1, end) + 1 or end
            lines.append(line[:end])
            line = line[end:]
    return (*lines, line) if line else tuple(lines)


def rows(high: int, size: int) -> int:
    """Return how many lines fit into a height (the feet of the last one may be cut off by at most a pixel or two)."""
    return max(0, 1 + (high - round(size * 0.9)) // pitch(size))


def block(text: str, wide: int, high: int, low: int, top: int) -> tuple[int, tuple[str, ...]] | None:
    """Return the largest font size at which text fits a box without a broken word, and the lines."""
    for size in range(top, low - 1, -1):
        if max((width(word, size) for word in text.split()), default=0) > wide and size > low:
            continue
        lines = wrap(text, wide, size)
        if len(lines) <= rows(high, size):
            return size, lines
    return None


MORE = "…"
"""Ends what goes on in the next picture."""


def chunks(text: str, wide: int, high: int, low: int, top: int) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """Return the same as `block`, but spread text that is too long even at the smallest size over several boxes.

    Each but the last ends with "…", so that nobody takes a part of a sentence for the whole.
    """
    found = block(text, wide, high, low, top)
    if found:
        return found[0], (found[1],)
    boxes: list[tuple[str, ...]] = []
    lines, most = wrap(text, wide, low), max(1, rows(high, low))
    while len(lines) > most:
        # The boxes are about equally full.
        each = -(-len(lines) // -(-len(lines) // most))
        shown, rest = list(lines[:each]), " ".join(lines[each:])
        while width(shown[-1] + MORE, low) > wide and len(shown[-1]) > 1:
            # The last word makes room, and goes on first; of a word that is alone its last letter.
            if " " in shown[-1] or len(shown) > 1:
                shown[-1], _, word = shown[-1].rpartition(" ")
                rest = f"{word} {rest}"
            else:
                shown[-1], rest = shown[-1][:-1], shown[-1][-1] + rest
            shown = shown if shown[-1] else shown[:-1]
        boxes.append((*shown[:-1], shown[-1].rstrip(",;:") + MORE))
        lines = wrap(rest, wide, low)
    return low, (*boxes, lines)


# ------------------------------------------------------------------------------------------------------------- names


def called(names: Mapping[int, str], seat: int) -> str:
    """Return a seat's name; one without a name is "Seat 2"."""
    return " ".join(names.get(seat, "").split()) or f"Seat {seat}"


def named(names: Mapping[int, str], seats: int, unnamed: str) -> dict[int, str]:
    """Return every seat's name; `unnamed` with "@1" for the number ("Seat @1") is what one without a name is called.

    So is one whose name the font can't write.
    """
    known = {seat: " ".join(name.split()) for seat, name in names.items() if writes(has, name)}
    return {seat: known.get(seat) or unnamed.replace("@1", str(seat)) for seat in range(1, seats + 1)}


def forms(names: Mapping[int, str], seat: int) -> tuple[str, ...]:
    """Return ever shorter names of a seat, none of which could be taken for another seat.

    The whole name; the first word of it; that with an initial ("Anna B."); the beginning of it with a full stop
    ("Christ."); at last "S2".
    """
    full = called(names, seat)
    others = [called(names, other).casefold() for other in names if other != seat]
    found = [full]
    if full.casefold() in others:
        return (f"{full} {seat}", *(f"{full[:n]}. {seat}" for n in range(len(full) - 1, 2, -1)), f"S{seat}")
    words = re.split(r"[\s\-]+", full)
    first = words[0]
    alike = [re.split(r"[\s\-]+", other) for other in others]
    if len(words) > 1 and not any(other[0] == first.casefold() for other in alike):
        found.append(first)
    elif len(words) > 1:
        last = words[-1][0]
        for start in (f"{first} ", *(f"{first[:end]}." for end in range(len(first) - 1, 0, -1))):
            begin = start.rstrip(". ").casefold()
            if not any(other[0].startswith(begin) and other[-1].startswith(last.casefold()) for other in alike):
                found.append(f"{start}{last}.")
    found += [
        f"{first[:end]}."
        for end in _breaks(first)
        if not any(other[0].startswith(first[:end].casefold()) for other in alike)
    ]
    # The first that fits is taken, so longer ones come first; of equal ones the more telling.
    found[1:] = sorted(found[1:], key=len, reverse=True)
    return (*found, f"S{seat}")


_VOWELS = "aeiouyäöüåæøœ" + "аеёиоуыэюя"


def _breaks(word: str) -> tuple[int, ...]:
    """Return where to cut a word, longest first: before a vowel ("Christ.", "Chr."), at last after 3 or 2 letters."""
    low = word.casefold()
    good = [end for end in range(len(word) - 2, 1, -1) if low[end] in _VOWELS and low[end - 1] not in _VOWELS]
    shortest = min(good, default=len(word) - 1)
    return (*good, *(end for end in (3, 2) if end < shortest))
