"""Decodes a stranger's JPEGs in a small process of its own, which is ended if it takes too long, or isn't needed.

Nothing is decoded whose header claims more than it may. The process has no more than Pillow in memory, and writes each
picture's RGB bytes to its standard output.
"""

from __future__ import annotations

import resource
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from companion.eye.view import Gray

PATIENCE = 5.0
"""Seconds for one picture, the start of the process included."""
MEMORY = 160 * 1024 * 1024
"""Bytes of memory allowed for the process."""
BAND = 64
"""Rows that are written at a time: a whole picture would lie in memory twice."""
_HEAD = struct.Struct("!III")


class DecodingError(ValueError):
    """A picture that could not be decoded."""


class Decoder:
    """Decodes one picture after another. For one thread; `close` may be called from any."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def decode(self, data: bytes, size: tuple[int, int]) -> Gray:
        """Decode a JPEG whose header tells `size` (width, height); return RGB of shape (height, width, 3).

        Raises:
            DecodingError: if it can't be decoded, is of another size, or takes too long.
        """
        import numpy as np  # not for the process: it would take half its memory

        process = self._process
        if process is None or process.poll() is not None:
            # No option that a folder could change: -P keeps the current one from being looked into.
            command = [sys.executable, "-P", "-m", "companion.eye.decoding"]
            process = self._process = subprocess.Popen(  # noqa: S603 (our own program)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 (asked for)
        wide, high = size
        picture = np.empty((high, wide, 3), np.uint8)
        late = threading.Timer(PATIENCE, process.kill)
        late.start()
        try:
            for part in (_HEAD.pack(len(data), wide, high), data):
                room = memoryview(part)
                while room:
                    room = room[process.stdin.write(room) :]
            if process.stdout.read(1) != b"+":
                raise DecodingError
            room = memoryview(picture.data).cast("B")
            while room:
                if not (count := process.stdout.readinto(room)):  # type: ignore[attr-defined]
                    raise DecodingError
                room = room[count:]
        except (OSError, DecodingError):
            # What it has not written yet belongs to no other picture.
            self.close()
            raise DecodingError from None
        finally:
            late.cancel()
        return picture

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def main() -> None:
    """Decode what comes on standard input until it ends, or something is wrong: then a fresh process is better."""
    with suppress(OSError):
        # Where a service may not set limits, the headers that were read are what bounds it.
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    given, out = sys.stdin.buffer, sys.stdout.buffer
    while len(head := given.read(_HEAD.size)) == _HEAD.size:
        length, *size = _HEAD.unpack(head)
        # Only this format: Pillow's other decoders have not been reviewed.
        picture: Image.Image | None = Image.open(BytesIO(given.read(length)), formats=("JPEG",))
        if picture is None or picture.size != tuple(size):
            return
        picture.load()
        if picture.mode != "RGB":
            picture = picture.convert("RGB")
        out.write(b"+")
        for y in range(0, picture.height, BAND):
            out.write(picture.crop((0, y, picture.width, min(y + BAND, picture.height))).tobytes())
        out.flush()
        # Until the next one comes it would lie in memory.
        picture = None


if __name__ == "__main__":
    sys.stderr = None  # a picture that is none is no line for the log
    main()
