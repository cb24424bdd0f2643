"""Random values: of any type that msgspec can describe, bytes and JSON that were changed a little, odd texts."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec.inspect as types

from companion import games

ODD_TEXTS = (
    "",
    " ",
    "0",
    "-1",
    "00N",
    "ZZZ",
    "000",
    "hand.1",
    "hand.2",
    "deck",
    "discard",
    "@2",
    "@999",
    "../../etc/passwd",
    "%2e%2e/",
    "<script>",
    "{{7*7}}",
    "\x00",
    "\n",
    "\r\nX: y",
    "é😀",
    "\u202e",
    "\ud7ff",
    "A" * 300,
    "null",
    "seat-1",
    "seat-²",
    "hand.²",
    "coins.1",
    "dice.1.5",
    "1e999",
    "'; --",
    "2026-01-01T00:00:00Z",
    "last",
    "assist",
    "ledger",
    "next",
    "undo",
    "١",
)
ODD_NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    12,
    20,
    60,
    100,
    -1,
    -2,
    255,
    256,
    599,
    601,
    2**31,
    -(2**31),
    2**53,
    2**63 - 1,
    2**63,
    2**64,
    -(2**63) - 1,
    10**30,
)
ODD_FLOATS = (0.0, -0.0, 0.5, 1.5, -1.0, 90.0, 450.0, 5000.0, 1e9, -1e300, float("nan"), float("inf"), float("-inf"))


def words_of(name: str) -> tuple[str, ...]:
    """List what texts may mean something in a game: pieces, zones, places."""
    game = games.load(name)
    mat = games.load_mat(name, 3)
    pieces = tuple(card.piece for card in game.deck.cards)
    return (*pieces, *(zone.name for zone in mat.zones), "deck", "discard", "hand.1", "hand.2", "own", "upkeep")


def text(rng: random.Random, words: tuple[str, ...] = ()) -> str:
    """Make a text; often one of the words."""
    if words and rng.random() < 0.8:
        return rng.choice(words)
    if rng.random() < 0.6:
        return rng.choice(ODD_TEXTS)
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x20, 0xD7FF)))) for _ in range(rng.randrange(9))
    )


def number(rng: random.Random, sensible: bool = True) -> int:
    """Make a whole number, mostly a small one."""
    return rng.randrange(0, 9) if sensible and rng.random() < 0.75 else rng.choice(ODD_NUMBERS)


def anything(rng: random.Random, depth: int = 0) -> Any:
    """Make a JSON value."""
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return rng.choice((None, True, False))
    if kind == 2:
        return number(rng)
    if kind == 3:
        return text(rng)
    if kind == 4:
        return rng.choice((0.5, -1e300, 1e-9, 3.0))
    if kind == 5:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {text(rng): anything(rng, depth + 1) for _ in range(rng.randrange(4))}


def plain_of(rng: random.Random, kind: Any, words: tuple[str, ...] = (), depth: int = 0) -> Any:
    """Make a value of a type as JSON would carry it; texts are often out of `words`."""
    return _of(rng, types.type_info(kind), words, depth)


def _of(rng: random.Random, info: Any, words: tuple[str, ...], depth: int) -> Any:
    match info:
        case types.Metadata():
            return _of(rng, info.type, words, depth)
        case types.UnionType():
            return _of(rng, rng.choice(info.types), words, depth)
        case types.StructType():
            made = {}
            if info.tag_field is not None:
                made[info.tag_field] = info.tag
            for field in info.fields:
                if field.required or rng.random() < 0.6:
                    made[field.encode_name] = _of(rng, field.type, words, depth + 1)
            return made
        case types.IntType():
            return number(rng)
        case types.FloatType():
            return rng.choice((rng.uniform(-10, 1000), 0.0, 90.0, 1e300))
        case types.BoolType():
            return rng.random() < 0.5
        case types.StrType():
            return text(rng, words)
        case types.LiteralType():
            return rng.choice(info.values)
        case types.EnumType():
            return rng.choice(list(info.cls)).value
        case types.NoneType():
            return None
        case types.VarTupleType() | types.ListType() | types.SetType() | types.FrozenSetType():
            return [_of(rng, info.item_type, words, depth + 1) for _ in range(rng.choice((0, 1, 1, 2, 3, 5)))]
        case types.TupleType():
            return [_of(rng, one, words, depth + 1) for one in info.item_types]
        case types.DictType():
            keys = [_of(rng, info.key_type, words, depth + 1) for _ in range(rng.randrange(3))]
            return {str(key): _of(rng, info.value_type, words, depth + 1) for key in keys}
        case _:
            return anything(rng, depth)


def altered(rng: random.Random, value: Any, words: tuple[str, ...] = ()) -> Any:
    """Change a JSON value at one place or a few."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _altered(rng, value, words)
    return value


def _altered(rng: random.Random, value: Any, words: tuple[str, ...]) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        what = rng.randrange(8)
        if what == 0:
            return {one: there for one, there in value.items() if one != key}
        if what == 1:
            return {**value, text(rng): anything(rng)}
        return {**value, key: _altered(rng, value[key], words)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        what = rng.randrange(6)
        if what == 0:
            return value[:at] + value[at + 1 :]
        if what == 1:
            return [*value[:at], value[at], *value[at:]]
        return [*value[:at], _altered(rng, value[at], words), *value[at + 1 :]]
    if isinstance(value, bool) or value is None:
        return anything(rng)
    if isinstance(value, int) and rng.random() < 0.8:
        return rng.choice((value + 1, value - 1, -value, number(rng, sensible=False)))
    if isinstance(value, str) and rng.random() < 0.8:
        return text(rng, words)
    return anything(rng)


def spoiled(rng: random.Random, data: bytes) -> bytes:
    """Change bytes: flip, cut out, put in, cut short, repeat; now and then nest deeper than anybody can follow."""
    made = bytearray(data)
    if rng.random() < 0.02:
        made[:] = made.replace(b":", b":" + b"[" * 5000, 1)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(made) + 1)
        what = rng.randrange(6)
        if what == 0 and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            del made[at : at + rng.choice((1, 2, 8, 64))]
        elif what == 2:
            made[at:at] = rng.randbytes(rng.choice((1, 2, 8, 64)))
        elif what == 3:
            del made[at:]
        elif what == 4 and at < len(made):
            made[at] = rng.choice((0, 1, 0x22, 0x7B, 0x7F, 0x80, 0xFF))
        elif what == 5:
            made[at:at] = made[at : at + rng.choice((2, 8, 64))]
    return bytes(made)


def as_json(value: Any) -> bytes:
    """Write a value as JSON; what has no number in JSON (NaN) as people's programs write it."""
    return json.dumps(value).encode()
