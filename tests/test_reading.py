"""What may come from anywhere is read within bounds, and what can't be taken is one kind of error."""

from __future__ import annotations

import msgspec
import pytest

from companion import games
from companion.devices import wiring
from companion.devices.wiring import WiringError
from companion.games.from_file import ScoreError, score_file
from companion.hall.arrivals import Batch
from companion.referee.journal import JournalError, read_export
from companion.referee.lines import Session
from companion.server.maker_api import Draft, MakerError
from companion.table.made_games import MadeGames
from companion.untyped import DEEPEST, read_json, read_toml


@pytest.mark.parametrize("deep", [DEEPEST + 1, 900, 100_000])
def test_json_that_is_too_deep_is_told_so(deep: int) -> None:
    for text in (b"[" * deep + b"]" * deep, b'{"a":' * deep + b"1" + b"}" * deep):
        with pytest.raises(msgspec.DecodeError, match="lie in each other"):
            read_json(text)


def test_brackets_in_words_are_no_depth() -> None:
    assert read_json('["\\"' + "[" * 900 + '"]') == ['"' + "[" * 900]
    assert len(read_json(b"[" + b",".join([b"[]"] * 900) + b"]")) == 900


def test_a_kind_that_does_not_fit_is_still_told_so() -> None:
    with pytest.raises(msgspec.ValidationError):
        read_json(b'"a"', int)


@pytest.mark.parametrize("given", [b"\xff", "\ud800", b"", b'"\\ud800'])
def test_what_is_no_json_is_one_kind_of_error(given: bytes | str) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_json(given)


@pytest.mark.parametrize("text", ["a = " + "[" * 900 + "]" * 900, "a." * 900 + "b = 1", "a = " + "9" * 5000, "a"])
def test_toml_that_can_not_be_taken_is_one_kind_of_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_toml(text)


def test_a_mark_before_the_text_says_nothing() -> None:
    assert read_json(b"\xef\xbb\xbf[1]") == read_json("\ufeff[1]") == [1]
    assert read_toml("\ufeffa = 1") == {"a": 1}


DEEP = "[" * 900 + "]" * 900


def test_what_comes_from_anywhere_is_told_so_if_it_is_too_deep() -> None:
    """Wherever values without a type may come in: people's files, what pages post, what tables send."""
    with pytest.raises(JournalError, match="lie in each other"):
        read_export([f'{{"id": "1", "at": "", "game": "g", "seats": 2, "mode": "ledger", "setup": {DEEP}}}'.encode()])
    with pytest.raises(msgspec.DecodeError, match="lie in each other"):
        read_json(f'{{"title": "A", "score": {{"a": {DEEP}}}}}', Draft)
    made = f'{{"form": "companion-game", "version": 1, "game": {{"title": "A", "score": {{"a": {DEEP}}}}}}}'
    with pytest.raises(MakerError, match="no exported game"):
        MadeGames(lambda: "", lambda: None, lambda name: None).take_in(made.encode())
    lines = Session(games.load("five-cards-collector"), None, 2, {})
    assert b"lie in each other" in lines.answer(f'{{"setup": {DEEP}}}')
    with pytest.raises(ScoreError, match="lie in each other"):
        score_file.read(f"title = {DEEP}")
    with pytest.raises(WiringError, match="lie in each other"):
        wiring.parse(f"a = {DEEP}")
    batch = Batch()
    batch.add("table-1", "records", f'{{"match": "1", "root": "", "first": 1, "header": {DEEP}, "lines": []}}'.encode())
    assert batch.misfits or batch.matches
