"""Reads picture files in gray and in colour; errors say in a sentence what is wrong. Reduces and packs pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.eye.view import Gray
from companion.text import t


class PictureError(ValueError):
    """A file that is no whole picture. The message is one sentence that starts with the file's name."""


def load(path: Path) -> tuple[Gray, Gray]:
    """Return a file in gray (h, w) and RGB (h, w, 3); raise PictureError if it can't be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(t("{name} is not there: check the name.", name=path.name)) from None
    except OSError as error:
        raise PictureError(
            t("{name} can't be read: {strerror}.", name=path.name, strerror=error.strerror or error)
        ) from None
    return decode(data, path.name)


def decode(data: bytes, name: str) -> tuple[Gray, Gray]:
    """Decode a picture in memory, as `load` does a file; raise PictureError, by `name`, if it can't be read."""
    if not data:
        raise PictureError(t("{name} is empty: copy it again.", name=name))
    if cut_short(data):
        raise PictureError(t("{name} is cut short: copy it again.", name=name))
    try:
        bgr = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        bgr = None
    if bgr is None:
        raise PictureError(t("{name} is not a picture that can be read: PNG and JPEG can.", name=name))
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return gray, np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def means(picture: Gray, factor: int) -> Gray:
    """Return a picture reduced by a whole number, each pixel the mean of a square; what is over at the end is left out.

    OpenCV has fast means of 2 × 2 and 4 × 4 alone: others cost it ten to forty times as much a pixel.
    """
    high, wide = picture.shape[0] // factor, picture.shape[1] // factor
    result = picture[: high * factor, : wide * factor]
    while factor % 2 == 0:
        step = 4 if factor % 4 == 0 else 2
        factor //= step
        result = np.asarray(cv2.resize(result, (wide * factor, high * factor), interpolation=cv2.INTER_AREA), np.uint8)
    if factor > 1:
        result = np.asarray(cv2.blur(result, (factor, factor)), np.uint8)[factor // 2 :: factor, factor // 2 :: factor]
    return np.ascontiguousarray(result)


def smaller(picture: Gray, wide: int, high: int) -> Gray:
    """Return a picture reduced to a size at the least price: halved, and what is left found between the nearest."""
    factor = 1
    while picture.shape[1] >= 2 * factor * wide and picture.shape[0] >= 2 * factor * high:
        factor *= 2
    return np.asarray(cv2.resize(means(picture, factor), (wide, high), interpolation=cv2.INTER_LINEAR), np.uint8)


def jpeg(picture: MatLike, quality: int) -> bytes:
    """Pack a picture, RGB or gray, as a JPEG of a quality from 0 to 100."""
    if picture.ndim == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height that a JPEG's header tells, without decoding anything; None if it tells none.

    A file of some hundred bytes may claim 65,500 × 65,500 pixels, for which a decoder takes its memory first.
    """
    at = 2
    while data.startswith(b"\xff\xd8") and at + 9 < len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        # Fill bytes, and markers that stand alone.
        alone = kind == 0x01 or 0xD0 <= kind <= 0xD8
        at += 1 if kind == 0xFF else 2 if alone else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None


def cut_short(data: bytes) -> bool:
    """Return whether a PNG or JPEG lacks its end: decoders fill the rest with gray and say nothing."""
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:]
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in data[-4096:]
    return False
