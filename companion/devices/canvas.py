"""A picture of 128×64 to draw on, and the elements of every page: lines in boxes, bars, names as large as they fit."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from PIL import Image

from companion.devices.lettering import Bits, block, chunks, cut, ink, largest, paste, pitch, write
from companion.devices.lettering import width as text_width
from companion.text import join, t

WIDTH, HEIGHT = 128, 64
SMALLEST = 10
"""The smallest letters (px) in a bar."""
Page = tuple[Image.Image, ...]
"""One or more pictures ("1" mode, lit pixels white), shown in turn."""


Say = Callable[[str], str]
"""Translates a finished English sentence into the table's language. Placeholders of names, "@1", stay."""


def english(words: str) -> str:
    """Return a sentence unchanged."""
    return words


def put_name(say: Say, words: str, name: str) -> str:
    """Return words translated, with a name, however short ("Anna B."), put for "@1"."""
    return say(words).replace("@1", name)


def blank() -> Bits:
    """Return an empty (dark) picture."""
    return np.zeros((HEIGHT, WIDTH), np.bool_)


def to_image(bits: Bits) -> Image.Image:
    """Return a picture as a 1-bit image."""
    return Image.fromarray(bits.astype(np.uint8) * 255).convert("1", dither=Image.Dither.NONE)


def put_centred(picture: Bits, text: str, top: int, high: int, size: int, left: int = 0, wide: int = WIDTH) -> None:
    """Put one line of text in the middle of a box."""
    bits = ink(text, size)
    paste(picture, bits, left + (wide - bits.shape[1]) // 2, top + (high - bits.shape[0]) // 2)


def put_lines(picture: Bits, size: int, lines: tuple[str, ...], top: int, high: int, middle: bool = True) -> None:
    """Put lines in the middle of a box as wide as the display, each centred if `middle`."""
    used = pitch(size) * (len(lines) - 1) + round(size * 0.75)
    y = top + max(0, (high - used) // 2)
    for line in lines:
        write(picture, line, (WIDTH - text_width(line, size)) // 2 if middle else 0, y, size)
        y += pitch(size)


def put_bar(picture: Bits, text: str, top: int, high: int, note: str = "") -> None:
    """Draw a lit bar with dark text at the left and, if there is room, a note at the right."""
    picture[top : top + high] = True
    room = WIDTH - 6
    size = largest(text, room, high - 4, SMALLEST, high) or SMALLEST
    text = cut(text, room, size)
    bits = ink(text, size)
    paste(picture, bits, 3, top + (high - bits.shape[0]) // 2, lit=False)
    if note and bits.shape[1] + text_width(note, size) + 10 <= WIDTH:
        mark = ink(note, size)
        paste(picture, mark, WIDTH - 3 - mark.shape[1], top + (high - mark.shape[0]) // 2, lit=False)


def fits_bar(text: str) -> bool:
    """Return whether a bar has room for all of a text."""
    return text_width(text, SMALLEST) <= WIDTH - 6


def put_big(picture: Bits, ways: tuple[str, ...], top: int, high: int, wish: int, low: int = 14) -> None:
    """Write the longest of several wordings that fits at the size wished for, else the one that gets largest."""
    for way in ways:
        size = largest(way, WIDTH, high, wish, 60)
        if size:
            put_centred(picture, way, top, high, size)
            return
    sizes = [(largest(way, WIDTH, high, low, wish) or 0, -i) for i, way in enumerate(ways)]
    size, index = max(sizes)
    way = ways[-index]
    put_centred(picture, cut(way, WIDTH, size or low), top, high, size or low)


def put_fitted(picture: Bits, ways: tuple[str, ...], top: int, high: int, wish: int, left: int) -> None:
    """Write the longest wording that fits right of `left` at the size wished for, else the shortest as it fits."""
    room = WIDTH - left
    way = next((way for way in ways if largest(way, room, high, wish, wish)), ways[-1])
    size = largest(way, room, high, 10, wish) or 10
    bits = ink(cut(way, room, size), size)
    paste(picture, bits, left, top + (high - bits.shape[0]) // 2)


def put_word(picture: Bits, word: str, top: int, high: int, size: int, left: int = 0, wide: int = WIDTH) -> None:
    """Put a word in the middle of a box at a size, or smaller if it is too long for that."""
    put_centred(picture, word, top, high, largest(word, wide, high, 8, size) or 8, left, wide)


def joined(every: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Yield names joined with "+", from all in full to all at their shortest, shortening the longest first."""
    most = max(len(way) for ways in every for way in ways)
    found = {
        join(" + ", (next((way for way in ways if len(way) <= n), ways[-1]) for ways in every)): None
        for n in range(most, 1, -1)
    }
    return tuple(found)


def titled(title: str, words: str, note: str = "") -> Page:
    """Return pages with a title bar and words under it, as large as they fit; long ones take several pictures."""
    size, boxes = chunks(words, WIDTH, HEIGHT - 19, 14, 28)
    images = []
    for lines in boxes or ((),):
        picture = blank()
        put_bar(picture, title, 0, 16, note)
        put_lines(picture, size, lines, 19, HEIGHT - 19, middle=False)
        images.append(to_image(picture))
    return tuple(images)


def message_page(title: str, note: str, reason: str, remedy: str = "", say: Say = english) -> Page:
    """Return a message on one picture if the letters stay large enough, else the remedy under a title of its own."""
    title, reason, remedy = say(title), say(reason), say(remedy)
    whole = t("{reason} {remedy}", reason=reason, remedy=remedy).strip()
    if not remedy or block(whole, WIDTH, HEIGHT - 19, 14, 28):
        return titled(title, whole, note)
    return (*titled(title, reason, note), *titled(say(t("Do this")), remedy))


def png(image: Image.Image, scale: int = 1) -> bytes:
    """Return a picture as PNG, enlarged by a whole number."""
    out = io.BytesIO()
    image.convert("L").resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST).save(out, "PNG")
    return out.getvalue()
