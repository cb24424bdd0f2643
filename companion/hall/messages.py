"""What a table and a hall tell each other over MQTT: the topics, and a class for each message.

A message is JSON with `v`, its form's version; unknown fields are passed over. `docs/hall-topics.md` describes them.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

JsonObject = dict[str, Any]
"""An object of JSON. This file needs nothing else of the house."""
ROOT = "companion"
"""What all topics begin with."""
VERSION = 1
TABLE = r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"
"""A table's name, which is its user name at the broker and a part of its topics."""
LARGEST = 64 * 1024
"""Bytes of a message at most."""
TO_HALL = ("presence", "snapshot", "call", "records")
"""What a table writes."""
TO_TABLE = ("committed", "seating")
"""What the hall writes to a table."""

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Text = Annotated[str, Meta(max_length=400)]
Name = Annotated[str, Meta(max_length=80)]
Moment = Annotated[str, Meta(max_length=40, description="ISO 8601, UTC")]
SeatNumber = Annotated[int, Meta(ge=1, le=16)]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]


AGAIN = 60.0
"""Seconds after which a table says again that it is there. A last will is lost when the broker dies with the table."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What all messages are."""

    v: Literal[1] = 1


class Presence(Message, frozen=True, kw_only=True):
    """Whether the table is there. The broker says that it is not when it hears no more of it (last will)."""

    online: bool
    title: Name = ""
    version: Name = ""
    at: Moment | None = None


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """What all may know of a seat."""

    seat: SeatNumber
    name: Name
    colour: Name = ""
    score: int | None = None
    robot: bool = False


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """How a sentence was made: a template with its values, and the template for more than one thing ("" if none)."""

    template: Text
    several: Text = ""
    values: dict[Name, int | float | Text | Said] = {}


class Snapshot(Message, frozen=True, kw_only=True):
    """How it stands at the table, by what everybody in the room may know."""

    match: Id | None = None
    game: Name = ""
    title: Name = ""
    phase: Name = ""
    turn: SeatNumber | None = None
    text: Text = ""
    text_said: Said | None = None
    """How `text` was made, for who reads another language; so `violation_said` of `violation`."""
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=16)] = ()
    clock: Annotated[float, Meta(ge=0)] | None = None
    """Seconds that are left for a bid; none: no clock is running."""
    over: bool = False
    winners: Annotated[tuple[SeatNumber, ...], Meta(max_length=16)] = ()
    violation: Text | None = None
    violation_said: Said | None = None
    last_roll: Annotated[tuple[int, ...], Meta(max_length=32)] | None = None
    at: Moment | None = None


class Call(Message, frozen=True, kw_only=True):
    """Whether the table calls for the host."""

    open: bool
    text: Text = ""
    since: Moment | None = None


class Records(Message, frozen=True, kw_only=True):
    """A match's records in a row, the journal's lines from number `first` on; the header comes with the first.

    `root` is what that one hangs on (`companion.referee.chain.root`), by the table's header: the hall's may have other
    names, which no hash counts.
    """

    match: Id
    root: Hash
    first: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    lines: Annotated[tuple[str, ...], Meta(min_length=1, max_length=1000)]
    header: JsonObject | None = None


class Committed(Message, frozen=True, kw_only=True):
    """The hall has a match's records up to `through` on disk (0: none); `refused`: one did not fit, so send no more."""

    match: Id
    through: Number
    refused: Text = ""


class Seating(Message, frozen=True, kw_only=True):
    """Who is to play at a table next. An empty message takes it back."""

    event: Name
    round: Number
    game: Name
    names: Annotated[tuple[Name, ...], Meta(max_length=16)]


MESSAGES: dict[str, type[Message]] = {
    "presence": Presence,
    "snapshot": Snapshot,
    "call": Call,
    "records": Records,
    "committed": Committed,
    "seating": Seating,
}
"""The message of each topic, by the topic's last part."""

M = TypeVar("M", bound=Message)


class MessageError(ValueError):
    """A message that can't be read, with why."""


def topic(table: str, what: str) -> str:
    """Return a table's topic."""
    return f"{ROOT}/{table}/{what}"


def parsed(name: str) -> tuple[str, str] | None:
    """Return the table and the last part of a topic; None if it is no topic of ours."""
    parts = name.split("/")
    if len(parts) != 3 or parts[0] != ROOT or parts[2] not in MESSAGES or not is_table(parts[1]):
        return None
    return parts[1], parts[2]


def is_table(name: str) -> bool:
    """Return whether a table may be called so."""
    return re.fullmatch(TABLE, name) is not None


def encode(message: Message) -> bytes:
    """Return a message as it is sent."""
    return msgspec.json.encode(message, enc_hook=_plain)


def _plain(value: object) -> str:
    """Return a string of a kind of its own (a sentence that can be translated) as a plain one."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"objects of type {type(value).__name__} are not sent")


def decode(payload: bytes, kind: type[M]) -> M:
    """Read a message; raise MessageError if it is too long, no JSON, or of another form."""
    if len(payload) > LARGEST:
        raise MessageError(f"a message of {len(payload)} bytes; at most {LARGEST} are taken")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise MessageError(f"{error}") from None


def schemas() -> dict[str, JsonObject]:
    """Return the JSON Schema of each message, by the topic's last part."""
    return {what: {"$schema": "https://json-schema.org/draft/2020-12/schema", **_schema(what)} for what in MESSAGES}


def _schema(what: str) -> JsonObject:
    schema: JsonObject = msgspec.json.schema(MESSAGES[what])
    return schema
