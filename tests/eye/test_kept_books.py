"""Code books on disk: one that was drawn is read again, a spoilt one is drawn anew, and few are kept."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from companion.eye import kept_books, signatures
from companion.eye.signatures import SHARP, SOFT, Signatures

CODES = ("C01F", "C02F", "C03F")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was drawn."""
    every: list[object] = []
    draw = signatures._drawn
    monkeypatch.setattr(signatures, "_drawn", lambda codes, blur: every.append(blur) or draw(codes, blur))
    return every


def test_a_book_that_was_drawn_is_read_again_by_the_next_process(drawn: list[object]) -> None:
    first, again = Signatures(CODES, SOFT[0]), Signatures(CODES, SOFT[0])
    assert drawn == [SOFT[0]]
    grids = first.codes + np.float32(0.1)
    assert np.array_equal(first.match(grids).surely, again.match(grids).surely)
    assert np.array_equal(first.framed(grids), again.framed(grids))
    Signatures(CODES, SHARP)
    Signatures(CODES[:2], SOFT[0])
    assert len(drawn) == 3


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _turned(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-9] ^= 1
    file.write_bytes(data)


def _larger(file: Path) -> None:
    data = file.read_bytes().replace(b"'shape': (", b"'shape': (9999", 1)
    file.write_bytes(data)


def _pickled(file: Path) -> None:
    np.save(file, np.array([{}], dtype=object), allow_pickle=True)


def _another(file: Path) -> None:
    Signatures(("D01F", "D02F", "D03F"))
    other = next(path for path in file.parent.iterdir() if path != file)
    file.write_bytes(other.read_bytes())


@pytest.mark.parametrize("spoil", [_cut, _turned, _larger, _pickled, _another, lambda file: file.write_bytes(b"")])
def test_a_book_that_is_not_as_it_was_written_is_drawn_anew(spoil, drawn: list[object]) -> None:
    sharp = Signatures(CODES)
    (file,) = kept_books.folder().iterdir()
    spoil(file)
    drawn.clear()
    assert np.array_equal(Signatures(CODES).codes, sharp.codes)
    assert drawn == [SHARP]
    Signatures(CODES)
    assert drawn == [SHARP]


def test_books_drawn_by_another_version_are_not_read(drawn: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    Signatures(CODES)
    monkeypatch.setattr(kept_books, "_version", lambda: b"another")
    Signatures(CODES)
    assert len(drawn) == 2


def test_only_the_newest_books_are_kept() -> None:
    for number in range(kept_books.MOST + 3):
        kept_books.save(f"{number}", [np.zeros(2, np.float32)])
        os.utime(kept_books.folder() / f"{number}.npy", (number, number))
    kept = {int(path.stem) for path in kept_books.folder().iterdir()}
    assert kept == set(range(3, kept_books.MOST + 3))


def test_where_nothing_can_be_written_every_book_is_drawn(tmp_path: Path, drawn: list[object]) -> None:
    (tmp_path / "books").write_text("a file, not a folder")
    assert Signatures(CODES).codes.shape == Signatures(CODES).codes.shape == (3, 441)
    assert len(drawn) == 2
