"""What goes over the wire: topics, messages, and what is refused."""

import os
from pathlib import Path

import msgspec
import pytest

from companion.hall import messages
from companion.hall.messages import Committed, MessageError, Records, Snapshot, decode, encode


@pytest.mark.parametrize("name", ["a", "table-4", "x" * 32])
def test_a_tables_name(name):
    assert messages.is_table(name)


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a/b", "+", "#", "a b", "x" * 33, "tisch-ä", "a\n", "4" * 40])
def test_what_is_no_tables_name(name):
    assert not messages.is_table(name)


def test_topics_are_read_back():
    assert messages.parsed(messages.topic("t1", "records")) == ("t1", "records")
    for other in (
        "companion/t1",
        "companion/t1/else",
        "else/t1/records",
        "companion/T1/records",
        "companion/a/b/records",
    ):
        assert messages.parsed(other) is None


def test_records_go_through_whole():
    line = '{"n":1,"name":"Zoë \\"x\\""}'
    sent = Records(match="m", root="a" * 64, first=1, lines=(line,), header={"id": "m"})
    back = decode(encode(sent), Records)
    assert back.lines == (line,)
    assert back.header == {"id": "m"}
    assert decode(encode(Records(match="m", root="a" * 64, first=2, lines=(line,))), Records).header is None


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"v":2,"match":"m","through":1}',
        b'{"match":"m","through":-1}',
        b'{"match":"","through":1}',
        b'{"match":"m","through":1.5}',
        b'{"match":"m","through":99999999999999999999}',
        b"[" * 100_000,
        b'{"match":"' + b"m" * messages.LARGEST + b'","through":1}',
    ],
)
def test_a_bad_message_is_refused_with_a_reason(payload):
    with pytest.raises(MessageError, match=r"."):
        decode(payload, Committed)


def test_a_newer_table_may_say_more():
    assert decode(b'{"v":1,"match":"m","through":3,"more":[1]}', Committed).through == 3


def test_a_snapshot_needs_nothing():
    assert decode(b'{"v":1}', Snapshot).match is None


def test_the_schemas_that_are_shipped_are_those_of_the_messages():
    """COMPANION_REGEN=1 writes them anew."""
    shipped = Path(__file__).parents[2] / "docs" / "schemas"
    made = {
        f"{what}.json": msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2).decode() + "\n"
        for what, schema in messages.schemas().items()
    }
    if os.environ.get("COMPANION_REGEN"):
        for name, text in made.items():
            (shipped / name).write_text(text)
    assert made == {path.name: path.read_text() for path in shipped.iterdir()}
