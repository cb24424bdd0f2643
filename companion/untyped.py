"""What has no types: what comes in or goes out as JSON or TOML, and other libraries' things; and how the first is read.

The names are `Any`, each with a reason; whatever is our own has a type of its own. What may come from anywhere is read
here, within bounds: what can't be taken is one kind of error.
"""

from __future__ import annotations

import re
import tomllib
from itertools import accumulate
from typing import Any, TypeVar, overload

import msgspec

Json = Any
"""A value of JSON: null, a boolean, a number, a text, a list or an object.

Such values are looked into part by part (`score["round"]["order"]`): a type that followed JSON into itself would want a
check before each look. Whoever reads what came from elsewhere decodes it into a struct, or looks.
"""
JsonObject = dict[str, Json]
"""An object of JSON, such as an answer of a page, or what another program said in a line."""
TomlTable = dict[str, Any]
"""A table of a TOML file: a deck, a mat, a score, settings. Its values are those of JSON, and dates."""
Foreign = Any
"""A thing of a library without types, or of one that is there for some only: gunicorn's connection, a camera's request,
a browser's page; or what such a library is handed as it came.
"""

T = TypeVar("T")
DEEPEST = 20
"""How many things may lie in each other. What lies deeper can be read, and is then too deep for who writes it again."""
BOM = "\ufeff"
"""A mark that some editors put before a text; it says nothing."""
_TOO_DEEP = f"more than {DEEPEST} things lie in each other"
_PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]')


@overload
def read_json(given: bytes | str | msgspec.Raw, kind: type[T]) -> T: ...
@overload
def read_json(given: bytes | str | msgspec.Raw, kind: Foreign = ...) -> Json: ...  # a union is no type
def read_json(given: bytes | str | msgspec.Raw, kind: Foreign = Json) -> Json:
    """Return what a JSON text says, as a value of a kind.

    Raises:
        msgspec.DecodeError: if it is no JSON, not of that kind (msgspec.ValidationError), or too deep.
    """
    try:
        text = (given.encode() if isinstance(given, str) else bytes(given)).removeprefix(BOM.encode())
        said = msgspec.json.decode(text, type=kind)
    except (UnicodeError, RecursionError) as error:
        raise msgspec.DecodeError(_TOO_DEEP if isinstance(error, RecursionError) else f"{error}") from None
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return said
    steps = (1 if one in b"[{" else -1 if one in b"]}" else 0 for one in _PARTS.findall(text))
    if max(accumulate(steps), default=0) > DEEPEST:
        raise msgspec.DecodeError(_TOO_DEEP)
    return said


def read_toml(text: str) -> TomlTable:
    """Return what a TOML text says.

    Raises:
        ValueError: if it is no TOML, has a number that nobody can mean, or is too deep.
    """
    try:
        said = tomllib.loads(text.removeprefix(BOM))
        read_json(msgspec.json.encode(said))
    except (OverflowError, RecursionError) as error:
        raise ValueError(_TOO_DEEP if isinstance(error, RecursionError) else f"{error}") from None
    return said
