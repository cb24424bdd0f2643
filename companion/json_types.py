"""Types of what comes in or goes out as JSON or TOML, and of what other libraries give without types."""

from __future__ import annotations

from typing import Any

Json = Any
"""A value of JSON: null, a boolean, a number, a text, a list or an object.

It is `Any` because such values are looked into part by part (`score["round"]["order"]`): a type that followed JSON into
itself would want a check before each look. Whoever reads what came from elsewhere decodes it into a struct, or looks.
"""
JsonObject = dict[str, Json]
"""An object of JSON, such as an answer of a page, or what a program said in a line."""
TomlTable = JsonObject
"""A table of a TOML file: a deck, a mat, a score, settings. Its values are those of JSON, and dates."""
