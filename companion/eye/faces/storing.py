"""Taught decks as files: a folder of PNG pictures with a `deck.json`, or a zip of them to hand on.

A zip may come from anybody: its size is bounded, only what the index names is read, and only PNGs of the deck's size.
"""

from __future__ import annotations

import io
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from PIL import Image

from companion.eye.faces.deck import MOST_FACES, MOST_VIEWS, DeckError, Picture, TaughtDeck, TaughtFace
from companion.files import exchanged, held, owner_dir, written_whole
from companion.untyped import read_json

INDEX = "deck.json"
FORMAT = 1
LARGEST = 50 * 1024**2
"""Bytes that one file may have, packed and unpacked."""
ENDING = ".deck.zip"
_LONGEST_INDEX = 2 * 1024**2
"""Bytes: a deck of the most faces, each with the most pieces, has half of that."""
_CHUNKS = {b"IHDR", b"IDAT", b"IEND"}
"""What our PNG have in them; others may unpack to anything."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_PIECE = r"^[0-9A-Z]{3}$"

_Words = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class _Face(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Words
    pieces: Annotated[list[Annotated[str, msgspec.Meta(pattern=_PIECE)]], msgspec.Meta(min_length=1, max_length=60)]
    side: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]$")]
    views: Annotated[int, msgspec.Meta(ge=1, le=MOST_VIEWS)]


class _Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    name: str
    title: _Words
    game: Annotated[str, msgspec.Meta(max_length=60)]
    w: Annotated[float, msgspec.Meta(ge=15, le=250)]
    h: Annotated[float, msgspec.Meta(ge=15, le=250)]
    faces: Annotated[list[_Face], msgspec.Meta(max_length=MOST_FACES)]


def decks_folder() -> Path:
    """Return the folder in the owner's data that holds the taught decks, a folder each; it need not be there."""
    return owner_dir() / "decks"


def taught() -> list[str]:
    """List the names of the taught decks."""
    return sorted(path.parent.name for path in decks_folder().glob(f"*/{INDEX}") if _NAME.fullmatch(path.parent.name))


def check_name(name: str) -> str:
    """Return a deck's name if it is one; raise DeckError if it is not made of small letters, digits and hyphens."""
    if not _NAME.fullmatch(name):
        raise DeckError(f"{name!r} is no name for a deck: small letters, digits and hyphens, 40 at most.")
    return name


def save(deck: TaughtDeck, folder: Path | None = None) -> Path:
    """Write a deck into a folder (by default its own in the owner's data); return it.

    Raises:
        DeckError: if its name is no name, or the disk can't be written.
    """
    folder = decks_folder() / check_name(deck.name) if folder is None else folder
    kept = {INDEX}
    try:
        with exchanged(folder) as fresh:
            for name, view in _pictures(deck):
                kept.add(name)
                data = png(view)
                path = fresh / name
                if not path.is_file() or path.read_bytes() != data:
                    with written_whole(path) as file:
                        file.write(data)
            with written_whole(fresh / INDEX) as file:
                file.write(_index(deck))
            for path in fresh.glob("*.png"):
                if path.name not in kept:
                    path.unlink()
    except OSError as error:
        raise DeckError(f"The deck can't be written: {error.strerror or error} ({folder}).") from None
    return folder


def load(name: str | Path) -> TaughtDeck:
    """Read a deck by its name, or from a folder; raise DeckError if it is not there, or something in it is broken."""
    folder = decks_folder() / check_name(name) if isinstance(name, str) else name

    def read(file: str, most: int) -> bytes:
        with (folder / file).open("rb") as given:
            return given.read(most + 1)

    if not (folder / INDEX).is_file():
        known = ", ".join(taught()) or "none yet"
        raise DeckError(f"There is no taught deck {folder.name}; taught: {known}.")
    with held(folder.parent, share=True):
        return _read(read, str(folder))


def remove(name: str) -> None:
    """Delete a taught deck; raise DeckError if there is none of that name, or it can't be deleted."""
    folder = decks_folder() / check_name(name)
    if not (folder / INDEX).is_file():
        raise DeckError(f"There is no taught deck {name}.")
    try:
        with exchanged(folder) as fresh:
            shutil.rmtree(fresh)
            fresh.mkdir()
    except OSError as error:
        raise DeckError(f"The deck can't be deleted: {error.strerror or error} ({folder}).") from None


def exported(deck: TaughtDeck) -> bytes:
    """Return a deck as one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(_entry(INDEX), _index(deck))
        for name, view in _pictures(deck):
            file.writestr(_entry(name), png(view))
    return out.getvalue()


def imported(data: bytes, name: str | None = None) -> TaughtDeck:
    """Return the deck in a file that somebody handed over, by another `name` if one is given. Nothing is written.

    Raises:
        DeckError: if it is no deck, damaged, or too large.
    """
    if len(data) > LARGEST:
        raise DeckError(f"The file is too large for a deck: {LARGEST // 1024**2} MB at most.")
    # Each entry of its list of contents begins so; the list is read as a whole, however long it is.
    if data.count(b"PK\1\2") > MOST_FACES * MOST_VIEWS + 1:
        raise DeckError("The file is no taught deck: it has too many files in it.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:

            def read(wanted: str, most: int) -> bytes:
                entry = file.getinfo(wanted)
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise zipfile.BadZipFile
                # An entry may hold more than it says.
                with file.open(entry) as part:
                    return part.read(most + 1)

            deck = _read(read, "The file")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, struct.error):
        raise DeckError("The file is no taught deck, or is damaged: export it again.") from None
    if name is not None:
        deck = TaughtDeck(check_name(name), deck.title, deck.w, deck.h, deck.faces, deck.game)
    check_name(deck.name)
    return deck


def _read(read: Callable[[str, int], bytes], where: str) -> TaughtDeck:
    try:
        index = read_json(_bounded(read, INDEX, _LONGEST_INDEX), _Index)
    except (KeyError, OSError):
        raise DeckError(f"{where} is no taught deck: it has no {INDEX}.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DeckError(f"{where} is no taught deck, or is damaged: {error}.") from None
    if index.format != FORMAT:
        raise DeckError(f"{where} was made by another version of Companion (format {index.format}).")
    deck = TaughtDeck(index.name, index.title, index.w, index.h, (), index.game)
    most = MOST_VIEWS
    if sum(face.views for face in index.faces) > deck.most_pictures:
        most = deck.most_pictures // len(index.faces)
    named = [(piece, face.side) for face in index.faces for piece in dict.fromkeys(face.pieces)]
    if not most or len(named) != len(set(named)):
        raise DeckError(f"{where} has {'a card twice' if most else 'too many pictures, or too large ones'}.")
    faces = []
    wide, high = deck.size_px
    for number, face in enumerate(index.faces):
        views = []
        # Of corrections there may have been more than are kept today: the newest stay.
        for view in (0, *range(max(1, face.views - most + 1), face.views)):
            name = _picture_name(number, view, face.pieces[0])
            try:
                views.append(_picture(_bounded(read, name, 4 * wide * high + 4096), deck.size_px))
            except (KeyError, OSError):
                raise DeckError(f"{where} lacks the picture {name}, of {face.name}.") from None
            except DeckError as error:
                raise DeckError(f"{where} has a bad picture {name}, of {face.name}: {error}") from None
        faces.append(TaughtFace(face.name, tuple(dict.fromkeys(face.pieces)), tuple(views), face.side))
    return replace(deck, faces=tuple(faces))


def _bounded(read: Callable[[str, int], bytes], name: str, most: int) -> bytes:
    data = read(name, most)
    if len(data) > most:
        raise DeckError(f"{name} is too large.")
    return data


def _index(deck: TaughtDeck) -> bytes:
    faces = [_Face(face.name, list(face.pieces), face.side, len(face.views)) for face in deck.faces]
    index = _Index(FORMAT, deck.name, deck.title, deck.game, float(deck.w), float(deck.h), faces)
    return msgspec.json.format(msgspec.json.encode(index))


def _picture_name(number: int, view: int, piece: str) -> str:
    return f"{number:03}-{piece}-{view}.png"


def _pictures(deck: TaughtDeck) -> list[tuple[str, Picture]]:
    return [
        (_picture_name(number, n, face.pieces[0]), view)
        for number, face in enumerate(deck.faces)
        for n, view in enumerate(face.views)
    ]


def _entry(name: str) -> zipfile.ZipInfo:
    # Pictures are packed already; an equal deck makes an equal file.
    return zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))


def png(view: Picture) -> bytes:
    """Return a picture as a PNG."""
    out = io.BytesIO()
    Image.fromarray(view).save(out, "PNG")
    return out.getvalue()


def _picture(data: bytes, size: tuple[int, int]) -> Picture:
    at = 8
    try:
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            if kind not in _CHUNKS:
                raise ValueError
            at += length + 12
        picture = Image.open(io.BytesIO(data), formats=("PNG",))
        if picture.size != size:
            raise DeckError(f"it has {picture.size[0]} × {picture.size[1]} pixels instead of {size[0]} × {size[1]}.")
        return np.asarray(picture.convert("RGB"), dtype=np.uint8)
    except DeckError:
        raise
    except (OSError, ValueError, SyntaxError, TypeError, struct.error, Image.DecompressionBombError):
        raise DeckError("it is no PNG, or is damaged.") from None
