"""Compiled templates on disk, as Python keeps its own: those of the first page take a Pi .4 s to compile."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from jinja2 import compiler
from jinja2.bccache import Bucket, BytecodeCache

from companion.server.words import pages

_MAKERS = (compiler.__file__, pages.__file__)
"""What makes code of a template; its own words are compared by jinja2, with Python's version."""
_DIGEST = 32


class KeptTemplates(BytecodeCache):
    """The newest code of each template in a folder. What isn't whole, or can't be written, is as if not there."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not be there."""
        self._folder = folder
        made = [(file.st_mtime_ns, file.st_size) for file in map(Path.stat, map(Path, _MAKERS))]
        self._made = repr(made).encode()

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return a template's file name, the same for each version of it."""
        return hashlib.sha256(name.encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template's code, unless it was spoilt or made otherwise: it would be run as it is."""
        with contextlib.suppress(OSError):
            kept = (self._folder / bucket.key).read_bytes()
            if kept[:_DIGEST] == self._digest(bucket.key, kept[_DIGEST:]):
                bucket.bytecode_from_string(kept[_DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code; a half of it, if the plug is pulled, is not loaded."""
        code = bucket.bytecode_to_string()
        with contextlib.suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            (self._folder / bucket.key).write_bytes(self._digest(bucket.key, code) + code)

    def _digest(self, key: str, code: bytes) -> bytes:
        return hashlib.sha256(self._made + key.encode() + code).digest()
