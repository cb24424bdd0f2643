"""Names for what has no types: what comes in or goes out as JSON or TOML, and other libraries' things.

Each is `Any`, with a reason. Whatever is our own has a type of its own.
"""

from __future__ import annotations

from typing import Any

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
