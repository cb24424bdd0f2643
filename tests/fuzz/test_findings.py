"""What random input once broke, each by name, so that it never does again."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from collections.abc import Iterator

import msgspec
import pytest
from PIL import Image

from companion import games
from companion.devices.camera_base import Camera
from companion.eye.eye import Eye
from companion.eye.pictures import PictureError
from companion.eye.untrusted import decoded
from companion.eye.view import Frame, Trouble
from companion.referee.course import course
from companion.referee.history import History, HistoryError
from companion.referee.journal import Header, Journal, JournalError, decode_record, new_id, read_export
from companion.referee.match import Match
from companion.referee.record import Record
from companion.server.match_api import MatchesError
from companion.table.camera_loop import CameraLoop
from companion.table.folding import TellError, checked, fold
from companion.table.matches import Matches
from tests.eye.tables import Table, book, test_mat
from tests.fuzz.matches import exported
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)
TORN = b'{"n":1,"id":"x","at":"y","action":{"type":"disc\xe1rd","seat":1,"card":"00U"}}'
"""A record in which one byte was changed."""


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return exported(GAME.info.name, 3, count=8)


def test_a_byte_that_is_no_letter_is_said_and_not_stumbled_over() -> None:
    with pytest.raises(JournalError, match="no record"):
        decode_record(TORN, GAME.action_type)
    with pytest.raises(JournalError, match="no exported match"):
        read_export([b'{"id":"\xe1"}'])


def test_a_match_with_such_a_byte_in_its_journal_goes_on_before_it(tmp_path, lines: list[bytes]) -> None:
    journal = Journal(tmp_path)
    header = msgspec.json.decode(lines[0], type=Header)
    journal.begin(header)
    for n, line in enumerate([*lines[1:5], TORN], start=1):
        journal._db.execute("INSERT INTO records VALUES (?, ?, ?)", (header.id, n, line))
    match = Match(GAME, MAT, header, journal)
    assert match.snapshot.record == 4
    assert "damaged after record 4" in match.snapshot.sentence
    journal.close()


@pytest.mark.parametrize("at", ["02Q", "", "2026-01-01T00:00:00"])
def test_a_record_whose_time_is_none_is_looked_back_on(lines: list[bytes], at: str) -> None:
    header = msgspec.json.decode(lines[0], type=Header)
    records = [decode_record(line, GAME.action_type) for line in lines[1:]]
    told = course(GAME, header, [msgspec.structs.replace(records[0], at=at), *records[1:]])
    assert len(told.moments) == len(records)


@pytest.mark.parametrize("changes", [{"seat": 99}, {"seat": -1}, {"action": None}, {"kind": "end", "action": None}])
def test_a_record_that_names_a_seat_that_is_not_there_is_none(lines: list[bytes], changes: dict[str, object]) -> None:
    header = msgspec.json.decode(lines[0], type=Header)
    history = History(GAME, GAME.setup(3, {}, msgspec.convert(header.setup, GAME.setup_type)))
    record = decode_record(lines[1], GAME.action_type)
    with pytest.raises(HistoryError, match="record 1"):
        history.append(msgspec.structs.replace(record, **{"seat": 2, **changes}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "../../host"}, "number"),
        ({"id": ""}, "number"),
        ({"at": "2026\r\nSet-Cookie: x"}, "date"),
        ({"mode": "gentle"}, "gentle"),
        ({"bid_seconds": -1}, "-1"),
        ({"names": {"9": "Ada"}}, "seats"),
        ({"names": {"1": "A" * 5000}}, "name"),
        ({"colours": {"1": "puce"}}, "colour"),
        ({"colours": {"-4": "blue"}}, "seats"),
    ],
)
def test_a_match_from_elsewhere_with_an_odd_header_is_not_taken_in(
    tmp_path, lines: list[bytes], changes: dict[str, object], words: str
) -> None:
    journal = Journal(tmp_path)
    matches = Matches(journal, lambda: None, lambda header: None)  # type: ignore[arg-type, return-value]
    odd = json.dumps({**json.loads(lines[0]), "id": new_id(), **changes}).encode()
    with pytest.raises(MatchesError, match=words):
        matches.take_in([odd, *lines[1:]])
    with pytest.raises(TellError, match=words):
        checked(msgspec.json.decode(odd, type=Header))
    assert journal.matches() == []
    journal.close()


def test_a_match_from_elsewhere_that_says_it_has_a_million_seats_takes_no_memory(lines: list[bytes]) -> None:
    # One that said two thousand million took all that there was.
    crowd = msgspec.structs.replace(msgspec.json.decode(lines[0], type=Header), seats=1_000_000, names={1: "Ada"})
    tracemalloc.start()
    try:
        checked(crowd)
        with pytest.raises(TellError, match="record 0"):
            next(fold(GAME, crowd, lines[1:]))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_picture_of_a_kind_whose_size_nobody_looked_at_is_not_decoded() -> None:
    # A portable float map: Pillow does not know it, the decoder does, and it says that it is 30,000 pixels a side.
    with pytest.raises(PictureError, match="not a picture"):
        decoded(b"PF\n30000 30000\n-1.0\n" + bytes(64))
    with pytest.raises(PictureError, match="not a picture"):
        decoded(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 30000 +X 30000\n" + bytes(64))


@pytest.mark.parametrize("kind", ["BMP", "GIF", "PPM", "TIFF"])
def test_a_picture_of_a_kind_that_no_phone_sends_is_not_decoded(kind: str) -> None:
    # The decoder reads them, and another program says their size: the two need not agree.
    out = io.BytesIO()
    Image.new("L", (20, 20)).save(out, kind)
    with pytest.raises(PictureError, match="not a picture"):
        decoded(out.getvalue())


class _Odd(Camera):
    """Gives one picture that no eye can do with, then those of a table."""

    live = False

    def __init__(self) -> None:
        self.table = Table(test_mat(), size=(480, 270))

    def frames(self) -> Iterator[Frame]:
        frame = self.table.shot()
        yield Frame(frame.gray[:2, :0], frame.time, 0)
        for _ in range(3):
            yield self.table.shot()


def test_a_picture_that_breaks_the_eye_is_told_and_the_next_ones_are_looked_at(monkeypatch) -> None:
    monkeypatch.setattr("companion.table.camera_loop.ANEW", 0.0)
    views: list[object] = []
    mat = test_mat()
    camera_loop = CameraLoop(mat, _Odd, lambda: Eye(mat, book(mat)), views.append, lambda time: None)
    told: list[Trouble | None] = []
    plainly = camera_loop.tell_trouble
    camera_loop.tell_trouble = lambda trouble: (told.append(trouble), plainly(trouble))[1]  # type: ignore[method-assign]
    camera_loop.start()
    end = time.monotonic() + 60
    while camera_loop.thread.is_alive() and time.monotonic() < end:
        time.sleep(0.01)
    camera_loop.close()
    assert told[0] is not None
    assert "looks anew" in told[0].words
    assert told[-1] is None
    assert views


def test_records_of_other_kinds_need_no_seat() -> None:
    history = History(GAME, GAME.setup(3, {}, GAME.setup_type()))
    history.append(Record(n=1, id="1", at="", kind="end"))
    assert history.count == 1


@pytest.mark.parametrize("n", [0, -1, 2**63, 10**20])
def test_a_number_that_no_record_can_have_has_no_pictures(tmp_path, n: int) -> None:
    journal = Journal(tmp_path)
    assert journal.evidence("0190", n) is None
    journal.close()
